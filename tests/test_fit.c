/* test_fit.c -- the command fit on made logs: what it answers, warns of and writes */

#include "core/memory.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/fits.h"
#include "support/test.h"
#include "support/values.h"

TEST(test_answer)
{
    ns_value *root = fits_json("fit %s", fits_log("plain.csv", "ping-pong", 1, 20));
    const ns_value *first = ns_value_get(root, "classes")->first, *second = first->next;
    ck_assert(second != NULL && second->next == NULL);
    ck_assert_str_eq(text_at(first, "protocol"), "eager");
    ck_assert_str_eq(text_at(second, "protocol"), "rendezvous");
    ck_assert(number_at(first, "from_B") == 0 && number_at(first, "to_B") == 2048 &&
              number_at(second, "from_B") == 4096);
    NEAR(number_at(first, "alpha_s"), 1e-6, 0.01);
    NEAR(number_at(first, "beta_s_per_B"), 1e-9, 0.01);
    NEAR(number_at(second, "alpha_s"), 5e-6, 0.01);
    NEAR(number_at(second, "beta_s_per_B"), 0.1e-9, 0.01);
    ck_assert(number_at(first, "samples") == 36 && number_at(second, "samples") == 24);
    ck_assert(number_at(first, "alpha_se") > 0 && number_at(first, "beta_se") > 0 &&
              number_at(first, "covariance_s2_per_B") < 0);
    ck_assert_double_eq_tol(
        ns_value_at(root, "machine.host.off-node.eager.correlation")->number,
        number_at(first, "covariance_s2_per_B") / number_at(first, "alpha_se") / number_at(first, "beta_se"), 1e-4);
    ck_assert(number_at(first, "median_rel_error") < 0.01 && number_at(first, "p95_rel_error") < 0.02);
    NEAR(number_at(first, "pair_spread"), 0.006, 0.02);
    ck_assert_str_eq(text_at(root, "machine.schema"), "nsmodel/machine/1");
    ck_assert_ptr_nonnull(ns_value_at(root, "machine.host.off-node.eager.alpha"));
    ck_assert(ns_value_get(root, "collectives")->kind == NS_LIST && ns_value_get(root, "injection")->kind == NS_OBJECT);
    ck_assert_ptr_null(ns_value_get(root, "warnings")->first);
    ns_value_free(root);
}

/* -o FILE.json is a machine that other commands take; its note is the command itself. */
TEST(test_machine_file)
{
    char line[1024];
    ns_machine *machine;
    ns_error err = {0};
    const char *log = fits_log("machine.csv", "ping-pong", 1, 20), *file = cli_file("made-machine.json", "");
    snprintf(line, sizeof line,
             "fit %s --name made --title 'A made machine' --cite 'of a test' --gpus 2 --processes 7 --sockets 1 -o %s",
             log, file);
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0, "%s", r.err);
    ck_assert_msg(ns_machine_load(file, &machine, &err) == NS_OK, "%s", err.text);
    ck_assert_str_eq(machine->title, "A made machine");
    ck_assert_ptr_nonnull(strstr(machine->source, "of a test"));
    ck_assert(machine->gpus == 2 && machine->host_processes == 7 && machine->sockets == 1);
    NEAR(machine->line[NS_HOST][NS_OFF_NODE][NS_EAGER].alpha, 1e-6, 0.01);
    ck_assert(machine->line[NS_HOST][NS_OFF_NODE][NS_EAGER].alpha_se > 0);
    ns_machine_free(machine);
    cli_free(&r);
    snprintf(line, sizeof line, "eval postal --machine %s s=1KiB", file);
    r = cli(line);
    ck_assert_msg(r.code == 0, "%s", r.err);
    cli_free(&r);
}

/* Given sizes win over found ones; 0 is one line for all. */
TEST(test_switches)
{
    const char *log = fits_log("switches.csv", "ping-pong", 1, 20);
    ns_value *root = fits_json("fit %s --switch 64B,8KiB", log);
    const ns_value *c = ns_value_get(root, "classes")->first;
    ck_assert(number_at(c, "to_B") == 32 && number_at(c->next, "from_B") == 64 &&
              number_at(c->next->next, "from_B") == 8192);
    ck_assert_str_eq(text_at(c, "protocol"), "short");
    ns_value_free(root);
    root = fits_json("fit %s --switch 0", log);
    ck_assert_ptr_null(ns_value_get(root, "classes")->first->next);
    ns_value_free(root);
}

