/* test_site.c -- where parts stand: what sites hold, what they refuse, and that a map which says what blocks say is the
 * same to the pattern, to every schedule and to every price.  Uneven nodes are replayed in test_replay.c. */

#include "machine/machine.h"
#include "pattern/exchange.h"
#include "pattern/site.h"
#include "price/choice.h"
#include "support/choices.h"
#include "support/machines.h"
#include "support/test.h"

enum { PARTS = 24, PER_NODE = 4, NODES = 6 };

static void check_ints(const int32_t *got, const int32_t *expected, int count, const char *what)
{
    for (int i = 0; i < count; i++)
        ck_assert_msg(got[i] == expected[i], "%s[%d] is %d, expected %d", what, i, got[i], expected[i]);
}

TEST(even_blocks)
{
    static const int32_t node[] = {0, 0, 0, 0, 1, 1, 1}, local[] = {0, 1, 2, 3, 0, 1, 2}, first[] = {0, 4, 7},
                         socket[] = {0, 0, 1, 1, 0, 0, 1};
    ns_site *site = NULL;
    ck_assert(ns_site_blocks(7, 4, 2, &site, NULL) == NS_OK);
    ck_assert(site->size == sizeof *site && site->parts == 7 && site->nodes == 2 && site->per_node == 4);
    check_ints(site->node_of, node, 7, "node_of");
    check_ints(site->local_of, local, 7, "local_of");
    check_ints(site->socket_of, socket, 7, "socket_of");
    check_ints(site->first, first, 3, "first");
    ns_site_free(site);
    ck_assert(ns_site_blocks(3, 8, 0, &site, NULL) == NS_OK);
    ck_assert(site->nodes == 1 && site->per_node == 8 && site->sockets == 0 && site->socket_of == NULL);
    ns_site_free(site);
}

TEST(any_map)
{
    static const int32_t node[] = {3, 0, 3, 0, 3, 1}, given[] = {1, 0, 0, 0, 1, 1}, local[] = {0, 0, 1, 1, 2, 0},
                         first[] = {0, 2, 3, 3, 6}, part[] = {1, 3, 5, 0, 2, 4}, spread[] = {0, 0, 0, 0, 1, 0};
    ns_site *site = NULL, *copy = NULL;
    ck_assert(ns_site_from_map(6, 4, node, 2, given, &site, NULL) == NS_OK);
    ck_assert(site->nodes == 4 && site->per_node == 3 && site->sockets == 2);
    check_ints(site->local_of, local, 6, "local_of");
    check_ints(site->first, first, 5, "first");
    check_ints(site->part, part, 6, "part");
    check_ints(site->socket_of, given, 6, "socket_of");
    ck_assert(ns_site_with_sockets(site, 7, &copy, NULL) == NS_OK && copy->sockets == 2); /* known already */
    check_ints(copy->socket_of, given, 6, "socket_of");
    ns_site_free(copy);
    ns_site_free(site);
    ck_assert(ns_site_from_map(6, 4, node, 0, NULL, &site, NULL) == NS_OK);
    ck_assert(ns_site_with_sockets(site, 2, &copy, NULL) == NS_OK);
    check_ints(copy->socket_of, spread, 6, "socket_of");
    check_ints(copy->part, part, 6, "part");
    ns_site_free(copy);
    ns_site_free(site);
}

