/* test_fit_limits.c -- at which sizes, pairs and rates a fit takes one side or the other, on logs without noise
 *
 * Times are made of known numbers, so that a fit of what should count gives them back to rounding; what must not count
 * is far off.
 */
#include "core/memory.h"
#include "fit/cells.h"
#include "fit/fit.h"
#include "oracle/oracle.h"
#include "support/fit_cases.h"
#include "support/test.h"

/* One pair alone: us, of 2 or, inside a node, 1 and of each byte. */
#define FAST "ping-pong 1 1 16 1048576 2 2 0.2"

static const fit_case cases[] = {
    /* ---- classes */
    {"six sizes are enough", .of = {"ping-pong 1 1 8 256 2 1 1"}, .checks = {"-too few", "classes.0.sizes=6"}},
    {"five are not", .of = {"ping-pong 1 1 8 128 2 1 1"}, .checks = {"+too few sizes, 5; at least 6 are wanted"}},
    {"from 256 B to 65536 B nothing is extrapolated", .of = {"ping-pong 1 1 256 65536 2 1 1"},
     .checks = {"-was measured"}},
    {"from 512 B to 32768 B, at both ends", .of = {"ping-pong 1 1 512 32768 2 1 1"},
     .checks = {"+nothing above 32768 B was measured", "+nothing below 512 B was measured"}},
    {"windows of messages are no latency", .of = {"streaming 1 1 512 32768 2 1 1"},
     .checks = {"-was measured", "+nothing but streaming data: alpha is a gap", "classes.0.alpha_s=1e-6"}},
    {"staged messages are no windows", .of = {"staged 1 1 512 32768 2 1 1"},
     .checks = {"+nothing but staged data", "-alpha is a gap"}},
    {"a class of three sizes is a line", .of = {"--switch 64", "ping-pong 1 1 8 256 2 1 1"},
     .checks = {"-two sizes make a line", "classes.0.to_B=32", "classes.1.from_B=64", "classes.1.sizes=3"}},
    {"one of two sizes, hardly", .of = {"--switch 64", "ping-pong 1 1 8 128 2 1 1"},
     .checks = {"+eager: two sizes make a line"}},
    {"one of one size, not", .of = {"--switch 128", "ping-pong 1 1 8 128 2 1 1"},
     .checks = {"+too few sizes from 128 B on: no line for protocol eager", "!classes.1"}},
    {"nor one of none", .of = {"--switch 256", "ping-pong 1 1 8 128 2 1 1"},
     .checks = {"+no sizes from 256 B on: no line for protocol eager", "!classes.1"}},
    {"two classes that part at 1 KiB are short and eager", .of = {"--switch 1024", "ping-pong 1 1 64 8192 2 1 1"},
     .checks = {"classes.0.protocol:short", "classes.1.protocol:eager"}},
    {"above, eager and rendezvous", .of = {"--switch 1025", "ping-pong 1 1 64 8192 2 1 1"},
     .checks = {"classes.0.protocol:eager", "classes.1.protocol:rendezvous", "classes.1.from_B=1025"}},
    {"three are all", .of = {"--switch 256,2048", "ping-pong 1 1 64 8192 2 1 1"},
     .checks = {"classes.0.protocol:short", "classes.1.protocol:eager", "classes.2.protocol:rendezvous"}},
    {"those of its memory count",
     .of = {"--switch 1025 --switch host=256,2048 --switch device=512", "ping-pong 1 1 64 8192 2 1 1"},
     .checks = {"classes.1.from_B=256", "classes.2.from_B=2048"}},
    {"those of another do not",
     .of = {"--switch 256,2048 --switch device=512", "ping-pong 1 1 64 8192 2 1 1"},
     .checks = {"classes.1.from_B=256", "classes.2.from_B=2048"}},
    {"one is eager", .of = {"--switch 0", "ping-pong 1 1 64 8192 2 1 1"},
     .checks = {"classes.0.protocol:eager", "!classes.1"}},
    /* ---- curves that fall */
    {"by less than a tenth: nothing",
     .of = {"--switch 0", "ping-pong 1 1 8 32 2 10 0", "ping-pong 1 1 64 512 2 9.05 0"}, .checks = {"-not monotone"}},
    {"by more, twice",
     .of = {"--switch 0", "ping-pong 1 1 8 8 2 10 0", "ping-pong 1 1 16 32 2 8.9 0", "ping-pong 1 1 64 512 2 7.9 0"},
     .checks = {"+16 B take over 10 % less than the size before (2 such sizes)"}},
    {"between two classes: nothing", .of = {"--switch 64", "ping-pong 1 1 8 32 2 10 0", "ping-pong 1 1 64 512 2 5 0"},
     .checks = {"-not monotone"}},
    {"at the first sizes of a class", .of = {"--switch 32", "ping-pong 1 1 8 32 2 10 0", "ping-pong 1 1 64 512 2 5 0"},
     .checks = {"+64 B take over 10 % less than the size before (1 such sizes)"}},
    {"at the last sizes of a class", .of = {"--switch 128", "ping-pong 1 1 8 32 2 10 0", "ping-pong 1 1 64 512 2 5 0"},
     .checks = {"+64 B take over 10 % less than the size before (1 such sizes)"}},
    /* ---- pairs */
    {"off node, fewer than four pairs make the line",
     .of = {"--kind node-pong", "node-pong 3 1 8 2048 2 2 1", "node-pong 4 1 8 2048 2 20 10"},
     .checks = {"classes.0.alpha_s=2e-6", "classes.0.beta_s_per_B=1e-9"}},
    {"four make it where nothing else was measured", .of = {"--kind node-pong", "node-pong 4 1 8 2048 2 20 10"},
     .checks = {"classes.0.alpha_s=2e-5", "classes.0.beta_s_per_B=1e-8"}},
    {"six sizes of single pairs are enough", .of = {"ping-pong 1 1 8 256 2 2 1", "node-pong 2 1 8 2048 2 20 10"},
     .checks = {"classes.0.alpha_s=2e-6", "classes.0.sizes=6"}},
    {"five are not: several pairs count as well", .of = {"ping-pong 1 1 8 128 2 2 1", "node-pong 2 1 8 128 2 4 3"},
     .checks = {"classes.0.alpha_s=3e-6", "classes.0.beta_s_per_B=2e-9", "classes.0.samples=10"}},
    {"a rate is that of the fewest pairs", .of = {"message-rate 3 1 8 2048 2 2 1", "message-rate 5 1 8 2048 2 20 10"},
     .checks = {"classes.0.alpha_s=2e-6", "classes.0.samples=9"}},
    {"a stand-in for ping-pong has one message in flight",
     .of = {"multi-message 1 1 8 2048 2 2 1", "multi-message 1 2 8 2048 2 20 10"},
     .checks = {"classes.0.alpha_s=2e-6", "classes.0.samples=9"}},
    {"and stands aside where there is one", .of = {"multi-message 1 1 8 2048 2 20 10", "ping-pong 1 1 8 2048 2 2 1"},
     .checks = {"classes.0.alpha_s=2e-6", "!classes.1"}},
    /* ---- injection */
    {"what a node injects, in both sizes that count",
     .of = {FAST, "node-pong 4 1 131072 1048576 2 2 0 0 0.1", "node-pong 8 1 131072 1048576 2 2 0 0 0.1",
            "node-pong 3 1 131072 1048576 2 20 7", "node-pong 4 1 65536 65536 2 2000 1"},
     .checks = {"injection.host.inverse_R_N_s_per_B=1e-10", "injection.host.samples=8", "injection.host.from_B=131072",
                "injection.host.rate_falls_by=0", "-R_N comes from", "-pairs inject"}},
    {"one that three pairs reach already is one all the same", .of = {FAST, "node-pong 3 1 131072 1048576 2 2 0 0 0.1"},
     .checks = {"injection.host.inverse_R_N_s_per_B=1e-10", "injection.host.samples=4", "injection.host.best_pairs=3"}},
    {"single pairs do not tell of a node", .of = {FAST}, .checks = {"!injection.host"}},
    {"a rate that grows with the pairs is no limit", .of = {FAST, "node-pong 4 1 16 1048576 2 2 0.2"},
     .checks = {"+4 pairs do not reach the injection limit", "injection.host.best_pairs=4"}},
    {"nor is one within a tenth", .of = {FAST, "node-pong 4 1 16 1048576 2 2 0.21978"},
     .checks = {"+4 pairs do not reach the injection limit"}},
    {"whatever stands first in the log", .of = {"node-pong 4 1 16 1048576 2 2 0.21978", FAST},
     .checks = {"+4 pairs do not reach the injection limit"}},
    {"beyond it is", .of = {FAST, "node-pong 4 1 16 1048576 2 2 0.22471910112"},
     .checks = {"-do not reach the injection limit", "injection.host.inverse_R_N_s_per_B=5.617977528e-11"}},
    {"a rate that falls by less than a twentieth does not fall",
     .of = {FAST, "node-pong 4 1 16 1048576 2 2 0 0 0.096", "node-pong 8 1 16 1048576 2 2 0 0 0.1"},
     .checks = {"injection.host.rate_falls_by=0", "injection.host.best_pairs=4"}},
    {"by more, it does", .of = {FAST, "node-pong 4 1 16 1048576 2 2 0 0 0.09", "node-pong 8 1 16 1048576 2 2 0 0 0.1"},
     .checks = {"injection.host.rate_falls_by=0.1", "+8 pairs inject 10 % less than 4 do",
                "-is one number for a range"}},
    {"rates that differ by more than half are a range",
     .of = {FAST, "node-pong 4 1 16 1048576 2 2 0 0 0.1", "node-pong 8 1 16 1048576 2 2 0 0 0.16"},
     .checks = {"+4 and more pairs inject 6.25 to 10 GB/s", "injection.host.rate_falls_by=0.375"}},
    {"by less they are not",
     .of = {FAST, "node-pong 4 1 16 1048576 2 2 0 0 0.1", "node-pong 8 1 16 1048576 2 2 0 0 0.14"},
     .checks = {"-is one number for a range"}},
    {"message rates stand for it",
     .of = {"message-rate 2 1 16 1048576 2 0 0.1", "message-rate 4 1 16 1048576 2 0 0 0 0.1"},
     .checks = {"+R_N comes from message-rate data, windows of messages", "injection.host.inverse_R_N_s_per_B=1e-10"}},
    {"windows of several pairs alone let one alone reach the rate of all", .of = {"message-rate 4 1 8 2048 2 2 1"},
     .checks = {"+4 pairs at once and none alone"}},
    {"of one pair they do not", .of = {"message-rate 1 1 8 2048 2 2 1"}, .checks = {"-at once and none alone"}},
    {"windows of too few sizes tell nothing of LogGP", .of = {"ping-pong 1 1 8 2048 2 2 1", "streaming 1 1 8 16 2 1 1"},
     .checks = {"!loggp.L.value", "!loggp.g.value"}},
    /* ---- copies */
    {"waits for a turn end where times fall to less than half",
     .of = {"copy 2 1 4 2048 2 400 0 0 0 0 d2h", "copy 2 1 4096 524288 2 10 1 0 0 0 d2h",
            "copy 8 1 4 512 2 100 0 0 0 0 d2h", "copy 8 1 1024 524288 2 20 2 0 0 0 d2h"},
     .checks = {"+copies by 2 to 8 processes: those below 4096 B take up to 28 times as long", "copies.0.alpha_s=1e-5",
                "copies.0.from_B=4096", "copies.0.sizes=8", "copies.0.samples=18", "copies.1.beta_s_per_B=2e-9",
                "copies.1.from_B=1024", "copies.1.processes=8"}},
    {"to more than half they do not",
     .of = {"copy 2 1 4 2048 2 20 0 0 0 0 d2h", "copy 2 1 4096 65536 2 10.2 0 0 0 0 d2h"},
     .checks = {"-waiting for their turn", "copies.0.from_B=4", "copies.0.sizes=15", "copies.0.to_B=65536"}},
    {"three sizes are enough behind a wait",
     .of = {"copy 2 1 4 2048 2 400 0 0 0 0 h2d", "copy 2 1 4096 16384 2 10 1 0 0 0 h2d"},
     .checks = {"+those below 4096 B", "copies.0.sizes=3", "copies.0.direction:h2d"}},
    {"two are not", .of = {"copy 2 1 4 2048 2 400 0 0 0 0 h2d", "copy 2 1 4096 8192 2 10 1 0 0 0 h2d"},
     .checks = {"-waiting for their turn", "copies.0.sizes=12"}},
    {"one size is no copy's line", .of = {"copy 2 1 4 4 2 400 0 0 0 0 h2d"}, .checks = {"!copies.0"}},
    /* ---- queue and contention */
    {"contention is fitted up to sixteen messages, after the queue",
     .of = {"ping-pong 1 1 1 131072 2 2 0.3", "contention 8 2 1024 65536 8 2 0.3 7 0.2",
            "contention 8 16 1024 65536 8 2 0.3 7 0.2", "contention 8 17 1024 65536 8 2 0.3 7 2",
            "queue-reversed 1 32 64 64 2 2 0.3 7", "queue-reversed 1 512 64 64 2 2 0.3 7"},
     .checks = {"contention_delta.value=2e-10", "contention_delta.samples=6",
                "machine.network.contention.delta:0.2 ns/B", "queue_gamma.value=7e-9", "queue_gamma.samples=2",
                "!queue_gamma_in_order"}},
    {"a class of two sizes is a base, whichever of them it is asked for",
     .of = {"--switch 64", "ping-pong 1 1 8 128 2 2 0.3", "queue-reversed 1 32 64 64 2 2 0.3 7",
            "queue-reversed 1 512 128 128 2 2 0.3 7"},
     .checks = {"queue_gamma.value=7e-9", "queue_gamma.samples=2"}},
    {"two samples make a gamma, in either order",
     .of = {"ping-pong 1 1 1 131072 2 2 0.3", "queue-in-order 1 32 64 128 2 2 0.3 3"},
     .checks = {"queue_gamma_in_order.value=3e-9", "queue_gamma_in_order.samples=2", "!queue_gamma"}},
    {"one does not", .of = {"ping-pong 1 1 1 131072 2 2 0.3", "queue-reversed 1 32 64 64 2 2 0.3 3"},
     .checks = {"!queue_gamma",
                "+gamma wants ping-pong data of the same memory and locality beside the queue-reversed data"}},
    /* ---- collectives */
    {"a collective of three sizes has a line", .of = {"ping-pong 1 1 8 256 2 1 1", "collective 16 1 64 256 2 5 2"},
     .checks = {"collectives.0.processes=16", "collectives.0.sizes=3", "collectives.0.first_s=5.128e-6",
                "collectives.0.last_s=5.512e-6", "collectives.0.alpha_s=5e-6", "collectives.0.beta_s_per_B=2e-9",
                "!collectives.1"}},
    {"one of two has none",
     .of = {"ping-pong 1 1 8 256 2 1 1", "collective 16 1 64 128 2 5 2", "collective 32 1 64 256 2 7 2"},
     .checks = {"collectives.0.sizes=2", "!collectives.0.alpha_s", "collectives.1.processes=32",
                "collectives.1.alpha_s=7e-6"}},
};

