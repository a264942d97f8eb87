/* shim.c -- preloaded into the program under test: counts its calls for memory and for input and output, fails chosen
 * ones, and says what was left open
 *
 * NS_FAULT=KIND:INDEX:MODE with KIND memory or io, INDEX from 1, MODE once or after (this one and all that follow).
 * NS_FAULT_REPORT=FILE gets "fault CALL ADDRESS..." when it happens and "end MEMORY IO BLOCKS HANDLES" when main
 * returns: calls counted, and what the program itself took and did not give back.  Counting begins with main and leaves
 * out children and standard error.  Calls that clean up, such as remove, never fail: what is left would tell nothing.
 */
#define _GNU_SOURCE

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { MEMORY, IO, KINDS };
enum { HELD_MOST = 1 << 18, HANDLES_MOST = 1024, FRAMES = 24 };

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);

static atomic_bool counting;
static atomic_long calls[KINDS];
static _Thread_local int inside; /* the shim's own calls pass */
static int chosen = KINDS;
static long chosen_index;
static bool chosen_after;
static int report = -1;
static uintptr_t base, text_low, text_high; /* of the program */

/* ---- what is held ----------------------------------------------------------------------------------------------- */

static void *held[HELD_MOST]; /* open addressing; 1 marks a place that was left */
static atomic_flag held_lock = ATOMIC_FLAG_INIT;
static long held_count, handle_count;
static bool handle[HANDLES_MOST];

static size_t place_of(const void *block)
{
    return (size_t)(((uintptr_t)block >> 4) * 0x9E3779B97F4A7C15u >> 20) % HELD_MOST;
}

static void lock(void)
{
    while (atomic_flag_test_and_set(&held_lock))
        ;
}

static void unlock(void)
{
    atomic_flag_clear(&held_lock);
}

static void hold(void *block)
{
    lock();
    size_t at = place_of(block);
    for (size_t i = 0; i < HELD_MOST; i++, at = (at + 1) % HELD_MOST)
        if ((uintptr_t)held[at] <= 1) {
            held[at] = block;
            held_count++;
            break;
        }
    unlock();
}

static bool let_go(const void *block)
{
    bool found = false;
    lock();
    size_t at = place_of(block);
    for (size_t i = 0; i < HELD_MOST && held[at] != NULL && !found; i++, at = (at + 1) % HELD_MOST)
        if (held[at] == block) {
            held[at] = (void *)1;
            held_count--;
            found = true;
        }
    unlock();
    return found;
}

static bool is_own(const void *caller)
{
    return (uintptr_t)caller >= text_low && (uintptr_t)caller < text_high;
}

static void hold_if_own(void *block, const void *caller)
{
    if (block != NULL && atomic_load(&counting) && inside == 0 && is_own(caller))
        hold(block);
}

static void hold_handle(int file, const void *caller)
{
    if (file < 0 || file >= HANDLES_MOST || !atomic_load(&counting) || !is_own(caller))
        return;
    handle_count += !handle[file];
    handle[file] = true;
}

static void let_handle_go(int file)
{
    if (file < 0 || file >= HANDLES_MOST || !handle[file])
        return;
    handle_count--;
    handle[file] = false;
}

/* ---- choosing ---------------------------------------------------------------------------------------------------- */

static void say(const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    static ssize_t (*real_write)(int, const void *, size_t);
    if (real_write == NULL)
        *(void **)&real_write = dlsym(RTLD_NEXT, "write");
    if (report >= 0 && length > 0 && real_write(report, text, (size_t)length) < 0)
        report = -1;
}

static void tell_place(const char *call)
{
    void *frame[FRAMES];
    inside++;
    const int frames = backtrace(frame, FRAMES);
    say("fault %s", call);
    for (int i = 0; i < frames; i++)
        if (is_own(frame[i]))
            say(" 0x%lx", (unsigned long)((uintptr_t)frame[i] - base - 1));
    say("\n");
    inside--;
}

/* Is this call one that has to fail? */
static bool fails(int kind, const char *call, int code)
{
    if (!atomic_load(&counting) || inside > 0)
        return false;
    const long index = atomic_fetch_add(&calls[kind], 1) + 1;
    if (kind != chosen || index < chosen_index || (index > chosen_index && !chosen_after))
        return false;
    if (index == chosen_index)
        tell_place(call);
    errno = code;
    return true;
}

