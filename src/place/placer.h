/* placer.h -- what a placer keeps: the graph by part, where parts stand, and of each strategy the sums of its processes
 *
 * A strategy that tells its shape is a pass.  Node by node, it adds up what the node's processes send and receive
 * (direct.c, bundled.c), from the routes of the node's parts and from bundles: what a part has for a node, once.  So a
 * change touches the nodes of the parts that move and of those that they exchange with, and these alone are added up
 * again.  A race is a step of a pass priced by one transport: which process is the slowest (race.c).
 */
#ifndef NS_PLACE_PLACER_H
#define NS_PLACE_PLACER_H

#include "core/memory.h"
#include "pattern/graph.h"
#include "price/quote.h"
#include "price/rows.h"
#include "price/source.h"
#include "schedule/deal.h"

#include <nsmodel/placer.h>

/* A route, as one of its ends sees it. */
typedef struct ns_edge {
    int64_t entries, bytes;
    int32_t other;
    uint8_t class[NS_LOCALITIES]; /* of its size, should its ends stand so */
} ns_edge;

/* Columns of a part that are needed by the same parts, wherever they stand among its columns. */
typedef struct ns_lot {
    int64_t entries, needer; /* index into the graph's needers */
    int32_t needers;
} ns_lot;

/* What a part has for another node, each column once. */
typedef struct ns_bundle {
    int64_t entries;
    int32_t node;
} ns_bundle;

/* Sums of a pass in one step. */
typedef struct ns_sums {
    ns_class_sum *sum; /* [parts][NS_SIDES][1 + classes]: rows */
    int32_t *partners; /* [parts][NS_SIDES] other nodes */
    int64_t *node;     /* [nodes][NS_SIDES] bytes off node */
    int64_t *inside;   /* [nodes][NS_OFF_NODE][NS_SIZES] bytes inside a node, of forms that ask for them; else NULL */
    ns_far *far;       /* [nodes] what leaves them, of forms that ask for links; else NULL */
    double link_bytes;
} ns_sums;

/* The slowest process of a node; or, while it is not `exact`, a time that none of its processes exceeds. */
typedef struct ns_runner {
    double seconds, bytes_s; /* -1: none does anything */
    double term[NS_FORM_TERMS];
    int32_t process;
    bool exact;
} ns_runner;

typedef struct ns_race {
    ns_runner *runner;           /* [nodes] */
    int32_t *winner;             /* [2 * leaves] tournament tree: the slowest node below, ties to the lowest */
    int bounds, passed, skipped; /* bounds made, and those that had to be looked behind; nodes that had none made */
} ns_race;

typedef struct ns_pass {
    const ns_strategy *strategy;
    int choice[NS_TRANSPORTS]; /* index, or -1 */
    int steps;
    ns_sums step[NS_STEPS];
    int64_t *copied[NS_DIRECTIONS]; /* [nodes] the most bytes that one of its parts copies */
    int64_t *copies[NS_DIRECTIONS]; /* [nodes] how many copy anything */
    ns_race race[NS_RACES][NS_TRANSPORTS][NS_STEPS];
} ns_pass;

enum { NS_PASSES = NS_CHOICES };

