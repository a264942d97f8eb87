/* test_measure.c -- what a better known number is worth, by hand and by sampling; which benchmark tells it */
#include "support/cli.h"
#include "support/events.h"
#include "support/machines.h"
#include "support/values.h"

#include "logs/samples.h"
#include "study/study.h"
#include "support/test.h"

/* ---- one number -------------------------------------------------------------------------------------------------- */

/* Mean of ln T_best(z) - min ln T(z) over draws of z. */
static double sampled(const double *seconds, const double *share, int ways, int best, double sigma)
{
    enum { DRAWS = 400000 };
    uint64_t state = 4321;
    double sum = 0;
    for (int n = 0; n < DRAWS; n++) {
        const double z = exp(sigma * random_normal(&state));
        double least = INFINITY;
        for (int i = 0; i < ways; i++)
            least = fmin(least, seconds[i] + share[i] * (z - 1));
        sum += log((seconds[best] + share[best] * (z - 1)) / least);
    }
    return sum / DRAWS;
}

static const struct {
    int ways, best;
    double seconds[4], share[4];
} cases[] = {
    {2, 0, {1e-4, 1.05e-4}, {8e-5, 0}},
    {2, 1, {1.3e-4, 1.2e-4}, {2e-5, 1e-4}},
    {3, 0, {1e-4, 1.02e-4, 1.5e-4}, {5e-5, 2e-5, 0}},
    {4, 2, {3e-4, 2.1e-4, 2e-4, 2.5e-4}, {1e-4, 1e-5, 1.5e-4, 2e-4}},
};

/* Seven points on a kinked integrand: within a tenth of the standard deviation of the ratio's logarithm. */
TEST_EACH(worth_of_a_number_is_what_sampling_gives, sizeof cases / sizeof *cases)
{
    for (double sigma = 0.05; sigma < 1; sigma += 0.2125) {
        const double quadrature =
            ns_loss_removed(cases[_i].seconds, cases[_i].share, cases[_i].ways, cases[_i].best, sigma);
        const double draws = sampled(cases[_i].seconds, cases[_i].share, cases[_i].ways, cases[_i].best, sigma);
        ck_assert_msg(fabs(quadrature - draws) <= 0.005 + 0.08 * draws, "sigma %g: %g, by sampling %g", sigma,
                      quadrature, draws);
    }
}

TEST(worth_by_hand)
{
    const double seconds[] = {1, 1}, nothing[] = {0, 0}, all[] = {1, 0};
    ck_assert_double_eq(ns_loss_removed(seconds, nothing, 2, 0, 0.7), 0);
    /* T_0 = z, T_1 = 1: E max(ln z, 0) = sigma E max(x, 0) over the 7 points; the points' own mean of |x| / 2, by hand
     * from the table of Abramowitz and Stegun 25.10 for e^(-x^2): nodes sqrt 2 times, weights over sqrt pi */
    static const double x[] = {0.816287882858965, 1.673551628767471, 2.651961356835233};
    static const double w[] = {0.4256072526101278, 0.0545155828191270, 0.000971781245099519};
    double half = 0;
    for (int k = 0; k < 3; k++)
        half += w[k] / sqrt(acos(-1.0)) * sqrt(2) * x[k];
    ck_assert_double_eq_tol(ns_loss_removed(seconds, all, 2, 0, 0.5), 0.5 * half, 1e-12);
    ck_assert_double_eq_tol(half, 1 / sqrt(2 * acos(-1.0)), 0.05); /* of the true E max(x, 0) */
    /* no error, nothing to learn */
    ck_assert_double_eq(ns_loss_removed(seconds, all, 2, 0, 0), 0);
}

TEST_EACH(a_larger_error_never_removes_less, sizeof cases / sizeof *cases)
{
    double before = 0;
    for (double sigma = 0; sigma < 3; sigma += 0.01) {
        const double now = ns_loss_removed(cases[_i].seconds, cases[_i].share, cases[_i].ways, cases[_i].best, sigma);
        ck_assert_double_ge(now, before);
        before = now;
    }
    ck_assert_double_gt(before, 0);
}

/* ---- benchmarks -------------------------------------------------------------------------------------------------- */

TEST(every_tool_is_one_that_fit_reads)
{
    int tools = 0;
    const char *name;
    for (size_t i = 0; (name = ns_benchmark_tool(i)) != NULL; i++, tools++) {
        bool known = false;
        for (const char *const *tool = ns_log_tool_names(); *tool != NULL; tool++)
            known = known || strcmp(*tool, name) == 0;
        ck_assert_msg(known, "no log tool %s", name);
    }
    ck_assert_int_ge(tools, 10);
}

