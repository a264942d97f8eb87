/* pattern.c -- nsmodel-mpi pattern: the counts of a matrix that no single machine holds, and its structure as .nsp
 *
 * Each process has the rows of some nodes and finds what these receive; what parts and nodes send is added up.
 */
#include "cli/inputs/inputs.h"
#include "cli/show/result.h"
#include "mpi/job.h"
#include "mpi/shared_matrix.h"
#include "mpi/shared_nsp.h"
#include "mpi/watchdog.h"
#include "pattern/build.h"
#include "report/columns.h"

#include <stdlib.h>
#include <string.h>

static const ns_option options[] = {
    {"matrix", 0, "M", NULL, "a .mtx or .mtx.gz file: every process reads a part of it"},
    {"parts", 'p', "P", NULL, "number of parts (GPUs or processes)"},
    {"per-node", 0, "G", "1", "parts per node"},
    NS_OPTION_WIDTH,
    NS_OPTION_TIMEOUT,
    NS_OPTION_MEMORY,
    NS_OPTION_WORK,
    {NULL},
};

typedef struct question {
    const char *path, *output; /* output may be NULL */
    ns_layout layout;
    int64_t width;
    ns_limits limits;
} question;

static ns_status read_question(const ns_args *args, question *q, ns_error *err)
{
    *q = (question){.path = ns_args_get(args, "matrix"), .output = ns_args_get(args, "output")};
    if (q->path == NULL || ns_args_get(args, "parts") == NULL)
        return ns_fail(err, NS_ERR_USAGE, "pattern wants --matrix FILE.mtx and --parts P");
    if (q->output != NULL && !ns_is_structure_file(q->output))
        return ns_fail(err, NS_ERR_USAGE, "pattern writes the structure, -o FILE.nsp, got \"%.60s\"", q->output);
    NS_TRY(ns_args_count(args, "parts", 1, NS_PARTS_MOST, &q->layout.parts, err));
    NS_TRY(ns_args_count(args, "per-node", 1, NS_PARTS_MOST, &q->layout.per_node, err));
    NS_TRY(ns_args_bytes(args, "width", &q->width, err));
    return ns_limits_read(args, &q->limits, err);
}

/* ---- counts ------------------------------------------------------------------------------------------------------ */

static void add_up(const ns_world *world, int64_t *values, int count, MPI_Op op)
{
    MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_INT64_T, op, world->comm);
}

/* Collective: of the nodes' counts those of the whole. */
static void join(const ns_world *world, ns_counts *counts)
{
    enum { EACH = 1 << 20 };
    ns_pattern *n = &counts->pattern;
    int64_t sum[] = {n->messages_total, n->messages_off_node, n->bytes_total, n->bytes_off_node,
                     n->unique_bytes_off_node},
            most[] = {n->s_node_node, n->m_node_node, n->s_recv, n->recv_nodes, n->unique_s_node_node};
    add_up(world, sum, sizeof sum / sizeof *sum, MPI_SUM);
    add_up(world, most, sizeof most / sizeof *most, MPI_MAX);
    for (int64_t at = 0; at < counts->sums; at += EACH)
        add_up(world, counts->sum + at, (int)(counts->sums - at < EACH ? counts->sums - at : EACH), MPI_SUM);
    n->messages_total = sum[0];
    n->messages_off_node = sum[1];
    n->bytes_total = sum[2];
    n->bytes_off_node = sum[3];
    n->unique_bytes_off_node = sum[4];
    n->s_node_node = most[0];
    n->m_node_node = most[1];
    n->s_recv = most[2];
    n->recv_nodes = most[3];
    n->unique_s_node_node = most[4];
}

static ns_status count_here(const question *q, ns_shared_matrix *shared, ns_counts *counts, int64_t *nonzeros,
                            ns_error *err)
{
    const ns_exchange_options how = {.width = q->width, .max_memory = q->limits.max_memory};
    ns_exchange *exchange;
    ns_matrix_limit(&shared->matrix, q->limits.max_work);
    NS_TRY(ns_exchange_from_matrix(&shared->matrix, &q->layout, 1, &how, &exchange, nonzeros, err));
    ns_status status = ns_counts_open(counts, exchange->parts, exchange->nodes, err);
    if (status == NS_OK)
        status = ns_counts_add(counts, exchange, err);
    ns_exchange_free(exchange);
    return status;
}

