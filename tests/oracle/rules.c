/* rules.c -- what each strategy promises: which process sends what to which, in how many messages of what size */
#include "rules.h"

#include "core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int32_t node_size(const ns_exchange *exchange, int32_t node)
{
    return exchange->site->first[node + 1] - exchange->site->first[node];
}

static int32_t node_of(const ns_schedule *schedule, int32_t process)
{
    return schedule->site->node_of[process];
}

static bool off_node(const ns_schedule *schedule, const ns_message *message)
{
    return node_of(schedule, message->from) != node_of(schedule, message->to);
}

/* ---- homes, steps, copies ---------------------------------------------------------------------------------------- */

/* Where a process stands: its part's node and local rank, or when all take part ppn to a node. */
static bool stands(const book *b, int32_t process)
{
    const ns_schedule *s = b->schedule;
    const ns_site *parts = b->exchange->site;
    bool all = s->strategy->all_processes;
    int32_t node = all ? process / s->ppn : parts->node_of[process],
            local = all ? process % s->ppn : parts->local_of[process],
            socket = !all && parts->socket_of != NULL ? parts->socket_of[process] : local * s->sockets / s->ppn;
    return (s->site->node_of[process] == node && s->site->local_of[process] == local &&
            s->site->socket_of[process] == socket) ||
           oracle_say(b->why, "process %d stands on node %d, socket %d, expected node %d, socket %d", process,
                      s->site->node_of[process], s->site->socket_of[process], node, socket);
}

/* Part i of a node lives at local rank i ppn / G, or is its own process. */
static bool homes(const book *b)
{
    const ns_schedule *s = b->schedule;
    const ns_site *parts = b->exchange->site;
    int32_t per_node = b->exchange->per_node;
    if (s->parts != b->exchange->parts || s->per_node != per_node || s->nodes != b->exchange->nodes)
        return oracle_say(b->why, "the schedule's parts, per_node or nodes are not the exchange's");
    if (s->processes != (s->strategy->all_processes ? s->nodes * s->ppn : s->parts))
        return oracle_say(b->why, "%d processes of %d parts on %d nodes", s->processes, s->parts, s->nodes);
    for (int32_t process = 0; process < s->processes; process++)
        if (!stands(b, process))
            return false;
    for (int32_t p = 0; p < s->parts; p++) {
        int32_t rank =
            s->strategy->all_processes ? parts->node_of[p] * s->ppn + parts->local_of[p] * s->ppn / per_node : p;
        if (s->home[p] != rank)
            return oracle_say(b->why, "part %d lives on process %d, expected %d", p, s->home[p], rank);
    }
    return true;
}

/* Messages inside a node go direct, in the first step; off-node ones all go in one step. */
static bool direct_first(const book *b, bool node_aware)
{
    const ns_schedule *s = b->schedule;
    int exchange_step = -1;
    for (int i = 0; i < s->steps; i++)
        for (int64_t m = 0; m < s->step[i].messages; m++) {
            const ns_message *message = &s->step[i].message[m];
            bool off = off_node(s, message);
            if (off && exchange_step >= 0 && exchange_step != i)
                return oracle_say(b->why, "off-node messages in two steps");
            if (off)
                exchange_step = i;
            for (int64_t k = message->slice; k < message->slice + message->slices; k++)
                if (s->slice[k].pair < 0 && (i != 0 || (node_aware && off)))
                    return oracle_say(b->why, "D(%d, %d) travels in step %d%s", s->slice[k].from, s->slice[k].to, i,
                                      off ? " off node" : "");
        }
    return true;
}

/* What part q copies out: what it sends on its node, and off it each column once per part or once per node. */
static int64_t copied_out(const book *b, int32_t q, bool node_aware)
{
    int64_t items = 0;
    const int32_t *on = b->exchange->site->node_of;
    for (int64_t item = 0; item < b->need->items; item++)
        for (int64_t i = b->need->start[item]; b->need->owner[item] == q && i < b->need->start[item + 1]; i++)
            items += !node_aware || on[b->need->part[i]] == on[q] || oracle_first_on_node(b->need, on, item, i);
    return items * b->exchange->width;
}

