/* test_netsparse_replay.c -- schedules and queues against an event-by-event replay of small matrices
 *
 * All times are multiples of 1/8 s, so that both sides compare them exactly.
 */

#include "core/memory.h"
#include "support/gather.h"
#include "support/test.h"

static void check_node(const gather_subject *s, int32_t node, const ns_gather_rule *rule)
{
    int64_t count, issued = 0, windows, *from = oracle_alloc(s->nodes, sizeof *from),
                   *expected = oracle_alloc(s->nodes, sizeof *expected);
    ns_gather_counts got;
    ns_error err = {0};
    gather_event *events = gather_events(s, node, rule, &count);
    gather_filter_events(s, rule, events, count);
    for (int64_t i = 0; i < count; i++)
        if (events[i].issued) {
            issued++;
            expected[s->need.owner[events[i].col]]++;
        }
    ck_assert_msg(ns_trace_gather(s->trace, node, rule, &got, from, &err) == NS_OK, "%s", err.text);
    ck_assert_int_eq(got.issued, issued);
    ck_assert_int_eq(got.request_packets, gather_packets(s, events, count, rule->delay, rule->most_request));
    ck_assert_int_eq(got.response_packets, gather_packets(s, events, count, rule->delay, rule->most_response));
    ck_assert_int_eq(got.owners, gather_owners_in_windows(s, events, count, &windows));
    ck_assert_int_eq(got.windows, windows);
    for (int32_t q = 0; q < s->nodes; q++)
        ck_assert_int_eq(from[q], expected[q]);
    ns_free(events);
    ns_free(from);
    ns_free(expected);
}

/* Different sizes of everything, filter off, on, with coalescing. */
TEST_EACH(schedules, 4)
{
    static const double rtts[] = {0, 0.125, 3, 40, 1e6};
    static const int64_t batches[] = {1, 3, 16, 1000};
    static const int32_t clients[] = {1, 4, 16, 64};
    gather_subject s;
    gather_open(&s, 77 + (uint64_t)_i, 150, 90 + 40 * _i, 3000, _i, 5 + 3 * _i, 4);
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
    gather_close(&s);
}

/* The two limits: every column once, every (unit, column) pair once. */
TEST(limits)
{
    gather_subject s;
    ns_error err = {0};
    ns_gather_counts got;
    gather_open(&s, 5, 200, 120, 4000, 1, 6, 4);
    ns_gather_rule rule = {.clients = 8,
                           .batch = 10,
                           .tau = 1,
                           .rtt = 0,
                           .filter = true,
                           .coalesce = true,
                           .most_request = 1,
                           .most_response = 1};
    for (int32_t p = 0; p < s.nodes; p++) {
        rule.rtt = 0;
        ck_assert_int_eq(ns_trace_gather(s.trace, p, &rule, &got, NULL, &err), NS_OK);
        ck_assert_int_ge(got.issued, s.trace->node[p].unique);
        ck_assert_int_le(got.issued - s.trace->node[p].unique, 0);
        rule.rtt = 1e9;
        int64_t count, pairs = 0;
        gather_event *events = gather_events(&s, p, &rule, &count);
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
        ns_free(events);
        ns_free(seen);
    }
    gather_close(&s);
}

/* Independent uniform touches: filter alone issues 1 + r x - x^r per column, x = rtt/T ([NS] models, section 3).  The
 * second round trip is longer than the ages that codes beside numbers of 15 bits tell from 0 on. */
static const struct {
    int touches;
    double x;
} touched[] = {{5, 0.2}, {20, 0.4}};

TEST_EACH(uniform_touches, 2)
{
    enum { COLS = 20000 };
    const int touches = touched[_i].touches;
    oracle_random random = {11};
    int64_t *row = oracle_alloc(COLS * touches, sizeof *row), *col = oracle_alloc(COLS * touches, sizeof *col);
    for (int64_t i = 0; i < COLS * touches; i++) {
        row[i] = oracle_below(&random, 100000);
        col[i] = COLS + i / touches;
    }
    gather_subject s = {.nodes = 2};
    ns_error err = {0};
    ns_matrix *matrix;
    ns_gather_counts got;
    oracle_from_entries(200000, 2 * COLS, COLS * touches, row, col, &s.a);
    const char *path = gather_write(&s.a);
    ck_assert_int_eq(ns_matrix_open(path, &matrix, &err), NS_OK);
    ck_assert_int_eq(ns_trace_open(matrix, 2, NULL, &s.trace, &err), NS_OK);
    remove(path);
    const double T = COLS * touches, x = touched[_i].x;
    const ns_gather_rule rule = {
        .clients = 1, .batch = 1, .tau = 1, .rtt = x * T, .filter = true, .most_request = 1, .most_response = 1};
    ck_assert_int_eq(ns_trace_gather(s.trace, 0, &rule, &got, NULL, &err), NS_OK);
    const double expected = COLS * (1 + touches * x - pow(x, touches));
    ck_assert_msg(fabs((double)got.issued / expected - 1) < 0.01, "issued %lld, expected %g", (long long)got.issued,
                  expected);
    ns_matrix_free(matrix);
    ns_trace_free(s.trace);
    oracle_matrix_free(&s.a);
    ns_free(row);
    ns_free(col);
}

TEST_TIMEOUT(300)
