/* test_belief.c -- how sure a machine's file makes a decision: its kappa and lambda, and when one is clear */
#include "pattern/exchange.h"
#include "price/choice.h"
#include "price/decision.h"
#include "support/machines.h"

#include <check.h>

static ns_belief of(const char *const *numbers)
{
    ns_machine *machine = machine_named("lassen-spectrum");
    for (; *numbers != NULL; numbers++)
        machine = machine_with(machine, *numbers);
    const ns_belief belief = ns_belief_of(machine, ns_form_of(machine, NULL));
    ns_machine_free(machine);
    return belief;
}

/* The memory that is less sure decides, with its own lambda; one that no law has is 1. */
static const struct {
    const char *numbers[5];
    double kappa, lambda;
} beliefs[] = {
    {{"host.choice.kappa=2", "device.choice.kappa=5", "host.choice.lambda=0.5", "device.choice.lambda=0.25", NULL},
     2,
     0.5},
    {{"host.choice.kappa=5", "device.choice.kappa=2", "host.choice.lambda=0.5", "device.choice.lambda=0.25", NULL},
     2,
     0.25},
    {{"host.choice.kappa=2", "device.choice.kappa=5", "host.choice.lambda=1", NULL}, 2, 1},
};

START_TEST(the_less_sure_memory_decides)
{
    const ns_belief belief = of(beliefs[_i].numbers);
    ck_assert_double_eq(belief.kappa, beliefs[_i].kappa);
    ck_assert_double_eq(belief.lambda, beliefs[_i].lambda);
    ck_assert_double_gt(belief.cases, 0);
}
END_TEST

/* A tie at 90 % is clear for somebody who wants less than its P(best), and is not at that very number and above. */
START_TEST(clear_is_at_the_confidence_asked_for)
{
    const ns_planned plan[] = {{0, 4, 8192}, {1, 5, 8192}, {2, 6, 512}, {3, 7, 65536}};
    ns_machine *machine = machine_named("lassen-spectrum");
    ns_exchange *exchange;
    ns_comparison c;
    ck_assert_int_eq(ns_exchange_from_messages(plan, 4, (ns_layout){8, 4}, NULL, &exchange, NULL), NS_OK);
    ck_assert_int_eq(ns_compare_into(exchange, machine, NULL, &c, NULL), NS_OK);
    const double p = c.decision.p_best[c.best];
    ck_assert_int_eq(c.verdict, NS_TIE);
    ck_assert(p > 0.1 && p < NS_CONFIDENCE);
    const double confidence[] = {p * 0.99, p, p * 1.01};
    for (int i = 0; i < 3; i++) {
        const ns_price_options options = {.confidence = confidence[i]};
        const ns_selection selection = {.price = options};
        ck_assert_int_eq(ns_compare_into(exchange, machine, &selection, &c, NULL), NS_OK);
        ck_assert_int_eq(c.verdict, i < 2 ? NS_CLEAR : NS_TIE);
    }
    ns_exchange_free(exchange);
    ns_machine_free(machine);
}
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("belief");
    TCase *t = tcase_create("of a machine");
    tcase_add_loop_test(t, the_less_sure_memory_decides, 0, (int)(sizeof beliefs / sizeof *beliefs));
    tcase_add_test(t, clear_is_at_the_confidence_asked_for);
    suite_add_tcase(s, t);
    return s;
}
