/* archive.c -- a tar archive in gzip, in memory */
#include "archive.h"

#include "core/memory.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { BLOCK = 512 };

/* A ustar header for an ordinary file. */
static void put_header(unsigned char block[BLOCK], const char *folder, const char *file, size_t size)
{
    unsigned sum = 0;
    memset(block, 0, BLOCK);
    snprintf((char *)block, 100, "%s/%s", folder, file);
    snprintf((char *)block + 100, 8, "%07o", 0644u);
    snprintf((char *)block + 124, 12, "%011o", (unsigned)size);
    snprintf((char *)block + 136, 12, "%011o", 0u);
    memset(block + 148, ' ', 8);
    block[156] = '0';
    memcpy(block + 257,
           "ustar\0"
           "00",
           8);
    for (int i = 0; i < BLOCK; i++)
        sum += block[i];
    snprintf((char *)block + 148, 8, "%06o", sum);
}

static size_t padded(size_t size)
{
    return (size + BLOCK - 1) / BLOCK * BLOCK;
}

static archive packed(const unsigned char *bytes, size_t size)
{
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)bytes, .avail_in = (uInt)size};
    ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    archive a = {.size = deflateBound(&z, (uLong)size)};
    a.bytes = ns_malloc(a.size);
    ck_assert_ptr_nonnull(a.bytes);
    z.next_out = a.bytes;
    z.avail_out = (uInt)a.size;
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    a.size = z.total_out;
    deflateEnd(&z);
    return a;
}

archive archive_of(const char *name, const char *text, size_t noise)
{
    char file[200];
    size_t length = strlen(text), size = BLOCK + padded(length) + BLOCK + padded(noise) + 2 * BLOCK;
    unsigned char *tar = ns_calloc(1, size), *at = tar;
    ck_assert_ptr_nonnull(tar);
    snprintf(file, sizeof file, "%s.mtx", name);
    put_header(at, name, file, length);
    memcpy(at + BLOCK, text, length);
    at += BLOCK + padded(length);
    put_header(at, name, "noise.dat", noise);
    uint64_t state = 88172645463325252u;
    for (size_t i = 0; i < noise; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        at[BLOCK + i] = (unsigned char)state;
    }
    archive a = packed(tar, size);
    ns_free(tar);
    return a;
}

archive archive_make(const char *name, int64_t rows, int64_t cols, int64_t entries, size_t noise)
{
    size_t room = 200 + 44 * (size_t)entries, used;
    char *text = ns_malloc(room);
    ck_assert_ptr_nonnull(text);
    used = (size_t)snprintf(text, room, "%%%%MatrixMarket matrix coordinate pattern general\n%lld %lld %lld\n",
                            (long long)rows, (long long)cols, (long long)entries);
    for (int64_t i = 0; i < entries; i++)
        used += (size_t)snprintf(text + used, room - used, "%lld %lld\n", (long long)(i % rows + 1),
                                 (long long)(i / rows + 1));
    archive a = archive_of(name, text, noise);
    ns_free(text);
    return a;
}

void archive_free(archive *a)
{
    ns_free(a->bytes);
    *a = (archive){0};
}
