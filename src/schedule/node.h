/* node.h -- an exchange by node, and what a rule sends at one node
 *
 * An exchange lists its pairs and routes by receiving node.  Here they are also listed by sending node, so that all
 * that a node sends is contiguous.  These lists are made once for all strategies; a placer makes those of a node when
 * it visits the node.
 *
 * A statement is a rule applied to one node: its chunks, the processes that send and take them, the holders of its
 * parts' data, and, cell by cell, what these processes and the holders exchange.  A schedule, which keeps messages, and
 * a visit, which sums them, call the same functions, each with its own callback for a cell.
 */
#ifndef NS_SCHEDULE_NODE_H
#define NS_SCHEDULE_NODE_H

#include "core/arena.h"
#include "schedule/strategy.h"

enum { NS_OUT, NS_IN, NS_SIDES };

/* Entries that one part has for another node, from the point of view of either node. */
typedef struct ns_strand {
    int64_t entries;
    int32_t owner; /* the part: on the sending node its local index, on the receiving node its number */
    int32_t other; /* the other node */
} ns_strand;

/* One node. */
typedef struct ns_node {
    int32_t node;
    /* What its parts have for other nodes, and parts of other nodes for it, each column once; in ascending order of the
     * other node.  What one part has for one node is consecutive: its runs or, from a placer, all in one. */
    const ns_strand *run[NS_SIDES];
    int64_t runs[NS_SIDES];
    const ns_strand *route; /* those that leave the node; the routes of a part to one node are consecutive */
    int64_t routes;
    const ns_route *stay; /* routes inside the node, by receiver, then sender */
    int64_t stays;
} ns_node;

typedef struct ns_by_node {
    const ns_exchange *exchange;
    int64_t *first_pair, *first_run, *first_route, *first_stay; /* [nodes + 1] of pairs to a node, the rest from it */
    ns_strand *run[NS_SIDES], *route;                           /* those that come, in the order of the exchange */
    ns_route *stay;
    int64_t *received; /* [parts + 1] of the exchange's routes to a part */
    int64_t *sent;     /* [parts] entries that leave a part, counted once per node */
    int64_t *routed;   /* [parts] entries that leave a part by routes */
} ns_by_node;

/* Build the lists that are wanted and have not been built yet: of routes that leave a node, which must be wanted from
 * the first call on or never, and of pairs.  *by_node is initially {.exchange = ...}. */
ns_status ns_by_node_make(ns_by_node *by_node, bool routes, bool pairs, ns_arena *arena, ns_error *err);

/* One of its nodes. */
ns_node ns_by_node_at(const ns_by_node *by_node, int32_t node);

/* The next runs of a list, which ends at `end`: all that one part has for one node or, with `whole`, all that two nodes
 * have; *run moves behind them. */
static inline ns_strand ns_next_runs(const ns_strand **run, const ns_strand *end, bool whole)
{
    ns_strand all = *(*run)++;
    for (; *run < end && (*run)->other == all.other && (whole || (*run)->owner == all.owner); ++*run)
        all.entries += (*run)->entries;
    return all;
}

/* ---- a rule at one node ------------------------------------------------------------------------------------------ */

/* What a node has at one end: pairs, or the chunks into which they are cut. */
typedef struct ns_chunks {
    int64_t count;
    int64_t *entries;
    int32_t *other; /* node */
    int32_t *order; /* by size, largest first */
    uint64_t *key;  /* scratch for sorting */
    int32_t *local; /* process that sends or receives it */
} ns_chunks;

/* What is left of a holder's share of the data that a part sends or receives, in the order of its routes inside the
 * node, followed by its entries of each L. */
typedef struct ns_share_left {
    int64_t total, left; /* of all shares; of this share */
    int32_t first, slot; /* the first of the part's holders; the current one */
} ns_share_left;

