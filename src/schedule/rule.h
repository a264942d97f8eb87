/* rule.h -- what a strategy sends, stated for one node at a time
 *
 * A rule says how L(M,N), what node M has for node N, is cut into chunks, and which processes of M and N send and take
 * them.  All else follows: what is gathered before and scattered after.  ns_rule_emit makes a schedule of it; a price
 * only adds it up (price/visit.h) and keeps no chunk.
 */
#ifndef NS_SCHEDULE_RULE_H
#define NS_SCHEDULE_RULE_H

#include "schedule/deal.h"
#include "schedule/schedule.h"

/* The chunks of a node, at one of its ends, in the order of the other node and their first entry. */
typedef struct ns_chunk_list {
    int64_t count;
    const int64_t *entries; /* [count] */
    const int32_t *order;   /* [count] their indices, largest first (ties: as they come) */
    int32_t size;           /* processes of the node */
    bool receiving;
} ns_chunk_list;

/* With neither deal nor takes each route is a message between the processes of its parts. */
typedef struct ns_rule {
    /* Dealt: a chunk is sent by any process of its node, once that gathered it.  The local index of each chunk's
     * process at this end; hand has room for `size`. */
    void (*deal)(const ns_chunk_list *list, ns_hand *hand, int32_t *local);
    /* Most entries of a chunk, of the pairs of one receiving node; NULL: a pair is one chunk. */
    int64_t (*cap)(const ns_task *task, const ns_pair *pair, int64_t pairs);
    /* Not dealt: a pair has a chunk of each origin, which sends it; the local index of the process that takes it. */
    int32_t (*takes)(const ns_site *processes, int32_t origin, int32_t node);
} ns_rule;

/* Do the strategy's steps fit its rule?  Dealt: gather, exchange, scatter; by origin: exchange, scatter; routes:
 * exchange. */
ns_status ns_rule_check(const ns_strategy *strategy, ns_error *err);

/* Does what a node sends and receives depend only on its own parts and on those that exchange with them?  Where pairs
 * are cut, the cap depends on all that the receiving node gets. */
bool ns_strategy_is_local(const ns_strategy *strategy);

/* Name all that the rule of the sink's strategy says. */
ns_status ns_rule_emit(const ns_task *task, ns_sink *sink, ns_error *err);

/* Indices by falling size, ties as they come; room for 2 count keys. */
void ns_order_by_size(const int64_t *entries, int64_t count, uint64_t *room, int32_t *order);

/* Where the share of holder t of a stream ends. */
static inline int64_t ns_share_end(int64_t total, int32_t holders, int32_t t)
{
    return total / holders * (t + 1) + total % holders * (t + 1) / holders;
}

/* How much holder t has of it. */
static inline int64_t ns_share(int64_t total, int32_t holders, int32_t t)
{
    return holders == 1 ? total : ns_share_end(total, holders, t) - (t > 0 ? ns_share_end(total, holders, t - 1) : 0);
}

#endif
