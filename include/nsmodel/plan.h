/* plan.h -- which of several correct ways an exchange should take next: the model is the prior, the program's own
 * exchanges are the evidence
 *
 * A solver performs the same exchange again and again.  A plan decides which way the next calls take and for how many
 * calls, is given the times they took, and learns.  It tries a way only where what the calls left can gain by it
 * exceeds what the trial is expected to cost.  docs/evidence/planner.md has the rule.
 *
 * Among many processes rank 0 alone holds the plan.  It sends the next runs, a way and a number of calls each, to all
 * ranks; each rank times its calls; at the end the maxima over ranks of the last times are reduced to rank 0 and given
 * to the plan.
 * So all ranks take the same way, whatever their clocks say.
 *
 * Times are seconds.  A plan is for one thread at a time; plans share nothing.  None of this allocates but ns_plan_open
 * and the wisdom calls.  Equal calls give equal answers.
 */
#ifndef NSMODEL_PLAN_H
#define NSMODEL_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nsmodel/status.h>
#include <nsmodel/value.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the plan ---------------------------------------------------------------------------------------------------- */

enum {
    NS_PLAN_WAYS = 64, /* most ways of one plan */
    NS_PLAN_TRIED = 6, /* most ways without a prediction that are tried, unless the effort is NS_PLAN_PATIENT */
    NS_PLAN_TOLD = 8   /* most times given of one run */
};

/* What is known of a way in advance. */
typedef struct ns_plan_way {
    double predicted_s; /* by the model; 0: it has no prediction.  A common factor of all ways does not matter */
    double doubt;       /* standard deviation of ln(time / predicted_s): pi / (sqrt(6) kappa).  Greater than 0 where
                           predicted_s is; without a prediction it is ignored */
    int like;           /* of a way without a prediction: the index of the most similar way, from whose time its own is
                           inferred and after which alone it is tried; -1: none */
    int measured;       /* calls of this very exchange that were timed in earlier runs; 0: none */
    double measured_s;  /* their median, where measured > 0 */
} ns_plan_way;

typedef enum ns_plan_effort {
    NS_PLAN_MEASURE = 0, /* try what is worth its cost */
    NS_PLAN_ESTIMATE,    /* try nothing: the first way, always */
    NS_PLAN_PATIENT      /* a program of at least 10,000 calls is assumed where their number is unknown, and any number
                            of ways may be tried */
} ns_plan_effort;

typedef struct ns_plan_options {
    size_t size;   /* of this struct, set by the caller */
    int incumbent; /* the way in use today; -1: none */
    bool foreign;  /* no exchange of this machine was ever measured: the incumbent goes first, not the model's */
    int64_t calls; /* of the whole program; 0: unknown */
    ns_plan_effort effort;
    double agreement_s; /* what one agreement of all ranks costs: a reduction and a broadcast.  0: nothing.  The dearer
                           it is, the longer are the runs, and the more of them are decided together */
} ns_plan_options;

typedef struct ns_plan ns_plan;

/* A plan for `count` ways, 1 to NS_PLAN_WAYS; the ways are copied.  Options NULL: incumbent 0, the rest 0.
 * NS_ERR_RANGE names the way or the option that is refused.  Free with ns_plan_free (NULL is fine). */
NS_API ns_status ns_plan_open(const ns_plan_way *ways, int count, const ns_plan_options *options, ns_plan **plan,
                              ns_error *err);
NS_API void ns_plan_free(ns_plan *plan);

/* The way of the next run and its length in calls, at least 1.  Until the times of a run are given the answer stays the
 * same. */
NS_API ns_status ns_plan_next(ns_plan *plan, int *way, int *calls, ns_error *err);

/* What one agreement decides: consecutive runs, each reported by ns_plan_tell, before the next agreement.  The first is
 * that of ns_plan_next; all others have one call.  So NS_PLAN_TOLD times describe all of them: of n runs, up to
 * NS_PLAN_TOLD - n + 1 times of the first and one of each other.  If agreements cost nothing there is one run. */
typedef struct ns_plan_run {
    int way, calls;
} ns_plan_run;
/* `runs` has NS_PLAN_TOLD elements; *count of them are set, at least 1. */
NS_API ns_status ns_plan_runs(ns_plan *plan, ns_plan_run *runs, int *count, ns_error *err);

/* `calls` calls took that way; the last `told` of them, 1 to NS_PLAN_TOLD and at most calls, took these seconds, each
 * greater than 0 and the maximum over ranks.  A host may take another way than ns_plan_next said, or fewer calls. */
NS_API ns_status ns_plan_tell(ns_plan *plan, int way, int calls, const double *seconds, int told, ns_error *err);

