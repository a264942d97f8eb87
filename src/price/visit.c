/* visit.c -- what the processes of one node send and receive by a rule, and which of them is the slowest
 *
 * Messages of a process come in the order of the other node, so that it meets each node once.  Inside a node slices go
 * from the holders of a part's data to processes, or the other way: those between the same two are entries of one cell,
 * and become one message.
 */
#include "price/visit.h"

#include "core/context.h"

#include <string.h>

/* ---- may it be done so? ------------------------------------------------------------------------------------------ */

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

#define TAKE(array, count)   ns_arena_take(arena, (size_t)(count), sizeof *(array), (void **)&(array), err)
#define ZEROED(array, count) ns_arena_zeroed(arena, (size_t)(count), sizeof *(array), (void **)&(array), err)

ns_status ns_visit_scratch(ns_visit *v, const int64_t chunks[NS_SIDES], ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = v->says.by_node->exchange;
    const int64_t size = ns_task_size(&v->variant[0].task), row = ns_row_length(&v->classes);
    int64_t slots = 1;
    for (int i = 0; i < v->variants; i++)
        slots = ns_task_slots(&v->variant[i].task) > slots ? ns_task_slots(&v->variant[i].task) : slots;
    v->slots = slots;
    for (int side = 0; side < NS_SIDES; side++)
        NS_TRY(ZEROED(v->most[side], row));
    NS_TRY(TAKE(v->socket, size));
    NS_TRY(ZEROED(v->row, NS_SIDES * size * row));
    NS_TRY(ZEROED(v->partners, NS_SIDES * size));
    NS_TRY(ZEROED(v->inside, row));
    for (int i = 0; i < v->variants; i++)
        for (int k = 0; k < NS_TIMES * NS_SIDES; k++) {
            ns_slowest *s = &v->variant[i].slowest[k / NS_SIDES];
            NS_TRY(TAKE(s->row[k % NS_SIDES], row));
        }
    if (v->says.steps == 1)
        return ZEROED(v->met, x->nodes);
    NS_TRY(ns_statement_scratch(&v->says, chunks, slots, arena, err));
    NS_TRY(TAKE(v->taker, x->parts));
    NS_TRY(ZEROED(v->cell, slots * size));
    return TAKE(v->spot, slots * size + 1);
}

ns_status ns_visit_open(ns_visit *v, ns_arena *arena, ns_error *err)
{
    unsigned memories = 0;
    NS_TRY(ns_context_ask(err));
    for (int t = 0; t < NS_TRANSPORTS; t++) {
        memories |= (unsigned)(v->values[t] != NULL) << ns_transport_memory((ns_transport)t);
        v->bounded[t] = v->values[t] != NULL && ns_rows_bound(v->values[t]);
    }
    ns_classes_of(v->machine, v->form, memories, &v->classes);
    v->terms = ns_form_terms(v->form);
    v->cube = v->form->needs_hops ? ns_cube_side(v->says.by_node->exchange->nodes) : 0;
    v->hop_bytes = (ns_hop_bytes){0, 0, 0};
    v->says.task = &v->variant[0].task;
    v->by_run = v->says.rule->cap != NULL;
    for (int i = 0; i < v->variants; i++)
        v->by_run = v->by_run || v->variant[i].task.holders > 1;
    return ns_statement_open(&v->says, arena, err);
}

/* Which process takes what each part of another node has for this one: of whole pairs that of the pair. */
static void find_takers(ns_visit *v)
{
    const ns_node *n = &v->says.of;
    const ns_site *processes = v->variant[0].task.processes;
    const ns_strand *strand = n->strand[NS_IN], *end = strand + n->strands[NS_IN];
    int64_t pair = 0;
    if (v->says.rule->takes != NULL)
        for (; strand < end; strand++)
            v->taker[strand->owner] = v->says.rule->takes(processes, strand->owner, n->node);
    else
        for (; strand < end; strand++) {
            pair += n->other[NS_IN][pair] != strand->other;
            v->taker[strand->owner] = v->says.chunks[NS_IN].local[pair];
        }
}

