/* test_own_strategy.c -- strategies that nobody published, made here with the public headers alone: built, priced,
 * replayed and compared; and what is refused of them */

#include "core/memory.h"
#include "oracle/oracle.h"
#include "support/forms.h"
#include "support/machines.h"

/* Four steps.  Here it is in no list; tests/test_additions.c puts it into one. */
#include "additions/strategies/relay.c"
#include "machine/machine.h"
#include "pattern/exchange.h"
#include "price/choice.h"
#include "support/test.h"
#define relay ns_strategy_relay

static ns_exchange *exchange_of(uint64_t seed, const ns_site *site, oracle_need *need)
{
    oracle_random random = {seed};
    oracle_matrix matrix;
    ns_exchange *x = NULL;
    const int32_t parts = site != NULL ? site->parts : 14;
    ns_exchange_options options = {.site = site};
    oracle_random_matrix(&random, 90, 90, 600, 1, &matrix);
    ck_assert(ns_exchange_from_csr(90, 90, matrix.row_start, matrix.col_of, (ns_layout){parts, 4}, &options, &x,
                                   NULL) == NS_OK);
    oracle_need_of(&matrix, parts, NULL, need);
    oracle_matrix_free(&matrix);
    return x;
}

static ns_machine *lassen(void)
{
    ns_machine *machine = machine_named("lassen");
    return test_keep(machine);
}

static void check_relay(const oracle_need *need, const ns_exchange *x, const ns_machine *machine, ns_transport t)
{
    ns_schedule *schedule = NULL;
    ns_error err = {0};
    oracle_traffic traffic;
    oracle_cost cost;
    ns_price price;
    char why[256] = "";
    double published = 0;
    ck_assert_msg(ns_schedule_build(&relay, t, x, machine, &schedule, &err) == NS_OK, "%s", err.text);
    ck_assert_int_eq(schedule->steps, 4);
    ck_assert_msg(oracle_replay(need, x, schedule, &traffic, why), "%s", why);
    ck_assert_int_eq(schedule->step[CROSS].messages, x->pairs);
    ck_assert(ns_schedule_price_as(schedule, machine, &(ns_price_options){.form = &ns_form_max_rate, .confidence = 0.9},
                                   &price, &err) == NS_OK);
    oracle_price(schedule, machine, &cost);
    ck_assert_int_eq(price.steps, 4);
    ck_assert(price.step[HAND_OVER].process >= 0 && oracle_equal(cost.estimate_s, price.estimate_s));
    ck_assert(ns_strategy_published(&relay, t, x, machine, &published, &err) == NS_OK && published < 0);
    oracle_traffic_free(&traffic);
    ns_schedule_free(schedule);
}

TEST_EACH(built_priced_replayed, 3)
{
    static const int32_t slurm[] = {0, 0, 0, 0, 1, 1, 1, 2, 3}, mixed[] = {2, 0, 1, 1, 0, 2, 1, 3, 1};
    ns_machine *machine = lassen();
    ns_site *site = NULL;
    oracle_need need;
    if (_i > 0)
        ck_assert(ns_site_from_map(9, 4, _i == 1 ? slurm : mixed, 0, NULL, &site, NULL) == NS_OK);
    ns_exchange *x = exchange_of((uint64_t)_i + 5, site, &need);
    for (int t = 0; t < NS_TRANSPORTS; t++)
        check_relay(&need, x, machine, (ns_transport)t);
    oracle_need_free(&need);
    ns_exchange_free(x);
    ns_site_free(site);
}

/* Beside a registered one, in the order of ranks, each once. */
TEST(compared)
{
    static ns_comparison comparison;
    const ns_strategy *standard = NULL;
    oracle_need need;
    ns_machine *machine = lassen();
    ns_exchange *x = exchange_of(3, NULL, &need);
    ns_error err = {0};
    double seconds;
    ck_assert(ns_strategy_get("standard", &standard, NULL) == NS_OK);
    const ns_strategy *const list[] = {&relay, standard, &relay};
    const ns_selection selection = {.strategy = list, .strategies = 3, .transports = 1u << NS_VIA_HOST};
    ck_assert_msg(ns_compare_into(x, machine, &selection, &comparison, &err) == NS_OK, "%s", err.text);
    ck_assert_int_eq(comparison.choices, 2);
    ck_assert(comparison.choice[0].strategy == standard && comparison.choice[1].strategy == &relay);
    ck_assert(comparison.choice[0].published_s > 0 && comparison.choice[1].published_s < 0);
    ck_assert(isfinite(comparison.choice[1].price.estimate_s) && comparison.choice[1].price.estimate_s > 0);
    ck_assert(ns_strategy_closed(&relay, NS_VIA_HOST, machine, NULL, 0, &seconds, &err) == NS_ERR_DATA);
    ck_assert_str_eq(err.text, "relay has no published closed form");
    oracle_need_free(&need);
    ns_exchange_free(x);
}

