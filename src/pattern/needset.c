/* needset.c -- the set of (row group, column) pairs, as a bitmap or as a hash of words, whichever is smaller
 *
 * The hash uses linear probing over a power of two of slots, at most 5/8 full; 16 bytes a slot.  When it would exceed
 * the size of the bitmap, it is converted to one.
 */
#include "pattern/needset.h"

#include "core/context.h"
#include "core/sort.h"

#include <string.h>

enum { BITMAP_AT_ONCE = 32 << 20 }; /* bytes: a smaller bitmap is used without trying the hash */

ns_status ns_needset_open(ns_needset *set, int64_t groups, int64_t columns, ns_budget *budget, ns_error *err)
{
    ns_needset made = {.groups = groups, .words = columns / 64 + (columns % 64 != 0), .budget = budget};
    if ((double)made.groups * (double)made.words > 9e18)
        return ns_fail(err, NS_ERR_LIMIT, "%lld row blocks by %lld columns are too many", (long long)groups,
                       (long long)columns);
    if (8.0 * (double)groups * (double)made.words <= BITMAP_AT_ONCE) {
        NS_TRY(ns_take(&made.bitmap, ns_count_mul(groups, made.words), sizeof *made.bitmap, budget, err));
    } else {
        made.slots = 1 << 16;
        NS_TRY(ns_take(&made.slot, made.slots, sizeof *made.slot, budget, err));
    }
    *set = made;
    return NS_OK;
}

void ns_needset_free(ns_needset *set)
{
    if (set->budget == NULL)
        return;
    ns_give_back(set->bitmap, set->groups * set->words, sizeof(uint64_t), set->budget);
    ns_give_back(set->slot, set->slots, sizeof *set->slot, set->budget);
    ns_give_back(set->start, set->groups + 1, sizeof *set->start, set->budget);
    *set = (ns_needset){0};
}

static ns_column_word *find_slot(ns_column_word *slot, int64_t slots, uint64_t key)
{
    const uint64_t mixed = (key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15), mask = (uint64_t)slots - 1;
    uint64_t at = (mixed ^ mixed >> 29) & mask;
    while (slot[at].key != 0 && slot[at].key != key)
        at = (at + 1) & mask;
    return &slot[at];
}

/* Move the words to twice the number of slots, or to a bitmap if that is not larger. */
static ns_status outgrow(ns_needset *set, ns_error *err)
{
    ns_column_word *grown = NULL;
    const int64_t slots = ns_count_mul(2, set->slots), used = set->used;
    const bool hashed = (double)slots * sizeof *grown < 8.0 * (double)set->groups * (double)set->words;
    const int64_t words = ns_count_mul(set->groups, set->words);
    NS_TRY(hashed ? ns_take(&grown, slots, sizeof *grown, set->budget, err)
                  : ns_take(&set->bitmap, words, sizeof *set->bitmap, set->budget, err));
    for (int64_t i = 0; i < set->slots; i++) {
        const ns_column_word *word = &set->slot[i];
        if (word->key == 0)
            continue;
        if (hashed)
            *find_slot(grown, slots, word->key) = *word;
        else
            set->bitmap[word->key - 1] |= word->bits;
    }
    ns_give_back(set->slot, set->slots, sizeof *set->slot, set->budget);
    set->slot = grown;
    set->slots = hashed ? slots : 0;
    set->used = hashed ? used : 0;
    return NS_OK;
}

ns_status ns_needset_hash(ns_needset *set, uint64_t key, uint64_t bits, ns_error *err)
{
    ns_column_word *slot = find_slot(set->slot, set->slots, key);
    slot->bits |= bits;
    if (slot->key == key)
        return NS_OK;
    slot->key = key;
    return ++set->used <= set->slots / 8 * 5 ? NS_OK : outgrow(set, err);
}

ns_status ns_needset_add_range(ns_needset *set, int64_t group, int64_t column, int64_t count, ns_error *err)
{
    for (const int64_t end = column + count; column < end;) {
        const int64_t next = (column | 63) + 1, last = (next < end ? next : end) - 1;
        const uint64_t word = (uint64_t)(group * set->words + (column >> 6));
        const uint64_t bits = UINT64_MAX << (column & 63) & UINT64_MAX >> (63 - (last & 63));
        if (set->bitmap != NULL)
            set->bitmap[word] |= bits;
        else
            NS_TRY(ns_needset_hash(set, word + 1, bits, err));
        column = next;
    }
    return NS_OK;
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = ((const ns_column_word *)a)->key, y = ((const ns_column_word *)b)->key;
    return (x > y) - (x < y);
}

ns_status ns_needset_close(ns_needset *set, ns_error *err)
{
    if (set->bitmap != NULL)
        return NS_OK;
    NS_TRY(ns_take(&set->start, ns_count_add(set->groups, 1), sizeof *set->start, set->budget, err));
    int64_t kept = 0;
    for (int64_t i = 0; i < set->slots; i++) {
        NS_TRY(ns_context_turn(i, err));
        if (set->slot[i].key != 0)
            set->slot[kept++] = set->slot[i];
    }
    NS_TRY(ns_sort_items(set->slot, kept, sizeof *set->slot, by_key, err));
    for (int64_t i = 0; i < kept; i++)
        set->start[(int64_t)(set->slot[i].key - 1) / set->words + 1] = i + 1;
    for (int64_t g = 0; g < set->groups; g++)
        if (set->start[g + 1] < set->start[g])
            set->start[g + 1] = set->start[g];
    return NS_OK;
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

ns_status ns_needset_union(const ns_needset *set, int64_t first, int64_t groups, ns_needset_scratch *scratch,
                           ns_error *err)
{
    scratch->count = 0;
    if (groups == 0) /* a part without rows: there may be many of them */
        return NS_OK;
    if (set->bitmap != NULL) {
        for (int64_t w = 0; w < set->words; w++) {
            uint64_t bits = 0;
            NS_TRY(ns_context_turn(w, err));
            for (int64_t g = 0; g < groups; g++)
                bits |= set->bitmap[(first + g) * set->words + w];
            if (bits == 0)
                continue;
            NS_TRY(ns_grow(&scratch->word, &scratch->capacity, scratch->count + 1, sizeof *scratch->word, set->budget,
                           err));
            scratch->word[scratch->count++] = (ns_column_word){(uint64_t)w, bits};
        }
        return NS_OK;
    }
    const int64_t from = set->start[first], words = set->start[first + groups] - from;
    NS_TRY(ns_grow(&scratch->word, &scratch->capacity, words, sizeof *scratch->word, set->budget, err));
    for (; scratch->count < words; scratch->count++) {
        const ns_column_word *slot = &set->slot[from + scratch->count];
        scratch->word[scratch->count] = (ns_column_word){(slot->key - 1) % (uint64_t)set->words, slot->bits};
    }
    if (groups < 2 || scratch->count == 0)
        return NS_OK;
    NS_TRY(ns_sort_items(scratch->word, scratch->count, sizeof *scratch->word, by_key, err));
    int64_t kept = 0;
    for (int64_t i = 1; i < scratch->count; i++)
        if (scratch->word[i].key == scratch->word[kept].key)
            scratch->word[kept].bits |= scratch->word[i].bits;
        else
            scratch->word[++kept] = scratch->word[i];
    scratch->count = kept + 1;
    return NS_OK;
}

void ns_needset_scratch_free(ns_needset_scratch *scratch, ns_budget *budget)
{
    ns_give_back(scratch->word, scratch->capacity, sizeof *scratch->word, budget);
    *scratch = (ns_needset_scratch){0};
}
