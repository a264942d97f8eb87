/* graph.c -- what the layer knows of a communicator with a graph, tied to it as an attribute */
#include "mpi_layer/layer.h"

#include <stdlib.h>

static int key = MPI_KEYVAL_INVALID;

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

/* This process' node: the lowest rank on it.  Emulated: so many ranks of the whole job each. */
static int own_node(const layer_graph *g)
{
    int node = g->rank;
    if (layer_set.emulate > 0) {
        PMPI_Comm_rank(MPI_COMM_WORLD, &node);
        return node / layer_set.emulate;
    }
    MPI_Comm host;
    PMPI_Comm_split_type(g->comm, MPI_COMM_TYPE_SHARED, g->rank, MPI_INFO_NULL, &host);
    PMPI_Allreduce(MPI_IN_PLACE, &node, 1, MPI_INT, MPI_MIN, host);
    PMPI_Comm_free(&host);
    return node;
}

/* Nodes by number from 0, in the order of their first ranks. */
static void number_nodes(layer_graph *g)
{
    for (int r = 0; r < g->ranks; r++) {
        int known = 0;
        while (known < r && g->ins[known] != g->ins[r])
            known++;
        g->node_of[r] = known < r ? g->node_of[known] : g->nodes++;
    }
}

/* Collective; ins is scratch until the degrees come. */
static void find_nodes(layer_graph *g)
{
    const int node = own_node(g);
    PMPI_Allgather(&node, 1, MPI_INT, g->ins, 1, MPI_INT, g->comm);
    number_nodes(g);
    PMPI_Gather(&g->in, 1, MPI_INT, g->ins, 1, MPI_INT, 0, g->comm);
    PMPI_Gather(&g->out, 1, MPI_INT, g->outs, 1, MPI_INT, 0, g->comm);
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

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

static layer_graph *graph_new(MPI_Comm comm)
{
    int weighted;
    layer_graph *g = calloc(1, sizeof *g);
    if (g == NULL)
        return NULL;
    PMPI_Comm_rank(comm, &g->rank);
    PMPI_Comm_size(comm, &g->ranks);
    PMPI_Dist_graph_neighbors_count(comm, &g->in, &g->out, &weighted);
    g->source = malloc(((size_t)g->in + 1) * sizeof *g->source);
    g->target = malloc(((size_t)g->out + 1) * sizeof *g->target);
    g->node_of = malloc((size_t)g->ranks * sizeof *g->node_of);
    g->ins = malloc((size_t)g->ranks * sizeof *g->ins);
    g->outs = malloc((size_t)g->ranks * sizeof *g->outs);
    if (g->source != NULL && g->target != NULL && g->node_of != NULL && g->ins != NULL && g->outs != NULL)
        return g;
    graph_free(g);
    return NULL;
}

static void read_neighbours(layer_graph *g, MPI_Comm comm)
{
    int *weight = malloc(((size_t)g->in + (size_t)g->out + 1) * sizeof *weight);
    g->left = weight == NULL;
    if (weight == NULL)
        return;
    PMPI_Dist_graph_neighbors(comm, g->in, g->source, weight, g->out, g->target, weight + g->in);
    free(weight);
}

void layer_graph_attach(MPI_Comm comm)
{
    if (!layer_set.on || comm == MPI_COMM_NULL)
        return;
    layer_graph *g = graph_new(comm);
    int able = g != NULL, all_able = 0;
    if (able) {
        read_neighbours(g, comm);
        able = !g->left;
    }
    PMPI_Allreduce(&able, &all_able, 1, MPI_INT, MPI_MIN, comm);
    if (!all_able || g == NULL) {
        if (g != NULL)
            graph_free(g);
        return;
    }
    PMPI_Comm_dup(comm, &g->comm);
    find_nodes(g);
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
