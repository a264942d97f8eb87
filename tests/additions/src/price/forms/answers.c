/* answers.c -- a form for tests/test_additions.c with a quantity of its own: messages that have an answer
 *
 *     alpha min(n_out, n_in) + sum_out beta s
 */
#include "price/forms/pay.h"

enum { ALPHA, BETA };
enum { ANSWERED, ROAD };

static const ns_form_row rows[] = {{.path = {{"<memory>.off-node.eager.alpha", 0}},
                                    .unit = "us",
                                    .doc = "start-up of a message that has an answer",
                                    .amount = "answered messages"},
                                   {NS_ROW_BETA("<locality>")},
                                   {.doc = NULL}};
static const char *const terms[] = {"answered", "road", NULL};

static void price(const ns_form_values *values, const ns_load *load, bool amounts, ns_step_price *step)
{
    const ns_payer payer = {values, load, step, amounts};
    step->term[ANSWERED] = ns_pay(&payer, ALPHA, load->answered);
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            ns_paid_for(&payer, l, p, load->out[l][p].messages, load->out[l][p].bytes);
            step->term[ROAD] += ns_pay_class(&payer, BETA, l, p, load->out[l][p].bytes);
        }
    step->bytes_s = step->term[ROAD];
}

const ns_form ns_form_answers = {
    .name = "answers",
    .title = "a start-up for each message that has an answer",
    .source = "tests/test_additions.c",
    .rows = rows,
    .terms = terms,
    .rank = 90,
    .price = price,
};
