/* advice.h -- what rank 0 works with: everybody's edges, and the exchange they make */
#ifndef NS_MPI_LAYER_ADVICE_H
#define NS_MPI_LAYER_ADVICE_H

#include "mpi_layer/layer.h"

#include <nsmodel/choice.h>
#include <nsmodel/machine.h>
#include <nsmodel/needs.h>
#include <nsmodel/schedule.h>

/* A piece of a buffer, in entries: where it stands in send or receive, and of which edge it is. */
typedef struct layer_mapped {
    int64_t offset, entries, edge, at; /* at: bytes into the edge */
} layer_mapped;

typedef struct layer_map {
    layer_mapped *item;
    int64_t count, capacity, entries;
} layer_map;

typedef struct layer_advice {
    const layer_graph *graph;
    const layer_words *asked;
    int64_t width, *least, *base; /* [ranks] lowest place of each send buffer; [ranks + 1] its first column */
    layer_map *sent, *received;   /* [ranks] */
    int *by_node;                 /* [ranks] ranks, node by node: processes of strategies that take all of them */
    bool equal;                   /* every node has as many ranks */
    int most;                     /* ranks of a node */
    bool all_processes;           /* of the strategy whose program is written: processes go node by node */
    ns_site *site;
    ns_exchange *exchange;
    ns_machine *machine;
} layer_advice;

/* settings.c: the machine of the settings, to the end of the job. */
ns_status layer_machine(const ns_machine **machine, ns_error *err);

/* Fill exchange, sent and received from what everybody asked; the site is there.  Width 0: nothing is sent. */
ns_status layer_columns(layer_advice *advice, ns_error *err);

#endif
