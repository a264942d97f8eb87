/* slice.c -- lines out of the middle of a file, by MPI-IO
 *
 * A line belongs to the slice in which its first byte is.  Line ends are "\n", "\r\n" and a lone "\r".
 */
#include "mpi/shared_matrix.h"

#include "core/memory.h"

#include <string.h>

static ns_status read_at(const ns_file_slice *s, int64_t at, unsigned char *bytes, int64_t wanted, ns_error *err)
{
    MPI_Status status;
    int got = 0;
    const int fault = MPI_File_read_at(s->file, at, bytes, (int)wanted, MPI_BYTE, &status);
    if (fault == MPI_SUCCESS)
        MPI_Get_count(&status, MPI_BYTE, &got);
    if (fault != MPI_SUCCESS || got != wanted)
        return ns_fail_at(err, NS_ERR_FILE, s->path, 0, 0, "cannot be read at byte %lld", (long long)at);
    return NS_OK;
}

/* The first place of [from, length) that a line begins at, -1 without one.  A "\r" at the very end may be half of
 * "\r\n", unless the file ends there. */
static int64_t line_start(const unsigned char *text, int64_t from, int64_t length, bool last)
{
    for (int64_t i = from > 0 ? from : 1; i < length; i++)
        if (text[i - 1] == '\n' || (text[i - 1] == '\r' && text[i] != '\n'))
            return i;
    return last || (length > 0 && text[length - 1] == '\n') ? length : -1;
}

static ns_status too_long(const ns_file_slice *s, int64_t at, ns_error *err)
{
    return ns_fail_at(err, NS_ERR_LIMIT, s->path, 0, 0, "the line at byte %lld is longer than %d bytes", (long long)at,
                      (int)NS_PIECE);
}

