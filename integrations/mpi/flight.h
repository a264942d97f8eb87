/* flight.h -- messages there and back: ping-pongs, many pairs at once, many messages in flight, receives out of order
 *
 * Leaders send, the others answer with as many messages; half of a round counts.  A leader with several peers deals its
 * messages to them in turn: a fan-out there and an incast back.
 */
#ifndef NS_MPI_FLIGHT_H
#define NS_MPI_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>

#include "mpi/world.h"

/* Memory of GPUs, where the MPI takes pointers to it: what both runtimes call cudaMalloc or hipMalloc and so on; 0 is
 * success. */
typedef struct ns_device {
    const char *runtime; /* "CUDA" or "HIP"; NULL: there is none on some process, or the MPI knows nothing of it */
    int devices;         /* of this host */
    int (*allocate)(void **memory, size_t bytes);
    int (*release)(void *memory);
    int (*fill)(void *memory, int value, size_t bytes);
} ns_device;

/* Collective.  Ranks of a host take its devices in turn. */
void ns_device_open(const ns_world *world, ns_device *device);

/* One process' end. */
typedef struct ns_flight {
    MPI_Comm comm;
    bool leads;
    bool reversed; /* receives are posted in the worst order */
    int messages;  /* of this process, each way */
    int peers;
    const int *peer; /* ranks of comm */
    int bytes;
    char *out, *in;          /* out: bytes; in: messages x bytes */
    const ns_device *device; /* whose memory out and in are; NULL: the host's */
    MPI_Request *request;    /* [2 messages] */
} ns_flight;

/* Allocate buffers for at most so many messages of so many bytes in all, in device memory or, with NULL, the host's. */
ns_status ns_flight_open(ns_flight *flight, int messages, size_t bytes, const ns_device *device, ns_error *err);
void ns_flight_close(ns_flight *flight);

/* Rounds, one after another. */
void ns_flight_rounds(ns_flight *flight, int rounds);

#endif
