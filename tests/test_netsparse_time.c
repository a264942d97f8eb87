/* test_netsparse_time.c -- the whole ablation against a second one: replayed events, formulas written out again
 *
 * Constants are [NS] Table 5's, K = 16, with 8 RIG units, batches of 64 and a small fully associative cache, so that an
 * LRU list gives the hits exactly.
 */

#include "core/memory.h"
#include "support/gather.h"
#include "support/machines.h"
#include "support/test.h"

enum { NODES = 11, RACK = 4, CLIENTS = 4, BATCH = 64, ENTRIES = 64 };
static const double P = 64, u = 52, r = 18, B = 50e9, f = 2.2e9, E = 256, delay = 20 / 2.2e9, switch_delay = 5 / 2e9,
                    near_rtt = 2 * (10 + 2 * 20) * 1e-9, far_rtt = 2 * (3 * 10 + 4 * 20) * 1e-9;

typedef struct node {
    double Z, Q, S, n_request, n_response, outside, hits, rtt, own, exposed, hidden, received, sent;
    double asked[NODES]; /* of each home, hits left out */
    ns_gather_rule rule;
    gather_event *events;
    int64_t count;
} node;

typedef struct replay {
    const gather_subject *s;
    node node[NODES];
    int step;
    double network, all_hits;
} replay;

static double waits(const replay *x)
{
    return x->step >= NS_CONCAT ? 2 * delay + 4 * switch_delay : 0;
}

static void issue(replay *x)
{
    for (int32_t p = 0; p < NODES; p++)
        x->node[p].S = 0;
    for (int32_t p = 0; p < NODES; p++) {
        node *n = &x->node[p];
        const double active = fmin(CLIENTS, ceil(n->Z / BATCH));
        n->rule = (ns_gather_rule){.clients = CLIENTS,
                                   .batch = BATCH,
                                   .tau = fmax(1 / f, active * n->exposed / n->Z),
                                   .rtt = n->rtt,
                                   .filter = x->step >= NS_FILTER,
                                   .coalesce = x->step >= NS_COALESCE};
        n->events = gather_events(x->s, p, &n->rule, &n->count);
        gather_filter_events(x->s, &n->rule, n->events, n->count);
        n->Q = n->outside = n->hits = 0;
        memset(n->asked, 0, sizeof n->asked);
        for (int64_t i = 0; i < n->count; i++)
            if (n->events[i].issued) {
                const int32_t owner = x->s->need.owner[n->events[i].col];
                n->Q++;
                n->outside += owner / RACK != p / RACK;
                x->node[owner].S++;
                n->asked[owner]++;
            }
        const double wait = x->step >= NS_CONCAT ? delay : 0;
        n->n_request = n->Q / (double)gather_packets(x->s, n->events, n->count, wait, 79);
        n->n_response = n->Q / (double)gather_packets(x->s, n->events, n->count, wait, 17);
    }
}

/* One LRU list of the rack: column and when it is there, last used first. */
static void look_up(replay *x, const gather_event *e, int64_t *col, double *ready, int *held, double fill)
{
    const int32_t owner = x->s->need.owner[e->col];
    int at = 0;
    while (at < *held && col[at] != e->col)
        at++;
    double there = at < *held ? ready[at] : e->time + fill;
    if (at < *held && there <= e->time) {
        x->node[e->node].hits++;
        x->node[owner].S--;
        x->node[e->node].asked[owner]--;
        x->all_hits++;
    }
    if (at == *held)
        at = *held < ENTRIES ? (*held)++ : ENTRIES - 1;
    memmove(col + 1, col, (size_t)at * sizeof *col);
    memmove(ready + 1, ready, (size_t)at * sizeof *ready);
    col[0] = e->col;
    ready[0] = there;
}

static void cache(replay *x)
{
    const double fill = far_rtt + waits(x);
    x->all_hits = 0;
    for (int32_t first = 0; first < NODES; first += RACK) {
        gather_event *all = oracle_alloc(x->s->a.entries + 1, sizeof *all);
        int64_t count = 0, col[ENTRIES];
        double ready[ENTRIES];
        int held = 0;
        for (int32_t p = first; p < first + RACK && p < NODES; p++)
            for (int64_t i = 0; i < x->node[p].count; i++)
                if (x->node[p].events[i].issued && x->s->need.owner[x->node[p].events[i].col] / RACK != first / RACK)
                    all[count++] = x->node[p].events[i];
        qsort(all, (size_t)count, sizeof *all, gather_by_time);
        for (int64_t i = 0; i < count; i++)
            look_up(x, &all[i], col, ready, &held, fill);
        ns_free(all);
    }
}

