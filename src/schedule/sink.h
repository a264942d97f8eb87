/* sink.h -- how a strategy says what is sent
 *
 * A strategy (strategy.h) is a rule that goes over an exchange and names, one by one, what goes from which process to
 * which in which step.  It names them to a sink.  One sink makes a schedule of them; others may only add them up.
 */
#ifndef NS_SCHEDULE_SINK_H
#define NS_SCHEDULE_SINK_H

#include "machine/machine.h"
#include "pattern/exchange.h"

#include <nsmodel/schedule.h>

extern const char *const ns_transport_words[]; /* "host", "device"; behind these NS_TRANSPORTS "nic" */

typedef struct ns_step_rule {
    const char *name; /* "gather", "exchange", "scatter" */
    ns_joining joining;
} ns_step_rule;

enum { NS_STEPS = 16 }; /* most steps of a strategy */

/* What a strategy is given: who needs what, who takes part, and what it may know of the machine. */
typedef struct ns_task {
    size_t size; /* of this struct, B: more may be added at its end */
    const ns_exchange *exchange;
    ns_transport transport;
    ns_site *processes;     /* where they stand.  Process p is part p; or, where all of a node's host processes take
                             * part, node k has processes k host_processes to (k + 1) host_processes - 1 */
    int32_t *home;          /* [parts] the first of the processes that hold part p's data: home .. home + holders */
    int32_t holders;        /* each of them holds an equal share of what p sends and receives */
    int32_t host_processes; /* of a node of the machine */
    int64_t message_cap;    /* B, of ns_machine_message_cap; 0: there is none */
} ns_task;

typedef struct ns_sink ns_sink;

/* One slice of `bytes` from process to process in a step.  From a process to itself, or without bytes, nothing goes. */
ns_status ns_sink_send(ns_sink *sink, int step, int32_t from, int32_t to, int64_t bytes, const ns_slice *slice,
                       ns_error *err);

/* Every route of the task's exchange as one slice, from the home of the one part to that of the other. */
ns_status ns_sink_routes(ns_sink *sink, const ns_task *task, int step, ns_error *err);

/* A process copies `bytes` of a part out of the device before the first step, or into it after the last. */
ns_status ns_sink_copy(ns_sink *sink, ns_direction direction, int32_t part, int32_t process, int64_t bytes,
                       ns_error *err);

/* The copies of such routes: all that a part sends, once for each that needs it, and all that it needs. */
ns_status ns_sink_route_copies(ns_sink *sink, const ns_task *task, ns_error *err);

/* Memory for a strategy's own lists while it names: count elements of `size` bytes, of any content.  It is the
 * sink's, which takes it back when all is named. */
ns_status ns_sink_room(ns_sink *sink, size_t count, size_t size, void **room, ns_error *err);

/* ---- node-aware strategies: columns travel once per receiving node, in chunks ------------------------------------ */

/* Entries [first, first + entries) of L of a pair, carried off node by one message between two processes. */
typedef struct ns_chunk {
    int64_t pair, first, entries;
    int32_t sender, receiver;
} ns_chunk;

/* All that a strategy sends, from its chunks, which are sorted by pair and first and cover every pair.  Its steps are
 * gather (left out when `gathers` is false: each chunk's data is at its sender already), exchange, scatter; what stays
 * on a node goes direct, in the first of them.  Copies too. */
ns_status ns_sink_chunks(ns_sink *sink, const ns_task *task, const ns_chunk *chunk, int64_t chunks, bool gathers,
                         ns_error *err);

#endif
