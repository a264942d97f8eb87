/* visit.c -- what the processes of one node send and receive by a rule, and which of them is the slowest
 *
 * Messages of a process come in the order of the other node, so that it meets each node once.  Inside a node slices go
 * from the holders of a part's data to processes, or the other way: those between the same two are entries of one cell,
 * and become one message.
 */
#include "price/visit.h"

#include "core/context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ns_visit_may(const ns_strategy *strategy, const ns_task *task)
{
    enum { SMALL = 1 << 17, TIMES = 4 };
    const ns_rule *rule = strategy->rule;
    const int64_t cells = SMALL + TIMES * (task->exchange->runs + task->exchange->routes);
    return rule != NULL && strategy->group == 0 && strategy->same_messages && task->exchange->runs < INT32_MAX &&
           (rule->deal != NULL || (task->holders == 1 && !strategy->all_processes)) &&
           ns_task_slots(task) <= cells / ns_task_size(task);
}

/* ---- classes of a machine's messages ----------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* First sizes of the classes of one locality, each once, rising; messages have at least one byte. */
static int first_sizes(const ns_machine *machine, ns_locality line, unsigned memories, int64_t from[NS_SIZES])
{
    int given = 0, count = 0;
    from[given++] = 1;
    for (int m = 0; m < NS_MEMORIES; m++)
        for (int p = 0; (memories >> m & 1) != 0 && p < NS_PROTOCOLS; p++) {
            const ns_line *of = &machine->line[m][line][p];
            if (of->given && of->from > 1)
                from[given++] = of->from < 0x1p63 ? (int64_t)ceil(of->from) : INT64_MAX;
        }
    qsort(from, (size_t)given, sizeof *from, by_value);
    for (int i = 0; i < given; i++)
        if (count == 0 || from[i] > from[count - 1])
            from[count++] = from[i];
    for (int i = count; i < NS_SIZES; i++)
        from[i] = INT64_MAX;
    return count;
}

/* For some memories, bits 1 << ns_memory. */
static void find_classes(const ns_machine *machine, const ns_form *form, unsigned memories, ns_classes *classes)
{
    int all = 0;
    for (int l = 0; l < NS_LOCALITIES; l++) {
        const ns_locality line = form->one_table ? NS_OFF_NODE : (ns_locality)l;
        classes->base[l] = all;
        classes->count[l] = first_sizes(machine, line, memories, classes->from[l]);
        for (int i = 0; i < classes->count[l]; i++, all++)
            for (int m = 0; m < NS_MEMORIES; m++) {
                ns_protocol protocol = NS_SHORT;
                const bool given =
                    ns_machine_line(machine, (ns_memory)m, line, (double)classes->from[l][i], &protocol) != NULL;
                classes->slot[m][all] = (int16_t)(given ? NS_PROTOCOLS * l + (int)protocol : -1);
            }
    }
    classes->all = all;
}

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

/* ---- rows of sums ------------------------------------------------------------------------------------------------ */

static inline int64_t row_length(const ns_classes *classes)
{
    return 1 + (int64_t)classes->all;
}

static inline ns_class_sum *row_of(const ns_visit *v, int32_t local, int side)
{
    return v->row + (NS_SIDES * (int64_t)local + side) * row_length(&v->classes);
}

static inline void add_to_row(ns_class_sum *row, int class, int64_t bytes)
{
    const int64_t bit = INT64_C(1) << class, set = (row->messages & bit) != 0 ? -1 : 0;
    ns_class_sum *sum = &row[1 + class];
    sum->messages = (sum->messages & set) + 1;
    sum->bytes = (sum->bytes & set) + bytes;
    row->messages |= bit;
}

/* The larger of one sum: sums only grow, so that the largest of all rows may be kept while they do.  Sums of `most`
 * that are not set are 0. */
static inline void raise_to_row(ns_class_sum *most, const ns_class_sum *row, int class)
{
    ns_class_sum *sum = &most[1 + class];
    const ns_class_sum *other = &row[1 + class];
    sum->messages = other->messages > sum->messages ? other->messages : sum->messages;
    sum->bytes = other->bytes > sum->bytes ? other->bytes : sum->bytes;
    most->messages |= row->messages;
}

/* Messages and bytes of a side by protocol, over those of another process; classes of one protocol stand together and
 * are added up as whole numbers.  False where a class has no table. */
