/* streams.c -- calls for streams and open folders */
#define _GNU_SOURCE

#include "shim.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Streams in memory fail with memory; standard error does not fail. */
static bool passes(FILE *stream)
{
    return stream == stderr || stream == NULL || fileno(stream) < 0;
}

/* As the C library leaves a stream behind that could not be read or written. */
static bool stream_fails(FILE *stream, const char *call, int code)
{
    if (passes(stream) || !shim_fails(SHIM_IO, call, code))
        return false;
    stream->_flags |= _IO_ERR_SEEN;
    return true;
}

#define WRAP_STREAM(type, name, parameters, arguments, stream, wrong, code)                                            \
    type name parameters                                                                                               \
    {                                                                                                                  \
        static type(*real) parameters;                                                                                 \
        if (real == NULL)                                                                                              \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                                                                 \
        if (stream_fails(stream, #name, code))                                                                         \
            return wrong;                                                                                              \
        return real arguments;                                                                                         \
    }

WRAP_OPEN(FILE *, fopen, (const char *restrict path, const char *restrict mode), (path, mode), NULL, EACCES,
          shim_hold_if_own)
WRAP_OPEN(FILE *, fopen64, (const char *restrict path, const char *restrict mode), (path, mode), NULL, EACCES,
          shim_hold_if_own)
WRAP_OPEN(FILE *, popen, (const char *line, const char *mode), (line, mode), NULL, EMFILE, shim_hold_if_own)
WRAP_OPEN(DIR *, opendir, (const char *path), (path), NULL, EACCES, shim_hold_if_own)
WRAP(struct dirent *, readdir, (DIR * folder), (folder), false, NULL, EIO)
WRAP(char *, realpath, (const char *restrict path, char *restrict to), (path, to), false, NULL, EACCES)
WRAP(char *, getcwd, (char *to, size_t size), (to, size), false, NULL, EACCES)
WRAP_STREAM(size_t, fread, (void *restrict to, size_t size, size_t count, FILE *restrict stream),
            (to, size, count, stream), stream, 0, EIO)
WRAP_STREAM(size_t, fwrite, (const void *restrict from, size_t size, size_t count, FILE *restrict stream),
            (from, size, count, stream), stream, 0, ENOSPC)
WRAP_STREAM(char *, fgets, (char *restrict to, int size, FILE *restrict stream), (to, size, stream), stream, NULL, EIO)
WRAP_STREAM(ssize_t, getline, (char **restrict line, size_t *restrict size, FILE *restrict stream),
            (line, size, stream), stream, -1, EIO)
WRAP_STREAM(int, fgetc, (FILE * stream), (stream), stream, EOF, EIO)
WRAP_STREAM(int, getc, (FILE * stream), (stream), stream, EOF, EIO)
WRAP_STREAM(int, fputs, (const char *restrict text, FILE *restrict stream), (text, stream), stream, EOF, ENOSPC)
WRAP_STREAM(int, fputc, (int c, FILE *stream), (c, stream), stream, EOF, ENOSPC)
WRAP_STREAM(int, putc, (int c, FILE *stream), (c, stream), stream, EOF, ENOSPC)
WRAP_STREAM(int, fflush, (FILE * stream), (stream), stream, EOF, ENOSPC)
WRAP_STREAM(int, fseek, (FILE * stream, long at, int from), (stream, at, from), stream, -1, EIO)
WRAP_STREAM(int, vfprintf, (FILE *restrict stream, const char *restrict format, va_list arguments),
            (stream, format, arguments), stream, -1, ENOSPC)

int fprintf(FILE *restrict stream, const char *restrict format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int result = vfprintf(stream, format, arguments);
    va_end(arguments);
    return result;
}

/* Hardened builds call these names instead. */
int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list arguments);
int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list arguments)
{
    (void)flag;
    return vfprintf(stream, format, arguments);
}

int __fprintf_chk(FILE *stream, int flag, const char *format, ...);
int __fprintf_chk(FILE *stream, int flag, const char *format, ...)
{
    (void)flag;
    va_list arguments;
    va_start(arguments, format);
    const int result = vfprintf(stream, format, arguments);
    va_end(arguments);
    return result;
}

ssize_t __read_chk(int file, void *to, size_t size, size_t room);
ssize_t __read_chk(int file, void *to, size_t size, size_t room)
{
    return size <= room ? read(file, to, size) : (abort(), -1);
}

size_t __fread_chk(void *to, size_t room, size_t size, size_t count, FILE *stream);
size_t __fread_chk(void *to, size_t room, size_t size, size_t count, FILE *stream)
{
    return size * count <= room ? fread(to, size, count, stream) : (abort(), (size_t)0);
}

char *__fgets_chk(char *to, size_t room, int size, FILE *stream);
char *__fgets_chk(char *to, size_t room, int size, FILE *stream)
{
    return (size_t)size <= room ? fgets(to, size, stream) : (abort(), NULL);
}

char *__realpath_chk(const char *path, char *to, size_t room);
char *__realpath_chk(const char *path, char *to, size_t room)
{
    (void)room;
    return realpath(path, to);
}

FILE *fdopen(int file, const char *mode)
{
    static FILE *(*real)(int, const char *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "fdopen");
    if (shim_fails(SHIM_IO, "fdopen", EMFILE))
        return NULL;
    FILE *stream = real(file, mode);
    if (stream != NULL) {
        shim_let_handle_go(file);
        shim_hold_if_own(stream, __builtin_return_address(0));
    }
    return stream;
}

int fclose(FILE *stream)
{
    static int (*real)(FILE *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "fclose");
    const bool exempt = passes(stream);
    (void)shim_let_go(stream);
    const int result = real(stream);
    return !exempt && shim_fails(SHIM_IO, "fclose", ENOSPC) ? EOF : result;
}

int pclose(FILE *stream)
{
    static int (*real)(FILE *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "pclose");
    (void)shim_let_go(stream);
    const int result = real(stream);
    return shim_fails(SHIM_IO, "pclose", ECHILD) ? -1 : result;
}

int closedir(DIR *folder)
{
    static int (*real)(DIR *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "closedir");
    (void)shim_let_go(folder);
    return real(folder);
}