typedef struct ns_statement {
    /* Input. */
    const ns_by_node *by_node;
    const ns_rule *rule;
    const ns_task *task; /* the task with these processes; ns_statement_hold sets the holders */
    /* Derived from the input. */
    int steps, exchange_step;
    int64_t *cap;                       /* [nodes] most entries of a chunk to each; NULL: a pair is one */
    int64_t chunks_all, most[NS_SIDES]; /* chunks of all nodes; largest number on a node */
    /* The current node. */
    ns_node of;
    int32_t size;           /* its processes */
    const int32_t *process; /* [size] */
    ns_chunks chunks[NS_SIDES];
    ns_hand *hand; /* [size] */
    int32_t *slot; /* local index of the process of each holder, by part */
    ns_share_left *sent, *received;
} ns_statement;

/* Open a statement whose input members are set, and whose by_node has the lists that its rule needs. */
ns_status ns_statement_open(ns_statement *statement, ns_arena *arena, ns_error *err);
/* Allocate scratch for an open statement, or for a copy of one, for nodes with at most `slots` holders. */
ns_status ns_statement_scratch(ns_statement *statement, int64_t slots, ns_arena *arena, ns_error *err);
/* Move to a node; for a rule that deals, find the chunks of both sides and the process that sends or takes each of
 * them. */
void ns_statement_at(ns_statement *statement, const ns_node *node);
/* Set which processes hold what: the processes of the parts' holders, and shares none of which is dealt yet. */
void ns_statement_hold(ns_statement *statement, const ns_task *task);

/* Largest number of holders of the parts of a node. */
static inline int64_t ns_task_slots(const ns_task *task)
{
    return (int64_t)ns_site_node_most(task->exchange->site) * task->holders;
}

/* The size of holder t's share of a stream. */
static inline int64_t ns_share(int64_t total, int32_t holders, int32_t t)
{
    const int64_t rest = total % holders;
    return holders == 1 ? total : total / holders + rest * (t + 1) / holders - rest * t / holders;
}

/* ---- cells: what goes between holders of parts and processes of the node ----------------------------------------- */

/* A callback: the cell of a slot, the holder of a part, and a process gains `entries`, which belong to a chunk of the
 * node, given by its number. */
typedef void ns_cell_fn(void *sink, int32_t slot, int32_t process, int64_t entries, const ns_slice *slice,
                        int64_t chunk);

#define NS_COMPILED static inline __attribute__((always_inline)) /* for each sink and number of holders */

/* Open the share to which the next entry belongs. */
NS_COMPILED void ns_open_share(ns_share_left *s, int32_t holders)
{
    while (s->left == 0) {
        s->slot++;
        s->left = ns_share(s->total, holders, s->slot - s->first);
    }
}

/* Entries of a part, from the slice's first on, are split by shares of its stream, from or to a process. */
NS_COMPILED void ns_name_shares(int32_t holders, ns_share_left *streams, int32_t local, int32_t process,
                                const ns_slice *slice, int64_t chunk, ns_cell_fn *cell, void *sink)
{
    if (holders == 1) {
        cell(sink, local, process, slice->entries, slice, chunk);
        return;
    }
    ns_share_left *s = &streams[local];
    ns_slice one = *slice;
    for (int64_t rest = slice->entries; rest > 0; rest -= one.entries, one.first += one.entries) {
        ns_open_share(s, holders);
        one.entries = rest < s->left ? rest : s->left;
        s->left -= one.entries;
        cell(sink, s->slot, process, one.entries, &one, chunk);
    }
}

/* Emit the routes inside the node, cut where either end changes its holder. */
NS_COMPILED void ns_name_stays(ns_statement *of, int32_t holders, ns_cell_fn *cell, void *sink)
{
    const int32_t *local_of = of->by_node->exchange->site->local_of;
    for (const ns_route *route = of->of.stay, *end = route + of->of.stays; route < end; route++) {
        const int32_t a = local_of[route->from], b = local_of[route->to];
        ns_slice one = {.pair = -1, .entries = route->entries, .from = route->from, .to = route->to, .only = -1};
        if (holders == 1) {
            cell(sink, a, of->slot[b], one.entries, &one, -1);
            continue;
        }
        ns_share_left *from = &of->sent[a], *to = &of->received[b];
        for (int64_t rest = route->entries; rest > 0; rest -= one.entries, one.first += one.entries) {
            ns_open_share(from, holders);
            ns_open_share(to, holders);
            one.entries = from->left < to->left ? from->left : to->left;
            one.entries = rest < one.entries ? rest : one.entries;
            from->left -= one.entries;
            to->left -= one.entries;
            cell(sink, from->slot, of->slot[to->slot], one.entries, &one, -1);
        }
    }
}

