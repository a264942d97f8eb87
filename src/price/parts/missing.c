/* missing.c -- numbers that a machine lacks, from those that it has: the rules of the form "full"
 *
 * Each slot that is filled keeps the machine's number that it stands on, so that its error and its source stay known.
 */
#include "price/parts/full.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_left_out(const ns_form_values *v, int part)
{
    return (v->without >> part & 1) != 0;
}

/* Slot `to` becomes `factor` times slot `from`, on the same number of the machine. */
static void take_from(ns_form_values *v, int to, int from, double factor)
{
    v->value[to] = factor * v->value[from];
    v->se[to] = factor * v->se[from];
    v->from[to] = v->from[from];
}

/* The first line of some protocols that the machine has, or -1. */
static int first_given(const ns_form_values *v, int row, int locality, int from)
{
    for (int p = from; p < NS_PROTOCOLS; p++)
        if (v->from[ns_class_slot(v, row, locality, p)] != NULL)
            return ns_class_slot(v, row, locality, p);
    return -1;
}

/* The number was measured with many messages in flight. */
static bool is_in_flight(const ns_form_values *v, int slot)
{
    return v->from[slot] != NULL && strstr(v->from[slot]->path, ".exchange.") != NULL;
}

/* The start-up of single messages also where those in flight are known by protocol. */
static void take_single(ns_form_values *v)
{
    char path[80];
    for (int p = 0; p < NS_PROTOCOLS; p++) {
        const int slot = ns_class_slot(v, NS_FULL_ALPHA, NS_OFF_NODE, p);
        snprintf(path, sizeof path, "%s.off-node.%s.alpha", ns_memory_words[v->memory], ns_protocol_words[p]);
        const ns_parameter *single = ns_machine_parameter(v->machine, path);
        if (!is_in_flight(v, slot) || single == NULL)
            continue;
        v->from[slot] = single;
        v->value[slot] = single->value;
        v->se[slot] = single->se;
    }
}

/* Where only single messages were measured, off node the start-up of messages in flight is that of the smallest,
 * whatever their protocol; of an eager message, whose bytes take less time than those of the last short one, as much as
 * all of that one, but not more than its own: so it is not faster, and a rendezvous message has its handshake.  With
 * GPUs it stays whole: its latency stands for what keeps an exchange waiting there. */
static void derive_start_up(ns_form_values *v)
{
    const int first = first_given(v, NS_FULL_ALPHA, NS_OFF_NODE, NS_SHORT),
              eager = ns_class_slot(v, NS_FULL_ALPHA, NS_OFF_NODE, NS_EAGER);
    for (int p = 0; p < NS_PROTOCOLS && first >= 0 && v->machine->gpus == 0; p++) {
        const int slot = ns_class_slot(v, NS_FULL_ALPHA, NS_OFF_NODE, p);
        const double own = v->value[slot];
        if (v->from[slot] == NULL || is_in_flight(v, slot))
            continue;
        take_from(v, slot, first, 1);
        if (slot == eager && first < eager)
            v->value[slot] +=
                fmax(0, fmin(own - v->value[first], v->value[ns_class_slot(v, NS_FULL_BETA, NS_OFF_NODE, NS_SHORT)] *
                                                        v->machine->line[v->memory][NS_OFF_NODE][NS_EAGER].from));
    }
}

/* Inside a node a ping-pong's start-up holds both ends of a message: half of it falls to each. */
static void derive_ends(ns_form_values *v)
{
    for (int l = 0; l < NS_OFF_NODE; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            const int slot = ns_class_slot(v, NS_FULL_ALPHA, l, p);
            if (v->from[slot] != NULL && !is_in_flight(v, slot))
                take_from(v, slot, slot, 0.5);
        }
}

/* A rate that was not measured: of as many processes as did not reach it, or of the network interfaces; at least of
 * two. */
static double pairs_at_least(const ns_form_values *v)
{
    const ns_parameter *nics = ns_machine_parameter(v->machine, "topology.nics");
    return fmax(fmax(2, v->value[v->first[NS_FULL_PAIRS]]), nics != NULL ? nics->value : 0);
}

/* The node's rate is that of bytes out and in together: of streams, which went one way, half the time.  Where there is
 * none the host's stands for it, or that of several processes by their own lines. */
static void derive_rate(ns_form_values *v)
{
    char path[60];
    const int slot = v->first[NS_FULL_R_N];
    for (int m = (int)v->memory; m >= (int)NS_HOST; m--) {
        snprintf(path, sizeof path, "%s.injection.inverse_R_N", ns_memory_words[m]);
        const ns_parameter *rate = ns_machine_parameter(v->machine, path);
        snprintf(path, sizeof path, "%s.injection.directions", ns_memory_words[m]);
        const ns_parameter *ways = ns_machine_parameter(v->machine, path);
        if (rate == NULL)
            continue;
        const double half = ways != NULL ? ways->value / 2 : 1;
        v->from[slot] = rate;
        v->value[slot] = half * rate->value;
        v->se[slot] = half * rate->se;
        return;
    }
    for (int p = NS_PROTOCOLS - 1; p >= 0; p--)
        if (v->from[ns_class_slot(v, NS_FULL_BETA, NS_OFF_NODE, p)] != NULL) {
            take_from(v, slot, ns_class_slot(v, NS_FULL_BETA, NS_OFF_NODE, p), 1 / pairs_at_least(v));
            return;
        }
}

/* A line's start-up; 0 where even its shortest message is 64 times as long as the host's first rendezvous message
 * between nodes, a megabyte: then it is the intercept of a line through long ones, and no time that anybody waits.
 * Sizes alone decide: a larger beta must not make the floor smaller. */
