/* study.h -- questions about an answer: why it is what it is, what moves it, who wins where, what to measure
 *
 * Results are made by one call, read without further ones and freed by their _free.  What is called borrowed has to
 * outlive the result.
 */
#ifndef NS_STUDY_STUDY_H
#define NS_STUDY_STUDY_H

#include "model/cross.h"
#include "network/network.h"
#include "price/choice.h"

#include <nsmodel/explain.h>

/* ---- why --------------------------------------------------------------------------------------------------------- */

/* Add why one choice of a comparison costs what it costs: steps, then classes of messages at the process that decides,
 * copies, and the published form for comparison.  machine, borrowed: the one that was priced.  On failure part of it
 * may be there.  O(terms). */
ns_status ns_explain_choice(ns_explanation *explanation, const ns_machine *machine, const ns_exchange *exchange,
                            const ns_choice *choice, ns_error *err);

/* Add what a model's answer is made of: outputs, inputs with their sources, and, where the model reads the machine's
 * tables by itself, every parameter that moves an output.  binding is closed, out is its evaluation.  The machine is
 * borrowed.  At most one ns_model_eval a parameter. */
ns_status ns_explain_model(ns_explanation *explanation, const ns_binding *binding, const ns_model_buffer *out,
                           ns_error *err);

/* The same of a choice of ns_network_compare (network.h): between nodes the bounds of the node that ends last, then
 * what its processes do. */
ns_status ns_explain_networked(ns_explanation *explanation, const ns_networked *networked, const ns_exchange *exchange,
                               const ns_comparison *comparison, int choice, ns_error *err);

/* Where the input of that index came from, in words, for a closed binding.  Returns text. */
const char *ns_explain_origin(const ns_binding *binding, int input, char *text, size_t size);
/* Why the message's size does not suit the line that a closed binding uses; "" when it does.  Returns text. */
const char *ns_explain_range(const ns_binding *binding, char *text, size_t size);

/* Messages of a price that lie just past a size where a later protocol takes over that is faster there: some shorter
 * ones take longer. */
typedef struct ns_price_drop {
    ns_memory memory;
    ns_locality locality;
    ns_protocol from, to;
    double at;                /* B, first size of the later protocol */
    double before_s, after_s; /* of a message of that size by the one and by the other, as the form prices it */
    double message_bytes;     /* mean length of the messages, at the process that decides */
} ns_price_drop;
/* The index-th of a choice that ns_compare priced; false past the last. */
bool ns_price_drop_at(const ns_machine *machine, const ns_choice *choice, size_t index, ns_price_drop *drop);

/* ---- a parameter perturbed ------------------------------------------------------------------------------------------
 *
 * The one rule: a count is what the topology counts (sockets, GPUs, processes, interfaces, rails of a node), and goes
 * by one; everything else is multiplied.  No factor changes a 0, so the next larger value of that is 1e-6 in SI. */

bool ns_parameter_is_count(const ns_parameter *parameter);

/* The parameter's value times factor; of a count, one more (factor > 1) or one less (factor < 1); of a 0, see above. */
double ns_parameter_perturbed(const ns_parameter *parameter, double factor);

/* A copy of the machine with that parameter (one of its own) perturbed; free it with ns_machine_free.  What the machine
 * refuses, it refuses here: no GPU less than none.  O(parameters). */
ns_status ns_machine_perturbed(const ns_machine *machine, const ns_parameter *parameter, double factor,
                               ns_machine **perturbed, ns_error *err);

/* Does a parameter, made a tenth larger (a count: one larger), move any estimate or published time of the comparison?
 * One that may not be changed by itself, or without which there is no price, counts as active.  Costs an ns_compare. */
ns_status ns_parameter_is_active(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                                 const ns_comparison *comparison, const ns_parameter *parameter, bool *active,
                                 ns_error *err);

/* ---- a node that sends equal messages -------------------------------------------------------------------------------
 *
 * The question of [NA] Figure 4.3.  Every node sends so many messages of one size to so many nodes, dealt evenly to its
 * parts; strategies that send a column once per node leave duplicates out. */
typedef struct ns_scenario {
    double s;          /* B, of a message */
    double messages;   /* of a node, off node */
    double nodes;      /* that it sends to and receives from */
    double per_node;   /* parts; 0: the machine's GPUs, or its host processes */
    double duplicates; /* share of the bytes that another part of the receiving node gets as well */
} ns_scenario;

/* Seconds by one of the strategy's closed forms: "corrected" or "printed".  Allocates nothing. */
ns_status ns_scenario_form(const ns_scenario *scenario, const ns_strategy *strategy, ns_transport transport,
                           const ns_machine *machine, const char *form, double *seconds, ns_error *err);

