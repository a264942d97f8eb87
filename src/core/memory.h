/* memory.h -- sizes that cannot overflow, and growing arrays under a limit that the caller sets */
#ifndef NS_CORE_MEMORY_H
#define NS_CORE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nsmodel/context.h>
#include <nsmodel/status.h>

#if defined(__GNUC__) && __GNUC__ >= 11 && !defined(__clang__)
#define NS_HEAP __attribute__((__malloc__, __malloc__(ns_free, 1))) /* SimGrid has a macro malloc */
#else
#define NS_HEAP
#endif

/* a + b and a b; SIZE_MAX where the result exceeds a size_t: no allocation of that size succeeds. */
size_t ns_size_add(size_t a, size_t b);
size_t ns_size_mul(size_t a, size_t b);

/* The same for counts passed to ns_take: INT64_MAX where the result is larger, -1 where a or b is negative. */
int64_t ns_count_add(int64_t a, int64_t b);
int64_t ns_count_mul(int64_t a, int64_t b);

/* Like malloc, calloc and realloc, but from the calling thread's context: its allocator, or the C library.  All memory
 * is allocated with these and freed with ns_free (nsmodel/context.h), whichever context is then in use. */
void *ns_malloc(size_t size) NS_HEAP;
void *ns_calloc(size_t count, size_t size) NS_HEAP;
void *ns_realloc(void *memory, size_t size);

/* Record that an allocation failed.  The parentheses around the name prevent the expansion of the macro of that name in
 * tools/analyzer.h. */
ns_status(ns_no_memory)(ns_error *err);

/* Bytes in use against a limit; limit 0 means none. */
typedef struct ns_budget {
    int64_t used, limit;
    bool told; /* the host was warned that the limit is near */
} ns_budget;

/* `array` points to a pointer of any type.
 *
 * Grow the capacity for `count` elements of `size` bytes in *array, whose current capacity is *capacity; it doubles.
 * Charges the budget, where there is one.  A negative count is an error. */
ns_status ns_grow(void *array, int64_t *capacity, int64_t count, size_t size, ns_budget *budget, ns_error *err);

/* Allocate `count` zeroed elements (at least one), charged to the budget.  A negative count is an error. */
ns_status ns_take(void *array, int64_t count, size_t size, ns_budget *budget, ns_error *err);

/* Free `count` elements and credit the budget. */
void ns_give_back(void *array, int64_t count, size_t size, ns_budget *budget);

/* Would `bytes` more exceed the budget? */
ns_status ns_budget_check(const ns_budget *budget, double bytes, ns_error *err);

#endif
