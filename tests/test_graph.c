/* test_graph.c -- graphs of random matrices and messages against the oracle, and their exchanges on uneven sites */
#include "oracle/oracle.h"

#include "api/library.h"
#include "pattern/graph.h"
#include "support/test.h"

enum { SIDE = 90, PARTS = 6, WAYS = 6, WIDTH = 24 };
static const int32_t parts_of[PARTS] = {1, 2, 3, 7, 13, 64};

/* Sparse; some empty rows; a dense row; nothing at all; scattered over the parts instead of in blocks; a
 * single entry. */
static const struct {
    int64_t entries;
    int dense;
    bool scattered;
} way[WAYS] = {{300, 0, false}, {60, 0, false}, {200, 1, false}, {0, 0, false}, {300, 1, true}, {1, 0, false}};

static bool same_needers(const oracle_need *n, int64_t i, int64_t k)
{
    const int64_t count = n->start[i + 1] - n->start[i];
    return n->start[k + 1] - n->start[k] == count &&
           memcmp(n->part + n->start[i], n->part + n->start[k], (size_t)count * sizeof *n->part) == 0;
}

/* By origin, then item: items of a part that the same parts need, one after the other, are one fragment. */
static void check_fragments(const oracle_need *n, const ns_graph *g)
{
    int64_t at = 0, needers = 0;
    for (int32_t q = 0; q < n->parts; q++) {
        int64_t last = -1;
        ck_assert_int_eq(g->first_fragment[q], at);
        for (int64_t i = 0; i < n->items; i++) {
            const int64_t count = n->start[i + 1] - n->start[i];
            if (n->owner[i] != q || count == 0)
                continue;
            if (last < 0 || !same_needers(n, last, i)) {
                const ns_fragment *f = &g->fragment[at++];
                ck_assert_int_le(at, g->fragments);
                ck_assert_int_eq(f->origin, q);
                ck_assert_int_eq(f->needers, count);
                ck_assert_int_eq(f->needer, needers);
                ck_assert(memcmp(g->needer + needers, n->part + n->start[i], (size_t)count * sizeof(int32_t)) == 0);
                needers += count;
                for (int64_t k = i + 1, left = f->entries - 1; left > 0; k++, left -= 1) {
                    while (k < n->items && (n->owner[k] != q || n->start[k + 1] == n->start[k]))
                        k++;
                    ck_assert(k < n->items && same_needers(n, i, k));
                }
            }
            last = i;
        }
    }
    ck_assert_int_eq(g->first_fragment[n->parts], at);
    ck_assert_int_eq(g->fragments, at);
    ck_assert_int_eq(g->needers, needers);
}

/* By receiver, then sender. */
static void check_routes(const oracle_need *n, const ns_graph *g)
{
    int64_t at = 0;
    for (int32_t p = 0; p < n->parts; p++) {
        int64_t from[64] = {0}, need = 0;
        ck_assert_int_eq(g->first_route[p], at);
        for (int64_t i = 0; i < n->items; i++)
            for (int64_t k = n->start[i]; k < n->start[i + 1]; k++)
                from[n->owner[i]] += n->part[k] == p;
        for (int32_t q = 0; q < n->parts; q++)
            if (from[q] > 0) {
                ck_assert_int_lt(at, g->routes);
                ck_assert(g->route[at].from == q && g->route[at].to == p && g->route[at].entries == from[q]);
                need += from[q];
                at++;
            }
        ck_assert_int_eq(g->need[p], need);
    }
    ck_assert_int_eq(g->first_route[n->parts], at);
    ck_assert_int_eq(g->routes, at);
}