/* ---- every pair in halves, from the last part to the first ------------------------------------------------------- */

static ns_status send_halves(const ns_task *task, ns_sink *sink, int64_t i, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    const ns_pair *pair = &x->pair[i];
    const int32_t sender = task->home[part_at(x->site, pair->from, true)],
                  receiver = task->home[part_at(x->site, pair->to, false)];
    for (int64_t r = pair->run; r < pair->run + pair->runs; r++) {
        const ns_run *run = &x->run[r];
        ns_slice slice = {.pair = i, .first = run->first, .entries = run->entries, .from = -1, .to = -1, .only = -1};
        NS_TRY(ns_sink_send(sink, 0, task->home[run->origin], sender, run->entries * x->width, &slice, err));
        for (int32_t n = 0; n < run->needers; n++) {
            slice.only = x->needer[run->needer + n];
            NS_TRY(ns_sink_send(sink, 2, receiver, task->home[slice.only], run->entries * x->width, &slice, err));
        }
    }
    const int64_t half = (pair->entries + 1) / 2;
    for (ns_slice slice = {.pair = i, .from = -1, .to = -1, .only = -1}; slice.first < pair->entries;
         slice.first += half) {
        slice.entries = pair->entries - slice.first < half ? pair->entries - slice.first : half;
        NS_TRY(ns_sink_send(sink, 1, sender, receiver, slice.entries * x->width, &slice, err));
    }
    return NS_OK;
}

static ns_status halves_emit(const ns_task *task, ns_sink *sink, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    for (int64_t i = 0; i < x->routes; i++) {
        const ns_route *route = &x->route[i];
        const ns_slice slice = {
            .pair = -1, .entries = route->entries, .from = route->from, .to = route->to, .only = -1};
        if (x->site->node_of[route->from] == x->site->node_of[route->to])
            NS_TRY(ns_sink_send(sink, 0, task->home[route->from], task->home[route->to], route->entries * x->width,
                                &slice, err));
    }
    for (int64_t i = 0; i < x->pairs; i++)
        NS_TRY(send_halves(task, sink, i, err));
    return relay_copies(task, sink, err);
}

static ns_strategy halves_that(ns_joining joining, ns_step_rule steps[4])
{
    steps[0] = (ns_step_rule){"gather", NS_JOINED};
    steps[1] = (ns_step_rule){"exchange", joining};
    steps[2] = (ns_step_rule){"scatter", NS_JOINED};
    steps[3] = (ns_step_rule){NULL, NS_ONCE};
    return (ns_strategy){
        .name = "halves", .transports = 1u << NS_VIA_HOST, .node_aware = true, .steps = steps, .emit = halves_emit};
}

/* The same emissions in each way of joining: two messages a pair of nodes, one, or none at all. */
TEST(joining)
{
    oracle_need need;
    ns_machine *machine = lassen();
    ns_exchange *x = exchange_of(3, NULL, &need);
    int64_t chunks = 0;
    for (int64_t i = 0; i < x->pairs; i++)
        chunks += x->pair[i].entries > 1 ? 2 : 1;
    ck_assert_int_gt(chunks, x->pairs);
    for (int way = 0; way < 3; way++) {
        ns_step_rule steps[4];
        const ns_strategy halves = halves_that((ns_joining)way, steps);
        ns_schedule *schedule = NULL;
        ns_error err = {0};
        oracle_traffic traffic;
        char why[256] = "";
        ns_status status = ns_schedule_build(&halves, NS_VIA_HOST, x, machine, &schedule, &err);
        if (way == NS_ONCE) {
            ck_assert_int_eq(status, NS_ERR_DATA);
            ck_assert_str_eq(err.text,
                             "halves sends more than once from process 3 to process 4 in its step \"exchange\"");
            continue;
        }
        ck_assert_msg(status == NS_OK, "%s", err.text);
        ck_assert_msg(oracle_replay(&need, x, schedule, &traffic, why), "%s", why);
        ck_assert_int_eq(schedule->step[1].messages, way == NS_APART ? chunks : x->pairs);
        ck_assert_int_eq(schedule->step[1].joining, way);
        oracle_traffic_free(&traffic);
        ns_schedule_free(schedule);
    }
    oracle_need_free(&need);
    ns_exchange_free(x);
}

