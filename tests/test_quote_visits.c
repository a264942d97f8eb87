/* test_quote_visits.c -- quotes of regular exchanges, of whose nodes that are alike one is priced, with and without
 * what sets a node apart; and quotes by several threads: to the bit the prices of schedules */

#include "core/memory.h"
#include "machine/machine.h"
#include "schedule/strategy.h"
#include "support/machines.h"
#include "support/quotes.h"
#include "support/test.h"

extern const ns_strategy ns_strategy_two_step;

enum { NODES = 22, PER_NODE = 5, MOST = 6000 };

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

/* ---- what sets one node apart ------------------------------------------------------------------------------------ */

enum { EVEN_BYTES = 60000, SILENT = PER_NODE - 1 };

typedef enum change { BYTES, FROM, TO, FURTHER, INSIDE_FROM, INSIDE_TO, INSIDE_BYTES, SIZE, CHANGES } change;

/* Each part but the last of a node sends to all parts of the node before or after, and to one of its own; for SIZE the
 * first to nodes further off too.  Of a node in the middle one message is larger, or goes from or to another part, or
 * several go to nodes of their own, or a process is missing: then it is the slowest. */
static ns_exchange *even_messages(oracle_random *random, change what, int32_t step)
{
    enum { FAR = 4 };
    static ns_planned list[NODES * PER_NODE * (2 * FAR + 1)];
    const int32_t parts = NODES * PER_NODE, odd = 3 + FAR + (int32_t)oracle_below(random, NODES - 2 * FAR - 5);
    const int64_t bytes = what == FURTHER ? EVEN_BYTES / 100 : EVEN_BYTES;
    int32_t node_of[NODES * PER_NODE], socket_of[NODES * PER_NODE] = {0};
    ns_site *site = NULL;
    ns_exchange *x = NULL;
    size_t count = 0;
    for (int32_t p = 0; p < parts; p++) {
        const int32_t node = p / PER_NODE, local = p % PER_NODE;
        node_of[p] = what == SIZE && node == odd && local == SILENT ? 0 : node;
        if (local == SILENT)
            continue;
        list[count++] = (ns_planned){p, node * PER_NODE + (local + 1) % SILENT, 8 * bytes};
        if (node == odd && local == 1 && what >= INSIDE_FROM) {
            list[count - 1].from += what == INSIDE_FROM ? 2 : 0;
            list[count - 1].to += what == INSIDE_TO ? 1 : 0;
            list[count - 1].bytes += what == INSIDE_BYTES ? 100 * bytes : 0;
        }
        for (int32_t k = 0; k < SILENT && node + step >= 0 && node + step < NODES; k++) {
            ns_planned *one = &list[count++];
            *one = (ns_planned){p, (node + step) * PER_NODE + (local + k) % SILENT, bytes};
            if (node != odd || local != SILENT - 1 || k == 0)
                continue;
            one->to = what == FURTHER ? (node + 1 + k) * PER_NODE : one->to;
            if (k < SILENT - 1)
                continue;
            one->bytes += what == BYTES ? 10 * bytes : 0;
            one->from -= what == FROM ? 1 : 0;
            one->to = what == FROM || what == TO ? (node + step) * PER_NODE + SILENT : one->to;
        }
        for (int32_t away = 2; away < 2 + FAR && local == 0 && away <= node && what == SIZE; away++)
            list[count++] = (ns_planned){p, (node - away) * PER_NODE, 10 * bytes};
    }
    ck_assert(ns_site_from_map(parts, NODES, node_of, 1, socket_of, &site, NULL) == NS_OK);
    ck_assert(ns_exchange_from_messages_on(list, count, site, &x, NULL) == NS_OK);
    ns_site_free(site);
    return x;
}

typedef enum row_change { MORE_NEEDERS, OTHER_NEEDER, OTHER_ORIGIN, OTHER_NODE, ROW_CHANGES } row_change;

/* A row a part, which needs columns of parts around it; one row in the middle needs others. */
static ns_exchange *even_rows(oracle_random *random, row_change what)
{
    enum { ROWS = NODES * PER_NODE, NEEDS = 4 };
    static const int32_t away[NEEDS] = {PER_NODE, PER_NODE + 1, 2 * PER_NODE, -PER_NODE};
    int64_t start[ROWS + 1], col[ROWS * (NEEDS + 1)], count = 0;
    const int32_t odd = PER_NODE * (4 + (int32_t)oracle_below(random, NODES - 8)) + 1;
    const ns_exchange_options options = {.width = EVEN_BYTES};
    ns_exchange *x = NULL;
    for (int32_t row = 0; row < ROWS; row++) {
        start[row] = count;
        for (int k = 0; k < NEEDS; k++) {
            int32_t needed = row + away[k];
            if (row == odd && k == 2)
                needed += what == OTHER_ORIGIN ? 2 : what == OTHER_NODE ? PER_NODE : 0;
            if (needed >= 0 && needed < ROWS && !(row == odd && k == 2 && what == OTHER_NEEDER))
                col[count++] = needed;
        }
        if (row == odd + 1 && (what == MORE_NEEDERS || what == OTHER_NEEDER))
            col[count++] = odd + away[2];
    }
    start[ROWS] = count;
    ck_assert(ns_exchange_from_csr(ROWS, ROWS, start, col, (ns_layout){ROWS, PER_NODE}, &options, &x, NULL) == NS_OK);
    return x;
}

