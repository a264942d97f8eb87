/* nsp.h -- .nsp: the structure of a matrix, compressed, checksummed
 *
 * All numbers are little-endian whatever the machine.
 *
 *   header   96 bytes: magic "\x89NSP\r\n\x1a\n" | u32 version | u32 flags | u64 rows | u64 cols | u64 entries kept |
 *            u64 blocks | u64 offset of the index | u64 size of the file | u32 length of the name |
 *            u32 crc of name and index | zeros | u32 crc of the 92 bytes before
 *   name     as ns_matrix_info.name
 *   blocks   each a zlib stream of rows: varint(row - row before, at least 1) varint(count - 1)
 *            zigzag(first column - first column of the row before) varint(gap)...
 *            rows ascend, columns ascend; a repeated entry has gap 0
 *   index    40 bytes a block: u64 offset | u64 row before its first | u64 entries | u32 packed bytes | u32 raw bytes |
 *            u32 crc of the packed bytes | u32 zero
 *
 * flags: bits 0-1 the symmetry word; bit 2: only entries with column <= row are stored and the others follow by
 * symmetry, set whenever the word is not general; bit 3: the matrix is a surrogate, not the real one.  docs/nsp.md
 * explains the format and its reasons.
 */
#ifndef NS_MATRIX_NSP_H
#define NS_MATRIX_NSP_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "matrix/source.h"

enum {
    NS_NSP_HEADER = 96,
    NS_NSP_INDEX = 40,
    NS_NSP_VERSION = 1,
    NS_NSP_TRIANGLE = 4,
    NS_NSP_SURROGATE = 8,
    NS_NSP_RATIO_MOST = 1032 /* of deflate: limits the allocation that a damaged file can cause per byte */
};

static const unsigned char ns_nsp_magic[8] = {0x89, 'N', 'S', 'P', '\r', '\n', 0x1a, '\n'};

static inline void ns_put_le(unsigned char *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (unsigned char)(value >> 8 * i);
}

static inline uint64_t ns_get_le(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | at[i];
    return value;
}

/* ---- numbers in blocks ------------------------------------------------------------------------------------------- */

enum { NS_VARINT_MOST = 10 }; /* bytes */

/* Returns the address after it. */
static inline unsigned char *ns_put_varint(unsigned char *at, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *at++ = (unsigned char)(value | 0x80);
    *at++ = (unsigned char)value;
    return at;
}

/* False at the end of the bytes, or beyond 64 bits. */
static inline bool ns_get_varint(const unsigned char **at, const unsigned char *end, uint64_t *value)
{
    if (*at < end && **at < 0x80) { /* the usual case */
        *value = *(*at)++;
        return true;
    }
    *value = 0;
    for (int shift = 0; *at < end && shift < 64; shift += 7) {
        unsigned char byte = *(*at)++;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

static inline uint64_t ns_zigzag(int64_t value)
{
    const uint64_t twice = (uint64_t)value << 1;
    return value < 0 ? ~twice : twice;
}

static inline int64_t ns_unzigzag(uint64_t value)
{
    return (int64_t)((value >> 1) ^ (0 - (value & 1)));
}

/* Open a file that begins with the magic (nsp_read.c); or, where bytes is not NULL, the `size` bytes of one, which must
 * outlive the matrix. */
ns_status ns_nsp_open(const char *path, const unsigned char *bytes, size_t size, ns_matrix *matrix, ns_error *err);
/* Does the file begin with the magic? */
bool ns_is_nsp(const char *path);

/* ---- the blocks of a file, for all rows or for those of one of several writers ----------------------------------- */

typedef struct ns_nsp_block {
    uint64_t offset, row_before, entries;
    uint32_t packed, raw, crc;
} ns_nsp_block;

typedef struct ns_nsp_blocks {
    ns_nsp_block *block; /* freed by the caller */
    int64_t blocks;
    uint64_t entries, end; /* offset after the last block */
} ns_nsp_blocks;

/* Output for blocks: a seekable file, from `begin` on. */
typedef struct ns_nsp_target {
    FILE *file;
    int handle; /* the same */
    const char *path;
    uint64_t begin;
    int64_t max_memory;
} ns_nsp_target;

/* Row r of the matrix is row first_row + r of the file; triangle: only entries with column <= r are stored. */
ns_status ns_nsp_pack(ns_matrix *matrix, bool triangle, int64_t first_row, const ns_nsp_target *target,
                      ns_nsp_blocks *blocks, ns_error *err);

/* A block's entry of the index, with its offset increased by `moved`. */
void ns_nsp_index(const ns_nsp_block *block, uint64_t moved, unsigned char bytes[NS_NSP_INDEX]);
/* blocks: the count, the entries and the end; crc: of name and index. */
void ns_nsp_header(const ns_matrix_info *info, const ns_nsp_blocks *blocks, uint32_t crc,
                   unsigned char header[NS_NSP_HEADER]);

#endif
