/* pay.h -- what forms share: paying for an amount of a parameter, and rows that several forms take */
#ifndef NS_FORMS_PAY_H
#define NS_FORMS_PAY_H

#include "machine/form.h"

#include <math.h>

/* A form while it prices one load. */
typedef struct ns_payer {
    const ns_form_values *values;
    const ns_load *load;
    ns_step_price *step;
    bool amounts;
} ns_payer;

/* Seconds of an amount of a row's number. */
static inline double ns_pay(const ns_payer *p, int row, double amount)
{
    const int slot = p->values->first[row];
    if (p->amounts)
        p->step->amount[slot] += amount;
    return amount * p->values->value[slot];
}

/* The same of a row with a number for each class. */
static inline double ns_pay_class(const ns_payer *p, int row, int locality, int protocol, double amount)
{
    const int slot = p->values->first[row] + NS_PROTOCOLS * locality + protocol;
    if (p->amounts)
        p->step->amount[slot] += amount;
    return amount * p->values->value[slot];
}

static inline double ns_value_of(const ns_payer *p, int row)
{
    return p->values->value[p->values->first[row]];
}

/* fmax of numbers, without a call. */
static inline double ns_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline bool ns_without(const ns_payer *p, int part)
{
    return (p->values->without >> part & 1) != 0;
}

/* Messages and bytes of a class that are paid for. */
static inline void ns_paid_for(const ns_payer *p, int locality, int protocol, double messages, double bytes)
{
    if (!p->amounts)
        return;
    p->step->load[locality][protocol] = (ns_class_load){messages, bytes};
}

static inline double ns_node_processes(const ns_payer *p)
{
    return ns_larger(1, p->values->machine->host_processes);
}

#define NS_ROW_ALPHA                                                                                                   \
    {                                                                                                                  \
        .path = {{"<memory>.<locality>.<protocol>.alpha", 0}}, .unit = "us", .doc = "start-up time of a message",      \
        .by_class = true                                                                                               \
    }
#define NS_ROW_BETA                                                                                                    \
    {                                                                                                                  \
        .path = {{"<memory>.<locality>.<protocol>.beta", 0}}, .unit = "ns/B", .doc = "time per byte of a message",     \
        .by_class = true                                                                                               \
    }
#define NS_ROW_OFF_ALPHA                                                                                               \
    {                                                                                                                  \
        .path = {{"<memory>.off-node.<protocol>.alpha", 0}}, .unit = "us", .doc = "start-up time of a message",        \
        .by_class = true                                                                                               \
    }
#define NS_ROW_OFF_BETA                                                                                                \
    {                                                                                                                  \
        .path = {{"<memory>.off-node.<protocol>.beta", 0}}, .unit = "ns/B", .doc = "time per byte of a message",       \
        .by_class = true                                                                                               \
    }
#define NS_ROW_R_N                                                                                                     \
    {                                                                                                                  \
        .path = {{"<memory>.injection.inverse_R_N", 0}}, .unit = "ns/B",                                               \
        .doc = "inverse of the rate at which a node injects into the network", .amount = "bytes out of the node",      \
        .received = "bytes into the node"                                                                              \
    }
#define NS_ROW_GAMMA                                                                                                   \
    {                                                                                                                  \
        .path = {{"<memory>.queue.gamma", 0}}, .unit = "ns",                                                           \
        .doc = "queue search: a process with n messages in flight spends gamma n^2", .amount = "queue search, n^2",    \
        .times = "n^2"                                                                                                 \
    }
/* Messages of a process beyond those of NS_ROW_IN_FLIGHT wait for the node, all of whose processes have as many. */
#define NS_ROW_STALL(parts, default_s)                                                                                 \
    {                                                                                                                  \
        .path = {{"<memory>.exchange.stall", parts}}, .unit = "us",                                                    \
        .doc = "wait for each message off node, of all processes of a node, beyond exchange.in_flight of each",        \
        .fallback = {default_s, default_s}, .amount = "messages of the node beyond those in flight"                    \
    }
#define NS_ROW_IN_FLIGHT                                                                                               \
    {                                                                                                                  \
        .path = {{"<memory>.exchange.in_flight", 0}}, .unit = "1",                                                     \
        .doc = "messages off node that a process has on their way before others wait", .fallback = {128, 128},         \
        .amount = "messages"                                                                                           \
    }
#define NS_ROW_DELTA                                                                                                   \
    {                                                                                                                  \
        .path = {{"network.contention.delta", 0}}, .unit = "ns/B",                                                     \
        .doc = "contention: time per byte that shares the busiest link", .amount = "bytes that share links"            \
    }

#endif
