/* gunzip_fast.c -- gzip unpacked by ISA-L, three times as fast as by zlib
 *
 * ISA-L checks CRC and length of every member.  It is asked for nothing but members with a plain header, one after the
 * other; what it refuses, and all else that gzip allows or forbids, is left to zlib.
 */
#include "bytes/gunzip.h"

#include "core/memory.h"

#ifdef NS_HAVE_ISAL

#include <limits.h>

#include <isa-l/igzip_lib.h>

enum { HEADER = 4, METHOD = 8, HEADER_SUM = 0x02, RESERVED = 0xe0 };

struct ns_gunzip_fast {
    struct inflate_state state;
    bool inside, ended; /* a member; the file */
};

ns_gunzip_fast *ns_gunzip_fast_new(void)
{
    return ns_calloc(1, sizeof(ns_gunzip_fast));
}

void ns_gunzip_fast_free(ns_gunzip_fast *fast)
{
    ns_free(fast);
}

bool ns_gunzip_has_fast(void)
{
    return true;
}

/* At the end of the file, or at a member whose header both libraries read alike. */
static bool begin_member(ns_gunzip_fast *fast, ns_packed *packed)
{
    if (packed->left < HEADER && ns_packed_more(packed, NULL) != NS_OK)
        return false;
    fast->ended = packed->left == 0;
    if (fast->ended)
        return true;
    const unsigned char *h = packed->at;
    if (packed->left < HEADER || h[0] != 0x1f || h[1] != 0x8b || h[2] != METHOD ||
        (h[3] & (HEADER_SUM | RESERVED)) != 0)
        return false;
    isal_inflate_init(&fast->state);
    fast->state.crc_flag = ISAL_GZIP;
    fast->inside = true;
    return true;
}

bool ns_gunzip_fast_read(ns_gunzip_fast *fast, ns_packed *packed, unsigned char *buffer, size_t size, size_t *got)
{
    struct inflate_state *s = &fast->state;
    *got = 0;
    while (*got < size && !fast->ended) {
        if (!fast->inside) {
            if (!begin_member(fast, packed))
                return false;
            continue;
        }
        if (packed->left == 0 && ns_packed_more(packed, NULL) != NS_OK)
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
        if ((code != ISAL_DECOMP_OK && code != ISAL_END_INPUT) || !moved) /* or cut off */
            return false;
    }
    return true;
}

bool ns_unzlib_fast(unsigned char *buffer, size_t size, const unsigned char *packed, size_t packed_size)
{
    if (size > UINT32_MAX || packed_size > UINT32_MAX)
        return false;
    struct inflate_state *s = ns_malloc(sizeof *s);
    if (s == NULL)
        return false;
    isal_inflate_init(s);
    s->crc_flag = ISAL_ZLIB;
    s->next_in = (unsigned char *)(uintptr_t)packed; /* read only */
    s->avail_in = (uint32_t)packed_size;
    s->next_out = buffer;
    s->avail_out = (uint32_t)size;
    const bool whole = isal_inflate(s) == ISAL_DECOMP_OK && s->block_state == ISAL_BLOCK_FINISH && s->avail_out == 0;
    ns_free(s);
    return whole;
}

#else

ns_gunzip_fast *ns_gunzip_fast_new(void)
{
    return NULL;
}

void ns_gunzip_fast_free(ns_gunzip_fast *fast)
{
    (void)fast;
}

bool ns_gunzip_has_fast(void)
{
    return false;
}

bool ns_gunzip_fast_read(ns_gunzip_fast *fast, ns_packed *packed, unsigned char *buffer, size_t size, size_t *got)
{
    (void)fast, (void)packed, (void)buffer, (void)size;
    *got = 0;
    return false;
}

bool ns_unzlib_fast(unsigned char *buffer, size_t size, const unsigned char *packed, size_t packed_size)
{
    (void)buffer, (void)size, (void)packed, (void)packed_size;
    return false;
}

#endif