TEST_EACH(test_case, sizeof cases / sizeof *cases)
{
    fit_case_holds(&cases[_i], _i);
}

/* ---- tables of many pairs at once: what a node shares, and its start-up while all send --------------------------- */

enum { MOST = 64, PAIRS = 8 };

static ns_sample sample[MOST];
static ns_log log_of;
static ns_fit_group group;
static ns_fit fit;

static void setup(void)
{
    log_of = (ns_log){.sample = sample};
    group = (ns_fit_group){.locality = NS_ON_NODE, .in_machine = true, .classes = 1, .of = {{.protocol = NS_EAGER}}};
    fit = (ns_fit){.group = &group, .groups = 1, .options.processes = 2 * PAIRS - 1};
}

static ns_sample *add(ns_sample_kind kind, ns_locality locality, int pairs, double bytes, double seconds)
{
    ck_assert_uint_lt(log_of.samples, MOST);
    sample[log_of.samples] = (ns_sample){
        .kind = kind, .locality = locality, .pairs = pairs, .messages = 1, .bytes = bytes, .seconds = seconds};
    return &sample[log_of.samples++];
}

static void fit_all(void)
{
    ns_error err = {0};
    ck_assert_msg(ns_fit_loaded_tables(&fit, &log_of, &err) == NS_OK, "%s", err.text);
}

