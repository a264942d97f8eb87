/* market_entries.c -- the entries of a Matrix Market file, a piece of whole lines at a time
 *
 * Readers of one grammar, from fast to general: ns_market_plain and ns_plain_line accept lines without extra blanks,
 * fast_line also more blanks, "\r\n" and long indices, and none of them reports errors; read_line reads any line and
 * reports what is wrong with it.
 */
#include "matrix/market/market.h"

#include <assert.h>
#include <stdio.h>

#include "bytes/token.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

typedef struct reader {
    const ns_market *market;
    const char *path;
    const unsigned char *at, *limit;
    ns_entry *to;
    ns_market_piece *piece;
} reader;

size_t ns_market_piece_room(const ns_market *market)
{
    /* "1 1\n" and so on: two bytes for each number */
    size_t lines = market->array ? 0 : NS_PIECE / (2 * (size_t)(market->indices + market->values)) + 1;
    return (market->mirror ? 2 : 1) * lines + 1; /* the unused half of a pair is written, too */
}

static inline const unsigned char *skip_blanks(const unsigned char *p)
{
    while (ns_is_blank(*p))
        p++;
    return p;
}

/* Values, each after a blank, and the usual line ends; returns the next line, or NULL. */
static ALWAYS_INLINE const unsigned char *fast_values(const unsigned char *p, int values)
{
    for (int i = 0; i < values; i++) {
        if (!ns_is_blank(*p))
            return NULL;
        p = skip_blanks(p + 1);
        size_t length = ns_number(p);
        if (length == 0)
            return NULL;
        p += length;
    }
    p = skip_blanks(p);
    p += *p == '\r';
    return *p == '\n' ? p + 1 : NULL;
}

static ALWAYS_INLINE const unsigned char *fast_line(const unsigned char *p, int values, uint64_t *row, uint64_t *col)
{
    p = skip_blanks(p);
    size_t length = ns_digits(p, row);
    p += length;
    if (length - 1 > 17 || !ns_is_blank(*p))
        return NULL;
    p = skip_blanks(p + 1);
    length = ns_digits(p, col);
    return length - 1 > 17 ? NULL : fast_values(p + length, values);
}

/* With constant `values` and `mirror` this gives six loops without a test inside.  Reads at most `most` lines. */
static ALWAYS_INLINE void fast_entries(reader *r, int values, bool mirror, int64_t most)
{
    const uint64_t rows = (uint64_t)r->market->rows, cols = (uint64_t)r->market->cols;
    const unsigned char *p = r->at, *limit = r->limit;
    ns_entry *to = r->to;
    int64_t lines = 0;
    while (p < limit && lines < most) {
        uint64_t row = 0, col = 0;
        const unsigned char *next = ns_plain_line(p, values, &row, &col);
        if (next == NULL)
            next = fast_line(p, values, &row, &col);
        row--;
        col--;
        if (next == NULL || row >= rows || col >= cols)
            break;
        to[0] = (ns_entry){(int64_t)row, (int64_t)col};
        if (mirror)
            to[1] = (ns_entry){(int64_t)col, (int64_t)row};
        to += 1 + (mirror && row != col);
        lines++;
        p = next;
    }
    r->at = p;
    r->to = to;
    r->piece->lines += lines;
    r->piece->stored += lines;
}

static ALWAYS_INLINE void fast_array(reader *r, int values)
{
    const unsigned char *p = r->at, *limit = r->limit;
    int64_t lines = 0;
    while (p < limit) {
        const unsigned char *q = skip_blanks(p);
        size_t length = ns_number(q);
        q = length == 0 ? NULL : fast_values(q + length, values - 1);
        if (q == NULL)
            break;
        lines++;
        p = q;
    }
    r->at = p;
    r->piece->lines += lines;
    r->piece->stored += lines;
}

/* Number of lines after which the two-stage reader is tried again. */
enum { TURN = 64 };

