/* visit.c -- from what the processes of a node send and receive to the slowest process
 *
 * A rule emits the messages of a process in the order of the other node, so that the messages to each node are
 * consecutive.  Inside a node, slices go from the holders of a part's data to processes, or from processes to holders:
 * slices between the same two are entries of one cell, and become one message.
 */
#include "price/visit.h"

#include "core/context.h"
#include "core/own.h"

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

static inline void add(const ns_sums *s, int side, int32_t local, int class, int64_t bytes)
{
    ns_sum *sum = &s->sum[side][class * s->places + local];
    s->row[local][side].set |= 1u << class;
    sum->messages++;
    sum->bytes += bytes;
}

/* Add a message of a process to another node; the caller knows whether it is the first to that node. */
NS_COMPILED void add_between(const ns_sums *s, int side, int32_t local, int64_t bytes, bool first)
{
    add(s, side, local, class_of(&s->classes, NS_OFF_NODE, bytes), bytes);
    s->row[local][side].partners += first;
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
    add(s, NS_OUT, from, class, bytes);
    add(s, NS_IN, to, class, bytes);
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
    memset(&s->load, 0, sizeof s->load);
    s->messages_off_node_max = 0;
}

#define TAKE(array, count)   ns_arena_take(arena, (size_t)(count), sizeof *(array), (void **)&(array), err)
#define ZEROED(array, count) ns_arena_zeroed(arena, (size_t)(count), sizeof *(array), (void **)&(array), err)

/* Memory for nodes of at most `size` processes. */
static ns_status take_sums(ns_sums *s, int32_t size, int32_t nodes, ns_arena *arena, ns_error *err)
{
    s->places = size + INT64_C(2);
    NS_TRY(ZEROED(s->row, s->places));
    NS_TRY(TAKE(s->busy, s->places));
    NS_TRY(ZEROED(s->sum[NS_OUT], NS_CLASSES * s->places));
    NS_TRY(ZEROED(s->sum[NS_IN], NS_CLASSES * s->places));
    return ZEROED(s->met, nodes);
}

static void go_to(ns_sums *s, const ns_site *processes, int32_t node)
{
    s->size = ns_site_node_size(processes, node);
    s->process = &processes->part[processes->first[node]];
    s->socket_of = processes->socket_of;
}

/* ---- the slowest process of a step ------------------------------------------------------------------------------- *
 *
 * A load with the largest sums of a node's processes is priced first: in a cost model that is monotonic none of them
 * takes longer, so that they are priced only where that bound exceeds the slowest process so far.  The same holds for a
 * few of them at a time.
 */

void ns_slowest_forget(ns_slowest *slowest, int steps)
{
    for (int i = 0; i < steps; i++)
        for (ns_slowest *s = slowest + i * NS_SLOWEST; s < slowest + (i + 1) * NS_SLOWEST; s++) {
            s->process = -1;
            s->seconds = s->enough = s->bound = -1;
            s->leaves = false;
        }
}

static inline int32_t partners_of(const ns_row row[NS_SIDES])
{
    return row[NS_OUT].partners > row[NS_IN].partners ? row[NS_OUT].partners : row[NS_IN].partners;
}

/* The largest sums of processes [first, end), and the fewest partners of those that have any, at a place of their own;
 * bytes: of all of them, by class; or NULL. */