static int64_t copied_in(const book *b, int32_t p)
{
    int64_t items = 0;
    for (int64_t i = 0; i < b->need->start[b->need->items]; i++)
        items += b->need->part[i] == p;
    return items * b->exchange->width;
}

static bool copies_of(const book *b, int32_t part, int direction, int64_t expected)
{
    const ns_schedule *s = b->schedule;
    int64_t bytes = 0, most = 0;
    for (int64_t i = 0; i < s->copies[direction]; i++) {
        const ns_copy *copy = &s->copy[direction][i];
        if (copy->part != part)
            continue;
        if (copy->process < s->home[part] || copy->process >= s->home[part] + s->holders || copy->bytes < 0)
            return oracle_say(b->why, "part %d is copied by process %d", part, copy->process);
        bytes += copy->bytes;
        most = copy->bytes > most ? copy->bytes : most;
    }
    int64_t items = expected / b->exchange->width, share = (items + s->holders - 1) / s->holders;
    if (bytes != expected)
        return oracle_say(b->why, "part %d copies %lld B %s, expected %lld", part, (long long)bytes,
                          direction == NS_D2H ? "out" : "in", (long long)expected);
    return most <= share * b->exchange->width ||
           oracle_say(b->why, "part %d: one process copies %lld of %lld B, more than its share", part, (long long)most,
                      (long long)expected);
}

static bool copies(const book *b, bool node_aware)
{
    const ns_schedule *s = b->schedule;
    int32_t room = s->ppn / s->per_node, most = s->strategy->holders < 1 ? 1 : s->strategy->holders,
            holders = room < 1      ? 1
                      : room < most ? room
                                    : most;
    if (s->holders != holders)
        return oracle_say(b->why, "%d processes hold a part, expected %d", s->holders, holders);
    if (!s->staged)
        return (s->copies[NS_D2H] == 0 && s->copies[NS_H2D] == 0) || oracle_say(b->why, "copies, but not staged");
    for (int32_t p = 0; p < s->parts; p++)
        if (!copies_of(b, p, NS_D2H, copied_out(b, p, node_aware)) || !copies_of(b, p, NS_H2D, copied_in(b, p)))
            return false;
    return true;
}

/* ---- off-node messages ------------------------------------------------------------------------------------------- */

static crossing *crossings(const book *b, int64_t *count)
{
    const ns_schedule *s = b->schedule;
    int64_t room = 0;
    for (int i = 0; i < s->steps; i++)
        room += s->step[i].messages;
    crossing *list = oracle_alloc(room, sizeof *list);
    *count = 0;
    for (int i = 0; i < s->steps; i++)
        for (int64_t m = 0; m < s->step[i].messages; m++)
            if (off_node(s, &s->step[i].message[m]))
                list[(*count)++] =
                    (crossing){s->step[i].message[m].from, s->step[i].message[m].to, s->step[i].message[m].bytes};
    return list;
}

static int64_t find(const crossing *list, int64_t count, int32_t from, int32_t to)
{
    int64_t found = -1;
    for (int64_t i = 0; i < count && found < 0; i++)
        if (list[i].from == from && list[i].to == to)
            found = list[i].bytes;
    return found;
}

static bool expect_message(const book *b, const crossing *list, int64_t count, int32_t from, int32_t to, int64_t bytes)
{
    int64_t found = find(list, count, from, to);
    return found == bytes || oracle_say(b->why, "message %d -> %d: expected %lld B off node, got %lld", from, to,
                                        (long long)bytes, (long long)found);
}

/* standard: every message of the pattern, each part for itself. */
static bool standard(const book *b, const crossing *list, int64_t count)
{
    int64_t off = 0, all = 0;
    for (int64_t g = 0; g < b->direct.groups; g++) {
        int32_t from = b->direct.from[g], to = b->direct.to[g];
        if (b->exchange->site->node_of[from] == b->exchange->site->node_of[to])
            continue;
        off++;
        if (!expect_message(b, list, count, from, to,
                            (b->direct.start[g + 1] - b->direct.start[g]) * b->exchange->width))
            return false;
    }
    for (int i = 0; i < b->schedule->steps; i++)
        all += b->schedule->step[i].messages;
    return (off == count && all == b->direct.groups) ||
           oracle_say(b->why, "%lld messages, %lld off node; expected %lld and %lld", (long long)all, (long long)count,
                      (long long)b->direct.groups, (long long)off);
}

