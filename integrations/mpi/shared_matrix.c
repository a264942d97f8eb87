/* shared_matrix.c -- slices of a file, and rounds of reading them, sorting by owner and sending
 *
 * Memory: all that is sent to one process in a round comes from at most ROUND bytes of text, for any number of
 * processes.
 */
#include "mpi/shared_matrix.h"
#include "core/memory.h"
#include "matrix/open.h"
#include "mpi/watchdog.h"
#include "pattern/blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROUND = 4 << 20, PIECE_LEAST = 4 << 10, BATCH = 8192 };

/* ---- lines out of the middle of a file -----------------------------------------------------------------------------
 *
 * A line belongs to the slice in which its first byte is.  Line ends are "\n", "\r\n" and a lone "\r".
 */

/* B of text that are read beyond a piece, for the end of its last line; a longer line is read separately. */
enum { BEYOND = 4 << 10 };

/* Read text from `at` on, and find the first line that begins at least `from` bytes after it; where that is too far
 * away, the first line after it.  *next is relative to `at`; at the end of the file it is the end. */
static ns_status read_lines(const ns_file_slice *s, int64_t at, int64_t from, unsigned char *text, int64_t *next,
                            ns_error *err)
{
    for (int64_t most = from + BEYOND;; from = 1, most = NS_PIECE) {
        const int64_t rest = s->size - at, length = rest < most ? rest : most;
        for (int64_t done = 0, got; done < length; done += got) {
            got = pread(s->handle, text + done, (size_t)(length - done), at + done);
            if (got <= 0 && (got == 0 || errno != EINTR))
                return ns_fail_at(err, NS_ERR_FILE, s->path, 0, 0, "cannot be read at byte %lld", (long long)at);
            got = got > 0 ? got : 0;
        }
        /* A "\r" at the very end may be half of "\r\n", unless the file ends there. */
        int64_t i = from < length ? from : length;
        while (i < length && text[i - 1] != '\n' && (text[i - 1] != '\r' || text[i] == '\n'))
            i++;
        *next = i;
        if (i < length || length == rest || text[length - 1] == '\n')
            return NS_OK;
        if (most == NS_PIECE)
            return ns_fail_at(err, NS_ERR_LIMIT, s->path, 0, 0, "the line at byte %lld is longer than %d bytes",
                              (long long)at, (int)NS_PIECE);
    }
}

static void close_lines(ns_file_slice *s)
{
    if (s->open)
        ns_lines_close(&s->lines);
    s->open = false;
}

/* Read from the beginning, up to the end of the header. */
static ns_status read_header(ns_file_slice *s, unsigned char *text, ns_market_start *start, ns_error *err)
{
    long member = -1;
    close_lines(s);
    NS_TRY(ns_lines_open(s->path, &member, &s->lines, err));
    s->open = true;
    return ns_market_header(&s->lines, text, &s->market, start, err);
}

/* Start again from the first line. */
static ns_status rewind_slice(ns_file_slice *s, unsigned char *text, ns_error *err)
{
    if (s->packed) {
        s->pieces = s->at = s->end = 0;
        s->more = true;
        return NS_OK;
    }
    const int64_t body = s->size - s->body, share = body / s->of, rest = body % s->of;
    int64_t next = 0;
    s->at = s->body + share * s->index + rest * s->index / s->of;
    s->end = s->body + share * (s->index + 1) + rest * (s->index + 1) / s->of;
    if (s->at > s->body && s->at < s->size) {
        NS_TRY(read_lines(s, s->at - 1, 1, text, &next, err));
        s->at += next - 1;
    }
    s->more = s->at < s->end;
    return NS_OK;
}