/* ---- off node: the median of times up to 512 B ------------------------------------------------------------------- */

static const double time_us[] = {3, 1, 2, 9, 4, 5, 8};

static void add_times(int count)
{
    for (int i = 0; i < count; i++)
        add(NS_NODE_PONG, NS_OFF_NODE, PAIRS, 512 >> i, 1e-6 * time_us[i]);
    add(NS_NODE_PONG, NS_OFF_NODE, PAIRS, 513, 1);
    add(NS_NODE_PONG, NS_OFF_NODE, PAIRS - 1, 8, 1);
    add(NS_NODE_PONG, NS_ON_NODE, PAIRS + 8, 8, 1);
    add(NS_NODE_PONG, NS_OFF_NODE, PAIRS + 8, 8, 1)->memory = NS_DEVICE;
    add(NS_MULTI_MESSAGE, NS_OFF_NODE, PAIRS, 8, 1);
}

/* Error: 1.4826 x 1.2533 / sqrt n of the median distance, which is of {0, 1, 1, 2, 3, 4, 5} and {0.5, 0.5, 1.5, 1.5,
 * 2.5, 5.5} us. */
TEST_EACH(start_up, 4)
{
    const struct {
        int count;
        double median_us, distance_us;
    } of[] = {{7, 4, 2}, {6, 3.5, 1.5}, {4, 2.5, 1}, {3, 2, 1}};
    const ns_fit_loaded *s = &fit.start_up[NS_HOST];
    add_times(of[_i].count);
    fit_all();
    ck_assert(s->number.given);
    ck_assert_int_eq(s->pairs, PAIRS);
    ck_assert_uint_eq(s->number.samples, (size_t)of[_i].count);
    ck_assert_double_eq_tol(s->number.value, 1e-6 * of[_i].median_us, 1e-15);
    ck_assert_double_eq_tol(s->number.se, 1.4826 * 1.2533 * 1e-6 * of[_i].distance_us / sqrt(of[_i].count), 1e-15);
}

