/* test_host_allreduce.c -- four algorithms by hand on Lassen's tables, every rank's rounds played through, and [SH]
 * Table 1 */
#include "../support/model_rows.h"

#include "api/library.h"
#include "model/parts/allreduce.h"

/* [NA] Table 2, host, off node */
#define SHORT(s) (1.89e-6 + 6.88e-10 * (s))
#define EAGER(s) (2.44e-6 + 3.79e-10 * (s))
#define RDV(s)   (7.76e-6 + 7.97e-11 * (s))
/* fitted to [SH] Table 1 from 1 to 4 KiB; beyond, 100 Gb/s */
#define SWITCHIB2(s) (1.46e-6 + 1.4e-9 * 4096 + ((s)-4096) / 12.5e9)
static const model_row rows[] = {
    {"lassen", "nodes=8 s=8B", "recursive_doubling", 3 * SHORT(8), 1e-13, "three rounds"},
    {"lassen", "nodes=8 s=8B", "time", 3 * SHORT(8), 1e-13, "best of the four at 8 B"},
    {"lassen", "nodes=8 s=8B", "chosen", 1, 0, "recursive doubling"},
    {"lassen", "nodes=8 s=8192B", "rabenseifner", 2 * (EAGER(4096) + EAGER(2048) + EAGER(1024)), 1e-13,
     "halves, there and back"},
    {"lassen", "nodes=8 s=8192B", "ring", 14 * EAGER(1024), 1e-13, "2 (P - 1) eighths"},
    {"lassen", "nodes=8 s=1MiB", "reduce_broadcast", 6 * RDV(1048576), 1e-13, "two trees of three rounds"},
    {"lassen", "nodes=8 s=64MiB", "chosen", 2, 0, "Rabenseifner moves the fewest bytes in the fewest rounds"},
    {"lassen", "nodes=6 s=64MiB", "chosen", 3, 0, "not a power of two: the ring does not fold"},
    {"lassen", "nodes=6 s=1000B", "recursive_doubling", 4 * EAGER(1000), 1e-13, "fold, two rounds, unfold"},
    {"lassen", "nodes=6 s=1000B", "reduce_broadcast", 6 * EAGER(1000), 1e-13, "ceil(log2 6) = 3, twice"},
    {"lassen", "nodes=8 s=8192B gamma=1ns/B", "rabenseifner", 2 * (EAGER(4096) + EAGER(2048) + EAGER(1024)) + 7168e-9,
     1e-13, "7/8 of the data combined"},
    {"lassen", "nodes=8 s=8B gamma=1ns/B", "recursive_doubling", 3 * SHORT(8) + 24e-9, 1e-13, "combined every round"},
    {"lassen", "nodes=1 s=8B", "time", 0, 0, "nobody to talk to"},
    {"lassen", "nodes=1 s=8B processes=40", "time", 2 * (5 * (3.67e-7 + 1.32e-10 * 8) + 9.25e-7 + 1.19e-9 * 8), 1e-13,
     "20 processes a socket: five levels, and one between the sockets, twice"},
    {"lassen", "nodes=8 s=8192B algorithm=ring", "time", 14 * EAGER(1024), 1e-13, "as told"},
    {"lassen", "nodes=8 s=8B memory=device", "recursive_doubling", 3 * (8.95e-6 + 1.72e-10 * 8), 0.01,
     "[NA] Table 2, GPU"},
    {"lassen", "nodes=0 s=8B", NULL, 0, 0, "nodes has to be at least 1"},
    {"lassen", "nodes=2.5 s=8B", NULL, 0, 0, "nodes wants a whole number"},
    {"netcrafter", "nodes=8 s=8B sockets=1", NULL, 0, 0, "netcrafter"},
    {NULL, "", NULL, 0, 0, "reads a machine's tables"},
    {"lassen", "nodes=8 s=8192B gamma=1ns/B", "ring", 14 * EAGER(1024) + 7168e-9, 1e-13, "7/8 of the data combined"},
    {"lassen", "nodes=8 s=8192B gamma=1ns/B", "reduce_broadcast", 6 * EAGER(8192) + 3 * 8192e-9, 1e-13,
     "all of it, three times"},
    {"lassen", "nodes=6 s=1000B gamma=1ns/B", "recursive_doubling", 4 * EAGER(1000) + 3 * 1000e-9, 1e-13,
     "combined when folded and in two rounds"},
    {"lassen", "nodes=6 s=1000B gamma=1ns/B", "rabenseifner", 2 * EAGER(1000) + 2 * (EAGER(500) + SHORT(250)) + 1750e-9,
     1e-13, "folded, then halves of four"},
    {"lassen", "nodes=6 s=6000B gamma=1ns/B", "ring", 10 * EAGER(1000) + 5000e-9, 1e-13, "5/6 of the data combined"},
    {"lassen", "nodes=8 s=8B gamma=1ns/B", "chosen", 1, 0, "recursive doubling"},
    {"lassen", "nodes=2 s=8B algorithm=ring", "chosen", 3, 0, "as told"},
    {"lassen", "nodes=8 s=8B processes=40 algorithm=ring gamma=1ns/B", "on_node",
     2 * (5 * (3.67e-7 + 1.132e-9 * 8) + 9.25e-7 + 2.19e-9 * 8), 1e-13, "combined on the node as well"},
    {"lassen", "nodes=8 s=8B processes=40 algorithm=ring", "network", 14 * SHORT(1), 1e-13, "the rest"},
    {"sharp-switchib2", "hosts=128 s=4KiB", "recursive_doubling", 7 * SWITCHIB2(4096), 1e-13, "the end of the data"},
    {"sharp-switchib2", "hosts=4 s=64KiB", "rabenseifner", 2 * (SWITCHIB2(32768) + SWITCHIB2(16384)), 1e-13,
     "what is beyond the data goes at the port's rate"},
    {"sharp-switchib2", "hosts=4 s=64KiB processes=2 sockets=1", "on_node", 2 * (0.055e-6 + 1e-10 * 65536), 1e-13,
     "not so inside a node"},
    {"lassen", "nodes=8 s=1MiB measured=64KiB port=10GB/s", "reduce_broadcast", 6 * (RDV(65536) + 983040e-10), 1e-13,
     "any machine's"},
    {"lassen", "nodes=8 s=1MiB measured=64KiB", "reduce_broadcast", 6 * RDV(1048576), 1e-13, "no port"},
    {"lassen", "nodes=8 s=1MiB port=10GB/s", "reduce_broadcast", 6 * RDV(1048576), 1e-13, "no end"},
};

