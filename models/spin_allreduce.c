/* spin_allreduce.c -- allreduce by packet handlers on a network interface whose handler units are shared
 *
 *     T = 2 DMA + rounds of the algorithm with t(s),   n = ceil(s/P) packets, full ones and a last of r bytes
 *     t(s) = L + p/line + ingress(p) + wait + h(p) + (n - 2) pace(P) + pace(r),   p = min(s, P): the first packet
 *     pace(p) = max(p/line, h(p)/(H (1 - load))),   h(p) = (c_0 + c_1 p)/f;   one packet: no pace
 *
 * An arriving packet is combined with the data in the interface and sent to the next node without the host.  Ingress
 * as in spin-round-trip.  If units are busy with other handlers, a message waits for its first unit (see
 * spin-contention) and gets H (1 - load) of them.  The schedules are those of host-allreduce.
 */
#include "model/parts/allreduce.h"
#include "model/parts/handlers.h"

#include <math.h>

struct in {
    int algorithm;
    double s, nodes, processes, sockets, H, load, cv, f, c_0, c_1, P, L, line, dma, matching, s_short, s_long, c_short,
        c_long;
};
struct out {
    double on_node, dma, rounds, handler, wait, pace, messages, chosen, time;
};

static const ns_field inputs[] = {
    NS_WORD(algorithm, ns_allreduce_words, "which algorithm between the nodes"),
    NS_IN(s, "B", "message length"),
    NS_IN_COLLECTIVE_NODES,
    NS_IN_COLLECTIVE_PROCESSES,
    NS_IN_POSITIVE_FROM(sockets, "1", "sockets of a node", "topology.sockets"),
    NS_IN_POSITIVE_FROM(H, "1", "handler units", "models.spin-allreduce.H"),
    NS_IN_DEFAULT(load, "1", "share of the handler units that other handlers keep busy", 0),
    NS_IN_DEFAULT(cv, "1", "coefficient of variation of those handlers' times", 0),
    NS_IN_POSITIVE_FROM(f, "MHz", "clock of the handler units", "models.spin-round-trip.f"),
    NS_IN_FROM(c_0, "1", "cycles of a handler apart from its data", "models.spin-allreduce.c_0"),
    NS_IN_FROM(c_1, "1/B", "cycles per byte that it combines", "models.spin-allreduce.c_1"),
    NS_IN_POSITIVE_FROM(P, "B", "payload of a packet", "models.spin-throughput.P"),
    NS_IN_FROM(L, "us", "latency one way between two interfaces", "models.spin-allreduce.L"),
    NS_IN_POSITIVE_FROM(line, "Gbit/s", "line rate", "models.spin-throughput.line"),
    NS_IN_FROM(dma, "ns", "one DMA transfer to or from the host", "models.spin-round-trip.dma"),
    NS_IN_FROM(matching, "1", "cycles of the matching engine", "models.spin-round-trip.matching"),
    NS_IN_FROM(s_short, "B", "shortest packet", "models.spin-round-trip.s_short"),
    NS_IN_FROM(s_long, "B", "longest packet", "models.spin-round-trip.s_long"),
    NS_IN_FROM(c_short, "1", "cycles of the ingress DMA for the shortest packet", "models.spin-round-trip.c_short"),
    NS_IN_FROM(c_long, "1", "cycles of the ingress DMA for the longest packet", "models.spin-round-trip.c_long"),
    NS_END};
static const ns_field outputs[] = {
    NS_TERM(on_node, "us", "reducing and returning the result on the node, by the host"),
    NS_TERM(dma, "us", "operand from the host's memory, result into it"),
    NS_TERM(rounds, "us", "between the nodes"),
    NS_OUT(handler, "us", "handler of the first packet of the whole message"),
    NS_OUT(wait, "us", "wait for a handler unit, a round"),
    NS_OUT(pace, "us", "from one such packet to the next"),
    NS_OUT(messages, "1", "messages that a node sends"),
    NS_OUT(chosen, "1", "the algorithm taken: 1 recursive doubling, 2 Rabenseifner, 3 ring, 4 reduce and broadcast"),
    NS_OUT(time, "us", "time of the allreduce"),
    NS_END};

typedef struct course {
    const struct in *in;
    double wait; /* for a unit, in handler times */
} course;

static double handler(const struct in *in, double piece)
{
    return (in->c_0 + in->c_1 * piece) / in->f;
}

static double pace(const struct in *in, double piece)
{
    return fmax(piece / in->line, handler(in, piece) / (in->H * (1 - in->load)));
}

static ns_status by_handlers(const ns_collective *job, double bytes, double *time, ns_error *err)
{
    const course *c = job->by;
    const struct in *in = c->in;
    const double full = in->P, count = fmax(1, ceil(bytes / full)), first = fmin(bytes, full);
    /* headers fill a packet of P bytes up to the longest one */
    const double length = first + fmax(0, in->s_long - full);
    const double share = fmin(1, fmax(0, (length - in->s_short) / (in->s_long - in->s_short)));
    const double ingress = (in->matching + in->c_short + (in->c_long - in->c_short) * share) / in->f;
    (void)err;
    *time = in->L + first / in->line + ingress + (1 + c->wait) * handler(in, first);
    if (count > 1)
        *time += (count - 2) * pace(in, full) + pace(in, bytes - (count - 1) * full);
    return NS_OK;
}

NS_EVAL(machine, in, out, err)
{
    course c = {.in = in};
    const ns_collective job = {
        .machine = machine, .memory = NS_HOST, .nodes = in->nodes, .s = in->s, .driven = by_handlers, .by = &c};
    double time[NS_ALLREDUCES], tree;
    int chosen;
    if (in->s_long <= in->s_short)
        return ns_fail(err, NS_ERR_RANGE, "s_long has to be more than s_short");
    NS_TRY(ns_handlers_wait(in->H, in->load, in->cv, &c.wait, err));
    NS_TRY(ns_allreduce_times(&job, time, &chosen, err));
    NS_TRY(ns_on_node_tree(&job, in->processes, in->sockets, 1, &tree, err));
    const double first = fmin(in->s, in->P);
    chosen = ns_allreduce_run(&job, in->algorithm, chosen);
    out->on_node = 2 * tree;
    out->dma = in->nodes > 1 ? 2 * in->dma : 0;
    out->rounds = time[chosen];
    out->handler = handler(in, first);
    out->wait = c.wait * out->handler;
    out->pace = pace(in, first);
    out->messages = in->nodes > 1 ? ns_allreduce_messages(in->nodes, chosen) : 0;
    out->chosen = chosen;
    out->time = out->on_node + out->dma + out->rounds;
    return NS_OK;
}

const ns_model ns_model_spin_allreduce = {
    .name = "spin-allreduce",
    .title = "allreduce by packet handlers on the network interface",
    .source = "[RS] Sections 4.2.3, 4.2.4 (named, no time printed) and 4.5, Table 4; form ours",
    .notes = "No packet is lost; the handler's cycles per byte and the latency are not in the paper.",
    NS_ROWS_AND_EVAL,
    .wants_machine = true,
};
