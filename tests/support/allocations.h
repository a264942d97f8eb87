/* allocations.h -- how often memory was asked for */
#ifndef TESTS_ALLOCATIONS_H
#define TESTS_ALLOCATIONS_H

/* Calls of malloc, calloc and realloc of this program so far; always 0 under a sanitizer, which has its own. */
long allocations(void);

/* Blocks that were not freed yet; always 0 under a sanitizer. */
long allocations_live(void);

/* All calls from the limit-th on fail; negative: none.  Without effect under a sanitizer. */
void allocations_limit(long limit);

#endif
