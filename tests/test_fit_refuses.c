/* test_fit_refuses.c -- what nsmodel fit refuses, and what it must not lose */
#include "support/cli.h"
#include "support/fit_cases.h"
#include "support/fits.h"
#include "support/test.h"

static const struct {
    const char *options;
    int code;
    const char *words;
} refused[] = {
    {"--memory device --gpus 0", 1, "data of device memory, which a machine without GPUs has not"},
    {"--switch 8,4", 1, "--switch wants whole, rising sizes above 0 B"},
    {"--switch 1,2,3", 2, "--switch takes at most 2 sizes, got 3"},
    {"--switch 0.5", 1, "whole, rising sizes"},
    {"--switch device=8,4", 1, "whole, rising sizes"},
    {"--switch disk=64", 2, "--switch of a memory is host or device, not \"disk\""},
    {"--switch 64 --switch 128", 2, "--switch is given twice for the same memory; the second is 128"},
    {"--switch host=64 --switch host=128", 2, "--switch is given twice for the same memory; the second is host=128"},
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
    {"--plot a.bmp", 1, "a plot ends in .svg"},
    {"--name ''", 2, "--name wants a name"},
    {"--name 'a\tb'", 1, "nsmodel: --name wants one line of characters that can be seen, got \"a?b\"\n"},
    {"--title 'a\nint x;'", 1, "nsmodel: --title wants one line of characters that can be seen, got \"a?int x;\"\n"},
    {"--cite 'a\x1b[31m'", 1, "nsmodel: --cite wants one line of characters that can be seen, got \"a?[31m\"\n"},
    {"'a\nb.log'", 1, "nsmodel: a log is named \"a?b.log\"; wanted one line of characters that can be seen\n"},
    {"-o TMP/nosuch/a.json", 1, "cannot be created"},
    {"-o TMP/refused.csv", 2, "is one of the logs; wanted another file"},
};

TEST_EACH(test_refusal, sizeof refused / sizeof *refused)
{
    char line[1024];
    snprintf(line, sizeof line, "fit %s %s", fits_log("refused.csv", "ping-pong", 1, 20), refused[_i].options);
    cli_refused((cli_refusal){line, refused[_i].code, refused[_i].words});
}

static const fit_case unusable[] = {
    {"no row", {"@log.log\nbytes,seconds\n"}, {"refused 1 log.log"}},
    {"no known column", {"@log.log\nwhat,ever\n1,2\n"}, {"refused 1 wanted"}},
    {"no benchmark", {"@log.log\n{\"kind\": \"jobspec\"}\n"}, {"refused 1 no table of a known benchmark"}},
    {"no size", {"@log.log\n# OSU MPI Latency Test v7.1\n# Size          Latency (us)\n"}, {"refused 1 log.log"}},
    {"collectives are told",
     {"collective 16 1 8 4096 8 9.984 2"},
     {"collectives.0.processes=16", "collectives.0.sizes=4", "collectives.0.last_s=18.176e-6"}},
    {"but make no machine; nothing is written",
     {"-o MACHINE", "collective 16 1 8 4096 8 9.984 2"},
     {"refused 1 collectives only: nothing that a machine file could say"}},
    {"rows that cannot be priced teach nothing",
     {"--switch 0 --records TMP/rows.csv -o MACHINE", "%rows.csv\nstrategy,measured_s\nstandard,1e-6\n",
      "ping-pong 1 1 4 65536 2 2 0.5"},
     {"refused 1 no row passes --where and can be priced"}},
};

TEST_EACH(test_unusable, sizeof unusable / sizeof *unusable)
{
    fit_case_holds(&unusable[_i], _i);
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
    r = cli_with("fit %s --title Bob's --json", cli_file("long.csv", "bytes,us\n8,1\n64,1.1\n"));
    ck_assert_msg(strstr(r.out, "long.csv --title 'Bob'\\\\''s'\"") != NULL, "%s", r.out);
}
