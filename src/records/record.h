/* record.h -- exchanges known by their statistics: one row each, priced by the same cost function as a schedule
 *
 * A matrix determines what every process sends; a measured or planned exchange is often known by maxima and totals
 * only.  Rows are CSV with a header; unknown columns are kept as text and otherwise ignored, so that scores can be
 * split by any of them.  A file that begins with a brace is wisdom (nsmodel/plan.h), whose rows have the first shape.
 *
 * Three shapes of rows:
 *   counts    num_<protocol><locality> and size_...: messages and bytes of the process with most of them, by class;
 *             total_bytes of the exchange off node; max_num_msgs (standard) or max_num_L, _S, _G, _R (three-step: on
 *             node, gather, between nodes, scatter)
 *   spmv      max_n messages and max_s entries of 8 B of one GPU's process, neighbours nearest first; node-aware:
 *             max_tap_n messages
 *   dense     the same from every process to every other, see below
 */
#ifndef NS_RECORDS_RECORD_H
#define NS_RECORDS_RECORD_H

#include "core/arena.h"
#include "price/choice.h"

typedef struct ns_record {
    long line;
    const char *problem; /* why the row cannot be read, or NULL */
    const char **cell;   /* [columns], "" where empty */
} ns_record;

typedef struct ns_records {
    const char *file;
    size_t columns, rows;
    const char **column;
    ns_record *row;
    ns_arena texts;
} ns_records;

/* The numbers of the first shape, in the order of output. */
enum { NS_COUNT_MOSTS = 5 /* of them by step: NAN if the strategy lacks the step */, NS_COUNT_COLUMNS = 24 };
extern const char *const ns_count_columns[NS_COUNT_COLUMNS];
void ns_counts_make(const ns_schedule *schedule, const ns_machine *machine, double counts[NS_COUNT_COLUMNS]);

/* Read a file of rows; *records is allocated.  A broken row is kept with its problem. */
ns_status ns_records_read(const char *path, ns_records **records, ns_error *err);
void ns_records_free(ns_records *records);

/* Index of a column, or -1; a cell by column name, "" if there is no such column. */
int ns_records_column(const ns_records *records, const char *name);
const char *ns_record_text(const ns_records *records, size_t row, const char *name);
/* Do the rows name the fastest way in a column `winner`, without times? */
bool ns_records_are_ranked(const ns_records *records);
/* Read a number; returns true if it exists and is finite. */
bool ns_record_number(const ns_records *records, size_t row, const char *name, double *number);

/* A row's strategy and transport in this library's terms. */
ns_status ns_record_way(const ns_records *records, size_t row, const ns_strategy **strategy, ns_transport *transport,
                        ns_error *err);
/* The measured time, s; for a dense exchange from measured_s or median_s.  False if there is none above 0. */
bool ns_record_measured(const ns_records *records, size_t row, double *seconds);

/* Price a row.  Only messages are priced, as counted in such rows, without copies.  Missing or contradictory data is
 * an error with the row's line.  step[0] of the price has the total: three-step's steps are summed before. */
ns_status ns_record_price(const ns_records *records, size_t row, const ns_machine *machine,
                          const ns_price_options *options, ns_price *price, ns_error *err);

/* ---- dense exchanges ---------------------------------------------------------------------------------------------
 *
 * Every process sends to every other, so nothing has to be counted: rows of processes, nodes, ppn or gpus_per_node,
 * and
 *     bytes_per_pair      as many bytes for each pair (MPI_Alltoall), or
 *     doubles_per_pair    as many entries of 8 B (a neighbour collective); with random_extra_max e, rand() % e more of
 *                         glibc, seeded with 123 + the sending process, which draws for itself too
 * With ppn and by host the data lie in host memory: whatever GPUs the machine has, nothing is copied.
 * Any strategy can be priced, by the schedule that it really has.  What such files call "node-aware" is two-step, and
 * "staged-with-copies" is by host.  Of one exchange in one way the fastest counts, for algorithms are alternatives. */
bool ns_records_are_dense(const ns_records *records);

/* Price a row of any shape.  The dense exchange that was priced last is cached for the next call: start with NULL, end
 * with ns_dense_free.  limits: for one exchange; NULL for none. */
typedef struct ns_dense ns_dense;
void ns_dense_free(ns_dense *kept);
ns_status ns_row_price(ns_dense **kept, const ns_records *records, size_t row, const ns_machine *machine,
                       const ns_price_options *options, const ns_limits *limits, ns_price *price, ns_error *err);

/* ---- predictions against measured times -------------------------------------------------------------------------- */

typedef struct ns_scored {
    const size_t *rows; /* indices of the records: the repeats of one exchange, ascending */
    size_t repeats;
    double measured_s; /* median over them; minimum for a dense exchange */
    ns_price price;    /* of the first row; filled by the caller */
} ns_scored;

/* Distinct measured exchanges: rows with the same text in column "group" count once; without that column every row
 * counts.  Of dense exchanges, only those done in one of this library's ways.  Free *scored.  Prices are left
 * empty. */
typedef bool (*ns_row_filter)(const ns_records *records, size_t row, const void *context);
ns_status ns_scored_make(const ns_records *records, ns_row_filter filter, const void *context, ns_scored **scored,
                         size_t *count, ns_error *err);

/* Sort in place, rising. */
void ns_score_sort(double *value, size_t count);

/* The p-quantile of a sorted array, linear between ranks; count must be at least 1. */
double ns_score_quantile(const double *sorted, size_t count, double p);

