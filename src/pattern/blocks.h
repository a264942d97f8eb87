/* blocks.h -- owners of rows and columns, for several layouts at once
 *
 * Equal contiguous blocks: part p of P owns [floor(p n / P), floor((p+1) n / P)).  The row boundaries of all layouts
 * together cut the rows into groups; a row's group determines its part in every layout, so that one set of (group,
 * column) serves all of them.  With a partition vector there is a single set of parts, and a group is a part.
 */
#ifndef NS_PATTERN_BLOCKS_H
#define NS_PATTERN_BLOCKS_H

#include "core/memory.h"
#include "pattern/exchange.h"

typedef struct ns_blocks {
    int64_t rows, cols;
    size_t layouts;
    const ns_layout *layout;
    const int32_t *part; /* partition vector, or NULL */
    int64_t groups;
    int64_t *first_row; /* [groups + 1], without a partition vector */
    int shift;          /* row >> shift indexes bucket */
    int32_t *bucket;    /* group of the first row of each bucket */
    int64_t buckets;
    int64_t *own_first, *own_count; /* [groups] columns that the group's part owns in every layout */
} ns_blocks;

/* floor(p n / parts) without overflow. */
static inline int64_t ns_block_first(int64_t p, int64_t n, int64_t parts)
{
    return p * (n / parts) + p * (n % parts) / parts;
}

/* The part that owns index i of n. */
int32_t ns_block_owner(int64_t i, int64_t n, int32_t parts);

/* Free it, also after a failure. */
ns_status ns_blocks_open(ns_blocks *blocks, int64_t rows, int64_t cols, const ns_layout *layout, size_t layouts,
                         const int32_t *part, ns_budget *budget, ns_error *err);
void ns_blocks_free(ns_blocks *blocks);

static inline int64_t ns_blocks_group(const ns_blocks *blocks, int64_t row)
{
    if (blocks->part != NULL)
        return blocks->part[row];
    int64_t group = blocks->bucket[row >> blocks->shift];
    while (row >= blocks->first_row[group + 1])
        group++;
    return group;
}

/* The group of a row and its own columns, cached for the next entries, which often belong to a row nearby. */
typedef struct ns_row_group {
    uint64_t first_row, rows; /* the rows for which this is valid */
    int64_t group;
    uint64_t own_first, own_count; /* without a partition vector */
} ns_row_group;

static inline void ns_row_group_turn(ns_row_group *of, const ns_blocks *blocks, int64_t row)
{
    if ((uint64_t)row - of->first_row < of->rows)
        return;
    of->group = ns_blocks_group(blocks, row);
    of->first_row = (uint64_t)row;
    of->rows = 1;
    if (blocks->part == NULL) {
        of->first_row = (uint64_t)blocks->first_row[of->group];
        of->rows = (uint64_t)blocks->first_row[of->group + 1] - of->first_row;
        of->own_first = (uint64_t)blocks->own_first[of->group];
        of->own_count = (uint64_t)blocks->own_count[of->group];
    }
}

/* Is a column local to the group in every layout? */
static inline int ns_row_group_owns(const ns_row_group *of, const ns_blocks *blocks, int64_t col)
{
    return blocks->part != NULL ? blocks->part[col] == of->group : (uint64_t)col - of->own_first < of->own_count;
}

/* The range of columns, [first, end), that contains column `col`, and its owner; without a partition vector. */
typedef struct ns_owned {
    int64_t first, end;
    int32_t owner;
} ns_owned;
ns_owned ns_blocks_owned(const ns_blocks *blocks, size_t layout, int64_t col);

/* The owner of a column in a layout.  *last is the range of the previous column ({0} at first), which often contains
 * this one, too. */
static inline int32_t ns_blocks_owner(const ns_blocks *blocks, size_t layout, int64_t col, ns_owned *last)
{
    if (blocks->part != NULL)
        return blocks->part[col];
    if (col < last->first || col >= last->end)
        *last = ns_blocks_owned(blocks, layout, col);
    return last->owner;
}

/* The groups that make up part p of a layout, [*first, *first + *count); with a partition the group is the part. */
void ns_blocks_groups_of(const ns_blocks *blocks, size_t layout, int32_t p, int64_t *first, int64_t *count);

#endif
