/* device.c -- the runtimes of CUDA and HIP, by the names of their functions
 *
 * A runtime that is in the process already, as a GPU-aware MPI has it, comes before one that is looked for.  Nothing of
 * either is needed to build.
 */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "mpi/flight.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct runtime {
    const char *name, *prefix;
    const char *library[5]; /* closed by NULL */
    const char *aware[3];   /* functions of MPIs that say whether they take its pointers; closed by NULL */
} runtime;

static const runtime runtimes[] = {
    {"CUDA",
     "cuda",
     {"libcudart.so", "libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"},
     {"MPIX_Query_cuda_support"}},
    {"HIP",
     "hip",
     {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"},
     {"MPIX_Query_rocm_support", "MPIX_Query_hip_support"}},
};
enum { RUNTIMES = sizeof runtimes / sizeof *runtimes };

/* POSIX lets a pointer to an object stand for one to a function; ISO C has no cast between them. */
static void find(void *library, const runtime *r, const char *what, void *function)
{
    char name[40];
    snprintf(name, sizeof name, "%s%s", r->prefix, what);
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
}

/* Open MPI and MPICH have a function each; Cray MPICH a variable. */
static bool is_aware(const runtime *r)
{
    int (*query)(void);
    for (int i = 0; r->aware[i] != NULL; i++) {
        void *found = dlsym(RTLD_DEFAULT, r->aware[i]);
        memcpy(&query, &found, sizeof found);
        if (found != NULL && query() == 1)
            return true;
    }
    const char *cray = getenv("MPICH_GPU_SUPPORT_ENABLED");
    return cray != NULL && strcmp(cray, "1") == 0;
}

static bool load(const runtime *r, int host_rank, ns_device *device)
{
    int (*count)(int *);
    int (*set)(int);
    void *library = RTLD_DEFAULT;
    find(library, r, "Malloc", &device->allocate);
    for (int i = 0; device->allocate == NULL && r->library[i] != NULL; i++) {
        library = dlopen(r->library[i], RTLD_NOW | RTLD_LOCAL); /* stays until the process ends */
        if (library != NULL)
            find(library, r, "Malloc", &device->allocate);
    }
    if (device->allocate == NULL)
        return false;
    find(library, r, "Free", &device->release);
    find(library, r, "Memset", &device->fill);
    find(library, r, "GetDeviceCount", &count);
    find(library, r, "SetDevice", &set);
    return device->release != NULL && device->fill != NULL && count != NULL && set != NULL &&
           count(&device->devices) == 0 && device->devices > 0 && set(host_rank % device->devices) == 0;
}

void ns_device_open(const ns_world *world, ns_device *device)
{
    for (int i = 0; i < RUNTIMES; i++) {
        ns_device found = {.runtime = runtimes[i].name};
        int all, mine = is_aware(&runtimes[i]) && load(&runtimes[i], world->host_rank, &found);
        MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, world->comm);
        if (all) {
            *device = found;
            return;
        }
    }
    *device = (ns_device){.runtime = NULL};
}