/* Windows of messages beside ping-pong: a class of their own that is not the machine's, said; alone: used, said. */
TEST(test_streaming)
{
    char both[600];
    snprintf(both, sizeof both, "fit %s ", fits_log("ping.csv", "ping-pong", 1, 20));
    snprintf(both + strlen(both), sizeof both - strlen(both), "%s", fits_log("stream.csv", "streaming", 0.2, 20));
    ns_value *root = cli_json(both);
    int of[2] = {0, 0};
    for (const ns_value *c = ns_value_get(root, "classes")->first; c != NULL; c = c->next) {
        const bool streaming = strcmp(text_at(c, "kind"), "streaming") == 0;
        ck_assert(ns_value_get(c, "in_machine")->truth != streaming);
        NEAR(number_at(c, "alpha_s"), (number_at(c, "from_B") > 0 ? 5e-6 : 1e-6) * (streaming ? 0.2 : 1), 0.02);
        of[streaming]++;
    }
    ck_assert(of[0] == 2 && of[1] == 2);
    ck_assert(warns(root, "streaming data is kept apart from ping-pong and is not in the machine"));
    ck_assert(ns_value_at(root, "loggp.derived")->truth);
    NEAR(number_at(root, "loggp.g.value"), 0.2e-6, 0.02);
    NEAR(number_at(root, "loggp.G.value"), 0.1e-9, 0.02);
    NEAR(number_at(root, "loggp.L.value"), 0.6e-6, 0.05);
    ns_value_free(root);
    root = fits_json("fit %s", fits_log("alone.csv", "streaming", 0.2, 20));
    ck_assert(warns(root, "nothing but streaming data: alpha is a gap between messages of a window"));
    ck_assert(ns_value_get(ns_value_get(root, "classes")->first, "in_machine")->truth);
    ns_value_free(root);
}

/* 1 to 8 pairs share 10 GB/s; the eighth pair costs a fifth of it. */
TEST(test_injection)
{
    char log[8192];
    size_t used = (size_t)snprintf(log, sizeof log, "bytes,seconds,kind,locality,memory,pairs\n");
    for (int i = 4; i < 22; i++)
        for (int pairs = 1; pairs <= 8; pairs++) {
            const double x = (double)(1 << i), rate = (pairs == 8 ? 8e9 : 10e9) / pairs;
            used += (size_t)snprintf(log + used, sizeof log - used, "%.0f,%.9e,%s,off-node,host,%d\n", x,
                                     2e-6 + x * fmax(0.2e-9, 1 / rate), pairs > 1 ? "node-pong" : "ping-pong", pairs);
        }
    ns_value *root = fits_json("fit %s", cli_file("pairs.csv", log));
    const ns_value *host = ns_value_at(root, "injection.host");
    NEAR(number_at(host, "R_N_B_per_s"), 10e9, 0.06);
    ck_assert(ns_value_get(host, "bound")->truth && number_at(host, "best_pairs") < 8);
    NEAR(number_at(host, "rate_falls_by"), 0.2, 0.05);
    const ns_value *rate = ns_value_get(root, "injection_by_pairs")->first;
    ck_assert_str_eq(text_at(rate, "memory"), "host");
    NEAR(number_at(rate, "rate_B_per_s"), 5e9, 0.01);
    ck_assert(warns(root, "the node's rate falls again: 8 pairs inject 20 % less than"));
    ck_assert_ptr_nonnull(ns_value_at(root, "machine.host.injection.inverse_R_N"));
    NEAR(number_at(ns_value_get(root, "classes")->first, "beta_s_per_B"), 0.2e-9, 0.02); /* of single pairs */
    ns_value_free(root);
}

static const struct {
    const char *about, *rows, *warning;
} warned[] = {
    {"few sizes", "8,1e-6\n16,1.1e-6\n32,1.2e-6\n", "too few sizes, 3; at least 6 are wanted"},
    {"a curve that falls", "8,3e-6\n16,3e-6\n32,3e-6\n64,2e-6\n128,3e-6\n256,3e-6\n512,3e-6\n",
     "64 B take over 10 % less than the size before"},
    {"a slope that falls", "8,3e-6\n16,2.99e-6\n32,2.98e-6\n64,2.97e-6\n128,2.96e-6\n256,2.95e-6\n",
     "beta is held at 0"},
    {"nothing large", "8,1e-6\n16,1e-6\n32,1e-6\n64,1e-6\n128,1e-6\n256,1e-6\n",
     "nothing above 256 B was measured; longer messages are extrapolated"},
    {"a lone last size", "64,1e-6\n128,1e-6\n256,1.1e-6\n512,1.2e-6\n1024,1.4e-6\n2048,1.8e-6\n4096,9e-6\n",
     "4096 B take 3.4 times as long as the sizes before say"},
    {"a single size", "8,1e-6\n", "a single size, 8 B"},
    {"negative times", "8,1e-6\n16,-1\n32,1.1e-6\n64,0\n128,1.2e-6\n",
     "2 values are zero, negative or not numbers: left out"},
};

