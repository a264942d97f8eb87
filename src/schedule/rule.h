/* rule.h -- the rule by which a node-aware strategy cuts L(M,N) into chunks and deals them to processes
 *
 * A rule is asked about one node at a time: what it sends, or what it receives.  ns_rule_emit makes the chunks of all
 * nodes by it; who only adds up asks it node by node and keeps none of them.
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

typedef struct ns_rule {
    /* Dealt: a chunk is sent by any process of its node, once that gathered it.  The local index of each chunk's
     * process at this end; hand has room for `size`. */
    void (*deal)(const ns_chunk_list *list, ns_hand *hand, int32_t *local);
    /* Most entries of a chunk, of the pairs of one receiving node; NULL: a pair is one chunk. */
    int64_t (*cap)(const ns_task *task, const ns_pair *pair, int64_t pairs);
    /* Not dealt: a pair has a chunk of each origin, which sends it; the local index of the process that takes it. */
    int32_t (*takes)(const ns_site *processes, int32_t origin, int32_t node);
} ns_rule;

/* Name all that the rule of the sink's strategy says. */
ns_status ns_rule_emit(const ns_task *task, ns_sink *sink, ns_error *err);

/* Indices by falling size, ties as they come; room for 2 count keys. */
void ns_order_by_size(const int64_t *entries, int64_t count, uint64_t *room, int32_t *order);

#endif
