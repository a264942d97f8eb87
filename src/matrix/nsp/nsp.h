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
 * flags: bits 0-1 the symmetry word; bit 2: only entries with column <= row are kept, the others follow by symmetry,
 * set whenever the word is not general; bit 3: of a surrogate, not of the real matrix.  docs/nsp.md says the same with
 * the reasons.
 */
#ifndef NS_MATRIX_NSP_H
#define NS_MATRIX_NSP_H

#include <stdint.h>
#include <string.h>

#include "matrix/source.h"

enum {
    NS_NSP_HEADER = 96,
    NS_NSP_INDEX = 40,
    NS_NSP_VERSION = 1,
    NS_NSP_TRIANGLE = 4,
    NS_NSP_SURROGATE = 8,
    NS_NSP_RATIO_MOST = 1032 /* of deflate: what a damaged file may make us allocate for each of its bytes */
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

/* Open a file that begins with the magic (nsp_read.c); or its bytes, which have to outlive the matrix. */
ns_status ns_nsp_open(const char *path, ns_matrix *matrix, ns_error *err);
ns_status ns_nsp_open_memory(const unsigned char *bytes, size_t size, const char *path, ns_matrix *matrix,
                             ns_error *err);
/* Does the file begin with it? */
bool ns_is_nsp(const char *path);

#endif