static void find_largest(const ns_sums *s, int32_t first, int32_t end, int32_t place,
                         int64_t bytes[NS_SIDES][NS_CLASSES])
{
    ns_row *most = s->row[place];
    most->partners = 0;
    for (int side = 0; side < NS_SIDES; side++) {
        int32_t busy = 0;
        most[side].set = 0;
        for (int32_t i = first; i < end; i++) {
            most[side].set |= s->row[i][side].set;
            s->busy[busy] = i;
            busy += s->row[i][side].set != 0;
        }
        for (uint32_t bits = most[side].set; bits != 0; bits &= bits - 1) {
            const int class = __builtin_ctz(bits);
            ns_sum *sum = &s->sum[side][class * s->places], largest = {0, 0};
            int64_t all = 0;
            for (const int32_t *i = s->busy; i < s->busy + busy; i++) {
                largest.messages = sum[*i].messages > largest.messages ? sum[*i].messages : largest.messages;
                largest.bytes = sum[*i].bytes > largest.bytes ? sum[*i].bytes : largest.bytes;
                all += sum[*i].bytes;
            }
            sum[place] = largest;
            if (bytes != NULL)
                bytes[side][class] = all;
        }
    }
    for (int32_t i = first; i < end && (most[NS_OUT].set | most[NS_IN].set) >> NS_SIZES * NS_OFF_NODE != 0; i++) {
        const int32_t partners = partners_of(s->row[i]);
        if (partners > 0 && (most->partners == 0 || partners < most->partners))
            most->partners = partners;
    }
}

/* The time of a process by what it sends and receives, and what of it is not bytes; what concerns its node is already
 * in the load. */
static void price_process(ns_sums *s, ns_transport transport, bool packs, int32_t local, ns_step_price *one,
                          double time[NS_MAXIMA])
{
    const int16_t *slot_of = s->classes.slot[ns_transport_memory(transport)];
    const ns_row *row = s->row[local];
    ns_load *load = &s->load;
    ns_class_load *const of[NS_SIDES] = {load->out[0], load->in[0]}; /* by slot */
    unsigned filled = 0;
    for (uint32_t bits = ~load->idle & ((1u << NS_LOCALITIES * NS_PROTOCOLS) - 1); bits != 0; bits &= bits - 1)
        of[NS_OUT][__builtin_ctz(bits)] = of[NS_IN][__builtin_ctz(bits)] = (ns_class_load){0, 0};
    for (int side = 0; side < NS_SIDES; side++) {
        int64_t messages = 0;
        for (uint32_t bits = row[side].set; bits != 0; bits &= bits - 1) {
            const int class = __builtin_ctz(bits), slot = slot_of[class];
            const ns_sum *sum = &s->sum[side][class * s->places + local];
            if (slot < 0) {
                s->lacks[transport] |= (uint8_t)(1 << class / NS_SIZES);
                continue;
            }
            filled |= 1u << slot;
            messages += sum->messages;
            of[side][slot].messages += (double)sum->messages;
            of[side][slot].bytes += (double)sum->bytes;
        }
        *(side == NS_OUT ? &load->out_squares : &load->in_squares) = (double)messages * (double)messages;
    }
    load->partners = partners_of(row);
    load->idle = ~filled;
    ns_load_complete(packs, load);
    memset(one->term, 0, sizeof one->term);
    one->bytes_s = one->waits_s = 0;
    s->form->price(s->values[transport], load, false, one);
    time[NS_BY_TIME] = 0;
    for (int k = 0; s->form->terms[k] != NULL; k++)
        time[NS_BY_TIME] += one->term[k];
    time[NS_BY_WAITING] = one->waits_s;
}

/* For each transport and maximum, compare the processes of a node with the slowest process of a step so far, and empty
 * their sums. */