/* ---- between nodes ----------------------------------------------------------------------------------------------- */

static inline ns_class_sum *row_of(const ns_visit *v, int32_t local, int side)
{
    return v->row + (NS_SIDES * (int64_t)local + side) * ns_row_length(&v->classes);
}

/* What sums of messages between nodes are added to, at hand. */
typedef struct between_sums {
    ns_class_sum *row;
    struct ns_partners *partners;
    const ns_classes *classes;
    int64_t stride, width, bytes;
    int base;
} between_sums;

static inline between_sums between_of(ns_visit *v, int side)
{
    const int64_t row = ns_row_length(&v->classes);
    return (between_sums){
        v->row + side * row,         v->partners + side, &v->classes, NS_SIDES * row, v->says.by_node->exchange->width, 0,
        v->classes.base[NS_OFF_NODE]};
}

/* A message of a process and another node, the first of these two or not. */
NS_COMPILED void add_between(between_sums *b, int32_t local, int64_t entries, bool first)
{
    const int64_t bytes = entries * b->width;
    ns_row_add(b->row + local * b->stride, b->base + ns_size_class(b->classes, NS_OFF_NODE, bytes), bytes);
    b->partners[NS_SIDES * (int64_t)local].count += first;
    b->bytes += bytes;
}

/* Messages in the order of the other node. */
NS_COMPILED void add_in_order(between_sums *b, int32_t local, int64_t entries, int32_t other)
{
    int32_t *last = &b->partners[NS_SIDES * (int64_t)local].last;
    const bool first = *last != other + 1;
    *last = other + 1;
    add_between(b, local, entries, first);
}

static int64_t messages_of(const ns_class_sum *row)
{
    int64_t messages = 0;
    for (uint64_t bits = (uint64_t)row->messages; bits != 0; bits &= bits - 1)
        messages += row[1 + __builtin_ctzll(bits)].messages;
    return messages;
}

/* Dealt chunks.  By their size they are so by class; and of whole pairs each has another node. */
static void add_dealt(ns_visit *v, int side)
{
    const ns_chunks c = v->says.chunks[side];
    const int64_t width = v->says.by_node->exchange->width, row = ns_row_length(&v->classes);
    struct ns_partners *partners = v->partners + side;
    ns_class_sum *rows = v->row + side * row;
    int64_t all = 0;
    for (int64_t i = 0, class = v->classes.count[NS_OFF_NODE] - 1; i < c.count; class --) {
        const int64_t from = v->classes.from[NS_OFF_NODE][class];
        for (int64_t bytes; i < c.count && (bytes = c.entries[c.order[i]] * width) >= from; i++) {
            ns_row_add(rows + c.local[c.order[i]] * NS_SIDES * row, v->classes.base[NS_OFF_NODE] + (int)class, bytes);
            all += bytes;
        }
    }
    v->node_bytes[side] = all;
    for (int32_t i = 0; i < v->says.size && !c.cut; i++)
        partners[NS_SIDES * (int64_t)i].count = (int32_t)messages_of(row_of(v, i, side));
    for (int64_t i = 0; i < c.count && c.cut; i++) {
        struct ns_partners *of = &partners[NS_SIDES * (int64_t)c.local[i]];
        of->count += of->last != c.other[i] + 1;
        of->last = c.other[i] + 1;
    }
}

/* A message for each strand that leaves. */
static void add_strands(ns_visit *v, const ns_strand *strand, int64_t count)
{
    between_sums b = between_of(v, NS_OUT);
    for (const ns_strand *end = strand + count; strand < end; strand++)
        add_in_order(&b, strand->owner, strand->entries, strand->other);
    v->node_bytes[NS_OUT] = b.bytes;
}

