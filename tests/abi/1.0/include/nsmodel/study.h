/* study.h -- questions about an answer: why it is what it is, what moves it, who wins where, what papers print
 *
 * Results are made by one call, read without further ones and freed by their _free.  A struct that begins with `size`
 * has its size in bytes there, so that it can grow at its end.  The caller sets it in what it gives or has filled in
 * (options and scenarios: 0 stands for the fields of version 1.0); the library in what it hands out, one by one: ask
 * for the next by its index.  Numbers are SI.  Out-parameters are set only on success.  What is called borrowed has to
 * outlive the result.
 */
#ifndef NSMODEL_STUDY_H
#define NSMODEL_STUDY_H

#include <stdbool.h>
#include <stddef.h>

#include <nsmodel/choice.h>
#include <nsmodel/exchange.h>
#include <nsmodel/machine.h>
#include <nsmodel/model.h>
#include <nsmodel/quantity.h>
#include <nsmodel/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a parameter turned a little ------------------------------------------------------------------------------------
 *
 * The one rule: a count is what the topology counts (sockets, GPUs, processes, interfaces, rails of a node), and goes
 * by one; everything else is multiplied.  No factor turns a 0, so the next larger value of that is 1e-6 in SI. */

NS_API bool ns_parameter_is_count(const ns_parameter *parameter);

/* The parameter's value times factor; of a count, one more (factor > 1) or one less (factor < 1); of a 0, see above. */
NS_API double ns_parameter_turned(const ns_parameter *parameter, double factor);

/* A copy of the machine with that parameter (one of its own) turned; free it with ns_machine_free.  What the machine
 * refuses, it refuses here: no GPU less than none.  O(parameters). */
NS_API ns_status ns_machine_turned(const ns_machine *machine, const ns_parameter *parameter, double factor,
                                   ns_machine **turned, ns_error *err);

/* Does a parameter, made a tenth larger (a count: one larger), move any estimate or published time of the comparison?
 * One that may not be changed by itself, or without which there is no price, counts as active.  Costs an ns_compare. */
NS_API ns_status ns_parameter_is_active(const ns_exchange *exchange, const ns_machine *machine,
                                        const ns_selection *selection, const ns_comparison *comparison,
                                        const ns_parameter *parameter, bool *active, ns_error *err);

/* ---- why: a tree of terms ---------------------------------------------------------------------------------------- */

/* One term.  Texts are never NULL, and live as long as the explanation, but for `source`, which is borrowed from the
 * machine or the model. */
typedef struct ns_term {
    size_t size;
    int depth;               /* 0 for a whole; a term stands below the last one before it of smaller depth */
    const char *name;        /* "off-node eager" */
    const char *formula;     /* "messages x alpha", or "" */
    bool has_value, counts;  /* counts: a summand of the whole */
    double value;            /* of dimension dim, mostly s */
    ns_dim dim;
    bool has_amount;
    double amount;           /* the factor of the parameter: messages, bytes */
    ns_dim amount_dim;
    const char *path;        /* of the machine's parameter, or "" */
    bool has_parameter;
    double parameter;        /* value of the parameter, or of the model's input */
    ns_dim parameter_dim;
    const char *source;      /* where the number comes from */
    const char *warning;     /* or "" */
    const ns_model *model;   /* the closed form that the term is the answer of, or NULL */
} ns_term;

/* Terms in depth-first order. */
typedef struct ns_explanation {
    size_t size;
    size_t terms;
} ns_explanation;

/* An empty one, to add to; free it with ns_explanation_free (NULL is fine). */
NS_API ns_status ns_explanation_open(ns_explanation **explanation, ns_error *err);
NS_API void ns_explanation_free(ns_explanation *explanation);

/* Add why way i of a comparison costs what it costs: steps, then classes of messages at the process that decides,
 * copies, and the published form for comparison.  machine, borrowed: the one that was priced.  On failure part of it
 * may be there.  O(terms). */
NS_API ns_status ns_explain_comparison(ns_explanation *explanation, const ns_machine *machine,
                                       const ns_exchange *exchange, const ns_comparison *comparison, int i,
                                       ns_error *err);

/* Add what a model's answer is made of: outputs, inputs with their sources, and, where the model reads the machine's
 * tables by itself, every parameter that moves an output.  binding is closed; its machine is borrowed.  At most one
 * evaluation a parameter. */
NS_API ns_status ns_explain_binding(ns_explanation *explanation, const ns_binding *binding, ns_error *err);

