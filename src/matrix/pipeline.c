/* pipeline.c -- generate entries on one thread and receive them on another
 *
 * A ring of slots connects the two: the producer increments `made`, the receiver `taken`.  The slots are small enough
 * for all of them to stay in a cache that the processors share.  A thread that waits for a slot to fill or to become
 * empty is woken when half of them are ready; otherwise the faster of the two would sleep after each slot.
 */
#include "matrix/source.h"

#include "core/memory.h"
#include "core/parallel.h"

#include <string.h>

enum { SLOTS = 4, SLOT = 8192 };

typedef struct slot {
    size_t count;
    ns_entry entry[SLOT];
} slot;

typedef struct pipeline {
    ns_matrix *matrix;
    ns_scan_fn *scan;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* signalled for changes of the four below */
    int64_t made, taken;   /* slots, in total */
    bool ended, refused;   /* production has ended; the receiver has failed */
    ns_status status;      /* of the scan */
    ns_error error;
    slot slot[SLOTS];
} pipeline;

/* At most one side waits: the producer for a full ring, or the receiver for an empty one. */
static void tell(pipeline *r)
{
    if (r->made - r->taken == SLOTS / 2 || r->ended || r->refused)
        pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

/* ---- producer ---------------------------------------------------------------------------------------------------- */

static ns_status put(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    pipeline *r = context;
    (void)err;
    for (size_t done = 0; done < count;) {
        pthread_mutex_lock(&r->lock);
        while (r->made - r->taken == SLOTS && !r->refused)
            pthread_cond_wait(&r->changed, &r->lock);
        slot *into = &r->slot[r->made % SLOTS];
        const bool refused = r->refused;
        pthread_mutex_unlock(&r->lock);
        if (refused)
            return NS_ERR_DATA; /* ends the scan; the receiver's own error is reported */
        into->count = count - done < SLOT ? count - done : SLOT;
        memcpy(into->entry, entries + done, into->count * sizeof *entries);
        done += into->count;
        pthread_mutex_lock(&r->lock);
        r->made++;
        tell(r);
    }
    return NS_OK;
}

static void *make(void *argument)
{
    pipeline *r = argument;
    const ns_status status = r->scan(r->matrix, put, r, &r->error);
    pthread_mutex_lock(&r->lock);
    r->status = status;
    r->ended = true;
    tell(r);
    return NULL;
}

/* ---- receiver ---------------------------------------------------------------------------------------------------- */

/* Wait for the next slot with entries; NULL: there are no more. */
static const slot *next_full(pipeline *r)
{
    pthread_mutex_lock(&r->lock);
    while (r->made == r->taken && !r->ended)
        pthread_cond_wait(&r->changed, &r->lock);
    const slot *full = r->made > r->taken ? &r->slot[r->taken % SLOTS] : NULL;
    pthread_mutex_unlock(&r->lock);
    return full;
}

ns_status ns_pipeline_scan(ns_matrix *matrix, ns_scan_fn *scan, ns_entry_fn *receive, void *context, ns_error *err)
{
    pipeline *r = ns_malloc(sizeof *r);
    if (r == NULL || pthread_mutex_init(&r->lock, NULL) != 0) {
        ns_free(r);
        return scan(matrix, receive, context, err);
    }
    if (pthread_cond_init(&r->changed, NULL) != 0) {
        pthread_mutex_destroy(&r->lock);
        ns_free(r);
        return scan(matrix, receive, context, err);
    }
    r->matrix = matrix;
    r->scan = scan;
    r->made = r->taken = 0;
    r->ended = r->refused = false;
    r->status = NS_OK;
    r->error = (ns_error){0};
    pthread_t thread;
    ns_status status = NS_OK;
    if (!ns_thread_start(&thread, make, r)) {
        status = scan(matrix, receive, context, err);
    } else {
        for (const slot *full; status == NS_OK && (full = next_full(r)) != NULL;) {
            status = receive(context, full->entry, full->count, err);
            pthread_mutex_lock(&r->lock);
            r->taken++;
            r->refused = status != NS_OK;
            tell(r);
        }
        pthread_join(thread, NULL);
        if (status == NS_OK && r->status != NS_OK) {
            status = r->status;
            if (err != NULL && err->code == NS_OK)
                *err = r->error;
        }
    }
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->lock);
    ns_free(r);
    return status;
}
