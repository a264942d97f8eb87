/* test_quote.c -- quotes: to the bit the prices of schedules, for every strategy, transport and form; from the second
 * of a size on without allocating; and what is refused */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <nsmodel/matrix.h>

#include "core/memory.h"
#include "oracle/oracle.h"
#include "support/allocations.h"
#include "support/forms.h"
#include "support/machines.h"

#include "additions/strategies/relay.c"
#include "machine/machine.h"
#include "pattern/exchange.h"
#include "price/quote.h"

extern const ns_strategy ns_strategy_standard;

/* ---- exchanges --------------------------------------------------------------------------------------------------- */

/* Any number of parts on any node, in any order; nodes may be empty. */
static ns_site *random_site(oracle_random *random, int32_t parts, int32_t nodes)
{
    int32_t *node_of = ns_malloc((size_t)parts * sizeof *node_of);
    ns_site *site = NULL;
    for (int32_t p = 0; p < parts; p++)
        node_of[p] = (int32_t)oracle_below(random, nodes);
    ck_assert(ns_site_from_map(parts, nodes, node_of, 0, NULL, &site, NULL) == NS_OK);
    ns_free(node_of);
    return site;
}

static ns_exchange *from_matrix(oracle_random *random, const ns_site *site, ns_layout layout)
{
    const ns_exchange_options options = {.width = 1 + oracle_below(random, 3000), .site = site};
    ns_exchange *x = NULL;
    oracle_matrix matrix;
    oracle_random_matrix(random, 300, 300, oracle_below(random, 4000), (int)oracle_below(random, 3), &matrix);
    ck_assert(ns_exchange_from_csr(300, 300, matrix.row_start, matrix.col_of, layout, &options, &x, NULL) == NS_OK);
    oracle_matrix_free(&matrix);
    return x;
}

/* Sizes over all protocols. */
static ns_exchange *from_messages(oracle_random *random, const ns_site *site, ns_layout layout, size_t count)
{
    ns_planned *message = ns_malloc((count + 1) * sizeof *message);
    ns_exchange *x = NULL;
    for (size_t i = 0; i < count; i++) {
        const int32_t from = (int32_t)oracle_below(random, layout.parts),
                      to = (from + 1 + (int32_t)oracle_below(random, layout.parts - 1)) % layout.parts;
        message[i] = (ns_planned){from, to, 1 + oracle_below(random, INT64_C(1) << oracle_below(random, 24))};
    }
    ck_assert((site != NULL ? ns_exchange_from_messages_on(message, count, site, &x, NULL)
                            : ns_exchange_from_messages(message, count, layout, NULL, &x, NULL)) == NS_OK);
    ns_free(message);
    return x;
}

static ns_exchange *random_exchange(uint64_t seed)
{
    oracle_random random = {seed};
    const ns_layout layout = {2 + (int32_t)oracle_below(&random, 60), 1 + (int32_t)oracle_below(&random, 7)};
    ns_site *site = oracle_below(&random, 2) == 0
                        ? random_site(&random, layout.parts, 1 + (int32_t)oracle_below(&random, 12))
                        : NULL;
    ns_exchange *x =
        oracle_below(&random, 2) == 0 ? from_matrix(&random, site, layout) : from_messages(&random, site, layout, 700);
    ns_site_free(site);
    return x;
}

/* ---- quotes and schedules ---------------------------------------------------------------------------------------- */

static ns_workspace *workspace(void)
{
    ns_workspace *w = NULL;
    ck_assert(ns_workspace_open(&w, NULL) == NS_OK);
    return w;
}

