/* test_annealing.c -- annealed placements: the best of all where these can be tried, never slower than what stood, the
 * same for the same seed */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "api/library.h"

#include "oracle/oracle.h"
#include "support/machines.h"

static ns_graph *ring(int32_t parts, int64_t bytes)
{
    ns_planned *message = ns_malloc(2 * (size_t)parts * sizeof *message);
    ns_graph *graph = NULL;
    for (int32_t p = 0; p < parts; p++) {
        message[2 * p] = (ns_planned){p, (p + 1) % parts, bytes};
        message[2 * p + 1] = (ns_planned){(p + 1) % parts, p, bytes};
    }
    ck_assert(ns_graph_from_messages(message, 2 * (size_t)parts, parts, NULL, &graph, NULL) == NS_OK);
    ns_free(message);
    return graph;
}

static ns_placer *placer_of(const ns_graph *graph, int32_t nodes, const ns_machine *machine)
{
    ns_placer *placer = NULL;
    ns_error err = {0};
    ck_assert_msg(ns_placer_open(graph, nodes, machine, NULL, NULL, &placer, &err) == NS_OK, "%s", err.text);
    return placer;
}

static double least(const double *seconds, int choices)
{
    double best = seconds[0];
    for (int i = 1; i < choices; i++)
        best = seconds[i] < best ? seconds[i] : best;
    return best;
}

/* All placements of so few parts, with so many places a node. */
static double brute_force(ns_placer *placer, int32_t parts, int32_t nodes, int32_t per_node)
{
    int32_t node_of[16] = {0};
    double best = -1, seconds[NS_CHOICES];
    for (int32_t at = 0; at < parts;) {
        int32_t size[16] = {0};
        bool fits = true;
        for (int32_t p = 0; p < parts; p++)
            fits = ++size[node_of[p]] <= per_node && fits;
        if (fits) {
            ck_assert(ns_placer_batch(placer, node_of, 1, seconds, NULL) == NS_OK);
            const double one = least(seconds, ns_placer_choices(placer));
            best = best < 0 || one < best ? one : best;
        }
        for (at = 0; at < parts && ++node_of[at] == nodes; at++)
            node_of[at] = 0;
    }
    return best;
}

/* A pattern with weights, its parts numbered at random, so that blocks are far from the best. */
static ns_graph *shuffled(uint64_t seed, int32_t parts)
{
    oracle_random random = {seed};
    ns_planned message[64];
    ns_graph *graph = NULL;
    for (int i = 0; i < 64; i++) {
        const int32_t from = (int32_t)oracle_below(&random, parts),
                      to = (from + 1 + (int32_t)oracle_below(&random, parts - 1)) % parts;
        message[i] = (ns_planned){from, to, 1 + oracle_below(&random, INT64_C(1) << oracle_below(&random, 20))};
    }
    ck_assert(ns_graph_from_messages(message, 24, parts, NULL, &graph, NULL) == NS_OK);
    return graph;
}

START_TEST(annealed_is_optimal)
{
    enum { PARTS = 8, NODES = 3, PER_NODE = 3 };
    static const char *const machine_name[] = {"lassen", "dane"};
    ns_machine *machine = machine_named(machine_name[_i % 2]);
    ns_graph *graph = shuffled((uint64_t)_i + 31, PARTS);
    ns_placer *placer = placer_of(graph, NODES, machine);
    double seconds[NS_CHOICES], again[NS_CHOICES];
    const double best = brute_force(placer, PARTS, NODES, PER_NODE);
    int32_t blocks[PARTS], found[PARTS];
    ns_place_blocks(PARTS, NODES, blocks);
    for (int i = 0; i < 2; i++) { /* twice the same */
        const ns_anneal_options options = {.seed = 7, .per_node = PER_NODE};
        ck_assert(ns_placer_put(placer, blocks, NULL) == NS_OK);
        ck_assert(ns_placer_anneal(placer, &options, i == 0 ? seconds : again, NULL) == NS_OK);
        if (i == 1)
            ck_assert_int_eq(memcmp(found, ns_placer_node_of(placer), sizeof found), 0);
        memcpy(found, ns_placer_node_of(placer), sizeof found);
    }
    ck_assert_double_eq(least(seconds, ns_placer_choices(placer)), best);
    for (int32_t node = 0; node < NODES; node++)
        ck_assert_int_le(ns_placer_size(placer, node), PER_NODE);
    ns_placer_free(placer);
    ns_graph_free(graph);
    ns_machine_free(machine);
}
END_TEST

