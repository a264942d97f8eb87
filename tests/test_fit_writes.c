/* test_fit_writes.c -- what a fit writes: the machine's file, from logs of known numbers and of fits by hand; charts */
#include "fit/fit.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/fit_cases.h"
#include "support/fits.h"
#include "support/test.h"
#include "support/values.h"

/* One pair alone: us, of 2 or, inside a node, 1 and of each byte. */
#define ALONE  "ping-pong 1 1 8 2048 2 2 1"
#define INSIDE "ping-pong 1 1 8 2048 2 1 1 0 0 0 - on-node"

static const fit_case cases[] = {
    {"many messages of the fewest pairs, up to 64 in flight, tell the start-up off node",
     .of = {ALONE, "queue-in-order 4 2 8 512 2 1.5 0.5", "queue-in-order 4 64 8 512 2 1.5 0.5",
            "queue-in-order 4 65 8 512 2 30 0.5", "queue-in-order 8 2 8 512 2 20 0.5"},
     .checks = {"machine.host.exchange.off-node.alpha:1.5 us",
                "machine.host.exchange.source:nsmodel fit, many messages in flight: medians, relative residuals"}},
    {"of the first protocol alone",
     .of = {"--switch 256", ALONE, "queue-in-order 4 2 8 128 2 1.5 0.5", "queue-in-order 4 2 256 2048 2 2.9 0.5"},
     .checks = {"machine.host.exchange.off-node.alpha:1.5 us"}},
    {"later ones that take more than twice as much have no part in it",
     .of = {"--switch 256", ALONE, "queue-in-order 4 2 8 128 2 1.5 0.5", "queue-in-order 4 2 256 2048 2 3.1 0.5"},
     .checks = {"!machine.host.exchange.off-node",
                "machine.host.exchange.note:messages in flight were measured, but no start-up "
                "that counts in an exchange: single messages stand"}},
    {"two sizes are no line", .of = {ALONE, "queue-in-order 4 2 64 128 2 1.5 0.5"},
     .checks = {"!machine.host.exchange.off-node"}},
    {"nor do single messages tell", .of = {ALONE, "queue-in-order 4 1 8 512 2 1.5 0.5"},
     .checks = {"!machine.host.exchange"}},
    {"nor the worst order", .of = {ALONE, "queue-reversed 4 16 8 512 2 1.5 0.5"}, .checks = {"!machine.host.exchange"}},
    {"inside the node it is a line a protocol",
     .of = {"--switch 256", INSIDE, "queue-in-order 4 2 8 128 2 0.6 0.8 0 0 0 - on-node",
            "queue-in-order 4 64 8 128 2 0.6 0.8 0 0 0 - on-node", "queue-in-order 4 65 8 128 2 6 8 0 0 0 - on-node",
            "contention 4 2 256 2048 2 0.9 0.7 0 0 0 - on-node"},
     .checks = {"machine.host.exchange.on-node.short.alpha:600 ns", "machine.host.exchange.on-node.short.beta:0.8 ns/B",
                "machine.host.exchange.on-node.eager.alpha:900 ns",
                "machine.host.exchange.on-node.eager.beta:0.7 ns/B"}},
    {"four nodes a side share a link, three do not",
     .of = {"--per-node 2", ALONE, "contention 8 2 64 2048 2 1.8 0.8 3", "contention 8 8 64 2048 2 1.8 0.8 3",
            "contention 8 128 64 2048 2 1.8 0.8 3", "contention 7 16 64 2048 2 1.8 8 3"},
     .checks = {"machine.host.exchange.inverse_R:0.4 ns/B"}},
    {"where the layout is known",
     .of = {ALONE, "contention 8 2 64 2048 2 1.8 0.8 3", "contention 8 8 64 2048 2 1.8 0.8 3",
            "contention 8 128 64 2048 2 1.8 0.8 3"},
     .checks = {"!machine.host.exchange.inverse_R"}},
    {"several messages of one process overlap: each protocol has its start-up where there is no common one",
     .of = {"--switch 256", ALONE, "multi-message 1 1 8 128 2 1.9 0.5 0 0 1", "multi-message 1 2 8 128 2 1.9 0.5 0 0 1",
            "multi-message 1 8 8 128 2 1.9 0.5 0 0 1", "multi-message 1 1 256 2048 2 6 0.7 0 0 4",
            "multi-message 1 2 256 2048 2 6 0.7 0 0 4", "multi-message 1 8 256 2048 2 6 0.7 0 0 4"},
     .checks = {"machine.host.exchange.off-node.overhead:1.9 us", "machine.host.exchange.off-node.short.alpha:1.9 us",
                "machine.host.exchange.off-node.short.beta:0.5 ns/B", "machine.host.exchange.off-node.eager.alpha:6 us",
                "machine.host.exchange.off-node.eager.beta:0.7 ns/B", "-one after the other",
                "machine.host.exchange.off-node.eager.note:12 samples"}},
    {"or go one after the other",
     .of = {ALONE, "multi-message 1 1 8 512 2 2.1 0.5 0 0 1", "multi-message 1 2 8 512 2 2.1 0.5 0 0 1",
            "multi-message 1 8 8 512 2 2.1 0.5 0 0 1"},
     .checks = {"+messages in flight take 2.1 us each where one alone takes 3.1 us",
                "!machine.host.exchange.off-node"}},
    {"many pairs share the node's memory",
     .of = {"--processes 8", INSIDE, "node-pong 4 1 8 2048 2 1 2 0 0 0 - on-node"},
     .checks = {"machine.host.exchange.on-node.eager.inverse_R:0.25 ns/B"}},
    {"the start-up while every process sends is that of up to 512 B",
     .of = {"--processes 7", ALONE, "node-pong 4 1 8 512 2 3 0", "node-pong 4 1 1024 2048 2 30 0"},
     .checks = {"machine.host.exchange.off-node.alpha:3 us"}},
    {"a log of hosts has no GPUs", .of = {ALONE},
     .checks = {"machine.topology.gpus=0", "machine.topology.host_processes=1", "machine.topology.sockets=1",
                "machine.topology.gpus.source:assumed: no log has data of GPUs",
                "machine.topology.host_processes.source:assumed: the most that were active at once in the logs"}},
    {"one of copies has one, or as many as ranks", .of = {ALONE, "copy 2 1 4 2048 2 4 1 0 0 0 d2h"},
     .checks = {"machine.topology.gpus=1", "machine.topology.host_processes=1"}},
    {"as many as ranks where they are known", .of = {"--per-node 3", ALONE, "copy 2 1 4 2048 2 4 1 0 0 0 d2h"},
     .checks = {"machine.topology.gpus=3", "machine.topology.host_processes=3",
                "machine.topology.host_processes.source:assumed: the benchmark's ranks per node"}},
    {"the most pairs may be more", .of = {"--per-node 4 --sockets 2", ALONE, "node-pong 6 1 8 2048 2 2 1"},
     .checks = {"machine.topology.host_processes=6", "machine.topology.sockets=2"}},
    {"what is given is given", .of = {"--gpus 0 --processes 5", ALONE, "node-pong 6 1 8 2048 2 2 1"},
     .checks = {"machine.topology.gpus=0", "machine.topology.host_processes=5",
                "machine.topology.source:given to nsmodel fit"}},
    {"one process, and nothing else", .of = {"--processes 1", ALONE},
     .checks = {"machine.topology.host_processes=1", "machine.topology.source:given to nsmodel fit"}},
    {"one interface", .of = {"--interfaces 1", ALONE},
     .checks = {"machine.topology.nics=1", "machine.topology.source:given to nsmodel fit"}},
    {"a device's messages of 1 B move its data, those of 0 B do not",
     .of = {"ping-pong 1 1 0 0 2 50 0 0 0 0 - off-node device", "ping-pong 1 1 1 2048 2 2 1 0 0 0 - off-node device"},
     .checks = {"classes.0.alpha_s=2e-6", "classes.0.sizes=12", "machine.topology.gpus=1"}},
    {"copies by more processes than any node has are none",
     .of = {ALONE, "copy 4097 1 4 2048 2 4 1 0 0 0 d2h", "copy 4096 1 4 2048 2 4 1 0 0 0 d2h"},
     .checks = {"copies.0.processes=4096", "!copies.1"}},
    {"the first sample counts as every other: of pairs", .of = {"node-pong 6 1 8 8 2 2 1", ALONE},
     .checks = {"machine.topology.host_processes=6"}},
    {"of collectives", .of = {"collective 16 1 64 64 2 5 2", ALONE},
     .checks = {"collectives.0.sizes=1", "collectives.0.first_s=5.128e-6"}},
    {"a rate that falls by nine tenths",
     .of = {"ping-pong 1 1 16 1048576 2 2 0.2", "node-pong 4 1 16 1048576 2 2 0 0 0.1",
            "node-pong 8 1 16 1048576 2 2 0 0 1"},
     .checks = {"+8 pairs inject 90 % less than 4 do", "injection.host.rate_falls_by=0.9"}},
    {"a line of two sizes has no errors and no correlation of them", .of = {"--switch 0", "ping-pong 1 1 8 16 2 2 1"},
     .checks = {"machine.host.off-node.eager.alpha:2 us", "!machine.host.off-node.eager.correlation",
                "!machine.host.off-node.eager.alpha_se"}},
    {"the fewest pairs of a rate are looked for in every sample",
     .of = {"message-rate 2 1 8 8 2 2 1", "message-rate 3 1 16 2048 2 20 1"}, .checks = {"+a single size, 8 B"}},
    {"both ways at once are kept apart", .of = {ALONE, "bidirectional 2 1 8 2048 2 3 1"},
     .checks = {"classes.1.kind:bidirectional", "classes.1.alpha_s=3e-6", "+bidirectional data is kept apart"}},
    {"staged messages are", .of = {ALONE, "staged 1 1 8 2048 2 3 1"},
     .checks = {"classes.1.kind:staged", "+staged data is kept apart"}},
    {"and one-sided ones", .of = {ALONE, "one-sided 1 1 8 2048 2 3 1"},
     .checks = {"classes.1.kind:one-sided", "+one-sided data is kept apart"}},
    {"a receive in order stands in with one message in flight",
     .of = {"queue-in-order 1 1 8 2048 2 2 1", "queue-in-order 1 2 8 2048 2 20 10"},
     .checks = {"classes.0.alpha_s=2e-6", "classes.0.samples=9"}},
    {"so does one in the worst order", .of = {"queue-reversed 1 1 8 2048 2 2 1", "queue-reversed 1 2 8 2048 2 20 10"},
     .checks = {"classes.0.alpha_s=2e-6", "classes.0.samples=9"}},
    {"a window of messages is that of each of them", .of = {"streaming 1 64 8 2048 2 2 1"},
     .checks = {"classes.0.alpha_s=2e-6", "classes.0.beta_s_per_B=1e-9", "classes.0.samples=9"}},
    {"what the command says of the machine, which other commands take",
     .of = {"--name made --title 'A made machine' --cite 'of a test' --gpus 2 --processes 7 --sockets 1",
            "@plain.csv plain ping-pong 1"},
     .checks = {"machine.schema:nsmodel/machine/1", "machine.name:made", "machine.title:A made machine",
                "machine.source:nsmodel fit, csv logs of a test", "machine.topology.gpus=2",
                "machine.topology.host_processes=7", "machine.topology.sockets=1",
                "machine.host.off-node.eager.alpha_se^", "> eval postal --machine MACHINE s=1KiB --json",
                "outputs.time=2.024e-6~0.01"}},
    {"in a chart of text a letter a group, the same in both panels",
     .of = {"--locality b.csv=on-node", "@a.csv plain ping-pong 1", "@b.csv plain ping-pong 0.1"},
     .checks = {"> LINE --plot", ">+a host on-node   b host off-node   O switch point\n"}},
};