/* The scenario as an exchange of nodes + 1 nodes, each of which sends to and receives from the others alike; sizes and
 * numbers are taken as the nearest whole ones.  It has no duplicates: they are an error.  Free it with
 * ns_exchange_free. */
ns_status ns_scenario_exchange(const ns_scenario *scenario, const ns_machine *machine, ns_exchange **exchange,
                               ns_error *err);

/* One number of a scenario set, checked. */
ns_status ns_scenario_set(ns_scenario *scenario, const char *name, double value, ns_error *err);
/* Its rows as those of a model's inputs, over ns_scenario; closed by NS_FIELD_END. */
extern const ns_field ns_scenario_fields[];
/* Messages of 1 KiB, 256 of them, to 16 nodes. */
extern const ns_scenario ns_scenario_default;

/* ---- curves: models, or strategies in a scenario, as functions of named inputs --------------------------------------
 *
 * A curve is written MODEL, MODEL:NAME=VALUE,NAME=VALUE, STRATEGY/TRANSPORT (STRATEGY alone: by host), or strategies,
 * which stands for all that the machine runs.  Add curves, assign inputs, close; then ask.  A closed set is read-only
 * and may be shared by threads. */
typedef struct ns_curve_info {
    char label[96];              /* as written; "three-step/host" */
    const ns_strategy *strategy; /* or NULL: a model */
    ns_transport transport;
    const ns_model *model; /* or NULL: a strategy */
    ns_binding binding;    /* of a model: open */
} ns_curve_info;

typedef struct ns_curves {
    const ns_machine *machine; /* or NULL */
    const char *output;        /* what is compared; after ns_curves_close never NULL */
    ns_dim dim;                /* of it, after ns_curves_close */
    int count;
    int strategies; /* how many of them are strategies */
    ns_curve_info curve[NS_CURVES];
    ns_scenario scenario; /* what the strategies are asked */
    bool printed;         /* strategies by their closed forms as printed, not corrected */
    bool closed;
} ns_curves;

/* One value of one input: a number in SI, or a word. */
typedef struct ns_setting {
    const char *name;
    const char *word; /* NULL for a number */
    double number;
} ns_setting;

/* machine: borrowed, or NULL; gives models what is not assigned.  output: borrowed, or NULL: time, or a model's last
 * one.  Free with ns_free. */
ns_status ns_curves_open(const ns_machine *machine, const char *output, ns_curves **curves, ns_error *err);

/* NAME=... rather than MODEL:NAME=... */
bool ns_is_assignment(const char *word);
/* Does the word stand for strategies, which need a machine? */
bool ns_names_strategies(const char *word);

/* Add what a word stands for; at most NS_CURVES in all. */
ns_status ns_curves_add(ns_curves *curves, const char *word, ns_error *err);
/* "NAME=VALUE" for every curve that has the input; an error when none has. */
ns_status ns_curves_assign(ns_curves *curves, const char *assignment, ns_error *err);
/* Fix the output that is compared: every curve has to have it, in one dimension. */
ns_status ns_curves_close(ns_curves *curves, ns_error *err);

/* Is the set closed, and that one of its curves? */
ns_status ns_curves_check(const ns_curves *curves, int curve, ns_error *err);

/* The row of an input in the first curve that has it, or NULL; locality, memory and protocol have none. */
const ns_field *ns_curves_input(const ns_curves *curves, const char *name);
/* Does this NAME=VALUE stand for several values of an input that takes one? */
bool ns_curves_is_range(const ns_curves *curves, const char *assignment);

/* The strategies of a closed set, which holds nothing else, side by side in the scenario: each priced by the schedule
 * of ns_scenario_exchange, without published times.  Choices stand in the order of the curves. */
ns_status ns_scenario_compare(const ns_scenario *scenario, const ns_curves *curves, ns_comparison *comparison,
                              ns_error *err);

/* Close the binding of a model's curve with some inputs set, and evaluate it. */
ns_status ns_curves_eval(const ns_curves *curves, int curve, const ns_setting *setting, int settings,
                         ns_binding *closed, ns_model_buffer *out, ns_error *err);
/* The compared output of one curve of a closed set, with some inputs set.  Allocates nothing. */
ns_status ns_curves_value(const ns_curves *curves, int curve, const ns_setting *setting, int settings, double *value,
                          ns_error *err);

/* What is varied: "s=1B:1MiB:x2", "ppn=1,40", "protocol=eager,rendezvous"; a range as in ns_range_parse, of 25 values
 * where it does not say how many. */
