/* quote.c -- every strategy's price from one pass over the nodes of an exchange
 *
 * Strategies of one rule share a visit (visit.h); a strategy that no visit can take is priced by its schedule.  All
 * visits go over the nodes together: blocks of nodes are given to threads in order, so that among equally slow
 * processes each thread keeps the first; among the threads' processes the first one is taken.
 *
 * In a regular exchange most nodes do the same, with different partners.  Their processes take the same time, so that
 * only the first of these nodes is visited.  Two nodes are alike where all that either sends to others and to itself,
 * and all that others send to it, is the same entry by entry, by local index and by the distance to the other node.
 */
#include "price/quote.h"

#include "core/context.h"
#include "core/memory.h"
#include "core/own.h"
#include "core/parallel.h"
#include "core/refuse.h"
#include "price/visit.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

NS_FREED_BY(ns_schedule_free, ns_schedule)

struct ns_workspace {
    int threads; /* 0: as many as pay off */
    ns_watcher watcher;
    ns_arena arena; /* memory of one call, as is all that follows */
    const ns_exchange *exchange;
    const ns_machine *machine;
    unsigned transports; /* bits of the transports that are compared */
    ns_price_options options;
    const ns_form *form;
    unsigned without; /* bits of the form's parts that are left out */
    ns_form_values values[NS_MEMORIES];
    ns_by_node by_node;
    ns_visit visit[NS_VISITS];
    int visits;
    int made, quotes; /* so far; set when the call has succeeded */
    struct {
        const ns_visit *visit; /* NULL: the quote is the price of its schedule */
        int variant;
    } from[NS_CHOICES];          /* of each quote */
    ns_choice quote[NS_CHOICES]; /* must be last: quotes are set before they are reported */
};

ns_status ns_workspace_open(ns_workspace **workspace, ns_error *err)
{
    ns_error_clear(err);
    ns_workspace *w = ns_malloc(sizeof *w);
    if (w == NULL)
        return ns_no_memory(err);
    memset(w, 0, offsetof(struct ns_workspace, quote));
    *workspace = w;
    return NS_OK;
}

void ns_workspace_free(ns_workspace *workspace)
{
    if (workspace == NULL)
        return;
    ns_arena_free(&workspace->arena);
    ns_free(workspace);
}

void ns_workspace_set_threads(ns_workspace *workspace, int threads)
{
    workspace->threads = threads;
}

void ns_workspace_watch(ns_workspace *workspace, const ns_watcher *watcher)
{
    workspace->watcher = *watcher;
}

const ns_choice *ns_quote_at(const ns_workspace *workspace, int i)
{
    return i >= 0 && i < workspace->quotes ? &workspace->quote[i] : NULL;
}

/* ---- which transports -------------------------------------------------------------------------------------------- */

static bool runs_by(const ns_machine *machine, ns_transport transport)
{
    for (const ns_strategy *const *one = ns_strategies(); *one != NULL; one++)
        if (ns_strategy_runs(*one, transport, machine))
            return true;
    return false;
}

unsigned ns_transports_of(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection)
{
    unsigned asked = selection != NULL ? selection->transports : 0, has = 0;
    bool any = false;
    if (asked == 0)
        asked = (1u << NS_TRANSPORTS) - 1;
    for (int t = 0; t < NS_TRANSPORTS; t++)
        if (ns_machine_line(machine, ns_transport_memory((ns_transport)t), NS_OFF_NODE, 0, NULL) != NULL) {
            has |= 1u << t;
            any = any || ((asked >> t & 1) != 0 && runs_by(machine, (ns_transport)t));
        }
    return exchange->nodes < 2 || !any ? asked : asked & has;
}

/* ---- nodes that are alike ---------------------------------------------------------------------------------------- */

/* Parts of two nodes, `away` from each other. */
static inline bool same_part(const ns_site *site, int32_t p, int32_t q, int32_t away)
{
    return site->local_of[p] == site->local_of[q] && site->node_of[q] - site->node_of[p] == away;
}

