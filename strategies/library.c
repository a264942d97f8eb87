/* library.c -- the exchange by the MPI library's own collective, MPI_Alltoallv
 *
 * The messages that it sends are not known.  Libraries choose among all messages at once, rounds of pairs and, for
 * short dense exchanges, Bruck's combined messages.  Up to 256 B per pair Bruck's algorithm is assumed, as in MPICH;
 * beyond that, the price of the fastest of these algorithms is the estimate.
 */
#include "schedule/strategy.h"

static const char *const forms[] = {"", "pairwise", "bruck", NULL};

const ns_strategy ns_strategy_library = {
    .name = "library",
    .title = "the MPI library's own all-to-all, by whatever algorithm it chooses",
    .source = "R. Thakur, R. Rabenseifner and W. Gropp, Optimization of collective communication operations in MPICH, "
              "IJHPCA 19(1), 2005",
    .rank = 7,
    .transports = 1u << NS_VIA_HOST | 1u << NS_VIA_DEVICE,
    .same_messages = true,
    .steps = ns_route_steps,
    .rule = &ns_route_rule, /* for what it delivers */
    .forms = forms,
};