typedef struct ns_axis {
    char name[64];
    ns_dim dim;
    const char **word; /* [count], or NULL for numbers */
    double *number;    /* [count], SI, or NULL for words */
    size_t count;
    char *text; /* which the words are parts of */
} ns_axis;
ns_status ns_axis_open(const ns_curves *curves, const char *assignment, ns_axis **axis, ns_error *err);
void ns_axis_free(ns_axis *axis);
/* An error of a NAME=RANGE that says where in it; value: the part of the assignment that inner's column counts from. */
ns_status ns_axis_refuse(const char *assignment, const char *value, const ns_error *inner, ns_error *err);

/* ---- sweeps ------------------------------------------------------------------------------------------------------ */

/* Told now and then how much is done; may be NULL, as may the options. */
typedef void ns_study_watch(void *watcher, double done, double total);

struct ns_sweep;
/* Points `first` to first + count - 1 of a sweep, whose answers can be asked for until the call returns. */
typedef ns_status ns_sweep_receive(void *receiver, const struct ns_sweep *sweep, size_t first, size_t count,
                                   ns_error *err);

typedef struct ns_sweep_options {
    ns_study_watch *watch; /* of points */
    void *watcher;
    bool schedules;            /* strategies by the schedules of ns_scenario_compare, not by their closed forms */
    ns_sweep_receive *receive; /* NULL: every point is kept; else it gets them a few thousand at a time, in order */
    void *receiver;
} ns_sweep_options;

enum { NS_AXES = 3 };

/* Every point of up to NS_AXES axes.  Points `first` and on stand in the arrays: all of them, or one block after
 * another. */
typedef struct ns_sweep {
    const ns_curves *curves;
    int axes;
    const ns_axis *axis[NS_AXES];
    size_t points;
    size_t outputs; /* with one curve, a model: how many outputs it has, all of them kept; else 0 */
    bool schedules; /* as it was asked for */
    size_t first;
    double *value;             /* [points of the arrays][curves] */
    double *output;            /* [points of the arrays][outputs], behind the values */
    double *p_best;            /* as the values, behind the outputs; of schedules */
    unsigned char *verdict;    /* [points of the arrays]; of schedules */
    ns_comparison *comparison; /* the last one; of schedules */
    bool numbers;              /* every axis is of numbers */
    double *column[NS_AXES];   /* [a block] of each axis */
    double *answer;            /* [a block][most outputs of a model] */
} ns_sweep;

/* The two smallest of a point: of equal ones the first. */
typedef struct ns_ranking {
    int best, second;   /* curves; second is -1 where there is one curve only */
    ns_verdict verdict; /* of closed forms, which have no interval, a tie where they differ by less than 10 %, else
                           clear; of schedules as in a comparison */
} ns_ranking;

/* Evaluate every point: at most a million, or with options->receive, after which *sweep has none of them any more, any
 * number in memory that does not depend on it.  curves (closed) and axes are borrowed. */
ns_status ns_sweep_run(const ns_curves *curves, const ns_axis *const *axis, int axes, const ns_sweep_options *options,
                       ns_sweep **sweep, ns_error *err);
void ns_sweep_free(ns_sweep *sweep);

/* Number of a point: its index on each axis, as many as there are. */
size_t ns_sweep_point(const ns_sweep *sweep, const size_t *at);
/* The compared output. */
double ns_sweep_value(const ns_sweep *sweep, size_t point, int curve);
/* Probability that this curve is the smallest, of schedules; negative where nothing was decided. */
double ns_sweep_p_best(const ns_sweep *sweep, size_t point, int curve);
/* The index-th output of the one model. */
double ns_sweep_output(const ns_sweep *sweep, size_t point, size_t index);
ns_ranking ns_sweep_rank(const ns_sweep *sweep, size_t point);

/* ---- who wins where ---------------------------------------------------------------------------------------------- */

/* How two curves meet. */
typedef enum ns_meeting {
    NS_MEET_CROSS, /* they pass each other */
    NS_MEET_JUMP,  /* one leaps over the other */
    NS_MEET_JOIN,  /* equal from here on */
    NS_MEET_PART   /* equal until here */
} ns_meeting;

extern const char *const ns_meeting_words[]; /* "cross", ...; closed by NULL */

typedef struct ns_crossing {
    double x, value; /* of curve a at x */
    int a, b;        /* a < b */
    int below;       /* the smaller one after x, or -1 when they are equal there */
    ns_meeting meeting;
    bool changes_winner; /* one of the two is the smallest of all before x, the other after it */
} ns_crossing;

enum { NS_MEETINGS = 1024 };

