/* lines.c -- the lines of a file of any size
 *
 * At most NS_LOG_LINE_MAX bytes of a line are kept; a file with a NUL byte or with many control characters is not a
 * log.
 */
#include "log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 16, ROOM = NS_LOG_LINE_MAX + BLOCK };

/* The first byte that no text has, or NULL. */
static const char *garbage(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == 0 || (c < 8 && c != 7) || (c > 13 && c < 27) || c == 127)
            return text + i;
    }
    return NULL;
}

static ns_status refill(ns_log_lines *lines, const char *path, ns_error *err)
{
    if (lines->from > 0) {
        memmove(lines->buffer, lines->buffer + lines->from, lines->to - lines->from);
        lines->to -= lines->from;
        lines->from = 0;
    }
    size_t got = fread(lines->buffer + lines->to, 1, BLOCK, lines->file);
    if (got < BLOCK) {
        if (ferror(lines->file))
            return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be read");
        lines->end = true;
    }
    if (garbage(lines->buffer + lines->to, got) != NULL)
        return ns_fail_at(err, NS_ERR_DATA, path, 0, 0, "binary data; wanted the text a benchmark printed");
    lines->to += got;
    return NS_OK;
}

ns_status ns_log_open(const char *path, ns_log_lines *lines, ns_error *err)
{
    *lines = (ns_log_lines){.file = fopen(path, "rb")};
    if (lines->file == NULL)
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, errno == ENOENT ? "no such file" : "cannot be opened");
    lines->buffer = malloc(ROOM + 1);
    if (lines->buffer == NULL) {
        ns_log_close(lines);
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    }
    return NS_OK;
}

void ns_log_close(ns_log_lines *lines)
{
    if (lines->file != NULL)
        (void)fclose(lines->file);
    free(lines->buffer);
    *lines = (ns_log_lines){.end = true};
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
        NS_TRY(refill(lines, p->path, err));
    }
}

static ns_status long_line(ns_log_parser *p, ns_error *err)
{
    p->cut = true;
    p->whole = false;
    NS_TRY(ns_log_warn(p, p->line, err, "a line of more than %d bytes: left out", NS_LOG_LINE_MAX));
    NS_TRY(skip_rest(p, err));
    p->text = p->lines.buffer + ROOM;
    *p->text = '\0';
    return NS_OK;
}

ns_status ns_log_next(ns_log_parser *p, bool *more, ns_error *err)
{
    ns_log_lines *lines = &p->lines;
    size_t seen = 0;
    char *end;
    p->cut = false;
    for (;;) {
        size_t size = lines->to - lines->from;
        end = memchr(lines->buffer + lines->from + seen, '\n', size - seen);
        if (end != NULL || lines->end)
            break;
        if (size > NS_LOG_LINE_MAX) {
            p->line++;
            *more = true;
            return long_line(p, err);
        }
        seen = size;
        NS_TRY(refill(lines, p->path, err));
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
