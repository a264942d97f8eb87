/* direct.c -- a message for each route: what a node's processes send and receive */
#include "place/placer.h"

#include <string.h>

static void add_edges(ns_placer *p, ns_sums *sums, int32_t part, int side, const ns_edge *edge, int64_t count)
{
    ns_class_sum *row = ns_sums_row(p, sums, part, side);
    const int32_t node = p->node_of[part];
    const int64_t stamp = ++p->stamps;
    int32_t partners = 0;
    memset(row, 0, (1 + (size_t)p->classes) * sizeof *row);
    for (int64_t i = 0; i < count; i++) {
        const ns_edge *e = &edge[i];
        const int32_t other = p->node_of[e->other];
        const ns_locality locality = ns_placer_locality(p, part, e->other);
        ns_sums_add(p, row, locality, e->class[locality], e -> bytes);
        if (other == node)
            continue;
        partners += p->node_seen[other] != stamp;
        p->node_seen[other] = stamp;
        sums->node[NS_SIDES * (int64_t)node + side] += e->bytes;
        if (sums->far != NULL && side == NS_OUT)
            ns_far_add(&sums->far[node], p->side, node, other, e->bytes);
    }
    sums->partners[NS_SIDES * (int64_t)part + side] = partners;
}

void ns_direct_node(ns_placer *p, ns_pass *pass, int32_t node)
{
    ns_sums *sums = &pass->step[0];
    const int64_t *first_in = p->graph->first_route, *first_out = p->first_out;
    sums->node[NS_SIDES * (int64_t)node + NS_OUT] = sums->node[NS_SIDES * (int64_t)node + NS_IN] = 0;
    if (sums->far != NULL)
        sums->far[node] = (ns_far){0, 0, 0};
    for (int d = 0; d < NS_DIRECTIONS; d++)
        pass->copies[d][node] = pass->copied[d][node] = 0;
    for (int32_t i = p->first[node]; i < p->first[node + 1]; i++) {
        const int32_t q = p->part[i];
        add_edges(p, sums, q, NS_OUT, &p->out[first_out[q]], first_out[q + 1] - first_out[q]);
        add_edges(p, sums, q, NS_IN, &p->in[first_in[q]], first_in[q + 1] - first_in[q]);
        ns_pass_copy(pass, NS_D2H, node, p->sent[q]);
        ns_pass_copy(pass, NS_H2D, node, p->graph->need[q] * p->graph->width);
    }
}
