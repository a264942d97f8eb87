/* nsp_write.c -- a matrix into an .nsp file
 *
 * Entries that come row by row stream through; others are first filed by row (4 bytes an entry and 8 a row).
 */
#include "core/memory.h"
#include "io/whole_file.h"
#include "matrix/nsp/nsp.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

enum { RAW_TARGET = 1 << 18, ROW_MOST = 1 << 28, LEVEL = 9 }; /* a block's size fits 32 bits */

typedef struct nsp_block {
    uint64_t offset, row_before, entries;
    uint32_t packed, raw, crc;
} nsp_block;

typedef struct nsp_writer {
    FILE *file;
    const char *path;
    bool triangle;
    uint64_t offset;
    unsigned char *raw, *packed;
    int64_t raw_used, raw_room, packed_room;
    nsp_block *block;
    int64_t blocks, block_room;
    uint64_t entries;                 /* kept so far */
    int64_t row_before, first_before; /* of the row encoded last */
    nsp_block open;                   /* the block being filled */
    int64_t *cols;                    /* of the row that is coming in */
    int64_t row, col_count, col_room;
    ns_budget budget;
} nsp_writer;

static ns_status fail_write(const nsp_writer *w, ns_error *err)
{
    return ns_fail_at(err, NS_ERR_FILE, w->path, 0, 0, "could not be written (is the disk full?)");
}

static ns_status room(nsp_writer *w, int64_t bytes, ns_error *err)
{
    void *memory = w->raw;
    NS_TRY(ns_grow(&memory, &w->raw_room, ns_count_add(w->raw_used, bytes), 1, &w->budget, err));
    w->raw = memory;
    return NS_OK;
}

static void put_varint(nsp_writer *w, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        w->raw[w->raw_used++] = (unsigned char)(value | 0x80);
    w->raw[w->raw_used++] = (unsigned char)value;
}

static uint64_t zigzag(int64_t value)
{
    const uint64_t twice = (uint64_t)value << 1;
    return value < 0 ? ~twice : twice;
}

