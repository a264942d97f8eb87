/* test_fit_warns.c -- what nsmodel fit warns of, in its answer, in the machine's file and wherever that is used */
#include "core/memory.h"
#include "fit/fit.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/fit_cases.h"
#include "support/fits.h"
#include "support/forms.h"
#include "support/test.h"
#include "support/values.h"

#include <math.h>

#define HOST "--locality off-node --memory host"

static const fit_case cases[] = {
    {"a slope that falls",
     {HOST, "@slope.csv\nbytes,us\n8,3\n16,2.99\n32,2.98\n64,2.97\n128,2.96\n256,2.95\n"},
     {"+beta is held at 0"}},
    {"nothing large, and short messages that show no time per byte",
     {HOST, "@short.csv\nbytes,us\n8,1\n16,1\n32,1\n64,1\n128,1\n256,1\n"},
     {"+nothing above 256 B was measured; longer messages are extrapolated as if their bytes took no time"}},
    {"or that show it",
     {HOST, "@short.csv\nbytes,us\n8,2.008\n16,2.016\n32,2.032\n64,2.064\n128,2.128\n256,2.256\n"},
     {"+nothing above 256 B was measured; longer messages are extrapolated", "-took no time"}},
    {"a lone last size",
     {HOST, "@lone.csv\nbytes,us\n64,1\n128,1\n256,1.1\n512,1.2\n1024,1.4\n2048,1.8\n4096,9\n"},
     {"+4096 B take 3.4 times as long as the sizes before say"}},
    {"negative times",
     {HOST, "@negative.csv\nbytes,us\n8,1\n16,-1\n32,1.1\n64,0\n128,1.2\n"},
     {"+2 values are zero, negative or not numbers: left out"}},
    {"a curve of two modes, as of device buffers whose small messages go another way",
     {"--locality off-node --switch 0",
      "@modes.csv\nbytes,us\n1,11\n2,11\n4,11\n8,11\n16,11\n32,11\n64,11\n128,11\n256,1.01\n512,1.02\n1024,1.041\n"
      "2048,1.082\n4096,1.164\n8192,1.328\n16384,1.655\n32768,2.311\n65536,3.621\n131072,6.243\n262144,11.486\n"
      "524288,21.972\n1048576,42.943\n2097152,84.886\n4194304,168.772\n"},
     {"+host off-node eager: 8 of 23 sizes lie off the line and hardly count"}},
    /* ---- what no machine has */
    {"a usual network", {"--locality off-node", "@log.log osu 1.8 9e-5"}, {"-every known"}},
    {"a shared memory taken for a network",
     {"--locality off-node", "@log.log osu 0.2 9e-5"},
     {"+host off-node: a start-up of 0.199 us is below every known machine's: was it measured inside a node "
      "(--locality "
      "FILE=on-node)?"}},
    {"bytes that are bits or megabytes",
     {"--locality off-node", "@log.log osu 1.8 9e-8"},
     {"+GB/s for messages of 4194304 B is above every known machine's: are the units right?"}},
    {"labels that were exchanged",
     {"--locality off.log=on-node --locality on.log=off-node", "@off.log osu 1.8 9e-5", "@on.log osu 0.5 1.5e-4"},
     {"+host: messages on-node start up in 1.8 us, off-node in 0.5 us: are the localities exchanged"}},
    /* ---- nodes; a pair has 0.27 GB/s */
    {"a node that injects less than one of its pairs is of other logs",
     {HOST " --processes 8", "@alone.log osu 2 3.7037e-3", "@many.log rates 4 2"},
     {"+host: R_N of 0.002 GB/s is below the 0.27 GB/s of one pair, so it is left out: are the logs of different "
      "systems?",
      "!machine.host.injection.inverse_R_N"}},
    {"one that injects more is not",
     {HOST " --processes 8", "@alone.log osu 2 3.7037e-3", "@many.log rates 4 800"},
     {"-left out", "machine.host.injection.inverse_R_N^"}},
    {"four pairs at once load a node of seven processes",
     {HOST " --processes 7", "@alone.log osu 2 3.7037e-3", "@many.log rates 4 800"},
     {"-sent at once"}},
    {"half of eight do not",
     {HOST " --processes 8", "@alone.log osu 2 3.7037e-3", "@many.log rates 4 800"},
     {"+host: at most 4 of the 8 processes of a node sent at once: its rate and start-ups are those of so few; measure "
      "again with all of them"}},
    {"nor a part of 64",
     {HOST " --processes 64", "@alone.log osu 2 3.7037e-3", "@many.log rates 4 800"},
     {"+host: at most 4 of the 64 processes of a node sent at once: "}},
    /* Four pairs of 270 MB/s each that send at 800 MB/s together take 1.35 times as long as one alone. */
    {"a limit that is hardly reached",
     {HOST " --processes 8", "@alone.log osu 2 3.7037e-3", "@many.log rates 4 800"},
     {"+host: 4 pairs at once take 1.35 times as long as one, less than twice: the injection limit is not reached, or "
      "only just, and more pairs may inject more than R_N says"}},
    {"a limit that is reached: they take 2.16 times as long",
     {HOST " --processes 8", "@alone.log osu 2 3.7037e-3", "@many.log rates 4 500"},
     {"-less than twice"}},
    {"times that scatter by thousands have intervals, wide and finite",
     {"--locality off-node --per-node 4 --name wild",
      "@wild.log\n# OSU MPI Latency Test v5.9\n# Size          Latency (us)\n"
      "8 4000.0\n4096 0.9\n65536 0.01\n1048576 300.0\n"},
     {"+off-node eager: the times scatter too much for a line: ",
      "> predict --messages alltoall:16GiB --parts 4 --per-node 1 --machine MACHINE --json",
      "cases.0.strategies.0.estimate_s=3.2e-3~0.1", "cases.0.strategies.0.interval_s.1=2.6e6~0.99"}},
};

