/* test_quote.c -- quotes: to the bit the prices of schedules, for every strategy, transport and form; and what is
 * refused.  Large exchanges: test_quote_large.c */

#include "strategy/ways.h"
#include "support/forms.h"
#include "support/machines.h"
#include "support/quotes.h"

#include "additions/strategies/relay.c"
#include "machine/machine.h"
#include "support/test.h"

extern const ns_strategy ns_strategy_standard;

/* Strategies by groups beside those that they are made of, and grids. */
static size_t ways_of(ns_made_ways *made, const ns_strategy *list[NS_CHOICES])
{
    static const char *const words[] = {"two-step",   "two-step:2",      "two-step:3",   "three-step:2",
                                        "three-step", "two-step:socket", "staged:router"};
    size_t count = 0, one;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++, count++)
        ck_assert(ns_ways_named(made, words[i], &list[count], 1, &one, NULL) == NS_OK);
    return count;
}

TEST_EACH(same_as_schedules, 8)
{
    ns_machine *machine[FORM_MACHINES];
    ns_made_ways made = {0};
    const ns_strategy *ways[NS_CHOICES];
    const size_t more = ways_of(&made, ways);
    const int machines = form_machines(machine);
    ns_workspace *w = quotes_workspace();
    int checked = 0;
    for (int m = 0; m < machines; m++) {
        ns_exchange *x = quotes_exchange((uint64_t)(_i * FORM_MACHINES + m) + 9000);
        const bool runs = ns_strategy_runs(&ns_strategy_standard, NS_VIA_HOST, machine[m]) ||
                          ns_strategy_runs(&ns_strategy_standard, NS_VIA_DEVICE, machine[m]);
        checked += runs ? quotes_check(x, machine[m], NULL, 0, w) : 0;
        if (runs)
            quotes_check(x, machine[m], ways, more, w);
        ns_exchange_free(x);
        ns_machine_free(machine[m]);
    }
    ck_assert_int_gt(checked, 300);
    ns_workspace_free(w);
}

/* ---- strategies of one's own ------------------------------------------------------------------------------------- */

/* Slices between any processes, joined and apart, on and off node, several between the same two, in any order. */
static ns_status any_emit(const ns_task *task, ns_sink *sink, ns_error *err)
{
    oracle_random random = {(uint64_t)task->exchange->routes + 1};
    const ns_slice slice = {.pair = -1, .entries = 1, .only = -1};
    for (int i = 0; i < 3000; i++) {
        const int32_t processes = task->processes->parts;
        const int step = (int)oracle_below(&random, 3);
        const int32_t from = (int32_t)oracle_below(&random, processes), to = (int32_t)oracle_below(&random, processes);
        NS_TRY(ns_sink_send(sink, step, from, to, oracle_below(&random, task->transport == NS_VIA_HOST ? 3000 : 90000),
                            &slice, err));
    }
    for (int32_t p = 0; p < task->exchange->parts; p++)
        NS_TRY(ns_sink_copy(sink, (ns_direction)(p % 2), p, task->home[p], oracle_below(&random, 9000), err));
    return NS_OK;
}

static const ns_step_rule any_steps[] = {{"one", NS_JOINED}, {"two", NS_APART}, {"three", NS_JOINED}, {NULL, NS_ONCE}};
static const ns_strategy any = {.name = "any",
                                .transports = 1u << NS_VIA_HOST | 1u << NS_VIA_DEVICE,
                                .all_processes = false,
                                .node_aware = true,
                                .steps = any_steps,
                                .emit = any_emit};

TEST_EACH(of_ones_own, 8)
{
    const ns_strategy *const list[] = {&any, &ns_strategy_relay};
    ns_workspace *w = quotes_workspace();
    ns_exchange *x = quotes_exchange((uint64_t)_i + 60);
    ns_machine *machine = machine_named(_i % 2 == 0 ? "lassen" : "lassen-spectrum");
    ck_assert_int_gt(quotes_check(x, machine, list, 2, w), 10);
    ns_exchange_free(x);
    ns_workspace_free(w);
}

/* From every process to every other: receivers from the last to the first, or their senders in leaps from node to
 * node; and where `twice` names a process, its message to the next comes again: at the end, or at once. */
static bool leaps, at_once;
static int32_t twice;

static ns_status any_order_emit(const ns_task *task, ns_sink *sink, ns_error *err)
{
    const ns_slice slice = {.pair = -1, .entries = 1, .only = -1};
    const int32_t processes = task->processes->parts;
    for (int32_t i = 0; i < processes; i++)
        for (int32_t k = 0; k < processes; k++) {
            const int32_t from = leaps ? (int32_t)((i * INT64_C(7)) % processes) : k,
                          to = leaps ? k : processes - 1 - i;
            NS_TRY(ns_sink_send(sink, 0, from, to, 8, &slice, err));
            if (at_once && from == twice && to == (twice + 1) % processes)
                NS_TRY(ns_sink_send(sink, 0, from, to, 8, &slice, err));
        }
    return twice >= 0 && !at_once ? ns_sink_send(sink, 0, twice, (twice + 1) % processes, 8, &slice, err) : NS_OK;
}

static const ns_step_rule once[] = {{"all", NS_ONCE}, {NULL, NS_ONCE}};
static const ns_strategy any_order = {
    .name = "any order", .transports = 1u << NS_VIA_HOST, .steps = once, .emit = any_order_emit};

