/* schedule.h -- steps of messages and copies: data that price can price and a program can execute */
#ifndef NSMODEL_SCHEDULE_H
#define NSMODEL_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nsmodel/exchange.h>
#include <nsmodel/machine.h>
#include <nsmodel/site.h>
#include <nsmodel/status.h>
#include <nsmodel/strategy.h>
#include <nsmodel/value.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_schedule ns_schedule;

/* What a message carries, as positions of the exchange's lists.
 *   pair < 0: entries [first, first + entries) of D(from, to) = need(to) & own(from), ascending columns;
 *             from, to are parts
 *   else    : entries [first, first + entries) of L of exchange->pair[pair];
 *             with only >= 0, of these the ones that part `only` needs. */
typedef struct ns_slice {
    int64_t pair;
    int64_t first, entries;
    int32_t from, to; /* pair < 0 */
    int32_t only;     /* part, or -1 for all */
} ns_slice;

/* How the slices that go from one process to another in a step become messages. */
typedef enum ns_joining {
    NS_ONCE,   /* there is at most one: a strategy that names a second is refused */
    NS_JOINED, /* all in one message, in the order in which they were named */
    NS_APART   /* each in a message of its own */
} ns_joining;

/* bytes > 0; its slices are slice to slice + slices - 1 of ns_schedule_slices. */
typedef struct ns_message {
    int32_t from, to; /* processes, never equal */
    int64_t bytes;
    int64_t slice, slices;
} ns_message;

/* A copy between a part's device memory and the host process `process`. */
typedef struct ns_copy {
    int32_t part, process;
    int64_t bytes;
} ns_copy;

/* Build the schedule of a strategy; *schedule is allocated, free with ns_schedule_free.  It depends on the machine only
 * through sockets, host processes and the first rendezvous size, and may be priced on any machine that shares these. */
NS_API ns_status ns_schedule_build(const ns_strategy *strategy, ns_transport transport, const ns_exchange *exchange,
                                   const ns_machine *machine, ns_schedule **schedule, ns_error *err);
NS_API void ns_schedule_free(ns_schedule *schedule);
/* The most off-node messages that one process sends, over all steps. */
NS_API int64_t ns_schedule_messages_off_node_max(const ns_schedule *schedule);

/* What a schedule is. */
typedef struct ns_schedule_info {
    size_t size; /* of this struct, set by the caller */
    const ns_strategy *strategy;
    ns_transport transport;
    int32_t parts, nodes, processes;
    int32_t ppn;     /* most processes of a node */
    int32_t holders; /* that share a part's data, equally */
    int steps;
    bool staged; /* data are copied between host and device: the copies below are paid */
} ns_schedule_info;
NS_API ns_status ns_schedule_describe(const ns_schedule *schedule, ns_schedule_info *info, ns_error *err);

typedef struct ns_step_info {
    size_t size;      /* of this struct, set by the caller */
    const char *name; /* "gather", "exchange", "scatter" */
    ns_joining joining;
    int64_t messages;
} ns_step_info;
NS_API ns_status ns_schedule_step(const ns_schedule *schedule, int step, ns_step_info *info, ns_error *err);

/* Lists of a schedule, valid until it is freed.  Each call returns the length and sets the pointer to the first
 * element: messages of a step, by sender, then receiver; slices; copies out of the device before the first step, and
 * into it after the last. */
NS_API int64_t ns_schedule_messages(const ns_schedule *schedule, int step, const ns_message **message);
NS_API int64_t ns_schedule_slices(const ns_schedule *schedule, const ns_slice **slice);
NS_API int64_t ns_schedule_copies(const ns_schedule *schedule, ns_direction direction, const ns_copy **copy);

/* The mapping of processes to nodes: its "parts" are processes.  And [parts] the first of the processes that hold each
 * part's data: home .. home + holders - 1. */
NS_API const ns_site *ns_schedule_site(const ns_schedule *schedule);
NS_API const int32_t *ns_schedule_home(const ns_schedule *schedule);

/* Add to an object what the schedule sends, as the columns of `nsmodel fit --records`: the most messages and bytes of
 * any process by class and by step.  The machine decides the protocol of a message. */
NS_API ns_status ns_schedule_counts(const ns_schedule *schedule, const ns_machine *machine, ns_value *to,
                                    ns_error *err);

/* Locality of two processes of a schedule. */
NS_API ns_locality ns_schedule_locality(const ns_schedule *schedule, int32_t a, int32_t b);

#ifdef __cplusplus
}
#endif
#endif
