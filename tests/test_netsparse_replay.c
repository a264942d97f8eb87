/* test_netsparse_replay.c -- schedules, queues and caches against an event-by-event replay of small matrices
 *
 * The replay keeps what the hardware keeps: a list of events by time, a bit per column set when a property arrives, a pending
 * table per unit, a queue per destination that expires, an LRU list of properties.  All times are multiples of 1/8 s, so that
 * both sides compare them exactly.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nsmodel/netsparse.h>

#include "oracle/oracle.h"

/* ---- a small matrix ------------------------------------------------------------------------------------------------------ */

typedef struct subject {
    oracle_matrix a;
    oracle_need need;
    int32_t nodes;
    ns_trace *trace;
} subject;

/* A matrix in memory reaches the library as a file, its columns in falling order. */
static const char *write_matrix(const oracle_matrix *a)
{
    static char path[] = "netsparse_replay_XXXXXX";
    memcpy(path, "netsparse_replay_XXXXXX", sizeof path);
    int descriptor = mkstemp(path);
    ck_assert_int_ge(descriptor, 0);
    FILE *file = fdopen(descriptor, "w");
    fprintf(file, "%%%%MatrixMarket matrix coordinate pattern general\n%lld %lld %lld\n", (long long)a->rows, (long long)a->cols,
            (long long)a->entries);
    for (int64_t row = 0; row < a->rows; row++)
        for (int64_t e = a->row_start[row + 1] - 1; e >= a->row_start[row]; e--)
            fprintf(file, "%lld %lld\n", (long long)row + 1, (long long)a->col_of[e] + 1);
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

static void open_subject(subject *s, uint64_t seed, int64_t rows, int64_t cols, int64_t entries, int dense, int32_t nodes,
                         int32_t rack)
{
    oracle_random random = {seed};
    ns_matrix *matrix;
    ns_error err = {0};
    const ns_trace_options options = {.rack = rack};
    oracle_random_matrix(&random, rows, cols, entries, dense, &s->a);
    oracle_need_of(&s->a, nodes, NULL, &s->need);
    s->nodes = nodes;
    const char *path = write_matrix(&s->a);
    ck_assert_msg(ns_matrix_open(path, &matrix, &err) == NS_OK, "%s", err.text);
    ck_assert_msg(ns_trace_open(matrix, nodes, &options, &s->trace, &err) == NS_OK, "%s", err.text);
    ns_matrix_free(matrix);
    remove(path);
}

static void close_subject(subject *s)
{
    ns_trace_free(s->trace);
    oracle_need_free(&s->need);
    oracle_matrix_free(&s->a);
}

/* ---- the replay of a node -------------------------------------------------------------------------------------------------- */

typedef struct event {
    double time;
    int32_t node, unit;
    int64_t col;
    bool issued;
} event;

static int by_time(const void *a, const void *b)
{
    const event *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x->unit > y->unit) - (x->unit < y->unit);
}

/* Hand the node's remote entries to its units, batch after batch; each unit works through its list. */
static event *events_of(const subject *s, int32_t node, const ns_gather_rule *rule, int64_t *count)
{
    event *events = oracle_alloc(s->a.entries + 1, sizeof *events);
    int64_t *done = oracle_alloc(rule->clients, sizeof *done), in_batch = 0;
    int32_t unit = 0;
    *count = 0;
    for (int64_t row = node * s->a.rows / s->nodes; row < (node + 1) * s->a.rows / s->nodes; row++)
        for (int64_t e = s->a.row_start[row]; e < s->a.row_start[row + 1]; e++) {
            if (s->need.owner[s->a.col_of[e]] == node)
                continue;
            if (in_batch == rule->batch) {
                in_batch = 0;
                unit = (unit + 1) % rule->clients;
            }
            in_batch++;
            events[(*count)++] = (event){(double)done[unit]++ * rule->tau, node, unit, s->a.col_of[e], false};
        }
    free(done);
    qsort(events, (size_t)*count, sizeof *events, by_time);
    return events;
}

