/* sequence.c -- page-table flits first: two classes with non-preemptive priority, compared with one queue
 *
 *     W0 = rho/2 E[S^2]/E[S],  FIFO W0/(1 - rho),  first W0/(1 - rho_H),  rest W0/((1 - rho_H)(1 - rho))  in flits
 *     rho_H W_H + rho_L W_L = rho W_FIFO;   S = 1 for flits, or the flits of a packet                    [NC] 3.3, 4.3
 *     a page walk is 1 to 4 dependent round trips, each 2 (switches t_switch + wire + W)
 *
 * Poisson arrivals of flits, or of packets that stay together.  Flits of one packet arrive in a burst, which the first
 * form neglects and the second exaggerates: the true value lies between.
 */
#include "model/parts/pooling.h"
#include "model/parts/traffic.h"

static const char *const unit_words[] = {"flits", "packets", NULL};

struct in {
    int unit;
    double reads, writes, flit, header, address, line, share, urgent, load, bandwidth;
    double accesses, switches, t_switch, wire;
};
struct out {
    double residual, fifo, page_table, data, penalty, walk_fifo, walk, walk_speedup;
};

static const ns_field inputs[] = {
    NS_WORD(unit, unit_words, "what is scheduled: single flits, or whole packets"),
    NS_IN_DEFAULT(reads, "1", "reads, relative to writes", 1),
    NS_IN_DEFAULT(writes, "1", "writes, relative to reads", 0),
    NS_IN_POSITIVE_FROM(flit, "B", "flit size", "models.flits.flit"),
    NS_IN_FROM(header, "B", "metadata of every packet", "models.flits.header"),
    NS_IN_FROM(address, "B", "address in requests and in page-table responses", "models.flits.address"),
    NS_IN_FROM(line, "B", "cache line", "models.flits.line"),
    NS_INPUT(share, "%", "page-table flits among all flits", .most = 0.999, .from = "models.sequence.share"),
    NS_INPUT(urgent, "%", "page-table flits that go first: those of reads", .most = 1, .has_default = true,
             .neutral = 1),
    NS_IN_RANGE(load, "1", "flits offered per flit time, rho", 0, 0.9999),
    NS_IN_POSITIVE_FROM(bandwidth, "GB/s", "bandwidth of the link", "models.netcrafter.slow"),
    NS_IN_DEFAULT(accesses, "1", "dependent accesses of a page walk over the link, 1 to 4", 1),
    NS_IN_FROM(switches, "1", "switches on the way", "models.sequence.switches"),
    NS_IN_FROM(t_switch, "ns", "latency of a switch", "models.sequence.t_switch"),
    NS_IN_DEFAULT(wire, "ns", "latency of the wires, one way", 0),
    NS_END
};
static const ns_field outputs[] = {
    NS_OUT(residual, "1", "E[S^2]/E[S], flits"),
    NS_OUT(fifo, "ns", "mean wait in one queue"),
    NS_OUT(page_table, "ns", "mean wait of the flits that go first"),
    NS_OUT(data, "ns", "mean wait of the others"),
    NS_OUT(penalty, "%", "what the others wait longer than in one queue"),
    NS_OUT(walk_fifo, "ns", "page walk in one queue"),
    NS_OUT(walk, "ns", "page walk that goes first"),
    NS_OUT(walk_speedup, "1", "the former over the latter"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    const double flit_time = in->flit / in->bandwidth, way = in->switches * in->t_switch + in->wire;
    /* E[S^2]/E[S] of the packets; page-table pairs make up the given share of the flits */
    ns_flit_mix mix = {.flit = in->flit};
    const double small = in->header + in->address, pair = ns_flits_of(small, in->flit);
    ns_flit_mix_add(&mix, small, in->reads, false);
    ns_flit_mix_add(&mix, in->header + in->line, in->reads, false);
    ns_flit_mix_add(&mix, small + in->line, in->writes, false);
    ns_flit_mix_add(&mix, in->header, in->writes, false);
    if (pair > 0)
        ns_flit_mix_add(&mix, small, in->share / (1 - in->share) * mix.flits / pair, true);
    out->residual = in->unit != 0 && mix.flits > 0 ? mix.squares / mix.flits : 1;
    const double first = in->share * in->urgent;
    const ns_priority w = ns_priority_waits(in->load, first, out->residual);
    out->fifo = w.fifo * flit_time;
    out->page_table = w.first * flit_time;
    out->data = w.rest * flit_time;
    out->penalty = 1 / (1 - in->load * first) - 1;
    out->walk_fifo = in->accesses * 2 * (way + out->fifo);
    out->walk = in->accesses * 2 * (way + out->page_table);
    out->walk_speedup = out->walk > 0 ? out->walk_fifo / out->walk : 1;
    return NS_OK;
}

const ns_model ns_model_sequence = {
    .name = "sequence",
    .title = "page-table traffic before data on the slow link",
    .source = "[NC] Sections 3.3, 4.3, Figures 8, 9; non-preemptive priority queue",
    .notes = "Poisson arrivals; open traffic: the sources do not slow down when the link is full.",
    NS_ROWS_AND_EVAL,
};
