/* pattern.c -- nsmodel-mpi pattern: the counts of a matrix that fits on no single machine, and its structure as .nsp
 *
 * Each process has the rows of some nodes and determines what these receive; what parts and nodes send is summed.
 */
#include "cli/inputs/inputs.h"
#include "cli/show/result.h"
#include "core/memory.h"
#include "io/whole_file.h"
#include "matrix/nsp/nsp.h"
#include "mpi/job.h"
#include "mpi/shared_matrix.h"
#include "mpi/watchdog.h"
#include "pattern/build.h"
#include "report/columns.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

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

/* Collective: count what the nodes of this process receive, and sum the counts. */
static ns_status count(const question *q, ns_shared_matrix *shared, ns_counts *counts, int64_t *nonzeros, ns_error *err)
{
    const ns_world *world = shared->world;
    const ns_exchange_options how = {.width = q->width, .max_memory = q->limits.max_memory};
    ns_exchange *exchange = NULL;
    ns_matrix_limit(&shared->matrix, q->limits.max_work);
    ns_status status = ns_exchange_from_matrix(&shared->matrix, &q->layout, 1, &how, &exchange, nonzeros, err);
    if (status == NS_OK)
        status = ns_counts_open(counts, exchange->parts, exchange->nodes, err);
    if (status == NS_OK)
        status = ns_counts_add(counts, exchange, err);
    ns_exchange_free(exchange);
    const ns_status served = ns_shared_matrix_serve(shared, err);
    NS_TRY(ns_world_agree(world, status == NS_OK ? served : status, err));
    /* Add the nodes' counts to those of the whole exchange. */
    enum { EACH = 1 << 20 };
    ns_pattern *n = &counts->pattern;
    int64_t *const sum[] = {&n->messages_total, &n->messages_off_node, &n->bytes_total, &n->bytes_off_node,
                            &n->unique_bytes_off_node},
                   *const most[] = {&n->s_node_node, &n->m_node_node, &n->s_recv, &n->recv_nodes,
                                    &n->unique_s_node_node};
    for (size_t i = 0; i < sizeof sum / sizeof *sum; i++)
        add_up(world, sum[i], 1, MPI_SUM);
    for (size_t i = 0; i < sizeof most / sizeof *most; i++)
        add_up(world, most[i], 1, MPI_MAX);
    for (int64_t at = 0; at < counts->sums; at += EACH)
        add_up(world, counts->sum + at, (int)(counts->sums - at < EACH ? counts->sums - at : EACH), MPI_SUM);
    add_up(world, nonzeros, 1, MPI_SUM);
    return NS_OK;
}

/* ---- the structure: blocks of each process, one after the other into rank 0's file ------------------------------ */

enum { CHUNK = 1 << 20, TAG = 11 };

/* Collective: the remaining `left` bytes of a process' temporary file are copied to rank 0's file, and into a checksum
 * if there is one.  False: a process lacks memory. */
static bool pass_on(const ns_world *world, int from, FILE *packed, uint64_t left, FILE *file, uint32_t *crc)
{
    unsigned char *chunk = ns_malloc(CHUNK);
    int mine = chunk != NULL, all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, world->comm);
    for (int size = all ? 1 : 0; size > 0;) {
        MPI_Status status;
        if (world->rank == from) {
            size = (int)fread(chunk, 1, left < CHUNK ? (size_t)left : CHUNK, packed);
            left -= (uint64_t)size;
        }
        if (world->rank == from && from != 0)
            MPI_Send(chunk, size, MPI_BYTE, 0, TAG, world->comm);
        if (world->rank == 0 && from != 0) {
            MPI_Recv(chunk, CHUNK, MPI_BYTE, from, TAG, world->comm, &status);
            MPI_Get_count(&status, MPI_BYTE, &size);
        }
        if (world->rank == 0 && chunk != NULL) { /* they are, if all processes have one */
            (void)fwrite(chunk, 1, (size_t)size, file); /* ns_whole_file_end detects a failure */
            if (crc != NULL)
                *crc = (uint32_t)crc32(*crc, chunk, (uInt)size);
        } else if (world->rank != from) {
            size = 0;
        }
        ns_watchdog_feed();
    }
    ns_free(chunk);
    return all != 0;
}