TEST_EACH(test_case, sizeof cases / sizeof *cases)
{
    fit_case_holds(&cases[_i], _i);
}

/* B/s, out and in, that the full form takes for the node. */
static double node_rate(const ns_machine *machine)
{
    ns_form_values values;
    ns_form_take(&ns_form_full, machine, NS_HOST, 0, &values);
    return 1 / values.value[form_slot(&values, "<memory>.injection.inverse_R_N", 0, 0)];
}

/* The fit of a node of 8: messages of 0.1 ns/B off it, and on it of 0.05 ns/B, up to 2^last B; those from some size on
 * take `jump` times as long and `then` ns/B. */
static ns_machine *bending(char *said, size_t size, int from, double jump, double then, int last)
{
    static const char head[] = "# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n";
    char off[2000], on[2000];
    size_t n = (size_t)snprintf(off, sizeof off, "%s", head), m = (size_t)snprintf(on, sizeof on, "%s", head);
    for (int k = 0; k <= last; k++) {
        const double s = pow(2, k), t = 2 + s * 0.05e-3;
        n += (size_t)snprintf(off + n, sizeof off - n, "%.0f %.4f\n", s, 3 + s * 0.1e-3);
        m += (size_t)snprintf(on + m, sizeof on - m, "%.0f %.4f\n", s,
                              s < from ? t : jump * t + (s - from) * (then - 0.05) * 1e-3);
    }
    cli_file("off.log", off);
    cli_file("on.log", on);
    return fits_machine(said, size,
                        "TMP/off.log TMP/on.log --locality TMP/off.log=off-node --locality TMP/on.log=on-node "
                        "--processes 8");
}

/* Which of the lines inside a node are of warm caches: those before a byte takes longer, which no protocol is made for;
 * none is known where nothing bends; beyond any cache all are of memory. */
static const struct {
    int from;
    double then;
    int last;
    const char *said, *noted;
} warm[] = {
    {1 << 21, 0.09, 26, "host on-node: a byte takes 0.05 ns up to 2097152 B and 0.08", /* a line through the bend */
     "; buffers in warm caches, where exchanges read memory"},
    {1 << 21, 0.05, 22, "host on-node up to 4194304 B: no message is slower a byte than shorter ones",
     "; nothing shows whether the buffers lay in warm caches, where exchanges read memory"},
    {1 << 21, 0.05, 29, NULL, NULL},
};

TEST_EACH(rates_of_warm_caches, (int)(sizeof warm / sizeof *warm))
{
    char said[4000];
    const ns_machine *m = bending(said, sizeof said, warm[_i].from, 1, warm[_i].then, warm[_i].last);
    char *file = read_whole(m->file);
    ck_assert_msg((strstr(said, "caches") != NULL) == (warm[_i].said != NULL), "%s", said);
    ck_assert_msg(warm[_i].said == NULL || strstr(said, warm[_i].said) != NULL, "%s", said);
    ck_assert_uint_eq(times_in(file, "warm caches, where exchanges"), warm[_i].noted != NULL);
    ck_assert(warm[_i].noted == NULL || strstr(file, warm[_i].noted) != NULL);
}

/* No protocol takes fifty times as long as the one before; six times may be a protocol. */
TEST(times_that_jump_are_left_out)
{
    static const double jumps[] = {6, 1000}, of_a_MiB[] = {6 * (2 + 52.4), 2 + 52.4}; /* us */
    char said[4000];
    for (int i = 0; i < 2; i++) {
        const ns_machine *m = bending(said, sizeof said, 8192, jumps[i], 0.05, 22);
        const ns_line *line = ns_machine_line(m, NS_HOST, NS_ON_NODE, 1 << 20, NULL);
        const bool out = strstr(said, "host on-node: from 8192 B on a message takes") != NULL;
        ck_assert_msg(out == (i == 1), "%s", said);
        ck_assert_double_eq_tol(1e6 * (line->alpha + line->beta * (1 << 20)) / of_a_MiB[i], 1, 0.1);
    }
}

