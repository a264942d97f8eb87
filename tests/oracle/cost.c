/* cost.c -- the price of a schedule as defined: per step the worst process, its sending or its receiving side
 *
 * side = on-node sum(alpha + beta s) + off-node sum(alpha) + max(off-node sum(beta s), its node's off-node bytes /
 * R_N), the last for a process that has off-node messages on that side.  Copies: the slowest out, the slowest in.
 */
#include "core/memory.h"
#include "oracle.h"

#include <stdlib.h>

static ns_locality locality(const ns_schedule *schedule, int32_t a, int32_t b)
{
    const ns_site *site = schedule->site;
    if (site->node_of[a] != site->node_of[b])
        return NS_OFF_NODE;
    return site->socket_of[a] == site->socket_of[b] ? NS_ON_SOCKET : NS_ON_NODE;
}

/* The last protocol whose first size is not above the message, or the first one given. */
static const ns_line *line_of(const ns_machine *machine, ns_memory memory, ns_locality where, int64_t bytes)
{
    const ns_line *chosen = NULL;
    for (int p = 0; p < NS_PROTOCOLS; p++) {
        const ns_line *line = &machine->line[memory][where][p];
        if (line->given && (chosen == NULL || line->from <= (double)bytes))
            chosen = line;
    }
    return chosen;
}

typedef struct side {
    double on_node, alpha, beta, node_bytes;
    int64_t off_node_messages;
} side;

static void add(side *s, const ns_line *line, ns_locality where, int64_t bytes)
{
    if (where != NS_OFF_NODE) {
        s->on_node += line->alpha + line->beta * (double)bytes;
        return;
    }
    s->alpha += line->alpha;
    s->beta += line->beta * (double)bytes;
    s->off_node_messages++;
}

static double off_node(const side *s, double inverse_rate)
{
    double injection = s->off_node_messages > 0 ? s->node_bytes * inverse_rate : 0;
    return s->alpha + (injection > s->beta ? injection : s->beta);
}

/* Both sides of every process: [process * 2 + receiving]. */
static side *sides(const ns_schedule *schedule, const ns_step *step, const ns_machine *machine, ns_memory memory)
{
    side *list = oracle_alloc((int64_t)schedule->processes * 2, sizeof *list);
    double *node_bytes = oracle_alloc((int64_t)schedule->nodes * 2, sizeof *node_bytes);
    for (int64_t i = 0; i < step->messages; i++) {
        const ns_message *m = &step->message[i];
        ns_locality where = locality(schedule, m->from, m->to);
        const ns_line *line = line_of(machine, memory, where, m->bytes);
        add(&list[m->from * 2], line, where, m->bytes);
        add(&list[m->to * 2 + 1], line, where, m->bytes);
        if (where == NS_OFF_NODE) {
            node_bytes[schedule->site->node_of[m->from] * 2] += (double)m->bytes;
            node_bytes[schedule->site->node_of[m->to] * 2 + 1] += (double)m->bytes;
        }
    }
    for (int32_t p = 0; p < schedule->processes; p++)
        for (int receiving = 0; receiving < 2; receiving++)
            list[p * 2 + receiving].node_bytes = node_bytes[schedule->site->node_of[p] * 2 + receiving];
    ns_free(node_bytes);
    return list;
}

static void add_step(const ns_schedule *schedule, const ns_step *step, const ns_machine *machine, oracle_cost *cost)
{
    ns_memory memory = schedule->transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
    side *list = sides(schedule, step, machine, memory);
    double most = 0, on = 0, off = 0;
    for (int32_t i = 0; i < schedule->processes * 2; i++) {
        double away = off_node(&list[i], machine->inverse_R_N[memory]);
        if (list[i].on_node + away > most) {
            most = list[i].on_node + away;
            on = list[i].on_node;
            off = away;
        }
    }
    cost->on_node_s += on;
    cost->off_node_s += off;
    ns_free(list);
}

static double copy_time(const ns_schedule *schedule, const ns_machine *machine, ns_direction direction)
{
    const ns_copy_line *level = NULL;
    for (int i = 0; i < machine->copy_levels; i++)
        if (machine->copy[i].processes <= schedule->holders)
            level = &machine->copy[i];
    double most = 0;
    for (int64_t i = 0; i < schedule->copies[direction]; i++) {
        /* a line of several processes is of all their bytes, or of one's */
        int64_t bytes = schedule->copy[direction][i].bytes * (machine->copy_total ? schedule->holders : 1);
        double time = bytes > 0 ? level->alpha[direction] + level->beta[direction] * (double)bytes : 0;
        if (bytes > 0 && (double)bytes < level->wait_below[direction] && time < level->wait[direction])
            time = level->wait[direction];
        most = time > most ? time : most;
    }
    return most;
}

void oracle_price(const ns_schedule *schedule, const ns_machine *machine, oracle_cost *cost)
{
    *cost = (oracle_cost){0, 0, 0, 0};
    for (int s = 0; s < schedule->steps; s++)
        add_step(schedule, &schedule->step[s], machine, cost);
    cost->copy_s = copy_time(schedule, machine, NS_D2H) + copy_time(schedule, machine, NS_H2D);
    cost->estimate_s = cost->on_node_s + cost->off_node_s + cost->copy_s;
}