/* ---- three-step -------------------------------------------------------------------------------------------------- */

typedef struct load {
    int32_t node;
    int64_t bytes, group;
} load;

static int largest_first(const void *x, const void *y)
{
    const load *a = x, *b = y;
    return a->bytes != b->bytes ? (a->bytes < b->bytes ? 1 : -1) : (a->node > b->node) - (a->node < b->node);
}

/* Deal one node's destinations (or sources) to its processes: the largest first, each to the least loaded. */
static void deal(const book *b, int32_t node, bool sending, int32_t *process)
{
    const int32_t *mine = sending ? b->paired.from : b->paired.to, *other = sending ? b->paired.to : b->paired.from;
    load *loads = oracle_alloc(b->paired.groups, sizeof *loads);
    int64_t count = 0, *given = oracle_alloc(b->exchange->per_node, sizeof *given);
    for (int64_t g = 0; g < b->paired.groups; g++)
        if (mine[g] == node)
            loads[count++] = (load){other[g], (b->paired.start[g + 1] - b->paired.start[g]) * b->exchange->width, g};
    qsort(loads, (size_t)count, sizeof *loads, largest_first);
    for (int64_t i = 0; i < count; i++) {
        int32_t least = 0;
        for (int32_t r = 1; r < node_size(b->exchange, node); r++)
            if (given[r] < given[least])
                least = r;
        given[least] += loads[i].bytes;
        process[loads[i].group] = b->exchange->site->part[b->exchange->site->first[node] + least];
    }
    ns_free(loads);
    ns_free(given);
}

static bool three_step(const book *b, const crossing *list, int64_t count)
{
    int32_t *from = oracle_alloc(b->paired.groups, sizeof *from), *to = oracle_alloc(b->paired.groups, sizeof *to);
    for (int32_t node = 0; node < b->exchange->nodes; node++) {
        deal(b, node, true, from);
        deal(b, node, false, to);
    }
    bool good = count == b->paired.groups || oracle_say(b->why, "%lld off-node messages for %lld pairs of nodes",
                                                        (long long)count, (long long)b->paired.groups);
    for (int64_t g = 0; good && g < b->paired.groups; g++)
        good = expect_message(b, list, count, from[g], to[g],
                              (b->paired.start[g + 1] - b->paired.start[g]) * b->exchange->width);
    ns_free(from);
    ns_free(to);
    return good;
}

/* ---- two-step ---------------------------------------------------------------------------------------------------- */

