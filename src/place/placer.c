/* placer.c -- placements of the same parts, priced one after the other
 *
 * What a node's processes send by a rule follows from the data that the node has for other nodes, that they have for
 * it, and that its parts have for each other (price/visit.h).  A change affects only the nodes of the parts that move
 * and of the parts with which they exchange: only these are visited again, and for each node the slowest process of
 * each step is kept.  Where one of the selected strategies has no local rule, all are quoted again for each placement:
 * the exchange has to be built for that strategy anyway.
 */
#include "core/memory.h"
#include "core/own.h"
#include "core/sized.h"
#include "core/sort.h"
#include "pattern/graph.h"
#include "price/quote.h"
#include "price/visit.h"

#include <nsmodel/placer.h>

#include <stddef.h>
#include <string.h>

NS_FREED_BY(ns_exchange_free, ns_exchange)
NS_FREED_BY(ns_placer_free, ns_placer)
NS_FREED_BY(ns_site_free, ns_site)

/* Columns of a part that are needed by the same parts, at any positions among its columns: rules that do not cut pairs
 * do not depend on the order of entries. */
typedef struct lot {
    int64_t entries;
    const int32_t *needer;
    int32_t needers;
} lot;

/* The slowest process of a node in a step. */
typedef struct node_step {
    double seconds;  /* what is compared; without a process an upper bound on all of them, or -1: none does anything */
    int32_t process; /* -1: none was priced */
    bool leaves;
    double bytes_s, waits_s, term[NS_FORM_TERMS];
    double messages, bytes; /* where the form has a residual */
} node_step;

/* A strategy that is priced incrementally. */
typedef struct pricing {
    ns_visit visit;               /* only for this strategy */
    node_step *slowest[NS_TIMES]; /* [nodes]; NULL: not needed */
    double enough[NS_TIMES];      /* s, of the slowest process that is known: faster nodes need only a bound */
} pricing;

/* The transport of the times of a visit at k, an index of ns_slowest_at. */
static inline int transport_of(int k)
{
    return k / NS_MAXIMA % NS_TRANSPORTS;
}

/* A node has to be visited again; or only by rules that read the local index of another node's part. */
enum { TOUCHED = 1, RENUMBERED = 2 };
enum { BLOCKS = 32 + NS_VISITS * NS_TIMES };

struct ns_placer {
    const ns_graph *graph;
    const ns_machine *machine;
    const ns_form *form;
    int32_t parts, nodes;
    void *block[BLOCKS]; /* memory of all arrays below */
    int blocks;
    int choices;
    ns_placed choice[NS_CHOICES];
    double seconds[NS_CHOICES]; /* of the placement that was priced last */
    ns_selection selection;     /* of these strategies */
    const ns_strategy *strategy[NS_CHOICES];
    ns_workspace *workspace;
    /* The graph by sending part; what a part has for other nodes, with each lot once per node; and its lots. */
    int64_t *first_out; /* [parts + 1] */
    ns_route *out;
    ns_strand *bundle; /* entries of a part begin at its first_out */
    int32_t *bundles;  /* [parts] */
    lot *lot;
    int64_t *first_lot; /* [parts + 1] */
    /* The location of each part; the parts of a node are in ascending order, as in a site. */
    int32_t *node_of, *local_of, *socket_of; /* [parts] */
    int32_t *size, *first, *part;            /* [nodes], [nodes + 1], [parts] */
    ns_site site;                            /* built from these arrays */
    uint8_t *touched;                        /* [nodes] TOUCHED, RENUMBERED, or 0 */
    bool *is_near;                           /* [parts] a part with which they exchange has moved */
    int64_t *met; /* [parts] number of nodes on which they have partners, in either direction; -1: not counted */
    /* The exchange of the present placement, to the extent that visits read it, and the lists of one node. */
    ns_exchange exchange;
    ns_by_node by_node;
    /* Scratch of one node. */
    int64_t stamp;                  /* the last stamp that was used */
    int64_t *node_seen, *part_seen; /* [nodes], [parts] */
    int32_t *node_at, *other;       /* [nodes] index of a node in the list of others; that list */
    ns_strand *list;                /* [routes] before they are sorted */
    /* Visits. */
    int passes;                 /* 0: all choices are quoted again */
    bool routes, pairs, locals; /* what visits read; locals: a message's taker depends on a local index */
    pricing pass[NS_VISITS];
    ns_form_values values[NS_MEMORIES];
    ns_arena arena; /* memory of the visits */
    int32_t room;   /* most parts of a node that this memory is for */
    /* Scratch: a price, and its steps by the other maximum.  What add_step does not set is 0, or is not read. */
    ns_price price;
    ns_step_price waiting[NS_STEPS];
};

