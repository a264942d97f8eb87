/* replay.c -- a schedule carried out with real items
 *
 * Every part's processes begin with its own items.  A step's messages leave together: what they carry must have been
 * there before the step.  Delivered to part p on node N is what reaches one of p's processes in a slice meant for p
 * (D(q, p), or an L slice for `only` p), or else in a whole L(M, N) slice that p needs; with several processes a part,
 * a whole slice may only pass through one of them on its way to the one whose share the item is.  Where items end and
 * where they first leave has to be what the copies say, process by process.
 */
#include "core/memory.h"
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

typedef struct parcel {
    int32_t process;
    int64_t item;
} parcel;

/* How an item came to a part that needs it: times and process, in slices meant for the part and in whole ones. */
typedef struct arrival {
    int32_t meant, meant_at, whole, whole_at;
} arrival;

typedef struct world {
    const oracle_need *need;
    const ns_exchange *exchange;
    const ns_schedule *schedule;
    const int32_t *unit_of; /* [processes] what a column crosses to once: the node, or the group that stands for it */
    oracle_lists direct, paired;
    int64_t words;
    uint64_t *holds;    /* [process * words]: bit set of items */
    arrival *arrivals;  /* [need->start[items]]: by item and needing part */
    int32_t *crossings; /* [paired.start[groups]]: by item and receiving node */
    int32_t *first_hop; /* the same: 1 + the process it first leaves, 0 while it has not */
    int64_t *copied[2]; /* [part * holders + which]: items out of, into the part by its processes */
    parcel *parcel;     /* what the running step has brought */
    int64_t parcels, room;
    oracle_traffic *traffic;
} world;

static bool is_home(const ns_schedule *schedule, int32_t part, int32_t process)
{
    return process >= schedule->home[part] && process < schedule->home[part] + schedule->holders;
}

static bool holds(const world *w, int32_t process, int64_t item)
{
    return (w->holds[process * w->words + item / 64] >> (item % 64) & 1) != 0;
}

static void hold(world *w, int32_t process, int64_t item)
{
    w->holds[process * w->words + item / 64] |= UINT64_C(1) << (item % 64);
}

static void bring(world *w, int32_t process, int64_t item)
{
    if (w->parcels == w->room) {
        w->room = 2 * w->room + 1024;
        w->parcel = ns_realloc(w->parcel, (size_t)w->room * sizeof *w->parcel);
        if (w->parcel == NULL)
            abort();
    }
    w->parcel[w->parcels++] = (parcel){process, item};
}

static arrival *arrival_of(world *w, int64_t item, int32_t part)
{
    for (int64_t i = w->need->start[item]; i < w->need->start[item + 1]; i++)
        if (w->need->part[i] == part)
            return &w->arrivals[i];
    return NULL;
}

static bool arrive(world *w, int64_t item, int32_t part, int32_t process, char why[256])
{
    arrival *a = arrival_of(w, item, part);
    if (a == NULL)
        return oracle_say(why, "part %d is sent item %lld, which it does not need", part, (long long)item);
    a->meant++;
    a->meant_at = process;
    return true;
}

/* A whole L(M, N) slice has come to `process` of N: every part that lives there takes what it needs. */
static void arrive_at_all(world *w, int64_t item, int32_t node, int32_t process)
{
    for (int32_t p = 0; p < w->need->parts; p++) {
        if (w->exchange->site->node_of[p] != node)
            continue;
        arrival *a = is_home(w->schedule, p, process) ? arrival_of(w, item, p) : NULL;
        if (a != NULL) {
            a->whole++;
            a->whole_at = process;
        }
    }
}

static void count_copy(world *w, ns_direction direction, int32_t part, int32_t process)
{
    w->copied[direction][part * w->schedule->holders + process - w->schedule->home[part]]++;
}

/* One item of a slice: the sender has to hold it. */
static bool carry(world *w, const ns_message *message, int64_t item, char why[256])
{
    if (!holds(w, message->from, item))
        return oracle_say(why, "process %d sends item %lld of part %d to process %d but does not hold it",
                          message->from, (long long)item, w->need->owner[item], message->to);
    bring(w, message->to, item);
    return true;
}

