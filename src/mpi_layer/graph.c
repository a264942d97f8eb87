/* graph.c -- what the layer knows of a communicator with a graph, tied to it as an attribute */
#include "mpi_layer/layer.h"

#include <stdlib.h>

static int key = MPI_KEYVAL_INVALID;

/* A rank without neighbours need not call, and nobody may wait for it: ranks with neighbours have a communicator of
 * their own, where they are numbered anew.  Any other rank is alone in its own. */
static MPI_Comm split(MPI_Comm comm, layer_graph *g)
{
    MPI_Comm part, private;
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
    PMPI_Dist_graph_create_adjacent(part, g->in, g->source, weight, g->out, g->target, weight + g->in, MPI_INFO_NULL, 0,
                                    &private);
    PMPI_Group_free(&all);
    PMPI_Group_free(&some);
    PMPI_Comm_free(&part);
    free(list);
    return private;
}

/* A node has the number of its lowest rank, then nodes are counted in this order.  Emulated: so many ranks of the whole
 * job each. */
static void find_nodes(layer_graph *g)
{
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
}

static void graph_free(layer_graph *g)
{
    for (int i = 0; i < g->plans; i++) {
        layer_plan_free(g->plan[i]);
        free(g->plan[i]);
    }
    free(g->source);
    free(g->target);
    free(g->node_of);
    free(g->ins);
    free(g->outs);
    free(g);
}

void layer_graph_release(layer_graph *g)
{
    if (--g->users == 0 && g->detached)
        graph_free(g);
}

/* The program frees its communicator, which is collective.  Where an exchange is under way anywhere, the private one is
 * left to the end of the job. */
static int detach(MPI_Comm comm, int keyval, void *value, void *extra)
{
    layer_graph *g = value;
    (void)keyval;
    (void)extra;
    layer_lock();
    int idle = g->users == 0, all_idle = 0;
    g->detached = true;
    layer_unlock();
    PMPI_Allreduce(&idle, &all_idle, 1, MPI_INT, MPI_MIN, comm);
    if (all_idle)
        PMPI_Comm_free(&g->comm);
    if (idle)
        graph_free(g);
    return MPI_SUCCESS;
}

void layer_graph_attach(MPI_Comm comm)
{
    if (!layer_set.on || comm == MPI_COMM_NULL)
        return;
    layer_graph *g = layer_memory(1, sizeof *g);
    g->comm = split(comm, g);
    PMPI_Comm_rank(g->comm, &g->rank);
    PMPI_Comm_size(g->comm, &g->ranks);
    g->node_of = layer_memory((size_t)g->ranks, sizeof *g->node_of);
    g->ins = layer_memory((size_t)g->ranks, sizeof *g->ins);
    g->outs = layer_memory((size_t)g->ranks, sizeof *g->outs);
    find_nodes(g);
    PMPI_Gather(&g->in, 1, MPI_INT, g->ins, 1, MPI_INT, 0, g->comm);
    PMPI_Gather(&g->out, 1, MPI_INT, g->outs, 1, MPI_INT, 0, g->comm);
    layer_lock();
    if (key == MPI_KEYVAL_INVALID)
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, detach, &key, NULL);
    layer_unlock();
    PMPI_Comm_set_attr(comm, key, g);
}

layer_graph *layer_graph_of(MPI_Comm comm)
{
    layer_graph *g = NULL;
    int found = 0;
    if (key == MPI_KEYVAL_INVALID || comm == MPI_COMM_NULL)
        return NULL;
    PMPI_Comm_get_attr(comm, key, &g, &found);
    return found ? g : NULL;
}
