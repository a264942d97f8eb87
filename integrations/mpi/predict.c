/* predict.c -- nsmodel-mpi predict: nsmodel predict, with the exchanges counted by all processes
 *
 * Every process runs the command up to the exchanges.  Each counts what its own nodes receive; rank 0 joins that and
 * goes on alone.
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

/* ---- of a matrix that every process can open, the rows that one process has; nothing is sent -------------------- */

typedef struct own_matrix {
    ns_matrix matrix; /* hands over entries in rows of this process */
    ns_matrix *whole; /* borrowed */
    const ns_deal *deal;
    int rank;
    int64_t nonzeros; /* of the last scan, in rows that are this process' in the first layout: each row is once */
} own_matrix;

enum { BATCH = 8192 };

typedef struct filter {
    own_matrix *own;
    ns_entry_fn *receive;
    void *context;
} filter;

static ns_status receive_own(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    const filter *f = context;
    own_matrix *own = f->own;
    ns_entry kept[BATCH];
    ns_watchdog_feed();
    for (size_t i = 0, n = 0; i < count; i++) {
        const int64_t place = ns_deal_place(own->deal, entries[i].row);
        if (ns_deal_has(own->deal, own->rank, place))
            kept[n++] = entries[i];
        own->nonzeros += ns_deal_owner(own->deal, 0, place) == own->rank;
        if (n == BATCH || (n > 0 && i + 1 == count)) {
            NS_TRY(f->receive(f->context, kept, n, err));
            n = 0;
        }
    }
    return NS_OK;
}

static ns_status scan(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err)
{
    own_matrix *own = matrix->state;
    filter f = {own, receive, context};
    own->nonzeros = 0;
    return ns_matrix_scan(own->whole, receive_own, &f, err);
}

/* The rows that are asked for are all of one part. */
static int columns(const ns_matrix *matrix, int64_t row, int64_t rows, ns_column_span span[NS_SPANS])
{
    const own_matrix *own = matrix->state;
    return ns_deal_has(own->deal, own->rank, ns_deal_place(own->deal, row))
               ? own->whole->columns(own->whole, row, rows, span)
               : 0;
}

/* ---- arrays of an exchange, rank 0's behind each other -------------------------------------------------------------
 *
 * Routes, pairs and runs come by receiving node, and nodes are dealt out in blocks, so that what is known of a
 * process' nodes is one stretch of each array, and the whole array is the stretches by rank.
 */

enum { ROUTES, PAIRS, RUNS, NEEDERS, INSIDES, INSIDE_NEEDERS, ARRAYS };

/* One array of an exchange, and the items in it that are of this process' nodes. */
typedef struct stretch {
    void **items;
    int64_t *count;
    size_t size;
    int64_t from, end;
} stretch;

/* Find the stretch of the items whose node is in [first, end), of an array that is sorted by node. */
static void find(stretch *s, const ns_exchange *x, int64_t (*node_at)(const ns_exchange *, int64_t), int64_t first,
                 int64_t end)
{
    s->from = 0;
    while (s->from < *s->count && node_at(x, s->from) < first)
        s->from++;
    s->end = s->from;
    while (s->end < *s->count && node_at(x, s->end) < end)
        s->end++;
}

static int64_t node_of_route(const ns_exchange *x, int64_t i)
{
    return x->site->node_of[x->route[i].to];
}

static int64_t node_of_pair(const ns_exchange *x, int64_t i)
{
    return x->pair[i].to;
}

static int64_t node_of_inside(const ns_exchange *x, int64_t i)
{
    return x->site->node_of[x->inside[i].origin];
}

/* The needers of a stretch of runs are a stretch, too. */
static void find_needers(stretch *needers, const ns_run *run, const stretch *runs)
{
    needers->from = needers->end = 0;
    if (runs->from == runs->end)
        return;
    needers->from = run[runs->from].needer;
    needers->end = run[runs->end - 1].needer + run[runs->end - 1].needers;
}

enum { EACH = 1 << 28 }; /* B of a message, at most */

/* Collective: one array.  count[]: items of each process, on rank 0; NULL on all others. */
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