struct ns_placer {
    const ns_graph *graph;
    const ns_machine *machine;
    const ns_form *form;
    int32_t parts, nodes;
    ns_budget budget;
    int choices;
    ns_placed choice[NS_CHOICES];
    /* Sizes of messages, and parameters of the form. */
    ns_sizes sizes;
    ns_rows rows; /* where their classes stand */
    ns_form_values values[NS_MEMORIES];
    bool bounded[NS_MEMORIES]; /* the form is rising there: a node's largest sums bound its processes */
    int terms;
    /* The graph by part. */
    ns_edge *in, *out;  /* of part p: in[graph->first_route[p]] on, out[first_out[p]] on */
    int64_t *first_out; /* [parts + 1] */
    int64_t *sent;      /* [parts] bytes of all its routes */
    ns_lot *lot;        /* by part */
    int64_t *first_lot; /* [parts + 1] */
    /* Where parts stand. */
    int32_t *node_of, *local_of, *socket_of; /* [parts] */
    int32_t *first, *part;                   /* [nodes + 1], [parts], as a site has them */
    int64_t *sized;                          /* [parts + 1] how many nodes have so many parts */
    int32_t per_node, spread;                /* most parts of a node; what the sockets were last spread by */
    int32_t sockets, side;                   /* of a node; of the cube of nodes, 0: links are not asked for */
    /* What has to be added up again. */
    uint8_t *touched; /* [nodes] NS_NEAR: all of it; NS_RENUMBERED: only by strategies that pair local indices */
    int32_t *touch;   /* those nodes */
    int32_t touches;
    /* What parts have for other nodes. */
    ns_bundle *bundle; /* of part q: bundle[first_out[q]] to bundle[first_out[q] + bundles[q] - 1] */
    int32_t *bundles;  /* [parts] */
    /* Scratch of one node. */
    int64_t stamps;     /* the last that was given out */
    int64_t *node_seen; /* [nodes] */
    int64_t *part_seen; /* [parts] */
    int32_t *node_at;   /* [nodes] where a node stands in `bundled` */
    int32_t *met;       /* [parts] parts that send to the node */
    int64_t *met_has;   /* [parts] how many entries each has for it */
    int32_t *taker;     /* [parts] the process that takes them */
    ns_bundle *bundled; /* [nodes] what a node has for, or from, others */
    int32_t *dealt;     /* [nodes] the process that sends, or takes, it */
    ns_hand *hand;      /* [parts] */
    int64_t *cell;      /* [cells] entries from process to process of a node; 0 between uses */
    int64_t cells;
    ns_class_sum *most[NS_SIDES]; /* [1 + classes] the largest sums of a node's processes */
    /* Passes, and what is quoted anew. */
    int passes;
    bool bundling; /* any of them sends bundles */
    ns_pass pass[NS_PASSES];
    int32_t leaves; /* of a tree: a power of two, at least nodes */
    size_t quoted;
    const ns_strategy *quote[NS_CHOICES];
    ns_selection selection;
    ns_workspace *workspace;
    double seconds[NS_CHOICES];
    ns_price price; /* scratch, as are the steps by the other race (source.h) */
    ns_step_price waiting[NS_STEPS];
};

enum { NS_NEAR = 1, NS_RENUMBERED = 2 };

/* ---- seats.c: where parts stand ---------------------------------------------------------------------------------- */

void ns_seats_touch(ns_placer *placer, int32_t node, uint8_t how);
void ns_seats_touch_all(ns_placer *placer);
/* Parts anew from node_of. */
void ns_seats_file(ns_placer *placer);
/* Sockets of the nodes that were touched; of all where the largest node has another size. */
void ns_seats_spread(ns_placer *placer);

static inline int32_t ns_seats_size(const ns_placer *p, int32_t node)
{
    return p->first[node + 1] - p->first[node];
}

/* ---- direct.c, bundled.c: sums of a node ------------------------------------------------------------------------- */

/* Lots of the graph's fragments. */
ns_status ns_lots_make(ns_placer *placer, ns_error *err);
/* What each part of a node has for other nodes. */
void ns_bundles_of(ns_placer *placer, int32_t node);
/* Make room for the cells of the largest node. */
ns_status ns_cells_room(ns_placer *placer, ns_error *err);

void ns_direct_node(ns_placer *placer, ns_pass *pass, int32_t node);
void ns_paired_node(ns_placer *placer, ns_pass *pass, int32_t node);
void ns_dealt_node(ns_placer *placer, ns_pass *pass, int32_t node);

static inline ns_locality ns_placer_locality(const ns_placer *p, int32_t a, int32_t b)
{
    if (p->node_of[a] != p->node_of[b])
        return NS_OFF_NODE;
    return p->socket_of[a] == p->socket_of[b] ? NS_ON_SOCKET : NS_ON_NODE;
}

static inline ns_class_sum *ns_sums_row(const ns_placer *p, const ns_sums *sums, int32_t process, int side)
{
    return sums->sum + (NS_SIDES * (int64_t)process + side) * (1 + p->rows.classes);
}

/* A part of a node copies so much. */
static inline void ns_pass_copy(ns_pass *pass, ns_direction direction, int32_t node, int64_t bytes)
{
    pass->copies[direction][node] += bytes > 0;
    if (bytes > pass->copied[direction][node])
        pass->copied[direction][node] = bytes;
}

/* ---- race.c ------------------------------------------------------------------------------------------------------ */

/* The price of a pass by a transport; nodes that were touched are loaded anew.  how: bits of touched that count. */
ns_status ns_race_run(ns_placer *placer, ns_pass *pass, ns_transport transport, uint8_t how, double *seconds,
                      ns_error *err);

#endif
