/* test_same_ways.c -- strategies that send the same messages are one way, and the answer says so */
#include "support/cli.h"
#include "support/test.h"
#include "support/values.h"

static bool is_split(const ns_value *strategy)
{
    return strncmp(text_at(strategy, "strategy"), "split", 5) == 0;
}

/* Where no message leaves a node the first of a transport stands for all of it, but for one whose copies differ.  Where
 * some do and there is no GPU, the ways to split differ by name only; where no process has another on its node, the
 * other ways do. */
static int count_same(const ns_value *one, bool alone, double *sum)
{
    int same = 0;
    *sum = 0;
    for (const ns_value *s = ns_value_get(one, "strategies")->first; s != NULL; s = s->next) {
        const ns_value *as = ns_value_get(s, "same_as");
        *sum += number_at(s, "p_best");
        if (as == NULL)
            continue;
        same++;
        ck_assert_double_eq(number_at(s, "p_best"), 0);
        const bool leaves = number_at(s, "messages_off_node_max") > 0;
        ck_assert_str_eq(text_at(as, "strategy"), leaves && is_split(s) ? "split-md" : "standard");
        ck_assert(!leaves || alone || strcmp(text_at(s, "strategy"), "split-dd") == 0);
        ck_assert_str_eq(text_at(as, "transport"), text_at(s, "transport"));
    }
    return same;
}

static const struct {
    const char *line;
    int same; /* of all ways */
    int distinct;
} rows[] = {
    {"predict --matrix rajat01 --machine dane --gpus 64", 4, 1},
    {"predict --matrix rajat01 --machine dane --gpus 64 --incumbent two-step/host", 4, 1},
    {"predict --matrix rajat01 --machine lassen-spectrum --gpus 4", 5, 3},
    {"predict --matrix rajat01 --machine lassen-spectrum --gpus 8", 0, 8},
    {"predict --messages alltoall:4KiB --machine dane --nodes 2", 1, 5},
    {"predict --matrix rajat01 --machine dane --gpus 8 --per-node 1", 2, 3},
    {"predict --matrix rajat01 --machine lassen-spectrum --gpus 8 --per-node 1", 4, 4},
    {"predict --matrix rajat01 --machine dane --gpus 64 --strategy split-md,two-step", 1, 1},
};

static bool is_alone(const char *line)
{
    return strstr(line, "--per-node 1") != NULL;
}

TEST_EACH(answers, sizeof rows / sizeof *rows)
{
    double sum;
    ns_value *root = cli_json(rows[_i].line);
    const ns_value *one = ns_value_get(root, "cases")->first;
    if (strstr(rows[_i].line, "--strategy") == NULL)
        ck_assert_int_eq(count_same(one, is_alone(rows[_i].line), &sum), rows[_i].same);
    ck_assert_double_eq(number_at(one, "decision.distinct"), rows[_i].distinct);
    if (rows[_i].distinct == 1)
        ck_assert_ptr_nonnull(strstr(text_at(one, "sentence"), "all ways send the same messages"));
    ns_value_free(root);
}

TEST(one_sum)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strstr(rows[i].line, "--strategy") != NULL)
            continue;
        double sum;
        ns_value *root = cli_json(rows[i].line);
        (void)count_same(ns_value_get(root, "cases")->first, is_alone(rows[i].line), &sum);
        ck_assert_double_eq_tol(sum, 1, 1e-12);
        ns_value_free(root);
    }
}

/* Nothing is left to measure, and advice says so instead of naming a benchmark. */
TEST(advice)
{
    ns_value *root = cli_json("advise --matrix rajat01 --machine dane --gpus 64");
    const ns_value *one = ns_value_get(root, "cases")->first;
    ck_assert_double_eq(number_at(one, "decision.p_best"), 1);
    ck_assert_double_eq(number_at(one, "decision.loss_q90"), 1);
    ck_assert_double_eq(number_at(one, "decision.expected_ln_loss"), 0);
    ck_assert_ptr_null(ns_value_get(one, "measure")->first);
    ns_value_free(root);
}

/* What stands where no number is given fits in a node; a number that was asked for is nobody else's business. */
TEST(one_node)
{
    cli_result r = cli("predict --matrix rajat01 --machine dane");
    ck_assert_ptr_nonnull(strstr(r.err, "note: 8 processes fit in one node of dane; --nodes 2,4,8 asks for several"));
    cli_free(&r);
    r = cli("predict --matrix rajat01 --machine dane --gpus 8");
    ck_assert_str_eq(r.err, "");
    cli_free(&r);
    r = cli("predict --matrix rajat01");
    ck_assert_str_eq(r.err, "");
    cli_free(&r);
}

/* Algorithms of a collective that take as long are as many ways. */
TEST(collective)
{
    ns_value *root = cli_json("predict --collective allreduce:8B --machine lassen-spectrum --nodes 2");
    double sum;
    ck_assert_int_eq(count_same(ns_value_get(root, "cases")->first, false, &sum), 0);
    ck_assert_double_eq_tol(sum, 1, 1e-12);
    ns_value_free(root);
}

TEST(nothing_sent)
{
    cli_result r = cli("advise --matrix rajat01 --gpus 1");
    ck_assert_ptr_nonnull(strstr(r.out, "\n   1  nothing is sent\n"));
    cli_free(&r);
}
