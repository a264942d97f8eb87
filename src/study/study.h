/* study.h -- studies of an answer: why it is what it is, what moves it, who wins where, what to measure
 *
 * A result is made by one call and freed by its _free; its members can be read directly.  Whatever is called borrowed
 * has to outlive the result.
 */
#ifndef NS_STUDY_STUDY_H
#define NS_STUDY_STUDY_H

#include "model/cross.h"
#include "network/network.h"
#include "price/choice.h"

#include <nsmodel/explain.h>

/* ---- why --------------------------------------------------------------------------------------------------------- */

/* Explain the cost of one choice of a comparison: steps, then classes of messages at the process that decides, copies,
 * and the published form for comparison.  machine, borrowed: the one that the choice was priced on.  On failure the
 * explanation may be incomplete.  O(terms). */
ns_status ns_explain_choice(ns_explanation *explanation, const ns_machine *machine, const ns_exchange *exchange,
                            const ns_choice *choice, ns_error *err);

/* Explain a model's answer: outputs, inputs with their sources, and, where the model reads the machine's tables by
 * itself, every parameter that moves an output.  binding is closed, out is its evaluation.  The machine is borrowed.
 * At most one ns_model_eval per parameter. */
ns_status ns_explain_model(ns_explanation *explanation, const ns_binding *binding, const ns_model_buffer *out,
                           ns_error *err);

/* The same for a choice of ns_network_compare (network.h): between nodes the bounds of the node that ends last, then
 * the work of its processes. */
ns_status ns_explain_networked(ns_explanation *explanation, const ns_networked *networked, const ns_exchange *exchange,
                               const ns_comparison *comparison, int choice, ns_error *err);

/* Where an input of a closed binding, given by its index, came from, in words.  Returns text. */
const char *ns_explain_origin(const ns_binding *binding, int input, char *text, size_t size);
/* Why the message's size is outside the range of the line that a closed binding uses; "" when it is inside.  Returns
 * text. */
const char *ns_explain_range(const ns_binding *binding, char *text, size_t size);

/* Messages of a price that are slightly longer than the size from which a later, faster protocol applies: some shorter
 * messages take longer. */
typedef struct ns_price_drop {
    ns_memory memory;
    ns_locality locality;
    ns_protocol from, to;
    double at;                /* B, first size of the later protocol */
    double before_s, after_s; /* of a message of that size by `from` and by `to`, as the form prices it */
    double message_bytes;     /* mean length of the messages, at the process that decides */
} ns_price_drop;
/* The index-th drop of a choice that ns_compare priced; false past the last. */
bool ns_price_drop_at(const ns_machine *machine, const ns_choice *choice, size_t index, ns_price_drop *drop);

/* ---- a parameter perturbed ------------------------------------------------------------------------------------------
 *
 * The one rule: a count is what the topology counts (sockets, GPUs, processes, interfaces, rails of a node), and
 * changes by one; everything else is multiplied.  No factor changes a 0, so the next larger value of 0 is 1e-6 in
 * SI. */

bool ns_parameter_is_count(const ns_parameter *parameter);

/* The parameter's value times factor; for a count, one more (factor > 1) or one less (factor < 1); for a 0, see
 * above. */
double ns_parameter_perturbed(const ns_parameter *parameter, double factor);

/* A copy of the machine with that parameter (one of its own) perturbed; free it with ns_machine_free.  Fails where the
 * machine does not accept the value, such as a negative number of GPUs.  O(parameters). */
ns_status ns_machine_perturbed(const ns_machine *machine, const ns_parameter *parameter, double factor,
                               ns_machine **perturbed, ns_error *err);

/* Does a parameter, made a tenth larger (a count: one larger), change any estimate or published time of the comparison?
 * A parameter that may not be changed by itself, or without which there is no price, counts as active.  Costs an
 * ns_compare. */
ns_status ns_parameter_is_active(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                                 const ns_comparison *comparison, const ns_parameter *parameter, bool *active,
                                 ns_error *err);

/* ---- a node that sends equal messages -------------------------------------------------------------------------------
 *
 * The scenario of [NA] Figure 4.3.  Every node sends a number of messages of one size to a number of nodes, distributed
 * evenly over its parts; strategies that send a column once per node omit duplicates. */
