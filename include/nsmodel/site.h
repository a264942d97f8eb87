/* site.h -- mappings of parts to nodes, with any number of parts on each node
 *
 * A batch system may give four nodes 4, 3, 1 and 1 ranks.  The parts of a node are numbered on it from 0, by
 * rising part number: a part's local index.  A schedule has a site too, of its processes: there a "part" is a process.
 */
#ifndef NSMODEL_SITE_H
#define NSMODEL_SITE_H

#include <stddef.h>
#include <stdint.h>

#include <nsmodel/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_site ns_site;

/* Blocks of per_node consecutive parts; the last node may be short.  Free with ns_site_free. */
NS_API ns_status ns_site_blocks(int32_t parts, int32_t per_node, int32_t sockets, ns_site **site, ns_error *err);

/* Part p is on node node_of[p], 0 to nodes - 1, and there on socket socket_of[p], 0 to sockets - 1.  Without socket_of
 * (NULL) local index i is on socket i sockets / per_node, as in blocks. */
NS_API ns_status ns_site_from_map(int32_t parts, int32_t nodes, const int32_t *node_of, int32_t sockets,
                                  const int32_t *socket_of, ns_site **site, ns_error *err);

/* The same mapping with a number of sockets; sockets that are known already are kept. */
NS_API ns_status ns_site_with_sockets(const ns_site *site, int32_t sockets, ns_site **copy, ns_error *err);

NS_API void ns_site_free(ns_site *site);

/* How many parts and nodes; a node may be empty. */
NS_API int32_t ns_site_parts(const ns_site *site);
NS_API int32_t ns_site_nodes(const ns_site *site);
/* The node of each part, [parts]; valid until the site is freed. */
NS_API const int32_t *ns_site_node_of(const ns_site *site);

#ifdef __cplusplus
}
#endif
#endif
