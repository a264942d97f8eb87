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

#endif
