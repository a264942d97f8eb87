/* test_sequence.c -- page-table flits first, against a small event simulation of the link */
#include "../support/model_rows.h"

#include "model/parts/pooling.h"
#include "support/events.h"

#define BY_HAND_2                                                                                                      \
    "flit=16B header=4B address=8B line=64B share=20% urgent=50% load=0 bandwidth=16GB/s accesses=3 switches=0 "       \
    "t_switch=10ns"
#define BY_HAND_3 "flit=16B header=4B address=8B line=64B share=20% load=0.5 bandwidth=16GB/s switches=2 t_switch=10ns"
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
    /* By hand, each from its term. residual: flits; fifo: W0/(1 - rho); page_table: W0/(1 - rho_H); data: W0/((1 -
     * rho_H)(1 - rho)); penalty: 1/(1 - rho_H) - 1; walk_fifo: 3 accesses there and back; walk: the same;
     * walk_speedup: one over the other. */
    {NULL,
     "flit=16B header=4B address=8B line=64B share=20% urgent=50% load=0.5 bandwidth=16GB/s accesses=3 switches=2 "
     "t_switch=10ns wire=5ns",
     "residual=1 fifo=5e-10 page_table=2.631578947368421e-10 data=5.263157894736842e-10 penalty=0.05263157894736836 "
     "walk_fifo=1.53e-07 walk=1.5157894736842106e-07 walk_speedup=1.009375",
     0, 1e-12, "by hand"},
    {NULL,
     "flit=16B header=4B address=8B line=64B share=20% urgent=50% load=0.5 bandwidth=16GB/s accesses=3 switches=2 "
     "t_switch=10ns wire=5ns unit=packets reads=2 writes=1",
     "residual", 3.6666666666666665, 1e-12, "E[S^2]/E[S]; page-table flits are packets of one"},
    {NULL,
     "flit=16B header=0B address=0B line=64B share=20% urgent=50% load=0.5 bandwidth=16GB/s accesses=3 switches=2 "
     "t_switch=10ns wire=5ns unit=packets reads=1 writes=0",
     "residual", 4, 1e-12, "requests of no bytes take no flits: responses of 4"},
    {NULL,
     "flit=16B header=4B address=8B line=64B share=20% urgent=50% load=0.5 bandwidth=16GB/s accesses=3 switches=2 "
     "t_switch=10ns wire=5ns unit=packets reads=0 writes=0",
     "residual", 1, 1e-12, "no packets"},
    {NULL, BY_HAND_2, "walk", 0, 0, "no way and no queue"},
    {NULL, BY_HAND_2, "walk_speedup", 1, 1e-12, "nothing to gain"},
    {NULL, BY_HAND_3, "page_table", 2.777777777777778e-10, 1e-12, "all page-table flits go first where not given"},
    {NULL, BY_HAND_3, "walk", 4.055555555555556e-08, 1e-12, "one access, no wires where not given"},
    {NULL,
     "flit=8B header=4B address=8B line=64B share=0% load=0.5 bandwidth=16GB/s switches=2 t_switch=10ns unit=packets",
     "residual", 7.7272727272727275, 1e-12, "12 and 68 B are 2 and 9 flits; one read and no writes where not given"},
    {NULL,
     "flit=8B header=4B address=8B line=64B share=0% load=0.5 bandwidth=16GB/s switches=2 t_switch=10ns unit=packets "
     "writes=1",
     "residual", 8.454545454545455, 1e-12, "76 and 4 B are 10 and 1 more"},
    {"netcrafter", "load=0.5 share=1.5", NULL, 0, 0, "share has to be"},
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

TEST_EACH(agrees_with_events, sizeof cases / sizeof *cases)
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

TEST(conserves_work)
{
    for (double load = 0.1; load < 0.95; load += 0.1) {
        const ns_priority w = ns_priority_waits(load, 0.13, 1);
        ck_assert_double_eq_tol(0.13 * w.first + 0.87 * w.rest, w.fifo, 1e-12);
    }
}

/* Waiting for partners has no unit of its own: rates by k and times through k leave as many unmatched, who wait through
 * k. */
TEST(no_unit_of_time)
{
    for (int i = 0; i < 40; i++) {
        const double k = 3, d = i < 20 ? 0.1 * i : -0.08 * (i - 19);
        const ns_patience one = {0.4, 0.4 + d > 0 ? 0.4 + d : 0.01, 2.5, 1.7, i % 2 == 0 ? 0 : 0.3, 0.6};
        const ns_patience other = {one.parents * k, one.candidates * k, one.w_p / k,
                                   one.w_c / k,     one.share_short,    one.w_short / k};
        const ns_matching a = ns_pool(&one, 0.9), b = ns_pool(&other, 0.9 / k);
        ck_assert_double_eq_tol(a.unmatched / b.unmatched, 1, 1e-9);
        ck_assert_double_eq_tol(a.wait / b.wait / k, 1, 1e-9);
        ck_assert_double_eq_tol(a.beyond / b.beyond / k, 1, 1e-9);
        if (one.share_short == 0)
            ck_assert_double_eq_tol(a.beyond_candidate / b.beyond_candidate / k, 1, 1e-9);
    }
}

MODEL_ROWS("sequence", rows)
