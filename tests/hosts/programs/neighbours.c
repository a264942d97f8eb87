/* neighbours.c -- neighbourhood exchanges of every kind, each received value checked: neighbours SEED, or 0: one
 * exchange in which every rank sends all it has to all others
 *
 * All ranks make the same random graph: edges repeat, lead from a rank to itself, carry nothing, and share parts of a
 * send buffer.  A value follows from its sender, its place and the turn.  The exit code is 0 when all are right.
 */
#include "graph.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif
#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define ALLTOALLV_INIT MPIX_Neighbor_alltoallv_init
#elif MPI_VERSION >= 4
#define ALLTOALLV_INIT MPI_Neighbor_alltoallv_init
#endif

enum { TURNS = 5 };

/* Like a driver of CUDA, which knows that this one buffer is a device's. */
static const void *on_device;
int cuPointerGetAttribute(void *value, int what, unsigned long long pointer);
int cuPointerGetAttribute(void *value, int what, unsigned long long pointer)
{
    const unsigned kind = on_device != NULL && pointer == (unsigned long long)(uintptr_t)on_device ? 2 : 1;
    if (what != 2)
        return 1;
    memcpy(value, &kind, sizeof kind);
    return 0;
}

static void same_to_all(void)
{
    graph g = {.in = ranks - 1, .out = ranks - 1};
    int other[ROOM], count[ROOM], zero[ROOM] = {0}, displ[ROOM];
    double receive[ROOM * ROOM];
    for (int i = 0; i < ranks - 1; i++) {
        other[i] = i < rank ? i : i + 1;
        count[i] = ROOM;
        displ[i] = ROOM * i;
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, g.in, other, MPI_UNWEIGHTED, g.out, other, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &g.comm);
    for (int i = 0; i < ROOM; i++)
        g.send[i] = value(rank, i, 0);
#ifdef ALLTOALLV_INIT
    MPI_Request request; /* places stay: what stands at the same place is the same */
    ALLTOALLV_INIT(g.send, count, zero, MPI_DOUBLE, receive, count, displ, MPI_DOUBLE, g.comm, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
#else
    MPI_Neighbor_alltoallv(g.send, count, zero, MPI_DOUBLE, receive, count, displ, MPI_DOUBLE, g.comm);
#endif
    for (int i = 0; i < ranks - 1; i++)
        for (int k = 0; k < ROOM; k++)
            if (receive[ROOM * i + k] != value(other[i], k, 0))
                fail("what is the same to all", 0);
    MPI_Comm_free(&g.comm);
}

static void all_ways(uint64_t seed)
{
    graph g;
    graph_open(&g, MPI_COMM_WORLD, seed, 4 * ranks);
    for (int turn = 0; turn < TURNS; turn++) {
        fill(&g, turn);
        blocking(&g, MPI_DOUBLE);
        check(&g, "a blocking exchange", turn);
    }
    for (int turn = 0; turn < WAYS; turn++) {
        MPI_Request request;
        fill(&g, turn);
        begin(&g, &request);
        end(&request, (enum way)turn);
        if (request != MPI_REQUEST_NULL)
            fail("a request that has ended", turn);
        check(&g, "a nonblocking exchange", turn);
    }
    graph_close(&g);
}

static void persistent(uint64_t seed)
{
#ifdef ALLTOALLV_INIT
    graph g;
    MPI_Request request;
    graph_open(&g, MPI_COMM_WORLD, seed, 5 * ranks);
    ALLTOALLV_INIT(g.send, g.send_count, g.send_displ, MPI_DOUBLE, g.receive, g.receive_count, g.receive_displ,
                   MPI_DOUBLE, g.comm, MPI_INFO_NULL, &request);
    for (int turn = 0; turn < 2 * TURNS; turn++) {
        fill(&g, turn);
        if (turn % 2 == 0)
            MPI_Start(&request);
        else
            MPI_Startall(1, &request);
        end(&request, (enum way)(turn % (TEST + 1))); /* MPICH 4.0 refuses persistent ones in MPI_Testall */
        check(&g, "a persistent exchange", turn);
    }
    MPI_Request_free(&request);
    graph_close(&g);
#else
    (void)seed;
#endif
}

/* ---- what changes ------------------------------------------------------------------------------------------------ */

/* Only the ends of one edge know of it. */
static void changed_counts(uint64_t seed)
{
    graph g;
    graph_open(&g, MPI_COMM_WORLD, seed, 4 * ranks);
    for (int turn = 0; turn < 30; turn++) {
        edge *e = &g.edge[turn * 7 % g.edges];
        if (turn % 3 == 0)
            e->count = (e->count + 3) % MOST;
        if (turn % 5 == 0)
            e->displ = (e->displ + 5) % (ROOM - MOST);
        lay_out(&g);
        fill(&g, turn);
        if (turn % 2 == 0) {
            blocking(&g, MPI_DOUBLE);
        } else {
            MPI_Request request;
            begin(&g, &request);
            end(&request, WAIT);
        }
        check(&g, "an exchange of other counts", turn);
    }
    graph_close(&g);
}

/* In some ranks, in some turns: a type with gaps, a row of doubles, a buffer on a device. */
static void changed_types(uint64_t seed)
{
    graph g;
    MPI_Datatype gaps, row, again;
    graph_open(&g, MPI_COMM_WORLD, seed, 3 * ranks);
    MPI_Type_create_resized(MPI_DOUBLE, 0, 2 * sizeof(double), &gaps);
    MPI_Type_commit(&gaps);
    MPI_Type_contiguous(1, MPI_DOUBLE, &row);
    MPI_Type_dup(row, &again);
    MPI_Type_commit(&again);
    for (int turn = 0; turn < 8; turn++) {
        double wide[2 * ROOM];
        MPI_Request request;
        const int odd = turn % 4 == 1 && rank == turn % ranks, device = turn % 4 == 2 && rank == turn % ranks;
        const int rows = turn % 4 == 3;
        fill(&g, turn);
        for (int i = 0; i < ROOM; i++) {
            wide[2 * i] = g.send[i];
            wide[2 * i + 1] = -7;
        }
        on_device = device ? g.send : NULL;
        if (turn < 4) {
            MPI_Neighbor_alltoallv(odd ? wide : g.send, g.send_count, g.send_displ,
                                   odd    ? gaps
                                   : rows ? again
                                          : MPI_DOUBLE,
                                   g.receive, g.receive_count, g.receive_displ, MPI_DOUBLE, g.comm);
        } else {
            MPI_Ineighbor_alltoallv(odd ? wide : g.send, g.send_count, g.send_displ,
                                    odd    ? gaps
                                    : rows ? again
                                           : MPI_DOUBLE,
                                    g.receive, g.receive_count, g.receive_displ, MPI_DOUBLE, g.comm, &request);
            end(&request, (enum way)turn);
        }
        check(&g, "an exchange of another type", turn);
    }
    on_device = NULL;
    MPI_Type_free(&gaps);
    MPI_Type_free(&row);
    MPI_Type_free(&again);
    graph_close(&g);
}

/* Four bytes in place of eight: the same graph, other entries. */
static void other_width(uint64_t seed)
{
    graph g;
    float send[ROOM], receive[4096];
    graph_open(&g, MPI_COMM_WORLD, seed, 3 * ranks);
    for (int turn = 0; turn < 4; turn++) {
        fill(&g, turn);
        blocking(&g, MPI_DOUBLE);
        check(&g, "an exchange beside one of floats", turn);
        for (int i = 0; i < ROOM; i++)
            send[i] = (float)(100 * rank + i + turn);
        MPI_Neighbor_alltoallv(send, g.send_count, g.send_displ, MPI_FLOAT, receive, g.receive_count, g.receive_displ,
                               MPI_FLOAT, g.comm);
        for (int i = 0, at = 1; i < g.edges; i++) {
            const edge *e = &g.edge[i];
            for (int k = 0; e->to == rank && k < e->count; k++)
                if (receive[at + k] != (float)(100 * e->from + e->displ + k + turn))
                    fail("an exchange of floats", turn);
            at += e->to == rank ? e->count + 1 : 0;
        }
    }
    graph_close(&g);
}

/* ---- several at a time ------------------------------------------------------------------------------------------- */

static void several(uint64_t seed)
{
    enum { GRAPHS = 4 };
    graph g[GRAPHS];
    MPI_Request request[GRAPHS];
    for (int i = 0; i < GRAPHS; i++)
        graph_open(&g[i], MPI_COMM_WORLD, seed + (uint64_t)i, 3 * ranks);
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < GRAPHS; i++) /* ranks begin them in other orders: communicators are apart */
            fill(&g[i], turn);
        for (int i = 0; i < GRAPHS; i++)
            begin(&g[(i + rank) % GRAPHS], &request[(i + rank) % GRAPHS]);
        MPI_Waitall(GRAPHS, request, MPI_STATUSES_IGNORE);
        for (int i = 0; i < GRAPHS; i++)
            check(&g[i], "one of several exchanges", turn);
    }
    for (int i = 0; i < GRAPHS; i++)
        graph_close(&g[i]);
}

