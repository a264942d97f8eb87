/* context.h -- what a program that the library is part of may set: when to stop, what is said, whose memory is taken
 * and how much
 *
 * A context belongs to the calling thread from ns_context_use on, and to the threads that the library starts for its
 * calls: these may call back at the same time.  Without one nothing is asked, said or limited, and memory is malloc's.
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
    size_t size; /* of this struct; 0 stands for the fields up to max_work, so that the others want it */
    void *user;  /* handed to the callbacks */
    /* Asked now and then by long calls; other than 0 ends them with NS_ERR_CANCELLED, their out-parameters as they were
     * and all their memory given back.  Threads of the library may ask at the same time.  NULL: never. */
    int (*stop)(void *user);
    /* Limits of each call that has none of its own, or a larger one: B, and entries + rows + routes.  0: none. */
    int64_t max_memory, max_work;
    /* Called with one line, without a final stop or newline, that is gone when it returns.  NULL: nothing is said. */
    void (*log)(void *user, ns_log_level level, const char *text);
    /* Memory of the calls made under this context; allocate and release both, or neither.  A size is never 0.  What
     * allocate returns is aligned as by malloc; NULL: there is none, which ends the call with NS_ERR_MEMORY.
     * reallocate keeps the block where it returns NULL; without one a block moves by the other two.  They call nothing
     * of this library. */
    void *(*allocate)(void *user, size_t size);
    void *(*reallocate)(void *user, void *memory, size_t old_size, size_t size);
    void (*release)(void *user, void *memory, size_t size);
} ns_context_options;

/* The options are copied.  Free with ns_context_free (NULL is fine), when no thread uses it any more.  What was made
 * under a context may outlive it and is freed as always, by any thread and under any context: it goes back where it
 * came from, so that `release` and `user` stay until then. */
NS_API ns_status ns_context_open(const ns_context_options *options, ns_context **context, ns_error *err);
NS_API void ns_context_free(ns_context *context);

/* Make it the context of the calling thread; NULL: none.  Returns the one before. */
NS_API ns_context *ns_context_use(ns_context *context);

/* The context of the calling thread, or NULL. */
NS_API ns_context *ns_context_current(void);

/* Free memory that a function of this library handed out and for which it names no other; NULL is fine.  free() would
 * not do. */
NS_API void ns_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