TEST(refused)
{
    static const int32_t node[] = {0, 2, 1}, socket[] = {0, 1, 2};
    ns_site *site = NULL;
    ns_error err = {0};
    ck_assert(ns_site_blocks(0, 4, 0, &site, &err) == NS_ERR_RANGE);
    ck_assert_str_eq(err.text, "the number of parts has to be at least 1, got 0");
    err = (ns_error){0};
    ck_assert(ns_site_blocks(4, 0, 0, &site, &err) == NS_ERR_RANGE);
    ck_assert_str_eq(err.text, "the number of parts per node has to be at least 1, got 0");
    err = (ns_error){0};
    ck_assert(ns_site_from_map(3, 2, node, 0, NULL, &site, &err) == NS_ERR_RANGE);
    ck_assert_str_eq(err.text, "part 1 is on node 2, but nodes go from 0 to 1");
    err = (ns_error){0};
    ck_assert(ns_site_from_map(3, 3, node, 2, socket, &site, &err) == NS_ERR_RANGE);
    ck_assert_str_eq(err.text, "part 2 is on socket 2, but sockets go from 0 to 1");
    err = (ns_error){0};
    ck_assert(ns_site_from_map(3, 3, node, 0, socket, &site, &err) == NS_ERR_RANGE);
    ck_assert_str_eq(err.text, "sockets of parts want the number of sockets of a node");
    static const struct {
        int32_t parts, nodes, node, sockets, socket;
        const char *words;
    } rows[] = {
        {0, 1, 0, 1, 0, "the number of parts has to be at least 1, got 0"},
        {1, 0, 0, 1, 0, "the number of nodes has to be at least 1 and below 2^31 - 1, got 0"},
        {1, INT32_MAX, 0, 1, 0, "the number of nodes has to be at least 1 and below 2^31 - 1, got 2147483647"},
        {1, 1, -1, 1, 0, "part 0 is on node -1, but nodes go from 0 to 0"},
        {1, 1, 1, 1, 0, "part 0 is on node 1, but nodes go from 0 to 0"},
        {1, 1, 0, -1, 0, "the number of sockets has to be at least 0, got -1"},
        {1, 1, 0, 1, -1, "part 0 is on socket -1, but sockets go from 0 to 0"},
        {1, 1, 0, 1, 1, "part 0 is on socket 1, but sockets go from 0 to 0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        err = (ns_error){0};
        ck_assert_int_eq(ns_site_from_map(rows[i].parts, rows[i].nodes, &rows[i].node, rows[i].sockets, &rows[i].socket,
                                          &site, &err),
                         NS_ERR_RANGE);
        ck_assert_str_eq(err.text, rows[i].words);
    }
    ns_site *other = NULL;
    ck_assert_int_eq(ns_site_blocks(1, 1, 0, &other, NULL), NS_OK);
    ck_assert_int_eq(ns_site_with_sockets(other, -1, &site, NULL), NS_ERR_RANGE);
    ns_site_free(other);
    ck_assert_ptr_null(site);
}

TEST(one_socket_stays_one)
{
    ns_site *one = NULL, *copy = NULL;
    ck_assert_int_eq(ns_site_blocks(4, 2, 1, &one, NULL), NS_OK);
    ck_assert_int_eq(ns_site_with_sockets(one, 2, &copy, NULL), NS_OK);
    ck_assert_int_eq(copy->sockets, 1);
    ns_site_free(copy);
    ns_site_free(one);
}

TEST(layout_of_other_parts)
{
    static const int64_t row_start[] = {0, 1, 2}, col[] = {1, 0};
    static const int32_t node[] = {0, 1};
    ns_site *site = NULL;
    ns_exchange *x = NULL;
    ns_error err = {0};
    ck_assert(ns_site_from_map(2, 2, node, 0, NULL, &site, NULL) == NS_OK);
    ns_exchange_options options = {.site = site};
    ck_assert(ns_exchange_from_csr(2, 2, row_start, col, (ns_layout){3, 1}, &options, &x, &err) == NS_ERR_RANGE);
    ck_assert_str_eq(err.text, "a site of 2 parts is for one layout, of as many parts");
    ns_site_free(site);
}

/* Part p sends to p + 1, p + 5 and p + 9, of other sizes. */
static size_t messages_of(int32_t parts, ns_planned *message)
{
    size_t count = 0;
    for (int32_t p = 0; p < parts; p++)
        for (int32_t k = 1; k <= 9; k += 4)
            message[count++] = (ns_planned){p, (p + k) % parts, 100 + 977 * ((p * 7 + k) % 13)};
    return count;
}

static void same_comparison(const ns_exchange *a, const ns_exchange *b)
{
    static ns_comparison one, other;
    ns_machine *machine = machine_named("lassen");
    ck_assert(ns_compare_into(a, machine, NULL, &one, NULL) == NS_OK);
    ck_assert(ns_compare_into(b, machine, NULL, &other, NULL) == NS_OK);
    ck_assert_int_eq(one.choices, choices_on("lassen"));
    ck_assert_int_eq(other.choices, one.choices);
    for (int i = 0; i < one.choices; i++)
        ck_assert_msg(one.choice[i].price.estimate_s == other.choice[i].price.estimate_s &&
                          one.choice[i].published_s == other.choice[i].published_s &&
                          one.choice[i].messages_off_node_max == other.choice[i].messages_off_node_max,
                      "%s: %.17g s and %.17g s", one.choice[i].strategy->name, one.choice[i].price.estimate_s,
                      other.choice[i].price.estimate_s);
}

/* The last node is short. */
TEST(map_of_blocks)
{
    enum { SHORT = PARTS - 2 };
    ns_planned message[3 * PARTS];
    int32_t node_of[PARTS];
    size_t messages = messages_of(SHORT, message);
    ns_site *site = NULL;
    ns_exchange *blocks = NULL, *mapped = NULL;
    for (int32_t p = 0; p < SHORT; p++)
        node_of[p] = p / PER_NODE;
    ck_assert(ns_site_from_map(SHORT, NODES, node_of, 0, NULL, &site, NULL) == NS_OK);
    ck_assert(ns_exchange_from_messages(message, messages, (ns_layout){SHORT, PER_NODE}, NULL, &blocks, NULL) == NS_OK);
    ck_assert(ns_exchange_from_messages_on(message, messages, site, &mapped, NULL) == NS_OK);
    ck_assert(memcmp(&blocks->pattern, &mapped->pattern, sizeof blocks->pattern) == 0);
    ck_assert(blocks->routes == mapped->routes && blocks->pairs == mapped->pairs && blocks->runs == mapped->runs);
    ck_assert(memcmp(blocks->run, mapped->run, (size_t)blocks->runs * sizeof *blocks->run) == 0);
    same_comparison(blocks, mapped);
    ns_exchange_free(blocks);
    ns_exchange_free(mapped);
    ns_site_free(site);
}

/* Parts dealt round the nodes cost what they cost renumbered node by node: numbers are only names. */
TEST(dealt_round)
{
    ns_planned message[3 * PARTS];
    int32_t node_of[PARTS], place[PARTS];
    size_t messages = messages_of(PARTS, message);
    ns_site *site = NULL;
    ns_exchange *renumbered = NULL, *mapped = NULL;
    for (int32_t p = 0; p < PARTS; p++) {
        node_of[p] = p % NODES;
        place[p] = p % NODES * PER_NODE + p / NODES;
    }
    ck_assert(ns_site_from_map(PARTS, NODES, node_of, 0, NULL, &site, NULL) == NS_OK);
    ck_assert(ns_exchange_from_messages(message, messages, (ns_layout){PARTS, PER_NODE}, place, &renumbered, NULL) ==
              NS_OK);
    ck_assert(ns_exchange_from_messages_on(message, messages, site, &mapped, NULL) == NS_OK);
    ck_assert(memcmp(&renumbered->pattern, &mapped->pattern, sizeof mapped->pattern) == 0);
    for (int64_t i = 0; i < mapped->routes; i++) /* by receiver, then sender, whatever their nodes */
        ck_assert(
            i == 0 || mapped->route[i].to > mapped->route[i - 1].to ||
            (mapped->route[i].to == mapped->route[i - 1].to && mapped->route[i].from > mapped->route[i - 1].from));
    same_comparison(renumbered, mapped);
    ns_exchange_free(renumbered);
    ns_exchange_free(mapped);
    ns_site_free(site);
}

/* Sockets that are given decide what is inside one: all of a node's parts on one, or each on its own. */
TEST(sockets_given)
{
    static const int32_t node_of[] = {0, 0, 0, 0}, together[] = {1, 1, 1, 1}, apart[] = {0, 1, 0, 1};
    static const ns_planned message[] = {{0, 1, 1000}};
    const ns_strategy *standard = NULL;
    ns_machine *machine = machine_named("lassen");
    ck_assert(ns_strategy_get("standard", &standard, NULL) == NS_OK);
    for (int i = 0; i < 3; i++) {
        ns_site *site = NULL;
        ns_exchange *x = NULL;
        ns_schedule *schedule = NULL;
        const int32_t *socket_of = i == 0 ? NULL : i == 1 ? together : apart;
        ck_assert(ns_site_from_map(4, 1, node_of, i == 0 ? 0 : 2, socket_of, &site, NULL) == NS_OK);
        ck_assert(ns_exchange_from_messages_on(message, 1, site, &x, NULL) == NS_OK);
        ck_assert(ns_schedule_build(standard, NS_VIA_HOST, x, machine, &schedule, NULL) == NS_OK);
        ck_assert_int_eq(ns_schedule_locality(schedule, 0, 1), i == 2 ? NS_ON_NODE : NS_ON_SOCKET);
        ck_assert_int_eq(ns_schedule_locality(schedule, 0, 2), i == 0 ? NS_ON_NODE : NS_ON_SOCKET);
        ns_schedule_free(schedule);
        ns_exchange_free(x);
        ns_site_free(site);
    }
}