static void add_taken(ns_visit *v)
{
    const ns_strand *strand = v->says.of.strand[NS_IN];
    between_sums b = between_of(v, NS_IN);
    for (const ns_strand *end = strand + v->says.of.strands[NS_IN]; strand < end; strand++)
        add_in_order(&b, v->taker[strand->owner], strand->entries, strand->other);
    v->node_bytes[NS_IN] = b.bytes;
}

static void add_routed(ns_visit *v)
{
    const ns_exchange *x = v->says.by_node->exchange;
    const int32_t *node_of = x->site->node_of;
    between_sums b = between_of(v, NS_IN);
    for (int32_t i = 0; i < v->says.size; i++) {
        const int32_t part = v->says.process[i];
        const ns_route *end = &x->route[v->says.by_node->received[part + 1]];
        const int64_t stamp = ++v->stamps;
        for (const ns_route *route = &x->route[v->says.by_node->received[part]]; route < end; route++) {
            const int32_t other = node_of[route->from];
            const bool first = v->met[other] != stamp;
            v->met[other] = stamp;
            if (other != v->says.of.node)
                add_between(&b, i, route->entries, first);
        }
    }
    v->node_bytes[NS_IN] = b.bytes;
}

static inline int32_t partners_of(const ns_visit *v, int32_t local)
{
    const struct ns_partners *met = &v->partners[NS_SIDES * (int64_t)local];
    return met[NS_OUT].count > met[NS_IN].count ? met[NS_OUT].count : met[NS_IN].count;
}

/* The largest sums, when all that is between nodes stands. */
static void note_between(ns_visit *v)
{
    for (int32_t i = 0; i < v->says.size; i++) {
        for (int side = 0; side < NS_SIDES; side++)
            ns_row_raise(v->most[side], row_of(v, i, side));
        const int32_t partners = partners_of(v, i);
        const int64_t messages = messages_of(row_of(v, i, NS_OUT));
        if (partners > 0 && (v->fewest_partners == 0 || partners < v->fewest_partners))
            v->fewest_partners = partners;
        if (messages > v->messages_off_node_max)
            v->messages_off_node_max = messages;
    }
}

/* ---- inside the node --------------------------------------------------------------------------------------------- */

/* What sums of messages inside the node are added to, at hand. */
typedef struct within_sums {
    ns_class_sum *row, *most[NS_SIDES];
    int64_t stride, *inside;
    const ns_classes *classes;
    const int *base;
    const int32_t *socket;
} within_sums;

static inline within_sums within_of(ns_visit *v)
{
    return (within_sums){v->row,
                         {v->most[NS_OUT], v->most[NS_IN]},
                         ns_row_length(&v->classes),
                         v->inside,
                         &v->classes,
                         v->classes.base,
                         v->socket};
}

NS_COMPILED void add_within(const within_sums *w, int32_t from, int32_t to, int64_t bytes)
{
    const ns_locality locality = w->socket[from] == w->socket[to] ? NS_ON_SOCKET : NS_ON_NODE;
    const int class = w->base[locality] + ns_size_class(w->classes, locality, bytes);
    ns_class_sum *out = w->row + NS_SIDES * (int64_t)from * w->stride,
                 *in = w->row + (NS_SIDES * (int64_t)to + NS_IN) * w->stride;
    ns_row_add(out, class, bytes);
    ns_row_raise_class(w->most[NS_OUT], out, class);
    ns_row_add(in, class, bytes);
    ns_row_raise_class(w->most[NS_IN], in, class);
    w->inside[class] += bytes;
}

/* Routes inside the node as they are. */
static void add_stays(ns_visit *v)
{
    const ns_task *task = &v->variant[0].task;
    const int32_t *local_of = task->processes->local_of;
    const within_sums w = within_of(v);
    for (const ns_route *route = v->says.of.stay; route < v->says.of.stay + v->says.of.stays; route++)
        add_within(&w, local_of[task->home[route->from]], local_of[task->home[route->to]],
                   route->entries * v->says.by_node->exchange->width);
}

