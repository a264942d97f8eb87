/* test_belief.c -- how sure a machine's file makes a decision: its kappa and lambda, and when one is clear */
#include "pattern/exchange.h"
#include "price/choice.h"
#include "price/decision.h"
#include "support/machines.h"
#include "support/test.h"

static ns_belief of(const char *const *numbers)
{
    ns_machine *machine = machine_named("lassen-spectrum");
    for (; *numbers != NULL; numbers++)
        machine = machine_with(machine, *numbers);
    const ns_belief belief = ns_belief_of(machine, ns_form_of(machine, NULL));
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

TEST_EACH(the_less_sure_memory_decides, (int)(sizeof beliefs / sizeof *beliefs))
{
    const ns_belief belief = of(beliefs[_i].numbers);
    ck_assert_double_eq(belief.kappa, beliefs[_i].kappa);
    ck_assert_double_eq(belief.lambda, beliefs[_i].lambda);
    ck_assert_double_gt(belief.cases, 0);
}

/* A tie at 90 % is clear for somebody who wants less than its P(best), and is not at that very number and above. */
TEST(clear_is_at_the_confidence_asked_for)
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
}

static double doubt_among(const ns_belief *belief, const ns_strategy *first, const ns_strategy *second, double slower)
{
    const ns_way ways[] = {{0.0012, 0, 0}, {0.0012 * slower, 1, 0}};
    const ns_strategy *const of[] = {first, second};
    return ns_belief_doubt(belief, ways, of, 2);
}

/* A machine's own exchanges say nothing of the library's algorithm, nor do those of others of a way that was scored
 * nowhere; that matters as far as such a way may be the fastest. */
TEST(ways_that_nobody_scored_are_doubted)
{
    static const char *const nowhere[] = {NULL}, *const somewhere[] = {"dane", NULL};
    const ns_belief own = {.kappa = 3, .lambda = 1}, other = {.kappa = 3, .lambda = 1, .doubt = NS_DOUBT_DEFAULT};
    const ns_strategy *standard, *rounds, *library;
    ck_assert_int_eq(ns_strategy_get("standard", &standard, NULL), NS_OK);
    ck_assert_int_eq(ns_strategy_get("standard/pairwise", &rounds, NULL), NS_OK);
    ck_assert_int_eq(ns_strategy_get("library", &library, NULL), NS_OK);
    ns_strategy unscored = *standard, scored = *standard;
    unscored.scored_on = nowhere;
    scored.scored_on = somewhere;
    ck_assert_double_eq(doubt_among(&own, standard, rounds, 1), 0);
    ck_assert_double_eq(doubt_among(&own, standard, &scored, 1), 0);
    ck_assert_double_eq_tol(doubt_among(&own, standard, library, 1), NS_DOUBT_DEFAULT / 2, 1e-12);
    ck_assert_double_eq_tol(doubt_among(&own, standard, library, 2), NS_DOUBT_DEFAULT / (1 + 8), 1e-12);
    ck_assert_double_eq_tol(doubt_among(&own, standard, &unscored, 1), NS_DOUBT_UNSCORED / 2, 1e-12);
    ck_assert_double_eq(doubt_among(&other, standard, library, 1), NS_DOUBT_DEFAULT);
    ck_assert_double_eq_tol(doubt_among(&other, standard, &unscored, 1), (NS_DOUBT_DEFAULT + NS_DOUBT_UNSCORED) / 2,
                            1e-12);
}

/* Dane's file knows its rounds and two-step; its library is another matter. */
TEST(a_machine_doubts_what_it_did_not_measure)
{
    const char *const measured[] = {"standard/pairwise", "two-step"}, *const all[] = {"standard/pairwise", "library"};
    const char *const *const names[] = {measured, all};
    ns_machine *machine = machine_named("dane");
    ns_exchange *exchange;
    const ns_limits none = {0};
    ck_assert_int_eq(ns_exchange_alltoall((ns_layout){448, 112}, 2048, &none, &exchange, NULL), NS_OK);
    for (int i = 0; i < 2; i++) {
        ns_comparison c;
        const ns_strategy *of[2];
        for (int k = 0; k < 2; k++)
            ck_assert_int_eq(ns_strategy_get(names[i][k], &of[k], NULL), NS_OK);
        const ns_selection selection = {.strategy = of, .strategies = 2, .transports = 1u << NS_VIA_HOST};
        ck_assert_int_eq(ns_compare_into(exchange, machine, &selection, &c, NULL), NS_OK);
        ck_assert_double_eq(c.decision.doubt, c.belief.doubt);
        ck_assert(i == 0 ? c.decision.doubt == 0 : c.decision.doubt > 0.01 && c.decision.doubt < NS_DOUBT_DEFAULT);
    }
    ns_exchange_free(exchange);
}
