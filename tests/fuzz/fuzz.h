/* fuzz.h -- what a fuzz target is made of
 *
 * fuzz_<stem>.c defines FUZZ(stem).  tools/fuzz.sh links it with libFuzzer; tests/test_fuzz.c replays the seeds in
 * seeds/<stem>/ through the same function, so that what was found once stays found.
 */
#ifndef NS_TESTS_FUZZ_H
#define NS_TESTS_FUZZ_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create, P_tmpdir */
#endif

#include "api/library.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef NS_FUZZ_REPLAY
#define FUZZ(stem) static void fuzz_##stem(const uint8_t *data, size_t size)
#else
#define FUZZ(stem)                                                                                                     \
    static void fuzz_##stem(const uint8_t *data, size_t size);                                                         \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);                                                      \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)                                                       \
    {                                                                                                                  \
        fuzz_##stem(data, size);                                                                                       \
        return 0;                                                                                                      \
    }                                                                                                                  \
    static void fuzz_##stem(const uint8_t *data, size_t size)
#endif

/* What has to hold whatever the input. */
#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                    \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* A failure has a code, the same in the record, and one line of text without a final stop. */
static inline void fuzz_check_error(ns_status status, const ns_error *err)
{
    REQUIRE(status == err->code);
    if (status == NS_OK)
        return;
    size_t length = strlen(err->text);
    REQUIRE(length > 0 && strchr(err->text, '\n') == NULL);
    REQUIRE(err->line >= 0 && err->column >= 0);
}

/* The input as text; free it. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = ns_malloc(size + 1);
    REQUIRE(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* The input as a file in memory, without a name; its path holds until the next call. */
static inline const char *fuzz_file(const uint8_t *data, size_t size)
{
    static char path[64];
    static int descriptor = -1;
    if (descriptor < 0)
        descriptor = memfd_create("fuzz", MFD_CLOEXEC);
    REQUIRE(descriptor >= 0);
    REQUIRE(ftruncate(descriptor, 0) == 0);
    REQUIRE(pwrite(descriptor, data, size, 0) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return path;
}

/* A folder of this process for files that need a name, made once and removed at the end. */
static inline const char *fuzz_folder(void);
static inline void fuzz_remove_folder(void)
{
    char command[160];
    snprintf(command, sizeof command, "rm -rf '%s'", fuzz_folder());
    if (system(command) != 0)
        fprintf(stderr, "%s is left over\n", fuzz_folder());
}

static inline const char *fuzz_folder(void)
{
    static char folder[128];
    const char *named = getenv("TMPDIR");
    if (folder[0] == '\0') {
        snprintf(folder, sizeof folder, "%.80s/nsmodel-fuzz-XXXXXX",
                 named != NULL && *named != '\0' ? named : P_tmpdir);
        REQUIRE(mkdtemp(folder) != NULL);
        atexit(fuzz_remove_folder);
    }
    return folder;
}

/* A price is finite, lies in its interval, and is the sum of its terms. */
static inline void fuzz_check_price(const ns_price *price)
{
    double sum = price->copy_s;
    for (int t = 0; price->form->terms[t] != NULL; t++)
        sum += price->term_s[t];
    REQUIRE(isfinite(price->estimate_s) && price->estimate_s >= 0 && isfinite(price->hi_s));
    REQUIRE(fabs(sum - price->estimate_s) <= 1e-12 * price->estimate_s);
    REQUIRE(price->lo_s <= price->estimate_s && price->estimate_s <= price->hi_s);
}

/* Loaded once. */
static inline const ns_machine *shipped_machine(void)
{
    static ns_machine *machine;
    if (machine == NULL)
        REQUIRE(ns_machine_load("lassen", &machine, NULL) == NS_OK);
    return machine;
}

#endif
