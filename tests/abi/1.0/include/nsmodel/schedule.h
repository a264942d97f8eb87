/* schedule.h of the first 1.0: its declarations */
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

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_schedule ns_schedule;

typedef struct ns_slice {
    int64_t pair;
    int64_t first, entries;
    int32_t from, to;
    int32_t only;
} ns_slice;

typedef enum ns_joining {
    NS_ONCE,
    NS_JOINED,
    NS_APART
} ns_joining;

typedef struct ns_message {
    int32_t from, to;
    int64_t bytes;
    int64_t slice, slices;
} ns_message;

typedef struct ns_copy {
    int32_t part, process;
    int64_t bytes;
} ns_copy;

NS_API ns_status ns_schedule_build(const ns_strategy *strategy, ns_transport transport, const ns_exchange *exchange,
                                   const ns_machine *machine, ns_schedule **schedule, ns_error *err);
NS_API void ns_schedule_free(ns_schedule *schedule);

NS_API int64_t ns_schedule_messages_off_node_max(const ns_schedule *schedule);

typedef struct ns_schedule_info {
    size_t size;
    const ns_strategy *strategy;
    ns_transport transport;
    int32_t parts, nodes, processes;
    int32_t ppn;
    int32_t holders;
    int steps;
    bool staged;
} ns_schedule_info;
NS_API ns_status ns_schedule_describe(const ns_schedule *schedule, ns_schedule_info *info, ns_error *err);

typedef struct ns_step_info {
    size_t size;
    const char *name;
    ns_joining joining;
    int64_t messages;
} ns_step_info;
NS_API ns_status ns_schedule_step(const ns_schedule *schedule, int step, ns_step_info *info, ns_error *err);

NS_API int64_t ns_schedule_messages(const ns_schedule *schedule, int step, const ns_message **message);
NS_API int64_t ns_schedule_slices(const ns_schedule *schedule, const ns_slice **slice);
NS_API int64_t ns_schedule_copies(const ns_schedule *schedule, ns_direction direction, const ns_copy **copy);

NS_API const ns_site *ns_schedule_site(const ns_schedule *schedule);
NS_API const int32_t *ns_schedule_home(const ns_schedule *schedule);

NS_API ns_locality ns_schedule_locality(const ns_schedule *schedule, int32_t a, int32_t b);

#ifdef __cplusplus
}
#endif
#endif
