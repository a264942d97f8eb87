/* scenario.c -- a scenario's numbers, and the scenario as a real exchange whose schedules are priced
 *
 * n + 1 nodes of G parts, of which each sends M messages of s bytes to the n others, dealt evenly: with J = ceil(M/G),
 * the j-th message of part g goes to the node 1 + (j + g J) mod n places further on, to its part (j div n + g)
 * mod G.  So each part sends to min(n, J) nodes, and all nodes and parts receive alike.  Where a part has several
 * messages for one other part, strategies that send every message separately do so here, too.
 */
#include "core/memory.h"
#include "price/choice.h"
#include "price/price.h"
#include "price/quote.h"
#include "study/study.h"

#include <math.h>
#include <string.h>

/* ---- closed forms of the strategies for a node that sends equal messages to several nodes
 *
 * With M messages of s bytes from G parts to n nodes and a share d of duplicates (d = 0 for standard):
 *     m_proc = M/G,  m_proc_node = min(n, M/G),  s_proc = (1 - d) M s/G,  s_node = (1 - d) M s,  s_node_node = s_node/n
 * A part receives as much as it sends. */

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

const ns_scenario ns_scenario_default = {.s = 1024, .messages = 256, .nodes = 16};

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

/* Check every number of a scenario; set one number, with a check. */
static ns_status ns_scenario_check(const ns_scenario *scenario, ns_error *err)
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

enum { MESSAGES_MOST = 4000000 };

static double whole(double x)
{
    return fmax(1, nearbyint(x));
}

ns_status ns_scenario_exchange(const ns_scenario *c, const ns_machine *machine, ns_exchange **exchange, ns_error *err)
{
    ns_error_clear(err);
    NS_TRY(ns_scenario_check(c, err));
    const double own = machine->gpus > 0 ? machine->gpus : machine->host_processes;
    const double of_node = whole(c->per_node > 0 ? c->per_node : own), others = whole(c->nodes);
    if (c->duplicates > 0)
        return ns_fail(err, NS_ERR_DATA, "duplicates are of the closed forms: no schedule has a share of them");
    if (!((others + 1) * fmax(of_node, whole(c->messages)) <= MESSAGES_MOST) || !(c->messages * c->s <= 0x1p53))
        return ns_fail(err, NS_ERR_LIMIT,
                       "%.6g messages of %.6g B from each of %.6g nodes are too many for a schedule; closed forms take "
                       "them",
                       c->messages, c->s, others + 1);
    const int64_t messages = (int64_t)whole(c->messages), bytes = (int64_t)whole(c->s), parts = (int64_t)of_node,
                  nodes = (int64_t)others, share = (messages + parts - 1) / parts;
    const size_t count = (size_t)((nodes + 1) * messages);
    ns_planned *message = ns_malloc(ns_size_mul(count, sizeof *message)), *next = message;
    if (message == NULL)
        return ns_no_memory(err);
    for (int64_t node = 0; node <= nodes; node++)
        for (int64_t k = 0; k < messages; k++) {
            const int64_t g = k % parts, j = k / parts;
            const int64_t other = (node + 1 + (j + g * share) % nodes) % (nodes + 1);
            *next++ = (ns_planned){.from = (int32_t)(node * parts + g),
                                   .to = (int32_t)(other * parts + (j / nodes + g) % parts),
                                   .bytes = bytes};
        }
    const ns_layout layout = {(int32_t)((nodes + 1) * parts), (int32_t)parts};
    const ns_status status = ns_exchange_from_messages(message, count, layout, NULL, exchange, err);
    ns_free(message);
    return status;
}

/* ---- messages sent separately ------------------------------------------------------------------------------------ */

static int64_t pieces_of(const ns_message *m, int64_t bytes)
{
    return m->bytes > bytes ? m->bytes / bytes : 1;
}

static ns_status cut_step(ns_step *step, int32_t processes, int64_t bytes, ns_error *err)
{
    int64_t count = 0, at = 0;
    for (int64_t i = 0; i < step->messages; i++)
        count += pieces_of(&step->message[i], bytes);
    if (count == step->messages)
        return NS_OK;
    ns_message *message = ns_malloc(ns_size_mul((size_t)count, sizeof *message));
    int64_t *by_receiver = ns_malloc(ns_size_mul((size_t)count, sizeof *by_receiver));
    if (message == NULL || by_receiver == NULL) {
        ns_free(message);
        ns_free(by_receiver);
        return ns_no_memory(err);
    }
    for (int64_t i = 0; i < step->messages; i++) {
        const int64_t pieces = pieces_of(&step->message[i], bytes);
        for (int64_t k = 0; k < pieces; k++) {
            message[at] = step->message[i];
            message[at++].bytes = step->message[i].bytes / pieces;
        }
    }
    ns_free(step->message);
    ns_free(step->by_receiver);
    step->message = message;
    step->by_receiver = by_receiver;
    step->messages = count;
    step->joining = NS_APART;
    return ns_step_index(step, processes, err);
}

ns_status ns_scenario_compare(const ns_scenario *scenario, const ns_curves *curves, ns_comparison *comparison,
                              ns_error *err)
{
    const ns_price_options options = {.confidence = NS_CONFIDENCE};
    const ns_machine *machine = curves->machine;
    ns_exchange *exchange;
    ns_workspace *workspace = NULL;
    if (curves->strategies < curves->count || curves->count > NS_CHOICES)
        return ns_fail(err, NS_ERR_DATA, "at most %d strategies, and no models, can be priced by their schedules",
                       (int)NS_CHOICES);
    NS_TRY(ns_scenario_exchange(scenario, machine, &exchange, err));
    ns_status status = ns_workspace_open(&workspace, err);
    comparison->choices = 0;
    for (int i = 0; i < curves->count && status == NS_OK; i++) {
        const ns_curve_info *curve = &curves->curve[i];
        ns_choice *choice = &comparison->choice[comparison->choices++];
        *choice = (ns_choice){
            .strategy = curve->strategy, .transport = curve->transport, .published_s = -1, .corrected_s = -1};
        if (curve->strategy->node_aware) {
            const ns_selection selection = {
                .strategy = &curve->strategy, .strategies = 1, .transports = 1u << curve->transport};
            int quotes;
            status = ns_quote(exchange, machine, &selection, workspace, &quotes, err);
            if (status == NS_OK) {
                choice->price = ns_quote_at(workspace, 0)->price;
                choice->messages_off_node_max = ns_quote_at(workspace, 0)->messages_off_node_max;
            }
            continue;
        }
        /* Several messages to one other part are sent separately. */
        ns_schedule *schedule;
        status = ns_schedule_build(curve->strategy, curve->transport, exchange, machine, &schedule, err);
        if (status != NS_OK)
            break;
        for (int k = 0; k < schedule->steps && status == NS_OK; k++)
            status = cut_step(&schedule->step[k], schedule->processes, (int64_t)whole(scenario->s), err);
        if (status == NS_OK)
            status = ns_schedule_price_as(schedule, machine, &options, &choice->price, err);
        choice->messages_off_node_max = ns_schedule_messages_off_node_max(schedule);
        ns_schedule_free(schedule);
    }
    if (status == NS_OK)
        ns_comparison_find_same(exchange, machine, comparison);
    if (status == NS_OK)
        status = ns_comparison_choose(machine, NULL, NULL, comparison, err);
    ns_workspace_free(workspace);
    ns_exchange_free(exchange);
    return status;
}
