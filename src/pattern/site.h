/* site.h -- contents of a site, and sockets of parts of which only the local index is known */
#ifndef NS_PATTERN_SITE_H
#define NS_PATTERN_SITE_H

#include <nsmodel/site.h>

/* Created by the functions below and only read elsewhere; fields may be added at the end. */
struct ns_site {
    size_t size;              /* of this struct, B */
    int32_t parts, nodes;     /* a node may be empty */
    int32_t per_node;         /* maximum number of parts of a node; for blocks, as requested */
    int32_t sockets;          /* of a node; 0: as given by the machine */
    const int32_t *node_of;   /* [parts] */
    const int32_t *local_of;  /* [parts] local index */
    const int32_t *socket_of; /* [parts]; NULL if sockets is 0 */
    const int32_t *first;     /* [nodes + 1]: node k has part[first[k]] to part[first[k + 1] - 1] */
    const int32_t *part;      /* [parts] by node, then local index */
};

/* Put local index i on socket i sockets / per_node; socket_of[parts]. */
void ns_site_spread(const ns_site *site, int32_t sockets, int32_t *socket_of);

#endif
