/* sums.c -- classes of messages of a machine, and what a node's sums are by protocol */
#include "price/sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* First sizes of the classes of one locality, each once, rising; messages have at least one byte. */
static int first_sizes(const ns_machine *machine, ns_locality line, unsigned memories, int64_t from[NS_SIZES])
{
    int given = 0, count = 0;
    from[given++] = 1;
    for (int m = 0; m < NS_MEMORIES; m++)
        for (int p = 0; (memories >> m & 1) != 0 && p < NS_PROTOCOLS; p++) {
            const ns_line *of = &machine->line[m][line][p];
            if (of->given && of->from > 1)
                from[given++] = of->from < 0x1p63 ? (int64_t)ceil(of->from) : INT64_MAX;
        }
    qsort(from, (size_t)given, sizeof *from, by_value);
    for (int i = 0; i < given; i++)
        if (count == 0 || from[i] > from[count - 1])
            from[count++] = from[i];
    for (int i = count; i < NS_SIZES; i++)
        from[i] = INT64_MAX;
    return count;
}

void ns_classes_of(const ns_machine *machine, const ns_form *form, unsigned memories, ns_classes *classes)
{
    int all = 0;
    for (int l = 0; l < NS_LOCALITIES; l++) {
        const ns_locality line = form->one_table ? NS_OFF_NODE : (ns_locality)l;
        classes->base[l] = all;
        classes->count[l] = first_sizes(machine, line, memories, classes->from[l]);
        for (int i = 0; i < classes->count[l]; i++, all++)
            for (int m = 0; m < NS_MEMORIES; m++) {
                ns_protocol protocol = NS_SHORT;
                const bool given =
                    ns_machine_line(machine, (ns_memory)m, line, (double)classes->from[l][i], &protocol) != NULL;
                classes->slot[m][all] = (int16_t)(given ? NS_PROTOCOLS * l + (int)protocol : -1);
            }
    }
    classes->all = all;
}

void ns_row_load_inside(const ns_classes *classes, ns_memory memory, const int64_t *inside, ns_load *load)
{
    double *on = load->node_on[0];
    memset(load->node_on, 0, sizeof load->node_on);
    for (int class = 0; class < classes->base[NS_OFF_NODE]; class ++)
        if (classes->slot[memory][class] >= 0)
            on[classes->slot[memory][class]] += (double)inside[class];
}

bool ns_rows_bound(const ns_form_values *values)
{
    for (int i = 0; i < values->slots; i++)
        if (!(values->value[i] >= 0))
            return false;
    return values->form->rising;
}
