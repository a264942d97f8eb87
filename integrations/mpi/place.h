/* place.h -- on which node and socket every rank of a job runs */
#ifndef NS_MPI_PLACE_H
#define NS_MPI_PLACE_H

#include "machine/machine.h"
#include "mpi/world.h"

typedef struct ns_place {
    int ranks, nodes;
    int sockets;        /* of a node; 0: unknown */
    int *node, *socket; /* [ranks]; socket -1: the rank is bound to none */
} ns_place;

/* Collective.  per_node and sockets, where above 0, say it instead of the system: rank r is on node r / per_node, there
 * on socket (r mod per_node) / (per_node / sockets). */
ns_status ns_place_open(const ns_world *world, int per_node, int sockets, ns_place *place, ns_error *err);
void ns_place_close(ns_place *place);

/* Ranks of a node of which nobody knows the sockets count as on one node. */
ns_locality ns_place_locality(const ns_place *place, int a, int b);

/* Disjoint pairs of ranks of a locality, first[i] and second[i], at most `most`: within node 0 or between nodes 0 and
 * 1.  Returns how many. */
int ns_place_pairs(const ns_place *place, ns_locality locality, int *first, int *second, int most);

#endif
