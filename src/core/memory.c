/* memory.c -- sizes that cannot overflow, and growing arrays under a limit that the caller sets */
#include "core/memory.h"

#include "core/context.h"

#include <nsmodel/quantity.h>

#include <stdbool.h>
#include <string.h>

size_t ns_size_add(size_t a, size_t b)
{
    return a <= SIZE_MAX - b ? a + b : SIZE_MAX;
}

size_t ns_size_mul(size_t a, size_t b)
{
    return b == 0 || a <= SIZE_MAX / b ? a * b : SIZE_MAX;
}

int64_t ns_count_add(int64_t a, int64_t b)
{
    if (a < 0 || b < 0)
        return -1;
    return a <= INT64_MAX - b ? a + b : INT64_MAX;
}

int64_t ns_count_mul(int64_t a, int64_t b)
{
    if (a < 0 || b < 0)
        return -1;
    return b == 0 || a <= INT64_MAX / b ? a * b : INT64_MAX;
}

ns_status(ns_no_memory)(ns_error *err)
{
    return ns_fail(err, NS_ERR_MEMORY, "out of memory");
}

ns_status ns_budget_check(const ns_budget *budget, double bytes, ns_error *err)
{
    const double wanted = (double)budget->used + bytes;
    const int64_t most = ns_context_memory(budget->limit);
    if (wanted < 9e18 && (most == 0 || wanted <= (double)most))
        return NS_OK;
    char need[40], limit[40];
    const ns_dim byte = {0, 1, 0};
    ns_quantity_format(wanted, byte, 3, need, sizeof need);
    ns_quantity_format((double)most, byte, 3, limit, sizeof limit);
    const bool first = err != NULL && err->code == NS_OK;
    ns_status status = ns_fail(err, NS_ERR_LIMIT, "this needs at least %s of memory, more than the limit of %s", need,
                               most == 0 ? "the address space" : limit);
    if (first && most > 0)
        err->limit = NS_LIMIT_MEMORY;
    return status;
}

/* Nine tenths of a limit: the next call of this kind may end with NS_ERR_LIMIT.  Said once. */
static void count_in(ns_budget *budget, int64_t bytes)
{
    const int64_t most = ns_context_memory(budget->limit);
    budget->used += bytes;
    if (most == 0 || budget->told || (double)budget->used <= 0.9 * (double)most)
        return;
    budget->told = true;
    ns_tell_host(NS_LOG_WARNING, "memory is near its limit: %lld B of %lld B are in use", (long long)budget->used,
                 (long long)most);
}

static ns_status check_count(int64_t count, ns_error *err)
{
    return count >= 0 ? NS_OK
                      : ns_fail(err, NS_ERR_RANGE, "an array of %lld elements, wanted 0 or more", (long long)count);
}

ns_status ns_take(void **array, int64_t count, size_t size, ns_budget *budget, ns_error *err)
{
    NS_TRY(check_count(count, err));
    if (count == 0)
        count = 1;
    NS_TRY(ns_budget_check(budget, (double)count * (double)size, err));
    void *taken = ns_calloc((size_t)count, size);
    if (taken == NULL)
        return ns_no_memory(err);
    *array = taken;
    count_in(budget, count * (int64_t)size);
    return NS_OK;
}

ns_status ns_grow(void **array, int64_t *capacity, int64_t count, size_t size, ns_budget *budget, ns_error *err)
{
    NS_TRY(check_count(count, err));
    if (count <= *capacity)
        return NS_OK;
    int64_t wanted = *capacity < 32 ? 64 : ns_count_mul(2, *capacity);
    if (wanted < count)
        wanted = count;
    NS_TRY(ns_budget_check(budget, (double)(wanted - *capacity) * (double)size, err));
    void *grown = ns_realloc(*array, ns_size_mul((size_t)wanted, size));
    if (grown == NULL)
        return ns_no_memory(err);
    count_in(budget, (wanted - *capacity) * (int64_t)size);
    *array = grown;
    *capacity = wanted;
    return NS_OK;
}

void ns_give_back(void *array, int64_t count, size_t size, ns_budget *budget)
{
    if (array != NULL)
        budget->used -= (count < 1 ? 1 : count) * (int64_t)size;
    ns_free(array);
}
