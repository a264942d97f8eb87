/* queue.c -- max-rate and the search of the receive queue
 *
 *     max-rate + gamma n^2
 *
 * n: messages on that side.
 */
#include "price/forms/pay.h"

static const ns_form_row rows[] = {
    {NS_ROW_ALPHA("<locality>")}, {NS_ROW_BETA("<locality>")}, {NS_ROW_R_N}, {NS_ROW_GAMMA}, {.doc = NULL}};
static const char *const terms[] = {"off_node", "on_node", "queue", NULL};

const ns_form ns_form_queue = {
    .name = "queue",
    .title = "max-rate and the search of the receive queue",
    .source = "[11] of [NA]: Bienz, Gropp, Olson (EuroMPI 2018)",
    .rows = rows,
    .terms = terms,
    .rank = 3,
    .needs_queue = true,
    .rising = true,
    .price = ns_price_sides,
};
