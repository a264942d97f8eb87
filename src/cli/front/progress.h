/* progress.h -- progress of long work: one line on a terminal, after one second, erased before the result; never on a
 * pipe */
#ifndef NS_CLI_PROGRESS_H
#define NS_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

#include <nsmodel/matrix.h>

/* Initialise all but `err` to zero.  Allocates nothing; texts are copied. */
typedef struct ns_progress {
    FILE *err;              /* the output stream: used only when it is a terminal */
    double (*clock)(void);  /* seconds, never decreasing; NULL: the system's clock */
    char what[80];          /* the current work, or "" */
    double began, drawn;    /* when it began, when the line was last drawn */
    double first, last;     /* amount at its beginning, amount now */
    double mark_time, mark; /* time and amount from which the rate is computed */
    double before_time, before;
    int width; /* columns of the line on the terminal; 0: there is none */
} ns_progress;

/* Report that this much is done of `total` units (0: unknown; "B" takes a prefix, " nodes" none) of the work called
 * `what`.  Another `what`, or a smaller amount than before, starts anew.  NULL for p is allowed. */
void ns_progress_show(ns_progress *p, const char *what, const char *unit, double done, double total);

/* Erase the line: before anything else is written, and when the work is done. */
void ns_progress_clear(ns_progress *p);

/* A piece of work, for layers that do not use a terminal: their watch function is ns_progress_tell, the watcher a
 * job. */
typedef struct ns_progress_job {
    ns_progress *progress;
    char what[80];
    const char *unit;
} ns_progress_job;
void ns_progress_tell(void *job, double done, double total);

/* Show every scan of the matrix. */
void ns_progress_watch(ns_progress *p, ns_matrix *matrix);

#endif
