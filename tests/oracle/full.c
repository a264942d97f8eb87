/* full.c -- the full form of a schedule as defined: per step the worst process, both its sides at once
 *
 * Off node by class the larger of sent and received start-ups and bytes; inside the node start-ups of both sides and
 * the larger bytes; the node's bytes both ways at R, or, without R, as max-rate has them; gamma times the square of
 * what is received.
 */
#include "oracle.h"

#include <stdlib.h>

typedef struct tally {
    double messages[2][NS_LOCALITIES][NS_PROTOCOLS], bytes[2][NS_LOCALITIES][NS_PROTOCOLS], received;
} tally;

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

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double inside(const tally *t, const ns_machine *machine, ns_memory memory)
{
    double sum = 0;
    for (int l = 0; l < NS_OFF_NODE; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            const ns_line *own = &machine->exchange[memory].on[l][p];
            const ns_line *line = own->given ? own : &machine->line[memory][l][p];
            sum += (t->messages[0][l][p] + t->messages[1][l][p]) * line->alpha +
                   larger(t->bytes[0][l][p], t->bytes[1][l][p]) * line->beta;
        }
    return sum;
}

static double outside(const tally *t, const ns_machine *machine, ns_memory memory, const double node[2])
{
    const ns_exchange_line *x = &machine->exchange[memory];
    double start = 0, transfer = 0, any = 0;
    for (int p = 0; p < NS_PROTOCOLS; p++) {
        const ns_line *line = &machine->line[memory][NS_OFF_NODE][p];
        const double n = larger(t->messages[0][NS_OFF_NODE][p], t->messages[1][NS_OFF_NODE][p]);
        start += n * (x->off_alpha > 0 ? x->off_alpha : line->alpha);
        transfer += larger(t->bytes[0][NS_OFF_NODE][p], t->bytes[1][NS_OFF_NODE][p]) * line->beta;
        any += n;
    }
    if (any == 0)
        return 0;
    return x->inverse_R > 0 ? start + (node[0] + node[1]) * x->inverse_R
                            : start + larger(transfer, larger(node[0], node[1]) * machine->inverse_R_N[memory]);
}

static double step_time(const ns_schedule *s, const ns_step *step, const ns_machine *machine, ns_memory memory)
{
    tally *list = oracle_alloc(s->processes, sizeof *list);
    double *node = oracle_alloc((int64_t)s->nodes * 2, sizeof *node), most = 0;
    for (int64_t i = 0; i < step->messages; i++) {
        const ns_message *m = &step->message[i];
        const int l = place(s, m->from, m->to), p = protocol_of(machine, memory, l, m->bytes);
        list[m->from].messages[0][l][p]++;
        list[m->from].bytes[0][l][p] += (double)m->bytes;
        list[m->to].messages[1][l][p]++;
        list[m->to].bytes[1][l][p] += (double)m->bytes;
        list[m->to].received++;
        if (l == NS_OFF_NODE) {
            node[s->site->node_of[m->from] * 2] += (double)m->bytes;
            node[s->site->node_of[m->to] * 2 + 1] += (double)m->bytes;
        }
    }
    for (int32_t q = 0; q < s->processes; q++) {
        const double gamma = memory == NS_HOST ? machine->queue_gamma : 0;
        most = larger(most, inside(&list[q], machine, memory) +
                                outside(&list[q], machine, memory, node + s->site->node_of[q] * 2) +
                                gamma * list[q].received * list[q].received);
    }
    free(list);
    free(node);
    return most;
}

double oracle_price_full(const ns_schedule *schedule, const ns_machine *machine)
{
    oracle_cost cost;
    oracle_price(schedule, machine, &cost);
    double sum = cost.copy_s;
    for (int s = 0; s < schedule->steps; s++)
        sum += step_time(schedule, &schedule->step[s], machine,
                         schedule->transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST);
    return sum;
}
