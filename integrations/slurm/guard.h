/* guard.h -- work that may crash, hang or take too much memory, done by a child process within a time */
#ifndef NS_SLURM_GUARD_H
#define NS_SLURM_GUARD_H

#include <stddef.h>

typedef enum ns_guarded {
    NS_GUARDED_DONE,
    NS_GUARDED_LATE,    /* the time was up: the child was ended */
    NS_GUARDED_CRASHED, /* the child ended before its work did */
    NS_GUARDED_REFUSED  /* no memory or no process for it */
} ns_guarded;

/* Memory of both processes, zero; NULL when there is none. */
void *ns_guard_share(size_t size);
void ns_guard_unshare(void *memory, size_t size);

/* Do the work in a child process, for at most so many seconds; *spent grows by what it took.  What it leaves in shared
 * memory counts only when this is NS_GUARDED_DONE. */
ns_guarded ns_guard_run(void (*work)(void *context), void *context, double seconds, double *spent);

#endif
