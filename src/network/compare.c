/* compare.c -- every way of an exchange on a network: messages, striped over rails or not, and interfaces that gather
 *
 * Ways of different hardware share no error: with the errors e of both, in log2, each way's scale is 1/kappa = (sqrt 6
 * / pi) ln 2 sqrt((e_messages^2 + e_network^2) / 2).  Where the machine's own kappa claims a higher accuracy than that,
 * this one is used.
 */
#include "core/memory.h"
#include "machine_file/change.h"
#include "netsparse/parameters.h"
#include "network/network.h"
#include "pattern/blocks.h"
#include "price/choice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- long messages over all cards of a node ([RS] Sections 2.2.1.2 and 2.2.2, Figure 7)
 *
 * A message beyond the threshold is cut into fragments, which the cards share: a byte of it takes transfer/s of the
 * model multirail.  A strategy's long messages are those of the process that decides its price, at their mean length.
 */

/* Seconds for each byte of a striped message of s bytes. */
static ns_status striped_beta(const ns_fabric *fabric, double s, double *beta, ns_error *err)
{
    char cards[NS_LIST_MAX * 56], one[48]; /* "B=10 GB/s,10 GB/s", the model's input of cards */
    double rails, rate;
    size_t used = 0;
    ns_evaluated striped;
    ns_binding binding;
    NS_TRY(ns_fabric_rails(fabric->hardware, &rails, &rate, err));
    NS_TRY(ns_model_get("multirail", &striped.model, err));
    ns_double_format(rate, one, sizeof one);
    for (int i = 0; i < (int)rails && used + sizeof one < sizeof cards; i++)
        used += (size_t)snprintf(cards + used, sizeof cards - used, "%s%s B/s", i > 0 ? "," : "B=", one);
    ns_bind_open(&binding, striped.model, fabric->hardware);
    NS_TRY(ns_bind_text(&binding, cards, err));
    NS_TRY(ns_bind_number(&binding, "s", s, err));
    NS_TRY(ns_bind_close(&binding, err));
    NS_TRY(ns_model_eval(&binding, &striped.out, err));
    *beta = ns_netsparse_output(&striped, "transfer") / s;
    return NS_OK;
}

/* Price the ways whose long messages are striped again; each keeps its own machine where that is faster. */
static ns_status stripe(const ns_fabric *fabric, const ns_exchange *exchange, const ns_selection *selection,
                        ns_workspace *workspace, ns_comparison *comparison, ns_networked *networked, ns_error *err)
{
    static const char *const kinds[] = {"", "exchange."};
    double threshold;
    if (!ns_machine_number(fabric->hardware, "models.multirail.threshold", &threshold, NULL, NULL))
        return NS_OK;
    for (int i = 0; i < comparison->choices; i++) {
        ns_choice *choice = &comparison->choice[i];
        char path[2][80];
        ns_change change[2];
        size_t changes = 0;
        double s = 0, beta; /* s: mean length of the rendezvous messages off node, of the step with the longest */
        int quotes;
        for (int k = 0; k < choice->price.steps; k++) {
            const ns_class_load *load = &choice->price.step[k].load[NS_OFF_NODE][NS_RENDEZVOUS];
            if (load->messages > 0)
                s = fmax(s, load->bytes / load->messages);
        }
        if (!(s > threshold))
            continue;
        NS_TRY(striped_beta(fabric, s, &beta, err));
        for (int k = 0; k < 2; k++) {
            snprintf(path[k], sizeof path[k], "%s.%soff-node.rendezvous.beta",
                     ns_memory_words[ns_transport_memory(choice->transport)], kinds[k]);
            const ns_parameter *own = ns_machine_parameter(fabric->machine, path[k]);
            if (own != NULL && own->value > beta)
                change[changes++] = (ns_change){path[k], beta, own->source};
        }
        if (changes == 0)
            continue;
        NS_TRY(
            ns_machine_change(fabric->machine, change, changes, "long messages striped", &networked->striped[i], err));
        const ns_selection one = {.strategy = &choice->strategy,
                                  .strategies = 1,
                                  .transports = 1u << choice->transport,
                                  .price = selection->price};
        NS_TRY(ns_quote(exchange, networked->striped[i], &one, workspace, &quotes, err));
        const ns_price *price = &ns_quote_at(workspace, 0)->price;
        if (price->estimate_s < choice->price.estimate_s) {
            choice->price = *price;
        } else {
            ns_machine_free(networked->striped[i]);
            networked->striped[i] = NULL;
        }
    }
    return NS_OK;
}

