/* fit.h -- from the samples of benchmark logs to the numbers of a machine, each with its error, range and origin
 *
 * Part of libnsmodel-fit.  A group is one kind of measurement at one memory and locality; its curve is cut at the
 * protocol switches into classes, with one line each.  A machine is built from groups with a single message in flight
 * (ping-pong, node-pong); streams are a fallback where nothing else was measured, and a warning reports that.
 */
#ifndef NS_FIT_FIT_H
#define NS_FIT_FIT_H

#include "core/value.h"
#include "logs/samples.h"
#include "machine/machine.h"
#include "num/num.h"

enum {
    /* fewer pairs do not reach the injection limit; the authors of max-rate split the data here */
    NS_FIT_INJECTION_PAIRS = 4,
    NS_FIT_SIZES_WANTED = 6, /* per curve */
    /* more pairs than any node has processes; more processes than any node has GPUs */
    NS_FIT_NODE_MOST = 512,
    NS_FIT_GPUS_MOST = 16
};

typedef struct ns_fit_options {
    ns_statistic statistic;
    ns_weights weights;
    int switches;                  /* number of given first sizes of later protocols; -1: find them */
    double first[NS_SEGMENTS_MAX]; /* B, rising, above 0 */
    bool of_memory[NS_MEMORIES];   /* this memory has its own values in the two fields below */
    int own_switches[NS_MEMORIES];
    double own_first[NS_MEMORIES][NS_SEGMENTS_MAX];
    const char *name, *title;      /* of the machine, or NULL */
    const char *cite, *command;    /* where the logs come from, and the command line; or NULL */
    int per_node, sockets;         /* 0: unknown */
    int gpus, processes;           /* of a node; -1, 0: derived from the logs */
    int interfaces;                /* of a node, to the network; 0: unknown */
    bool floor[NS_MEMORIES];       /* whole exchanges will calibrate the floor: in-flight costs count with GPUs, too */
    void (*watch)(void *watcher, double fitted, double places); /* called after each memory and locality; or NULL */
    void *watcher;
} ns_fit_options;

/* Number of first sizes of later protocols given for a memory, and the sizes; -1: none given, they are found. */
static inline int ns_fit_switches(const ns_fit_options *options, ns_memory memory, const double **first)
{
    const bool own = options->of_memory[memory];
    *first = own ? options->own_first[memory] : options->first;
    return own ? options->own_switches[memory] : options->switches;
}

/* Did on-node messages, whose buffers are sent again and again, come from caches? */
typedef enum ns_fit_caches { NS_CACHES_NOT_SEEN, NS_CACHES_HELD, NS_CACHES_PERHAPS } ns_fit_caches;

typedef struct ns_fit_class {
    ns_protocol protocol;
    double from;        /* B: first size of the protocol; 0 for the smallest protocol */
    double least, most; /* B: smallest and largest size measured */
    ns_line_estimate line;
    size_t samples, sizes;
    double median_error, p95_error; /* held-out, relative; NaN where there are too few sizes */
    double spread;                  /* median over sizes of (largest - smallest) / median */
    bool repeated;                  /* its repeats give a lower bound for its errors */
    ns_fit_caches caches;
} ns_fit_class;

typedef struct ns_fit_group {
    ns_memory memory;
    ns_locality locality;
    ns_sample_kind kind;
    bool in_machine;
    int most_pairs; /* samples with more pairs are excluded */
    int together;   /* concurrent pairs whose times stand in for those of one pair; 1: one pair alone was measured */
    ns_curve curve; /* statistic per size, or every sample */
    size_t samples;
    int classes;
    ns_fit_class of[NS_SEGMENTS_MAX];
    double *error; /* held-out relative errors of the curve's sizes; NaN where there is none */
} ns_fit_group;

typedef struct ns_fit_rate {
    int pairs;
    double bytes_per_s; /* rate of the node, without alpha */
} ns_fit_rate;

/* The node's injection limit: alpha + pairs s / R_N, fitted to the largest sizes and NS_FIT_INJECTION_PAIRS or more
 * pairs. */
