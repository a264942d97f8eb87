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

/* NS_VIA_NIC is for networks whose interfaces gather by themselves; no strategy runs by it. */
typedef enum ns_transport { NS_VIA_HOST, NS_VIA_DEVICE, NS_TRANSPORTS, NS_VIA_NIC = NS_TRANSPORTS } ns_transport;
NS_API ns_status ns_transport_get(const char *word, ns_transport *transport, ns_error *err);

/* Every strategy, sorted by file name, terminated by NULL. */
NS_API const ns_strategy *const *ns_strategies(void);
/* Write the strategies into list in the order of presentation, standard first; returns how many, at most `most`. */
NS_API size_t ns_strategies_by_rank(const ns_strategy **list, size_t most);
NS_API ns_status ns_strategy_get(const char *name, const ns_strategy **strategy, ns_error *err);
/* Write all strategies of a name or alias into list, by rank; more than `most` is an error. */
NS_API ns_status ns_strategies_named(const char *name, const ns_strategy **list, size_t most, size_t *count,
                                     ns_error *err);
/* True if this machine can run the strategy by this transport.  Device needs GPUs and device tables. */
NS_API bool ns_strategy_runs(const ns_strategy *strategy, ns_transport transport, const ns_machine *machine);

/* What a strategy is.  Texts are static. */
typedef struct ns_strategy_info {
    size_t size;       /* of this struct, set by the caller */
    const char *name;  /* "three-step" */
    const char *alias; /* another name, which several may share, or "" */
    const char *title, *source;
    int rank;            /* order of presentation: standard is 0 */
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