/* ---- what is refused
 * ------------------------------------------------------------------------------------------------- */

static const ns_slice nothing = {.pair = -1, .entries = 1, .only = -1};

static ns_status beyond_steps(const ns_task *task, ns_sink *sink, ns_error *err)
{
    (void)task;
    return ns_sink_send(sink, 1, 0, 1, 8, &nothing, err);
}

static ns_status beyond_processes(const ns_task *task, ns_sink *sink, ns_error *err)
{
    return ns_sink_send(sink, 0, 0, task->processes->parts, 8, &nothing, err);
}

static ns_status copy_of_nobody(const ns_task *task, ns_sink *sink, ns_error *err)
{
    return ns_sink_copy(sink, NS_D2H, task->exchange->parts, 0, 8, err);
}

static ns_status copy_of_less(const ns_task *task, ns_sink *sink, ns_error *err)
{
    (void)task;
    return ns_sink_copy(sink, NS_D2H, -1, 0, 8, err);
}

static ns_status copy_by_nobody(const ns_task *task, ns_sink *sink, ns_error *err)
{
    return ns_sink_copy(sink, NS_H2D, 0, task->processes->parts, 8, err);
}

static ns_status copy_of_minus(const ns_task *task, ns_sink *sink, ns_error *err)
{
    (void)task;
    return ns_sink_copy(sink, NS_H2D, 0, 0, -1, err);
}

TEST(refused)
{
    static const ns_step_rule one[] = {{"all", NS_JOINED}, {NULL, NS_ONCE}}, none[] = {{NULL, NS_ONCE}};
    ns_step_rule many[NS_STEPS + 2] = {{NULL, NS_ONCE}};
    for (int i = 0; i <= NS_STEPS; i++)
        many[i].name = "more";
    const struct {
        const ns_step_rule *steps;
        ns_status (*emit)(const ns_task *, ns_sink *, ns_error *);
        ns_status code;
        const char *text;
    } rows[] = {
        {one, beyond_steps, NS_ERR_RANGE,
         "own sends 8 B from process 0 to process 1 in step 1; it has 1 steps and 14 processes"},
        {one, beyond_processes, NS_ERR_RANGE,
         "own sends 8 B from process 0 to process 14 in step 0; it has 1 steps and 14 processes"},
        {one, copy_of_nobody, NS_ERR_RANGE,
         "own copies 8 B of part 14 by process 0; there are 14 parts and 14 processes"},
        {one, copy_of_less, NS_ERR_RANGE,
         "own copies 8 B of part -1 by process 0; there are 14 parts and 14 processes"},
        {one, copy_by_nobody, NS_ERR_RANGE,
         "own copies 8 B of part 0 by process 14; there are 14 parts and 14 processes"},
        {one, copy_of_minus, NS_ERR_RANGE,
         "own copies -1 B of part 0 by process 0; there are 14 parts and 14 processes"},
        {none, relay_emit, NS_ERR_LIMIT, "own has 0 steps; wanted 1 to 16"},
        {many, relay_emit, NS_ERR_LIMIT, "own has 17 steps; wanted 1 to 16"},
    };
    oracle_need need;
    ns_machine *machine = lassen();
    ns_exchange *x = exchange_of(3, NULL, &need);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const ns_strategy own = {
            .name = "own", .transports = 1u << NS_VIA_HOST, .steps = rows[i].steps, .emit = rows[i].emit};
        ns_schedule *schedule = NULL;
        ns_error err = {0};
        ck_assert_int_eq(ns_schedule_build(&own, NS_VIA_HOST, x, machine, &schedule, &err), rows[i].code);
        ck_assert_str_eq(err.text, rows[i].text);
        ck_assert_ptr_null(schedule);
    }
    oracle_need_free(&need);
    ns_exchange_free(x);
}
