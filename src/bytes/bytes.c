/* bytes.c -- the bytes of a file, unpacked when it is gzip (RFC 1952, several members allowed)
 *
 * Bounded memory: one input buffer for gzip, none for a plain file.  Every CRC and length is checked by zlib.
 */
#include "bytes/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

enum { PACKED_BUFFER = 128 << 10 };

struct ns_bytes {
    int file;
    char *path;
    bool gzip;
    bool ended; /* gzip: nothing more to unpack */
    z_stream unpack;
    unsigned char *packed; /* gzip: bytes as they are in the file */
};

/* strerror depends on the locale. */
static const char *reason(int code, char *buffer, size_t size)
{
    static const struct {
        int code;
        const char *words;
    } known[] = {
        {ENOENT, "No such file or directory"}, {EACCES, "Permission denied"},   {EISDIR, "Is a directory"},
        {ENOTDIR, "Not a directory"},          {ENAMETOOLONG, "Name too long"}, {ELOOP, "Too many symbolic links"},
        {EMFILE, "Too many open files"},       {ENFILE, "Too many open files"}, {EIO, "Input/output error"},
        {EPERM, "Operation not permitted"},    {ENXIO, "No such device"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].code == code)
            return known[i].words;
    snprintf(buffer, size, "system error %d", code);
    return buffer;
}

static ns_status fail_errno(ns_error *err, const char *path, const char *what, int code)
{
    char buffer[40];
    return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot %s: %s", what, reason(code, buffer, sizeof buffer));
}

ns_status ns_file_look(const char *path, bool *there, ns_error *err)
{
    struct stat facts;
    const bool found = stat(path, &facts) == 0;
    if (!found && errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG)
        return fail_errno(err, path, "open", errno);
    *there = found && !S_ISDIR(facts.st_mode);
    return NS_OK;
}

bool ns_file_is_regular(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
}

static ns_status check_kind(const char *path, ns_error *err)
{
    struct stat facts;
    if (stat(path, &facts) != 0)
        return fail_errno(err, path, "open", errno);
    if (S_ISDIR(facts.st_mode))
        return fail_errno(err, path, "open", EISDIR);
    if (!S_ISREG(facts.st_mode)) /* a pipe could be read once only, a device without end */
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot open: a %s, wanted a regular file",
                          S_ISFIFO(facts.st_mode)   ? "pipe"
                          : S_ISSOCK(facts.st_mode) ? "socket"
                                                    : "device");
    if (facts.st_size == 0)
        return ns_fail_at(err, NS_ERR_DATA, path, 0, 0, "an empty file");
    return NS_OK;
}

static ns_status read_file(ns_bytes *bytes, void *buffer, size_t size, size_t *got, ns_error *err)
{
    *got = 0;
    while (*got < size) {
        ssize_t n = read(bytes->file, (unsigned char *)buffer + *got, size - *got);
        if (n == 0)
            break;
        if (n > 0)
            *got += (size_t)n;
        else if (errno != EINTR)
            return fail_errno(err, bytes->path, "read", errno);
    }
    return NS_OK;
}

static ns_status start(ns_bytes *bytes, ns_error *err)
{
    unsigned char magic[2];
    size_t got;
    NS_TRY(read_file(bytes, magic, sizeof magic, &got, err));
    if (lseek(bytes->file, 0, SEEK_SET) != 0)
        return fail_errno(err, bytes->path, "read", errno);
    (void)posix_fadvise(bytes->file, 0, 0, POSIX_FADV_SEQUENTIAL); /* advice only */
    if (got < 2 || magic[0] != 0x1f || magic[1] != 0x8b)
        return NS_OK;
    bytes->packed = malloc(PACKED_BUFFER);
    if (bytes->packed == NULL || inflateInit2(&bytes->unpack, 16 + MAX_WBITS) != Z_OK)
        return ns_fail_at(err, NS_ERR_MEMORY, bytes->path, 0, 0, "not enough memory to unpack gzip");
    bytes->gzip = true;
    return NS_OK;
}

