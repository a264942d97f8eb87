/* nsp_pack.h -- the blocks of an .nsp file, of all its rows or of those that one of several writers has */
#ifndef NS_MATRIX_NSP_PACK_H
#define NS_MATRIX_NSP_PACK_H

#include <stdio.h>

#include "matrix/nsp/nsp.h"

typedef struct ns_nsp_block {
    uint64_t offset, row_before, entries;
    uint32_t packed, raw, crc;
} ns_nsp_block;

typedef struct ns_nsp_blocks {
    ns_nsp_block *block; /* freed by whoever asked for them */
    int64_t blocks;
    uint64_t entries, end; /* offset behind the last block */
} ns_nsp_blocks;

/* Where blocks go: a file that can be sought in, from `begin` on. */
typedef struct ns_nsp_target {
    FILE *file;
    int handle; /* the same */
    const char *path;
    uint64_t begin;
    int64_t max_memory;
} ns_nsp_target;

/* Row r of the matrix is row first_row + r of the file; triangle: only entries with column <= r are kept. */
ns_status ns_nsp_pack(ns_matrix *matrix, bool triangle, int64_t first_row, const ns_nsp_target *target,
                      ns_nsp_blocks *blocks, ns_error *err);

/* A block's place in the index, its offset moved by as much. */
void ns_nsp_index(const ns_nsp_block *block, uint64_t moved, unsigned char bytes[NS_NSP_INDEX]);
/* blocks: the count, the entries and the end; crc: of name and index. */
void ns_nsp_header(const ns_matrix_info *info, const ns_nsp_blocks *blocks, uint32_t crc,
                   unsigned char header[NS_NSP_HEADER]);

#endif
