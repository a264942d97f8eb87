/* batch.c -- entries on their way to a receiver, handed on some thousands at a time */
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
