/* parts.c -- where the parts of a placer stand, and which nodes a change touches
 *
 * The parts of a node stand by rising number, as in a site.  A part that comes or goes renumbers those behind it; their
 * messages stay, but strategies that pair local indices send them to other processes.
 */
#include "place/placer.h"

#include <string.h>

static void touch(ns_placer *p, int32_t node, uint8_t how)
{
    if (p->touched[node] == 0)
        p->touch[p->touches++] = node;
    p->touched[node] |= how;
}

void ns_parts_touch_all(ns_placer *p)
{
    for (int32_t node = 0; node < p->nodes; node++)
        touch(p, node, NS_NEAR);
}

/* Its own node, and those that it exchanges with. */
static void touch_around(ns_placer *p, int32_t part)
{
    touch(p, p->node_of[part], NS_NEAR);
    for (int64_t i = p->graph->first_route[part]; i < p->graph->first_route[part + 1]; i++)
        touch(p, p->node_of[p->graph->route[i].from], NS_NEAR);
    for (int64_t i = p->first_out[part]; i < p->first_out[part + 1]; i++)
        touch(p, p->node_of[p->out[i].to], NS_NEAR);
}

static void renumber(ns_placer *p, int32_t part, int32_t local)
{
    if (p->local_of[part] == local)
        return;
    p->local_of[part] = local;
    for (int64_t i = p->first_out[part]; i < p->first_out[part + 1]; i++)
        touch(p, p->node_of[p->out[i].to], NS_RENUMBERED);
}

static void renumber_node(ns_placer *p, int32_t node)
{
    for (int32_t i = p->first[node]; i < p->first[node + 1]; i++)
        renumber(p, p->part[i], i - p->first[node]);
}

static void resize(ns_placer *p, int32_t from, int32_t to)
{
    p->sized[from]--;
    p->sized[to]++;
    p->site.per_node = to > p->site.per_node ? to : p->site.per_node;
    while (p->sized[p->site.per_node] == 0)
        p->site.per_node--;
}

void ns_parts_list(ns_placer *p)
{
    memset(p->first, 0, ((size_t)p->nodes + 1) * sizeof *p->first);
    memset(p->sized, 0, ((size_t)p->parts + 1) * sizeof *p->sized);
    for (int32_t q = 0; q < p->parts; q++)
        p->first[p->node_of[q] + 1]++;
    p->site.per_node = 0;
    for (int32_t node = 0; node < p->nodes; node++) {
        const int32_t size = p->first[node + 1];
        p->sized[size]++;
        p->site.per_node = size > p->site.per_node ? size : p->site.per_node;
        p->first[node + 1] += p->first[node];
    }
    for (int32_t q = p->parts - 1; q >= 0; q--) /* from the back, so that the ends can serve as counters */
        p->part[--p->first[p->node_of[q] + 1]] = q;
    for (int32_t node = 0; node < p->nodes; node++)
        p->first[node] = p->first[node + 1];
    p->first[p->nodes] = p->parts;
    for (int32_t i = 0; i < p->parts; i++)
        p->local_of[p->part[i]] = i - p->first[p->node_of[p->part[i]]];
}

static void spread_node(ns_placer *p, int32_t node)
{
    for (int32_t i = p->first[node]; i < p->first[node + 1]; i++)
        p->socket_of[p->part[i]] = (int32_t)((int64_t)(i - p->first[node]) * p->site.sockets / p->site.per_node);
}

void ns_parts_spread(ns_placer *p)
{
    if (p->site.sockets == 1)
        return;
    if (p->spread != p->site.per_node)
        ns_parts_touch_all(p);
    p->spread = p->site.per_node;
    for (int32_t i = 0; i < p->touches; i++)
        spread_node(p, p->touch[i]);
}

/* ---- changes ----------------------------------------------------------------------------------------------------- */

static ns_status check_part(const ns_placer *p, int32_t part, ns_error *err)
{
    return part >= 0 && part < p->parts
               ? NS_OK
               : ns_fail(err, NS_ERR_RANGE, "there is no part %d; parts go from 0 to %d", (int)part, (int)p->parts - 1);
}

