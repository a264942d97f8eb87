/* context.h -- what a host program may set: when to stop, where messages go, whose memory is used and how much
 *
 * A context belongs to the calling thread from ns_context_use on, and to the threads that the library starts for its
 * calls: these may call back at the same time.  Without a context there are no callbacks and no limits, and memory is
 * malloc's.
 */
#ifndef NSMODEL_CONTEXT_H
#define NSMODEL_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include <nsmodel/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_context ns_context;

/* A note says what was taken by default where the caller might mean something else; a warning, what may be wrong. */
typedef enum ns_log_level { NS_LOG_NOTE = 0, NS_LOG_WARNING } ns_log_level;

typedef struct ns_context_options {
    size_t size; /* of this struct; 0 means the fields up to max_work; the others need it */
    void *user;  /* handed to the callbacks */
    /* Called now and then by long calls; a result other than 0 ends them with NS_ERR_CANCELLED, their out-parameters
     * unchanged and all their memory released.  Threads of the library may call it at the same time.  NULL: never. */
    int (*stop)(void *user);
    /* Limits of each call that has none of its own, or a larger one: B, and entries + rows + routes.  0: none. */
    int64_t max_memory, max_work;
    /* Called with one line, without a final stop or newline; valid during the call only.  NULL: no messages. */
    void (*log)(void *user, ns_log_level level, const char *text);
    /* Memory of the calls made under this context; allocate and release both, or neither.  A size is never 0.  What
     * allocate returns is aligned as by malloc; NULL: there is none, which ends the call with NS_ERR_MEMORY.
     * reallocate keeps the block if it returns NULL; without reallocate, a block is moved by the other two.  They must
     * not call this library. */
    void *(*allocate)(void *user, size_t size);
    void *(*reallocate)(void *user, void *memory, size_t old_size, size_t size);
    void (*release)(void *user, void *memory, size_t size);
} ns_context_options;

/* The options are copied.  Free with ns_context_free (NULL is fine) when no thread uses the context any more.  Objects
 * made under a context may outlive it and are freed as always, by any thread and under any context: their memory goes
 * to the `release` of the context that allocated it, which must therefore remain callable, and `user` valid. */
NS_API ns_status ns_context_open(const ns_context_options *options, ns_context **context, ns_error *err);
NS_API void ns_context_free(ns_context *context);

/* Set the context of the calling thread; NULL: none.  Returns the previous one. */
NS_API ns_context *ns_context_use(ns_context *context);

/* The context of the calling thread, or NULL. */
NS_API ns_context *ns_context_current(void);

/* Free memory returned by a function of this library that names no other function to free it; NULL is fine.  Do not use
 * free(). */
NS_API void ns_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
