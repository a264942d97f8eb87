/* test_fit_sanity.c -- fitted numbers that no machine has, one at a time: a warning just beyond each bound, none inside
 *
 * A group has one class: alpha in s, and the rate of its longest message through beta.
 */
#include "core/memory.h"
#include "fit/fit.h"
#include "support/test.h"

enum { LONGEST = 1 << 22 }; /* B */

static ns_fit fit;
static ns_fit_group groups[4];
static char *room[8];

static void setup(void)
{
    memset(groups, 0, sizeof groups);
    fit = (ns_fit){.group = groups, .warning = room};
}

static void teardown(void)
{
    for (size_t i = 0; i < fit.warnings; i++)
        ns_free(fit.warning[i]);
}

static void add(ns_memory memory, ns_locality locality, ns_sample_kind kind, double alpha, double rate, double longest)
{
    ns_fit_group *g = &groups[fit.groups++];
    *g = (ns_fit_group){.memory = memory, .locality = locality, .kind = kind, .in_machine = true, .classes = 2};
    /* What the first class says of rates, and the last one of start-ups, must not count. */
    g->of[0] = (ns_fit_class){.most = 1, .line = {.alpha = alpha, .beta = 1}};
    g->of[1] = (ns_fit_class){.most = longest, .line = {.alpha = 1e-9, .beta = 1 / rate - 1e-9 / longest}};
}

/* The only warning has these words; NULL: there is none. */
static void warned(const char *words)
{
    ns_error err = {0};
    ck_assert_msg(ns_fit_sanity(&fit, &err) == NS_OK, "%s", err.text);
    if (words == NULL) {
        ck_assert_msg(fit.warnings == 0, "%s", fit.warnings > 0 ? fit.warning[0] : "");
        return;
    }
    ck_assert_msg(fit.warnings == 1, "%zu warnings, wanted: %s", fit.warnings, words);
    ck_assert_msg(strstr(fit.warning[0], words) != NULL, "%s; wanted: %s", fit.warning[0], words);
}

/* src/fit/sanity.c's bounds, written down again: start-up in s, rate in B/s. */
static const struct {
    ns_memory memory;
    ns_locality locality;
    double least_s, most_s, least_rate, most_rate;
} wide[] = {
    {NS_HOST, NS_ON_SOCKET, 20e-9, 20e-6, 0.1e9, 400e9},   {NS_HOST, NS_ON_NODE, 20e-9, 20e-6, 0.1e9, 400e9},
    {NS_HOST, NS_OFF_NODE, 0.4e-6, 100e-6, 0.05e9, 200e9}, {NS_DEVICE, NS_ON_SOCKET, 50e-9, 200e-6, 0.1e9, 4e12},
    {NS_DEVICE, NS_ON_NODE, 50e-9, 200e-6, 0.1e9, 4e12},   {NS_DEVICE, NS_OFF_NODE, 0.4e-6, 300e-6, 0.05e9, 400e9},
};
enum { BOUNDS = 8 };

TEST_EACH(bounds, BOUNDS *(int)(sizeof wide / sizeof *wide))
{
    const int i = _i / BOUNDS;
    const double of = wide[i].most_s / 2, at = wide[i].most_rate / 2;
    const struct {
        double alpha, rate;
        const char *words;
    } by[BOUNDS] = {
        {1.01 * wide[i].least_s, at, NULL},
        {0.99 * wide[i].least_s, at, "is below every known machine's"},
        {0.99 * wide[i].most_s, at, NULL},
        {1.01 * wide[i].most_s, at, "is above every known machine's"},
        {of, 1.01 * wide[i].least_rate, NULL},
        {of, 0.99 * wide[i].least_rate, "is below every known machine's: are the units right?"},
        {of, 0.99 * wide[i].most_rate, NULL},
        {of, 1.01 * wide[i].most_rate, "is above every known machine's: are the units right?"},
    };
    add(wide[i].memory, wide[i].locality, NS_PING_PONG, by[_i % BOUNDS].alpha, by[_i % BOUNDS].rate, LONGEST);
    warned(by[_i % BOUNDS].words);
}

/* A bound itself is inside. */
TEST(at_a_bound)
{
    add(NS_HOST, NS_ON_NODE, NS_PING_PONG, 20e-9, 1e9, LONGEST);
    add(NS_DEVICE, NS_ON_NODE, NS_PING_PONG, 200e-6, 1e9, LONGEST);
    warned(NULL);
}

/* What is asked when a start-up is too short or too long. */
TEST_EACH(questions, 4)
{
    static const struct {
        ns_locality locality;
        double alpha;
        const char *words;
    } asked[] = {
        {NS_OFF_NODE, 0.3e-6,
         "host off-node: a start-up of 0.3 us is below every known machine's: was it measured inside"},
        {NS_ON_NODE, 1e-9,
         "host on-node: a start-up of 0.001 us is below every known machine's: are these times of one"},
        {NS_ON_NODE, 1e-3,
         "host on-node: a start-up of 1e+03 us is above every known machine's: are these microseconds"},
        {NS_OFF_NODE, 1e-3, "are these microseconds of one message, on an idle machine?"},
    };
    add(NS_HOST, asked[_i].locality, NS_PING_PONG, asked[_i].alpha, 1e9, LONGEST);
    warned(asked[_i].words);
}