/* Find the first line that begins at `at` or later. */
static ns_status next_start(const ns_file_slice *s, int64_t at, int64_t *start, ns_error *err)
{
    if (at <= s->body || at >= s->size) {
        *start = at <= s->body ? s->body : s->size;
        return NS_OK;
    }
    unsigned char *text = ns_malloc(NS_PIECE_ROOM);
    if (text == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    const int64_t from = at - 1, length = s->size - from < NS_PIECE ? s->size - from : NS_PIECE;
    ns_status status = read_at(s, from, text, length, err);
    if (status == NS_OK) {
        const int64_t found = line_start(text, 1, length, from + length == s->size);
        status = found < 0 ? too_long(s, at, err) : NS_OK;
        *start = from + found;
    }
    ns_free(text);
    return status;
}

static void close_lines(ns_file_slice *s)
{
    if (s->open)
        ns_lines_close(&s->lines);
    s->open = false;
}

ns_status ns_slice_rewind(ns_file_slice *s, int index, int of, ns_error *err)
{
    s->index = index;
    s->of = of;
    if (s->packed) {
        /* Read a packed file from its beginning; its header ends in the middle of the first piece. */
        long member = -1;
        close_lines(s);
        NS_TRY(ns_lines_open(s->path, &member, &s->lines, err));
        s->open = true;
        s->pieces = s->at = s->end = 0;
        s->more = true;
        return NS_OK;
    }
    const int64_t body = s->size - s->body, share = body / of, rest = body % of;
    NS_TRY(next_start(s, s->body + share * index + rest * index / of, &s->at, err));
    NS_TRY(next_start(s, s->body + share * (index + 1) + rest * (index + 1) / of, &s->end, err));
    s->more = s->at < s->end;
    return NS_OK;
}

/* The last line of text[0 .. length) that begins at `most` or before, so that at least one line is before it. */
static int64_t cut(const unsigned char *text, int64_t length, int64_t most, bool last)
{
    for (int64_t i = most < length ? most : length; i > 0; i--)
        if (line_start(text, i, i + 1 < length ? i + 1 : length, last && i == length) == i)
            return i;
    return line_start(text, most, length, last);
}

ns_status ns_slice_next(ns_file_slice *s, unsigned char *text, size_t *length, ns_error *err)
{
    *length = 0;
    if (!s->more)
        return NS_OK;
    if (s->packed) {
        /* Unpack up to the next piece that is this slice's. */
        for (bool mine = false; !mine;) {
            s->at = s->end;
            if (s->pieces == 0) {
                ns_market market;
                ns_market_start start;
                NS_TRY(ns_market_header(&s->lines, text, &market, &start, err));
                *length = start.length - start.begin;
                memmove(text, text + start.begin, *length);
                if (start.read_status != NS_OK) {
                    if (err != NULL)
                        *err = start.read_error;
                    return start.read_status;
                }
            } else {
                NS_TRY(ns_lines_next(&s->lines, text, length, err));
                s->more = *length > 0;
            }
            s->end += (int64_t)*length;
            NS_TRY(ns_lines_check(&s->lines, (uint64_t)s->end, s->market.stored, err));
            mine = !s->more || s->pieces % s->of == s->index;
            s->pieces++;
        }
        memset(text + *length, 0, NS_PIECE_PAD);
        return NS_OK;
    }
    const int64_t rest = s->end - s->at;
    int64_t wanted = rest <= s->piece ? rest : s->piece + 1;
    NS_TRY(read_at(s, s->at, text, wanted, err));
    int64_t kept = rest <= s->piece ? rest : cut(text, wanted, s->piece, false);
    if (kept <= 0) { /* a long line */
        wanted = rest < NS_PIECE ? rest : NS_PIECE;
        NS_TRY(read_at(s, s->at, text, wanted, err));
        kept = line_start(text, 1, wanted, wanted == rest);
    }
    if (kept <= 0)
        return too_long(s, s->at, err);
    s->at += kept;
    s->more = s->at < s->end;
    *length = (size_t)kept;
    if (s->at == s->size && text[kept - 1] != '\n' && text[kept - 1] != '\r')
        text[(*length)++] = '\n';
    memset(text + *length, 0, NS_PIECE_PAD);
    return NS_OK;
}

/* ---- the header -------------------------------------------------------------------------------------------------- */

/* The size line is the first one that is no comment; entries begin behind it. */
static ns_status find_body(ns_file_slice *s, ns_error *err)
{
    unsigned char *text = ns_malloc(NS_PIECE_ROOM);
    ns_status status = text != NULL ? NS_OK : ns_fail(err, NS_ERR_MEMORY, "out of memory");
    int64_t at = 0;
    for (bool found = false; status == NS_OK && !found;) {
        const int64_t length = s->size - at < NS_PIECE ? s->size - at : NS_PIECE;
        status = read_at(s, at, text, length, err);
        int64_t begin = 0, next = 0;
        while (status == NS_OK && !found && (next = line_start(text, begin + 1, length, at + length == s->size)) > 0) {
            /* Is there anything but blanks and a comment? */
            const unsigned char *line = text + begin;
            const unsigned char *const end = text + next;
            while (line < end && (*line == ' ' || *line == '\t' || *line == 0xef || *line == 0xbb || *line == 0xbf))
                line++;
            found = line < end && *line != '%' && *line != '\r' && *line != '\n';
            begin = next;
        }
        if (status == NS_OK && begin == 0)
            status = too_long(s, at, err);
        at += begin;
    }
    s->body = at;
    ns_free(text);
    return status;
}

ns_status ns_slice_open(const char *path, int index, int of, int64_t piece, ns_file_slice *slice, ns_error *err)
{
    ns_file_slice s = {.path = path, .file = MPI_FILE_NULL, .piece = piece};
    MPI_Offset size = 0;
    long member = -1;
    NS_TRY(ns_market_file_header(path, &member, &s.market, err));
    if (s.market.array)
        return ns_fail_at(err, NS_ERR_SYNTAX, path, 0, 0, "an array has an entry everywhere, wanted coordinates");
    if (MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &s.file) != MPI_SUCCESS)
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be opened by MPI-IO");
    unsigned char magic[2] = {0};
    MPI_File_get_size(s.file, &size);
    s.size = size;
    ns_status status = s.size >= 2 ? read_at(&s, 0, magic, 2, err) : NS_OK;
    s.packed = magic[0] == 0x1f && magic[1] == 0x8b; /* cannot be read from the middle */
    if (status == NS_OK && !s.packed)
        status = find_body(&s, err);
    if (status == NS_OK)
        status = ns_slice_rewind(&s, index, of, err);
    if (status == NS_OK)
        *slice = s;
    else
        ns_slice_close(&s);
    return status;
}

void ns_slice_close(ns_file_slice *slice)
{
    close_lines(slice);
    if (slice->file != MPI_FILE_NULL)
        MPI_File_close(&slice->file);
}