/* On nodes of any sizes, in any order; a part has a node of its own, or there is one node for all. */
static void check_exchange(const oracle_need *n, const ns_graph *g, oracle_random *random)
{
    for (int32_t nodes = 1; nodes <= n->parts; nodes = nodes < 4          ? nodes + 1
                                                       : nodes < n->parts ? n->parts
                                                                          : nodes + 1) {
        int32_t node_of[64];
        char why[256] = "";
        ns_site *site;
        ns_exchange *x = NULL;
        ns_pattern pattern;
        for (int32_t p = 0; p < n->parts; p++)
            node_of[p] = p < nodes ? (p + 1) % nodes : (int32_t)oracle_below(random, nodes);
        ck_assert_int_eq(ns_site_from_map(n->parts, nodes, node_of, 0, NULL, &site, NULL), NS_OK);
        ck_assert_int_eq(ns_graph_exchange(g, site, &x, NULL), NS_OK);
        oracle_pattern_on(n, node_of, nodes, g->width, &pattern);
        ck_assert_int_eq(x->width, g->width);
        ck_assert_msg(oracle_same_pattern(&pattern, &x->pattern, why), "%d nodes: %s", nodes, why);
        ck_assert_msg(oracle_same_exchange(n, x, why), "%d nodes: %s", nodes, why);
        ns_exchange_free(x);
        ns_site_free(site);
    }
}

static void check_graph(const oracle_need *need, const ns_graph *g, oracle_random *random)
{
    ck_assert_int_eq(g->parts, need->parts);
    ck_assert_uint_eq(g->size, sizeof *g);
    check_fragments(need, g);
    check_routes(need, g);
    check_exchange(need, g, random);
}

TEST_EACH(of_matrices, WAYS *PARTS)
{
    const int w = _i / PARTS;
    const int32_t parts = parts_of[_i % PARTS];
    oracle_random random = {(uint64_t)_i + 5};
    oracle_matrix matrix;
    oracle_need need;
    int32_t part_of[SIDE];
    oracle_random_matrix(&random, SIDE, SIDE, way[w].entries, way[w].dense, &matrix);
    for (int64_t i = 0; i < SIDE; i++)
        part_of[i] = (int32_t)oracle_below(&random, parts);
    const int32_t *partition = way[w].scattered ? part_of : NULL;
    oracle_need_of(&matrix, parts, partition, &need);
    const ns_exchange_options options = {.width = WIDTH, .part = partition};
    ns_graph *graph = NULL;
    ns_error err = {0};
    ck_assert_msg(ns_graph_from_csr(SIDE, SIDE, matrix.row_start, matrix.col_of, parts, &options, &graph, &err) ==
                      NS_OK,
                  "%s", err.text);
    ck_assert_int_eq(graph->width, WIDTH);
    check_graph(&need, graph, &random);
    ns_graph_free(graph);
    oracle_need_free(&need);
    oracle_matrix_free(&matrix);
}

/* Nothing is known to be sent twice: each byte of a message is an item of its own. */
TEST_EACH(of_messages, PARTS)
{
    enum { MESSAGES = 40 };
    const int32_t parts = parts_of[_i];
    oracle_random random = {(uint64_t)_i + 77};
    ns_planned message[MESSAGES];
    const size_t count = parts > 1 ? MESSAGES : 0;
    for (size_t i = 0; i < count; i++) {
        const int32_t from = (int32_t)oracle_below(&random, parts);
        message[i] = (ns_planned){from, (from + 1 + (int32_t)oracle_below(&random, parts - 1)) % parts,
                                  1 + oracle_below(&random, 20)};
    }
    oracle_need need;
    ns_graph *graph = NULL;
    oracle_need_planned(message, count, parts, NULL, &need);
    ck_assert_int_eq(ns_graph_from_messages(message, count, parts, NULL, &graph, NULL), NS_OK);
    ck_assert_int_eq(graph->width, 1);
    check_graph(&need, graph, &random);
    ns_graph_free(graph);
    oracle_need_free(&need);
}