/* ---- interfaces that gather: NetSparse's time between nodes, then what is left inside them
 *
 *     T = T_network + T_inside
 *
 * T_network is that of ns_netsparse_run for the rows of each node, commands exposed; T_inside the price of
 * ns_strategy_in_network_gather by the faster transport.  Their model errors are independent:
 * e^2 = ((T_network e_network)^2 + (T_inside e_form)^2) / T^2.
 */

enum { NODES_MOST = 1 << 14 }; /* every node has a queue for each other node: time grows with the square */

/* The node of each row, or NULL where equal blocks are equivalent: full nodes of equal blocks are blocks themselves,
 * the k-th of which begins with row k n / nodes. */
static ns_status nodes_of_rows(const ns_network_request *request, int32_t **node, ns_error *err)
{
    const ns_exchange *x = request->exchange;
    const ns_matrix_info *info = ns_matrix_describe(request->matrix);
    bool plain = request->part == NULL && x->parts == x->per_node * x->nodes;
    for (int32_t p = 0; p < x->parts && plain; p++)
        plain = x->site->node_of[p] == p / x->per_node;
    *node = NULL;
    if (plain)
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
    ns_trace *trace;
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
    const ns_trace_options traced = {.part = node, .max_memory = request->max_memory};
    const ns_netsparse_options options = {.machine = fabric->hardware,
                                          .k = g->k,
                                          .topology = fabric->kind->topology,
                                          .watch = request->watch,
                                          .watcher = request->watcher};
    ns_status status = ns_trace_open(request->matrix, g->nodes, &traced, &trace, err);
    if (status == NS_OK) {
        status = ns_netsparse_run(trace, &options, &g->result, err);
        ns_trace_free(trace);
    }
    ns_free(node);
    NS_TRY(status);
    g->network_s = g->result->step[NS_SWITCH].time;
    g->network_best_s = g->result->step[NS_SWITCH].best;
    return NS_OK;
}

/* Append the way of the interfaces to the comparison. */
static ns_status gather(const ns_fabric *fabric, const ns_network_request *request, const ns_selection *selection,
                        ns_workspace *workspace, ns_comparison *comparison, ns_networked *networked, ns_error *err)
{
    static const ns_strategy *const shared_out = &ns_strategy_in_network_gather;
    const ns_selection one = {.strategy = &shared_out, .strategies = 1, .price = selection->price};
    ns_gathering *g = &networked->gathering;
    int quotes, least = 0;
    if (request->matrix == NULL)
        return ns_fail(err, NS_ERR_DATA, "%s gathers the columns that a matrix needs; planned messages have none",
                       fabric->kind->name);
    if (comparison->choices == NS_CHOICES)
        return ns_fail(err, NS_ERR_LIMIT, "more than %d ways", (int)NS_CHOICES);
    NS_TRY(ns_quote(request->exchange, fabric->machine, &one, workspace, &quotes, err));
    for (int i = 1; i < quotes; i++)
        if (ns_quote_at(workspace, i)->price.estimate_s < ns_quote_at(workspace, least)->price.estimate_s)
            least = i;
    const ns_choice *quoted = ns_quote_at(workspace, least);
    ns_choice *choice = &comparison->choice[comparison->choices];
    *choice = (ns_choice){.strategy = shared_out,
                          .transport = NS_VIA_NIC,
                          .price = quoted->price,
                          .published_s = -1,
                          .corrected_s = -1,
                          .messages_off_node_max = quoted->messages_off_node_max};
    g->inside = quoted->transport;
    g->inside_s = quoted->price.estimate_s;
    NS_TRY(between_nodes(fabric, request, g, err));
    /* the network's time is assigned to the term off_node, which every cost model has */
    ns_price *price = &choice->price;
    const double t = g->inside_s + g->network_s;
    const double form =
        sqrt(fmax(0, price->log2_error * price->log2_error - price->log2_parameters * price->log2_parameters));
    price->term_s[ns_form_term(price->form, "off_node")] += g->network_s;
    price->estimate_s = t;
    if (t > 0) {
        price->log2_parameters *= g->inside_s / t;
        ns_price_widen(price, hypot(g->network_s * g->error, g->inside_s * form) / t,
                       ns_price_width(selection->price.confidence));
    }
    networked->gather = comparison->choices++;
    return NS_OK;
}

