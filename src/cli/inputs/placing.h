/* placing.h -- placements of one exchange side by side: block, cyclic, mapped by Scotch, found by search */
#ifndef NS_CLI_PLACING_H
#define NS_CLI_PLACING_H

#include "cli/inputs/inputs.h"

enum { NS_PLACEMENTS = 4 };

typedef struct ns_placement {
    const char *name;           /* "block" */
    int32_t *node_of;           /* [parts] */
    double seconds[NS_CHOICES]; /* by the placer's choices */
    int best;                   /* index of the least */
    double gain;                /* time of block / its own */
    int64_t bytes_off_node;     /* of routes between nodes */
} ns_placement;

typedef struct ns_placing {
    const ns_args *args;
    ns_inputs inputs;
    ns_machine *machine;
    const ns_strategy *wanted[NS_CHOICES];
    ns_selection selection;
    ns_graph *graph;
    ns_placer *placer;
    int32_t parts, nodes, per_node; /* per_node: room of a node */
    uint64_t seed;
    int64_t tries; /* of the search; 0: by the size of the graph */
    ns_placement placement[NS_PLACEMENTS];
    int placements, best; /* best: the fastest; of equals the first */
    ns_error unmapped;    /* why there is none of Scotch; NS_OK: there is, or it is not asked for */
} ns_placing;

/* *placing is allocated; free it with ns_placing_close (NULL is fine). */
ns_status ns_placing_open(const ns_args *args, ns_placing **placing, ns_error *err);
void ns_placing_close(ns_placing *placing);

#endif
