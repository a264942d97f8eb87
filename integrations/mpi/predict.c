/* predict.c -- nsmodel-mpi predict: nsmodel predict, with the exchanges counted by all processes
 *
 * Every process runs the command up to the exchanges.  Each counts what its own nodes receive; rank 0 combines the
 * counts and continues alone.
 */
#include "cli/show/predict.h"
#include "cli/show/answer.h"
#include "cli/show/draw.h"
#include "core/memory.h"
#include "matrix/market/market.h"
#include "mpi/job.h"
#include "mpi/shared_matrix.h"
#include "mpi/watchdog.h"
#include "pattern/build.h"
#include "pattern/exchange.h"

#include <assert.h>
#include <string.h>

extern const ns_command ns_command_predict;

static const ns_option options[] = {
    NS_OPTIONS_PREDICT,
    NS_OPTION_TIMEOUT,
    {NULL},
};

/* ---- arrays of an exchange, concatenated on rank 0 -----------------------------------------------------------------
 *
 * Routes, pairs and runs are sorted by receiving node, and nodes are dealt out in blocks, so that the items of a
 * process' nodes are one range of each array, and the whole array consists of these ranges in the order of ranks.
 */

enum { ROUTES, PAIRS, RUNS, NEEDERS, INSIDES, INSIDE_NEEDERS, ARRAYS };

/* One array of an exchange, and the range of its items that belong to this process' nodes. */
typedef struct stretch {
    void **items;
    int64_t *count;
    size_t size;
    int64_t from, end;
} stretch;

/* The node of a route, a pair or a message inside a node. */
static int64_t node_of(const ns_exchange *x, int array, int64_t i)
{
    return array == ROUTES  ? x->site->node_of[x->route[i].to]
           : array == PAIRS ? x->pair[i].to
                            : x->site->node_of[x->inside[i].origin];
}

/* Find the range of items whose node is in [first, end), in an array that is sorted by node. */
static void find(stretch *of, const ns_exchange *x, int array, int64_t first, int64_t end)
{
    stretch *s = &of[array];
    s->from = 0;
    while (s->from < *s->count && node_of(x, array, s->from) < first)
        s->from++;
    s->end = s->from;
    while (s->end < *s->count && node_of(x, array, s->end) < end)
        s->end++;
}

/* The needers of a range of runs are a range, too. */
static void find_needers(stretch *needers, const ns_run *run, const stretch *runs)
{
    needers->from = needers->end = 0;
    if (runs->from == runs->end)
        return;
    needers->from = run[runs->from].needer;
    needers->end = run[runs->end - 1].needer + run[runs->end - 1].needers;
}

enum { EACH = 1 << 28 }; /* largest size of a message, B */

/* Collective: gather one array.  count[]: items of each process, on rank 0; NULL on all others. */
static ns_status gather(const ns_world *world, stretch *s, const int64_t *count, ns_error *err)
{
    int64_t total = 0;
    unsigned char *whole = NULL;
    for (int r = 0; count != NULL && r < world->ranks; r++)
        total += count[r * ARRAYS];
    if (count != NULL)
        whole = ns_malloc(ns_size_mul((size_t)total + 1, s->size));
    NS_TRY(ns_world_agree(world, count != NULL && whole == NULL ? ns_no_memory(err) : NS_OK, err));
    const int64_t own = (s->end - s->from) * (int64_t)s->size;
    const unsigned char *from = *s->items != NULL ? (unsigned char *)*s->items + (size_t)s->from * s->size : NULL;
    for (int64_t at = 0; count == NULL && at < own; at += EACH)
        MPI_Send(from + at, (int)(own - at < EACH ? own - at : EACH), MPI_BYTE, 0, 0, world->comm);
    if (count != NULL && own > 0 && whole != NULL && from != NULL)
        memcpy(whole, from, (size_t)own);
    unsigned char *to = whole;
    for (int r = 1; to != NULL && r < world->ranks; r++) {
        const int64_t size = count[r * ARRAYS] * (int64_t)s->size;
        to += count[(r - 1) * ARRAYS] * (int64_t)s->size;
        for (int64_t at = 0; at < size; at += EACH) {
            MPI_Recv(to + at, (int)(size - at < EACH ? size - at : EACH), MPI_BYTE, r, 0, world->comm,
                     MPI_STATUS_IGNORE);
            ns_watchdog_feed();
        }
    }
    ns_free(*s->items);
    *s->items = whole;
    *s->count = total;
    return NS_OK;
}