/* Two sizes are no table; half of the processes, or three pairs, do not load a node; a ping-pong is of one pair,
 * whatever its row says. */
TEST_EACH(no_start_up, 4)
{
    if (_i == 0)
        add_times(2);
    else
        add_times(7);
    if (_i == 1)
        fit.options.processes = 2 * PAIRS;
    for (size_t i = 0; i < log_of.samples; i++)
        if (_i == 2)
            sample[i].pairs = 3;
        else if (_i == 3 && sample[i].kind == NS_NODE_PONG)
            sample[i].kind = NS_PING_PONG;
    if (_i == 2)
        fit.options.processes = 1;
    fit_all();
    ck_assert(!fit.start_up[NS_HOST].number.given);
}

/* ---- inside a node: T = a + 2 p L s ------------------------------------------------------------------------------ */

/* One pair takes 1 ns/B; the processes' share of the limit is `share` of that. */
static void add_lines(double share)
{
    const double limit = share * 1e-9 / fit.options.processes;
    for (int s = 1024; s <= 1 << 14; s *= 2) {
        add(NS_NODE_PONG, NS_ON_NODE, PAIRS, s, 3e-6 + 2 * PAIRS * limit * s);
        add(NS_NODE_PONG, NS_ON_NODE, 2, s, 2e-6 + 1e-9 * s);
        add(NS_NODE_PONG, NS_ON_NODE, 5, s, 1);
    }
}

