/* test_fit_recovers.c -- what processes share and send at once is found again in logs that were written with it
 *
 * Tables of all processes of a node, several messages of one process in flight, whole exchanges; and the intervals of
 * 95 % contain what noisy logs were written with.
 */
#include "core/memory.h"
#include "fit/fit.h"
#include "machine/form.h"
#include "num/num.h"
#include "support/cli.h"
#include "support/events.h"
#include "support/fits.h"
#include "support/forms.h"
#include "support/test.h"

/* The number of that name, formatted; the test fails where it is not there, or not within the share of `value`. */
static const ns_parameter *found(const ns_machine *m, const char *path, double value, double share)
{
    const ns_parameter *p = ns_machine_parameter(m, path);
    ck_assert_msg(p != NULL, "no %s", path);
    ck_assert_msg(fabs(p->value - value) <= share * value, "%s is %g, wanted %g", path, p->value, value);
    return p;
}

static bool has(const ns_machine *m, const char *words)
{
    for (size_t i = 0; i < m->parameters; i++)
        if (strstr(m->parameter[i].path, words) != NULL)
            return true;
    return false;
}

static FILE *opened(const char *name, const char **path)
{
    static char kept[8][300];
    static int next;
    *path = strcpy(kept[next++ % 8], cli_path(name));
    FILE *file = fopen(*path, "w");
    ck_assert_ptr_nonnull(file);
    return file;
}

/* ---- all processes of a node ------------------------------------------------------------------------------------- */

/* 16 processes a node on 2 sockets.  Alone: off node 2 us + 0.5 ns/B, on node 1 us + 0.4 ns/B, on socket 0.6 us + 0.3
 * ns/B; from 64 KiB on 5 us more and half the time per byte.  All at once 0.1 ns for each byte that the node moves to
 * the other socket, 0.04 ns on the socket, and 3 us a start-up off node. */
static const double LIMIT_ON_NODE = 0.1e-9, LIMIT_ON_SOCKET = 0.04e-9, START_UP = 3e-6;

static double single(double alpha, double beta, double s)
{
    return s < 65536 ? alpha + beta * s : alpha + 5e-6 + beta / 2 * s;
}

/* A table of ping-pongs of up to `most` pairs, 0: of one alone; limit: s for each byte of all that sends and receives,
 * of `places` such places of the node. */
static void put_table(FILE *file, uint64_t *seed, double noise, const char *title, int most, int places, double alpha,
                      double beta, double limit)
{
    fprintf(file, "%s:\n", title);
    for (int active = 1; active <= (most > 0 ? most : 1); active *= 2) {
        if (most > 0)
            fprintf(file, "Active Procs: %d\n", active);
        for (int size = 1; size <= 1 << 22; size *= 2)
            fprintf(file, "Size %d: %.9e\n", size,
                    2 * fmax(single(alpha, beta, size), alpha + 2 * active * places * limit * size) *
                        (1 + noise * (2 * event_uniform(seed) - 1)));
        fprintf(file, "\n");
    }
}

static ns_machine *fit_loaded(uint64_t seed, double noise, bool together, const char *options, char *said, size_t size)
{
    const char *path;
    FILE *file = opened("loaded.out", &path);
    put_table(file, &seed, noise, "On-Socket Ping-Pong", 0, 0, 0.6e-6, 0.3e-9, 0);
    put_table(file, &seed, noise, "On-Node, Off-Socket Ping-Pong", 0, 0, 1e-6, 0.4e-9, 0);
    put_table(file, &seed, noise, "Off-Node Ping-Pong", 0, 0, 2e-6, 0.5e-9, 0);
    if (together) {
        put_table(file, &seed, noise, "On-Socket MultiProc Ping-Pong", 4, 1, 0.6e-6, 0.3e-9, LIMIT_ON_SOCKET);
        put_table(file, &seed, noise, "On-Node, Off-Socket MultiProc Ping-Pong", 8, 1, 1e-6, 0.4e-9, LIMIT_ON_NODE);
        put_table(file, &seed, noise, "Off-Node MultiProc Ping-Pong", 16, 1, START_UP, 0, 0.02e-9);
        put_table(file, &seed, noise, "On-Socket MultiProc Ping-Pong, All Sockets Active", 4, 2, 0.6e-6, 0.3e-9,
                  LIMIT_ON_SOCKET);
    }
    fclose(file);
    return fits_machine(said, size, "%s --switch 65536 %s", path, options);
}

