/* context.h -- the calling thread's context, as the library asks it */
#ifndef NS_CORE_CONTEXT_H
#define NS_CORE_CONTEXT_H

#include <stdatomic.h>
#include <stdbool.h>

#include <nsmodel/context.h>

/* It stays until its owner and the last block of its memory have let it go. */
struct ns_context {
    ns_context_options options;
    atomic_size_t holders;
};
void ns_context_let_go(ns_context *context);

/* Is there anyone who could stop or limit a call? */
bool ns_context_watches(void);

/* NS_ERR_CANCELLED when the host wants the call to end. */
ns_status ns_context_ask(ns_error *err);

/* The same in a loop: `units` more steps of some tens of nanoseconds are to be done; asked every NS_TICKS of them. */
enum { NS_TICKS = 4096 };
ns_status ns_context_tick(int64_t units, ns_error *err);

/* The same in turn i of a loop, from 0: next to nothing where it is not asked. */
static inline ns_status ns_context_turn(int64_t i, ns_error *err)
{
    return (i + 1) % NS_TICKS != 0 ? NS_OK : ns_context_ask(err);
}

/* Failures that end the whole call, also where another would only say that one of its answers cannot be had. */
static inline bool ns_ends_call(ns_status status)
{
    return status == NS_ERR_MEMORY || status == NS_ERR_CANCELLED;
}

/* Pass such a failure up, in the words that `inner` has. */
ns_status ns_end_call(const ns_error *inner, ns_error *err);

/* One line for the host, where it listens. */
void ns_tell_host(ns_log_level level, const char *format, ...) NS_PRINTF(2, 3);

/* The smaller of a call's own limit of memory and the context's; 0: none. */
int64_t ns_context_memory(int64_t limit);

#endif