TEST_EACH(limit, 3)
{
    const double shares[] = {3, 1.11, 1.09};
    const ns_fit_loaded *of = &fit.limit[NS_HOST][NS_ON_NODE];
    add_lines(shares[_i]);
    fit_all();
    ck_assert_int_eq(of->number.given, shares[_i] > 1.1);
    ck_assert(!fit.limit[NS_HOST][NS_ON_SOCKET].number.given && !fit.limit[NS_DEVICE][NS_ON_NODE].number.given);
    if (!of->number.given)
        return;
    ck_assert_int_eq(of->pairs, PAIRS);
    ck_assert_uint_eq(of->number.samples, 5);
    ck_assert_double_eq_tol(of->number.value, shares[_i] * 1e-9 / (2 * PAIRS - 1), 1e-9 * 1e-9);
}

/* Sizes of a rendezvous are not of the limit's line. */
TEST(below_rendezvous)
{
    group.classes = 2;
    group.of[1] = (ns_fit_class){.protocol = NS_RENDEZVOUS, .from = 4096};
    add_lines(3);
    fit_all(); /* two sizes are left */
    ck_assert(!fit.limit[NS_HOST][NS_ON_NODE].number.given);
    group.of[1].from = 8192;
    fit_all();
    ck_assert_uint_eq(fit.limit[NS_HOST][NS_ON_NODE].number.samples, 3);
}

