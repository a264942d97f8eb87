/* site.h -- what a site holds, and sockets of parts of which only the local index is known */
#ifndef NS_PATTERN_SITE_H
#define NS_PATTERN_SITE_H

#include <nsmodel/site.h>

/* Made by the functions below and only read by others; more may be added at its end. */
struct ns_site {
    size_t size;              /* of this struct, B */
    int32_t parts, nodes;     /* a node may be empty */
    int32_t per_node;         /* most parts of a node; of blocks, as requested */
    int32_t sockets;          /* of a node; 0: what the machine has */
    const int32_t *node_of;   /* [parts] */
    const int32_t *local_of;  /* [parts] local index */
    const int32_t *socket_of; /* [parts]; NULL while sockets is 0 */
    const int32_t *first;     /* [nodes + 1]: node k holds part[first[k]] to part[first[k + 1] - 1] */
    const int32_t *part;      /* [parts] by node, then local index */
};

/* Local index i is on socket i sockets / per_node; socket_of[parts]. */
void ns_site_spread(const ns_site *site, int32_t sockets, int32_t *socket_of);

#endif