static void price_step(ns_sums *s, const ns_strategy *strategy, int step, double link_bytes, ns_slowest *slowest)
{
    static const double slack = 1 + 0x1p-40; /* rounding of the cost model's own functions */
    enum { OFF_NODE = NS_SIZES * NS_OFF_NODE, FEW = 8 };
    /* Data sent off node are gathered into messages and taken out of them; otherwise each message is sent directly from
     * its sender's buffer. */
    const bool packs = strategy->node_aware || strategy->grid != NULL;
    const int32_t all = s->size, few = s->size + 1; /* places of the largest sums, of all processes and of a few */
    const ns_row *most = s->row[all];
    int64_t bytes[NS_SIDES][NS_CLASSES], node[NS_SIDES] = {0, 0};
    find_largest(s, 0, s->size, all, bytes);
    for (int side = 0; side < NS_SIDES; side++)
        for (uint32_t bits = most[side].set >> OFF_NODE; bits != 0; bits &= bits - 1)
            node[side] += bytes[side][OFF_NODE + __builtin_ctz(bits)];
    for (int32_t i = 0; i < s->size && most[NS_OUT].set >> OFF_NODE != 0; i++) {
        int64_t sent = 0;
        for (uint32_t bits = most[NS_OUT].set >> OFF_NODE; bits != 0; bits &= bits - 1)
            sent += s->sum[NS_OUT][(OFF_NODE + __builtin_ctz(bits)) * s->places + i].messages;
        s->messages_off_node_max = sent > s->messages_off_node_max ? sent : s->messages_off_node_max;
    }
    for (int t = 0; t < NS_TRANSPORTS && (most[NS_OUT].set | most[NS_IN].set) != 0; t++) {
        if (s->values[t] == NULL)
            continue;
        const int16_t *slot_of = s->classes.slot[ns_transport_memory((ns_transport)t)];
        const int maxima = s->values[t]->hides ? NS_MAXIMA : 1;
        ns_slowest *of = &slowest[ns_slowest_at(step, t, 0)];
        ns_load *load = &s->load;
        double *node_on = load->node_on[0]; /* by slot */
        ns_step_price one;
        double time[NS_MAXIMA];
        bool any = !s->bounded[t];
        load->node_out = (double)node[NS_OUT];
        load->node_in = (double)node[NS_IN];
        load->alone = s->size == 1;
        load->link_bytes = link_bytes;
        load->first = step == 0;
        load->later = step > 0;
        memset(load->node_on, 0, sizeof load->node_on);
        for (uint32_t bits = most[NS_OUT].set & ((1u << OFF_NODE) - 1); bits != 0; bits &= bits - 1) {
            const int slot = slot_of[__builtin_ctz(bits)];
            if (slot >= 0)
                node_on[slot] += (double)bytes[NS_OUT][__builtin_ctz(bits)];
        }
        one.leaves = of->leaves;
        if (s->bounded[t])
            price_process(s, (ns_transport)t, packs, all, &one, time);
        for (int k = 0; k < maxima && s->bounded[t]; k++) {
            of[k].bound = time[k] * slack;
            any = any || (of[k].bound > of[k].seconds && of[k].bound > of[k].enough);
        }
        for (int32_t i = 0; i < s->size && any; i++) {
            if (i % FEW == 0 && s->size > FEW && s->bounded[t] &&
                of->seconds >= 0) { /* can any of the next be slower? */
                const int32_t end = i + FEW < s->size ? i + FEW : s->size;
                bool slower = false;
                find_largest(s, i, end, few, NULL);
                price_process(s, (ns_transport)t, packs, few, &one, time);
                for (int k = 0; k < maxima; k++)
                    slower = slower || time[k] * slack > of[k].seconds;
                if (!slower) {
                    i = end - 1;
                    continue;
                }
            }
            if ((s->row[i][NS_OUT].set | s->row[i][NS_IN].set) == 0)
                continue;
            price_process(s, (ns_transport)t, packs, i, &one, time);
            for (int k = 0; k < maxima; k++) {
                if (time[k] <= of[k].seconds || (s->bounded[t] && of[k].bound <= of[k].enough))
                    continue;
                of[k].seconds = time[k];
                of[k].bytes_s = one.bytes_s;
                of[k].waits_s = one.waits_s;
                memcpy(of[k].term, one.term, sizeof one.term);
                of[k].process = s->process[i];
                of[k].load = *load;
            }
        }
        for (int k = 0; k < maxima; k++)
            of[k].leaves = one.leaves;
    }
    for (int side = 0; side < NS_SIDES; side++)
        for (uint32_t bits = most[side].set; bits != 0; bits &= bits - 1)
            memset(&s->sum[side][__builtin_ctz(bits) * s->places], 0, ((size_t)s->size + 2) * sizeof(ns_sum));
    memset(s->row, 0, ((size_t)s->size + 2) * sizeof *s->row);
}

/* ---- prices ------------------------------------------------------------------------------------------------------ */