/* lam_rack D_s/(N - rack) more per packet for what leaves the rack. */
static void concatenate(replay *x)
{
    for (int32_t first = 0; first < NODES; first += RACK) {
        double rate = 0;
        for (int32_t p = first; p < first + RACK && p < NODES; p++)
            rate += (x->node[p].outside - x->node[p].hits) / x->node[p].exposed;
        for (int32_t p = first; p < first + RACK && p < NODES; p++) {
            node *n = &x->node[p];
            const double more = rate * switch_delay / (NODES - RACK) * (n->outside - n->hits) / n->Q;
            n->n_request = fmin(79, n->n_request + more);
            n->n_response = fmin(17, n->n_response + more);
        }
    }
}

/* E[min(X, d)]/d, X the sum of 4 d streams that want one link of 4 each: the link's states, stream by stream. */
static double usable_of(int d)
{
    double p[256] = {1}, carried = 0;
    for (int stream = 0; stream < RACK * d; stream++)
        for (int i = stream + 1; i >= 0; i--)
            p[i] = p[i] * (1 - 1.0 / RACK) + (i > 0 ? p[i - 1] / RACK : 0);
    for (int i = 0; i <= RACK * d; i++)
        carried += p[i] * fmin(i, d);
    return carried / d;
}

static double usable(const replay *x, double bytes)
{
    const double d64 = x->s->trace->view.destinations_per_window, d = pow(fmax(1, 1500 / bytes), log(d64) / log(64));
    const int whole = (int)d;
    return usable_of(whole) * (whole + 1 - d) + usable_of(whole + 1) * (d - whole);
}

static void time_node(const replay *x, node *n)
{
    const double request = u / n->n_request + r, response = u / n->n_response + r, h = request + response;
    const double far = n->outside - n->hits, zero_load = ((n->Q - far) * near_rtt + far * far_rtt) / n->Q + waits(x);
    const double active = fmin(CLIENTS, ceil(n->Z / BATCH)), share = n->Z / active;
    const double commands = fmax(1, share / BATCH) * (4 * 200e-9 + zero_load);
    n->rtt = zero_load;
    n->received = n->Q * (P + response) + n->S * request;
    n->sent = n->S * (P + response) + n->Q * request;
    const double rate = B * usable(x, P + response);
    const double line = n->Q * (P + h) / rate, pending = n->Q * n->rtt / (active * E);
    double fed = 0; /* index by index: the units that still have one take it together */
    for (int64_t i = 0; i < (int64_t)n->Z; i++) {
        const int64_t round = i / (CLIENTS * BATCH) * CLIENTS * BATCH, rest = (int64_t)n->Z - round;
        double units = 0;
        for (int64_t k = 0; k < CLIENTS; k++)
            units += k * BATCH + i % BATCH < rest;
        fed += fmax(line / n->Z, fmax(1 / f, n->Q * n->rtt / (n->Z * E)) / units);
    }
    const double tail = fed - fmax(line, fmax(share / f, pending));
    n->hidden = fmax(line, fmax(share / f + commands, pending)) + tail;
    n->own = fmax(n->hidden, fmax(line, fmax(share / f, pending)) + commands + tail);
    n->hidden = fmax(n->hidden, fmax(n->received, n->sent) / rate);
    n->exposed = fmax(n->own, fmax(n->received, n->sent) / rate);
}

static void run_round(replay *x)
{
    double bytes = 0;
    issue(x);
    if (x->step == NS_SWITCH) {
        cache(x);
        concatenate(x);
    }
    for (int32_t p = 0; p < NODES; p++) {
        node *n = &x->node[p];
        time_node(x, n);
        bytes += 2 * (n->outside - n->hits) * (P + u / n->n_request + u / n->n_response + 2 * r);
        ns_free(n->events);
    }
    x->network = bytes / (2 * NODES * B);
}

#define NEAR(got, expected)                                                                                            \
    ck_assert_msg(fabs((got) - (expected)) <= 1e-9 * fabs(expected), "step %d: " #got " is %.15g, wanted %.15g",       \
                  x->step, (double)(got), (double)(expected))