/* ---- where parts are --------------------------------------------------------------------------------------------- */

/* Move a part from its node to another: this changes both nodes, and possibly the nodes of the parts with which it
 * exchanges. */
static void move(ns_placer *p, int32_t part, int32_t node)
{
    p->touched[p->node_of[part]] = p->touched[node] = TOUCHED;
    for (int64_t i = p->graph->first_route[part]; i < p->graph->first_route[part + 1]; i++)
        p->is_near[p->graph->route[i].from] = true;
    for (int64_t i = p->first_out[part]; i < p->first_out[part + 1]; i++)
        p->is_near[p->out[i].to] = true;
    p->size[p->node_of[part]]--;
    p->size[node]++;
    p->node_of[part] = node;
}

static void put_all(ns_placer *p, const int32_t *node_of)
{
    memset(p->size, 0, (size_t)p->nodes * sizeof *p->size);
    for (int32_t q = 0; q < p->parts; q++) {
        p->node_of[q] = node_of[q];
        p->size[node_of[q]]++;
        p->met[q] = -1;
    }
    memset(p->touched, TOUCHED, (size_t)p->nodes);
}

static ns_status check_part(const ns_placer *p, int32_t part, ns_error *err)
{
    return part >= 0 && part < p->parts
               ? NS_OK
               : ns_fail(err, NS_ERR_RANGE, "there is no part %d; parts go from 0 to %d", (int)part, (int)p->parts - 1);
}

static ns_status check_node(const ns_placer *p, int32_t part, int32_t node, ns_error *err)
{
    return node >= 0 && node < p->nodes ? NS_OK
                                        : ns_fail(err, NS_ERR_RANGE, "part %d is on node %d, but nodes go from 0 to %d",
                                                  (int)part, (int)node, (int)p->nodes - 1);
}

ns_status ns_placer_move(ns_placer *p, int32_t part, int32_t node, ns_error *err)
{
    ns_error_clear(err);
    NS_TRY(check_part(p, part, err));
    NS_TRY(check_node(p, part, node, err));
    if (p->node_of[part] != node)
        move(p, part, node);
    return NS_OK;
}

ns_status ns_placer_swap(ns_placer *p, int32_t a, int32_t b, ns_error *err)
{
    ns_error_clear(err);
    NS_TRY(check_part(p, a, err));
    NS_TRY(check_part(p, b, err));
    const int32_t of_a = p->node_of[a], of_b = p->node_of[b];
    if (of_a != of_b) {
        move(p, a, of_b);
        move(p, b, of_a);
    }
    return NS_OK;
}

ns_status ns_placer_put(ns_placer *p, const int32_t *node_of, ns_error *err)
{
    ns_error_clear(err);
    int32_t moves = 0;
    for (int32_t q = 0; q < p->parts; q++) {
        NS_TRY(check_node(p, q, node_of[q], err));
        moves += p->node_of[q] != node_of[q];
    }
    if (moves > p->parts / 4)
        put_all(p, node_of);
    for (int32_t q = 0; q < p->parts; q++)
        if (p->node_of[q] != node_of[q])
            move(p, q, node_of[q]);
    return NS_OK;
}

/* ---- what a node has for others, and they for it ----------------------------------------------------------------- */

static int by_needers(const void *a, const void *b)
{
    const lot *x = a, *y = b;
    return x->needers != y->needers ? (x->needers > y->needers) - (x->needers < y->needers)
                                    : memcmp(x->needer, y->needer, (size_t)x->needers * sizeof *x->needer);
}

