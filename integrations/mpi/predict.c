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
#include "mpi/join.h"
#include "mpi/own_matrix.h"
#include "mpi/shared_matrix.h"
#include "mpi/watchdog.h"

extern const ns_command ns_command_predict;

static const ns_option options[] = {
    NS_OPTIONS_PREDICT,
    NS_OPTION_TIMEOUT,
    {NULL},
};

typedef struct together {
    const ns_world *world;
    bool reached;     /* exchanges were asked for */
    ns_status status; /* of making them, the same on all processes */
} together;

/* One matrix to be counted by all: a text file in slices, any other by each process for itself. */
typedef struct counting {
    const ns_world *world;
    ns_deal deal;
    bool by_slices;
    ns_shared_matrix shared;
    ns_own_matrix own;
} counting;

static ns_status open_counting(counting *c, ns_matrix *matrix, ns_error *err)
{
    ns_market market;
    const char *path = ns_market_file(matrix, &market);
    c->by_slices = path != NULL && !market.array;
    if (!c->by_slices) {
        ns_own_matrix_open(matrix, &c->deal, c->world->rank, &c->own);
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
    for (size_t i = 0; i < layouts; i++)
        NS_TRY(ns_exchange_join(world, &c->deal, i, exchange[i], err));
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