TEST_EACH(test_warning, sizeof warned / sizeof *warned)
{
    char log[600], name[40];
    snprintf(name, sizeof name, "warned-%d.csv", _i);
    snprintf(log, sizeof log, "bytes,seconds\n%s", warned[_i].rows);
    ns_value *root = fits_json("fit %s --locality off-node --memory host", cli_file(name, log));
    ck_assert_msg(warns(root, warned[_i].warning), "%s: no warning \"%s\"", warned[_i].about, warned[_i].warning);
    ns_value_free(root);
}

/* An alpha that is held at 0 has the unit of its error: "0 s ± 250" would be minutes. */
TEST(test_zero)
{
    char line[600];
    snprintf(line, sizeof line, "fit %s --locality off-node --memory host",
             cli_file("zero.csv", "bytes,seconds\n1024,0.5e-6\n2048,1.9e-6\n4096,3.8e-6\n8192,8.4e-6\n"
                                  "16384,16.1e-6\n"));
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0, "%s", r.err);
    ck_assert_msg(strstr(r.out, "0 ns ± ") != NULL, "%s", r.out);
    cli_free(&r);
}

/* ---- check ------------------------------------------------------------------------------------------------------- */

TEST(test_check)
{
    char line[1024], machine[300];
    snprintf(machine, sizeof machine, "%s", cli_file("checked.json", ""));
    snprintf(line, sizeof line, "fit %s --name checked -o %s", fits_log("checked.csv", "ping-pong", 1, 20), machine);
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0, "%s", r.err);
    cli_free(&r);
    for (int stale = 0; stale < 2; stale++) {
        snprintf(line, sizeof line, "fit --check %s %s", machine,
                 fits_log("new.csv", "ping-pong", stale ? 1.4 : 1.05, 20));
        ns_value *root = cli_json(line);
        ck_assert_str_eq(text_at(root, "verdict"), stale ? "stale" : "current");
        for (const ns_value *c = ns_value_get(root, "classes")->first; c != NULL; c = c->next) {
            NEAR(number_at(c, "bias"), stale ? 1 / 1.4 - 1 : 1 / 1.05 - 1, 0.05);
            ck_assert_str_eq(text_at(c, "verdict"), stale ? "stale" : "current");
        }
        ns_value_free(root);
    }
}

/* A message of 0 B from a device's memory is the host's: neither fitted nor held against a machine. */
TEST(test_check_empty_message)
{
    ns_value *root = fits_json("fit --check lassen %s",
                               cli_file("empty-message.csv", "bytes,us,locality,memory\n0,0.5,off-node,device\n"
                                                             "8,6,off-node,device\n16,6,off-node,device\n"));
    ck_assert_double_eq(number_at(root, "classes.0.sizes"), 2);
    ns_value_free(root);
}

/* ---- each -------------------------------------------------------------------------------------------------------- */

TEST(test_each)
{
    char line[1024];
    snprintf(line, sizeof line, "fit --each %s ", fits_log("good.csv", "ping-pong", 1, 20));
    snprintf(line + strlen(line), sizeof line - strlen(line), "%s", cli_file("bad.csv", "nothing that anyone knows\n"));
    ns_value *root = cli_json(line);
    const ns_value *good = ns_value_get(root, "logs")->first, *bad = good->next;
    ck_assert(number_at(root, "summary.fitted") == 1 && number_at(root, "summary.refused") == 1 &&
              number_at(root, "summary.within_both") == 1);
    ck_assert_str_eq(text_at(good, "kind"), "ping-pong");
    ck_assert(number_at(good, "classes") == 2 && number_at(good, "median_rel_error") < 0.01);
    ck_assert_str_eq(text_at(bad, "kind"), "refused");
    ck_assert_ptr_nonnull(strstr(text_at(bad, "remark"), "wanted"));
    ns_value_free(root);
}