static void count_calls(void *context, int64_t done, int64_t all)
{
    ck_assert_int_lt(done, all);
    ++*(int *)context;
}

/* However few its tries, it is no slower than what stood; and a ring that was dealt round is put together again. */
START_TEST(annealed_is_never_worse)
{
    enum { PARTS = 32, NODES = 8 };
    ns_machine *machine = machine_named("lassen");
    ns_graph *graph = ring(PARTS, 100000);
    ns_placer *placer = placer_of(graph, NODES, machine);
    int32_t cyclic[PARTS], blocks[PARTS];
    double before[NS_CHOICES], after[NS_CHOICES], ideal[NS_CHOICES];
    const int choices = ns_placer_choices(placer);
    int calls = 0;
    ns_place_cyclic(PARTS, NODES, cyclic);
    ns_place_blocks(PARTS, NODES, blocks);
    ck_assert(ns_placer_batch(placer, blocks, 1, ideal, NULL) == NS_OK);
    ck_assert(ns_placer_batch(placer, cyclic, 1, before, NULL) == NS_OK);
    ck_assert_double_lt(least(ideal, choices), 0.8 * least(before, choices));
    for (int64_t tries = 1; tries <= 4096; tries *= 8) {
        const ns_anneal_options options = {
            .seed = 1, .tries = tries, .per_node = 4, .watch = count_calls, .context = &calls};
        ck_assert(ns_placer_put(placer, cyclic, NULL) == NS_OK);
        ck_assert(ns_placer_anneal(placer, &options, after, NULL) == NS_OK);
        ck_assert_double_le(least(after, choices), least(before, choices));
    }
    ck_assert_int_gt(calls, 16);
    ck_assert_double_le(least(after, choices), 1.1 * least(ideal, choices));
    ns_placer_free(placer);
    ns_graph_free(graph);
    ns_machine_free(machine);
}
END_TEST

/* Nodes of 4, 3, 1 and 1 places, all taken: parts only change places, and the best of all such ways is found. */
START_TEST(nodes_differ)
{
    enum { PARTS = 9, NODES = 4 };
    static const int32_t room[NODES] = {4, 3, 1, 1}, first[PARTS] = {0, 1, 2, 3, 0, 1, 0, 1, 0};
    ns_machine *machine = machine_named("dane");
    ns_graph *graph = ring(PARTS, 100000);
    ns_placer *placer = placer_of(graph, NODES, machine);
    double before[NS_CHOICES], after[NS_CHOICES];
    const int choices = ns_placer_choices(placer);
    const ns_anneal_options options = {.seed = 5, .room = room};
    ck_assert(ns_placer_batch(placer, first, 1, before, NULL) == NS_OK);
    ck_assert(ns_placer_anneal(placer, &options, after, NULL) == NS_OK);
    for (int32_t node = 0; node < NODES; node++)
        ck_assert_int_eq(ns_placer_size(placer, node), room[node]);
    ck_assert_double_lt(least(after, choices), least(before, choices));
    int cuts = 0; /* a ring in four pieces: no fewer cuts are possible */
    for (int32_t q = 0; q < PARTS; q++)
        cuts += ns_placer_node_of(placer)[q] != ns_placer_node_of(placer)[(q + 1) % PARTS];
    ck_assert_int_eq(cuts, 4);
    ns_placer_free(placer);
    ns_graph_free(graph);
    ns_machine_free(machine);
}
END_TEST

/* Fewer parts than nodes, and one node. */
START_TEST(few_parts)
{
    ns_machine *machine = machine_named("lassen");
    ns_graph *graph = ring(3, 1 << 20);
    double seconds[NS_CHOICES];
    for (int32_t nodes = 1; nodes <= 7; nodes += 6) {
        ns_placer *placer = placer_of(graph, nodes, machine);
        ck_assert(ns_placer_anneal(placer, &(ns_anneal_options){.seed = 3, .tries = 500}, seconds, NULL) == NS_OK);
        ck_assert_double_gt(least(seconds, ns_placer_choices(placer)), 0);
        ns_placer_free(placer);
    }
    ns_graph_free(graph);
    ns_machine_free(machine);
}
END_TEST

Suite *suite(void);

Suite *suite(void)
{
    Suite *s = suite_create("annealing");
    TCase *tc = tcase_create("annealing");
    tcase_set_timeout(tc, 300);
    tcase_add_loop_test(tc, annealed_is_optimal, 0, 6);
    tcase_add_test(tc, annealed_is_never_worse);
    tcase_add_test(tc, nodes_differ);
    tcase_add_test(tc, few_parts);
    suite_add_tcase(s, tc);
    return s;
}
