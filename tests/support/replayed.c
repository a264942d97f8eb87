/* replayed.c -- every strategy's schedule of an exchange, carried out with real items */
#include "replayed.h"

#include "price/choice.h"
#include "strategy/ways.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

ns_machine replayed_machine(int sockets, int gpus, int host_processes, double cap)
{
    ns_machine machine = {.name = "made",
                          .title = "made for tests",
                          .source = "tests",
                          .file = "tests",
                          .sockets = sockets,
                          .gpus = gpus,
                          .host_processes = host_processes};
    for (int m = 0; m < (gpus > 0 ? NS_MEMORIES : NS_DEVICE); m++)
        for (int l = 0; l < NS_LOCALITIES; l++)
            for (int p = 0; p < NS_PROTOCOLS; p++)
                machine.line[m][l][p] = (ns_line){.given = p == NS_SHORT || cap > 0,
                                                  .alpha = 1e-6,
                                                  .beta = 1e-9,
                                                  .from = p == NS_SHORT   ? 0
                                                          : p == NS_EAGER ? cap / 2
                                                                          : cap};
    machine.copy_levels = gpus > 0 ? 2 : 0;
    machine.copy[0] = (ns_copy_line){.processes = 1, .alpha = {1e-5, 1e-5}, .beta = {1e-10, 1e-10}};
    machine.copy[1] = (ns_copy_line){.processes = 4, .alpha = {2e-5, 2e-5}, .beta = {3e-10, 3e-10}};
    return machine;
}

/* What standard sends between two nodes. */
static void standard_traffic(const oracle_need *need, const ns_exchange *exchange, oracle_traffic *traffic)
{
    oracle_lists direct;
    int32_t nodes = exchange->nodes;
    oracle_direct(need, &direct);
    *traffic = (oracle_traffic){nodes, oracle_alloc((int64_t)nodes * nodes, sizeof(int64_t)),
                                oracle_alloc((int64_t)nodes * nodes, sizeof(int64_t))};
    for (int64_t g = 0; g < direct.groups; g++) {
        int32_t from = exchange->site->node_of[direct.from[g]], to = exchange->site->node_of[direct.to[g]];
        if (from == to)
            continue;
        traffic->bytes[(int64_t)from * nodes + to] += (direct.start[g + 1] - direct.start[g]) * exchange->width;
        traffic->messages[(int64_t)from * nodes + to]++;
    }
    oracle_lists_free(&direct);
}

/* No pair of nodes exchanges more than with standard: bytes always, messages with three-step and two-step. */
static void compare_traffic(const oracle_traffic *standard, const oracle_traffic *traffic, const char *name,
                            const char *label)
{
    bool few = strcmp(name, "three-step") == 0 || strcmp(name, "two-step") == 0;
    for (int64_t i = 0; i < (int64_t)standard->nodes * standard->nodes; i++) {
        ck_assert_msg(traffic->bytes[i] <= standard->bytes[i], "%s, %s: %lld B between nodes, standard %lld", label,
                      name, (long long)traffic->bytes[i], (long long)standard->bytes[i]);
        ck_assert_msg(!few || traffic->messages[i] <= standard->messages[i], "%s, %s: %lld messages, standard %lld",
                      label, name, (long long)traffic->messages[i], (long long)standard->messages[i]);
        ck_assert_msg(strcmp(name, "three-step") != 0 || traffic->messages[i] == (standard->messages[i] > 0),
                      "%s, three-step: %lld messages between two nodes", label, (long long)traffic->messages[i]);
    }
}

static int64_t most_off_node(const ns_schedule *schedule)
{
    int64_t most = 0;
    for (int32_t p = 0; p < schedule->processes; p++) {
        int64_t sent = 0;
        const int32_t *node_of = schedule->site->node_of;
        for (int s = 0; s < schedule->steps; s++)
            for (int64_t i = 0; i < schedule->step[s].messages; i++)
                sent +=
                    schedule->step[s].message[i].from == p && node_of[schedule->step[s].message[i].to] != node_of[p];
        most = sent > most ? sent : most;
    }
    return most;
}

static void check_schedule(const oracle_need *need, const ns_exchange *exchange, const ns_schedule *schedule,
                           int64_t cap, const oracle_traffic *standard, const char *label)
{
    oracle_traffic traffic;
    char why[256] = "";
    const char *name = schedule->strategy->name;
    if (schedule->grouped != NULL)
        ck_assert_msg(oracle_same_exchange(need, schedule->grouped, why), "%s, %s: %s", label, name, why);
    exchange = ns_schedule_names(schedule, exchange);
    ck_assert_msg(oracle_replay(need, exchange, schedule, &traffic, why), "%s, %s %s: %s", label, name,
                  ns_transport_words[schedule->transport], why);
    ck_assert_msg(oracle_rules(need, exchange, schedule, cap, why), "%s, %s %s: %s", label, name,
                  ns_transport_words[schedule->transport], why);
    if (schedule->strategy->grid == NULL) /* staged: items pass through other nodes */
        compare_traffic(standard, &traffic, name, label);
    if (schedule->processes <= 64) /* of real nodes */
        ck_assert_int_eq(ns_schedule_messages_off_node_max(schedule), most_off_node(schedule));
    oracle_traffic_free(&traffic);
}

