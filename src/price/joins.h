/* joins.h -- messages that slices are joined to */
#ifndef NS_PRICE_JOINS_H
#define NS_PRICE_JOINS_H

#include "price/tally.h"

/* Room for one more slice of a node. */
ns_status ns_joins_more(ns_tally *tally, ns_chain *chain, ns_error *err);
ns_status ns_joins_open(ns_tally *tally, int step, ns_error *err);

/* Keep a slice that stays inside a node with the others of the node. */
static inline ns_status ns_joins_inside(ns_tally *t, int step, int32_t from, int32_t to, int64_t bytes, ns_error *err)
{
    if (t->chain[step] == NULL)
        NS_TRY(ns_joins_open(t, step, err));
    ns_chain *chain = &t->chain[step][t->seat[from].node];
    if (chain->next % NS_LINK == 0)
        NS_TRY(ns_joins_more(t, chain, err));
    t->loose[chain->next++] = (ns_loose){from, to, bytes};
    return NS_OK;
}

/* A slice to come inside a node: its place on its way into the cache. */
static inline void ns_joins_expect(const ns_tally *t, int step, int32_t from)
{
    if (t->chain[step] != NULL && t->loose != NULL)
        __builtin_prefetch(&t->loose[t->chain[step][t->seat[from].node].next], 1);
}

/* Add a slice to the message between two nodes. */
ns_status ns_joins_between(ns_tally *tally, int step, int32_t from, int32_t to, int64_t bytes, ns_error *err);

/* All of a step's slices are named.  Where some left their nodes, all is added up in the books. */
ns_status ns_joins_close(ns_tally *tally, int step, ns_error *err);

/* Does a step join all it sends inside nodes?  Then it has no books, but a page for one node at a time. */
bool ns_joins_has_pages(const ns_tally *tally, int step);
/* Turn to the page of a node. */
ns_status ns_joins_turn(ns_tally *tally, int step, int32_t node, ns_error *err);

/* Sums of a process on the page by class, on its socket and, after these, on its node. */
static inline const ns_class_sum *ns_page_row(const ns_tally *t, bool receiving, int32_t process)
{
    const ns_seat *seat = &t->seat[process];
    return t->page + (2 * (int64_t)(seat->place - t->site->first[seat->node]) + receiving) * t->page_stride;
}

#endif
