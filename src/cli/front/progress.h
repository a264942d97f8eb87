/* progress.h -- how far long work is: one line on a terminal, past one second, gone before the result; never on a
 * pipe */
#ifndef NS_CLI_PROGRESS_H
#define NS_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

#include <nsmodel/matrix.h>

/* All zero but `err` is a good start.  Allocates nothing; texts are copied. */
typedef struct ns_progress {
    FILE *err;              /* where to: shown only when it is a terminal */
    double (*clock)(void);  /* seconds, never going back; NULL: the system's */
    char what[80];          /* the work that is running, or "" */
    double began, drawn;    /* when it began, when the line was last drawn */
    double first, last;     /* amount at its beginning, amount now */
    double mark_time, mark; /* the rate is that since this moment */
    double before_time, before;
    int width; /* columns of the line on the terminal; 0: none is there */
} ns_progress;

/* So much is done of `total` units (0: unknown; "B" takes a prefix, " nodes" none) of the work called `what`.  Another
 * `what`, or less than before, begins anew.  NULL for p is fine. */
void ns_progress_show(ns_progress *p, const char *what, const char *unit, double done, double total);

/* Take the line away: before anything else is written, and when the work is done. */
void ns_progress_clear(ns_progress *p);

/* A piece of work, for layers that know no terminal: their watch function is ns_progress_tell, the watcher a job. */
typedef struct ns_progress_job {
    ns_progress *progress;
    char what[80];
    const char *unit;
} ns_progress_job;
void ns_progress_tell(void *job, double done, double total);

/* Show every scan of the matrix. */
void ns_progress_watch(ns_progress *p, ns_matrix *matrix);

#endif