/* Bit of each column once its property is there; pending[unit][col] until the unit's own request is answered. */
static void filter_events(const subject *s, const ns_gather_rule *rule, event *events, int64_t count)
{
    double *arrival = oracle_alloc(s->a.cols, sizeof *arrival), *pending = oracle_alloc(s->a.cols * rule->clients, sizeof *pending);
    for (int64_t c = 0; c < s->a.cols; c++)
        arrival[c] = INFINITY;
    for (int64_t i = 0; i < s->a.cols * rule->clients; i++)
        pending[i] = -1;
    for (int64_t i = 0; i < count; i++) {
        event *e = &events[i];
        const bool bit = arrival[e->col] <= e->time, waits = pending[e->unit * s->a.cols + e->col] > e->time;
        e->issued = !rule->filter || (!bit && !(rule->coalesce && waits));
        if (!e->issued)
            continue;
        pending[e->unit * s->a.cols + e->col] = e->time + rule->rtt;
        arrival[e->col] = fmin(arrival[e->col], e->time + rule->rtt);
    }
    free(arrival);
    free(pending);
}

/* Packets of one direction: a queue per destination is sent when it is full or has waited. */
static int64_t packets_of(const subject *s, const event *events, int64_t count, double delay, int64_t most)
{
    double *expires = oracle_alloc(s->nodes, sizeof *expires);
    int64_t *held = oracle_alloc(s->nodes, sizeof *held), packets = 0;
    for (int64_t i = 0; i < count; i++) {
        if (!events[i].issued)
            continue;
        for (int32_t q = 0; q < s->nodes; q++)
            if (held[q] > 0 && (held[q] == most || expires[q] <= events[i].time)) {
                held[q] = 0;
                packets++;
            }
        const int32_t q = s->need.owner[events[i].col];
        if (held[q]++ == 0)
            expires[q] = events[i].time + delay;
    }
    for (int32_t q = 0; q < s->nodes; q++)
        packets += held[q] > 0;
    free(expires);
    free(held);
    return packets;
}

static int64_t owners_in_windows(const subject *s, const event *events, int64_t count, int64_t *windows)
{
    int64_t total = 0, filled = 0, distinct = 0;
    bool *seen = oracle_alloc(s->nodes, sizeof *seen);
    *windows = 0;
    for (int64_t i = 0; i < count; i++) {
        if (!events[i].issued)
            continue;
        const int32_t owner = s->need.owner[events[i].col];
        distinct += !seen[owner];
        seen[owner] = true;
        if (++filled == 64) {
            total += distinct;
            ++*windows;
            filled = distinct = 0;
            memset(seen, 0, (size_t)s->nodes * sizeof *seen);
        }
    }
    free(seen);
    return total;
}

static void check_node(const subject *s, int32_t node, const ns_gather_rule *rule)
{
    int64_t count, issued = 0, windows, *from = oracle_alloc(s->nodes, sizeof *from), *expected = oracle_alloc(s->nodes, sizeof *expected);
    ns_gather_counts got;
    ns_error err = {0};
    event *events = events_of(s, node, rule, &count);
    filter_events(s, rule, events, count);
    for (int64_t i = 0; i < count; i++)
        if (events[i].issued) {
            issued++;
            expected[s->need.owner[events[i].col]]++;
        }
    ck_assert_msg(ns_trace_gather(s->trace, node, rule, &got, from, &err) == NS_OK, "%s", err.text);
    ck_assert_int_eq(got.issued, issued);
    ck_assert_int_eq(got.request_packets, packets_of(s, events, count, rule->delay, rule->most_request));
    ck_assert_int_eq(got.response_packets, packets_of(s, events, count, rule->delay, rule->most_response));
    ck_assert_int_eq(got.owners, owners_in_windows(s, events, count, &windows));
    ck_assert_int_eq(got.windows, windows);
    for (int32_t q = 0; q < s->nodes; q++)
        ck_assert_int_eq(from[q], expected[q]);
    free(events);
    free(from);
    free(expected);
}

/* Different sizes of everything, filter off, on, with coalescing. */
START_TEST(schedules)
{
    static const double rtts[] = {0, 0.125, 3, 40, 1e6};
    static const int64_t batches[] = {1, 3, 16, 1000};
    static const int32_t clients[] = {1, 4, 16, 64};
    subject s;
    open_subject(&s, 77 + (uint64_t)_i, 150, 90 + 40 * _i, 3000, _i, 5 + 3 * _i, 4);
    for (int i = 0; i < 5 * 4 * 4; i++)
        for (int mode = 0; mode < 3; mode++) {
            const ns_gather_rule rule = {.clients = clients[i % 4],
                                         .batch = batches[i / 4 % 4],
                                         .tau = 0.125,
                                         .rtt = rtts[i / 16],
                                         .filter = mode > 0,
                                         .coalesce = mode > 1,
                                         .delay = 0.25 * (i % 5),
                                         .most_request = 7,
                                         .most_response = 2};
            check_node(&s, (i + mode) % s.nodes, &rule);
        }
    close_subject(&s);
}
END_TEST