/* What the parts of a node have for other nodes, and the total that leaves each part. */
static void bundle_node(ns_placer *p, int32_t node)
{
    for (int32_t i = p->first[node]; i < p->first[node + 1]; i++) {
        const int32_t q = p->part[i];
        ns_strand *bundle = &p->bundle[p->first_out[q]];
        const int64_t before = p->stamp;
        int32_t count = 0;
        int64_t sent = 0;
        for (const lot *of = &p->lot[p->first_lot[q]]; of < &p->lot[p->first_lot[q + 1]]; of++) {
            const int64_t stamp = ++p->stamp;
            for (int32_t k = 0; k < of->needers; k++) {
                const int32_t other = p->node_of[of->needer[k]];
                if (other != node && p->node_seen[other] == stamp)
                    continue;
                sent += of->entries;
                if (other == node)
                    continue;
                if (p->node_seen[other] <= before) {
                    p->node_at[other] = count;
                    bundle[count++] = (ns_strand){0, p->local_of[q], other};
                }
                p->node_seen[other] = stamp;
                bundle[p->node_at[other]].entries += of->entries;
            }
        }
        p->bundles[q] = count;
        p->by_node.sent[q] = sent;
    }
}

/* Sort the list of strands by their other node; in ascending order of these nodes where that matters. */
static void sort_by_other(ns_placer *p, int64_t count, bool ascending, ns_strand *to)
{
    const int64_t stamp = ++p->stamp;
    int64_t nodes = 0;
    for (int64_t i = 0; i < count; i++) {
        const int32_t one = p->list[i].other;
        if (p->node_seen[one] != stamp) {
            int64_t at = nodes++;
            for (; ascending && at > 0 && p->other[at - 1] > one; at--)
                p->other[at] = p->other[at - 1];
            p->other[at] = one;
            p->node_seen[one] = stamp;
            p->node_at[one] = 0;
        }
        p->node_at[one]++;
    }
    for (int64_t i = 0, begin = 0; i < nodes; i++) {
        const int32_t strands = p->node_at[p->other[i]];
        p->node_at[p->other[i]] = (int32_t)begin;
        begin += strands;
    }
    for (int64_t i = 0; i < count; i++)
        to[p->node_at[p->list[i].other]++] = p->list[i];
}

/* The lists of a node, valid until the next call; parts that send to it must have their bundles. */
static ns_node node_at(ns_placer *p, int32_t node)
{
    const int64_t *first = p->graph->first_route;
    const int32_t *part = &p->part[p->first[node]], *end = &p->part[p->first[node + 1]];
    const ns_by_node *b = &p->by_node;
    ns_node n = {.node = node, .run = {b->run[NS_OUT], b->run[NS_IN]}, .route = b->route, .stay = b->stay};
    for (const int32_t *q = part; q < end && p->routes; q++)
        for (const ns_route *out = &p->out[p->first_out[*q]]; out < &p->out[p->first_out[*q + 1]]; out++)
            if (p->node_of[out->to] != node)
                p->list[n.routes++] = (ns_strand){out->entries, p->local_of[*q], p->node_of[out->to]};
    sort_by_other(p, n.routes, false, b->route);
    for (const int32_t *q = part; q < end && p->pairs; q++)
        for (int32_t i = 0; i < p->bundles[*q]; i++)
            p->list[n.runs[NS_OUT]++] = p->bundle[p->first_out[*q] + i];
    sort_by_other(p, n.runs[NS_OUT], true, b->run[NS_OUT]);
    const int64_t stamp = ++p->stamp;
    for (const int32_t *q = part; q < end; q++)
        for (const ns_route *in = &p->graph->route[first[*q]]; in < &p->graph->route[first[*q + 1]]; in++)
            if (p->node_of[in->from] == node)
                b->stay[n.stays++] = *in;
            else if (p->pairs && p->part_seen[in->from] != stamp) {
                const ns_strand *one = &p->bundle[p->first_out[in->from]];
                while (one->other != node)
                    one++;
                p->part_seen[in->from] = stamp;
                p->list[n.runs[NS_IN]++] = (ns_strand){one->entries, in->from, p->node_of[in->from]};
            }
    sort_by_other(p, n.runs[NS_IN], true, b->run[NS_IN]);
    return n;
}