static void check_quote(const ns_quoted *quoted, const ns_exchange *x, const ns_machine *machine,
                        const ns_price_options *options)
{
    static ns_price price;
    ns_schedule *schedule = NULL;
    ns_error err = {0};
    ck_assert_uint_eq(quoted->size, sizeof *quoted);
    ck_assert_msg(ns_schedule_build(quoted->strategy, quoted->transport, x, machine, &schedule, &err) == NS_OK, "%s",
                  err.text);
    memset(&price, 0, sizeof price);
    ck_assert_msg(ns_schedule_price_as(schedule, machine, options, &price, &err) == NS_OK, "%s", err.text);
    ck_assert_msg(memcmp(&price.estimate_s, &quoted->price.estimate_s, sizeof(double)) == 0,
                  "%s/%s on %s, %s: quoted %.17g s, its schedule takes %.17g s", quoted->strategy->name,
                  ns_transport_words[quoted->transport], machine->name, price.form->name, quoted->price.estimate_s,
                  price.estimate_s);
    ck_assert_msg(memcmp(&price, &quoted->price, sizeof price) == 0,
                  "%s/%s on %s, %s: prices differ beside the estimate", quoted->strategy->name,
                  ns_transport_words[quoted->transport], machine->name, price.form->name);
    ck_assert_int_eq(quoted->messages_off_node_max, ns_schedule_messages_off_node_max(schedule));
    ns_schedule_free(schedule);
}

/* What cannot be quoted has a schedule that cannot be priced, and says the same of the machine. */
static void check_refused(const ns_error *refused, const ns_exchange *x, const ns_machine *machine)
{
    bool failed = false;
    ck_assert_int_eq(refused->code, NS_ERR_DATA);
    for (const ns_strategy *const *s = ns_strategies(); *s != NULL; s++)
        for (int t = 0; t < NS_TRANSPORTS; t++) {
            ns_schedule *schedule = NULL;
            ns_price price;
            ns_error err = {0};
            if (!ns_strategy_runs(*s, (ns_transport)t, machine))
                continue;
            ck_assert(ns_schedule_build(*s, (ns_transport)t, x, machine, &schedule, NULL) == NS_OK);
            failed = failed || ns_schedule_price(schedule, machine, &price, &err) == refused->code;
            ns_schedule_free(schedule);
        }
    ck_assert_msg(failed, "%s", refused->text);
}

/* All that the machine runs, in every form. */
static int check_machine(const ns_exchange *x, const ns_machine *machine, const ns_strategy *const *strategy,
                         size_t strategies, ns_workspace *w)
{
    const ns_form *forms[NS_FORMS_MAX];
    const size_t count = ns_forms_by_rank(forms, NS_FORMS_MAX);
    int checked = 0;
    for (size_t f = 0; f < count; f++) {
        const ns_selection selection = {
            .strategy = strategy, .strategies = strategies, .price = {.form = forms[f], .confidence = 0.8}};
        ns_error err = {0};
        int quotes = 0;
        if (ns_quote(x, machine, &selection, w, &quotes, &err) != NS_OK)
            check_refused(&err, x, machine);
        for (int i = 0; i < quotes; i++, checked++)
            check_quote(ns_quote_at(w, i), x, machine, &selection.price);
        ck_assert_ptr_null(ns_quote_at(w, quotes));
    }
    return checked;
}

START_TEST(same_as_schedules)
{
    ns_machine *machine[FORM_MACHINES];
    const int machines = form_machines(machine);
    ns_workspace *w = workspace();
    int checked = 0;
    for (int m = 0; m < machines; m++) {
        ns_exchange *x = random_exchange((uint64_t)(_i * FORM_MACHINES + m) + 9000);
        const bool runs = ns_strategy_runs(&ns_strategy_standard, NS_VIA_HOST, machine[m]) ||
                          ns_strategy_runs(&ns_strategy_standard, NS_VIA_DEVICE, machine[m]);
        checked += runs ? check_machine(x, machine[m], NULL, 0, w) : 0;
        ns_exchange_free(x);
        ns_machine_free(machine[m]);
    }
    ck_assert_int_gt(checked, 300);
    ns_workspace_free(w);
}
END_TEST

