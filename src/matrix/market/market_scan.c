/* market_scan.c -- all entries of a Matrix Market file, in order, by several threads
 *
 * Pieces of whole lines circulate in a ring buffer: a worker reads (one at a time, in file order: this is where gzip is
 * unpacked) and parses in parallel with the others; the caller's thread delivers the pieces in order and keeps the
 * counts.  While the next piece is not ready, the caller acts as a worker, so that there are no more threads than
 * processors.
 *
 *     worker:  [read 0][parse 0 ][read 2][parse 2 ][read 3]...          ring of `slots` pieces; a slot is free again
 *     caller:          [read 1][parse 1 ][deliver 0 ][deliver 1 ]...    once its piece has been delivered
 *
 * Bounds of pieces, order of delivery and messages do not depend on the number of workers; without any, the caller
 * alternates between the same steps.  Memory: slots x (text + entries), a few MiB.
 */
#include "core/memory.h"
#include "core/parallel.h"
#include "matrix/market/market.h"

#include <unistd.h>

enum { SLOTS_BEYOND = 3, MOST_SLOTS = NS_MOST_WORKERS + SLOTS_BEYOND, BATCH = 8192 };

typedef struct slot {
    unsigned char *text;
    ns_entry *entries;
    size_t begin, length;
    bool ready;
    ns_market_piece piece;
    ns_status read_status; /* for the bytes after the last whole line */
    ns_error read_error;
} slot;

typedef struct scan {
    const char *path;
    ns_market market;
    int workers; /* requested */
    ns_lines lines;
    slot slots[MOST_SLOTS];
    uint64_t slot_count;
    /* shared by the threads, protected by the lock */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t taken, delivered; /* pieces */
    bool reading, ended, stop;
    /* used by the caller's thread only */
    ns_entry_fn *receive;
    void *context;
    int64_t stored;   /* entries delivered, before expansion */
    long line;        /* lines delivered */
    uint64_t text;    /* bytes delivered */
    int64_t row, col; /* array: position of the next value */
} scan;

static bool add_slot(scan *s)
{
    slot *new = &s->slots[s->slot_count];
    new->text = ns_malloc(NS_PIECE_ROOM);
    new->entries = ns_malloc(ns_size_mul(ns_market_piece_room(&s->market), sizeof *new->entries));
    s->slot_count++;
    return new->text != NULL &&new->entries != NULL;
}

static void read_piece(scan *s, slot *at)
{
    at->begin = 0;
    at->read_error = (ns_error){.code = NS_OK};
    at->read_status = ns_lines_next(&s->lines, at->text, &at->length, &at->read_error);
}

static void parse_piece(const scan *s, slot *at)
{
    ns_market_read(&s->market, s->path, at->text + at->begin, at->length - at->begin, at->entries, &at->piece);
}

/* ---- delivery on the caller's thread ----------------------------------------------------------------------------- */

static ns_status deliver_entries(const scan *s, const ns_entry *entries, size_t count, ns_error *err)
{
    for (size_t done = 0; done < count; done += BATCH)
        NS_TRY(s->receive(s->context, entries + done, count - done < BATCH ? count - done : BATCH, err));
    return NS_OK;
}

/* Set the positions of the next `count` values of an array: by columns; from the diagonal down, or below it for
 * skew-symmetric arrays, when the rest is implied. */
static ns_status deliver_array(scan *s, int64_t count, ns_error *err)
{
    const ns_market *m = &s->market;
    ns_entry batch[BATCH / 16];
    size_t used = 0;
    for (; count > 0; count--) {
        if (s->row == m->rows) {
            s->col++;
            s->row = !m->mirror ? 0 : s->col + (m->skew ? 1 : 0);
        }
        batch[used++] = (ns_entry){s->row, s->col};
        if (m->mirror && s->row != s->col)
            batch[used++] = (ns_entry){s->col, s->row};
        s->row++;
        if (used + 2 > sizeof batch / sizeof *batch || count == 1) {
            NS_TRY(deliver_entries(s, batch, used, err));
            used = 0;
        }
    }
    return NS_OK;
}

