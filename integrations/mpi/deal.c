/* deal.c -- nodes dealt out in blocks */
#include "mpi/deal.h"
#include "core/memory.h"
#include "pattern/blocks.h"

ns_status ns_deal_open(int ranks, const ns_layout *layout, size_t layouts, int64_t rows, const int32_t *part,
                       ns_deal *deal, ns_error *err)
{
    const size_t each = (size_t)ranks + 1;
    *deal = (ns_deal){.ranks = ranks, .layouts = layouts, .part = part};
    deal->node = ns_calloc(ns_size_mul(2 * layouts, each), sizeof *deal->node);
    if (deal->node == NULL)
        return ns_no_memory(err);
    deal->first = deal->node + layouts * each;
    for (size_t i = 0; i < layouts; i++) {
        const int64_t parts = layout[i].parts, nodes = (parts + layout[i].per_node - 1) / layout[i].per_node;
        for (int r = 0; r <= ranks; r++) {
            const int64_t node = ns_block_first(r, nodes, ranks), to = node * layout[i].per_node,
                          first = to < parts ? to : parts;
            deal->node[i * each + (size_t)r] = node;
            deal->first[i * each + (size_t)r] = part != NULL ? first : ns_block_first(first, rows, parts);
        }
    }
    return NS_OK;
}

void ns_deal_close(ns_deal *deal)
{
    ns_free(deal->node);
    *deal = (ns_deal){.layouts = 0};
}

int ns_deal_owner(const ns_deal *deal, size_t layout, int64_t place)
{
    const int64_t *first = deal->first + layout * ((size_t)deal->ranks + 1);
    int low = 0, high = deal->ranks;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (first[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

bool ns_deal_has(const ns_deal *deal, int rank, int64_t place)
{
    const size_t each = (size_t)deal->ranks + 1;
    for (size_t i = 0; i < deal->layouts; i++)
        if (deal->first[i * each + (size_t)rank] <= place && place < deal->first[i * each + (size_t)rank + 1])
            return true;
    return false;
}