/* More chunks a node than are sorted by insertion, more messages than the first table of joined ones holds. */
START_TEST(many_nodes)
{
    oracle_random random = {(uint64_t)_i + 77};
    const ns_layout layout = {600, _i == 0 ? 4 : 6};
    ns_machine *machine = NULL;
    ns_workspace *w = workspace();
    ns_site *site = _i == 2 ? random_site(&random, layout.parts, 150) : NULL;
    ns_exchange *x = from_messages(&random, site, layout, 20000);
    ck_assert(ns_machine_load("lassen-spectrum", &machine, NULL) == NS_OK);
    ck_assert_int_gt(check_machine(x, machine, NULL, 0, w), 30);
    ns_exchange_free(x);
    ns_site_free(site);
    ns_workspace_free(w);
    ns_machine_free(machine);
}
END_TEST

/* So many processes that senders' sums are reached node by node; slices of a node in short links, and in long ones. */
START_TEST(many_processes)
{
    oracle_random random = {(uint64_t)_i + 91};
    ns_machine *machine = NULL;
    ns_workspace *w = workspace();
    ns_exchange *x = from_messages(&random, NULL, (ns_layout){3600, 4}, _i == 0 ? 9000 : 60000);
    ck_assert(ns_machine_load("lassen", &machine, NULL) == NS_OK);
    ck_assert_int_gt(check_machine(x, machine, NULL, 0, w), 15);
    ns_exchange_free(x);
    ns_workspace_free(w);
    ns_machine_free(machine);
}
END_TEST

/* Real patterns: columns that several parts of a node need. */
START_TEST(real_patterns)
{
    static const char *const name[] = {"bone010", "stencil27:24x24x24x3", "thermal2"};
    static const ns_layout layout[] = {{64, 4}, {45, 6}};
    ns_machine *machine = NULL;
    ns_matrix *matrix = NULL;
    ns_exchange *x[2] = {NULL, NULL};
    ns_workspace *w = workspace();
    ck_assert(ns_machine_load(_i % 2 == 0 ? "lassen" : "dane", &machine, NULL) == NS_OK);
    ck_assert(ns_matrix_open(name[_i / 2], &matrix, NULL) == NS_OK);
    ck_assert(ns_exchange_from_matrix(matrix, layout, 2, NULL, x, NULL, NULL) == NS_OK);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_gt(check_machine(x[i], machine, NULL, 0, w), 15);
        ns_exchange_free(x[i]);
    }
    ns_matrix_free(matrix);
    ns_workspace_free(w);
    ns_machine_free(machine);
}
END_TEST

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

START_TEST(of_ones_own)
{
    const ns_strategy *const list[] = {&any, &ns_strategy_relay};
    ns_machine *machine = NULL;
    ns_workspace *w = workspace();
    ns_exchange *x = random_exchange((uint64_t)_i + 60);
    ck_assert(ns_machine_load(_i % 2 == 0 ? "lassen" : "lassen-spectrum", &machine, NULL) == NS_OK);
    ck_assert_int_gt(check_machine(x, machine, list, 2, w), 10);
    ns_exchange_free(x);
    ns_workspace_free(w);
    ns_machine_free(machine);
}
END_TEST

/* From every process to every other: receivers from the last to the first, or their senders in leaps from node to
 * node; and where `twice` says so one message comes again. */
static bool twice, leaps;

static ns_status any_order_emit(const ns_task *task, ns_sink *sink, ns_error *err)
{
    const ns_slice slice = {.pair = -1, .entries = 1, .only = -1};
    const int32_t processes = task->processes->parts;
    for (int32_t i = 0; i < processes; i++)
        for (int32_t k = 0; k < processes; k++) {
            const int32_t from = leaps ? (int32_t)((i * INT64_C(7)) % processes) : k,
                          to = leaps ? k : processes - 1 - i;
            NS_TRY(ns_sink_send(sink, 0, from, to, 8, &slice, err));
        }
    return twice ? ns_sink_send(sink, 0, 1, processes - 1, 8, &slice, err) : NS_OK;
}

static const ns_step_rule once[] = {{"all", NS_ONCE}, {NULL, NS_ONCE}};
static const ns_strategy any_order = {
    .name = "any order", .transports = 1u << NS_VIA_HOST, .steps = once, .emit = any_order_emit};

