/* site.c -- the mapping of parts to nodes: node, local index and socket of each, and the parts of each node */
#include "pattern/site.h"

#include "core/memory.h"

#include <assert.h>
#include <string.h>

void ns_site_spread(const ns_site *site, int32_t sockets, int32_t *socket_of)
{
    for (int32_t p = 0; p < site->parts; p++)
        socket_of[p] = (int32_t)((int64_t)site->local_of[p] * sockets / site->per_node);
}

/* One block of memory: the struct, then its arrays.  node_of: NULL for blocks of per_node parts, whatever `nodes` is;
 * per_node: 0 for the maximum over nodes; socket_of: NULL for equal shares of a node's parts, if sockets are known. */
static ns_status make(int32_t parts, int32_t nodes, const int32_t *node_of, int32_t per_node, int32_t sockets,
                      const int32_t *socket_of, ns_site **site, ns_error *err)
{
    if (parts < 1)
        return ns_fail(err, NS_ERR_RANGE, "the number of parts has to be at least 1, got %d", (int)parts);
    if (sockets < 0)
        return ns_fail(err, NS_ERR_RANGE, "the number of sockets has to be at least 0, got %d", (int)sockets);
    if (node_of == NULL && per_node < 1)
        return ns_fail(err, NS_ERR_RANGE, "the number of parts per node has to be at least 1, got %d", (int)per_node);
    if (node_of == NULL)
        nodes = (int32_t)(((int64_t)parts + per_node - 1) / per_node);
    else if (nodes < 1 || nodes == INT32_MAX)
        return ns_fail(err, NS_ERR_RANGE, "the number of nodes has to be at least 1 and below 2^31 - 1, got %d",
                       (int)nodes);
    if (socket_of != NULL && sockets == 0)
        return ns_fail(err, NS_ERR_RANGE, "sockets of parts want the number of sockets of a node");
    for (int32_t p = 0; p < parts && node_of != NULL; p++) {
        if (node_of[p] < 0 || node_of[p] >= nodes)
            return ns_fail(err, NS_ERR_RANGE, "part %d is on node %d, but nodes go from 0 to %d", (int)p,
                           (int)node_of[p], (int)nodes - 1);
        if (socket_of != NULL && (socket_of[p] < 0 || socket_of[p] >= sockets))
            return ns_fail(err, NS_ERR_RANGE, "part %d is on socket %d, but sockets go from 0 to %d", (int)p,
                           (int)socket_of[p], (int)sockets - 1);
    }
    const size_t each = (size_t)parts, of_nodes = (size_t)nodes + 1;
    ns_site *s = ns_calloc(1, sizeof *s + (3 * each + (sockets > 0 ? each : 0) + of_nodes) * sizeof(int32_t));
    if (s == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    int32_t *node = (int32_t *)(s + 1), *local = node + each, *part = local + each, *first = part + each,
            *socket = sockets > 0 ? first + of_nodes : NULL;
    *s = (ns_site){.size = sizeof *s,
                   .parts = parts,
                   .nodes = nodes,
                   .per_node = per_node,
                   .sockets = sockets,
                   .node_of = node,
                   .local_of = local,
                   .socket_of = socket,
                   .first = first,
                   .part = part};

    /* parts of each node by rising number: a counting sort by node */
    for (int32_t p = 0; p < parts; p++) {
        node[p] = node_of != NULL ? node_of[p] : p / per_node;
        first[node[p] + 1]++;
    }
    for (int32_t k = 0; k < nodes; k++) {
        s->per_node = per_node == 0 && first[k + 1] > s->per_node ? first[k + 1] : s->per_node;
        first[k + 1] += first[k];
    }
    for (int32_t p = parts - 1; p >= 0; p--) /* backwards, so that the ends can serve as counters */
        part[--first[node[p] + 1]] = p;
    for (int32_t k = 0; k < nodes; k++)
        first[k] = first[k + 1];
    first[nodes] = parts;
    for (int32_t i = 0; i < parts; i++)
        local[part[i]] = i - first[node[part[i]]];

    assert(socket_of == NULL || socket != NULL); /* socket_of requires sockets */
    if (socket_of != NULL)
        memcpy(socket, socket_of, each * sizeof *socket);
    else if (socket != NULL)
        ns_site_spread(s, sockets, socket);
    *site = s;
    return NS_OK;
}

ns_status ns_site_blocks(int32_t parts, int32_t per_node, int32_t sockets, ns_site **site, ns_error *err)
{
    ns_error_clear(err);
    return make(parts, 0, NULL, per_node, sockets, NULL, site, err);
}

ns_status ns_site_from_map(int32_t parts, int32_t nodes, const int32_t *node_of, int32_t sockets,
                           const int32_t *socket_of, ns_site **site, ns_error *err)
{
    ns_error_clear(err);
    return make(parts, nodes, node_of, 0, sockets, socket_of, site, err);
}

ns_status ns_site_with_sockets(const ns_site *site, int32_t sockets, ns_site **copy, ns_error *err)
{
    ns_error_clear(err);
    const int32_t known = site->sockets > 0 ? site->sockets : sockets;
    return make(site->parts, site->nodes, site->node_of, site->per_node, known, site->socket_of, copy, err);
}

void ns_site_free(ns_site *site)
{
    ns_free(site);
}
