/* test_rankings.c -- rankings as evidence: winners without times, scored by validate, and kappa of them by fit */

#include "core/memory.h"
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
    ns_value_free(root);
    ns_value_free(predicted);
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
    ns_value_free(root);
}

/* The kappa of the winners is where the sum of weight ln P is largest: two ways, 3 : 1 of one and the same ratio would
 * give ratio^kappa = 3. */
TEST(test_kappa_of_winners)
{
    ns_value *root = scored("lassen,rajat01,16,standard/host,standard/device,3\n"
                            "lassen,rajat01,16,standard/device,standard/host,1\n");
    const double ratio = number_at(root, "winners.1.ratio");
    ck_assert_double_eq_tol(number_at(root, "rankings.0.kappa_of_winners"), log(3) / log(ratio), 1e-4);
    ns_value_free(root);
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
    char line[400], text[300];
    snprintf(text, sizeof text, HEADER "%s\n", refused[_i].row);
    snprintf(line, sizeof line, "validate --records %s", cli_file("refused.csv", text));
    cli_result r = cli(line);
    ck_assert_msg(r.code != 0 && strstr(r.err, refused[_i].says) != NULL, "%s", r.err);
    cli_free(&r);
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
    char command[1600];
    snprintf(command, sizeof command, "%s --processes 4 --records %s", line, cli_file("one.csv", rows));
    cli_result r = cli(command);
    ck_assert_msg(r.code != 0 && strstr(r.err, "rankings of one matrix cannot be judged on another") != NULL, "%s",
                  r.err);
    cli_free(&r);
    snprintf(rows, sizeof rows,
             HEADER "x,rajat01,16,standard/host,,1\nx,rajat01,32,two-step/host,,1\nx,xenon1,16,two-step/host,,1\n");
    snprintf(command, sizeof command, "%s --processes 4 --records %s", line, cli_file("two.csv", rows));
    r = cli(command);
    ck_assert_msg(r.code == 0, "%s", r.err);
    cli_free(&r);
    text = read_whole(path);
    ck_assert_msg(strstr(text, "winners named in") != NULL && strstr(text, "\"cases\": 3") != NULL &&
                      strstr(text, "\"groups\": 2") != NULL,
                  "%s", text);
    ns_free(text);
}

/* The paper's winners, as evidence/rankings has them: a file that stays readable. */
TEST(test_published)
{
    ns_value *root = cli_json("validate --records evidence/rankings/node-aware.csv");
    ck_assert(number_at(root, "rankings.0.cases") == 16);
    ck_assert(number_at(root, "rankings.0.log_loss") < number_at(root, "rankings.0.log_loss_uniform"));
    ns_value_free(root);
}
