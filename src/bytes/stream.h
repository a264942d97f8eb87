/* stream.h -- the text of a matrix file: plain, gzip, or the right member of a tar archive */
#ifndef NS_MATRIX_STREAM_H
#define NS_MATRIX_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes/bytes.h"

enum { NS_TAR_BLOCK = 512 };

typedef struct ns_stream {
    ns_bytes *bytes;
    char *path;
    unsigned char head[NS_TAR_BLOCK]; /* read ahead to detect the format */
    size_t head_at, head_end;
    bool tar;
    char *member;          /* tar: its name in the archive */
    int64_t left, padding; /* tar: remaining bytes of the member, and of the padding after it */
    bool walked;           /* tar: the rest of the archive has been read */
} ns_stream;

/* Open path.  *member is the index of a file in a tar archive, from 0: pass -1 to have it chosen and stored, and the
 * same variable again to open the same member.  Unchanged for other files.  Close with ns_stream_close. */
ns_status ns_stream_open(const char *path, long *member, ns_stream *stream, ns_error *err);

/* Read size bytes; fewer only at the end or on failure.  *got is valid in every case.  At the end of a tar member the
 * rest of the archive is read too, so that its CRC is checked. */
ns_status ns_stream_read(ns_stream *stream, void *buffer, size_t size, size_t *got, ns_error *err);

void ns_stream_close(ns_stream *stream);

/* The file's name without folder and extensions (.mtx, .mm, .gz, .tar, .tgz), cut to fit. */
void ns_path_stem(const char *path, char *stem, size_t size);

/* Skip to the member's first byte (tar.c); stream->head has the archive's first block. */
ns_status ns_tar_find(ns_stream *stream, long *member, ns_error *err);
/* Read from the end of the member to the end of the archive. */
ns_status ns_tar_rest(ns_stream *stream, ns_error *err);
bool ns_is_tar(const unsigned char block[NS_TAR_BLOCK]);

/* Read like ns_stream_read, without regard to members. */
ns_status ns_stream_raw(ns_stream *stream, void *buffer, size_t size, size_t *got, ns_error *err);

#endif