/* The two limits: every column once, every (unit, column) pair once. */
START_TEST(limits)
{
    subject s;
    ns_error err = {0};
    ns_gather_counts got;
    open_subject(&s, 5, 200, 120, 4000, 1, 6, 4);
    ns_gather_rule rule = {.clients = 8, .batch = 10, .tau = 1, .rtt = 0, .filter = true, .coalesce = true,
                           .most_request = 1, .most_response = 1};
    for (int32_t p = 0; p < s.nodes; p++) {
        rule.rtt = 0;
        ck_assert_int_eq(ns_trace_gather(s.trace, p, &rule, &got, NULL, &err), NS_OK);
        ck_assert_int_ge(got.issued, s.trace->node[p].unique);
        ck_assert_int_le(got.issued - s.trace->node[p].unique, 0);
        rule.rtt = 1e9;
        int64_t count, pairs = 0;
        event *events = events_of(&s, p, &rule, &count);
        bool *seen = oracle_alloc(8 * s.a.cols, sizeof *seen);
        for (int64_t i = 0; i < count; i++) {
            pairs += !seen[events[i].unit * s.a.cols + events[i].col];
            seen[events[i].unit * s.a.cols + events[i].col] = true;
        }
        ck_assert_int_eq(ns_trace_gather(s.trace, p, &rule, &got, NULL, &err), NS_OK);
        ck_assert_int_eq(got.issued, pairs);
        rule.coalesce = false;
        ck_assert_int_eq(ns_trace_gather(s.trace, p, &rule, &got, NULL, &err), NS_OK);
        ck_assert_int_eq(got.issued, s.trace->node[p].requests);
        rule.coalesce = true;
        free(events);
        free(seen);
    }
    close_subject(&s);
}
END_TEST

/* Independent uniform touches: filter alone issues 1 + r x - x^r per column, x = rtt/T ([NS] models, section 3). */
START_TEST(uniform_touches)
{
    enum { COLS = 20000, TOUCHES = 5 };
    oracle_random random = {11};
    int64_t *row = oracle_alloc(COLS * TOUCHES, sizeof *row), *col = oracle_alloc(COLS * TOUCHES, sizeof *col);
    for (int64_t i = 0; i < COLS * TOUCHES; i++) {
        row[i] = oracle_below(&random, 100000);
        col[i] = COLS + i / TOUCHES;
    }
    subject s = {.nodes = 2};
    ns_error err = {0};
    ns_matrix *matrix;
    ns_gather_counts got;
    oracle_from_entries(200000, 2 * COLS, COLS * TOUCHES, row, col, &s.a);
    const char *path = write_matrix(&s.a);
    ck_assert_int_eq(ns_matrix_open(path, &matrix, &err), NS_OK);
    ck_assert_int_eq(ns_trace_open(matrix, 2, NULL, &s.trace, &err), NS_OK);
    remove(path);
    const double T = COLS * TOUCHES, x = 0.2;
    const ns_gather_rule rule = {.clients = 1, .batch = 1, .tau = 1, .rtt = x * T, .filter = true, .most_request = 1,
                                 .most_response = 1};
    ck_assert_int_eq(ns_trace_gather(s.trace, 0, &rule, &got, NULL, &err), NS_OK);
    const double expected = COLS * (1 + TOUCHES * x - pow(x, TOUCHES));
    ck_assert_msg(fabs((double)got.issued / expected - 1) < 0.01, "issued %lld, expected %g", (long long)got.issued, expected);
    ns_matrix_free(matrix);
    ns_trace_free(s.trace);
    oracle_matrix_free(&s.a);
    free(row);
    free(col);
}
END_TEST

/* ---- the cache ---------------------------------------------------------------------------------------------------------------- */

typedef struct line {
    int64_t col;
    double ready;
} line;

