/* files.c -- calls for files by number, for folders and names, and for processes */
#define _GNU_SOURCE

#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static int opened(const char *name, int folder, const char *path, int flags, mode_t mode, const void *caller)
{
    static int (*real)(int, const char *, int, ...);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "openat");
    if (shim_fails(SHIM_IO, name, (flags & O_CREAT) != 0 ? EACCES : EMFILE))
        return -1;
    const int file = real(folder, path, flags, mode);
    shim_hold_handle(file, caller);
    return file;
}

static mode_t mode_of(int flags, va_list arguments)
{
    return (flags & O_CREAT) != 0 ? (mode_t)va_arg(arguments, int) : 0;
}

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...)                                                                         \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        const mode_t mode = mode_of(flags, arguments);                                                                 \
        va_end(arguments);                                                                                             \
        return opened(#name, AT_FDCWD, path, flags, mode, __builtin_return_address(0));                                \
    }
#define OPENAT(name)                                                                                                   \
    int name(int folder, const char *path, int flags, ...)                                                             \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        const mode_t mode = mode_of(flags, arguments);                                                                 \
        va_end(arguments);                                                                                             \
        return opened(#name, folder, path, flags, mode, __builtin_return_address(0));                                  \
    }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags)
{
    return opened("open", AT_FDCWD, path, flags, 0, __builtin_return_address(0));
}

/* A file is closed even when close says that it could not be. */
int close(int file)
{
    static int (*real)(int);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "close");
    shim_let_handle_go(file);
    const int result = real(file);
    return shim_fails(SHIM_IO, "close", EIO) ? -1 : result;
}

WRAP(ssize_t, read, (int file, void *to, size_t size), (file, to, size), false, -1, EIO)
WRAP(ssize_t, pread, (int file, void *to, size_t size, off_t at), (file, to, size, at), false, -1, EIO)
WRAP(ssize_t, write, (int file, const void *from, size_t size), (file, from, size), file == STDERR_FILENO, -1, ENOSPC)
WRAP(ssize_t, pwrite, (int file, const void *from, size_t size, off_t at), (file, from, size, at), false, -1, ENOSPC)
WRAP(int, rename, (const char *from, const char *to), (from, to), false, -1, EIO)
WRAP(int, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to), false, -1, EIO)
WRAP(int, link, (const char *from, const char *to), (from, to), false, -1, EIO)
WRAP(int, fsync, (int file), (file), false, -1, EIO)
WRAP(int, fdatasync, (int file), (file), false, -1, EIO)
WRAP(int, ftruncate, (int file, off_t size), (file, size), false, -1, EIO)
WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode), false, -1, EACCES)
WRAP(int, chmod, (const char *path, mode_t mode), (path, mode), false, -1, EPERM)
WRAP(int, fchmod, (int file, mode_t mode), (file, mode), false, -1, EPERM)
WRAP(off_t, lseek, (int file, off_t at, int from), (file, at, from), false, -1, EIO)
WRAP(int, stat, (const char *restrict path, struct stat *restrict to), (path, to), false, -1, EACCES)
WRAP(int, lstat, (const char *restrict path, struct stat *restrict to), (path, to), false, -1, EACCES)
WRAP(int, fstat, (int file, struct stat *to), (file, to), false, -1, EIO)
WRAP(int, fstatvfs, (int file, struct statvfs *to), (file, to), false, -1, EIO)
WRAP(int, access, (const char *path, int how), (path, how), false, -1, EACCES)
WRAP(int, getentropy, (void *to, size_t size), (to, size), false, -1, EIO)
WRAP(ssize_t, getrandom, (void *to, size_t size, unsigned flags), (to, size, flags), false, -1, EIO)
WRAP(ssize_t, readlink, (const char *restrict path, char *restrict to, size_t size), (path, to, size), false, -1, EIO)
WRAP(void *, mmap, (void *at, size_t size, int how, int flags, int file, off_t from),
     (at, size, how, flags, file, from), false, MAP_FAILED, ENODEV)
WRAP(int, pthread_create,
     (pthread_t *restrict thread, const pthread_attr_t *restrict how, void *(*run)(void *), void *restrict with),
     (thread, how, run, with), false, EAGAIN, EAGAIN)
WRAP_OPEN(int, mkstemp, (char *path), (path), -1, EACCES, shim_hold_handle)
WRAP_OPEN(int, mkostemp, (char *path, int flags), (path, flags), -1, EACCES, shim_hold_handle)

int pipe(int ends[2])
{
    static int (*real)(int *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "pipe");
    if (shim_fails(SHIM_IO, "pipe", EMFILE))
        return -1;
    const int result = real(ends);
    for (int i = 0; result == 0 && i < 2; i++)
        shim_hold_handle(ends[i], __builtin_return_address(0));
    return result;
}

pid_t fork(void)
{
    static pid_t (*real)(void);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "fork");
    if (shim_fails(SHIM_IO, "fork", EAGAIN))
        return -1;
    const pid_t child = real();
    if (child == 0)
        shim_stop();
    return child;
}
