/* archive.h -- a NAME.tar.gz as the matrix collection lays them: NAME/NAME.mtx and a companion */
#ifndef NS_TESTS_ARCHIVE_H
#define NS_TESTS_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>

typedef struct archive {
    unsigned char *bytes; /* free with archive_free */
    size_t size;
} archive;

/* A matrix of so many rows, columns and entries (at most rows x cols, in rows of equal length), then so many bytes of
 * noise, which do not shrink. */
archive archive_make(const char *name, int64_t rows, int64_t cols, int64_t entries, size_t noise);
/* Any text as NAME/NAME.mtx. */
archive archive_of(const char *name, const char *text, size_t noise);
void archive_free(archive *a);

#endif
