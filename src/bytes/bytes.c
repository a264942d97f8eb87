/* bytes.c -- the bytes of a file, unpacked when it is gzip */
#include "bytes/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes/gunzip.h"
#include "core/memory.h"

struct ns_bytes {
    int file;
    char *path;
    ns_gunzip *gzip; /* NULL: the file is not compressed */
};

ns_status ns_file_fail(ns_error *err, const char *path, const char *what, int code)
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
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) /* strerror depends on the locale */
        if (known[i].code == code)
            return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot %s: %s", what, known[i].words);
    return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot %s: system error %d", what, code);
}

ns_status ns_file_read(int file, const char *path, void *buffer, size_t size, size_t *got, ns_error *err)
{
    *got = 0;
    while (*got < size) {
        ssize_t n = read(file, (unsigned char *)buffer + *got, size - *got);
        if (n == 0)
            break;
        if (n > 0)
            *got += (size_t)n;
        else if (errno != EINTR)
            return ns_file_fail(err, path, "read", errno);
    }
    return NS_OK;
}

ns_status ns_bytes_open(const char *path, ns_bytes **bytes, ns_error *err)
{
    struct stat facts;
    if (stat(path, &facts) != 0)
        return ns_file_fail(err, path, "open", errno);
    if (S_ISDIR(facts.st_mode))
        return ns_file_fail(err, path, "open", EISDIR);
    if (!S_ISREG(facts.st_mode)) /* a pipe could be read only once, a device has no end */
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot open: a %s, wanted a regular file",
                          S_ISFIFO(facts.st_mode)   ? "pipe"
                          : S_ISSOCK(facts.st_mode) ? "socket"
                                                    : "device");
    if (facts.st_size == 0)
        return ns_fail_at(err, NS_ERR_DATA, path, 0, 0, "an empty file");
    ns_bytes *b = ns_calloc(1, sizeof *b);
    char *copy = ns_malloc(strlen(path) + 1);
    if (b == NULL || copy == NULL) {
        ns_free(b);
        ns_free(copy);
        return ns_fail_at(err, NS_ERR_MEMORY, path, 0, 0, "not enough memory to open");
    }
    b->path = strcpy(copy, path);
    b->file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    unsigned char magic[2];
    size_t got = 0;
    ns_status status = b->file < 0 ? ns_file_fail(err, path, "open", errno)
                                   : ns_file_read(b->file, path, magic, sizeof magic, &got, err);
    if (status == NS_OK && lseek(b->file, 0, SEEK_SET) != 0)
        status = ns_file_fail(err, path, "read", errno);
    if (status == NS_OK) {
        (void)posix_fadvise(b->file, 0, 0, POSIX_FADV_SEQUENTIAL); /* advice only */
        if (got == 2 && magic[0] == 0x1f && magic[1] == 0x8b)
            status = ns_gunzip_open(b->file, b->path, true, &b->gzip, err);
    }
    if (status == NS_OK)
        *bytes = b;
    else
        ns_bytes_close(b);
    return status;
}

ns_status ns_bytes_read(ns_bytes *bytes, void *buffer, size_t size, size_t *got, ns_error *err)
{
    return bytes->gzip != NULL ? ns_gunzip_read(bytes->gzip, buffer, size, got, err)
                               : ns_file_read(bytes->file, bytes->path, buffer, size, got, err);
}

void ns_bytes_close(ns_bytes *bytes)
{
    if (bytes == NULL)
        return;
    ns_gunzip_close(bytes->gzip);
    if (bytes->file >= 0)
        close(bytes->file);
    ns_free(bytes->path);
    ns_free(bytes);
}
