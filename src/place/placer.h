/* placer.h -- what a placer keeps: the graph, where its parts stand, and of each strategy the slowest process of each
 * node
 *
 * A strategy that states a rule is a visit (price/visit.h).  A change touches the nodes of the parts that move and of
 * those that they exchange with: only these are visited again.
 */
#ifndef NS_PLACE_PLACER_H
#define NS_PLACE_PLACER_H

#include "core/memory.h"
#include "pattern/graph.h"
#include "price/quote.h"
#include "price/visit.h"

#include <nsmodel/placer.h>

/* Columns of a part that are needed by the same parts, wherever they stand among its columns. */
typedef struct ns_lot {
    int64_t entries, needer; /* index into the graph's needers */
    int32_t needers;
} ns_lot;

/* The slowest process of a node in a step; or only a time that none of them exceeds. */
typedef struct ns_node_step {
    double bytes_s, waits_s, term[NS_FORM_TERMS];
    double messages, bytes; /* where the form has a residual */
    int32_t process;        /* -1: none does anything */
    bool leaves, is_bound;
} ns_node_step;

/* A strategy that is priced by difference. */
typedef struct ns_pass {
    ns_visit visit;                  /* of this strategy alone */
    int choice[NS_TRANSPORTS];       /* index, or -1 */
    double *seconds[NS_TIMES];       /* [nodes] what is compared, or the bound; -1: none */
    ns_node_step *slowest[NS_TIMES]; /* [nodes] */
} ns_pass;

struct ns_placer {
    const ns_graph *graph;
    const ns_machine *machine;
    const ns_form *form;
    int32_t parts, nodes;
    ns_budget budget;
    int choices;
    ns_placed choice[NS_CHOICES];
    ns_form_values values[NS_MEMORIES];
    /* The graph by sending part: first_out[q] to first_out[q + 1] - 1 of out; what a part has for nodes, in as many
     * places; and its lots. */
    int64_t *first_out; /* [parts + 1] */
    ns_route *out;
    ns_strand *bundle; /* owner: the part */
    int32_t *bundles;  /* [parts] */
    ns_lot *lot;
    int64_t *first_lot; /* [parts + 1] */
    /* Where parts stand. */
    int32_t *node_of, *local_of, *socket_of; /* [parts] */
    int32_t *first, *part;                   /* [nodes + 1], [parts], as a site has them */
    ns_site site;                            /* of these */
    int64_t *sized;                          /* [parts + 1] how many nodes have so many parts */
    int32_t spread;                          /* what the sockets were last spread by: most parts of a node */
    uint8_t *touched;                        /* [nodes] NS_NEAR, NS_RENUMBERED */
    int32_t *touch;                          /* those nodes */
    int32_t touches;
    /* The exchange of what stands, as far as visits look at it. */
    ns_exchange exchange;
    ns_by_node by_node;
    /* Scratch of one node. */
    int64_t stamps;                              /* the last that was given out */
    int64_t *node_seen, *part_seen;              /* [nodes], [parts] */
    int32_t *node_at;                            /* [nodes] where a node stands in the list of others */
    int32_t *other[NS_SIDES], *order[NS_SIDES];  /* [nodes] */
    int64_t *entries[NS_SIDES], *begin;          /* [nodes], [nodes + 1] */
    uint64_t *key;                               /* [2 nodes] */
    ns_strand *strand[NS_SIDES], *route, *loose; /* [routes] */
    ns_route *stay;                              /* [routes] */
    /* Passes, and what is quoted anew. */
    int passes;
    bool routes, pairs; /* what any of them looks at */
    ns_pass pass[NS_VISITS];
    ns_arena arena;   /* of visits */
    int32_t per_node; /* that they have room for */
    size_t quoted;
    const ns_strategy *quote[NS_CHOICES];
    ns_selection selection;
    /* Where some strategies are quoted anyway and many parts moved, all are: the exchange is there for them, too. */
    const ns_strategy *every[NS_CHOICES];
    ns_selection all;
    bool anew;  /* since the last price all parts were listed anew */
    bool stale; /* the nodes' times are not those of what stands */
    ns_workspace *workspace;
    double seconds[NS_CHOICES];
    ns_price price; /* scratch, as are the steps by the other maximum */
    ns_step_price waiting[NS_STEPS];
};

/* What has to be added up again: all of a node; or only by rules that ask for the local index of another node's
 * part. */
enum { NS_NEAR = 1, NS_RENUMBERED = 2 };

/* ---- parts.c: where parts stand ---------------------------------------------------------------------------------- */

void ns_parts_touch_all(ns_placer *placer);
/* Lists of nodes from node_of. */
void ns_parts_list(ns_placer *placer);
/* Sockets of the nodes that were touched; of all where the largest node has another size. */
void ns_parts_spread(ns_placer *placer);

static inline int32_t ns_parts_size(const ns_placer *p, int32_t node)
{
    return ns_site_node_size(&p->site, node);
}

/* ---- lists.c: what a node has for others, others for it, and its parts for each other ---------------------------- */

ns_status ns_lots_make(ns_placer *placer, ns_error *err);
/* What a part has for each other node. */
void ns_bundle_part(ns_placer *placer, int32_t part);
/* A node's lists, until the next call; those of parts that send to it have their bundles. */
ns_node ns_placer_node(ns_placer *placer, int32_t node);

#endif
