/* test_sink.c -- a second sink, which only adds up: what a strategy names to it is what its schedule holds */

#include "core/memory.h"
#include "oracle/oracle.h"
#include "schedule/rule.h"
#include "support/test.h"

/* Bytes and slices by step and by sending and receiving process; bytes copied by direction. */
typedef struct sums {
    ns_sink sink;
    int32_t processes;
    int64_t slices[NS_STEPS], *sent, *received; /* [step * processes + process] */
    int64_t copied[NS_DIRECTIONS];
} sums;

static ns_status add_slice(ns_sink *sink, int step, int32_t from, int32_t to, int64_t bytes, const ns_slice *slice,
                           ns_error *err)
{
    sums *s = (sums *)sink;
    (void)slice, (void)err;
    s->slices[step]++;
    s->sent[(int64_t)step * s->processes + from] += bytes;
    s->received[(int64_t)step * s->processes + to] += bytes;
    return NS_OK;
}

static ns_status add_copy(ns_sink *sink, ns_direction direction, int32_t part, int32_t process, int64_t bytes,
                          ns_error *err)
{
    (void)part, (void)process, (void)err;
    ((sums *)sink)->copied[direction] += bytes;
    return NS_OK;
}

static void same_sums(const sums *s, const ns_schedule *schedule)
{
    for (int i = 0; i < schedule->steps; i++) {
        const ns_step *step = &schedule->step[i];
        int64_t slices = 0;
        for (int32_t p = 0; p < schedule->processes; p++) {
            int64_t sent = 0, received = 0;
            for (int64_t m = step->sent[p]; m < step->sent[p + 1]; m++) {
                sent += step->message[m].bytes;
                slices += step->message[m].slices;
            }
            for (int64_t m = step->received[p]; m < step->received[p + 1]; m++)
                received += step->message[step->by_receiver[m]].bytes;
            ck_assert_int_eq(s->sent[(int64_t)i * s->processes + p], sent);
            ck_assert_int_eq(s->received[(int64_t)i * s->processes + p], received);
        }
        ck_assert_int_eq(s->slices[i], slices);
    }
    for (int d = 0; d < NS_DIRECTIONS && schedule->staged; d++) {
        int64_t copied = 0;
        for (int64_t i = 0; i < schedule->copies[d]; i++)
            copied += schedule->copy[d][i].bytes;
        ck_assert_int_eq(s->copied[d], copied);
    }
}

static void check_strategy(const ns_strategy *strategy, ns_transport t, const ns_exchange *x, const ns_machine *machine)
{
    ns_task task;
    ns_arena arena = {0};
    ns_schedule *schedule = NULL;
    ns_error err = {0};
    ck_assert_msg(ns_task_open(strategy, t, x, machine, &arena, &task, &err) == NS_OK, "%s", err.text);
    sums s = {.sink = {.send = add_slice, .copy = add_copy}, .processes = task.processes->parts};
    s.sent = oracle_alloc((int64_t)NS_STEPS * s.processes, sizeof *s.sent);
    s.received = oracle_alloc((int64_t)NS_STEPS * s.processes, sizeof *s.received);
    ck_assert_msg(ns_sink_run(&s.sink, strategy, &task, &err) == NS_OK, "%s", err.text);
    ck_assert(ns_schedule_build(strategy, t, x, machine, &schedule, &err) == NS_OK);
    ck_assert_int_eq(schedule->steps, ns_strategy_steps(strategy));
    ck_assert_int_eq(schedule->processes, s.processes);
    same_sums(&s, schedule);
    ns_schedule_free(schedule);
    ns_arena_free(&s.sink.room);
    ns_arena_free(&arena);
    ns_free(s.sent);
    ns_free(s.received);
}

