/* test_sequence.c -- page-table flits first, against a small event simulation of the link */
#include "../support/model_rows.h"

#include <math.h>

#include "model/parts/pooling.h"
#include "support/events.h"

static const model_row rows[] = {
    {"netcrafter", "load=0.95", "fifo", 9.5e-9, NEAR, "0.475/0.05 cycles of 1 ns"},
    {"netcrafter", "load=0.95", "page_table", 0.475e-9 / (1 - 0.95 * 0.13), NEAR, "9.5 -> 0.54 cycles"},
    {"netcrafter", "load=0.95", "data", 10.838e-9, 1e-4, "10.8 cycles"},
    {"netcrafter", "load=0.95", "penalty", 0.14, 0.01, "14 %, always 1/(1 - rho_H)"},
    {"netcrafter", "load=0.95 unit=packets", "residual", 3.9, 1e-4, "W0 = 1.95 rho on the mix of reads"},
    {"netcrafter", "load=0.95 unit=packets reads=0 writes=1", "residual", 3.9, 1e-4,
     "writes have packets of 5 and 1 as well"},
    {"netcrafter", "load=0.95 unit=packets", "fifo", 1.95 * 0.95 / 0.05 * 1e-9, 1e-4, "W0/(1 - rho)"},
    {"netcrafter", "load=0.95 accesses=4", "walk_fifo", 8 * 69.5e-9, NEAR,
     "four round trips, two switches of 30 ns each way"},
    {"netcrafter", "load=0.95 urgent=50%", "page_table", 0.475e-9 / (1 - 0.95 * 0.065), NEAR,
     "only read walks go first"},
    {"netcrafter", "load=0.95 bandwidth=32GB/s", "fifo", 4.75e-9, NEAR, "a flit in half the time"},
    {"netcrafter", "load=0.95 share=0%", "data", 9.5e-9, NEAR, "nobody goes first"},
    {"netcrafter", "load=0", "walk_speedup", 1, 0, "no queue, nothing to gain"},
    {"netcrafter", "load=1", NULL, 0, 0, "load has to be"},
    {"netcrafter", "load=0.5 flit=0B", NULL, 0, 0, "flit has to be more than 0"},
};

/* ---- event simulation -------------------------------------------------------------------------------------------- */

enum { FLITS = 3000000, ROOM = 65536 };

typedef struct line {
    double since[ROOM];
    unsigned first, count;
} line;

static void join(line *l, double now)
{
    if (l->count == ROOM) /* a check on every arrival would take longer than the simulation */
        ck_abort_msg("more than %d flits wait", (int)ROOM);
    l->since[(l->first + l->count++) % ROOM] = now;
}

/* Sum of waits and number of those served, by class. */
typedef struct served {
    double wait[2];
    long count[2];
} served;

/* A link that takes one flit per flit time; Poisson arrivals; class 0 goes first, or both share one line. */
static served simulate(double load, double share, bool priority, uint64_t seed)
{
    static line lines[2];
    served s = {{0, 0}, {0, 0}};
    double free_at = 0, arrival = event_exponential(&seed) / load;
    lines[0].count = lines[1].count = 0;
    for (long i = 0; i < FLITS; i++) {
        if (lines[0].count + lines[1].count == 0 && arrival > free_at)
            free_at = arrival;
        for (; arrival <= free_at; arrival += event_exponential(&seed) / load)
            join(&lines[event_uniform(&seed) < share ? 0 : 1], arrival);
        int next = lines[0].count > 0 ? 0 : 1;
        if (!priority && lines[0].count > 0 && lines[1].count > 0)
            next = lines[0].since[lines[0].first] < lines[1].since[lines[1].first] ? 0 : 1;
        s.wait[next] += free_at - lines[next].since[lines[next].first];
        s.count[next]++;
        lines[next].first = (lines[next].first + 1) % ROOM;
        lines[next].count--;
        free_at += 1;
    }
    return s;
}

static const struct {
    double load, share;
} cases[] = {{0.6, 0.13}, {0.8, 0.13}, {0.75, 0.4}};

START_TEST(agrees_with_events)
{
    const double load = cases[_i].load, share = cases[_i].share;
    const ns_priority w = ns_priority_waits(load, share, 1);
    const served one = simulate(load, share, false, 88172645463325252u);
    const served two = simulate(load, share, true, 88172645463325252u);
    const double fifo = (one.wait[0] + one.wait[1]) / FLITS;
    const double first = two.wait[0] / (double)two.count[0], rest = two.wait[1] / (double)two.count[1];
    ck_assert_msg(fabs(fifo - w.fifo) < 0.02 * fifo, "one queue: %g, events %g", w.fifo, fifo);
    ck_assert_msg(fabs(first - w.first) < 0.02 * first, "first: %g, events %g", w.first, first);
    ck_assert_msg(fabs(rest - w.rest) < 0.02 * rest, "rest: %g, events %g", w.rest, rest);
}
END_TEST

START_TEST(conserves_work)
{
    for (double load = 0.1; load < 0.95; load += 0.1) {
        const ns_priority w = ns_priority_waits(load, 0.13, 1);
        ck_assert_double_eq_tol(0.13 * w.first + 0.87 * w.rest, w.fifo, 1e-12);
    }
}
END_TEST

Suite *suite(void);

Suite *suite(void)
{
    Suite *suite = MODEL_SUITE("sequence", rows);
    TCase *events = tcase_create("events");
    tcase_set_timeout(events, 300);
    tcase_add_loop_test(events, agrees_with_events, 0, sizeof cases / sizeof *cases);
    tcase_add_test(events, conserves_work);
    suite_add_tcase(suite, events);
    return suite;
}
