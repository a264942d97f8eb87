/* test_vocabulary.c -- one thing is said the same way by every command that has an exchange */
#include "support/cli.h"
#include "support/test.h"

/* Lines that say the same. */
static const struct {
    const char *a, *b;
} same[] = {
    {"predict rajat01 --nodes 4", "predict rajat01 --gpus 16"},
    {"predict rajat01 --nodes 4", "predict rajat01 -n 16"},
    {"predict rajat01 --nodes 4", "predict rajat01 --parts 16"},
    {"predict rajat01 --nodes 2,4 --per-node 2", "predict rajat01 -p 4,8 --per-node 2"},
    {"predict rajat01 --nodes 2 --machine bluewaters", "predict rajat01 -n 32 --machine bluewaters"},
    {"predict rajat01 -n 8 --strategy 3-step,2-step", "predict rajat01 -n 8 --strategy three-step,two-step"},
    {"predict rajat01 -n 8 --strategy split", "predict rajat01 -n 8 --strategy split-md,split-dd"},
    {"advise rajat01 --nodes 4", "advise rajat01 -n 16"},
    {"pattern rajat01 --nodes 4 --per-node 4", "pattern rajat01 --parts 16 --per-node 4"},
    {"pattern rajat01 -n 16 --per-node 4", "pattern rajat01 --parts 16 --per-node 4"},
    {"sensitivity --matrix rajat01 --nodes 4", "sensitivity --matrix rajat01 -n 16"},
    {"sensitivity --matrix rajat01 -p 16", "sensitivity --matrix rajat01 --gpus 16"},
};

/* Take out lines with a command that comes next: it has the words that were given. */
static void drop_commands(char *text)
{
    while (*text != '\0') {
        char *end = text + strcspn(text, "\n"), *at = strstr(text, "nsmodel ");
        end += *end != '\0';
        if (at != NULL && at < end)
            memmove(text, end, strlen(end) + 1);
        else
            text = end;
    }
}

TEST_EACH(two_lines_say_the_same, (int)(sizeof same / sizeof *same))
{
    cli_result a = cli(same[_i].a), b = cli(same[_i].b);
    ck_assert_msg(a.code == 0 && b.code == 0, "%s%s", a.err, b.err);
    drop_commands(a.out);
    drop_commands(b.out);
    ck_assert_str_eq(a.out, b.out);
    cli_free(&a);
    cli_free(&b);
}

/* Every machine of a list has nodes of its own size. */
TEST(nodes_are_the_machines)
{
    ns_value *root = cli_json("predict rajat01 --nodes 2 --machine lassen,bluewaters");
    const ns_value *lassen = ns_value_get(root, "cases")->first, *bluewaters = lassen->next;
    ck_assert_double_eq(ns_value_get(lassen, "gpus")->number, 8);
    ck_assert_double_eq(ns_value_get(bluewaters, "gpus")->number, 32);
    ck_assert_double_eq(ns_value_get(lassen, "nodes")->number, 2);
    ck_assert_double_eq(ns_value_get(bluewaters, "nodes")->number, 2);
    ns_value_free(root);
}

static const cli_refusal refused[] = {
    {"predict rajat01 --nodes 4 -n 8", 2, "--gpus and --nodes both say how many parts there are"},
    {"predict rajat01 --parts 4 -n 8", 2, "--gpus and --parts are the same option"},
    {"pattern rajat01 --parts 4 --nodes 2", 2, "--parts and --nodes both say"},
    {"sensitivity --matrix rajat01 --nodes 2 --parts 4", 2, "--parts and --nodes both say"},
    {"predict rajat01 --nodes 0", 1, "--nodes wants whole numbers from 1"},
    {"predict rajat01 --nodes 16777216", 1, "--nodes: 16777216 nodes of 4 parts are more than 16777216 parts"},
    {"sensitivity postal --machine lassen s=1B --nodes 2", 2, "--nodes is for --matrix and --messages"},
    {"sensitivity rajat01 --nodes 2", 2, "--nodes is for --matrix and --messages; \"rajat01\" is taken for a model"},
};

TEST_EACH(twice_is_refused, (int)(sizeof refused / sizeof *refused))
{
    cli_refused(refused[_i]);
}
