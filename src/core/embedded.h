/* embedded.h -- the data files of params/ and evidence/rankings/, inside the library; each is followed by a zero byte
 * that is not counted */
#ifndef NS_CORE_EMBEDDED_H
#define NS_CORE_EMBEDDED_H

#include <stddef.h>

typedef struct ns_embedded {
    const char *path; /* "params/lassen.json" */
    const unsigned char *data;
    size_t size;
    size_t raw; /* bytes after inflating (zlib); 0: data is as in the file */
} ns_embedded;

extern const ns_embedded ns_embedded_files[]; /* closed by a NULL path; sorted by path */

#endif
