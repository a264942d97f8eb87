/* test_rankings.c -- rankings as evidence: winners without times, scored by validate, and kappa and ratios of ways by
 * fit */
#define _POSIX_C_SOURCE 200809L /* chdir */
#include <unistd.h>

#include "core/memory.h"
#include "machine/machine.h"
#include "records/record.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/test.h"

#define HEADER "machine,matrix,parts,winner,among,weight\n"

static double number_at(const ns_value *root, const char *path)
{
    const ns_value *v = ns_value_at(root, path);
    ck_assert_msg(v != NULL && v->kind == NS_NUMBER, "no number at %s", path);
    return v->number;
}

static ns_value *scored(const char *rows)
{
    char line[400], *text = ns_malloc(strlen(HEADER) + strlen(rows) + 1);
    ck_assert_ptr_nonnull(text);
    sprintf(text, "%s%s", HEADER, rows);
    snprintf(line, sizeof line, "validate --records %s", cli_file("rankings.csv", text));
    ns_free(text);
    return cli_json(line);
}

/* P of the winner is predict's, among all ways. */
TEST(test_p_is_predicts)
{
    ns_value *root = scored("lassen,rajat01,16,standard/host,,\n"), *predicted = cli_json("predict rajat01 --gpus 16");
    const ns_value *way = ns_value_at(predicted, "cases.0.strategies")->first;
    ck_assert_str_eq(ns_value_get(way, "strategy")->text, "standard");
    ck_assert_double_eq_tol(number_at(root, "winners.0.p_winner"), ns_value_get(way, "p_best")->number, 1e-12);
    ck_assert_double_eq_tol(number_at(root, "rankings.0.log_loss"), -log(ns_value_get(way, "p_best")->number), 1e-9);
    ck_assert_double_eq_tol(number_at(root, "rankings.0.log_loss_uniform"), log(8), 1e-9);
}

/* Of two ways, P = 1 / (1 + (T / T')^kappa); weights count rows as often. */
TEST(test_among_and_weight)
{
    ns_value *root = scored("lassen,rajat01,16,standard/host,standard/device,3\n"
                            "lassen,rajat01,64,standard/device,standard/host standard/device,1\n");
    const double kappa = number_at(root, "rankings.0.kappa"), p = number_at(root, "winners.0.p_winner"),
                 ratio = number_at(root, "winners.1.ratio"), q = number_at(root, "winners.1.p_winner");
    ck_assert(number_at(root, "winners.0.ratio") == 1 && ratio > 1);
    ck_assert_double_eq_tol(q, 1 / (1 + pow(ratio, kappa)), 1e-9);
    ck_assert_double_eq_tol(number_at(root, "rankings.0.p_mean"), (3 * p + q) / 4, 1e-9);
    ck_assert_double_eq_tol(number_at(root, "rankings.0.right"), 0.75, 1e-12);
}

/* The kappa of the winners is where the sum of weight ln P is largest: two ways, 3 : 1 of one and the same ratio would
 * give ratio^kappa = 3. */
TEST(test_kappa_of_winners)
{
    ns_value *root = scored("lassen,rajat01,16,standard/host,standard/device,3\n"
                            "lassen,rajat01,16,standard/device,standard/host,1\n");
    const double ratio = number_at(root, "winners.1.ratio");
    ck_assert_double_eq_tol(number_at(root, "rankings.0.kappa_of_winners"), log(3) / log(ratio), 1e-4);
}

static const struct {
    const char *row, *says;
} refused[] = {
    {"lassen,rajat01,16,standard/hosts,,", ":2: winner wants a way of the machine, STRATEGY/TRANSPORT, got "
                                           "\"standard/hosts\""},
    {"lassen,rajat01,16,standard/host,standard/host,", ":2: among wants two ways at least"},
    {"lassen,rajat01,1,standard/host,,", ":2: parts wants a whole number from 2 to 1000000, got \"1\""},
    {"lassen,rajat01,16,standard/host,,-1", ":2: weight wants a number above 0, got \"-1\""},
    {"lassen,no_such_matrix_here,16,standard/host,,", "no_such_matrix_here"},
};