/* LRU lists, one per set, the last used first; the set of a column by its number. */
static int64_t replay_cache(const subject *s, const event *events, int64_t count, int32_t rack, int32_t size, int64_t sets,
                            int64_t ways, double fill, int64_t *requests)
{
    line *lines = oracle_alloc(sets * ways, sizeof *lines);
    int64_t *used = oracle_alloc(sets, sizeof *used), hits = 0;
    *requests = 0;
    for (int64_t i = 0; i < count; i++) {
        if (!events[i].issued || s->need.owner[events[i].col] / size == rack)
            continue;
        const int64_t set = (events[i].col * 7919 >> 3) % sets;
        line *list = &lines[set * ways], found = {events[i].col, events[i].time + fill};
        int64_t at = 0;
        while (at < used[set] && list[at].col != events[i].col)
            at++;
        if (at < used[set])
            found = list[at];
        hits += at < used[set] && found.ready <= events[i].time;
        if (at == used[set])
            at = used[set] < ways ? used[set]++ : ways - 1;
        memmove(list + 1, list, (size_t)at * sizeof *list);
        list[0] = found;
        ++*requests;
    }
    free(lines);
    free(used);
    return hits;
}

/* Every node at its own pace. */
static event *rack_events(const subject *s, int32_t rack, int32_t size, ns_gather_rule *rules, int64_t *count)
{
    event *all = oracle_alloc(s->a.entries + 1, sizeof *all);
    *count = 0;
    for (int32_t i = 0; i < size && rack * size + i < s->nodes; i++) {
        int64_t n;
        rules[i].tau = 0.125 * (1 + (i * 5 + rack) % 7);
        event *events = events_of(s, rack * size + i, &rules[i], &n);
        filter_events(s, &rules[i], events, n);
        memcpy(all + *count, events, (size_t)n * sizeof *events);
        *count += n;
        free(events);
    }
    qsort(all, (size_t)*count, sizeof *all, by_time);
    return all;
}

enum { SIZE = 4 };

static void check_cache(const subject *s, int32_t rack, double entries, double fill)
{
    ns_gather_rule rules[SIZE];
    ns_cache_counts got;
    ns_error err = {0};
    int64_t count, requests;
    double by_node[SIZE] = {0}, *by_owner = oracle_alloc(s->nodes, sizeof *by_owner), nodes = 0, owners = 0;
    for (int i = 0; i < SIZE; i++)
        rules[i] = (ns_gather_rule){.clients = 3, .batch = 5, .rtt = 4, .filter = true, .coalesce = true, .most_request = 1,
                                    .most_response = 1};
    event *events = rack_events(s, rack, SIZE, rules, &count);
    const ns_cache_rule cache = {.entries = entries, .ways = 0, .fill = fill};
    const int64_t hits = replay_cache(s, events, count, rack, SIZE, 1, (int64_t)entries, fill, &requests);
    ck_assert_msg(ns_trace_cache(s->trace, rack, rules, &cache, &got, by_node, by_owner, &err) == NS_OK, "%s", err.text);
    ck_assert_msg(got.requests == (double)requests && got.hits == (double)hits,
                  "rack %d, %g entries, fill %g: %g of %g hit, the replay has %lld of %lld", rack, entries, fill, got.hits,
                  got.requests, (long long)hits, (long long)requests);
    for (int i = 0; i < SIZE; i++)
        nodes += by_node[i];
    for (int32_t q = 0; q < s->nodes; q++)
        owners += by_owner[q];
    ck_assert(nodes == got.hits && owners == got.hits && got.sampled == 1);
    free(by_owner);
    free(events);
}

START_TEST(caches)
{
    static const double entries[] = {1, 5, 20, 60, 1000}, fills[] = {0, 2.5, 30};
    subject s;
    open_subject(&s, 900 + (uint64_t)_i, 300, 250, 6000, 0, 11, SIZE); /* racks of 4, 4 and 3 */
    for (int32_t rack = 0; rack < s.trace->racks; rack++)
        for (int e = 0; e < 5; e++)
            for (int f = 0; f < 3; f++)
                check_cache(&s, rack, entries[e], fills[f]);
    close_subject(&s);
}
END_TEST

