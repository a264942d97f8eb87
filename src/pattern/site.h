/* site.h -- sockets of parts of which only the local index is known */
#ifndef NS_PATTERN_SITE_H
#define NS_PATTERN_SITE_H

#include <nsmodel/site.h>

/* Local index i is on socket i sockets / per_node; socket_of[parts]. */
void ns_site_spread(const ns_site *site, int32_t sockets, int32_t *socket_of);

#endif
