/* netsparse.c -- NetSparse's view of a matrix, each part a node: redundancy, windows of 64 requests, racks */
#include "core/memory.h"
#include "oracle.h"

#include <math.h>
#include <stdlib.h>

enum { WINDOW = 64 };

static int32_t row_owner(const oracle_matrix *matrix, int32_t parts, const int32_t *partition, int64_t row,
                         int32_t guess)
{
    if (partition != NULL)
        return partition[row];
    while (row >= (guess + 1) * matrix->rows / parts)
        guess++;
    return guess;
}

/* One part's remote entries as they come; distinct owners are counted when a window is full. */
typedef struct stream {
    int filled;
    int32_t owner[WINDOW];
} stream;

static int64_t distinct(const stream *s)
{
    int64_t owners = 0;
    for (int i = 0; i < WINDOW; i++) {
        bool before = false;
        for (int j = 0; j < i && !before; j++)
            before = s->owner[j] == s->owner[i];
        owners += !before;
    }
    return owners;
}

typedef struct windows {
    int64_t requests, full, owners;
} windows;

static windows count_windows(const oracle_matrix *matrix, const oracle_need *need, const int32_t *partition)
{
    stream *streams = oracle_alloc(need->parts, sizeof *streams);
    windows total = {0, 0, 0};
    int32_t p = 0;
    for (int64_t row = 0; row < matrix->rows; row++) {
        p = row_owner(matrix, need->parts, partition, row, p);
        for (int64_t i = matrix->row_start[row]; i < matrix->row_start[row + 1]; i++) {
            int32_t owner = need->owner[matrix->col_of[i]];
            if (owner == p)
                continue;
            total.requests++;
            streams[p].owner[streams[p].filled++] = owner;
            if (streams[p].filled == WINDOW) {
                total.full++;
                total.owners += distinct(&streams[p]);
                streams[p].filled = 0;
            }
        }
    }
    ns_free(streams);
    return total;
}

/* (part, column) pairs whose column another part of the same rack needs as well. */
static int64_t shared_pairs(const oracle_need *need, int32_t rack)
{
    int64_t shared = 0;
    for (int64_t item = 0; item < need->items; item++)
        for (int64_t i = need->start[item]; i < need->start[item + 1]; i++) {
            bool other = (i > need->start[item] && need->part[i - 1] / rack == need->part[i] / rack) ||
                         (i + 1 < need->start[item + 1] && need->part[i + 1] / rack == need->part[i] / rack);
            shared += other;
        }
    return shared;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : -1;
}

void oracle_netsparse(const oracle_matrix *matrix, const oracle_need *need, const int32_t *partition, int32_t rack,
                      ns_netsparse_view *view)
{
    windows w = count_windows(matrix, need, partition);
    int64_t unique = need->start[need->items], *each = oracle_alloc(need->parts, sizeof *each);
    for (int64_t i = 0; i < unique; i++)
        each[need->part[i]]++;
    *view = (ns_netsparse_view){.nonzeros = matrix->entries, .requests = w.requests, .unique = unique};
    for (int32_t p = 0; p < need->parts; p++)
        view->unique_max = each[p] > view->unique_max ? each[p] : view->unique_max;
    view->unique_mean = (double)unique / need->parts;
    view->su_transfers = ((double)need->parts - 1) * (double)matrix->cols; /* every column is owned once */
    view->su_redundant_per_useful = ratio(view->su_transfers - (double)unique, (double)unique);
    view->sa_redundant_per_useful = ratio((double)(w.requests - unique), (double)unique);
    view->destinations_per_window = ratio((double)w.owners, (double)w.full);
    view->rack_shared_fraction = ratio((double)shared_pairs(need, rack), (double)unique);
    ns_free(each);
}

/* Equal to rounding; every negative number stands for null. */
static bool near_enough(double expected, double got)
{
    return expected < 0 ? got < 0 : fabs(expected - got) <= 1e-13 * fabs(expected);
}

#define SAME(field)                                                                                                    \
    if (!near_enough((double)expected->field, (double)got->field))                                                     \
    return oracle_say(why, #field ": expected %.17g, got %.17g", (double)expected->field, (double)got->field)

bool oracle_same_view(const ns_netsparse_view *expected, const ns_netsparse_view *got, char why[256])
{
    SAME(nonzeros);
    SAME(requests);
    SAME(unique);
    SAME(unique_max);
    SAME(su_transfers);
    SAME(su_redundant_per_useful);
    SAME(sa_redundant_per_useful);
    SAME(destinations_per_window);
    SAME(rack_shared_fraction);
    SAME(unique_mean);
    return true;
}