TEST_EACH(test_refused, sizeof refused / sizeof *refused)
{
    char text[300];
    snprintf(text, sizeof text, HEADER "%s\n", refused[_i].row);
    cli_result r = cli_with("validate --records %s", cli_file("refused.csv", text));
    ck_assert_msg(r.code != 0 && strstr(r.err, refused[_i].says) != NULL, "%s", r.err);
}

/* fit writes the smallest kappa without one matrix each, and refuses winners of one matrix. */
TEST(test_fit)
{
    char rows[600], line[900], path[300], *text;
    snprintf(path, sizeof path, "%s", cli_file("ranked.json", ""));
    snprintf(line, sizeof line, "fit %s --locality off-node --memory host --name x -o %s",
             cli_file("x.csv", "bytes,seconds,kind,memory,locality\n8,2e-6,ping-pong,host,off-node\n"
                               "64,2.1e-6,ping-pong,host,off-node\n512,2.4e-6,ping-pong,host,off-node\n"
                               "4096,6e-6,ping-pong,host,off-node\n32768,3e-5,ping-pong,host,off-node\n"),
             path);
    snprintf(rows, sizeof rows, HEADER "x,rajat01,16,standard/host,,1\nx,rajat01,32,two-step/host,,1\n");
    cli_result r = cli_with("%s --processes 4 --records %s", line, cli_file("one.csv", rows));
    ck_assert_msg(r.code != 0 && strstr(r.err, "rankings of one matrix cannot be judged on another") != NULL, "%s",
                  r.err);
    snprintf(rows, sizeof rows,
             HEADER "x,rajat01,16,standard/host,,1\nx,rajat01,32,two-step/host,,1\nx,xenon1,16,two-step/host,,1\n");
    r = cli_with("%s --processes 4 --records %s", line, cli_file("two.csv", rows));
    ck_assert_msg(r.code == 0, "%s", r.err);
    text = read_whole(path);
    ck_assert_msg(strstr(text, "winners named in") != NULL && strstr(text, "\"cases\": 3") != NULL &&
                      strstr(text, "\"groups\": 2") != NULL,
                  "%s", text);
}

/* ---- ways that no exchange measured ------------------------------------------------------------------------------ */

/* A machine with measured exchanges by standard/host alone, and winners among that and two-step. */
static cli_result fit_with(const char *rankings, const char *more, const char *path)
{
    static const char logs[] = "bytes,seconds,kind,memory,locality\n8,2e-6,ping-pong,host,off-node\n"
                               "64,2.1e-6,ping-pong,host,off-node\n512,2.4e-6,ping-pong,host,off-node\n"
                               "4096,6e-6,ping-pong,host,off-node\n32768,3e-5,ping-pong,host,off-node\n",
                      measured[] = "machine,nodes,ppn,processes,bytes_per_pair,strategy,algorithm,measured_s\n"
                                   "x,2,4,8,64,standard,nonblocking,3e-5\nx,4,4,16,64,standard,nonblocking,6e-5\n"
                                   "x,8,4,32,64,standard,nonblocking,9e-5\n";
    char line[1600], file[3][300];
    snprintf(file[0], sizeof file[0], "%s", cli_file("logs.csv", logs));
    snprintf(file[1], sizeof file[1], "%s", cli_file("measured.csv", measured));
    snprintf(file[2], sizeof file[2], "%s", cli_file("winners.csv", rankings));
    snprintf(line, sizeof line,
             "fit %s --locality off-node --memory host --processes 4 --no-residual --name x -o %s --records %s "
             "--rankings %s %s",
             file[0], path, file[1], file[2], more);
    return cli(line);
}

