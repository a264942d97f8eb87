/* test_fit_refused.c -- nsmodel fit: what it refuses, and files that it must not lose */

#include "support/cli.h"
#include "support/files.h"
#include "support/fits.h"
#include "support/test.h"
#include "support/values.h"

static const struct {
    const char *options;
    int code;
    const char *words;
} refused[] = {
    {"--memory device --gpus 0", 1, "data of device memory, which a machine without GPUs has not"},
    {"--switch 8,4", 1, "--switch wants whole, rising sizes above 0 B"},
    {"--switch 1,2,3", 2, "--switch takes at most 2 sizes, got 3"},
    {"--switch 0.5", 1, "whole, rising sizes"},
    {"--statistic mean", 2, "--statistic is median, min or all, not \"mean\""},
    {"--weights some", 2, "--weights is relative or none"},
    {"--locality far", 2, "--locality is on-socket, on-node or off-node"},
    {"--memory other.csv=host", 1, "--memory other.csv=host: no log matches that name"},
    {"--kind odd", 1, "kind \"odd\"; wanted node-pong"},
    {"--tool odd", 1, "odd"},
    {"--per-node 0", 1, "per-node wants whole numbers from 1"},
    {"--per-node 6 --sockets 4", 1, "wanted whole ranks a socket"},
    {"--per-node 6 --processes 5", 1, "--processes 5 is less than --per-node 6, the ranks of a node"},
    {"--gpus 4 --processes 3", 1, "--processes 3 is less than --gpus 4, each of which wants a process"},
    {"--check nosuch", 1, "no machine or file \"nosuch\""},
    {"--check lassen --plot a.svg", 2, "--check fits no machine: there is nothing for --plot"},
    {"--check lassen --switch 500", 2, "--check fits no machine: there is nothing for --switch"},
    {"--each -o a.json", 2, "--each makes no machine"},
    {"--plot a.bmp", 2, ""},
    {"--name ''", 2, "--name wants a name"},
    {"--name 'a\tb'", 1, "nsmodel: --name wants one line of characters that can be seen, got \"a?b\"\n"},
    {"--title 'a\nint x;'", 1, "nsmodel: --title wants one line of characters that can be seen, got \"a?int x;\"\n"},
    {"--cite 'a\x1b[31m'", 1, "nsmodel: --cite wants one line of characters that can be seen, got \"a?[31m\"\n"},
    {"'a\nb.log'", 1, "nsmodel: a log is named \"a?b.log\"; wanted one line of characters that can be seen\n"},
    {"-o TMP/nosuch/a.json", 1, "cannot be created"},
};

TEST_EACH(test_refusal, sizeof refused / sizeof *refused)
{
    char line[1024];
    snprintf(line, sizeof line, "fit %s %s", fits_log("refused.csv", "ping-pong", 1, 20), refused[_i].options);
    cli_result r = cli(line);
    ck_assert_msg(r.code != 0 && strstr(r.err, refused[_i].words) != NULL, "`%s`: %d %s", line, r.code, r.err);
    ck_assert_msg(refused[_i].code == r.code || *refused[_i].words == '\0', "`%s`: exit %d", line, r.code);
    ck_assert_msg(strstr(refused[_i].words, "cannot be created") == NULL || strstr(r.err, "note: ") == NULL, "%s",
                  r.err);
    ck_assert_msg(*r.out == '\0', "`%s` prints half an answer: %s", line, r.out);
    cli_free(&r);
}

/* Times that scatter by factors of thousands make a line with errors far beyond it: the fit says so, and what is priced
 * with it has an interval, wide and finite. */
TEST(test_wild_times)
{
    static const char text[] = "# OSU MPI Latency Test v5.9\n# Size          Latency (us)\n8 4000.0\n4096 0.9\n"
                               "65536 0.01\n1048576 300.0\n";
    char line[1024], machine[600];
    snprintf(machine, sizeof machine, "%s", cli_file("wild.json", ""));
    snprintf(line, sizeof line, "fit %s --locality off-node --per-node 4 -o %s --name wild", cli_file("wild.log", text),
             machine);
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0 && strstr(r.err, "off-node eager: the times scatter too much for a line: ") != NULL, "%s",
                  r.err);
    cli_free(&r);
    snprintf(line, sizeof line, "predict --messages alltoall:16GiB --parts 4 --per-node 1 --machine %s", machine);
    ns_value *root = cli_json(line);
    const ns_value *way = ns_value_get(ns_value_get(root, "cases")->first, "strategies")->first;
    ck_assert_double_gt(number_at(way, "interval_s.1"), 1e3 * number_at(way, "estimate_s"));
    ck_assert_double_lt(number_at(way, "interval_s.1"), 1e300);
    ns_value_free(root);
}

