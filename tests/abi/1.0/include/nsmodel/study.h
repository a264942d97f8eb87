/* study.h of the first 1.0: its declarations */
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

NS_API bool ns_parameter_is_count(const ns_parameter *parameter);

NS_API double ns_parameter_turned(const ns_parameter *parameter, double factor);

NS_API ns_status ns_machine_turned(const ns_machine *machine, const ns_parameter *parameter, double factor,
                                   ns_machine **turned, ns_error *err);

NS_API ns_status ns_parameter_is_active(const ns_exchange *exchange, const ns_machine *machine,
                                        const ns_selection *selection, const ns_comparison *comparison,
                                        const ns_parameter *parameter, bool *active, ns_error *err);

typedef struct ns_term {
    size_t size;
    int depth;
    const char *name;
    const char *formula;
    bool has_value, counts;
    double value;
    ns_dim dim;
    bool has_amount;
    double amount;
    ns_dim amount_dim;
    const char *path;
    bool has_parameter;
    double parameter;
    ns_dim parameter_dim;
    const char *source;
    const char *warning;
    const ns_model *model;
} ns_term;

typedef struct ns_explanation {
    size_t size;
    size_t terms;
} ns_explanation;

NS_API ns_status ns_explanation_open(ns_explanation **explanation, ns_error *err);
NS_API void ns_explanation_free(ns_explanation *explanation);

NS_API ns_status ns_explain_comparison(ns_explanation *explanation, const ns_machine *machine,
                                       const ns_exchange *exchange, const ns_comparison *comparison, int i,
                                       ns_error *err);

NS_API ns_status ns_explain_binding(ns_explanation *explanation, const ns_binding *binding, ns_error *err);

NS_API const ns_term *ns_explanation_term(const ns_explanation *explanation, size_t index);

NS_API double ns_explanation_share(const ns_explanation *explanation, size_t index);

NS_API const char *ns_explain_origin(const ns_binding *binding, int input, char *text, size_t size);

NS_API const char *ns_explain_range(const ns_binding *binding, char *text, size_t size);

typedef struct ns_scenario {
    size_t size;
    double s;
    double messages;
    double nodes;
    double per_node;
    double duplicates;
} ns_scenario;

NS_API void ns_scenario_usual(ns_scenario *scenario);

NS_API ns_status ns_scenario_time(const ns_scenario *scenario, const ns_strategy *strategy, ns_transport transport,
                                  const ns_machine *machine, double *seconds, ns_error *err);

NS_API ns_status ns_scenario_exchange(const ns_scenario *scenario, const ns_machine *machine, ns_exchange **exchange,
                                      ns_error *err);

typedef struct ns_curves {
    size_t size;
    const ns_machine *machine;
    const char *output;
    ns_dim dim;
    int count;
    int strategies;
} ns_curves;

enum { NS_CURVES = 16 };

typedef struct ns_curve_info {
    size_t size;
    const char *label;
    const ns_strategy *strategy;
    ns_transport transport;
    const ns_model *model;
} ns_curve_info;

typedef struct ns_setting {
    const char *name;
    const char *word;
    double number;
} ns_setting;

NS_API ns_status ns_curves_open(const ns_machine *machine, const char *output, ns_curves **curves, ns_error *err);
NS_API void ns_curves_free(ns_curves *curves);

NS_API bool ns_is_assignment(const char *word);

NS_API bool ns_names_strategies(const char *word);

NS_API ns_status ns_curves_add(ns_curves *curves, const char *word, ns_error *err);

NS_API ns_status ns_curves_assign(ns_curves *curves, const char *assignment, ns_error *err);

NS_API ns_status ns_curves_close(ns_curves *curves, ns_error *err);

NS_API const ns_curve_info *ns_curves_at(const ns_curves *curves, int index);

NS_API const ns_scenario *ns_curves_scenario(const ns_curves *curves);

NS_API bool ns_curves_is_range(const ns_curves *curves, const char *assignment);

NS_API ns_status ns_scenario_comparison(const ns_scenario *scenario, const ns_curves *curves,
                                        ns_comparison **comparison, ns_error *err);

NS_API ns_status ns_curves_value(const ns_curves *curves, int curve, const ns_setting *setting, int settings,
                                 double *value, ns_error *err);