/* ---- a slow way: play the rounds of every rank ------------------------------------------------------------------- */

static double message(const ns_machine *machine, double s)
{
    const ns_line *line = ns_machine_line(machine, NS_HOST, NS_OFF_NODE, s, NULL);
    return line->alpha + line->beta * s;
}

/* A round of exchanges: every rank waits for its partner. */
static void exchange(double *clock, int ranks, int distance, double cost)
{
    double next[64];
    for (int r = 0; r < ranks; r++)
        next[r] = fmax(clock[r], clock[r ^ distance]) + cost;
    for (int r = 0; r < ranks; r++)
        clock[r] = next[r];
}

static double latest(const double *clock, int ranks)
{
    double most = 0;
    for (int r = 0; r < ranks; r++)
        most = fmax(most, clock[r]);
    return most;
}

static void play(const ns_machine *machine, int ranks, double s, double *time)
{
    double doubling[64] = {0}, halving[64] = {0}, ring[64] = {0}, tree[64] = {0}, next[64];
    for (int d = 1; d < ranks; d *= 2)
        exchange(doubling, ranks, d, message(machine, s));
    for (int d = ranks / 2; d >= 1; d /= 2)
        exchange(halving, ranks, d, message(machine, s * d / ranks));
    for (int d = 1; d < ranks; d *= 2)
        exchange(halving, ranks, d, message(machine, s * d / ranks));
    for (int step = 0; step < 2 * (ranks - 1); step++) {
        for (int r = 0; r < ranks; r++)
            next[r] = fmax(ring[r], ring[(r + ranks - 1) % ranks]) + message(machine, s / ranks);
        for (int r = 0; r < ranks; r++)
            ring[r] = next[r];
    }
    for (int d = 1; d < ranks; d *= 2) /* up: the upper of each pair sends to the lower */
        for (int r = 0; r + d < ranks; r += 2 * d)
            tree[r] = fmax(tree[r], tree[r + d]) + message(machine, s);
    for (int d = ranks / 2; d >= 1; d /= 2) /* down */
        for (int r = 0; r + d < ranks; r += 2 * d)
            tree[r] = tree[r + d] = tree[r] + message(machine, s);
    time[NS_RECURSIVE_DOUBLING] = latest(doubling, ranks);
    time[NS_RABENSEIFNER] = latest(halving, ranks);
    time[NS_RING] = latest(ring, ranks);
    time[NS_REDUCE_BROADCAST] = latest(tree, ranks);
    time[NS_OPEN_MPI] = s < 10000 ? time[NS_RECURSIVE_DOUBLING] : time[NS_RING];
}

