/* places.h -- fake places to look for matrices in, and archives to lay there
 *
 * They are built in a private folder; each file holds an n x n matrix with one entry, so that n says which was read.
 */
#ifndef NS_TESTS_PLACES_H
#define NS_TESTS_PLACES_H

#include <nsmodel/matrix.h>

enum { BLOCK = 512, PATHS = 1200 };

/* The folder of this test; scratch_close removes it. */
extern char places_root[512];
void places_open(void);

/* Path of a file below the root, static; the folders above it are made. */
const char *places_path(const char *relative);
void places_put(const char *relative, const void *bytes, size_t size, bool packed);

/* A good file of n rows, in the form that its name says. */
void places_good(const char *relative, int n);

/* Three places: p and q as of a path, c as a cache. */
ns_matrix_place *places_fake(void);

/* A tar archive, member by member. */
typedef struct archive {
    unsigned char bytes[1 << 16];
    size_t size;
} archive;

void archive_member(archive *a, const char *name, const char *link, const char *data, size_t size, char kind);
void archive_matrix(archive *a, const char *name, int n);
void archive_finish(archive *a);

#endif