ns_status ns_sums_lack(const ns_sums *s, ns_transport transport, ns_error *err)
{
    if (s->lacks[transport] == 0)
        return NS_OK;
    return ns_refuse_no_table(s->machine, ns_transport_memory(transport),
                              s->form->one_table ? NS_OFF_NODE : (ns_locality)__builtin_ctz(s->lacks[transport]), err);
}

/* slowest: of each step, those of ns_slowest_at(0, ...). */
static ns_status close_price(const ns_sums *s, ns_transport transport, int steps, const ns_slowest *const *slowest,
                             const ns_copying *copying, double width, ns_price *price, ns_error *err)
{
    const ns_form_values *values = s->values[transport];
    ns_step_price waiting[NS_STEPS];
    NS_TRY(ns_sums_lack(s, transport, err));
    memset(price, 0, ns_price_size(steps));
    price->steps = steps;
    if (values->hides)
        memset(waiting, 0, (size_t)steps * sizeof *waiting);
    for (int i = 0; i < steps; i++)
        for (int k = 0; k < (values->hides ? NS_MAXIMA : 1); k++) {
            const ns_slowest *one = &slowest[i][ns_slowest_at(0, (int)transport, k)];
            ns_step_price *step = k == NS_BY_TIME ? &price->step[i] : &waiting[i];
            step->process = one->process;
            if (one->process < 0)
                continue;
            values->form->price(values, &one->load, true, step);
            step->leaves = one->leaves;
            ns_note_sizes(&one->load, step);
        }
    return ns_price_close(values, copying, width, values->hides ? waiting : NULL, price, err);
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
    NS_TRY(take_sums(&v->sums, size, x->nodes, arena, err));
    if (v->says.steps == 1)
        return NS_OK;
    NS_TRY(ns_statement_scratch(&v->says, c->slots, arena, err));
    NS_TRY(TAKE(v->taker, x->nodes));
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
    return ns_statement_open(&v->says, arena, err);
}

