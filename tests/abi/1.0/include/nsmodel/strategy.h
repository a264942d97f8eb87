/* strategy.h -- the ways to do an exchange
 *
 * A strategy says who sends what to whom, in steps; a transport how data come from and go to GPUs.
 */
#ifndef NSMODEL_STRATEGY_H
#define NSMODEL_STRATEGY_H

#include <stdbool.h>
#include <stddef.h>

#include <nsmodel/machine.h>
#include <nsmodel/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_strategy ns_strategy;

/* NS_VIA_NIC is none of those that strategies run by: what network interfaces gather by themselves. */
typedef enum ns_transport { NS_VIA_HOST, NS_VIA_DEVICE, NS_TRANSPORTS, NS_VIA_NIC = NS_TRANSPORTS } ns_transport;
NS_API ns_status ns_transport_get(const char *word, ns_transport *transport, ns_error *err);

/* Every strategy, sorted by file name; closed by NULL. */
NS_API const ns_strategy *const *ns_strategies(void);
/* The same in the order people read them, standard first, into list; returns how many were written, at most most. */
NS_API size_t ns_strategies_by_rank(const ns_strategy **list, size_t most);
NS_API ns_status ns_strategy_get(const char *name, const ns_strategy **strategy, ns_error *err);
/* All that a name or an alias stands for, by rank, into list: at most `most`, which is an error beyond that. */
NS_API ns_status ns_strategies_named(const char *name, const ns_strategy **list, size_t most, size_t *count,
                                     ns_error *err);
/* Does this machine run the strategy this way?  Device needs GPUs and device tables. */
NS_API bool ns_strategy_runs(const ns_strategy *strategy, ns_transport transport, const ns_machine *machine);

/* What a strategy is.  Texts live as long as the library. */
typedef struct ns_strategy_info {
    size_t size;       /* of this struct, set by the caller */
    const char *name;  /* "three-step" */
    const char *alias; /* another word for it, one that several may share, or "" */
    const char *title, *source;
    int rank;            /* order in which people read them: standard is 0 */
    unsigned transports; /* bits 1 << ns_transport */
    bool node_aware;     /* a column crosses the network once per receiving node, not once per needing part */
    bool all_processes;  /* all host processes of a node take part, not one for each part */
    int steps;
} ns_strategy_info;
NS_API ns_status ns_strategy_describe(const ns_strategy *strategy, ns_strategy_info *info, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
