/* messages_read.c -- read planned messages from a CSV file: src,dst,bytes */
#include "core/context.h"
#include "core/memory.h"
#include "core/sized.h"
#include "core/work.h"
#include "pattern/exchange.h"

#include <nsmodel/quantity.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 256 };
#define MARK "\xef\xbb\xbf" /* of UTF-8, as editors put it before a text */

typedef struct reader {
    const char *path;
    long line;
    ns_planned *message;
    int64_t count, capacity;
    int32_t largest;
    ns_budget budget;
    ns_work work;
} reader;

static ns_status read_part(const reader *r, const char *field, const char *what, long column, int32_t *part,
                           ns_error *err)
{
    char *end;
    errno = 0;
    long value = field != NULL ? strtol(field, &end, 10) : -1;
    if (field == NULL || end == field || *end != '\0' || errno != 0 || value < 0 || value > INT32_MAX - 1)
        return ns_fail_at(err, NS_ERR_SYNTAX, r->path, r->line, column, "%s wants a part number from 0, got \"%.40s\"",
                          what, field != NULL ? field : "");
    *part = (int32_t)value;
    return NS_OK;
}

static ns_status read_bytes(const reader *r, const char *field, long column, int64_t *bytes, ns_error *err)
{
    ns_quantity quantity;
    ns_error inner = {0};
    const ns_dim byte = {0, 1, 0};
    if (field == NULL || ns_quantity_parse(field, &quantity, &inner) != NS_OK)
        return ns_fail_at(err, NS_ERR_SYNTAX, r->path, r->line, column,
                          "bytes wants a size like 4096 or 4KiB, got \"%.40s\"", field != NULL ? field : "");
    if (!ns_dim_equal(quantity.dim, byte) && !ns_dim_equal(quantity.dim, NS_DIMENSIONLESS))
        return ns_fail_at(err, NS_ERR_UNIT, r->path, r->line, column,
                          "bytes wants a size like 4096 or 4KiB, got \"%.40s\"", field);
    if (quantity.value < 1 || quantity.value > 9007199254740992.0 || quantity.value != floor(quantity.value))
        return ns_fail_at(err, NS_ERR_RANGE, r->path, r->line, column,
                          "bytes wants a whole number from 1 to 2^53, got \"%.40s\"", field);
    *bytes = (int64_t)quantity.value;
    return NS_OK;
}

static ns_status check_header(const reader *r, const char *line, ns_error *err)
{
    static const char wanted[] = "src,dst,bytes";
    size_t at = 0;
    for (const char *c = line; *c != '\0'; c++)
        if (strchr(" \t\r\n\"", *c) == NULL && at < sizeof wanted)
            at = (*c | 32) == (wanted[at] | 32) ? at + 1 : sizeof wanted; /* case-insensitive */
    if (at == sizeof wanted - 1)
        return NS_OK;
    const int length = (int)strcspn(line, "\r\n");
    return ns_fail_at(err, NS_ERR_SYNTAX, r->path, r->line, 1, "columns \"%.*s\", wanted %s", length < 40 ? length : 40,
                      line, wanted);
}

/* Skip digits, at most `most` of them, and the closing character; NULL if the text is anything else. */
static const char *read_digits(const char *at, int most, char closing, int64_t *value)
{
    int digits = 0;
    *value = 0;
    for (; *at >= '0' && *at <= '9' && digits < most; at++, digits++)
        *value = 10 * *value + (*at - '0');
    return digits > 0 && *at == closing ? at + 1 : NULL;
}

/* Parse a row of three plain numbers, the usual case; anything else is left to the general parser. */
static bool is_plain(const char *line, ns_planned *m)
{
    int64_t from, to;
    const char *at = read_digits(line, 9, ',', &from);
    at = at != NULL ? read_digits(at, 9, ',', &to) : NULL;
    at = at != NULL ? read_digits(at, 15, '\n', &m->bytes) : NULL;
    if (at == NULL || from == to || m->bytes < 1)
        return false;
    m->from = (int32_t)from;
    m->to = (int32_t)to;
    return true;
}

