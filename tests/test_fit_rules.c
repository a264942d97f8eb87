/* test_fit_rules.c -- the rules of a fit at their edges, on logs without noise: what counts and what is said
 *
 * Times are made of known numbers, so that a fit of what should count gives them back to rounding; what must not count
 * is far off.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "support/fits.h"

/* Kind, pairs p, messages n, sizes from, to (B) and step, a (us), b (ns/B), gamma (ns), delta (ns/B), direction: n
 * messages of s bytes in flight between each of p pairs take n (a + b s) + gamma n^2 + delta p n s. */
typedef struct series {
    char kind[30], direction[8];
    int pairs, messages;
    double from, to, step, a, b, gamma, delta;
} series;

static series series_of(const char *text)
{
    series s = {.gamma = 0};
    const int read = sscanf(text, "%29s %d %d %lf %lf %lf %lf %lf %lf %lf %7s", s.kind, &s.pairs, &s.messages, &s.from,
                            &s.to, &s.step, &s.a, &s.b, &s.gamma, &s.delta, s.direction);
    ck_assert_msg(read >= 8, "%s", text);
    return s;
}

enum { SERIES = 6, CHECKS = 8 };

/* A check: "+TEXT" is warned of, "-TEXT" is not, "PATH=NUMBER", "PATH:TEXT", "!PATH" is not there. */
static const struct {
    const char *about, *options;
    const char *of[SERIES];
    const char *checks[CHECKS];
} rules[] = {
    /* ---- classes */
    {"six sizes are enough", "", {"ping-pong 1 1 8 256 2 1 1"}, {"-too few", "classes.0.sizes=6"}},
    {"five are not", "", {"ping-pong 1 1 8 128 2 1 1"}, {"+too few sizes, 5; at least 6 are wanted"}},
    {"from 256 B to 65536 B nothing is extrapolated", "", {"ping-pong 1 1 256 65536 2 1 1"}, {"-was measured"}},
    {"from 512 B to 32768 B, at both ends",
     "",
     {"ping-pong 1 1 512 32768 2 1 1"},
     {"+nothing above 32768 B was measured", "+nothing below 512 B was measured"}},
    {"windows of messages are no latency",
     "",
     {"streaming 1 1 512 32768 2 1 1"},
     {"-was measured", "+nothing but streaming data: alpha is a gap", "classes.0.alpha_s=1e-6"}},
    {"staged messages are no windows",
     "",
     {"staged 1 1 512 32768 2 1 1"},
     {"+nothing but staged data", "-alpha is a gap"}},
    {"a class of three sizes is a line",
     "--switch 64",
     {"ping-pong 1 1 8 256 2 1 1"},
     {"-two sizes make a line", "classes.0.to_B=32", "classes.1.from_B=64", "classes.1.sizes=3"}},
    {"one of two sizes, hardly", "--switch 64", {"ping-pong 1 1 8 128 2 1 1"}, {"+eager: two sizes make a line"}},
    {"one of one size, not",
     "--switch 128",
     {"ping-pong 1 1 8 128 2 1 1"},
     {"+too few sizes from 128 B on: no line for protocol eager", "!classes.1"}},
    {"nor one of none",
     "--switch 256",
     {"ping-pong 1 1 8 128 2 1 1"},
     {"+no sizes from 256 B on: no line for protocol eager", "!classes.1"}},
    {"two classes that part at 1 KiB are short and eager",
     "--switch 1024",
     {"ping-pong 1 1 64 8192 2 1 1"},
     {"classes.0.protocol:short", "classes.1.protocol:eager"}},
    {"above, eager and rendezvous",
     "--switch 1025",
     {"ping-pong 1 1 64 8192 2 1 1"},
     {"classes.0.protocol:eager", "classes.1.protocol:rendezvous", "classes.1.from_B=1025"}},
    {"three are all",
     "--switch 256,2048",
     {"ping-pong 1 1 64 8192 2 1 1"},
     {"classes.0.protocol:short", "classes.1.protocol:eager", "classes.2.protocol:rendezvous"}},
    {"one is eager", "--switch 0", {"ping-pong 1 1 64 8192 2 1 1"}, {"classes.0.protocol:eager", "!classes.1"}},
    /* ---- curves that fall */
    {"by less than a tenth: nothing",
     "--switch 0",
     {"ping-pong 1 1 8 32 2 10 0", "ping-pong 1 1 64 512 2 9.05 0"},
     {"-not monotone"}},
    {"by more, twice",
     "--switch 0",
     {"ping-pong 1 1 8 8 2 10 0", "ping-pong 1 1 16 32 2 8.9 0", "ping-pong 1 1 64 512 2 7.9 0"},
     {"+16 B take over 10 % less than the size before (2 such sizes)"}},
    {"between two classes: nothing",
     "--switch 64",
     {"ping-pong 1 1 8 32 2 10 0", "ping-pong 1 1 64 512 2 5 0"},
     {"-not monotone"}},
    {"at the first sizes of a class",
     "--switch 32",
     {"ping-pong 1 1 8 32 2 10 0", "ping-pong 1 1 64 512 2 5 0"},
     {"+64 B take over 10 % less than the size before (1 such sizes)"}},
    {"at the last sizes of a class",
     "--switch 128",
     {"ping-pong 1 1 8 32 2 10 0", "ping-pong 1 1 64 512 2 5 0"},
     {"+64 B take over 10 % less than the size before (1 such sizes)"}},
    /* ---- pairs */
    {"off node, fewer than four pairs make the line",
     "--kind node-pong",
     {"node-pong 3 1 8 2048 2 2 1", "node-pong 4 1 8 2048 2 20 10"},
     {"classes.0.alpha_s=2e-6", "classes.0.beta_s_per_B=1e-9"}},
    {"four make it where nothing else was measured",
     "--kind node-pong",
     {"node-pong 4 1 8 2048 2 20 10"},
     {"classes.0.alpha_s=2e-5", "classes.0.beta_s_per_B=1e-8"}},
    {"six sizes of single pairs are enough",
     "",
     {"ping-pong 1 1 8 256 2 2 1", "node-pong 2 1 8 2048 2 20 10"},
     {"classes.0.alpha_s=2e-6", "classes.0.sizes=6"}},
    {"five are not: several pairs count as well",
     "",
     {"ping-pong 1 1 8 128 2 2 1", "node-pong 2 1 8 128 2 4 3"},
     {"classes.0.alpha_s=3e-6", "classes.0.beta_s_per_B=2e-9", "classes.0.samples=10"}},
    {"a rate is that of the fewest pairs",
     "",
     {"message-rate 3 1 8 2048 2 2 1", "message-rate 5 1 8 2048 2 20 10"},
     {"classes.0.alpha_s=2e-6", "classes.0.samples=9"}},
    {"a stand-in for ping-pong has one message in flight",
     "",
     {"multi-message 1 1 8 2048 2 2 1", "multi-message 1 2 8 2048 2 20 10"},
     {"classes.0.alpha_s=2e-6", "classes.0.samples=9"}},
    {"and stands aside where there is one",
     "",
     {"multi-message 1 1 8 2048 2 20 10", "ping-pong 1 1 8 2048 2 2 1"},
     {"classes.0.alpha_s=2e-6", "!classes.1"}},
    /* ---- injection */
    {"what a node injects, in both sizes that count",
     "",
     {"ping-pong 1 1 16 1048576 2 2 0.2", "node-pong 4 1 131072 1048576 2 2 0 0 0.1",
      "node-pong 8 1 131072 1048576 2 2 0 0 0.1", "node-pong 3 1 131072 1048576 2 20 7",
      "node-pong 4 1 65536 65536 2 2000 1"},
     {"injection.host.inverse_R_N_s_per_B=1e-10", "injection.host.samples=8", "injection.host.from_B=131072",
      "injection.host.rate_falls_by=0", "-R_N comes from", "-pairs inject"}},
    {"one that three pairs reach already is one all the same",
     "",
     {"ping-pong 1 1 16 1048576 2 2 0.2", "node-pong 3 1 131072 1048576 2 2 0 0 0.1"},
     {"injection.host.inverse_R_N_s_per_B=1e-10", "injection.host.samples=4", "injection.host.best_pairs=3"}},
    {"single pairs do not tell of a node", "", {"ping-pong 1 1 16 1048576 2 2 0.2"}, {"!injection.host"}},
    {"a rate that grows with the pairs is no limit",
     "",
     {"ping-pong 1 1 16 1048576 2 2 0.2", "node-pong 4 1 16 1048576 2 2 0.2"},
     {"+4 pairs do not reach the injection limit", "injection.host.best_pairs=4"}},
    {"nor is one within a tenth",
     "",
     {"ping-pong 1 1 16 1048576 2 2 0.2", "node-pong 4 1 16 1048576 2 2 0.21978"},
     {"+4 pairs do not reach the injection limit"}},
    {"beyond it is",
     "",
     {"ping-pong 1 1 16 1048576 2 2 0.2", "node-pong 4 1 16 1048576 2 2 0.22471910112"},
     {"-do not reach the injection limit", "injection.host.inverse_R_N_s_per_B=5.617977528e-11"}},
    {"a rate that falls by less than a twentieth does not fall",
     "",
     {"ping-pong 1 1 16 1048576 2 2 0.2", "node-pong 4 1 16 1048576 2 2 0 0 0.096",
      "node-pong 8 1 16 1048576 2 2 0 0 0.1"},
     {"injection.host.rate_falls_by=0", "injection.host.best_pairs=4"}},
    {"by more, it does",
     "",
     {"ping-pong 1 1 16 1048576 2 2 0.2", "node-pong 4 1 16 1048576 2 2 0 0 0.09",
      "node-pong 8 1 16 1048576 2 2 0 0 0.1"},
     {"injection.host.rate_falls_by=0.1", "+8 pairs inject 10 % less than 4 do", "-is one number for a range"}},
    {"rates that differ by more than half are a range",
     "",
     {"ping-pong 1 1 16 1048576 2 2 0.2", "node-pong 4 1 16 1048576 2 2 0 0 0.1",
      "node-pong 8 1 16 1048576 2 2 0 0 0.16"},
     {"+4 and more pairs inject 6.25 to 10 GB/s", "injection.host.rate_falls_by=0.375"}},
    {"by less they are not",
     "",
     {"ping-pong 1 1 16 1048576 2 2 0.2", "node-pong 4 1 16 1048576 2 2 0 0 0.1",
      "node-pong 8 1 16 1048576 2 2 0 0 0.14"},
     {"-is one number for a range"}},
    {"message rates stand for it",
     "",
     {"message-rate 2 1 16 1048576 2 0 0.1", "message-rate 4 1 16 1048576 2 0 0 0 0.1"},
     {"+R_N comes from message-rate data, windows of messages", "injection.host.inverse_R_N_s_per_B=1e-10"}},
    /* ---- copies */
    {"waits for a turn end where times fall to less than half",
     "",
     {"copy 2 1 4 2048 2 400 0 0 0 d2h", "copy 2 1 4096 524288 2 10 1 0 0 d2h", "copy 8 1 4 512 2 100 0 0 0 d2h",
      "copy 8 1 1024 524288 2 20 2 0 0 d2h"},
     {"+copies by 2 to 8 processes: those below 4096 B take up to 28 times as long", "copies.0.alpha_s=1e-5",
      "copies.0.from_B=4096", "copies.0.sizes=8", "copies.0.samples=18", "copies.1.beta_s_per_B=2e-9",
      "copies.1.from_B=1024", "copies.1.processes=8"}},
    {"to more than half they do not",
     "",
     {"copy 2 1 4 2048 2 20 0 0 0 d2h", "copy 2 1 4096 65536 2 10.2 0 0 0 d2h"},
     {"-waiting for their turn", "copies.0.from_B=4", "copies.0.sizes=15", "copies.0.to_B=65536"}},
    {"three sizes are enough behind a wait",
     "",
     {"copy 2 1 4 2048 2 400 0 0 0 h2d", "copy 2 1 4096 16384 2 10 1 0 0 h2d"},
     {"+those below 4096 B", "copies.0.sizes=3", "copies.0.direction:h2d"}},
    {"two are not",
     "",
     {"copy 2 1 4 2048 2 400 0 0 0 h2d", "copy 2 1 4096 8192 2 10 1 0 0 h2d"},
     {"-waiting for their turn", "copies.0.sizes=12"}},
    {"one size is no copy's line", "", {"copy 2 1 4 4 2 400 0 0 0 h2d"}, {"!copies.0"}},
    /* ---- queue and contention */
    {"contention is fitted up to sixteen messages, after the queue",
     "",
     {"ping-pong 1 1 1 131072 2 2 0.3", "contention 8 2 1024 65536 8 2 0.3 7 0.2",
      "contention 8 16 1024 65536 8 2 0.3 7 0.2", "contention 8 17 1024 65536 8 2 0.3 7 2",
      "queue-reversed 1 32 64 64 2 2 0.3 7", "queue-reversed 1 512 64 64 2 2 0.3 7"},
     {"contention_delta.value=2e-10", "contention_delta.samples=6", "queue_gamma.value=7e-9", "queue_gamma.samples=2",
      "!queue_gamma_in_order"}},
    {"two samples make a gamma, in either order",
     "",
     {"ping-pong 1 1 1 131072 2 2 0.3", "queue-in-order 1 32 64 128 2 2 0.3 3"},
     {"queue_gamma_in_order.value=3e-9", "queue_gamma_in_order.samples=2", "!queue_gamma"}},
    {"one does not",
     "",
     {"ping-pong 1 1 1 131072 2 2 0.3", "queue-reversed 1 32 64 64 2 2 0.3 3"},
     {"!queue_gamma", "+gamma wants ping-pong data of the same memory and locality beside the queue-reversed data"}},
    /* ---- collectives */
    {"a collective of three sizes has a line",
     "",
     {"ping-pong 1 1 8 256 2 1 1", "collective 16 1 64 256 2 5 2"},
     {"collectives.0.processes=16", "collectives.0.sizes=3", "collectives.0.first_s=5.128e-6",
      "collectives.0.last_s=5.512e-6", "collectives.0.alpha_s=5e-6", "collectives.0.beta_s_per_B=2e-9",
      "!collectives.1"}},
    {"one of two has none",
     "",
     {"ping-pong 1 1 8 256 2 1 1", "collective 16 1 64 128 2 5 2", "collective 32 1 64 256 2 7 2"},
     {"collectives.0.sizes=2", "!collectives.0.alpha_s", "collectives.1.processes=32", "collectives.1.alpha_s=7e-6"}},
};