static bool carry_direct(world *w, const ns_message *message, const ns_slice *slice, int64_t *items, char why[256])
{
    int64_t group = oracle_group(&w->direct, slice->from, slice->to);
    if (group < 0 || slice->first < 0 || slice->entries < 1 ||
        slice->first + slice->entries > w->direct.start[group + 1] - w->direct.start[group])
        return oracle_say(why, "slice D(%d, %d)[%lld, +%lld) is out of bounds", slice->from, slice->to,
                          (long long)slice->first, (long long)slice->entries);
    const bool leaves = is_home(w->schedule, slice->from, message->from),
               ends = is_home(w->schedule, slice->to, message->to);
    if ((!leaves || !ends) && w->schedule->strategy->grid == NULL)
        return oracle_say(why, "slice D(%d, %d) goes from process %d to %d, which are not its parts'", slice->from,
                          slice->to, message->from, message->to);
    for (int64_t i = 0; i < slice->entries; i++) {
        int64_t item = w->direct.item[w->direct.start[group] + slice->first + i];
        if (leaves)
            count_copy(w, NS_D2H, slice->from, message->from);
        if ((ends && !arrive(w, item, slice->to, message->to, why)) || !carry(w, message, item, why))
            return false;
    }
    *items += slice->entries;
    return true;
}

static bool carry_paired(world *w, const ns_message *message, const ns_slice *slice, int64_t *items, char why[256])
{
    const int32_t source = w->unit_of[message->from], target = w->unit_of[message->to];
    if (slice->pair >= w->paired.groups || slice->first < 0 || slice->entries < 1 ||
        slice->first + slice->entries > w->paired.start[slice->pair + 1] - w->paired.start[slice->pair])
        return oracle_say(why, "slice of pair %lld [%lld, +%lld) is out of bounds", (long long)slice->pair,
                          (long long)slice->first, (long long)slice->entries);
    int32_t node = w->paired.to[slice->pair];
    if (slice->only >= 0 && !is_home(w->schedule, slice->only, message->to))
        return oracle_say(why, "a slice only for part %d goes to process %d", slice->only, message->to);
    if (target != node && (target != source || source != w->paired.from[slice->pair]))
        return oracle_say(why, "an item for node %d goes from node %d to node %d", node, source, target);
    for (int64_t i = 0; i < slice->entries; i++) {
        int64_t at = w->paired.start[slice->pair] + slice->first + i, item = w->paired.item[at];
        if (slice->only >= 0 && !oracle_needs(w->need, item, slice->only))
            continue;
        (*items)++;
        w->crossings[at] += source != target;
        if (w->first_hop[at] == 0)
            w->first_hop[at] = message->from + 1;
        if (slice->only < 0 && target == node)
            arrive_at_all(w, item, node, message->to);
        if ((slice->only >= 0 && !arrive(w, item, slice->only, message->to, why)) || !carry(w, message, item, why))
            return false;
    }
    return true;
}

static bool carry_message(world *w, const ns_message *message, char why[256])
{
    const ns_schedule *schedule = w->schedule;
    int64_t items = 0;
    if (message->from < 0 || message->from >= schedule->processes || message->to < 0 ||
        message->to >= schedule->processes || message->from == message->to)
        return oracle_say(why, "a message from process %d to process %d", message->from, message->to);
    if (message->slice < 0 || message->slices < 1 || message->slice + message->slices > schedule->slices)
        return oracle_say(why, "message %d -> %d: slices out of bounds", message->from, message->to);
    for (int64_t s = message->slice; s < message->slice + message->slices; s++) {
        const ns_slice *slice = &schedule->slice[s];
        if (!(slice->pair < 0 ? carry_direct(w, message, slice, &items, why)
                              : carry_paired(w, message, slice, &items, why)))
            return false;
    }
    if (items < 1 || message->bytes != items * w->exchange->width)
        return oracle_say(why, "message %d -> %d says %lld B but carries %lld items of %lld B", message->from,
                          message->to, (long long)message->bytes, (long long)items, (long long)w->exchange->width);
    int32_t source = schedule->site->node_of[message->from], target = schedule->site->node_of[message->to];
    if (source != target) {
        w->traffic->bytes[(int64_t)source * w->traffic->nodes + target] += message->bytes;
        w->traffic->messages[(int64_t)source * w->traffic->nodes + target]++;
    }
    return true;
}

