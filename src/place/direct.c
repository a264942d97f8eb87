/* direct.c -- a message for each route: what a node's processes send and receive */
#include "place/placer.h"

static void add_edges(ns_placer *p, ns_sums *sums, int32_t part, int side, const ns_edge *edge, int64_t count)
{
    const int32_t *node_of = p->node_of, *socket_of = p->socket_of, node = node_of[part], socket = socket_of[part];
    ns_class_sum *row = ns_sums_row(p, sums, part, side);
    int64_t *seen = p->node_seen, bytes = 0;
    const int64_t stamp = ++p->stamps;
    int32_t partners = 0;
    row->messages = 0;
    for (const ns_edge *e = edge; e < edge + count; e++) {
        const int32_t other = node_of[e->other];
        const bool off_node = other != node;
        const ns_locality locality = off_node ? NS_OFF_NODE : socket_of[e->other] == socket ? NS_ON_SOCKET : NS_ON_NODE;
        ns_row_add(row, p->rows.base[locality] + e->class[locality], e -> bytes);
        partners += off_node && seen[other] != stamp;
        seen[other] = stamp;
        bytes += off_node ? e->bytes : 0;
    }
    sums->node[NS_SIDES * (int64_t)node + side] += bytes;
    sums->partners[NS_SIDES * (int64_t)part + side] = partners;
}

static void add_far(const ns_placer *p, ns_sums *sums, int32_t part, const ns_edge *edge, int64_t count)
{
    const int32_t node = p->node_of[part];
    for (const ns_edge *e = edge; e < edge + count; e++)
        if (p->node_of[e->other] != node)
            ns_far_add(&sums->far[node], p->side, node, p->node_of[e->other], e->bytes);
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
        if (sums->far != NULL)
            add_far(p, sums, q, &p->out[first_out[q]], first_out[q + 1] - first_out[q]);
        ns_pass_copy(pass, NS_D2H, node, p->sent[q]);
        ns_pass_copy(pass, NS_H2D, node, p->graph->need[q] * p->graph->width);
    }
}
