/* graph.h -- random graphs for neighbours.c: buffers, values that follow from sender, place and turn, ways to end */
#ifndef TESTS_HOSTS_GRAPH_H
#define TESTS_HOSTS_GRAPH_H

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 64, MOST = 20 };

static int rank, ranks;

static uint64_t next(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static int below(uint64_t *state, int bound)
{
    return (int)(next(state) % (uint64_t)bound);
}

static double value(int from, int place, int turn)
{
    return from * 1e6 + place * 1e3 + turn + 0.25;
}

/* ---- a graph ----------------------------------------------------------------------------------------------------- */

typedef struct edge {
    int from, to, count, displ;
} edge;

typedef struct graph {
    MPI_Comm comm;
    edge *edge;
    int edges, in, out;
    int *send_count, *send_displ, *receive_count, *receive_displ; /* of this rank */
    double send[ROOM], *receive;
} graph;

/* Counts, and places with a gap between any two. */
static void lay_out(graph *g)
{
    int in = 0, out = 0, at = 1;
    for (int i = 0; i < g->edges; i++) {
        const edge *e = &g->edge[i];
        if (e->from == rank) {
            g->send_count[out] = e->count;
            g->send_displ[out++] = e->displ;
        }
        if (e->to == rank) {
            g->receive_count[in] = e->count;
            g->receive_displ[in++] = at;
            at += e->count + 1;
        }
    }
}

static void graph_open(graph *g, MPI_Comm base, uint64_t seed, int edges)
{
    uint64_t state = seed;
    int *source = malloc((size_t)edges * sizeof *source), *target = malloc((size_t)edges * sizeof *target);
    *g = (graph){.edge = malloc((size_t)edges * sizeof *g->edge), .edges = edges};
    for (int i = 0; i < edges; i++) {
        edge *e = &g->edge[i];
        *e = (edge){below(&state, ranks), below(&state, ranks), below(&state, MOST), below(&state, ROOM - MOST)};
        if (below(&state, 4) == 0)
            e->count = 0;
        if (below(&state, 8) == 0)
            e->to = e->from;
        if (i > 0 && below(&state, 6) == 0) { /* again, or the same to another */
            e->from = e[-1].from;
            e->displ = e[-1].displ;
            e->to = below(&state, 2) == 0 ? e[-1].to : e->to;
        }
        if (e->from == rank)
            target[g->out++] = e->to;
        if (e->to == rank)
            source[g->in++] = e->from;
    }
    g->send_count = calloc((size_t)edges, sizeof(int));
    g->send_displ = calloc((size_t)edges, sizeof(int));
    g->receive_count = calloc((size_t)edges, sizeof(int));
    g->receive_displ = calloc((size_t)edges, sizeof(int));
    g->receive = calloc((size_t)edges * (MOST + 1) + 2, sizeof(double));
    lay_out(g);
    MPI_Dist_graph_create_adjacent(base, g->in, source, MPI_UNWEIGHTED, g->out, target, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &g->comm);
    free(source);
    free(target);
}

static void graph_close(graph *g)
{
    MPI_Comm_free(&g->comm);
    free(g->edge);
    free(g->send_count);
    free(g->send_displ);
    free(g->receive_count);
    free(g->receive_displ);
    free(g->receive);
}

static void fill(graph *g, int turn)
{
    for (int i = 0; i < ROOM; i++)
        g->send[i] = value(rank, i, turn);
    for (int i = 0; i < g->edges * (MOST + 1) + 2; i++)
        g->receive[i] = -1;
}

static void fail(const char *what, int turn)
{
    fprintf(stderr, "rank %d: %s is wrong in turn %d\n", rank, what, turn);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static void check(const graph *g, const char *what, int turn)
{
    int at = 0;
    for (int i = 0; i < g->edges; i++) {
        const edge *e = &g->edge[i];
        if (e->to != rank)
            continue;
        if (g->receive[at++] != -1) /* the gap */
            fail(what, turn);
        for (int k = 0; k < e->count; k++)
            if (g->receive[at++] != value(e->from, e->displ + k, turn))
                fail(what, turn);
    }
    if (g->receive[at] != -1)
        fail(what, turn);
}

/* ---- exchanges --------------------------------------------------------------------------------------------------- */

static void blocking(graph *g, MPI_Datatype type)
{
    MPI_Neighbor_alltoallv(g->send, g->send_count, g->send_displ, type, g->receive, g->receive_count, g->receive_displ,
                           type, g->comm);
}

static void begin(graph *g, MPI_Request *request)
{
    MPI_Ineighbor_alltoallv(g->send, g->send_count, g->send_displ, MPI_DOUBLE, g->receive, g->receive_count,
                            g->receive_displ, MPI_DOUBLE, g->comm, request);
}

enum way { WAIT, WAITALL, WAITANY, WAITSOME, TEST, TESTALL, TESTANY, TESTSOME, WAYS };

static void end(MPI_Request *request, enum way way)
{
    MPI_Request list[2] = {MPI_REQUEST_NULL, *request};
    int flag = 0, index = 0, indices[2];
    switch (way) {
    case WAIT:
        MPI_Wait(&list[1], MPI_STATUS_IGNORE);
        break;
    case WAITALL:
        MPI_Waitall(2, list, MPI_STATUSES_IGNORE);
        break;
    case WAITANY:
        MPI_Waitany(2, list, &index, MPI_STATUS_IGNORE);
        break;
    case WAITSOME:
        MPI_Waitsome(2, list, &index, indices, MPI_STATUSES_IGNORE);
        break;
    case TEST:
        while (!flag)
            MPI_Test(&list[1], &flag, MPI_STATUS_IGNORE);
        break;
    case TESTALL:
        while (!flag)
            MPI_Testall(2, list, &flag, MPI_STATUSES_IGNORE);
        break;
    case TESTANY:
        while (!flag)
            MPI_Testany(2, list, &index, &flag, MPI_STATUS_IGNORE);
        break;
    default:
        while (flag == 0)
            MPI_Testsome(2, list, &flag, indices, MPI_STATUSES_IGNORE);
        break;
    }
    *request = list[1];
}

#endif