static ns_status pass_error(const ns_error *from, const char *path, long line, ns_error *err)
{
    return ns_fail_at(err, from->code, from->file[0] != '\0' ? from->file : path, line, from->column, "%s", from->text);
}

static ns_status deliver(scan *s, const slot *at, ns_error *err)
{
    const ns_market_piece *piece = &at->piece;
    int64_t room = s->market.stored - s->stored;
    if (piece->stored > room || (piece->status != NS_OK && piece->stored == room))
        return ns_fail_at(
            err, NS_ERR_DATA, s->path, s->line + ns_market_line_of(at->text + at->begin, at->length - at->begin, room),
            0, "%s after the last of the %lld %s that the size line promises", s->market.array ? "a value" : "an entry",
            (long long)s->market.stored, s->market.array ? "values" : "entries");
    if (piece->status != NS_OK)
        return pass_error(&piece->error, s->path, s->line + piece->error.line, err);
    if (s->market.array)
        NS_TRY(deliver_array(s, piece->stored, err));
    else
        NS_TRY(deliver_entries(s, at->entries, piece->count, err));
    s->stored += piece->stored;
    s->line += piece->lines;
    s->text += at->length - at->begin;
    NS_TRY(ns_lines_check(&s->lines, s->text, s->stored, err));
    if (at->read_status != NS_OK)
        return pass_error(&at->read_error, s->path, s->line + 1, err);
    return NS_OK;
}

/* ---- the threads ----------------------------------------------------------------------------------------------- */

/* A free slot and the right to read, if both are available.  Call with the lock held. */
static slot *take_slot(scan *s)
{
    if (s->stop || s->ended || s->reading || s->taken - s->delivered == s->slot_count)
        return NULL;
    s->reading = true;
    return &s->slots[s->taken++ % s->slot_count];
}

