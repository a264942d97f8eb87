/* sized.c -- structs that begin with their size, so that fields can be added at their end */
#include "core/sized.h"

#include <string.h>

ns_status ns_sized_give(void *to, const void *from, size_t known, ns_error *err)
{
    size_t size;
    memcpy(&size, to, sizeof size);
    if (size <= sizeof size)
        return ns_fail(err, NS_ERR_RANGE, "a result's size is %zu B, wanted sizeof of its struct", size);
    if (size > known)
        size = known;
    memcpy(to, from, size);
    memcpy(to, &size, sizeof size);
    return NS_OK;
}

ns_status ns_sized_take(const void *options, size_t first, void *to, size_t known, ns_error *err)
{
    memset(to, 0, known);
    if (options != NULL) {
        size_t size; /* the caller's size */
        memcpy(&size, options, sizeof size);
        if (size == 0)
            size = first;
        if (size < first)
            return ns_fail(err, NS_ERR_RANGE, "options of %zu B, wanted sizeof of their struct, at least %zu B, or 0",
                           size, first);
        for (size_t i = known; i < size; i++)
            if (((const unsigned char *)options)[i] != 0)
                return ns_fail(err, NS_ERR_RANGE,
                               "options of %zu B ask for something that came after this library, which knows %zu B",
                               size, known);
        memcpy(to, options, size < known ? size : known);
    }
    memcpy(to, &known, sizeof known);
    return NS_OK;
}
