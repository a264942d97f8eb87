/* visit.c -- from what the processes of a node send and receive to the slowest process
 *
 * A rule emits the messages of a process in the order of the other node, so that the messages to each node are
 * consecutive.  Inside a node, slices go from the holders of a part's data to processes, or from processes to holders:
 * slices between the same two are entries of one cell, and become one message.
 */
#include "price/visit.h"

#include "core/context.h"

#include <math.h>
#include <string.h>

/* ---- adding messages --------------------------------------------------------------------------------------------- */

static inline int class_of(const ns_classes *classes, ns_locality locality, int64_t bytes)
{
    enum { FEW = 4 };
    const int64_t *from = classes->from[locality];
    int range = (bytes >= from[1]) + (bytes >= from[2]) + (bytes >= from[3]);
    for (int i = FEW; i < classes->ranges[locality]; i++)
        range += bytes >= from[i];
    return NS_SIZES * (int)locality + range;
}

static inline void row_add(ns_row *row, int class, int64_t bytes)
{
    const int64_t had = -(int64_t)(row->set >> class & 1); /* a mask: all bits, or none */
    row->set |= 1u << class;
    row->sum[class].messages = (row->sum[class].messages & had) + 1;
    row->sum[class].bytes = (row->sum[class].bytes & had) + bytes;
}

/* Add a message of a process to another node; the caller knows whether it is the first to that node. */
NS_COMPILED void add_between(const ns_sums *s, int side, int32_t local, int64_t bytes, bool first)
{
    ns_row *row = &s->row[local][side];
    row_add(row, class_of(&s->classes, NS_OFF_NODE, bytes), bytes);
    row->partners += first;
}

/* The same, for messages that come in the order of the other node. */
NS_COMPILED void add_in_order(const ns_sums *s, int side, int32_t local, int64_t bytes, int32_t other)
{
    ns_row *row = &s->row[local][side];
    const bool first = row->last != other + 1;
    row->last = other + 1;
    add_between(s, side, local, bytes, first);
}

/* The same, for messages in any order of nodes but process by process, each process with its own stamp. */
NS_COMPILED void add_stamped(const ns_sums *s, int side, int32_t local, int64_t bytes, int32_t other, int64_t stamp)
{
    const bool first = s->met[other] != stamp;
    s->met[other] = stamp;
    add_between(s, side, local, bytes, first);
}

