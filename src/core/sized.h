/* sized.h -- structs that begin with their size, so that they can grow at their end
 *
 * A caller was compiled with a header of its own time.  Results: it gets the fields that both know.  Options: size 0
 * stands for the fields of the first header of 1.0; fields that the caller has not are 0; fields that this library has
 * not may only be 0.
 *
 * A field that is added begins where the struct ended before, not in the padding there, and the word for the last field
 * of the first header stays as it is wherever the options are read.
 */
#ifndef NS_CORE_SIZED_H
#define NS_CORE_SIZED_H

#include <stddef.h>

#include <nsmodel/exchange.h>
#include <nsmodel/status.h>

/* Copy the first bytes of a result of `known` bytes into the caller's struct, whose size stands in front, and set
 * that to how many were copied. */
ns_status ns_sized_give(void *to, const void *from, size_t known, ns_error *err);

/* The caller's options (NULL: all 0) into a struct of ours of `known` bytes; of a size of 0 the first `first` count.
 * The copy's size is `known`. */
ns_status ns_sized_take(const void *options, size_t first, void *to, size_t known, ns_error *err);

/* The size of a struct that ended with this field. */
#define NS_SIZE_UP_TO(type, last)                                                                                      \
    ((offsetof(type, last) + sizeof((type){0}.last) + _Alignof(type) - 1) / _Alignof(type) * _Alignof(type))

/* Options of a type whose first header ended with the field `last` into *to. */
#define NS_TAKE_OPTIONS(options, type, last, to, err)                                                                  \
    ns_sized_take((options), NS_SIZE_UP_TO(type, last), (to), sizeof(type), (err))

static inline ns_status ns_limits_take(const ns_limits *limits, ns_limits *to, ns_error *err)
{
    return NS_TAKE_OPTIONS(limits, ns_limits, max_work, to, err);
}

#endif
