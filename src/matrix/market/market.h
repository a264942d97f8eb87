/* market.h -- Matrix Market files (NIST exchange format, Boisvert, Pozo and Remington, NISTIR 5935, 1996)
 *
 * Accepted beyond the format's definition, because such files exist and are unambiguous:
 *   the words in any case, several blanks or tabs, blanks and blank lines before the banner, one "%" instead of two, a
 *   byte order mark, further words after the banner's five;
 *   the field words "double" (real) and "unsigned-integer" (integer), the object "vector" (n x 1, general);
 *   blank and comment lines between entries; line ends "\n", "\r\n" and a lone "\r", mixed; no end on the last line;
 *   hermitian with real or integer values; entries above the diagonal of a symmetric file (mirrored like those below);
 *   entries on the diagonal of a skew-symmetric coordinate file (counted once); repeated entries (each counts); one
 *   value after each position of a pattern file.
 * Refused: pattern with array, hermitian or skew-symmetric; symmetric files that are not square; indices from 0.
 */
#ifndef NS_MATRIX_MARKET_H
#define NS_MATRIX_MARKET_H

#include <nsmodel/matrix.h>

#include "bytes/lines.h"

typedef struct ns_market {
    bool vector;       /* object "vector": n x 1 */
    bool array;        /* else coordinate */
    bool skew, mirror; /* mirror: entries off the diagonal count twice */
    ns_symmetry symmetry;
    int indices;       /* index numbers per entry: 2, for a coordinate vector 1, for an array 0 */
    int values;        /* value numbers per entry: 0 pattern, 1 real or integer, 2 complex */
    const char *field; /* "real", "complex", ... */
    int64_t rows, cols;
    int64_t stored; /* number of entries given in the header */
    bool portable;  /* avoid instructions that not every processor has; for tests */
} ns_market;

/* The path and header of a matrix read from a Matrix Market file; NULL for any other matrix. */
const char *ns_market_file(const ns_matrix *matrix, ns_market *market);

/* State after the header: the text read last, the part of it that belongs to the entries, and any error after it. */
typedef struct ns_market_start {
    size_t begin, length;  /* of text[] */
    uint64_t offset;       /* of begin in all of the text */
    long line;             /* lines before begin */
    ns_status read_status; /* for the bytes after the text */
    ns_error read_error;
} ns_market_start;

/* Read banner, comments and size line.  text has NS_PIECE_ROOM bytes. */
ns_status ns_market_header(ns_lines *lines, unsigned char *text, ns_market *market, ns_market_start *start,
                           ns_error *err);

/* Read the header of the file at path; member as in ns_stream_open. */
ns_status ns_market_file_header(const char *path, long *member, ns_market *market, ns_error *err);

/* The content of a piece of text.  Line numbers, also of the error, count from the first line of the piece. */
typedef struct ns_market_piece {
    int64_t stored; /* entries before the failure, if any */
    size_t count;   /* after expansion; 0 for arrays, whose positions depend on all preceding values */
    long lines;
    ns_status status;
    ns_error error;
} ns_market_piece;

/* Maximum number of entries (after expansion) in NS_PIECE bytes of text. */
size_t ns_market_piece_room(const ns_market *market);

/* Read whole lines.  entries has space for ns_market_piece_room entries.  Pure: pieces may be read in any order. */
void ns_market_read(const ns_market *market, const char *path, const unsigned char *text, size_t length,
                    ns_entry *entries, ns_market_piece *piece);

/* The line (from 1) of the entry that follows `stored` others; for messages. */
long ns_market_line_of(const unsigned char *text, size_t length, int64_t stored);

enum { NS_MOST_WORKERS = 4, NS_AUTO_WORKERS = -1 };

/* Read every entry of the file at path, whose header has been read as `market` before.  workers: threads that read and
 * parse in addition to the caller's, 0 for none, NS_AUTO_WORKERS for a number that suits the machine; nothing else
 * depends on it. */
ns_status ns_market_scan(const char *path, long *member, const ns_market *market, int workers, ns_entry_fn *receive,
                         void *context, ns_error *err);

/* ---- plain lines in two stages, on processors that support it (market_plain.c) ----------------------------------- */

/* The position of a reader of lines: it reads whole lines, each of which is an entry. */
typedef struct ns_market_run {
    const unsigned char *at, *limit;
    uint64_t rows, cols;
    ns_entry *to;
    int64_t lines;
} ns_market_run;

/* Does this processor support ns_market_plain? */
bool ns_market_has_plain(void);

/* Read lines like ns_plain_line, up to one that it would not accept or whose indices are too large.  values: numbers
 * after the indices, 0 to 2; padded: they may have two blanks before them. */
void ns_market_plain(ns_market_run *run, int values, bool mirror, bool padded);

/* ---- recognising other formats (foreign.c) ----------------------------------------------------------------------- */

/* A sentence about text that does not begin with the banner, for the error message; NULL when nothing is recognised.
 * The first kilobyte or so is enough. */
const char *ns_foreign(const unsigned char *text, size_t length);

/* The same from the file's first bytes alone, for binary formats. */
const char *ns_foreign_binary(const unsigned char *head, size_t length);

#endif
