/* world.h -- the processes of a job, and errors that all of them return
 *
 * An error of one process becomes the error of all, so that none waits for a process that has returned.  Only rank 0
 * prints.
 */
#ifndef NS_MPI_WORLD_H
#define NS_MPI_WORLD_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nsmodel/status.h>

typedef struct ns_world {
    MPI_Comm comm;
    int rank, ranks;
    int hosts;     /* physical machines on which the job runs */
    int host;      /* the host of this process, 0 .. hosts - 1, numbered by the lowest rank on it */
    int host_rank; /* rank among those on the same host */
    int per_host;  /* processes of a host, where each has as many and they are consecutive (the last may have fewer);
                    * else 0 */
} ns_world;

/* Collective. */
void ns_world_open(ns_world *world);

/* Collective: NS_OK when every process passes NS_OK; else every process gets the error of the lowest failing rank. */
ns_status ns_world_agree(const ns_world *world, ns_status status, ns_error *err);

/* Collective: do all processes have the same 64 bits?  `what` describes what differs if not: "other arguments". */
ns_status ns_world_same(const ns_world *world, uint64_t bits, const char *what, ns_error *err);

/* Hash some bytes, continuing from an earlier hash (FNV-1a); start with NS_BITS. */
#define NS_BITS UINT64_C(14695981039346656037)
uint64_t ns_bits(uint64_t bits, const void *bytes, size_t size);

#endif