/* --interfaces is in the file, and the node is as fast as so many messages alone where its rate was not reached. */
TEST(as_many_as_interfaces)
{
    static const fit_case logs = {
        .of = {HOST " --processes 8", "@alone.log osu 2 3.7037e-3", "@many.log rates 4 1080"}};
    const char *of = fit_case_line(&logs) + strlen("fit ");
    ns_machine *without = fits_machine(NULL, 0, "%s", of), *with = fits_machine(NULL, 0, "%s --interfaces 6", of);
    ck_assert_ptr_null(ns_machine_parameter(without, "topology.nics"));
    const ns_parameter *nics = ns_machine_parameter(with, "topology.nics");
    ck_assert_ptr_nonnull(nics);
    ck_assert_double_eq(nics->value, 6);
    ck_assert_ptr_null(ns_machine_parameter(with, "host.injection.inverse_R_N"));
    ck_assert_double_eq_tol(node_rate(without) / (4 * 270e6), 1, 0.02);
    ck_assert_double_eq_tol(node_rate(with) / (6 * 270e6), 1, 0.02);
}

/* The lines that fit says are the list in the file, and predict, JSON and --check repeat it. */
TEST(the_machine_tells)
{
    static const fit_case logs = {.of = {HOST " --processes 8", "@alone.log osu 2 3.7037e-3", "@many.log rates 4 2"}};
    char err[4000], said[1500];
    const char *machine = cli_path("fitted.json");
    size_t lines = 0;
    fits_machine(err, sizeof err, "%s --name warned", fit_case_line(&logs) + strlen("fit "));
    ns_value *predicted = cli_json("predict rajat01 --machine TMP/fitted.json");
    const ns_value *list = ns_value_get(ns_value_get(predicted, "machine"), "warnings");
    for (const ns_value *w = list->first; w != NULL; w = w->next, lines++) {
        snprintf(said, sizeof said, "nsmodel: warning: %s\n", w->text);
        ck_assert_msg(strstr(err, said) != NULL, "%s is not in %s", said, err);
    }
    ck_assert_uint_eq(times_in(err, "nsmodel: warning: "), lines);
    ck_assert_uint_ge(lines, 2);

    cli_result r = cli("predict rajat01 --machine TMP/fitted.json");
    snprintf(said, sizeof said, "nsmodel: warning: fit warned of warned: %s; %zu more: `nsmodel machines %s --check`\n",
             list->first->text, lines - 1, machine);
    ck_assert_int_eq(r.code, 0);
    ck_assert_msg(strstr(r.err, said) != NULL, "%s", r.err);

    char *checked = cli_output("machines TMP/fitted.json --check");
    ck_assert_uint_eq(times_in(checked, "fit warned: "), lines);
    ns_value *check = cli_json("machines TMP/fitted.json --check");
    const ns_value *again = ns_value_get(check, "warnings")->first;
    for (const ns_value *w = list->first; w != NULL; w = w->next, again = again->next)
        ck_assert_str_eq(again->text, w->text);
    ck_assert_ptr_null(again);
}

/* One warning needs no count; a shipped machine's are in --check and JSON. */
TEST(said_in_a_line)
{
    static const char head[] = "\"schema\": \"nsmodel/machine/1\",";
    char *text = read_whole("params/lassen.json"), *at = strstr(text, head), machine[300];
    ck_assert_ptr_nonnull(at);
    char *own = ns_malloc(strlen(text) + 100);
    sprintf(own, "%.*s%s \"warnings\": [\"odd times\"],%s", (int)(at - text), text, head, at + strlen(head));
    snprintf(machine, sizeof machine, "%s", cli_file("own.json", own));
    ns_free(own);
    cli_result r = cli_with("predict rajat01 -n 8 --machine %s,summit", machine);
    ck_assert_msg(strstr(r.err, "nsmodel: warning: fit warned of lassen: odd times\n") != NULL, "%s", r.err);
    ck_assert_uint_eq(times_in(r.err, "fit warned"), 1);
    char *shipped = cli_output("machines summit --check");
    ck_assert_uint_ge(times_in(shipped, "fit warned: "), 10);
}

/* ---- fitted numbers that no machine has, one at a time: a warning just beyond each bound, none inside ------------ */

/* A group has one class that counts: alpha in s, and the rate of its longest message through beta. */
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
