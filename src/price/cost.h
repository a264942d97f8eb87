/* cost.h -- from loads to a price: the slowest process of a step, the sum of steps, and the interval */
#ifndef NS_PRICE_COST_H
#define NS_PRICE_COST_H

#include "price/choice.h"

/* Variance of a alpha + b beta, the errors of alpha and beta correlated. */
double ns_line_variance(double a, double alpha_se, double b, double beta_se, double correlation);

/* Sum the steps and copies into the estimate and its terms.  waiting: other steps, which count instead where they take
 * longer with what stands beside the steps; or NULL. */
void ns_price_sum(const ns_form_values *values, double later, ns_step_price *waiting, ns_price *price);

/* The same, then the interval at a confidence: parameters' errors are independent of each other,
 * but for alpha and beta of a line, and of the form's own.  later: steps after the first.  variance: of what the
 * steps do not hold (copies), s^2. */
void ns_price_close(const ns_form_values *values, double later, double confidence, double variance,
                    ns_step_price *waiting, ns_price *price);

/* Largest mean size of a class, of what a process sends or receives. */
void ns_note_sizes(const ns_load *load, ns_step_price *step);

/* Refuse a confidence that is no share: 0 means NS_CONFIDENCE.  The first reads a caller's options; NULL: all 0. */
ns_status ns_price_options_take(const ns_price_options *options, ns_price_options *to, ns_error *err);
ns_status ns_confidence_check(double confidence, ns_error *err);

/* Half width, in standard deviations, of the two-sided normal interval at a confidence between 0 and 1. */
double ns_normal_width(double confidence);

/* Between nodes a transport wants its memory's table.  What lacks it is left out where the other transport of the
 * selection (NULL: all) has one; else the price says what is missing. */
bool ns_transport_crosses(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                          ns_transport transport);

/* What a strategy's errors are shared with: its nest, or its own name. */
const char *ns_strategy_nest(const ns_strategy *strategy);

/* Which choices of an exchange send the very same messages as an earlier one: their `same`. */
void ns_comparison_find_same(const ns_exchange *exchange, const ns_machine *machine, ns_comparison *comparison);

/* From prices to the best, how sure it is, and what it gains over the incumbent. */
ns_status ns_comparison_choose(const ns_machine *machine, const ns_selection *selection,
                               const ns_price_options *options, ns_comparison *comparison, ns_error *err);
/* The same with another belief than the machine's. */
ns_status ns_comparison_choose_by(const ns_belief *belief, const ns_selection *selection,
                                  const ns_price_options *options, ns_comparison *comparison, ns_error *err);

#endif
