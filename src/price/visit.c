/* visit.c -- from what the processes of a node send and receive to the slowest of them
 *
 * By a rule, messages of a process come in the order of the other node, so that it meets each node once.  Inside a node
 * slices go from the holders of a part's data to processes, or the other way: those between the same two are entries of
 * one cell, and become one message.
 */
#include "price/visit.h"

#include "core/context.h"

#include <math.h>
#include <string.h>

/* ---- adding messages --------------------------------------------------------------------------------------------- */

/* The class of a message's size, among those of its locality. */
static inline int class_of(const ns_classes *classes, ns_locality locality, int64_t bytes)
{
    enum { FEW = 4 };
    const int64_t *from = classes->from[locality];
    int at = (bytes >= from[1]) + (bytes >= from[2]) + (bytes >= from[3]);
    for (int i = FEW; i < classes->count[locality]; i++)
        at += bytes >= from[i];
    return classes->base[locality] + at;
}

static inline int64_t row_length(const ns_classes *classes)
{
    return 1 + (int64_t)classes->all;
}

static inline void row_add(ns_class_sum *row, int class, int64_t bytes)
{
    const int64_t bit = INT64_C(1) << class, set = (row->messages & bit) != 0 ? -1 : 0;
    ns_class_sum *sum = &row[1 + class];
    sum->messages = (sum->messages & set) + 1;
    sum->bytes = (sum->bytes & set) + bytes;
    row->messages |= bit;
}

/* The larger of one sum: sums only grow, so that the largest of all rows may be kept while they do.  Sums of `most`
 * that are not set are 0. */
static inline void row_raise(ns_class_sum *most, const ns_class_sum *row, int class)
{
    ns_class_sum *sum = &most[1 + class];
    const ns_class_sum *other = &row[1 + class];
    sum->messages = other->messages > sum->messages ? other->messages : sum->messages;
    sum->bytes = other->bytes > sum->bytes ? other->bytes : sum->bytes;
    most->messages |= row->messages;
}

/* What one side's messages between nodes are added to, at hand. */
typedef struct ns_between {
    const ns_classes *classes;
    ns_class_sum *row;
    struct ns_partners *partners;
    int64_t stride, bytes;
} ns_between;

static inline ns_between between_of(const ns_sums *sums, int side)
{
    const int64_t row = row_length(&sums->classes);
    return (ns_between){&sums->classes, sums->row + side * row, sums->partners + side, NS_SIDES * row, 0};
}

/* A message of a process and another node, the first of these two or not. */
NS_COMPILED void add_between(ns_between *b, int32_t local, int64_t bytes, bool first)
{
    row_add(b->row + local * b->stride, class_of(b->classes, NS_OFF_NODE, bytes), bytes);
    b->partners[NS_SIDES * (int64_t)local].count += first;
    b->bytes += bytes;
}

/* A process, one for each stamp, and a node: is it the first time that they meet? */
static inline bool meet(const ns_sums *sums, int64_t stamp, int32_t node)
{
    const bool first = sums->met[node] != stamp;
    sums->met[node] = stamp;
    return first;
}

/* What messages inside the node are added to, at hand. */
typedef struct ns_within {
    ns_class_sum *row, *most[NS_SIDES];
    int64_t stride, *inside;
    const ns_classes *classes;
    const int32_t *socket;
} ns_within;

static inline ns_within within_of(const ns_sums *sums)
{
    return (ns_within){
        sums->row,   {sums->most[NS_OUT], sums->most[NS_IN]}, row_length(&sums->classes), sums->inside, &sums->classes,
        sums->socket};
}