/* Sets and ways: the Poisson form against real sets; and sampled columns against all. */
START_TEST(sets_and_samples)
{
    subject s;
    ns_gather_rule rules[SIZE];
    ns_cache_counts got, all;
    ns_error err = {0};
    int64_t count, requests;
    open_subject(&s, 31, 2000, 4000, 60000, 0, 8, SIZE);
    for (int i = 0; i < SIZE; i++)
        rules[i] = (ns_gather_rule){.clients = 4, .batch = 50, .rtt = 4, .filter = true, .coalesce = true, .most_request = 1,
                                    .most_response = 1};
    event *events = rack_events(&s, 0, SIZE, rules, &count);
    const int64_t sets[] = {64, 128, 256}, ways = 4;
    for (int i = 0; i < 3; i++) {
        ns_cache_rule cache = {.entries = (double)(sets[i] * ways), .ways = (int32_t)ways, .fill = 1};
        const double hits = (double)replay_cache(&s, events, count, 0, SIZE, sets[i], ways, 1, &requests);
        ck_assert_int_eq(ns_trace_cache(s.trace, 0, rules, &cache, &all, NULL, NULL, &err), NS_OK);
        ck_assert_msg(fabs(all.hits - hits) < 0.02 * all.requests, "%lld sets: %g hits, the replay has %g of %g", (long long)sets[i],
                      all.hits, hits, all.requests);
        cache.most = 10000;
        ck_assert_int_eq(ns_trace_cache(s.trace, 0, rules, &cache, &got, NULL, NULL, &err), NS_OK);
        ck_assert(got.sampled < 1 && got.requests == all.requests);
        ck_assert_msg(fabs(got.hits - all.hits) < 0.05 * all.requests, "sampled %g, all %g", got.hits, all.hits);
    }
    free(events);
    close_subject(&s);
}
END_TEST

/* ---- networks -------------------------------------------------------------------------------------------------------------------- */

/* Mean and most inter-switch hops over pairs of different nodes of 128. */
START_TEST(hops)
{
    static const struct {
        ns_topology topology;
        double mean;
        int most;
    } expected[] = {{NS_LEAF_SPINE, 1.76, 2}, {NS_HYPERX, 2.02, 3}};
    for (int i = 0; i < 2; i++) {
        const ns_network network = {expected[i].topology, 128, 16};
        double sum = 0;
        int most = 0;
        for (int32_t a = 0; a < 128; a++)
            for (int32_t b = 0; b < 128; b++) {
                int32_t h[NS_LINK_CLASSES];
                const int switches = ns_network_path(&network, a, b, h);
                ck_assert_int_eq(switches - 1, h[0] + h[1] + h[2]);
                sum += a != b ? switches - 1 : 0;
                most = switches - 1 > most ? switches - 1 : most;
            }
        ck_assert_msg(fabs(sum / (128 * 127) - expected[i].mean) < 0.005, "mean %g", sum / (128 * 127));
        ck_assert_int_eq(most, expected[i].most);
    }
}
END_TEST

START_TEST(dragonfly)
{
    const ns_network network = {NS_DRAGONFLY, 128, 16};
    double links[NS_LINK_CLASSES];
    int most = 0;
    for (int32_t a = 0; a < 128; a++)
        for (int32_t b = 0; b < 128; b++) {
            int32_t there[NS_LINK_CLASSES], back[NS_LINK_CLASSES];
            ck_assert_int_eq(ns_network_path(&network, a, b, there), ns_network_path(&network, b, a, back));
            ck_assert_int_eq(there[1], a / 32 != b / 32);
            most = there[0] + there[1] > most ? there[0] + there[1] : most;
        }
    ck_assert_int_eq(most, 3);
    ns_network_links(&network, links);
    ck_assert(links[0] == 32 * 7 && links[1] == 4 * 3 * 4 && links[2] == 0);
}
END_TEST

Suite *suite(void);

Suite *suite(void)
{
    Suite *s = suite_create("NetSparse replayed");
    TCase *tc = tcase_create("replay");
    tcase_set_timeout(tc, 300);
    tcase_add_loop_test(tc, schedules, 0, 4);
    tcase_add_test(tc, limits);
    tcase_add_test(tc, uniform_touches);
    tcase_add_loop_test(tc, caches, 0, 4);
    tcase_add_test(tc, sets_and_samples);
    tcase_add_test(tc, hops);
    tcase_add_test(tc, dragonfly);
    suite_add_tcase(s, tc);
    return s;
}