static const char *first_protocol(const ns_machine *m)
{
    return m->line[NS_HOST][NS_ON_NODE][NS_SHORT].given ? "short" : "eager";
}

TEST_EACH(all_of_a_node, 3)
{
    static const char *const options[] = {"--gpus 0 --processes 16 --sockets 2", "--gpus 0 --per-node 16 --sockets 2",
                                          "--gpus 0"};
    static const char *const places[] = {"on-node", "on-socket"};
    char path[100], said[4000];
    ns_machine *m = fit_loaded(1, 0, true, options[_i], said, sizeof said);
    ck_assert_msg(strstr(said, "how many processes") == NULL, "%s", said);
    for (int l = 0; l < 2; l++) {
        snprintf(path, sizeof path, "host.exchange.%s.%s.inverse_R", places[l], first_protocol(m));
        const ns_parameter *limit = found(m, path, l == 0 ? LIMIT_ON_NODE : LIMIT_ON_SOCKET, 1e-3);
        ck_assert_ptr_nonnull(strstr(limit->source, "8 pairs on the node"));
    }
    ck_assert(!has(m, "exchange.on-node.rendezvous.inverse_R") && /* the form derives them */
              !has(m, "exchange.on-socket.rendezvous.inverse_R"));
    found(m, "host.exchange.off-node.alpha", START_UP, 0.01);
    /* single messages are not touched by the loaded tables */
    found(m, "host.on-node.rendezvous.beta", 0.2e-9, 1e-3);
}

/* Half of the node's processes or fewer share too little to tell; single messages tell nothing; with GPUs a start-up
 * counts only where a floor is known. */
TEST(too_few_of_a_node)
{
    char said[4000];
    ns_machine *m = fit_loaded(1, 0, true, "--gpus 0 --processes 32 --sockets 2", NULL, 0);
    ck_assert(!has(m, "host.exchange.off-node.alpha"));
    for (size_t i = 0; i < m->parameters; i++)
        ck_assert(strstr(m->parameter[i].path, "inverse_R") == NULL ||
                  strstr(m->parameter[i].path, ".injection.") != NULL); /* that of pairs between nodes */
    m = fit_loaded(1, 0, false, "--gpus 0 --processes 16 --sockets 2", NULL, 0);
    ck_assert(!has(m, ".exchange."));
    m = fit_loaded(1, 0, true, "--processes 16 --sockets 2 --gpus 2", said, sizeof said);
    ck_assert_ptr_nonnull(strstr(said, "start-ups of messages in flight are left out: on a machine with GPUs"));
    ck_assert(!has(m, "host.exchange.off-node.alpha"));
}

TEST(intervals_of_a_node)
{
    enum { TIMES = 200 };
    int held = 0;
    for (uint64_t k = 1; k <= TIMES; k++) {
        char path[100];
        ns_machine *m = fit_loaded(k, 0.05, true, "--gpus 0 --processes 16 --sockets 2", NULL, 0);
        snprintf(path, sizeof path, "host.exchange.on-node.%s.inverse_R", first_protocol(m));
        const ns_parameter *limit = found(m, path, LIMIT_ON_NODE, 1);
        held += fabs(limit->value - LIMIT_ON_NODE) <= 1.96 * limit->se;
    }
    ck_assert_msg(held >= 0.9 * TIMES && held <= 0.995 * TIMES, "%d of %d", held, TIMES);
}

/* Packing: the longest copies of the most processes, 0.4 ns a byte, where they are more than half of the node's.  The
 * full form and the dense ones take it in place of what they assume. */
