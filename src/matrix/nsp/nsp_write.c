/* nsp_write.c -- a matrix into an .nsp file */
#include "bytes/packed.h"
#include "core/memory.h"
#include "io/whole_file.h"
#include "matrix/nsp/nsp_order.h"
#include "matrix/nsp/nsp_pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

/* A block's size fits 32 bits; level 9 takes 7 times as long for 2 % less. */
enum { RAW_TARGET = 1 << 18, ROW_MOST = 1 << 28, LEVEL = 6 };

typedef struct nsp_writer {
    FILE *file;
    int handle; /* the same */
    const char *path;
    int64_t first_row; /* of the matrix that this one is a part of */
    uint64_t begin, offset;
    unsigned char *raw, *packed;
    int64_t raw_used, raw_room, packed_room;
    ns_nsp_block *block;
    int64_t blocks, block_room;
    uint64_t entries;                 /* kept so far */
    int64_t row_before, first_before; /* of the row encoded last */
    ns_nsp_block open;                /* the block being filled */
    ns_budget budget;
} nsp_writer;

static ns_status fail_write(const char *path, ns_error *err)
{
    return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "could not be written (is the disk full?)");
}

static ns_status end_block(nsp_writer *w, ns_error *err)
{
    if (w->raw_used == 0)
        return NS_OK;
    size_t size = compressBound((uLong)w->raw_used);
    void *memory = w->packed;
    NS_TRY(ns_grow(&memory, &w->packed_room, (int64_t)size, 1, &w->budget, err));
    w->packed = memory;
    if (ns_zlib_pack(w->packed, &size, w->raw, (size_t)w->raw_used, LEVEL) != Z_OK)
        return ns_no_memory(err);
    if (fwrite(w->packed, 1, size, w->file) != size)
        return fail_write(w->path, err);
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

static ns_status add_row(void *context, int64_t row_here, int64_t *col, int64_t count, ns_error *err)
{
    nsp_writer *w = context;
    const int64_t row = w->first_row + row_here;
    if (w->raw_used == 0) {
        w->open = (ns_nsp_block){.offset = w->offset, .row_before = (uint64_t)w->row_before};
        w->first_before = 0;
    }
    if (count > ROW_MOST)
        return ns_fail_at(err, NS_ERR_LIMIT, w->path, 0, 0,
                          "row %lld has %lld entries, more than the %d that .nsp takes", (long long)row + 1,
                          (long long)count, (int)ROW_MOST);
    void *memory = w->raw;
    NS_TRY(ns_grow(&memory, &w->raw_room, ns_count_add(w->raw_used, NS_VARINT_MOST * (count + 3)), 1, &w->budget, err));
    w->raw = memory;
    int64_t sorted = 1;
    while (sorted < count && col[sorted] >= col[sorted - 1])
        sorted++;
    if (sorted < count)
        qsort(col, (size_t)count, sizeof *col, ascending);
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
    w->row_before = w->first_row - 1;
    w->offset = w->begin;
    if (fseek(w->file, (long)w->offset, SEEK_SET) != 0 || ftruncate(w->handle, (off_t)w->offset) != 0)
        return fail_write(w->path, err);
    return NS_OK;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

void ns_nsp_index(const ns_nsp_block *block, uint64_t moved, unsigned char bytes[NS_NSP_INDEX])
{
    memset(bytes, 0, NS_NSP_INDEX);
    ns_put_le(bytes, block->offset + moved, 8);
    ns_put_le(bytes + 8, block->row_before, 8);
    ns_put_le(bytes + 16, block->entries, 8);
    ns_put_le(bytes + 24, block->packed, 4);
    ns_put_le(bytes + 28, block->raw, 4);
    ns_put_le(bytes + 32, block->crc, 4);
}

void ns_nsp_header(const ns_matrix_info *info, const ns_nsp_blocks *blocks, uint32_t crc,
                   unsigned char header[NS_NSP_HEADER])
{
    memset(header, 0, NS_NSP_HEADER);
    memcpy(header, ns_nsp_magic, sizeof ns_nsp_magic);
    ns_put_le(header + 8, NS_NSP_VERSION, 4);
    ns_put_le(header + 12,
              (uint64_t)info->symmetry | (info->symmetry != NS_GENERAL ? NS_NSP_TRIANGLE : 0) |
                  (info->source == NS_SURROGATE ? NS_NSP_SURROGATE : 0),
              4);
    ns_put_le(header + 16, (uint64_t)info->rows, 8);
    ns_put_le(header + 24, (uint64_t)info->cols, 8);
    ns_put_le(header + 32, blocks->entries, 8);
    ns_put_le(header + 40, (uint64_t)blocks->blocks, 8);
    ns_put_le(header + 48, blocks->end, 8);
    ns_put_le(header + 56, blocks->end + (uint64_t)blocks->blocks * NS_NSP_INDEX, 8);
    ns_put_le(header + 64, strlen(info->name), 4);
    ns_put_le(header + 68, crc, 4);
    ns_put_le(header + 92, crc32(0, header, 92), 4);
}

ns_status ns_nsp_pack(ns_matrix *matrix, bool triangle, int64_t first_row, const ns_nsp_target *target,
                      ns_nsp_blocks *blocks, ns_error *err)
{
    nsp_writer w = {.file = target->file,
                    .handle = target->handle,
                    .path = target->path,
                    .first_row = first_row,
                    .begin = target->begin,
                    .budget = {.limit = target->max_memory}};
    ns_status status = begin_rows(&w, err);
    if (status == NS_OK)
        status = ns_rows_in_order(matrix, triangle, &w.budget, add_row, begin_rows, &w, err);
    if (status == NS_OK)
        status = end_block(&w, err);
    ns_free(w.raw);
    ns_free(w.packed);
    if (status == NS_OK)
        *blocks = (ns_nsp_blocks){w.block, w.blocks, w.entries, w.offset};
    else
        ns_free(w.block);
    return status;
}

static ns_status write_index(const ns_nsp_target *target, const ns_nsp_blocks *blocks, uint32_t *crc, ns_error *err)
{
    for (int64_t i = 0; i < blocks->blocks; i++) {
        unsigned char bytes[NS_NSP_INDEX];
        ns_nsp_index(&blocks->block[i], 0, bytes);
        *crc = (uint32_t)crc32(*crc, bytes, sizeof bytes);
        if (fwrite(bytes, 1, sizeof bytes, target->file) != sizeof bytes)
            return fail_write(target->path, err);
    }
    return NS_OK;
}

static ns_status write_all(const ns_nsp_target *target, ns_matrix *matrix, ns_error *err)
{
    unsigned char header[NS_NSP_HEADER] = {0};
    const char *name = matrix->info.name;
    const size_t length = strlen(name);
    uint32_t crc = (uint32_t)crc32(0, (const unsigned char *)name, (uInt)length);
    ns_nsp_blocks blocks;
    if (fwrite(header, 1, sizeof header, target->file) != sizeof header ||
        fwrite(name, 1, length, target->file) != length)
        return fail_write(target->path, err);
    NS_TRY(ns_nsp_pack(matrix, matrix->info.symmetry != NS_GENERAL, 0, target, &blocks, err));
    const ns_status status = write_index(target, &blocks, &crc, err);
    ns_nsp_header(&matrix->info, &blocks, crc, header);
    ns_free(blocks.block);
    NS_TRY(status);
    if (fseek(target->file, 0, SEEK_SET) != 0 || fwrite(header, 1, sizeof header, target->file) != sizeof header)
        return fail_write(target->path, err);
    return NS_OK;
}

ns_status ns_matrix_save(ns_matrix *matrix, const char *path, int64_t max_memory, ns_error *err)
{
    ns_error_clear(err);
    ns_whole_file whole;
    NS_TRY(ns_whole_file_begin(path, NS_FOR_ALL, &whole, err));
    const ns_nsp_target target = {.file = whole.file,
                                  .handle = whole.handle,
                                  .path = path,
                                  .begin = NS_NSP_HEADER + strlen(matrix->info.name),
                                  .max_memory = max_memory};
    return ns_whole_file_end(&whole, write_all(&target, matrix, err), err);
}