/* The index of the exchange's pair of two nodes, which must exist. */
static inline int64_t ns_pair_of(const ns_by_node *by_node, int32_t from, int32_t to)
{
    int64_t low = by_node->first_pair[to], high = by_node->first_pair[to + 1];
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        *(by_node->exchange->pair[middle].from <= from ? &low : &high) = middle;
    }
    return low;
}

/* Emit what goes from holders to the processes that send it, after what stays; the slot of a cell sends.  named: do
 * slices name their pair? */
NS_COMPILED void ns_name_gather(ns_statement *of, bool named, int32_t holders, ns_cell_fn *cell, void *sink)
{
    const ns_chunks chunks = of->chunks[NS_OUT];
    ns_share_left *sent = of->sent;
    ns_slice one = {.from = -1, .to = -1, .only = -1};
    int64_t chunk = -1, left = 0;
    int32_t other = -1;
    ns_name_stays(of, holders, cell, sink);
    for (const ns_strand *run = of->of.run[NS_OUT], *end = run + of->of.runs[NS_OUT]; run < end; run++) {
        if (run->other != other) {
            one.pair = named ? ns_pair_of(of->by_node, of->of.node, run->other) : 0;
            one.first = 0;
            other = run->other;
        }
        for (int64_t rest = run->entries; rest > 0; rest -= one.entries, one.first += one.entries) {
            if (left == 0)
                left = chunks.entries[++chunk];
            one.entries = rest < left ? rest : left;
            left -= one.entries;
            ns_name_shares(holders, sent, run->owner, chunks.local[chunk], &one, chunk, cell, sink);
        }
    }
}

/* Emit what goes to holders from the processes that took it; the slot of a cell receives.  dealt: does the rule
 * deal? */
NS_COMPILED void ns_name_scatter(ns_statement *of, bool dealt, int32_t holders, ns_cell_fn *cell, void *sink)
{
    const ns_exchange *x = of->by_node->exchange;
    const ns_chunks chunks = of->chunks[NS_IN];
    const int32_t *local_of = x->site->local_of;
    if (of->of.runs[NS_IN] == 0)
        return;
    const ns_pair *pair = &x->pair[of->by_node->first_pair[of->of.node]];
    ns_share_left *received = of->received;
    ns_slice one = {.from = -1, .to = -1};
    int64_t chunk = -1, left = 0;
    int32_t origin = -1, process = -1;
    for (const ns_run *run = &x->run[pair->run], *end = run + of->of.runs[NS_IN]; run < end; run++) {
        pair += run == &x->run[pair->run + pair->runs];
        one.pair = pair - x->pair;
        one.first = run->first;
        for (int64_t rest = run->entries; rest > 0; rest -= one.entries, one.first += one.entries) {
            one.entries = rest;
            if (dealt) {
                if (left == 0)
                    left = chunks.entries[++chunk];
                one.entries = rest < left ? rest : left;
                left -= one.entries;
                process = chunks.local[chunk];
            } else if (run->origin != origin) { /* one chunk per origin, since they belong to one pair to this node */
                process = of->rule->takes(of->task->processes, run->origin, of->of.node);
                origin = run->origin;
                chunk++;
            }
            const int32_t *needer = &x->needer[run->needer];
            for (int32_t k = 0; k < run->needers; k++) {
                one.only = needer[k];
                ns_name_shares(holders, received, local_of[needer[k]], process, &one, chunk, cell, sink);
            }
        }
    }
}

#endif
