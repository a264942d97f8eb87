/* counts.c -- the counts of design section 3, from routes and runs */
#include "core/context.h"
#include "core/memory.h"
#include "pattern/build.h"

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

ns_status ns_counts_open(ns_counts *counts, int32_t parts, int32_t nodes, ns_error *err)
{
    const size_t p = (size_t)parts, n = (size_t)nodes, added = ns_size_add(ns_size_mul(4, p), ns_size_mul(3, n));
    int64_t *memory = ns_calloc(ns_size_add(added, ns_size_add(p, ns_size_mul(2, n))), sizeof *memory);
    if (memory == NULL)
        return ns_no_memory(err);
    *counts = (ns_counts){.parts = parts,
                          .nodes = nodes,
                          .sums = (int64_t)added,
                          .sum = memory,
                          .part_bytes = memory,
                          .part_messages = memory + p,
                          .part_nodes = memory + 2 * p,
                          .part_unique = memory + 3 * p,
                          .node_bytes = memory + 4 * p,
                          .node_unique = memory + 4 * p + n,
                          .node_targets = memory + 4 * p + 2 * n,
                          .part_last = memory + added,
                          .pair_bytes = memory + added + p,
                          .pair_messages = memory + added + p + n};
    // cppcheck-suppress memleak ; counts->sum keeps it
    return NS_OK;
}

void ns_counts_free(ns_counts *counts)
{
    ns_free(counts->sum);
    *counts = (ns_counts){.parts = 0};
}

ns_status ns_counts_add(ns_counts *t, const ns_exchange *x, ns_error *err)
{
    ns_pattern *n = &t->pattern;
    const int32_t *node_of = x->site->node_of;
    int64_t entries = 0; /* all counts below are parts of their sum, in bytes */
    for (int64_t i = 0; i < x->routes; i++) {
        NS_TRY(ns_context_turn(i, err));
        entries = ns_count_add(entries, x->route[i].entries);
    }
    if (ns_count_mul(entries, x->width) == INT64_MAX)
        return ns_fail(err, NS_ERR_LIMIT, "%lld entries of %lld B are more bytes than 63 bits count",
                       (long long)entries, (long long)x->width);

    /* routes come by the receivers' places: all of one receiving node together, so that pair_* serve one receiving node
     * at a time */
    for (int64_t i = 0, begin = 0; i < x->routes; i++) {
        const ns_route *r = &x->route[i];
        NS_TRY(ns_context_turn(i, err));
        const int64_t bytes = r->entries * x->width;
        const int32_t from = node_of[r->from], to = node_of[r->to];
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
        if (i + 1 < x->routes && node_of[x->route[i + 1].to] == to)
            continue;
        for (; begin <= i; begin++) {
            const int32_t node = node_of[x->route[begin].from];
            n->s_node_node = max(n->s_node_node, t->pair_bytes[node]);
            n->m_node_node = max(n->m_node_node, t->pair_messages[node]);
            t->pair_bytes[node] = t->pair_messages[node] = 0;
        }
    }
    n->s_recv = max(n->s_recv, largest(x->need, x->parts) * x->width);

    /* columns once per receiving node */
    int64_t sources = 0;
    for (int64_t i = 0; i < x->pairs; i++) {
        const ns_pair *pair = &x->pair[i];
        NS_TRY(ns_context_tick(1 + pair->runs, err));
        const int64_t bytes = pair->entries * x->width;
        n->unique_bytes_off_node += bytes;
        n->unique_s_node_node = max(n->unique_s_node_node, bytes);
        t->node_unique[pair->from] += bytes;
        t->node_targets[pair->from]++;
        sources = i > 0 && pair->to == x->pair[i - 1].to ? sources + 1 : 1;
        n->recv_nodes = max(n->recv_nodes, sources);
        for (int64_t r = pair->run; r < pair->run + pair->runs; r++)
            t->part_unique[x->run[r].origin] += x->run[r].entries * x->width;
    }
    return NS_OK;
}

ns_pattern ns_counts_finish(const ns_counts *counts)
{
    ns_pattern n = counts->pattern;
    n.s_proc = largest(counts->part_bytes, counts->parts);
    n.m_proc = largest(counts->part_messages, counts->parts);
    n.m_proc_node = largest(counts->part_nodes, counts->parts);
    n.s_node = largest(counts->node_bytes, counts->nodes);
    n.unique_s_proc = largest(counts->part_unique, counts->parts);
    n.unique_s_node = largest(counts->node_unique, counts->nodes);
    n.send_nodes = largest(counts->node_targets, counts->nodes);
    n.duplicate_fraction = n.bytes_off_node > 0 ? 1 - (double)n.unique_bytes_off_node / (double)n.bytes_off_node : 0;
    return n;
}

ns_status ns_exchange_count(ns_exchange *exchange, ns_error *err)
{
    ns_counts counts;
    NS_TRY(ns_counts_open(&counts, exchange->parts, exchange->nodes, err));
    const ns_status status = ns_counts_add(&counts, exchange, err);
    if (status == NS_OK)
        exchange->pattern = ns_counts_finish(&counts);
    ns_counts_free(&counts);
    return status;
}