/* Where the sum of ln P less (ln r / s)^2 / 2 is largest its slope is 0: kappa sum (P - y) = ln r / s^2 of the way. */
TEST(test_ratio)
{
    static const char among[] = "standard/host two-step/host";
    enum { CASES = 6 };
    static const char *const won[CASES] = {"two-step/host", "two-step/host", "two-step/host",
                                           "standard/host", "two-step/host", "two-step/host"};
    char rows[900], path[300];
    int used = snprintf(rows, sizeof rows, HEADER);
    for (int i = 0; i < CASES; i++)
        used += snprintf(rows + used, sizeof rows - (size_t)used, "x,%s,%d,%s,%s,\n", i % 2 == 0 ? "rajat01" : "xenon1",
                         16 << i / 2, won[i], among);
    snprintf(path, sizeof path, "%s", cli_file("ratio.json", ""));
    cli_result r = fit_with(rows, "", path);
    ck_assert_msg(r.code == 0, "%s", r.err);
    ns_machine *machine;
    ck_assert_int_eq(ns_machine_load(path, &machine, NULL), NS_OK);
    const ns_residual *ratios = &machine->residual[NS_HOST];
    ck_assert(ratios->ratios == 1);
    ck_assert_str_eq(ratios->ratio[0].way, "two-step");
    const double ln_r = ratios->ratio[0].ln_ratio,
                 s = log(2) * ns_machine_parameter(machine, "host.exchange.model_error.time")->value;
    ns_machine_free(machine);
    ns_value *root = cli_json_with("validate --machine %s --records %s", path, cli_file("winners.csv", rows));
    double slope = 0;
    for (int i = 0; i < CASES; i++) {
        char at[60];
        snprintf(at, sizeof at, "winners.%d.p_winner", i);
        slope += strcmp(won[i], "two-step/host") == 0 ? number_at(root, at) - 1 : 1 - number_at(root, at);
    }
    ck_assert(fabs(ln_r) > 0.05);
    ck_assert_double_eq_tol(number_at(root, "rankings.0.kappa") * slope, ln_r / (s * s), 0.02); /* r has four digits */
    ck_assert(number_at(root, "rankings.0.log_loss_without_matrix") > number_at(root, "rankings.0.log_loss"));
}

/* A ratio holds for the bytes that it was learnt of, and fades with each doubling beyond. */
TEST(test_ratio_fades)
{
    const ns_way_ratio ratio = {"two-step", 0.4, 1000, 8000};
    ck_assert_double_eq(ns_way_ratio_shift(&ratio, 1000), 0.4);
    ck_assert_double_eq(ns_way_ratio_shift(&ratio, 8000), 0.4);
    ck_assert_double_eq_tol(ns_way_ratio_shift(&ratio, 8000 * exp2(1.5)), 0.4 * exp(-0.5), 1e-12);
    ck_assert_double_eq_tol(ns_way_ratio_shift(&ratio, 1000 / exp2(3)), 0.4 * exp(-2), 1e-12);
    ck_assert(fabs(ns_way_ratio_shift(&ratio, 0)) < 1e-8);
}

TEST(test_rankings_refused)
{
    char path[300];
    snprintf(path, sizeof path, "%s", cli_file("refused.json", ""));
    cli_result r = fit_with("machine,strategy,measured_s\nx,standard,1\n", "", path);
    ck_assert_msg(r.code != 0 && strstr(r.err, "--rankings wants rows with columns matrix, parts and winner") != NULL,
                  "%s", r.err);
    r = cli_with("fit %s --locality off-node --memory host --name x -o %s --rankings %s",
                 cli_file("logs.csv", "bytes,seconds,kind,memory,locality\n8,2e-6,ping-pong,host,off-node\n"), path,
                 "evidence/rankings/node-aware.csv");
    ck_assert_msg(r.code != 0 && strstr(r.err, "--rankings wants --records") != NULL, "%s", r.err);
}

/* The paper's winners, as evidence/rankings has them and the library has inside: those of a matrix are told by the
 * three others. */
TEST(test_published)
{
    ns_value *root = cli_json("validate --records evidence/rankings/node-aware.csv");
    ck_assert(number_at(root, "rankings.0.cases") == 16);
    ck_assert(number_at(root, "rankings.0.log_loss") < number_at(root, "rankings.0.log_loss_uniform"));
    ck_assert(number_at(root, "rankings.0.p_mean_without_matrix") > 0.4);
    ck_assert(number_at(root, "rankings.0.log_loss_without_matrix") < 1.1);
    ns_records *records;
    ck_assert_int_eq(ns_records_read("./evidence/rankings/node-aware.csv", &records, NULL), NS_OK);
    const size_t rows = records->rows;
    ns_records_free(records);
    char here[1000];
    ck_assert(getcwd(here, sizeof here) != NULL && chdir("/") == 0);
    const ns_status status = ns_records_read("evidence/rankings/node-aware.csv", &records, NULL);
    ck_assert_int_eq(chdir(here), 0);
    ck_assert_int_eq(status, NS_OK);
    ck_assert(records->rows == rows);
    ns_records_free(records);
}