/* Messages in flight of as many pairs hold the limit already; fewer pairs, another place or memory, or one message do
 * not; and more than half of the processes have to take part. */
TEST_EACH(already_held, 9)
{
    const struct {
        ns_sample_kind kind;
        ns_memory memory;
        ns_locality locality;
        int pairs, messages, processes;
        bool given;
    } by[] = {
        {NS_MULTI_MESSAGE, NS_HOST, NS_ON_NODE, PAIRS, 2, 15, false},
        {NS_QUEUE_IN_ORDER, NS_HOST, NS_ON_NODE, PAIRS + 1, 2, 15, false},
        {NS_QUEUE_REVERSED, NS_HOST, NS_ON_NODE, PAIRS, 2, 15, true},
        {NS_MULTI_MESSAGE, NS_DEVICE, NS_ON_NODE, PAIRS, 2, 15, true},
        {NS_MULTI_MESSAGE, NS_HOST, NS_ON_SOCKET, PAIRS, 2, 15, true},
        {NS_MULTI_MESSAGE, NS_HOST, NS_ON_NODE, PAIRS - 1, 2, 15, true},
        {NS_MULTI_MESSAGE, NS_HOST, NS_ON_NODE, PAIRS, 1, 15, true},
        {NS_MULTI_MESSAGE, NS_DEVICE, NS_OFF_NODE, 1, 1, 31, true},
        {NS_MULTI_MESSAGE, NS_DEVICE, NS_OFF_NODE, 1, 1, 32, false},
    };
    fit.options.processes = by[_i].processes;
    add_lines(3);
    ns_sample *s = add(by[_i].kind, by[_i].locality, by[_i].pairs, 1024, 1);
    s->memory = by[_i].memory;
    s->messages = by[_i].messages;
    fit_all();
    ck_assert_int_eq(fit.limit[NS_HOST][NS_ON_NODE].number.given, by[_i].given);
}

/* ---- what a node injects, how many processes it has -------------------------------------------------------------- */

/* Repeats in any order: their median counts, and nothing is as often as it was measured. */
TEST(repeats)
{
    static const double factor[] = {1.3, 1, 0.9, 0.8, 1};
    const int times[] = {1, 3, 5};
    double inverse[3];
    for (int way = 0; way < 3; way++) {
        setup();
        group.locality = NS_OFF_NODE;
        group.of[0] = (ns_fit_class){.protocol = NS_EAGER, .line = {.alpha = 2e-6, .beta = 1e-10}};
        for (int pairs = 4; pairs <= 8; pairs *= 2)
            for (int r = 0; r < times[way]; r++)
                for (int s = 1 << 18; s <= 1 << 20; s *= 2)
                    add(NS_NODE_PONG, NS_OFF_NODE, pairs, s,
                        (2e-6 + pairs * 4e-11 * s * (s == 1 << 20 ? 1.02 : 1)) * (way == 0 ? 1 : factor[r]));
        ns_error err = {0};
        ck_assert_msg(ns_fit_injections(&fit, &log_of, &err) == NS_OK, "%s", err.text);
        const ns_fit_injection *i = &fit.injection[NS_HOST];
        ck_assert(i->inverse_R_N > 0 && i->rates == 2);
        ck_assert_int_eq(i->rate[0].pairs, 4);
        ck_assert_int_eq(i->rate[1].pairs, 8);
        inverse[way] = i->inverse_R_N;
        ns_free(i->rate);
    }
    ck_assert_double_eq_tol(inverse[0] / 4e-11, 1, 0.03);
    ck_assert_double_eq_tol(inverse[1], inverse[0], 1e-12 * inverse[0]);
    ck_assert_double_eq_tol(inverse[2], inverse[0], 1e-12 * inverse[0]);
}

