/* lines.c -- a stream cut into pieces of whole lines
 *
 * The bounds of pieces do not depend on how the data arrives, so results computed piece by piece do not either.
 */
#include "bytes/lines.h"

#include "core/memory.h"

#include <stdio.h>
#include <string.h>

ns_status ns_lines_open(const char *path, long *member, ns_lines *lines, ns_error *err)
{
    unsigned char *carry = ns_malloc(NS_PIECE);
    if (carry == NULL)
        return ns_fail_at(err, NS_ERR_MEMORY, path, 0, 0, "not enough memory to read");
    ns_stream stream;
    ns_status status = ns_stream_open(path, member, &stream, err);
    if (status == NS_OK)
        *lines = (ns_lines){.stream = stream, .carry = carry};
    else
        ns_free(carry);
    return status;
}

ns_status ns_lines_next(ns_lines *lines, unsigned char *text, size_t *length, ns_error *err)
{
    size_t got = 0, have = lines->carried, whole;
    ns_status status = NS_OK;
    memcpy(text, lines->carry, have);
    lines->carried = 0;
    if (!lines->ended)
        status = ns_stream_read(&lines->stream, text + have, NS_PIECE - have, &got, err);
    lines->ended |= status == NS_OK && got < NS_PIECE - have;
    have += got;
    whole = have;
    if (lines->ended) {
        if (have > 0 && text[have - 1] != '\n' && text[have - 1] != '\r')
            text[whole++] = '\n';
    } else {
        /* a "\r" as the very last byte may be half of "\r
         * ": keep it
         */
        while (whole > 0 && text[whole - 1] != '\n' && (text[whole - 1] != '\r' || whole == have))
            whole--;
        if (status == NS_OK && whole == 0)
            status = ns_fail_at(err, NS_ERR_SYNTAX, lines->stream.path, 0, 0, "a line longer than %d bytes", NS_PIECE);
        if (status == NS_OK) {
            lines->carried = have - whole;
            memcpy(lines->carry, text + whole, lines->carried);
        }
    }
    memset(text + whole, 0, NS_PIECE_PAD);
    *length = whole;
    return status;
}

ns_status ns_lines_check(const ns_lines *lines, uint64_t text, int64_t found, ns_error *err)
{
    if ((double)text <= NS_LINES_IDLE + NS_LINES_EACH * (double)found)
        return NS_OK;
    return ns_fail_at(err, NS_ERR_LIMIT, lines->stream.path, 0, 0,
                      "%llu B of text for %lld entries: more than %d B of blank lines and comments are not read on",
                      (unsigned long long)text, (long long)found, (int)NS_LINES_IDLE);
}

void ns_lines_close(ns_lines *lines)
{
    ns_stream_close(&lines->stream);
    ns_free(lines->carry);
    *lines = (ns_lines){.carry = NULL};
}

const unsigned char *ns_line_end(const unsigned char *at)
{
    while (*at != '\n' && *at != '\r')
        at++;
    return at;
}

const unsigned char *ns_line_next(const unsigned char *end, const unsigned char *limit)
{
    return end + (end[0] == '\r' && end + 1 < limit && end[1] == '\n' ? 2 : 1);
}

const char *ns_token_quote(const unsigned char *from, const unsigned char *to, char buffer[64])
{
    enum { LONGEST = 40 };
    size_t length = (size_t)(to - from), used = 1;
    buffer[0] = '"';
    for (size_t i = 0; i < length && i < LONGEST; i++)
        buffer[used++] = (char)(from[i] >= 0x20 && from[i] < 0x7f ? from[i] : '?');
    snprintf(buffer + used, 64 - used, "%s\"", length > LONGEST ? "..." : "");
    return buffer;
}
