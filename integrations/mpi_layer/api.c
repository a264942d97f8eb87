/* api.c -- nsmodel/mpi.h */
#include "mpi_layer/layer.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

struct ns_mpi_exchange {
    layer_graph *graph;
    layer_exchange *exchange;
    layer_flight *flight;
};

static ns_status failed(ns_error *err, ns_status code, const char *text)
{
    if (err != NULL && err->code == NS_OK) {
        err->code = code;
        snprintf(err->text, sizeof err->text, "%s", text);
    }
    return code;
}

static ns_status check(const ns_mpi_message *list, int count, int ranks, ns_error *err)
{
    if (count < 0 || (count > 0 && list == NULL))
        return failed(err, NS_ERR_RANGE, "an exchange of fewer than 0 messages, or without a list of them");
    for (int i = 0; i < count; i++)
        if (list[i].count < 0 || list[i].neighbour < MPI_PROC_NULL || list[i].neighbour >= ranks ||
            (list[i].neighbour < 0 && list[i].neighbour != MPI_PROC_NULL))
            return failed(err, NS_ERR_RANGE,
                          "a message with a count below 0, or to a neighbour that is no rank of the communicator");
    return NS_OK;
}

/* Messages to MPI_PROC_NULL are ignored. */
static int list_ranks(const ns_mpi_message *list, int count, int *rank)
{
    int used = 0;
    for (int i = 0; i < count; i++)
        if (list[i].neighbour != MPI_PROC_NULL)
            rank[used++] = list[i].neighbour;
    return used;
}

static void list_edges(const ns_mpi_message *list, int count, layer_edge *edge)
{
    for (int i = 0; i < count; i++) {
        MPI_Count size;
        if (list[i].neighbour == MPI_PROC_NULL)
            continue;
        PMPI_Type_size_x(list[i].type, &size);
        *edge++ = (layer_edge){list[i].buffer, list[i].count, list[i].count * (int64_t)size, list[i].type};
    }
}

ns_status ns_mpi_exchange_init(MPI_Comm comm, const ns_mpi_message *send, int sends, const ns_mpi_message *receive,
                               int receives, const ns_mpi_options *options, ns_mpi_exchange **exchange, ns_error *err)
{
    MPI_Comm neighbours;
    ns_mpi_options given = {.size = sizeof given, .flags = layer_set.flags};
    int ranks, worst;
    if (!layer_set.open)
        return failed(err, NS_ERR_USAGE, "libnsmodel-mpi has to be linked before MPI itself, and MPI_Init called");
    PMPI_Comm_size(comm, &ranks);
    ns_status code = exchange == NULL ? failed(err, NS_ERR_RANGE, "an exchange wants somewhere to be put") : NS_OK;
    if (options != NULL && options->size < sizeof given)
        code = failed(err, NS_ERR_RANGE, "the options want their size");
    else if (options != NULL)
        given = *options;
    if (given.flags > NS_MPI_WISDOM_ONLY || given.flags == 3 || !(given.limit_s >= 0) || given.calls < 0)
        code = failed(err, NS_ERR_RANGE,
                      "flags are one of measure, estimate, patient and wisdom only, limit_s and calls at least 0");
    code = code == NS_OK ? check(send, sends, ranks, err) : code;
    code = code == NS_OK ? check(receive, receives, ranks, err) : code;
    const int own = (int)code;
    PMPI_Allreduce(&own, &worst, 1, MPI_INT, MPI_MAX, comm);
    if (worst != NS_OK || exchange == NULL)
        return failed(err, (ns_status)worst, "another process refused its part of the exchange");
    if (!layer_set.on)
        given.flags = NS_MPI_WISDOM_ONLY;
    const size_t edges = (size_t)receives + (size_t)sends;
    int *source = layer_memory(2 * edges + 1, sizeof *source), *target = source + receives, *weight = target + sends;
    for (size_t i = 0; i < edges; i++)
        weight[i] = 1;
    const int in = list_ranks(receive, receives, source), out = list_ranks(send, sends, target);
    PMPI_Dist_graph_create_adjacent(comm, in, source, weight, out, target, weight, MPI_INFO_NULL, 0, &neighbours);
    free(source);
    ns_mpi_exchange *x = layer_memory(1, sizeof *x);
    x->graph = layer_graph_make(neighbours);
    PMPI_Comm_free(&neighbours);
    x->exchange = layer_exchange_new(x->graph, x->graph->comm, true, &given);
    x->flight = layer_flight_new(x->exchange, LAYER_PERSISTENT);
    list_edges(send, sends, x->flight->call.send);
    list_edges(receive, receives, x->flight->call.receive);
    layer_call_keep(&x->flight->call, out + in);
    layer_flight_prepare(x->flight);
    *exchange = x;
    return NS_OK;
}

ns_status ns_mpi_exchange_start(ns_mpi_exchange *x, ns_error *err)
{
    if (x->flight->active)
        return failed(err, NS_ERR_USAGE, "the exchange is under way: wait for it first");
    layer_flight_launch(x->flight);
    return NS_OK;
}

ns_status ns_mpi_exchange_wait(ns_mpi_exchange *x, ns_error *err)
{
    if (!x->flight->active)
        return failed(err, NS_ERR_USAGE, "the exchange was not started");
    layer_flight_finish(x->flight);
    return NS_OK;
}

ns_status ns_mpi_exchange_test(ns_mpi_exchange *x, bool *done, ns_error *err)
{
    if (!x->flight->active)
        return failed(err, NS_ERR_USAGE, "the exchange was not started");
    *done = layer_flight_test(x->flight);
    return NS_OK;
}

void ns_mpi_exchange_free(ns_mpi_exchange *x)
{
    if (x == NULL)
        return;
    MPI_Comm comm = x->graph->comm;
    layer_flight_free(x->flight);
    layer_lock();
    layer_graph_release(x->graph);
    layer_unlock();
    PMPI_Comm_free(&comm);
    free(x);
}

ns_status ns_mpi_exchange_describe(const ns_mpi_exchange *x, ns_mpi_exchange_info *info, ns_error *err)
{
    const layer_exchange *e = x->exchange;
    if (info == NULL || info->size < sizeof *info)
        return failed(err, NS_ERR_RANGE, "what describes an exchange wants its size");
    *info = (ns_mpi_exchange_info){.size = info->size,
                                   .way = layer_way_name(e->way),
                                   .made = e->made,
                                   .left = e->left >= layer_forever ? INT64_MAX : e->left,
                                   .agreements = e->agreements};
    return NS_OK;
}
