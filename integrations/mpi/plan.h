/* plan.h -- one process' share of a schedule, ready to be performed repeatedly
 *
 * It consists of the process' program (nsmodel/program.h), its three buffers, which are consecutive in a store, as a
 * solver stores its vector and ghost entries, and buffers for its messages.  A message is packed from slices of the
 * store, and unpacked to them.
 */
#ifndef NS_MPI_PLAN_H
#define NS_MPI_PLAN_H

#include <nsmodel/program.h>

#include "cli/inputs/inputs.h"
#include "mpi/world.h"

/* The entries that an exchange moves, by their global index.  A program refers to D(q, p), the entries of q that p
 * needs, in ascending order of column; these are the lists themselves.  The index of a matrix' entry is its column; for
 * planned messages, which share no bytes, it is the position among all bytes by receiver, then sender. */
typedef struct ns_entries {
    const ns_exchange *exchange;
    int64_t *direct, *direct_first; /* D of route r: direct[direct_first[r] .. direct_first[r + 1]) */
    int64_t cols;                   /* for a matrix; 0: planned messages */
    const int32_t *part;            /* owners by column, or NULL for equal blocks */
} ns_entries;

ns_status ns_entries_make(const ns_inputs *inputs, const ns_exchange *exchange, ns_entries *entries, ns_error *err);
void ns_entries_free(ns_entries *entries);

/* Messages of one process in one step, in one direction. */
typedef struct ns_side {
    int messages;
    int64_t first;             /* the first operation of the program; those of the other messages follow */
    int *peer, *bytes, *from;  /* [messages + 1] ranks, ascending, and offsets in the buffer; last: an empty message */
    char *buffer;              /* includes the block that the library's all-to-all sends to the process itself */
    int *count, *displacement; /* [ranks] for a collective over all; NULL until ns_plan_for_library */
} ns_side;

typedef struct ns_process_plan_step {
    ns_side send, receive;
    int64_t moves, first_move; /* operations to perform when all messages have arrived */
} ns_process_plan_step;

typedef struct ns_process_plan {
    ns_program *program;
    int64_t width;
    int steps;
    ns_process_plan_step step[NS_STEPS];
    int64_t sent, needed, places; /* the store: send, receive, work */
    int64_t *index;               /* [sent + needed] global */
    char *store;                  /* [places x width] */
    MPI_Request *request;         /* large enough for the messages of the largest step, in both directions */
} ns_process_plan;

/* Not collective.  The schedule's processes are the ranks. */
ns_status ns_process_plan_make(const ns_schedule *schedule, const ns_entries *entries, int rank, ns_process_plan *plan,
                               ns_error *err);
void ns_process_plan_free(ns_process_plan *plan);

/* Set own entries to their values, and all others to a wrong one. */
void ns_process_plan_reset(ns_process_plan *plan);
/* The number of wrong entries among those that the part needs.  *checked is increased by the number of these; *wrong
 * (unchanged if there is none) is set to the index of a wrong one. */
int64_t ns_process_plan_check(const ns_process_plan *plan, int64_t *checked, int64_t *wrong);

/* Perform the schedule once: in each step pack, send, receive and unpack. */
void ns_process_plan_perform(ns_process_plan *plan, MPI_Comm comm);
/* The only step of a plan in rounds: in each round, exchange with the process r ranks above and the one r ranks
 * below. */
void ns_plan_perform_rounds(ns_process_plan *plan, MPI_Comm comm);
/* The same by the library's collective over all ranks, after ns_plan_for_library.  Where all processes send each other
 * the same number of bytes, in every message of the job, this is MPI_Alltoall (to_all: the buffers contain a block of
 * the process itself); else MPI_Alltoallv. */
ns_status ns_plan_for_library(ns_process_plan *plan, int ranks, bool to_all, ns_error *err);
void ns_plan_perform_alltoall(ns_process_plan *plan, MPI_Comm comm);
void ns_plan_perform_alltoallv(ns_process_plan *plan, MPI_Comm comm);
/* The only step of a plan by a neighbourhood collective on a graph of its messages. */
void ns_plan_perform_neighbour(ns_process_plan *plan, MPI_Comm graph);

#endif
