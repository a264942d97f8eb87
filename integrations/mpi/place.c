/* place.c -- nodes from MPI, sockets from the processors on which a process may run, as reported by Linux; and GPUs, by
 * the names of the functions of CUDA's and HIP's runtimes
 *
 * A runtime that is already loaded in the process, as by a GPU-aware MPI, is preferred to one that has to be found.
 * Neither of them is needed to build.
 */
#define _GNU_SOURCE /* RTLD_DEFAULT, sched_getaffinity */
#include "core/memory.h"
#include "mpi/measure.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROCESSORS_MOST = 4096 };

/* The socket of a processor; -1: the system does not report it. */
static int socket_of(int processor)
{
    char path[100];
    int socket = -1;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/physical_package_id", processor);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return -1;
    if (fscanf(file, "%d", &socket) != 1)
        socket = -1;
    (void)fclose(file);
    return socket;
}

/* The common socket of all processors on which this process may run; -1: there are several, or it is unknown. */
static int own_socket(void)
{
    cpu_set_t allowed[PROCESSORS_MOST / CPU_SETSIZE];
    int socket = -1;
    if (sched_getaffinity(0, sizeof allowed, allowed) != 0)
        return -1;
    for (int p = 0; p < PROCESSORS_MOST; p++)
        if (CPU_ISSET_S((size_t)p, sizeof allowed, allowed)) {
            const int one = socket_of(p);
            if (one < 0 || (socket >= 0 && one != socket))
                return -1;
            socket = one;
        }
    return socket;
}

ns_status ns_place_open(const ns_world *world, int per_node, int sockets, ns_place *place, ns_error *err)
{
    ns_place made = {.ranks = world->ranks, .sockets = sockets};
    const long processors = sysconf(_SC_NPROCESSORS_CONF);
    for (int p = 0; sockets <= 0 && p < processors && p < PROCESSORS_MOST; p++) /* from 0: the largest counts */
        made.sockets = socket_of(p) >= made.sockets ? socket_of(p) + 1 : made.sockets;
    made.node = ns_calloc((size_t)world->ranks, sizeof *made.node);
    made.socket = ns_calloc((size_t)world->ranks, sizeof *made.socket);
    const bool enough = made.node != NULL && made.socket != NULL;
    const ns_status status = ns_world_agree(world, enough ? NS_OK : ns_no_memory(err), err);
    if (status != NS_OK) {
        ns_place_close(&made);
        return status;
    }
    const int node = per_node > 0 ? world->rank / per_node : world->host;
    int socket = own_socket();
    if (sockets > 0) {
        const int local = per_node > 0 ? world->rank % per_node : world->host_rank,
                  of = per_node > 0 ? per_node : world->per_host;
        socket = of > 0 ? local * sockets / of : -1;
    }
    MPI_Allgather(&node, 1, MPI_INT, made.node, 1, MPI_INT, world->comm);
    MPI_Allgather(&socket, 1, MPI_INT, made.socket, 1, MPI_INT, world->comm);
    MPI_Bcast(&made.sockets, 1, MPI_INT, 0, world->comm);
    for (int r = 0; r < made.ranks; r++)
        made.nodes = made.node[r] >= made.nodes ? made.node[r] + 1 : made.nodes;
    *place = made;
    return NS_OK;
}

void ns_place_close(ns_place *place)
{
    ns_free(place->node);
    ns_free(place->socket);
    *place = (ns_place){0};
}

/* Ranks of one node whose sockets are unknown count as on-node. */
static ns_locality locality_of(const ns_place *place, int a, int b)
{
    if (place->node[a] != place->node[b])
        return NS_OFF_NODE;
    if (place->sockets == 1)
        return NS_ON_SOCKET;
    return place->socket[a] >= 0 && place->socket[a] == place->socket[b] ? NS_ON_SOCKET : NS_ON_NODE;
}

static bool is_taken(const int *first, const int *second, int pairs, int rank)
{
    for (int i = 0; i < pairs; i++)
        if (first[i] == rank || second[i] == rank)
            return true;
    return false;
}

int ns_place_pairs(const ns_place *place, ns_locality locality, int *first, int *second, int most)
{
    const int other = locality == NS_OFF_NODE ? 1 : 0;
    int pairs = 0;
    for (int a = 0; a < place->ranks && pairs < most; a++) {
        if (place->node[a] != 0 || is_taken(first, second, pairs, a))
            continue;
        for (int b = locality == NS_OFF_NODE ? 0 : a + 1; b < place->ranks; b++)
            if (place->node[b] == other && b != a && !is_taken(first, second, pairs, b) &&
                locality_of(place, a, b) == locality) {
                first[pairs] = a;
                second[pairs++] = b;
                break;
            }
    }
    return pairs;
}

/* ---- devices ----------------------------------------------------------------------------------------------------- */

typedef struct runtime {
    const char *name, *prefix;
    const char *library[5]; /* closed by NULL */
    const char *aware[3];   /* functions by which MPIs report whether they accept its pointers; closed by NULL */
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

/* POSIX allows a pointer to an object to represent one to a function; ISO C has no cast between them. */
static void find(void *library, const runtime *r, const char *what, void *function)
{
    char name[40];
    snprintf(name, sizeof name, "%s%s", r->prefix, what);
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
}

/* Load a runtime that the MPI supports.  Open MPI and MPICH each report this by a function; Cray MPICH by a
 * variable. */
static bool load(const runtime *r, int host_rank, ns_device *device)
{
    int (*count)(int *);
    int (*set)(int);
    int (*query)(void);
    void *library = RTLD_DEFAULT;
    const char *cray = getenv("MPICH_GPU_SUPPORT_ENABLED");
    bool aware = cray != NULL && strcmp(cray, "1") == 0;
    for (int i = 0; r->aware[i] != NULL; i++) {
        void *found = dlsym(RTLD_DEFAULT, r->aware[i]);
        memcpy(&query, &found, sizeof found);
        aware = aware || (found != NULL && query() == 1);
    }
    if (!aware)
        return false;
    find(library, r, "Malloc", &device->allocate);
    for (int i = 0; device->allocate == NULL && r->library[i] != NULL; i++) {
        library = dlopen(r->library[i], RTLD_NOW | RTLD_LOCAL); /* never unloaded */
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
        int all, mine = load(&runtimes[i], world->host_rank, &found);
        MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, world->comm);
        if (all) {
            *device = found;
            return;
        }
    }
    *device = (ns_device){.runtime = NULL};
}
