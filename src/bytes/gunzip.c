/* gunzip.c -- the bytes of a gzip file unpacked (RFC 1952, several members allowed)
 *
 * Bounded memory: one buffer of packed bytes.  Every CRC and length is checked.  ISA-L goes first; where it finds
 * anything wrong, zlib unpacks the file anew, passes over what has been handed out, and goes on to its own judgement.
 */
#include "bytes/gunzip.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

#include "bytes/bytes.h"
#include "bytes/packed.h"
#include "core/memory.h"

struct ns_gunzip {
    ns_gunzip_fast *fast; /* or NULL: zlib */
    uint64_t given;       /* bytes handed out by it */
    z_stream unpack;
    bool opened, ended; /* zlib's */
    ns_packed packed;
};

ns_status ns_packed_more(ns_packed *packed, ns_error *err)
{
    size_t got;
    memmove(packed->bytes, packed->at, packed->left);
    packed->at = packed->bytes;
    NS_TRY(ns_file_read(packed->file, packed->path, packed->bytes + packed->left, NS_PACKED - packed->left, &got, err));
    packed->left += got;
    return NS_OK;
}

static ns_status no_memory(const char *path, ns_error *err)
{
    return ns_fail_at(err, NS_ERR_MEMORY, path, 0, 0, "not enough memory to unpack gzip");
}

static ns_status open_zlib(ns_gunzip *g, ns_error *err)
{
    ns_zlib_memory(&g->unpack);
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
    g->fast = fast ? ns_gunzip_fast_new() : NULL;
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
    ns_gunzip_fast_free(gunzip->fast);
    ns_free(gunzip);
}

/* A member has ended: another one, zero padding, or the end may follow. */
static ns_status next_member(ns_gunzip *g, ns_error *err)
{
    ns_packed *p = &g->packed;
    for (bool padding = false;; padding = true, p->at++, p->left--) {
        if (p->left == 0)
            NS_TRY(ns_packed_more(p, err));
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

static ns_status unpack_some(ns_gunzip *g, ns_error *err)
{
    z_stream *z = &g->unpack;
    ns_packed *p = &g->packed;
    if (p->left == 0)
        NS_TRY(ns_packed_more(p, err));
    if (p->left == 0)
        return ns_fail_at(err, NS_ERR_FILE, p->path, 0, 0, "truncated gzip data: the file ends too early");
    z->next_in = p->at;
    z->avail_in = (uInt)p->left;
    int code = inflate(z, Z_NO_FLUSH);
    p->at = z->next_in;
    p->left = z->avail_in;
    if (code == Z_STREAM_END)
        return next_member(g, err);
    if (code == Z_MEM_ERROR)
        return no_memory(p->path, err);
    if (code != Z_OK && code != Z_BUF_ERROR)
        return ns_fail_at(err, NS_ERR_FILE, p->path, 0, 0, "damaged gzip data: %s",
                          z->msg != NULL ? z->msg : "cannot be unpacked");
    return NS_OK;
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

/* zlib takes over behind what has been handed out. */
static ns_status change_over(ns_gunzip *g, ns_error *err)
{
    unsigned char passed[16 << 10];
    ns_gunzip_fast_free(g->fast);
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
    if (gunzip->fast != NULL && ns_gunzip_fast_read(gunzip->fast, &gunzip->packed, buffer, size, got)) {
        gunzip->given += *got;
        return NS_OK;
    }
    *got = 0;
    if (gunzip->fast != NULL)
        NS_TRY(change_over(gunzip, err));
    return read_zlib(gunzip, buffer, size, got, err);
}
