/* nsp_read.c -- an .nsp file: every section is checked against its checksum before use
 *
 * The file is read, not mapped: if another process truncated a mapped file, a signal would end the program.  The index
 * is kept; blocks are read one at a time.
 */
#include "bytes/gunzip.h"
#include "core/memory.h"
#include "matrix/nsp/nsp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { BATCH = 4096, PATCHES = 1024, NAME_MOST = 4096 };

typedef struct nsp_file {
    const unsigned char *bytes; /* the whole file, if it is in memory */
    int handle;                 /* otherwise; or -1 */
    size_t size;
    char *path;
    uint64_t entries, blocks, index;
    unsigned char *blocks_index; /* [blocks] of NS_NSP_INDEX bytes */
    bool triangle;
} nsp_file;

static ns_status damaged(const nsp_file *f, const char *section, ns_error *err)
{
    return ns_fail_at(err, NS_ERR_DATA, f->path, 0, 0, "damaged .nsp file: its %s does not hold together", section);
}

bool ns_is_nsp(const char *path)
{
    unsigned char begin[8];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    bool is = fread(begin, 1, sizeof begin, file) == sizeof begin && memcmp(begin, ns_nsp_magic, sizeof begin) == 0;
    fclose(file);
    return is;
}

/* Read [at, at + size), which lies in the file, or did when it was opened. */
static ns_status read_at(const nsp_file *f, uint64_t at, unsigned char *room, size_t size, ns_error *err)
{
    if (f->bytes != NULL) {
        memcpy(room, f->bytes + at, size);
        return NS_OK;
    }
    while (size > 0) {
        const ssize_t got = pread(f->handle, room, size, (off_t)at);
        if (got == 0)
            return ns_fail_at(err, NS_ERR_FILE, f->path, 0, 0, "the file has become shorter since it was opened");
        if (got < 0 && errno != EINTR)
            return ns_fail_at(err, NS_ERR_FILE, f->path, 0, 0, "cannot be read");
        room += got > 0 ? got : 0;
        at += got > 0 ? (uint64_t)got : 0;
        size -= got > 0 ? (size_t)got : 0;
    }
    return NS_OK;
}

/* ---- scanning ---------------------------------------------------------------------------------------------------- */

typedef struct request {
    const nsp_file *file;
    const ns_matrix_info *info;
    bool mirror;          /* each entry off the diagonal implies its mirror image */
    ns_entry_fn *receive; /* or NULL: patches are received */
    ns_patch_fn *receive_patches;
    void *context;
} request;

typedef struct nsp_scan {
    request r;
    unsigned char *raw, *packed; /* of one block */
    ns_entry batch[BATCH];
    ns_patch patch[PATCHES];
    size_t filled; /* entries in either buffer */
} nsp_scan;

static ns_status flush(nsp_scan *s, ns_error *err)
{
    size_t count = s->filled;
    s->filled = 0;
    if (count == 0)
        return NS_OK;
    return s->r.receive != NULL ? s->r.receive(s->r.context, s->batch, count, err)
                                : s->r.receive_patches(s->r.context, s->patch, count, err);
}