/* Two of one communicator at a time, into other buffers. */
static void queued(uint64_t seed)
{
    graph g;
    MPI_Request request[2];
    graph_open(&g, MPI_COMM_WORLD, seed, 3 * ranks);
    const size_t room = (size_t)g.edges * (MOST + 1) + 2;
    double *other = calloc(room, sizeof *other), *own = g.receive;
    for (int turn = 0; turn < TURNS; turn++) {
        fill(&g, turn);
        begin(&g, &request[0]);
        memcpy(other, own, room * sizeof *own);
        for (size_t i = 0; i < room; i++)
            other[i] = -1;
        g.receive = other;
        begin(&g, &request[1]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        check(&g, "the second of two exchanges", turn);
        g.receive = own;
        check(&g, "the first of two exchanges", turn);
    }
    free(other);
    graph_close(&g);
}

static void many_communicators(uint64_t seed)
{
    for (int turn = 0; turn < 8; turn++) {
        graph g;
        MPI_Comm copy, own;
        graph_open(&g, MPI_COMM_WORLD, seed + (uint64_t)turn, 2 * ranks);
        fill(&g, turn);
        blocking(&g, MPI_DOUBLE);
        check(&g, "an exchange of a short-lived communicator", turn);
        MPI_Comm_dup(g.comm, &copy); /* nobody knows it: MPI's own */
        own = g.comm;
        g.comm = copy;
        fill(&g, turn);
        blocking(&g, MPI_DOUBLE);
        check(&g, "an exchange of a copied communicator", turn);
        MPI_Comm_free(&copy);
        g.comm = own;
        graph_close(&g);
    }
}

/* The communicator is freed while the exchange is under way. */
static void freed_early(uint64_t seed)
{
    graph g;
    MPI_Request request;
    graph_open(&g, MPI_COMM_WORLD, seed, 3 * ranks);
    fill(&g, 1);
    begin(&g, &request);
    MPI_Comm_free(&g.comm);
    end(&request, WAIT);
    check(&g, "an exchange whose communicator is freed", 1);
    MPI_Comm_dup(MPI_COMM_SELF, &g.comm);
    graph_close(&g);
}

/* Ranks that have begun wait for something else, from ranks that wait for the exchange. */
static void waiting_elsewhere(uint64_t seed)
{
    graph g;
    graph_open(&g, MPI_COMM_WORLD, seed, 5 * ranks);
    for (int turn = 0; turn < TURNS; turn++) {
        MPI_Request request;
        int token = turn;
        fill(&g, turn);
        begin(&g, &request);
        if (rank % 3 == 1)
            MPI_Recv(&token, 1, MPI_INT, rank - 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (rank % 3 == 0 && rank + 1 < ranks)
            MPI_Send(&token, 1, MPI_INT, rank + 1, 5, MPI_COMM_WORLD);
        check(&g, "an exchange of ranks that wait elsewhere", turn);
    }
    graph_close(&g);
}

static void *work(void *context)
{
    graph *g = context;
    for (int turn = 0; turn < TURNS; turn++) {
        fill(g, turn);
        if (turn % 2 == 0) {
            blocking(g, MPI_DOUBLE);
        } else {
            MPI_Request request;
            begin(g, &request);
            end(&request, WAITANY);
        }
        check(g, "an exchange of a thread", turn);
    }
    return NULL;
}

static void threads(uint64_t seed)
{
    enum { THREADS = 3 };
    graph g[THREADS];
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        graph_open(&g[i], MPI_COMM_WORLD, seed + (uint64_t)i, 3 * ranks);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, &g[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++)
        graph_close(&g[i]);
}

/* Half of the ranks, in reverse. */
static void part_of_them(uint64_t seed)
{
    MPI_Comm half;
    const int all = ranks, whole = rank;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_rank(half, &rank);
    MPI_Comm_size(half, &ranks);
    graph g;
    graph_open(&g, half, seed, 4 * ranks);
    for (int turn = 0; turn < TURNS; turn++) {
        fill(&g, turn);
        blocking(&g, MPI_DOUBLE);
        check(&g, "an exchange of half the ranks", turn);
    }
    graph_close(&g);
    MPI_Comm_free(&half);
    rank = whole;
    ranks = all;
}

int main(int argc, char **argv)
{
    static void (*const part[])(uint64_t) = {
        all_ways, persistent,         changed_counts, changed_types, other_width,       several,
        queued,   many_communicators, freed_early,    part_of_them,  waiting_elsewhere, threads};
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const char *level = getenv("THREADS");
    int provided;
    MPI_Init_thread(&argc, &argv, level != NULL ? atoi(level) : MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (seed == 0)
        same_to_all();
    for (size_t i = 0; seed > 0 && i < sizeof part / sizeof *part; i++) {
        if (part[i] == threads && provided < MPI_THREAD_MULTIPLE)
            continue;
        part[i](seed + 1000 * i);
        MPI_Barrier(MPI_COMM_WORLD);
        if (getenv("LOUD") != NULL && rank == 0)
            fprintf(stderr, "part %zu is done\n", i);
    }
    if (rank == 0)
        printf("right\n");
    MPI_Finalize();
    return 0;
}
