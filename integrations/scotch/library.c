/* library.c -- libscotch, loaded when parts are mapped */
#include "scotch/library.h"

#include "core/memory.h"
#include "core/without.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The names that distributions give it. */
static const char *const file_names[] = {"libscotch-7.0.so", "libscotch.so.7.0", "libscotch-6.1.so", "libscotch.so"};
enum { FILE_NAMES = sizeof file_names / sizeof *file_names };

#define ROW(function)                                                                                                  \
    {                                                                                                                  \
        "SCOTCH_" #function, offsetof(ns_scotch_library, function)                                                     \
    }
static const struct {
    const char *name;
    size_t offset;
} functions[] = {
    ROW(numSizeof), ROW(memFree),   ROW(graphAlloc),         ROW(graphInit),  ROW(graphExit),   ROW(graphBuild),
    ROW(graphMap),  ROW(archAlloc), ROW(archInit),           ROW(archExit),   ROW(archCmplt),   ROW(stratAlloc),
    ROW(stratInit), ROW(stratExit), ROW(stratGraphMapBuild), ROW(randomSeed), ROW(randomReset),
};
#undef ROW

_Static_assert(sizeof(ns_scotch_library) == sizeof functions / sizeof *functions * sizeof(void *),
               "every function has its row, and a pointer to one is as large as one to data, as POSIX has it");

ns_status ns_scotch_load(ns_scotch_library *library, ns_error *err)
{
    ns_scotch_library loaded;
    void *handle = NULL;
    for (int i = 0; i < FILE_NAMES && handle == NULL && !ns_without(getenv(NS_WITHOUT), "scotch"); i++) {
        handle = dlopen(file_names[i], RTLD_NOW | RTLD_LOCAL);
        if (handle == NULL && ns_lacked_memory(dlerror()))
            return ns_no_memory(err);
    }
    if (handle == NULL)
        return ns_fail(err, NS_ERR_FILE, "libscotch (Debian's libscotch-7.0) is not installed");
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const void *found = dlsym(handle, functions[i].name);
        if (found == NULL)
            return ns_fail(err, NS_ERR_FILE, "the libscotch that is installed has no %s", functions[i].name);
        memcpy((char *)&loaded + functions[i].offset, &found, sizeof found);
    }
    if (loaded.numSizeof() != (int)sizeof(ns_scotch_num))
        return ns_fail(err, NS_ERR_FILE, "the libscotch that is installed has numbers of %d B, wanted %d B",
                       loaded.numSizeof(), (int)sizeof(ns_scotch_num));
    *library = loaded;
    return NS_OK;
}