typedef struct ns_scenario {
    double s;          /* B per message */
    double messages;   /* per node, off node */
    double nodes;      /* the number of nodes that it sends to and receives from */
    double per_node;   /* parts per node; 0: the machine's GPUs, or its host processes */
    double duplicates; /* share of the bytes that another part of the receiving node gets as well */
} ns_scenario;

/* Seconds by one of the strategy's closed forms: "corrected" or "printed".  Allocates nothing. */
ns_status ns_scenario_form(const ns_scenario *scenario, const ns_strategy *strategy, ns_transport transport,
                           const ns_machine *machine, const char *form, double *seconds, ns_error *err);

/* The scenario as an exchange of nodes + 1 nodes, all of which send to and receive from the others alike; sizes and
 * counts are rounded to whole numbers.  It has no duplicates: a scenario with duplicates is an error.  Free it with
 * ns_exchange_free. */
ns_status ns_scenario_exchange(const ns_scenario *scenario, const ns_machine *machine, ns_exchange **exchange,
                               ns_error *err);

/* Set one number of a scenario, with a check. */
ns_status ns_scenario_set(ns_scenario *scenario, const char *name, double value, ns_error *err);
/* Descriptors of its members, like those of a model's inputs, over ns_scenario; closed by NS_FIELD_END. */
extern const ns_field ns_scenario_fields[];
/* 256 messages of 1 KiB to 16 nodes. */
extern const ns_scenario ns_scenario_default;

/* ---- curves: models, or strategies in a scenario, as functions of named inputs --------------------------------------
 *
 * A curve is written MODEL, MODEL:NAME=VALUE,NAME=VALUE, STRATEGY/TRANSPORT (STRATEGY alone: by host), or strategies,
 * which means all that the machine runs.  Add curves, assign inputs and close the set before evaluating it.  A closed
 * set is read-only and may be shared by threads. */
typedef struct ns_curve_info {
    char label[96];              /* as written; "three-step/host" */
    const ns_strategy *strategy; /* NULL: a model */
    ns_transport transport;
    const ns_model *model; /* NULL: a strategy */
    ns_binding binding;    /* of a model; open */
} ns_curve_info;

typedef struct ns_curves {
    const ns_machine *machine; /* or NULL */
    const char *output;        /* the output that is compared; never NULL after ns_curves_close */
    ns_dim dim;                /* its dimension, after ns_curves_close */
    int count;
    int strategies; /* how many of the curves are strategies */
    ns_curve_info curve[NS_CURVES];
    ns_scenario scenario; /* the scenario that strategies are evaluated for */
    bool printed;         /* strategies by their closed forms as printed, not corrected */
    bool closed;
} ns_curves;

/* One value of one input: a number in SI, or a word. */
typedef struct ns_setting {
    const char *name;
    const char *word; /* NULL for a number */
    double number;
} ns_setting;

/* machine: borrowed, or NULL; provides what is not assigned to models.  output: borrowed, or NULL: time, or the last
 * output of a model.  Free with ns_free. */
ns_status ns_curves_open(const ns_machine *machine, const char *output, ns_curves **curves, ns_error *err);

/* NAME=... rather than MODEL:NAME=... */
bool ns_is_assignment(const char *word);
/* Does the word name strategies, which need a machine? */
bool ns_names_strategies(const char *word);

/* Add the curves that a word names; at most NS_CURVES in all. */
ns_status ns_curves_add(ns_curves *curves, const char *word, ns_error *err);
/* "NAME=VALUE" for every curve that has the input; an error when none has it. */
ns_status ns_curves_assign(ns_curves *curves, const char *assignment, ns_error *err);
/* Fix the output that is compared: every curve must have it, in one dimension. */
ns_status ns_curves_close(ns_curves *curves, ns_error *err);

/* Check that the set is closed and has a curve of that index. */
ns_status ns_curves_check(const ns_curves *curves, int curve, ns_error *err);