/* The index-th term, NULL past the last; it stays where it is until the explanation is freed or added to. */
NS_API const ns_term *ns_explanation_term(const ns_explanation *explanation, size_t index);
/* Its share of the whole that stands above it, 0 to 1, or negative where it does not count. */
NS_API double ns_explanation_share(const ns_explanation *explanation, size_t index);

/* Where the input of that index came from, in words, for a closed binding.  Returns text. */
NS_API const char *ns_explain_origin(const ns_binding *binding, int input, char *text, size_t size);
/* Why the message's size does not suit the line that a closed binding uses; "" when it does.  Returns text. */
NS_API const char *ns_explain_range(const ns_binding *binding, char *text, size_t size);

/* ---- a node that sends equal messages -------------------------------------------------------------------------------
 *
 * The question of [NA] Figure 4.3.  Every node sends so many messages of one size to so many nodes, dealt evenly to its
 * parts; strategies that send a column once per node leave duplicates out. */
typedef struct ns_scenario {
    size_t size;       /* of this struct; 0 stands for the fields of version 1.0 */
    double s;          /* B, of a message */
    double messages;   /* of a node, off node */
    double nodes;      /* that it sends to and receives from */
    double per_node;   /* parts; 0: the machine's GPUs, or its host processes */
    double duplicates; /* share of the bytes that another part of the receiving node gets as well */
} ns_scenario;

/* Messages of 1 KiB, 256 of them, to 16 nodes. */
NS_API void ns_scenario_usual(ns_scenario *scenario);

/* Seconds by the strategy's closed form.  Allocates nothing. */
NS_API ns_status ns_scenario_time(const ns_scenario *scenario, const ns_strategy *strategy, ns_transport transport,
                                  const ns_machine *machine, double *seconds, ns_error *err);

/* The scenario as an exchange of nodes + 1 nodes, each of which sends to and receives from the others alike; sizes and
 * numbers are taken as the nearest whole ones.  It has no duplicates: they are an error.  Free it with
 * ns_exchange_free. */
NS_API ns_status ns_scenario_exchange(const ns_scenario *scenario, const ns_machine *machine, ns_exchange **exchange,
                                      ns_error *err);

/* ---- curves: models, or strategies in a scenario, as functions of named inputs --------------------------------------
 *
 * A curve is written MODEL, MODEL:NAME=VALUE,NAME=VALUE, STRATEGY/TRANSPORT (STRATEGY alone: by host), or strategies,
 * which stands for all that the machine runs.  Add curves, assign inputs, close; then ask.  A closed set is read-only
 * and may be shared by threads. */
typedef struct ns_curves {
    size_t size;
    const ns_machine *machine; /* or NULL */
    const char *output;        /* what is compared; after ns_curves_close never NULL */
    ns_dim dim;                /* of it, after ns_curves_close */
    int count;
    int strategies;            /* how many of them are strategies */
} ns_curves;

enum { NS_CURVES = 16 };

typedef struct ns_curve_info {
    size_t size;
    const char *label;           /* as written; "three-step/host" */
    const ns_strategy *strategy; /* or NULL: a model */
    ns_transport transport;
    const ns_model *model;       /* or NULL: a strategy */
} ns_curve_info;

/* One value of one input: a number in SI, or a word. */
typedef struct ns_setting {
    const char *name;
    const char *word; /* NULL for a number */
    double number;
} ns_setting;

/* machine: borrowed, or NULL; gives models what is not assigned.  output: borrowed, or NULL: time, or a model's last
 * one.  Free with ns_curves_free (NULL is fine). */
NS_API ns_status ns_curves_open(const ns_machine *machine, const char *output, ns_curves **curves, ns_error *err);
NS_API void ns_curves_free(ns_curves *curves);

/* NAME=... rather than MODEL:NAME=... */
NS_API bool ns_is_assignment(const char *word);
/* Does the word stand for strategies, which need a machine? */
NS_API bool ns_names_strategies(const char *word);

/* Add what a word stands for; at most NS_CURVES in all. */
NS_API ns_status ns_curves_add(ns_curves *curves, const char *word, ns_error *err);
/* "NAME=VALUE" for every curve that has the input; an error when none has. */
NS_API ns_status ns_curves_assign(ns_curves *curves, const char *assignment, ns_error *err);
/* Fix the output that is compared: every curve has to have it, in one dimension. */
NS_API ns_status ns_curves_close(ns_curves *curves, ns_error *err);

