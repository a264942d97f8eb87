/* context.h -- the calling thread's context, as used inside the library */
#ifndef NS_CORE_CONTEXT_H
#define NS_CORE_CONTEXT_H

#include <stdatomic.h>
#include <stdbool.h>

#include <nsmodel/context.h>

/* A context exists until its owner and the last block of its memory have released it. */
struct ns_context {
    ns_context_options options;
    atomic_size_t holders;
};
void ns_context_let_go(ns_context *context);

/* Does the context have a callback or a limit that could stop a call? */
bool ns_context_watches(void);

/* NS_ERR_CANCELLED when the host wants the call to end. */
ns_status ns_context_ask(ns_error *err);

/* The same in a loop: `units` more steps of some tens of nanoseconds are to follow; calls the host every NS_TICKS of
 * them. */
enum { NS_TICKS = 4096 };
ns_status ns_context_tick(int64_t units, ns_error *err);

/* The same in iteration i of a loop, from 0: costs almost nothing where the host is not called. */
static inline ns_status ns_context_turn(int64_t i, ns_error *err)
{
    return (i + 1) % NS_TICKS != 0 ? NS_OK : ns_context_ask(err);
}

/* Failures that end the whole call, even where another failure would only mean that one of its answers is
 * unavailable. */
static inline bool ns_ends_call(ns_status status)
{
    return status == NS_ERR_MEMORY || status == NS_ERR_CANCELLED;
}

/* Pass on such a failure, with the message of `inner`. */
ns_status ns_end_call(const ns_error *inner, ns_error *err);

/* Send one line to the host's log, if it has one. */
void ns_tell_host(ns_log_level level, const char *format, ...) NS_PRINTF(2, 3);

/* The smaller of a call's own memory limit and the context's; 0: none. */
int64_t ns_context_memory(int64_t limit);

#endif