static void compare(const replay *x, const ns_netsparse_result *result)
{
    const ns_step_result *step = &result->step[x->step];
    double issued = 0, received = 0, best = 0, mean = 0;
    int tail = 0;
    for (int p = 0; p < NODES; p++) {
        const node *n = &x->node[p];
        issued += n->Q;
        received += n->received;
        mean += n->exposed / NODES;
        best = fmax(best, n->hidden);
        tail = n->exposed > x->node[tail].exposed ? p : tail;
    }
    const double end = x->node[tail].exposed;
    if (end > 1.05 * x->node[tail].own) { /* its clients wait: the one that asks it for most is the last */
        const int home = tail;
        for (int p = 0; p < NODES; p++)
            tail = x->node[p].asked[home] > (tail == home ? 0 : x->node[tail].asked[home]) ? p : tail;
    }
    const node *n = &x->node[tail];
    const double su = (double)(x->s->a.cols - x->s->a.cols / NODES) * P / B; /* the node that owns least */
    ck_assert_int_eq(step->node, tail);
    NEAR(step->issued, issued);
    NEAR(step->traffic, received);
    NEAR(step->mean, mean);
    NEAR(step->time, fmax(end, x->network));
    NEAR(step->best, fmax(best, x->network));
    NEAR(step->network, x->network);
    NEAR(step->reduction, su * B / fmax(n->received, n->sent));
    NEAR(step->goodput, (n->sent > n->received ? n->S : n->Q) * P / B / step->time);
    NEAR(step->speedup, su / step->time);
    NEAR(step->tail.per_packet, 2 / (1 / n->n_request + 1 / n->n_response));
    if (x->step == NS_SWITCH)
        NEAR(step->hits, x->all_hits);
}

static ns_machine *small_machine(void)
{
    static const char *const change[] = {
        "models.rig-batch.units=8",         "models.property-cache.ways=0",  "models.property-cache.capacity=4KiB",
        "models.concat.cycles=20",          "models.concat.switch_cycles=5", "models.netsparse-hops.t_switch=10ns",
        "models.netsparse-hops.t_link=20ns"};
    ns_machine *machine, *next;
    ns_error err = {0};
    machine = machine_named("netsparse");
    for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
        ck_assert_msg(ns_machine_with(machine, change[i], &next, &err) == NS_OK, "%s", err.text);
        ns_machine_free(machine);
        machine = next;
    }
    return machine;
}

TEST_EACH(ablation, 4)
{
    gather_subject s;
    ns_error err = {0};
    ns_netsparse_result *result;
    ns_machine *machine = small_machine();
    gather_open(&s, 4711 + (uint64_t)_i, 600, 400 + 100 * _i, 40000, _i, NODES, RACK);
    const ns_netsparse_options options = {.machine = machine, .k = 16, .batch = BATCH};
    ck_assert_msg(ns_netsparse_run(s.trace, &options, &result, &err) == NS_OK, "%s", err.text);
    replay x = {.s = &s};
    for (int p = 0; p < NODES; p++)
        x.node[p].Z = (double)s.trace->node[p].requests;
    for (x.step = NS_RIG; x.step < NS_MECHANISMS; x.step++) {
        for (int round = 0; round < (x.step == NS_RIG ? 1 : 3); round++)
            run_round(&x);
        compare(&x, result);
    }
    ck_assert_msg(x.all_hits > 10, "%g hits", x.all_hits);
    ns_netsparse_free(result);
    ns_machine_free(machine);
    gather_close(&s);
}

