/* scenario.h -- the question of [NA] Figure 4.3: a node sends a number of messages of one size to a number of nodes
 *
 * Every node does; the messages are dealt evenly to its parts, and all strategies but standard leave duplicates out.
 */
#ifndef NS_CLI_SCENARIO_H
#define NS_CLI_SCENARIO_H

#include <nsmodel/nsmodel.h>

typedef struct ns_scenario {
    double s;          /* B, of a message */
    double messages;   /* of a node, off node */
    double nodes;      /* that it sends to and receives from */
    double per_node;   /* parts; 0: what the machine has */
    double duplicates; /* share of the bytes that another part of the receiving node gets as well */
} ns_scenario;

/* Its rows over ns_scenario, closed as inputs of a model are. */
extern const ns_field ns_scenario_fields[];
extern const ns_scenario ns_scenario_default;

/* The strategy's closed form in this scenario. */
ns_status ns_scenario_time(const ns_scenario *scenario, const ns_strategy *strategy, ns_transport transport,
                           const ns_machine *machine, double *seconds, ns_error *err);

#endif
