/* needlist.h -- need(p) as sorted lists of column ranges, and the merge of the lists of several parts */
#ifndef NS_PATTERN_NEEDLIST_H
#define NS_PATTERN_NEEDLIST_H

#include "matrix/source.h"
#include "pattern/blocks.h"
#include "pattern/needset.h"

/* Needed columns [col, col + count) and the part that owns them; lists are sorted by owner, then column, and their
 * ranges neither overlap nor, as long as the count fits, touch. */
typedef struct ns_need {
    int64_t col;
    int32_t count, owner;
} ns_need;

typedef struct ns_needlist {
    ns_need *need;
    int64_t count, capacity;
} ns_needlist;

/* The source of the lists: a set, a matrix that computes the columns of a part's rows, or existing lists. */
typedef struct ns_needsource {
    const ns_blocks *blocks;
    const ns_needset *set;
    const ns_matrix *matrix;  /* or NULL: the set */
    const ns_needlist *lists; /* [parts], copied; or NULL */
    size_t layout;
    const int32_t *place; /* [parts] the values stored for owners, or NULL: their numbers */
    ns_needset_scratch words;
    ns_budget *budget;
    ns_work *work; /* counts the work on routes; or NULL */
} ns_needsource;

/* Set the list to need(p) of the source's layout, replacing its contents. */
ns_status ns_needlist_collect(ns_needsource *source, int32_t p, ns_needlist *list, ns_error *err);
/* Append a range after the last one, or extend that one if both touch. */
ns_status ns_needlist_append(ns_needlist *list, ns_need need, ns_budget *budget, ns_error *err);
/* Sort by owner, then column. */
ns_status ns_needlist_sort(ns_needlist *list, ns_error *err);
void ns_needlist_free(ns_needlist *list, ns_budget *budget);

/* Called in order for the ranges of the union of several lists, with the indices (ascending) of the lists that contain
 * the range. */
typedef ns_status ns_merge_fn(void *context, const ns_need *need, const int32_t *who, int32_t count, ns_error *err);
ns_status ns_needlist_merge(const ns_needlist *lists, int32_t count, ns_merge_fn *receive, void *context,
                            ns_error *err);

#endif