/* The descriptor of an input in the first curve that has it, or NULL; locality, memory and protocol have none. */
const ns_field *ns_curves_input(const ns_curves *curves, const char *name);
/* Does this NAME=VALUE give several values for an input that takes one? */
bool ns_curves_is_range(const ns_curves *curves, const char *assignment);

/* Compare the strategies of a closed set, which contains nothing else, in the scenario: each is priced by the schedule
 * of ns_scenario_exchange, without published times.  Choices are in the order of the curves. */
ns_status ns_scenario_compare(const ns_scenario *scenario, const ns_curves *curves, ns_comparison *comparison,
                              ns_error *err);

/* Close the binding of a model's curve with some inputs set, and evaluate it. */
ns_status ns_curves_eval(const ns_curves *curves, int curve, const ns_setting *setting, int settings,
                         ns_binding *closed, ns_model_buffer *out, ns_error *err);
/* The compared output of one curve of a closed set, with some inputs set.  Allocates nothing. */
ns_status ns_curves_value(const ns_curves *curves, int curve, const ns_setting *setting, int settings, double *value,
                          ns_error *err);

/* What is varied: "s=1B:1MiB:x2", "ppn=1,40", "protocol=eager,rendezvous"; a range as in ns_range_parse, of 25 values
 * where it gives no number of them. */
typedef struct ns_axis {
    char name[64];
    ns_dim dim;
    const char **word; /* [count], or NULL for numbers */
    double *number;    /* [count], SI, or NULL for words */
    size_t count;
    char *text; /* owns the words */
} ns_axis;
ns_status ns_axis_open(const ns_curves *curves, const char *assignment, ns_axis **axis, ns_error *err);
void ns_axis_free(ns_axis *axis);
/* An error of a NAME=RANGE, with its position in it; value: the part of the assignment from which inner counts
 * columns. */
ns_status ns_axis_refuse(const char *assignment, const char *value, const ns_error *inner, ns_error *err);

/* ---- sweeps ------------------------------------------------------------------------------------------------------ */

/* Called from time to time with the amount of work done; may be NULL, as may the options. */
typedef void ns_study_watch(void *watcher, double done, double total);

struct ns_sweep;
/* Receives points `first` to first + count - 1 of a sweep, whose values are readable until the call returns. */
typedef ns_status ns_sweep_receive(void *receiver, const struct ns_sweep *sweep, size_t first, size_t count,
                                   ns_error *err);

typedef struct ns_sweep_options {
    ns_study_watch *watch; /* counts points */
    void *watcher;
    bool schedules;            /* strategies by the schedules of ns_scenario_compare, not by their closed forms */
    ns_sweep_receive *receive; /* NULL: all points are kept; else it gets a few thousand points at a time, in order */
    void *receiver;
} ns_sweep_options;

enum { NS_AXES = 3 };

/* Every point of up to NS_AXES axes.  The arrays hold the points from `first` on: all of them, or one block at a
 * time. */
typedef struct ns_sweep {
    const ns_curves *curves;
    int axes;
    const ns_axis *axis[NS_AXES];
    size_t points;
    size_t outputs; /* with one curve, a model: the number of its outputs, which are all kept; otherwise 0 */
    bool schedules; /* as in the options */
    size_t first;
    double *value;             /* [points of the arrays][curves] */
    double *output;            /* [points of the arrays][outputs], after the values */
    double *p_best;            /* as the values, after the outputs; with schedules only */
    unsigned char *verdict;    /* [points of the arrays]; with schedules only */
    ns_comparison *comparison; /* of the last point; with schedules only */
    bool numbers;              /* every axis is numeric */
    double *column[NS_AXES];   /* [a block] of each axis */
    double *answer;            /* [a block][most outputs of a model] */
} ns_sweep;

/* The two smallest curves of a point; of equal ones the first. */
typedef struct ns_ranking {
    int best, second;   /* curves; second is -1 where there is only one curve */
    ns_verdict verdict; /* closed forms have no interval, so they tie where they differ by less than 10 %, else clear;
                         * schedules as in a comparison */
} ns_ranking;

/* Evaluate every point: at most a million; with options->receive, any number, in memory that does not depend on it, and
 * *sweep holds no points after the call.  curves (closed) and axes are borrowed. */
