/* sized.h -- structs that begin with their size, so that fields can be added at their end
 *
 * A caller may have been compiled with an older or newer header.  Results: it gets the fields that both headers have.
 * Options: size 0 means the fields of the first header of 1.0; fields that the caller lacks are 0; fields that this
 * library lacks must be 0.
 *
 * An added field must begin at the old end of the struct, not in its padding, and the argument that names the last
 * field of the first header must not change wherever the options are read.
 */
#ifndef NS_CORE_SIZED_H
#define NS_CORE_SIZED_H

#include <stddef.h>

#include <nsmodel/exchange.h>
#include <nsmodel/status.h>

/* Copy the first bytes of a result of `known` bytes into the caller's struct, which begins with its size, and set that
 * to the number of bytes copied. */
ns_status ns_sized_give(void *to, const void *from, size_t known, ns_error *err);

/* Copy the caller's options (NULL: all 0) into a struct of `known` bytes; for a size of 0 only the first `first` bytes.
 * The copy's size is `known`. */
ns_status ns_sized_take(const void *options, size_t first, void *to, size_t known, ns_error *err);

/* The size of a struct whose last field is this one. */
#define NS_SIZE_UP_TO(type, last)                                                                                      \
    ((offsetof(type, last) + sizeof((type){0}.last) + _Alignof(type) - 1) / _Alignof(type) * _Alignof(type))

/* Copy options, of a type whose first header ended with the field `last`, into *to. */
#define NS_TAKE_OPTIONS(options, type, last, to, err)                                                                  \
    ns_sized_take((options), NS_SIZE_UP_TO(type, last), (to), sizeof(type), (err))

static inline ns_status ns_limits_take(const ns_limits *limits, ns_limits *to, ns_error *err)
{
    return NS_TAKE_OPTIONS(limits, ns_limits, max_work, to, err);
}

#endif