/* The index-th curve, NULL past the last. */
NS_API const ns_curve_info *ns_curves_at(const ns_curves *curves, int index);
/* What the strategies are asked. */
NS_API const ns_scenario *ns_curves_scenario(const ns_curves *curves);
/* Does this NAME=VALUE stand for several values of an input that takes one? */
NS_API bool ns_curves_is_range(const ns_curves *curves, const char *assignment);

/* The strategies of a closed set, which holds nothing else, side by side in the scenario: each priced by the schedule
 * of ns_scenario_exchange, without published times.  Ways stand in the order of the curves. */
NS_API ns_status ns_scenario_comparison(const ns_scenario *scenario, const ns_curves *curves,
                                        ns_comparison **comparison, ns_error *err);

/* The compared output of one curve of a closed set, with some inputs set.  Allocates nothing. */
NS_API ns_status ns_curves_value(const ns_curves *curves, int curve, const ns_setting *setting, int settings,
                                 double *value, ns_error *err);

/* What is varied: "s=1B:1MiB:x2", "ppn=1,40", "protocol=eager,rendezvous"; a range as in ns_range_parse, of 25 values
 * where it does not say how many. */
typedef struct ns_axis {
    size_t size;
    const char *name;
    ns_dim dim;
    const char *const *word; /* [count], or NULL for numbers */
    const double *number;    /* [count], SI, or NULL for words */
    size_t count;
} ns_axis;
NS_API ns_status ns_axis_open(const ns_curves *curves, const char *assignment, ns_axis **axis, ns_error *err);
NS_API void ns_axis_free(ns_axis *axis);
NS_API ns_setting ns_axis_setting(const ns_axis *axis, size_t index);

/* ---- sweeps ------------------------------------------------------------------------------------------------------ */

/* Told now and then how much is done; may be NULL, as may the options. */
typedef void ns_study_watch(void *watcher, double done, double total);

struct ns_sweep;
/* Points `first` to first + count - 1 of a sweep, whose answers can be asked for until the call returns. */
typedef ns_status ns_sweep_receive(void *receiver, const struct ns_sweep *sweep, size_t first, size_t count,
                                   ns_error *err);

typedef struct ns_sweep_options {
    size_t size;
    ns_study_watch *watch; /* of points */
    void *watcher;
    bool schedules; /* strategies by the schedules of ns_scenario_compare, not by their closed forms */
    ns_sweep_receive *receive; /* NULL: every point is kept; else it gets them a few thousand at a time, in order */
    void *receiver;
} ns_sweep_options;

enum { NS_AXES = 3 };

/* Every point of up to NS_AXES axes. */
typedef struct ns_sweep {
    size_t size;
    const ns_curves *curves;
    int axes;
    const ns_axis *axis[NS_AXES];
    size_t points;
    size_t outputs; /* with one curve, a model: how many outputs it has, all of them kept; else 0 */
    bool schedules; /* as it was asked for */
} ns_sweep;

/* The two smallest of a point: of equal ones the first. */
typedef struct ns_ranking {
    size_t size;        /* of this struct, set by the caller */
    int best, second;   /* curves; second is -1 where there is one curve only */
    ns_verdict verdict; /* of closed forms, which have no interval, a tie where they differ by less than 10 %, else
                           clear; of schedules as in a comparison */
} ns_ranking;

/* Evaluate every point: at most a million, or with options->receive, after which *sweep has none of them any more, any
 * number in memory that does not depend on it.  curves (closed) and axes are borrowed. */
NS_API ns_status ns_sweep_run(const ns_curves *curves, const ns_axis *const *axis, int axes,
                              const ns_sweep_options *options, ns_sweep **sweep, ns_error *err);
NS_API void ns_sweep_free(ns_sweep *sweep);

/* Number of a point: its index on each axis, as many as there are. */
NS_API size_t ns_sweep_point(const ns_sweep *sweep, const size_t *at);
/* The compared output. */
NS_API double ns_sweep_value(const ns_sweep *sweep, size_t point, int curve);
/* Probability that this curve is the smallest, of schedules; negative where nothing was decided. */
NS_API double ns_sweep_p_best(const ns_sweep *sweep, size_t point, int curve);
/* The index-th output of the one model. */
NS_API double ns_sweep_output(const ns_sweep *sweep, size_t point, size_t index);
NS_API ns_status ns_sweep_rank(const ns_sweep *sweep, size_t point, ns_ranking *ranking, ns_error *err);

/* ---- who wins where ---------------------------------------------------------------------------------------------- */

/* How two curves meet. */
typedef enum ns_meeting {
    NS_MEET_CROSS, /* they pass each other */
    NS_MEET_JUMP,  /* one leaps over the other */
    NS_MEET_JOIN,  /* equal from here on */
    NS_MEET_PART   /* equal until here */
} ns_meeting;