/* 4 KiB travel in 8 tiles of 512 B; baselines and the roofline from the counts. */
TEST(tiles_and_baselines)
{
    gather_subject s;
    ns_error err = {0};
    ns_netsparse_result *one, *eight;
    ns_machine *machine = small_machine();
    double ranks = 0, most = 0;
    gather_open(&s, 99, 600, 500, 9000, 2, NODES, RACK);
    ns_netsparse_options options = {.machine = machine, .k = 128, .batch = BATCH};
    ck_assert_int_eq(ns_netsparse_run(s.trace, &options, &one, &err), NS_OK);
    options.k = 1024;
    ck_assert_int_eq(ns_netsparse_run(s.trace, &options, &eight, &err), NS_OK);
    for (int i = 0; i < NS_MECHANISMS; i++) {
        ck_assert_double_eq_tol(eight->step[i].time, 8 * one->step[i].time, 1e-9 * eight->step[i].time);
        ck_assert_double_eq_tol(eight->step[i].traffic, 8 * one->step[i].traffic, 1e-9 * eight->step[i].traffic);
        ck_assert_double_eq_tol(eight->step[i].speedup, one->step[i].speedup, 1e-9 * one->step[i].speedup);
    }
    for (int p = 0; p < NODES; p++) {
        ranks = fmax(ranks, (double)s.trace->node[p].rank_most);
        most = fmax(most, (double)s.trace->node[p].nonzeros);
    }
    ck_assert_double_eq_tol(one->sa_time, ranks * (0.40e-6 + 7.57e-9 * 512) / 64, 1e-12);
    ck_assert_double_eq_tol(one->ideal, (double)s.a.entries / most, 1e-9);
    const double bytes = 8 * most + 1100.0 * 512 / NODES * most / ((double)s.a.entries / NODES);
    ck_assert_double_eq_tol(one->computation[0], bytes / 800e9, 1e-9 * one->computation[0]);
    const double each = (8 + 512) * most + 600.0 * 512 / NODES * most / ((double)s.a.entries / NODES);
    ck_assert_double_eq_tol(one->computation[1], each / 800e9, 1e-9 * one->computation[1]);
    const double mean = (double)s.a.entries / NODES / most;
    for (int i = 0; i < 3; i++) {
        const double wait = i == 0 ? one->su_time : i == 1 ? one->sa_time : one->step[NS_SWITCH].time;
        const double least = one->computation[0], full = one->computation[1];
        ck_assert_double_eq_tol(one->end_to_end[i][0], NODES * mean * least / (least + wait), 1e-9);
        ck_assert_double_eq_tol(one->end_to_end[i][1], NODES * mean * full / fmax(full, wait), 1e-9 * NODES);
    }
    ns_netsparse_free(one);
    ns_netsparse_free(eight);
    ns_machine_free(machine);
    gather_close(&s);
}

/* Seven nodes ask the first for its columns, 16 a row, the sixth for 48; it asks nobody. */
enum { HOMES = 8, HOME_ROWS = 64, FEW = 16, MANY = 48, EAGER = 5 };

TEST(clients_of_a_home_end_last)
{
    const char *path = "netsparse_time_home.mtx";
    ns_matrix *matrix;
    ns_trace *trace;
    ns_netsparse_result *result;
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%%%%MatrixMarket matrix coordinate pattern general\n%d %d %d\n", HOMES * HOME_ROWS,
            HOMES * HOME_ROWS, (HOMES - 2) * HOME_ROWS * FEW + HOME_ROWS * MANY);
    for (int row = HOME_ROWS; row < HOMES * HOME_ROWS; row++)
        for (int i = 0; i < (row / HOME_ROWS == EAGER ? MANY : FEW); i++)
            fprintf(file, "%d %d\n", row + 1, 1 + (row + i) % HOME_ROWS);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(ns_matrix_open(path, &matrix, NULL), NS_OK);
    ck_assert_int_eq(ns_trace_open(matrix, HOMES, NULL, &trace, NULL), NS_OK);
    ns_machine *machine = machine_named("netsparse");
    const ns_netsparse_options options = {.machine = machine, .k = 128, .batch = 64};
    ck_assert_int_eq(ns_netsparse_run(trace, &options, &result, NULL), NS_OK);
    const ns_step_result *rig = &result->step[NS_RIG];
    const double asked = HOME_ROWS * (double)((HOMES - 2) * FEW + MANY), own = HOME_ROWS * (double)MANY;
    ck_assert_int_eq(rig->node, EAGER);
    ck_assert_int_eq(rig->limit, NS_LIMIT_SERVING);
    ck_assert_double_eq(rig->tail.issued, own);
    /* the time is that of the home's line, what is counted on a line that of the node that waits */
    ck_assert_double_eq_tol(rig->goodput * rig->time, own * 512 / B, 1e-12);
    ck_assert_double_ge(rig->time, asked * (512 + u + r) / B);
    ns_netsparse_free(result);
    ns_trace_free(trace);
    ns_matrix_free(matrix);
    remove(path);
}

TEST_TIMEOUT(300)
