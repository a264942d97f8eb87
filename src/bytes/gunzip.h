/* gunzip.h -- the bytes of a gzip file unpacked (RFC 1952, several members allowed) */
#ifndef NS_BYTES_GUNZIP_H
#define NS_BYTES_GUNZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nsmodel/status.h>

/* Packed bytes of a file, read a buffer at a time. */
enum { NS_PACKED = 128 << 10 };
typedef struct ns_packed {
    int file;
    const char *path;
    unsigned char *at; /* in bytes: what has not been used */
    size_t left;
    unsigned char bytes[NS_PACKED];
} ns_packed;

/* Read on, behind what is left; left stays as it is at the end of the file. */
ns_status ns_packed_more(ns_packed *packed, ns_error *err);

typedef struct ns_gunzip ns_gunzip;

/* Of a file at its first byte; file and path are borrowed.  fast: by ISA-L, where it is built in and as long as it
 * finds nothing wrong; zlib has the last word on that, so that answers and errors are the same. */
ns_status ns_gunzip_open(int file, const char *path, bool fast, ns_gunzip **gunzip, ns_error *err);

/* Read size bytes; fewer only at the end of the data or on failure.  *got is valid in every case. */
ns_status ns_gunzip_read(ns_gunzip *gunzip, void *buffer, size_t size, size_t *got, ns_error *err);

void ns_gunzip_close(ns_gunzip *gunzip);

/* Is ISA-L built in? */
bool ns_gunzip_has_fast(void);

/* ---- by ISA-L, three times as fast (gunzip_fast.c) --------------------------------------------------------------- */

typedef struct ns_gunzip_fast ns_gunzip_fast;

/* NULL without ISA-L, or without memory for it. */
ns_gunzip_fast *ns_gunzip_fast_new(void);
void ns_gunzip_fast_free(ns_gunzip_fast *fast);

/* As ns_gunzip_read, but false where anything looks wrong or unusual: zlib is then to be asked about the file from its
 * first byte. */
bool ns_gunzip_fast_read(ns_gunzip_fast *fast, ns_packed *packed, unsigned char *buffer, size_t size, size_t *got);

/* A zlib stream (RFC 1950) of exactly `size` bytes unpacked; false where anything looks wrong. */
bool ns_unzlib_fast(unsigned char *buffer, size_t size, const unsigned char *packed, size_t packed_size);

#endif