typedef struct ns_crossing {
    size_t size;
    double x, value; /* of curve a at x */
    int a, b;        /* a < b */
    int below;       /* the smaller one after x, or -1 when they are equal there */
    ns_meeting meeting;
    bool changes_winner; /* one of the two is the smallest of all before x, the other after it */
} ns_crossing;

/* A stretch on which one curve is the smallest. */
typedef struct ns_reign_info {
    size_t size;
    double from, to;
    int winner;
    double at_from, at_to; /* its values there; just before `to` where another one follows */
} ns_reign_info;

typedef struct ns_crossings {
    size_t size;
    const ns_curves *curves;
    double lo, hi;
    int reigns, crossings;
} ns_crossings;

/* Reigns and crossings of closed curves (borrowed) along one input from lo to hi, by Brent's method between samples: as
 * fine as ns_cross_values for reigns; a crossing to a relative 1e-13.  Some 513 values of each curve for each pair. */
NS_API ns_status ns_crossings_find(const ns_curves *curves, const char *over, double lo, double hi,
                                   ns_crossings **crossings, ns_error *err);
NS_API void ns_crossings_free(ns_crossings *crossings);
/* In rising order; NULL past the last. */
NS_API const ns_reign_info *ns_crossings_reign(const ns_crossings *crossings, int index);
NS_API const ns_crossing *ns_crossings_at(const ns_crossings *crossings, int index);

/* ---- what moves the answer ------------------------------------------------------------------------------------------
 *
 * Every number of the machine, and every input that was given, is turned down and up by itself. */

typedef struct ns_sensitivity_options {
    size_t size;
    double by;             /* how far, above 0 and below 1; 0: 0.1 */
    const char *name;      /* of the exchange, for the title; or NULL */
    ns_study_watch *watch; /* of parameters */
    void *watcher;
} ns_sensitivity_options;

/* One number and what turning it does. */
typedef struct ns_move {
    size_t size;
    const char *name;               /* a path, or an input */
    const ns_parameter *parameter;  /* of the machine, or NULL: an input */
    double value, se;               /* se: standard error, 0 where unknown */
    ns_dim dim;
    const char *source;
    double slope;                   /* d log answer / d log number: per cent more for one per cent more */
    bool sloped;                    /* false for counts, and where neither side can be evaluated */
    bool kink;                      /* the slopes to the left and to the right differ */
    bool jump;                      /* the answer leaps right here; the slope is that of the other side */
    bool has_low, has_high;
    double low, high;               /* the answer with the number turned */
    const char *low_winner, *high_winner; /* the strategy that is best then, "" while it stays */
    double error;                   /* standard error of the answer from this number's alone; 0 where unknown */
} ns_move;

typedef struct ns_sensitivity {
    size_t size;
    const ns_machine *machine;   /* or NULL */
    const char *title, *output;
    ns_dim dim;                  /* of the answer */
    double by, base;             /* base: the answer as it is */
    size_t moves;                /* numbers that move the answer, the widest first */
    double variance;             /* sum of the squared errors of the moves */
    double error;                /* standard error of the answer: alpha and beta of a line err together */
    bool of_exchange;            /* the answer is a strategy's estimate */
    int least_certain, steepest; /* moves: of the largest error; of the machine's, of the largest slope; -1: none */
} ns_sensitivity;

/* Of one curve of a closed set; curves and their machine are borrowed.  Seven evaluations a number. */
NS_API ns_status ns_sensitivity_of_curve(const ns_curves *curves, int curve, const ns_sensitivity_options *options,
                                         ns_sensitivity **sensitivity, ns_error *err);

/* Of the estimate of one strategy of an exchange: NAME, NAME/TRANSPORT, or the best (NULL).  The machine is borrowed;
 * the exchange is not needed afterwards.  A schedule is built anew only where the machine's shape changes; seven prices
 * of a schedule a number, and two of every strategy. */
NS_API ns_status ns_sensitivity_of_exchange(const ns_exchange *exchange, const ns_machine *machine,
                                            const char *strategy, const ns_price_options *price,
                                            const ns_sensitivity_options *options, ns_sensitivity **sensitivity,
                                            ns_error *err);
NS_API void ns_sensitivity_free(ns_sensitivity *sensitivity);
/* NULL past the last. */
NS_API const ns_move *ns_sensitivity_move(const ns_sensitivity *sensitivity, size_t index);

#ifdef __cplusplus
}
#endif
#endif
