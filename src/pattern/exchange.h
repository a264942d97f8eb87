/* exchange.h -- contents of an exchange: routes, and for each pair of nodes the data that crosses once */
#ifndef NS_PATTERN_EXCHANGE_H
#define NS_PATTERN_EXCHANGE_H

#include "pattern/site.h"

#include <nsmodel/exchange.h>

/* A run of entries of L(M,N) that come from one part and are needed by the same set of parts of node N. */
typedef struct ns_run {
    int64_t first;   /* position of its first entry in L(M,N) */
    int64_t entries; /* > 0 */
    int32_t origin;  /* part that owns them */
    int32_t needers; /* > 0: how many parts of N need them */
    int64_t needer;  /* index into ns_exchange.needer of the first, ascending part numbers */
} ns_run;

/* An ordered pair of nodes M -> N with data to send.  L(M,N) lists the columns of M's parts that N needs, without
 * duplicates: by owning part, then by column. */
typedef struct ns_pair {
    int32_t from, to;  /* nodes */
    int64_t entries;   /* |L(M,N)| */
    int64_t run, runs; /* its runs: exchange->run[run .. run + runs), by position */
} ns_pair;

struct ns_exchange {
    int32_t parts, per_node, nodes; /* per_node: maximum number of parts of a node */
    ns_site *site;                  /* mapping of the parts */
    int64_t width;                  /* bytes per entry */
    ns_pattern pattern;
    int64_t routes;
    ns_route *route; /* by receiver, then sender; including on-node ones */
    int64_t pairs;
    ns_pair *pair; /* by receiving node, then sending node */
    int64_t runs;
    ns_run *run;
    int64_t needers;
    int32_t *needer;
    int64_t *need; /* [parts] |need(p)| */
    bool planned;  /* made from messages: no data is known to be sent twice */
    /* Columns needed inside the node that owns them, by node, then origin and column, if requested: common needs of
     * groups within a node.  The `first` of these runs is unused. */
    bool with_inside;
    int64_t insides;
    ns_run *inside;
    int64_t inside_needers;
    int32_t *inside_needer;
    /* If its "nodes" are groups of parts within nodes: the mapping to the real nodes. */
    ns_site *stands;
};

/* The mapping of its parts to nodes. */
static inline const ns_site *ns_exchange_stands(const ns_exchange *exchange)
{
    return exchange->stands != NULL ? exchange->stands : exchange->site;
}

/* The same needs for groups of `group` parts with consecutive local indices, of which the last of a node may be
 * smaller; 0: by the sockets of a site that has them.  Requires `planned` or `with_inside`. */
ns_status ns_exchange_in_groups(const ns_exchange *exchange, const ns_site *stands, int32_t group,
                                ns_exchange **grouped, ns_error *err);

#endif