/* What nsmodel-mpi measures is measured by it. */
#define OURS "mpirun -n 80 nsmodel-mpi measure -o mine.log --per-node 40 && nsmodel fit mine.log -o mine.json"

static const struct {
    const char *parameter, *tool, *command;
} benchmarks[] = {
    {"host.off-node.eager.alpha", "nsmodel", OURS},
    {"host.on-socket.short.beta", "nsmodel", OURS},
    {"device.on-node.rendezvous.beta", "osu",
     "mpirun -np 2 --map-by ppr:1:socket osu_latency D D > osu.log && nsmodel fit mine.log osu.log --locality "
     "osu.log=on-node --memory "
     "osu.log=device -o mine.json"},
    {"host.injection.inverse_R_N", "nsmodel", OURS},
    {"device.injection.inverse_R_N", "osu",
     "mpirun -np 8 --map-by ppr:4:node osu_mbw_mr D D > osu.log && nsmodel fit mine.log osu.log --locality "
     "osu.log=off-node --memory "
     "osu.log=device -o mine.json"},
    {"copy.1.d2h.alpha", "benchpress",
     "mpirun -np 40 time_memcpy > benchpress.log && nsmodel fit mine.log benchpress.log -o mine.json"},
    {"copy.4.h2d.beta", "benchpress",
     "mpirun -np 40 time_memcpy_mult > benchpress.log && nsmodel fit mine.log benchpress.log -o mine.json"},
    {"host.exchange.off-node.alpha", "nsmodel", OURS},
    {"host.exchange.on-node.eager.alpha", "benchpress", "mpirun -np 80 --map-by ppr:40:node time_mult_pong > "},
    {"host.exchange.on-node.rendezvous.inverse_R", "nsmodel", OURS},
    {"device.exchange.gamma", "advance", "mpirun -np 80 --map-by ppr:40:node microbench > "},
    {"host.exchange.floor", NULL,
     "time whole exchanges of every strategy into mine.csv, then nsmodel fit mine.log --records mine.csv -o "
     "mine.json"},
    {"host.exchange.packing.beta", NULL, "time whole exchanges of every strategy"}, /* fit takes it from none */
    {"device.exchange.off-node.eager.alpha", "benchpress",
     "time whole exchanges of every strategy into mine.csv; mpirun -np 8 --map-by ppr:4:node time_mult_pong > "
     "benchpress.log && nsmodel fit mine.log benchpress.log --per-node 4 --records mine.csv -o mine.json"},
    {"device.exchange.on-node.eager.alpha", "benchpress", "mpirun -np 8 --map-by ppr:4:node time_mult_pong > "},
    {"host.exchange.off-node.overhead", "nsmodel", OURS},
    {"models.loggp.overhead", "nsmodel", OURS},
    {"host.choice.kappa", NULL, "time whole exchanges of every strategy"},
};

TEST_EACH(a_parameter_has_its_benchmark, sizeof benchmarks / sizeof *benchmarks)
{
    char line[400];
    ns_machine *machine = machine_named("lassen");
    const char *tool = ns_benchmark_write(ns_benchmark_of(benchmarks[_i].parameter), machine, line, sizeof line);
    ck_assert_msg(strncmp(line, benchmarks[_i].command, strlen(benchmarks[_i].command)) == 0, "%s", line);
    if (benchmarks[_i].tool == NULL)
        ck_assert_ptr_null(tool);
    else
        ck_assert_str_eq(tool, benchmarks[_i].tool);
}

/* nsmodel-mpi times exchanges of hosts. */
TEST(exchanges_are_timed_by_a_program)
{
    char line[400];
    ns_machine *machine = machine_named("dane");
    ns_benchmark_write(ns_benchmark_of("host.choice.kappa"), machine, line, sizeof line);
    ck_assert_str_eq(line, "time whole exchanges of every strategy into mine.csv by nsmodel-mpi run --records, then "
                           "nsmodel fit mine.log --records mine.csv -o mine.json");
}

/* ---- a machine that can be worked out ---------------------------------------------------------------------------- */