NS_COMPILED void add_within(const ns_within *w, int32_t from, int32_t to, int64_t bytes)
{
    const int class = class_of(w->classes, w->socket[from] == w->socket[to] ? NS_ON_SOCKET : NS_ON_NODE, bytes);
    ns_class_sum *out = w->row + NS_SIDES * (int64_t)from * w->stride,
                 *in = w->row + (NS_SIDES * (int64_t)to + NS_IN) * w->stride;
    row_add(out, class, bytes);
    row_raise(w->most[NS_OUT], out, class);
    row_add(in, class, bytes);
    row_raise(w->most[NS_IN], in, class);
    w->inside[class] += bytes;
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static void open_sums(ns_sums *s)
{
    ns_classes *classes = &s->classes;
    unsigned memories = 0; /* bits 1 << ns_memory */
    for (int t = 0; t < NS_TRANSPORTS; t++) {
        memories |= (unsigned)(s->values[t] != NULL) << ns_transport_memory((ns_transport)t);
        s->bounded[t] = s->values[t] != NULL && s->form->rising; /* on parameters that are no less than 0 */
        for (int i = 0; s->bounded[t] && i < s->values[t]->slots; i++)
            s->bounded[t] = s->values[t]->value[i] >= 0;
    }
    classes->all = 0;
    for (int l = 0; l < NS_LOCALITIES; l++) {
        const ns_locality line = s->form->one_table ? NS_OFF_NODE : (ns_locality)l;
        int64_t *from = classes->from[l]; /* each size once, rising; messages have at least one byte */
        int count = 1;
        from[0] = 1;
        for (int k = 0; k < NS_MEMORIES * NS_PROTOCOLS; k++) {
            const ns_line *of = &s->machine->line[k / NS_PROTOCOLS][line][k % NS_PROTOCOLS];
            int at = count;
            if ((memories >> k / NS_PROTOCOLS & 1) == 0 || !of->given || !(of->from > 1))
                continue;
            const int64_t size = of->from < 0x1p63 ? (int64_t)ceil(of->from) : INT64_MAX;
            while (from[at - 1] > size)
                at--;
            if (from[at - 1] == size)
                continue;
            memmove(from + at + 1, from + at, (size_t)(count - at) * sizeof *from);
            from[at] = size;
            count++;
        }
        for (int i = count; i < NS_SIZES; i++)
            from[i] = INT64_MAX;
        classes->base[l] = classes->all;
        classes->count[l] = count;
        for (int i = 0; i < count; i++, classes->all++)
            for (int m = 0; m < NS_MEMORIES; m++) {
                ns_protocol protocol = NS_SHORT;
                const bool given = ns_machine_line(s->machine, (ns_memory)m, line, (double)from[i], &protocol) != NULL;
                classes->slot[m][classes->all] = (int16_t)(given ? NS_PROTOCOLS * l + (int)protocol : -1);
            }
    }
    s->terms = ns_form_terms(s->form);
    memset(s->lacks, 0, sizeof s->lacks);
}

#define TAKE(array, count)   ns_arena_take(arena, (size_t)(count), sizeof *(array), (void **)&(array), err)
#define ZEROED(array, count) ns_arena_zeroed(arena, (size_t)(count), sizeof *(array), (void **)&(array), err)

static ns_status take_scratch(ns_sums *s, int32_t nodes, int32_t size, ns_arena *arena, ns_error *err)
{
    const int64_t row = row_length(&s->classes), rows = NS_SIDES * (int64_t)size;
    for (int side = 0; side < NS_SIDES; side++)
        NS_TRY(ZEROED(s->most[side], row));
    NS_TRY(TAKE(s->socket, size));
    NS_TRY(ZEROED(s->row, rows * row));
    NS_TRY(ZEROED(s->partners, rows));
    NS_TRY(ZEROED(s->met, nodes));
    s->stamp = 0;
    return ZEROED(s->inside, row);
}

/* ---- a node ------------------------------------------------------------------------------------------------------ */

static void go_to(ns_sums *s, const ns_site *processes, int32_t node)
{
    s->size = ns_site_node_size(processes, node);
    s->process = &processes->part[processes->first[node]];
    for (int32_t i = 0; i < s->size; i++)
        s->socket[i] = processes->socket_of[s->process[i]];
}

static inline ns_class_sum *row_of(const ns_sums *s, int32_t local, int side)
{
    return s->row + (NS_SIDES * (int64_t)local + side) * row_length(&s->classes);
}

static inline int32_t partners_of(const ns_sums *s, int32_t local)
{
    const struct ns_partners *met = &s->partners[NS_SIDES * (int64_t)local];
    return met[NS_OUT].count > met[NS_IN].count ? met[NS_OUT].count : met[NS_IN].count;
}

static int64_t note_between(ns_sums *s)
{
    int64_t most = 0;
    for (int32_t i = 0; i < s->size; i++) {
        const int32_t partners = partners_of(s, i);
        int64_t sent = 0;
        for (int side = 0; side < NS_SIDES; side++) {
            const ns_class_sum *row = row_of(s, i, side);
            for (uint64_t bits = (uint64_t)row->messages; bits != 0; bits &= bits - 1) {
                row_raise(s->most[side], row, __builtin_ctzll(bits));
                sent += side == NS_OUT ? row[1 + __builtin_ctzll(bits)].messages : 0;
            }
        }
        if (partners > 0 && (s->fewest_partners == 0 || partners < s->fewest_partners))
            s->fewest_partners = partners;
        most = sent > most ? sent : most;
    }
    return most;
}

/* ---- what a process has to do ------------------------------------------------------------------------------------ */

/* Messages and bytes of a side by protocol, over those of another process; classes of one protocol stand together and
 * are added up as whole numbers.  Returns how many messages; bits of localities that lack a table are added. */
static inline int64_t load_side(const ns_classes *classes, ns_memory memory, const ns_class_sum *row, int side,
                                ns_row_load *of, uint8_t *lacks)
{
    ns_class_load *load = side == NS_OUT ? of->load.out[0] : of->load.in[0]; /* by slot */
    int64_t count = 0, bytes = 0, messages = 0;
    uint32_t filled = 0;
    int last = -1;
    for (uint32_t bits = of->filled[side]; bits != 0; bits &= bits - 1)
        load[__builtin_ctz(bits)] = (ns_class_load){0, 0};
    for (uint64_t bits = (uint64_t)row->messages; bits != 0; bits &= bits - 1) {
        const int class = __builtin_ctzll(bits), slot = classes->slot[memory][class];
        const ns_class_sum *sum = &row[1 + class];
        if (slot < 0) {
            *lacks |= (uint8_t)(1 << ((class >= classes->base[NS_ON_NODE]) + (class >= classes->base[NS_OFF_NODE])));
            continue;
        }
        count = sum->messages + (slot == last ? count : 0);
        bytes = sum->bytes + (slot == last ? bytes : 0);
        last = slot;
        filled |= 1u << slot;
        load[slot] = (ns_class_load){(double)count, (double)bytes};
        messages += sum->messages;
    }
    of->filled[side] = filled;
    return messages;
}

/* Both sides of a process; the node's part of the load is filled already. */
static void load_process(ns_sums *s, ns_transport transport, bool packs, const ns_class_sum *out,
                         const ns_class_sum *in, int32_t partners, ns_row_load *of)
{
    const ns_memory memory = ns_transport_memory(transport);
    const double sent = (double)load_side(&s->classes, memory, out, NS_OUT, of, &s->lacks[transport]),
                 received = (double)load_side(&s->classes, memory, in, NS_IN, of, &s->lacks[transport]);
    of->load.out_squares = sent * sent;
    of->load.in_squares = received * received;
    of->load.partners = partners;
    of->load.idle = ~(of->filled[NS_OUT] | of->filled[NS_IN]);
    ns_load_complete(packs, &of->load);
}

/* ---- the slowest process ----------------------------------------------------------------------------------------- *
 *
 * A load with the largest sums of a node's processes is priced first: none of them takes longer in a cost model that is
 * rising, so that they are priced only where that bound exceeds the slowest process so far.
 */

void ns_slowest_forget(ns_slowest *slowest, int steps)
{
    for (ns_slowest *s = slowest; s < slowest + steps * NS_SLOWEST; s++) {
        s->process = -1;
        s->seconds = s->enough = s->bound = -1;
        s->leaves = false;
    }
}

static double price_load(const ns_sums *s, ns_transport transport, const ns_load *load, ns_step_price *one)
{
    double sum = 0;
    memset(one->term, 0, sizeof one->term);
    one->bytes_s = one->waits_s = 0;
    s->form->price(s->values[transport], load, false, one);
    for (int t = 0; t < s->terms; t++)
        sum += one->term[t];
    return sum;
}

/* By a transport, by each maximum. */
static void compare(ns_sums *s, ns_transport transport, bool packs, ns_row_load *at, ns_slowest *slowest)
{
    static const double slack = 1 + 0x1p-40; /* rounding of the cost model's own functions */
    const bool bounded = s->bounded[transport];
    const ns_slowest *end = slowest + ns_maxima_of(s->values[transport]);
    const int16_t *slot_of = s->classes.slot[ns_transport_memory(transport)];
    ns_load *load = &at->load;
    bool any = !bounded;
    ns_step_price one;
    one.leaves = slowest->leaves;
    load->node_out = (double)s->node_bytes[NS_OUT];
    load->node_in = (double)s->node_bytes[NS_IN];
    load->alone = s->size == 1;
    if (s->form->whole) { /* the cost model asks for the bytes that move inside the node, by protocol */
        memset(load->node_on, 0, sizeof load->node_on);
        for (int class = 0; class < s->classes.base[NS_OFF_NODE]; class ++)
            if (slot_of[class] >= 0)
                load->node_on[slot_of[class] / NS_PROTOCOLS][slot_of[class] % NS_PROTOCOLS] +=
                    (double)s->inside[class];
    }
    if (bounded) {
        load_process(s, transport, packs, s->most[NS_OUT], s->most[NS_IN], s->fewest_partners, at);
        const double all = price_load(s, transport, load, &one);
        for (ns_slowest *m = slowest; m < end; m++) {
            m->bound = ns_compared_seconds((int)(m - slowest), all, &one) * slack;
            any = any || (m->bound > m->seconds && m->bound > m->enough);
        }
    }
    for (int32_t i = 0; i < s->size && any; i++) {
        const ns_class_sum *out = row_of(s, i, NS_OUT), *in = row_of(s, i, NS_IN);
        if ((out->messages | in->messages) == 0)
            continue;
        load_process(s, transport, packs, out, in, partners_of(s, i), at);
        const double all = price_load(s, transport, load, &one);
        for (ns_slowest *m = slowest; m < end; m++) {
            const double seconds = ns_compared_seconds((int)(m - slowest), all, &one);
            if (seconds <= m->seconds || (bounded && m->bound <= m->enough))
                continue;
            m->seconds = seconds;
            m->bytes_s = one.bytes_s;
            m->waits_s = one.waits_s;
            memcpy(m->term, one.term, sizeof one.term);
            m->process = s->process[i];
            m->load = *load;
        }
    }
    for (ns_slowest *m = slowest; m < end; m++)
        m->leaves = one.leaves;
}

static void price_processes(ns_sums *s, bool packs, ns_row_load at[NS_TRANSPORTS], ns_slowest slowest[NS_SLOWEST])
{
    const int64_t rows = NS_SIDES * (int64_t)s->size, row = row_length(&s->classes);
    if ((s->most[NS_OUT]->messages | s->most[NS_IN]->messages) != 0)
        for (int t = 0; t < NS_TRANSPORTS; t++)
            if (s->values[t] != NULL)
                compare(s, (ns_transport)t, packs, &at[t], &slowest[ns_slowest_at(0, t, 0)]);
    for (int64_t i = 0; i < rows; i++)
        s->row[i * row].messages = 0;
    memset(s->partners, 0, (size_t)rows * sizeof *s->partners);
    for (int side = 0; side < NS_SIDES; side++)
        memset(s->most[side], 0, (size_t)row * sizeof *s->most[side]);
    memset(s->inside, 0, (size_t)row * sizeof *s->inside);
    memset(s->node_bytes, 0, sizeof s->node_bytes);
    s->fewest_partners = 0;
}

/* ---- prices ------------------------------------------------------------------------------------------------------ */

ns_status ns_sums_lack(const ns_sums *s, ns_transport transport, ns_error *err)
{
    if (s->lacks[transport] == 0)
        return NS_OK;
    return ns_refuse_no_table(s->machine, ns_transport_memory(transport),
                              s->form->one_table ? NS_OFF_NODE : (ns_locality)__builtin_ctz(s->lacks[transport]), err);
}

static ns_status close_price(const ns_sums *s, ns_transport transport, int steps, const ns_slowest *const *slowest,
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
        for (int k = 0; k < ns_maxima_of(values); k++) {
            const ns_slowest *one = &slowest[i][ns_slowest_at(0, (int)transport, k)];
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
           ns_task_slots(task) <= cells / ns_task_size(task);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

ns_status ns_visit_scratch(ns_visit *v, ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = v->says.by_node->exchange;
    const int32_t size = ns_task_size(&v->variant[0].task);
    v->slots = 1;
    for (int i = 0; i < v->variants; i++) {
        const int64_t slots = ns_task_slots(&v->variant[i].task);
        v->slots = slots > v->slots ? slots : v->slots;
    }
    NS_TRY(take_scratch(&v->sums, x->nodes, size, arena, err));
    if (v->says.steps == 1)
        return NS_OK;
    NS_TRY(ns_statement_scratch(&v->says, v->slots, arena, err));
    NS_TRY(TAKE(v->taker, x->parts));
    NS_TRY(ZEROED(v->cell, v->slots * size));
    return TAKE(v->spot, v->slots * size + 1);
}

ns_status ns_visit_open(ns_visit *v, ns_arena *arena, ns_error *err)
{
    NS_TRY(ns_context_ask(err));
    open_sums(&v->sums);
    v->cube = v->sums.form->needs_hops ? ns_cube_side(v->says.by_node->exchange->nodes) : 0;
    v->hop_bytes = (ns_hop_bytes){0, 0, 0};
    v->messages_off_node_max = 0;
    v->says.task = &v->variant[0].task;
    v->by_run = v->says.rule->cap != NULL;
    for (int i = 0; i < v->variants; i++)
        v->by_run = v->by_run || v->variant[i].task.holders > 1;
    return ns_statement_open(&v->says, arena, err);
}

/* ---- between nodes ----------------------------------------------------------------------------------------------- */

/* Messages in the order of the other node. */
NS_COMPILED void add_in_order(ns_between *b, int32_t local, int64_t bytes, int32_t other)
{
    int32_t *last = &b->partners[NS_SIDES * (int64_t)local].last;
    const bool first = *last != other + 1;
    *last = other + 1;
    add_between(b, local, bytes, first);
}

/* Which process takes what each part of another node has for this one: of whole pairs that of the pair. */
static void find_takers(ns_visit *v)
{
    const ns_node *n = &v->says.of;
    const ns_strand *strand = n->strand[NS_IN], *end = strand + n->strands[NS_IN];
    int64_t pair = 0;
    if (v->says.rule->takes != NULL)
        for (; strand < end; strand++)
            v->taker[strand->owner] = v->says.rule->takes(v->says.task->processes, strand->owner, n->node);
    else
        for (; strand < end; strand++) {
            pair += n->other[NS_IN][pair] != strand->other;
            v->taker[strand->owner] = v->says.chunks[NS_IN].local[pair];
        }
}

/* ---- inside the node --------------------------------------------------------------------------------------------- */

/* Cells at hand. */
typedef struct cells {
    int64_t *cell, spots, slots;
    uint64_t *spot;
} cells;

static inline cells cells_of(const ns_visit *v)
{
    return (cells){v->cell, 0, v->slots, v->spot};
}

/* As a statement names them. */
static inline void add_cell(void *sink, int32_t slot, int32_t process, int64_t entries, const ns_slice *slice,
                            int64_t chunk)
{
    (void)slice, (void)chunk;
    cells *c = sink;
    int64_t *cell = &c->cell[process * c->slots + slot];
    const int64_t before = *cell;
    c->spot[c->spots] = (uint64_t)(uint32_t)slot << 32 | (uint32_t)process;
    c->spots += before == 0;
    *cell = before + entries;
}

/* Cells become messages; from a process to itself nothing goes. */
static void add_cells(ns_visit *v, const cells *c, bool from_holder)
{
    const ns_within w = within_of(&v->sums);
    const int64_t width = v->says.by_node->exchange->width;
    for (const uint64_t *spot = c->spot; spot < c->spot + c->spots; spot++) {
        const int32_t slot = (int32_t)(*spot >> 32), holder = v->says.slot[slot], other = (int32_t)*spot;
        int64_t *cell = &c->cell[other * c->slots + slot];
        const int64_t bytes = *cell * width;
        *cell = 0;
        if (holder != other)
            add_within(&w, from_holder ? holder : other, from_holder ? other : holder, bytes);
    }
}

/* ---- a node ------------------------------------------------------------------------------------------------------ */

void ns_visit_hops(ns_visit *v, const ns_node *n)
{
    const bool once = v->says.steps > 1; /* for each node */
    const ns_strand *strand = once ? n->strand[NS_OUT] : n->route,
                    *end = strand + (once ? n->strands[NS_OUT] : n->routes);
    for (; strand < end && v->cube > 0; strand++)
        ns_hop_bytes_add(&v->hop_bytes, v->cube, n->node, strand->other,
                         strand->entries * v->says.by_node->exchange->width);
}

void ns_visit_start(ns_visit *v)
{
    const double link_bytes = v->cube > 0 ? ns_link_bytes(&v->hop_bytes, v->says.by_node->exchange->nodes) : 0;
    for (int step = 0; step < NS_RULE_STEPS; step++)
        for (int t = 0; t < NS_TRANSPORTS; t++)
            v->at[step][t] = (ns_row_load){.load = {.first = step == 0,
                                                    .later = step > 0,
                                                    .link_bytes = step == v->says.exchange_step ? link_bytes : 0}};
    for (int i = 0; i < v->variants; i++)
        ns_slowest_forget(v->variant[i].slowest, NS_RULE_STEPS);
}

static void price_step(ns_visit *v, ns_variant *variant, int step)
{
    price_processes(&v->sums, ns_strategy_packs(variant->strategy), v->at[step],
                    &variant->slowest[ns_slowest_at(step, 0, 0)]);
}

/* What is gathered and scattered inside the node; of a rule that does not deal nothing is gathered. */
static void gather_and_scatter(ns_visit *v, ns_variant *variant)
{
    const ns_by_node *by = v->says.by_node;
    const ns_site *site = by->exchange->site;
    const int32_t holders = variant->task.holders, node = v->says.of.node, *part = &site->part[site->first[node]];
    cells c = cells_of(v);
    ns_statement_hold(&v->says, &variant->task);
    if (v->says.rule->deal != NULL) {
        if (holders == 1)
            ns_name_gather(&v->says, 1, add_cell, &c);
        else
            ns_name_gather(&v->says, holders, add_cell, &c);
        add_cells(v, &c, true);
        price_step(v, variant, 0);
        if (!v->by_run)
            find_takers(v);
    }
    c = cells_of(v);
    if (v->by_run && holders == 1)
        ns_name_scatter(&v->says, true, 1, add_cell, &c);
    else if (v->by_run)
        ns_name_scatter(&v->says, true, holders, add_cell, &c);
    /* Of whole pairs, and parts with one holder, the order of entries tells nothing: their routes do. */
    for (int32_t i = 0; i < ns_site_node_size(site, node) && !v->by_run; i++) {
        const ns_route *end = &by->exchange->route[by->received[part[i] + 1]];
        for (const ns_route *route = &by->exchange->route[by->received[part[i]]]; route < end; route++)
            if (site->node_of[route->from] != node)
                add_cell(&c, i, v->taker[route->from], route->entries, NULL, -1);
    }
    add_cells(v, &c, false);
    price_step(v, variant, v->says.exchange_step + 1);
}

void ns_visit_node(ns_visit *v, const ns_node *n)
{
    const ns_task *task = v->says.task;
    const ns_rule *rule = v->says.rule;
    const ns_by_node *by = v->says.by_node;
    const ns_exchange *x = by->exchange;
    const int64_t width = x->width;
    ns_statement_at(&v->says, n);
    go_to(&v->sums, task->processes, n->node);
    if (rule->takes != NULL)
        find_takers(v);
    for (int side = 0; side < NS_SIDES; side++) {
        ns_between b = between_of(&v->sums, side);
        if (rule->deal != NULL) {
            ns_statement_deal(&v->says, side);
            const ns_chunks c = v->says.chunks[side];
            for (int64_t i = 0; i < c.count; i++)
                add_in_order(&b, c.local[i], c.entries[i] * width, c.other[i]);
        } else if (rule->takes != NULL || side == NS_OUT) {
            /* A message for each strand, of its owner or, where it comes in, of the process that takes it. */
            const ns_strand *strand = rule->takes != NULL ? n->strand[side] : n->route,
                            *end = strand + (rule->takes != NULL ? n->strands[side] : n->routes);
            for (; strand < end; strand++)
                add_in_order(&b, side == NS_IN ? v->taker[strand->owner] : strand->owner, strand->entries * width,
                             strand->other);
        } else
            for (int32_t i = 0; i < v->says.size; i++) {
                const ns_route *route = &x->route[by->received[v->says.process[i]]],
                               *end = &x->route[by->received[v->says.process[i] + 1]];
                for (const int64_t stamp = ++v->sums.stamp; route < end; route++) {
                    const int32_t other = x->site->node_of[route->from];
                    const bool first = meet(&v->sums, stamp, other);
                    if (other != n->node)
                        add_between(&b, i, route->entries * width, first);
                }
            }
        v->sums.node_bytes[side] = b.bytes;
    }
    const int64_t sent = note_between(&v->sums);
    v->messages_off_node_max = sent > v->messages_off_node_max ? sent : v->messages_off_node_max;
    if (rule->deal == NULL) { /* else what stays in the node is gathered with the rest */
        const int32_t *local_of = task->processes->local_of;
        const ns_within w = within_of(&v->sums);
        for (const ns_route *route = n->stay; route < n->stay + n->stays; route++)
            add_within(&w, local_of[task->home[route->from]], local_of[task->home[route->to]], route->entries * width);
    }
    price_step(v, &v->variant[0], v->says.exchange_step);
    for (int i = 0; i < v->variants && v->says.steps > 1; i++)
        gather_and_scatter(v, &v->variant[i]);
}

/* ---- prices ------------------------------------------------------------------------------------------------------ */

/* A share of what each part sends, and of what it needs, is copied by each of its holders.  Shares differ by one entry
 * at most. */
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
    const ns_slowest *slowest[NS_RULE_STEPS];
    for (int i = 0; i < v->says.steps; i++) /* that of the exchange is the same for all */
        slowest[i] = &(i == v->says.exchange_step ? &v->variant[0] : variant)->slowest[ns_slowest_at(i, 0, 0)];
    return close_price(&v->sums, transport, v->says.steps, slowest, &copying, confidence, price, err);
}

/* ---- a schedule, whose messages are added up node by node -------------------------------------------------------- */

static ns_status add_up(const ns_schedule *s, ns_sums *sums, ns_arena *arena, ns_slowest *slowest, ns_error *err)
{
    const ns_site *site = s->site;
    const int32_t *node_of = site->node_of, cube = sums->form->needs_hops ? ns_cube_side(s->nodes) : 0;
    open_sums(sums);
    NS_TRY(take_scratch(sums, s->nodes, s->ppn, arena, err));
    ns_slowest_forget(slowest, s->steps);
    for (const ns_step *step = s->step; step < s->step + s->steps; step++, slowest += NS_SLOWEST) {
        ns_row_load at[NS_TRANSPORTS] = {{.filled = {0}}};
        ns_hop_bytes hops = {0, 0, 0};
        for (const ns_message *m = step->message; m < step->message + step->messages && cube > 0; m++)
            if (node_of[m->from] != node_of[m->to])
                ns_hop_bytes_add(&hops, cube, node_of[m->from], node_of[m->to], m->bytes);
        at[s->transport].load.first = step == s->step;
        at[s->transport].load.later = step > s->step;
        at[s->transport].load.link_bytes = ns_link_bytes(&hops, s->nodes);
        for (int32_t node = 0; node < s->nodes; node++) {
            go_to(sums, site, node);
            const ns_within within = within_of(sums);
            for (int side = 0; side < NS_SIDES; side++) {
                const int64_t *range = side == NS_OUT ? step->sent : step->received;
                ns_between between = between_of(sums, side);
                for (int32_t local = 0; local < sums->size; local++) {
                    const int64_t first = range[sums->process[local]], end = range[sums->process[local] + 1];
                    const int64_t stamp = ++sums->stamp;
                    NS_TRY(ns_context_tick(1 + end - first, err));
                    for (int64_t i = first; i < end; i++) {
                        const ns_message *m = &step->message[side == NS_OUT ? i : step->by_receiver[i]];
                        const int32_t other = node_of[side == NS_OUT ? m->to : m->from];
                        if (other != node)
                            add_between(&between, local, m->bytes, meet(sums, stamp, other));
                        else if (side == NS_OUT)
                            add_within(&within, local, site->local_of[m->to], m->bytes);
                    }
                }
                sums->node_bytes[side] = between.bytes;
            }
            (void)note_between(sums);
            price_processes(sums, ns_strategy_packs(s->strategy), at, slowest);
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
    ns_slowest slowest[NS_STEPS * NS_SLOWEST] = {{.process = -1}};
    const ns_slowest *of[NS_STEPS];
    ns_price sum;
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
    for (int i = 0; i < s->steps; i++)
        of[i] = &slowest[i * NS_SLOWEST];
    NS_TRY(close_price(&sums, s->transport, s->steps, of, &copying, given.confidence, &sum, err));
    *price = sum;
    return NS_OK;
}

ns_status ns_schedule_price(const ns_schedule *schedule, const ns_machine *machine, ns_price *price, ns_error *err)
{
    return ns_schedule_price_as(schedule, machine, &(ns_price_options){.confidence = NS_CONFIDENCE}, price, err);
}
