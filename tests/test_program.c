/* test_program.c -- programs of all processes, executed: every needed value arrives, and what is sent is the schedule's
 */

#include "core/memory.h"
#include "strategy/ways.h"
#include "support/executed.h"
#include "support/machines.h"

#include <nsmodel/program.h>

#include "additions/strategies/relay.c"
#include "support/test.h"

static void execute_all(const ns_exchange *x, const oracle_need *need, const ns_machine *machine)
{
    const ns_strategy *list[NS_CHOICES];
    oracle_lists direct;
    static const char *const more[] = {"two-step:2", "two-step:socket", "three-step:3", "staged:router",
                                       "staged:4x2x5"};
    ns_made_ways made = {0};
    size_t count = ns_strategies_by_rank(list, NS_CHOICES - 1), one;
    list[count++] = &ns_strategy_relay;
    for (size_t i = 0; i < sizeof more / sizeof *more; i++, count++)
        ck_assert(ns_ways_named(&made, more[i], &list[count], 1, &one, NULL) == NS_OK);
    oracle_direct(need, &direct);
    for (size_t i = 0; i < count; i++)
        for (int t = 0; t < NS_TRANSPORTS; t++) {
            ns_schedule *schedule = NULL;
            ns_error err = {0};
            if (!ns_strategy_runs(list[i], (ns_transport)t, machine))
                continue;
            ck_assert_msg(ns_schedule_build(list[i], (ns_transport)t, x, machine, &schedule, &err) == NS_OK, "%s",
                          err.text);
            execute_programs(schedule, x, &direct);
            ns_schedule_free(schedule);
        }
    oracle_lists_free(&direct);
}

/* ---- what is executed -------------------------------------------------------------------------------------------- */

/* Blocks; nodes that jump, one of them empty; all on one node. */
static ns_site *site_of(int32_t parts, int kind)
{
    ns_site *site = NULL;
    int32_t *node = oracle_alloc(parts, sizeof *node);
    for (int32_t p = 0; p < parts; p++)
        node[p] = p * p % 5 == 2 ? 0 : p * p % 5;
    ck_assert(kind == 1 ? ns_site_from_map(parts, 5, node, 0, NULL, &site, NULL) == NS_OK
                        : ns_site_blocks(parts, kind == 0 ? 4 : parts, 0, &site, NULL) == NS_OK);
    ns_free(node);
    return site;
}

TEST_EACH(random_exchanges, 25)
{
    static const struct {
        const char *name, *with;
    } machines[] = {{"dane", "topology.host_processes=4"},
                    {"lassen", "topology.host_processes=4"},
                    {"lassen", "topology.host_processes=18"}};
    oracle_random random = {(uint64_t)_i + 17};
    oracle_matrix a;
    oracle_need need;
    const int32_t parts = 2 + (int32_t)oracle_below(&random, 20);
    const int64_t rows = parts + oracle_below(&random, 60);
    oracle_random_matrix(&random, rows, rows, oracle_below(&random, 500), (int)oracle_below(&random, 2), &a);
    oracle_need_of(&a, parts, NULL, &need);
    for (int kind = 0; kind < 3; kind++) {
        ns_site *site = site_of(parts, kind);
        const ns_exchange_options options = {
            .size = sizeof options, .width = 1 + oracle_below(&random, 9), .site = site, .groups = true};
        ns_exchange *x = NULL;
        ck_assert(ns_exchange_from_csr(rows, rows, a.row_start, a.col_of, (ns_layout){parts, 4}, &options, &x, NULL) ==
                  NS_OK);
        for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
            ns_machine *machine = machine_with(machine_named(machines[m].name), machines[m].with);
            execute_all(x, &need, machine);
            ns_machine_free(machine);
        }
        ns_exchange_free(x);
        ns_site_free(site);
    }
    oracle_need_free(&need);
    oracle_matrix_free(&a);
}

/* Large messages are cut, and two processes have several in a step. */
TEST(cut_messages)
{
    oracle_random random = {5};
    oracle_matrix a;
    oracle_need need;
    ns_exchange *x = NULL;
    const ns_exchange_options options = {.size = sizeof options, .width = 4096, .groups = true};
    ns_machine *machine = machine_with(machine_named("dane"), "topology.host_processes=4");
    oracle_random_matrix(&random, 160, 160, 3000, 0, &a);
    oracle_need_of(&a, 8, NULL, &need);
    ck_assert(ns_exchange_from_csr(160, 160, a.row_start, a.col_of, (ns_layout){8, 4}, &options, &x, NULL) == NS_OK);
    execute_all(x, &need, machine);
    ns_exchange_free(x);
    ns_machine_free(machine);
    oracle_need_free(&need);
    oracle_matrix_free(&a);
}

