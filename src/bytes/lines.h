/* lines.h -- a stream cut into pieces of whole lines */
#ifndef NS_MATRIX_LINES_H
#define NS_MATRIX_LINES_H

#include "bytes/stream.h"

enum {
    NS_PIECE = 512 << 10, /* bytes of text in a piece; also the longest line */
    NS_PIECE_PAD = 64,    /* zero bytes after it, so that whole words can be loaded past the end */
    NS_PIECE_ROOM = NS_PIECE + 1 + NS_PIECE_PAD
};

typedef struct ns_lines {
    ns_stream stream;
    unsigned char *carry; /* the beginning of a line whose end has not been read */
    size_t carried;
    bool ended;
} ns_lines;

ns_status ns_lines_open(const char *path, long *member, ns_lines *lines, ns_error *err);

/* Fill text (NS_PIECE_ROOM bytes) with whole lines, each closed by "
 * ", "\r
 * " or a lone "\r"; a last line without an end gets one.  *length = 0 at the end.  On failure *length is the number of
 * bytes in whole lines before it.
 */
ns_status ns_lines_next(ns_lines *lines, unsigned char *text, size_t *length, ns_error *err);

void ns_lines_close(ns_lines *lines);

/* Refuse text with too few entries for its length (a few KB of gzip can contain GB of line ends): allowed are
 * NS_LINES_IDLE bytes of comments and blank lines, and NS_LINES_EACH for each of `found` entries. */
enum { NS_LINES_IDLE = 64 << 20, NS_LINES_EACH = 1 << 10 };
ns_status ns_lines_check(const ns_lines *lines, uint64_t text, int64_t found, ns_error *err);

/* The byte after the content of the line that begins at `at`, and the first byte of the next line. */
const unsigned char *ns_line_end(const unsigned char *at);
const unsigned char *ns_line_next(const unsigned char *end, const unsigned char *limit);

/* A token for a message: the bytes from..to in quotes, cut at 40, unprintable ones as "?". */
const char *ns_token_quote(const unsigned char *from, const unsigned char *to, char buffer[64]);

#endif