static void fast_lines(reader *r, int64_t most)
{
    const ns_market *m = r->market;
    if (m->array && m->values == 1)
        fast_array(r, 1);
    else if (m->array)
        fast_array(r, 2);
    else if (m->indices != 2)
        return;
    else if (m->values == 0)
        m->mirror ? fast_entries(r, 0, true, most) : fast_entries(r, 0, false, most);
    else if (m->values == 1)
        m->mirror ? fast_entries(r, 1, true, most) : fast_entries(r, 1, false, most);
    else
        m->mirror ? fast_entries(r, 2, true, most) : fast_entries(r, 2, false, most);
}

/* The message is `what "token" wanted`. */
static ns_status fail_token(reader *r, const unsigned char *from, const unsigned char *to, ns_status code,
                            const char *what, const char *wanted)
{
    char quoted[64];
    long column = (long)(from - r->at) + 1;
    return ns_fail_at(&r->piece->error, code, r->path, r->piece->lines + 1, column, "%s %s%s", what,
                      ns_token_quote(from, to, quoted), wanted);
}

static const unsigned char *token_end(const unsigned char *p, const unsigned char *end)
{
    while (p < end && !ns_is_blank(*p))
        p++;
    return p;
}

/* Read one index; *p moves past it. */
static ns_status read_index(reader *r, const unsigned char **p, const unsigned char *end, const char *what,
                            int64_t most, int64_t *index)
{
    const unsigned char *from = *p, *to = token_end(from, end), *q = from + (from < to && *from == '+');
    const uint64_t last = (uint64_t)most;
    bool number = q < to;
    uint64_t value = 0;
    for (; q < to && ns_is_digit(*q); q++) /* saturates when it does not fit */
        value = value <= (UINT64_MAX - 9) / 10 ? 10 * value + (uint64_t)(*q - '0') : UINT64_MAX;
    number &= q == to;
    if (number && value > 0 && value <= last) {
        *index = (int64_t)(value - 1);
        *p = skip_blanks(to);
        return NS_OK;
    }
    char wanted[80], is[96];
    const bool low = number ? value == 0 : *from == '-' && from + 1 < to && ns_is_digit(from[1]);
    if (!low && !number) {
        snprintf(wanted, sizeof wanted, ", wanted a whole number from 1 to %lld", (long long)most);
        return fail_token(r, from, to, NS_ERR_SYNTAX, what, wanted);
    }
    snprintf(is, sizeof is, "%s %.*s", what, to - from < 40 ? (int)(to - from) : 40, (const char *)from);
    const long column = (long)(from - r->at) + 1, line = r->piece->lines + 1;
    if (low)
        return ns_fail_at(&r->piece->error, NS_ERR_RANGE, r->path, line, column, "%s; Matrix Market counts from 1", is);
    return ns_fail_at(&r->piece->error, NS_ERR_RANGE, r->path, line, column, "%s, wanted at most %lld", is,
                      (long long)most);
}

static bool is_word(const unsigned char *p, const unsigned char *end, const char *word)
{
    for (; p < end && *word != '\0'; p++, word++)
        if ((*p | 0x20) != (unsigned char)*word)
            return false;
    return p == end && *word == '\0';
}

static const char *const count_words[] = {"no value", "one value", "two values"};