/* In rising order. */
typedef struct ns_crossings {
    const ns_curves *curves;
    const char *over;
    double lo, hi;
    int reigns, crossings;
    ns_reign reign[NS_REIGNS];
    double at_to[NS_REIGNS]; /* of the winner of each; just before `to` where another one follows */
    ns_crossing crossing[NS_MEETINGS];
} ns_crossings;

/* Reigns and crossings of closed curves (borrowed) along one input from lo to hi, by Brent's method between samples: as
 * fine as ns_cross_values for reigns; a crossing to a relative 1e-13.  Some 513 values of each curve for each pair.
 * Free with ns_free. */
ns_status ns_crossings_find(const ns_curves *curves, const char *over, double lo, double hi, ns_crossings **crossings,
                            ns_error *err);

/* f(x); the same answer whenever it is asked. */
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
    double by;             /* how far, above 0 and below 1; 0: 0.1 */
    const char *name;      /* of the exchange, for the title; or NULL */
    ns_study_watch *watch; /* of parameters */
    void *watcher;
} ns_sensitivity_options;

/* One number and what turning it does. */
typedef struct ns_move {
    const char *name;              /* a path, or an input */
    const ns_parameter *parameter; /* of the machine, or NULL: an input */
    double value, se;              /* se: standard error, 0 where unknown */
    ns_dim dim;
    const char *source;
    double slope; /* d log answer / d log number: per cent more for one per cent more */
    bool sloped;  /* false for counts, and where neither side can be evaluated */
    bool kink;    /* the slopes to the left and to the right differ */
    bool jump;    /* the answer leaps right here; the slope is that of the other side */
    bool has_low, has_high;
    double low, high;                     /* the answer with the number perturbed */
    double swing;                         /* how far the answer moves */
    char low_winner[64], high_winner[64]; /* the strategy that is best then, "" while it stays */
    double error;                         /* standard error of the answer from this number's alone; 0 where unknown */
} ns_move;

typedef struct ns_sensitivity {
    const ns_machine *machine; /* or NULL */
    char title[200];
    const char *output;
    ns_dim dim;                  /* of the answer */
    double by, base;             /* base: the answer as it is */
    size_t moves;                /* numbers that move the answer, the widest first: */
    ns_move *move;
    double variance;             /* sum of the squared errors of the moves */
    double error;                /* standard error of the answer: alpha and beta of a line err together */
    bool of_exchange;            /* the answer is a strategy's estimate */
    int least_certain, steepest; /* moves: of the largest error; of the machine's, of the largest slope; -1: none */
} ns_sensitivity;

/* f of a factor on one of its numbers; base: f(1).  A factor that f refuses (not for want of memory) leaves its side
 * out.  Fills slope, ends and swing of a move, which are 0 before. */
ns_status ns_elasticity_find(ns_root_fn *f, const void *context, double by, double base, ns_move *move, ns_error *err);

/* Of one curve of a closed set; curves and their machine are borrowed.  Six evaluations a number. */
ns_status ns_sensitivity_of_curve(const ns_curves *curves, int curve, const ns_sensitivity_options *options,
                                  ns_sensitivity **sensitivity, ns_error *err);

/* Of the estimate of one strategy of an exchange: NAME, NAME/TRANSPORT, or the best (NULL).  The machine is borrowed;
 * the exchange is not needed afterwards.  A schedule is built anew only where the machine's shape changes; six prices
 * of a schedule a number, and two of every strategy. */
ns_status ns_sensitivity_of_exchange(const ns_exchange *exchange, const ns_machine *machine, const char *strategy,
                                     const ns_price_options *price, const ns_sensitivity_options *options,
                                     ns_sensitivity **sensitivity, ns_error *err);
void ns_sensitivity_free(ns_sensitivity *sensitivity);

/* ---- what to measure -------------------------------------------------------------------------------------------
 *
 * The strategy that looks best may lose because a number of the machine is wrong.  Were that number known, the strategy
 * that is best with it would be taken: what is lost less on average is what measuring it is worth.  A price is linear
 * in its parameters, so
 *
 *     loss removed = E [ln T_c(z) - min_i ln T_i(z)],   T_i(z) = T_i + share_i (z - 1),   ln z ~ N(0, sigma^2)
 *
 * c the choice, share_i the seconds of T_i that are paid for the number, z what the number really is, over what the
 * machine says.  The error that the cost model makes with right parameters is not in it: only measuring the strategies
 * themselves removes that (choice.h). */

/* Why a number may be wrong, and by how much. */
typedef enum ns_basis {
    NS_BASIS_STATED,    /* the machine states a standard error */
    NS_BASIS_PUBLISHED, /* it gives the number without one: 25 % */
    NS_BASIS_ASSUMED    /* it has no such number, the form takes a default or derives it from others: a factor of 2 */
} ns_basis;

