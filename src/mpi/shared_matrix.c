/* shared_matrix.c -- rounds of reading, sorting by owner and sending
 *
 * Memory: of all that is sent to one process in a round no more than ROUND bytes of text were read, however many
 * processes there are.
 */
#include "mpi/shared_matrix.h"
#include "core/memory.h"
#include "mpi/watchdog.h"
#include "pattern/blocks.h"

#include <stdlib.h>
#include <string.h>

enum { ROUND = 4 << 20, PIECE_LEAST = 4 << 10, BATCH = 8192 };

/* ---- whose a row is ---------------------------------------------------------------------------------------------- */

static int owner_of(const ns_shared_matrix *s, int64_t row)
{
    int low = 0, high = s->world->ranks;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (s->first_row[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The first row of each process: nodes are dealt out in blocks. */
static void deal(ns_shared_matrix *s, ns_layout layout)
{
    const int64_t nodes = ((int64_t)layout.parts + layout.per_node - 1) / layout.per_node;
    for (int r = 0; r <= s->world->ranks; r++) {
        const int64_t part = ns_block_first(r, nodes, s->world->ranks) * layout.per_node;
        s->first_row[r] = ns_block_first(part < layout.parts ? part : layout.parts, s->slice.market.rows, layout.parts);
    }
}

/* ---- a round ----------------------------------------------------------------------------------------------------- */

static ns_status read_piece(ns_shared_matrix *s, ns_market_piece *piece, bool *more, ns_error *err)
{
    size_t length;
    *piece = (ns_market_piece){.status = NS_OK};
    *more = false;
    const int64_t at = s->slice.at;
    NS_TRY(ns_slice_next(&s->slice, s->text, &length, err));
    if (length == 0)
        return NS_OK;
    ns_market_read(&s->slice.market, s->slice.path, s->text, length, s->entry, piece);
    *more = s->slice.at < s->slice.end;
    if (piece->status != NS_OK)
        return ns_fail_at(err, piece->error.code, s->slice.path, 0, 0, "%s (line %ld after byte %lld)",
                          piece->error.text, piece->error.line, (long long)at);
    return NS_OK;
}

static void sort_by_owner(ns_shared_matrix *s, size_t count)
{
    const int ranks = s->world->ranks;
    memset(s->count, 0, (size_t)ranks * sizeof *s->count);
    for (size_t i = 0; i < count; i++)
        s->count[owner_of(s, s->entry[i].row)]++;
    for (int r = 0, at = 0; r < ranks; at += s->count[r++])
        s->place[r] = at;
    for (size_t i = 0; i < count; i++)
        s->sorted[s->place[owner_of(s, s->entry[i].row)]++] = s->entry[i];
    for (int r = 0; r < ranks; r++)
        s->place[r] -= s->count[r];
}

static ns_status send_on(ns_shared_matrix *s, int64_t *received, ns_error *err)
{
    const int ranks = s->world->ranks;
    int64_t sum = 0;
    void *memory = s->received;
    ns_budget unlimited = {0};
    MPI_Datatype entry;
    MPI_Alltoall(s->count, 1, MPI_INT, s->from_count, 1, MPI_INT, s->world->comm);
    for (int r = 0; r < ranks; sum += s->from_count[r++])
        s->from_place[r] = (int)sum;
    const ns_status grown = ns_grow(&memory, &s->room, sum, sizeof *s->received, &unlimited, err);
    s->received = memory;
    NS_TRY(ns_world_agree(s->world, grown, err));
    MPI_Type_contiguous(2, MPI_INT64_T, &entry);
    MPI_Type_commit(&entry);
    MPI_Alltoallv(s->sorted, s->count, s->place, entry, s->received, s->from_count, s->from_place, entry,
                  s->world->comm);
    MPI_Type_free(&entry);
    *received = sum;
    return NS_OK;
}

/* Those that are wanted, counted from row_from. */
static size_t keep_wanted(ns_shared_matrix *s, int64_t count)
{
    size_t kept = 0;
    for (int64_t i = 0; i < count; i++) {
        const ns_entry e = s->received[i];
        if (!s->triangle || e.col <= e.row)
            s->received[kept++] = (ns_entry){e.row - s->row_from, e.col};
    }
    return kept;
}

static ns_status deliver(ns_shared_matrix *s, int64_t count, ns_entry_fn *receive, void *context, ns_error *err)
{
    const size_t kept = keep_wanted(s, count);
    for (size_t done = 0; done < kept; done += BATCH) {
        const size_t batch = kept - done < BATCH ? kept - done : BATCH;
        const ns_status status = receive(context, s->received + done, batch, err); /* the receiver may end the scan */
        if (status != NS_OK)
            return status;
    }
    return NS_OK;
}

/* ---- a pass over the file ---------------------------------------------------------------------------------------- */

static ns_status check_total(const ns_shared_matrix *s, int64_t stored, ns_error *err)
{
    int64_t total;
    MPI_Allreduce(&stored, &total, 1, MPI_INT64_T, MPI_SUM, s->world->comm);
    return total == s->slice.market.stored ? NS_OK
                                           : ns_fail_at(err, NS_ERR_DATA, s->slice.path, 0, 0,
                                                        "the size line promises %lld entries, the file has %lld",
                                                        (long long)s->slice.market.stored, (long long)total);
}

/* Collective.  *own: what the receiver said, which ends its deliveries and not the pass. */
static ns_status pass(ns_shared_matrix *s, ns_entry_fn *receive, void *context, ns_status *own, ns_error *own_err,
                      ns_error *err)
{
    int64_t stored = 0, received = 0;
    NS_TRY(ns_world_agree(s->world, ns_slice_rewind(&s->slice, s->world->rank, s->world->ranks, err), err));
    for (int any = 1; any;) {
        ns_market_piece piece;
        bool more;
        NS_TRY(ns_world_agree(s->world, read_piece(s, &piece, &more, err), err));
        stored += piece.stored;
        sort_by_owner(s, piece.count);
        NS_TRY(send_on(s, &received, err));
        if (receive != NULL && *own == NS_OK)
            *own = deliver(s, received, receive, context, own_err);
        const int mine = more;
        MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, s->world->comm);
        ns_watchdog_feed();
    }
    return check_total(s, stored, err);
}

/* Collective: does anybody want another pass? */
static bool anybody(const ns_shared_matrix *s, int mine)
{
    int any;
    ns_watchdog_feed();
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, s->world->comm);
    return any != 0;
}

static ns_status scan(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err)
{
    ns_shared_matrix *s = matrix->state;
    ns_status own = NS_OK;
    ns_error own_err = {0};
    (void)anybody(s, 1);
    NS_TRY(pass(s, receive, context, &own, &own_err, err));
    if (own != NS_OK && err != NULL)
        *err = own_err;
    return own;
}

ns_status ns_shared_matrix_serve(ns_shared_matrix *shared, ns_error *err)
{
    ns_status own = NS_OK;
    while (anybody(shared, 0))
        NS_TRY(pass(shared, NULL, NULL, &own, NULL, err));
    return NS_OK;
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static ns_status open_here(const ns_world *world, const char *path, ns_layout layout, ns_shared_matrix *s,
                           ns_error *err)
{
    const size_t ranks = (size_t)world->ranks;
    const int64_t each = ROUND / world->ranks;
    const int64_t piece = each > NS_PIECE ? NS_PIECE : each < PIECE_LEAST ? PIECE_LEAST : each;
    NS_TRY(ns_slice_open(path, world->rank, world->ranks, piece, &s->slice, err));
    const size_t room = ns_market_piece_room(&s->slice.market);
    s->text = ns_malloc(NS_PIECE_ROOM);
    s->entry = ns_malloc(ns_size_mul(room, sizeof *s->entry));
    s->sorted = ns_malloc(ns_size_mul(room, sizeof *s->sorted));
    s->first_row = ns_calloc(ranks + 1, sizeof *s->first_row);
    s->count = ns_calloc(ns_size_mul(4, ranks), sizeof *s->count);
    if (s->text == NULL || s->entry == NULL || s->sorted == NULL || s->first_row == NULL || s->count == NULL)
        return ns_no_memory(err);
    s->place = s->count + ranks;
    s->from_count = s->count + 2 * ranks;
    s->from_place = s->count + 3 * ranks;
    deal(s, layout);
    return NS_OK;
}

/* The file's name without folders and ending, as a matrix of one process is called. */
static char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *from = slash != NULL ? slash + 1 : path, *dot = strrchr(from, '.');
    return strndup(from, dot != NULL && dot > from ? (size_t)(dot - from) : strlen(from));
}

ns_status ns_shared_matrix_open(const ns_world *world, const char *path, ns_layout layout, ns_shared_matrix *shared,
                                ns_error *err)
{
    *shared = (ns_shared_matrix){.world = world, .slice = {.file = MPI_FILE_NULL}};
    ns_status status = open_here(world, path, layout, shared, err);
    char *name = name_of(path);
    if (status == NS_OK && name == NULL)
        status = ns_no_memory(err);
    const ns_market *m = &shared->slice.market;
    shared->matrix = (ns_matrix){.info = {.name = name,
                                          .rows = m->rows,
                                          .cols = m->cols,
                                          .stored = m->stored,
                                          .symmetry = m->symmetry,
                                          .source = NS_FROM_FILE},
                                 .strings = name,
                                 .scan = scan,
                                 .state = shared};
    return ns_world_agree(world, status, err);
}

void ns_shared_matrix_close(ns_shared_matrix *shared)
{
    ns_slice_close(&shared->slice);
    free(shared->matrix.strings);
    ns_free(shared->text);
    ns_free(shared->entry);
    ns_free(shared->sorted);
    ns_free(shared->received);
    ns_free(shared->first_row);
    ns_free(shared->count);
    *shared = (ns_shared_matrix){.slice = {.file = MPI_FILE_NULL}};
}
