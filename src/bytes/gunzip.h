/* gunzip.h -- the bytes of a gzip file unpacked (RFC 1952, several members allowed), and blocks packed by zlib */
#ifndef NS_BYTES_GUNZIP_H
#define NS_BYTES_GUNZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <zlib.h>

#include <nsmodel/status.h>

typedef struct ns_gunzip ns_gunzip;

/* Read a file from its first byte; file and path are borrowed.  fast: by ISA-L, where it is built in and as long as it
 * finds no error; errors are decided by zlib, so that results and errors are the same. */
ns_status ns_gunzip_open(int file, const char *path, bool fast, ns_gunzip **gunzip, ns_error *err);

/* Read size bytes; fewer only at the end of the data or on failure.  *got is valid in every case. */
ns_status ns_gunzip_read(ns_gunzip *gunzip, void *buffer, size_t size, size_t *got, ns_error *err);

void ns_gunzip_close(ns_gunzip *gunzip);

/* Is ISA-L built in? */
bool ns_gunzip_has_fast(void);

/* Like zlib's uncompress and compress2: a whole block; Z_OK and *size, or zlib's code. */
int ns_zlib_unpack(void *to, size_t *size, const void *from, size_t packed);
int ns_zlib_pack(void *to, size_t *size, const void *from, size_t raw, int level);

#endif