static ns_status scan_block(nsp_scan *s, uint64_t number, ns_error *err)
{
    const nsp_file *f = s->r.file;
    const unsigned char *b = f->blocks_index + number * NS_NSP_INDEX;
    const unsigned char *packed = f->bytes != NULL ? f->bytes + ns_get_le(b, 8) : s->packed;
    const size_t packed_size = (size_t)ns_get_le(b + 24, 4), raw_size = (size_t)ns_get_le(b + 28, 4);
    uint64_t left = ns_get_le(b + 16, 8), step, count, value;
    size_t got = raw_size;
    char section[60];
    snprintf(section, sizeof section, "block %llu", (unsigned long long)number + 1);
    if (f->bytes == NULL)
        NS_TRY(read_at(f, ns_get_le(b, 8), s->packed, packed_size, err));
    if (crc32(0, packed, (uInt)packed_size) != ns_get_le(b + 32, 4))
        return damaged(f, section, err);
    const int code = ns_zlib_unpack(s->raw, &got, packed, packed_size);
    if (code == Z_MEM_ERROR) /* zlib allocates, too: the block is not damaged */
        return ns_no_memory(err);
    if (code != Z_OK || got != raw_size)
        return damaged(f, section, err);
    int64_t row = (int64_t)ns_get_le(b + 8, 8), first = 0;
    if (row < -1 || row >= s->r.info->rows)
        return damaged(f, section, err);
    for (const unsigned char *at = s->raw, *end = s->raw + raw_size; at < end;) { /* a row */
        if (!ns_get_varint(&at, end, &step) || !ns_get_varint(&at, end, &count) || !ns_get_varint(&at, end, &value) ||
            step == 0 || step > (uint64_t)(s->r.info->rows - 1 - row) || count >= left)
            return damaged(f, section, err);
        row += (int64_t)step;
        left -= count + 1;
        uint64_t col = (uint64_t)first + (uint64_t)ns_unzigzag(value);
        first = (int64_t)col;
        const uint64_t limit = f->triangle ? (uint64_t)row + 1 : (uint64_t)s->r.info->cols;
        for (;; count--) { /* a run of columns */
            /* count how many of the next bytes are gaps of 1 */
            const uint64_t bytes = (uint64_t)(end - at), most = count < bytes ? count : bytes;
            uint64_t ones = 0, word;
            for (; ones + sizeof word <= most; ones += sizeof word) {
                memcpy(&word, at + ones, sizeof word);
                if (word != UINT64_C(0x0101010101010101))
                    break;
            }
            while (ones < most && at[ones] == 1)
                ones++;
            if (col >= limit || ones >= limit - col)
                return damaged(f, section, err);
            const int64_t from = (int64_t)col, to = from + (int64_t)ones + 1;
            if (s->r.receive == NULL) {
                const int64_t mirrored = to - from - (to - 1 == row); /* the diagonal can only be the last */
                s->patch[s->filled++] = (ns_patch){row, 1, from, to - from};
                if (s->r.mirror && mirrored > 0)
                    s->patch[s->filled++] = (ns_patch){from, mirrored, row, 1};
                if (s->filled >= PATCHES - 1)
                    NS_TRY(flush(s, err));
            }
            for (int64_t c = from; s->r.receive != NULL && c < to; c++) {
                s->batch[s->filled++] = (ns_entry){row, c};
                if (s->r.mirror && row != c)
                    s->batch[s->filled++] = (ns_entry){c, row};
                if (s->filled >= BATCH - 1)
                    NS_TRY(flush(s, err));
            }
            at += ones;
            count -= ones;
            if (count == 0)
                break;
            if (!ns_get_varint(&at, end, &value) || value > limit)
                return damaged(f, section, err);
            col += ones + value;
        }
    }
    return left == 0 ? NS_OK : damaged(f, section, err);
}

static ns_status scan_all(const request *wanted, ns_error *err)
{
    const nsp_file *f = wanted->file;
    uint64_t raw = 1, packed = 1; /* of the largest block */
    for (uint64_t i = 0; i < f->blocks; i++) {
        const unsigned char *b = f->blocks_index + i * NS_NSP_INDEX;
        packed = ns_get_le(b + 24, 4) > packed ? ns_get_le(b + 24, 4) : packed;
        raw = ns_get_le(b + 28, 4) > raw ? ns_get_le(b + 28, 4) : raw;
    }
    nsp_scan *s = ns_malloc(sizeof *s);
    if (s == NULL)
        return ns_no_memory(err);
    s->r = *wanted;
    s->filled = 0;
    s->raw = ns_malloc(raw);
    s->packed = ns_malloc(f->bytes == NULL ? packed : 1);
    ns_status status = s->raw != NULL && s->packed != NULL ? NS_OK : ns_no_memory(err);
    for (uint64_t i = 0; status == NS_OK && i < f->blocks; i++)
        status = scan_block(s, i, err);
    if (status == NS_OK)
        status = flush(s, err);
    ns_free(s->raw);
    ns_free(s->packed);
    ns_free(s);
    return status;
}

static ns_status scan(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err)
{
    const nsp_file *f = matrix->state;
    return scan_all(&(request){f, &matrix->info, f->triangle, receive, NULL, context}, err);
}

static ns_status scan_half(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err)
{
    return scan_all(&(request){matrix->state, &matrix->info, false, receive, NULL, context}, err);
}

static ns_status scan_patches(ns_matrix *matrix, ns_patch_fn *receive, void *context, ns_error *err)
{
    const nsp_file *f = matrix->state;
    return scan_all(&(request){f, &matrix->info, f->triangle, NULL, receive, context}, err);
}

static void close_file(ns_matrix *matrix)
{
    nsp_file *f = matrix->state;
    if (f->handle >= 0)
        close(f->handle);
    ns_free(f->blocks_index);
    ns_free(f->path);
    ns_free(f);
}

