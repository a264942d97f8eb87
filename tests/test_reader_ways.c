/* test_reader_ways.c -- the two stages of market_plain.c and the portable reader: the same entries, the same errors
 *
 * On every file of the data folder, and on generated text with any one of its bytes changed.
 */

#include "core/memory.h"
#include "matrix/market/market.h"
#include "support/needs.h"
#include "support/shared.h"
#include "support/test.h"

enum { LINES = 400, LONGEST = 96, WAYS = 2 };

static void same_error(const ns_error *a, const ns_error *b, const char *what)
{
    ck_assert_msg(a->code == b->code && a->line == b->line && a->column == b->column && strcmp(a->text, b->text) == 0,
                  "%s: %ld:%ld: %s, or %ld:%ld: %s", what, a->line, a->column, a->text, b->line, b->column, b->text);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

typedef struct seen {
    int64_t entries;
    uint64_t hash;
} seen;

static ns_status look(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    seen *s = context;
    (void)err;
    for (size_t i = 0; i < count; i++) {
        s->hash = (s->hash ^ (uint64_t)entries[i].row) * UINT64_C(0x100000001b3);
        s->hash = (s->hash ^ (uint64_t)entries[i].col) * UINT64_C(0x100000001b3);
    }
    s->entries += (int64_t)count;
    return NS_OK;
}

static ns_status read_header(const char *path, long *member, ns_market *market)
{
    ns_lines lines;
    ns_market_start start;
    ns_error err = {0};
    unsigned char *text = ns_malloc(NS_PIECE_ROOM);
    ck_assert_ptr_nonnull(text);
    ns_status status = ns_lines_open(path, member, &lines, &err);
    if (status == NS_OK) {
        status = ns_market_header(&lines, text, market, &start, &err);
        ns_lines_close(&lines);
    }
    ns_free(text);
    return status;
}

static int64_t scanned;

static void check_file(const char *path)
{
    long member = -1;
    ns_market market;
    seen s[WAYS] = {{0}, {0}};
    ns_error err[WAYS] = {{0}, {0}};
    if (read_header(path, &member, &market) != NS_OK)
        return;
    for (int way = 0; way < WAYS; way++) {
        market.portable = way == 1;
        (void)ns_market_scan(path, &member, &market, 0, look, &s[way], &err[way]);
    }
    same_error(&err[0], &err[1], path);
    ck_assert_msg(s[0].entries == s[1].entries && s[0].hash == s[1].hash, "%s: other entries", path);
    scanned += s[0].entries;
}

TEST(every_file)
{
    char path[512];
    if (lacks(__func__, "avx2") || !shared_path("every_file", "data/matrices", path, sizeof path))
        return;
    ck_assert_int_ge(shared_walk(path, check_file), 300);
    ck_assert_int_gt(scanned, 10000000);
}

/* ---- text with a fault in it ------------------------------------------------------------------------------------- */

static uint32_t state;

static uint32_t dice(uint32_t sides)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % sides;
}

enum style { PLAIN, PADDED, ODD, STYLES };

static size_t make_text(const ns_market *m, enum style style, char *text)
{
    static const char *const values[] = {"1",    "-2.718281828459045e+00",
                                         "+.5",  "3.D-10",
                                         "0",    "12345.678",
                                         "-.25", "0000000000000000000000000000000000000000000000000001e5"};
    static const char *const odd[] = {"inf", "-nan", "1  ", "\t7", "+5\r", " 1"};
    char *to = text;
    for (int i = 0; i < LINES; i++) {
        const bool strange = style == ODD && dice(6) == 0;
        const uint32_t row = 1 + dice((uint32_t)m->rows), col = dice(4) == 0 ? row : 1 + dice((uint32_t)m->cols);
        const int digits = strange ? 1 + (int)dice(12) : 1;
        to += sprintf(to, "%s%0*u%s%0*u", strange && dice(3) == 0 ? " " : "", digits, row,
                      strange && dice(3) == 0 ? "\t" : " ", strange && dice(2) == 0 ? 1 : digits, col);
        for (int k = 0; k < m->values; k++)
            to += sprintf(to, " %s%s", style != PLAIN && dice(2) == 0 ? " " : "",
                          strange ? odd[dice(sizeof odd / sizeof *odd)] : values[dice(sizeof values / sizeof *values)]);
        to += sprintf(to, "\n%s", strange && dice(3) == 0 ? "% between\n\n" : "");
    }
    return (size_t)(to - text);
}

