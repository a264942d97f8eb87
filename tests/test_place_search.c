/* test_place_search.c -- the placement that a search finds: the best of all where these can be tried, never slower than
 * the first, within the room of each node, the same for the same seed, and no slower than libscotch's */

#include "api/library.h"

#include "oracle/oracle.h"
#include "scotch/scotch.h"
#include "support/machines.h"
#include "support/test.h"

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

/* The time of a placement by the fastest choice. */
static double time_of(ns_placer *placer, const int32_t *node_of)
{
    double seconds[NS_CHOICES];
    ck_assert(ns_placer_batch(placer, node_of, 1, seconds, NULL) == NS_OK);
    return least(seconds, ns_placer_choices(placer));
}

TEST_EACH(found_is_optimal, 6)
{
    enum { PARTS = 8, NODES = 3, PER_NODE = 3 };
    static const char *const machine_name[] = {"lassen", "dane"};
    ns_machine *machine = machine_named(machine_name[_i % 2]);
    ns_graph *graph = shuffled((uint64_t)_i + 31, PARTS);
    ns_placer *placer = placer_of(graph, NODES, machine);
    const ns_search_options options = {.seed = 7, .per_node = PER_NODE};
    int32_t found[2][PARTS];
    for (int i = 0; i < 2; i++) { /* twice the same */
        ns_place_blocks(PARTS, NODES, found[i]);
        ck_assert(ns_place_search(graph, NODES, machine, NULL, NULL, &options, found[i], NULL) == NS_OK);
    }
    ck_assert_int_eq(memcmp(found[0], found[1], sizeof found[0]), 0);
    ck_assert_double_eq(time_of(placer, found[0]), brute_force(placer, PARTS, NODES, PER_NODE));
    (void)ns_placer_batch(placer, found[0], 1, (double[NS_CHOICES]){0}, NULL);
    for (int32_t node = 0; node < NODES; node++)
        ck_assert_int_le(ns_placer_size(placer, node), PER_NODE);
    ns_placer_free(placer);
    ns_graph_free(graph);
    ns_machine_free(machine);
}

static void count_calls(void *context, int64_t done, int64_t all)
{
    ck_assert_int_lt(done, all);
    ++*(int *)context;
}

/* However few its tries, it is no slower than the first; and a ring that was dealt round is put together again. */
TEST(found_is_never_worse)
{
    enum { PARTS = 32, NODES = 8 };
    ns_machine *machine = machine_named("lassen");
    ns_graph *graph = ring(PARTS, 100000);
    ns_placer *placer = placer_of(graph, NODES, machine);
    int32_t cyclic[PARTS], blocks[PARTS], found[PARTS];
    int calls = 0;
    ns_place_cyclic(PARTS, NODES, cyclic);
    ns_place_blocks(PARTS, NODES, blocks);
    ck_assert_double_lt(time_of(placer, blocks), 0.8 * time_of(placer, cyclic));
    for (int64_t tries = 1; tries <= 4096; tries *= 8) {
        const ns_search_options options = {
            .seed = 1, .tries = tries, .per_node = 4, .watch = count_calls, .context = &calls};
        memcpy(found, cyclic, sizeof found);
        ck_assert(ns_place_search(graph, NODES, machine, NULL, NULL, &options, found, NULL) == NS_OK);
        ck_assert_double_le(time_of(placer, found), time_of(placer, blocks));
    }
    ck_assert_int_gt(calls, 4);
    ns_placer_free(placer);
    ns_graph_free(graph);
    ns_machine_free(machine);
}

/* Nodes of 4, 3, 1 and 1 places, all taken, and with a place to spare on each: the ring is cut at most four times, and
 * no node is over full. */
TEST_EACH(nodes_differ, 2)
{
    enum { PARTS = 9, NODES = 4 };
    static const int32_t room[2][NODES] = {{4, 3, 1, 1}, {5, 4, 2, 2}}, first[PARTS] = {0, 1, 2, 3, 0, 1, 0, 1, 0};
    ns_machine *machine = machine_named("dane");
    ns_graph *graph = ring(PARTS, 100000);
    ns_placer *placer = placer_of(graph, NODES, machine);
    const ns_search_options options = {.seed = 5, .room = room[_i]};
    int32_t found[PARTS], cuts = 0;
    memcpy(found, first, sizeof found);
    ck_assert(ns_place_search(graph, NODES, machine, NULL, NULL, &options, found, NULL) == NS_OK);
    ck_assert_double_lt(time_of(placer, found), time_of(placer, first));
    ck_assert(ns_placer_put(placer, found, NULL) == NS_OK);
    for (int32_t node = 0; node < NODES; node++)
        ck_assert_int_le(ns_placer_size(placer, node), room[_i][node]);
    for (int32_t q = 0; q < PARTS; q++)
        cuts += found[q] != found[(q + 1) % PARTS];
    ck_assert_int_le(cuts, 4);
    ns_placer_free(placer);
    ns_graph_free(graph);
    ns_machine_free(machine);
}

