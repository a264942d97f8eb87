/* counts.c -- the counts of design section 3, from routes and runs */
#include "core/memory.h"
#include "pattern/build.h"

#include <stdlib.h>

static int64_t max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t largest(const int64_t *values, int64_t count)
{
    int64_t most = 0;
    for (int64_t i = 0; i < count; i++)
        most = max(most, values[i]);
    return most;
}

/* Accumulators by part and by node. */
typedef struct tally {
    int64_t *part_bytes, *part_messages, *part_nodes, *part_last; /* off-node sends; last node sent to, plus 1 */
    int64_t *node_bytes, *pair_bytes, *pair_messages;             /* pair_*: by sending node, for one receiving node */
} tally;

static ns_status tally_open(tally *t, const ns_exchange *x, ns_error *err)
{
    size_t parts = (size_t)x->parts, nodes = (size_t)x->nodes;
    int64_t *memory = calloc(ns_size_add(ns_size_mul(4, parts), ns_size_mul(3, nodes)), sizeof *memory);
    if (memory == NULL)
        return ns_no_memory(err);
    *t = (tally){memory, memory + parts, memory + 2 * parts, memory + 3 * parts, memory + 4 * parts,
                 memory + 4 * parts + nodes, memory + 4 * parts + 2 * nodes};
    // cppcheck-suppress memleak ; part_bytes keeps it
    return NS_OK;
}

static void take_pair(ns_pattern *n, tally *t, int32_t node)
{
    n->s_node_node = max(n->s_node_node, t->pair_bytes[node]);
    n->m_node_node = max(n->m_node_node, t->pair_messages[node]);
    t->pair_bytes[node] = t->pair_messages[node] = 0;
}

/* Routes come by the receivers' places: all of one receiving node together, so pair_* serve one receiving node at a
 * time. */
static void count_routes(ns_exchange *x, tally *t)
{
    ns_pattern *n = &x->pattern;
    const int32_t *node_of = x->site->node_of;
    for (int64_t i = 0, begin = 0; i < x->routes; i++) {
        const ns_route *r = &x->route[i];
        int64_t bytes = r->entries * x->width;
        int32_t from = node_of[r->from], to = node_of[r->to];
        n->messages_total++;
        n->bytes_total += bytes;
        if (from != to) {
            n->messages_off_node++;
            n->bytes_off_node += bytes;
            t->part_bytes[r->from] += bytes;
            t->part_messages[r->from]++;
            if (t->part_last[r->from] != to + 1)
                t->part_nodes[r->from]++;
            t->part_last[r->from] = to + 1;
            t->node_bytes[from] += bytes;
            t->pair_bytes[from] += bytes;
            t->pair_messages[from]++;
        }
        if (i + 1 == x->routes || node_of[x->route[i + 1].to] != to) {
            for (; begin <= i; begin++)
                take_pair(n, t, node_of[x->route[begin].from]);
        }
    }
    n->s_proc = largest(t->part_bytes, x->parts);
    n->m_proc = largest(t->part_messages, x->parts);
    n->m_proc_node = largest(t->part_nodes, x->parts);
    n->s_node = largest(t->node_bytes, x->nodes);
    n->s_recv = largest(x->need, x->parts) * x->width;
}

/* Columns once per receiving node. */
static void count_unique(ns_exchange *x, int64_t *by_part, int64_t *by_node, int64_t *targets)
{
    ns_pattern *n = &x->pattern;
    int64_t sources = 0;
    for (int64_t i = 0; i < x->pairs; i++) {
        const ns_pair *pair = &x->pair[i];
        int64_t bytes = pair->entries * x->width;
        n->unique_bytes_off_node += bytes;
        n->unique_s_node_node = max(n->unique_s_node_node, bytes);
        by_node[pair->from] += bytes;
        targets[pair->from]++;
        sources = i > 0 && pair->to == x->pair[i - 1].to ? sources + 1 : 1;
        n->recv_nodes = max(n->recv_nodes, sources);
        for (int64_t r = pair->run; r < pair->run + pair->runs; r++)
            by_part[x->run[r].origin] += x->run[r].entries * x->width;
    }
    n->unique_s_proc = largest(by_part, x->parts);
    n->unique_s_node = largest(by_node, x->nodes);
    n->send_nodes = largest(targets, x->nodes);
    n->duplicate_fraction =
        n->bytes_off_node > 0 ? 1 - (double)n->unique_bytes_off_node / (double)n->bytes_off_node : 0;
}

ns_status ns_exchange_count(ns_exchange *exchange, ns_error *err)
{
    tally t;
    int64_t entries = 0; /* all counts below are parts of their sum, in bytes */
    for (int64_t i = 0; i < exchange->routes; i++)
        entries = ns_count_add(entries, exchange->route[i].entries);
    if (ns_count_mul(entries, exchange->width) == INT64_MAX)
        return ns_fail(err, NS_ERR_LIMIT, "%lld entries of %lld B are more bytes than 63 bits count",
                       (long long)entries, (long long)exchange->width);
    NS_TRY(tally_open(&t, exchange, err));
    exchange->pattern = (ns_pattern){0};
    count_routes(exchange, &t);
    free(t.part_bytes);
    NS_TRY(tally_open(&t, exchange, err));
    count_unique(exchange, t.part_bytes, t.node_bytes, t.pair_messages);
    free(t.part_bytes);
    return NS_OK;
}
