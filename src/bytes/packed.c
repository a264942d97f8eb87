/* packed.c -- blocks packed by zlib, and zlib's memory */
#include "bytes/packed.h"

#include "bytes/gunzip.h"
#include "core/memory.h"

static voidpf take(voidpf opaque, uInt items, uInt size)
{
    (void)opaque;
    return ns_malloc(ns_size_mul(items, size));
}

static void give_back(voidpf opaque, voidpf memory)
{
    (void)opaque;
    ns_free(memory);
}

void ns_zlib_memory(z_stream *stream)
{
    stream->zalloc = take;
    stream->zfree = give_back;
    stream->opaque = NULL;
}

/* zlib counts in unsigned int: what is longer is not a block of ours. */
static int open_block(z_stream *z, void *to, size_t room, const void *from, size_t size)
{
    if (room > UINT32_MAX || size > UINT32_MAX)
        return Z_DATA_ERROR;
    *z = (z_stream){.next_in = (z_const Bytef *)from, .avail_in = (uInt)size, .next_out = to, .avail_out = (uInt)room};
    ns_zlib_memory(z);
    return Z_OK;
}

/* The stream has to end in one step; else it does not fit. */
static int whole(int code)
{
    return code == Z_STREAM_END ? Z_OK : code == Z_OK ? Z_BUF_ERROR : code;
}

int ns_zlib_unpack(void *to, size_t *size, const void *from, size_t packed)
{
    z_stream z;
    if (ns_unzlib_fast(to, *size, from, packed))
        return Z_OK;
    int code = open_block(&z, to, *size, from, packed);
    if (code != Z_OK || (code = inflateInit(&z)) != Z_OK)
        return code;
    code = whole(inflate(&z, Z_FINISH));
    *size = z.total_out;
    (void)inflateEnd(&z);
    return code;
}

int ns_zlib_pack(void *to, size_t *size, const void *from, size_t raw, int level)
{
    z_stream z;
    int code = open_block(&z, to, *size, from, raw);
    if (code != Z_OK || (code = deflateInit(&z, level)) != Z_OK)
        return code;
    code = whole(deflate(&z, Z_FINISH));
    *size = z.total_out;
    (void)deflateEnd(&z);
    return code;
}
