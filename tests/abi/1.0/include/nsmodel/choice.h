/* choice.h of the first 1.0: its declarations */
#ifndef NSMODEL_CHOICE_H
#define NSMODEL_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nsmodel/exchange.h>
#include <nsmodel/machine.h>
#include <nsmodel/price.h>
#include <nsmodel/status.h>
#include <nsmodel/strategy.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_selection ns_selection;
NS_API ns_status ns_selection_open(ns_selection **selection, ns_error *err);
NS_API void ns_selection_free(ns_selection *selection);

NS_API ns_status ns_selection_add(ns_selection *selection, const char *name, ns_error *err);

NS_API ns_status ns_selection_transports(ns_selection *selection, unsigned transports, ns_error *err);
NS_API ns_status ns_selection_price(ns_selection *selection, const ns_price_options *options, ns_error *err);

NS_API ns_status ns_selection_incumbent(ns_selection *selection, const char *name, ns_transport transport,
                                        ns_error *err);

typedef struct ns_comparison ns_comparison;

NS_API ns_status ns_compare(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                            ns_comparison **comparison, ns_error *err);
NS_API void ns_comparison_free(ns_comparison *comparison);

NS_API int ns_comparison_choices(const ns_comparison *comparison);
NS_API int ns_comparison_best(const ns_comparison *comparison);

typedef struct ns_choice_info {
    size_t size;
    const ns_strategy *strategy;
    const char *name;
    ns_transport transport;
    const ns_form *form;
    double estimate_s, lo_s, hi_s;
    double term_s[NS_TERMS], copy_s;
    double published_s, corrected_s;
    int64_t messages_off_node_max;
    double p_best;
    bool best, incumbent;
    bool shortlisted;
    bool ruled_out;
    bool extrapolated;
} ns_choice_info;

NS_API ns_status ns_comparison_choice(const ns_comparison *comparison, int i, ns_choice_info *info, ns_error *err);

typedef enum ns_verdict { NS_CLEAR, NS_TIE, NS_EXTRAPOLATED, NS_UNDECIDED } ns_verdict;

typedef struct ns_decision_info {
    size_t size;
    ns_verdict verdict;
    int best;
    double p_best;
    double loss_q50, loss_q90;
    double expected_ln_loss;
    int shortlisted;
    double shortlist_p;
    double kappa, lambda;
} ns_decision_info;
NS_API ns_status ns_comparison_decision(const ns_comparison *comparison, ns_decision_info *info, ns_error *err);

NS_API int ns_comparison_shortlisted(const ns_comparison *comparison, int rank);

typedef struct ns_gain_info {
    size_t size;
    int incumbent;
    double p_better;
    double q10, q50, q90;
    double regret;
} ns_gain_info;

NS_API ns_status ns_comparison_gain(const ns_comparison *comparison, ns_gain_info *info, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
