/* cost.h -- from the loads of processes to a price: the sum of steps and copies, and the interval */
#ifndef NS_PRICE_COST_H
#define NS_PRICE_COST_H

#include "price/choice.h"

/* ---- price.c: what becomes of priced steps ----------------------------------------------------------------------- */

/* Bytes of a step that leave their node, and the same times their hops, in two parts so that it is exact. */
typedef struct ns_hop_bytes {
    int64_t bytes, high, low;
} ns_hop_bytes;

/* Side of the cube that nodes are numbered along. */
int32_t ns_cube_side(int32_t nodes);
void ns_hop_bytes_add(ns_hop_bytes *sum, int32_t side, int32_t from_node, int32_t to_node, int64_t bytes);
/* Bytes that cross the busiest link. */
double ns_link_bytes(const ns_hop_bytes *sum, int32_t nodes);

/* How many terms a cost model has. */
int ns_form_terms(const ns_form *form);

ns_status ns_refuse_no_table(const ns_machine *machine, ns_memory memory, ns_locality line, ns_error *err);

/* What a strategy pays beside its steps. */
typedef struct ns_copying {
    const ns_strategy *strategy;
    const ns_machine *machine;
    int32_t holders;                   /* processes that share a part's data */
    bool staged;                       /* the copies below are paid */
    int64_t copies[NS_DIRECTIONS];     /* how many */
    int64_t copy_bytes[NS_DIRECTIONS]; /* the most of one */
    int64_t copy_least[NS_DIRECTIONS]; /* the least of one, where there are any */
} ns_copying;

/* Which process decides a step: the one that takes longest; and, where a floor hides what moves bytes, also the one
 * that takes longest without them.  The slower set of these decides the exchange. */
enum { NS_BY_TIME, NS_BY_WAITING, NS_MAXIMA };

static inline int ns_maxima_of(const ns_form_values *values)
{
    return values->hides ? NS_MAXIMA : 1;
}

/* What of a load, the sum of whose terms is `seconds`, is compared. */
static inline double ns_compared_seconds(int maximum, double seconds, const ns_step_price *step)
{
    return maximum == NS_BY_WAITING ? step->waits_s : seconds;
}

/* The rest of a price whose steps are priced; all else of it is 0.  waiting: the steps by the processes that take
 * longest without their bytes, or NULL. */
ns_status ns_price_finish(const ns_copying *copying, const ns_form_values *values, double confidence,
                          ns_step_price *waiting, ns_price *price, ns_error *err);
/* Only its estimate_s: of the steps, their processes, terms and bytes_s are wanted. */
ns_status ns_price_add_up(const ns_copying *copying, const ns_form_values *values, ns_step_price *waiting,
                          ns_price *price, ns_error *err);

/* ---- interval.c -------------------------------------------------------------------------------------------------- */

/* Variance of a alpha + b beta, the errors of alpha and beta correlated. */
double ns_line_variance(double a, double alpha_se, double b, double beta_se, double correlation);

/* Sum the steps and copies into the estimate and its terms, and add what was learnt of the strategy.  waiting: other
 * steps, which count instead where they take longer with what stands beside the steps; or NULL. */
void ns_price_sum(const ns_form_values *values, const ns_strategy *strategy, double later, ns_step_price *waiting,
                  ns_price *price);

/* The same, then the interval at a confidence: parameters' errors are independent of each other,
 * but for alpha and beta of a line, and of the form's own.  later: steps after the first.  variance: of what the
 * steps do not hold (copies), s^2. */
void ns_price_close(const ns_form_values *values, const ns_strategy *strategy, double later, double confidence,
                    double variance, ns_step_price *waiting, ns_price *price);

/* Largest mean size of a class, of what a process sends or receives. */
void ns_note_sizes(const ns_load *load, ns_step_price *step);
/* Messages and bytes of all classes that a process sends or receives, the more. */
void ns_load_sums(const ns_load *load, double *messages, double *bytes);

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