static int find_program(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X) != 0) {
            text_low = base + info->dlpi_phdr[i].p_vaddr;
            text_high = text_low + info->dlpi_phdr[i].p_memsz;
        }
    return 1; /* the program comes first */
}

static void begin(void)
{
    char kind[10] = "", mode[10] = "";
    const char *fault = getenv("NS_FAULT"), *file = getenv("NS_FAULT_REPORT");
    void *warm[2];
    (void)backtrace(warm, 2); /* loads its library now */
    (void)dl_iterate_phdr(find_program, NULL);
    if (file != NULL)
        report = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (report >= 0 && report < 200) {
        const int high = fcntl(report, F_DUPFD_CLOEXEC, 200);
        close(report);
        report = high;
    }
    if (fault != NULL && sscanf(fault, "%9[a-z]:%ld:%9[a-z]", kind, &chosen_index, mode) == 3) {
        chosen = strcmp(kind, "memory") == 0 ? MEMORY : strcmp(kind, "io") == 0 ? IO : KINDS;
        chosen_after = strcmp(mode, "after") == 0;
    }
    unsetenv("LD_PRELOAD");
    unsetenv("NS_FAULT");
    unsetenv("NS_FAULT_REPORT");
}

static int (*real_main)(int, char **, char **);

static int counted_main(int argc, char **argv, char **environment)
{
    begin();
    atomic_store(&counting, true);
    const int code = real_main(argc, argv, environment);
    atomic_store(&counting, false);
    say("end %ld %ld %ld %ld\n", atomic_load(&calls[MEMORY]), atomic_load(&calls[IO]), held_count, handle_count);
    return code;
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*first)(void),
                      void (*last)(void), void (*loader)(void), void *stack);

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*first)(void),
                      void (*last)(void), void (*loader)(void), void *stack)
{
    int (*real)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
    *(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = main;
    return real(counted_main, argc, argv, first, last, loader, stack);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

void *malloc(size_t size)
{
    if (fails(MEMORY, "malloc", ENOMEM))
        return NULL;
    void *block = __libc_malloc(size);
    hold_if_own(block, __builtin_return_address(0));
    return block;
}

void *calloc(size_t count, size_t size)
{
    if (fails(MEMORY, "calloc", ENOMEM))
        return NULL;
    void *block = __libc_calloc(count, size);
    hold_if_own(block, __builtin_return_address(0));
    return block;
}

void *realloc(void *block, size_t size)
{
    if (fails(MEMORY, "realloc", ENOMEM))
        return NULL;
    const bool was_held = block != NULL && let_go(block);
    void *grown = __libc_realloc(block, size);
    if (grown == NULL && was_held && size > 0)
        hold(block);
    if (was_held && grown != NULL)
        hold(grown);
    else if (block == NULL)
        hold_if_own(grown, __builtin_return_address(0));
    return grown;
}

void free(void *block)
{
    if (block != NULL)
        (void)let_go(block);
    __libc_free(block);
}

/* ---- files by number --------------------------------------------------------------------------------------------- */

/* NAME(...) that answers WRONG with errno CODE when it has to fail. */
#define WRAP(type, name, parameters, arguments, exempt, wrong, code)  \
    type name parameters                                              \
    {                                                                 \
        static type (*real) parameters;                               \
        if (real == NULL)                                             \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                \
        if (!(exempt) && fails(IO, #name, code))                      \
            return wrong;                                             \
        return real arguments;                                        \
    }

/* The same where something is opened that has to be closed: HELD(result). */
#define WRAP_OPEN(type, name, parameters, arguments, wrong, code, held_how) \
    type name parameters                                                    \
    {                                                                       \
        static type (*real) parameters;                                     \
        if (real == NULL)                                                   \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                      \
        if (fails(IO, #name, code))                                         \
            return wrong;                                                   \
        type result = real arguments;                                       \
        held_how(result, __builtin_return_address(0));                      \
        return result;                                                      \
    }

static int opened(const char *name, int folder, const char *path, int flags, mode_t mode, const void *caller)
{
    static int (*real)(int, const char *, int, ...);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "openat");
    if (fails(IO, name, (flags & O_CREAT) != 0 ? EACCES : EMFILE))
        return -1;
    const int file = real(folder, path, flags, mode);
    hold_handle(file, caller);
    return file;
}

static mode_t mode_of(int flags, va_list arguments)
{
    return (flags & O_CREAT) != 0 ? (mode_t)va_arg(arguments, int) : 0;
}

#define OPEN(name)                                                                              \
    int name(const char *path, int flags, ...)                                                  \
    {                                                                                           \
        va_list arguments;                                                                      \
        va_start(arguments, flags);                                                             \
        const mode_t mode = mode_of(flags, arguments);                                          \
        va_end(arguments);                                                                      \
        return opened(#name, AT_FDCWD, path, flags, mode, __builtin_return_address(0));         \
    }
#define OPENAT(name)                                                                            \
    int name(int folder, const char *path, int flags, ...)                                      \
    {                                                                                           \
        va_list arguments;                                                                      \
        va_start(arguments, flags);                                                             \
        const mode_t mode = mode_of(flags, arguments);                                          \
        va_end(arguments);                                                                      \
        return opened(#name, folder, path, flags, mode, __builtin_return_address(0));           \
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
    let_handle_go(file);
    const int result = real(file);
    return fails(IO, "close", EIO) ? -1 : result;
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
WRAP_OPEN(int, mkstemp, (char *path), (path), -1, EACCES, hold_handle)
WRAP_OPEN(int, mkostemp, (char *path, int flags), (path, flags), -1, EACCES, hold_handle)

int pipe(int ends[2])
{
    static int (*real)(int *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "pipe");
    if (fails(IO, "pipe", EMFILE))
        return -1;
    const int result = real(ends);
    for (int i = 0; result == 0 && i < 2; i++)
        hold_handle(ends[i], __builtin_return_address(0));
    return result;
}

/* What a child does is its own affair. */
pid_t fork(void)
{
    static pid_t (*real)(void);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "fork");
    if (fails(IO, "fork", EAGAIN))
        return -1;
    const pid_t child = real();
    if (child == 0) {
        atomic_store(&counting, false);
        report = -1;
    }
    return child;
}

/* ---- streams ----------------------------------------------------------------------------------------------------- */

/* Streams in memory fail with memory; standard error does not fail. */
static bool passes(FILE *stream)
{
    return stream == stderr || stream == NULL || fileno(stream) < 0;
}

/* As the C library leaves a stream behind that could not be read or written. */
static bool stream_fails(FILE *stream, const char *call, int code)
{
    if (passes(stream) || !fails(IO, call, code))
        return false;
    stream->_flags |= _IO_ERR_SEEN;
    return true;
}

#define WRAP_STREAM(type, name, parameters, arguments, stream, wrong, code) \
    type name parameters                                                    \
    {                                                                       \
        static type (*real) parameters;                                     \
        if (real == NULL)                                                   \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                      \
        if (stream_fails(stream, #name, code))                              \
            return wrong;                                                   \
        return real arguments;                                              \
    }

WRAP_OPEN(FILE *, fopen, (const char *restrict path, const char *restrict mode), (path, mode), NULL, EACCES,
          hold_if_own)
WRAP_OPEN(FILE *, fopen64, (const char *restrict path, const char *restrict mode), (path, mode), NULL, EACCES,
          hold_if_own)
WRAP_OPEN(FILE *, popen, (const char *line, const char *mode), (line, mode), NULL, EMFILE, hold_if_own)
WRAP_OPEN(DIR *, opendir, (const char *path), (path), NULL, EACCES, hold_if_own)
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
    if (fails(IO, "fdopen", EMFILE))
        return NULL;
    FILE *stream = real(file, mode);
    if (stream != NULL) {
        let_handle_go(file);
        hold_if_own(stream, __builtin_return_address(0));
    }
    return stream;
}

int fclose(FILE *stream)
{
    static int (*real)(FILE *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "fclose");
    const bool exempt = passes(stream);
    (void)let_go(stream);
    const int result = real(stream);
    return !exempt && fails(IO, "fclose", ENOSPC) ? EOF : result;
}

int pclose(FILE *stream)
{
    static int (*real)(FILE *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "pclose");
    (void)let_go(stream);
    const int result = real(stream);
    return fails(IO, "pclose", ECHILD) ? -1 : result;
}

int closedir(DIR *folder)
{
    static int (*real)(DIR *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "closedir");
    (void)let_go(folder);
    return real(folder);
}