/* Pairs between nodes are one process of each, inside a node two; more than 512 are no node's, more than 16 have no GPU
 * each; a copy or an allreduce says nothing. */
TEST_EACH(processes, 12)
{
    static const struct {
        ns_sample_kind kind;
        ns_locality locality;
        bool stated, device;
        int pairs, processes, gpus;
    } of[] = {
        {NS_NODE_PONG, NS_OFF_NODE, true, false, 512, 512, 0}, {NS_NODE_PONG, NS_OFF_NODE, true, false, 513, 0, 0},
        {NS_NODE_PONG, NS_ON_NODE, true, false, 9, 18, 0},     {NS_NODE_PONG, NS_ON_NODE, false, false, 9, 9, 0},
        {NS_NODE_PONG, NS_ON_NODE, true, true, 8, 16, 16},     {NS_NODE_PONG, NS_OFF_NODE, true, true, 17, 17, 0},
        {NS_PING_PONG, NS_ON_SOCKET, true, true, 0, 2, 2},     {NS_COPY_SAMPLE, NS_OFF_NODE, true, true, 4, 0, 0},
        {NS_COLLECTIVE, NS_OFF_NODE, true, false, 64, 0, 0},   {NS_STAGED, NS_OFF_NODE, true, true, 3, 3, 3},
        {NS_CONTENTION, NS_OFF_NODE, true, false, 3, 0, 0},    {NS_ONE_SIDED, NS_ON_NODE, true, false, 3, 6, 0},
    };
    ns_sample *s = add(of[_i].kind, of[_i].locality, of[_i].pairs, 8, 1e-6);
    s->locality_stated = of[_i].stated;
    s->memory = of[_i].device ? NS_DEVICE : NS_HOST;
    ns_fit_count_processes(&fit, &log_of);
    ck_assert_int_eq(fit.most_processes, of[_i].processes);
    ck_assert_int_eq(fit.most_gpus, of[_i].gpus);
}

/* ---- cells of samples -------------------------------------------------------------------------------------------- */

static bool is_streaming(const ns_sample *s, const void *context)
{
    (void)context;
    return s->kind == NS_STREAMING;
}

/* 3 numbers of pairs, 4 of messages, 5 sizes, of each 1 to 3 times, in any order and with others between them: a cell
 * each, ascending, of the median time of one message. */
TEST(cells)
{
    enum { COUNTS = 3, MESSAGES = 4, SIZES = 5, CELLS = COUNTS * MESSAGES * SIZES, ALL = 3 * CELLS + CELLS };
    static const double factor[3][3] = {{1}, {0.5, 2}, {3, 1, 0.25}}, middle[] = {1, 1.25, 1};
    static ns_sample shuffled[ALL];
    oracle_random random = {8};
    size_t used = 0, kept = 0, count = 0, samples = 0;
    ns_cell *list;
    for (int i = 0; i < CELLS; i++) {
        const int pairs = 1 << i % COUNTS, messages = 1 + i / COUNTS % MESSAGES, size = i / COUNTS / MESSAGES;
        for (int k = 0; k <= i % 3; k++, kept++)
            shuffled[used++] = (ns_sample){.kind = NS_STREAMING,
                                           .pairs = pairs,
                                           .messages = messages,
                                           .bytes = 100 << size,
                                           .seconds = factor[i % 3][k] * messages * (1 + i)};
        shuffled[used++] = (ns_sample){.kind = NS_PING_PONG, .pairs = 1, .messages = 1, .bytes = 1, .seconds = 1};
    }
    for (size_t i = used - 1; i > 0; i--) {
        const size_t k = (size_t)oracle_below(&random, (int64_t)i + 1);
        const ns_sample moved = shuffled[i];
        shuffled[i] = shuffled[k];
        shuffled[k] = moved;
    }
    const ns_log log = {.sample = shuffled, .samples = used};
    ck_assert_int_eq(ns_cells_collect(&log, is_streaming, NULL, NS_CELLS_BY_MESSAGES, NS_STATISTIC_MEDIAN, &list,
                                          &count, &samples, NULL),
                         NS_OK);
    ck_assert_uint_eq(samples, kept);
    ck_assert_uint_eq(count, CELLS);
    ck_assert_uint_eq(ns_cells_sizes(list, count), SIZES);
    ck_assert_uint_eq(ns_cells_sizes(list, 2), 2);
    ck_assert_uint_eq(ns_cells_sizes(list, 0), 0);
    for (int at = 0; at < CELLS; at++) {
        const int size = at % SIZES, messages = at / SIZES % MESSAGES, pairs = at / SIZES / MESSAGES;
        const int i = pairs + COUNTS * (messages + MESSAGES * size);
        ck_assert_int_eq(list[at].pairs, 1 << pairs);
        ck_assert_int_eq(list[at].messages, 1 + messages);
        ck_assert_double_eq(list[at].bytes, 100 << size);
        ck_assert_double_eq_tol(list[at].seconds, middle[i % 3] * (1 + i), 1e-12 * (1 + i));
    }
    ns_free(list);
}

