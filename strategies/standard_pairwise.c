/* standard_pairwise.c -- the messages of the standard exchange, with one partner at a time
 *
 * In round r of P - 1 each process sends to the process r ranks above it and receives from the one r ranks below it;
 * the next round begins when both have ended.  A process never has more than one message in flight.
 */
#include "schedule/strategy.h"

static const char *const forms[] = {"pairwise", NULL};

const ns_strategy ns_strategy_standard_pairwise = {
    .name = "standard/pairwise",
    .title = "the standard exchange in rounds, with one partner at a time",
    .source = "R. Thakur, R. Rabenseifner and W. Gropp, Optimization of collective communication operations in MPICH, "
              "IJHPCA 19(1), 2005",
    .rank = 6,
    .transports = 1u << NS_VIA_HOST | 1u << NS_VIA_DEVICE,
    .same_messages = true,
    .steps = ns_route_steps,
    .rule = &ns_route_rule,
    .forms = forms,
};
