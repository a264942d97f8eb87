/* scored.c -- every measured row priced, repeats of one exchange once */
#include <nsmodel/record.h>

#include "core/memory.h"
#include "records/score.h"

#include <stdlib.h>
#include <string.h>

typedef struct member {
    const char *group; /* "" : alone */
    size_t row;
    double measured;
} member;

static int by_group(const void *a, const void *b)
{
    const member *x = a, *y = b;
    const int order = strcmp(x->group, y->group);
    return order != 0 ? order : (x->row > y->row) - (x->row < y->row);
}

static int by_row(const void *a, const void *b)
{
    const ns_scored *x = a, *y = b;
    return (x->rows[0] > y->rows[0]) - (x->rows[0] < y->rows[0]);
}

/* Rows with a measured time that pass, sorted by group. */
static size_t list_members(const ns_records *records, ns_row_filter filter, const void *context, member *list)
{
    size_t count = 0;
    for (size_t row = 0; row < records->rows; row++) {
        double measured;
        if (records->row[row].problem != NULL || !ns_record_number(records, row, "measured_s", &measured) ||
            measured <= 0 || (filter != NULL && !filter(records, row, context)))
            continue;
        list[count++] = (member){ns_record_text(records, row, "group"), row, measured};
    }
    qsort(list, count, sizeof *list, by_group);
    return count;
}

static double median_of(const member *list, size_t count, double *scratch)
{
    for (size_t i = 0; i < count; i++)
        scratch[i] = list[i].measured;
    ns_score_sort(scratch, count);
    return ns_score_quantile(scratch, count, 0.5);
}

ns_status ns_scored_make(const ns_records *records, ns_row_filter filter, const void *context, ns_scored **scored,
                         size_t *count, ns_error *err)
{
    member *list = malloc(ns_size_mul(ns_size_add(records->rows, 1), sizeof *list));
    double *scratch = malloc(ns_size_mul(ns_size_add(records->rows, 1), sizeof *scratch));
    /* the rows of every group behind the list itself: one block, freed with it */
    ns_scored *made = calloc(ns_size_add(records->rows, 1), sizeof *made + sizeof(size_t));
    if (list == NULL || scratch == NULL || made == NULL) {
        free(list);
        free(scratch);
        free(made);
        return ns_no_memory(err);
    }
    size_t *rows = (size_t *)(void *)(made + records->rows + 1);
    const size_t members = list_members(records, filter, context, list);
    size_t groups = 0;
    for (size_t i = 0, end; i < members; i = end) {
        for (end = i + 1; end < members && *list[i].group != '\0' && strcmp(list[end].group, list[i].group) == 0;)
            end++;
        made[groups++] =
            (ns_scored){.rows = rows + i, .repeats = end - i, .measured_s = median_of(list + i, end - i, scratch)};
        for (size_t k = i; k < end; k++)
            rows[k] = list[k].row;
    }
    qsort(made, groups, sizeof *made, by_row);
    free(list);
    free(scratch);
    *scored = made;
    *count = groups;
    return NS_OK;
}