static const char *log_of(int rule)
{
    static char text[65536], name[40];
    size_t used = (size_t)snprintf(text, sizeof text, "bytes,us,kind,pairs,messages,direction,memory,name\n");
    for (int i = 0; i < SERIES && rules[rule].of[i] != NULL; i++) {
        const series s = series_of(rules[rule].of[i]);
        const double n = s.messages;
        for (double x = s.from; x <= s.to; x *= s.step)
            used += (size_t)snprintf(text + used, sizeof text - used, "%.0f,%.12g,%s,%d,%d,%s,%s,%s\n", x,
                                     n * (s.a + 1e-3 * s.b * x) + 1e-3 * (s.gamma * n * n + s.delta * s.pairs * n * x),
                                     s.kind, s.pairs, s.messages, s.direction,
                                     strcmp(s.kind, "copy") == 0 ? "device" : "host",
                                     strcmp(s.kind, "collective") == 0 ? "allreduce" : "");
    }
    ck_assert_uint_lt(used, sizeof text);
    snprintf(name, sizeof name, "rule-%d.csv", rule);
    return cli_file(name, text);
}

static void check(const char *about, const ns_value *root, const char *wanted)
{
    char path[100];
    const size_t length = strcspn(wanted, "=:");
    if (*wanted == '+' || *wanted == '-')
        ck_assert_msg(fits_warns(root, wanted + 1) == (*wanted == '+'), "%s: %s", about, wanted);
    else if (*wanted == '!') {
        const ns_value *value = ns_value_at(root, wanted + 1);
        ck_assert_msg(value == NULL || value->kind == NS_NULL, "%s: there is %s", about, wanted + 1);
    } else {
        snprintf(path, sizeof path, "%.*s", (int)length, wanted);
        ck_assert_msg(ns_value_at(root, path) != NULL, "%s: no %s", about, path);
        if (wanted[length] == ':')
            ck_assert_str_eq(fits_text(root, path), wanted + length + 1);
        else {
            const double value = fits_number(root, path), number = strtod(wanted + length + 1, NULL);
            ck_assert_msg(fabs(value - number) <= 1e-6 * fabs(number), "%s: %s is %.10g, wanted %s", about, path, value,
                          wanted + length + 1);
        }
    }
}

START_TEST(test_rule)
{
    char line[600];
    snprintf(line, sizeof line, "fit %s --locality off-node %s", log_of(_i), rules[_i].options);
    ns_value *root = cli_json(line);
    for (int i = 0; i < CHECKS && rules[_i].checks[i] != NULL; i++)
        check(rules[_i].about, root, rules[_i].checks[i]);
    ns_value_free(root);
}
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("fit rules");
    TCase *tc = tcase_create("rules");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, test_rule, 0, sizeof rules / sizeof *rules);
    suite_add_tcase(s, tc);
    return s;
}