static bool same_strands(const ns_strand *x, const ns_strand *y, int64_t count, int32_t away)
{
    for (int64_t i = 0; i < count; i++)
        if (x[i].entries != y[i].entries || x[i].owner != y[i].owner || y[i].other - x[i].other != away)
            return false;
    return true;
}

/* Conservative: some nodes that are alike are not recognized. */
static bool are_alike(const ns_visit *visit, int visits, int32_t first, int32_t second)
{
    const ns_by_node *by = visit->says.by_node;
    const ns_exchange *x = by->exchange;
    const ns_site *site = x->site;
    const int32_t away = second - first, size = ns_site_node_size(site, first);
    const ns_node a = ns_by_node_at(by, first), b = ns_by_node_at(by, second);
    if (a.routes != b.routes || a.runs[NS_OUT] != b.runs[NS_OUT] || a.runs[NS_IN] != b.runs[NS_IN] ||
        size != ns_site_node_size(site, second))
        return false;
    const int32_t *p = &site->part[site->first[first]], *q = &site->part[site->first[second]];
    for (int32_t i = 0; i < size; i++) { /* routes to each part, including those inside the node */
        const ns_route *r = &x->route[by->received[p[i]]], *s = &x->route[by->received[q[i]]];
        const int64_t count = by->received[p[i] + 1] - by->received[p[i]];
        if (by->received[q[i] + 1] - by->received[q[i]] != count)
            return false;
        for (int64_t k = 0; k < count; k++)
            if (r[k].entries != s[k].entries || !same_part(site, r[k].from, s[k].from, away))
                return false;
    }
    if (!same_strands(a.run[NS_OUT], b.run[NS_OUT], a.runs[NS_OUT], away) ||
        !same_strands(a.route, b.route, a.routes, away))
        return false;
    for (int64_t i = 0; i < a.runs[NS_IN]; i++) {
        const ns_run *r = &x->run[a.run[NS_IN] - by->run[NS_IN] + i], *s = &x->run[b.run[NS_IN] - by->run[NS_IN] + i];
        if (r->entries != s->entries || r->needers != s->needers || !same_part(site, r->origin, s->origin, away))
            return false;
        for (int32_t k = 0; k < r->needers; k++)
            if (site->local_of[x->needer[r->needer + k]] != site->local_of[x->needer[s->needer + k]])
                return false;
    }
    for (const ns_visit *v = visit; v < visit + visits; v++) {
        /* The locations of processes, the process that takes what each part has for them, and the cut chunks. */
        const ns_statement *says = &v->says;
        const ns_site *of = says->task->processes;
        const int32_t processes = ns_site_node_size(of, first), *c = &of->part[of->first[first]],
                      *d = &of->part[of->first[second]];
        if (processes != ns_site_node_size(of, second))
            return false;
        for (int32_t i = 0; i < processes; i++)
            if (of->socket_of[c[i]] != of->socket_of[d[i]])
                return false;
        for (int64_t i = 0; i < a.runs[NS_IN] && says->rule->takes != NULL; i++)
            if (says->rule->takes(of, a.run[NS_IN][i].owner, first) !=
                says->rule->takes(of, b.run[NS_IN][i].owner, second))
                return false;
        for (int64_t i = 0; i < a.runs[NS_OUT] && says->cap != NULL; i++)
            if (says->cap[a.run[NS_OUT][i].other] != says->cap[b.run[NS_OUT][i].other])
                return false;
        if (says->cap != NULL && says->cap[first] != says->cap[second])
            return false;
    }
    return true;
}

