/* site.c -- the mapping of parts to nodes: node, local index and socket of each, and the parts of each node */
#include "pattern/site.h"

#include "core/memory.h"

#include <assert.h>
#include <string.h>

/* The arrays of a site under construction. */
typedef struct arrays {
    int32_t *node_of, *local_of, *socket_of, *first, *part;
} arrays;

/* One block of memory: the struct, then its arrays. */
static ns_status take(int32_t parts, int32_t nodes, int32_t sockets, ns_site **site, arrays *a, ns_error *err)
{
    const size_t each = (size_t)parts, of_nodes = (size_t)nodes + 1;
    ns_site *s = ns_calloc(1, sizeof *s + (3 * each + (sockets > 0 ? each : 0) + of_nodes) * sizeof(int32_t));
    if (s == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    a->node_of = (int32_t *)(s + 1);
    a->local_of = a->node_of + each;
    a->part = a->local_of + each;
    a->first = a->part + each;
    a->socket_of = sockets > 0 ? a->first + of_nodes : NULL;
    *s = (ns_site){.size = sizeof *s,
                   .parts = parts,
                   .nodes = nodes,
                   .sockets = sockets,
                   .node_of = a->node_of,
                   .local_of = a->local_of,
                   .socket_of = a->socket_of,
                   .first = a->first,
                   .part = a->part};
    *site = s;
    return NS_OK;
}

/* Parts of each node by rising number: a counting sort by node. */
static void file_parts(ns_site *s, const arrays *a)
{
    for (int32_t p = 0; p < s->parts; p++)
        a->first[a->node_of[p] + 1]++;
    for (int32_t k = 0; k < s->nodes; k++) {
        s->per_node = a->first[k + 1] > s->per_node ? a->first[k + 1] : s->per_node;
        a->first[k + 1] += a->first[k];
    }
    for (int32_t p = s->parts - 1; p >= 0; p--) /* from the back, so that the ends can serve as counters */
        a->part[--a->first[a->node_of[p] + 1]] = p;
    for (int32_t k = 0; k < s->nodes; k++)
        a->first[k] = a->first[k + 1];
    a->first[s->nodes] = s->parts;
    for (int32_t i = 0; i < s->parts; i++)
        a->local_of[a->part[i]] = i - a->first[a->node_of[a->part[i]]];
}

void ns_site_spread(const ns_site *site, int32_t sockets, int32_t *socket_of)
{
    for (int32_t p = 0; p < site->parts; p++)
        socket_of[p] = (int32_t)((int64_t)site->local_of[p] * sockets / site->per_node);
}

static ns_status check_counts(int32_t parts, int32_t sockets, ns_error *err)
{
    if (parts < 1)
        return ns_fail(err, NS_ERR_RANGE, "the number of parts has to be at least 1, got %d", (int)parts);
    if (sockets < 0)
        return ns_fail(err, NS_ERR_RANGE, "the number of sockets has to be at least 0, got %d", (int)sockets);
    return NS_OK;
}

ns_status ns_site_blocks(int32_t parts, int32_t per_node, int32_t sockets, ns_site **site, ns_error *err)
{
    ns_error_clear(err);
    ns_site *s;
    arrays a;
    NS_TRY(check_counts(parts, sockets, err));
    if (per_node < 1)
        return ns_fail(err, NS_ERR_RANGE, "the number of parts per node has to be at least 1, got %d", (int)per_node);
    NS_TRY(take(parts, (int32_t)(((int64_t)parts + per_node - 1) / per_node), sockets, &s, &a, err));
    for (int32_t p = 0; p < parts; p++)
        a.node_of[p] = p / per_node;
    file_parts(s, &a);
    s->per_node = per_node;
    if (a.socket_of != NULL)
        ns_site_spread(s, sockets, a.socket_of);
    *site = s;
    return NS_OK;
}

ns_status ns_site_from_map(int32_t parts, int32_t nodes, const int32_t *node_of, int32_t sockets,
                           const int32_t *socket_of, ns_site **site, ns_error *err)
{
    ns_error_clear(err);
    ns_site *s;
    arrays a;
    NS_TRY(check_counts(parts, sockets, err));
    if (nodes < 1 || nodes == INT32_MAX)
        return ns_fail(err, NS_ERR_RANGE, "the number of nodes has to be at least 1 and below 2^31 - 1, got %d",
                       (int)nodes);
    if (socket_of != NULL && sockets == 0)
        return ns_fail(err, NS_ERR_RANGE, "sockets of parts want the number of sockets of a node");
    for (int32_t p = 0; p < parts; p++) {
        if (node_of[p] < 0 || node_of[p] >= nodes)
            return ns_fail(err, NS_ERR_RANGE, "part %d is on node %d, but nodes go from 0 to %d", (int)p,
                           (int)node_of[p], (int)nodes - 1);
        if (socket_of != NULL && (socket_of[p] < 0 || socket_of[p] >= sockets))
            return ns_fail(err, NS_ERR_RANGE, "part %d is on socket %d, but sockets go from 0 to %d", (int)p,
                           (int)socket_of[p], (int)sockets - 1);
    }
    NS_TRY(take(parts, nodes, sockets, &s, &a, err));
    memcpy(a.node_of, node_of, (size_t)parts * sizeof *node_of);
    file_parts(s, &a);
    assert(socket_of == NULL || a.socket_of != NULL); /* it comes with sockets */
    if (socket_of != NULL)
        memcpy(a.socket_of, socket_of, (size_t)parts * sizeof *socket_of);
    else if (a.socket_of != NULL)
        ns_site_spread(s, s->sockets, a.socket_of);
    *site = s;
    return NS_OK;
}

ns_status ns_site_with_sockets(const ns_site *site, int32_t sockets, ns_site **copy, ns_error *err)
{
    ns_error_clear(err);
    ns_site *s;
    arrays a;
    const int32_t known = site->sockets > 0 ? site->sockets : sockets;
    NS_TRY(check_counts(site->parts, known, err));
    NS_TRY(take(site->parts, site->nodes, known, &s, &a, err));
    memcpy(a.node_of, site->node_of, (size_t)site->parts * sizeof(int32_t));
    memcpy(a.local_of, site->local_of, (size_t)site->parts * sizeof(int32_t));
    memcpy(a.part, site->part, (size_t)site->parts * sizeof(int32_t));
    memcpy(a.first, site->first, ((size_t)site->nodes + 1) * sizeof(int32_t));
    s->per_node = site->per_node;
    assert(site->socket_of == NULL || a.socket_of != NULL); /* it has sockets then */
    if (site->socket_of != NULL)
        memcpy(a.socket_of, site->socket_of, (size_t)site->parts * sizeof(int32_t));
    else if (a.socket_of != NULL)
        ns_site_spread(s, s->sockets, a.socket_of);
    *copy = s;
    return NS_OK;
}

void ns_site_free(ns_site *site)
{
    ns_free(site);
}