NS_COMPILED void add_within(const ns_sums *s, int32_t from, int32_t to, int64_t bytes)
{
    const bool one_socket = s->socket_of[s->process[from]] == s->socket_of[s->process[to]];
    const int class = class_of(&s->classes, one_socket ? NS_ON_SOCKET : NS_ON_NODE, bytes);
    row_add(&s->row[from][NS_OUT], class, bytes);
    row_add(&s->row[to][NS_IN], class, bytes);
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static void open_sums(ns_sums *s)
{
    ns_classes *classes = &s->classes;
    unsigned memories = 0; /* bits 1 << ns_memory */
    for (int t = 0; t < NS_TRANSPORTS; t++) {
        memories |= (unsigned)(s->values[t] != NULL) << ns_transport_memory((ns_transport)t);
        s->bounded[t] = s->values[t] != NULL && s->form->rising; /* if its parameters are not negative */
        for (int i = 0; s->bounded[t] && i < s->values[t]->slots; i++)
            s->bounded[t] = s->values[t]->value[i] >= 0;
    }
    for (int l = 0; l < NS_LOCALITIES; l++) {
        const ns_locality line = s->form->one_table ? NS_OFF_NODE : (ns_locality)l;
        int64_t *from = classes->from[l]; /* each size once, ascending; messages have at least one byte */
        int ranges = 1;
        from[0] = 1;
        for (int k = 0; k < NS_MEMORIES * NS_PROTOCOLS; k++) {
            const ns_line *of = &s->machine->line[k / NS_PROTOCOLS][line][k % NS_PROTOCOLS];
            int at = ranges;
            if ((memories >> k / NS_PROTOCOLS & 1) == 0 || !of->given || !(of->from > 1))
                continue;
            const int64_t size = of->from < 0x1p63 ? (int64_t)ceil(of->from) : INT64_MAX;
            while (from[at - 1] > size)
                at--;
            if (from[at - 1] == size)
                continue;
            memmove(from + at + 1, from + at, (size_t)(ranges - at) * sizeof *from);
            from[at] = size;
            ranges++;
        }
        classes->ranges[l] = ranges;
        for (int i = ranges; i < NS_SIZES; i++)
            from[i] = INT64_MAX;
        for (int k = 0; k < NS_MEMORIES * ranges; k++) {
            const int m = k / ranges, i = k % ranges;
            ns_protocol protocol = NS_SHORT;
            const bool given = ns_machine_line(s->machine, (ns_memory)m, line, (double)from[i], &protocol) != NULL;
            classes->slot[m][NS_SIZES * l + i] = (int16_t)(given ? NS_PROTOCOLS * l + (int)protocol : -1);
        }
    }
    memset(s->lacks, 0, sizeof s->lacks);
    s->messages_off_node_max = 0;
}

#define TAKE(array, count)   ns_arena_take(arena, (size_t)(count), sizeof *(array), (void **)&(array), err)
#define ZEROED(array, count) ns_arena_zeroed(arena, (size_t)(count), sizeof *(array), (void **)&(array), err)

static void go_to(ns_sums *s, const ns_site *processes, int32_t node)
{
    s->size = ns_site_node_size(processes, node);
    s->process = &processes->part[processes->first[node]];
    s->socket_of = processes->socket_of;
}

/* ---- the slowest process of a step ------------------------------------------------------------------------------- *
 *
 * A load with the largest sums of a node's processes is priced first: in a cost model that is monotonic none of them
 * takes longer, so that they are priced only where that bound exceeds the slowest process so far.
 */

void ns_slowest_forget(ns_slowest *slowest, int steps)
{
    for (ns_slowest *s = slowest; s < slowest + steps * NS_SLOWEST; s++) {
        s->process = -1;
        s->seconds = s->enough = s->bound = -1;
        s->leaves = false;
    }
}

static inline int32_t partners_of(const ns_row row[NS_SIDES])
{
    return row[NS_OUT].partners > row[NS_IN].partners ? row[NS_OUT].partners : row[NS_IN].partners;
}

/* The time of a process that has to send and receive what is in its rows; the rest of the load is already filled in,
 * and its idle classes are empty. */
static double price_rows(ns_sums *s, ns_transport transport, bool packs, const ns_row row[NS_SIDES], ns_load *load,
                         ns_step_price *one)
{
    const int16_t *slot_of = s->classes.slot[ns_transport_memory(transport)];
    double sum[NS_SIDES] = {0, 0}; /* messages */
    unsigned filled = 0;
    for (uint32_t bits = ~load->idle & ((1u << NS_LOCALITIES * NS_PROTOCOLS) - 1); bits != 0; bits &= bits - 1)
        load->out[0][__builtin_ctz(bits)] = load->in[0][__builtin_ctz(bits)] = (ns_class_load){0, 0};
    for (int side = 0; side < NS_SIDES; side++) {
        ns_class_load *to = side == NS_OUT ? load->out[0] : load->in[0];
        for (uint32_t bits = row[side].set; bits != 0; bits &= bits - 1) {
            const int class = __builtin_ctz(bits), slot = slot_of[class];
            if (slot < 0) {
                s->lacks[transport] |= (uint8_t)(1 << class / NS_SIZES);
                continue;
            }
            filled |= 1u << slot;
            sum[side] += (double)row[side].sum[class].messages;
            to[slot].messages += (double)row[side].sum[class].messages;
            to[slot].bytes += (double)row[side].sum[class].bytes;
        }
    }
    load->out_squares = sum[NS_OUT] * sum[NS_OUT];
    load->in_squares = sum[NS_IN] * sum[NS_IN];
    load->partners = partners_of(row);
    load->idle = ~filled;
    ns_load_complete(packs, load);
    memset(one->term, 0, sizeof one->term);
    one->bytes_s = one->waits_s = 0;
    s->form->price(s->values[transport], load, false, one);
    return ns_step_price_seconds(one);
}

/* For each transport and maximum, compare the processes of a node with the slowest process of a step so far, and empty
 * their rows. */
static void price_step(ns_sums *s, const ns_strategy *strategy, int step, double link_bytes, ns_slowest *slowest)
{
    static const double slack = 1 + 0x1p-40; /* rounding of the cost model's own functions */
    enum { OFF_NODE = NS_SIZES * NS_OFF_NODE, BOUND = -1 };
    /* Data sent off node are gathered into messages and taken out of them; otherwise each message is sent directly from
     * its sender's buffer. */
    const bool packs = strategy->node_aware || strategy->grid != NULL;
    ns_row most[NS_SIDES] = {{0}};
    int64_t bytes[NS_SIDES][NS_CLASSES] = {{0}}, node[NS_SIDES] = {0, 0};
    for (int side = 0; side < NS_SIDES; side++)
        for (int32_t i = 0; i < s->size; i++) {
            const ns_row *row = &s->row[i][side];
            most[side].set |= row->set;
            for (uint32_t bits = row->set; bits != 0; bits &= bits - 1) {
                const int class = __builtin_ctz(bits);
                if (row->sum[class].messages > most[side].sum[class].messages)
                    most[side].sum[class].messages = row->sum[class].messages;
                if (row->sum[class].bytes > most[side].sum[class].bytes)
                    most[side].sum[class].bytes = row->sum[class].bytes;
                bytes[side][class] += row->sum[class].bytes;
            }
        }
    for (int32_t i = 0; i < s->size && (most[NS_OUT].set | most[NS_IN].set) >> OFF_NODE != 0; i++) {
        const int32_t partners = partners_of(s->row[i]);
        int64_t sent = 0;
        if (partners > 0 && (most->partners == 0 || partners < most->partners))
            most->partners = partners; /* the smallest count among processes that have any */
        for (uint32_t bits = s->row[i][NS_OUT].set >> OFF_NODE; bits != 0; bits &= bits - 1)
            sent += s->row[i][NS_OUT].sum[OFF_NODE + __builtin_ctz(bits)].messages;
        s->messages_off_node_max = sent > s->messages_off_node_max ? sent : s->messages_off_node_max;
    }
    for (int class = OFF_NODE; class < NS_CLASSES; class++) {
        node[NS_OUT] += bytes[NS_OUT][class];
        node[NS_IN] += bytes[NS_IN][class];
    }
    for (int t = 0; t < NS_TRANSPORTS && (most[NS_OUT].set | most[NS_IN].set) != 0; t++) {
        if (s->values[t] == NULL)
            continue;
        const int16_t *slot_of = s->classes.slot[ns_transport_memory((ns_transport)t)];
        const int maxima = s->values[t]->hides ? NS_MAXIMA : 1;
        ns_slowest *of = &slowest[ns_slowest_at(step, t, 0)];
        ns_load load = {.node_out = (double)node[NS_OUT],
                        .node_in = (double)node[NS_IN],
                        .alone = s->size == 1,
                        .link_bytes = link_bytes,
                        .first = step == 0,
                        .later = step > 0,
                        .idle = ~0u};
        ns_step_price one;
        double *node_on = load.node_on[0]; /* by slot */
        bool any = !s->bounded[t];
        for (int class = 0; class < OFF_NODE; class++)
            if (bytes[NS_OUT][class] > 0 && slot_of[class] >= 0)
                node_on[slot_of[class]] += (double)bytes[NS_OUT][class];
        one.leaves = of->leaves;
        for (int32_t i = s->bounded[t] ? BOUND : 0; i < s->size && (i == BOUND || any); i++) {
            const ns_row *row = i == BOUND ? most : s->row[i];
            if ((row[NS_OUT].set | row[NS_IN].set) == 0)
                continue;
            const double all = price_rows(s, (ns_transport)t, packs, row, &load, &one);
            for (int k = 0; k < maxima; k++) {
                const double seconds = k == NS_BY_TIME ? all : one.waits_s;
                if (i == BOUND) {
                    of[k].bound = seconds * slack;
                    any = any || (of[k].bound > of[k].seconds && of[k].bound > of[k].enough);
                    continue;
                }
                if (seconds <= of[k].seconds || (s->bounded[t] && of[k].bound <= of[k].enough))
                    continue;
                of[k].seconds = seconds;
                of[k].bytes_s = one.bytes_s;
                of[k].waits_s = one.waits_s;
                memcpy(of[k].term, one.term, sizeof one.term);
                of[k].process = s->process[i];
                of[k].load = load;
            }
        }
        for (int k = 0; k < maxima; k++)
            of[k].leaves = one.leaves;
    }
    for (int32_t i = 0; i < s->size; i++)
        for (ns_row *row = s->row[i]; row < s->row[i] + NS_SIDES; row++) {
            row->set = 0;
            row->partners = row->last = 0;
        }
}

/* ---- prices ------------------------------------------------------------------------------------------------------ */

ns_status ns_sums_lack(const ns_sums *s, ns_transport transport, ns_error *err)
{
    if (s->lacks[transport] == 0)
        return NS_OK;
    return ns_refuse_no_table(s->machine, ns_transport_memory(transport),
                              s->form->one_table ? NS_OFF_NODE : (ns_locality)__builtin_ctz(s->lacks[transport]), err);
}

static ns_status close_price(const ns_sums *s, ns_transport transport, int steps, const ns_slowest *slowest,
                             const ns_copying *copying, double confidence, ns_price *price, ns_error *err)
{
    const ns_form_values *values = s->values[transport];
    ns_step_price waiting[NS_STEPS];
    NS_TRY(ns_sums_lack(s, transport, err));
    memset(price, 0, sizeof *price);
    price->steps = steps;
    if (values->hides)
        memset(waiting, 0, (size_t)steps * sizeof *waiting);
    for (int i = 0; i < steps; i++)
        for (int k = 0; k < (values->hides ? NS_MAXIMA : 1); k++) {
            const ns_slowest *one = &slowest[ns_slowest_at(i, (int)transport, k)];
            ns_step_price *step = k == NS_BY_TIME ? &price->step[i] : &waiting[i];
            step->process = one->process;
            if (one->process < 0)
                continue;
            values->form->price(values, &one->load, true, step);
            step->leaves = one->leaves;
            ns_note_sizes(&one->load, step);
        }
    return ns_price_close(values, copying, confidence, values->hides ? waiting : NULL, price, err);
}

bool ns_visit_may(const ns_strategy *strategy, const ns_task *task)
{
    enum { SMALL = 1 << 17, TIMES = 4 };
    const ns_rule *rule = strategy->rule;
    const int64_t cells = SMALL + TIMES * (task->exchange->runs + task->exchange->routes);
    return rule != NULL && strategy->group == 0 && strategy->same_messages && task->exchange->runs < INT32_MAX &&
           (rule->deal != NULL || (task->holders == 1 && !strategy->all_processes)) &&
           ns_task_slots(task) <= cells / ns_site_node_most(task->processes);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

ns_status ns_visit_scratch(ns_visit *v, ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = v->says.by_node->exchange;
    const int32_t size = ns_site_node_most(v->says.task->processes);
    struct ns_cells *c = &v->cells;
    v->link_bytes = v->cube > 0 ? ns_link_bytes(&v->hop_bytes, x->nodes) : 0;
    c->count = 0;
    c->slots = 1;
    for (int i = 0; i < v->variants; i++) {
        const int64_t slots = ns_task_slots(&v->variant[i].task);
        c->slots = slots > c->slots ? slots : c->slots;
        ns_slowest_forget(v->variant[i].slowest, NS_RULE_STEPS);
    }
    NS_TRY(ZEROED(v->sums.row, size));
    NS_TRY(ZEROED(v->sums.met, x->nodes));
    if (v->says.steps == 1)
        return NS_OK;
    NS_TRY(ns_statement_scratch(&v->says, c->slots, arena, err));
    NS_TRY(TAKE(v->taker, x->parts));
    NS_TRY(ZEROED(c->entries, c->slots * size));
    return TAKE(c->used, c->slots * size + 1);
}

ns_status ns_visit_open(ns_visit *v, ns_arena *arena, ns_error *err)
{
    NS_TRY(ns_context_ask(err));
    open_sums(&v->sums);
    v->cube = v->sums.form->needs_hops ? ns_cube_side(v->says.by_node->exchange->nodes) : 0;
    v->hop_bytes = (ns_hop_bytes){0, 0, 0};
    v->says.task = &v->variant[0].task;
    v->by_run = v->says.rule->cap != NULL;
    for (int i = 0; i < v->variants; i++)
        v->by_run = v->by_run || v->variant[i].task.holders > 1;
    return ns_statement_open(&v->says, arena, err);
}

void ns_visit_hops(ns_visit *v, const ns_node *n)
{
    const bool once = v->says.steps > 1; /* for each node */
    const ns_strand *strand = once ? n->strand[NS_OUT] : n->route,
                    *end = strand + (once ? n->strands[NS_OUT] : n->routes);
    for (; strand < end && v->cube > 0; strand++)
        ns_hop_bytes_add(&v->hop_bytes, v->cube, n->node, strand->other,
                         strand->entries * v->says.by_node->exchange->width);
}

/* ---- inside the node --------------------------------------------------------------------------------------------- */

/* A statement's callback for a cell. */
static inline void add_cell(void *sink, int32_t slot, int32_t process, int64_t entries, const ns_slice *slice,
                            int64_t chunk)
{
    (void)slice, (void)chunk;
    struct ns_cells *c = sink;
    int64_t *cell = &c->entries[process * c->slots + slot];
    const int64_t before = *cell;
    c->used[c->count] = (uint64_t)(uint32_t)slot << 32 | (uint32_t)process;
    c->count += before == 0;
    *cell = before + entries;
}

/* Turn cells into messages; a process sends nothing to itself. */
static void add_cells(ns_visit *v, struct ns_cells c, bool from_holder)
{
    const int64_t width = v->says.by_node->exchange->width;
    for (const uint64_t *used = c.used; used < c.used + c.count; used++) {
        const int32_t slot = (int32_t)(*used >> 32), holder = v->says.slot[slot], other = (int32_t)*used;
        int64_t *cell = &c.entries[other * c.slots + slot];
        const int64_t bytes = *cell * width;
        *cell = 0;
        if (holder != other)
            add_within(&v->sums, from_holder ? holder : other, from_holder ? other : holder, bytes);
    }
}

/* Add what is gathered and scattered inside the node; a rule that does not deal gathers nothing. */
static void gather_and_scatter(ns_visit *v, ns_variant *variant)
{
    const ns_by_node *by = v->says.by_node;
    const ns_site *site = by->exchange->site;
    const int32_t holders = variant->task.holders, node = v->says.of.node, *part = &site->part[site->first[node]];
    struct ns_cells c = v->cells;
    ns_statement_hold(&v->says, &variant->task);
    if (v->says.rule->deal != NULL) {
        ns_name_gather(&v->says, holders, add_cell, &c);
        add_cells(v, c, true);
        price_step(&v->sums, variant->strategy, 0, 0, variant->slowest);
        c.count = 0;
    }
    if (v->by_run)
        ns_name_scatter(&v->says, true, holders, add_cell, &c);
    /* For whole pairs, and parts with one holder, the order of entries is irrelevant: their routes are sufficient. */
    for (int32_t i = 0; i < ns_site_node_size(site, node) && !v->by_run; i++) {
        const ns_route *end = &by->exchange->route[by->received[part[i] + 1]];
        for (const ns_route *route = &by->exchange->route[by->received[part[i]]]; route < end; route++)
            if (site->node_of[route->from] != node)
                add_cell(&c, i, v->taker[route->from], route->entries, NULL, -1);
    }
    add_cells(v, c, false);
    price_step(&v->sums, variant->strategy, v->says.exchange_step + 1, 0, variant->slowest);
}

/* ---- a node ------------------------------------------------------------------------------------------------------ */

void ns_visit_node(ns_visit *v, const ns_node *n)
{
    const ns_task *task = v->says.task;
    const ns_rule *rule = v->says.rule;
    const ns_by_node *by = v->says.by_node;
    const ns_exchange *x = by->exchange;
    const int64_t width = x->width;
    ns_sums *s = &v->sums;
    ns_statement_at(&v->says, n);
    go_to(s, task->processes, n->node);
    for (int side = 0; side < NS_SIDES; side++) {
        const ns_chunks *c = &v->says.chunks[side];
        const bool one_by_one = rule->takes == NULL; /* each route is a message, rather than each strand */
        if (side == NS_IN && (rule->takes != NULL || (rule->deal != NULL && !v->by_run))) {
            /* Which process takes what each part of another node has for this one: for whole pairs, the process of the
             * pair. */
            int64_t pair = 0;
            for (const ns_strand *in = n->strand[NS_IN], *end = in + n->strands[NS_IN]; in < end; in++) {
                pair += n->other[NS_IN][pair] != in->other;
                v->taker[in->owner] =
                    rule->takes != NULL ? rule->takes(task->processes, in->owner, n->node) : c->local[pair];
            }
        }
        if (rule->deal != NULL)
            for (int64_t i = 0; i < c->count; i++)
                add_in_order(s, side, c->local[i], c->entries[i] * width, c->other[i]);
        else if (side == NS_OUT || !one_by_one) {
            const ns_strand *strand = one_by_one ? n->route : n->strand[side],
                            *end = strand + (one_by_one ? n->routes : n->strands[side]);
            for (; strand < end; strand++)
                add_in_order(s, side, side == NS_IN ? v->taker[strand->owner] : strand->owner, strand->entries * width,
                             strand->other);
        } else
            for (int32_t i = 0; i < s->size; i++) {
                const ns_route *route = &x->route[by->received[s->process[i]]],
                               *end = &x->route[by->received[s->process[i] + 1]];
                for (const int64_t stamp = ++s->stamp; route < end; route++) {
                    const int32_t other = x->site->node_of[route->from];
                    if (other != n->node)
                        add_stamped(s, side, i, route->entries * width, other, stamp);
                }
            }
    }
    if (rule->deal == NULL) { /* otherwise what stays in the node is gathered with the rest */
        const int32_t *local_of = task->processes->local_of;
        for (const ns_route *route = n->stay; route < n->stay + n->stays; route++)
            add_within(s, local_of[task->home[route->from]], local_of[task->home[route->to]], route->entries * width);
    }
    price_step(s, v->variant[0].strategy, v->says.exchange_step, v->link_bytes, v->variant[0].slowest);
    for (int i = 0; i < v->variants && v->says.steps > 1; i++)
        gather_and_scatter(v, &v->variant[i]);
}

/* ---- prices ------------------------------------------------------------------------------------------------------ */

/* Each holder copies a share of what each part sends, and of what it needs.  Shares differ by one entry at most. */
ns_copying ns_visit_copying(const ns_visit *v, const ns_variant *variant, ns_transport transport)
{
    const ns_by_node *b = v->says.by_node;
    const int32_t holders = variant->task.holders;
    ns_copying of = {.strategy = variant->strategy,
                     .machine = v->sums.machine,
                     .holders = holders,
                     .staged = transport == NS_VIA_HOST && v->sums.machine->gpus > 0};
    for (int d = 0; d < NS_DIRECTIONS && of.staged; d++) {
        const int64_t *entries = d != NS_D2H ? b->exchange->need : v->says.steps > 1 ? b->sent : b->routed;
        int64_t most = 0, least = INT64_MAX;
        for (int32_t p = 0; p < b->exchange->parts; p++) {
            const int64_t share = entries[p] < holders ? entries[p] > 0 : entries[p] / holders; /* the smallest */
            of.copies[d] += entries[p] < holders ? entries[p] : holders;
            most = entries[p] > most ? entries[p] : most;
            least = share > 0 && share < least ? share : least;
        }
        of.copy_bytes[d] = (most / holders + (most % holders > 0)) * b->exchange->width;
        of.copy_least[d] = most > 0 ? least * b->exchange->width : 0;
    }
    return of;
}

ns_status ns_visit_price(const ns_visit *v, const ns_variant *variant, ns_transport transport, double confidence,
                         ns_price *price, ns_error *err)
{
    const ns_copying copying = ns_visit_copying(v, variant, transport);
    const int exchange = ns_slowest_at(v->says.exchange_step, 0, 0); /* this step is the same for all variants */
    ns_slowest slowest[NS_TIMES];
    memcpy(slowest, variant->slowest, sizeof slowest);
    memcpy(&slowest[exchange], &v->variant[0].slowest[exchange], NS_SLOWEST * sizeof *slowest);
    return close_price(&v->sums, transport, v->says.steps, slowest, &copying, confidence, price, err);
}

/* ---- a schedule, whose messages are added up node by node -------------------------------------------------------- */

static ns_status add_up(const ns_schedule *s, ns_sums *sums, ns_arena *arena, ns_slowest *slowest, ns_error *err)
{
    const ns_site *site = s->site;
    const int32_t *node_of = site->node_of, cube = sums->form->needs_hops ? ns_cube_side(s->nodes) : 0;
    open_sums(sums);
    NS_TRY(ZEROED(sums->row, s->ppn));
    NS_TRY(ZEROED(sums->met, s->nodes));
    ns_slowest_forget(slowest, s->steps);
    for (int i = 0; i < s->steps; i++) {
        const ns_step *step = &s->step[i];
        ns_hop_bytes hops = {0, 0, 0};
        for (const ns_message *m = step->message; m < step->message + step->messages && cube > 0; m++)
            if (node_of[m->from] != node_of[m->to])
                ns_hop_bytes_add(&hops, cube, node_of[m->from], node_of[m->to], m->bytes);
        for (int32_t node = 0; node < s->nodes; node++) {
            go_to(sums, site, node);
            for (int k = 0; k < NS_SIDES * sums->size; k++) {
                const int side = k % NS_SIDES;
                const int32_t local = k / NS_SIDES;
                const int64_t *range = (side == NS_OUT ? step->sent : step->received) + sums->process[local];
                const int64_t stamp = ++sums->stamp;
                NS_TRY(ns_context_tick(1 + range[1] - range[0], err));
                for (int64_t at = range[0]; at < range[1]; at++) {
                    const ns_message *m = &step->message[side == NS_OUT ? at : step->by_receiver[at]];
                    const int32_t other = node_of[side == NS_OUT ? m->to : m->from];
                    if (other != node)
                        add_stamped(sums, side, local, m->bytes, other, stamp);
                    else if (side == NS_OUT)
                        add_within(sums, local, site->local_of[m->to], m->bytes);
                }
            }
            price_step(sums, s->strategy, i, ns_link_bytes(&hops, s->nodes), slowest);
        }
        NS_TRY(ns_sums_lack(sums, s->transport, err));
    }
    return NS_OK;
}

ns_status ns_schedule_price_as(const ns_schedule *s, const ns_machine *machine, const ns_price_options *options,
                               ns_price *price, ns_error *err)
{
    ns_price_options given;
    ns_form_values values;
    NS_TRY(ns_price_options_take(options, &given, err));
    const ns_form *form = ns_form_of(machine, given.form);
    ns_sums sums = {.machine = machine, .form = form};
    ns_arena arena = {0};
    ns_copying copying = {.strategy = s->strategy, .machine = machine, .holders = s->holders, .staged = s->staged};
    ns_slowest slowest[NS_STEPS * NS_SLOWEST];
    ns_form_take(form, machine, ns_transport_memory(s->transport), given.without, &values);
    sums.values[s->transport] = &values;
    const ns_status status = add_up(s, &sums, &arena, slowest, err);
    ns_arena_free(&arena);
    NS_TRY(status);
    for (int d = 0; d < NS_DIRECTIONS; d++) {
        copying.copies[d] = s->copies[d];
        for (int64_t i = 0; i < s->copies[d]; i++) {
            const int64_t bytes = s->copy[d][i].bytes;
            copying.copy_bytes[d] = bytes > copying.copy_bytes[d] ? bytes : copying.copy_bytes[d];
            copying.copy_least[d] = i == 0 || bytes < copying.copy_least[d] ? bytes : copying.copy_least[d];
        }
    }
    return close_price(&sums, s->transport, s->steps, slowest, &copying, given.confidence, price, err);
}