static ns_status end_block(nsp_writer *w, ns_error *err)
{
    if (w->raw_used == 0)
        return NS_OK;
    uLongf size = compressBound((uLong)w->raw_used);
    void *memory = w->packed;
    NS_TRY(ns_grow(&memory, &w->packed_room, (int64_t)size, 1, &w->budget, err));
    w->packed = memory;
    if (compress2(w->packed, &size, w->raw, (uLong)w->raw_used, LEVEL) != Z_OK)
        return ns_no_memory(err);
    if (fwrite(w->packed, 1, size, w->file) != size)
        return fail_write(w, err);
    memory = w->block;
    NS_TRY(ns_grow(&memory, &w->block_room, w->blocks + 1, sizeof *w->block, &w->budget, err));
    w->block = memory;
    w->open.packed = (uint32_t)size;
    w->open.raw = (uint32_t)w->raw_used;
    w->open.crc = (uint32_t)crc32(0, w->packed, (uInt)size);
    w->block[w->blocks++] = w->open;
    w->offset += size;
    w->raw_used = 0;
    return NS_OK;
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Encode the row that has come in. */
static ns_status end_row(nsp_writer *w, ns_error *err)
{
    if (w->col_count == 0)
        return NS_OK;
    qsort(w->cols, (size_t)w->col_count, sizeof *w->cols, ascending);
    if (w->raw_used == 0) {
        w->open = (nsp_block){.offset = w->offset, .row_before = (uint64_t)w->row_before};
        w->first_before = 0;
    }
    if (w->col_count > ROW_MOST)
        return ns_fail_at(err, NS_ERR_LIMIT, w->path, 0, 0,
                          "row %lld has %lld entries, more than the %d that .nsp takes", (long long)w->row + 1,
                          (long long)w->col_count, (int)ROW_MOST);
    NS_TRY(room(w, 10 * (w->col_count + 3), err));
    put_varint(w, (uint64_t)(w->row - w->row_before));
    put_varint(w, (uint64_t)w->col_count - 1);
    put_varint(w, zigzag(w->cols[0] - w->first_before));
    for (int64_t i = 1; i < w->col_count; i++)
        put_varint(w, (uint64_t)(w->cols[i] - w->cols[i - 1]));
    w->row_before = w->row;
    w->first_before = w->cols[0];
    w->open.entries += (uint64_t)w->col_count;
    w->entries += (uint64_t)w->col_count;
    w->col_count = 0;
    return w->raw_used >= RAW_TARGET ? end_block(w, err) : NS_OK;
}

static ns_status add(nsp_writer *w, int64_t row, int64_t col, ns_error *err)
{
    if (row != w->row)
        NS_TRY(end_row(w, err));
    w->row = row;
    void *memory = w->cols;
    NS_TRY(ns_grow(&memory, &w->col_room, w->col_count + 1, sizeof *w->cols, &w->budget, err));
    w->cols = memory;
    w->cols[w->col_count++] = col;
    return NS_OK;
}

static ns_status stream(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    nsp_writer *w = context;
    for (size_t i = 0; i < count; i++)
        if (!w->triangle || entries[i].col <= entries[i].row)
            NS_TRY(add(w, entries[i].row, entries[i].col, err));
    return NS_OK;
}

/* ---- entries in any order: filed by row first -------------------------------------------------------------------- */

typedef struct filing {
    bool triangle, ordered;
    int64_t last_row, kept, rows;
    int64_t *start; /* [rows + 1] counts, then places; NULL while only the order is looked at */
    int64_t *pair;  /* [2 kept] row, col: for far more rows than entries */
    uint64_t *col;
    int64_t filled;
} filing;

static ns_status look(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    filing *f = context;
    (void)err;
    for (size_t i = 0; i < count; i++) {
        if (f->triangle && entries[i].col > entries[i].row)
            continue;
        f->ordered = f->ordered && entries[i].row >= f->last_row;
        f->last_row = entries[i].row;
        f->kept++;
    }
    return NS_OK;
}

static ns_status count_rows(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    filing *f = context;
    (void)err;
    for (size_t i = 0; i < count; i++)
        if (!f->triangle || entries[i].col <= entries[i].row)
            f->start[entries[i].row + 1]++;
    return NS_OK;
}

static ns_status file_entries(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    filing *f = context;
    for (size_t i = 0; i < count; i++) {
        if (f->triangle && entries[i].col > entries[i].row)
            continue;
        if (f->filled++ == f->kept)
            return ns_fail(err, NS_ERR_DATA, "the matrix changed between two reads");
        if (f->pair != NULL) {
            f->pair[2 * (f->filled - 1)] = entries[i].row;
            f->pair[2 * (f->filled - 1) + 1] = entries[i].col;
        } else {
            f->col[f->start[entries[i].row]++] = (uint64_t)entries[i].col;
        }
    }
    return NS_OK;
}

static ns_status write_pairs(nsp_writer *w, ns_matrix *matrix, filing *f, ns_error *err)
{
    void *memory;
    NS_TRY(ns_take(&memory, f->kept, 2 * sizeof *f->pair, &w->budget, err));
    f->pair = memory;
    NS_TRY(ns_matrix_scan(matrix, file_entries, f, err));
    qsort(f->pair, (size_t)f->filled, 2 * sizeof *f->pair, ascending);
    for (int64_t i = 0; i < f->filled; i++)
        NS_TRY(add(w, f->pair[2 * i], f->pair[2 * i + 1], err));
    return NS_OK;
}

static ns_status write_filed(nsp_writer *w, ns_matrix *matrix, filing *f, ns_error *err)
{
    void *memory;
    NS_TRY(ns_take(&memory, ns_count_add(f->rows, 1), sizeof *f->start, &w->budget, err));
    f->start = memory;
    NS_TRY(ns_take(&memory, f->kept, sizeof *f->col, &w->budget, err));
    f->col = memory;
    NS_TRY(ns_matrix_scan(matrix, count_rows, f, err));
    for (int64_t i = 0; i < f->rows; i++)
        f->start[i + 1] += f->start[i];
    NS_TRY(ns_matrix_scan(matrix, file_entries, f, err));
    for (int64_t i = 0, at = 0; i < f->rows; i++) /* start[i] has moved to the end of row i */
        for (; at < f->start[i]; at++)
            NS_TRY(add(w, i, (int64_t)f->col[at], err));
    return NS_OK;
}

static ns_status write_entries(nsp_writer *w, ns_matrix *matrix, ns_error *err)
{
    filing f = {.triangle = w->triangle, .ordered = true, .rows = matrix->info.rows};
    NS_TRY(ns_matrix_scan(matrix, look, &f, err));
    ns_status status;
    if (f.ordered)
        status = ns_matrix_scan(matrix, stream, w, err);
    else if (f.rows / 16 > f.kept)
        status = write_pairs(w, matrix, &f, err);
    else
        status = write_filed(w, matrix, &f, err);
    free(f.start);
    free(f.pair);
    free(f.col);
    if (status == NS_OK)
        status = end_row(w, err);
    return status == NS_OK ? end_block(w, err) : status;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static ns_status write_index(nsp_writer *w, uint32_t *crc, ns_error *err)
{
    for (int64_t i = 0; i < w->blocks; i++) {
        unsigned char bytes[NS_NSP_INDEX] = {0};
        const nsp_block *b = &w->block[i];
        ns_put_le(bytes, b->offset, 8);
        ns_put_le(bytes + 8, b->row_before, 8);
        ns_put_le(bytes + 16, b->entries, 8);
        ns_put_le(bytes + 24, b->packed, 4);
        ns_put_le(bytes + 28, b->raw, 4);
        ns_put_le(bytes + 32, b->crc, 4);
        *crc = (uint32_t)crc32(*crc, bytes, sizeof bytes);
        if (fwrite(bytes, 1, sizeof bytes, w->file) != sizeof bytes)
            return fail_write(w, err);
    }
    return NS_OK;
}

static void make_header(const nsp_writer *w, const ns_matrix_info *info, uint32_t crc, unsigned char *header)
{
    memcpy(header, ns_nsp_magic, sizeof ns_nsp_magic);
    ns_put_le(header + 8, NS_NSP_VERSION, 4);
    ns_put_le(header + 12,
              (uint64_t)info->symmetry | (w->triangle ? NS_NSP_TRIANGLE : 0) |
                  (info->source == NS_SURROGATE ? NS_NSP_SURROGATE : 0),
              4);
    ns_put_le(header + 16, (uint64_t)info->rows, 8);
    ns_put_le(header + 24, (uint64_t)info->cols, 8);
    ns_put_le(header + 32, w->entries, 8);
    ns_put_le(header + 40, (uint64_t)w->blocks, 8);
    ns_put_le(header + 48, w->offset, 8);
    ns_put_le(header + 56, w->offset + (uint64_t)w->blocks * NS_NSP_INDEX, 8);
    ns_put_le(header + 64, strlen(info->name), 4);
    ns_put_le(header + 68, crc, 4);
    ns_put_le(header + 92, crc32(0, header, 92), 4);
}

static ns_status write_all(nsp_writer *w, ns_matrix *matrix, ns_error *err)
{
    unsigned char header[NS_NSP_HEADER] = {0};
    size_t name = strlen(matrix->info.name);
    uint32_t crc = (uint32_t)crc32(0, (const unsigned char *)matrix->info.name, (uInt)name);
    if (fwrite(header, 1, sizeof header, w->file) != sizeof header ||
        fwrite(matrix->info.name, 1, name, w->file) != name)
        return fail_write(w, err);
    w->offset = NS_NSP_HEADER + name;
    NS_TRY(write_entries(w, matrix, err));
    NS_TRY(write_index(w, &crc, err));
    make_header(w, &matrix->info, crc, header);
    if (fseek(w->file, 0, SEEK_SET) != 0 || fwrite(header, 1, sizeof header, w->file) != sizeof header)
        return fail_write(w, err);
    return NS_OK;
}

ns_status ns_matrix_save(ns_matrix *matrix, const char *path, int64_t max_memory, ns_error *err)
{
    ns_whole_file whole;
    NS_TRY(ns_whole_file_begin(path, NS_FOR_ALL, &whole, err));
    nsp_writer w = {.file = whole.file,
                    .path = path,
                    .triangle = matrix->info.symmetry != NS_GENERAL,
                    .row_before = -1,
                    .row = -1,
                    .budget = {.limit = max_memory}};
    const ns_status status = ns_whole_file_end(&whole, write_all(&w, matrix, err), err);
    free(w.raw);
    free(w.packed);
    free(w.block);
    free(w.cols);
    return status;
}
