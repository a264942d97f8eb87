/* shared_matrix.c -- rounds of reading, sorting by owner and sending
 *
 * Memory: of all that is sent to one process in a round no more than ROUND bytes of text were read, however many
 * processes there are.
 */
#include "mpi/shared_matrix.h"
#include "core/memory.h"
#include "matrix/open.h"
#include "mpi/watchdog.h"
#include "pattern/blocks.h"

#include <string.h>

enum { ROUND = 4 << 20, PIECE_LEAST = 4 << 10, BATCH = 8192 };

/* ---- a round ----------------------------------------------------------------------------------------------------- */

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

/* ---- a pass over the file ---------------------------------------------------------------------------------------- */

/* Collective.  *own: what the receiver said, which ends its deliveries and not the pass. */
static ns_status pass(ns_shared_matrix *s, ns_entry_fn *receive, void *context, ns_status *own, ns_error *own_err,
                      ns_error *err)
{
    int64_t stored = 0, total;
    NS_TRY(ns_world_agree(s->world, ns_slice_rewind(&s->slice, s->world->rank, s->world->ranks, err), err));
    for (int any = 1; any;) {
        ns_market_piece piece = {.status = NS_OK};
        size_t length = 0;
        const int64_t from = s->slice.at;
        ns_status status = ns_slice_next(&s->slice, s->text, &length, err);
        if (status == NS_OK && length > 0)
            ns_market_read(&s->slice.market, s->slice.path, s->text, length, s->entry, &piece);
        if (piece.status != NS_OK)
            status = ns_fail_at(err, piece.error.code, s->slice.path, 0, 0, "%s (line %ld after byte %lld)",
                                piece.error.text, piece.error.line, (long long)(s->slice.packed ? s->slice.at : from));
        NS_TRY(ns_world_agree(s->world, status, err));
        stored += piece.stored;
        /* Send each of the entries that were read here to whoever has its row. */
        const int ranks = s->world->ranks;
        int64_t sum = 0;
        void *memory = s->received;
        ns_budget unlimited = {0};
        MPI_Datatype entry;
        NS_TRY(ns_world_agree(s->world, sort_by_owner(s, piece.count, err), err));
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
        if (receive != NULL && *own == NS_OK) { /* what is wanted, with rows counted from row_from */
            size_t kept = 0;
            for (int64_t i = 0; i < sum; i++) {
                const ns_entry e = s->received[i];
                s->nonzeros += ns_deal_owner(s->deal, 0, ns_deal_place(s->deal, e.row)) == s->world->rank;
                if (!s->triangle || e.col <= e.row)
                    s->received[kept++] = (ns_entry){e.row - s->row_from, e.col};
            }
            for (size_t done = 0; done < kept && *own == NS_OK; done += BATCH) /* the receiver may end the scan */
                *own = receive(context, s->received + done, kept - done < BATCH ? kept - done : BATCH, own_err);
        }
        const int mine = s->slice.more;
        MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, s->world->comm);
        ns_watchdog_feed();
    }
    MPI_Allreduce(&stored, &total, 1, MPI_INT64_T, MPI_SUM, s->world->comm);
    return total == s->slice.market.stored ? NS_OK
                                           : ns_fail_at(err, NS_ERR_DATA, s->slice.path, 0, 0,
                                                        "the size line promises %lld entries, the file has %lld",
                                                        (long long)s->slice.market.stored, (long long)total);
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

ns_status ns_shared_matrix_open(const ns_world *world, const char *path, ns_shared_matrix *shared, ns_error *err)
{
    *shared = (ns_shared_matrix){.world = world, .slice = {.file = MPI_FILE_NULL}};
    const int ranks = world->ranks;
    const int64_t each = ROUND / ranks, piece = each > NS_PIECE ? NS_PIECE : each < PIECE_LEAST ? PIECE_LEAST : each;
    ns_status status = ns_slice_open(path, world->rank, ranks, piece, &shared->slice, err);
    if (status == NS_OK) {
        const size_t room = ns_market_piece_room(&shared->slice.market);
        shared->text = ns_malloc(NS_PIECE_ROOM);
        shared->entry = ns_malloc(ns_size_mul(room, sizeof *shared->entry));
        shared->count = ns_calloc(ns_size_mul(4, (size_t)ranks), sizeof *shared->count);
        if (shared->text == NULL || shared->entry == NULL || shared->count == NULL)
            status = ns_no_memory(err);
    }
    if (status == NS_OK) {
        shared->place = shared->count + ranks;
        shared->from_count = shared->count + 2 * ranks;
        shared->from_place = shared->count + 3 * ranks;
    }
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

/* ---- nodes dealt out in blocks ----------------------------------------------------------------------------------- */

ns_status ns_deal_open(int ranks, const ns_layout *layout, size_t layouts, int64_t rows, const int32_t *part,
                       ns_deal *deal, ns_error *err)
{
    const size_t each = (size_t)ranks + 1;
    *deal = (ns_deal){.ranks = ranks, .layouts = layouts, .part = part};
    deal->node = ns_calloc(ns_size_mul(2 * layouts, each), sizeof *deal->node);
    if (deal->node == NULL)
        return ns_no_memory(err);
    deal->first = deal->node + layouts * each;
    for (size_t i = 0; i < layouts; i++) {
        const int64_t parts = layout[i].parts, nodes = (parts + layout[i].per_node - 1) / layout[i].per_node;
        for (int r = 0; r <= ranks; r++) {
            const int64_t node = ns_block_first(r, nodes, ranks), to = node * layout[i].per_node,
                          first = to < parts ? to : parts;
            deal->node[i * each + (size_t)r] = node;
            deal->first[i * each + (size_t)r] = part != NULL ? first : ns_block_first(first, rows, parts);
        }
    }
    return NS_OK;
}

void ns_deal_close(ns_deal *deal)
{
    ns_free(deal->node);
    *deal = (ns_deal){.layouts = 0};
}

int ns_deal_owner(const ns_deal *deal, size_t layout, int64_t place)
{
    const int64_t *first = deal->first + layout * ((size_t)deal->ranks + 1);
    int low = 0, high = deal->ranks;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (first[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

bool ns_deal_has(const ns_deal *deal, int rank, int64_t place)
{
    const size_t each = (size_t)deal->ranks + 1;
    for (size_t i = 0; i < deal->layouts; i++)
        if (deal->first[i * each + (size_t)rank] <= place && place < deal->first[i * each + (size_t)rank + 1])
            return true;
    return false;
}
