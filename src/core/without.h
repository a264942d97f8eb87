/* without.h -- optional parts that are treated as missing, so that their absence can be tested anywhere */
#ifndef NS_CORE_WITHOUT_H
#define NS_CORE_WITHOUT_H

#include <stdbool.h>
#include <string.h>

/* The environment variable that lists them: "scotch,curl", or "all".  The library itself never reads it. */
#define NS_WITHOUT "NSMODEL_WITHOUT"

/* Does the list, which may be NULL, name this part? */
static inline bool ns_without(const char *list, const char *part)
{
    for (size_t length; list != NULL; list = list[length] == ',' ? list + length + 1 : NULL) {
        length = strcspn(list, ",");
        if ((length == strlen(part) && memcmp(list, part, length) == 0) || (length == 3 && memcmp(list, "all", 3) == 0))
            return true;
    }
    return false;
}

/* Did the loader's message (dlerror) mean that memory was short, rather than that the library is missing? */
static inline bool ns_lacked_memory(const char *why)
{
    return why != NULL && (strstr(why, "out of memory") != NULL || strstr(why, "llocate memory") != NULL);
}

#endif