/* Streams have no start-up of one message; messages shorter than 64 KiB show no rate; what is not in the machine is not
 * looked at. */
TEST(not_asked)
{
    add(NS_HOST, NS_OFF_NODE, NS_STREAMING, 1e-9, 1e9, LONGEST);
    add(NS_HOST, NS_ON_NODE, NS_PING_PONG, 1e-6, 1e13, 65535);
    add(NS_HOST, NS_ON_SOCKET, NS_PING_PONG, 1, 1, LONGEST);
    groups[2].in_machine = false;
    warned(NULL);
}

TEST(just_long_enough)
{
    add(NS_HOST, NS_ON_NODE, NS_PING_PONG, 1e-6, 1e13, 65536);
    warned("host on-node: 1e+04 GB/s for messages of 65536 B is above");
}

/* Start-ups of host memory by distance: 10 % may be noise. */
TEST_EACH(order, 6)
{
    static const struct {
        ns_locality near, far;
        double near_s, far_s;
        const char *words;
    } pair[] = {
        {NS_ON_SOCKET, NS_ON_NODE, 1.09e-6, 1e-6, NULL},
        {NS_ON_SOCKET, NS_ON_NODE, 1.11e-6, 1e-6,
         "host: messages on-socket start up in 1.11 us, on-node in 1 us: are the loc"},
        {NS_ON_SOCKET, NS_OFF_NODE, 1.09e-6, 1e-6, NULL},
        {NS_ON_SOCKET, NS_OFF_NODE, 1.11e-6, 1e-6, "host: messages on-socket start up in 1.11 us, off-node in 1 us"},
        {NS_ON_NODE, NS_OFF_NODE, 1.09e-6, 1e-6, NULL},
        {NS_ON_NODE, NS_OFF_NODE, 1.11e-6, 1e-6, "host: messages on-node start up in 1.11 us, off-node in 1 us"},
    };
    add(NS_HOST, pair[_i].far, NS_PING_PONG, pair[_i].far_s, 1e9, LONGEST);
    add(NS_HOST, pair[_i].near, NS_PING_PONG, pair[_i].near_s, 1e9, LONGEST);
    warned(pair[_i].words);
}

/* Device memory goes through the same drivers everywhere, and a stream has no start-up to compare. */
TEST(no_order)
{
    add(NS_DEVICE, NS_ON_NODE, NS_PING_PONG, 9e-6, 1e9, LONGEST);
    add(NS_DEVICE, NS_OFF_NODE, NS_PING_PONG, 1e-6, 1e9, LONGEST);
    add(NS_HOST, NS_ON_NODE, NS_PING_PONG, 9e-6, 1e9, LONGEST);
    add(NS_HOST, NS_OFF_NODE, NS_STREAMING, 1e-6, 1e9, LONGEST);
    warned(NULL);
}

/* A node's limit: below 2 TB/s, and not below half of what one pair reaches. */
TEST_EACH(injection, 6)
{
    static const struct {
        double rate;
        bool given, bound;
        const char *words;
    } node[] = {
        {1.99e12, true, true, NULL},
        {2.01e12, true, true,
         "host: R_N of 2.01e+03 GB/s is above every known node's: were the pairs on more than two"},
        {2.01e12, true, false, NULL},
        {2.01e12, false, true, NULL},
        {5.1e9, true, true, NULL},
        {4.9e9, true, true,
         "host: R_N of 4.9 GB/s is below the 10 GB/s of one pair, so it is left out: are the logs of different "
         "systems?"},
    };
    add(NS_HOST, NS_OFF_NODE, NS_PING_PONG, 2e-6, 10e9, LONGEST);
    add(NS_HOST, NS_ON_NODE, NS_PING_PONG, 1e-6, 40e9, LONGEST);
    fit.injection[NS_HOST] = (ns_fit_injection){
        .given = node[_i].given, .bound = node[_i].bound, .memory = NS_HOST, .inverse_R_N = 1 / node[_i].rate};
    warned(node[_i].words);
    ck_assert_int_eq(fit.injection[NS_HOST].given, node[_i].given && node[_i].rate > 5e9);
}

/* A node's limit without a pair to compare it with. */
TEST(injection_alone)
{
    fit.injection[NS_DEVICE] = (ns_fit_injection){.given = true, .bound = true, .inverse_R_N = 1 / 3e12};
    fit.injection[NS_HOST] = (ns_fit_injection){.given = true, .bound = true, .inverse_R_N = 1};
    warned("device: R_N of 3e+03 GB/s is above");
}

TEST_FIXTURE(setup, teardown)
