/* test_quote_visits.c -- quotes of regular exchanges, of whose nodes that are alike one is priced, with and without what
 * sets a node apart; and quotes by several threads: to the bit the prices of schedules */
#include <check.h>
#include <string.h>

#include "core/memory.h"
#include "machine/machine.h"
#include "schedule/rule.h"
#include "support/machines.h"
#include "support/quotes.h"

enum { NODES = 14, PER_NODE = 5, MOST = 4000 };

/* ---- regular exchanges ------------------------------------------------------------------------------------------- */

static size_t add_message(ns_planned *list, size_t count, int32_t from, int32_t to, int64_t bytes, int32_t parts)
{
    if (from == to || to < 0 || to >= parts || count == MOST)
        return count;
    list[count] = (ns_planned){from, to, bytes};
    return count + 1;
}

/* Every node sends the same to the nodes around it; then a few messages change: their bytes, or an end. */
static ns_exchange *regular_messages(oracle_random *random, const ns_site *site, int changes)
{
    static ns_planned list[MOST];
    const int32_t parts = NODES * PER_NODE;
    ns_exchange *x = NULL;
    size_t count = 0;
    for (int k = 0; k < 25; k++) {
        const int32_t from = (int32_t)oracle_below(random, PER_NODE), to = (int32_t)oracle_below(random, PER_NODE),
                      away = (int32_t)oracle_below(random, 5) - 2;
        const int64_t bytes = 1 + oracle_below(random, INT64_C(1) << oracle_below(random, 22));
        for (int32_t node = 0; node < NODES; node++)
            count = add_message(list, count, node * PER_NODE + from, (node + away) * PER_NODE + to, bytes, parts);
    }
    for (int i = 0; i < changes; i++) {
        ns_planned *one = &list[oracle_below(random, (int64_t)count)];
        if (oracle_below(random, 3) > 0)
            one->bytes = 1 + oracle_below(random, INT64_C(1) << oracle_below(random, 22));
        else /* another part of its node */
            one->from = one->from / PER_NODE * PER_NODE + (one->from + 1) % PER_NODE;
        if (one->from == one->to)
            one->to = (one->to + PER_NODE) % parts;
    }
    ck_assert((site != NULL
                   ? ns_exchange_from_messages_on(list, count, site, &x, NULL)
                   : ns_exchange_from_messages(list, count, (ns_layout){parts, PER_NODE}, NULL, &x, NULL)) == NS_OK);
    return x;
}

/* Bands of a matrix, so that several parts of a node need a column; then a few entries more. */
static ns_exchange *bands(oracle_random *random, int changes)
{
    enum { ROWS = NODES * PER_NODE * 6, BANDS = 9 };
    static int64_t start[ROWS + 1], col[ROWS * (BANDS + 2)];
    int64_t away[BANDS], extra[ROWS] = {0}, count = 0;
    ns_exchange *x = NULL;
    const ns_exchange_options options = {.width = 1 + oracle_below(random, 9000)};
    for (int k = 0; k < BANDS; k++)
        away[k] = oracle_below(random, 120) - 60;
    for (int i = 0; i < changes; i++)
        extra[oracle_below(random, ROWS)] = 1 + oracle_below(random, ROWS);
    for (int64_t row = 0; row < ROWS; row++) {
        start[row] = count;
        for (int k = 0; k < BANDS; k++)
            if (row + away[k] >= 0 && row + away[k] < ROWS)
                col[count++] = row + away[k];
        if (extra[row] > 0)
            col[count++] = extra[row] - 1;
    }
    start[ROWS] = count;
    ck_assert(ns_exchange_from_csr(ROWS, ROWS, start, col, (ns_layout){NODES * PER_NODE, PER_NODE}, &options, &x,
                                   NULL) == NS_OK);
    return x;
}

/* Blocks, but that parts of a node stand in another order there, or on the other socket. */
static ns_site *nearly_blocks(oracle_random *random)
{
    int32_t node_of[NODES * PER_NODE], socket_of[NODES * PER_NODE];
    ns_site *site = NULL;
    for (int32_t p = 0; p < NODES * PER_NODE; p++) {
        node_of[p] = p / PER_NODE;
        socket_of[p] = p % 2;
    }
    const int32_t moved = (int32_t)oracle_below(random, NODES * PER_NODE);
    if (oracle_below(random, 2) == 0)
        node_of[moved] = (int32_t)oracle_below(random, NODES);
    else
        socket_of[moved] = 1 - socket_of[moved];
    ck_assert(ns_site_from_map(NODES * PER_NODE, NODES, node_of, 2, socket_of, &site, NULL) == NS_OK);
    return site;
}

