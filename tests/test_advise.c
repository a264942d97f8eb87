/* test_advise.c -- what a better known number is worth, by hand and by sampling; which benchmark tells it */
#include "support/cli.h"
#include "support/values.h"

#include <nsmodel/study.h>

#include "logs/samples.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one number -------------------------------------------------------------------------------------------------- */

static double uniform(uint64_t *state) /* splitmix64 */
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *state) /* Box and Muller */
{
    const double r = sqrt(-2 * log(uniform(state)));
    return r * cos(2 * acos(-1.0) * uniform(state));
}

/* Mean of ln T_best(z) - min ln T(z) over draws of z. */
static double sampled(const double *seconds, const double *share, int ways, int best, double sigma)
{
    enum { DRAWS = 400000 };
    uint64_t state = 4321;
    double sum = 0;
    for (int n = 0; n < DRAWS; n++) {
        const double z = exp(sigma * normal(&state));
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
START_TEST(worth_of_a_number_is_what_sampling_gives)
{
    for (double sigma = 0.05; sigma < 1; sigma += 0.2125) {
        const double quadrature =
            ns_loss_removed(cases[_i].seconds, cases[_i].share, cases[_i].ways, cases[_i].best, sigma);
        const double draws = sampled(cases[_i].seconds, cases[_i].share, cases[_i].ways, cases[_i].best, sigma);
        ck_assert_msg(fabs(quadrature - draws) <= 0.005 + 0.08 * draws, "sigma %g: %g, by sampling %g", sigma,
                      quadrature, draws);
    }
}
END_TEST

START_TEST(worth_by_hand)
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
END_TEST

START_TEST(a_larger_error_never_removes_less)
{
    double before = 0;
    for (double sigma = 0; sigma < 3; sigma += 0.01) {
        const double now = ns_loss_removed(cases[_i].seconds, cases[_i].share, cases[_i].ways, cases[_i].best, sigma);
        ck_assert_double_ge(now, before);
        before = now;
    }
    ck_assert_double_gt(before, 0);
}
END_TEST

/* ---- benchmarks -------------------------------------------------------------------------------------------------- */

START_TEST(every_tool_is_one_that_fit_reads)
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
END_TEST

static const struct {
    const char *parameter, *tool, *command;
} benchmarks[] = {
    {"host.off-node.eager.alpha", "osu",
     "mpirun -np 2 --map-by ppr:1:node osu_latency > osu.log && nsmodel fit osu.log --locality off-node -o "
     "measured.json"},
    {"host.on-socket.short.beta", "osu",
     "mpirun -np 2 --map-by ppr:2:socket osu_latency > osu.log && nsmodel fit osu.log --locality on-socket -o "
     "measured.json"},
    {"device.on-node.rendezvous.beta", "osu",
     "mpirun -np 2 --map-by ppr:1:socket osu_latency D D > osu.log && nsmodel fit osu.log --locality on-node --memory "
     "device -o measured.json"},
    {"host.injection.inverse_R_N", "osu",
     "mpirun -np 80 --map-by ppr:40:node osu_mbw_mr > osu.log && nsmodel fit osu.log --locality off-node -o "
     "measured.json"},
    {"device.injection.inverse_R_N", "osu",
     "mpirun -np 8 --map-by ppr:4:node osu_mbw_mr D D > osu.log && nsmodel fit osu.log --locality off-node --memory "
     "device -o measured.json"},
    {"copy.1.d2h.alpha", "benchpress",
     "mpirun -np 40 time_memcpy > benchpress.log && nsmodel fit benchpress.log -o measured.json"},
    {"copy.4.h2d.beta", "benchpress",
     "mpirun -np 40 time_memcpy_mult > benchpress.log && nsmodel fit benchpress.log -o measured.json"},
    {"host.exchange.off-node.alpha", "benchpress",
     "mpirun -np 80 --map-by ppr:40:node time_mult_pong > benchpress.log && nsmodel fit benchpress.log --per-node 40 "
     "-o "
     "measured.json"},
    {"host.exchange.on-node.rendezvous.inverse_R", "advance",
     "mpirun -np 80 --map-by ppr:40:node microbench > advance.log && nsmodel fit advance.log --per-node 40 -o "
     "measured.json"},
    {"host.exchange.floor", NULL,
     "time whole exchanges of every strategy into exchanges.csv, then nsmodel fit LOG... --records exchanges.csv -o "
     "measured.json"},
    {"host.choice.kappa", NULL, "time whole exchanges of every strategy"},
};

START_TEST(a_parameter_has_its_benchmark)
{
    char line[400];
    const char *tool;
    ns_machine *machine;
    ck_assert_int_eq(ns_machine_load("lassen", &machine, NULL), NS_OK);
    ns_benchmark_command(benchmarks[_i].parameter, machine, &tool, line, sizeof line);
    ck_assert_msg(strncmp(line, benchmarks[_i].command, strlen(benchmarks[_i].command)) == 0, "%s", line);
    if (benchmarks[_i].tool == NULL)
        ck_assert_ptr_null(tool);
    else
        ck_assert_str_eq(tool, benchmarks[_i].tool);
    ns_machine_free(machine);
}
END_TEST

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
START_TEST(worked_out)
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
    ns_value_free(root);

    root = advise_two(", \"alpha_se\": \"10 us\"");
    found = row_of(root, "device.off-node.eager.alpha");
    ck_assert_str_eq(text_at(found, "basis"), "stated");
    ck_assert_double_eq_tol(number_at(found, "loss_removed"), ns_loss_removed(seconds, alpha, 2, 0, stated), 1e-12);
    ns_value_free(root);
}
END_TEST

/* ---- commands ---------------------------------------------------------------------------------------------------- */

/* Ranked by what they remove, each with a command; a group removes at least what its best number does. */
START_TEST(ranked)
{
    static const char *const lines[] = {
        "advise --matrix stencil27:12x12x12x3 --gpus 16,64 --machine lassen",
        "advise --matrix rajat01 --parts 24,48 --machine lcc3",
        "advise --messages alltoall:4KiB --gpus 8,32 --machine lassen --incumbent standard/host",
    };
    int measured = 0;
    ns_value *root = cli_json(lines[_i]);
    for (const ns_value *c = ns_value_get(root, "cases")->first; c != NULL; c = c->next) {
        double last = INFINITY;
        for (const ns_value *m = ns_value_get(c, "measure")->first; m != NULL; m = m->next, measured++) {
            const double removed = number_at(m, "loss_removed");
            ck_assert_double_gt(removed, 0);
            ck_assert_double_le(removed, last);
            ck_assert_ptr_nonnull(strstr(text_at(m, "command"), "nsmodel fit"));
            ck_assert_str_eq(text_at(m, "parameter"), text_at(ns_value_get(m, "parameters")->first, "parameter"));
            for (const ns_value *p = ns_value_get(m, "parameters")->first; p != NULL; p = p->next)
                ck_assert_double_le(number_at(p, "loss_removed"), removed);
            last = removed;
        }
        ck_assert_double_ge(number_at(c, "measure_shortlist.loss_removed"), 0);
        ck_assert_double_le(number_at(c, "measure_shortlist.loss_removed"), number_at(c, "decision.expected_ln_loss"));
    }
    ck_assert_int_gt(measured, 0);
    ns_value_free(root);
}
END_TEST

/* The decision is predict's. */
START_TEST(as_predict_decides)
{
    static const char words[] = "--matrix rajat01 --gpus 16 --incumbent 2-step/device";
    char line[200];
    snprintf(line, sizeof line, "predict %s", words);
    ns_value *predict = cli_json(line);
    snprintf(line, sizeof line, "advise %s", words);
    ns_value *advise = cli_json(line);
    const ns_value *a = ns_value_get(predict, "cases")->first, *b = ns_value_get(advise, "cases")->first;
    static const char *const numbers[] = {
        "decision.p_best", "decision.loss_q90", "decision.incumbent.p_better", "decision.basis.kappa", "gpus", "nodes"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        ck_assert_double_eq(number_at(a, numbers[i]), number_at(b, numbers[i]));
    ck_assert_str_eq(text_at(a, "sentence"), text_at(b, "sentence"));
    ck_assert_str_eq(text_at(b, "decision.incumbent.strategy"), "two-step");
    ck_assert_str_eq(text_at(predict, "machine.name"), NS_MACHINE_DEFAULT);
    /* staying costs the ratio of the estimates more */
    double best = INFINITY, now = 0;
    for (const ns_value *s = ns_value_get(a, "strategies")->first; s != NULL; s = s->next) {
        best = fmin(best, number_at(s, "estimate_s"));
        if (strcmp(text_at(s, "strategy"), "two-step") == 0 && strcmp(text_at(s, "transport"), "device") == 0)
            now = number_at(s, "estimate_s");
    }
    ck_assert_double_eq_tol(number_at(b, "incumbent_expected_loss"),
                            (1 + number_at(b, "expected_loss")) * now / best - 1, 1e-9);
    ns_value_free(predict);
    ns_value_free(advise);
}
END_TEST

START_TEST(nothing_to_decide)
{
    ns_value *root = cli_json("advise --matrix rajat01 --gpus 16 --strategy split-md");
    const ns_value *one = ns_value_get(root, "cases")->first;
    ck_assert_int_eq(ns_value_get(one, "decision")->kind, NS_NULL);
    ck_assert_int_eq(ns_value_get(one, "expected_loss")->kind, NS_NULL);
    ck_assert_int_eq(ns_value_get(one, "measure")->kind, NS_LIST);
    ck_assert_ptr_null(ns_value_get(one, "measure")->first);
    ns_value_free(root);
    ns_exchange *exchange;
    ns_machine *machine;
    ns_comparison *c = malloc(sizeof *c);
    ns_measure_plan *plan = NULL;
    ns_error err = {0};
    const ns_planned message = {0, 1, 100};
    const ns_strategy *standard;
    ck_assert(ns_strategy_get("standard", &standard, NULL) == NS_OK &&
              ns_machine_load("bluewaters", &machine, NULL) == NS_OK);
    ck_assert_int_eq(ns_exchange_from_messages(&message, 1, (ns_layout){2, 1}, NULL, &exchange, NULL), NS_OK);
    const ns_selection one_only = {.strategy = &standard, .strategies = 1};
    ck_assert_int_eq(ns_compare(exchange, machine, &one_only, c, NULL), NS_OK);
    ck_assert_int_eq(ns_measure_plan_make(c, machine, &one_only, &plan, &err), NS_ERR_DATA);
    ck_assert_str_eq(err.text, "nothing to decide among 1 strategies: advice wants two that take time");
    ck_assert_ptr_null(plan);
    ns_exchange_free(exchange);
    ns_machine_free(machine);
    free(c);
}
END_TEST

static const struct {
    const char *line;
    int code;
    const char *message;
} refused[] = {
    {"advise", 2, "nsmodel: advise wants --matrix M or --messages FILE.csv\n"},
    {"advise --matrix rajat01 --incumbent fast/host", 1,
     "nsmodel: no strategy \"fast\"; there are standard, three-step, two-step, split-md and split-dd\n"},
    {"advise --matrix rajat01 --incumbent 3-step/carrier", 1,
     "nsmodel: no transport \"carrier\"; there are host and device\n"},
    {"advise --matrix rajat01 --gpus 16 --incumbent split/device", 1,
     "nsmodel: split-md by way of the device, which is in use, is not among what is compared\n"},
    {"advise --matrix rajat01 --gpus 0", 1, "nsmodel: --gpus wants whole numbers from 1 to 16777216, got 0\n"},
    {"advise --matrix rajat01 --strategy 4-step", 1,
     "nsmodel: no strategy \"4-step\"; there are standard, three-step, two-step, split-md and split-dd\n"},
};

START_TEST(refusals)
{
    cli_result r = cli(refused[_i].line);
    ck_assert_int_eq(r.code, refused[_i].code);
    ck_assert_str_eq(r.err, refused[_i].message);
    ck_assert_str_eq(r.out, "");
    cli_free(&r);
}
END_TEST

START_TEST(for_people)
{
    cli_result r = cli("advise --matrix rajat01 --gpus 64 --machine lassen --incumbent standard/device");
    ck_assert_int_eq(r.code, 0);
    ck_assert_ptr_nonnull(strstr(r.out, "\n64 GPUs: "));
    ck_assert_ptr_nonnull(strstr(r.out, "\n  ruled out: "));
    ck_assert_ptr_nonnull(strstr(r.out, "\n  expected loss against the best of 8: "));
    ck_assert_ptr_nonnull(strstr(r.out, "; of standard/device, which is in use, "));
    ck_assert_ptr_nonnull(strstr(r.out, "strategies of the shortlist themselves, measured, would bring it to "));
    ck_assert_ptr_nonnull(strstr(r.out, ".log && nsmodel fit "));
    cli_free(&r);
}
END_TEST

/* Other words for strategies: one, or all that share it. */
START_TEST(aliases)
{
    const ns_strategy *list[8], *one;
    size_t count;
    ns_error err = {0};
    ck_assert(ns_strategies_named("split", list, 8, &count, &err) == NS_OK && count == 2);
    ck_assert_str_eq(list[0]->name, "split-md");
    ck_assert_str_eq(list[1]->name, "split-dd");
    ck_assert(ns_strategies_named("2-step", list, 8, &count, &err) == NS_OK && count == 1);
    ck_assert(ns_strategy_get("3-step", &one, &err) == NS_OK && strcmp(one->name, "three-step") == 0);
    ck_assert_int_eq(ns_strategies_named("split", list, 1, &count, &err), NS_ERR_LIMIT);
    err = (ns_error){0};
    ck_assert_int_eq(ns_strategy_get("split", &one, &err), NS_ERR_NAME);
    ck_assert_str_eq(err.text, "\"split\" stands for split-md and split-dd: say which");
    ns_value *root = cli_json("predict --matrix rajat01 --gpus 16 --strategy 3-step,split,split-dd --transport host");
    const ns_value *s = ns_value_get(ns_value_get(root, "cases")->first, "strategies")->first;
    ck_assert_str_eq(text_at(s, "strategy"), "three-step");
    ck_assert_str_eq(text_at(s->next, "strategy"), "split-md");
    ck_assert_str_eq(text_at(s->next->next, "strategy"), "split-dd");
    ck_assert_ptr_null(s->next->next->next);
    ns_value_free(root);
}
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("advise");
    TCase *t = tcase_create("advise");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, worth_of_a_number_is_what_sampling_gives, 0, sizeof cases / sizeof *cases);
    tcase_add_test(t, worth_by_hand);
    tcase_add_loop_test(t, a_larger_error_never_removes_less, 0, sizeof cases / sizeof *cases);
    tcase_add_test(t, every_tool_is_one_that_fit_reads);
    tcase_add_loop_test(t, a_parameter_has_its_benchmark, 0, sizeof benchmarks / sizeof *benchmarks);
    tcase_add_test(t, worked_out);
    tcase_add_loop_test(t, ranked, 0, 3);
    tcase_add_test(t, as_predict_decides);
    tcase_add_test(t, nothing_to_decide);
    tcase_add_loop_test(t, refusals, 0, sizeof refused / sizeof *refused);
    tcase_add_test(t, for_people);
    tcase_add_test(t, aliases);
    suite_add_tcase(s, t);
    return s;
}
