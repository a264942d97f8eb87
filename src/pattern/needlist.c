/* needlist.c -- need(p) as sorted lists, and the merge of several parts' lists */
#include "pattern/needlist.h"

#include "core/memory.h"

#include <stdlib.h>

static int by_owner(const void *a, const void *b)
{
    const ns_need *x = a, *y = b;
    if (x->owner != y->owner)
        return x->owner < y->owner ? -1 : 1;
    return (x->col > y->col) - (x->col < y->col);
}

static ns_status append(ns_needlist *list, int64_t col, int32_t owner, ns_budget *budget, ns_error *err)
{
    void *memory = list->need;
    NS_TRY(ns_grow(&memory, &list->capacity, list->count + 1, sizeof *list->need, budget, err));
    list->need = memory;
    list->need[list->count++] = (ns_need){col, owner};
    return NS_OK;
}

/* Columns come ascending, so the owner of the last one mostly owns the next. */
static ns_status append_word(ns_needsource *s, ns_needlist *list, const ns_word *word, int32_t p, int64_t *end,
                             int32_t *owner, ns_error *err)
{
    const ns_blocks *b = s->blocks;
    for (uint64_t bits = word->bits; bits != 0; bits &= bits - 1) {
        int64_t col = (int64_t)word->key * 64 + __builtin_ctzll(bits);
        if (b->part != NULL) {
            *owner = b->part[col];
        } else if (col >= *end) {
            *owner = ns_block_owner(col, b->cols, b->layout[s->layout].parts);
            *end = ns_block_first(*owner + 1, b->cols, b->layout[s->layout].parts);
        }
        if (*owner != p)
            NS_TRY(append(list, col, *owner, s->budget, err));
    }
    return NS_OK;
}

ns_status ns_needlist_collect(ns_needsource *source, int32_t p, ns_needlist *list, ns_error *err)
{
    int64_t first, count, end = 0;
    int32_t owner = 0;
    list->count = 0;
    ns_blocks_groups_of(source->blocks, source->layout, p, &first, &count);
    void *groups;
    NS_TRY(ns_take(&groups, count, sizeof(int32_t), source->budget, err));
    int32_t *group = groups;
    for (int64_t g = 0; g < count; g++)
        group[g] = (int32_t)(first + g);
    ns_status status = ns_needset_union(source->set, group, count, &source->words, err);
    ns_give_back(groups, count, sizeof *group, source->budget);
    for (int64_t i = 0; status == NS_OK && i < source->words.count; i++)
        status = append_word(source, list, &source->words.word[i], p, &end, &owner, err);
    for (int64_t i = 0; source->place != NULL && i < list->count; i++)
        list->need[i].owner = source->place[list->need[i].owner];
    if (status == NS_OK && (source->blocks->part != NULL || source->place != NULL) && list->count > 1)
        qsort(list->need, (size_t)list->count, sizeof *list->need, by_owner);
    return status;
}

void ns_needlist_free(ns_needlist *list, ns_budget *budget)
{
    if (list->need != NULL)
        ns_give_back(list->need, list->capacity, sizeof *list->need, budget);
    *list = (ns_needlist){0};
}

/* ---- merge by a binary heap of list indices, ordered by (head, index) -------------------------------------------- */

typedef struct heap {
    const ns_needlist *lists;
    int64_t *at;     /* [lists] next element of each */
    int32_t *who;    /* the heap */
    int32_t size;
} heap;

static int before(const heap *h, int32_t a, int32_t b)
{
    const ns_need *x = &h->lists[a].need[h->at[a]], *y = &h->lists[b].need[h->at[b]];
    if (x->owner != y->owner)
        return x->owner < y->owner;
    return x->col != y->col ? x->col < y->col : a < b;
}

static void sift(heap *h, int32_t i)
{
    int32_t moving = h->who[i];
    for (int32_t child; (child = 2 * i + 1) < h->size; i = child) {
        if (child + 1 < h->size && before(h, h->who[child + 1], h->who[child]))
            child++;
        if (!before(h, h->who[child], moving))
            break;
        h->who[i] = h->who[child];
    }
    h->who[i] = moving;
}

static void advance_top(heap *h)
{
    int32_t top = h->who[0];
    if (++h->at[top] == h->lists[top].count)
        h->who[0] = h->who[--h->size];
    if (h->size > 0)
        sift(h, 0);
}

static ns_status merge(heap *h, int32_t *holders, ns_merge_fn *receive, void *context, ns_error *err)
{
    while (h->size > 0) {
        ns_need need = h->lists[h->who[0]].need[h->at[h->who[0]]];
        int32_t count = 0;
        do {
            holders[count++] = h->who[0]; /* equal heads leave by rising index */
            advance_top(h);
        } while (h->size > 0 && h->lists[h->who[0]].need[h->at[h->who[0]]].col == need.col);
        NS_TRY(receive(context, &need, holders, count, err));
    }
    return NS_OK;
}

ns_status ns_needlist_merge(const ns_needlist *lists, int32_t count, ns_merge_fn *receive, void *context, ns_error *err)
{
    heap h = {.lists = lists,
              .at = calloc(ns_size_add((size_t)count, 1), sizeof *h.at),
              .who = calloc(ns_size_add((size_t)count, 1), sizeof *h.who)};
    int32_t *holders = calloc(ns_size_add((size_t)count, 1), sizeof *holders);
    ns_status status = NS_OK;
    if (h.at == NULL || h.who == NULL || holders == NULL)
        status = ns_no_memory(err);
    for (int32_t i = 0; status == NS_OK && i < count; i++)
        if (lists[i].count > 0)
            h.who[h.size++] = i;
    for (int32_t i = h.size / 2 - 1; status == NS_OK && i >= 0; i--)
        sift(&h, i);
    if (status == NS_OK)
        status = merge(&h, holders, receive, context, err);
    free(h.at);
    free(h.who);
    free(holders);
    return status;
}