static ns_status check_node(const ns_placer *p, int32_t part, int32_t node, ns_error *err)
{
    return node >= 0 && node < p->nodes ? NS_OK
                                        : ns_fail(err, NS_ERR_RANGE, "part %d is on node %d, but nodes go from 0 to %d",
                                                  (int)part, (int)node, (int)p->nodes - 1);
}

/* Take a part out of the list of its node, and put it into another's: what stands between moves up by one. */
static void refile(ns_placer *p, int32_t part, int32_t to)
{
    const int32_t from = p->node_of[part], at = p->first[from] + p->local_of[part];
    int32_t into = p->first[to], end = p->first[to + 1];
    while (into < end) { /* the first behind it */
        const int32_t middle = into + (end - into) / 2;
        if (p->part[middle] < part)
            into = middle + 1;
        else
            end = middle;
    }
    if (from < to) {
        into--;
        memmove(&p->part[at], &p->part[at + 1], (size_t)(into - at) * sizeof *p->part);
        for (int32_t node = from + 1; node <= to; node++)
            p->first[node]--;
    } else {
        memmove(&p->part[into + 1], &p->part[into], (size_t)(at - into) * sizeof *p->part);
        for (int32_t node = to + 1; node <= from; node++)
            p->first[node]++;
    }
    p->part[into] = part;
    p->node_of[part] = to;
}

ns_status ns_placer_move(ns_placer *p, int32_t part, int32_t node, ns_error *err)
{
    ns_error_clear(err);
    NS_TRY(check_part(p, part, err));
    NS_TRY(check_node(p, part, node, err));
    const int32_t from = p->node_of[part];
    if (from == node)
        return NS_OK;
    touch_around(p, part);
    refile(p, part, node);
    touch(p, node, NS_NEAR);
    resize(p, ns_parts_size(p, from) + 1, ns_parts_size(p, from));
    resize(p, ns_parts_size(p, node) - 1, ns_parts_size(p, node));
    p->local_of[part] = -1;
    renumber_node(p, from);
    renumber_node(p, node);
    return NS_OK;
}

/* One part of a node's list by another, which then goes to its place. */
static void exchange_in_list(ns_placer *p, int32_t node, int32_t gone, int32_t come)
{
    int32_t at = p->first[node] + p->local_of[gone];
    for (; at > p->first[node] && p->part[at - 1] > come; at--)
        p->part[at] = p->part[at - 1];
    for (; at + 1 < p->first[node + 1] && p->part[at + 1] < come; at++)
        p->part[at] = p->part[at + 1];
    p->part[at] = come;
}

ns_status ns_placer_swap(ns_placer *p, int32_t a, int32_t b, ns_error *err)
{
    ns_error_clear(err);
    NS_TRY(check_part(p, a, err));
    NS_TRY(check_part(p, b, err));
    const int32_t of_a = p->node_of[a], of_b = p->node_of[b];
    if (of_a == of_b)
        return NS_OK;
    touch_around(p, a);
    touch_around(p, b);
    exchange_in_list(p, of_a, a, b);
    exchange_in_list(p, of_b, b, a);
    p->node_of[a] = of_b;
    p->node_of[b] = of_a;
    p->local_of[a] = p->local_of[b] = -1;
    renumber_node(p, of_a);
    renumber_node(p, of_b);
    return NS_OK;
}

/* Many changes are one new filing. */
ns_status ns_placer_put(ns_placer *p, const int32_t *node_of, ns_error *err)
{
    ns_error_clear(err);
    int32_t changes = 0;
    for (int32_t q = 0; q < p->parts; q++) {
        NS_TRY(check_node(p, q, node_of[q], err));
        changes += node_of[q] != p->node_of[q];
    }
    if (8 * (int64_t)changes > p->parts) {
        memcpy(p->node_of, node_of, (size_t)p->parts * sizeof *node_of);
        ns_parts_list(p);
        ns_parts_touch_all(p);
        p->anew = true;
        return NS_OK;
    }
    for (int32_t q = 0; q < p->parts; q++)
        NS_TRY(ns_placer_move(p, q, node_of[q], err));
    return NS_OK;
}