static void fill_slot(scan *s, slot *at)
{
    read_piece(s, at);
    pthread_mutex_lock(&s->lock);
    s->reading = false;
    s->ended = at->read_status != NS_OK || s->lines.ended;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    parse_piece(s, at);
    pthread_mutex_lock(&s->lock);
    at->ready = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

static void *work(void *argument)
{
    scan *s = argument;
    pthread_mutex_lock(&s->lock);
    while (!s->stop && !s->ended) {
        slot *at = take_slot(s);
        if (at == NULL) {
            pthread_cond_wait(&s->changed, &s->lock);
            continue;
        }
        pthread_mutex_unlock(&s->lock);
        fill_slot(s, at);
        pthread_mutex_lock(&s->lock);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* The next piece, NULL after the last.  Until it is ready, this thread acts as a worker. */
static slot *next_piece(scan *s)
{
    slot *at = &s->slots[s->delivered % s->slot_count];
    pthread_mutex_lock(&s->lock);
    while (!at->ready && !(s->ended && s->taken == s->delivered)) {
        slot *own = take_slot(s);
        if (own == NULL) {
            pthread_cond_wait(&s->changed, &s->lock);
            continue;
        }
        pthread_mutex_unlock(&s->lock);
        fill_slot(s, own);
        pthread_mutex_lock(&s->lock);
    }
    const bool last = !at->ready;
    pthread_mutex_unlock(&s->lock);
    return last ? NULL : at;
}

/* The same steps in a single thread. */
static ns_status scan_alone(scan *s, ns_error *err)
{
    slot *at = &s->slots[0];
    while (!s->ended) {
        read_piece(s, at);
        s->ended = at->read_status != NS_OK || s->lines.ended;
        parse_piece(s, at);
        NS_TRY(deliver(s, at, err));
    }
    return NS_OK;
}

static ns_status scan_rest(scan *s, ns_error *err)
{
    pthread_t workers[NS_MOST_WORKERS];
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int wanted = s->workers;
    if (wanted == NS_AUTO_WORKERS)
        wanted = processors < 2 ? 0 : processors <= NS_MOST_WORKERS ? (int)processors - 1 : NS_MOST_WORKERS;
    wanted = wanted < NS_MOST_WORKERS ? wanted : NS_MOST_WORKERS;
    while (wanted > 0 && (int)s->slot_count < wanted + SLOTS_BEYOND)
        if (!add_slot(s))
            return ns_fail_at(err, NS_ERR_MEMORY, s->path, 0, 0, "not enough memory to read");
    if (pthread_mutex_init(&s->lock, NULL) != 0)
        return scan_alone(s, err);
    if (pthread_cond_init(&s->changed, NULL) != 0)
        wanted = 0;
    int started = 0;
    while (started < wanted && ns_thread_start(&workers[started], work, s))
        started++;
    ns_status status = started == 0 ? scan_alone(s, err) : NS_OK;
    /* pieces are delivered in order until the last, or the first failure */
    for (slot *at; started > 0 && status == NS_OK && (at = next_piece(s)) != NULL;) {
        status = deliver(s, at, err);
        pthread_mutex_lock(&s->lock);
        at->ready = false;
        s->delivered++;
        s->stop = status != NS_OK;
        pthread_cond_broadcast(&s->changed);
        pthread_mutex_unlock(&s->lock);
    }
    for (int i = 0; i < started; i++)
        pthread_join(workers[i], NULL);
    if (wanted > 0)
        pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    return status;
}

/* The piece that contained the header is read first, and is often the whole file. */
static ns_status scan_all(scan *s, ns_error *err)
{
    slot *first = &s->slots[0];
    ns_market again;
    ns_market_start start;
    if (!add_slot(s))
        return ns_fail_at(err, NS_ERR_MEMORY, s->path, 0, 0, "not enough memory to read");
    NS_TRY(ns_market_header(&s->lines, first->text, &again, &start, err));
    if (again.rows != s->market.rows || again.cols != s->market.cols || again.stored != s->market.stored ||
        again.values != s->market.values || again.symmetry != s->market.symmetry || again.array != s->market.array)
        return ns_fail_at(err, NS_ERR_FILE, s->path, 0, 0, "the file has changed since it was opened");
    s->line = start.line;
    s->row = s->market.skew;
    first->begin = start.begin;
    first->length = start.length;
    first->read_status = start.read_status;
    first->read_error = start.read_error;
    parse_piece(s, first);
    NS_TRY(deliver(s, first, err));
    if (!s->lines.ended)
        NS_TRY(scan_rest(s, err));
    return s->stored == s->market.stored
               ? NS_OK
               : ns_fail_at(err, NS_ERR_DATA, s->path, s->line, 0,
                            "the size line promises %lld %s, the file ends after %lld", (long long)s->market.stored,
                            s->market.array ? "values" : "entries", (long long)s->stored);
}

ns_status ns_market_scan(const char *path, long *member, const ns_market *market, int workers, ns_entry_fn *receive,
                         void *context, ns_error *err)
{
    scan *s = ns_calloc(1, sizeof *s);
    if (s == NULL)
        return ns_fail_at(err, NS_ERR_MEMORY, path, 0, 0, "not enough memory to read");
    s->path = path;
    s->market = *market;
    s->workers = workers;
    s->receive = receive;
    s->context = context;
    ns_status status = ns_lines_open(path, member, &s->lines, err);
    if (status == NS_OK) {
        status = scan_all(s, err);
        ns_lines_close(&s->lines);
    }
    for (uint64_t i = 0; i < s->slot_count; i++) {
        ns_free(s->slots[i].text);
        ns_free(s->slots[i].entries);
    }
    ns_free(s);
    return status;
}
