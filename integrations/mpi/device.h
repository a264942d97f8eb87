/* device.h -- memory of GPUs, where the MPI takes pointers to it: by the runtime of CUDA or HIP, which is loaded */
#ifndef NS_MPI_DEVICE_H
#define NS_MPI_DEVICE_H

#include <stddef.h>

#include "mpi/world.h"

/* What both runtimes call cudaMalloc or hipMalloc and so on; 0 is success. */
typedef struct ns_device {
    const char *runtime; /* "CUDA" or "HIP"; NULL: there is none on some process, or the MPI knows nothing of it */
    int devices;         /* of this host */
    int (*allocate)(void **memory, size_t bytes);
    int (*release)(void *memory);
    int (*fill)(void *memory, int value, size_t bytes);
} ns_device;

/* Collective.  Ranks of a host take its devices in turn. */
void ns_device_open(const ns_world *world, ns_device *device);

#endif
