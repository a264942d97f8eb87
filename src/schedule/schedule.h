/* schedule.h -- what a schedule holds, who takes part in it, and the sink that makes it */
#ifndef NS_SCHEDULE_SCHEDULE_H
#define NS_SCHEDULE_SCHEDULE_H

#include "core/arena.h"
#include "schedule/strategy.h"

typedef struct ns_step {
    const char *name;   /* "gather", "exchange", "scatter" */
    ns_joining joining; /* of the strategy's rule */
    int64_t messages;
    ns_message *message;  /* by sender, then receiver; at most one per pair of processes unless NS_APART */
    int64_t *sent;        /* [processes + 1]: process p sends message[sent[p] .. sent[p+1]) */
    int64_t *received;    /* [processes + 1] */
    int64_t *by_receiver; /* [messages] indices into message */
} ns_step;

/* Find sent, received and by_receiver of a step's messages; the arrays are already allocated. */
ns_status ns_step_index(ns_step *step, int32_t processes, ns_error *err);

struct ns_schedule {
    const struct ns_strategy *strategy;
    ns_transport transport;
    int32_t parts, per_node, nodes;
    ns_site *site; /* the processes' locations; its "parts" are processes */
    int32_t ppn;   /* most processes of a node */
    int32_t processes;
    int32_t sockets;
    int32_t *home;     /* [parts] the first of the processes that hold part p's data: home .. home + holders */
    int32_t holders;   /* 1, or for split-dd up to 4: each holds an equal share of what p sends and receives */
    bool staged;       /* host transport on a machine with GPUs: the copies below are paid */
    int64_t copies[2]; /* by ns_direction */
    ns_copy *copy[2];
    int steps;
    ns_step step[NS_STEPS];
    int64_t slices;
    ns_slice *slice;
    ns_exchange *grouped; /* the exchange that its slices name, for strategies by groups; NULL: the exchange itself */
};

/* The exchange to whose lists the slices refer. */
static inline const ns_exchange *ns_schedule_names(const ns_schedule *schedule, const ns_exchange *exchange)
{
    return schedule->grouped != NULL ? schedule->grouped : exchange;
}

/* A slice before it becomes part of a message. */
typedef struct ns_sent {
    int32_t from, to;
    int64_t bytes;
    ns_slice slice;
} ns_sent;

/* A schedule while its strategy emits messages. */
struct ns_sink {
    const ns_strategy *strategy;
    const ns_task *task;
    int steps;
    ns_arena room; /* memory for the strategy */
    ns_schedule *schedule;
    struct ns_sent_list {
        ns_sent *of;
        int64_t count, capacity;
    } sent[NS_STEPS];
    int64_t copy_capacity[NS_DIRECTIONS];
};

/* Processes and homes of a strategy, on a machine that can run it, in the arena's memory. */
ns_status ns_task_open(const ns_strategy *strategy, ns_transport transport, const ns_exchange *exchange,
                       const ns_machine *machine, ns_arena *arena, ns_task *task, ns_error *err);
/* The number of processes that may hold a part's data, for a strategy on the processes of a task. */
int32_t ns_task_holders(const ns_strategy *strategy, const ns_task *task);
/* Refuse a value that is not a transport. */
ns_status ns_transport_check(ns_transport transport, ns_error *err);

#endif