/* Collective.  x: of one layout, whole for the nodes of this process; on rank 0 it becomes that of all nodes, elsewhere
 * it loses its routes. */
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
    find(&of[ROUTES], x, node_of_route, node[0], node[1]);
    find(&of[PAIRS], x, node_of_pair, node[0], node[1]);
    find(&of[INSIDES], x, node_of_inside, node[0], node[1]);
    if (of[PAIRS].from < of[PAIRS].end) { /* runs of a stretch of pairs are a stretch, too */
        const ns_pair *last = &x->pair[of[PAIRS].end - 1];
        of[RUNS].from = x->pair[of[PAIRS].from].run;
        of[RUNS].end = last->run + last->runs;
    }
    find_needers(&of[NEEDERS], x->run, &of[RUNS]);
    find_needers(&of[INSIDE_NEEDERS], x->inside, &of[INSIDES]);
    /* Let indices into other arrays count from the stretch's first item. */
    for (int64_t i = of[PAIRS].from; i < of[PAIRS].end; i++)
        x->pair[i].run -= of[RUNS].from;
    for (int64_t i = of[RUNS].from; i < of[RUNS].end; i++)
        x->run[i].needer -= of[NEEDERS].from;
    for (int64_t i = of[INSIDES].from; i < of[INSIDES].end; i++)
        x->inside[i].needer -= of[INSIDE_NEEDERS].from;
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
        /* Let indices count from the whole arrays' first items again. */
        int64_t at[ARRAYS] = {0};
        assert(count != NULL);
        for (const int64_t *of_rank = count; of_rank < count + world->ranks * ARRAYS; of_rank += ARRAYS) {
            for (int64_t i = at[PAIRS]; i < at[PAIRS] + of_rank[PAIRS]; i++)
                x->pair[i].run += at[RUNS];
            for (int64_t i = at[RUNS]; i < at[RUNS] + of_rank[RUNS]; i++)
                x->run[i].needer += at[NEEDERS];
            for (int64_t i = at[INSIDES]; i < at[INSIDES] + of_rank[INSIDES]; i++)
                x->inside[i].needer += at[INSIDE_NEEDERS];
            for (int k = 0; k < ARRAYS; k++)
                at[k] += of_rank[k];
        }
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
    bool reached;     /* exchanges were asked for */
    ns_status status; /* of making them, the same on all processes */
} together;

/* All processes count one matrix: they read a text file in slices, any other each for itself. */
typedef struct counting {
    const ns_world *world;
    ns_deal deal;
    bool by_slices;
    ns_shared_matrix shared;
    own_matrix own;
} counting;

static ns_status make_exchanges(counting *c, ns_matrix *matrix, const ns_layout *layout, size_t layouts,
                                const ns_exchange_options *how, ns_exchange **exchange, int64_t *nonzeros,
                                ns_error *err)
{
    const ns_world *world = c->world;
    const ns_matrix_info *info = ns_matrix_describe(matrix);
    const int64_t sizes[] = {info->rows, info->cols, info->stored};
    NS_TRY(ns_world_same(world, ns_bits(NS_BITS, sizes, sizeof sizes), "another matrix", err));
    NS_TRY(
        ns_world_agree(world, ns_deal_open(world->ranks, layout, layouts, info->rows, how->part, &c->deal, err), err));
    ns_watchdog_doing("opening the matrix");
    ns_market market;
    const char *path = ns_market_file(matrix, &market);
    c->by_slices = path != NULL && !market.array;
    if (c->by_slices) {
        NS_TRY(ns_shared_matrix_open(world, path, &c->shared, err));
        c->shared.matrix.work.limit = matrix->work.limit;
        NS_TRY(ns_world_agree(world, ns_shared_matrix_deal(&c->shared, &c->deal, err), err));
    } else {
        c->own = (own_matrix){.whole = matrix, .deal = &c->deal, .rank = world->rank};
        c->own.matrix = (ns_matrix){.info = *info, .scan = scan, .state = &c->own};
        c->own.matrix.info.stored = 0; /* work is counted where entries are passed */
        if (matrix->columns != NULL)
            c->own.matrix.columns = columns;
        c->own.matrix.work.limit = matrix->work.limit;
    }
    ns_watchdog_doing("counting");
    /* Collective where the matrix is read in slices. */
    ns_matrix *counted = c->by_slices ? &c->shared.matrix : &c->own.matrix;
    ns_status status = ns_exchange_from_matrix(counted, layout, layouts, how, exchange, NULL, err);
    ns_error other = {0};
    const ns_status served = c->by_slices ? ns_shared_matrix_serve(&c->shared, &other) : NS_OK;
    if (status == NS_OK && served != NS_OK) {
        for (size_t i = 0; i < layouts; i++) {
            ns_exchange_free(exchange[i]);
            exchange[i] = NULL;
        }
        status = served;
        if (err != NULL)
            *err = other;
    }
    NS_TRY(ns_world_agree(world, status, err));
    ns_watchdog_doing("joining what was counted");
    for (size_t i = 0; i < layouts; i++) {
        assert(exchange[i] != NULL);
        NS_TRY(join(world, &c->deal, i, exchange[i], err));
    }
    *nonzeros = c->by_slices ? c->shared.nonzeros : c->own.nonzeros;
    if (matrix->columns != NULL)
        *nonzeros = info->stored;
    else
        MPI_Allreduce(MPI_IN_PLACE, nonzeros, 1, MPI_INT64_T, MPI_SUM, world->comm);
    return NS_OK;
}

static ns_status make(void *context, ns_matrix *matrix, const ns_layout *layout, size_t layouts,
                      const ns_exchange_options *how, ns_exchange **exchange, int64_t *nonzeros, ns_error *err)
{
    together *t = context;
    counting c = {.world = t->world, .shared = {.slice = {.file = MPI_FILE_NULL}}};
    t->reached = true;
    t->status = ns_world_agree(t->world, NS_OK, err);
    if (t->status != NS_OK)
        return t->status;
    t->status = make_exchanges(&c, matrix, layout, layouts, how, exchange, nonzeros, err);
    ns_shared_matrix_close(&c.shared);
    ns_deal_close(&c.deal);
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
    if (by_all && !t.reached) /* somebody may wait where exchanges are made */
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
