/* scored.c -- every measured row priced, repeats of one exchange once */

#include "core/memory.h"
#include "records/dense.h"
#include "records/judge.h"
#include "records/score.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS = 9 };

typedef struct member {
    const char *cell[CELLS]; /* what repeats of one exchange agree in, closed by NULL where there are fewer */
    int way;                 /* of a dense exchange */
    bool alone;
    size_t row;
    double measured;
} member;

static int by_exchange(const member *x, const member *y)
{
    for (int i = 0; i < CELLS && x->cell[i] != NULL; i++) {
        const int order = strcmp(x->cell[i], y->cell[i]);
        if (order != 0)
            return order;
    }
    return (x->way > y->way) - (x->way < y->way);
}

static int by_group(const void *a, const void *b)
{
    const member *x = a, *y = b;
    const int order = by_exchange(x, y);
    return order != 0 ? order : (x->row > y->row) - (x->row < y->row);
}

static int by_row(const void *a, const void *b)
{
    const ns_scored *x = a, *y = b;
    return (x->rows[0] > y->rows[0]) - (x->rows[0] < y->rows[0]);
}

/* Fill in what a row's exchange is known by.  False for a dense one in a way that is none of ours. */
static bool identify(const ns_records *records, bool dense, member *m)
{
    const ns_strategy *strategy;
    ns_transport transport;
    if (!dense) {
        m->cell[0] = ns_record_text(records, m->row, "group");
        m->alone = *m->cell[0] == '\0';
        return true;
    }
    for (int i = 0; ns_dense_columns[i] != NULL; i++)
        m->cell[i] = ns_record_text(records, m->row, ns_dense_columns[i]);
    if (ns_dense_way(records, m->row, &strategy, &transport, NULL) != NS_OK)
        return false;
    m->way = ns_way_number(strategy, transport);
    return true;
}

/* Rows with a measured time that pass, sorted by group. */
static size_t list_members(const ns_records *records, ns_row_filter filter, const void *context, member *list)
{
    const bool dense = ns_records_are_dense(records);
    size_t count = 0;
    for (size_t row = 0; row < records->rows; row++) {
        member m = {.row = row};
        if (records->row[row].problem != NULL || !ns_record_measured(records, row, &m.measured) ||
            (filter != NULL && !filter(records, row, context)) || !identify(records, dense, &m))
            continue;
        list[count++] = m;
    }
    qsort(list, count, sizeof *list, by_group);
    return count;
}

/* The median of repeats, and of implementations of one way. */
static double time_of(const member *list, size_t count, double *scratch)
{
    for (size_t i = 0; i < count; i++)
        scratch[i] = list[i].measured;
    ns_score_sort(scratch, count);
    return ns_score_quantile(scratch, count, 0.5);
}

ns_status ns_scored_make(const ns_records *records, ns_row_filter filter, const void *context, ns_scored **scored,
                         size_t *count, ns_error *err)
{
    member *list = ns_malloc(ns_size_mul(ns_size_add(records->rows, 1), sizeof *list));
    double *scratch = ns_malloc(ns_size_mul(ns_size_add(records->rows, 1), sizeof *scratch));
    /* the rows of every group behind the list itself: one block, freed with it */
    ns_scored *made = ns_calloc(ns_size_add(records->rows, 1), sizeof *made + sizeof(size_t));
    if (list == NULL || scratch == NULL || made == NULL) {
        ns_free(list);
        ns_free(scratch);
        ns_free(made);
        return ns_no_memory(err);
    }
    size_t *rows = (size_t *)(void *)(made + records->rows + 1);
    const size_t members = list_members(records, filter, context, list);
    size_t groups = 0;
    for (size_t i = 0, end; i < members; i = end) {
        for (end = i + 1; end < members && !list[i].alone && by_exchange(&list[end], &list[i]) == 0;)
            end++;
        made[groups++] =
            (ns_scored){.rows = rows + i, .repeats = end - i, .measured_s = time_of(list + i, end - i, scratch)};
        for (size_t k = i; k < end; k++)
            rows[k] = list[k].row;
    }
    qsort(made, groups, sizeof *made, by_row);
    ns_free(list);
    ns_free(scratch);
    *scored = made;
    *count = groups;
    return NS_OK;
}
