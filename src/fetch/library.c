/* library.c -- libcurl, loaded when a file is fetched */
#include "fetch/library.h"

#include "core/memory.h"
#include "core/without.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char file_name[] = "libcurl.so.4";

#define ROW(function)                                                                                                  \
    {                                                                                                                  \
        "curl_" #function, offsetof(ns_curl_library, function)                                                         \
    }
static const struct {
    const char *name;
    size_t offset;
} functions[] = {ROW(easy_init),    ROW(easy_setopt),  ROW(easy_perform),  ROW(easy_strerror),
                 ROW(easy_cleanup), ROW(slist_append), ROW(slist_free_all)};
#undef ROW

_Static_assert(sizeof(ns_curl_library) == sizeof functions / sizeof *functions * sizeof(void *),
               "every function has its row, and a pointer to one is as large as one to data, as POSIX has it");

ns_status ns_curl_load(ns_curl_library *library, ns_error *err)
{
    ns_curl_library loaded;
    const bool hidden = ns_without(getenv(NS_WITHOUT), "curl");
    void *handle = hidden ? NULL : dlopen(file_name, RTLD_NOW | RTLD_LOCAL);
    const char *why = handle != NULL ? NULL : hidden ? "hidden by " NS_WITHOUT : dlerror();
    if (ns_lacked_memory(why))
        return ns_no_memory(err);
    if (handle == NULL)
        return ns_fail(err, NS_ERR_FILE, "fetching wants libcurl (Debian's libcurl4), which cannot be loaded: %s",
                       why != NULL ? why : "no reason given");
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const void *found = dlsym(handle, functions[i].name);
        if (found == NULL)
            return ns_fail(err, NS_ERR_FILE, "%s has no %s", file_name, functions[i].name);
        memcpy((char *)&loaded + functions[i].offset, &found, sizeof found);
    }
    *library = loaded;
    return NS_OK;
}