static ns_status count(const question *q, ns_shared_matrix *shared, ns_counts *counts, int64_t *nonzeros, ns_error *err)
{
    const ns_world *world = shared->world;
    const ns_status status = count_here(q, shared, counts, nonzeros, err), served = ns_shared_matrix_serve(shared, err);
    NS_TRY(ns_world_agree(world, status == NS_OK ? served : status, err));
    join(world, counts);
    add_up(world, nonzeros, 1, MPI_SUM);
    return NS_OK;
}

/* Collective: the most memory that a process has had so far, B. */
static int64_t most_memory(const ns_world *world)
{
    char line[200];
    long long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        (void)sscanf(line, "VmHWM: %lld", &kib);
    if (file != NULL)
        (void)fclose(file);
    int64_t most = (int64_t)kib * 1024;
    add_up(world, &most, 1, MPI_MAX);
    return most;
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static void answer(const question *q, const ns_shared_matrix *shared, const ns_counts *counts, int64_t nonzeros,
                   int64_t memory, ns_value *result)
{
    const ns_market *m = &shared->slice.market;
    const ns_pattern pattern = ns_counts_finish(counts);
    ns_put_schema(result, "nsmodel/pattern/1");
    ns_value_text(result, "matrix", shared->matrix.info.name);
    ns_value_count(result, "ranks", shared->world->ranks);
    ns_value_count(result, "rows", (double)m->rows);
    ns_value_count(result, "cols", (double)m->cols);
    ns_value_count(result, "nonzeros", (double)nonzeros);
    ns_value_count(result, "parts", q->layout.parts);
    ns_value_count(result, "per_node", q->layout.per_node);
    ns_value_count(result, "nodes", counts->nodes);
    ns_pattern_value(&pattern, result);
    ns_value_number(result, "memory_most", (double)memory, (ns_dim){0, 1, 0});
}

static ns_status run_all(const question *q, ns_shared_matrix *shared, ns_value *result, ns_error *err)
{
    ns_counts counts = {.parts = 0};
    int64_t nonzeros = 0;
    ns_watchdog_doing("counting");
    ns_status status = count(q, shared, &counts, &nonzeros, err);
    if (status == NS_OK && q->output != NULL) {
        ns_watchdog_doing("writing the structure");
        status = ns_shared_nsp_save(shared, q->output, q->limits.max_memory, err);
    }
    const int64_t memory = most_memory(shared->world);
    if (status == NS_OK && shared->world->rank == 0)
        answer(q, shared, &counts, nonzeros, memory, result);
    ns_counts_free(&counts);
    return status;
}

static ns_status run(const ns_world *world, const ns_args *args, ns_value *result, FILE *words, ns_error *err)
{
    question q;
    ns_shared_matrix shared;
    ns_deal deal = {.layouts = 0};
    (void)words;
    NS_TRY(ns_world_agree(world, read_question(args, &q, err), err));
    ns_watchdog_doing("opening the matrix");
    ns_status status = ns_shared_matrix_open(world, q.path, &shared, err);
    const int64_t sizes[] = {shared.slice.market.rows, shared.slice.market.cols, shared.slice.market.stored,
                             shared.slice.size};
    if (status == NS_OK)
        status = ns_world_same(world, ns_bits(NS_BITS, sizes, sizeof sizes), "another matrix", err);
    if (status == NS_OK) {
        status = ns_deal_open(world->ranks, &q.layout, 1, shared.slice.market.rows, NULL, &deal, err);
        if (status == NS_OK)
            status = ns_shared_matrix_deal(&shared, &deal, err);
        status = ns_world_agree(world, status, err);
    }
    if (status == NS_OK)
        status = run_all(&q, &shared, result, err);
    ns_shared_matrix_close(&shared);
    ns_deal_close(&deal);
    return status;
}

const ns_job_command ns_job_pattern = {
    .line =
        {
            .name = "pattern",
            .program = "nsmodel-mpi",
            .summary = "exact counts of who needs what from whom, of a matrix that no single machine holds",
            .usage = "--matrix FILE.mtx --parts P",
            .options = options,
            .example = "mpirun -n 64 nsmodel-mpi pattern --matrix huge.mtx --parts 1024 --per-node 16 -o huge.nsp",
            .about =
                "Every rank reads a slice of the file and has the rows of some nodes, so that memory falls with the "
                "number of ranks,\n"
                "down to a node of the parts a rank. Counts are those of nsmodel pattern. -o FILE.nsp keeps the "
                "structure.\n",
            .rank = 3,
            .owns_output = ns_is_structure_file,
        },
    .run = run,
};