/* ---- prices ------------------------------------------------------------------------------------------------------ */

/* Quote all choices, from an exchange built for the present placement. */
static ns_status quote(ns_placer *p, ns_error *err)
{
    NS_OWN(ns_site_free) ns_site *site = NULL;
    NS_OWN(ns_exchange_free) ns_exchange *x = NULL;
    int quotes;
    NS_TRY(ns_site_from_map(p->parts, p->nodes, p->node_of, 0, NULL, &site, err));
    NS_TRY(ns_graph_exchange(p->graph, site, &x, err));
    NS_TRY(ns_quote(x, p->machine, &p->selection, p->workspace, &quotes, err));
    for (int i = 0; i < quotes; i++) /* the choices of any exchange on so many nodes */
        p->seconds[i] = ns_quote_at(p->workspace, i)->price.estimate_s;
    return NS_OK;
}

/* The slowest process of a node in each step, or only a bound where that shows the node to be faster than a process
 * that is known. */
static ns_status visit(pricing *pass, const ns_node *n, ns_error *err)
{
    ns_visit *v = &pass->visit;
    ns_slowest *found = v->variant[0].slowest;
    ns_slowest_forget(found, NS_RULE_STEPS);
    for (int k = 0; k < NS_TIMES; k++)
        found[k].enough = pass->enough[k];
    memset(v->sums.lacks, 0, sizeof v->sums.lacks);
    ns_visit_node(v, n);
    for (int t = 0; t < NS_TRANSPORTS; t++)
        NS_TRY(ns_sums_lack(&v->sums, (ns_transport)t, err));
    for (int k = 0; k < NS_TIMES; k++) {
        const ns_slowest *s = &found[k];
        if (pass->slowest[k] == NULL)
            continue;
        node_step *to = &pass->slowest[k][n->node];
        to->seconds = s->process < 0 ? s->bound : s->seconds;
        to->process = s->process;
        to->leaves = s->leaves;
        if (s->process < 0)
            continue;
        pass->enough[k] = s->seconds > pass->enough[k] ? s->seconds : pass->enough[k];
        to->bytes_s = s->bytes_s;
        to->waits_s = s->waits_s;
        memcpy(to->term, s->term, sizeof to->term);
        if (v->sums.values[transport_of(k)]->residual != NULL)
            ns_load_sums(&s->load, &to->messages, &to->bytes);
    }
    return NS_OK;
}

/* The slowest process of a step: that of the slowest node, and the first among equally slow nodes; it is computed where
 * only a bound is known. */
static ns_status add_step(ns_placer *p, pricing *pass, int k, ns_step_price *step, ns_error *err)
{
    const node_step *of = pass->slowest[k], *worst;
    for (;;) {
        worst = of;
        for (const node_step *one = of; one < of + p->nodes; one++)
            worst = one->seconds > worst->seconds ? one : worst;
        if (worst->process >= 0 || worst->seconds < 0)
            break; /* it is no bound */
        pass->enough[k] = -1;
        const ns_node n = node_at(p, (int32_t)(worst - of));
        NS_TRY(visit(pass, &n, err));
    }
    step->process = worst->process;
    step->leaves = false;
    step->bytes_s = worst->bytes_s;
    step->waits_s = worst->waits_s;
    step->messages = worst->messages;
    step->bytes = worst->bytes;
    memcpy(step->term, worst->term, sizeof step->term);
    for (const node_step *one = of; one < of + p->nodes && !step->leaves; one++)
        step->leaves = one->leaves;
    return NS_OK;
}