static ns_status save(ns_shared_matrix *s, int64_t max_memory, FILE *packed, ns_nsp_blocks *blocks, FILE *file,
                      ns_error *err)
{
    /* Collective: every process packs its rows. */
    const ns_world *world = s->world;
    const ns_nsp_target target = {
        .file = packed, .handle = fileno(packed), .path = "a temporary file", .max_memory = max_memory};
    const int64_t rows = s->matrix.info.rows;
    s->row_from = s->deal->first[world->rank];
    s->triangle = s->matrix.info.symmetry != NS_GENERAL;
    s->matrix.info.rows = s->deal->first[world->rank + 1] - s->row_from;
    ns_status status = ns_nsp_pack(&s->matrix, false, s->row_from, &target, blocks, err);
    s->matrix.info.rows = rows;
    const ns_status served = ns_shared_matrix_serve(s, err);
    NS_TRY(ns_world_agree(world, status == NS_OK ? served : status, err));
    const unsigned char room[NS_NSP_HEADER] = {0};
    const char *name = s->matrix.info.name;
    const uint64_t begin = NS_NSP_HEADER + strlen(name);
    uint64_t own[] = {blocks->end, (uint64_t)blocks->blocks, blocks->entries}, sum[3], before = 0;
    uint32_t crc = (uint32_t)crc32(0, (const unsigned char *)name, (uInt)strlen(name)); /* checksum of name and index */
    bool ready = true;
    MPI_Allreduce(own, sum, 3, MPI_UINT64_T, MPI_SUM, world->comm);
    MPI_Exscan(own, &before, 1, MPI_UINT64_T, MPI_SUM, world->comm);
    /* The index of a process' blocks follows them in its file. */
    for (int64_t i = 0; i < blocks->blocks; i++) {
        unsigned char entry[NS_NSP_INDEX];
        ns_nsp_index(&blocks->block[i], begin + (world->rank == 0 ? 0 : before), entry);
        if (fwrite(entry, sizeof entry, 1, packed) != 1)
            status = ns_fail(err, NS_ERR_FILE, "a temporary file could not be written (TMPDIR)");
    }
    NS_TRY(ns_world_agree(world, status, err));
    if (world->rank == 0) {
        (void)fwrite(room, sizeof room, 1, file);
        (void)fwrite(name, strlen(name), 1, file);
    }
    rewind(packed);
    for (int r = 0; r < world->ranks && ready; r++)
        ready = pass_on(world, r, packed, blocks->end, file, NULL);
    for (int r = 0; r < world->ranks && ready; r++)
        ready = pass_on(world, r, packed, UINT64_MAX, file, &crc);
    if (world->rank == 0) {
        unsigned char header[NS_NSP_HEADER];
        const ns_nsp_blocks all = {.blocks = (int64_t)sum[1], .entries = sum[2], .end = begin + sum[0]};
        ns_nsp_header(&s->matrix.info, &all, crc, header);
        (void)fseek(file, 0, SEEK_SET);
        (void)fwrite(header, sizeof header, 1, file);
    }
    return ready ? NS_OK : ns_fail(err, NS_ERR_MEMORY, "out of memory");
}

/* Collective.  Each process packs its rows into its own temporary file; rank 0 concatenates them. */
static ns_status save_structure(ns_shared_matrix *shared, const char *path, int64_t max_memory, ns_error *err)
{
    const bool writes = shared->world->rank == 0;
    ns_nsp_blocks blocks = {.block = NULL};
    ns_whole_file whole = {.file = NULL};
    FILE *packed = tmpfile();
    ns_status status = packed != NULL ? NS_OK : ns_fail(err, NS_ERR_FILE, "no temporary file can be made (TMPDIR)");
    if (status == NS_OK && writes)
        status = ns_whole_file_begin(path, NS_FOR_ALL, &whole, err);
    const bool begun = status == NS_OK && writes;
    status = ns_world_agree(shared->world, status, err);
    if (status == NS_OK)
        status = save(shared, max_memory, packed, &blocks, whole.file, err);
    if (begun)
        status = ns_whole_file_end(&whole, status, err);
    if (packed != NULL)
        (void)fclose(packed);
    ns_free(blocks.block);
    return ns_world_agree(shared->world, status, err);
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

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
    if (status == NS_OK) {
        ns_counts counts = {.parts = 0};
        int64_t nonzeros = 0;
        ns_watchdog_doing("counting");
        status = count(&q, &shared, &counts, &nonzeros, err);
        if (status == NS_OK && q.output != NULL) {
            ns_watchdog_doing("writing the structure");
            status = save_structure(&shared, q.output, q.limits.max_memory, err);
        }
        /* Collective: the largest memory use of a process so far, B. */
        char line[200];
        long long kib = 0;
        FILE *file = fopen("/proc/self/status", "r");
        while (file != NULL && fgets(line, sizeof line, file) != NULL)
            (void)sscanf(line, "VmHWM: %lld", &kib);
        if (file != NULL)
            (void)fclose(file);
        int64_t memory = (int64_t)kib * 1024;
        add_up(shared.world, &memory, 1, MPI_MAX);
        if (status == NS_OK && shared.world->rank == 0) {
            const ns_market *m = &shared.slice.market;
            const ns_pattern pattern = ns_counts_finish(&counts);
            ns_put_schema(result, "nsmodel/pattern/1");
            ns_value_text(result, "matrix", shared.matrix.info.name);
            ns_value_count(result, "ranks", shared.world->ranks);
            ns_value_count(result, "rows", (double)m->rows);
            ns_value_count(result, "cols", (double)m->cols);
            ns_value_count(result, "nonzeros", (double)nonzeros);
            ns_value_count(result, "parts", q.layout.parts);
            ns_value_count(result, "per_node", q.layout.per_node);
            ns_value_count(result, "nodes", counts.nodes);
            ns_pattern_value(&pattern, result);
            ns_value_number(result, "memory_most", (double)memory, (ns_dim){0, 1, 0});
        }
        ns_free(counts.sum);
    }
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