void ns_visit_hops(ns_visit *v, const ns_node *n)
{
    const bool once = v->says.steps > 1; /* for each node */
    const ns_strand *one = once ? n->run[NS_OUT] : n->route, *end = one + (once ? n->runs[NS_OUT] : n->routes);
    for (; one < end && v->cube > 0; one++)
        ns_hop_bytes_add(&v->hop_bytes, v->cube, n->node, one->other, one->entries * v->says.by_node->exchange->width);
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
    const ns_rule *rule = v->says.rule;
    const ns_site *site = by->exchange->site;
    const int32_t holders = variant->task.holders, node = v->says.of.node, *part = &site->part[site->first[node]];
    struct ns_cells c = v->cells;
    ns_statement_hold(&v->says, &variant->task);
    if (rule->deal != NULL) {
        ns_name_gather(&v->says, false, holders, add_cell, &c);
        add_cells(v, c, true);
        price_step(&v->sums, variant->strategy, 0, 0, variant->slowest);
        c.count = 0;
    }
    /* For whole pairs, and parts with one holder, the order of entries does not matter: their routes are sufficient,
     * and are all that a placer has. */
    const bool by_route = rule->cap == NULL && holders == 1;
    if (!by_route)
        ns_name_scatter(&v->says, rule->deal != NULL, holders, add_cell, &c);
    for (int64_t i = 0; i < v->says.chunks[NS_IN].count && by_route; i++)
        v->taker[v->says.chunks[NS_IN].other[i]] = v->says.chunks[NS_IN].local[i];
    for (int32_t i = 0; i < ns_site_node_size(site, node) && by_route; i++) {
        const ns_route *end = &by->exchange->route[by->received[part[i] + 1]];
        for (const ns_route *route = &by->exchange->route[by->received[part[i]]]; route < end; route++) {
            const int32_t from = site->node_of[route->from];
            if (from != node)
                add_cell(&c, i, rule->deal != NULL ? v->taker[from] : rule->takes(site, route->from, node),
                         route->entries, NULL, -1);
        }
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
        for (int64_t i = 0; i < c->count; i++)
            add_in_order(s, side, c->local[i], c->entries[i] * width, c->other[i]);
        for (const ns_strand *run = n->run[side], *end = run + n->runs[side]; run < end && rule->takes != NULL;) {
            const ns_strand one = ns_next_runs(&run, end, false);
            add_in_order(s, side, side == NS_OUT ? one.owner : rule->takes(task->processes, one.owner, n->node),
                         one.entries * width, one.other);
        }
    }
    if (v->says.steps == 1) { /* each route is a message */
        for (const ns_strand *route = n->route; route < n->route + n->routes; route++)
            add_in_order(s, NS_OUT, route->owner, route->entries * width, route->other);
        for (int32_t i = 0; i < s->size; i++) {
            const ns_route *route = &x->route[by->received[s->process[i]]],
                           *end = &x->route[by->received[s->process[i] + 1]];
            for (const int64_t stamp = ++s->stamp; route < end; route++) {
                const int32_t other = x->site->node_of[route->from];
                if (other != n->node)
                    add_stamped(s, NS_IN, i, route->entries * width, other, stamp);
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
        int64_t most = 0, least = INT64_MAX; /* of parts that copy anything */
        for (int32_t p = 0; p < b->exchange->parts; p++) {
            of.copies[d] += entries[p] < holders ? entries[p] : holders;
            most = entries[p] > most ? entries[p] : most;
            least = entries[p] > 0 && entries[p] < least ? entries[p] : least;
        }
        of.copy_bytes[d] = (most / holders + (most % holders > 0)) * b->exchange->width;
        of.copy_least[d] = most == 0 ? 0 : least < holders ? b->exchange->width : least / holders * b->exchange->width;
    }
    return of;
}

ns_status ns_visit_price(const ns_visit *v, const ns_variant *variant, ns_transport transport, double width,
                         ns_price *price, ns_error *err)
{
    const ns_copying copying = ns_visit_copying(v, variant, transport);
    const ns_slowest *slowest[NS_RULE_STEPS];
    for (int i = 0; i < v->says.steps; i++) /* the exchange is the same for all variants */
        slowest[i] = &(i == v->says.exchange_step ? v->variant : variant)->slowest[ns_slowest_at(i, 0, 0)];
    return close_price(&v->sums, transport, v->says.steps, slowest, &copying, width, price, err);
}

/* ---- a schedule, whose messages are added up node by node -------------------------------------------------------- */

static ns_status add_up(const ns_schedule *s, ns_sums *sums, ns_arena *arena, ns_slowest *slowest, ns_error *err)
{
    const ns_site *site = s->site;
    const int32_t *node_of = site->node_of, cube = sums->form->needs_hops ? ns_cube_side(s->nodes) : 0;
    open_sums(sums);
    NS_TRY(take_sums(sums, s->ppn, s->nodes, arena, err));
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
    NS_CLOSE(ns_arena_free) ns_arena arena = {NULL, 0};
    ns_copying copying = {.strategy = s->strategy, .machine = machine, .holders = s->holders, .staged = s->staged};
    ns_slowest slowest[NS_STEPS * NS_SLOWEST];
    const ns_slowest *of[NS_STEPS];
    ns_form_take(form, machine, ns_transport_memory(s->transport), given.without, &values);
    sums.values[s->transport] = &values;
    NS_TRY(add_up(s, &sums, &arena, slowest, err));
    for (int d = 0; d < NS_DIRECTIONS; d++) {
        copying.copies[d] = s->copies[d];
        for (int64_t i = 0; i < s->copies[d]; i++) {
            const int64_t bytes = s->copy[d][i].bytes;
            copying.copy_bytes[d] = bytes > copying.copy_bytes[d] ? bytes : copying.copy_bytes[d];
            copying.copy_least[d] = i == 0 || bytes < copying.copy_least[d] ? bytes : copying.copy_least[d];
        }
    }
    for (int i = 0; i < s->steps; i++)
        of[i] = &slowest[ns_slowest_at(i, 0, 0)];
    return close_price(&sums, s->transport, s->steps, of, &copying, ns_price_width(given.confidence), price, err);
}