/* A key that is equal for nodes that are alike. */
static uint64_t key_of(const ns_by_node *by, int32_t node)
{
    const uint64_t spread = UINT64_C(0x9e3779b97f4a7c15); /* 2^64 over the golden ratio */
    const ns_node n = ns_by_node_at(by, node);
    const int64_t of[] = {n.routes, n.stays, n.runs[NS_IN], n.routes > 0 ? n.route->entries : 0};
    uint64_t key = 0;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        key = (key + (uint64_t)of[i]) * spread;
    return key >> 32;
}

/* ---- all nodes, over threads ------------------------------------------------------------------------------------- */

enum { BLOCKS = 16, KNOWN = 64 };       /* of a thread; nodes that others may equal */
#define SLICES_ALONE (INT64_C(1) << 18) /* slices to add up before one more thread is worth its start */

typedef struct visitor {
    ns_visit *visit;      /* [visits] */
    int32_t known[KNOWN]; /* nodes, plus 1, that others may be like */
} visitor;

typedef struct visiting {
    visitor *visitor; /* of each thread */
    int visits;
    int64_t blocks;
    atomic_llong finished; /* blocks */
    const ns_watcher *watcher;
} visiting;

/* An estimate of the number of slices that a visit adds up. */
static int64_t slices_about(const ns_visit *v, int64_t runs, int64_t routes)
{
    return v->says.steps > 1 ? 2 * (1 + v->variants) * runs : 2 * routes;
}

/* Not all nodes that others may be like are remembered. */
static ns_status visit_block(void *context, int64_t block, int worker, ns_error *err)
{
    visiting *all = context;
    visitor *of = &all->visitor[worker];
    const ns_by_node *by = of->visit->says.by_node;
    const int64_t nodes = by->exchange->nodes;
    const int32_t begin = (int32_t)(nodes * block / all->blocks), end = (int32_t)(nodes * (block + 1) / all->blocks);
    for (int32_t node = begin; node < end; node++) {
        int32_t *known = &of->known[key_of(by, node) % KNOWN];
        if (*known > 0 && are_alike(of->visit, all->visits, *known - 1, node))
            continue;
        *known = node + 1;
        const ns_node n = ns_by_node_at(by, node);
        for (ns_visit *v = of->visit; v < of->visit + all->visits; v++) {
            NS_TRY(ns_context_tick(1 + slices_about(v, n.runs[NS_OUT], n.routes), err));
            ns_visit_node(v, &n);
        }
    }
    const long long finished = 1 + atomic_fetch_add(&all->finished, 1);
    if (worker == 0 && all->watcher->tell != NULL)
        all->watcher->tell(all->watcher->context, (double)finished, (double)all->blocks);
    return NS_OK;
}

/* Merge what another thread found; among equally slow processes the one on the earlier node is kept. */
static void take_over(ns_visit *v, const ns_visit *other)
{
    const int32_t *node_of = v->says.task->processes->node_of, *local_of = v->says.task->processes->local_of;
    for (int k = 0; k < v->variants * NS_TIMES; k++) {
        ns_slowest *s = &v->variant[k / NS_TIMES].slowest[k % NS_TIMES];
        const ns_slowest *o = &other->variant[k / NS_TIMES].slowest[k % NS_TIMES];
        const int32_t a = o->process, b = s->process;
        const bool leaves = s->leaves || o->leaves;
        if (a >= 0 && (b < 0 || o->seconds > s->seconds ||
                       (o->seconds == s->seconds &&
                        (node_of[a] != node_of[b] ? node_of[a] < node_of[b] : local_of[a] < local_of[b]))))
            *s = *o;
        s->leaves = leaves;
    }
    for (int t = 0; t < NS_TRANSPORTS; t++)
        v->sums.lacks[t] |= other->sums.lacks[t];
    if (other->sums.messages_off_node_max > v->sums.messages_off_node_max)
        v->sums.messages_off_node_max = other->sums.messages_off_node_max;
}

#define TAKE(array, count)   ns_arena_take(&w->arena, (size_t)(count), sizeof *(array), (void **)&(array), err)
#define ZEROED(array, count) ns_arena_zeroed(&w->arena, (size_t)(count), sizeof *(array), (void **)&(array), err)

