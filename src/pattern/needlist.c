/* needlist.c -- need(p) as sorted lists, and the merge of the lists of several parts */
#include "pattern/needlist.h"

#include "core/context.h"
#include "core/memory.h"
#include "core/sort.h"

static int by_owner(const void *a, const void *b)
{
    const ns_need *x = a, *y = b;
    if (x->owner != y->owner)
        return x->owner < y->owner ? -1 : 1;
    return (x->col > y->col) - (x->col < y->col);
}

ns_status ns_needlist_sort(ns_needlist *list, ns_error *err)
{
    return ns_sort_items(list->need, list->count, sizeof *list->need, by_owner, err);
}

ns_status ns_needlist_append(ns_needlist *list, ns_need need, ns_budget *budget, ns_error *err)
{
    ns_need *last = list->count > 0 ? &list->need[list->count - 1] : NULL;
    if (last != NULL && last->owner == need.owner && last->col + last->count == need.col &&
        last->count <= INT32_MAX - need.count) {
        last->count += need.count;
        return NS_OK;
    }
    NS_TRY(ns_grow(&list->need, &list->capacity, list->count + 1, sizeof *list->need, budget, err));
    list->need[list->count++] = need;
    return NS_OK;
}

/* The owner of the columns up to `end`. */
typedef struct owned {
    int64_t end;
    int32_t owner;
} owned;

/* Append the columns of a span that part p does not own.  Spans are in rising order, so the owner of the last one, or
 * the one after it, usually owns the next. */
static ns_status append_span(const ns_needsource *s, ns_needlist *list, ns_column_span span, int32_t p, owned *o,
                             ns_error *err)
{
    const int64_t end = span.first + span.count;
    const ns_blocks *b = s->blocks;
    for (int64_t col = span.first, next; col < end; col = next) {
        if (b->part != NULL) {
            o->owner = b->part[col];
            for (o->end = col + 1; o->end < end && b->part[o->end] == o->owner; o->end++)
                ;
        } else if (col >= o->end) {
            o->owner = ns_block_owner(col, b->cols, b->layout[s->layout].parts);
            o->end = ns_block_first(o->owner + 1, b->cols, b->layout[s->layout].parts);
        }
        next = o->end < end ? o->end : end;
        next = next - col < INT32_MAX ? next : col + INT32_MAX;
        if (o->owner != p)
            NS_TRY(ns_needlist_append(list, (ns_need){col, (int32_t)(next - col), o->owner}, s->budget, err));
    }
    return NS_OK;
}

/* Collect from a matrix that computes the columns of a part's rows. */
static ns_status collect_spans(const ns_needsource *s, int32_t p, ns_needlist *list, ns_error *err)
{
    const ns_blocks *b = s->blocks;
    const int64_t parts = b->layout[s->layout].parts, row = ns_block_first(p, b->rows, parts),
                  rows = ns_block_first(p + 1, b->rows, parts) - row;
    ns_column_span span[NS_SPANS];
    owned o = {.end = 0};
    const int spans = rows > 0 ? s->matrix->columns(s->matrix, row, rows, span) : 0;
    for (int i = 1; i < spans; i++) { /* few: insertion sort */
        const ns_column_span moving = span[i];
        int at = i;
        for (; at > 0 && span[at - 1].first > moving.first; at--)
            span[at] = span[at - 1];
        span[at] = moving;
    }
    for (int i = 0, end = 0; i < spans; i = end) {
        ns_column_span whole = span[i];
        for (end = i + 1; end < spans && span[end].first <= whole.first + whole.count; end++)
            if (span[end].first + span[end].count > whole.first + whole.count)
                whole.count = span[end].first + span[end].count - whole.first;
        NS_TRY(append_span(s, list, whole, p, &o, err));
    }
    return NS_OK;
}

