/* test_fit_written.c -- the machine file of fits made by hand: whose protocols, which copies, what is left out */
#include "fit/fit.h"
#include "support/test.h"
#include "support/values.h"

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