/* Prices do not depend on the number of threads. */
static ns_status visit_all(ns_workspace *w, ns_error *err)
{
    const int32_t nodes = w->exchange->nodes;
    int64_t slices = 0;
    visiting all = {.visits = w->visits, .watcher = &w->watcher};
    for (ns_visit *v = w->visit; v < w->visit + w->visits; v++) {
        NS_TRY(ns_visit_open(v, &w->arena, err));
        slices += slices_about(v, w->exchange->runs, w->exchange->routes);
        for (int32_t node = 0; node < nodes && v->cube > 0; node++) {
            const ns_node n = ns_by_node_at(&w->by_node, node);
            ns_visit_hops(v, &n);
        }
    }
    const int threads = w->threads > 0 ? ns_threads(w->threads) : slices < SLICES_ALONE ? 1 : ns_threads(0);
    all.blocks = threads == 1 && w->watcher.tell == NULL ? 1 : nodes < BLOCKS * threads ? nodes : BLOCKS * threads;
    NS_TRY(ZEROED(all.visitor, threads));
    for (int k = 0; k < threads; k++) {
        visitor *of = &all.visitor[k];
        of->visit = w->visit;
        if (k > 0) {
            NS_TRY(TAKE(of->visit, w->visits));
            memcpy(of->visit, w->visit, (size_t)w->visits * sizeof *w->visit);
        }
        for (ns_visit *v = of->visit; v < of->visit + w->visits; v++)
            NS_TRY(ns_visit_scratch(v, &w->arena, err));
    }
    NS_TRY(ns_parallel(all.blocks, threads, visit_block, &all, err));
    for (int k = 1; k < threads; k++)
        for (int i = 0; i < w->visits; i++)
            take_over(&w->visit[i], &all.visitor[k].visit[i]);
    return NS_OK;
}

/* ---- prices ------------------------------------------------------------------------------------------------------ */

/* Bits of the transports that a strategy is priced by. */
static unsigned transports_of(const ns_workspace *w, const ns_strategy *strategy)
{
    unsigned bits = 0;
    for (int t = 0; t < NS_TRANSPORTS; t++)
        if ((w->transports >> t & 1) != 0 && ns_strategy_runs(strategy, (ns_transport)t, w->machine))
            bits |= 1u << t;
    return bits;
}

/* The longest run of strategies at the head of the list that have the same rule, processes and transports shares a
 * visit, where one takes them; then all visits go over the nodes, and prices are made from what they found. */
