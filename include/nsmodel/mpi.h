/* mpi.h -- exchanges of an MPI program that learn which way to take: libnsmodel-mpi
 *
 * An exchange is what every process of a communicator sends to its neighbours and receives from them, again and again,
 * from and to the same buffers.  Every way that can perform it is a candidate, among them MPI's own neighbourhood
 * collective.  Which way the next calls take is learnt from the program's own exchanges (nsmodel/plan.h); the data
 * received are the same by every way.  docs/planner.md shows a halo exchange converted.
 *
 * Link libnsmodel-mpi before MPI itself.  The functions are collective over the communicator: every process calls
 * ns_mpi_exchange_init, and start and wait of an exchange in the same order as for other exchanges of its communicator.
 * Between start and wait a process may compute, but must not wait for something that another process does after its own
 * wait: data that travel in several steps are forwarded by ns_mpi_exchange_wait and ns_mpi_exchange_test.
 *
 * The machine, the log and the wisdom file are those of NSMODEL_MACHINE, NSMODEL_LOG and NSMODEL_WISDOM.
 */
#ifndef NSMODEL_MPI_H
#define NSMODEL_MPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mpi.h>

#include <nsmodel/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What libnsmodel-mpi exports. */
#define NS_MPI_API __attribute__((visibility("default")))

/* A message to a neighbour or from it, described by the arguments of MPI_Isend and MPI_Irecv.  Messages between
 * the same two processes match in the order in which both list them.  Types must be committed, and may be freed
 * after init. */
typedef struct ns_mpi_message {
    void *buffer;
    int count;
    MPI_Datatype type;
    int neighbour; /* a rank of the communicator */
} ns_mpi_message;

enum {
    NS_MPI_MEASURE = 0,    /* try what is worth its cost */
    NS_MPI_ESTIMATE = 1,   /* try nothing: take what wisdom or the model says is the fastest */
    NS_MPI_PATIENT = 2,    /* plan for a program of at least 10,000 exchanges, and try any number of ways */
    NS_MPI_WISDOM_ONLY = 4 /* take the fastest way of earlier runs of this exchange, or MPI's own if there is none */
};

/* Those of rank 0 are used. */
typedef struct ns_mpi_options {
    size_t size;    /* of this struct, set by the caller */
    unsigned flags; /* one of the constants above */
    double limit_s; /* no way is tried later than this after init; 0: no limit */
    int64_t calls;  /* exchanges of the whole program; 0: unknown */
} ns_mpi_options;

typedef struct ns_mpi_exchange ns_mpi_exchange;

/* Collective.  The lists are copied; buffers must not move until ns_mpi_exchange_free.  Options NULL: flags from
 * NSMODEL_PLAN, no limit, an unknown number of calls. */
NS_MPI_API ns_status ns_mpi_exchange_init(MPI_Comm comm, const ns_mpi_message *send, int sends,
                                          const ns_mpi_message *receive, int receives, const ns_mpi_options *options,
                                          ns_mpi_exchange **exchange, ns_error *err);
NS_MPI_API ns_status ns_mpi_exchange_start(ns_mpi_exchange *exchange, ns_error *err);
/* Return when everything has arrived and the send buffers may be changed. */
NS_MPI_API ns_status ns_mpi_exchange_wait(ns_mpi_exchange *exchange, ns_error *err);
/* Forward what has arrived, without waiting.  *done: the exchange has ended, and need not be waited for. */
NS_MPI_API ns_status ns_mpi_exchange_test(ns_mpi_exchange *exchange, bool *done, ns_error *err);
/* Collective; the exchange must not be under way.  NULL is fine.  MPI_Finalize writes what was learnt to the wisdom
 * file. */
NS_MPI_API void ns_mpi_exchange_free(ns_mpi_exchange *exchange);

/* What the next exchange does. */
typedef struct ns_mpi_exchange_info {
    size_t size;        /* of this struct, set by the caller */
    const char *way;    /* "MPI", or the name of a strategy: the same on all processes */
    int64_t made, left; /* exchanges so far; and how many more take this way before the processes agree again.  left is
                           INT64_MAX where they never will */
    int64_t agreements; /* so far */
} ns_mpi_exchange_info;
NS_MPI_API ns_status ns_mpi_exchange_describe(const ns_mpi_exchange *exchange, ns_mpi_exchange_info *info,
                                              ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
