/* scenario.c -- closed forms of the strategies for a node that sends equal messages to several nodes
 *
 * With M messages of s bytes from G parts to n nodes and a share d of duplicates (d = 0 for standard):
 *     m_proc = M/G,  m_proc_node = min(n, M/G),  s_proc = (1 - d) M s/G,  s_node = (1 - d) M s,  s_node_node = s_node/n
 * What a part receives is what it sends.
 */
#include "price/price.h"
#include "study/curves.h"

#include <math.h>
#include <string.h>

#define ROW(x, unit_, doc_, ...)                                                                                       \
    {                                                                                                                  \
        .name = #x, .offset = offsetof(ns_scenario, x), .kind = NS_FIELD_NUMBER, .unit = unit_, .doc = doc_,           \
        __VA_ARGS__                                                                                                    \
    }
const ns_field ns_scenario_fields[] = {
    ROW(s, "B", "size of a message", .most = NS_MOST, .open = true),
    ROW(messages, "1", "off-node messages of one node", .most = NS_MOST, .open = true),
    ROW(nodes, "1", "nodes that one node sends to", .most = NS_MOST, .least = 1),
    ROW(per_node, "1", "parts a node; 0 for the machine's GPUs, or host processes", .most = NS_MOST),
    ROW(duplicates, "1", "share of the bytes that only standard sends twice", .most = 1),
    NS_END};
#undef ROW

const ns_scenario ns_scenario_default = {.size = sizeof(ns_scenario), .s = 1024, .messages = 256, .nodes = 16};

ns_status ns_scenario_set(ns_scenario *scenario, const char *name, double value, ns_error *err)
{
    const ns_field *field = ns_field_find(ns_scenario_fields, name);
    if (field == NULL)
        return ns_fail(err, NS_ERR_NAME,
                       "strategies have no input \"%s\"; there are s, messages, nodes, per_node and duplicates", name);
    if (!(value <= field->most) || value < field->least || (field->open && value == field->least))
        return ns_fail(err, NS_ERR_RANGE, "%s has to be %s %g%s%s, got %.10g", name,
                       field->open ? "more than" : "at least", field->least,
                       field->most < NS_MOST ? " and at most 1" : "", *field->unit == 'B' ? " B" : "", value);
    memcpy((char *)scenario + field->offset, &value, sizeof value);
    return NS_OK;
}

ns_status ns_scenario_check(const ns_scenario *scenario, ns_error *err)
{
    ns_scenario checked = *scenario;
    for (const ns_field *field = ns_scenario_fields; field->kind != NS_FIELD_END; field++)
        NS_TRY(ns_scenario_set(&checked, field->name, ns_field_number(field, scenario), err));
    return NS_OK;
}

ns_status ns_scenario_form(const ns_scenario *c, const ns_strategy *strategy, ns_transport transport,
                           const ns_machine *machine, const char *form, double *seconds, ns_error *err)
{
    NS_TRY(ns_scenario_check(c, err));
    const double own = machine->gpus > 0 ? machine->gpus : machine->host_processes;
    const double parts = c->per_node > 0 ? c->per_node : own, kept = strategy->node_aware ? 1 - c->duplicates : 1;
    const double m_proc = c->messages / parts, s_node = kept * c->messages * c->s;
    const ns_count counts[] = {{"m_proc", m_proc},
                               {"m_proc_node", fmin(c->nodes, m_proc)},
                               {"s_proc", s_node / parts},
                               {"s_node", s_node},
                               {"s_node_node", s_node / c->nodes},
                               {"recv_nodes", c->nodes},
                               {"send_nodes", c->nodes},
                               {"ppn", parts},
                               {"per_node", parts}};
    return ns_strategy_form(strategy, transport, machine, form, counts, sizeof counts / sizeof *counts, seconds, err);
}

ns_status ns_scenario_time(const ns_scenario *scenario, const ns_strategy *strategy, ns_transport transport,
                           const ns_machine *machine, double *seconds, ns_error *err)
{
    ns_error_clear(err);
    return ns_scenario_form(scenario, strategy, transport, machine, "corrected", seconds, err);
}
