/* choose.c -- counts calls from the beginning of main to its end, chooses which fail, and reports */
#define _GNU_SOURCE

#include "shim.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 24 };

static atomic_bool counting;
static atomic_long calls[SHIM_KINDS];
static _Thread_local int inside; /* the shim's own calls pass */
static int chosen = SHIM_KINDS;
static long chosen_index;
static bool chosen_after;
static int report = -1;
static uintptr_t base, text_low, text_high; /* of the program */

static bool in_program(const void *caller)
{
    return (uintptr_t)caller >= text_low && (uintptr_t)caller < text_high;
}

bool shim_is_own(const void *caller)
{
    return atomic_load(&counting) && inside == 0 && in_program(caller);
}

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
        if (in_program(frame[i]))
            say(" 0x%lx", (unsigned long)((uintptr_t)frame[i] - base - 1));
    say("\n");
    inside--;
}

bool shim_fails(int kind, const char *call, int code)
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

void shim_stop(void)
{
    atomic_store(&counting, false);
    report = -1;
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
        chosen = strcmp(kind, "memory") == 0 ? SHIM_MEMORY : strcmp(kind, "io") == 0 ? SHIM_IO : SHIM_KINDS;
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
    long blocks, handles;
    shim_held(&blocks, &handles);
    say("end %ld %ld %ld %ld\n", atomic_load(&calls[SHIM_MEMORY]), atomic_load(&calls[SHIM_IO]), blocks, handles);
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
