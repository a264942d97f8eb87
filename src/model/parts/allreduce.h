/* allreduce.h -- collective operations by the hosts themselves, on a machine's tables
 *
 * All pure.  Times in seconds, sizes in bytes.  One process per node uses the network; the others reduce to it and
 * get the result from it by the on-node tables.
 */
#ifndef NS_MACHINE_ALLREDUCE_H
#define NS_MACHINE_ALLREDUCE_H

#include "machine/model.h"

enum {
    NS_ALLREDUCE_BEST,
    NS_RECURSIVE_DOUBLING,
    NS_RABENSEIFNER,
    NS_RING,
    NS_REDUCE_BROADCAST,
    NS_OPEN_MPI, /* the default choice of Open MPI: ns_beyond.ring_from */
    NS_ALLREDUCES
};
/* "best", "recursive-doubling", "rabenseifner", "ring", "reduce-broadcast", "open-mpi", closed by NULL */
extern const char *const ns_allreduce_words[];

/* Where the data of the machine's lines between nodes end: the hosts send the bytes of a message beyond that at the
 * rate of their port.  0: no end is known, and the line is used throughout. */
typedef struct ns_beyond {
    double measured;  /* B */
    double port;      /* B/s */
    double ring_from; /* B: by default Open MPI uses recursive doubling below and a ring from here on; 0: unknown */
} ns_beyond;

struct ns_collective;
/* Time of one message between nodes that is not driven by the hosts. */
typedef ns_status ns_message_time(const struct ns_collective *job, double bytes, double *time, ns_error *err);

typedef struct ns_collective {
    const ns_machine *machine;
    int memory;              /* an ns_memory */
    double nodes;            /* whole, >= 1 */
    double s;                /* B */
    double gamma;            /* s/B of combining two operands */
    ns_message_time *driven; /* driven by the network interfaces; NULL: by the hosts, with the tables */
    const void *by;          /* context of `driven` */
    ns_beyond beyond;
} ns_collective;

/* Input rows of a collective: its participants. */
#define NS_IN_COLLECTIVE_NODES                                                                                         \
    NS_INPUT(nodes, "1", "nodes that take part", .least = 1, .most = 0x1p53, .also = "hosts")
#define NS_IN_COLLECTIVE_PROCESSES                                                                                     \
    NS_INPUT(processes, "1", "processes on a node", .least = 1, .most = 0x1p53, .has_default = true, .neutral = 1)

/* Input rows of a model whose struct in has `ns_beyond beyond`. */
#define NS_IN_BEYOND(x, unit_, doc_)                                                                                   \
    NS_INPUT_AT(beyond.x, #x, unit_, doc_, .from = "models.host-allreduce." #x, .most = NS_MOST, .has_default = true)
#define NS_IN_BEYOND_ROWS                                                                                              \
    NS_IN_BEYOND(measured, "KiB", "longest message that the hosts' lines between nodes were measured with; 0: any"),   \
        NS_IN_BEYOND(port, "GB/s", "rate at which hosts send further bytes of a message; 0: that of the line"),        \
        NS_IN_BEYOND(ring_from, "B", "length from which Open MPI takes a ring unasked; 0: its best algorithm at any")

/* Start-up, and time for the bytes, of a message between nodes by the hosts' line at `at` bytes. */
ns_status ns_host_message(const ns_collective *job, double at, double bytes, double *start_up, double *moving,
                          ns_error *err);

/* Messages that one node sends in an algorithm of ns_allreduce_times. */
double ns_allreduce_messages(double nodes, int algorithm);

/* The algorithm that is run for the request `asked`: `best` for NS_ALLREDUCE_BEST. */
int ns_allreduce_run(const ns_collective *job, int asked, int best);

/* Allreduce between nodes; refuses a number of nodes that is not whole.  time[NS_ALLREDUCES] is by algorithm, best
 * first; *chosen (may be NULL) is the best. */
ns_status ns_allreduce_times(const ns_collective *job, double *time, int *chosen, ns_error *err);

/* Reduce between nodes by a binomial tree, and a barrier by dissemination. */
ns_status ns_reduce_time(const ns_collective *job, double *time, ns_error *err);
ns_status ns_barrier_time(const ns_collective *job, double *time, ns_error *err);

/* One reduction (or broadcast) tree inside a node: `processes` over `sockets`, down to one process per group of
 * sockets.  For one process the time is 0 and no table is read. */
ns_status ns_on_node_tree(const ns_collective *job, double processes, double sockets, double groups, double *time,
                          ns_error *err);

#endif
