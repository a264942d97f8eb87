/* market_header.c -- banner, comments and size line of a Matrix Market file */
#include "matrix/market/market.h"

#include <string.h>

#include "bytes/token.h"

enum { BANNER_WORDS = 5, LONGEST_WORD = 32 };

typedef struct cursor {
    const char *path;
    const unsigned char *line, *end; /* content of the current line */
    long number;                     /* of the line, from 1 */
} cursor;

static bool same_word(const char *a, const char *lower)
{
    for (; *a != '\0' && *lower != '\0'; a++, lower++)
        if (ns_lower(*a) != *lower)
            return false;
    return *a == *lower;
}

/* Split a line at blanks.  Words longer than any known one are truncated, which keeps them unknown.  Returns the
 * number of words. */
static int split(const cursor *at, char words[BANNER_WORDS][LONGEST_WORD])
{
    int count = 0;
    const unsigned char *p = at->line;
    for (;;) {
        while (p < at->end && ns_is_blank(*p))
            p++;
        if (p == at->end)
            return count;
        const unsigned char *from = p;
        while (p < at->end && !ns_is_blank(*p))
            p++;
        if (count < BANNER_WORDS) {
            size_t length = (size_t)(p - from) < LONGEST_WORD ? (size_t)(p - from) : LONGEST_WORD - 1;
            for (size_t i = 0; i < length; i++)
                words[count][i] = from[i] != '\0' ? (char)from[i] : '?'; /* "real" and a zero byte is not "real" */
            words[count][length] = '\0';
        }
        count++;
    }
}

static ns_status refuse_word(const cursor *at, const char *what, const char *word, const char *wanted, ns_error *err)
{
    char quoted[64];
    const unsigned char *bytes = (const unsigned char *)word;
    return ns_fail_at(err, NS_ERR_SYNTAX, at->path, at->number, 0, "banner: unknown %s %s, wanted %s", what,
                      ns_token_quote(bytes, bytes + strlen(word), quoted), wanted);
}

static ns_status read_banner(const cursor *at, const unsigned char *text, size_t length, ns_market *m, ns_error *err)
{
    static const struct {
        const char *word, *means;
        int values;
    } fields[] = {
        {"real", "real", 1},       {"double", "real", 1},
        {"integer", "integer", 1}, {"unsigned-integer", "integer", 1},
        {"complex", "complex", 2}, {"pattern", "pattern", 0},
    };
    static const char *const symmetries[] = {[NS_GENERAL] = "general",
                                             [NS_SYMMETRIC] = "symmetric",
                                             [NS_SKEW] = "skew-symmetric",
                                             [NS_HERMITIAN] = "hermitian"};
    enum { FIELDS = sizeof fields / sizeof *fields, SYMMETRIES = sizeof symmetries / sizeof *symmetries };
    char words[BANNER_WORDS][LONGEST_WORD] = {""}, quoted[64];
    const int count = split(at, words);
    const char *first = words[0] + (words[0][0] == '%');
    first += first[0] == '%';
    if (words[0][0] != '%' || !same_word(first, "matrixmarket")) {
        const char *foreign = ns_foreign(text, length);
        if (foreign != NULL)
            return ns_fail_at(err, NS_ERR_SYNTAX, at->path, at->number, 0, "%s", foreign);
        return ns_fail_at(err, NS_ERR_SYNTAX, at->path, at->number, 0,
                          "no %%%%MatrixMarket banner: the file begins with %s",
                          ns_token_quote(at->line, at->end, quoted));
    }
    if (count < BANNER_WORDS)
        return ns_fail_at(err, NS_ERR_SYNTAX, at->path, at->number, 0,
                          "banner: %d words, wanted 5: %%%%MatrixMarket, object, format, field, symmetry", count);
    m->vector = same_word(words[1], "vector");
    if (!m->vector && !same_word(words[1], "matrix"))
        return refuse_word(at, "object", words[1], "\"matrix\" or \"vector\"", err);
    m->array = same_word(words[2], "array");
    if (!m->array && !same_word(words[2], "coordinate"))
        return refuse_word(at, "format", words[2], "\"coordinate\" or \"array\"", err);
    m->indices = m->array ? 0 : m->vector ? 1 : 2;
    m->cols = m->vector ? 1 : 0;
    int field = 0, symmetry = 0;
    while (field < FIELDS && !same_word(words[3], fields[field].word))
        field++;
    if (field == FIELDS)
        return refuse_word(at, "field", words[3], "\"real\", \"integer\", \"complex\" or \"pattern\"", err);
    m->field = fields[field].means;
    m->values = fields[field].values;
    while (symmetry < SYMMETRIES && !same_word(words[4], symmetries[symmetry]))
        symmetry++;
    if (symmetry == SYMMETRIES)
        return refuse_word(at, "symmetry", words[4], "\"general\", \"symmetric\", \"skew-symmetric\" or \"hermitian\"",
                           err);
    m->symmetry = (ns_symmetry)symmetry;
    m->mirror = symmetry != NS_GENERAL;
    m->skew = symmetry == NS_SKEW;
    /* combinations of valid words that are meaningless */
    const char *wrong = NULL;
    if (m->values == 0 && m->array)
        wrong = "\"array\" with \"pattern\": an array has values, wanted \"coordinate pattern\"";
    else if (m->values == 0 && m->skew)
        wrong = "\"pattern\" with \"skew-symmetric\": a pattern has no signs, wanted \"symmetric\"";
    else if (m->values == 0 && m->symmetry == NS_HERMITIAN)
        wrong = "\"pattern\" with \"hermitian\": a pattern has no values, wanted \"symmetric\"";
    else if (m->vector && m->mirror)
        wrong = "a vector has no symmetry, wanted \"general\"";
    return wrong == NULL ? NS_OK : ns_fail_at(err, NS_ERR_SYNTAX, at->path, at->number, 0, "banner: %s", wrong);
}