/* The next whole lines into text (NS_PIECE_ROOM bytes); *length 0: there are no more. */
static ns_status next_lines(ns_file_slice *s, unsigned char *text, size_t *length, ns_error *err)
{
    *length = 0;
    if (!s->more)
        return NS_OK;
    if (s->packed) {
        do { /* up to the next piece that belongs to this slice */
            s->at = s->end;
            if (s->pieces == 0) { /* the header ends in the middle of the first piece */
                ns_market_start start;
                NS_TRY(read_header(s, text, &start, err));
                *length = start.length - start.begin;
                memmove(text, text + start.begin, *length);
                if (start.read_status != NS_OK) {
                    if (err != NULL)
                        *err = start.read_error;
                    return start.read_status;
                }
            } else {
                NS_TRY(ns_lines_next(&s->lines, text, length, err));
                s->more = *length > 0;
            }
            s->end += (int64_t)*length;
            NS_TRY(ns_lines_check(&s->lines, (uint64_t)s->end, s->market.stored, err));
        } while (s->pieces++ % s->of != s->index && s->more);
    } else {
        const int64_t rest = s->end - s->at;
        int64_t next = 0;
        NS_TRY(read_lines(s, s->at, rest < s->piece ? rest : s->piece, text, &next, err));
        s->at += next;
        s->more = s->at < s->end;
        *length = (size_t)next;
        if (s->at == s->size && text[next - 1] != '\n' && text[next - 1] != '\r')
            text[(*length)++] = '\n';
    }
    memset(text + *length, 0, NS_PIECE_PAD);
    return NS_OK;
}

/* Text with coordinates only, plain or packed.  Slice `index` of `of`.  The caller has to close it, even after a
 * failure. */
static ns_status open_slice(const char *path, int index, int of, int64_t piece, unsigned char *text, ns_file_slice *s,
                            ns_error *err)
{
    ns_market_start start;
    struct stat known;
    unsigned char magic[2] = {0};
    const int64_t most = NS_PIECE - BEYOND;
    *s = (ns_file_slice){.path = path, .handle = -1, .piece = piece < most ? piece : most, .index = index, .of = of};
    NS_TRY(read_header(s, text, &start, err));
    if (s->market.array)
        return ns_fail_at(err, NS_ERR_SYNTAX, path, 0, 0, "an array has an entry everywhere, wanted coordinates");
    s->handle = open(path, O_RDONLY | O_CLOEXEC);
    if (s->handle < 0 || fstat(s->handle, &known) != 0 || pread(s->handle, magic, sizeof magic, 0) < 0)
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be opened");
    s->size = known.st_size;
    s->body = (int64_t)start.offset;
    s->packed = s->lines.stream.tar || (magic[0] == 0x1f && magic[1] == 0x8b); /* cannot be read from the middle */
    if (!s->packed)
        close_lines(s);
    return rewind_slice(s, text, err);
}

static void close_slice(ns_file_slice *s)
{
    close_lines(s);
    if (s->handle >= 0)
        (void)close(s->handle);
    s->handle = -1;
}

/* ---- a round ----------------------------------------------------------------------------------------------------- */

/* List the processes that have a row, each once; return their number. */
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