/* A pattern file may have one value per entry, as some writers produce it: values are ignored. */
static ns_status read_values(reader *r, const unsigned char *p, const unsigned char *end)
{
    const ns_market *m = r->market;
    char what[48], wanted[32];
    int found = 0, most = m->values == 0 ? 1 : m->values;
    assert(m->values >= 0 && m->values < (int)(sizeof count_words / sizeof *count_words));
    for (; p < end && found < most; found++) {
        const unsigned char *to = token_end(p, end), *word = p + (*p == '-' || *p == '+');
        const size_t run = ns_number(p);
        if (run > 0 ? p + run != to
                    : !is_word(word, to, "inf") && !is_word(word, to, "nan") && !is_word(word, to, "infinity")) {
            snprintf(what, sizeof what, "%s value", m->field);
            return fail_token(r, p, to, NS_ERR_SYNTAX, what, ", wanted a number");
        }
        p = skip_blanks(to);
    }
    if (found < m->values)
        return ns_fail_at(&r->piece->error, NS_ERR_SYNTAX, r->path, r->piece->lines + 1, (long)(p - r->at) + 1,
                          "the line ends after %s, wanted %s in a %s entry", count_words[found], count_words[m->values],
                          m->field);
    if (p == end)
        return NS_OK;
    snprintf(what, sizeof what, "a %s entry is followed by", m->field);
    snprintf(wanted, sizeof wanted, ", wanted %s only", count_words[m->values]);
    return fail_token(r, p, token_end(p, end), NS_ERR_SYNTAX, what, m->values == 0 ? ", wanted none" : wanted);
}

/* Read any line, with full checks. */
static ns_status read_line(reader *r)
{
    const ns_market *m = r->market;
    const unsigned char *end = ns_line_end(r->at), *p = skip_blanks(r->at);
    if (p < end && *p != '%') {
        int64_t row = 0, col = 0;
        if (m->indices > 0)
            NS_TRY(read_index(r, &p, end, "row index", m->rows, &row));
        if (m->indices > 1 && p == end)
            return ns_fail_at(&r->piece->error, NS_ERR_SYNTAX, r->path, r->piece->lines + 1, (long)(p - r->at) + 1,
                              "the line ends before the column index");
        if (m->indices > 1)
            NS_TRY(read_index(r, &p, end, "column index", m->cols, &col));
        NS_TRY(read_values(r, p, end));
        if (!m->array)
            *r->to++ = (ns_entry){row, col};
        if (!m->array && m->mirror && row != col)
            *r->to++ = (ns_entry){col, row};
        r->piece->stored++;
    }
    /* Skip the following blank lines and comments as well: the fast readers look far ahead before they give up at
     * one. */
    do {
        r->piece->lines++;
        r->at = ns_line_next(end, r->limit);
        if (r->at >= r->limit)
            break;
        end = ns_line_end(r->at);
        p = skip_blanks(r->at);
    } while (p == end || *p == '%');
    return NS_OK;
}

void ns_market_read(const ns_market *market, const char *path, const unsigned char *text, size_t length,
                    ns_entry *entries, ns_market_piece *piece)
{
    reader r = {.market = market, .path = path, .at = text, .limit = text + length, .to = entries, .piece = piece};
    *piece = (ns_market_piece){.status = NS_OK};
    const bool plain = !market->portable && !market->array && market->indices == 2 && ns_market_has_plain();
    while (r.at < r.limit && piece->status == NS_OK) {
        const unsigned char *before = NULL;
        if (!plain)
            fast_lines(&r, INT64_MAX);
        while (plain && r.at != before) { /* both stages alternate while the second one advances */
            ns_market_run run = {r.at, r.limit, (uint64_t)market->rows, (uint64_t)market->cols, r.to, 0};
            ns_market_plain(&run, market->values, market->mirror, false);
            if (run.at < run.limit && market->values > 0)
                ns_market_plain(&run, market->values, market->mirror, true);
            r.at = before = run.at;
            r.to = run.to;
            piece->lines += run.lines;
            piece->stored += run.lines;
            fast_lines(&r, TURN);
        }
        if (r.at < r.limit)
            piece->status = read_line(&r);
    }
    piece->count = market->array ? 0 : (size_t)(r.to - entries);
}

long ns_market_line_of(const unsigned char *text, size_t length, int64_t stored)
{
    const unsigned char *p = text, *limit = text + length;
    long line = 1;
    for (; p < limit; line++) {
        const unsigned char *end = ns_line_end(p), *first = skip_blanks(p);
        if (first < end && *first != '%' && stored-- == 0)
            break;
        p = ns_line_next(end, limit);
    }
    return line;
}
