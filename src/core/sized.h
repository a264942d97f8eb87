/* sized.h -- structs that begin with their size, so that they can grow at their end
 *
 * A caller was compiled with a header of its own time.  Results: it gets the fields that both know.  Options: size 0
 * stands for the fields of version 1.0; fields that the caller has not are 0; fields that this library has not may only
 * be 0.
 */
#ifndef NS_CORE_SIZED_H
#define NS_CORE_SIZED_H

#include <stddef.h>

#include <nsmodel/status.h>

/* Copy the first bytes of a result of `known` bytes into the caller's struct, whose size stands in front, and set
 * that to how many were copied. */
ns_status ns_sized_give(void *to, const void *from, size_t known, ns_error *err);

/* Can options be read as a struct of `known` bytes?  NULL can. */
ns_status ns_sized_check(const void *options, size_t known, ns_error *err);

#endif