static ns_status quote_list(ns_workspace *w, const ns_strategy *const *list, size_t count, ns_error *err)
{
    const int first = w->made;
    const double width = ns_price_width(w->options.confidence);
    bool pairs = false;
    w->visits = 0;
    for (size_t head = 0, together = 1; head < count; head += together) {
        const ns_strategy *of = list[head];
        const unsigned transports = transports_of(w, of);
        ns_visit *v = &w->visit[w->visits];
        int variants = 0;
        if (transports != 0 && w->visits < NS_VISITS && of->rule != NULL) {
            ns_task task;
            NS_TRY(ns_task_open(of, (ns_transport)__builtin_ctz(transports), w->exchange, w->machine, &w->arena, &task,
                                err));
            for (size_t i = head; i < count && variants < NS_VARIANTS; i++) {
                const ns_strategy *one = list[i];
                task.holders = ns_task_holders(one, &task);
                if (one->rule != of->rule || one->all_processes != of->all_processes ||
                    one->node_aware != of->node_aware || one->same_messages != of->same_messages ||
                    transports_of(w, one) != transports || !ns_visit_may(one, &task))
                    break;
                v->variant[variants].strategy = one;
                v->variant[variants++].task = task; /* on the same processes */
            }
            v->variants = variants;
            v->says.by_node = &w->by_node;
            v->says.rule = of->rule;
            v->sums.machine = w->machine;
            v->sums.form = w->form;
            for (int t = 0; t < NS_TRANSPORTS; t++)
                v->sums.values[t] =
                    (transports >> t & 1) != 0 ? &w->values[ns_transport_memory((ns_transport)t)] : NULL;
            pairs = pairs || of->rule->deal != NULL || of->rule->takes != NULL;
        }
        together = variants > 0 ? (size_t)variants : 1;
        w->visits += variants > 0;
        for (size_t k = 0; k < together * NS_TRANSPORTS; k++) {
            const size_t i = k / NS_TRANSPORTS, t = k % NS_TRANSPORTS;
            if ((transports >> t & 1) == 0)
                continue;
            if (w->made == NS_CHOICES)
                return ns_fail(err, NS_ERR_LIMIT, "more than %d strategies", (int)NS_CHOICES);
            w->from[w->made].visit = variants > 0 ? v : NULL;
            w->from[w->made].variant = (int)i;
            w->quote[w->made].strategy = list[head + i];
            w->quote[w->made++].transport = (ns_transport)t;
        }
    }
    if (w->visits > 0) {
        NS_TRY(ns_by_node_make(&w->by_node, true, pairs, &w->arena, err));
        NS_TRY(visit_all(w, err));
    }
    for (int i = first; i < w->made; i++) {
        const ns_visit *v = w->from[i].visit;
        ns_choice *quote = &w->quote[i];
        if (v != NULL) {
            quote->messages_off_node_max = v->sums.messages_off_node_max;
            NS_TRY(ns_visit_price(v, &v->variant[w->from[i].variant], quote->transport, width, &quote->price, err));
            continue;
        }
        NS_OWN(ns_schedule_free) ns_schedule *schedule = NULL;
        ns_price_options options = w->options;
        options.form = w->form;
        options.without = w->without;
        NS_TRY(ns_schedule_build(quote->strategy, quote->transport, w->exchange, w->machine, &schedule, err));
        quote->messages_off_node_max = ns_schedule_messages_off_node_max(schedule);
        NS_TRY(ns_schedule_price_as(schedule, w->machine, &options, &quote->price, err));
    }
    return NS_OK;
}

/* ---- which cost model -------------------------------------------------------------------------------------------- */

bool ns_exchange_is_dense(const ns_exchange *exchange)
{
    const double others = (double)exchange->parts - 1;
    return exchange->nodes > 1 && exchange->per_node > 1 && 2 * (double)exchange->routes >= others * (others + 1);
}

/* Where the eager messages of the largest number of pairs take less than twice the time of one pair's, the start-ups
 * and bytes of a dense exchange overlap, unless the machine's own exchanges show how long they take. */
const ns_form *ns_form_of_dense(const ns_machine *machine)
{
    static const double slowed = 2;
    const ns_parameter *eager = ns_machine_parameter(machine, "host.injection.eager.slowdown");
    const ns_form *direct = NULL;
    if (machine->gpus == 0 && eager != NULL && eager->value < slowed &&
        ns_machine_parameter(machine, "host.exchange.model_error.time") == NULL)
        (void)ns_form_get("direct", &direct, NULL);
    return direct != NULL ? direct : ns_form_of(machine, NULL);
}

static void take_form(ns_workspace *w, const ns_form *form, unsigned without)
{
    w->form = form;
    w->without = without;
    for (int m = 0; m < NS_MEMORIES; m++)
        ns_form_take(form, w->machine, (ns_memory)m, without, &w->values[m]);
}

/* Price a way that has its own forms: by each transport the fastest of them; where the caller selected one form, in
 * that form. */
