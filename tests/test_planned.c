/* test_planned.c -- exchanges made of planned messages: any order of them, placements that are none, all to all */

#include "pattern/exchange.h"
#include "support/test.h"

enum { PARTS = 5 };
static const ns_layout layout = {PARTS, 2};

/* By receiver, then sender; what a pair sends twice is added up. */
TEST(any_order)
{
    static const ns_planned message[] = {{4, 0, 3},  {1, 3, 7},  {0, 3, 5}, {2, 0, 11},
                                         {4, 3, 13}, {1, 0, 17}, {0, 3, 19}};
    static const ns_route expected[] = {{1, 0, 17}, {2, 0, 11}, {4, 0, 3}, {0, 3, 24}, {1, 3, 7}, {4, 3, 13}};
    enum { MESSAGES = sizeof message / sizeof *message, ROUTES = sizeof expected / sizeof *expected };
    for (int turn = 0; turn < MESSAGES; turn++) {
        ns_planned turned[MESSAGES];
        ns_exchange *exchange;
        for (int i = 0; i < MESSAGES; i++)
            turned[i] = message[turn % 2 == 0 ? (i + turn) % MESSAGES : (MESSAGES - 1 - i + turn) % MESSAGES];
        ck_assert_int_eq(ns_exchange_from_messages(turned, MESSAGES, layout, NULL, &exchange, NULL), NS_OK);
        ck_assert_int_eq(exchange->routes, ROUTES);
        for (int i = 0; i < ROUTES; i++) {
            ck_assert_int_eq(exchange->route[i].from, expected[i].from);
            ck_assert_int_eq(exchange->route[i].to, expected[i].to);
            ck_assert_int_eq(exchange->route[i].entries, expected[i].entries);
        }
        ns_exchange_free(exchange);
    }
}

static const struct {
    int32_t place[PARTS];
    const char *words;
} misplaced[] = {
    {{0, 1, 2, 3, PARTS}, "place[4] = 5"},
    {{0, 1, 2, -1, 4}, "place[3] = -1"},
    {{0, 1, 2, 1, 4}, "place[3] = 1"},
};

TEST_EACH(no_permutation, sizeof misplaced / sizeof *misplaced)
{
    static const ns_planned message[] = {{0, 1, 8}};
    ns_exchange *exchange;
    ns_error err = {0};
    ck_assert_int_eq(ns_exchange_from_messages(message, 1, layout, misplaced[_i].place, &exchange, &err), NS_ERR_RANGE);
    ck_assert_msg(strstr(err.text, misplaced[_i].words) != NULL, "%s", err.text);
}

/* Part p stands at place[p]: the route is between the places. */
TEST(placed)
{
    static const ns_planned message[] = {{0, 1, 8}};
    static const int32_t place[PARTS] = {3, 0, 1, 2, 4};
    ns_exchange *exchange;
    ck_assert_int_eq(ns_exchange_from_messages(message, 1, layout, place, &exchange, NULL), NS_OK);
    ck_assert_int_eq(exchange->routes, 1);
    ck_assert_int_eq(exchange->route[0].from, 3);
    ck_assert_int_eq(exchange->route[0].to, 0);
    ck_assert_int_eq(exchange->pattern.messages_off_node, 1);
    ns_exchange_free(exchange);
}

/* 3 nodes of 2 parts: part 0 sends twice to node 2, parts 1 and 3 once, part 5 stays on its node. */
TEST(counted_by_hand)
{
    static const ns_planned message[] = {{0, 4, 3}, {0, 5, 5}, {1, 4, 6}, {3, 5, 2}, {5, 4, 70}};
    ns_exchange *exchange;
    ck_assert_int_eq(ns_exchange_from_messages(message, 5, (ns_layout){6, 2}, NULL, &exchange, NULL), NS_OK);
    const ns_pattern *n = &exchange->pattern;
    ck_assert_int_eq(n->messages_total, 5);
    ck_assert_int_eq(n->messages_off_node, 4);
    ck_assert_int_eq(n->bytes_total, 86);
    ck_assert_int_eq(n->bytes_off_node, 16);
    ck_assert_int_eq(n->s_proc, 8);
    ck_assert_int_eq(n->s_node, 14);
    ck_assert_int_eq(n->s_node_node, 14);
    ck_assert_int_eq(n->s_recv, 79);
    ck_assert_int_eq(n->m_proc, 2);
    ck_assert_int_eq(n->m_proc_node, 1);
    ck_assert_int_eq(n->m_node_node, 3);
    ck_assert_int_eq(n->recv_nodes, 2);
    ck_assert_int_eq(n->send_nodes, 1);
    ck_assert_int_eq(n->unique_bytes_off_node, 16);
    ck_assert_double_eq(n->duplicate_fraction, 0);
    ns_exchange_free(exchange);
}

/* Nothing leaves a node: nothing is sent twice between nodes. */
TEST(on_one_node)
{
    static const ns_planned message[] = {{0, 1, 1}, {1, 0, 2}};
    ns_exchange *exchange;
    ck_assert_int_eq(ns_exchange_from_messages(message, 2, (ns_layout){2, 2}, NULL, &exchange, NULL), NS_OK);
    ck_assert_int_eq(exchange->pairs, 0);
    ck_assert_int_eq(exchange->pattern.bytes_total, 3);
    ck_assert_int_eq(exchange->pattern.bytes_off_node, 0);
    ck_assert_int_eq(exchange->pattern.m_proc_node, 0);
    ck_assert_double_eq(exchange->pattern.duplicate_fraction, 0);
    ns_exchange_free(exchange);
}

