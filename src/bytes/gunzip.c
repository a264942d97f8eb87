/* gunzip.c -- the bytes of a gzip file unpacked (RFC 1952, several members allowed), and blocks packed by zlib
 *
 * Bounded memory: one buffer of packed bytes.  Every CRC and length is checked.  ISA-L, three times as fast, is used
 * first, but only for consecutive members with a plain header.  Where it finds an error, zlib unpacks the file from the
 * start, skips the bytes already returned, and continues; its result is final.
 */
#include "bytes/gunzip.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#ifdef NS_HAVE_ISAL
#include <isa-l/igzip_lib.h>
#endif

#include "bytes/bytes.h"
#include "core/memory.h"

/* Packed bytes of a file, read a buffer at a time. */
enum { PACKED = 128 << 10 };
typedef struct packed_bytes {
    int file;
    const char *path;
    unsigned char *at; /* in bytes: the unused data */
    size_t left;
    unsigned char bytes[PACKED];
} packed_bytes;

#ifdef NS_HAVE_ISAL
typedef struct fast_state {
    struct inflate_state state;
    bool inside, ended; /* inside a member; at the end of the file */
} fast_state;
#else
typedef char fast_state;
#endif

struct ns_gunzip {
    fast_state *fast; /* NULL: zlib */
    uint64_t given;   /* bytes returned by it */
    z_stream unpack;
    bool opened, ended; /* zlib's */
    packed_bytes packed;
};

/* Read more data after the unused bytes; left is unchanged at the end of the file. */
static ns_status read_more(packed_bytes *packed, ns_error *err)
{
    size_t got;
    memmove(packed->bytes, packed->at, packed->left);
    packed->at = packed->bytes;
    NS_TRY(ns_file_read(packed->file, packed->path, packed->bytes + packed->left, PACKED - packed->left, &got, err));
    packed->left += got;
    return NS_OK;
}

#ifdef NS_HAVE_ISAL
/* Like ns_gunzip_read, but false for any error or unusual data: zlib must then read the file from its first byte. */
static bool read_fast(fast_state *fast, packed_bytes *packed, unsigned char *buffer, size_t size, size_t *got)
{
    enum { HEADER = 4, METHOD = 8, HEADER_SUM = 0x02, RESERVED = 0xe0 };
    struct inflate_state *s = &fast->state;
    while (*got < size && !fast->ended) {
        if (!fast->inside) { /* at the end of the file, or at a member whose header both libraries treat alike */
            if (packed->left < HEADER && read_more(packed, NULL) != NS_OK)
                return false;
            const unsigned char *h = packed->at;
            fast->ended = packed->left == 0;
            if (fast->ended)
                return true;
            if (packed->left < HEADER || h[0] != 0x1f || h[1] != 0x8b || h[2] != METHOD ||
                (h[3] & (HEADER_SUM | RESERVED)) != 0)
                return false;
            isal_inflate_init(s);
            s->crc_flag = ISAL_GZIP;
        }
        if (packed->left == 0 && read_more(packed, NULL) != NS_OK)
            return false;
        const size_t room = size - *got < INT_MAX ? size - *got : INT_MAX, left = packed->left;
        s->next_in = packed->at;
        s->avail_in = (uint32_t)left;
        s->next_out = buffer + *got;
        s->avail_out = (uint32_t)room;
        const int code = isal_inflate(s);
        packed->at = s->next_in;
        packed->left = s->avail_in;
        *got += room - s->avail_out;
        fast->inside = s->block_state != ISAL_BLOCK_FINISH;
        const bool moved = packed->left < left || s->avail_out < room || !fast->inside;
        if ((code != ISAL_DECOMP_OK && code != ISAL_END_INPUT) || !moved) /* or truncated */
            return false;
    }
    return true;
}
#endif

bool ns_gunzip_has_fast(void)
{
#ifdef NS_HAVE_ISAL
    return true;
#else
    return false;
#endif
}

/* zlib allocates through the library; the functions are set before the stream is initialised. */
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

static ns_status no_memory(const char *path, ns_error *err)
{
    return ns_fail_at(err, NS_ERR_MEMORY, path, 0, 0, "not enough memory to unpack gzip");
}

static ns_status open_zlib(ns_gunzip *g, ns_error *err)
{
    g->unpack.zalloc = take;
    g->unpack.zfree = give_back;
    if (inflateInit2(&g->unpack, 16 + MAX_WBITS) != Z_OK)
        return no_memory(g->packed.path, err);
    g->opened = true;
    return NS_OK;
}

ns_status ns_gunzip_open(int file, const char *path, bool fast, ns_gunzip **gunzip, ns_error *err)
{
    ns_gunzip *g = ns_calloc(1, sizeof *g);
    if (g == NULL)
        return no_memory(path, err);
    g->packed.file = file;
    g->packed.path = path;
    g->packed.at = g->packed.bytes;
    g->fast = fast && ns_gunzip_has_fast() ? ns_calloc(1, sizeof *g->fast) : NULL;
    const ns_status status = g->fast != NULL ? NS_OK : open_zlib(g, err);
    if (status == NS_OK)
        *gunzip = g;
    else
        ns_gunzip_close(g);
    return status;
}

void ns_gunzip_close(ns_gunzip *gunzip)
{
    if (gunzip == NULL)
        return;
    if (gunzip->opened)
        inflateEnd(&gunzip->unpack);
    ns_free(gunzip->fast);
    ns_free(gunzip);
}

