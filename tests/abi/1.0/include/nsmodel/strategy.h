/* strategy.h of the first 1.0: its declarations */
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

typedef enum ns_transport { NS_VIA_HOST, NS_VIA_DEVICE, NS_TRANSPORTS, NS_VIA_NIC = NS_TRANSPORTS } ns_transport;
NS_API ns_status ns_transport_get(const char *word, ns_transport *transport, ns_error *err);

NS_API const ns_strategy *const *ns_strategies(void);

NS_API size_t ns_strategies_by_rank(const ns_strategy **list, size_t most);
NS_API ns_status ns_strategy_get(const char *name, const ns_strategy **strategy, ns_error *err);

NS_API ns_status ns_strategies_named(const char *name, const ns_strategy **list, size_t most, size_t *count,
                                     ns_error *err);

NS_API bool ns_strategy_runs(const ns_strategy *strategy, ns_transport transport, const ns_machine *machine);

typedef struct ns_strategy_info {
    size_t size;
    const char *name;
    const char *alias;
    const char *title, *source;
    int rank;
    unsigned transports;
    bool node_aware;
    bool all_processes;
    int steps;
} ns_strategy_info;
NS_API ns_status ns_strategy_describe(const ns_strategy *strategy, ns_strategy_info *info, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
