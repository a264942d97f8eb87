/* context.h -- the calling thread's context, as the library asks it */
#ifndef NS_CORE_CONTEXT_H
#define NS_CORE_CONTEXT_H

#include <stdbool.h>

#include <nsmodel/context.h>

/* Is there anyone who could stop or limit a call? */
bool ns_context_watches(void);

/* NS_ERR_CANCELLED when the host wants the call to end. */
ns_status ns_context_ask(ns_error *err);

/* The same in a loop: `units` more steps of some tens of nanoseconds are to be done; asked every NS_TICKS of them. */
enum { NS_TICKS = 4096 };
ns_status ns_context_tick(int64_t units, ns_error *err);

/* The smaller of a call's own limit and the context's; 0: none. */
int64_t ns_context_memory(int64_t limit);
int64_t ns_context_work(int64_t limit);

/* The calling thread's context, for threads that work for it; or NULL. */
ns_context *ns_context_now(void);

#endif