TEST_EACH(same_as_the_schedule, 4)
{
    static const int32_t slurm[] = {0, 0, 0, 0, 1, 1, 1, 2, 3};
    oracle_random random = {(uint64_t)_i + 40};
    oracle_matrix matrix;
    ns_machine *machine = NULL;
    ns_site *site = NULL;
    ns_exchange *x = NULL;
    ck_assert(ns_machine_load("lassen", &machine, NULL) == NS_OK);
    if (_i % 2 == 1)
        ck_assert(ns_site_from_map(9, 4, slurm, 0, NULL, &site, NULL) == NS_OK);
    ns_exchange_options options = {.site = site, .width = _i == 2 ? 4096 : 8};
    oracle_random_matrix(&random, 200, 200, 2000, 1, &matrix);
    ck_assert(ns_exchange_from_csr(200, 200, matrix.row_start, matrix.col_of, (ns_layout){site != NULL ? 9 : 18, 4},
                                   &options, &x, NULL) == NS_OK);
    for (const ns_strategy *const *strategy = ns_strategies(); *strategy != NULL; strategy++)
        for (int t = 0; t < NS_TRANSPORTS; t++)
            if (ns_strategy_runs(*strategy, (ns_transport)t, machine))
                check_strategy(*strategy, (ns_transport)t, x, machine);
    oracle_matrix_free(&matrix);
    ns_exchange_free(x);
    ns_site_free(site);
    ns_machine_free(machine);
}

/* ---- chunks by node and size ------------------------------------------------------------------------------------- */

typedef struct sized {
    int64_t entries, at;
} sized;

static int by_size(const void *a, const void *b)
{
    const sized *x = a, *y = b;
    if (x->entries != y->entries)
        return x->entries > y->entries ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static void check_order(const int64_t *entries, int64_t count)
{
    sized *expected = oracle_alloc(count, sizeof *expected);
    uint64_t *room = oracle_alloc(2 * count, sizeof *room);
    int32_t *order = oracle_alloc(count, sizeof *order);
    for (int64_t i = 0; i < count; i++)
        expected[i] = (sized){entries[i], i};
    qsort(expected, (size_t)count, sizeof *expected, by_size);
    ns_order_by_size(entries, count, room, order);
    for (int64_t i = 0; i < count; i++)
        ck_assert_int_eq(order[i], expected[i].at);
    ns_free(expected);
    ns_free(room);
    ns_free(order);
}

/* Those of a node, at one of their ends, as they come; and these by size. */
static void check_nodes(const ns_exchange *x, const ns_chunk *chunk, bool receiving)
{
    ns_sink sink = {.steps = 1};
    int64_t *list, *first, seen = 0, *entries = oracle_alloc(x->pairs, sizeof *entries);
    ck_assert(ns_chunks_by_node(&sink, x, chunk, x->pairs, receiving, &list, &first, NULL) == NS_OK);
    for (int32_t node = 0; node < x->nodes; node++) {
        ck_assert_int_eq(first[node], seen);
        for (int64_t i = 0; i < x->pairs; i++) {
            if ((receiving ? x->pair[i].to : x->pair[i].from) != node)
                continue;
            ck_assert_int_eq(list[seen], i);
            entries[seen - first[node]] = chunk[i].entries;
            seen++;
        }
        check_order(entries, seen - first[node]);
    }
    ck_assert_int_eq(first[x->nodes], x->pairs);
    ck_assert_int_eq(seen, x->pairs);
    ns_arena_free(&sink.room);
    ns_free(entries);
}

/* Few and many a node, sizes near each other and far apart. */
TEST_EACH(largest_first, 8)
{
    static const int64_t widest[] = {1, 3, 300, INT64_C(1) << 40};
    oracle_random random = {(uint64_t)_i + 12};
    const int32_t parts = _i % 2 == 0 ? 30 : 300;
    ns_planned message[4000];
    ns_exchange *x = NULL;
    for (int i = 0; i < 4000; i++) {
        const int32_t from = (int32_t)oracle_below(&random, parts);
        message[i] = (ns_planned){from, (from + 1 + (int32_t)oracle_below(&random, parts - 1)) % parts,
                                  1 + oracle_below(&random, widest[_i / 2])};
    }
    ck_assert(ns_exchange_from_messages(message, 4000, (ns_layout){parts, 3}, NULL, &x, NULL) == NS_OK);
    ns_chunk *chunk = oracle_alloc(x->pairs, sizeof *chunk);
    for (int64_t i = 0; i < x->pairs; i++)
        chunk[i] = (ns_chunk){.pair = i, .entries = x->pair[i].entries};
    check_nodes(x, chunk, false);
    check_nodes(x, chunk, true);
    ns_free(chunk);
    ns_exchange_free(x);
}
