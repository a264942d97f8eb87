/* shared_nsp.c -- blocks of each process, one after the other into rank 0's file */
#include "mpi/shared_nsp.h"
#include "core/memory.h"
#include "io/whole_file.h"
#include "matrix/nsp/nsp_pack.h"
#include "mpi/watchdog.h"

#include <string.h>
#include <zlib.h>

enum { CHUNK = 1 << 20, TAG = 11 };

/* What a process adds to the file. */
typedef struct share {
    FILE *packed; /* its blocks */
    ns_nsp_blocks blocks;
} share;

/* Rank 0's file as it grows. */
typedef struct whole {
    ns_whole_file file;
    uint32_t crc; /* of name and index */
    bool failed;
} whole;

/* ---- each process' blocks ---------------------------------------------------------------------------------------- */

static ns_status pack_rows(ns_shared_matrix *s, int64_t max_memory, share *mine, ns_error *err)
{
    const ns_nsp_target target = {
        .file = mine->packed, .handle = fileno(mine->packed), .path = "a temporary file", .max_memory = max_memory};
    const int64_t rows = s->matrix.info.rows;
    s->row_from = s->deal->first[s->world->rank];
    s->triangle = s->matrix.info.symmetry != NS_GENERAL;
    s->matrix.info.rows = s->deal->first[s->world->rank + 1] - s->row_from;
    const ns_status status = ns_nsp_pack(&s->matrix, false, s->row_from, &target, &mine->blocks, err);
    s->matrix.info.rows = rows;
    return status;
}

/* Collective. */
static ns_status pack(ns_shared_matrix *s, int64_t max_memory, share *mine, ns_error *err)
{
    ns_status status = NS_OK;
    mine->packed = tmpfile();
    if (mine->packed == NULL)
        status = ns_fail(err, NS_ERR_FILE, "no temporary file can be made (TMPDIR)");
    NS_TRY(ns_world_agree(s->world, status, err));
    status = pack_rows(s, max_memory, mine, err);
    const ns_status served = ns_shared_matrix_serve(s, err);
    return ns_world_agree(s->world, status == NS_OK ? served : status, err);
}

/* ---- putting them together --------------------------------------------------------------------------------------- */

static void put(whole *w, const void *bytes, size_t size)
{
    w->failed = w->failed || fwrite(bytes, 1, size, w->file.file) != size;
}

/* Bytes of a process, in order, to rank 0: `next` fills a chunk. */
typedef size_t next_fn(void *context, unsigned char *chunk);

static bool pass_on(const ns_world *world, int from, next_fn *next, void *context, whole *w, bool indexed)
{
    unsigned char *chunk = ns_malloc(CHUNK);
    const bool ready = chunk != NULL;
    int mine = ready, all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, world->comm);
    for (int size = all ? 1 : 0; size > 0;) {
        MPI_Status status;
        if (world->rank == from)
            size = (int)next(context, chunk);
        if (world->rank == from && from != 0)
            MPI_Send(chunk, size, MPI_BYTE, 0, TAG, world->comm);
        if (world->rank == 0 && from != 0) {
            MPI_Recv(chunk, CHUNK, MPI_BYTE, from, TAG, world->comm, &status);
            MPI_Get_count(&status, MPI_BYTE, &size);
        }
        if (world->rank == 0 && chunk != NULL) { /* it is, where all have one */
            put(w, chunk, (size_t)size);
            w->crc = indexed ? (uint32_t)crc32(w->crc, chunk, (uInt)size) : w->crc;
        } else if (world->rank != from) {
            size = 0;
        }
        ns_watchdog_feed();
    }
    ns_free(chunk);
    return all != 0;
}

static size_t next_packed(void *context, unsigned char *chunk)
{
    return fread(chunk, 1, CHUNK, ((share *)context)->packed);
}

typedef struct index_walk {
    const ns_nsp_blocks *blocks;
    uint64_t moved;
    int64_t done;
} index_walk;

static size_t next_index(void *context, unsigned char *chunk)
{
    index_walk *walk = context;
    size_t used = 0;
    for (; walk->done < walk->blocks->blocks && used + NS_NSP_INDEX <= CHUNK; used += NS_NSP_INDEX)
        ns_nsp_index(&walk->blocks->block[walk->done++], walk->moved, chunk + used);
    return used;
}

static void write_head(const ns_shared_matrix *s, const uint64_t sum[3], uint64_t begin, whole *w)
{
    unsigned char header[NS_NSP_HEADER];
    const ns_nsp_blocks all = {.blocks = (int64_t)sum[1], .entries = sum[2], .end = begin + sum[0]};
    ns_nsp_header(&s->matrix.info, &all, w->crc, header);
    w->failed = w->failed || fseek(w->file.file, 0, SEEK_SET) != 0;
    put(w, header, sizeof header);
}

/* Collective; false: a process lacks memory for a chunk. */
static bool put_together(const ns_shared_matrix *s, share *mine, whole *w)
{
    const ns_world *world = s->world;
    const unsigned char room[NS_NSP_HEADER] = {0};
    const char *name = s->matrix.info.name;
    const uint64_t begin = NS_NSP_HEADER + strlen(name);
    uint64_t own[] = {mine->blocks.end, (uint64_t)mine->blocks.blocks, mine->blocks.entries}, sum[3], before = 0;
    bool ready = true;
    MPI_Allreduce(own, sum, 3, MPI_UINT64_T, MPI_SUM, world->comm);
    MPI_Exscan(own, &before, 1, MPI_UINT64_T, MPI_SUM, world->comm);
    index_walk walk = {&mine->blocks, begin + (world->rank == 0 ? 0 : before), 0};
    if (world->rank == 0) {
        put(w, room, sizeof room);
        put(w, name, strlen(name));
        w->crc = (uint32_t)crc32(0, (const unsigned char *)name, (uInt)strlen(name));
    }
    rewind(mine->packed);
    for (int r = 0; r < world->ranks && ready; r++)
        ready = pass_on(world, r, next_packed, mine, w, false);
    for (int r = 0; r < world->ranks && ready; r++)
        ready = pass_on(world, r, next_index, &walk, w, true);
    if (world->rank == 0)
        write_head(s, sum, begin, w);
    return ready;
}

static ns_status save(ns_shared_matrix *s, const char *path, int64_t max_memory, share *mine, whole *w, ns_error *err)
{
    NS_TRY(pack(s, max_memory, mine, err));
    ns_status status = put_together(s, mine, w) ? NS_OK : ns_fail(err, NS_ERR_MEMORY, "out of memory");
    if (status == NS_OK && w->failed)
        status = ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "could not be written (is the disk full?)");
    return ns_world_agree(s->world, status, err);
}

ns_status ns_shared_nsp_save(ns_shared_matrix *shared, const char *path, int64_t max_memory, ns_error *err)
{
    const bool writes = shared->world->rank == 0;
    share mine = {.packed = NULL};
    whole w = {.failed = false};
    ns_status status = writes ? ns_whole_file_begin(path, NS_FOR_ALL, &w.file, err) : NS_OK;
    NS_TRY(ns_world_agree(shared->world, status, err));
    status = save(shared, path, max_memory, &mine, &w, err);
    if (writes)
        status = ns_whole_file_end(&w.file, status, err);
    if (mine.packed != NULL)
        (void)fclose(mine.packed);
    ns_free(mine.blocks.block);
    return ns_world_agree(shared->world, status, err);
}