/* One number, by the path at which a machine's file has it. */
typedef struct ns_unknown {
    char parameter[120];
    ns_basis basis;
    double sigma;             /* standard deviation of the logarithm */
    double loss_removed;      /* by knowing it alone, expected ln */
    double share[NS_CHOICES]; /* seconds of each choice that are paid for it */
} ns_unknown;

enum { NS_UNKNOWNS = 256, NS_MEASUREMENTS = 32, NS_MEASURE_COMMAND = 300 };

/* One run of a benchmark, and what it tells. */
typedef struct ns_measurement {
    double loss_removed; /* by knowing all its numbers, expected ln; at least that of each */
    size_t unknowns;     /* that it measures, those that remove most first: */
    ns_unknown *unknown[NS_UNKNOWNS];
    int benchmark;
    const char *tool; /* whose logs `nsmodel fit` reads, by its name there; NULL: whole exchanges (fit --records) */
    char command[NS_MEASURE_COMMAND];
} ns_measurement;

typedef struct ns_measure_plan {
    size_t measurements; /* those that remove something, the most first: */
    ns_measurement measurement[NS_MEASUREMENTS];
    size_t unknowns;
    ns_unknown unknown[NS_UNKNOWNS];
    double left;              /* expected ln loss of the choice */
    double shortlist_removed; /* of that, by measuring the strategies of the shortlist themselves */
    char shortlist_command[NS_MEASURE_COMMAND];
} ns_measure_plan;

/* What to measure for a comparison made on that machine; its decision has to be one.  networked: of ways on a network,
 * or NULL; what its interfaces take is one more number, "network.NAME.time", which errs by the error of their model.
 * selection: as it was compared, or NULL.  Everything is borrowed during the call only.  Free with ns_free. */
ns_status ns_measure_plan_make(const ns_comparison *comparison, const ns_machine *machine,
                               const ns_networked *networked, const ns_selection *selection, ns_measure_plan **plan,
                               ns_error *err);

/* What knowing one number removes, from its sigma, the predicted times and what of them is paid for it; 7-point
 * Gauss-Hermite quadrature.  best: index of the choice. */
double ns_loss_removed(const double *seconds, const double *share, int ways, int best, double sigma);

/* The benchmark for a parameter's path in two: the run alone, and what `nsmodel fit` is told of its log ("--locality
 * on-node"), which may be "".  Returns the tool, or NULL. */
const char *ns_benchmark_parts(const char *parameter, const ns_machine *machine, char *run, size_t run_size, char *fit,
                               size_t fit_size);
/* Names of the tools in that table, NULL past the last. */
const char *ns_benchmark_tool(size_t index);
/* Number of the benchmark that measures a parameter; its tool, or NULL, and its command on a machine, written into
 * text. */
int ns_benchmark_of(const char *parameter);
const char *ns_benchmark_write(int benchmark, const ns_machine *machine, char *text, size_t size);
/* What tells how long hardware takes that no machine here has; and whether that is what a benchmark is. */
extern const char ns_benchmark_elsewhere[];
bool ns_benchmark_is_elsewhere(int benchmark);

/* ---- what a machine knows --------------------------------------------------------------------------------------- */

typedef enum ns_standing {
    NS_STANDING_MEASURED,
    NS_STANDING_CALIBRATED, /* on whole exchanges */
    NS_STANDING_ASSUMED,    /* something else stands for it */
    NS_STANDING_MISSING,    /* what needs it is refused or left out */
    NS_STANDINGS
} ns_standing;

/* One thing to know of a machine. */
typedef struct ns_machine_item {
    char what[60];
    ns_standing standing;
    char basis[240];         /* its source, or what stands for it; "" where nothing does */
    const char *tool;        /* as in ns_benchmark_parts; NULL: none */
    char run[240], fit[240]; /* what measures it, and what fit is told then; "" where it is measured */
} ns_machine_item;

enum { NS_MACHINE_ITEMS = 48 };
typedef struct ns_machine_check {
    const ns_machine *machine; /* borrowed */
    size_t items;
    ns_machine_item item[NS_MACHINE_ITEMS];
    size_t count[NS_STANDINGS];
} ns_machine_check;

/* Every item that predictions on the machine use.  Free with ns_free. */
ns_status ns_machine_check_make(const ns_machine *machine, ns_machine_check **check, ns_error *err);

extern const char *const ns_basis_words[]; /* "stated", ...; closed by NULL */

extern const char *const ns_standing_words[]; /* "measured", ...; closed by NULL */

#endif