/* Fewer parts than nodes, and one node. */
TEST(few_parts)
{
    ns_machine *machine = machine_named("lassen");
    ns_graph *graph = ring(3, 1 << 20);
    for (int32_t nodes = 1; nodes <= 7; nodes += 6) {
        int32_t found[3];
        ns_placer *placer = placer_of(graph, nodes, machine);
        ns_place_blocks(3, nodes, found);
        ck_assert(ns_place_search(graph, nodes, machine, NULL, NULL, &(ns_search_options){.seed = 3, .tries = 500},
                                  found, NULL) == NS_OK);
        ck_assert_double_gt(time_of(placer, found), 0);
        ns_placer_free(placer);
    }
    ns_graph_free(graph);
    ns_machine_free(machine);
}

/* A grid of parts, each with its neighbours, in the order of a stride: blocks of it are far from neighbours. */
static ns_graph *grid(int32_t width, int32_t height, int32_t stride)
{
    const int32_t parts = width * height;
    ns_planned *message = ns_malloc(8 * (size_t)parts * sizeof *message);
    ns_graph *graph = NULL;
    size_t messages = 0;
    for (int32_t p = 0; p < parts; p++)
        for (int32_t k = 0; k < 9; k++) {
            const int32_t x = p % width + k % 3 - 1, y = p / width + k / 3 - 1;
            if (k != 4 && x >= 0 && x < width && y >= 0 && y < height)
                message[messages++] =
                    (ns_planned){p * stride % parts, (y * width + x) * stride % parts, k % 2 == 0 ? 64 : 65536};
        }
    ck_assert(ns_graph_from_messages(message, messages, parts, NULL, &graph, NULL) == NS_OK);
    ns_free(message);
    return graph;
}

/* Begun from blocks, it is no slower than what libscotch maps. */
TEST_EACH(no_slower_than_scotch, 4)
{
    static const struct {
        int32_t width, height, stride, nodes;
        const char *machine;
    } row[] = {{8, 8, 1, 16, "lassen"}, {12, 6, 11, 12, "summit"}, {9, 7, 10, 8, "tioga"}, {10, 10, 37, 7, "dane"}};
    int32_t mapped[100], found[100];
    ns_error err = {0};
    ns_machine *machine = machine_named(row[_i].machine);
    ns_graph *graph = grid(row[_i].width, row[_i].height, row[_i].stride);
    const int32_t parts = ns_graph_parts(graph), nodes = row[_i].nodes;
    ns_placer *placer = placer_of(graph, nodes, machine);
    const ns_status status = ns_scotch_map(graph, nodes, 1, mapped, &err);
    if (status == NS_OK) {
        ns_place_blocks(parts, nodes, found);
        ck_assert(ns_place_search(graph, nodes, machine, NULL, NULL, &(ns_search_options){.seed = 1}, found, NULL) ==
                  NS_OK);
        ck_assert_double_le(time_of(placer, found), time_of(placer, mapped));
    } else {
        printf("skipped: no_slower_than_scotch %d: %s\n", _i, err.text);
    }
    ns_placer_free(placer);
    ns_graph_free(graph);
    ns_machine_free(machine);
}

#define REFUSED(options, words)                                                                                        \
    do {                                                                                                               \
        ns_error err_ = {0};                                                                                           \
        ck_assert_int_eq(ns_place_search(graph, 3, machine, NULL, NULL, &(ns_search_options)options, found, &err_),    \
                         NS_ERR_RANGE);                                                                                \
        ck_assert_msg(strstr(err_.text, words) != NULL, "%s", err_.text);                                              \
    } while (0)

TEST(refused)
{
    static const int32_t little[3] = {2, 2, 0};
    ns_machine *machine = machine_named("lassen");
    ns_graph *graph = ring(6, 1000);
    int32_t found[6] = {0, 0, 1, 1, 2, 2};
    REFUSED({.per_node = 1}, "2 parts stand on node 0, which has room for 1");
    REFUSED({.room = little}, "2 parts stand on node 2, which has room for 0");
    REFUSED({.tries = -1}, "not negative");
    for (int32_t p = 0; p < 6; p++)
        ck_assert_int_eq(found[p], p / 2);
    found[3] = 3;
    REFUSED({.tries = 1}, "part 3 is on node 3, but nodes go from 0 to 2");
    ns_graph_free(graph);
    ns_machine_free(machine);
}

TEST_TIMEOUT(300)