static ns_status quote_in_forms(ns_workspace *w, const ns_strategy *way, ns_error *err)
{
    const ns_form *own = w->form;
    const unsigned own_without = w->without;
    const int first = w->made;
    for (int f = 0; way->forms[f] != NULL && (f == 0 || w->options.form == NULL); f++) {
        const int from = w->made;
        const char *name = w->options.form == NULL ? way->forms[f] : "";
        const ns_form *form = own;
        unsigned without = own_without;
        /* Where start-ups delay each other, according to the exchange's own form, that form is also used for one
         * partner at a time. */
        if (*name != '\0' && (strcmp(name, "pairwise") != 0 || strcmp(own->name, "direct") == 0))
            NS_TRY(ns_form_get(name, &form, err));
        for (int part = 0; form->parts != NULL && form->parts[part].name != NULL; part++)
            if (strcmp(form->parts[part].name, "stall") == 0) /* a way with few messages in flight does not stall */
                without |= 1u << part;
        take_form(w, form, without);
        NS_TRY(quote_list(w, &way, 1, err));
        for (int i = from; i < w->made && f > 0; i++) {
            ns_choice *kept = &w->quote[first + i - from];
            const ns_form_values *of = &w->values[ns_transport_memory(kept->transport)];
            double messages = 0, bytes = 0;
            for (int k = 0; k < NS_LOCALITIES * NS_PROTOCOLS; k++) {
                const ns_class_load *one = &kept->price.step[0].load[k / NS_PROTOCOLS][k % NS_PROTOCOLS];
                messages += one->messages;
                bytes += one->bytes;
            }
            /* In a dense exchange of at least eight processes, messages whose mean size is small are sent by a single
             * form. */
            const bool alone = form->alone_to > 0 && ns_exchange_is_dense(w->exchange) && messages >= 8 - 1 &&
                               bytes <= of->value[of->first[form->alone_to - 1]] * messages;
            if (alone || w->quote[i].price.estimate_s < kept->price.estimate_s)
                *kept = w->quote[i];
        }
        w->made = f > 0 ? from : w->made;
    }
    take_form(w, own, own_without);
    return NS_OK;
}

/* ---- all strategies ---------------------------------------------------------------------------------------------- */

ns_status ns_quote(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                   ns_workspace *w, int *quotes, ns_error *err)
{
    ns_error_clear(err);
    NS_TRY(ns_price_options_take(selection != NULL ? &selection->price : NULL, &w->options, err));
    ns_arena_reset(&w->arena);
    w->exchange = exchange;
    w->machine = machine;
    w->transports = ns_transports_of(exchange, machine, selection);
    w->by_node = (ns_by_node){.exchange = exchange};
    w->made = w->quotes = 0;
    take_form(w,
              w->options.form == NULL && ns_exchange_is_dense(exchange) ? ns_form_of_dense(machine)
                                                                        : ns_form_of(machine, w->options.form),
              w->options.without);
    const ns_strategy *list[NS_CHOICES];
    const size_t count = selection != NULL && selection->strategy != NULL
                             ? ns_strategies_sort(selection->strategy, selection->strategies, list, NS_CHOICES)
                             : ns_strategies_by_rank(list, NS_CHOICES);
    for (size_t i = 0, end; i < count; i = end) { /* those with their own forms are priced one by one */
        for (end = i; end < count && list[end]->forms == NULL;)
            end++;
        if (end > i)
            NS_TRY(quote_list(w, &list[i], end - i, err));
        else
            NS_TRY(quote_in_forms(w, list[end++], err));
    }
    if (w->made > 0) {
        *quotes = w->quotes = w->made;
        return NS_OK;
    }
    return runs_by(machine, NS_VIA_HOST) || runs_by(machine, NS_VIA_DEVICE)
               ? ns_fail(err, NS_ERR_DATA, "machine %s runs none of the strategies and transports asked for",
                         machine->name)
               : ns_fail_for(err, NS_ERR_DATA, NS_REMEDY_CHECK, ns_machine_handle(machine),
                             "machine %s has no table of messages, host or device, that a strategy could be priced "
                             "with",
                             machine->name);
}
