/* batch.h -- entries for a receiver, passed on in batches of some thousands */
#ifndef NS_MATRIX_BATCH_H
#define NS_MATRIX_BATCH_H

#include <assert.h>

#include "matrix/source.h"

enum { NS_BATCH = 16384 }; /* entries per batch, at most; 256 KiB */

typedef struct ns_batch {
    ns_entry_fn *receive;
    void *context;
    ns_error *err;
    size_t count;
    ns_entry entries[NS_BATCH];
} ns_batch;

/* Returns NULL and a message when memory runs out.  Free with ns_free. */
ns_batch *ns_batch_new(const char *name, ns_entry_fn *receive, void *context, ns_error *err);

/* Pass on the buffered entries. */
ns_status ns_batch_flush(ns_batch *batch);

/* Set *room to space for `count` entries, which the caller fills; count <= NS_BATCH. */
static inline ns_status ns_batch_take(ns_batch *batch, size_t count, ns_entry **room)
{
    assert(count <= NS_BATCH);
    if (batch->count + count > NS_BATCH) {
        const ns_status status = ns_batch_flush(batch);
        if (status != NS_OK)
            return status;
    }
    *room = &batch->entries[batch->count];
    batch->count += count;
    return NS_OK;
}

/* An ns_patch_fn: adds the entries of patches to the batch that is its context.  Patches of the same rows are in one
 * call, and their entries are emitted row by row. */
ns_status ns_batch_patches(void *batch, const ns_patch *patch, size_t count, ns_error *err);

#endif
