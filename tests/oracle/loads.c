/* loads.c -- what every process has to do in a step, counted message by message into dense tables */
#include "core/memory.h"
#include "oracle.h"

#include <math.h>
#include <stdlib.h>

static int protocol_of(const ns_machine *machine, ns_memory memory, int where, int64_t bytes)
{
    int chosen = -1;
    for (int p = 0; p < NS_PROTOCOLS; p++)
        if (machine->line[memory][where][p].given &&
            (chosen < 0 || machine->line[memory][where][p].from <= (double)bytes))
            chosen = p;
    return chosen;
}

static int place(const ns_schedule *s, int32_t a, int32_t b)
{
    if (s->site->node_of[a] != s->site->node_of[b])
        return NS_OFF_NODE;
    return s->site->socket_of[a] == s->site->socket_of[b] ? NS_ON_SOCKET : NS_ON_NODE;
}

/* Node totals go to every process of the node. */
static void add_message(const ns_schedule *s, const ns_message *m, int l, int p, ns_load *list)
{
    const int32_t *node_of = s->site->node_of;
    const double bytes = (double)m->bytes;
    list[m->from].out[l][p].messages++;
    list[m->from].out[l][p].bytes += bytes;
    list[m->to].in[l][p].messages++;
    list[m->to].in[l][p].bytes += bytes;
    if (p == NS_RENDEZVOUS)
        list[m->from].handshakes = list[m->to].handshakes = 1;
    for (int32_t q = 0; q < s->processes; q++) {
        if (l != NS_OFF_NODE && node_of[q] == node_of[m->from])
            list[q].node_on[l][p] += bytes;
        if (l == NS_OFF_NODE && node_of[q] == node_of[m->from])
            list[q].node_out += bytes;
        if (l == NS_OFF_NODE && node_of[q] == node_of[m->to])
            list[q].node_in += bytes;
    }
    if (l != NS_OFF_NODE || (!s->strategy->node_aware && s->strategy->grid == NULL))
        return;
    list[m->from].bundled += bytes;
    list[m->to].bundled += bytes;
    for (int32_t q = 0; q < s->processes; q++)
        list[q].node_bundled += bytes * ((node_of[q] == node_of[m->from]) + (node_of[q] == node_of[m->to]));
}

/* Who has no other process on its node has gathered nothing. */
static void drop_bundles_of_lone(const ns_schedule *s, ns_load *list)
{
    for (int32_t q = 0; q < s->processes; q++) {
        int others = 0;
        for (int32_t r = 0; r < s->processes; r++)
            others += r != q && s->site->node_of[r] == s->site->node_of[q];
        if (others == 0)
            list[q].bundled = list[q].node_bundled = 0;
    }
}

/* Other nodes that a process sends to or receives from, the more: a table of who meets whom. */
static void count_partners(const ns_schedule *s, const ns_step *step, ns_load *list)
{
    const int32_t *node_of = s->site->node_of;
    char *meets = oracle_alloc((int64_t)s->processes * s->nodes * 2, 1);
    for (int64_t i = 0; i < step->messages; i++) {
        const ns_message *m = &step->message[i];
        if (node_of[m->from] == node_of[m->to])
            continue;
        meets[((int64_t)m->from * s->nodes + node_of[m->to]) * 2] = 1;
        meets[((int64_t)m->to * s->nodes + node_of[m->from]) * 2 + 1] = 1;
    }
    for (int32_t q = 0; q < s->processes; q++) {
        double count[2] = {0, 0};
        for (int64_t i = 0; i < s->nodes * 2; i++)
            count[i % 2] += meets[(int64_t)q * s->nodes * 2 + i];
        list[q].partners = fmax(count[0], count[1]);
    }
    ns_free(meets);
}

/* Nodes along a cube: steps in each direction between two of them; then the bytes of the busiest link, by their
 * mean. */
static double link_bytes(const ns_schedule *s, const ns_step *step)
{
    int64_t side = 1;
    double bytes = 0, far = 0;
    while (side * side * side < s->nodes)
        side++;
    for (int64_t i = 0; i < step->messages; i++) {
        const int64_t a = s->site->node_of[step->message[i].from], b = s->site->node_of[step->message[i].to];
        const int64_t hops = llabs(a % side - b % side) + llabs(a / side % side - b / side % side) +
                             llabs(a / side / side - b / side / side);
        bytes += a != b ? (double)step->message[i].bytes : 0;
        far += (double)(hops * step->message[i].bytes);
    }
    return bytes > 0 ? pow(far / bytes, 3) * bytes / ((double)s->nodes / 2) : 0;
}

ns_load *oracle_loads(const ns_schedule *s, int index, const ns_machine *machine, bool one_table)
{
    const ns_memory memory = s->transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
    const ns_step *step = &s->step[index];
    ns_load *list = oracle_alloc(s->processes, sizeof *list);
    for (int64_t i = 0; i < step->messages; i++) {
        const ns_message *m = &step->message[i];
        const int l = place(s, m->from, m->to);
        add_message(s, m, l, protocol_of(machine, memory, one_table ? NS_OFF_NODE : l, m->bytes), list);
    }
    drop_bundles_of_lone(s, list);
    count_partners(s, step, list);
    const double links = link_bytes(s, step);
    for (int32_t q = 0; q < s->processes; q++) {
        double sent = 0, received = 0;
        for (int64_t i = 0; i < step->messages; i++) {
            sent += step->message[i].from == q;
            received += step->message[i].to == q;
        }
        list[q].out_squares = sent * sent;
        list[q].in_squares = received * received;
        list[q].link_bytes = links;
        list[q].first = index == 0;
        list[q].later = index > 0;
    }
    return list;
}