/* The second message of two on 5 parts. */
static const struct {
    ns_planned message;
    ns_layout layout;
    const char *words;
} bad[] = {
    {{-1, 1, 8}, {PARTS, 2}, "message 2 goes from -1 to 1, but there are 5 parts"},
    {{PARTS, 1, 8}, {PARTS, 2}, "message 2 goes from 5 to 1, but there are 5 parts"},
    {{1, -1, 8}, {PARTS, 2}, "message 2 goes from 1 to -1, but there are 5 parts"},
    {{1, PARTS, 8}, {PARTS, 2}, "message 2 goes from 1 to 5, but there are 5 parts"},
    {{3, 3, 8}, {PARTS, 2}, "message 2 goes from part 3 to itself"},
    {{0, 0, 8}, {PARTS, 2}, "message 2 goes from part 0 to itself"},
    {{0, 1, 0}, {PARTS, 2}, "message 2 wants 1 B to 2^53 B, got 0"},
    {{0, 1, (INT64_C(1) << 53) + 1}, {PARTS, 2}, "message 2 wants 1 B to 2^53 B, got 9007199254740993"},
    {{0, 1, INT64_C(1) << 53}, {PARTS, 2}, "messages 1 to 2 carry more than 2^53 B together"},
    {{0, 1, (INT64_C(1) << 53) - 1}, {PARTS, 2}, NULL},
    {{0, 4, 8}, {PARTS, 2}, NULL},
    {{0, 1, 8}, {0, 2}, "the number of parts has to be at least 1, got 0"},
    {{0, 1, 8}, {PARTS, 0}, "the number of parts per node has to be at least 1, got 0"},
    {{0, 1, 8}, {PARTS, 1}, NULL},
};

TEST_EACH(bad_messages, sizeof bad / sizeof *bad)
{
    const ns_planned message[] = {{1, 0, 1}, bad[_i].message};
    ns_exchange *exchange = NULL;
    ns_error err = {0};
    const ns_status status = ns_exchange_from_messages(message, 2, bad[_i].layout, NULL, &exchange, &err);
    ck_assert_int_eq(status, bad[_i].words != NULL ? NS_ERR_RANGE : NS_OK);
    ck_assert_str_eq(err.text, bad[_i].words != NULL ? bad[_i].words : "");
    ck_assert((exchange != NULL) == (status == NS_OK));
    ns_exchange_free(exchange);
}

/* 48 B of a message and its two copies, 16 B a part for where the parts stand, 8 B for what they need: all of it counts
 * before anything large is taken. */
TEST(memory_of_the_parts)
{
    static const ns_planned message[] = {{0, 1, 8}};
    const ns_layout many = {1000000, 1};
    const int64_t least = 48 + 24 * INT64_C(1000000);
    ns_exchange *exchange = NULL;
    for (int enough = 0; enough < 2; enough++) {
        ns_error err = {0};
        const ns_limits limits = {.max_memory = enough ? least + 65536 : least - 1};
        const ns_status status = ns_exchange_from_messages_within(message, 1, many, NULL, &limits, &exchange, &err);
        ck_assert_msg(status == (enough ? NS_OK : NS_ERR_LIMIT), "%s", err.text);
        ck_assert_int_eq(err.limit, enough ? 0 : NS_LIMIT_MEMORY);
    }
    ns_exchange_free(exchange);
}

TEST(all_to_all_refused)
{
    ns_exchange *exchange = NULL;
    ns_site *site;
    const ns_planned beyond = {0, 1, 8};
    ck_assert_int_eq(ns_exchange_alltoall((ns_layout){0, 1}, 8, NULL, &exchange, NULL), NS_ERR_RANGE);
    ck_assert_int_eq(ns_exchange_alltoall((ns_layout){1, 0}, 8, NULL, &exchange, NULL), NS_ERR_RANGE);
    ck_assert_int_eq(ns_exchange_alltoall((ns_layout){2, 1}, 0, NULL, &exchange, NULL), NS_ERR_RANGE);
    ck_assert_int_eq(ns_site_blocks(1, 1, 0, &site, NULL), NS_OK);
    ck_assert_int_eq(ns_exchange_from_messages_on(&beyond, 1, site, &exchange, NULL), NS_ERR_RANGE);
    ck_assert_ptr_null(exchange);
    ck_assert_int_eq(ns_exchange_alltoall((ns_layout){1, 1}, 8, NULL, &exchange, NULL), NS_OK);
    ck_assert_int_eq(exchange->routes, 0);
    ns_exchange_free(exchange);
    ns_site_free(site);
}

TEST(all_to_all)
{
    ns_exchange *exchange;
    int64_t i = 0;
    ck_assert_int_eq(ns_exchange_alltoall(layout, 100, NULL, &exchange, NULL), NS_OK);
    ck_assert_int_eq(exchange->routes, PARTS * (PARTS - 1));
    for (int32_t to = 0; to < PARTS; to++)
        for (int32_t from = 0; from < PARTS; from++)
            if (from != to) {
                ck_assert_int_eq(exchange->route[i].from, from);
                ck_assert_int_eq(exchange->route[i].to, to);
                ck_assert_int_eq(exchange->route[i++].entries, 100);
            }
    ck_assert_int_eq(exchange->pattern.bytes_total, 100 * PARTS * (PARTS - 1));
    ck_assert_int_eq(exchange->pattern.messages_off_node, 2 * 3 + 2 * 3 + 4);
    ns_exchange_free(exchange);
}
