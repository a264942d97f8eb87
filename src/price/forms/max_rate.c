/* max_rate.c -- start-ups and bytes by class, off node under the injection rate
 *
 *     sum_on (alpha + beta s) + sum_off alpha + max(sum_off beta s, S / R_N)
 *
 * The cost is the larger of sending and receiving; S: off-node bytes of the node on that side.
 */
#include "price/forms/pay.h"

static const ns_form_row rows[] = {
    {NS_ROW_ALPHA("<locality>")}, {NS_ROW_BETA("<locality>")}, {NS_ROW_R_N}, {.doc = NULL}};
static const char *const terms[] = {"off_node", "on_node", NULL};

const ns_form ns_form_max_rate = {
    .name = "max-rate",
    .title = "start-ups and bytes by class, off node under the injection rate",
    .source = "[NA] equation (2.2)",
    .rows = rows,
    .terms = terms,
    .rank = 2,
    .automatic = true,
    .rising = true,
    .price = ns_price_sides,
};
