/* graph.c -- the layer's information about a communicator with neighbours */
#include "mpi_layer/layer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

layer_graph *layer_graph_make(MPI_Comm comm)
{
    int topology;
    layer_graph *g = layer_memory(1, sizeof *g);
    PMPI_Topo_test(comm, &topology);
    g->users = 1;
    if (topology != MPI_CART) {
        /* A rank without neighbours need not call, so that no other rank may wait for it: ranks with neighbours have
         * their own communicator, in which they are renumbered.  Any other rank is alone in its communicator. */
        MPI_Comm part;
        MPI_Group all, some;
        int rank, weighted;
        PMPI_Comm_rank(comm, &rank);
        PMPI_Dist_graph_neighbors_count(comm, &g->in, &g->out, &weighted);
        g->source = layer_memory((size_t)g->in, sizeof *g->source);
        g->target = layer_memory((size_t)g->out, sizeof *g->target);
        int *list = layer_memory(2 * ((size_t)g->in + (size_t)g->out), sizeof *list);
        int *source = list, *target = source + g->in, *weight = target + g->out;
        PMPI_Dist_graph_neighbors(comm, g->in, source, weight, g->out, target, weight + g->in);
        PMPI_Comm_split(comm, g->in + g->out > 0 ? 0 : rank + 1, rank, &part);
        PMPI_Comm_group(comm, &all);
        PMPI_Comm_group(part, &some);
        PMPI_Group_translate_ranks(all, g->in, source, some, g->source);
        PMPI_Group_translate_ranks(all, g->out, target, some, g->target);
        PMPI_Dist_graph_create_adjacent(part, g->in, g->source, weight, g->out, g->target, weight + g->in,
                                        MPI_INFO_NULL, 0, &g->comm);
        PMPI_Group_free(&all);
        PMPI_Group_free(&some);
        PMPI_Comm_free(&part);
        free(list);
    } else {
        /* A Cartesian communicator: all its processes have neighbours, some of which may be MPI_PROC_NULL.  It is left
         * to MPI where a process has the same neighbour on both sides of a dimension, since MPI libraries match these
         * messages differently. */
        int dims;
        PMPI_Cartdim_get(comm, &dims);
        int *size = layer_memory((size_t)dims, 3 * sizeof *size), *periodic = size + dims, *at = periodic + dims;
        bool apart = dims > 0;
        PMPI_Cart_get(comm, dims, size, periodic, at);
        g->in = g->out = 2 * dims;
        g->source = layer_memory((size_t)g->in, sizeof *g->source);
        g->target = layer_memory((size_t)g->out, sizeof *g->target);
        for (int i = 0; i < dims; i++) {
            PMPI_Cart_shift(comm, i, 1, &g->source[2 * i], &g->source[2 * i + 1]);
            apart = apart && !(periodic[i] && size[i] <= 2);
        }
        memcpy(g->target, g->source, (size_t)g->in * sizeof *g->source);
        free(size);
        if (!apart) {
            layer_graph_release(g);
            return NULL;
        }
        PMPI_Comm_dup(comm, &g->comm);
    }
    PMPI_Comm_rank(g->comm, &g->rank);
    PMPI_Comm_size(g->comm, &g->ranks);
    g->node_of = layer_memory((size_t)g->ranks, sizeof *g->node_of);
    g->ins = layer_memory((size_t)g->ranks, sizeof *g->ins);
    g->outs = layer_memory((size_t)g->ranks, sizeof *g->outs);
    /* Nodes are ordered by their lowest rank and numbered in this order.  Emulated: this many ranks of the whole job
     * each. */
    MPI_Comm host;
    int node = g->rank;
    if (layer_set.emulate > 0) {
        int rank;
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
        PMPI_Comm_split(g->comm, rank / layer_set.emulate, g->rank, &host);
    } else {
        PMPI_Comm_split_type(g->comm, MPI_COMM_TYPE_SHARED, g->rank, MPI_INFO_NULL, &host);
    }
    PMPI_Allreduce(MPI_IN_PLACE, &node, 1, MPI_INT, MPI_MIN, host);
    PMPI_Comm_free(&host);
    PMPI_Allgather(&node, 1, MPI_INT, g->node_of, 1, MPI_INT, g->comm);
    for (int r = 0; r < g->ranks; r++)
        g->node_of[r] = g->node_of[r] == r ? g->nodes++ : g->node_of[g->node_of[r]];
    PMPI_Gather(&g->in, 1, MPI_INT, g->ins, 1, MPI_INT, 0, g->comm);
    PMPI_Gather(&g->out, 1, MPI_INT, g->outs, 1, MPI_INT, 0, g->comm);
    /* The minimum of several samples, as the first may set up connections and any may be disturbed. */
    double sample[NS_PLAN_TOLD + 1] = {0}, greatest[NS_PLAN_TOLD + 1];
    layer_decision decision = {0};
    g->agreement_s = 1;
    for (int i = 0; i < 4; i++) {
        const double begin = MPI_Wtime();
        PMPI_Reduce(sample, greatest, NS_PLAN_TOLD + 1, MPI_DOUBLE, MPI_MAX, 0, g->comm);
        PMPI_Bcast(&decision, (int)sizeof decision, MPI_BYTE, 0, g->comm);
        g->agreement_s = fmin(g->agreement_s, fmax(0, MPI_Wtime() - begin));
    }
    return g;
}

/* Its communicators are freed where it is known that all processes take part. */
void layer_graph_release(layer_graph *g)
{
    if (--g->users > 0)
        return;
    free(g->source);
    free(g->target);
    free(g->node_of);
    free(g->ins);
    free(g->outs);
    free(g);
}

MPI_Comm layer_graph_copy(layer_graph *g)
{
    uint64_t mine = 0, all = 0;
    for (int i = 0; i < g->copies; i++)
        mine |= g->taken[i] ? 0 : UINT64_C(1) << i;
    PMPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_BAND, g->comm);
    int i = 0;
    while (i < g->copies && (all >> i & 1) == 0)
        i++;
    if (i == LAYER_COPIES)
        return MPI_COMM_NULL;
    if (i == g->copies) {
        PMPI_Comm_dup(g->comm, &g->copy[i]);
        g->copies++;
    }
    g->taken[i] = true;
    return g->copy[i];
}

void layer_graph_give_back(layer_graph *g, MPI_Comm copy)
{
    for (int i = 0; i < g->copies; i++)
        if (g->copy[i] == copy)
            g->taken[i] = false;
}

void layer_graph_free_communicators(layer_graph *g)
{
    for (int i = 0; i < g->copies; i++)
        PMPI_Comm_free(&g->copy[i]);
    g->copies = 0;
    PMPI_Comm_free(&g->comm);
}
