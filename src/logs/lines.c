/* lines.c -- read the lines of a file of any size, or of a pipe: it is opened once and read sequentially
 *
 * At most NS_LOG_LINE_MAX bytes of a line are kept.  A file that contains a NUL byte, or another byte that no text
 * contains, is not a log.
 */
#include "core/memory.h"
#include "log.h"

#include <errno.h>
#include <string.h>

enum { BLOCK = 1 << 16, ROOM = NS_LOG_LINE_MAX + BLOCK };

static bool is_text(unsigned char c)
{
    return (c >= 7 && c <= 13) || c == 27 || (c >= ' ' && c != 127); /* 27: colours of a terminal */
}

/* Read up to `most` more bytes. */
static ns_status refill(ns_log_parser *p, size_t most, ns_error *err)
{
    static const struct {
        const char *begins, *command;
    } packed[] = {{"\x1f\x8b", "zcat"},
                  {"\3757zXZ", "xzcat"},
                  {"\x28\xb5\x2f\xfd", "zstdcat"},
                  {"BZh", "bzcat"},
                  {"PK\3\4", "unzip -p"}};
    ns_log_lines *lines = &p->lines;
    if (lines->from > 0) {
        memmove(lines->buffer, lines->buffer + lines->from, lines->to - lines->from);
        lines->to -= lines->from;
        lines->from = 0;
    }
    const char *fresh = lines->buffer + lines->to, *bad = fresh;
    const bool first = lines->to == 0;
    size_t got = fread(lines->buffer + lines->to, 1, most, lines->file);
    lines->to += got;
    lines->end = got < most;
    if (lines->end && ferror(lines->file))
        return ns_fail_at(err, NS_ERR_FILE, p->path, 0, 0, "cannot be read");
    while (bad < fresh + got && is_text((unsigned char)*bad))
        bad++;
    if (bad == fresh + got)
        return NS_OK;
    if (first && got > 1 && (memcmp(fresh, "\xff\xfe", 2) == 0 || memcmp(fresh, "\xfe\xff", 2) == 0))
        return ns_fail_at(err, NS_ERR_DATA, p->path, 1, 0,
                          "UTF-16 text, as some shells redirect; wanted it in UTF-8 (iconv -f UTF-16 -t UTF-8)");
    for (size_t i = 0; first && i < sizeof packed / sizeof *packed; i++)
        if (got >= strlen(packed[i].begins) && memcmp(fresh, packed[i].begins, strlen(packed[i].begins)) == 0)
            return ns_fail_at(err, NS_ERR_DATA, p->path, 0, 0, "compressed; wanted the text, as <(%s FILE) gives it",
                              packed[i].command);
    long line = p->line + 1;
    for (const char *at = lines->buffer; at < bad; at++)
        line += *at == '\n';
    return ns_fail_at(err, NS_ERR_DATA, p->path, line, 0,
                      "binary data (a byte 0x%02x); wanted the text a benchmark printed",
                      (unsigned)(unsigned char)*bad);
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

ns_status ns_log_each_line(ns_log_parser *p, ns_status (*line)(ns_log_parser *p, void *state, ns_error *err),
                           void *state, ns_error *err)
{
    ns_log_lines *lines = &p->lines;
    for (;;) {
        size_t seen = 0;
        bool too_long = false;
        char *end;
        for (;;) { /* find the end of the next line */
            const size_t size = lines->to - lines->from;
            end = memchr(lines->buffer + lines->from + seen, '\n', size - seen);
            if (end != NULL || lines->end)
                break;
            too_long = too_long || size > NS_LOG_LINE_MAX;
            if (too_long) /* drop the buffered part of the line, and the rest */
                lines->from = lines->to;
            seen = too_long ? 0 : size;
            NS_TRY(refill(p, BLOCK, err));
        }
        if (lines->from == lines->to && !too_long)
            return NS_OK;
        p->line++;
        p->whole = end != NULL && !too_long;
        p->text = lines->buffer + lines->from;
        if (end == NULL)
            end = lines->buffer + lines->to;
        lines->from = end < lines->buffer + lines->to ? (size_t)(end - lines->buffer) + 1 : lines->to;
        if (end > p->text && end[-1] == '\r')
            end--;
        *end = '\0';
        if (too_long) {
            *p->text = '\0';
            NS_TRY(ns_log_warn(p, p->line, err, "a line of more than %d bytes: left out", NS_LOG_LINE_MAX));
        }
        NS_TRY(line(p, state, err));
    }
}