/* Number of values further from the median than three standard deviations, each 1.4826 median absolute deviations as in
 * a normal distribution.  Overwrites the values; count must be at least 1. */
size_t ns_score_outliers(double *value, size_t count);

typedef struct ns_score {
    size_t count;
    double ratio[3];            /* predicted / measured: 10 %, median, 90 % */
    double log2_median;         /* of |log2(predicted / measured)| */
    double within_2, within_25; /* shares: a factor of 2, a factor of 1.25 */
    double covered;             /* share of measured times inside the interval */
} ns_score;

/* Score the entries of the list that pass the filter (NULL: all); count is 0 if there are none. */
typedef bool (*ns_scored_filter)(const ns_scored *scored, const void *context);
ns_status ns_score_list(const ns_scored *list, size_t count, ns_scored_filter filter, const void *context,
                        ns_score *score, ns_error *err);

/* Compare the ways to do one exchange: rows that agree in the columns file, run, level, processes, aggregation and,
 * except for the spmv shape, operation.  Distinct cases only. */
typedef struct ns_advice {
    size_t cases;                 /* cases whose two fastest measured times differ by more than 10 % */
    double right;                 /* share in which the fastest predicted way is the fastest measured one */
    double lost_mean, lost_worst; /* measured time of the advised way / fastest, - 1 */
    double between; /* standard deviation, from the 90 % quantile, of log2 of predicted / measured ratio of the two
                       fastest */
    size_t clear;   /* cases whose predicted ratio lies outside its interval */
    double clear_right;
} ns_advice;
ns_status ns_advice_list(const ns_records *records, const ns_scored *list, size_t count, double confidence,
                         ns_advice *advice, ns_error *err);

/* The p-quantile of |log2(predicted / measured)|, the ceil(p (n + 1))th of n, converted to a standard deviation:
 * quantile / normal width of p. */
ns_status ns_model_error(const ns_scored *list, size_t count, ns_scored_filter filter, const void *context, double p,
                         double *error, ns_error *err);

/* Calibration of the full form on a machine from whole measured exchanges, by memory.  Cross-validation is by groups:
 * one file and number of processes, or one level if that gives fewer than three.
 *
 * Error: the largest over the sets that leave out one group each, from the 90 % quantile; that of both memories
 * together, if larger, while a memory has fewer than 30 exchanges; and wide enough for 85 % of each strategy with 30
 * exchanges or more.  On a machine with GPUs and at least three groups, the floor is found as well, and the errors are
 * those with floors found without the group.  count 0: no rows of that memory.  Dense exchanges are built within the
 * limits (NULL: none); exchanges that cannot be priced are left out. */
/* Residuals learnt from predictions (machine.h, ns_residual).  points 0: nothing from which held-out exchanges
 * gain. */
enum { NS_RESIDUAL_POINTS = 64 };
typedef struct ns_residual_found {
    double width, prior;
    double gain; /* reduction of the mean of |ln(measured / predicted)| of held-out exchanges */
    size_t points;
    ns_residual_point point[NS_RESIDUAL_POINTS]; /* those of a way are adjacent, otherwise in no order */
    double cell[NS_RESIDUAL_POINTS][2];          /* of messages and size, while points are built */
} ns_residual_found;

/* Learn residuals from exchanges with prices, by memory; their estimates are replaced by those learnt without their
 * group. */
ns_status ns_residual_learn(const ns_records *records, ns_scored *list, size_t count,
                            ns_residual_found found[NS_MEMORIES], ns_error *err);
/* The shift of ln(predicted) for an exchange that was not among them. */
double ns_residual_found_shift(const ns_residual_found *found, const ns_strategy *way, const ns_price *price);

typedef struct ns_calibration {
    double error, error_between; /* error_between 0: no exchange has two ways */
    size_t count, files, groups;
    bool by_level; /* groups are levels */
    bool floor_given, floor_step_given, start_up_given;
    double floor_s, floor_step_s, start_up_s; /* s; form.h, <memory>.exchange.floor, .floor_step, .off-node.alpha */
    double timeout_s, timeout_se; /* s, <memory>.exchange.timeout; 0: no exchange waits like this */
    size_t stalled;               /* number of exchanges from which it was found */
    bool choice_given;
    double kappa, lambda; /* decision.h */
    size_t cases, choice_groups;
    uint64_t ways; /* ways of these cases, in this memory: bit i is the i-th of ns_strategies() */
    size_t apart;       /* cases whose two fastest ways differ by more than 10 %; of these: */
    double right, lost; /* the share in which the advice takes the fastest way, and its mean loss */
    int rule;           /* the constant rule with the least loss, an ns_way_number; -1: no way was tried in all cases */
    double rule_lost;
    bool held_out; /* the advice uses nothing that was chosen on the exchanges on which it is scored */
    ns_residual_found residual;
} ns_calibration;
/* residual: learn it, too; the other numbers then refer to the corrected predictions. */
ns_status ns_calibrate(const ns_records *records, ns_row_filter filter, const void *context, const ns_machine *machine,
                       const ns_limits *limits, bool residual, ns_calibration calibration[NS_MEMORIES], ns_error *err);
/* Minimum number of groups in a memory for finding a floor. */
enum { NS_CALIBRATION_GROUPS = 3 };
ns_status ns_calibration_groups(const ns_records *records, ns_row_filter filter, const void *context,
                                size_t groups[NS_MEMORIES], ns_error *err);

#endif
