/* context.h -- what a program that the library is part of may set: when to stop, what is said, how much may be taken
 *
 * A context belongs to the calling thread from ns_context_use on, and to the threads that the library starts for its
 * calls.  Without one nothing is asked, said or limited.
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

typedef struct ns_context_options {
    size_t size; /* of this struct; 0 stands for the fields of version 1.0 */
    void *user;  /* handed to the callbacks */
    /* Asked now and then by long calls; other than 0 ends them with NS_ERR_CANCELLED, their out-parameters as they were
     * and all their memory given back.  Threads of the library may ask at the same time.  NULL: never. */
    int (*stop)(void *user);
    /* Limits of each call that has none of its own, or a larger one: B, and entries + rows + routes.  0: none. */
    int64_t max_memory, max_work;
} ns_context_options;

/* The options are copied.  Free with ns_context_free (NULL is fine), when no thread uses it any more. */
NS_API ns_status ns_context_open(const ns_context_options *options, ns_context **context, ns_error *err);
NS_API void ns_context_free(ns_context *context);

/* Make it the context of the calling thread; NULL: none.  Returns the one before. */
NS_API ns_context *ns_context_use(ns_context *context);

/* Free memory that a function of this library handed out and for which it names no other; NULL is fine. */
NS_API void ns_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