static ns_status unpack_some(ns_gunzip *g, ns_error *err)
{
    z_stream *z = &g->unpack;
    packed_bytes *p = &g->packed;
    if (p->left == 0)
        NS_TRY(read_more(p, err));
    if (p->left == 0)
        return ns_fail_at(err, NS_ERR_FILE, p->path, 0, 0, "truncated gzip data: the file ends too early");
    z->next_in = p->at;
    z->avail_in = (uInt)p->left;
    int code = inflate(z, Z_NO_FLUSH);
    p->at = z->next_in;
    p->left = z->avail_in;
    if (code == Z_MEM_ERROR)
        return no_memory(p->path, err);
    if (code != Z_OK && code != Z_BUF_ERROR && code != Z_STREAM_END)
        return ns_fail_at(err, NS_ERR_FILE, p->path, 0, 0, "damaged gzip data: %s",
                          z->msg != NULL ? z->msg : "cannot be unpacked");
    if (code != Z_STREAM_END)
        return NS_OK;
    /* a member has ended: another one, zero padding, or the end may follow */
    for (bool padding = false;; padding = true, p->at++, p->left--) {
        if (p->left == 0)
            NS_TRY(read_more(p, err));
        g->ended = p->left == 0;
        if (g->ended)
            return NS_OK;
        if (*p->at == 0)
            continue;
        if (padding || *p->at != 0x1f)
            return ns_fail_at(err, NS_ERR_FILE, p->path, 0, 0, "damaged gzip data: more bytes after the end");
        inflateReset(&g->unpack);
        return NS_OK;
    }
}

static ns_status read_zlib(ns_gunzip *g, unsigned char *buffer, size_t size, size_t *got, ns_error *err)
{
    *got = 0;
    while (*got < size && !g->ended) {
        size_t room = size - *got < INT_MAX ? size - *got : INT_MAX;
        g->unpack.next_out = buffer + *got;
        g->unpack.avail_out = (uInt)room;
        ns_status status = unpack_some(g, err);
        *got += room - g->unpack.avail_out;
        NS_TRY(status);
    }
    return NS_OK;
}

/* Continue with zlib after the bytes already returned. */
static ns_status change_over(ns_gunzip *g, ns_error *err)
{
    unsigned char passed[16 << 10];
    ns_free(g->fast);
    g->fast = NULL;
    NS_TRY(open_zlib(g, err));
    if (lseek(g->packed.file, 0, SEEK_SET) != 0)
        return ns_file_fail(err, g->packed.path, "read", errno);
    g->packed.left = 0;
    for (size_t got; g->given > 0; g->given -= got) {
        const size_t size = g->given < sizeof passed ? (size_t)g->given : sizeof passed;
        NS_TRY(read_zlib(g, passed, size, &got, err));
        if (got < size)
            return ns_fail_at(err, NS_ERR_FILE, g->packed.path, 0, 0, "the file has changed since it was opened");
    }
    return NS_OK;
}

ns_status ns_gunzip_read(ns_gunzip *gunzip, void *buffer, size_t size, size_t *got, ns_error *err)
{
    *got = 0;
#ifdef NS_HAVE_ISAL
    if (gunzip->fast != NULL && read_fast(gunzip->fast, &gunzip->packed, buffer, size, got)) {
        gunzip->given += *got;
        return NS_OK;
    }
    *got = 0;
#endif
    if (gunzip->fast != NULL)
        NS_TRY(change_over(gunzip, err));
    return read_zlib(gunzip, buffer, size, got, err);
}

/* ---- blocks packed by zlib (RFC 1950) ---------------------------------------------------------------------------- */

int ns_zlib_unpack(void *to, size_t *size, const void *from, size_t packed)
{
    if (*size > UINT32_MAX || packed > UINT32_MAX) /* zlib counts in unsigned int; no block of this program is longer */
        return Z_DATA_ERROR;
#ifdef NS_HAVE_ISAL
    struct inflate_state *s = ns_malloc(sizeof *s);
    if (s != NULL) {
        isal_inflate_init(s);
        s->crc_flag = ISAL_ZLIB;
        s->next_in = (unsigned char *)(uintptr_t)from; /* not modified */
        s->avail_in = (uint32_t)packed;
        s->next_out = to;
        s->avail_out = (uint32_t)*size;
        const bool done = isal_inflate(s) == ISAL_DECOMP_OK && s->block_state == ISAL_BLOCK_FINISH && s->avail_out == 0;
        ns_free(s);
        if (done)
            return Z_OK;
    }
#endif
    z_stream z = {.next_in = (z_const Bytef *)from,
                  .avail_in = (uInt)packed,
                  .next_out = to,
                  .avail_out = (uInt)*size,
                  .zalloc = take,
                  .zfree = give_back};
    int code = inflateInit(&z);
    if (code != Z_OK)
        return code;
    code = inflate(&z, Z_FINISH);
    *size = z.total_out;
    (void)inflateEnd(&z);
    return code == Z_STREAM_END ? Z_OK : code == Z_OK ? Z_BUF_ERROR : code;
}

int ns_zlib_pack(void *to, size_t *size, const void *from, size_t raw, int level)
{
    if (*size > UINT32_MAX || raw > UINT32_MAX)
        return Z_DATA_ERROR;
    z_stream z = {.next_in = (z_const Bytef *)from,
                  .avail_in = (uInt)raw,
                  .next_out = to,
                  .avail_out = (uInt)*size,
                  .zalloc = take,
                  .zfree = give_back};
    int code = deflateInit(&z, level);
    if (code != Z_OK)
        return code;
    code = deflate(&z, Z_FINISH);
    *size = z.total_out;
    (void)deflateEnd(&z);
    return code == Z_STREAM_END ? Z_OK : code == Z_OK ? Z_BUF_ERROR : code;
}