/* Cells at hand. */
typedef struct cells {
    int64_t *cell, spots, slots;
    uint64_t *spot;
} cells;

static inline cells cells_of(const ns_visit *v)
{
    return (cells){v->cell, 0, v->slots, v->spot};
}

NS_COMPILED void add_cell(cells *c, int32_t slot, int32_t process, int64_t entries)
{
    int64_t *cell = &c->cell[process * c->slots + slot];
    const int64_t before = *cell;
    c->spot[c->spots] = (uint64_t)(uint32_t)slot << 32 | (uint32_t)process;
    c->spots += before == 0;
    *cell = before + entries;
}

static inline void take_cell(void *sink, int32_t slot, int32_t process, int64_t entries, const ns_slice *slice,
                             int64_t chunk)
{
    (void)slice, (void)chunk;
    add_cell(sink, slot, process, entries);
}

/* Cells become messages; from a process to itself nothing goes. */
NS_COMPILED void add_cells(ns_visit *v, const cells *c, bool from_holder)
{
    const within_sums w = within_of(v);
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

/* Whole pairs, and parts with one holder: the order of entries tells nothing. */
static void gather_whole(ns_visit *v)
{
    const ns_node *n = &v->says.of;
    const int32_t *local_of = v->says.by_node->exchange->site->local_of, *sender = v->says.chunks[NS_OUT].local;
    cells c = cells_of(v);
    for (const ns_route *route = n->stay; route < n->stay + n->stays; route++)
        add_cell(&c, local_of[route->from], v->says.slot[local_of[route->to]], route->entries);
    const int32_t *other = n->other[NS_OUT];
    for (const ns_strand *strand = n->strand[NS_OUT], *end = strand + n->strands[NS_OUT]; strand < end; strand++) {
        const int64_t next = *other != strand->other;
        other += next;
        sender += next;
        add_cell(&c, strand->owner, *sender, strand->entries);
    }
    add_cells(v, &c, true);
}

static void scatter_whole(ns_visit *v)
{
    const ns_exchange *x = v->says.by_node->exchange;
    const int32_t *node_of = x->site->node_of, *part = &x->site->part[x->site->first[v->says.of.node]];
    const int32_t parts = ns_site_node_size(x->site, v->says.of.node);
    cells c = cells_of(v);
    for (int32_t i = 0; i < parts; i++) {
        const ns_route *end = &x->route[v->says.by_node->received[part[i] + 1]];
        for (const ns_route *route = &x->route[v->says.by_node->received[part[i]]]; route < end; route++)
            if (node_of[route->from] != v->says.of.node)
                add_cell(&c, i, v->taker[route->from], route->entries);
    }
    add_cells(v, &c, false);
}

/* In every order that there is: pairs are cut, or parts have several holders. */
NS_COMPILED void gather_by_run(ns_visit *v, int32_t holders)
{
    cells c = cells_of(v);
    ns_name_gather(&v->says, holders, take_cell, &c);
    add_cells(v, &c, true);
}

NS_COMPILED void scatter_by_run(ns_visit *v, int32_t holders)
{
    cells c = cells_of(v);
    ns_name_scatter(&v->says, true, holders, take_cell, &c);
    add_cells(v, &c, false);
}

static void gather(ns_visit *v, int32_t holders)
{
    if (!v->by_run)
        gather_whole(v);
    else if (holders == 1)
        gather_by_run(v, 1);
    else
        gather_by_run(v, holders);
}

static void scatter(ns_visit *v, int32_t holders)
{
    if (!v->by_run)
        scatter_whole(v);
    else if (holders == 1)
        scatter_by_run(v, 1);
    else
        scatter_by_run(v, holders);
}

/* ---- the slowest process, without a price for each --------------------------------------------------------------- *
 *
 * A load with the largest sums of a node's processes is priced first: none of them takes longer in a cost model that is
 * rising.  Where that bound exceeds the slowest process so far, those with no larger sum than that process are passed
 * over.
 */

static double price_load(const ns_visit *v, ns_transport transport, const ns_load *load, ns_step_price *one)
{
    double sum = 0;
    memset(one->term, 0, sizeof one->term);
    one->bytes_s = one->waits_s = 0;
    v->form->price(v->values[transport], load, false, one);
    for (int t = 0; t < v->terms; t++)
        sum += one->term[t];
    return sum;
}

/* Is a node's load no larger than at the slowest process so far? */
static bool node_is_within(const ns_visit *v, const ns_load *a, const ns_slowest *s)
{
    const ns_load *b = &s->load;
    if (s->process < 0 || a->node_out > b->node_out || a->node_in > b->node_in || (b->alone && !a->alone))
        return false;
    for (int l = 0; l < NS_OFF_NODE; l++)
        for (int c = 0; c < NS_PROTOCOLS; c++)
            if (a->node_on[l][c] > b->node_on[l][c])
                return false;
    return v->form->rising;
}

/* Is no sum of a row larger than the other's?  Counts of messages between nodes must match: log2(n) is rounded. */
static bool row_is_within(const ns_visit *v, const ns_class_sum *row, const ns_class_sum *other)
{
    const int between = v->classes.base[NS_OFF_NODE];
    if ((row->messages & ~other->messages) != 0 || (row->messages ^ other->messages) >> between != 0)
        return false;
    for (uint64_t bits = (uint64_t)row->messages; bits != 0; bits &= bits - 1) {
        const int class = __builtin_ctzll(bits);
        const ns_class_sum *a = &row[1 + class], *b = &other[1 + class];
        if (a->bytes > b->bytes || a->messages > b->messages || (class >= between && a->messages != b->messages))
            return false;
    }
    return true;
}

static bool process_is_within(const ns_visit *v, int32_t local, int32_t partners, const ns_slowest *s)
{
    return (double)partners == s->load.partners && row_is_within(v, row_of(v, local, NS_OUT), s->row[NS_OUT]) &&
           row_is_within(v, row_of(v, local, NS_IN), s->row[NS_IN]);
}

static void take_slowest(const ns_visit *v, const ns_load *load, int32_t local, double seconds,
                         const ns_step_price *one, ns_slowest *s)
{
    s->seconds = seconds;
    s->bytes_s = one->bytes_s;
    s->waits_s = one->waits_s;
    memcpy(s->term, one->term, sizeof s->term);
    s->process = v->says.process[local];
    s->load = *load;
    for (int side = 0; side < NS_SIDES; side++)
        memcpy(s->row[side], row_of(v, local, side), (size_t)ns_row_length(&v->classes) * sizeof(ns_class_sum));
}

/* The node's processes against the slowest of a step by a transport, by each maximum.  False where a message has no
 * table. */
static bool compare(ns_visit *v, ns_variant *variant, ns_transport transport, int step)
{
    static const double slack = 1 + 0x1p-40; /* rounding of the cost model's own functions */
    const ns_memory memory = ns_transport_memory(transport);
    const int maxima = ns_maxima_of(v->values[transport]);
    ns_slowest *s[NS_MAXIMA] = {NULL};
    bool open[NS_MAXIMA], within[NS_MAXIMA], any = false;
    ns_step_price one;
    for (int m = 0; m < maxima; m++)
        s[m] = &variant->slowest[ns_time_at(m, (int)transport, step)];
    ns_row_load *at = &s[NS_BY_TIME]->at;
    one.leaves = s[NS_BY_TIME]->leaves;
    at->load.node_out = (double)v->node_bytes[NS_OUT];
    at->load.node_in = (double)v->node_bytes[NS_IN];
    at->load.alone = v->says.size == 1;
    if (v->form->whole)
        ns_row_load_inside(&v->classes, memory, v->inside, &at->load);
    if (v->bounded[transport]) {
        if (!ns_row_load_both(&v->classes, memory, variant->strategy, v->most[NS_OUT], v->most[NS_IN], at))
            return false;
        at->load.partners = v->fewest_partners;
        const double all = price_load(v, transport, &at->load, &one);
        for (int m = 0; m < maxima; m++)
            s[m]->bound = ns_compared_seconds(m, all, &one) * slack;
    }
    for (int m = 0; m < maxima; m++) {
        open[m] = !v->bounded[transport] || (s[m]->bound > s[m]->seconds && s[m]->bound > s[m]->enough);
        within[m] = open[m] && v->bounded[transport] && node_is_within(v, &at->load, s[m]);
        any = any || open[m];
    }
    for (int32_t i = 0; i < v->says.size && any; i++) {
        const ns_class_sum *out = row_of(v, i, NS_OUT), *in = row_of(v, i, NS_IN);
        const int32_t partners = partners_of(v, i);
        bool slower = false; /* may it be? */
        if ((out->messages | in->messages) == 0)
            continue;
        for (int m = 0; m < maxima && !slower; m++)
            slower = open[m] && !(within[m] && process_is_within(v, i, partners, s[m]));
        if (!slower)
            continue;
        if (!ns_row_load_both(&v->classes, memory, variant->strategy, out, in, at))
            return false;
        at->load.partners = partners;
        const double all = price_load(v, transport, &at->load, &one);
        for (int m = 0; m < maxima; m++) {
            const double seconds = ns_compared_seconds(m, all, &one);
            if (!open[m] || seconds <= s[m]->seconds)
                continue;
            take_slowest(v, &at->load, i, seconds, &one, s[m]);
            within[m] = v->bounded[transport];
        }
    }
    for (int m = 0; m < maxima; m++)
        s[m]->leaves = one.leaves;
    return true;
}

/* Price the sums that stand, by each transport, and reset them to zero. */
static bool price_sums(ns_visit *v, ns_variant *variant, int step)
{
    const int64_t rows = NS_SIDES * (int64_t)v->says.size, row = ns_row_length(&v->classes);
    bool priced = true;
    if ((v->most[NS_OUT]->messages | v->most[NS_IN]->messages) != 0)
        for (int t = 0; t < NS_TRANSPORTS && priced; t++)
            priced = v->values[t] == NULL || compare(v, variant, (ns_transport)t, step);
    for (int64_t i = 0; i < rows; i++)
        v->row[i * row].messages = 0;
    memset(v->partners, 0, (size_t)rows * sizeof *v->partners);
    for (int side = 0; side < NS_SIDES; side++)
        memset(v->most[side], 0, (size_t)row * sizeof *v->most[side]);
    memset(v->inside, 0, (size_t)row * sizeof *v->inside);
    memset(v->node_bytes, 0, sizeof v->node_bytes);
    v->fewest_partners = 0;
    return priced;
}

/* ---- a node ------------------------------------------------------------------------------------------------------ */

void ns_visit_hops(ns_visit *v, const ns_node *n)
{
    const ns_strand *strand = v->says.steps > 1 ? n->strand[NS_OUT] : n->route,
                    *end = strand + (v->says.steps > 1 ? n->strands[NS_OUT] : n->routes);
    for (; strand < end && v->cube > 0; strand++)
        ns_hop_bytes_add(&v->hop_bytes, v->cube, n->node, strand->other, strand->entries * v->says.by_node->exchange->width);
}

void ns_visit_forget(ns_visit *v)
{
    v->priced = true;
    for (int i = 0; i < v->variants; i++)
        for (int k = 0; k < NS_TIMES; k++) {
            ns_slowest *s = &v->variant[i].slowest[k];
            s->process = -1;
            s->seconds = s->enough = s->bound = -1;
            s->leaves = false;
        }
}

void ns_visit_start(ns_visit *v)
{
    const double link_bytes = v->cube > 0 ? ns_link_bytes(&v->hop_bytes, v->says.by_node->exchange->nodes) : 0;
    for (int i = 0; i < v->variants; i++)
        for (int k = 0; k < NS_TIMES; k++) {
            const int step = k % NS_RULE_STEPS;
            v->variant[i].slowest[k].at = (ns_row_load){
                .load = {
                    .first = step == 0, .later = step > 0, .link_bytes = step == v->says.exchange_step ? link_bytes : 0}};
        }
    ns_visit_forget(v);
}

static bool exchange(ns_visit *v)
{
    if (v->says.rule->deal != NULL) {
        for (int side = 0; side < NS_SIDES; side++) {
            ns_statement_deal(&v->says, side);
            add_dealt(v, side);
        }
        note_between(v); /* what stays is gathered with the rest */
    } else {
        if (v->says.rule->takes != NULL) {
            find_takers(v);
            add_strands(v, v->says.of.strand[NS_OUT], v->says.of.strands[NS_OUT]);
            add_taken(v);
        } else {
            add_strands(v, v->says.of.route, v->says.of.routes);
            add_routed(v);
        }
        note_between(v);
        add_stays(v);
    }
    return price_sums(v, &v->variant[0], v->says.exchange_step);
}

static bool gather_and_scatter(ns_visit *v, ns_variant *variant)
{
    const int32_t holders = variant->task.holders;
    bool priced = true;
    ns_statement_hold(&v->says, &variant->task);
    if (v->says.rule->deal != NULL) {
        gather(v, holders);
        priced = price_sums(v, variant, 0);
        if (!v->by_run)
            find_takers(v);
    }
    scatter(v, holders);
    return price_sums(v, variant, v->says.exchange_step + 1) && priced;
}

bool ns_visit_node(ns_visit *v, const ns_node *node)
{
    const ns_site *processes = v->says.task->processes;
    ns_statement_at(&v->says, node);
    for (int32_t i = 0; i < v->says.size; i++)
        v->socket[i] = processes->socket_of[v->says.process[i]];
    bool priced = exchange(v);
    for (int i = 0; i < v->variants && v->says.steps > 1; i++)
        priced = gather_and_scatter(v, &v->variant[i]) && priced;
    v->priced = v->priced && priced;
    return priced;
}

/* ---- prices ------------------------------------------------------------------------------------------------------ */

/* A share of what each part sends, and of what it needs, is copied by each of its holders.  Shares differ by one entry
 * at most. */
ns_copying ns_visit_copying(const ns_visit *v, const ns_variant *variant, ns_transport transport)
{
    const ns_by_node *b = v->says.by_node;
    const int32_t holders = variant->task.holders;
    ns_copying of = {.strategy = variant->strategy,
                     .machine = v->machine,
                     .holders = holders,
                     .staged = transport == NS_VIA_HOST && v->machine->gpus > 0};
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
    const int maxima = ns_maxima_of(v->values[transport]);
    ns_step_price waiting[NS_RULE_STEPS];
    memset(price, 0, sizeof *price);
    price->steps = v->says.steps;
    if (maxima > 1)
        memset(waiting, 0, sizeof waiting);
    for (int k = 0; k < maxima * v->says.steps; k++) {
        const int m = k / v->says.steps, i = k % v->says.steps;
        const ns_variant *of = i == v->says.exchange_step ? &v->variant[0] : variant; /* the same for all */
        const ns_slowest *s = &of->slowest[ns_time_at(m, (int)transport, i)];
        ns_step_price *step = m == NS_BY_WAITING ? &waiting[i] : &price->step[i];
        step->process = s->process;
        if (s->process < 0)
            continue;
        v->form->price(v->values[transport], &s->load, true, step);
        step->leaves = s->leaves;
        ns_note_sizes(&s->load, step);
    }
    return ns_price_finish(&copying, v->values[transport], confidence, maxima > 1 ? waiting : NULL, price, err);
}