/* Collective.  x: the exchange of one layout, complete for the nodes of this process; on rank 0 it becomes that of all
 * nodes, on other ranks it loses its routes. */
static ns_status join(const ns_world *world, const ns_deal *deal, size_t layout, ns_exchange *x, ns_error *err)
{
    const int64_t *node = deal->node + layout * ((size_t)deal->ranks + 1) + world->rank;
    int64_t mine[ARRAYS], *count = NULL;
    void *items[ARRAYS] = {x->route, x->pair, x->run, x->needer, x->inside, x->inside_needer};
    stretch of[ARRAYS] = {
        [ROUTES] = {&items[ROUTES], &x->routes, sizeof *x->route, 0, 0},
        [PAIRS] = {&items[PAIRS], &x->pairs, sizeof *x->pair, 0, 0},
        [RUNS] = {&items[RUNS], &x->runs, sizeof *x->run, 0, 0},
        [NEEDERS] = {&items[NEEDERS], &x->needers, sizeof *x->needer, 0, 0},
        [INSIDES] = {&items[INSIDES], &x->insides, sizeof *x->inside, 0, 0},
        [INSIDE_NEEDERS] = {&items[INSIDE_NEEDERS], &x->inside_needers, sizeof *x->inside_needer, 0, 0},
    };
    find(of, x, ROUTES, node[0], node[1]);
    find(of, x, PAIRS, node[0], node[1]);
    find(of, x, INSIDES, node[0], node[1]);
    if (of[PAIRS].from < of[PAIRS].end) { /* the runs of a range of pairs are a range, too */
        const ns_pair *last = &x->pair[of[PAIRS].end - 1];
        of[RUNS].from = x->pair[of[PAIRS].from].run;
        of[RUNS].end = last->run + last->runs;
    }
    find_needers(&of[NEEDERS], x->run, &of[RUNS]);
    find_needers(&of[INSIDE_NEEDERS], x->inside, &of[INSIDES]);
    if (world->rank == 0)
        count = ns_calloc((size_t)world->ranks * ARRAYS, sizeof *count);
    NS_TRY(ns_world_agree(world, world->rank == 0 && count == NULL ? ns_no_memory(err) : NS_OK, err));
    for (int k = 0; k < ARRAYS; k++)
        mine[k] = of[k].end - of[k].from;
    MPI_Gather(mine, ARRAYS, MPI_INT64_T, count, ARRAYS, MPI_INT64_T, 0, world->comm);
    ns_status status = NS_OK;
    for (int k = 0; status == NS_OK && k < ARRAYS; k++)
        status = gather(world, &of[k], count != NULL ? count + k : NULL, err);
    x->route = items[ROUTES];
    x->pair = items[PAIRS];
    x->run = items[RUNS];
    x->needer = items[NEEDERS];
    x->inside = items[INSIDES];
    x->inside_needer = items[INSIDE_NEEDERS];
    if (status == NS_OK && world->rank == 0) {
        /* Runs are stored pair by pair, and needers run by run, without gaps. */
        for (int64_t i = 0, run = 0; i < x->pairs; run += x->pair[i++].runs)
            x->pair[i].run = run;
        for (int64_t i = 0, needer = 0; i < x->runs; needer += x->run[i++].needers)
            x->run[i].needer = needer;
        for (int64_t i = 0, needer = 0; i < x->insides; needer += x->inside[i++].needers)
            x->inside[i].needer = needer;
        memset(x->need, 0, (size_t)x->parts * sizeof *x->need);
        for (int64_t i = 0; i < x->routes; i++)
            x->need[x->route[i].to] += x->route[i].entries;
        x->pattern = (ns_pattern){0};
        status = ns_exchange_count(x, err);
    }
    ns_free(count);
    return ns_world_agree(world, status, err);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

typedef struct together {
    const ns_world *world;
    bool reached;     /* the command needed exchanges */
    ns_status status; /* of building them, the same on all processes */
} together;

/* All processes count one matrix: they read a text file in slices; any other matrix is read by each process in full. */
static ns_status make_exchanges(const ns_world *world, ns_deal *deal, ns_shared_matrix *shared, ns_matrix *matrix,
                                const ns_layout *layout, size_t layouts, const ns_exchange_options *how,
                                ns_exchange **exchange, int64_t *nonzeros, ns_error *err)
{
    const ns_matrix_info *info = ns_matrix_describe(matrix);
    const int64_t sizes[] = {info->rows, info->cols, info->stored};
    NS_TRY(ns_world_same(world, ns_bits(NS_BITS, sizes, sizeof sizes), "another matrix", err));
    NS_TRY(ns_world_agree(world, ns_deal_open(world->ranks, layout, layouts, info->rows, how->part, deal, err), err));
    ns_watchdog_doing("opening the matrix");
    ns_market market;
    const char *path = ns_market_file(matrix, &market);
    if (path != NULL && !market.array)
        NS_TRY(ns_shared_matrix_open(world, path, shared, err));
    else
        ns_shared_matrix_of(world, matrix, shared);
    shared->matrix.work.limit = matrix->work.limit;
    NS_TRY(ns_world_agree(world, ns_shared_matrix_deal(shared, deal, err), err));
    ns_watchdog_doing("counting");
    /* Collective where the matrix is read in slices. */
    ns_status status = ns_exchange_from_matrix(&shared->matrix, layout, layouts, how, exchange, NULL, err);
    ns_error other = {0};
    const ns_status served = ns_shared_matrix_serve(shared, &other);
    if (status == NS_OK && served != NS_OK) {
        status = served;
        if (err != NULL)
            *err = other;
    }
    NS_TRY(ns_world_agree(world, status, err));
    ns_watchdog_doing("joining what was counted");
    for (size_t i = 0; i < layouts; i++) {
        assert(exchange[i] != NULL);
        NS_TRY(join(world, deal, i, exchange[i], err));
    }
    *nonzeros = matrix->columns != NULL ? info->stored : shared->nonzeros;
    if (matrix->columns == NULL)
        MPI_Allreduce(MPI_IN_PLACE, nonzeros, 1, MPI_INT64_T, MPI_SUM, world->comm);
    return NS_OK;
}

static ns_status make(void *context, ns_matrix *matrix, const ns_layout *layout, size_t layouts,
                      const ns_exchange_options *how, ns_exchange **exchange, int64_t *nonzeros, ns_error *err)
{
    together *t = context;
    ns_deal deal = {.layouts = 0};
    ns_shared_matrix shared = {.slice = {.handle = -1}};
    t->reached = true;
    t->status = ns_world_agree(t->world, NS_OK, err);
    if (t->status != NS_OK)
        return t->status;
    t->status = make_exchanges(t->world, &deal, &shared, matrix, layout, layouts, how, exchange, nonzeros, err);
    ns_shared_matrix_close(&shared);
    ns_deal_close(&deal);
    if (t->status == NS_OK && t->world->rank == 0) {
        ns_watchdog_busy("pricing");
        return NS_OK;
    }
    for (size_t i = 0; i < layouts; i++) {
        ns_exchange_free(exchange[i]);
        exchange[i] = NULL;
    }
    return t->status != NS_OK ? t->status : ns_fail(err, NS_ERR_CANCELLED, "rank 0 goes on alone");
}

static ns_status run(const ns_world *world, const ns_args *args, ns_value *result, FILE *words, ns_error *err)
{
    together t = {.world = world};
    const ns_exchange_maker maker = {make, &t};
    ns_command_context context = {.err = words};
    ns_status status = NS_OK;
    ns_args with = *args;
    with.maker = &maker;
    const bool by_all = ns_args_get(args, "matrix") != NULL;
    if (world->rank == 0 || by_all)
        status = ns_command_predict.run(&with, result, &context, err);
    if (by_all && !t.reached) /* other processes may wait in `make` */
        return ns_world_agree(world, status, err);
    return world->rank == 0 ? status : t.status;
}

const ns_job_command ns_job_predict = {
    .line =
        {
            .name = "predict",
            .program = "nsmodel-mpi",
            .summary = "nsmodel predict, with a matrix that no single machine holds read by all ranks",
            .usage = "MATRIX | FILE.csv | --exchange FILE.csv",
            .takes_subject = true,
            .options = options,
            .example = "mpirun -n 64 nsmodel-mpi predict huge.mtx --machine lassen --gpus 1024,4096",
            .about = "Answers what nsmodel predict answers, with the same numbers. Every rank counts what some of the "
                     "nodes receive,\n"
                     "so that the memory for counting falls with the number of ranks; rank 0 joins the messages and "
                     "prices them.\n"
                     "Ranks read slices of a .mtx file, and parse parts of a .mtx.gz that each of them unpacks. Of any "
                     "other matrix\n"
                     "each rank passes all entries and keeps its own. With --partition each rank holds the part number "
                     "of every row.\n",
            .rank = 4,
        },
    .run = run,
};
