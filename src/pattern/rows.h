/* rows.h -- the remote entries of every part in its processing order: row by row, columns ascending
 *
 * If the rows are in order, their columns are stored as they are read.  Files may have any order; for these a second
 * pass sorts the columns by row: 4 bytes per remote entry (8 beyond 2^32 columns) and 16 per row (24 with a partition
 * vector).  The entries of a part are contiguous.
 */
#ifndef NS_PATTERN_ROWS_H
#define NS_PATTERN_ROWS_H

#include "pattern/blocks.h"

typedef struct ns_rows {
    ns_matrix *matrix;
    const ns_blocks *blocks;
    ns_budget *budget;
    int64_t requests;
    int64_t *place;      /* [rows] position of a row, parts one after another; NULL if that is the row's number */
    int64_t *part_place; /* [parts + 1] position of the first row of a part */
    int64_t *start;      /* [rows + 1] by position: first entry; during the first pass counts at position + 1 */
    int64_t *fill;       /* [rows] next free place of a row, second pass only */
    uint32_t *narrow;    /* [requests] columns, when they fit 32 bits */
    uint64_t *wide;      /* used otherwise */
    bool in_order;       /* first pass: all rows so far had rising places, and narrow has their columns */
    bool ascending;      /* in_order: the columns of each row ascended, too */
    int64_t last, room;  /* first pass: place of the last row; number of columns that narrow has space for */
} ns_rows;

/* For layout 0 of the blocks. */
ns_status ns_rows_open(ns_rows *rows, ns_matrix *matrix, const ns_blocks *blocks, ns_budget *budget, ns_error *err);
void ns_rows_free(ns_rows *rows);

/* First pass: make space for `more` columns, or stop storing them during this pass. */
void ns_rows_make_room(ns_rows *rows, int64_t more);
void ns_rows_stop_keeping(ns_rows *rows);

/* First pass: can up to `count` columns of this row be appended to those of the previous rows? */
static inline bool ns_rows_follow(ns_rows *rows, int64_t place, int64_t count)
{
    if (rows->in_order && place < rows->last)
        ns_rows_stop_keeping(rows);
    if (rows->in_order && rows->room - rows->requests < count)
        ns_rows_make_room(rows, count);
    return rows->in_order;
}

/* First pass: record an entry of this row with a remote column. */
static inline void ns_rows_remote(ns_rows *rows, int64_t row, int64_t col)
{
    const int64_t place = rows->place != NULL ? rows->place[row] : row;
    if (ns_rows_follow(rows, place, 1)) {
        const bool again = rows->requests > 0 && place == rows->last;
        rows->ascending &= !again || rows->narrow[rows->requests - 1] <= (uint32_t)col;
        rows->narrow[rows->requests] = (uint32_t)col;
        rows->last = place;
    }
    rows->requests++;
    rows->start[place + 1]++;
}

/* First pass: append `count` entries of this row, whose part owns columns [own_first, own_first + own_count); there is
 * no partition, and they follow the previous rows.  Only entries with columns of other parts are kept: which ones is
 * hard to predict, so each is stored and only some are counted.  Returns their number. */
int64_t ns_rows_append(ns_rows *rows, int64_t row, const ns_entry *entries, size_t count, uint64_t own_first,
                       uint64_t own_count);

/* Sort columns by row, ascending; with a second pass if rows were not in order. */
ns_status ns_rows_file(ns_rows *rows, ns_error *err);

static inline int64_t ns_rows_col(const ns_rows *rows, int64_t entry)
{
    return rows->narrow != NULL ? (int64_t)rows->narrow[entry] : (int64_t)rows->wide[entry];
}

/* Entries of part p: [ns_rows_first(p), ns_rows_first(p + 1)). */
static inline int64_t ns_rows_first(const ns_rows *rows, int32_t p)
{
    return rows->start[rows->part_place[p]];
}

#endif