static double waited(const ns_machine *machine, const ns_line *line)
{
    const double LONG = 64, rendezvous = ns_machine_rendezvous_from(machine);
    return rendezvous == 0 || line->from < LONG * rendezvous ? line->alpha : 0;
}

/* A machine with GPUs whose whole exchanges were not measured: a handshake off node and one on it. */
static void derive_floor(ns_form_values *v)
{
    double off = 0, on = 0;
    const int floor = v->first[NS_FULL_FLOOR];
    if (v->machine->gpus == 0 || v->from[floor] != NULL)
        return;
    for (int p = 0; p < NS_PROTOCOLS; p++) {
        off = fmax(off, waited(v->machine, &v->machine->line[v->memory][NS_OFF_NODE][p]));
        for (int l = 0; l < NS_OFF_NODE; l++)
            if (v->machine->stands_for[v->memory][l] != NS_OFF_NODE)
                on = fmax(on, waited(v->machine, &v->machine->line[v->memory][l][p]));
    }
    v->value[floor] = off + on;
}

/* In a ping-pong half of the processes send at a time: all at once take twice as long, where its line is the memory's
 * rate.  A single process was measured alone, and a line between nodes is not the memory's: they tell no limit. */
static void derive_limit(ns_form_values *v)
{
    for (int l = 0; l < NS_OFF_NODE; l++) {
        if (v->machine->host_processes < 2 || v->machine->stands_for[v->memory][l] == NS_OFF_NODE)
            continue;
        const int limit = ns_class_slot(v, NS_FULL_LIMIT, l, NS_RENDEZVOUS),
                  beta = ns_class_slot(v, NS_FULL_BETA, l, NS_RENDEZVOUS);
        if (v->from[limit] == NULL && v->from[beta] != NULL)
            take_from(v, limit, beta, 2.0 / v->machine->host_processes);
    }
}

/* The line that shows how fast messages inside a socket are copied: eager's.  Where it ends at less than a quarter of
 * the size at which eager messages between nodes end, it is the start of a curve, fitted to shorter sizes than what is
 * gathered into those, and the next one has the copies.  Sizes alone decide: a larger beta must not make packing
 * faster. */
static int copied_line(const ns_form_values *v)
{
    const ns_line *next = &v->machine->line[v->memory][NS_ON_SOCKET][NS_RENDEZVOUS];
    const bool soon = next->given && 4 * next->from < ns_machine_rendezvous_from(v->machine);
    return first_given(v, NS_FULL_BETA, NS_ON_SOCKET, soon ? NS_RENDEZVOUS : NS_EAGER);
}

/* An eager message inside a node is copied twice. */
static void derive_packing(ns_form_values *v)
{
    if (v->machine->stands_for[v->memory][NS_ON_SOCKET] == NS_OFF_NODE)
        return; /* nothing was measured inside the node */
    const int own = v->first[NS_FULL_PACK], node = v->first[NS_FULL_NODE_PACK];
    const int copied = copied_line(v);
    const int limited = ns_class_slot(v, NS_FULL_LIMIT, NS_ON_NODE, NS_EAGER);
    if (v->from[own] == NULL && copied >= 0)
        take_from(v, own, copied, 0.5);
    if (v->from[node] == NULL && v->from[limited] != NULL)
        take_from(v, node, limited, 0.5);
}

/* A queue that was measured to be slower than the default counts.  The default stands for nodes all of whose cores are
 * busy: on Lassen, where four processes a node stage for four GPUs, eighty messages show none of it. */
static void derive_gamma(ns_form_values *v)
{
    const int slot = v->first[NS_FULL_GAMMA];
    if (v->from[slot] == NULL && v->machine->gpus > 0)
        v->value[slot] = 0;
    const ns_parameter *queue = ns_machine_parameter(v->machine, "host.queue.gamma");
    if (v->from[slot] != NULL || queue == NULL || !(queue->value > v->value[slot]))
        return;
    v->from[slot] = queue;
    v->value[slot] = queue->value;
    v->se[slot] = queue->se;
}

/* A step's handshake; where a floor stands for the whole exchange it is in that. */
static void derive_handshake(ns_form_values *v)
{
    const int slot = v->first[NS_FULL_HANDSHAKE];
    if (v->machine->gpus > 0 && !is_in_flight(v, slot)) {
        v->from[slot] = NULL;
        v->value[slot] = v->se[slot] = 0;
    }
}

/* Device memory's way to the network, where no rate of the node was measured for it. */
static bool is_one_way(const ns_form_values *v)
{
    const ns_parameter *rate = v->from[v->first[NS_FULL_R_N]];
    return v->memory == NS_DEVICE && !(v->value[v->first[NS_FULL_R]] > 0) &&
           (rate == NULL || strncmp(rate->path, "device.injection", 16) != 0);
}

void ns_full_derive(ns_form_values *v)
{
    if (is_left_out(v, NS_FULL_START_UP))
        take_single(v);
    derive_start_up(v);
    derive_ends(v);
    derive_rate(v);
    derive_handshake(v);
    if (!is_left_out(v, NS_FULL_FLOOR_PART))
        derive_floor(v);
    v->one_way = is_one_way(v);
    v->hides = v->value[v->first[NS_FULL_FLOOR]] > 0 || v->value[v->first[NS_FULL_FLOOR_STEP]] > 0;
    if (v->memory != NS_HOST)
        return;
    if (!is_left_out(v, NS_FULL_MEMORY))
        derive_limit(v);
    if (!is_left_out(v, NS_FULL_PACKED))
        derive_packing(v);
    if (is_left_out(v, NS_FULL_QUEUE))
        v->value[v->first[NS_FULL_GAMMA]] = 0;
    else
        derive_gamma(v);
    if (is_left_out(v, NS_FULL_CROWDED))
        v->value[v->first[NS_FULL_CROWDING]] = 0;
}
