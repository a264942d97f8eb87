/* fuzz_nsp.c -- any rows in an .nsp file whose sums are all right: what the checks behind the checksums let through
 *
 * Input: flags | rows | columns | entries kept (4 bytes each, little-endian) | where the second block begins (1 byte,
 * in eighths; 0: one block) | row before the second block | its entries | the blocks' bytes as they are before packing.
 */
#include "fuzz.h"

#include <zlib.h>

enum { NSP_HEADER = 96, NSP_INDEX = 40, NSP_GIVEN = 1 + 5 * 4 + 1, NSP_ROOM = 1 << 16, NSP_NAME = 3 };

typedef struct nsp_file {
    uint8_t bytes[NSP_ROOM + 64];
    size_t size;
} nsp_file;

static void nsp_put(uint8_t *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t nsp_get(const uint8_t *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24;
}

/* A block's bytes behind what there is, and its line of the index. */
static void nsp_block(nsp_file *f, uint8_t *index, const uint8_t *raw, size_t size, uint64_t before, uint64_t entries)
{
    uLongf packed = (uLongf)(NSP_ROOM - f->size);
    REQUIRE(compress2(f->bytes + f->size, &packed, raw, (uLong)size, 1) == Z_OK);
    nsp_put(index, f->size, 8);
    nsp_put(index + 8, before, 8);
    nsp_put(index + 16, entries, 8);
    nsp_put(index + 24, packed, 4);
    nsp_put(index + 28, size, 4);
    nsp_put(index + 32, crc32(0, f->bytes + f->size, (uInt)packed), 4);
    nsp_put(index + 36, 0, 4);
    f->size += packed;
}

static void nsp_build(nsp_file *f, const uint8_t *data, size_t size)
{
    static const uint8_t magic[8] = {0x89, 'N', 'S', 'P', '\r', '\n', 0x1a, '\n'};
    uint8_t index[2 * NSP_INDEX];
    const uint8_t *raw = data + NSP_GIVEN;
    const size_t all = size - NSP_GIVEN, first = data[13] % 8 == 0 ? all : all * (data[13] % 8) / 8;
    const uint64_t kept = nsp_get(data + 9), second = nsp_get(data + 18);
    const size_t blocks = first < all ? 2 : 1;
    memset(f->bytes, 0, NSP_HEADER);
    memcpy(f->bytes, magic, sizeof magic);
    memcpy(f->bytes + NSP_HEADER, "any", NSP_NAME);
    f->size = NSP_HEADER + NSP_NAME;
    nsp_block(f, index, raw, first, UINT64_MAX, blocks == 2 ? kept - second : kept);
    if (blocks == 2)
        nsp_block(f, index + NSP_INDEX, raw + first, all - first, nsp_get(data + 14), second);
    const uint64_t field[] = {nsp_get(data + 1), nsp_get(data + 5),           kept, blocks,
                              f->size,           f->size + blocks * NSP_INDEX};
    memcpy(f->bytes + f->size, index, blocks * NSP_INDEX);
    f->size += blocks * NSP_INDEX;
    nsp_put(f->bytes + 8, 1, 4);
    nsp_put(f->bytes + 12, data[0], 4);
    for (int i = 0; i < 6; i++)
        nsp_put(f->bytes + 16 + 8 * i, field[i], 8);
    nsp_put(f->bytes + 64, NSP_NAME, 4);
    nsp_put(f->bytes + 68, crc32(crc32(0, f->bytes + NSP_HEADER, NSP_NAME), index, (uInt)(blocks * NSP_INDEX)), 4);
    nsp_put(f->bytes + 92, crc32(0, f->bytes, 92), 4);
}

typedef struct nsp_seen {
    int64_t rows, cols, entries;
    uint64_t sum;
} nsp_seen;

static ns_status nsp_receive(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    nsp_seen *seen = context;
    (void)err;
    for (size_t i = 0; i < count; i++) {
        REQUIRE(entries[i].row >= 0 && entries[i].row < seen->rows && entries[i].col >= 0 &&
                entries[i].col < seen->cols);
        seen->sum += ((uint64_t)entries[i].row * UINT64_C(0x9E3779B97F4A7C15)) ^ (uint64_t)entries[i].col << 17;
    }
    seen->entries += (int64_t)count;
    return NS_OK;
}

static ns_status nsp_scan(ns_matrix *matrix, nsp_seen *seen)
{
    ns_error err = {0};
    *seen = (nsp_seen){.rows = ns_matrix_describe(matrix)->rows, .cols = ns_matrix_describe(matrix)->cols};
    ns_status status = ns_matrix_scan(matrix, nsp_receive, seen, &err);
    fuzz_check_error(status, &err);
    return status;
}

/* What was read can be written, and read again. */
static void nsp_again(ns_matrix *matrix, const nsp_seen *seen)
{
    char path[160];
    ns_matrix *again;
    nsp_seen other;
    snprintf(path, sizeof path, "%s/again.nsp", fuzz_folder());
    REQUIRE(ns_matrix_save(matrix, path, 0, NULL) == NS_OK);
    REQUIRE(ns_matrix_open(path, &again, NULL) == NS_OK);
    REQUIRE(nsp_scan(again, &other) == NS_OK && other.entries == seen->entries && other.sum == seen->sum);
    ns_matrix_free(again);
    remove(path);
}

FUZZ(nsp)
{
    static nsp_file file;
    ns_matrix *matrix;
    nsp_seen seen;
    ns_error err = {0};
    if (size < NSP_GIVEN || size > NSP_ROOM / 4)
        return;
    nsp_build(&file, data, size);
    ns_status status = ns_matrix_open(fuzz_file(file.bytes, file.size), &matrix, &err);
    fuzz_check_error(status, &err);
    if (status != NS_OK)
        return;
    if (nsp_scan(matrix, &seen) == NS_OK)
        nsp_again(matrix, &seen);
    ns_matrix_free(matrix);
}
