/* needs.c -- what a test needs of the machine, and the line that names it where that is missing */
#include "needs.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/gunzip.h"
#include "core/without.h"
#include "matrix/market/market.h"

/* Parts whose program has another name. */
static const struct {
    const char *part, *program;
} programs[] = {{"mpi", "mpirun"}, {"c++", "${CXX:-c++}"}};

static bool has_library(const char *one, const char *other)
{
    return dlopen(one, RTLD_NOW) != NULL || dlopen(other, RTLD_NOW) != NULL;
}

bool has_part(const char *part)
{
    char command[200];
    const char *program = part;
    if (ns_without(getenv(NS_WITHOUT), part))
        return false;
    if (strcmp(part, "scotch") == 0)
        return has_library("libscotch-7.0.so", "libscotch.so");
    if (strcmp(part, "curl") == 0)
        return has_library("libcurl.so.4", "libcurl.so.4");
    if (strcmp(part, "isal") == 0)
        return ns_gunzip_has_fast();
    if (strcmp(part, "avx2") == 0)
        return ns_market_has_plain();
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (strcmp(programs[i].part, part) == 0)
            program = programs[i].program;
    snprintf(command, sizeof command, "command -v %s > /dev/null 2>&1", program);
    return system(command) == 0;
}

void skipped(const char *test, const char *why, ...)
{
    const size_t length = strlen(test), ending = strlen("_fn"); /* Check's START_TEST adds it */
    const bool longer = length > ending && strcmp(test + length - ending, "_fn") == 0;
    va_list arguments;
    va_start(arguments, why);
    printf("skipped: %.*s (", (int)(longer ? length - ending : length), test);
    vprintf(why, arguments);
    printf(")\n");
    fflush(stdout); /* a test that fails later ends without it */
    va_end(arguments);
}

bool lacks(const char *test, const char *part)
{
    if (has_part(part))
        return false;
    skipped(test, "needs %s", part);
    return true;
}

bool is_sanitized(const char *test)
{
    if (getenv("NS_TEST_SLOWDOWN") == NULL)
        return false;
    skipped(test, "needs a build without sanitizers");
    return true;
}