static inline bool load_side(const ns_classes *classes, ns_memory memory, const ns_class_sum *row, int side,
                             ns_row_load *of, int64_t *messages)
{
    ns_class_load *load = side == NS_OUT ? of->load.out[0] : of->load.in[0]; /* by slot */
    int64_t count = 0, bytes = 0;
    uint32_t filled = 0;
    int last = -1;
    for (uint32_t bits = of->filled[side]; bits != 0; bits &= bits - 1)
        load[__builtin_ctz(bits)] = (ns_class_load){0, 0};
    of->filled[side] = 0;
    for (uint64_t bits = (uint64_t)row->messages; bits != 0; bits &= bits - 1) {
        const int class = __builtin_ctzll(bits), slot = classes->slot[memory][class];
        const ns_class_sum *sum = &row[1 + class];
        if (slot < 0)
            return false;
        count = sum->messages + (slot == last ? count : 0);
        bytes = sum->bytes + (slot == last ? bytes : 0);
        last = slot;
        filled |= 1u << slot;
        of->filled[side] = filled;
        load[slot] = (ns_class_load){(double)count, (double)bytes};
        *messages += sum->messages;
    }
    return true;
}

/* Both sides of a process; the node's part of the load is filled already. */
static bool load_process(const ns_classes *classes, ns_memory memory, const ns_strategy *strategy,
                         const ns_class_sum *out, const ns_class_sum *in, int32_t partners, ns_row_load *of)
{
    int64_t sent = 0, received = 0;
    if (!load_side(classes, memory, out, NS_OUT, of, &sent) || !load_side(classes, memory, in, NS_IN, of, &received))
        return false;
    of->load.out_squares = (double)sent * (double)sent;
    of->load.in_squares = (double)received * (double)received;
    of->load.partners = partners;
    of->load.idle = ~(of->filled[NS_OUT] | of->filled[NS_IN]);
    ns_load_complete(ns_strategy_packs(strategy), &of->load);
    return true;
}

