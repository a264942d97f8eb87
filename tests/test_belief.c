/* test_belief.c -- how sure a machine's file makes a decision: its kappa and lambda, and when one is clear */
#include "core/memory.h"
#include "pattern/exchange.h"
#include "price/choice.h"
#include "price/decision.h"
#include "strategy/ways.h"
#include "support/machines.h"
#include "support/test.h"

#include <math.h>

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

static ns_way_of way(const char *name, ns_transport transport)
{
    ns_made_ways *made = test_keep(ns_malloc(sizeof *made));
    const ns_strategy *of;
    size_t count;
    made->count = 0;
    ck_assert_int_eq(ns_ways_named(made, name, &of, 1, &count, NULL), NS_OK);
    return (ns_way_of){of, transport};
}

static double doubt_among(const ns_belief *belief, const ns_machine *machine, const char *const names[2], double slower)
{
    const ns_way ways[] = {{0.0012, 0, 0}, {0.0012 * slower, 1, 0}};
    const ns_way_of of[] = {way(names[0], NS_VIA_HOST), way(names[1], NS_VIA_HOST)};
    return ns_belief_doubt(belief, machine, ways, of, 2);
}

/* A machine's own exchanges say nothing of the library's algorithm, nor of ways that they were not done in; that
 * matters as far as such a way may be the fastest. */
TEST(ways_that_were_not_measured_are_doubted)
{
    static const char *const rounds[] = {"standard", "standard/pairwise"}, *const library[] = {"standard", "library"},
                             *const grid[] = {"standard", "staged:4x4"};
    ns_machine *dane = machine_named("dane"), *silent = machine_named("dane");
    const ns_belief own = ns_belief_of(dane, ns_form_of(dane, NULL));
    silent->ways[NS_HOST] = NULL; /* as files were written before */
    ck_assert_double_eq(own.doubt, 0);
    ck_assert_double_eq(doubt_among(&own, dane, rounds, 1), 0);
    const double of_library = ns_way_doubt(&own, dane, way("library", NS_VIA_HOST)),
                 of_grid = ns_way_doubt(&own, dane, way("staged:4x4", NS_VIA_HOST));
    ck_assert(of_library >= NS_DOUBT_DEFAULT && of_grid > 0.25);
    ck_assert_double_eq_tol(doubt_among(&own, dane, library, 1), of_library / 2, 1e-12);
    ck_assert_double_eq_tol(doubt_among(&own, dane, library, 2), of_library / (1 + pow(2, own.kappa)), 1e-12);
    ck_assert_double_eq_tol(doubt_among(&own, dane, grid, 1), of_grid / 2, 1e-12);
    ck_assert_double_eq(ns_way_doubt(&own, silent, way("staged:4x4", NS_VIA_HOST)), 0);
    ck_assert_double_eq(ns_way_doubt(&own, silent, way("library", NS_VIA_HOST)), NS_DOUBT_DEFAULT);
}

/* By hand, of a machine without exchanges: the way's scores, their weights by kind, and what that makes. */
static const struct {
    const char *numbers[3]; /* beside bluewaters' 16 processes, no GPUs, 2.27 us, 0.324 ns/B */
    const char *way;
    ns_transport transport;
    double right, wrong; /* weights of machines where it was right, where it was wrong */
} doubted[] = {
    /* three-step: right on bluewaters, wrong on lassen: GPUs, 40 processes, a byte is four times as fast */
    {{"host.on-node.short.alpha=1us", NULL}, "three-step", NS_VIA_HOST, 1, 0.125},
    {{"topology.host_processes=32", NULL}, "three-step", NS_VIA_HOST, 1, 0.25},
    {{"topology.host_processes=33", NULL}, "three-step", NS_VIA_HOST, 0.5, 0.25},
    {{"topology.host_processes=40", "host.off-node.rendezvous.beta=0.1ns/B", NULL},
     "three-step",
     NS_VIA_HOST,
     0.25,
     0.5},
    /* by groups: on dane, deltaAI, tuolumne, nowhere else; two-step:4 and two-step:8 are one */
    {{"topology.host_processes=64", NULL}, "two-step:4", NS_VIA_HOST, 1.25, 0},
    {{"topology.host_processes=64", NULL}, "two-step:8", NS_VIA_HOST, 1.25, 0},
    {{"topology.host_processes=64", NULL}, "three-step:4", NS_VIA_HOST, 0, 0},
    {{"topology.host_processes=64", NULL}, "two-step", NS_VIA_DEVICE, 0, 0},
};

TEST_EACH(scores_tell_machines_of_their_kind, (int)(sizeof doubted / sizeof *doubted))
{
    ns_machine *machine = machine_named("bluewaters");
    for (const char *const *number = doubted[_i].numbers; *number != NULL; number++)
        machine = machine_with(machine, *number);
    const ns_belief other = {.kappa = NS_KAPPA_RIGHT, .lambda = 1, .doubt = NS_DOUBT_DEFAULT};
    const double weight = NS_DOUBT_UNSCORED_WEIGHT, right = doubted[_i].right, wrong = doubted[_i].wrong;
    ck_assert_double_eq_tol(ns_way_doubt(&other, machine, way(doubted[_i].way, doubted[_i].transport)),
                            (weight * NS_DOUBT_UNSCORED + wrong) / (weight + right + wrong), 1e-12);
}

/* The network's own way keeps the belief's, and a way that is named by nobody is scored nowhere. */
TEST(where_ways_were_scored)
{
    ns_machine *machine = machine_named("bluewaters");
    const ns_belief other = {.kappa = NS_KAPPA_RIGHT, .lambda = 1, .doubt = 0.35};
    ck_assert_double_eq(ns_way_doubt(&other, machine, way("standard", NS_VIA_NIC)), 0.35);
    ck_assert_str_eq(ns_scored_on(way("split-dd", NS_VIA_HOST), 0), "lassen");
    ck_assert_ptr_null(ns_scored_on(way("split-dd", NS_VIA_HOST), 1));
    ck_assert_ptr_null(ns_scored_on(way("split-md", NS_VIA_HOST), 0));
    ck_assert_str_eq(ns_scored_on(way("staged:2x2x4", NS_VIA_HOST), 0), "daint");
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
        ck_assert(i == 0 ? c.decision.doubt == 0 : c.decision.doubt > 0.01 && c.decision.doubt < NS_DOUBT_UNSCORED);
    }
    ns_exchange_free(exchange);
}

/* Nor is a way's time known as well as those that were measured. */
TEST(intervals_of_ways_that_were_not_measured)
{
    static const struct {
        const char *name;
        double least, most;
    } ways[] = {{"standard", 0, 0.5}, {"three-step", 0, 0.5}, {"two-step", 0.8, 1}};
    ns_machine *machine = machine_named("bluewaters");
    ns_exchange *exchange;
    ck_assert_int_eq(ns_exchange_alltoall((ns_layout){32, 16}, 2048, NULL, &exchange, NULL), NS_OK);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const ns_strategy *of = way(ways[i].name, NS_VIA_HOST).strategy;
        const ns_selection selection = {.strategy = &of, .strategies = 1, .price = {.confidence = NS_CONFIDENCE}};
        ns_comparison c;
        ck_assert_int_eq(ns_compare_into(exchange, machine, &selection, &c, NULL), NS_OK);
        ck_assert_double_ge(c.choice[0].price.log2_error, ways[i].least);
        ck_assert_double_le(c.choice[0].price.log2_error, ways[i].most);
    }
    ns_exchange_free(exchange);
}