typedef struct ns_fit_injection {
    bool given;
    ns_memory memory;
    ns_sample_kind kind;
    double inverse_R_N, se; /* s/B */
    double crowded[NS_PROTOCOLS];  /* s/B, with the most pairs, at the largest size of each protocol; 0: not measured */
    double slowdown[NS_PROTOCOLS]; /* their time / that of one pair */
    double from;            /* B: smallest size used */
    size_t samples;
    bool bound;    /* the limit is visible: more pairs do not raise the rate */
    bool at_least; /* lower bound: only one number of pairs was measured, and no single pair */
    double slower; /* time with the most pairs / time of one pair; 0: one pair was not measured */
    int best_pairs, most_pairs;
    double least_rate, most_rate; /* B/s, with NS_FIT_INJECTION_PAIRS pairs or more */
    double fall;                  /* relative drop of the rate at the most pairs below the best rate; 0: none */
    ns_fit_rate *rate;
    size_t rates;
} ns_fit_injection;

typedef struct ns_fit_copy {
    int processes;
    ns_direction direction;
    ns_line_estimate line;
    size_t samples, sizes;
    double least, most, median_error, p95_error;
    double fall; /* smaller copies wait, and take up to this many times as long; 0: none do */
    double wait; /* s, median time of these copies */
} ns_fit_copy;

/* A number with its error; given: it could be determined. */
typedef struct ns_fit_number {
    bool given;
    double value, se;
    size_t samples;
    int most_messages; /* in flight, in queue and contention data */
} ns_fit_number;

/* Several messages of one process in flight: T = L + n a + n b s. */
typedef struct ns_fit_in_flight {
    bool given;
    double latency, a, a_se, b, b_se; /* s, s, s/B */
    size_t samples;
} ns_fit_in_flight;

/* A number from the table with the most concurrent pairs. */
typedef struct ns_fit_loaded {
    ns_fit_number number;
    int pairs;
} ns_fit_loaded;

typedef struct ns_fit_collective {
    const char *name; /* owned by the log */
    ns_memory memory;
    int processes;
    size_t samples, sizes;
    double least, most;     /* B */
    double first_s, last_s; /* s: the statistic at the smallest and the largest size */
    ns_line_estimate line;
    bool fitted; /* there were enough sizes for a line */
    double median_error, p95_error;
} ns_fit_collective;

enum { NS_LOGGP_L, NS_LOGGP_O, NS_LOGGP_G_MESSAGE, NS_LOGGP_G_BYTE, NS_LOGGP_NUMBERS };

typedef struct ns_fit {
    ns_fit_options options;
    char *name;
    ns_fit_group *group;
    size_t groups;
    ns_fit_injection injection[NS_MEMORIES];
    ns_fit_copy *copy; /* by rising processes, direction */
    size_t copies;
    ns_fit_in_flight in_flight[NS_MEMORIES][NS_PROTOCOLS]; /* off node */
    ns_fit_loaded limit[NS_MEMORIES][NS_LOCALITIES];       /* s/B, for bytes moved inside a node by all its processes */
    ns_fit_loaded start_up[NS_MEMORIES];                   /* s, off node while every process sends */
    ns_fit_loaded packing;                                 /* s/B, of the host, while this many processes pack */
    ns_fit_number gamma, gamma_in_order, delta, loggp[NS_LOGGP_NUMBERS];
    bool loggp_derived; /* derived from lines, not measured */
    ns_fit_collective *collective;
    size_t collectives;
    char **warning;
    size_t warnings;
    int most_processes, most_gpus; /* largest numbers per node seen in the logs; 0: none */
    ns_log_node printed;           /* node data printed in the logs */
    bool device;
} ns_fit;

/* Fit the contents of a log.  The log stays the caller's and must outlive the fit. */
ns_status ns_fit_log(const ns_log *log, const ns_fit_options *options, ns_fit **fit, ns_error *err);
void ns_fit_free(ns_fit *fit);

/* Fill an empty object with the machine file (schema nsmodel/machine/1). */
ns_status ns_fit_machine(const ns_fit *fit, const ns_log *log, ns_value *object, ns_error *err);

/* GPUs and processes (at least 1) of a node, as written to the machine file. */
int ns_fit_gpus(const ns_fit *fit);
int ns_fit_processes(const ns_fit *fit);

/* Warnings, one line each: first what was left out of the logs, once for logs with the same warning, then those of the
 * fit; fit may be NULL.  Iteration begins with *at 0; returns false after the last line. */