/* ---- prices ------------------------------------------------------------------------------------------------------ */

/* Rules that look at which node it is. */
static int32_t takes_by_number(const ns_site *processes, int32_t origin, int32_t node)
{
    return (origin + node / 3) % ns_site_node_size(processes, node);
}

static void deal_in_turn(const ns_chunk_list *list, ns_hand *hand, int32_t *local)
{
    (void)hand;
    for (int64_t i = 0; i < list->count; i++)
        local[list->order[i]] = (int32_t)(i % list->size);
}

static const ns_rule by_number = {.takes = takes_by_number};
static const ns_step_rule two_steps[] = {{"exchange", NS_ONCE}, {"scatter", NS_JOINED}, {NULL, NS_ONCE}};
static int64_t cap_by_number(const ns_task *task, const ns_pair *pair, int64_t pairs)
{
    (void)task, (void)pairs;
    return pair->to == NODES / 2 ? 1000 : INT64_MAX;
}

static const ns_rule capped_by_number = {.deal = deal_in_turn, .cap = cap_by_number};
static const ns_step_rule three_steps[] = {
    {"gather", NS_JOINED}, {"exchange", NS_APART}, {"scatter", NS_JOINED}, {NULL, NS_ONCE}};
static const ns_strategy capped = {.name = "capped by number",
                                   .transports = 1u << NS_VIA_HOST | 1u << NS_VIA_DEVICE,
                                   .node_aware = true,
                                   .same_messages = true,
                                   .steps = three_steps,
                                   .rule = &capped_by_number};
static const ns_strategy numbered = {.name = "by number",
                                     .transports = 1u << NS_VIA_HOST | 1u << NS_VIA_DEVICE,
                                     .node_aware = true,
                                     .same_messages = true,
                                     .steps = two_steps,
                                     .rule = &by_number};

static void check_on(const ns_exchange *x, ns_machine *machine)
{
    const ns_strategy *const own[] = {&numbered, &capped}, *const joined[] = {&ns_strategy_two_step};
    ns_workspace *w = quotes_workspace();
    for (int threads = 1; threads < 4; threads += 2) {
        ns_workspace_set_threads(w, threads);
        ck_assert_int_gt(quotes_check(x, machine, NULL, 0, w), 10);
        ck_assert_int_gt(quotes_check(x, machine, own, 2, w), 6);
        ck_assert_int_gt(quotes_check(x, machine, joined, 1, w), 3);
    }
    ns_workspace_free(w);
    ns_machine_free(machine);
}

/* Also with what measured exchanges told of the machine. */
static void check_exchange(ns_exchange *x, const char *machine_name)
{
    check_on(x, machine_named(machine_name));
    check_on(x, machine_taught(machine_name));
    ns_exchange_free(x);
}

TEST_EACH(regular, 24)
{
    oracle_random random = {(uint64_t)_i + 4100};
    ns_site *site = nearly_blocks(&random);
    const char *name = _i % 4 == 0 ? "dane" : "lassen";
    check_exchange(regular_messages(&random, NULL, _i % 3), name);
    check_exchange(regular_messages(&random, site, 0), name);
    check_exchange(bands(&random, _i % 3), name);
    ns_site_free(site);
}

TEST_EACH(one_apart, 2 * CHANGES)
{
    oracle_random random = {(uint64_t)_i + 4200};
    check_exchange(even_messages(&random, (change)(_i % CHANGES), _i < CHANGES ? 1 : -1), "lassen");
    check_exchange(even_rows(&random, (row_change)(_i % ROW_CHANGES)), "lassen");
}

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
            ck_assert_msg(memcmp(&ns_quote_at(one, i)->price, &ns_quote_at(more, i)->price,
                                 ns_price_size(ns_quote_at(one, i)->price.steps)) == 0 &&
                              ns_quote_at(one, i)->messages_off_node_max == ns_quote_at(more, i)->messages_off_node_max,
                          "%s by %d threads", ns_quote_at(one, i)->strategy->name, threads);
    }
    ns_workspace_free(one);
    ns_workspace_free(more);
}

/* Any exchange; and rings, all of whose processes are equally slow, so that the first is told of. */
TEST_EACH(threads, 10)
{
    oracle_random random = {(uint64_t)_i + 4300};
    ns_machine *machine = machine_named(_i % 2 == 0 ? "lassen" : "lassen-spectrum");
    const int32_t parts = 40 + 4 * (int32_t)oracle_below(&random, 100);
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
    for (int32_t p = 0; p < parts; p++) /* the first half of the nodes sends inside only, and most */
        ring[p] = p < parts / 2 ? (ns_planned){p, p ^ 1, 90000000 + p} : (ns_planned){p, p - parts / 2 + 4, 100};
    ck_assert(ns_exchange_from_messages(ring, (size_t)parts, (ns_layout){parts, 2}, NULL, &x, NULL) == NS_OK);
    check_threads(x, machine, NULL);
    ns_exchange_free(x);
}

TEST_TIMEOUT(300)