ns_status ns_sweep_run(const ns_curves *curves, const ns_axis *const *axis, int axes, const ns_sweep_options *options,
                       ns_sweep **sweep, ns_error *err);
void ns_sweep_free(ns_sweep *sweep);

/* The number of a point, from its index on each axis. */
size_t ns_sweep_point(const ns_sweep *sweep, const size_t *at);
/* The compared output. */
double ns_sweep_value(const ns_sweep *sweep, size_t point, int curve);
/* Probability that this curve is the smallest, with schedules; negative where it was not computed. */
double ns_sweep_p_best(const ns_sweep *sweep, size_t point, int curve);
/* The index-th output of the only model. */
double ns_sweep_output(const ns_sweep *sweep, size_t point, size_t index);
ns_ranking ns_sweep_rank(const ns_sweep *sweep, size_t point);

/* ---- who wins where ---------------------------------------------------------------------------------------------- */

/* How two curves meet. */
typedef enum ns_meeting {
    NS_MEET_CROSS, /* they cross */
    NS_MEET_JUMP,  /* one jumps over the other */
    NS_MEET_JOIN,  /* equal from here on */
    NS_MEET_PART   /* equal until here */
} ns_meeting;

extern const char *const ns_meeting_words[]; /* "cross", ...; closed by NULL */

typedef struct ns_crossing {
    double x, value; /* of curve a at x */
    int a, b;        /* a < b */
    int below;       /* the smaller one after x, or -1 where they are equal there */
    ns_meeting meeting;
    bool changes_winner; /* one of the two is the smallest of all before x, and the other one after it */
} ns_crossing;

enum { NS_MEETINGS = 1024 };

/* In increasing order. */
typedef struct ns_crossings {
    const ns_curves *curves;
    const char *over;
    double lo, hi;
    int reigns, crossings;
    ns_reign reign[NS_REIGNS];
    double at_to[NS_REIGNS]; /* of the winner of each reign; just before `to` where another one follows */
    ns_crossing crossing[NS_MEETINGS];
} ns_crossings;

/* Reigns and crossings of closed curves (borrowed) along one input from lo to hi, by Brent's method between samples:
 * reigns are as fine as those of ns_cross_values, crossings have a relative accuracy of 1e-13.  About 513 values of
 * each curve for each pair.  Free with ns_free. */
ns_status ns_crossings_find(const ns_curves *curves, const char *over, double lo, double hi, ns_crossings **crossings,
                            ns_error *err);

/* f(x); must return the same value for the same x. */
typedef ns_status ns_root_fn(const void *context, double x, double *value, ns_error *err);

typedef struct ns_root {
    double x;
    bool jump; /* f changes its sign without passing zero: a discontinuity */
} ns_root;

/* The root in [lo, hi], at whose ends f differs in sign, to a relative 1e-13 of x; by Brent's method. */
ns_status ns_root_find(ns_root_fn *f, const void *context, double lo, double hi, ns_root *root, ns_error *err);

/* Every crossing of every pair of curves in [lo, hi], by x.  Sampled at 513 points (equal ratios where lo > 0); a pair
 * that crosses twice between two samples is found where its distance dips there.  Values within a relative 1e-12 are
 * equal.  changes_winner is left false. */
ns_status ns_meetings_find(ns_cross_fn *value, const void *context, int curves, double lo, double hi,
                           ns_crossing *crossing, int *crossings, ns_error *err);

/* ---- what moves the answer ------------------------------------------------------------------------------------------
 *
 * Every number of the machine, and every input that was given, is made smaller and larger by itself. */

typedef struct ns_sensitivity_options {
    double by;             /* relative perturbation, above 0 and below 1; 0: 0.1 */
    const char *name;      /* of the exchange, for the title; or NULL */
    ns_study_watch *watch; /* counts parameters */
    void *watcher;
} ns_sensitivity_options;