/* Read one whole number of the size line; *p moves past it. */
static ns_status read_size(const cursor *at, const unsigned char **p, const char *what, int64_t *value, ns_error *err)
{
    char quoted[64];
    const unsigned char *from = *p, *q = from;
    bool plain = q < at->end, fits = true;
    for (*value = 0; q < at->end && !ns_is_blank(*q); q++) {
        plain &= ns_is_digit(*q);
        int digit = plain ? *q - '0' : 0;
        fits &= *value <= (INT64_MAX - digit) / 10;
        *value = fits ? 10 * *value + digit : 0;
    }
    *p = q;
    long column = (long)(from - at->line) + 1;
    if (!plain)
        return ns_fail_at(err, NS_ERR_SYNTAX, at->path, at->number, column,
                          "size line: number of %s is %s, wanted a whole number from 0", what,
                          ns_token_quote(from, q, quoted));
    if (!fits)
        return ns_fail_at(err, NS_ERR_RANGE, at->path, at->number, column,
                          "size line: number of %s is %s, more than 63 bits hold", what,
                          ns_token_quote(from, q, quoted));
    return NS_OK;
}

static const unsigned char *skip_blanks(const cursor *at, const unsigned char *p)
{
    while (p < at->end && ns_is_blank(*p))
        p++;
    return p;
}

static ns_status read_sizes(const cursor *at, ns_market *m, ns_error *err)
{
    static const char *const names[] = {"rows", "columns", "entries"};
    int64_t *const places[] = {&m->rows, &m->cols, &m->stored};
    bool used[] = {true, !m->vector, !m->array};
    const unsigned char *p = skip_blanks(at, at->line);
    int wanted = 1 + used[1] + used[2], found = 0;
    for (int i = 0; i < 3; i++)
        if (used[i] && p < at->end) {
            NS_TRY(read_size(at, &p, names[i], places[i], err));
            p = skip_blanks(at, p);
            found++;
        }
    if (found < wanted || p < at->end)
        return ns_fail_at(err, NS_ERR_SYNTAX, at->path, at->number, 0, "size line: %s numbers, wanted %d: rows%s%s",
                          found < wanted ? "too few" : "too many", wanted, m->vector ? "" : ", columns",
                          m->array ? "" : ", entries");
    if (m->mirror && m->rows != m->cols)
        return ns_fail_at(err, NS_ERR_DATA, at->path, at->number, 0,
                          "size line: %lld x %lld, but a symmetric, skew-symmetric or hermitian matrix is square",
                          (long long)m->rows, (long long)m->cols);
    if (!m->array)
        return NS_OK;
    int64_t n = m->rows, height = m->cols, width = n;
    if (m->mirror) { /* n (n + 1) / 2, or n (n - 1) / 2, without intermediate overflow */
        height = m->skew ? n - (n > 0) : n == INT64_MAX ? n : n + 1;
        width = n % 2 == 0 ? n / 2 : n;
        height = n % 2 == 0 ? height : height / 2;
    }
    if (height != 0 && width > INT64_MAX / height)
        return ns_fail_at(err, NS_ERR_RANGE, at->path, at->number, 0,
                          "size line: %lld x %lld values are more than 63 bits count", (long long)m->rows,
                          (long long)m->cols);
    m->stored = width * height;
    return NS_OK;
}

ns_status ns_market_header(ns_lines *lines, unsigned char *text, ns_market *market, ns_market_start *start,
                           ns_error *err)
{
    const ns_stream *stream = &lines->stream;
    cursor at = {.path = stream->path};
    bool banner = false, done = false;
    uint64_t text_read = 0;
    ns_market m = {.array = false};
    ns_market_start s = {.begin = 0};
    const char *words = ns_foreign_binary(stream->head, stream->head_end);
    if (words != NULL)
        return ns_fail_at(err, NS_ERR_SYNTAX, stream->path, 0, 0, "%s", words);
    while (!done) {
        s.read_status = ns_lines_next(lines, text, &s.length, &s.read_error);
        const unsigned char *p = text, *limit = text + s.length;
        while (p < limit && !done) {
            const unsigned char *end = ns_line_end(p);
            at = (cursor){.path = at.path, .line = p, .end = end, .number = at.number + 1};
            if (!banner && at.number == 1 && s.length >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
                at.line += 3; /* byte order mark */
            const unsigned char *first = skip_blanks(&at, at.line);
            if (first < end && !banner) {
                NS_TRY(read_banner(&at, text, s.length, &m, err));
                banner = true;
            } else if (first < end && *first != '%') {
                NS_TRY(read_sizes(&at, &m, err));
                done = true;
            }
            p = ns_line_next(end, limit);
        }
        s.begin = (size_t)(p - text);
        if (!done && s.read_status != NS_OK)
            return ns_fail_at(err, s.read_status, stream->path, at.number + 1, 0, "%s", s.read_error.text);
        text_read += s.length;
        if (!done)
            NS_TRY(ns_lines_check(lines, text_read, 0, err));
        if (!done && lines->ended)
            return ns_fail_at(err, NS_ERR_SYNTAX, stream->path, at.number, 0, "the file ends before the %s",
                              banner ? "size line" : "%%MatrixMarket banner");
    }
    s.line = at.number;
    s.offset = text_read - s.length + s.begin;
    *market = m;
    *start = s;
    return NS_OK;
}
