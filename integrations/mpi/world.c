/* world.c -- the processes of a job, and how they agree */
#include "mpi/world.h"
#include "mpi/watchdog.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#ifdef NS_SIMULATED
/* A simulated host may be one process' share of a node: a node consists of hosts whose names are equal up to the first
 * dot. */
static void split_by_node(const ns_world *w, MPI_Comm *shared)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "", other[MPI_MAX_PROCESSOR_NAME];
    int length, node = -1;
    MPI_Get_processor_name(name, &length);
    name[strcspn(name, ".")] = '\0';
    for (int r = 0; r < w->ranks; r++) {
        memcpy(other, name, sizeof other);
        MPI_Bcast(other, (int)sizeof other, MPI_CHAR, r, w->comm);
        if (node < 0 && strcmp(other, name) == 0)
            node = r;
    }
    MPI_Comm_split(w->comm, node, w->rank, shared);
}
#else
static void split_by_node(const ns_world *w, MPI_Comm *shared)
{
    MPI_Comm_split_type(w->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, shared);
}
#endif

void ns_world_open(ns_world *world)
{
    MPI_Comm shared;
    world->comm = MPI_COMM_WORLD;
    MPI_Comm_rank(world->comm, &world->rank);
    MPI_Comm_size(world->comm, &world->ranks);
    split_by_node(world, &shared);
    /* Hosts are numbered by their lowest rank. */
    int lowest = world->rank, first, blocks[2], most[2];
    MPI_Bcast(&lowest, 1, MPI_INT, 0, shared);
    first = world->rank == lowest;
    MPI_Exscan(&first, &world->host, 1, MPI_INT, MPI_SUM, world->comm);
    world->host = world->rank == 0 ? 0 : world->host;
    MPI_Bcast(&world->host, 1, MPI_INT, 0, shared);
    MPI_Allreduce(&first, &world->hosts, 1, MPI_INT, MPI_SUM, world->comm);
    MPI_Comm_rank(shared, &world->host_rank);
    MPI_Comm_size(shared, &world->per_host);
    /* Consecutive blocks of one size: rank r is number r mod size on host r / size. */
    MPI_Allreduce(&world->per_host, &most[0], 1, MPI_INT, MPI_MAX, world->comm);
    blocks[0] = world->host != world->rank / most[0] || world->host_rank != world->rank % most[0];
    MPI_Allreduce(&blocks[0], &blocks[1], 1, MPI_INT, MPI_MAX, world->comm);
    world->per_host = blocks[1] != 0 ? 0 : most[0];
    MPI_Comm_free(&shared);
}

ns_status ns_world_agree(const ns_world *world, ns_status status, ns_error *err)
{
    const int failed = status != NS_OK, mine = failed ? world->rank : INT_MAX;
    int first, failures;
    ns_watchdog_feed();
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, world->comm);
    if (first == INT_MAX)
        return NS_OK;
    MPI_Allreduce(&failed, &failures, 1, MPI_INT, MPI_SUM, world->comm);
    MPI_Bcast(&status, (int)sizeof status, MPI_BYTE, first, world->comm);
    ns_error told = {0};
    if (world->rank == first && err != NULL)
        told = *err;
    MPI_Bcast(&told, (int)sizeof told, MPI_BYTE, first, world->comm);
    if (err != NULL) {
        *err = told;
        if (failures < world->ranks)
            (void)snprintf(err->text, sizeof err->text, "rank %d of %d: %.440s", first, world->ranks, told.text);
    }
    return status;
}

ns_status ns_world_same(const ns_world *world, uint64_t bits, const char *what, ns_error *err)
{
    uint64_t of_first = bits;
    MPI_Bcast(&of_first, 1, MPI_UINT64_T, 0, world->comm);
    return ns_world_agree(world, bits == of_first ? NS_OK : ns_fail(err, NS_ERR_USAGE, "it has %s than rank 0", what),
                          err);
}

uint64_t ns_bits(uint64_t bits, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        bits = (bits ^ at[i]) * UINT64_C(1099511628211);
    return bits;
}