/* Two nodes of one GPU: staged, T = alpha + S / R_N + copies; device-aware, T = alpha + beta s.  Only max-rate. */
static const char two_ways[] =
    "{\"schema\": \"nsmodel/machine/1\", \"name\": \"two\", \"title\": \"Two\", \"source\": \"invented\","
    " \"topology\": {\"sockets\": 1, \"gpus\": 1, \"host_processes\": 1, \"source\": \"s\"},"
    " \"host\": {\"protocols\": {\"eager\": \"0 B\", \"source\": \"s\"},"
    "  \"off-node\": {\"eager\": {\"alpha\": \"10 us\", \"beta\": \"0.01 ns/B\"}, \"source\": \"s\"}},"
    " \"device\": {\"protocols\": {\"eager\": \"0 B\", \"source\": \"s\"},"
    "  \"off-node\": {\"eager\": {\"alpha\": \"60 us\"%s, \"beta\": \"0.01 ns/B\"}, \"source\": \"s\"}},"
    " \"copy\": {\"1\": {\"d2h\": {\"alpha\": \"20 us\", \"beta\": \"0.01 ns/B\"},"
    "  \"h2d\": {\"alpha\": \"20 us\", \"beta\": \"0.01 ns/B\"}}, \"source\": \"s\"}}";

static ns_value *advise_two(const char *stated)
{
    char machine[1200], line[400];
    snprintf(machine, sizeof machine, two_ways, stated);
    snprintf(line, sizeof line,
             "advise --messages alltoall:1000B --gpus 2 --strategy standard --model max-rate --machine %s",
             cli_file("two.json", machine));
    return cli_json(line);
}

static const ns_value *row_of(const ns_value *root, const char *parameter)
{
    for (const ns_value *m = ns_value_get(ns_value_get(root, "cases")->first, "measure")->first; m != NULL; m = m->next)
        for (const ns_value *p = ns_value_get(m, "parameters")->first; p != NULL; p = p->next)
            if (strcmp(text_at(p, "parameter"), parameter) == 0)
                return p;
    return NULL;
}

/* Host: 10 us + .01 us + 2 (20 us + .01 us) = 50.03 us; device: 60.01 us.  The device's alpha is 60 us of that. */
TEST(worked_out)
{
    const double seconds[] = {50.03e-6, 60.01e-6}, alpha[] = {0, 60e-6}, start[] = {10e-6, 0};
    const double published = sqrt(log1p(0.0625)), stated = sqrt(log1p(1.0 / 36)); /* 25 %; 10 us of 60 us */
    ns_value *root = advise_two("");
    const ns_value *one = ns_value_get(root, "cases")->first;
    ck_assert_str_eq(text_at(root, "schema"), "nsmodel/advise/1");
    ck_assert_str_eq(text_at(root, "machine.name"), "two");
    ck_assert_str_eq(text_at(one, "decision.transport"), "host");
    ck_assert_double_eq_tol(number_at(one, "expected_loss"), expm1(number_at(one, "decision.expected_ln_loss")), 1e-15);
    const ns_value *found = row_of(root, "device.off-node.eager.alpha");
    ck_assert_ptr_nonnull(found);
    ck_assert_str_eq(text_at(found, "basis"), "published");
    ck_assert_double_eq_tol(number_at(found, "sigma"), published, 1e-15);
    ck_assert_double_eq_tol(number_at(found, "loss_removed"), ns_loss_removed(seconds, alpha, 2, 0, published), 1e-12);
    ck_assert_double_eq_tol(number_at(found, "loss_removed"), sampled(seconds, alpha, 2, 0, published), 0.005);
    found = row_of(root, "host.off-node.eager.alpha");
    ck_assert_double_eq_tol(found != NULL ? number_at(found, "loss_removed") : 0,
                            ns_loss_removed(seconds, start, 2, 0, published), 1e-9);
    /* both strategies measured leave nothing */
    ck_assert_double_eq_tol(number_at(one, "measure_shortlist.loss_removed") +
                                number_at(one, "measure_shortlist.loss_left"),
                            number_at(one, "decision.expected_ln_loss"), 1e-15);
    ck_assert_double_eq(number_at(one, "measure_shortlist.loss_left"), 0);

    root = advise_two(", \"alpha_se\": \"10 us\"");
    found = row_of(root, "device.off-node.eager.alpha");
    ck_assert_str_eq(text_at(found, "basis"), "stated");
    ck_assert_double_eq_tol(number_at(found, "loss_removed"), ns_loss_removed(seconds, alpha, 2, 0, stated), 1e-12);
}