TEST(agrees_with_played_rounds)
{
    static const double lengths[] = {8, 300, 5000, 40000, 3e6};
    ns_machine *machine;
    ck_assert_int_eq(ns_machine_load("lassen", &machine, NULL), NS_OK);
    for (int ranks = 2; ranks <= 64; ranks *= 2)
        for (size_t i = 0; i < 5; i++) {
            double slow[NS_ALLREDUCES], fast[NS_ALLREDUCES];
            const ns_collective job = {
                .machine = machine, .nodes = ranks, .s = lengths[i], .beyond = {.ring_from = 10000}};
            play(machine, ranks, lengths[i], slow);
            ck_assert_int_eq(ns_allreduce_times(&job, fast, NULL, NULL), NS_OK);
            for (int a = NS_RECURSIVE_DOUBLING; a < NS_ALLREDUCES; a++)
                ck_assert_msg(fabs(slow[a] - fast[a]) < 1e-12 * slow[a], "%d ranks, %g B, %s: %g, played %g", ranks,
                              lengths[i], ns_allreduce_words[a], fast[a], slow[a]);
            const ns_collective unknown = {.machine = machine, .nodes = ranks, .s = lengths[i]};
            ck_assert_int_eq(ns_allreduce_times(&unknown, fast, NULL, NULL), NS_OK);
            ck_assert_double_eq(fast[NS_OPEN_MPI], fast[NS_ALLREDUCE_BEST]);
        }
    ns_machine_free(machine);
}

/* ---- [SH] Table 1, Host rows ------------------------------------------------------------------------------------- */

static const struct {
    double s, us;
} host[] = {{4, 5.09},   {8, 5.18},   {16, 5.26},    {32, 5.32},    {64, 5.98},   {128, 6.43},
            {256, 7.55}, {512, 9.16}, {1024, 18.49}, {2048, 33.47}, {4096, 45.99}};
enum { HOST = sizeof host / sizeof *host };

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

TEST(host_rows_fit)
{
    ns_machine *machine;
    double error[HOST];
    ck_assert_int_eq(ns_machine_load("sharp-switchib2", &machine, NULL), NS_OK);
    for (int i = 0; i < HOST; i++) {
        double time[NS_ALLREDUCES];
        const ns_collective job = {.machine = machine, .nodes = 128, .s = host[i].s};
        ck_assert_int_eq(ns_allreduce_times(&job, time, NULL, NULL), NS_OK);
        error[i] = fabs(time[NS_RECURSIVE_DOUBLING] * 1e6 / host[i].us - 1);
        ck_assert_double_lt(error[i], 0.10);
    }
    qsort(error, HOST, sizeof *error, by_value);
    ck_assert_double_lt(error[HOST / 2], 0.04);
    ns_machine_free(machine);
}

MODEL_ROWS("host-allreduce", rows)