TEST(packing)
{
    static const char log[] = "nsmodel-mpi measure 1\njob ranks 8 nodes 2 sockets 1\n"
                              "table ping-pong off-node pairs 1 messages 1\n8 2e-6 2e-6 2e-6 9\n"
                              "1024 3e-6 3e-6 3e-6 9\n1048576 9e-4 9e-4 9e-4 9\n"
                              "table packing blocks processes 2\n1000000 1e-4 1e-4 1e-4 9\n"
                              "table packing blocks processes 4\n4096 1e-6 1e-6 1e-6 9\n"
                              "1000000 4e-4 4e-4 4e-4 9\n65536 9e-6 9e-6 9e-6 9\nend 7 numbers, 0 of them not tight\n";
    static const char *const forms[] = {"full", "direct", "pairwise", "bruck"};
    cli_file("packing.log", log);
    ns_machine *m = fits_machine(NULL, 0, "TMP/packing.log --gpus 0 --processes 4");
    const ns_parameter *beta = found(m, "host.exchange.packing.beta", 0.4e-9, 2e-6);
    ck_assert_ptr_nonnull(strstr(beta->source, "by 4 processes of a node at once"));
    for (int f = 0; f < 4; f++) {
        const ns_form *form;
        ns_form_values values;
        ck_assert_int_eq(ns_form_get(forms[f], &form, NULL), NS_OK);
        ns_form_take(form, m, NS_HOST, 0, &values);
        const int slot =
            form_slot(&values, f == 0 ? "<memory>.exchange.packing.beta" : "<memory>.exchange.direct.packing", 0, 0);
        ck_assert_double_eq_tol(values.value[slot], 0.4e-9, 1e-15);
        ck_assert_ptr_eq(values.from[slot], beta);
    }
    m = fits_machine(NULL, 0, "TMP/packing.log --gpus 0 --processes 8");
    ck_assert(!has(m, "packing"));
}

/* ---- several messages of one process in flight ------------------------------------------------------------------- */

/* Alone 1.2, 2, 7 us and 0.4, 0.5, 0.1 ns/B; in flight L + n a + n b s. */
static const struct law {
    const char *protocol;
    int from; /* B */
    double alone, beta, latency, a, b;
} laws[] = {{"short", 4, 1.2e-6, 0.4e-9, 0.9e-6, 0.3e-6, 0.25e-9},
            {"eager", 256, 2e-6, 0.5e-9, 1e-6, 1e-6, 0.2e-9},
            {"rendezvous", 8192, 7e-6, 0.1e-9, 5e-6, 2e-6, 0.08e-9}};
enum { LAWS = 3, FLOATS = 1 << 17 };

static const struct law *law_of(double s)
{
    return &laws[(s >= laws[1].from) + (s >= laws[2].from)];
}

static const char *write_alone(void)
{
    const char *path;
    FILE *file = opened("alone.csv", &path);
    fprintf(file, "bytes,seconds\n");
    for (int size = 4; size <= 4 * FLOATS; size *= 2)
        fprintf(file, "%d,%.9e\n", size, law_of(size)->alone + law_of(size)->beta * size);
    fclose(file);
    return path;
}

/* BenchPress's table, rows of "Size floats" with 1 to 40 messages, which overlap or go one after the other; one time in
 * fifty is far too long. */
static ns_machine *fit_in_flight(uint64_t seed, double noise, double overlap, const char *options, char *said,
                                 size_t size)
{
    const char *path;
    FILE *file = opened("mult_pong.out", &path);
    fprintf(file, "Timing CPU Multiple Messages\n");
    for (int floats = 1; floats <= FLOATS; floats *= 2) {
        fprintf(file, "Size %d", floats);
        for (int n = 1; n <= 40; n++) {
            const struct law *w = law_of(4.0 * floats);
            const double one = w->a + w->b * 4 * floats, odd = noise > 0 && event_uniform(&seed) < 0.02 ? 3 : 1;
            fprintf(file, "\t%.9e",
                    odd * (overlap * (w->latency + n * one) + (1 - overlap) * n * (w->latency + one)) *
                        (1 + noise * (2 * event_uniform(&seed) - 1)));
        }
        fprintf(file, "\t\n");
    }
    fclose(file);
    return fits_machine(said, size, "%s %s --switch 256,8192 --locality off-node --memory host %s", write_alone(), path,
                        options);
}

