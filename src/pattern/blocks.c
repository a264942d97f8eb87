/* blocks.c -- owners of rows and columns, for several layouts at once */
#include "pattern/blocks.h"

#include "core/memory.h"

int32_t ns_block_owner(int64_t i, int64_t n, int32_t parts)
{
    /* the last p with floor(p n / parts) <= i, so the last below (i + 1) parts / n; off by a few at most */
    int64_t p = (int64_t)(((double)i + 1) * ((double)parts / (double)n));
    if (p >= parts)
        p = parts - 1;
    while (ns_block_first(p + 1, n, parts) <= i)
        p++;
    while (ns_block_first(p, n, parts) > i)
        p--;
    return (int32_t)p;
}

ns_owned ns_blocks_owned(const ns_blocks *blocks, size_t layout, int64_t col)
{
    const int32_t parts = blocks->layout[layout].parts, owner = ns_block_owner(col, blocks->cols, parts);
    return (ns_owned){ns_block_first(owner, blocks->cols, parts), ns_block_first(owner + 1, blocks->cols, parts),
                      owner};
}

ns_status ns_blocks_open(ns_blocks *b, int64_t rows, int64_t cols, const ns_layout *layout, size_t layouts,
                         const int32_t *part, ns_budget *budget, ns_error *err)
{
    *b = (ns_blocks){.rows = rows, .cols = cols, .layouts = layouts, .layout = layout, .part = part};
    if (part != NULL) {
        b->groups = layout[0].parts;
        return NS_OK;
    }

    /* all boundaries of all layouts, without duplicates: first_row */
    int64_t wanted = 1;
    for (size_t l = 0; l < b->layouts; l++)
        wanted = ns_count_add(wanted, b->layout[l].parts < b->rows ? b->layout[l].parts : b->rows);
    NS_TRY(ns_take(&b->first_row, ns_count_add(wanted, 1), sizeof *b->first_row, budget, err));
    b->groups = 0;
    for (int64_t row = 0, next; row < b->rows; row = next) {
        b->first_row[b->groups++] = row;
        next = b->rows;
        for (size_t l = 0; l < b->layouts; l++) {
            const int32_t parts = b->layout[l].parts;
            const int64_t end = ns_block_first(ns_block_owner(row, b->rows, parts) + 1, b->rows, parts);
            next = end < next ? end : next;
        }
    }
    b->first_row[b->groups] = b->rows;

    /* map row >> shift to the group of the bucket's first row; a few buckets per group keep the search short */
    if (b->rows > 0) {
        int64_t most = 8 * b->groups > 65536 ? 8 * b->groups : 65536;
        b->shift = 0;
        while (((b->rows - 1) >> b->shift) >= most)
            b->shift++;
        b->buckets = ((b->rows - 1) >> b->shift) + 1;
        NS_TRY(ns_take(&b->bucket, b->buckets, sizeof *b->bucket, budget, err));
        int64_t group = 0;
        for (int64_t i = 0; i < b->buckets; i++) {
            while (i << b->shift >= b->first_row[group + 1])
                group++;
            b->bucket[i] = (int32_t)group;
        }
    }

    /* columns that a group's part owns in every layout: the intersection of contiguous ranges */
    NS_TRY(ns_take(&b->own_first, b->groups, sizeof *b->own_first, budget, err));
    NS_TRY(ns_take(&b->own_count, b->groups, sizeof *b->own_count, budget, err));
    for (int64_t g = 0; g < b->groups; g++) {
        int64_t lo = 0, hi = b->cols;
        for (size_t l = 0; l < b->layouts; l++) {
            int32_t parts = b->layout[l].parts, p = ns_block_owner(b->first_row[g], b->rows, parts);
            int64_t from = ns_block_first(p, b->cols, parts), to = ns_block_first(p + 1, b->cols, parts);
            lo = from > lo ? from : lo;
            hi = to < hi ? to : hi;
        }
        b->own_first[g] = lo;
        b->own_count[g] = hi > lo ? hi - lo : 0;
    }
    return NS_OK;
}

void ns_blocks_free(ns_blocks *blocks)
{
    ns_free(blocks->first_row); /* the scan is finished: nothing uses the budget after this */
    ns_free(blocks->bucket);
    ns_free(blocks->own_first);
    ns_free(blocks->own_count);
    *blocks = (ns_blocks){0};
}

void ns_blocks_groups_of(const ns_blocks *blocks, size_t layout, int32_t p, int64_t *first, int64_t *count)
{
    if (blocks->part != NULL) {
        *first = p;
        *count = 1;
        return;
    }
    int64_t parts = blocks->layout[layout].parts, from = ns_block_first(p, blocks->rows, parts),
            to = ns_block_first(p + 1, blocks->rows, parts);
    *first = *count = 0;
    if (from == to)
        return;
    *first = ns_blocks_group(blocks, from);
    *count = ns_blocks_group(blocks, to - 1) - *first + 1;
}
