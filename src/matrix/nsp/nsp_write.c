/* nsp_write.c -- a matrix into an .nsp file */
#include "core/memory.h"
#include "io/whole_file.h"
#include "matrix/nsp/nsp.h"
#include "matrix/nsp/nsp_order.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

enum {
    RAW_TARGET = 1 << 18,
    ROW_MOST = 1 << 28,
    LEVEL = 6
}; /* a block's size fits 32 bits; level 9
                                                                            * takes 7 times as long for 2 % less */

typedef struct nsp_block {
    uint64_t offset, row_before, entries;
    uint32_t packed, raw, crc;
} nsp_block;

typedef struct nsp_writer {
    FILE *file;
    int handle; /* the same */
    const char *path;
    bool triangle;
    size_t name; /* bytes */
    uint64_t offset;
    unsigned char *raw, *packed;
    int64_t raw_used, raw_room, packed_room;
    nsp_block *block;
    int64_t blocks, block_room;
    uint64_t entries;                 /* kept so far */
    int64_t row_before, first_before; /* of the row encoded last */
    nsp_block open;                   /* the block being filled */
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

static void sort(int64_t *col, int64_t count)
{
    for (int64_t i = 1; i < count; i++)
        if (col[i] < col[i - 1]) {
            qsort(col, (size_t)count, sizeof *col, ascending);
            return;
        }
}

static ns_status add_row(void *context, int64_t row, int64_t *col, int64_t count, ns_error *err)
{
    nsp_writer *w = context;
    if (w->raw_used == 0) {
        w->open = (nsp_block){.offset = w->offset, .row_before = (uint64_t)w->row_before};
        w->first_before = 0;
    }
    if (count > ROW_MOST)
        return ns_fail_at(err, NS_ERR_LIMIT, w->path, 0, 0,
                          "row %lld has %lld entries, more than the %d that .nsp takes", (long long)row + 1,
                          (long long)count, (int)ROW_MOST);
    NS_TRY(room(w, NS_VARINT_MOST * (count + 3), err));
    sort(col, count);
    unsigned char *at = w->raw + w->raw_used;
    at = ns_put_varint(at, (uint64_t)(row - w->row_before));
    at = ns_put_varint(at, (uint64_t)count - 1);
    at = ns_put_varint(at, ns_zigzag(col[0] - w->first_before));
    for (int64_t i = 1; i < count; i++)
        at = ns_put_varint(at, (uint64_t)(col[i] - col[i - 1]));
    w->raw_used = at - w->raw;
    w->row_before = row;
    w->first_before = col[0];
    w->open.entries += (uint64_t)count;
    w->entries += (uint64_t)count;
    return w->raw_used >= RAW_TARGET ? end_block(w, err) : NS_OK;
}

/* From the first row again. */
static ns_status begin_rows(void *context, ns_error *err)
{
    nsp_writer *w = context;
    w->raw_used = w->blocks = 0;
    w->entries = 0;
    w->row_before = -1;
    w->offset = NS_NSP_HEADER + w->name;
    if (fseek(w->file, (long)w->offset, SEEK_SET) != 0 || ftruncate(w->handle, (off_t)w->offset) != 0)
        return fail_write(w, err);
    return NS_OK;
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
    w->name = strlen(matrix->info.name);
    uint32_t crc = (uint32_t)crc32(0, (const unsigned char *)matrix->info.name, (uInt)w->name);
    if (fwrite(header, 1, sizeof header, w->file) != sizeof header ||
        fwrite(matrix->info.name, 1, w->name, w->file) != w->name)
        return fail_write(w, err);
    NS_TRY(begin_rows(w, err));
    NS_TRY(ns_rows_in_order(matrix, w->triangle, &w->budget, add_row, begin_rows, w, err));
    NS_TRY(end_block(w, err));
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
                    .handle = whole.handle,
                    .path = path,
                    .triangle = matrix->info.symmetry != NS_GENERAL,
                    .budget = {.limit = max_memory}};
    const ns_status status = ns_whole_file_end(&whole, write_all(&w, matrix, err), err);
    free(w.raw);
    free(w.packed);
    free(w.block);
    return status;
}