static ns_status read_fields(const reader *r, char *line, ns_planned *m, ns_error *err)
{
    char *rest = line, *field[3];
    long column[3], end = (long)strcspn(line, "\r\n") + 1;
    for (int i = 0; i < 3; i++) {
        field[i] = rest;
        char *comma = rest != NULL ? strchr(rest, ',') : NULL;
        rest = comma != NULL ? comma + 1 : NULL;
        if (comma != NULL)
            *comma = '\0';
        if (field[i] != NULL) { /* strip the surrounding blanks */
            field[i] += strspn(field[i], " \t");
            for (size_t n = strlen(field[i]); n > 0 && strchr(" \t\r\n", field[i][n - 1]) != NULL; n--)
                field[i][n - 1] = '\0';
        }
        column[i] = field[i] != NULL ? (long)(field[i] - line) + 1 : end;
    }
    if (rest != NULL)
        return ns_fail_at(err, NS_ERR_SYNTAX, r->path, r->line, (long)(rest - line) + 1,
                          "a row is src,dst,bytes: three fields");
    NS_TRY(read_part(r, field[0], "src", column[0], &m->from, err));
    NS_TRY(read_part(r, field[1], "dst", column[1], &m->to, err));
    NS_TRY(read_bytes(r, field[2], column[2], &m->bytes, err));
    return m->from != m->to ? NS_OK
                            : ns_fail_at(err, NS_ERR_RANGE, r->path, r->line, column[1],
                                         "a message from part %d to itself", (int)m->from);
}

static ns_status read_all(reader *r, FILE *file, ns_error *err)
{
    char buffer[LINE_SIZE];
    bool first = true;
    while (fgets(buffer, sizeof buffer, file) != NULL) {
        char *line = buffer + (r->line == 0 && strncmp(buffer, MARK, strlen(MARK)) == 0 ? strlen(MARK) : 0);
        r->line++;
        if (strchr(line, '\n') == NULL && !feof(file))
            return ns_fail_at(err, NS_ERR_SYNTAX, r->path, r->line, LINE_SIZE - 1,
                              "a row is src,dst,bytes; this line is too long or holds a zero byte");
        const char *begin = line + strspn(line, " \t\r\n"), *word = line + strspn(line, " \t\"");
        if (*begin == '\0' || *begin == '#')
            continue;
        /* a first word instead of a number is a header: its order must be checked, as other orders would be misread */
        const bool header = first && ((*word >= 'a' && *word <= 'z') || (*word >= 'A' && *word <= 'Z'));
        first = false;
        if (header) {
            NS_TRY(check_header(r, line, err));
            continue;
        }
        ns_planned m;
        if (!is_plain(line, &m))
            NS_TRY(read_fields(r, line, &m, err));
        r->work.entries++;
        NS_TRY(ns_context_tick(8, err)); /* parsing a line takes some hundred nanoseconds */
        NS_TRY(ns_work_check(&r->work, err));
        NS_TRY(ns_grow(&r->message, &r->capacity, r->count + 1, sizeof *r->message, &r->budget, err));
        r->message[r->count++] = m;
        r->largest = m.from > r->largest ? m.from : r->largest;
        r->largest = m.to > r->largest ? m.to : r->largest;
    }
    if (ferror(file))
        return ns_fail_at(err, NS_ERR_FILE, r->path, 0, 0, "cannot be read (is it a directory?)");
    if (r->count == 0)
        return ns_fail_at(err, NS_ERR_DATA, r->path, 0, 0, "holds no messages; rows are src,dst,bytes");
    return NS_OK;
}

ns_status ns_messages_read(const char *path, ns_planned **message, size_t *messages, int32_t *parts, ns_error *err)
{
    ns_error_clear(err);
    const ns_limits none = {0};
    return ns_messages_read_within(path, &none, message, messages, parts, err);
}

ns_status ns_messages_read_within(const char *path, const ns_limits *limits, ns_planned **message, size_t *messages,
                                  int32_t *parts, ns_error *err)
{
    ns_error_clear(err);
    ns_limits given;
    NS_TRY(ns_limits_take(limits, &given, err));
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, errno == ENOENT ? "no such file" : "cannot be opened");
    reader r = {.path = path, .budget = {.limit = given.max_memory}, .work = {.limit = given.max_work}};
    ns_status status = read_all(&r, file, err);
    fclose(file);
    if (status != NS_OK) {
        ns_free(r.message);
        return status;
    }
    *message = r.message;
    *messages = (size_t)r.count;
    *parts = r.largest + 1;
    return NS_OK;
}
