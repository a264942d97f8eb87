/* tolls.c -- a form for tests/test_additions.c: a process pays for what it sends and for what it receives
 *
 *     sum_out (alpha + beta s) + sum_in (alpha + beta s)
 */
#include "price/forms/pay.h"

enum { ALPHA, BETA };
enum { GATES, ROAD };

static const ns_form_row rows[] = {{NS_ROW_ALPHA("<locality>")}, {NS_ROW_BETA("<locality>")}, {.doc = NULL}};
static const char *const terms[] = {"gates", "road", NULL};

static void price(const ns_form_values *values, const ns_load *load, bool amounts, ns_step_price *step)
{
    const ns_payer payer = {values, load, step, amounts};
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            const double messages = load->out[l][p].messages + load->in[l][p].messages,
                         bytes = load->out[l][p].bytes + load->in[l][p].bytes;
            ns_paid_for(&payer, l, p, messages, bytes);
            step->term[GATES] += ns_pay_class(&payer, ALPHA, l, p, messages);
            step->term[ROAD] += ns_pay_class(&payer, BETA, l, p, bytes);
        }
    step->bytes_s = step->term[ROAD];
}

const ns_form ns_form_tolls = {
    .name = "tolls",
    .title = "what is sent and what is received, one after the other",
    .source = "tests/test_additions.c",
    .rows = rows,
    .terms = terms,
    .rank = 91,
    .price = price,
};