ns_status ns_nsp_open(const char *path, const unsigned char *bytes, size_t size, ns_matrix *matrix, ns_error *err)
{
    static const char surrogate[] = "surrogate: saved from a generated stand-in for ";
    unsigned char h[NS_NSP_HEADER];
    struct stat status;
    nsp_file *f = ns_calloc(1, sizeof *f);
    if (f == NULL)
        return ns_no_memory(err);
    f->handle = -1;
    matrix->state = f;
    matrix->scan = scan;
    matrix->scan_half = scan_half;
    matrix->scan_patches = scan_patches;
    matrix->close = close_file;
    f->path = ns_malloc(strlen(path) + 1);
    if (f->path == NULL)
        return ns_no_memory(err);
    strcpy(f->path, path);
    f->bytes = bytes;
    f->size = size;
    if (bytes == NULL) {
        f->handle = open(path, O_RDONLY | O_CLOEXEC);
        if (f->handle < 0 || fstat(f->handle, &status) != 0)
            return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be opened");
        f->size = (size_t)status.st_size;
    }

    /* header, name and index */
    if (f->size < sizeof h)
        return damaged(f, "header", err);
    NS_TRY(read_at(f, 0, h, sizeof h, err));
    const uint64_t version = ns_get_le(h + 8, 4), flags = ns_get_le(h + 12, 4), rows = ns_get_le(h + 16, 8),
                   cols = ns_get_le(h + 24, 8);
    if (ns_get_le(h + 92, 4) != crc32(0, h, 92))
        return damaged(f, "header", err);
    if (version != NS_NSP_VERSION)
        return ns_fail_at(err, NS_ERR_DATA, f->path, 0, 0, ".nsp version %llu; this program reads version %d",
                          (unsigned long long)version, (int)NS_NSP_VERSION);
    f->entries = ns_get_le(h + 32, 8);
    f->blocks = ns_get_le(h + 40, 8);
    f->index = ns_get_le(h + 48, 8);
    const uint64_t length = ns_get_le(h + 64, 4), sum = ns_get_le(h + 68, 4); /* sum: of the name and the index */
    if (f->size != ns_get_le(h + 56, 8))
        return ns_fail_at(err, NS_ERR_DATA, f->path, 0, 0, "damaged .nsp file: it has %zu bytes, its header says %llu",
                          f->size, (unsigned long long)ns_get_le(h + 56, 8));
    if (rows > INT64_MAX || cols > INT64_MAX || f->entries > INT64_MAX / 2 || (flags & ~UINT64_C(15)) != 0 ||
        length > NAME_MOST || f->index > f->size || f->index < NS_NSP_HEADER + length ||
        f->blocks != (f->size - f->index) / NS_NSP_INDEX || (f->size - f->index) % NS_NSP_INDEX != 0)
        return damaged(f, "header", err);
    f->triangle = (flags & NS_NSP_TRIANGLE) != 0;
    if (f->triangle != ((flags & 3) != NS_GENERAL) || (f->triangle && rows != cols))
        return damaged(f, "header", err);
    matrix->info = (ns_matrix_info){.rows = (int64_t)rows,
                                    .cols = (int64_t)cols,
                                    .stored = (int64_t)f->entries,
                                    .symmetry = (ns_symmetry)(flags & 3),
                                    .source = flags & NS_NSP_SURROGATE ? NS_SURROGATE : NS_FROM_BINARY};

    const size_t index_size = f->size - f->index, note_size = sizeof surrogate + length;
    matrix->strings = ns_calloc(1, ns_size_add(length + 1, note_size));
    f->blocks_index = ns_malloc(ns_size_add(index_size, 1));
    if (matrix->strings == NULL || f->blocks_index == NULL)
        return ns_no_memory(err);
    NS_TRY(read_at(f, NS_NSP_HEADER, (unsigned char *)matrix->strings, (size_t)length, err));
    NS_TRY(read_at(f, f->index, f->blocks_index, index_size, err));
    uLong crc = crc32(0, (const unsigned char *)matrix->strings, (uInt)length);
    uint64_t entries = 0, end = NS_NSP_HEADER + length;
    for (uint64_t i = 0; i < f->blocks; i++) {
        const unsigned char *b = f->blocks_index + i * NS_NSP_INDEX;
        const uint64_t packed = ns_get_le(b + 24, 4), raw = ns_get_le(b + 28, 4);
        crc = crc32(crc, b, NS_NSP_INDEX);
        entries += ns_get_le(b + 16, 8);
        if (ns_get_le(b, 8) != end || packed > f->index - end || raw > packed * NS_NSP_RATIO_MOST)
            return damaged(f, "index", err);
        end += packed;
    }
    if (crc != sum || entries != f->entries || end != f->index)
        return damaged(f, "index", err);

    matrix->info.name = matrix->strings;
    if (matrix->info.source == NS_SURROGATE) { /* a matrix saved from a surrogate stays marked as one */
        char *note = matrix->strings + length + 1;
        memcpy(note, surrogate, sizeof surrogate - 1);
        memcpy(note + sizeof surrogate - 1, matrix->strings, length); /* zeros follow */
        matrix->info.note = note;
        matrix->info.stands_for = matrix->strings;
    }
    return NS_OK;
}
