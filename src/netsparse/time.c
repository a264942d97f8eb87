/* time.c -- the time of every node for what it was found to send, and the result of a step
 *
 * A link carries, of its node, rx = Q (P + h_rsp) + S h_req and tx = S (P + h_rsp) + Q h_req, both Q (P + h) where S =
 * Q; h_req = u/n_req + r, h_rsp = u/n_rsp + r.  The node's own requests take the time of rig-batch; what it serves
 * takes at least (busier direction)/(B s), s being the share of link-share.  Where the line of a node that owns popular
 * columns is the last to finish, the nodes that request from it wait, and the tail node is the one of them with most
 * requests to it.
 */
#include "netsparse/run.h"

#include <math.h>

/* A home whose own requests take as long as its line, within this share, is itself the tail node. */
static const double TIED = 0.05;

const char *const ns_mechanism_words[] = {"rig", "filter", "coalesce", "concat", "switch", NULL};
const char *const ns_limit_words[] = {
    "receiving on the line", "RIG units", "pending tables", "sending on the line", "inter-switch links",
    "nothing to do",         NULL};

ns_status ns_run_share(const ns_ablation *run, double bytes, double *share, ns_error *err)
{
    ns_evaluated link;
    const ns_trace *t = run->trace;
    const int32_t others = t->nodes > 1 ? t->nodes - 1 : 1;
    NS_TRY(NS_NETSPARSE_EVAL(run->parameters.machine, "link-share", &link, err,
                             {"d64", fmax(1, t->view.destinations_per_window)}, {"bytes", bytes},
                             {"nodes", t->rack < others ? t->rack : others}));
    *share = ns_netsparse_output(&link, "share");
    return NS_OK;
}

static ns_status time_node(ns_ablation *run, int32_t p, ns_error *err)
{
    const ns_netsparse_parameters *parameters = &run->parameters;
    const ns_node_traffic *t = &run->traffic[p];
    ns_node_time *time = &run->time[p];
    const double request = parameters->u / fmax(1, t->request_n) + parameters->r,
                 response = parameters->u / fmax(1, t->response_n) + parameters->r;
    *time = (ns_node_time){.issued = t->Q, .served = t->S, .hits = t->hits, .per_packet = 1};
    if (t->Q > 0)
        time->per_packet = 2 / (1 / fmax(1, t->request_n) + 1 / fmax(1, t->response_n));
    time->rtt = t->Q > 0 ? t->rtt_sum / t->Q : parameters->rtt[1];
    time->rtt += run->step >= NS_CONCAT ? parameters->waits : 0;
    time->received = parameters->tiles * (t->Q * (parameters->P + response) + t->S * request);
    time->sent = parameters->tiles * (t->S * (parameters->P + response) + t->Q * request);
    double share;
    NS_TRY(ns_run_share(run, parameters->P + response, &share, err));
    if (t->Q > 0) {
        /* The node's own requests by the model; the headers of a pair are those of both directions. */
        ns_evaluated rig;
        const double tiles = parameters->tiles;
        NS_TRY(NS_NETSPARSE_EVAL(parameters->machine, "rig-batch", &rig, err,
                                 {"Z", (double)run->trace->node[p].requests}, {"Q", t->Q}, {"k", parameters->k},
                                 {"h", request + response}, {"b", (double)run->batch}, {"rtt", time->rtt},
                                 {"share", share}));
        time->generate = tiles * ns_netsparse_output(&rig, "generate");
        time->pending = tiles * ns_netsparse_output(&rig, "pending");
        time->tail = tiles * ns_netsparse_output(&rig, "tail");
        time->hidden = tiles * ns_netsparse_output(&rig, "hidden");
        time->own = fmax(time->hidden, tiles * ns_netsparse_output(&rig, "exposed"));
    }
    time->line = fmax(time->received, time->sent) / (parameters->rate * share);
    time->hidden = fmax(time->hidden, time->line);
    time->exposed = fmax(time->own, time->line);
    const double most = fmax(time->line, fmax(time->generate, time->pending));
    time->limit = !(most > 0)              ? NS_LIMIT_NOTHING
                  : most == time->generate ? NS_LIMIT_UNITS
                                           : NS_LIMIT_PENDING;
    if (most > 0 && most == time->line)
        time->limit = time->sent > time->received ? NS_LIMIT_SERVING : NS_LIMIT_LINE;
    return NS_OK;
}

ns_status ns_run_time(ns_ablation *run, ns_error *err)
{
    for (int32_t p = 0; p < run->trace->nodes; p++)
        NS_TRY(time_node(run, p, err));
    /* Every class of inter-switch links has to carry its bytes. */
    double links[NS_LINK_CLASSES], longest = 0;
    ns_network_links(&run->network, links);
    for (int i = 0; i < NS_LINK_CLASSES; i++) {
        double bytes = 0;
        for (int32_t p = 0; p < run->trace->nodes; p++) {
            const ns_node_traffic *t = &run->traffic[p];
            const double headers =
                run->parameters.u * (1 / fmax(1, t->request_n) + 1 / fmax(1, t->response_n)) + 2 * run->parameters.r;
            bytes += t->class_hops[i] * (run->parameters.P + headers);
        }
        if (links[i] > 0)
            longest = fmax(longest, run->parameters.tiles * bytes / (links[i] * run->parameters.rate));
    }
    run->result->network = longest;
    return NS_OK;
}

/* The node that sends most requests to a home. */
static int32_t client_of(const ns_ablation *run, int32_t home)
{
    const ns_trace_store *store = run->trace->store;
    double most = 0;
    int32_t client = home;
    for (int32_t p = 0; p < run->trace->nodes; p++)
        for (int64_t i = store->route_first[p]; i < store->route_first[p + 1]; i++) {
            const double asked = (double)store->sent[i] - (run->step >= NS_SWITCH ? store->hits[i] : 0);
            if (store->exchange->route[i].from == home && asked > most) {
                most = asked;
                client = p;
            }
        }
    return client;
}

void ns_run_summary(ns_ablation *run, double su_time, double su_traffic)
{
    ns_step_result *r = run->result;
    const int32_t nodes = run->trace->nodes;
    double best = 0;
    int32_t last = 0;
    r->issued = r->traffic = r->mean = 0;
    for (int32_t p = 0; p < nodes; p++) {
        const ns_node_time *t = &run->time[p];
        r->issued += t->issued;
        r->traffic += t->received;
        r->mean += t->exposed / nodes;
        best = fmax(best, t->hidden);
        if (t->exposed > run->time[last].exposed)
            last = p;
    }
    const ns_node_time *end = &run->time[last];
    r->node = end->exposed > (1 + TIED) * end->own ? client_of(run, last) : last;
    r->tail = run->time[r->node];
    r->time = fmax(end->exposed, r->network);
    r->best = fmax(best, r->network);
    r->limit = r->network > end->exposed ? NS_LIMIT_NETWORK : end->limit;
    const double rate = run->parameters.rate, P = run->parameters.P * run->parameters.tiles;
    const double bytes = fmax(r->tail.received, r->tail.sent);
    r->reduction = r->utilisation = r->goodput = r->speedup = r->speedup_best = -1;
    if (!(bytes > 0) || !(r->time > 0) || !(r->best > 0))
        return;
    r->reduction = su_traffic / bytes;
    r->utilisation = bytes / rate / r->time;
    r->goodput = (r->tail.sent > r->tail.received ? r->tail.served : r->tail.issued) * P / (rate * r->time);
    r->speedup = su_time / r->time;
    r->speedup_best = su_time / r->best;
}