static bool two_step(const book *b, const crossing *list, int64_t count)
{
    int64_t expected = 0;
    const ns_site *site = b->exchange->site;
    for (int64_t g = 0; g < b->paired.groups; g++) {
        int32_t node = b->paired.to[g];
        for (int32_t q = 0; q < b->exchange->parts; q++) {
            int64_t items = 0;
            if (site->node_of[q] != b->paired.from[g])
                continue;
            for (int64_t i = b->paired.start[g]; i < b->paired.start[g + 1]; i++)
                items += b->need->owner[b->paired.item[i]] == q;
            if (items == 0)
                continue;
            expected++;
            int32_t local = site->local_of[q] % node_size(b->exchange, node);
            if (!expect_message(b, list, count, q, site->part[site->first[node] + local], items * b->exchange->width))
                return false;
        }
    }
    return expected == count ||
           oracle_say(b->why, "%lld off-node messages, expected %lld", (long long)count, (long long)expected);
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

/* Parts are of one group where they stand on one node, there in the same g local indices, or on the same socket. */
static bool groups(const ns_exchange *exchange, const ns_schedule *schedule, char why[256])
{
    const ns_site *on = schedule->site;
    const int32_t g = schedule->strategy->group, *group_of = exchange->site->node_of;
    for (int32_t a = 0; a < exchange->parts; a++)
        for (int32_t b = 0; b < a; b++) {
            const bool together =
                on->node_of[a] == on->node_of[b] &&
                (g > 0 ? on->local_of[a] / g == on->local_of[b] / g : on->socket_of[a] == on->socket_of[b]);
            if (together != (group_of[a] == group_of[b]))
                return oracle_say(why, "parts %d and %d are%s of one group", a, b, together ? " not" : "");
        }
    return true;
}

/* ---- staged ------------------------------------------------------------------------------------------------------ */

/* Where the grid has a place for each process: after step i an item is where the first i coordinates are those of its
 * end, and the others those of its origin. */
static bool staged(const book *b)
{
    const ns_schedule *s = b->schedule;
    const int32_t parts = b->exchange->parts;
    int64_t places = 1, below = 1, *bytes = oracle_alloc((int64_t)parts * parts, sizeof *bytes);
    bool good = true;
    for (const int32_t *k = s->strategy->grid; *k > 0 && places <= parts; k++)
        places *= *k;
    below = places;
    for (int i = 0; places == parts && good && i < s->steps; i++) {
        const int64_t before = below;
        below /= s->strategy->grid[i];
        memset(bytes, 0, (size_t)parts * (size_t)parts * sizeof *bytes);
        for (int64_t g = 0; g < b->direct.groups; g++) {
            const int64_t from = b->direct.from[g], to = b->direct.to[g], a = to / before * before + from % before,
                          c = to / below * below + from % below;
            bytes[a * parts + c] += (b->direct.start[g + 1] - b->direct.start[g]) * b->exchange->width * (a != c);
        }
        for (int64_t m = 0; good && m < s->step[i].messages; m++) {
            const ns_message *message = &s->step[i].message[m];
            int64_t *expected = &bytes[(int64_t)message->from * parts + message->to];
            good = *expected == message->bytes ||
                   oracle_say(b->why, "step %d, %d -> %d: %lld B, expected %lld", i, message->from, message->to,
                              (long long)message->bytes, (long long)*expected);
            *expected = 0;
        }
        for (int64_t m = 0; good && m < (int64_t)parts * parts; m++)
            good = bytes[m] == 0 || oracle_say(b->why, "step %d, %d -> %d: no message, expected %lld B", i,
                                               (int)(m / parts), (int)(m % parts), (long long)bytes[m]);
        for (int32_t p = 0; good && p < parts; p++)
            good = s->step[i].sent[p + 1] - s->step[i].sent[p] < s->strategy->grid[i] ||
                   oracle_say(b->why, "process %d sends %lld messages in step %d", p,
                              (long long)(s->step[i].sent[p + 1] - s->step[i].sent[p]), i);
    }
    ns_free(bytes);
    return good;
}

bool oracle_rules(const oracle_need *need, const ns_exchange *exchange, const ns_schedule *schedule, int64_t cap,
                  char why[256])
{
    book b = {.need = need, .exchange = exchange, .schedule = schedule, .cap = cap, .why = why};
    char name[64];
    bool node_aware = schedule->strategy->node_aware;
    int64_t count;
    ns_schedule by_groups = *schedule;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(schedule->strategy->name, ":"), schedule->strategy->name);
    if (schedule->strategy->group != 0) { /* what the strategy promises of nodes holds of groups */
        if (!groups(exchange, schedule, why))
            return false;
        by_groups.site = exchange->site;
        by_groups.nodes = exchange->nodes;
        by_groups.per_node = by_groups.ppn = exchange->per_node;
        b.schedule = &by_groups;
    }
    oracle_direct(need, &b.direct);
    oracle_by_node(need, exchange->site->node_of, &b.paired);
    crossing *list = crossings(&b, &count);
    bool good =
        homes(&b) && (schedule->strategy->grid != NULL || direct_first(&b, node_aware)) && copies(&b, node_aware);
    if (good && schedule->strategy->grid != NULL)
        good = staged(&b);
    if (good && strcmp(name, "standard") == 0)
        good = standard(&b, list, count);
    else if (good && strcmp(name, "three-step") == 0)
        good = three_step(&b, list, count);
    else if (good && strcmp(name, "two-step") == 0)
        good = two_step(&b, list, count);
    else if (good && strncmp(name, "split", 5) == 0)
        good = oracle_rules_split(&b, list, count);
    ns_free(list);
    oracle_lists_free(&b.direct);
    oracle_lists_free(&b.paired);
    return good;
}
