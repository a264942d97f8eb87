/* exchange.c -- an exchange, and its connection to a communicator: as an attribute */
#include "mpi_layer/layer.h"

#include <stdlib.h>

static int key = MPI_KEYVAL_INVALID;
static layer_exchange *exchanges; /* list of all exchanges */
static atomic_int freed;          /* number of freed communicators that had an exchange */

layer_exchange *layer_exchange_new(layer_graph *graph, MPI_Comm comm, bool fixed, const ns_mpi_options *options)
{
    layer_exchange *x = layer_memory(1, sizeof *x);
    x->graph = graph;
    graph->users++;
    x->comm = comm;
    x->fixed = fixed;
    x->options = *options;
    x->reduction = MPI_REQUEST_NULL;
    layer_lock();
    x->another = exchanges;
    exchanges = x;
    layer_unlock();
    return x;
}

/* Pass the times of a run that has ended to the planner without a next call: every process ends the run, so that the
 * reduction completes. */
static void settle(layer_exchange *x)
{
    if (x->reduction == MPI_REQUEST_NULL)
        return;
    PMPI_Wait(&x->reduction, MPI_STATUS_IGNORE);
    if (x->planner != NULL && x->greatest[NS_PLAN_TOLD] == 0)
        layer_planner_tell(x->planner, x->greatest, x->samples);
}

void layer_exchange_run(layer_exchange *x, int run)
{
    x->run = run;
    x->way = x->decided.run[run].way;
    x->left = x->decided.run[run].calls;
}

void layer_exchange_reset(layer_exchange *x)
{
    layer_planner_close(x->planner);
    x->planner = NULL;
    for (int i = 0; i < LAYER_WAYS; i++) {
        layer_program_free(x->program[i]);
        x->program[i] = NULL;
    }
    free(x->send_bytes);
    free(x->staged);
    free(x->send_stage);
    x->send_bytes = x->receive_bytes = NULL;
    x->staged = NULL;
    x->send_stage = x->receive_stage = NULL;
}

void layer_exchange_release(layer_exchange *x)
{
    if (--x->users > 0 || !x->detached)
        return;
    settle(x);
    layer_exchange_reset(x);
    for (layer_exchange **link = &exchanges; *link != NULL; link = &(*link)->another)
        if (*link == x) {
            *link = x->another;
            break;
        }
    layer_flights_end(x);
    layer_graph_give_back(x->graph, x->comm);
    layer_graph_release(x->graph);
    free(x);
}

void layer_exchanges_end(void)
{
    for (layer_exchange *x = exchanges; x != NULL; x = x->another) {
        settle(x);
        layer_planner_close(x->planner);
        x->planner = NULL;
    }
}

/* The program frees its communicator, which is collective.  Where an exchange is in progress or a persistent one exists
 * on any process, the private communicators are kept until the job ends. */
static int detach(MPI_Comm comm, int keyval, void *value, void *extra)
{
    layer_exchange *x = value;
    layer_graph *g = x->graph;
    (void)keyval;
    (void)extra;
    atomic_fetch_add(&freed, 1);
    settle(x);
    layer_lock();
    int idle = x->users == 0 && g->users == 2, all_idle = 0; /* of this exchange, and of the communicator */
    layer_unlock();
    PMPI_Allreduce(&idle, &all_idle, 1, MPI_INT, MPI_MIN, comm);
    if (all_idle)
        layer_graph_free_communicators(g);
    layer_lock();
    x->detached = true;
    x->users++;
    layer_exchange_release(x);
    layer_graph_release(g);
    layer_unlock();
    return MPI_SUCCESS;
}

void layer_attach(MPI_Comm comm)
{
    if (!layer_set.on || comm == MPI_COMM_NULL)
        return;
    layer_graph *g = layer_graph_make(comm);
    if (g == NULL)
        return;
    const ns_mpi_options options = {.size = sizeof options, .flags = layer_set.flags};
    layer_exchange *x = layer_exchange_new(g, g->comm, false, &options);
    layer_lock();
    if (key == MPI_KEYVAL_INVALID)
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, detach, &key, NULL);
    layer_unlock();
    PMPI_Comm_set_attr(comm, key, x);
}

/* The last one found is cached until a communicator is freed, since its handle may then be reused for another one. */
layer_exchange *layer_exchange_of(MPI_Comm comm)
{
    static _Thread_local struct {
        MPI_Comm comm;
        layer_exchange *exchange;
        int freed;
    } last;
    const int now = atomic_load(&freed);
    layer_exchange *x = NULL;
    int found = 0;
    if (last.exchange != NULL && last.comm == comm && last.freed == now)
        return last.exchange;
    if (key == MPI_KEYVAL_INVALID || comm == MPI_COMM_NULL)
        return NULL;
    PMPI_Comm_get_attr(comm, key, &x, &found);
    if (!found)
        return NULL;
    last.comm = comm;
    last.exchange = x;
    last.freed = now;
    return x;
}
