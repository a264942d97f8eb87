/* time.c -- the time of every node for what it was found to send, and the answer of a step
 *
 * A link carries, of its node, rx = Q (P + h_rsp) + S h_req and tx = S (P + h_rsp) + Q h_req, both Q (P + h) where S =
 * Q; h_req = u/n_req + r, h_rsp = u/n_rsp + r.  The node's own requests take the time of rig-batch, what it serves at
 * least (busier direction)/B: a node that owns popular columns may be the last without asking for much.
 */
#include "netsparse/run.h"

#include <math.h>

const char *const ns_mechanism_words[] = {"rig", "filter", "coalesce", "concat", "switch", NULL};
const char *const ns_limit_words[] = {
    "receiving on the line", "RIG units", "pending tables", "sending on the line", "inter-switch links",
    "nothing to do",         NULL};

static ns_limit limit_of(const ns_node_time *t)
{
    const double most = fmax(t->line, fmax(t->generate, t->pending));
    if (!(most > 0))
        return NS_LIMIT_NOTHING;
    if (most == t->line)
        return t->sent > t->received ? NS_LIMIT_SERVING : NS_LIMIT_LINE;
    return most == t->generate ? NS_LIMIT_UNITS : NS_LIMIT_PENDING;
}

/* The node's own requests by the model; headers of a pair are those of both directions. */
static ns_status time_gather(const ns_ablation *run, int32_t p, const ns_node_traffic *t, double header,
                             ns_node_time *time, ns_error *err)
{
    ns_evaluated rig;
    NS_TRY(NS_GEAR_EVAL(run->gear.machine, "rig-batch", &rig, err, {"Z", (double)run->trace->node[p].requests},
                        {"Q", t->Q}, {"k", run->gear.k}, {"h", header}, {"b", (double)run->batch},
                        {"rtt", time->rtt - run->gear.queueing}, {"rtt_eff", time->rtt}));
    const double tiles = run->gear.tiles;
    time->line = tiles * ns_gear_output(&rig, "line");
    time->generate = tiles * ns_gear_output(&rig, "generate");
    time->pending = tiles * ns_gear_output(&rig, "pending");
    time->tail = tiles * ns_gear_output(&rig, "tail");
    time->hidden = tiles * ns_gear_output(&rig, "hidden");
    time->exposed = fmax(time->hidden, tiles * ns_gear_output(&rig, "exposed"));
    return NS_OK;
}

static ns_status time_node(ns_ablation *run, int32_t p, ns_error *err)
{
    const ns_gear *gear = &run->gear;
    const ns_node_traffic *t = &run->traffic[p];
    ns_node_time *time = &run->time[p];
    const double request = gear->u / fmax(1, t->request_n) + gear->r,
                 response = gear->u / fmax(1, t->response_n) + gear->r;
    *time = (ns_node_time){.issued = t->Q, .served = t->S, .hits = t->hits, .per_packet = 1};
    if (t->Q > 0)
        time->per_packet = 2 / (1 / fmax(1, t->request_n) + 1 / fmax(1, t->response_n));
    time->rtt = (t->Q > 0 ? t->rtt_sum / t->Q : gear->rtt[1]) + gear->queueing;
    time->rtt += run->step >= NS_CONCAT ? gear->waits : 0;
    time->received = gear->tiles * (t->Q * (gear->P + response) + t->S * request);
    time->sent = gear->tiles * (t->S * (gear->P + response) + t->Q * request);
    if (t->Q > 0)
        NS_TRY(time_gather(run, p, t, request + response, time, err));
    time->line = fmax(time->received, time->sent) / gear->rate;
    time->hidden = fmax(time->hidden, time->line);
    time->exposed = fmax(time->exposed, time->line);
    time->limit = limit_of(time);
    return NS_OK;
}

/* Every class of inter-switch links carries its bytes. */
static double network_time(const ns_ablation *run)
{
    double links[NS_LINK_CLASSES], longest = 0;
    ns_network_links(&run->network, links);
    for (int i = 0; i < NS_LINK_CLASSES; i++) {
        double bytes = 0;
        for (int32_t p = 0; p < run->trace->nodes; p++) {
            const ns_node_traffic *t = &run->traffic[p];
            const double headers =
                run->gear.u * (1 / fmax(1, t->request_n) + 1 / fmax(1, t->response_n)) + 2 * run->gear.r;
            bytes += t->class_hops[i] * (run->gear.P + headers);
        }
        if (links[i] > 0)
            longest = fmax(longest, run->gear.tiles * bytes / (links[i] * run->gear.rate));
    }
    return longest;
}

ns_status ns_run_time(ns_ablation *run, ns_error *err)
{
    for (int32_t p = 0; p < run->trace->nodes; p++)
        NS_TRY(time_node(run, p, err));
    run->result->network = network_time(run);
    return NS_OK;
}

static void compare(ns_step_result *r, double P, double rate, double su_time, double su_traffic)
{
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

void ns_run_summary(ns_ablation *run, double su_time, double su_traffic)
{
    ns_step_result *r = run->result;
    const int32_t nodes = run->trace->nodes;
    double best = 0;
    r->issued = r->traffic = r->mean = 0;
    r->node = 0;
    for (int32_t p = 0; p < nodes; p++) {
        const ns_node_time *t = &run->time[p];
        r->issued += t->issued;
        r->traffic += t->received;
        r->mean += t->exposed / nodes;
        best = fmax(best, t->hidden);
        if (t->exposed > run->time[r->node].exposed)
            r->node = p;
    }
    r->tail = run->time[r->node];
    r->time = fmax(r->tail.exposed, r->network);
    r->best = fmax(best, r->network);
    r->limit = r->network > r->tail.exposed ? NS_LIMIT_NETWORK : r->tail.limit;
    compare(r, run->gear.P * run->gear.tiles, run->gear.rate, su_time, su_traffic);
}