/* A file that cannot be read is no judgement on its log. */
TEST(test_each_unread)
{
    char line[1024];
    snprintf(line, sizeof line, "fit --each %s no-such.log", fits_log("good.csv", "ping-pong", 1, 20));
    cli_result r = cli(line);
    ck_assert_int_eq(r.code, 1);
    ck_assert_str_eq(r.err, "nsmodel: no-such.log: no such file\n");
    ck_assert_ptr_nonnull(strstr(r.out, "ping-pong"));
    cli_free(&r);
}

/* ---- plot -------------------------------------------------------------------------------------------------------- */

TEST(test_plot)
{
    char line[1024];
    const char *script = cli_file("fit.gp", "");
    snprintf(line, sizeof line, "fit %s --plot %s", fits_log("plotted.csv", "ping-pong", 1, 20), script);
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0, "%s", r.err);
    cli_free(&r);
    char *page = read_whole(script);
    static const char *const wanted[] = {"host off-node", "switch point", "residual", "message size",
                                         "time of a message"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        ck_assert_msg(strstr(page, wanted[i]) != NULL, "no \"%s\" in the chart", wanted[i]);
    const char *ring = strstr(page, "title \"switch point\"");
    ck_assert_msg(ring != NULL && strstr(ring, "title \"host") == NULL, "the rings are not last in the legend");
    ck_assert_ptr_nonnull(strstr(page, "set rmargin at screen 0.8"));
    ns_free(page);
}

TEST(test_idle_kind)
{
    ns_value *root = fits_json("fit %s --kind node-pong", fits_log("told.csv", "ping-pong", 1, 20));
    ck_assert(warns(root, "--kind changes nothing"));
    ns_value_free(root);
}

/* In text: a letter a group, the same in both panels, and none for the lines through them. */
TEST(test_plot_letters)
{
    char line[1024], first[256];
    snprintf(first, sizeof first, "%s", fits_log("letter-a.csv", "ping-pong", 1, 20));
    snprintf(line, sizeof line, "fit %s %s --locality letter-b.csv=on-node --plot", first,
             fits_log("letter-b.csv", "ping-pong", 0.1, 20));
    cli_result r = cli(line);
    ck_assert_int_eq(r.code, 0);
    ck_assert_msg(strstr(r.out, "a host on-node   b host off-node   O switch point\n") != NULL, "%s", r.out);
    ck_assert_ptr_nonnull(strstr(strstr(r.out, "residual"), "b"));
    cli_free(&r);
}

/* Three sizes measured once, on a line to the last digit: their error is the curve's, not nothing. */
TEST(test_lucky_class)
{
    ns_value *root = fits_json("fit %s --switch 4096,32768",
                               cli_file("lucky.csv", "bytes,us\n64,1.03\n128,1.06\n256,1.12\n512,1.34\n1024,1.41\n"
                                                     "2048,2.12\n4096,3.705\n8192,4.57\n16384,6.30\n32768,10.1\n"
                                                     "65536,13.2\n131072,18.3\n262144,30.9\n"));
    const double relative = number_at(root, "classes.1.alpha_se") / number_at(root, "classes.1.alpha_s");
    ck_assert_msg(relative > 0.01 && relative < 0.2, "%g", relative);
    ns_value_free(root);
}

/* A line without start-up time: its error keeps its unit, "0 ns", not "0 s". */
TEST(test_error_unit)
{
    char line[400];
    snprintf(line, sizeof line, "fit %s --switch 0",
             cli_file("no-start.csv", "bytes,us\n1024,1\n2048,2\n4096,4.2\n8192,8.6\n16384,17.1\n32768,34.9\n"
                                      "65536,70.3\n131072,141.8\n"));
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0 && strstr(r.out, "  0 ns ± ") != NULL, "%s", r.out);
    cli_free(&r);
}

/* What no sample was made of is counted, by people and by programs. */
TEST(test_left_out)
{
    char line[1024], good[256];
    snprintf(good, sizeof good, "%s",
             cli_file("left-out.csv", "bytes,us\n8,1\n16,1\n32,-1\n64,1\n128,0\n256,1\n512,1\n1024,1\n"));
    snprintf(line, sizeof line, "fit --keep-going %s %s", good, cli_file("left-out.log", "no table\n"));
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0 && strstr(r.out, "6 samples from 1 of 2 files; left out: 1 file, 2 values\n") != NULL,
                  "%s", r.out);
    cli_free(&r);
    ns_value *root = cli_json(line);
    ck_assert(number_at(root, "left_out.files") == 1 && number_at(root, "left_out.values") == 2);
    ns_value_free(root);
}
