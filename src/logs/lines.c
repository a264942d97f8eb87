/* lines.c -- the lines of a file of any size, or of a pipe: it is opened once and read from its beginning to its end
 *
 * At most NS_LOG_LINE_MAX bytes of a line are kept; a file with a NUL byte or another that no text has is not a log.
 */
#include "core/memory.h"
#include "log.h"

#include <errno.h>
#include <string.h>

enum { BLOCK = 1 << 16, ROOM = NS_LOG_LINE_MAX + BLOCK };

static bool is_utf16(const char *text, size_t size)
{
    return size > 1 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0);
}

/* What unpacks a compressed file to its text, by the file's first bytes; NULL: it is not compressed. */
static const char *unpacker(const char *text, size_t size)
{
    static const struct {
        const char *begins, *command;
    } packed[] = {{"\x1f\x8b", "zcat"},
                  {"\3757zXZ", "xzcat"},
                  {"\x28\xb5\x2f\xfd", "zstdcat"},
                  {"BZh", "bzcat"},
                  {"PK\3\4", "unzip -p"}};
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (size >= strlen(packed[i].begins) && memcmp(text, packed[i].begins, strlen(packed[i].begins)) == 0)
            return packed[i].command;
    return NULL;
}

/* The first byte that no text has, or NULL. */
static const char *garbage(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < 7 || (c > 13 && c < ' ' && c != 27) || c == 127) /* 27: colours of a terminal */
            return text + i;
    }
    return NULL;
}

/* Which line a byte of the buffer is on. */
static long line_of(const ns_log_parser *p, const char *byte)
{
    long line = p->line + 1;
    for (const char *at = p->lines.buffer + p->lines.from; at < byte; at++)
        line += *at == '\n';
    return line;
}

static ns_status binary(const ns_log_parser *p, const char *bad, size_t got, ns_error *err)
{
    const ns_log_lines *lines = &p->lines;
    const char *fresh = lines->buffer + lines->to - got, *unpack = lines->to == got ? unpacker(fresh, got) : NULL;
    if (lines->to == got && is_utf16(fresh, got))
        return ns_fail_at(err, NS_ERR_DATA, p->path, 1, 0,
                          "UTF-16 text, as some shells redirect; wanted it in UTF-8 (iconv -f UTF-16 -t UTF-8)");
    if (unpack != NULL)
        return ns_fail_at(err, NS_ERR_DATA, p->path, 0, 0, "compressed; wanted the text, as <(%s FILE) gives it",
                          unpack);
    return ns_fail_at(err, NS_ERR_DATA, p->path, line_of(p, bad), 0,
                      "binary data (a byte 0x%02x); wanted the text a benchmark printed",
                      (unsigned)(unsigned char)*bad);
}

/* Up to `most` bytes more. */
static ns_status refill(ns_log_parser *p, size_t most, ns_error *err)
{
    ns_log_lines *lines = &p->lines;
    if (lines->from > 0) {
        memmove(lines->buffer, lines->buffer + lines->from, lines->to - lines->from);
        lines->to -= lines->from;
        lines->from = 0;
    }
    char *fresh = lines->buffer + lines->to;
    size_t got = fread(fresh, 1, most, lines->file);
    lines->to += got;
    lines->end = got < most;
    if (lines->end && ferror(lines->file))
        return ns_fail_at(err, NS_ERR_FILE, p->path, 0, 0, "cannot be read");
    const char *bad = garbage(fresh, got);
    return bad == NULL ? NS_OK : binary(p, bad, got, err);
}

ns_status ns_log_open(ns_log_parser *p, ns_error *err)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8, as editors put it before a text */
    ns_log_lines *lines = &p->lines;
    *lines = (ns_log_lines){.file = fopen(p->path, "rb")};
    if (lines->file == NULL)
        return ns_fail_at(err, NS_ERR_FILE, p->path, 0, 0, errno == ENOENT ? "no such file" : "cannot be opened");
    lines->buffer = ns_malloc(ROOM + 1);
    if (lines->buffer == NULL)
        return ns_no_memory(err);
    NS_TRY(refill(p, NS_LOG_HEAD, err));
    lines->buffer[lines->to] = '\0';
    if (strncmp(lines->buffer, mark, strlen(mark)) == 0)
        lines->from = strlen(mark);
    return lines->from < lines->to ? NS_OK : ns_fail_at(err, NS_ERR_DATA, p->path, 0, 0, "an empty file");
}

void ns_log_close(ns_log_parser *p)
{
    if (p->lines.file != NULL)
        (void)fclose(p->lines.file);
    ns_free(p->lines.buffer);
    p->lines = (ns_log_lines){.end = true};
}

/* Drop the rest of a line that is too long. */
static ns_status skip_rest(ns_log_parser *p, ns_error *err)
{
    ns_log_lines *lines = &p->lines;
    for (;;) {
        const char *end = memchr(lines->buffer + lines->from, '\n', lines->to - lines->from);
        if (end != NULL) {
            lines->from = (size_t)(end - lines->buffer) + 1;
            return NS_OK;
        }
        lines->from = lines->to;
        if (lines->end)
            return NS_OK;
        NS_TRY(refill(p, BLOCK, err));
    }
}

static ns_status long_line(ns_log_parser *p, ns_error *err)
{
    p->whole = false;
    NS_TRY(skip_rest(p, err));
    p->line++;
    NS_TRY(ns_log_warn(p, p->line, err, "a line of more than %d bytes: left out", NS_LOG_LINE_MAX));
    p->text = p->lines.buffer + ROOM;
    *p->text = '\0';
    return NS_OK;
}

ns_status ns_log_next(ns_log_parser *p, bool *more, ns_error *err)
{
    ns_log_lines *lines = &p->lines;
    size_t seen = 0;
    char *end;
    for (;;) {
        size_t size = lines->to - lines->from;
        end = memchr(lines->buffer + lines->from + seen, '\n', size - seen);
        if (end != NULL || lines->end)
            break;
        if (size > NS_LOG_LINE_MAX) {
            NS_TRY(long_line(p, err));
            *more = true;
            return NS_OK;
        }
        seen = size;
        NS_TRY(refill(p, BLOCK, err));
    }
    *more = lines->from < lines->to;
    if (!*more)
        return NS_OK;
    p->line++;
    p->whole = end != NULL;
    if (end == NULL)
        end = lines->buffer + lines->to;
    p->text = lines->buffer + lines->from;
    lines->from = (size_t)(end - lines->buffer) + (p->whole ? 1 : 0);
    if (end > p->text && end[-1] == '\r')
        end--;
    *end = '\0';
    return NS_OK;
}