enum { NS_FIT_WARNING = 1100 };
bool ns_fit_warning_line(const ns_fit *fit, const ns_log *log, size_t *at, char text[NS_FIT_WARNING]);
/* Format one of the logs' own warnings, with its place. */
void ns_fit_log_warning(const ns_log *log, const ns_log_warning *warning, char text[NS_FIT_WARNING]);

/* The line that the machine file would use for a message, or NULL. */
const ns_fit_class *ns_fit_line(const ns_fit *fit, ns_memory memory, ns_locality locality, double bytes);

/* ---- checking an existing machine against logs ------------------------------------------------------------------- */

typedef struct ns_fit_score {
    ns_memory memory;
    ns_locality locality;
    ns_protocol protocol;
    int processes;          /* of a copy, which has no locality or protocol; 0: a class of messages */
    ns_direction direction; /* of a copy */
    size_t sizes, samples;
    double bias, median_error, p95_error; /* relative, predicted against measured; bias is signed */
    double scatter;                       /* of the samples themselves, relative */
    bool stale;
} ns_fit_score;

/* Scores of every class of messages and every copy that both the machine and the log have; *score is allocated. */
ns_status ns_fit_check(const ns_machine *machine, const ns_log *log, ns_statistic statistic, ns_fit_score **score,
                       size_t *count, ns_error *err);

/* ---- internal functions ------------------------------------------------------------------------------------------ */

typedef bool (*ns_sample_filter)(const ns_sample *sample, const void *context);

/* Sizes and times per message of the samples that pass the filter, allocated together (free x). */
typedef struct ns_columns {
    double *x, *y;
    const ns_sample **sample;
    size_t count;
} ns_columns;
ns_status ns_columns_collect(const ns_log *log, ns_sample_filter filter, const void *context, ns_columns *columns,
                             ns_error *err);
void ns_columns_free(ns_columns *columns);

/* The same as a curve: the statistic of each size.  Free it with ns_curve_free, even after an error. */
ns_status ns_fit_curve(const ns_log *log, ns_sample_filter filter, const void *context, ns_statistic statistic,
                       ns_curve *curve, size_t *samples, ns_error *err);

/* The group from which the machine's lines of a memory and locality come, or NULL. */
const ns_fit_group *ns_fit_group_at(const ns_fit *fit, int memory, int locality);

/* Does the sample move data of its memory?  A message of 0 B uses no device. */
bool ns_sample_moves(const ns_sample *sample);

/* Does this kind have a single message in flight? */
bool ns_kind_is_latency(ns_sample_kind kind);

/* Does this kind measure windows of messages, whose start-up is the gap between two? */
bool ns_kind_is_window(ns_sample_kind kind);

/* Summary of the held-out errors, for callers that do not need each one. */
ns_status ns_fit_held_out(const ns_fit *fit, const ns_curve *curve, double *median, double *p95, ns_error *err);

ns_status ns_fit_warn(ns_fit *fit, ns_error *err, const char *format, ...) NS_PRINTF(3, 4);
void ns_fit_count_processes(ns_fit *fit, const ns_log *log);
ns_status ns_fit_groups(ns_fit *fit, const ns_log *log, ns_error *err);
ns_status ns_fit_group_warnings(ns_fit *fit, const ns_log *log, const ns_fit_group *group, ns_error *err);
ns_status ns_fit_injections(ns_fit *fit, const ns_log *log, ns_error *err);
ns_status ns_fit_queue(ns_fit *fit, const ns_log *log, ns_error *err);
ns_status ns_fit_copies(ns_fit *fit, const ns_log *log, ns_error *err);
ns_status ns_fit_in_flights(ns_fit *fit, const ns_log *log, ns_error *err);
ns_status ns_fit_loaded_tables(ns_fit *fit, const ns_log *log, ns_error *err);
/* Warn of in-flight measurements that are left out of the machine file. */
ns_status ns_fit_exchange_warnings(ns_fit *fit, const ns_log *log, ns_error *err);
ns_status ns_fit_loggp(ns_fit *fit, const ns_log *log, ns_error *err);
/* Mark the on-node lines that warm caches produced, and warn of them. */
ns_status ns_fit_mark_caches(ns_fit *fit, ns_error *err);
/* Warn of numbers that are implausible for any machine. */
ns_status ns_fit_sanity(ns_fit *fit, ns_error *err);
ns_status ns_fit_collectives(ns_fit *fit, const ns_log *log, ns_error *err);

#endif