ns_status ns_needlist_collect(ns_needsource *source, int32_t p, ns_needlist *list, ns_error *err)
{
    list->count = 0;
    if (source->lists != NULL) {
        for (int64_t i = 0; i < source->lists[p].count; i++)
            NS_TRY(ns_needlist_append(list, source->lists[p].need[i], source->budget, err));
    } else if (source->matrix != NULL) {
        NS_TRY(collect_spans(source, p, list, err));
    } else {
        int64_t first, groups;
        owned o = {.end = 0};
        ns_blocks_groups_of(source->blocks, source->layout, p, &first, &groups);
        NS_TRY(ns_needset_union(source->set, first, groups, &source->words, err));
        NS_TRY(ns_context_tick(8 * source->words.count, err)); /* a word has up to 64 columns */
        for (int64_t w = 0; w < source->words.count; w++) {
            const ns_column_word *word = source->words.word + w;
            for (uint64_t bits = word->bits; bits != 0;) {
                const int at = __builtin_ctzll(bits);
                const uint64_t after = ~(bits >> at); /* the bits after the run of ones at `at` */
                const int run = after != 0 ? __builtin_ctzll(after) : 64;
                NS_TRY(append_span(source, list, (ns_column_span){(int64_t)word->key * 64 + at, run}, p, &o, err));
                bits = at + run < 64 ? bits & UINT64_MAX << (at + run) : 0;
            }
        }
    }
    for (int64_t i = 0; source->place != NULL && i < list->count; i++)
        list->need[i].owner = source->place[list->need[i].owner];
    if (source->blocks->part != NULL || source->place != NULL)
        NS_TRY(ns_needlist_sort(list, err));
    return NS_OK;
}

void ns_needlist_free(ns_needlist *list, ns_budget *budget)
{
    ns_give_back(list->need, list->capacity, sizeof *list->need, budget);
    *list = (ns_needlist){0};
}

/* ---- merge by a binary heap of lists, ordered by the owner, column and index of the rest of their range ---------- */

typedef struct heap {
    const ns_needlist *lists;
    int64_t *at;   /* [lists] next range of each list, after its head */
    ns_need *head; /* [lists] the rest of the current range */
    int32_t *who;  /* the heap */
    int32_t size;
} heap;

static int before(const heap *h, int32_t a, int32_t b)
{
    const ns_need *x = &h->head[a], *y = &h->head[b];
    if (x->owner != y->owner)
        return x->owner < y->owner;
    return x->col != y->col ? x->col < y->col : a < b;
}

static int32_t pop(heap *h)
{
    const int32_t top = h->who[0], moving = h->who[--h->size];
    int32_t i = 0;
    for (int32_t child; (child = 2 * i + 1) < h->size; i = child) {
        if (child + 1 < h->size && before(h, h->who[child + 1], h->who[child]))
            child++;
        if (!before(h, h->who[child], moving))
            break;
        h->who[i] = h->who[child];
    }
    h->who[i] = moving;
    return top;
}

/* Put a list into the heap, by the rest of its head or else by its next range; an exhausted list is not added. */
static void push(heap *h, int32_t list)
{
    if (h->head[list].count == 0) {
        if (h->at[list] == h->lists[list].count)
            return;
        h->head[list] = h->lists[list].need[h->at[list]++];
    }
    int32_t i = h->size++;
    for (; i > 0 && before(h, list, h->who[(i - 1) / 2]); i = (i - 1) / 2)
        h->who[i] = h->who[(i - 1) / 2];
    h->who[i] = list;
}

/* The lists whose heads begin where the first one begins share columns up to the first end or next beginning of a
 * head. */
ns_status ns_needlist_merge(const ns_needlist *lists, int32_t count, ns_merge_fn *receive, void *context, ns_error *err)
{
    const size_t room = ns_size_add((size_t)count, 1);
    heap h = {.lists = lists,
              .at = ns_calloc(room, sizeof *h.at),
              .head = ns_calloc(room, sizeof *h.head),
              .who = ns_calloc(room, sizeof *h.who)};
    int32_t *holders = ns_calloc(room, sizeof *holders);
    ns_status status = NS_OK;
    if (h.at == NULL || h.head == NULL || h.who == NULL || holders == NULL)
        status = ns_no_memory(err);
    for (int32_t i = 0; status == NS_OK && i < count; i++)
        push(&h, i);
    while (status == NS_OK && h.size > 0) {
        ns_need need = h.head[h.who[0]];
        int32_t held = 0;
        do {
            holders[held] = pop(&h); /* equal heads are removed by rising index */
            const ns_need *head = &h.head[holders[held++]];
            need.count = head->count < need.count ? head->count : need.count;
        } while (h.size > 0 && h.head[h.who[0]].col == need.col);
        const ns_need *next = h.size > 0 ? &h.head[h.who[0]] : NULL;
        if (next != NULL && next->owner == need.owner && next->col - need.col < need.count)
            need.count = (int32_t)(next->col - need.col);
        status = ns_context_tick(4, err); /* one iteration of the heap */
        if (status == NS_OK)
            status = receive(context, &need, holders, held, err);
        for (int32_t i = 0; i < held; i++) {
            ns_need *head = &h.head[holders[i]];
            head->col += need.count;
            head->count -= need.count;
            push(&h, holders[i]);
        }
    }
    ns_free(h.at);
    ns_free(h.head);
    ns_free(h.who);
    ns_free(holders);
    return status;
}
