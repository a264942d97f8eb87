/* test_drops.c -- prices that fall as messages grow are told, and none else: every machine, form and first size */
#include "api/library.h"
#include "support/machines.h"
#include "support/test.h"

typedef struct priced {
    double seconds;
    bool told; /* a drop at the size that is looked at */
    ns_price_drop drop;
} priced;

/* Two parts that send each other one message, on one node or on two. */
static priced price_of(const ns_machine *machine, const ns_form *form, ns_transport transport, int per_node,
                       int64_t bytes, double at)
{
    const ns_planned message[] = {{0, 1, bytes}, {1, 0, bytes}};
    const ns_strategy *standard = NULL;
    ns_exchange *x = NULL;
    ns_comparison *c = ns_calloc(1, sizeof *c);
    priced p = {.seconds = NAN};
    ck_assert(c != NULL && ns_strategy_get("standard", &standard, NULL) == NS_OK);
    ck_assert(ns_exchange_from_messages(message, 2, (ns_layout){2, per_node}, NULL, &x, NULL) == NS_OK);
    const ns_selection selection = {.strategy = &standard,
                                    .strategies = 1,
                                    .transports = 1u << transport,
                                    .price = {.form = form, .confidence = 0.9}};
    if (ns_compare_into(x, machine, &selection, c, NULL) == NS_OK) {
        p.seconds = c->choice[0].price.estimate_s;
        for (size_t i = 0; !p.told && ns_price_drop_at(machine, &c->choice[0], i, &p.drop); i++)
            p.told = p.drop.at == at;
    }
    ns_exchange_free(x);
    ns_free(c);
    return p;
}

/* A message of the first size and one a byte shorter: the price falls by more than 2 %, and that is told, with times
 * that fall; or it does not, and nothing is told.  Between the two nothing is claimed. */
static int check_size(const ns_machine *machine, const ns_form *form, ns_transport transport, int per_node, double at)
{
    const priced below = price_of(machine, form, transport, per_node, (int64_t)at - 1, at),
                 here = price_of(machine, form, transport, per_node, (int64_t)at, at);
    if (!(here.seconds > 0) || !(below.seconds > 0))
        return 0;
    ck_assert_msg(!below.told, "%s, %s, %s, %d a node: just below %g B", machine->name, form->name,
                  ns_transport_words[transport], per_node, at);
    if (here.seconds < 0.97 * below.seconds)
        ck_assert_msg(here.told, "%s, %s, %s, %d a node: %g B %g s, %g s before", machine->name, form->name,
                      ns_transport_words[transport], per_node, at, here.seconds, below.seconds);
    if (!here.told)
        return 0;
    ck_assert_msg(here.seconds < below.seconds, "%s, %s, %s, %d a node: %g B %g s, %g s before", machine->name,
                  form->name, ns_transport_words[transport], per_node, at, here.seconds, below.seconds);
    ck_assert_double_lt(here.drop.after_s, here.drop.before_s);
    ck_assert_double_eq(here.drop.message_bytes, at);
    return 1;
}

static int check_machine(const ns_machine *machine, const ns_form *form)
{
    int told = 0;
    for (int t = 0; t < NS_TRANSPORTS; t++)
        for (int l = 0; l < NS_LOCALITIES; l++)
            for (int p = 1; p < NS_PROTOCOLS; p++) {
                const ns_line *line = &machine->line[t == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST][l][p];
                if (line->given && line->from > 1)
                    told += check_size(machine, form, (ns_transport)t, l == NS_OFF_NODE ? 1 : 2, line->from);
            }
    return told;
}

TEST(told_where_prices_fall)
{
    const ns_form *list[NS_FORMS_MAX];
    const size_t forms = ns_forms_by_rank(list, NS_FORMS_MAX);
    int told = 0;
    for (const char *const *name = ns_machine_names(); *name != NULL; name++) {
        ns_machine *machine = machine_named(*name);
        for (size_t f = 0; f < forms; f++)
            told += !list[f]->rising ? 0 : /* the start-ups of direct hide, so that a line's fall may not show */
                        check_machine(machine, list[f]);
    }
    ck_assert_int_gt(told, 20);
}
