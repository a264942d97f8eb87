/* allreduce.h -- collective operations by the hosts themselves, on a machine's tables
 *
 * All pure.  Times in seconds, sizes in bytes.  One process a node uses the network; the others reduce to it and get
 * the result from it over the node's own tables.
 */
#ifndef NS_MACHINE_ALLREDUCE_H
#define NS_MACHINE_ALLREDUCE_H

#include "machine/model.h"

enum { NS_ALLREDUCE_BEST, NS_RECURSIVE_DOUBLING, NS_RABENSEIFNER, NS_RING, NS_REDUCE_BROADCAST, NS_ALLREDUCES };
/* "best", "recursive-doubling", "rabenseifner", "ring", "reduce-broadcast", closed by NULL */
extern const char *const ns_allreduce_words[];

struct ns_collective;
/* Time of one message between nodes that the hosts do not drive. */
typedef ns_status ns_message_time(const struct ns_collective *job, double bytes, double *time, ns_error *err);

typedef struct ns_collective {
    const ns_machine *machine;
    int memory;               /* an ns_memory */
    double nodes;             /* whole, >= 1 */
    double s;                 /* B */
    double gamma;             /* s/B of combining two operands */
    ns_message_time *driven; /* by the network interfaces; NULL: by the hosts, on the tables */
    const void *by;          /* what `driven` reads */
} ns_collective;

/* Input rows of a collective: who takes part. */
#define NS_IN_COLLECTIVE_NODES                                                                                         \
    {                                                                                                                  \
        .name = "nodes", .offset = offsetof(struct in, nodes), .kind = NS_FIELD_NUMBER, .unit = "1",                   \
        .doc = "nodes that take part", .least = 1, .most = 0x1p53, .also = "hosts"                                     \
    }
#define NS_IN_COLLECTIVE_PROCESSES                                                                                     \
    {                                                                                                                  \
        .name = "processes", .offset = offsetof(struct in, processes), .kind = NS_FIELD_NUMBER, .unit = "1",           \
        .doc = "processes on a node", .least = 1, .most = 0x1p53, .has_default = true, .neutral = 1                    \
    }

/* ceil(log2 n) and floor(log2 n) for n >= 1; exact. */
double ns_log2_up(double n);
double ns_log2_down(double n);

/* Messages that one node sends in an algorithm of ns_allreduce_times. */
double ns_allreduce_messages(double nodes, int algorithm);

/* Allreduce between nodes.  time[NS_ALLREDUCES] by algorithm, best first; *chosen (may be NULL) is the best. */
ns_status ns_allreduce_times(const ns_collective *job, double *time, int *chosen, ns_error *err);

/* Reduce between nodes by a binomial tree, and a barrier by dissemination. */
ns_status ns_reduce_time(const ns_collective *job, double *time, ns_error *err);
ns_status ns_barrier_time(const ns_collective *job, double *time, ns_error *err);

/* One reduction (or broadcast) tree inside a node: `processes` over `sockets`, down to one process a group of sockets.
 * Nothing for one process; reads no table then. */
ns_status ns_on_node_tree(const ns_collective *job, double processes, double sockets, double groups, double *time,
                          ns_error *err);

#endif