/* 3 us + 2 ns/B wants three sizes at least. */
TEST(line_of_cells)
{
    static const ns_cell list[] = {{1, 1, 0, 3e-6}, {1, 1, 1000, 5e-6}, {2, 1, 1000, 5e-6}, {2, 1, 9000, 21e-6}};
    ns_line_estimate line = {0};
    ns_error err = {0};
    ck_assert_int_eq(ns_cells_line(list, 3, &line, &err), NS_ERR_DATA);
    ck_assert_str_eq(err.text, "fewer than three sizes");
    ck_assert_int_eq(ns_cells_line(list, 4, &line, NULL), NS_OK);
    ck_assert_double_eq_tol(line.alpha, 3e-6, 1e-12);
    ck_assert_double_eq_tol(line.beta, 2e-9, 1e-15);
}

/* ---- LogGP ------------------------------------------------------------------------------------------------------- */

/* L: 1, 2, 4, 8, 100 us: median 4, deviations 0, 2, 3, 4, 96, so 3 in the middle; o: two of the smallest messages, one
 * of a longer one that does not count; g: one. */
TEST(loggp)
{
    static const struct {
        const char *name;
        double bytes, us;
    } rows[] = {{"L", 0, 8},     {"L", 1, 1},        {"L", 2, 4}, {"L", 4, 100},     {"L", 8, 2},
                {"o_s", 1, 0.5}, {"o_r", 1024, 1.5}, {"g", 1, 7}, {"o_s", 1025, 90}, {"x", 1, 5}};
    enum { ROWS = sizeof rows / sizeof *rows };
    ns_sample row[ROWS + 1] = {{0}};
    for (int i = 0; i < ROWS; i++)
        row[i] = (ns_sample){.kind = NS_LOGGP,
                             .name = rows[i].name,
                             .bytes = rows[i].bytes,
                             .seconds = rows[i].us * 1e-6,
                             .messages = 1};
    row[ROWS] = (ns_sample){.kind = NS_PING_PONG, .name = "L", .bytes = 1, .seconds = 1, .messages = 1};
    const ns_log log = {.sample = row, .samples = ROWS + 1};
    fit = (ns_fit){0};
    ck_assert_int_eq(ns_fit_loggp(&fit, &log, NULL), NS_OK);
    ck_assert_double_eq_tol(fit.loggp[NS_LOGGP_L].value, 4e-6, 1e-15);
    ck_assert_double_eq_tol(fit.loggp[NS_LOGGP_L].se, 1.4826 * 3e-6 * sqrt(acos(-1) / 2 / 5), 1e-15);
    ck_assert_uint_eq(fit.loggp[NS_LOGGP_L].samples, 5);
    ck_assert_double_eq_tol(fit.loggp[NS_LOGGP_O].value, 1e-6, 1e-15);
    ck_assert_double_eq(fit.loggp[NS_LOGGP_O].se, 0); /* of two samples no error is known */
    ck_assert_uint_eq(fit.loggp[NS_LOGGP_O].samples, 2);
    ck_assert_double_eq_tol(fit.loggp[NS_LOGGP_G_MESSAGE].value, 7e-6, 1e-15);
    ck_assert(fit.loggp[NS_LOGGP_L].given && !fit.loggp[NS_LOGGP_G_BYTE].given && !fit.loggp_derived);
}

TEST_FIXTURE(setup, NULL)