static ns_entry *entries[WAYS];

static void check_text(ns_market *m, const unsigned char *text, size_t length, const char *what)
{
    ns_market_piece piece[WAYS];
    for (int way = 0; way < WAYS; way++) {
        m->portable = way == 1;
        ns_market_read(m, "text", text, length, entries[way], &piece[way]);
    }
    same_error(&piece[0].error, &piece[1].error, what);
    ck_assert_int_eq(piece[0].status, piece[1].status);
    ck_assert_int_eq(piece[0].stored, piece[1].stored);
    ck_assert_int_eq(piece[0].lines, piece[1].lines);
    ck_assert_uint_eq(piece[0].count, piece[1].count);
    ck_assert_msg(memcmp(entries[0], entries[1], piece[0].count * sizeof **entries) == 0, "%s: other entries", what);
}

static ns_market market_of(int i)
{
    static const int64_t sizes[] = {9, 70000, 16000000};
    return (ns_market){.indices = 2,
                       .values = i % 3,
                       .mirror = i / 3 % 2 == 1,
                       .field = "real",
                       .rows = sizes[i / 6 % 3],
                       .cols = sizes[i / 6 % 3]};
}

/* Every byte but the last becomes another; so does the piece that ends there. */
TEST_EACH(any_byte_changed, 18 * STYLES)
{
    static const char others[] = " \n\t\r%+-.eE0189,xX\0\x80/:";
    ns_market m = market_of(_i / STYLES);
    unsigned char *text = ns_calloc(LINES * LONGEST * 2 + NS_PIECE_PAD, 1);
    ck_assert_ptr_nonnull(text);
    state = (uint32_t)_i + 5;
    if (!lacks(__func__, "avx2")) {
        const size_t length = make_text(&m, (enum style)(_i % STYLES), (char *)text);
        ck_assert_uint_lt(length, LINES * LONGEST * 2);
        text = ns_realloc(text, length + NS_PIECE_PAD); /* so that sanitizers see what is read behind it */
        ck_assert_ptr_nonnull(text);
        for (int way = 0; way < WAYS; way++)
            entries[way] = ns_malloc((ns_market_piece_room(&m)) * sizeof **entries);
        ck_assert(entries[0] != NULL && entries[1] != NULL);
        check_text(&m, text, length, "as it was");
        for (size_t at = 0; at + 1 < length; at++) {
            const unsigned char before = text[at];
            text[at] = (unsigned char)others[dice(sizeof others - 1)];
            check_text(&m, text, length, "one byte changed");
            text[at] = before;
        }
        ns_free(entries[0]);
        ns_free(entries[1]);
    }
    ns_free(text);
}

/* Nothing is left to the others of lines that are plain, or padded. */
TEST_EACH(takes_all, 18)
{
    ns_market m = market_of(_i);
    unsigned char *text = ns_calloc(LINES * LONGEST * 2 + NS_PIECE_PAD, 1);
    ns_entry *to = ns_malloc(2 * (LINES + 1) * sizeof *to);
    ck_assert(text != NULL && to != NULL);
    if (lacks(__func__, "avx2"))
        return;
    for (int padded = 0; padded < (m.values > 0 ? 2 : 1); padded++) {
        memset(text, 0, LINES * LONGEST * 2);
        const size_t length = make_text(&m, padded == 1 ? PADDED : PLAIN, (char *)text);
        ns_market_run run = {text, text + length, (uint64_t)m.rows, (uint64_t)m.cols, to, 0};
        ns_market_plain(&run, m.values, m.mirror, padded == 1);
        ck_assert_int_ge(run.lines, padded == 1 ? LINES - 1 : LINES); /* the end of the text may hide the last */
    }
    ns_free(text);
    ns_free(to);
}

TEST_TIMEOUT(600)