static bool sorted(const ns_step *step, char why[256])
{
    for (int64_t i = 1; i < step->messages; i++) {
        const ns_message *a = &step->message[i - 1], *b = &step->message[i];
        if (a->from > b->from || (a->from == b->from && a->to > b->to))
            return oracle_say(why, "step %s: message %lld is out of order", step->name, (long long)i);
        if (step->joining != NS_APART && a->from == b->from && a->to == b->to)
            return oracle_say(why, "step %s: two messages from %d to %d", step->name, a->from, a->to);
    }
    return true;
}

/* sent[], received[] and by_receiver[] index every message once, under its own sender and receiver. */
static bool indexed(const ns_schedule *schedule, const ns_step *step, char why[256])
{
    if (step->sent[0] != 0 || step->received[0] != 0 || step->sent[schedule->processes] != step->messages ||
        step->received[schedule->processes] != step->messages)
        return oracle_say(why, "step %s: sent or received do not span the messages", step->name);
    int32_t *seen = oracle_alloc(step->messages, sizeof *seen);
    bool good = true;
    for (int32_t p = 0; good && p < schedule->processes; p++) {
        for (int64_t i = step->sent[p]; good && i < step->sent[p + 1]; i++)
            good = step->message[i].from == p;
        for (int64_t i = step->received[p]; good && i < step->received[p + 1]; i++)
            good = step->by_receiver[i] >= 0 && step->by_receiver[i] < step->messages &&
                   step->message[step->by_receiver[i]].to == p && seen[step->by_receiver[i]]++ == 0;
    }
    ns_free(seen);
    return good || oracle_say(why, "step %s: sent, received or by_receiver is wrong", step->name);
}

static bool run_step(world *w, const ns_step *step, char why[256])
{
    if (!sorted(step, why) || !indexed(w->schedule, step, why))
        return false;
    w->parcels = 0;
    for (int64_t i = 0; i < step->messages; i++)
        if (!carry_message(w, &step->message[i], why))
            return false;
    for (int64_t i = 0; i < w->parcels; i++)
        hold(w, w->parcel[i].process, w->parcel[i].item);
    return true;
}

/* Parts that share a process have each other's items without a message. */
static bool share_a_process(const ns_schedule *schedule, int32_t a, int32_t b)
{
    int32_t distance = schedule->home[a] - schedule->home[b];
    return distance < schedule->holders && -distance < schedule->holders;
}

/* Exactly once, and where it is to stay; a whole slice may pass through another process of the part. */
static bool arrived(const world *w, const arrival *a, int32_t owner, int32_t part)
{
    if (a->meant == 0 && a->whole == 0)
        return share_a_process(w->schedule, owner, part);
    if (a->meant == 0 || a->whole == 0)
        return a->meant + a->whole == 1;
    return a->meant == 1 && a->whole == 1 && a->meant_at != a->whole_at;
}

/* Notes where everything ends. */
static bool all_arrived(world *w, char why[256])
{
    for (int64_t item = 0; item < w->need->items; item++)
        for (int64_t i = w->need->start[item]; i < w->need->start[item + 1]; i++) {
            const arrival *a = &w->arrivals[i];
            if (!arrived(w, a, w->need->owner[item], w->need->part[i]))
                return oracle_say(why, "item %lld of part %d reaches part %d %d times for itself, %d times in passing",
                                  (long long)item, w->need->owner[item], w->need->part[i], a->meant, a->whole);
            if (a->meant + a->whole > 0) {
                count_copy(w, NS_H2D, w->need->part[i], a->meant > 0 ? a->meant_at : a->whole_at);
            } else { /* through the process that both parts live on, still out of one device and into another */
                count_copy(w, NS_D2H, w->need->owner[item], w->schedule->home[w->need->owner[item]]);
                count_copy(w, NS_H2D, w->need->part[i], w->schedule->home[w->need->part[i]]);
            }
        }
    return true;
}

/* Where node-bound items first leave their part. */
static bool all_left(world *w, char why[256])
{
    for (int64_t at = 0; at < w->paired.start[w->paired.groups]; at++) {
        int32_t part = w->need->owner[w->paired.item[at]], process = w->first_hop[at] - 1;
        if (!is_home(w->schedule, part, process))
            return oracle_say(why, "item %lld of part %d first leaves process %d", (long long)w->paired.item[at], part,
                              process);
        count_copy(w, NS_D2H, part, process);
    }
    return true;
}

