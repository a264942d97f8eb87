/* site.h of the first 1.0: its declarations */
#ifndef NSMODEL_SITE_H
#define NSMODEL_SITE_H

#include <stddef.h>
#include <stdint.h>

#include <nsmodel/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_site ns_site;

NS_API ns_status ns_site_blocks(int32_t parts, int32_t per_node, int32_t sockets, ns_site **site, ns_error *err);

NS_API ns_status ns_site_from_map(int32_t parts, int32_t nodes, const int32_t *node_of, int32_t sockets,
                                  const int32_t *socket_of, ns_site **site, ns_error *err);

NS_API ns_status ns_site_with_sockets(const ns_site *site, int32_t sockets, ns_site **copy, ns_error *err);

NS_API void ns_site_free(ns_site *site);

NS_API int32_t ns_site_parts(const ns_site *site);
NS_API int32_t ns_site_nodes(const ns_site *site);

NS_API const int32_t *ns_site_node_of(const ns_site *site);

#ifdef __cplusplus
}
#endif
#endif