static const ns_parameter *in_flight(const ns_machine *m, int p, const char *what, double value, double share)
{
    char path[100];
    snprintf(path, sizeof path, "host.exchange.off-node.%s.%s", laws[p].protocol, what);
    return found(m, path, value, share);
}

/* With GPUs and without a floor those from the host count as well. */
TEST_EACH(messages_in_flight, 2)
{
    char said[4000];
    ns_machine *m = fit_in_flight(1, 0, 1, _i == 0 ? "--gpus 0" : "--gpus 4", said, sizeof said);
    for (int p = 0; p < LAWS; p++) {
        in_flight(m, p, "alpha", laws[p].a, 1e-4);
        in_flight(m, p, "beta", laws[p].b, 1e-4);
    }
    found(m, "host.exchange.off-node.overhead", laws[0].a, 1e-4);
    ck_assert_ptr_null(strstr(said, "host: start-ups of messages in flight are left out"));
}

TEST(one_after_the_other)
{
    char said[4000];
    ns_machine *m = fit_in_flight(1, 0, 0, "--gpus 0", said, sizeof said);
    ck_assert(!has(m, ".exchange."));
    ck_assert_ptr_nonnull(strstr(said, "host off-node: short messages in flight take 1.2 us each where one alone takes "
                                       "1.2 us: they went one after the other; left out"));
}

/* By device half of a message's start-up alone stands for one in flight, said to be assumed. */
TEST(half_by_device)
{
    char path[80];
    ns_machine *m = fits_machine(
        NULL, 0, "%s --switch 256,8192 --locality off-node --memory device --gpus 4 --processes 8", write_alone());
    for (int p = 0; p < LAWS; p++) {
        snprintf(path, sizeof path, "device.exchange.off-node.%s.alpha", laws[p].protocol);
        ck_assert_int_eq(strncmp(found(m, path, 0.5 * laws[p].alone, 1e-4)->source, "assumed", 7), 0);
    }
}

TEST(intervals_in_flight)
{
    enum { TIMES = 150 };
    int held = 0;
    for (uint64_t k = 1; k <= TIMES; k++) {
        ns_machine *m = fit_in_flight(k, 0.05, 1, "--gpus 0", NULL, 0);
        for (int p = 0; p < LAWS; p++) {
            const ns_parameter *a = in_flight(m, p, "alpha", laws[p].a, 1), *b = in_flight(m, p, "beta", laws[p].b, 1);
            held += (fabs(a->value - laws[p].a) <= 1.96 * a->se) + (fabs(b->value - laws[p].b) <= 1.96 * b->se);
        }
    }
    const double share = (double)held / (2 * LAWS * TIMES);
    ck_assert_msg(share >= 0.9 && share <= 0.99, "%.3f", share);
}

/* ---- one protocol by hand ---------------------------------------------------------------------------------------- */

enum { COUNTS = 6, LENGTHS = 3, CELLS = COUNTS * LENGTHS };

/* T = L + n a + n b s, 1 % to either side in turn; the cell `odd` takes `factor` times as long, or is left out. */
static ns_fit_in_flight by_hand(double L, double a, int odd, double factor, size_t *warnings)
{
    static ns_sample sample[CELLS];
    static ns_fit_group group;
    static char *room[4];
    const double b = 0.01 * a;
    ns_log log = {.sample = sample};
    for (int i = 0; i < CELLS; i++) {
        const int n = 1 + i / LENGTHS, bytes = 100 << i % LENGTHS;
        if (i == odd && !(factor > 0))
            continue;
        sample[log.samples++] =
            (ns_sample){.kind = NS_MULTI_MESSAGE,
                        .pairs = 1,
                        .messages = n,
                        .bytes = bytes,
                        .locality = NS_OFF_NODE,
                        .seconds = (L + n * (a + b * bytes)) * (1 + (i % 2 ? 0.01 : -0.01)) * (i == odd ? factor : 1)};
    }
    group = (ns_fit_group){.locality = NS_OFF_NODE, .in_machine = true, .classes = 1, .of = {{.protocol = NS_EAGER}}};
    ns_fit fit = {.group = &group, .groups = 1, .warning = room};
    ns_error err = {0};
    ck_assert_msg(ns_fit_in_flights(&fit, &log, &err) == NS_OK, "%s", err.text);
    *warnings = fit.warnings;
    for (size_t i = 0; i < fit.warnings; i++)
        ns_free(fit.warning[i]);
    return fit.in_flight[NS_HOST][NS_EAGER];
}