/* ---- side by side ------------------------------------------------------------------------------------------------ */

static ns_status price_ways(const ns_network_request *request, const ns_selection *selection, ns_workspace *workspace,
                            ns_comparison *comparison, ns_networked *n, ns_error *err)
{
    const ns_fabric *fabric = n->fabric;
    ns_selection strategies = *selection;
    strategies.incumbents = 0; /* the way in use may be the network's */
    *comparison = (ns_comparison){.choices = 0};
    if (request->messages)
        NS_TRY(ns_compare_again(request->exchange, fabric->machine, &strategies, workspace, comparison, err));
    if (request->messages && fabric->kind->effect == NS_NETWORK_CARRIES)
        NS_TRY(stripe(fabric, request->exchange, selection, workspace, comparison, n, err));
    if (request->gathers && fabric->kind->effect == NS_NETWORK_GATHERS)
        NS_TRY(gather(fabric, request, selection, workspace, comparison, n, err));
    if (comparison->choices == 0)
        return ns_fail(err, NS_ERR_DATA, "%s has no way of its own: the strategies' messages go over it",
                       fabric->kind->name);
    ns_belief belief = ns_belief_of(fabric->machine, comparison->choice[comparison->best].price.form);
    if (n->gather >= 0) {
        const double pi = 3.14159265358979323846, network = comparison->choice[n->gather].price.log2_error;
        double messages = 0;
        for (int i = 0; i < comparison->choices; i++)
            if (i != n->gather)
                messages = fmax(messages, comparison->choice[i].price.log2_error);
        const double each = log(2) * sqrt((messages * messages + network * network) / 2);
        if (each > 0 && pi / sqrt(6) / each < belief.kappa)
            belief = (ns_belief){.kappa = pi / sqrt(6) / each,
                                 .lambda = belief.lambda,
                                 .doubt = belief.doubt,
                                 .source = n->gathering.error_source};
    }
    return ns_comparison_choose(fabric->machine, &belief, selection, comparison, err);
}

ns_status ns_network_compare(const ns_fabric *fabric, const ns_network_request *request, const ns_selection *selection,
                             ns_workspace *workspace, ns_comparison *comparison, ns_networked **networked,
                             ns_error *err)
{
    ns_networked *n = ns_calloc(1, sizeof *n);
    if (n == NULL)
        return ns_no_memory(err);
    n->fabric = fabric;
    n->gather = -1;
    const ns_status status = price_ways(request, selection, workspace, comparison, n, err);
    if (status == NS_OK)
        *networked = n;
    else
        ns_networked_free(n);
    return status;
}

void ns_networked_free(ns_networked *n)
{
    if (n == NULL)
        return;
    for (int i = 0; i < NS_CHOICES; i++)
        ns_machine_free(n->striped[i]);
    ns_netsparse_free(n->gathering.result);
    ns_free(n);
}

const ns_machine *ns_networked_machine(const ns_networked *n, int choice)
{
    return choice >= 0 && choice < NS_CHOICES && n->striped[choice] != NULL ? n->striped[choice] : n->fabric->machine;
}
