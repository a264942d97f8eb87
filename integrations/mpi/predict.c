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
static int columns(const ns_matrix *matrix, int64_t row, int64_t rows, ns_span span[NS_SPANS])
{
    const own_matrix *own = matrix->state;
    return ns_deal_has(own->deal, own->rank, ns_deal_place(own->deal, row))
               ? own->whole->columns(own->whole, row, rows, span)
               : 0;
}

static void open_own(ns_matrix *whole, const ns_deal *deal, int rank, own_matrix *own)
{
    *own = (own_matrix){.whole = whole, .deal = deal, .rank = rank};
    own->matrix = (ns_matrix){.info = whole->info, .scan = scan, .state = own};
    own->matrix.info.stored = 0; /* work is counted where entries are passed */
    if (whole->columns != NULL)
        own->matrix.columns = columns;
    own->matrix.work.limit = whole->work.limit;
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

/* Find the stretch of the items whose node is in [first, end); the array is sorted by it. */
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

/* Runs and needers of a stretch of pairs or runs are a stretch, too. */
static void find_runs(stretch *runs, const ns_exchange *x, const stretch *pairs)
{
    runs->from = runs->end = 0;
    if (pairs->from == pairs->end)
        return;
    const ns_pair *last = &x->pair[pairs->end - 1];
    runs->from = x->pair[pairs->from].run;
    runs->end = last->run + last->runs;
}

static void find_needers(stretch *needers, const ns_run *run, const stretch *runs)
{
    needers->from = needers->end = 0;
    if (runs->from == runs->end)
        return;
    needers->from = run[runs->from].needer;
    needers->end = run[runs->end - 1].needer + run[runs->end - 1].needers;
}

/* Let indices into other arrays count from the stretch's first item. */
static void count_from_own(ns_exchange *x, const stretch of[ARRAYS])
{
    for (int64_t i = of[PAIRS].from; i < of[PAIRS].end; i++)
        x->pair[i].run -= of[RUNS].from;
    for (int64_t i = of[RUNS].from; i < of[RUNS].end; i++)
        x->run[i].needer -= of[NEEDERS].from;
    for (int64_t i = of[INSIDES].from; i < of[INSIDES].end; i++)
        x->inside[i].needer -= of[INSIDE_NEEDERS].from;
}

enum { EACH = 1 << 28 }; /* B of a message, at most */

static void receive_bytes(const ns_world *world, int from, unsigned char *bytes, int64_t size)
{
    for (int64_t at = 0; at < size; at += EACH) {
        MPI_Recv(bytes + at, (int)(size - at < EACH ? size - at : EACH), MPI_BYTE, from, 0, world->comm,
                 MPI_STATUS_IGNORE);
        ns_watchdog_feed();
    }
}

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
    for (int64_t r = 1, at = own; count != NULL && r < world->ranks; at += count[r++ * ARRAYS] * (int64_t)s->size)
        receive_bytes(world, (int)r, whole + at, count[r * ARRAYS] * (int64_t)s->size);
    ns_free(*s->items);
    *s->items = whole;
    *s->count = total;
    return NS_OK;
}

/* Let indices count from the whole arrays' first items again. */
static void count_from_all(ns_exchange *x, const int64_t *count, int ranks)
{
    int64_t at[ARRAYS] = {0};
    assert(count != NULL);
    for (int r = 0; r < ranks; r++, count += ARRAYS) {
        for (int64_t i = at[PAIRS]; i < at[PAIRS] + count[PAIRS]; i++)
            x->pair[i].run += at[RUNS];
        for (int64_t i = at[RUNS]; i < at[RUNS] + count[RUNS]; i++)
            x->run[i].needer += at[NEEDERS];
        for (int64_t i = at[INSIDES]; i < at[INSIDES] + count[INSIDES]; i++)
            x->inside[i].needer += at[INSIDE_NEEDERS];
        for (int k = 0; k < ARRAYS; k++)
            at[k] += count[k];
    }
    memset(x->need, 0, (size_t)x->parts * sizeof *x->need);
    for (int64_t i = 0; i < x->routes; i++)
        x->need[x->route[i].to] += x->route[i].entries;
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
    find_runs(&of[RUNS], x, &of[PAIRS]);
    find_needers(&of[NEEDERS], x->run, &of[RUNS]);
    find_needers(&of[INSIDE_NEEDERS], x->inside, &of[INSIDES]);
    count_from_own(x, of);
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
        count_from_all(x, count, world->ranks);
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

static ns_status open_counting(counting *c, ns_matrix *matrix, ns_error *err)
{
    ns_market market;
    const char *path = ns_market_file(matrix, &market);
    c->by_slices = path != NULL && !market.array;
    if (!c->by_slices) {
        open_own(matrix, &c->deal, c->world->rank, &c->own);
        return NS_OK;
    }
    NS_TRY(ns_shared_matrix_open(c->world, path, &c->shared, err));
    c->shared.matrix.work.limit = matrix->work.limit;
    return ns_world_agree(c->world, ns_shared_matrix_deal(&c->shared, &c->deal, err), err);
}

/* Collective where the matrix is read in slices. */
static ns_status count(counting *c, const ns_layout *layout, size_t layouts, const ns_exchange_options *how,
                       ns_exchange **exchange, ns_error *err)
{
    ns_matrix *matrix = c->by_slices ? &c->shared.matrix : &c->own.matrix;
    ns_status status = ns_exchange_from_matrix(matrix, layout, layouts, how, exchange, NULL, err);
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
    return status;
}

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
    NS_TRY(open_counting(c, matrix, err));
    ns_watchdog_doing("counting");
    NS_TRY(ns_world_agree(world, count(c, layout, layouts, how, exchange, err), err));
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
    ns_error own = {0};
    ns_status status = NS_OK;
    ns_args with = *args;
    with.maker = &maker;
    const bool by_all = ns_args_get(args, "matrix") != NULL;
    if (world->rank == 0 || by_all)
        status = ns_command_predict.run(&with, result, &context, &own);
    if (by_all && !t.reached) /* somebody may wait where exchanges are made */
        status = ns_world_agree(world, status, &own);
    else if (world->rank != 0)
        status = t.status;
    if (status != NS_OK && err != NULL)
        *err = own;
    return status;
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
