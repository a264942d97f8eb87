/* contention.c -- max-rate, the receive queue and shared links
 *
 *     max-rate + gamma n^2 + delta l,    l = hops^3 S_all / (nodes / 2)
 *
 * S_all: bytes off node of the whole step; hops: their mean distance.
 */
#include "price/forms/pay.h"

static const ns_form_row rows[] = {{NS_ROW_ALPHA("<locality>")},
                                   {NS_ROW_BETA("<locality>")},
                                   {NS_ROW_R_N},
                                   {NS_ROW_GAMMA},
                                   {.path = {{"network.contention.delta", 0}},
                                    .unit = "ns/B",
                                    .doc = "contention: time per byte that shares the busiest link",
                                    .amount = "bytes that share links"},
                                   {.doc = NULL}};
static const char *const terms[] = {"off_node", "on_node", "queue", "contention", NULL};

const ns_form ns_form_contention = {
    .name = "contention",
    .title = "max-rate, the receive queue and shared links",
    .source = "[11] of [NA]: Bienz, Gropp, Olson (EuroMPI 2018)",
    .rows = rows,
    .terms = terms,
    .rank = 4,
    .needs_queue = true,
    .needs_total = true,
    .needs_hops = true,
    .rising = true,
    .price = ns_price_sides,
};
