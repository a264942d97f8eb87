/* guard.h -- work that may crash, hang or take too much memory, done by a child process within a time limit */
#ifndef NS_SLURM_GUARD_H
#define NS_SLURM_GUARD_H

#include <stddef.h>

typedef enum ns_guarded {
    NS_GUARDED_DONE,
    NS_GUARDED_LATE,    /* the time limit was exceeded: the child was killed */
    NS_GUARDED_CRASHED, /* the child ended before its work was done */
    NS_GUARDED_REFUSED  /* there was no memory or no process for it */
} ns_guarded;

/* Zeroed memory shared by both processes; NULL when there is none. */
void *ns_guard_share(size_t size);
void ns_guard_unshare(void *memory, size_t size);

/* Do the work in a child process, for at most the given number of seconds; *spent is increased by the time that it
 * took.  Its results in shared memory are valid only when this returns NS_GUARDED_DONE. */
ns_guarded ns_guard_run(void (*work)(void *context), void *context, double seconds, double *spent);

#endif