/* What the plan now knows of a way. */
typedef struct ns_plan_info {
    size_t size; /* of this struct, set by the caller */
    int way;
    double p_best;           /* probability that it is the fastest */
    double expected_ln_loss; /* mean of ln(its time / the fastest way's) */
    double expected_s;       /* median of what a call is expected to take; 0: nothing is known of any way's time */
    double measured_s;       /* lower median of the times kept; 0: none */
    double spread;           /* standard deviation of the ln of the times kept; 0 for fewer than two */
    int64_t calls;           /* calls of this way so far */
    int64_t trials;          /* runs of it that were trials */
    double trial_s;          /* time of all calls of these runs, estimated from the times given */
    const char *why;         /* why its last run was chosen, a few words; "" if it was never chosen.  Static */
} ns_plan_info;

/* Describe way 0 to count - 1, or, with -1, the one that ns_plan_next gives. */
NS_API ns_status ns_plan_describe(ns_plan *plan, int way, ns_plan_info *info, ns_error *err);

/* ---- wisdom: what earlier exchanges of this machine showed ------------------------------------------------------- */

/* One way of one exchange.  Pointers in a row that was returned are borrowed from the wisdom and valid until it is
 * changed. */
typedef struct ns_wisdom_row {
    size_t size;                 /* of this struct, set by the caller */
    const char *machine, *mpi;   /* "dane"; "Open MPI 4.1.6": with its version */
    double bytes, messages;      /* most that one process sends */
    int64_t processes, per_node; /* ranks, and of these on a node */
    const char *way;             /* its name */
    double median_s, spread;     /* of its calls: seconds, and the standard deviation of ln */
    int64_t count;               /* how many calls these are of */
    double base_s;               /* the model's time of this way; if it has none, the least time that it
                                    predicts for this exchange */
    bool predicted;              /* base_s is of this way */
    const char *date;            /* "2026-11-23", UTC, of the last of these calls */
    const ns_value *sends;       /* what this way sends, as by ns_schedule_counts, or NULL: with it, the row is a
                                    measured exchange for nsmodel fit --records */
} ns_wisdom_row;

typedef struct ns_wisdom ns_wisdom;

/* Read a wisdom file, a JSON object a line; NULL or a file that is not there: empty.  A last row that was cut off by a
 * crash is left out, and ns_wisdom_cut returns its line; anything else that cannot be read is an error with its line.
 * Free with ns_wisdom_free (NULL is fine). */
NS_API ns_status ns_wisdom_open(const char *path, ns_wisdom **wisdom, ns_error *err);
NS_API void ns_wisdom_free(ns_wisdom *wisdom);
/* The line of a last row that was cut off; 0: none was. */
NS_API long ns_wisdom_cut(const ns_wisdom *wisdom);

NS_API size_t ns_wisdom_rows(const ns_wisdom *wisdom);
NS_API ns_status ns_wisdom_row_at(const ns_wisdom *wisdom, size_t row, ns_wisdom_row *to, ns_error *err);

/* Add a row, which is copied.  Where the exchange, machine, MPI and way are those of a row already there, the two
 * become one: medians and spreads weighted by counts, the later date, base and sends. */
NS_API ns_status ns_wisdom_add(ns_wisdom *wisdom, const ns_wisdom_row *row, ns_error *err);
/* Add all rows of another. */
NS_API ns_status ns_wisdom_merge(ns_wisdom *wisdom, const ns_wisdom *other, ns_error *err);
/* Leave out rows older than a date ("2026-01-31"; NULL: none) and rows of fewer calls than that; *gone, NULL allowed:
 * how many. */
NS_API ns_status ns_wisdom_prune(ns_wisdom *wisdom, const char *before, int64_t least_calls, size_t *gone,
                                 ns_error *err);

/* Write all rows to a file, whole or not at all, in place of what it held. */
NS_API ns_status ns_wisdom_write(const ns_wisdom *wisdom, const char *path, ns_error *err);
/* Merge all rows into a file under its lock: read what is there, add, write whole.  NS_ERR_FILE where another process
 * holds the lock for more than ten seconds, or the file system has no locks. */
NS_API ns_status ns_wisdom_append(const ns_wisdom *wisdom, const char *path, ns_error *err);

/* NS_OK if there is a row of this machine with this MPI, or no row at all; else NS_ERR_DATA, and the message says what
 * the file has. */
NS_API ns_status ns_wisdom_check(const ns_wisdom *wisdom, const char *machine, const char *mpi, ns_error *err);

/* Improve the predictions of an exchange's ways by rows of the same machine and MPI.  `exchange`: machine, mpi, bytes,
 * messages, processes and per_node are read.  names[i] is way i.  Predictions are shifted by a kernel mean of
 * ln(median_s / base_s) over similar exchanges; a way without a prediction gets one if it was measured on similar
 * exchanges.  Rows of this very exchange become measured and measured_s.  *nearby: true where anything similar is
 * known, so that the plan is not foreign. */
NS_API ns_status ns_wisdom_foretell(const ns_wisdom *wisdom, const ns_wisdom_row *exchange, const char *const *names,
                                    ns_plan_way *ways, int count, bool *nearby, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
