/* gunzip_fast.h -- gzip unpacked by ISA-L, three times as fast as by zlib */
#ifndef NS_BYTES_GUNZIP_FAST_H
#define NS_BYTES_GUNZIP_FAST_H

#include "bytes/gunzip.h"

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
