/* schedule.h -- building schedules: steps are filled message by message, in any order, and then closed */
#ifndef NS_SCHEDULE_SCHEDULE_H
#define NS_SCHEDULE_SCHEDULE_H

#include <nsmodel/strategy.h>

/* Set up processes and homes: ppn processes a node, `holders` of them for each part; ppn 0 is one process a part. */
ns_status ns_schedule_open(ns_schedule *schedule, const ns_exchange *exchange, const ns_schedule_site *site,
                           int32_t ppn, int32_t holders, ns_error *err);

/* A step under construction. */
typedef struct ns_emission {
    int32_t from, to;
    int64_t order;      /* of emission: keeps slices in the order of their lists */
    int64_t bytes;
    ns_slice slice;
} ns_emission;

typedef struct ns_emitter {
    ns_emission *emission;
    int64_t count, capacity;
} ns_emitter;

/* One slice from process to process; from == to moves nothing and is dropped. */
ns_status ns_emit(ns_emitter *emitter, int32_t from, int32_t to, const ns_slice *slice, int64_t bytes, ns_error *err);

/* Close the schedule's next step: messages sorted, slices of one pair of processes joined into one message unless
 * `apart`. */
ns_status ns_emit_step(ns_emitter *emitter, ns_schedule *schedule, const char *name, bool apart, ns_error *err);
void ns_emitter_free(ns_emitter *emitter);

/* Append a copy; zero bytes are dropped. */
ns_status ns_schedule_copy(ns_schedule *schedule, ns_direction direction, int32_t part, int32_t process, int64_t bytes,
                           int64_t *capacity, ns_error *err);

/* ---- node-aware strategies: columns travel once per receiving node, in chunks -------------------------------------
 */

/* Entries [first, first + entries) of L of a pair, carried off node by one message from sender to receiver (processes).
 */
typedef struct ns_chunk {
    int64_t pair, first, entries;
    int32_t sender, receiver;
} ns_chunk;

/* Fill the schedule from chunks, which are sorted by pair and first and cover every pair: gather (left out when
 * `gathers` is false: each chunk's data is at its sender already), exchange, scatter; on-node routes go direct in the
 * first step.  Copies too. */
ns_status ns_schedule_route(ns_schedule *schedule, const ns_exchange *exchange, const ns_chunk *chunk, int64_t chunks,
                            bool gathers, ns_error *err);

/* Algorithm 1 of [NA]: cut at the receiving node's cap, deal receives from local rank 0 up and sends from PPN-1 down.
 */
ns_status ns_schedule_split(ns_schedule *schedule, const ns_exchange *exchange, const ns_schedule_site *site,
                            int32_t holders, ns_error *err);

/* Refuse a number that is no transport. */
ns_status ns_transport_check(ns_transport transport, ns_error *err);

/* Parts on a node: per_node but for a short last one. */
int32_t ns_exchange_node_size(const ns_exchange *exchange, int32_t node);

#endif