typedef struct ns_axis {
    size_t size;
    const char *name;
    ns_dim dim;
    const char *const *word;
    const double *number;
    size_t count;
} ns_axis;
NS_API ns_status ns_axis_open(const ns_curves *curves, const char *assignment, ns_axis **axis, ns_error *err);
NS_API void ns_axis_free(ns_axis *axis);
NS_API ns_setting ns_axis_setting(const ns_axis *axis, size_t index);

typedef void ns_study_watch(void *watcher, double done, double total);

struct ns_sweep;

typedef ns_status ns_sweep_receive(void *receiver, const struct ns_sweep *sweep, size_t first, size_t count,
                                   ns_error *err);

typedef struct ns_sweep_options {
    size_t size;
    ns_study_watch *watch;
    void *watcher;
    bool schedules;
    ns_sweep_receive *receive;
    void *receiver;
} ns_sweep_options;

enum { NS_AXES = 3 };

typedef struct ns_sweep {
    size_t size;
    const ns_curves *curves;
    int axes;
    const ns_axis *axis[NS_AXES];
    size_t points;
    size_t outputs;
    bool schedules;
} ns_sweep;

typedef struct ns_ranking {
    size_t size;
    int best, second;
    ns_verdict verdict;
} ns_ranking;

NS_API ns_status ns_sweep_run(const ns_curves *curves, const ns_axis *const *axis, int axes,
                              const ns_sweep_options *options, ns_sweep **sweep, ns_error *err);
NS_API void ns_sweep_free(ns_sweep *sweep);

NS_API size_t ns_sweep_point(const ns_sweep *sweep, const size_t *at);

NS_API double ns_sweep_value(const ns_sweep *sweep, size_t point, int curve);

NS_API double ns_sweep_p_best(const ns_sweep *sweep, size_t point, int curve);

NS_API double ns_sweep_output(const ns_sweep *sweep, size_t point, size_t index);
NS_API ns_status ns_sweep_rank(const ns_sweep *sweep, size_t point, ns_ranking *ranking, ns_error *err);

typedef enum ns_meeting {
    NS_MEET_CROSS,
    NS_MEET_JUMP,
    NS_MEET_JOIN,
    NS_MEET_PART
} ns_meeting;

typedef struct ns_crossing {
    size_t size;
    double x, value;
    int a, b;
    int below;
    ns_meeting meeting;
    bool changes_winner;
} ns_crossing;

typedef struct ns_reign_info {
    size_t size;
    double from, to;
    int winner;
    double at_from, at_to;
} ns_reign_info;

typedef struct ns_crossings {
    size_t size;
    const ns_curves *curves;
    double lo, hi;
    int reigns, crossings;
} ns_crossings;

NS_API ns_status ns_crossings_find(const ns_curves *curves, const char *over, double lo, double hi,
                                   ns_crossings **crossings, ns_error *err);
NS_API void ns_crossings_free(ns_crossings *crossings);

NS_API const ns_reign_info *ns_crossings_reign(const ns_crossings *crossings, int index);
NS_API const ns_crossing *ns_crossings_at(const ns_crossings *crossings, int index);

typedef struct ns_sensitivity_options {
    size_t size;
    double by;
    const char *name;
    ns_study_watch *watch;
    void *watcher;
} ns_sensitivity_options;

typedef struct ns_move {
    size_t size;
    const char *name;
    const ns_parameter *parameter;
    double value, se;
    ns_dim dim;
    const char *source;
    double slope;
    bool sloped;
    bool kink;
    bool jump;
    bool has_low, has_high;
    double low, high;
    const char *low_winner, *high_winner;
    double error;
} ns_move;

typedef struct ns_sensitivity {
    size_t size;
    const ns_machine *machine;
    const char *title, *output;
    ns_dim dim;
    double by, base;
    size_t moves;
    double variance;
    double error;
    bool of_exchange;
    int least_certain, steepest;
} ns_sensitivity;

NS_API ns_status ns_sensitivity_of_curve(const ns_curves *curves, int curve, const ns_sensitivity_options *options,
                                         ns_sensitivity **sensitivity, ns_error *err);

NS_API ns_status ns_sensitivity_of_exchange(const ns_exchange *exchange, const ns_machine *machine,
                                            const char *strategy, const ns_price_options *price,
                                            const ns_sensitivity_options *options, ns_sensitivity **sensitivity,
                                            ns_error *err);
NS_API void ns_sensitivity_free(ns_sensitivity *sensitivity);

NS_API const ns_move *ns_sensitivity_move(const ns_sensitivity *sensitivity, size_t index);

#ifdef __cplusplus
}
#endif
#endif