ns_status ns_bytes_open(const char *path, ns_bytes **bytes, ns_error *err)
{
    NS_TRY(check_kind(path, err));
    ns_bytes *b = calloc(1, sizeof *b);
    char *copy = malloc(strlen(path) + 1);
    if (b == NULL || copy == NULL) {
        free(b);
        free(copy);
        return ns_fail_at(err, NS_ERR_MEMORY, path, 0, 0, "not enough memory to open");
    }
    b->path = strcpy(copy, path);
    b->file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    ns_status status = b->file < 0 ? fail_errno(err, path, "open", errno) : start(b, err);
    if (status == NS_OK)
        *bytes = b;
    else
        ns_bytes_close(b);
    return status;
}

static ns_status refill(ns_bytes *bytes, ns_error *err)
{
    size_t got;
    NS_TRY(read_file(bytes, bytes->packed, PACKED_BUFFER, &got, err));
    bytes->unpack.next_in = bytes->packed;
    bytes->unpack.avail_in = (uInt)got;
    return NS_OK;
}

/* A member has ended: another one, zero padding, or the end may follow. */
static ns_status next_member(ns_bytes *bytes, ns_error *err)
{
    z_stream *z = &bytes->unpack;
    bool padding = false;
    for (;;) {
        if (z->avail_in == 0)
            NS_TRY(refill(bytes, err));
        if (z->avail_in == 0) {
            bytes->ended = true;
            return NS_OK;
        }
        if (*z->next_in != 0)
            break;
        padding = true;
        z->next_in++;
        z->avail_in--;
    }
    if (padding || *z->next_in != 0x1f)
        return ns_fail_at(err, NS_ERR_FILE, bytes->path, 0, 0, "damaged gzip data: more bytes after the end");
    inflateReset(z);
    return NS_OK;
}

static ns_status unpack_some(ns_bytes *bytes, ns_error *err)
{
    z_stream *z = &bytes->unpack;
    if (z->avail_in == 0)
        NS_TRY(refill(bytes, err));
    if (z->avail_in == 0)
        return ns_fail_at(err, NS_ERR_FILE, bytes->path, 0, 0, "truncated gzip data: the file ends too early");
    int code = inflate(z, Z_NO_FLUSH);
    if (code == Z_STREAM_END)
        return next_member(bytes, err);
    if (code == Z_MEM_ERROR)
        return ns_fail_at(err, NS_ERR_MEMORY, bytes->path, 0, 0, "not enough memory to unpack gzip");
    if (code != Z_OK && code != Z_BUF_ERROR)
        return ns_fail_at(err, NS_ERR_FILE, bytes->path, 0, 0, "damaged gzip data: %s",
                          z->msg != NULL ? z->msg : "cannot be unpacked");
    return NS_OK;
}

ns_status ns_bytes_read(ns_bytes *bytes, void *buffer, size_t size, size_t *got, ns_error *err)
{
    if (!bytes->gzip)
        return read_file(bytes, buffer, size, got, err);
    z_stream *z = &bytes->unpack;
    *got = 0;
    while (*got < size && !bytes->ended) {
        size_t room = size - *got < INT_MAX ? size - *got : INT_MAX;
        z->next_out = (unsigned char *)buffer + *got;
        z->avail_out = (uInt)room;
        ns_status status = unpack_some(bytes, err);
        *got += room - z->avail_out;
        NS_TRY(status);
    }
    return NS_OK;
}

void ns_bytes_close(ns_bytes *bytes)
{
    if (bytes == NULL)
        return;
    if (bytes->gzip)
        inflateEnd(&bytes->unpack);
    if (bytes->file >= 0)
        close(bytes->file);
    free(bytes->packed);
    free(bytes->path);
    free(bytes);
}