/* One number and the effect of perturbing it. */
typedef struct ns_move {
    const char *name;              /* a path, or an input */
    const ns_parameter *parameter; /* of the machine; NULL: an input */
    double value, se;              /* se: standard error, 0 where unknown */
    ns_dim dim;
    const char *source;
    double slope; /* d log answer / d log number: per cent of change for one per cent */
    bool sloped;  /* false for counts, and where neither side can be evaluated */
    bool kink;    /* the slopes on the left and on the right differ */
    bool jump;    /* the answer jumps here; the slope is that of the other side */
    bool has_low, has_high;
    double low, high;                     /* the answer with the number perturbed */
    double swing;                         /* how far the answer moves */
    char low_winner[64], high_winner[64]; /* the strategy that is then the best, "" if it is unchanged */
    double error;                         /* standard error of the answer due to this number alone; 0 where unknown */
} ns_move;

typedef struct ns_sensitivity {
    const ns_machine *machine; /* or NULL */
    char title[200];
    const char *output;
    ns_dim dim;                  /* of the answer */
    double by, base;             /* base: the unperturbed answer */
    size_t moves;                /* numbers that move the answer, the largest effect first: */
    ns_move *move;
    double variance;             /* sum of the squared errors of the moves */
    double error;                /* standard error of the answer, with alpha and beta of a line correlated */
    bool of_exchange;            /* the answer is a strategy's estimate */
    int least_certain, steepest; /* moves: of the largest error; among the machine's, of the largest slope; -1: none */
} ns_sensitivity;

/* f of a factor on one of its numbers; base: f(1).  A factor for which f fails (other than for lack of memory) leaves
 * its side out.  Fills slope, ends and swing of a move, which have to be 0 before. */
ns_status ns_elasticity_find(ns_root_fn *f, const void *context, double by, double base, ns_move *move, ns_error *err);

/* For one curve of a closed set; curves and their machine are borrowed.  Six evaluations per number. */
ns_status ns_sensitivity_of_curve(const ns_curves *curves, int curve, const ns_sensitivity_options *options,
                                  ns_sensitivity **sensitivity, ns_error *err);

/* For the estimate of one strategy of an exchange: NAME, NAME/TRANSPORT, or the best (NULL).  The machine is borrowed;
 * the exchange is not needed afterwards.  A schedule is rebuilt only where the machine's shape changes; this takes six
 * prices of a schedule per number, and two of every strategy. */
ns_status ns_sensitivity_of_exchange(const ns_exchange *exchange, const ns_machine *machine, const char *strategy,
                                     const ns_price_options *price, const ns_sensitivity_options *options,
                                     ns_sensitivity **sensitivity, ns_error *err);
void ns_sensitivity_free(ns_sensitivity *sensitivity);

/* ---- what to measure -------------------------------------------------------------------------------------------
 *
 * The strategy that looks best may lose because a number of the machine is wrong.  If that number were known, the
 * strategy that is best with it would be chosen: the average reduction of the loss is the value of measuring it.  A
 * price is linear in its parameters, so
 *
 *     loss removed = E [ln T_c(z) - min_i ln T_i(z)],   T_i(z) = T_i + share_i (z - 1),   ln z ~ N(0, sigma^2)
 *
 * c the choice, share_i the seconds of T_i that the number is a factor of, z its true value divided by the machine's.
 * The error of the cost model with exact parameters is not included: only measuring the strategies themselves removes
 * that (choice.h). */

/* The basis of a number's uncertainty, which determines its standard error. */
typedef enum ns_basis {
    NS_BASIS_STATED,    /* the machine states a standard error */
    NS_BASIS_PUBLISHED, /* the machine has the number without an error: 25 % is taken */
    NS_BASIS_ASSUMED    /* no such number; the form takes a default or derives it: a factor of 2 */
} ns_basis;

/* One number, by its path in a machine's file. */
typedef struct ns_unknown {
    char parameter[120];
    ns_basis basis;
    double sigma;             /* standard deviation of the logarithm */
    double loss_removed;      /* expected ln loss that knowing it alone removes */
    double share[NS_CHOICES]; /* seconds of each choice that the number is a factor of */
} ns_unknown;

enum { NS_UNKNOWNS = 256, NS_MEASUREMENTS = 32, NS_MEASURE_COMMAND = 300 };