/* What is asked too much of, or wrongly, is refused and sets nothing. */
TEST(refused)
{
    ns_planned message[300];
    ns_graph *const was = (ns_graph *)(uintptr_t)0x5a5a, *graph = was;
    ns_exchange *x = (ns_exchange *)(uintptr_t)0x5a5a;
    ns_site *site;
    for (int32_t i = 0; i < 300; i++)
        message[i] = (ns_planned){i % 20, (i + 1 + i / 20) % 20 == i % 20 ? (i + 1) % 20 : (i + 1 + i / 20) % 20, 9};
    const ns_limits little = {.max_memory = 2000};
    ck_assert_int_eq(ns_graph_from_messages(message, 300, 20, &little, &graph, NULL), NS_ERR_LIMIT);
    ck_assert_int_eq(ns_graph_from_messages(message, 300, 0, NULL, &graph, NULL), NS_ERR_RANGE);
    ck_assert_ptr_eq(graph, was);
    ck_assert_int_eq(ns_graph_from_messages(message, 300, 20, NULL, &graph, NULL), NS_OK);
    ck_assert_int_eq(ns_site_blocks(21, 4, 0, &site, NULL), NS_OK);
    ck_assert_int_ne(ns_graph_exchange(graph, site, &x, NULL), NS_OK);
    ck_assert_ptr_eq(x, (ns_exchange *)(uintptr_t)0x5a5a);
    ns_site_free(site);
    ns_graph_free(graph);
    ns_graph_free(NULL);
}

TEST(misused)
{
    ns_graph *const was = (ns_graph *)(uintptr_t)0x5a5a, *graph = was;
    ns_exchange *x = NULL;
    ns_error err = {0};
    const int64_t falling[][3] = {{0, -1, 0}, {0, 1, 0}}, col[] = {0};
    for (int i = 0; i < 2; i++) {
        char words[80];
        err = (ns_error){0};
        ck_assert_int_eq(ns_graph_from_csr(2, 2, falling[i], col, 2, NULL, &graph, &err), NS_ERR_RANGE);
        snprintf(words, sizeof words, "row_start[%d] is smaller than the one before it", i + 1);
        ck_assert_str_eq(err.text, words);
    }
    const int32_t place[] = {0, 2};
    err = (ns_error){0};
    ck_assert_int_eq(ns_exchange_from_messages(&(ns_planned){0, 1, 8}, 1, (ns_layout){2, 1}, place, &x, &err),
                     NS_ERR_RANGE);
    ck_assert_str_eq(err.text, "place[1] = 2: places have to be a permutation of 0 to 1");
    const int64_t rising[] = {0, 0, 1};
    const int32_t part[2][2] = {{2, 0}, {0, -1}};
    for (int i = 0; i < 2; i++) {
        const ns_exchange_options wrong = {.part = part[i]};
        err = (ns_error){0};
        ck_assert_int_eq(ns_graph_from_csr(2, 2, rising, col, 2, &wrong, &graph, &err), NS_ERR_RANGE);
        ck_assert_str_eq(err.text, i == 0 ? "row 1 is in part 2, but there are 2 parts"
                                          : "row 2 is in part -1, but there are 2 parts");
    }
    ck_assert_ptr_eq(graph, was);
}

/* 8 B an entry where nothing is said, and 1 B where that is. */
TEST(widths)
{
    const int64_t start[] = {0, 1, 1}, col[] = {1}, given[] = {0, 1, 2};
    for (int i = -1; i < 3; i++) {
        const ns_exchange_options options = {.width = i < 0 ? 0 : given[i]};
        ns_exchange *x = NULL;
        ns_graph *graph = NULL;
        ck_assert_int_eq(ns_exchange_from_csr(2, 2, start, col, (ns_layout){2, 1}, i < 0 ? NULL : &options, &x, NULL),
                         NS_OK);
        ck_assert_int_eq(ns_graph_from_csr(2, 2, start, col, 2, i < 0 ? NULL : &options, &graph, NULL), NS_OK);
        ck_assert_int_eq(x->width, i > 0 ? given[i] : 8);
        ck_assert_int_eq(graph->width, x->width);
        ck_assert_int_eq(x->pattern.bytes_total, x->width);
        ns_graph_free(graph);
        ns_exchange_free(x);
    }
}