/* Collective.  *own: the receiver's status; an error ends the deliveries to it but not the pass. */
static ns_status pass(ns_shared_matrix *s, ns_entry_fn *receive, void *context, ns_status *own, ns_error *own_err,
                      ns_error *err)
{
    int64_t stored = 0, total;
    NS_TRY(ns_world_agree(s->world, rewind_slice(&s->slice, s->text, err), err));
    for (int any = 1; any;) {
        ns_market_piece piece = {.status = NS_OK};
        size_t length = 0;
        const int64_t from = s->slice.at;
        ns_status status = next_lines(&s->slice, s->text, &length, err);
        if (status == NS_OK && length > 0)
            ns_market_read(&s->slice.market, s->slice.path, s->text, length, s->entry, &piece);
        if (piece.status != NS_OK)
            status = ns_fail_at(err, piece.error.code, s->slice.path, 0, 0, "%s (line %ld after byte %lld)",
                                piece.error.text, piece.error.line, (long long)(s->slice.packed ? s->slice.at : from));
        NS_TRY(ns_world_agree(s->world, status, err));
        stored += piece.stored;
        /* Send each of the entries that were read here to the processes that have its row. */
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
        if (receive != NULL && *own == NS_OK) { /* the wanted entries, with rows relative to row_from */
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

/* Collective: does any process need another pass? */
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
    while (shared->whole == NULL && anybody(shared, 0))
        NS_TRY(pass(shared, NULL, NULL, &own, NULL, err));
    return NS_OK;
}

/* ---- a matrix that every process can open; nothing is sent ------------------------------------------------------- */

typedef struct filter {
    ns_shared_matrix *own;
    ns_entry_fn *receive;
    void *context;
} filter;

static ns_status receive_own(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    const filter *f = context;
    ns_shared_matrix *own = f->own;
    ns_entry kept[BATCH];
    ns_watchdog_feed();
    for (size_t i = 0, n = 0; i < count; i++) {
        const int64_t place = ns_deal_place(own->deal, entries[i].row);
        if (ns_deal_has(own->deal, own->world->rank, place))
            kept[n++] = entries[i];
        own->nonzeros += ns_deal_owner(own->deal, 0, place) == own->world->rank;
        if (n == BATCH || (n > 0 && i + 1 == count)) {
            NS_TRY(f->receive(f->context, kept, n, err));
            n = 0;
        }
    }
    return NS_OK;
}

static ns_status scan_whole(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err)
{
    ns_shared_matrix *own = matrix->state;
    filter f = {own, receive, context};
    own->nonzeros = 0;
    return ns_matrix_scan(own->whole, receive_own, &f, err);
}

/* All requested rows belong to one part. */
static int columns(const ns_matrix *matrix, int64_t row, int64_t rows, ns_column_span span[NS_SPANS])
{
    const ns_shared_matrix *own = matrix->state;
    return ns_deal_has(own->deal, own->world->rank, ns_deal_place(own->deal, row))
               ? own->whole->columns(own->whole, row, rows, span)
               : 0;
}

void ns_shared_matrix_of(const ns_world *world, ns_matrix *whole, ns_shared_matrix *shared)
{
    *shared = (ns_shared_matrix){.world = world, .whole = whole, .slice = {.handle = -1}};
    shared->matrix = (ns_matrix){.info = *ns_matrix_describe(whole), .scan = scan_whole, .state = shared};
    shared->matrix.info.stored = 0; /* work is counted where entries are delivered */
    shared->matrix.columns = whole->columns != NULL ? columns : NULL;
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

ns_status ns_shared_matrix_open(const ns_world *world, const char *path, ns_shared_matrix *shared, ns_error *err)
{
    *shared = (ns_shared_matrix){.world = world, .slice = {.handle = -1}};
    const int ranks = world->ranks;
    const int64_t each = ROUND / ranks, piece = each > NS_PIECE ? NS_PIECE : each < PIECE_LEAST ? PIECE_LEAST : each;
    shared->text = ns_malloc(NS_PIECE_ROOM);
    shared->count = ns_calloc(ns_size_mul(4, (size_t)ranks), sizeof *shared->count);
    ns_status status = shared->text != NULL && shared->count != NULL ? NS_OK : ns_no_memory(err);
    if (status == NS_OK) {
        shared->place = shared->count + ranks;
        shared->from_count = shared->count + 2 * ranks;
        shared->from_place = shared->count + 3 * ranks;
        status = open_slice(path, world->rank, ranks, piece, shared->text, &shared->slice, err);
    }
    if (status == NS_OK) {
        shared->entry = ns_malloc(ns_size_mul(ns_market_piece_room(&shared->slice.market), sizeof *shared->entry));
        status = shared->entry != NULL ? NS_OK : ns_no_memory(err);
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
    close_slice(&shared->slice);
    ns_free(shared->matrix.strings);
    ns_free(shared->text);
    ns_free(shared->entry);
    ns_free(shared->sorted);
    ns_free(shared->received);
    ns_free(shared->owner);
    ns_free(shared->count);
    *shared = (ns_shared_matrix){.slice = {.handle = -1}};
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
