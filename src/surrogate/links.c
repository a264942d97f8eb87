/* links.c -- entries that a mesh does not have by itself: row << 32 | column, and rows that take them in */
#include "surrogate/links.h"

int ns_links_compare(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

void ns_columns_sort(int32_t *columns, int count)
{
    for (int i = 1; i < count; i++) {
        const int32_t column = columns[i];
        int at = i;
        for (; at > 0 && columns[at - 1] > column; at--)
            columns[at] = columns[at - 1];
        columns[at] = column;
    }
}