/* What a process shares with its node; the bytes that move inside it, by protocol, only where the cost model asks. */
static void load_node(const ns_visit *v, ns_memory memory, ns_load *load)
{
    double *on = load->node_on[0];
    load->node_out = (double)v->node_bytes[NS_OUT];
    load->node_in = (double)v->node_bytes[NS_IN];
    load->alone = v->says.size == 1;
    if (!v->form->whole)
        return;
    memset(load->node_on, 0, sizeof load->node_on);
    for (int class = 0; class < v->classes.base[NS_OFF_NODE]; class ++)
        if (v->classes.slot[memory][class] >= 0)
            on[v->classes.slot[memory][class]] += (double)v->inside[class];
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

#define TAKE(array, count)   ns_arena_take(arena, (size_t)(count), sizeof *(array), (void **)&(array), err)
#define ZEROED(array, count) ns_arena_zeroed(arena, (size_t)(count), sizeof *(array), (void **)&(array), err)

ns_status ns_visit_scratch(ns_visit *v, const int64_t chunks[NS_SIDES], ns_arena *arena, ns_error *err)
{
    const ns_exchange *x = v->says.by_node->exchange;
    const int64_t size = ns_task_size(&v->variant[0].task), row = row_length(&v->classes);
    v->slots = 1;
    for (int i = 0; i < v->variants; i++) {
        const int64_t slots = ns_task_slots(&v->variant[i].task);
        v->slots = slots > v->slots ? slots : v->slots;
    }
    for (int side = 0; side < NS_SIDES; side++)
        NS_TRY(ZEROED(v->most[side], row));
    NS_TRY(TAKE(v->socket, size));
    NS_TRY(ZEROED(v->row, NS_SIDES * size * row));
    NS_TRY(ZEROED(v->partners, NS_SIDES * size));
    NS_TRY(ZEROED(v->inside, row));
    if (v->says.steps == 1)
        return ZEROED(v->met, x->nodes);
    NS_TRY(ns_statement_scratch(&v->says, chunks, v->slots, arena, err));
    NS_TRY(TAKE(v->taker, x->parts));
    NS_TRY(ZEROED(v->cell, v->slots * size));
    return TAKE(v->spot, v->slots * size + 1);
}

ns_status ns_visit_open(ns_visit *v, ns_arena *arena, ns_error *err)
{
    unsigned memories = 0;
    NS_TRY(ns_context_ask(err));
    for (int t = 0; t < NS_TRANSPORTS; t++) {
        memories |= (unsigned)(v->values[t] != NULL) << ns_transport_memory((ns_transport)t);
        v->bounded[t] = v->values[t] != NULL && v->form->rising; /* on parameters that are no less than 0 */
        for (int i = 0; v->bounded[t] && i < v->values[t]->slots; i++)
            v->bounded[t] = v->values[t]->value[i] >= 0;
    }
    find_classes(v->machine, v->form, memories, &v->classes);
    v->terms = ns_form_terms(v->form);
    v->cube = v->form->needs_hops ? ns_cube_side(v->says.by_node->exchange->nodes) : 0;
    v->hop_bytes = (ns_hop_bytes){0, 0, 0};
    v->says.task = &v->variant[0].task;
    v->by_run = v->says.rule->cap != NULL;
    for (int i = 0; i < v->variants; i++)
        v->by_run = v->by_run || v->variant[i].task.holders > 1;
    return ns_statement_open(&v->says, arena, err);
}

/* ---- between nodes ----------------------------------------------------------------------------------------------- */

/* What sums of messages between nodes are added to, at hand. */
typedef struct between {
    const ns_classes *classes;
    ns_class_sum *row;
    struct ns_partners *partners;
    int64_t stride, width, bytes;
} between;

static inline between between_of(ns_visit *v, int side)
{
    const int64_t row = row_length(&v->classes);
    return (between){
        &v->classes, v->row + side * row, v->partners + side, NS_SIDES * row, v->says.by_node->exchange->width, 0};
}

/* A message of a process and another node, the first of these two or not. */
NS_COMPILED void add_between(between *b, int32_t local, int64_t entries, bool first)
{
    const int64_t bytes = entries * b->width;
    add_to_row(b->row + local * b->stride, class_of(b->classes, NS_OFF_NODE, bytes), bytes);
    b->partners[NS_SIDES * (int64_t)local].count += first;
    b->bytes += bytes;
}

/* Messages in the order of the other node. */
NS_COMPILED void add_in_order(between *b, int32_t local, int64_t entries, int32_t other)
{
    int32_t *last = &b->partners[NS_SIDES * (int64_t)local].last;
    const bool first = *last != other + 1;
    *last = other + 1;
    add_between(b, local, entries, first);
}

static void add_dealt(ns_visit *v, int side)
{
    const ns_chunks c = v->says.chunks[side];
    between b = between_of(v, side);
    for (int64_t i = 0; i < c.count; i++)
        add_in_order(&b, c.local[i], c.entries[i], c.other[i]);
    v->node_bytes[side] = b.bytes;
}

/* A message for each strand, of its owner or, where it comes in, of the process that takes it. */
static void add_strands(ns_visit *v, int side, const ns_strand *strand, int64_t count)
{
    between b = between_of(v, side);
    for (const ns_strand *end = strand + count; strand < end; strand++)
        add_in_order(&b, side == NS_IN ? v->taker[strand->owner] : strand->owner, strand->entries, strand->other);
    v->node_bytes[side] = b.bytes;
}

static void add_routed(ns_visit *v)
{
    const ns_by_node *by = v->says.by_node;
    const int32_t *node_of = by->exchange->site->node_of;
    between b = between_of(v, NS_IN);
    for (int32_t i = 0; i < v->says.size; i++) {
        const ns_route *route = &by->exchange->route[by->received[v->says.process[i]]],
                       *end = &by->exchange->route[by->received[v->says.process[i] + 1]];
        for (const int64_t stamp = ++v->stamps; route < end; route++) {
            const int32_t other = node_of[route->from];
            const bool first = v->met[other] != stamp;
            v->met[other] = stamp;
            if (other != v->says.of.node)
                add_between(&b, i, route->entries, first);
        }
    }
    v->node_bytes[NS_IN] = b.bytes;
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

static inline int32_t partners_of(const ns_visit *v, int32_t local)
{
    const struct ns_partners *met = &v->partners[NS_SIDES * (int64_t)local];
    return met[NS_OUT].count > met[NS_IN].count ? met[NS_OUT].count : met[NS_IN].count;
}

/* The largest sums, when all that is between nodes stands. */
static void note_between(ns_visit *v)
{
    for (int32_t i = 0; i < v->says.size; i++) {
        const int32_t partners = partners_of(v, i);
        int64_t sent = 0;
        for (int side = 0; side < NS_SIDES; side++) {
            const ns_class_sum *row = row_of(v, i, side);
            for (uint64_t bits = (uint64_t)row->messages; bits != 0; bits &= bits - 1) {
                raise_to_row(v->most[side], row, __builtin_ctzll(bits));
                sent += side == NS_OUT ? row[1 + __builtin_ctzll(bits)].messages : 0;
            }
        }
        if (partners > 0 && (v->fewest_partners == 0 || partners < v->fewest_partners))
            v->fewest_partners = partners;
        v->messages_off_node_max = sent > v->messages_off_node_max ? sent : v->messages_off_node_max;
    }
}

/* ---- inside the node --------------------------------------------------------------------------------------------- */

/* What sums of messages inside the node are added to, at hand. */
typedef struct within {
    ns_class_sum *row, *most[NS_SIDES];
    int64_t stride, *inside;
    const ns_classes *classes;
    const int32_t *socket;
} within;

static inline within within_of(ns_visit *v)
{
    return (within){v->row,   {v->most[NS_OUT], v->most[NS_IN]}, row_length(&v->classes), v->inside, &v->classes,
                    v->socket};
}

NS_COMPILED void add_within(const within *w, int32_t from, int32_t to, int64_t bytes)
{
    const int class = class_of(w->classes, w->socket[from] == w->socket[to] ? NS_ON_SOCKET : NS_ON_NODE, bytes);
    ns_class_sum *out = w->row + NS_SIDES * (int64_t)from * w->stride,
                 *in = w->row + (NS_SIDES * (int64_t)to + NS_IN) * w->stride;
    add_to_row(out, class, bytes);
    raise_to_row(w->most[NS_OUT], out, class);
    add_to_row(in, class, bytes);
    raise_to_row(w->most[NS_IN], in, class);
    w->inside[class] += bytes;
}

/* Routes inside the node as they are. */
static void add_stays(ns_visit *v)
{
    const ns_task *task = v->says.task;
    const int32_t *local_of = task->processes->local_of;
    const within w = within_of(v);
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
    const within w = within_of(v);
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

/* Of whole pairs, and parts with one holder: the order of entries tells nothing. */
static void scatter_whole(ns_visit *v, cells *c)
{
    const ns_by_node *by = v->says.by_node;
    const ns_site *site = by->exchange->site;
    const int32_t *part = &site->part[site->first[v->says.of.node]], parts = ns_site_node_size(site, v->says.of.node);
    for (int32_t i = 0; i < parts; i++) {
        const ns_route *end = &by->exchange->route[by->received[part[i] + 1]];
        for (const ns_route *route = &by->exchange->route[by->received[part[i]]]; route < end; route++)
            if (site->node_of[route->from] != v->says.of.node)
                add_cell(c, i, v->taker[route->from], route->entries, NULL, -1);
    }
}

static void gather(ns_visit *v, int32_t holders)
{
    cells c = cells_of(v);
    if (holders == 1)
        ns_name_gather(&v->says, 1, add_cell, &c);
    else
        ns_name_gather(&v->says, holders, add_cell, &c);
    add_cells(v, &c, true);
}

static void scatter(ns_visit *v, int32_t holders)
{
    cells c = cells_of(v);
    if (!v->by_run)
        scatter_whole(v, &c);
    else if (holders == 1)
        ns_name_scatter(&v->says, true, 1, add_cell, &c);
    else
        ns_name_scatter(&v->says, true, holders, add_cell, &c);
    add_cells(v, &c, false);
}

/* ---- the slowest process ----------------------------------------------------------------------------------------- *
 *
 * A load with the largest sums of a node's processes is priced first: none of them takes longer in a cost model that is
 * rising, so that they are priced only where that bound exceeds the slowest process so far.
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

/* The node's processes against the slowest of a step by a transport, by each maximum.  False where a message has no
 * table. */
static bool compare(ns_visit *v, ns_variant *variant, ns_transport transport, int step)
{
    static const double slack = 1 + 0x1p-40; /* rounding of the cost model's own functions */
    const ns_memory memory = ns_transport_memory(transport);
    const int maxima = ns_maxima_of(v->values[transport]);
    ns_row_load *at = &v->at[transport][step];
    ns_slowest *s[NS_MAXIMA] = {NULL};
    bool any = !v->bounded[transport];
    ns_step_price one;
    for (int m = 0; m < maxima; m++)
        s[m] = &variant->slowest[ns_time_at(m, (int)transport, step)];
    one.leaves = s[NS_BY_TIME]->leaves;
    load_node(v, memory, &at->load);
    if (v->bounded[transport]) {
        if (!load_process(&v->classes, memory, variant->strategy, v->most[NS_OUT], v->most[NS_IN], v->fewest_partners,
                          at))
            return false;
        const double all = price_load(v, transport, &at->load, &one);
        for (int m = 0; m < maxima; m++) {
            s[m]->bound = ns_compared_seconds(m, all, &one) * slack;
            any = any || (s[m]->bound > s[m]->seconds && s[m]->bound > s[m]->enough);
        }
    }
    for (int32_t i = 0; i < v->says.size && any; i++) {
        const ns_class_sum *out = row_of(v, i, NS_OUT), *in = row_of(v, i, NS_IN);
        if ((out->messages | in->messages) == 0)
            continue;
        if (!load_process(&v->classes, memory, variant->strategy, out, in, partners_of(v, i), at))
            return false;
        const double all = price_load(v, transport, &at->load, &one);
        for (int m = 0; m < maxima; m++) {
            const double seconds = ns_compared_seconds(m, all, &one);
            if (seconds <= s[m]->seconds || (v->bounded[transport] && s[m]->bound <= s[m]->enough))
                continue;
            s[m]->seconds = seconds;
            s[m]->bytes_s = one.bytes_s;
            s[m]->waits_s = one.waits_s;
            memcpy(s[m]->term, one.term, sizeof one.term);
            s[m]->process = v->says.process[i];
            s[m]->load = at->load;
        }
    }
    for (int m = 0; m < maxima; m++)
        s[m]->leaves = one.leaves;
    return true;
}

/* Price the sums that stand, by each transport, and reset them to zero. */
static bool price_sums(ns_visit *v, ns_variant *variant, int step)
{
    const int64_t rows = NS_SIDES * (int64_t)v->says.size, row = row_length(&v->classes);
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
    const bool once = v->says.steps > 1; /* for each node */
    const ns_strand *strand = once ? n->strand[NS_OUT] : n->route,
                    *end = strand + (once ? n->strands[NS_OUT] : n->routes);
    for (; strand < end && v->cube > 0; strand++)
        ns_hop_bytes_add(&v->hop_bytes, v->cube, n->node, strand->other,
                         strand->entries * v->says.by_node->exchange->width);
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
    for (int t = 0; t < NS_TRANSPORTS; t++)
        for (int step = 0; step < NS_RULE_STEPS; step++)
            v->at[t][step] = (ns_row_load){.load = {.first = step == 0,
                                                    .later = step > 0,
                                                    .link_bytes = step == v->says.exchange_step ? link_bytes : 0}};
    ns_visit_forget(v);
}

/* Where a rule deals, what stays in the node is gathered with the rest. */
static bool exchange(ns_visit *v)
{
    for (int side = 0; side < NS_SIDES && v->says.rule->deal != NULL; side++) {
        ns_statement_deal(&v->says, side);
        add_dealt(v, side);
    }
    if (v->says.rule->takes != NULL) {
        find_takers(v);
        for (int side = 0; side < NS_SIDES; side++)
            add_strands(v, side, v->says.of.strand[side], v->says.of.strands[side]);
    } else if (v->says.rule->deal == NULL) {
        add_strands(v, NS_OUT, v->says.of.route, v->says.of.routes);
        add_routed(v);
    }
    note_between(v);
    if (v->says.rule->deal == NULL)
        add_stays(v);
    return price_sums(v, &v->variant[0], v->says.exchange_step);
}

static bool gather_and_scatter(ns_visit *v, ns_variant *variant)
{
    bool priced = true;
    ns_statement_hold(&v->says, &variant->task);
    if (v->says.rule->deal != NULL) {
        gather(v, variant->task.holders);
        priced = price_sums(v, variant, 0);
        if (!v->by_run)
            find_takers(v);
    }
    scatter(v, variant->task.holders);
    return price_sums(v, variant, v->says.exchange_step + 1) && priced;
}

bool ns_visit_node(ns_visit *v, const ns_node *node)
{
    ns_statement_at(&v->says, node);
    for (int32_t i = 0; i < v->says.size; i++)
        v->socket[i] = v->says.task->processes->socket_of[v->says.process[i]];
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
    const int maxima = ns_maxima_of(v->values[transport]), steps = v->says.steps;
    ns_step_price waiting[NS_RULE_STEPS];
    memset(price, 0, sizeof *price);
    price->steps = steps;
    if (maxima > 1)
        memset(waiting, 0, sizeof waiting);
    for (int k = 0; k < maxima * steps; k++) {
        const int m = k / steps, i = k % steps;
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
    return ns_price_close(v->values[transport], &copying, confidence, maxima > 1 ? waiting : NULL, price, err);
}
