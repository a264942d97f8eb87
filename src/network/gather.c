/* gather.c -- the way of interfaces that gather: NetSparse's time between nodes, then what is left inside them
 *
 *     T = T_network + T_inside
 *
 * T_network is that of ns_netsparse_run for the rows of each node, commands exposed; T_inside the price of
 * ns_strategy_in_network_gather by the faster transport.  Their model errors are independent:
 * e^2 = ((T_network e_network)^2 + (T_inside e_form)^2) / T^2.
 */
#include "core/memory.h"
#include "network/fabric.h"
#include "pattern/blocks.h"
#include "price/choice.h"

#include <math.h>

enum { NODES_MOST = 1 << 14 }; /* every node's queues to all others: time grows with the square */

/* ---- rows to nodes ----------------------------------------------------------------------------------------------- */

/* Full nodes of equal blocks are blocks themselves: the k-th begins with row k n / nodes. */
static bool is_plain(const ns_network_request *request)
{
    const ns_exchange *x = request->exchange;
    bool plain = request->part == NULL && x->parts == x->per_node * x->nodes;
    for (int32_t p = 0; p < x->parts && plain; p++)
        plain = x->site->node_of[p] == p / x->per_node;
    return plain;
}

/* The node of each row, or NULL where equal blocks say the same. */
static ns_status nodes_of_rows(const ns_network_request *request, int32_t **node, ns_error *err)
{
    const ns_exchange *x = request->exchange;
    const ns_matrix_info *info = ns_matrix_describe(request->matrix);
    *node = NULL;
    if (is_plain(request))
        return NS_OK;
    if (info->rows != info->cols)
        return ns_fail(err, NS_ERR_DATA,
                       "gathering for nodes that are not all full wants a square matrix; this one has %lld rows and "
                       "%lld columns",
                       (long long)info->rows, (long long)info->cols);
    int32_t *of = ns_malloc(ns_size_mul(ns_size_add((size_t)info->rows, 1), sizeof *of));
    if (of == NULL)
        return ns_no_memory(err);
    for (int64_t r = 0; r < info->rows; r++)
        of[r] = x->site->node_of[request->part != NULL ? request->part[r] : ns_block_owner(r, info->rows, x->parts)];
    *node = of;
    return NS_OK;
}

/* ---- between nodes ----------------------------------------------------------------------------------------------- */

static ns_status run_trace(const ns_fabric *fabric, const ns_network_request *request, const int32_t *node,
                           ns_gathering *g, ns_error *err)
{
    ns_trace *trace;
    const ns_trace_options traced = {.part = node, .max_memory = request->max_memory};
    const ns_netsparse_options options = {.machine = fabric->hardware,
                                          .k = g->k,
                                          .topology = fabric->kind->topology,
                                          .watch = request->watch,
                                          .watcher = request->watcher};
    NS_TRY(ns_trace_open(request->matrix, g->nodes, &traced, &trace, err));
    const ns_status status = ns_netsparse_run(trace, &options, &g->result, err);
    ns_trace_free(trace);
    if (status == NS_OK) {
        g->network_s = g->result->step[NS_SWITCH].time;
        g->network_best_s = g->result->step[NS_SWITCH].best;
    }
    return status;
}

static ns_status need(const ns_machine *hardware, const char *path, const ns_parameter **number, ns_error *err)
{
    *number = ns_machine_parameter(hardware, path);
    return *number != NULL ? NS_OK
                           : ns_fail(err, NS_ERR_DATA, "machine %s has no \"%s\", which a gathering network wants",
                                     hardware->name, path);
}

static ns_status between_nodes(const ns_fabric *fabric, const ns_network_request *request, ns_gathering *g,
                               ns_error *err)
{
    const ns_exchange *x = request->exchange;
    const ns_parameter *value, *rate, *error;
    int32_t *node;
    NS_TRY(need(fabric->hardware, "models.header-share.value", &value, err));
    NS_TRY(need(fabric->hardware, "models.rig-batch.rate", &rate, err));
    NS_TRY(need(fabric->hardware, "host.exchange.model_error.time", &error, err));
    if (!(value->value > 0))
        return ns_fail(err, NS_ERR_RANGE, "models.header-share.value has to be more than 0");
    g->nodes = x->nodes;
    g->k = (double)x->width / value->value;
    g->rate = rate->value;
    g->error = error->value;
    g->error_source = error->source;
    if (x->pattern.messages_off_node == 0)
        return NS_OK;
    if (x->nodes > NODES_MOST)
        return ns_fail(err, NS_ERR_LIMIT, "gathering is counted for at most %d nodes, not %d", (int)NODES_MOST,
                       (int)x->nodes);
    NS_TRY(nodes_of_rows(request, &node, err));
    const ns_status status = run_trace(fabric, request, node, g, err);
    ns_free(node);
    return status;
}

/* ---- inside them ------------------------------------------------------------------------------------------------- */

static ns_status inside_nodes(const ns_fabric *fabric, const ns_network_request *request, const ns_selection *selection,
                              ns_workspace *workspace, ns_choice *choice, ns_gathering *g, ns_error *err)
{
    static const ns_strategy *const gather = &ns_strategy_in_network_gather;
    const ns_selection one = {.strategy = &gather, .strategies = 1, .price = selection->price};
    int quotes, least = 0;
    NS_TRY(ns_quote(request->exchange, fabric->machine, &one, workspace, &quotes, err));
    for (int i = 1; i < quotes; i++)
        if (ns_quote_at(workspace, i)->price.estimate_s < ns_quote_at(workspace, least)->price.estimate_s)
            least = i;
    const ns_quoted *quoted = ns_quote_at(workspace, least);
    *choice = (ns_choice){.strategy = gather,
                          .transport = NS_VIA_NIC,
                          .price = quoted->price,
                          .published_s = -1,
                          .corrected_s = -1,
                          .messages_off_node_max = quoted->messages_off_node_max};
    g->inside = quoted->transport;
    g->inside_s = quoted->price.estimate_s;
    return NS_OK;
}

/* The network's time goes to the term off_node, which every form has. */
static void add_network(const ns_gathering *g, double confidence, ns_price *price)
{
    const double inside = price->estimate_s, t = inside + g->network_s;
    const double form =
        sqrt(fmax(0, price->log2_error * price->log2_error - price->log2_parameters * price->log2_parameters));
    price->term_s[ns_form_term(price->form, "off_node")] += g->network_s;
    price->estimate_s = t;
    if (!(t > 0))
        return;
    price->log2_parameters *= inside / t;
    ns_price_widen(price, hypot(g->network_s * g->error, inside * form) / t, confidence);
}

ns_status ns_fabric_gather(const ns_fabric *fabric, const ns_network_request *request, const ns_selection *selection,
                           ns_workspace *workspace, ns_comparison *comparison, ns_networked *networked, ns_error *err)
{
    ns_gathering *g = &networked->gathering;
    if (request->matrix == NULL)
        return ns_fail(err, NS_ERR_DATA, "%s gathers the columns that a matrix needs; planned messages have none",
                       fabric->kind->name);
    if (comparison->choices == NS_CHOICES)
        return ns_fail(err, NS_ERR_LIMIT, "more than %d ways", (int)NS_CHOICES);
    ns_choice *choice = &comparison->choice[comparison->choices];
    choice->same = 0;
    NS_TRY(inside_nodes(fabric, request, selection, workspace, choice, g, err));
    NS_TRY(between_nodes(fabric, request, g, err));
    add_network(g, selection->price.confidence, &choice->price);
    networked->gather = comparison->choices++;
    return NS_OK;
}