/* The lists of nodes, from node_of and size; and which nodes are to be visited again. */
static void list_parts(ns_placer *p)
{
    /* Nodes whose parts exchange with a part that moved are touched too.  Where each route is a message, a part that
     * stays sends the same to other nodes unless their number changes: that number is `met`. */
    for (int32_t q = 0; q < p->parts; q++) {
        int64_t met = 0;
        if (!p->is_near[q])
            continue;
        for (int side = 0; side < NS_SIDES; side++) {
            const ns_route *route = side == NS_OUT ? p->out : p->graph->route;
            const int64_t *first = side == NS_OUT ? p->first_out : p->graph->first_route, stamp = ++p->stamp;
            met *= p->nodes + INT64_C(1);
            for (int64_t i = first[q]; i < first[q + 1]; i++) {
                int64_t *seen = &p->node_seen[p->node_of[side == NS_OUT ? route[i].to : route[i].from]];
                met += *seen != stamp;
                *seen = stamp;
            }
        }
        if (p->pairs || met != p->met[q])
            p->touched[p->node_of[q]] = TOUCHED;
        p->met[q] = met;
        p->is_near[q] = false;
    }
    const int32_t before = p->site.per_node;
    p->site.per_node = 0;
    for (int32_t node = 0; node < p->nodes; node++) {
        p->first[node + 1] = p->first[node] + p->size[node];
        p->site.per_node = p->size[node] > p->site.per_node ? p->size[node] : p->site.per_node;
        p->node_at[node] = 0;
    }
    if (p->site.sockets > 1 && p->site.per_node != before)
        memset(p->touched, TOUCHED, (size_t)p->nodes);
    /* Adding or removing a part renumbers those behind it. */
    for (int32_t q = 0; q < p->parts; q++) {
        const int32_t node = p->node_of[q], local = p->node_at[node]++;
        p->part[p->first[node] + local] = q;
        if (p->touched[node] != 0 && p->site.per_node > 0)
            p->socket_of[q] = (int32_t)((int64_t)local * p->site.sockets / p->site.per_node);
        if (p->local_of[q] == local)
            continue;
        p->local_of[q] = local;
        for (int64_t i = p->first_out[q]; p->locals && i < p->first_out[q + 1]; i++)
            if (p->touched[p->node_of[p->out[i].to]] == 0)
                p->touched[p->node_of[p->out[i].to]] = RENUMBERED;
    }
}

/* Visit the touched nodes again; then compute the price of each choice from the slowest processes of each step. */
static ns_status by_difference(ns_placer *p, ns_error *err)
{
    const pricing *end = p->pass + p->passes;
    list_parts(p);
    if (p->room < p->site.per_node) {
        p->room = 0; /* until all visits are open */
        p->exchange.per_node = p->site.per_node;
        ns_arena_reset(&p->arena);
        for (pricing *pass = p->pass; pass < end; pass++) {
            ns_visit *v = &pass->visit;
            ns_variant *of = &v->variant[0];
            const ns_transport transport = v->sums.values[NS_VIA_HOST] != NULL ? NS_VIA_HOST : NS_VIA_DEVICE;
            NS_TRY(ns_task_open(of->strategy, transport, &p->exchange, p->machine, &p->arena, &of->task, err));
            NS_TRY(ns_visit_open(v, &p->arena, err));
            NS_TRY(ns_visit_scratch(v, &p->arena, err));
        }
        p->room = p->site.per_node;
    }
    for (int32_t node = 0; node < p->nodes && p->pairs; node++)
        if (p->touched[node] == TOUCHED)
            bundle_node(p, node);
    if (p->form->needs_hops) /* each message changes the busiest link, and thereby the price of every process */
        memset(p->touched, TOUCHED, (size_t)p->nodes);
    for (pricing *pass = p->pass; pass < end && p->form->needs_hops; pass++) {
        pass->visit.hop_bytes = (ns_hop_bytes){0, 0, 0};
        for (int32_t node = 0; node < p->nodes; node++) {
            const ns_node n = node_at(p, node);
            ns_visit_hops(&pass->visit, &n);
        }
        pass->visit.link_bytes = ns_link_bytes(&pass->visit.hop_bytes, p->nodes);
    }
    /* The slowest of the nodes that were not touched, unless it is a bound. */
    for (pricing *pass = p->pass; pass < end; pass++)
        for (int k = 0; k < NS_TIMES; k++) {
            const node_step *of = pass->slowest[k];
            pass->enough[k] = -1;
            for (int32_t node = 0; node < p->nodes && of != NULL; node++)
                if (p->touched[node] == 0 && of[node].seconds > pass->enough[k] && of[node].process >= 0)
                    pass->enough[k] = of[node].seconds;
        }
    for (int32_t node = 0; node < p->nodes; node++) {
        if (p->touched[node] == 0)
            continue;
        const ns_node n = node_at(p, node);
        for (pricing *pass = p->pass; pass < end; pass++)
            if (p->touched[node] == TOUCHED || pass->visit.says.rule->takes != NULL)
                NS_TRY(visit(pass, &n, err));
    }
    pricing *pass = p->pass;
    for (int c = 0; c < p->choices; c++) { /* by strategy */
        while (pass->visit.variant[0].strategy != p->choice[c].strategy)
            pass++;
        const ns_transport t = p->choice[c].transport;
        const ns_form_values *values = pass->visit.sums.values[t];
        const ns_copying copying = ns_visit_copying(&pass->visit, &pass->visit.variant[0], t);
        memset(&p->price, 0, offsetof(ns_price, step));
        p->price.steps = pass->visit.says.steps;
        for (int i = 0; i < p->price.steps; i++) {
            NS_TRY(add_step(p, pass, ns_slowest_at(i, (int)t, NS_BY_TIME), &p->price.step[i], err));
            if (values->hides)
                NS_TRY(add_step(p, pass, ns_slowest_at(i, (int)t, NS_BY_WAITING), &p->waiting[i], err));
        }
        NS_TRY(ns_price_sum(values, &copying, values->hides ? p->waiting : NULL, &p->price, err));
        p->seconds[c] = p->price.estimate_s;
    }
    return NS_OK;
}