/* A cell 6 times the usual distance off changes nothing, wherever it stands; one 4 times off does. */
TEST_EACH(far_off, CELLS)
{
    size_t warnings;
    const ns_fit_in_flight without = by_hand(5e-6, 1e-6, _i, 0, &warnings),
                           far = by_hand(5e-6, 1e-6, _i,
                                         _i % 2   ? 1.07
                                         : _i > 0 ? 0.94
                                                  : 0.9,
                                         &warnings),
                           near = by_hand(5e-6, 1e-6, _i, _i % 2 ? 1.03 : 0.97, &warnings);
    ck_assert(without.given && far.given && near.given);
    ck_assert_double_eq_tol(far.a, without.a, 1e-9 * without.a);
    ck_assert_double_eq_tol(far.b, without.b, 1e-9 * without.b);
    ck_assert_double_eq_tol(far.latency, without.latency, 1e-9 * without.latency);
    ck_assert_double_eq_tol(far.a_se, without.a_se, 1e-9 * without.a_se);
    ck_assert_double_gt(fabs(near.a - without.a) + fabs(near.latency - without.latency), 1e-5 * without.a);
    ck_assert_double_eq_tol(without.a, 1e-6, 0.2e-6);
}

/* Without a latency beside them, messages went one after the other: no line, and a word about it. */
TEST(no_latency)
{
    size_t warnings;
    ck_assert(!by_hand(-0.5e-6, 1e-6, -1, 0, &warnings).given);
    ck_assert_uint_eq(warnings, 1);
    ck_assert(!by_hand(100e-6, -1e-6, -1, 0, &warnings).given);
    ck_assert_uint_eq(warnings, 0);
}

/* ---- whole exchanges --------------------------------------------------------------------------------------------- */

/* Off node: ping-pong 2 us + 0.5 ns/B; in flight 1.5 us a message between two nodes; on lines 1.8 us and 16 processes
 * share 1/R = 0.4 ns/B, the queue 3 ns n^2.  On node: ping-pong 1 us + 1 ns/B, in flight 0.6 us + 0.8 ns/B.  One
 * protocol. */
enum { PPN = 16, NOISE = 1000 };

typedef struct queue_law {
    double a, b, gamma, rest; /* T = a n + b n s + gamma n^2; rest: of large messages, start-ups are this much dearer */
    int pairs;
} queue_law;

static void write_ranks(FILE *file, int first, int count)
{
    for (int i = 0; i < count; i++)
        fprintf(file, "%s%d", i > 0 ? ", " : " ", first + i);
    fputc('\n', file);
}

/* nodecomm's tables of many messages; four repeats that scatter by a thousandth. */
static void write_queue(const char *name, queue_law w, uint64_t seed)
{
    const char *path;
    FILE *file = opened(name, &path);
    fprintf(file, "Pingpong for\nmaster: ");
    write_ranks(file, 0, w.pairs);
    fprintf(file, "partner: ");
    write_ranks(file, w.pairs, w.pairs);
    for (int size = 64; size <= 16384; size *= 2)
        for (int n = 1; n <= 64 && size / n >= 1; n *= 2) {
            const double s = 4.0 * size / n, a = s >= 4096 ? w.a * w.rest : w.a;
            fprintf(file, "\nNum Msgs %d\nSizeMsgs %d\n", n, size);
            for (int k = 0; k < 4; k++)
                fprintf(file, "%.9e\t",
                        2 * (a * n + w.b * n * s + w.gamma * n * n) * (1 + (event_uniform(&seed) - 0.5) / NOISE));
            fputc('\n', file);
        }
    fclose(file);
}

