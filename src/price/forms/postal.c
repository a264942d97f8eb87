/* postal.c -- every message with the off-node line of its protocol
 *
 *     sum (alpha + beta s)
 */
#include "price/forms/pay.h"

static const ns_form_row rows[] = {{NS_ROW_ALPHA("off-node")}, {NS_ROW_BETA("off-node")}, {.doc = NULL}};
static const char *const terms[] = {"off_node", "on_node", NULL};

const ns_form ns_form_postal = {
    .name = "postal",
    .title = "every message with the off-node line of its protocol",
    .source = "[NA] equation (2.1)",
    .rows = rows,
    .terms = terms,
    .rank = 1,
    .one_table = true,
    .rising = true,
    .price = ns_price_sides,
};
