/* cost.h -- the cost function: a form's parameters on a machine, and the seconds of what one process sends and receives
 */
#ifndef NS_PRICE_COST_H
#define NS_PRICE_COST_H

#include <nsmodel/strategy.h>

/* A value with its standard error. */
typedef struct ns_rate {
    double value, se;
} ns_rate;

/* The parameters that a form takes from a machine, for one memory. */
typedef struct ns_cost {
    ns_form form;
    ns_rate alpha[NS_LOCALITIES][NS_PROTOCOLS], beta[NS_LOCALITIES][NS_PROTOCOLS];
    double correlation[NS_LOCALITIES][NS_PROTOCOLS]; /* of the errors of alpha and beta of a line */
    double to[NS_LOCALITIES];         /* largest size that any line was fitted to; 0 unknown */
    ns_rate inverse_rate;             /* of the node's off-node bytes */
    bool both_sides;                  /* full: both sides of a process at once */
    bool both_ends, both_ways, steps; /* the full form's terms */
    bool rate_replaces;               /* the node's rate stands for sum beta s, not beside it */
    ns_rate gamma, delta;
    double error, error_between; /* of log2 */
} ns_cost;

void ns_cost_make(const ns_machine *machine, ns_memory memory, const ns_price_options *options, ns_cost *cost);

/* Fill the seconds of a side from its loads, node bytes, queue and link bytes.  limited: bytes off node that the node's
 * rate is compared with, by protocol; NULL for all of them. */
void ns_cost_side(const ns_cost *cost, const bool *limited, ns_step_price *side);

double ns_step_seconds(const ns_step_price *step);

/* Variance of a alpha + b beta, the errors of alpha and beta correlated. */
double ns_line_variance(double a, double alpha_se, double b, double beta_se, double correlation);

/* Sum the steps into the price, then the interval at a confidence: parameters' errors are independent of each other,
 * but for alpha and beta of a line, and of the form's own.  variance: of what the steps do not hold (copies), s^2. */
void ns_price_close(const ns_cost *cost, double confidence, double variance, ns_price *price);

/* Refuse a form that is none, and a confidence that is no share: 0 means NS_CONFIDENCE. */
ns_status ns_price_options_check(const ns_price_options *options, ns_error *err);
ns_status ns_confidence_check(double confidence, ns_error *err);

/* Half width, in standard deviations, of the two-sided normal interval at a confidence between 0 and 1. */
double ns_normal_width(double confidence);

#endif