static void write_pong(const char *name, double alpha, double beta)
{
    const char *path;
    FILE *file = opened(name, &path);
    fprintf(file, "Pingpong for\nmaster: 0\npartner: 16\n");
    for (int size = 1; size <= 16384; size *= 2)
        fprintf(file, "%d\t%.9e\t\n", size, 2 * (alpha + beta * 4 * size));
    fclose(file);
}

static ns_machine *fit_exchange(double rest)
{
    write_pong("x_pong", 2e-6, 0.5e-9);
    write_pong("x_node_pong", 1e-6, 1e-9);
    write_queue("x_two_nodes", (queue_law){1.5e-6, 0.2e-9, 0, rest, PPN}, 1);
    write_queue("x_line", (queue_law){1.8e-6, 0.4e-9 * PPN, 3e-9, 1, 4 * PPN}, 2);
    write_queue("x_node", (queue_law){0.6e-6, 0.8e-9, 0, 1, PPN / 2}, 3);
    return fits_machine(NULL, 0,
                        "TMP/x_pong TMP/x_node_pong TMP/x_two_nodes TMP/x_line TMP/x_node --per-node 16 --switch %s "
                        "--locality off-node --locality x_node=on-node "
                        "--locality x_node_pong=on-node --kind x_node=in-order --gpus 0 --processes 16",
                        rest > 1 ? "4096" : "0");
}

TEST(whole_exchanges)
{
    ns_machine *m = fit_exchange(1);
    char path[100];
    int lines = 0;
    found(m, "host.exchange.off-node.alpha", 1.5e-6, 0.002);
    const ns_parameter *rate = found(m, "host.exchange.inverse_R", 0.4e-9, 0.002);
    ck_assert(rate->se > 0 && rate->se < 0.01 * rate->value);
    for (int p = 0; p < NS_PROTOCOLS; p++) {
        snprintf(path, sizeof path, "host.exchange.on-node.%s.alpha", ns_protocol_words[p]);
        if (!has(m, path))
            continue;
        found(m, path, 0.6e-6, 0.002);
        snprintf(path, sizeof path, "host.exchange.on-node.%s.beta", ns_protocol_words[p]);
        found(m, path, 0.8e-9, 0.002);
        lines++;
    }
    ck_assert_int_eq(lines, 1);
    ck_assert(!has(m, ".exchange.on-socket.") && !has(m, "model_error"));
    ck_assert_ptr_eq(ns_form_of(m, NULL), &ns_form_full);
}

/* Later protocols whose messages in flight cost three times the start-up: there is no common one, each keeps its
 * own. */
TEST(no_common_start_up)
{
    ns_machine *m = fit_exchange(3);
    ck_assert(!has(m, "host.exchange.off-node.alpha"));
    found(m, "host.exchange.inverse_R", 0.4e-9, 0.002);
}

/* Without messages in flight there is nothing to say of whole exchanges. */
TEST(nothing_in_flight)
{
    write_pong("alone_pong", 2e-6, 0.5e-9);
    ns_machine *m = fits_machine(NULL, 0, "TMP/alone_pong --switch 0");
    ck_assert(!has(m, ".exchange."));
    found(m, "host.off-node.eager.to", 65536, 0);
}

/* y = 2 x0 + 3 x1, exactly; dependent columns and too few points are said. */
TEST(planes)
{
    const double x[] = {1, 2, 3, 4, 1, 0, 2, 5}, y[] = {5, 4, 12, 23}, dependent[] = {1, 2, 3, 4, 2, 4, 6, 8};
    double rate[2], se[2];
    ns_error err = {0};
    ck_assert(ns_plane_fit(x, y, 4, 2, rate, se, &err) == NS_OK);
    ck_assert_double_eq_tol(rate[0], 2, 1e-12);
    ck_assert_double_eq_tol(rate[1], 3, 1e-12);
    ck_assert(se[0] >= 0 && se[0] < 1e-9);
    ck_assert(ns_plane_fit(dependent, y, 4, 2, rate, se, &err) == NS_ERR_DATA);
    ck_assert_ptr_nonnull(strstr(err.text, "dependent columns"));
    err = (ns_error){0};
    ck_assert(ns_plane_fit(x, y, 2, 2, rate, se, &err) == NS_ERR_DATA);
}

TEST_TIMEOUT(300)
