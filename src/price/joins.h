/* joins.h -- messages that slices are joined to */
#ifndef NS_PRICE_JOINS_H
#define NS_PRICE_JOINS_H

#include "price/tally.h"

/* Room for one more slice of a node; chains of all nodes. */
ns_status ns_joins_more(ns_tally *tally, ns_chain *chain, ns_error *err);
ns_status ns_joins_open(ns_tally *tally, ns_chain **chains, ns_error *err);
/* The slices of a chain are done with: it is empty, and other chains take its links. */
void ns_joins_give_back(ns_tally *tally, ns_chain *chain);

/* Keep a slice with the others of a node. */
static inline ns_status ns_joins_keep(ns_tally *t, ns_chain **chains, int32_t node, int32_t from, int32_t to,
                                      int64_t bytes, ns_error *err)
{
    if (*chains == NULL)
        NS_TRY(ns_joins_open(t, chains, err));
    ns_chain *chain = &(*chains)[node];
    if ((chain->next & ((INT64_C(1) << t->link_bits) - 1)) == 0)
        NS_TRY(ns_joins_more(t, chain, err));
    t->loose[chain->next++] = (ns_loose){from, to, bytes};
    return NS_OK;
}

/* Where the slices of a link end. */
static inline int64_t ns_link_end(const ns_tally *t, const ns_chain *chain, int64_t link)
{
    return t->after[link] != 0 ? (link + 1) << t->link_bits : chain->next;
}

/* The first link of a node that comes soon, and the link that follows one, on their way into the cache: links of a
 * chain lie apart. */
static inline void ns_chain_expect(const ns_tally *t, const ns_chain *chains, int32_t node)
{
    if (node < t->site->nodes && chains[node].first != 0) {
        __builtin_prefetch(&t->loose[chains[node].first << t->link_bits]);
        __builtin_prefetch(&t->after[chains[node].first]);
    }
}
static inline void ns_link_expect(const ns_tally *t, int64_t link)
{
    const int64_t next = t->after[link];
    __builtin_prefetch(&t->after[next]);
    __builtin_prefetch(&t->loose[next << t->link_bits]);
    __builtin_prefetch(&t->loose[(next << t->link_bits) + 4]);
}

/* A slice of a node to come: its place on its way into the cache. */
static inline void ns_joins_expect(const ns_tally *t, const ns_chain *chains, int32_t node)
{
    if (chains != NULL)
        __builtin_prefetch(&t->loose[chains[node].next], 1);
}

/* Add a slice to the message between two nodes. */
ns_status ns_joins_between(ns_tally *tally, int step, int32_t from, int32_t to, int64_t bytes, ns_error *err);

/* All of a step's slices are named.  Where some left their nodes, all is added up in the books. */
ns_status ns_joins_close(ns_tally *tally, int step, ns_error *err);

/* Does a step join all it sends inside nodes?  Then it has no books, but a page for one node at a time. */
bool ns_joins_has_pages(const ns_tally *tally, int step);
/* Turn to the page of a node, by the protocols of a memory. */
ns_status ns_joins_turn(ns_tally *tally, int step, int32_t node, ns_memory memory, ns_error *err);

static inline const ns_page_row *ns_joins_row(const ns_tally *t, bool receiving, int32_t process)
{
    const ns_seat *seat = &t->seat[process];
    return &t->page[2 * (int64_t)(seat->place - t->site->first[seat->node]) + receiving];
}

#endif