/* Host processes of a node: the machine's, but one at least for each part there. */
static int32_t processes_of(const ns_machine *machine, const ns_exchange *x)
{
    const int32_t parts = x->parts < x->per_node ? x->parts : x->per_node;
    return parts > machine->host_processes ? parts : machine->host_processes;
}

/* Groups of one are the plain exchange, groups of all on a node the strategy itself. */
static void check_same_messages(const ns_schedule *a, const ns_schedule *b, const char *label)
{
    for (int i = 0; i < a->steps; i++) {
        const bool there = i < b->steps;
        ck_assert_msg((there ? b->step[i].messages : 0) == a->step[i].messages, "%s: %s and %s, step %d", label,
                      a->strategy->name, b->strategy->name, i);
        for (int64_t m = 0; m < a->step[i].messages; m++)
            ck_assert(a->step[i].message[m].from == b->step[i].message[m].from &&
                      a->step[i].message[m].to == b->step[i].message[m].to &&
                      a->step[i].message[m].bytes == b->step[i].message[m].bytes);
    }
}

static ns_schedule *built(ns_made_ways *made, const char *name, ns_transport transport, const ns_exchange *exchange,
                          const ns_machine *machine, const char *label)
{
    const ns_strategy *strategy = NULL;
    ns_schedule *schedule = NULL;
    ns_error err = {0};
    size_t count;
    ck_assert_msg(ns_ways_named(made, name, &strategy, 1, &count, &err) == NS_OK, "%s: %s", name, err.text);
    ck_assert_msg(ns_schedule_build(strategy, transport, exchange, machine, &schedule, &err) == NS_OK, "%s, %s: %s",
                  label, name, err.text);
    ck_assert_str_eq(schedule->strategy->name, name);
    return schedule;
}

/* Groups of any size, and grids with a place for each process and with more. */
static void check_ways(const oracle_need *need, const ns_exchange *exchange, const ns_machine *machine, int64_t cap,
                       const oracle_traffic *standard, const char *label)
{
    static const char *const of[] = {"two-step:1",         "two-step:2",   "two-step:3",        "two-step:socket",
                                     "three-step:2",       "three-step:5", "three-step:socket", "two-step:4194304",
                                     "three-step:4194304", "staged:router"};
    char grid[2][40];
    int32_t a = 1;
    for (int32_t k = 1; k * k <= exchange->parts; k++)
        a = exchange->parts % k == 0 ? k : a;
    snprintf(grid[0], sizeof grid[0], "staged:%dx%d", exchange->parts / a, a);
    snprintf(grid[1], sizeof grid[1], "staged:3x2x%d", (exchange->parts + 5) / 6);
    enum { OF = sizeof of / sizeof *of };
    for (int i = 0; i < OF + 2; i++) {
        ns_made_ways made = {0};
        const ns_transport transport = machine->gpus > 0 && i % 2 == 0 ? NS_VIA_DEVICE : NS_VIA_HOST;
        ns_schedule *schedule = built(&made, i < OF ? of[i] : grid[i - OF], transport, exchange, machine, label);
        check_schedule(need, exchange, schedule, cap, standard, label);
        if (i == 0 || i == 7 || i == 8) {
            ns_schedule *same = built(&made,
                                      i == 0   ? "standard"
                                      : i == 7 ? "two-step"
                                               : "three-step",
                                      transport, exchange, machine, label);
            check_same_messages(schedule, same, label);
            ns_schedule_free(same);
        }
        ns_schedule_free(schedule);
    }
}

int replayed_strategies(const oracle_need *need, const ns_exchange *exchange, const ns_machine *machine, int64_t cap,
                        const char *label)
{
    oracle_traffic standard;
    int checked = 0;
    standard_traffic(need, exchange, &standard);
    for (const ns_strategy *const *strategy = ns_strategies(); *strategy != NULL; strategy++)
        for (int t = 0; t < NS_TRANSPORTS; t++) {
            ns_schedule *schedule = NULL;
            ns_error err = {0};
            if (!ns_strategy_runs(*strategy, (ns_transport)t, machine))
                continue;
            ck_assert_msg(ns_schedule_build(*strategy, (ns_transport)t, exchange, machine, &schedule, &err) == NS_OK,
                          "%s, %s %s: %s", label, (*strategy)->name, ns_transport_words[t], err.text);
            ck_assert(schedule->strategy == *strategy && (int)schedule->transport == t);
            ck_assert_int_eq(schedule->staged, t == NS_VIA_HOST && machine->gpus > 0);
            ck_assert_int_eq(schedule->ppn,
                             (*strategy)->all_processes ? processes_of(machine, exchange) : exchange->per_node);
            check_schedule(need, exchange, schedule, cap, &standard, label);
            ns_schedule_free(schedule);
            checked++;
        }
    check_ways(need, exchange, machine, cap, &standard, label);
    oracle_traffic_free(&standard);
    return checked;
}