ns_status ns_placer_price(ns_placer *p, double *seconds, ns_error *err)
{
    ns_error_clear(err);
    if (memchr(p->touched, TOUCHED, (size_t)p->nodes) != NULL) {
        NS_TRY(p->passes > 0 ? by_difference(p, err) : quote(p, err));
        memset(p->touched, 0, (size_t)p->nodes);
    }
    memcpy(seconds, p->seconds, (size_t)p->choices * sizeof *seconds);
    return NS_OK;
}

ns_status ns_placer_batch(ns_placer *p, const int32_t *node_of, size_t placements, double *seconds, ns_error *err)
{
    ns_error_clear(err);
    for (size_t i = 0; i < placements; i++) {
        NS_TRY(ns_placer_put(p, node_of + i * (size_t)p->parts, err));
        NS_TRY(ns_placer_price(p, seconds + i * (size_t)p->choices, err));
    }
    return NS_OK;
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

#define TAKE(array, count)                                                                                             \
    do {                                                                                                               \
        NS_TRY(ns_take((void **)&(array), (count), sizeof *(array), &budget, err));                                    \
        p->block[p->blocks++] = (array);                                                                               \
    } while (0)

/* Which choices there are, and whether all of them can be priced by difference. */
static ns_status find_choices(ns_placer *p, const ns_selection *selection, ns_error *err)
{
    const int32_t nowhere = 0;
    NS_OWN(ns_site_free) ns_site *site = NULL;
    NS_OWN(ns_exchange_free) ns_exchange *x = NULL;
    /* Does what a node sends and receives follow from its own parts and their partners?  A cap depends on all that a
     * node receives; and of several cost models, the one that decides may change with the placement. */
    bool local = true;
    NS_TRY(ns_workspace_open(&p->workspace, err));
    /* Quotes of an exchange without messages on the same number of nodes show which choices there are, sorted by
     * strategy. */
    NS_TRY(ns_site_from_map(1, p->nodes, &nowhere, 0, NULL, &site, err));
    NS_TRY(ns_exchange_from_messages_on(NULL, 0, site, &x, err));
    NS_TRY(ns_quote(x, p->machine, selection, p->workspace, &p->choices, err));
    p->selection = selection != NULL ? *selection : (ns_selection){.price = {.confidence = NS_CONFIDENCE}};
    p->selection.strategy = p->strategy;
    p->selection.strategies = 0;
    for (int i = 0; i < p->choices; i++) {
        const ns_transport transport = ns_quote_at(p->workspace, i)->transport;
        const ns_strategy *one = ns_quote_at(p->workspace, i)->strategy;
        p->choice[i] = (ns_placed){.size = sizeof p->choice[i], .strategy = one, .transport = transport};
        if (i == 0 || one != p->choice[i - 1].strategy)
            p->strategy[p->selection.strategies++] = one;
        local = local && p->selection.strategies <= NS_VISITS && one->rule != NULL && one->same_messages &&
                one->forms == NULL && one->rule->cap == NULL && !one->all_processes && one->holders <= 1;
    }
    p->form = ns_form_of(p->machine, p->selection.price.form);
    /* Whether an exchange is dense, and has its own cost model, depends on the placement. */
    if (p->selection.price.form == NULL && p->form != ns_form_of_dense(p->machine) &&
        2 * (double)p->graph->routes >= (p->parts - 1.0) * p->parts)
        local = false;
    for (int m = 0; m < NS_MEMORIES; m++)
        ns_form_take(p->form, p->machine, (ns_memory)m, p->selection.price.without, &p->values[m]);
    p->passes = local ? (int)p->selection.strategies : 0;
    for (int i = 0, c = 0; i < p->passes; i++) {
        const ns_strategy *strategy = p->strategy[i];
        ns_visit *v = &p->pass[i].visit;
        *v = (ns_visit){.says = {.by_node = &p->by_node, .rule = strategy->rule},
                        .sums = {.machine = p->machine, .form = p->form},
                        .variants = 1,
                        .variant = {{.strategy = strategy}}};
        p->routes = p->routes || ns_strategy_steps(strategy) == 1;
        p->pairs = p->pairs || ns_strategy_steps(strategy) > 1;
        p->locals = p->locals || strategy->rule->takes != NULL;
        for (; c < p->choices && p->choice[c].strategy == strategy; c++) {
            const ns_transport transport = p->choice[c].transport;
            p->choice[c].by_difference = true;
            v->sums.values[transport] = &p->values[ns_transport_memory(transport)];
        }
    }
    return NS_OK;
}

void ns_placer_free(ns_placer *p)
{
    if (p == NULL)
        return;
    for (int i = 0; i < p->blocks; i++)
        ns_free(p->block[i]);
    ns_arena_free(&p->arena);
    ns_workspace_free(p->workspace);
    ns_free(p);
}

ns_status ns_placer_open(const ns_graph *graph, int32_t nodes, const ns_machine *machine, const ns_selection *selection,
                         const ns_limits *limits, ns_placer **placer, ns_error *err)
{
    ns_error_clear(err);
    const int64_t parts = graph->parts, routes = graph->routes;
    ns_limits given;
    if (nodes < 1 || nodes > 1 << 30)
        return ns_fail(err, NS_ERR_RANGE, "the number of nodes has to be 1 to 2^30, got %d", (int)nodes);
    NS_TRY(ns_limits_take(limits, &given, err));
    NS_OWN(ns_placer_free) ns_placer *p = ns_calloc(1, sizeof *p);
    if (p == NULL)
        return ns_no_memory(err);
    p->graph = graph;
    p->machine = machine;
    p->parts = graph->parts;
    p->nodes = nodes;
    ns_budget budget = {.limit = given.max_memory};
    NS_TRY(find_choices(p, selection, err));

    /* Allocate memory, then build the graph by sending part and its lots. */
    TAKE(p->node_of, parts);
    TAKE(p->local_of, parts);
    TAKE(p->socket_of, parts);
    TAKE(p->size, nodes);
    TAKE(p->first, nodes + 1);
    TAKE(p->part, parts);
    TAKE(p->touched, nodes);
    TAKE(p->is_near, parts);
    TAKE(p->met, parts);
    TAKE(p->first_out, parts + 2); /* while it is being filled, its indices are one higher */
    TAKE(p->out, routes);
    TAKE(p->by_node.sent, parts);
    TAKE(p->by_node.routed, parts);
    TAKE(p->node_seen, nodes);
    TAKE(p->node_at, nodes);
    TAKE(p->list, routes);
    TAKE(p->by_node.route, routes);
    TAKE(p->by_node.stay, routes);
    TAKE(p->other, nodes);
    if (p->pairs) {
        TAKE(p->bundle, routes);
        TAKE(p->bundles, parts);
        TAKE(p->lot, graph->fragments);
        TAKE(p->first_lot, parts + 1);
        TAKE(p->part_seen, parts);
        TAKE(p->by_node.run[NS_OUT], routes);
        TAKE(p->by_node.run[NS_IN], routes);
    }
    for (int i = 0; i < p->passes; i++)
        for (int k = 0; k < ns_strategy_steps(p->strategy[i]) * NS_SLOWEST; k++) {
            const ns_form_values *values = p->pass[i].visit.sums.values[transport_of(k)];
            if (values != NULL && (k % NS_MAXIMA == NS_BY_TIME || values->hides))
                TAKE(p->pass[i].slowest[k], nodes);
        }
    for (int64_t i = 0; i < graph->routes; i++)
        p->first_out[graph->route[i].from + 2]++;
    for (int32_t q = 0; q < p->parts; q++)
        p->first_out[q + 2] += p->first_out[q + 1];
    for (int64_t i = 0; i < graph->routes; i++) {
        const ns_route *route = &graph->route[i];
        p->out[p->first_out[route->from + 1]++] = *route;
        p->by_node.routed[route->from] += route->entries;
    }
    int64_t kept = 0;
    for (int32_t q = 0; q < p->parts && p->pairs; q++) { /* the lots of a part */
        lot *fresh = &p->lot[kept];
        int64_t count = 0;
        for (int64_t i = graph->first_fragment[q]; i < graph->first_fragment[q + 1]; i++, count++)
            fresh[count] = (lot){graph->fragment[i].entries, &graph->needer[graph->fragment[i].needer],
                                 graph->fragment[i].needers};
        NS_TRY(ns_sort_items(fresh, count, sizeof *fresh, by_needers, err));
        for (int64_t i = 0; i < count; i++)
            if (i > 0 && by_needers(&fresh[i], &p->lot[kept - 1]) == 0)
                p->lot[kept - 1].entries += fresh[i].entries;
            else
                p->lot[kept++] = fresh[i];
        p->first_lot[q + 1] = kept;
    }
    p->site = (ns_site){.size = sizeof p->site,
                        .parts = p->parts,
                        .nodes = p->nodes,
                        .sockets = p->machine->sockets > 0 ? p->machine->sockets : 1,
                        .node_of = p->node_of,
                        .local_of = p->local_of,
                        .socket_of = p->socket_of,
                        .first = p->first,
                        .part = p->part};
    p->exchange = (ns_exchange){.parts = p->parts,
                                .nodes = p->nodes,
                                .site = &p->site,
                                .width = graph->width,
                                .routes = graph->routes,
                                .route = graph->route,
                                .need = graph->need};
    p->by_node.exchange = &p->exchange;
    p->by_node.received = graph->first_route;
    ns_place_blocks(p->parts, p->nodes, p->node_of);
    put_all(p, p->node_of);
    *placer = p;
    p = NULL;
    return NS_OK;
}

int ns_placer_choices(const ns_placer *p)
{
    return p->choices;
}

const ns_placed *ns_placer_choice(const ns_placer *p, int i)
{
    return i >= 0 && i < p->choices ? &p->choice[i] : NULL;
}

const int32_t *ns_placer_node_of(const ns_placer *p)
{
    return p->node_of;
}

int32_t ns_placer_size(const ns_placer *p, int32_t node)
{
    return node >= 0 && node < p->nodes ? p->size[node] : 0;
}

void ns_place_blocks(int32_t parts, int32_t nodes, int32_t *node_of)
{
    const int32_t each = parts / nodes, more = parts % nodes; /* the first `more` nodes have each + 1 */
    for (int32_t p = 0; p < parts; p++)
        node_of[p] = p < more * (each + 1) ? p / (each + 1) : more + (p - more * (each + 1)) / each;
}

void ns_place_cyclic(int32_t parts, int32_t nodes, int32_t *node_of)
{
    for (int32_t p = 0; p < parts; p++)
        node_of[p] = p % nodes;
}