/* A step that sends once is so in any order; a second message is refused by both in the same words. */
TEST(sent_once)
{
    const ns_strategy *const list[] = {&any_order};
    const ns_selection selection = {.strategy = list, .strategies = 1};
    ns_schedule *schedule = NULL;
    ns_workspace *w = quotes_workspace();
    oracle_random random = {61};
    ns_exchange *x = quotes_messages(&random, NULL, (ns_layout){45, 4}, 300);
    int quotes = -7;
    ns_machine *machine = machine_named("lassen");
    machine = machine_with(machine, "host.injection.inverse_R_N=20ns/B"); /* then it counts how many nodes are met */
    twice = -1;
    at_once = false;
    for (int way = 0; way < 2; way++) {
        leaps = way == 1;
        ck_assert_int_gt(quotes_check(x, machine, list, 1, w), 3);
    }
    for (int way = 0; way < 6; way++) { /* of the first process, of one between, of the last */
        leaps = false;
        twice = way / 2 * 22;
        at_once = way % 2 != 0;
        ns_error quoted = {0}, built = {0};
        ck_assert_int_eq(ns_schedule_build(&any_order, NS_VIA_HOST, x, machine, &schedule, &built), NS_ERR_DATA);
        ck_assert_int_eq(ns_quote(x, machine, &selection, w, &quotes, &quoted), NS_ERR_DATA);
        ck_assert_str_eq(quoted.text, built.text);
        ck_assert_int_eq(quotes, -7);
        ck_assert_ptr_null(ns_quote_at(w, 0));
    }
    ns_exchange_free(x);
    ns_workspace_free(w);
}

/* More processes on a node than are joined in cells: slices inside it are joined in a table. */
TEST_EACH(wide_nodes, 2)
{
    oracle_random random = {(uint64_t)_i + 31};
    ns_machine *machine = machine_named("dane");
    ns_workspace *w = quotes_workspace();
    ns_exchange *x = quotes_messages(&random, NULL, (ns_layout){300, 150}, 900);
    ck_assert_int_gt(quotes_check(x, machine, NULL, 0, w), 15);
    ns_exchange_free(x);
    ns_workspace_free(w);
}

/* Two processes exchange as many bytes; the one that has a neighbour on its node bundles them and takes longer, on
 * whichever node it is.  Alone on their nodes they bundle nothing, and all ways are as fast. */
TEST_EACH(lone_processes, 3)
{
    static const int32_t nodes[][3] = {{0, 1, 1}, {1, 0, 0}, {0, 1, 2}};
    static const ns_planned message[] = {{0, 1, 50000}, {1, 0, 50000}};
    const bool alone = _i == 2;
    ns_machine *machine = machine_named("dane");
    ns_workspace *w = quotes_workspace();
    ns_site *site = NULL;
    ns_exchange *x = NULL;
    int quotes = 0;
    ck_assert(ns_site_from_map(3, alone ? 3 : 2, nodes[_i], 0, NULL, &site, NULL) == NS_OK);
    ck_assert(ns_exchange_from_messages_on(message, 2, site, &x, NULL) == NS_OK);
    ck_assert_int_gt(quotes_check(x, machine, NULL, 0, w), 15);
    ck_assert(ns_quote(x, machine, NULL, w, &quotes, NULL) == NS_OK);
    const double standard = ns_quote_at(w, 0)->price.estimate_s;
    for (int i = 0; i < quotes; i++) {
        const ns_choice *one = ns_quote_at(w, i);
        if (!one->strategy->node_aware || one->strategy->all_processes)
            continue;
        const ns_step_price *between = &one->price.step[ns_strategy_steps(one->strategy) - 2];
        ck_assert_int_eq(between->process, alone ? 0 : 1);
        if (alone)
            ck_assert_double_eq(one->price.estimate_s, standard);
        else
            ck_assert_double_gt(one->price.estimate_s, standard);
    }
    ns_exchange_free(x);
    ns_site_free(site);
    ns_workspace_free(w);
}

/* ---- what is refused, what is kept ------------------------------------------------------------------------------- */

/* Off node only. */
static ns_machine *without_tables(void)
{
    machine_text *text = machine_start(2, 0, 40);
    for (int p = 0; p < NS_PROTOCOLS; p++) {
        machine_put(text, p * 1000, "B", "host.protocols.%s", ns_protocol_words[p]);
        machine_put(text, 1.3e-6, "s", "host.on-node.%s.alpha", ns_protocol_words[p]);
        machine_put(text, 1.7e-9, "s/B", "host.on-node.%s.beta", ns_protocol_words[p]);
    }
    return machine_made(text);
}

TEST(refused)
{
    const ns_selection sure = {.price = {.confidence = 1}}, by_device = {.transports = 1u << NS_VIA_DEVICE};
    ns_machine *machine = NULL, *lacking = without_tables();
    ns_workspace *w = quotes_workspace();
    ns_exchange *x = quotes_exchange(62);
    ns_error err = {0};
    int quotes = -7;
    machine = machine_named("dane");
    ck_assert_int_eq(ns_quote(x, machine, &sure, w, &quotes, &err), NS_ERR_RANGE);
    ck_assert_str_eq(err.text, "confidence wants a number between 0 and 1, got 1");
    err = (ns_error){0};
    ck_assert_int_eq(ns_quote(x, machine, &by_device, w, &quotes, &err), NS_ERR_DATA);
    ck_assert_str_eq(err.text, "machine dane runs none of the strategies and transports asked for");
    err = (ns_error){0};
    ck_assert_int_eq(ns_quote(x, lacking, NULL, w, &quotes, &err), NS_ERR_DATA);
    ck_assert_msg(strstr(err.text, "no off-node table for host memory: it predicts within one node") != NULL, "%s",
                  err.text);
    ck_assert_int_eq(quotes, -7);
    ck_assert_ptr_null(ns_quote_at(w, 0));
    ns_exchange_free(x);
    ns_workspace_free(w);
}

TEST_TIMEOUT(300)