/* A step that sends once is so in any order; a second message is refused by both in the same words. */
START_TEST(sent_once)
{
    const ns_strategy *const list[] = {&any_order};
    const ns_selection selection = {.strategy = list, .strategies = 1};
    ns_machine *machine = NULL;
    ns_schedule *schedule = NULL;
    ns_workspace *w = workspace();
    oracle_random random = {61};
    ns_exchange *x = from_messages(&random, NULL, (ns_layout){45, 4}, 300);
    ns_error quoted = {0}, built = {0};
    int quotes = -7;
    ck_assert(ns_machine_load("lassen", &machine, NULL) == NS_OK);
    machine = machine_with(machine, "host.injection.inverse_R_N=20ns/B"); /* then it counts how many nodes are met */
    twice = false;
    for (int way = 0; way < 2; way++) {
        leaps = way == 1;
        ck_assert_int_gt(check_machine(x, machine, list, 1, w), 3);
    }
    twice = true;
    ck_assert_int_eq(ns_schedule_build(&any_order, NS_VIA_HOST, x, machine, &schedule, &built), NS_ERR_DATA);
    ck_assert_int_eq(ns_quote(x, machine, &selection, w, &quotes, &quoted), NS_ERR_DATA);
    ck_assert_str_eq(quoted.text, built.text);
    ck_assert_int_eq(quotes, -7);
    ck_assert_ptr_null(ns_quote_at(w, 0));
    ns_exchange_free(x);
    ns_workspace_free(w);
    ns_machine_free(machine);
}
END_TEST

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

START_TEST(refused)
{
    const ns_selection sure = {.price = {.confidence = 1}}, by_device = {.transports = 1u << NS_VIA_DEVICE};
    ns_machine *machine = NULL, *lacking = without_tables();
    ns_workspace *w = workspace();
    ns_exchange *x = random_exchange(62);
    ns_error err = {0};
    int quotes = -7;
    ck_assert(ns_machine_load("dane", &machine, NULL) == NS_OK);
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
    ns_machine_free(machine);
    ns_machine_free(lacking);
}
END_TEST

/* Large, small, large: prices are those of a fresh workspace; and no more memory is asked for. */
START_TEST(workspace_again)
{
    oracle_random random = {5};
    ns_machine *machine = NULL;
    ns_workspace *w = workspace();
    ns_exchange *large = from_messages(&random, NULL, (ns_layout){500, 4}, 9000), *small = random_exchange(63);
    int quotes = 0;
    ck_assert(ns_machine_load("lassen", &machine, NULL) == NS_OK);
    for (int again = 0; again < 2; again++) {
        check_machine(large, machine, NULL, 0, w);
        check_machine(small, machine, NULL, 0, w);
    }
    for (int again = 0; again < 3; again++) {
        const long before = allocations();
        const ns_status status = ns_quote(again % 2 == 0 ? large : small, machine, NULL, w, &quotes, NULL);
        const long after = allocations();
        ck_assert(status == NS_OK);
        ck_assert_int_eq(after, before);
    }
    ns_exchange_free(large);
    ns_exchange_free(small);
    ns_workspace_free(w);
    ns_machine_free(machine);
}
END_TEST

Suite *suite(void);

Suite *suite(void)
{
    Suite *s = suite_create("quotes");
    TCase *tc = tcase_create("prices");
    tcase_set_timeout(tc, 300);
    tcase_add_loop_test(tc, same_as_schedules, 0, 8);
    tcase_add_loop_test(tc, many_nodes, 0, 3);
    tcase_add_loop_test(tc, many_processes, 0, 2);
    tcase_add_loop_test(tc, real_patterns, 0, 6);
    tcase_add_loop_test(tc, of_ones_own, 0, 8);
    tcase_add_test(tc, sent_once);
    tcase_add_test(tc, refused);
    tcase_add_test(tc, workspace_again);
    suite_add_tcase(s, tc);
    return s;
}