/* A log is neither replaced by what was made of it, nor counted twice. */
TEST(test_same_file)
{
    char line[1024];
    const char *log = fits_log("same.csv", "ping-pong", 1, 20);
    snprintf(line, sizeof line, "fit %s -o %s", log, log);
    cli_result r = cli(line);
    ck_assert(r.code == 2 && strstr(r.err, "is one of the logs; wanted another file") != NULL);
    cli_free(&r);
    snprintf(line, sizeof line, "fit %s %s", log, log);
    ns_value *twice = cli_json(line), *once = fits_json("fit %s", log);
    ck_assert_double_eq(number_at(twice, "classes.0.samples"), number_at(once, "classes.0.samples"));
    ck_assert_double_eq(number_at(twice, "classes.0.alpha_se"), number_at(once, "classes.0.alpha_se"));
    ns_value_free(twice);
    ns_value_free(once);
}

/* A command line too long for the machine's note ends in "...", not inside a word. */
TEST(test_long_command)
{
    static char line[12000];
    size_t used = (size_t)snprintf(line, sizeof line, "fit %s --title '", fits_log("long.csv", "ping-pong", 1, 20));
    memset(line + used, 'a', 9000);
    snprintf(line + used + 9000, sizeof line - used - 9000, "' --name long --json");
    cli_result r = cli(line);
    ck_assert_msg(strstr(r.out, "long.csv --title ...\"") != NULL, "%s", r.out);
    cli_free(&r);
    snprintf(line, sizeof line, "fit %s --title Bob's --json", cli_file("long.csv", "bytes,us\n8,1\n64,1.1\n"));
    r = cli(line);
    ck_assert_msg(strstr(r.out, "long.csv --title 'Bob'\\\\''s'\"") != NULL, "%s", r.out);
    cli_free(&r);
}

static const struct {
    const char *content, *words;
} unusable[] = {
    {"", "an empty file"},
    {"bytes,seconds\n", ""},
    {"bytes,seconds\n8,0\n16,-3\n", "all 2 times are zero, negative or not numbers"},
    {"what,ever\n1,2\n", "wanted"},
    {"{\"kind\": \"jobspec\"}\n", "no table of a known benchmark"},
    {"# OSU MPI Latency Test v7.1\n# Size          Latency (us)\n", ""},
};

TEST_EACH(test_unusable, sizeof unusable / sizeof *unusable)
{
    char line[400], name[40];
    snprintf(name, sizeof name, "unusable-%d.log", _i);
    snprintf(line, sizeof line, "fit %s", cli_file(name, unusable[_i].content));
    cli_result r = cli(line);
    ck_assert_msg(r.code == 1 && strstr(r.err, name) != NULL && strstr(r.err, unusable[_i].words) != NULL, "%s: %s",
                  unusable[_i].content, r.err);
    ck_assert_msg(strchr(r.err, '\n') == r.err + strlen(r.err) - 1, "more than a line: %s", r.err);
    cli_free(&r);
}

/* Collectives are told, but make no machine; nothing is written. */
TEST(test_no_machine)
{
    char line[600];
    const char *log = cli_file("collective.csv",
                               "bytes,us,kind,pairs,name\n8,10,collective,16,allreduce\n64,11,collective,16,allreduce\n"
                               "512,12,collective,16,allreduce\n4096,19,collective,16,allreduce\n");
    ns_value *root = fits_json("fit %s", log);
    const ns_value *c = ns_value_get(root, "collectives")->first;
    ck_assert(c != NULL && number_at(c, "processes") == 16 && number_at(c, "sizes") == 4);
    NEAR(number_at(c, "last_s"), 19e-6, 1e-9);
    ns_value_free(root);
    (void)remove(cli_path("none.json"));
    snprintf(line, sizeof line, "fit %s -o TMP/none.json", log);
    cli_result r = cli(line);
    ck_assert(r.code == 1 && strstr(r.err, "collectives only: nothing that a machine file could say") != NULL);
    ck_assert_int_ne(access(cli_path("none.json"), F_OK), 0);
    cli_free(&r);
}