/* One run of a benchmark, and the numbers that it measures. */
typedef struct ns_measurement {
    double loss_removed; /* expected ln loss that knowing all its numbers removes; at least that of each */
    size_t unknowns;     /* the numbers that it measures, those that remove most first: */
    ns_unknown *unknown[NS_UNKNOWNS];
    int benchmark;
    const char *tool; /* its name in `nsmodel fit`, which reads its logs; NULL: whole exchanges (fit --records) */
    char command[NS_MEASURE_COMMAND];
} ns_measurement;

typedef struct ns_measure_plan {
    size_t measurements; /* those that remove something, the largest first: */
    ns_measurement measurement[NS_MEASUREMENTS];
    size_t unknowns;
    ns_unknown unknown[NS_UNKNOWNS];
    double left;              /* expected ln loss of the choice */
    double shortlist_removed; /* the part of that which measuring the shortlisted strategies themselves would remove */
    char shortlist_command[NS_MEASURE_COMMAND];
} ns_measure_plan;

/* What to measure for a comparison made on that machine; it must have a decision.  networked: for ways on a network,
 * else NULL; the gathering time of its interfaces is one more number, "network.NAME.time", with the error of their
 * model. selection: as in the comparison, or NULL.  Everything is borrowed during the call only.  Free with ns_free. */
ns_status ns_measure_plan_make(const ns_comparison *comparison, const ns_machine *machine,
                               const ns_networked *networked, const ns_selection *selection, ns_measure_plan **plan,
                               ns_error *err);

/* The loss that knowing one number removes, from its sigma, the predicted times and the parts of them that it is a
 * factor of; 7-point Gauss-Hermite quadrature.  best: index of the choice. */
double ns_loss_removed(const double *seconds, const double *share, int ways, int best, double sigma);

/* The benchmark for a parameter's path in two parts: the run, and the options that `nsmodel fit` needs for its log
 * ("--locality on-node"), which may be "".  Returns the tool, or NULL. */
const char *ns_benchmark_parts(const char *parameter, const ns_machine *machine, char *run, size_t run_size, char *fit,
                               size_t fit_size);
/* Names of the tools in that table; NULL past the last. */
const char *ns_benchmark_tool(size_t index);
/* Number of the benchmark that measures a parameter; its tool, or NULL; and its command on a machine, written into
 * text. */
int ns_benchmark_of(const char *parameter);
const char *ns_benchmark_write(int benchmark, const ns_machine *machine, char *text, size_t size);
/* What would measure hardware that no machine here has; and whether a benchmark is of that kind. */
extern const char ns_benchmark_elsewhere[];
bool ns_benchmark_is_elsewhere(int benchmark);

/* ---- the numbers that a machine has ------------------------------------------------------------------------------ */

typedef enum ns_standing {
    NS_STANDING_MEASURED,
    NS_STANDING_CALIBRATED, /* from whole exchanges */
    NS_STANDING_ASSUMED,    /* replaced by something else */
    NS_STANDING_MISSING,    /* predictions that need it are refused or left out */
    NS_STANDINGS
} ns_standing;

/* One item of the numbers that predictions need from a machine. */
typedef struct ns_machine_item {
    char what[60];
    ns_standing standing;
    char basis[240];         /* its source, or what replaces it; "" where nothing does */
    const char *tool;        /* as in ns_benchmark_parts; NULL: none */
    char run[240], fit[240]; /* what measures it, and the options of fit for its log; "" where it was measured */
} ns_machine_item;

enum { NS_MACHINE_ITEMS = 48 };
typedef struct ns_machine_check {
    const ns_machine *machine; /* borrowed */
    size_t items;
    ns_machine_item item[NS_MACHINE_ITEMS];
    size_t count[NS_STANDINGS];
} ns_machine_check;

/* Check every item that predictions on the machine use.  Free with ns_free. */
ns_status ns_machine_check_make(const ns_machine *machine, ns_machine_check **check, ns_error *err);

extern const char *const ns_basis_words[]; /* "stated", ...; closed by NULL */

extern const char *const ns_standing_words[]; /* "measured", ...; closed by NULL */

#endif
