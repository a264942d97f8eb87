/* test_fit_in_flight.c -- several messages of one process in flight: found again in logs that were written with them */

#include "core/memory.h"
#include "fit/fit.h"
#include "support/cli.h"
#include "support/events.h"
#include "support/fits.h"
#include "support/test.h"

/* Alone 1.2, 2, 7 us and 0.4, 0.5, 0.1 ns/B; in flight L + n a + n b s. */
static const struct law {
    int from; /* B */
    double alone, beta, latency, a, b;
} laws[] = {{4, 1.2e-6, 0.4e-9, 0.9e-6, 0.3e-6, 0.25e-9},
            {256, 2e-6, 0.5e-9, 1e-6, 1e-6, 0.2e-9},
            {8192, 7e-6, 0.1e-9, 5e-6, 2e-6, 0.08e-9}};
enum { LAWS = 3, FLOATS = 1 << 17, MOST = 40 };
static const char *const protocol[] = {"short", "eager", "rendezvous"};

static const struct law *law_of(double s)
{
    const struct law *found = &laws[0];
    for (int i = 1; i < LAWS; i++)
        if (s >= laws[i].from)
            found = &laws[i];
    return found;
}

/* BenchPress's table, rows of "Size floats" with 1 to 40 messages; one time in fifty is far too long. */
static const char *write_multiple(uint64_t seed, double noise, double overlap)
{
    static char path[300];
    snprintf(path, sizeof path, "%s", cli_file("mult_pong.out", ""));
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "Timing CPU Multiple Messages\n");
    for (int size = 1; size <= FLOATS; size *= 2) {
        fprintf(file, "Size %d", size);
        for (int n = 1; n <= MOST; n++) {
            const struct law *w = law_of(4.0 * size);
            const double one = w->a + w->b * 4 * size;
            const double odd = noise > 0 && event_uniform(&seed) < 0.02 ? 3 : 1;
            fprintf(file, "\t%.9e",
                    odd * (overlap * (w->latency + n * one) + (1 - overlap) * n * (w->latency + one)) *
                        (1 + noise * (2 * event_uniform(&seed) - 1)));
        }
        fprintf(file, "\t\n");
    }
    fclose(file);
    return path;
}

static const char *write_alone(void)
{
    static char path[300];
    snprintf(path, sizeof path, "%s", cli_file("alone.csv", ""));
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "bytes,seconds\n");
    for (int size = 4; size <= 4 * FLOATS; size *= 2)
        fprintf(file, "%d,%.9e\n", size, law_of(size)->alone + law_of(size)->beta * size);
    fclose(file);
    return path;
}

static ns_machine *fit(const char *log, const char *options, char *said, size_t size)
{
    return fits_machine(said, size, "%s %s --switch 256,8192 --locality off-node --memory host %s", write_alone(), log,
                        options);
}

static const ns_parameter *of(const ns_machine *m, int p, const char *what)
{
    char path[100];
    snprintf(path, sizeof path, "host.exchange.off-node.%s.%s", protocol[p], what);
    const ns_parameter *found = ns_machine_parameter(m, path);
    ck_assert_msg(found != NULL, "%s", path);
    return found;
}

TEST(recovered)
{
    char said[4000];
    ns_machine *m = fit(write_multiple(1, 0, 1), "--gpus 0", said, sizeof said);
    for (int p = 0; p < LAWS; p++) {
        ck_assert_double_eq_tol(of(m, p, "alpha")->value / laws[p].a, 1, 1e-4);
        ck_assert_double_eq_tol(of(m, p, "beta")->value / laws[p].b, 1, 1e-4);
    }
    const ns_parameter *overhead = ns_machine_parameter(m, "host.exchange.off-node.overhead");
    ck_assert_ptr_nonnull(overhead);
    ck_assert_double_eq_tol(overhead->value / laws[0].a, 1, 1e-4);
    ns_machine_free(m);
}

/* Messages that go one after the other are not in flight. */
TEST(one_after_the_other)
{
    char said[4000];
    ns_machine *m = fit(write_multiple(1, 0, 0), "--gpus 0", said, sizeof said);
    for (size_t i = 0; i < m->parameters; i++)
        ck_assert_ptr_null(strstr(m->parameter[i].path, ".exchange."));
    ck_assert_ptr_nonnull(strstr(said, "host off-node: short messages in flight take 1.2 us each where one alone takes "
                                       "1.2 us: they went one after the other; left out"));
    ns_machine_free(m);
}

/* With GPUs and without a floor those from the host count as well. */
TEST(no_floor)
{
    char said[4000];
    ns_machine *m = fit(write_multiple(1, 0, 1), "--gpus 4", said, sizeof said);
    const ns_parameter *overhead = ns_machine_parameter(m, "host.exchange.off-node.overhead");
    ck_assert_ptr_nonnull(overhead);
    ck_assert_double_eq_tol(overhead->value / laws[0].a, 1, 1e-4);
    ck_assert_ptr_nonnull(ns_machine_parameter(m, "host.exchange.off-node.short.alpha"));
    ck_assert_ptr_null(strstr(said, "host: start-ups of messages in flight are left out"));
    ns_machine_free(m);
}

/* By device half of a message's start-up alone stands for one in flight, said to be assumed. */
TEST(half_by_device)
{
    char path[80];
    ns_machine *m = fits_machine(
        NULL, 0, "%s --switch 256,8192 --locality off-node --memory device --gpus 4 --processes 8", write_alone());
    for (int p = 0; p < LAWS; p++) {
        snprintf(path, sizeof path, "device.exchange.off-node.%s.alpha", protocol[p]);
        const ns_parameter *alpha = ns_machine_parameter(m, path);
        ck_assert_ptr_nonnull(alpha);
        ck_assert_double_eq_tol(alpha->value / laws[p].alone, 0.5, 1e-4);
        ck_assert_int_eq(strncmp(alpha->source, "assumed", 7), 0);
    }
    ns_machine_free(m);
}

/* Intervals of 95 % hold what the logs were written with, whatever lies far off. */
TEST(covered)
{
    enum { TIMES = 150 };
    int held = 0;
    char said[4000];
    for (uint64_t k = 1; k <= TIMES; k++) {
        ns_machine *m = fit(write_multiple(k, 0.05, 1), "--gpus 0", said, sizeof said);
        for (int p = 0; p < LAWS; p++) {
            held += fabs(of(m, p, "alpha")->value - laws[p].a) <= 1.96 * of(m, p, "alpha")->se;
            held += fabs(of(m, p, "beta")->value - laws[p].b) <= 1.96 * of(m, p, "beta")->se;
        }
        ns_machine_free(m);
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

TEST_TIMEOUT(300)
