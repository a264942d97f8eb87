/* rules_split.c -- what split promises of its chunks: their sizes, and who sends and receives which */
#include "core/memory.h"
#include "rules.h"

#include <stdlib.h>

static int32_t node_of(const book *b, int32_t process)
{
    return b->schedule->site->node_of[process];
}

/* Algorithm 1, lines 12-17: the cap of a receiving node. */
static int64_t cap_of(const book *b, int32_t node)
{
    int64_t volume = 0, most = 0, ppn = b->schedule->ppn;
    for (int64_t g = 0; g < b->paired.groups; g++) {
        if (b->paired.to[g] != node)
            continue;
        int64_t bytes = (b->paired.start[g + 1] - b->paired.start[g]) * b->exchange->width;
        volume += bytes;
        most = bytes > most ? bytes : most;
    }
    int64_t raised = (volume + ppn - 1) / ppn;
    if (b->cap == 0 || most < b->cap) /* no rendezvous, or one chunk a node */
        return most;
    return raised < b->cap ? b->cap : raised;
}

/* Chunks of one pair: none above the cap (to a whole entry), no more of them than that takes. */
static bool chunks_of(const book *b, int64_t group, int64_t cap, const crossing *list, int64_t count)
{
    int64_t width = b->exchange->width, bytes = (b->paired.start[group + 1] - b->paired.start[group]) * width;
    int64_t up = (cap + width - 1) / width * width, down = cap / width > 0 ? cap / width * width : width, chunks = 0;
    int32_t from = b->paired.from[group], to = b->paired.to[group];
    for (int64_t i = 0; i < count; i++) {
        if (node_of(b, list[i].from) != from || node_of(b, list[i].to) != to)
            continue;
        chunks++;
        if (list[i].bytes > up)
            return oracle_say(b->why, "node %d -> %d: a chunk of %lld B, cap %lld B", from, to,
                              (long long)list[i].bytes, (long long)cap);
    }
    return ((bytes + up - 1) / up <= chunks && chunks <= (bytes + down - 1) / down) ||
           oracle_say(b->why, "node %d -> %d: %lld B in %lld chunks, cap %lld B", from, to, (long long)bytes,
                      (long long)chunks, (long long)cap);
}

static int falling(const void *x, const void *y)
{
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a < b) - (a > b);
}

/* Sizes of the chunks that a process sends or receives, or with process < 0 a node; falling. */
static int64_t *sizes(const book *b, const crossing *list, int64_t count, bool sending, int32_t node, int32_t process,
                      int64_t *found)
{
    int64_t *size = oracle_alloc(count, sizeof *size);
    *found = 0;
    for (int64_t i = 0; i < count; i++) {
        int32_t at = sending ? list[i].from : list[i].to;
        if (process < 0 ? node_of(b, at) == node : at == process)
            size[(*found)++] = list[i].bytes;
    }
    qsort(size, (size_t)*found, sizeof *size, falling);
    return size;
}

/* Largest first, round by round: receives from rank 0 up, sends from rank ppn - 1 down. */
static bool dealt(const book *b, const crossing *list, int64_t count, bool sending, int32_t node)
{
    int64_t all, mine;
    int32_t ppn = b->schedule->ppn;
    int64_t *every = sizes(b, list, count, sending, node, -1, &all);
    bool good = true;
    for (int32_t turn = 0; good && turn < ppn; turn++) {
        int32_t rank = sending ? ppn - 1 - turn : turn;
        int64_t *own = sizes(b, list, count, sending, node, node * ppn + rank, &mine);
        good = mine == (all > turn ? (all - turn + ppn - 1) / ppn : 0);
        for (int64_t i = 0; good && i < mine; i++)
            good = own[i] == every[turn + i * ppn];
        ns_free(own);
        if (!good)
            oracle_say(b->why, "node %d: rank %d %s %lld of %lld chunks, not its turn's", node, rank,
                       sending ? "sends" : "receives", (long long)mine, (long long)all);
    }
    ns_free(every);
    return good;
}

bool oracle_rules_split(const book *b, const crossing *list, int64_t count)
{
    for (int64_t g = 0; g < b->paired.groups; g++)
        if (!chunks_of(b, g, cap_of(b, b->paired.to[g]), list, count))
            return false;
    for (int32_t node = 0; node < b->exchange->nodes; node++)
        if (!dealt(b, list, count, true, node) || !dealt(b, list, count, false, node))
            return false;
    return true;
}
