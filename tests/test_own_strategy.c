/* test_own_strategy.c -- strategies that nobody published, made here with the public headers alone: built, priced,
 * replayed and compared; and what is refused of them */

#include "core/memory.h"
#include "oracle/oracle.h"
#include "support/forms.h"

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
    ns_machine *machine = NULL;
    ck_assert(ns_machine_load("lassen", &machine, NULL) == NS_OK);
    return machine;
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
    ns_machine_free(machine);
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
    ns_machine_free(machine);
}

/* ---- chunks of one's own: every pair in halves, from the last part to the first
 * -------------------------------------- */

static ns_status halves_emit(const ns_task *task, ns_sink *sink, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    ns_chunk *chunk = ns_malloc((2 * (size_t)x->pairs + 1) * sizeof *chunk);
    int64_t chunks = 0;
    if (chunk == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    for (int64_t i = 0; i < x->pairs; i++) {
        const int64_t half = (x->pair[i].entries + 1) / 2;
        for (int64_t first = 0; first < x->pair[i].entries; first += half)
            chunk[chunks++] =
                (ns_chunk){.pair = i,
                           .first = first,
                           .entries = x->pair[i].entries - first < half ? x->pair[i].entries - first : half,
                           .sender = task->home[part_at(x->site, x->pair[i].from, true)],
                           .receiver = task->home[part_at(x->site, x->pair[i].to, false)]};
    }
    ns_status status = ns_sink_chunks(sink, task, chunk, chunks, true, err);
    ns_free(chunk);
    return status;
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
    ns_machine_free(machine);
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

static ns_status routes_beyond(const ns_task *task, ns_sink *sink, ns_error *err)
{
    return ns_sink_routes(sink, task, 1, err);
}

static ns_status chunks_missing(const ns_task *task, ns_sink *sink, ns_error *err)
{
    const ns_chunk first = {.entries = task->exchange->pair[0].entries, .sender = 0, .receiver = 4};
    return ns_sink_chunks(sink, task, &first, 1, true, err);
}

static ns_status chunk_of_another(const ns_task *task, ns_sink *sink, ns_error *err)
{
    const ns_chunk second = {.pair = 1, .entries = 1};
    return ns_sink_chunks(sink, task, &second, 1, true, err);
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
        {one, routes_beyond, NS_ERR_RANGE, "own sends its routes in step 1; it has 1 steps"},
        {one, chunks_missing, NS_ERR_DATA, "pair 1 of nodes is not cut into chunks"},
        {one, chunk_of_another, NS_ERR_DATA, "chunk 0 is not the next of pair 0 of nodes"},
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
    ns_machine_free(machine);
}
