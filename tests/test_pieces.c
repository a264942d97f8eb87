/* test_pieces.c -- pieces of lists against a table of their entries: appended, sorted, each entry once, found again */

#include "oracle/oracle.h"
#include "schedule/pieces.h"
#include "support/test.h"

enum { KEYS = 5, LENGTH = 60, COUNT = 40 };

/* Where each entry stands: of the pieces that have it, the one that begins earliest, then of the lower buffer. */
typedef struct table {
    int64_t offset[KEYS][LENGTH];
    int buffer[KEYS][LENGTH];
} table;

static int earlier(const void *a, const void *b)
{
    const ns_piece *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->buffer != y->buffer ? (x->buffer > y->buffer) - (x->buffer < y->buffer)
                                  : (x->offset > y->offset) - (x->offset < y->offset);
}

static void fill(table *t, ns_piece *piece, size_t count)
{
    memset(t, -1, sizeof *t);
    qsort(piece, count, sizeof *piece, earlier);
    for (size_t i = 0; i < count; i++)
        for (int64_t e = 0; e < piece[i].entries; e++) {
            const int64_t key = piece[i].key + 2, at = piece[i].first + e;
            if (t->buffer[key][at] >= 0)
                continue;
            t->buffer[key][at] = (int)piece[i].buffer;
            t->offset[key][at] = piece[i].offset + e;
        }
}

/* Sorted, apart from each other, and with all that the table has and nothing else.  One assertion for all: each is a
 * call to the kernel. */
static bool is_sorted(const ns_pieces *pieces, const table *t)
{
    int64_t entries = 0;
    bool good = true;
    for (int64_t i = 0; i < pieces->count; i++) {
        const ns_piece *p = &pieces->piece[i], *last = p - 1;
        good = good && p->entries > 0;
        if (i > 0)
            good = good && (last->key < p->key || (last->key == p->key && last->first + last->entries <= p->first));
        for (int64_t e = 0; e < p->entries; e++)
            good = good && (int)p->buffer == t->buffer[p->key + 2][p->first + e] &&
                   p->offset + e == t->offset[p->key + 2][p->first + e];
        entries += p->entries;
    }
    for (int key = 0; key < KEYS; key++)
        for (int at = 0; at < LENGTH; at++)
            entries -= t->buffer[key][at] >= 0;
    return good && entries == 0;
}

/* From an entry on: what the table has there, no more than is asked for; else nothing up to the next that it has. */
static bool is_found(const ns_pieces *pieces, const table *t, int key, int64_t at, int64_t most)
{
    const ns_piece p = ns_pieces_from(pieces, key - 2, at, most);
    bool good = p.entries >= 1 && p.entries <= most && p.first == at;
    for (int64_t e = 0; good && e < p.entries; e++)
        good = (int)p.buffer == t->buffer[key][at + e] &&
               p.offset + (t->buffer[key][at] < 0 ? 0 : e) == t->offset[key][at + e];
    return good && (t->buffer[key][at] >= 0 || p.entries == most || t->buffer[key][at + p.entries] >= 0);
}

static bool all_found(const ns_pieces *pieces, const table *t)
{
    bool good = true;
    for (int key = 0; key < KEYS; key++)
        for (int64_t at = 0; at < LENGTH; at++)
            for (int64_t most = 1; most <= LENGTH - at; most += 7)
                good = good && is_found(pieces, t, key, at, most);
    return good;
}

TEST_EACH(any_pieces, 60)
{
    oracle_random random = {(uint64_t)_i + 3};
    ns_pieces pieces = {NULL, 0, 0};
    ns_piece given[COUNT];
    table t;
    const size_t count = 1 + (size_t)oracle_below(&random, COUNT);
    for (size_t i = 0; i < count; i++) {
        const int64_t first = oracle_below(&random, LENGTH);
        given[i] = (ns_piece){.key = oracle_below(&random, KEYS) - 2,
                              .first = first,
                              .entries = oracle_below(&random, LENGTH - first < 20 ? LENGTH - first + 1 : 20),
                              .offset = oracle_below(&random, 1000),
                              .buffer = oracle_below(&random, 2) == 0 ? NS_BUFFER_SEND : NS_BUFFER_WORK};
        ck_assert_int_eq(ns_pieces_add(&pieces, given[i], NULL), NS_OK);
    }
    memcpy(given, pieces.piece, (size_t)pieces.count * sizeof *given); /* some go on from others */
    fill(&t, given, (size_t)pieces.count);
    ns_pieces_sort(&pieces);
    ck_assert(is_sorted(&pieces, &t));
    ck_assert(all_found(&pieces, &t));
    ns_pieces_free(&pieces);
}

/* What goes on in list, buffer and place becomes one piece; each other way stays apart, and nothing stays away. */
TEST(goes_on)
{
    const ns_piece first = {.key = 1, .first = 3, .entries = 2, .offset = 7, .buffer = NS_BUFFER_SEND},
                   next = {.key = 1, .first = 5, .entries = 4, .offset = 9, .buffer = NS_BUFFER_SEND};
    for (int way = 0; way < 6; way++) {
        ns_pieces pieces = {NULL, 0, 0};
        ns_piece second = next;
        second.key += way == 1;
        second.first += way == 2;
        second.offset += way == 3;
        second.buffer = way == 4 ? NS_BUFFER_WORK : next.buffer;
        second.entries = way == 5 ? 0 : next.entries;
        ck_assert_int_eq(ns_pieces_add(&pieces, first, NULL), NS_OK);
        ck_assert_int_eq(ns_pieces_add(&pieces, second, NULL), NS_OK);
        ck_assert_int_eq(pieces.count, way == 0 || way == 5 ? 1 : 2);
        ck_assert_int_eq(pieces.piece[0].entries, way == 0 ? 6 : 2);
        ns_pieces_free(&pieces);
    }
}
