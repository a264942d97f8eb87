/* packed.h -- blocks packed by zlib, and zlib's memory */
#ifndef NS_BYTES_PACKED_H
#define NS_BYTES_PACKED_H

#include <zlib.h>

/* Memory for a stream that is not set up yet is the library's, not zlib's own. */
void ns_zlib_memory(z_stream *stream);

/* As zlib's uncompress and compress2: a whole block; Z_OK and *size, or zlib's code. */
int ns_zlib_unpack(void *to, size_t *size, const void *from, size_t packed);
int ns_zlib_pack(void *to, size_t *size, const void *from, size_t raw, int level);

#endif
