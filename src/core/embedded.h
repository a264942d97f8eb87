/* embedded.h -- the data files of params/ and evidence/rankings/, inside the library; each is followed by a zero byte
 * that is not counted */
#ifndef NS_CORE_EMBEDDED_H
#define NS_CORE_EMBEDDED_H

#include <stddef.h>
#include <string.h>

typedef struct ns_embedded {
    const char *path; /* "params/lassen.json" */
    const unsigned char *data;
    size_t size;
    size_t raw; /* bytes after inflating (zlib); 0: data is not compressed */
} ns_embedded;

extern const ns_embedded ns_embedded_files[]; /* closed by a NULL path; sorted by path */

/* NULL: there is no file with that path. */
static inline const ns_embedded *ns_embedded_find(const char *path)
{
    const ns_embedded *file = ns_embedded_files;
    while (file->path != NULL && strcmp(file->path, path) != 0)
        file++;
    return file->path != NULL ? file : NULL;
}

#endif
