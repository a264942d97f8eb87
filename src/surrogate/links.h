/* links.h -- entries that a mesh does not have by itself: row << 32 | column, and rows that take them in */
#ifndef NS_MATRIX_LINKS_H
#define NS_MATRIX_LINKS_H

#include <stdint.h>

/* qsort's order of links: by row, then by column. */
int ns_links_compare(const void *a, const void *b);

/* Sort a row's columns, which are nearly in order: by insertion. */
void ns_columns_sort(int32_t *columns, int count);

#endif