/* Each process copies what it sends for its part and what ends with it, no more and no less. */
static bool copies_agree(const world *w, char why[256])
{
    const ns_schedule *schedule = w->schedule;
    for (int d = 0; schedule->staged && d < NS_DIRECTIONS; d++)
        for (int64_t i = 0; i < schedule->copies[d]; i++) {
            const ns_copy *copy = &schedule->copy[d][i];
            int64_t items = w->copied[d][copy->part * schedule->holders + copy->process - schedule->home[copy->part]];
            if (copy->bytes != items * w->exchange->width)
                return oracle_say(why, "part %d: process %d copies %lld B %s, expected %lld", copy->part, copy->process,
                                  (long long)copy->bytes, d == NS_D2H ? "out" : "in",
                                  (long long)(items * w->exchange->width));
        }
    return true;
}

/* In a node-aware strategy every item crosses once to each node that needs it. */
static bool crossed_once(const world *w, char why[256])
{
    for (int64_t g = 0; g < w->paired.groups; g++)
        for (int64_t at = w->paired.start[g]; at < w->paired.start[g + 1]; at++)
            if (w->crossings[at] != 1)
                return oracle_say(why, "item %lld crosses %d times from node %d to node %d",
                                  (long long)w->paired.item[at], w->crossings[at], w->paired.from[g], w->paired.to[g]);
    return true;
}

static void begin(world *w)
{
    const ns_schedule *schedule = w->schedule;
    oracle_direct(w->need, &w->direct);
    oracle_by_node(w->need, w->exchange->site->node_of, &w->paired);
    w->words = w->need->items / 64 + 1;
    w->holds = oracle_alloc(schedule->processes * w->words, sizeof *w->holds);
    w->arrivals = oracle_alloc(w->need->start[w->need->items], sizeof *w->arrivals);
    w->first_hop = oracle_alloc(w->paired.start[w->paired.groups], sizeof *w->first_hop);
    for (int d = 0; d < NS_DIRECTIONS; d++)
        w->copied[d] = oracle_alloc((int64_t)schedule->parts * schedule->holders, sizeof(int64_t));
    w->crossings = oracle_alloc(w->paired.start[w->paired.groups], sizeof *w->crossings);
    *w->traffic = (oracle_traffic){.nodes = schedule->nodes};
    w->traffic->bytes = oracle_alloc((int64_t)schedule->nodes * schedule->nodes, sizeof(int64_t));
    w->traffic->messages = oracle_alloc((int64_t)schedule->nodes * schedule->nodes, sizeof(int64_t));
    for (int64_t item = 0; item < w->need->items; item++)
        for (int32_t i = 0; i < schedule->holders; i++)
            hold(w, schedule->home[w->need->owner[item]] + i, item);
}

static void end(world *w)
{
    oracle_lists_free(&w->direct);
    oracle_lists_free(&w->paired);
    ns_free(w->holds);
    ns_free(w->arrivals);
    ns_free(w->crossings);
    ns_free(w->first_hop);
    ns_free(w->copied[NS_D2H]);
    ns_free(w->copied[NS_H2D]);
    ns_free(w->parcel);
}

void oracle_traffic_free(oracle_traffic *traffic)
{
    ns_free(traffic->bytes);
    ns_free(traffic->messages);
    *traffic = (oracle_traffic){0, NULL, NULL};
}

bool oracle_replay(const oracle_need *need, const ns_exchange *exchange, const ns_schedule *schedule,
                   oracle_traffic *traffic, char why[256])
{
    const int32_t *node_of = schedule->site->node_of, *part_on = ns_exchange_stands(exchange)->node_of;
    *traffic = (oracle_traffic){0, NULL, NULL};
    world w = {.need = need, .exchange = exchange, .schedule = schedule, .traffic = traffic};
    w.unit_of = exchange->stands != NULL ? exchange->site->node_of : node_of;
    for (int32_t p = 0; p < need->parts; p++)
        if (node_of[schedule->home[p]] != part_on[p] ||
            node_of[schedule->home[p] + schedule->holders - 1] != part_on[p])
            return oracle_say(why, "part %d lives on process %d, off its node", p, schedule->home[p]);
    begin(&w);
    bool good = true;
    for (int s = 0; good && s < schedule->steps; s++)
        good = run_step(&w, &schedule->step[s], why);
    good = good && all_arrived(&w, why) &&
           (!schedule->strategy->node_aware || (crossed_once(&w, why) && all_left(&w, why))) && copies_agree(&w, why);
    end(&w);
    return good;
}
