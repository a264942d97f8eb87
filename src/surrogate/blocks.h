/* blocks.h -- rows of full blocks, as patches on their way to a receiver */
#ifndef NS_SURROGATE_BLOCKS_H
#define NS_SURROGATE_BLOCKS_H

#include "matrix/source.h"

enum { NS_BLOCK_PATCHES = 4096 }; /* handed on at a time, at most */

typedef struct ns_block_rows {
    ns_patch_fn *receive;
    void *context;
    ns_error *err;
    size_t count;
    ns_patch patch[NS_BLOCK_PATCHES];
} ns_block_rows;

/* NULL and a message when there is no memory for it.  Free with ns_free. */
ns_block_rows *ns_block_rows_new(const char *name, ns_patch_fn *receive, void *context, ns_error *err);

/* Hand on what is there, unless `more` patches have room: those of the same rows must come in one call. */
ns_status ns_block_rows_room(ns_block_rows *rows, size_t more);
static inline ns_status ns_block_rows_flush(ns_block_rows *rows)
{
    return ns_block_rows_room(rows, NS_BLOCK_PATCHES);
}

/* The rows of node `row`: a block of unknowns x unknowns entries for each of its columns, which ascend. */
ns_status ns_block_row(ns_block_rows *rows, int32_t row, int32_t unknowns, const int32_t *columns, int count);

#endif