/* A rule that looks at which node it is. */
static int32_t takes_by_number(const ns_site *processes, int32_t origin, int32_t node)
{
    return (origin + node / 3) % ns_site_node_size(processes, node);
}

static const ns_rule by_number = {.takes = takes_by_number};
static const ns_step_rule two_steps[] = {{"exchange", NS_ONCE}, {"scatter", NS_JOINED}, {NULL, NS_ONCE}};
static const ns_strategy numbered = {.name = "by number",
                                     .transports = 1u << NS_VIA_HOST | 1u << NS_VIA_DEVICE,
                                     .node_aware = true,
                                     .same_messages = true,
                                     .steps = two_steps,
                                     .rule = &by_number,
                                     .emit = ns_rule_emit};

static void check_exchange(ns_exchange *x, const char *machine_name)
{
    const ns_strategy *const own[] = {&numbered};
    ns_machine *machine = machine_named(machine_name);
    ns_workspace *w = quotes_workspace();
    for (int threads = 1; threads < 4; threads += 2) {
        ns_workspace_set_threads(w, threads);
        ck_assert_int_gt(quotes_check(x, machine, NULL, 0, w), 10);
        ck_assert_int_gt(quotes_check(x, machine, own, 1, w), 3);
    }
    ns_workspace_free(w);
    ns_machine_free(machine);
    ns_exchange_free(x);
}

START_TEST(regular)
{
    oracle_random random = {(uint64_t)_i + 4100};
    ns_site *site = nearly_blocks(&random);
    const char *name = _i % 4 == 0 ? "dane" : "lassen";
    check_exchange(regular_messages(&random, NULL, _i % 3), name);
    check_exchange(regular_messages(&random, site, 0), name);
    check_exchange(bands(&random, _i % 3), name);
    ns_site_free(site);
}
END_TEST

/* ---- threads ----------------------------------------------------------------------------------------------------- */

static void check_threads(const ns_exchange *x, const ns_machine *machine, const ns_selection *selection)
{
    ns_workspace *one = quotes_workspace(), *more = quotes_workspace();
    int quotes = 0, again = 0;
    ns_workspace_set_threads(one, 1);
    ck_assert(ns_quote(x, machine, selection, one, &quotes, NULL) == NS_OK);
    for (int threads = 2; threads < 9; threads += 3) {
        ns_workspace_set_threads(more, threads);
        ck_assert(ns_quote(x, machine, selection, more, &again, NULL) == NS_OK);
        ck_assert_int_eq(again, quotes);
        for (int i = 0; i < quotes; i++)
            ck_assert_msg(memcmp(&ns_quote_at(one, i)->price, &ns_quote_at(more, i)->price, sizeof(ns_price)) == 0 &&
                              ns_quote_at(one, i)->messages_off_node_max == ns_quote_at(more, i)->messages_off_node_max,
                          "%s by %d threads", ns_quote_at(one, i)->strategy->name, threads);
    }
    ns_workspace_free(one);
    ns_workspace_free(more);
}

/* Any exchange; and rings, all of whose processes are equally slow, so that the first is told of. */
START_TEST(threads)
{
    oracle_random random = {(uint64_t)_i + 4300};
    ns_machine *machine = machine_named(_i % 2 == 0 ? "lassen" : "lassen-spectrum");
    const int32_t parts = 40 + (int32_t)oracle_below(&random, 400);
    ns_planned ring[440];
    ns_exchange *x = NULL;
    for (int32_t p = 0; p < parts; p++)
        ring[p] = (ns_planned){p, (p + 1 + _i) % parts, 70000};
    ck_assert(ns_exchange_from_messages(ring, (size_t)parts, (ns_layout){parts, 1 + _i % 5}, NULL, &x, NULL) == NS_OK);
    check_threads(x, machine, NULL);
    ns_exchange_free(x);
    x = quotes_messages(&random, NULL, (ns_layout){parts, 1 + _i % 5}, 6000);
    check_threads(x, machine, NULL);
    ns_exchange_free(x);
    ns_machine_free(machine);
}
END_TEST

Suite *suite(void);

Suite *suite(void)
{
    Suite *s = suite_create("visits of nodes");
    TCase *tc = tcase_create("prices");
    tcase_set_timeout(tc, 300);
    tcase_add_loop_test(tc, regular, 0, 24);
    tcase_add_loop_test(tc, threads, 0, 10);
    suite_add_tcase(s, tc);
    return s;
}