TEST_EACH(test_case, sizeof cases / sizeof *cases)
{
    fit_case_holds(&cases[_i], _i);
}

TEST(test_plot)
{
    const char *script = cli_file("fit.gp", "");
    cli_result r = cli_with("fit %s --plot %s", fits_log("plotted.csv", "ping-pong", 1, 20), script);
    ck_assert_msg(r.code == 0, "%s", r.err);
    char *page = read_whole(script);
    static const char *const wanted[] = {"host off-node", "switch point", "residual", "message size",
                                         "time of a message"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        ck_assert_msg(strstr(page, wanted[i]) != NULL, "no \"%s\" in the chart", wanted[i]);
    const char *points = strstr(page, "$series2 << EOD\n4096 ");
    ck_assert_msg(points != NULL && strncmp(strchr(strchr(points, '\n') + 1, '\n'), "\nEOD", 4) == 0,
                  "one switch point");
    const char *ring = strstr(page, "title \"switch point\"");
    ck_assert_msg(ring != NULL && strstr(ring, "title \"host") == NULL, "the rings are not last in the legend");
    ck_assert_ptr_nonnull(strstr(page, "set rmargin at screen 0.8"));
}

/* ---- fits by hand ------------------------------------------------------------------------------------------------ */

static ns_fit fit;
static ns_fit_group groups[3];
static ns_fit_copy copies[10];
static char name[] = "made";
static ns_value *file;

static void setup(void)
{
    memset(groups, 0, sizeof groups);
    fit = (ns_fit){.name = name, .group = groups, .copy = copies, .options = {.switches = -1, .gpus = -1}};
    file = NULL;
}

static void teardown(void)
{
    ns_value_free(file);
}

static void write_file(void)
{
    const ns_log log = {0};
    ns_error err = {0};
    file = ns_value_new();
    ck_assert_msg(file != NULL && ns_fit_machine(&fit, &log, file, &err) == NS_OK, "%s", err.text);
}

static bool has(const char *path)
{
    return ns_value_at(file, path) != NULL;
}

static ns_fit_group *add(ns_memory memory, ns_locality locality, int classes, double from)
{
    ns_fit_group *g = &groups[fit.groups++];
    *g = (ns_fit_group){.memory = memory, .locality = locality, .in_machine = true, .classes = classes};
    for (int c = 0; c < classes; c++)
        g->of[c] = (ns_fit_class){.protocol = (ns_protocol)(NS_EAGER + c),
                                  .from = c * from,
                                  .least = 1,
                                  .most = 1e6,
                                  .samples = 7,
                                  .line = {.alpha = 1e-6 * (c + 1), .beta = 1e-9 / (c + 1)}};
    return g;
}

/* Localities with the same protocols from the same sizes on say so once; where one differs in either, or has fewer,
 * each has its own. */
TEST_EACH(whose_protocols, 4)
{
    const bool once = _i == 0;
    add(NS_HOST, NS_ON_SOCKET, 2, 8192);
    add(NS_HOST, NS_ON_NODE, _i == 1 ? 1 : 2, _i == 2 ? 4096 : 8192);
    add(NS_HOST, NS_OFF_NODE, 2, 8192);
    if (_i == 3)
        groups[1].of[0].protocol = NS_SHORT;
    write_file();
    ck_assert_int_eq(has("host.protocols"), once);
    ck_assert_int_eq(has("host.on-socket.protocols"), !once);
    ck_assert_int_eq(has("host.on-node.protocols"), !once);
    ck_assert_int_eq(has("host.off-node.protocols"), !once);
    ck_assert(has("host.off-node.rendezvous.beta") && !has("device"));
}

/* Only the last of three differs, or the first. */
TEST_EACH(one_differs, 2)
{
    for (int i = 0; i < 3; i++)
        add(NS_HOST, i == 0 ? NS_ON_SOCKET : i == 1 ? NS_ON_NODE : NS_OFF_NODE, 2, i == 2 * _i ? 4096 : 8192);
    write_file();
    ck_assert(!has("host.protocols") && has("host.on-node.protocols") && has("host.off-node.protocols"));
}

static void add_copy(int processes, ns_direction direction)
{
    copies[fit.copies++] = (ns_fit_copy){.processes = processes,
                                         .direction = direction,
                                         .line = {.alpha = 1e-6 * processes, .beta = 1e-10},
                                         .samples = 5,
                                         .most = 1e6};
}

/* Levels are 1, 2, 4, 8 processes with both directions; only with more than one is it said whose bytes they are. */
TEST(which_copies)
{
    static const int processes[] = {1, 2, 8, 16};
    for (int i = 0; i < 4; i++)
        for (int d = 0; d < NS_DIRECTIONS; d++)
            add_copy(processes[i], (ns_direction)d);
    add_copy(4, NS_D2H);
    write_file();
    ck_assert(has("copy.1") && has("copy.2") && has("copy.8") && !has("copy.4") && !has("copy.16"));
    ck_assert(has("copy.8.d2h.alpha") && has("copy.8.h2d.alpha"));
    ck_assert_str_eq(text_at(file, "copy.bytes"), "share");
    ck_assert_ptr_nonnull(strstr(text_at(file, "copy.source"), "copies between host and device"));
}

TEST(one_level)
{
    add_copy(1, NS_D2H);
    add_copy(1, NS_H2D);
    write_file();
    ck_assert(has("copy.1.h2d.beta") && !has("copy.bytes") && has("copy.source"));
}

/* More processes without one alone, or one direction, are no level to begin with. */
TEST_EACH(no_level, 2)
{
    add_copy(2, NS_D2H);
    add_copy(2, NS_H2D);
    if (_i == 1)
        add_copy(1, NS_H2D);
    write_file();
    ck_assert(!has("copy"));
}

/* What a window tells of a node goes one way; pairs that play ping-pong go both. */
TEST_EACH(directions, 2)
{
    fit.injection[NS_HOST] = (ns_fit_injection){
        .given = true, .bound = true, .kind = _i == 0 ? NS_MESSAGE_RATE : NS_NODE_PONG, .inverse_R_N = 1e-10};
    write_file();
    ck_assert(has("host.injection.inverse_R_N"));
    ck_assert_int_eq(has("host.injection.directions"), _i == 0);
    if (_i == 0)
        ck_assert_double_eq(number_at(file, "host.injection.directions"), 1);
}

/* A limit that does not show says up to how many pairs, and alone makes no table of a memory. */
TEST_EACH(no_limit, 2)
{
    fit.injection[NS_HOST] = (ns_fit_injection){.given = true, .kind = NS_NODE_PONG, .most_pairs = 12};
    if (_i == 1)
        add(NS_HOST, NS_OFF_NODE, 1, 0);
    write_file();
    ck_assert_int_eq(has("host"), _i == 1);
    if (_i == 1)
        ck_assert_double_eq(number_at(file, "host.injection.unlimited_pairs"), 12);
    ck_assert(!has("host.injection.inverse_R_N"));
}

/* Queues are of host memory, contention of the network; LogGP's numbers are written when there are all four. */
TEST_EACH(numbers, 2)
{
    fit.gamma = (ns_fit_number){.given = true, .value = 2e-9, .se = 1e-10, .samples = 9, .most_messages = 64};
    fit.delta = (ns_fit_number){.given = true, .value = 3e-11, .samples = 9, .most_messages = 64};
    for (int i = 0; i < NS_LOGGP_NUMBERS - _i; i++)
        fit.loggp[i] = (ns_fit_number){.given = true, .value = 1e-6};
    write_file();
    ck_assert(has("host.queue.gamma") && has("host.queue.gamma_se") && has("network.contention.delta"));
    ck_assert(!has("network.contention.delta_se") && !has("device"));
    ck_assert_int_eq(has("models.loggp.G"), _i == 0);
}

/* What was said of a node is a number; what was not says why it is assumed. */
TEST_EACH(topology, 3)
{
    fit.options.sockets = _i;
    add(NS_HOST, NS_ON_SOCKET, 1, 0);
    add(NS_HOST, NS_ON_NODE, 1, 0);
    write_file();
    ck_assert_int_eq(has("topology.sockets.source"), _i == 0);
    ck_assert_double_eq(number_at(file, _i == 0 ? "topology.sockets.value" : "topology.sockets"), _i == 1 ? 1 : 2);
    ck_assert_int_eq(has("topology.source"), _i > 0);
}

TEST_FIXTURE(setup, teardown)
