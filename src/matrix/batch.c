/* batch.c -- entries for a receiver, passed on in batches of some thousands */
#include "matrix/batch.h"

#include "core/memory.h"

ns_batch *ns_batch_new(const char *name, ns_entry_fn *receive, void *context, ns_error *err)
{
    ns_batch *batch = ns_malloc(sizeof *batch);
    if (batch == NULL) {
        ns_fail(err, NS_ERR_MEMORY, "no memory for the entries of \"%s\", wanted 256 KiB", name);
        return NULL;
    }
    batch->receive = receive;
    batch->context = context;
    batch->err = err;
    batch->count = 0;
    return batch;
}

ns_status ns_batch_flush(ns_batch *batch)
{
    const size_t count = batch->count;
    batch->count = 0;
    return count == 0 ? NS_OK : batch->receive(batch->context, batch->entries, count, batch->err);
}

ns_status ns_batch_patches(void *context, const ns_patch *patch, size_t count, ns_error *err)
{
    ns_batch *batch = context;
    (void)err;
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && patch[next].row == patch[first].row; next++)
            ;
        for (int64_t row = patch[first].row; row < patch[first].row + patch[first].rows; row++)
            for (size_t i = first; i < next; i++) {
                ns_entry *entry;
                NS_TRY(ns_batch_take(batch, (size_t)patch[i].cols, &entry));
                for (int64_t col = patch[i].col; col < patch[i].col + patch[i].cols; col++)
                    *entry++ = (ns_entry){.row = row, .col = col};
            }
    }
    return NS_OK;
}
