/* sizes.c -- where messages of a machine change their protocol */
#include "price/tally.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The least whole number of bytes that is not below x. */
static int64_t whole_bytes(double x)
{
    return x < 0x1p63 ? (int64_t)ceil(x) : INT64_MAX;
}

/* First sizes of the classes of one locality, each once, rising; messages have at least one byte. */
static int first_sizes(const ns_machine *machine, ns_locality line, unsigned memories, int64_t from[NS_SIZES])
{
    int given = 0, count = 0;
    from[given++] = 1;
    for (int m = 0; m < NS_MEMORIES; m++)
        for (int p = 0; (memories >> m & 1) != 0 && p < NS_PROTOCOLS; p++)
            if (machine->line[m][line][p].given && machine->line[m][line][p].from > 1)
                from[given++] = whole_bytes(machine->line[m][line][p].from);
    qsort(from, (size_t)given, sizeof *from, by_value);
    for (int i = 0; i < given; i++)
        if (count == 0 || from[i] > from[count - 1])
            from[count++] = from[i];
    for (int i = count; i < NS_SIZES; i++)
        from[i] = INT64_MAX;
    return count;
}

void ns_sizes_of(const ns_machine *machine, const ns_form *form, unsigned memories, ns_sizes *sizes)
{
    for (int l = 0; l < NS_LOCALITIES; l++) {
        const ns_locality line = form->one_table ? NS_OFF_NODE : (ns_locality)l;
        sizes->count[l] = first_sizes(machine, line, memories, sizes->from[l]);
        for (int m = 0; m < NS_MEMORIES; m++)
            for (int i = 0; i < sizes->count[l]; i++) {
                ns_protocol protocol = NS_SHORT;
                const bool given =
                    ns_machine_line(machine, (ns_memory)m, line, (double)sizes->from[l][i], &protocol) != NULL;
                sizes->protocol[m][l][i] = given ? (int16_t)protocol : -1;
            }
    }
}
