/* shared_matrix.c -- rounds of reading, sorting by owner and sending
 *
 * Memory: of all that is sent to one process in a round no more than ROUND bytes of text were read, however many
 * processes there are.
 */
#include "mpi/shared_matrix.h"
#include "core/memory.h"
#include "matrix/open.h"
#include "mpi/watchdog.h"

#include <string.h>

enum { ROUND = 4 << 20, PIECE_LEAST = 4 << 10, BATCH = 8192 };

/* ---- a round ----------------------------------------------------------------------------------------------------- */

static ns_status read_piece(ns_shared_matrix *s, ns_market_piece *piece, bool *more, ns_error *err)
{
    size_t length;
    *piece = (ns_market_piece){.status = NS_OK};
    *more = false;
    const int64_t from = s->slice.at;
    NS_TRY(ns_slice_next(&s->slice, s->text, &length, err));
    const int64_t at = s->slice.packed ? s->slice.at : from;
    *more = s->slice.more;
    if (length == 0)
        return NS_OK;
    ns_market_read(&s->slice.market, s->slice.path, s->text, length, s->entry, piece);
    if (piece->status != NS_OK)
        return ns_fail_at(err, piece->error.code, s->slice.path, 0, 0, "%s (line %ld after byte %lld)",
                          piece->error.text, piece->error.line, (long long)at);
    return NS_OK;
}

/* List the processes that have a row, each once; return how many there are. */
static size_t owners_of(const ns_shared_matrix *s, int64_t row, int *owner)
{
    const int64_t place = ns_deal_place(s->deal, row);
    size_t owners = 0;
    for (size_t i = 0; i < s->deal->layouts; i++) {
        const int one = ns_deal_owner(s->deal, i, place);
        size_t k = 0;
        while (k < owners && owner[k] != one)
            k++;
        if (k == owners)
            owner[owners++] = one;
    }
    return owners;
}

static ns_status sort_by_owner(ns_shared_matrix *s, size_t count, ns_error *err)
{
    const int ranks = s->world->ranks;
    int64_t sum = 0;
    void *memory = s->sorted;
    ns_budget unlimited = {0};
    memset(s->count, 0, (size_t)ranks * sizeof *s->count);
    for (size_t i = 0; i < count; i++)
        for (size_t k = owners_of(s, s->entry[i].row, s->owner); k > 0; k--)
            s->count[s->owner[k - 1]]++;
    for (int r = 0; r < ranks; sum += s->count[r++])
        s->place[r] = (int)sum;
    NS_TRY(ns_grow(&memory, &s->sorted_room, sum, sizeof *s->sorted, &unlimited, err));
    s->sorted = memory;
    for (size_t i = 0; i < count; i++)
        for (size_t k = owners_of(s, s->entry[i].row, s->owner); k > 0; k--)
            s->sorted[s->place[s->owner[k - 1]]++] = s->entry[i];
    for (int r = 0; r < ranks; r++)
        s->place[r] -= s->count[r];
    return NS_OK;
}

/* Collective: send each of the `count` entries that were read here to whoever has its row. */
static ns_status send_on(ns_shared_matrix *s, size_t count, int64_t *received, ns_error *err)
{
    const int ranks = s->world->ranks;
    int64_t sum = 0;
    void *memory = s->received;
    ns_budget unlimited = {0};
    MPI_Datatype entry;
    NS_TRY(ns_world_agree(s->world, sort_by_owner(s, count, err), err));
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

/* Keep the received entries that are wanted, with rows counted from row_from. */
static size_t keep_wanted(ns_shared_matrix *s, int64_t count)
{
    size_t kept = 0;
    for (int64_t i = 0; i < count; i++) {
        const ns_entry e = s->received[i];
        s->nonzeros += ns_deal_owner(s->deal, 0, ns_deal_place(s->deal, e.row)) == s->world->rank;
        if (!s->triangle || e.col <= e.row)
            s->received[kept++] = (ns_entry){e.row - s->row_from, e.col};
    }
    return kept;
}

static ns_status deliver(ns_shared_matrix *s, int64_t count, ns_entry_fn *receive, void *context, ns_error *err)
{
    const size_t kept = keep_wanted(s, count);
    for (size_t done = 0; done < kept; done += BATCH) /* the receiver may end the scan */
        NS_TRY(receive(context, s->received + done, kept - done < BATCH ? kept - done : BATCH, err));
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
        NS_TRY(send_on(s, piece.count, &received, err));
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
    s->nonzeros = 0;
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

static ns_status open_here(const char *path, ns_shared_matrix *s, ns_error *err)
{
    const int ranks = s->world->ranks;
    const int64_t each = ROUND / ranks;
    const int64_t piece = each > NS_PIECE ? NS_PIECE : each < PIECE_LEAST ? PIECE_LEAST : each;
    NS_TRY(ns_slice_open(path, s->world->rank, ranks, piece, &s->slice, err));
    const size_t room = ns_market_piece_room(&s->slice.market);
    s->text = ns_malloc(NS_PIECE_ROOM);
    s->entry = ns_malloc(ns_size_mul(room, sizeof *s->entry));
    s->count = ns_calloc(ns_size_mul(4, (size_t)ranks), sizeof *s->count);
    if (s->text == NULL || s->entry == NULL || s->count == NULL)
        return ns_no_memory(err);
    s->place = s->count + ranks;
    s->from_count = s->count + 2 * ranks;
    s->from_place = s->count + 3 * ranks;
    return NS_OK;
}

ns_status ns_shared_matrix_open(const ns_world *world, const char *path, ns_shared_matrix *shared, ns_error *err)
{
    *shared = (ns_shared_matrix){.world = world, .slice = {.file = MPI_FILE_NULL}};
    ns_status status = open_here(path, shared, err);
    const size_t size = strlen(path) + 1;
    char *name = ns_malloc(size);
    if (name != NULL)
        ns_path_stem(path, name, size);
    else if (status == NS_OK)
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

ns_status ns_shared_matrix_deal(ns_shared_matrix *shared, const ns_deal *deal, ns_error *err)
{
    shared->deal = deal;
    shared->owner = ns_calloc(deal->layouts, sizeof *shared->owner);
    return shared->owner != NULL ? NS_OK : ns_no_memory(err);
}

void ns_shared_matrix_close(ns_shared_matrix *shared)
{
    ns_slice_close(&shared->slice);
    ns_free(shared->matrix.strings);
    ns_free(shared->text);
    ns_free(shared->entry);
    ns_free(shared->sorted);
    ns_free(shared->received);
    ns_free(shared->owner);
    ns_free(shared->count);
    *shared = (ns_shared_matrix){.slice = {.file = MPI_FILE_NULL}};
}