/* ---- refused ----------------------------------------------------------------------------------------------------- */

/* Part 1 hands on what it never had. */
static ns_status emit_wrong(const ns_task *task, ns_sink *sink, ns_error *err)
{
    const ns_slice slice = {.pair = -1, .first = 0, .entries = 1, .from = 0, .to = 2, .only = -1};
    return ns_sink_send(sink, 0, 1, 2, task->exchange->width, &slice, err);
}
static const ns_step_rule one_step[] = {{"exchange", NS_ONCE}, {NULL, NS_ONCE}};
static const ns_strategy wrong = {
    .name = "wrong", .transports = 1u << NS_VIA_HOST, .steps = one_step, .emit = emit_wrong};

/* More entries than a route has, and than a list between nodes. */
static ns_slice beyond;
static ns_status emit_beyond(const ns_task *task, ns_sink *sink, ns_error *err)
{
    return ns_sink_send(sink, 0, 0, 2, task->exchange->width * beyond.entries, &beyond, err);
}
static const ns_strategy too_far = {
    .name = "too far", .transports = 1u << NS_VIA_HOST, .steps = one_step, .emit = emit_beyond};

TEST(refused_slices)
{
    static const struct {
        ns_slice slice;
        const char *text;
    } rows[] = {
        {{.pair = -1, .first = 2, .entries = 4, .from = 0, .to = 2, .only = -1},
         "a slice has entries 2 to 5 of a route, which has fewer"},
        {{.pair = 0, .first = 0, .entries = 7, .only = -1},
         "a slice has entries 0 to 6 of a pair of nodes, which has fewer"},
        {{.pair = 9, .first = 0, .entries = 1, .only = -1},
         "a slice has entries 0 to 0 of a pair of nodes, which has fewer"},
    };
    static const ns_planned message[] = {{0, 2, 5}};
    ns_machine *machine = machine_with(machine_named("dane"), "topology.host_processes=1");
    ns_exchange *x = NULL;
    ck_assert(ns_exchange_from_messages(message, 1, (ns_layout){3, 1}, NULL, &x, NULL) == NS_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ns_schedule *schedule = NULL;
        ns_program *program = NULL;
        ns_error err = {0};
        beyond = rows[i].slice;
        ck_assert_int_eq(ns_schedule_build(&too_far, NS_VIA_HOST, x, machine, &schedule, NULL), NS_OK);
        ck_assert_int_eq(ns_schedule_ops(schedule, x, 0, &program, &err), NS_ERR_DATA);
        ck_assert_str_eq(err.text, rows[i].text);
        ck_assert_ptr_null(program);
        ns_schedule_free(schedule);
    }
    ns_exchange_free(x);
    ns_machine_free(machine);
}

TEST(refused)
{
    static const ns_planned message[] = {{0, 2, 5}, {1, 2, 3}};
    ns_machine *machine = machine_with(machine_named("dane"), "topology.host_processes=1");
    ns_exchange *x = NULL, *other = NULL;
    ns_schedule *schedule = NULL;
    ns_program *program = NULL;
    ns_error err = {0};
    ck_assert(ns_exchange_from_messages(message, 2, (ns_layout){3, 1}, NULL, &x, NULL) == NS_OK);
    ck_assert(ns_exchange_from_messages(message, 2, (ns_layout){4, 1}, NULL, &other, NULL) == NS_OK);
    ck_assert(ns_schedule_build(&wrong, NS_VIA_HOST, x, machine, &schedule, NULL) == NS_OK);
    ck_assert_int_eq(ns_schedule_ops(schedule, x, 1, &program, &err), NS_ERR_DATA);
    ck_assert_str_eq(err.text, "process 1 sends entries to process 2 in step \"exchange\" that it does not have");
    err = (ns_error){0};
    ck_assert_int_eq(ns_schedule_ops(schedule, x, 3, &program, &err), NS_ERR_RANGE);
    ck_assert_str_eq(err.text, "process 3: the schedule has processes 0 to 2");
    err = (ns_error){0};
    ck_assert_int_eq(ns_schedule_ops(schedule, other, 0, &program, &err), NS_ERR_DATA);
    ck_assert_str_eq(err.text, "the schedule is of 3 parts on 3 nodes, the exchange of 4 on 4");
    ck_assert_ptr_null(program);
    ns_schedule_free(schedule);
    ns_exchange_free(other);
    ns_exchange_free(x);
    ns_machine_free(machine);
}

TEST_TIMEOUT(120)
