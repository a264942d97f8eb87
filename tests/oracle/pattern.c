/* pattern.c -- who needs what, and every count of the pattern, over dense tables part x part and node x node */
#include "core/memory.h"
#include "oracle.h"

#include <math.h>
#include <stdlib.h>

/* Owner of each of n rows or columns: part p owns [p n / P, (p + 1) n / P), or what the partition says. */
static int32_t *owners(int64_t n, int32_t parts, const int32_t *partition)
{
    int32_t *owner = oracle_alloc(n, sizeof *owner);
    for (int32_t p = 0; p < parts && partition == NULL; p++)
        for (int64_t i = p * n / parts; i < (p + 1) * n / parts; i++)
            owner[i] = p;
    for (int64_t i = 0; i < n && partition != NULL; i++)
        owner[i] = partition[i];
    return owner;
}

static int by_number(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Down each column, note every part but the owner once. */
void oracle_need_of(const oracle_matrix *matrix, int32_t parts, const int32_t *partition, oracle_need *need)
{
    int32_t *row_part = owners(matrix->rows, parts, partition);
    int64_t *seen = oracle_alloc(parts, sizeof *seen), count = 0;
    *need = (oracle_need){.parts = parts, .items = matrix->cols};
    need->owner = owners(matrix->cols, parts, partition);
    need->start = oracle_alloc(matrix->cols + 1, sizeof *need->start);
    need->part = oracle_alloc(matrix->entries, sizeof *need->part);
    for (int64_t col = 0; col < matrix->cols; col++) {
        for (int64_t i = matrix->col_start[col]; i < matrix->col_start[col + 1]; i++) {
            int32_t p = row_part[matrix->row_of[i]];
            if (p != need->owner[col] && seen[p] != col + 1) {
                seen[p] = col + 1;
                need->part[count++] = p;
            }
        }
        need->start[col + 1] = count;
        qsort(need->part + need->start[col], (size_t)(count - need->start[col]), sizeof *need->part, by_number);
    }
    ns_free(row_part);
    ns_free(seen);
}

static int32_t placed(const int32_t *place, int32_t part)
{
    return place != NULL ? place[part] : part;
}

/* Items are numbered by sender, then receiver, a byte each. */
void oracle_need_planned(const ns_planned *message, size_t messages, int32_t parts, const int32_t *place,
                         oracle_need *need)
{
    int64_t *bytes = oracle_alloc((int64_t)parts * parts, sizeof *bytes), total = 0, item = 0;
    for (size_t i = 0; i < messages; i++) {
        bytes[(int64_t)placed(place, message[i].from) * parts + placed(place, message[i].to)] += message[i].bytes;
        total += message[i].bytes;
    }
    *need = (oracle_need){.parts = parts, .items = total};
    need->owner = oracle_alloc(total, sizeof *need->owner);
    need->part = oracle_alloc(total, sizeof *need->part);
    need->start = oracle_alloc(total + 1, sizeof *need->start);
    for (int32_t q = 0; q < parts; q++)
        for (int32_t p = 0; p < parts; p++)
            for (int64_t i = 0; i < bytes[(int64_t)q * parts + p]; i++, item++) {
                need->owner[item] = q;
                need->part[item] = p;
                need->start[item + 1] = item + 1;
            }
    ns_free(bytes);
}

void oracle_need_free(oracle_need *need)
{
    ns_free(need->owner);
    ns_free(need->start);
    ns_free(need->part);
    *need = (oracle_need){0, 0, NULL, NULL, NULL};
}

/* Items from part to part, from part to node and from node to node. */
typedef struct tables {
    int32_t parts, nodes;
    const int32_t *node_of;
    int64_t width;
    int64_t *sent; /* [q * parts + p]: |need(p) & own(q)| */
    int64_t *once; /* [q * nodes + N]: |U(q, N)|, 0 on q's own node */
} tables;

static void count(const oracle_need *need, tables *t)
{
    for (int64_t item = 0; item < need->items; item++) {
        int32_t q = need->owner[item];
        for (int64_t i = need->start[item]; i < need->start[item + 1]; i++) {
            int32_t p = need->part[i], node = t->node_of[p];
            t->sent[(int64_t)q * t->parts + p]++;
            if (node != t->node_of[q] && oracle_first_on_node(need, t->node_of, item, i))
                t->once[(int64_t)q * t->nodes + node]++;
        }
    }
}

static void lift(int64_t *most, int64_t value)
{
    if (value > *most)
        *most = value;
}

/* What one part sends. */
static void count_sender(const tables *t, int32_t q, ns_pattern *pattern)
{
    int64_t bytes = 0, messages = 0, nodes = 0, once = 0;
    for (int32_t p = 0; p < t->parts; p++) {
        int64_t items = t->sent[(int64_t)q * t->parts + p];
        if (items == 0)
            continue;
        pattern->messages_total++;
        pattern->bytes_total += items * t->width;
        if (t->node_of[p] == t->node_of[q])
            continue;
        messages++;
        bytes += items * t->width;
    }
    for (int32_t node = 0; node < t->nodes; node++) {
        nodes += t->once[(int64_t)q * t->nodes + node] > 0;
        once += t->once[(int64_t)q * t->nodes + node] * t->width;
    }
    pattern->messages_off_node += messages;
    pattern->bytes_off_node += bytes;
    pattern->unique_bytes_off_node += once;
    lift(&pattern->s_proc, bytes);
    lift(&pattern->m_proc, messages);
    lift(&pattern->m_proc_node, nodes);
    lift(&pattern->unique_s_proc, once);
}

/* What goes from node to node: bytes, messages, bytes when columns go once; [from * nodes + to]. */
typedef struct between {
    int64_t bytes, messages, once;
} between;

static between *count_pairs(const tables *t)
{
    between *pair = oracle_alloc((int64_t)t->nodes * t->nodes, sizeof *pair);
    for (int32_t q = 0; q < t->parts; q++) {
        between *row = pair + (int64_t)t->node_of[q] * t->nodes;
        for (int32_t p = 0; p < t->parts; p++) {
            row[t->node_of[p]].bytes += t->sent[(int64_t)q * t->parts + p] * t->width;
            row[t->node_of[p]].messages += t->sent[(int64_t)q * t->parts + p] > 0;
        }
        for (int32_t node = 0; node < t->nodes; node++)
            row[node].once += t->once[(int64_t)q * t->nodes + node] * t->width;
    }
    return pair;
}

static void count_nodes(const tables *t, ns_pattern *pattern)
{
    int64_t *sources = oracle_alloc(t->nodes, sizeof *sources);
    between *pairs = count_pairs(t);
    for (int32_t from = 0; from < t->nodes; from++) {
        int64_t node_bytes = 0, node_once = 0, targets = 0;
        for (int32_t to = 0; to < t->nodes; to++) {
            if (to == from)
                continue;
            const between *pair = &pairs[(int64_t)from * t->nodes + to];
            node_bytes += pair->bytes;
            node_once += pair->once;
            targets += pair->messages > 0;
            sources[to] += pair->messages > 0;
            lift(&pattern->s_node_node, pair->bytes);
            lift(&pattern->m_node_node, pair->messages);
            lift(&pattern->unique_s_node_node, pair->once);
        }
        lift(&pattern->s_node, node_bytes);
        lift(&pattern->unique_s_node, node_once);
        lift(&pattern->send_nodes, targets);
    }
    for (int32_t node = 0; node < t->nodes; node++)
        lift(&pattern->recv_nodes, sources[node]);
    ns_free(sources);
    ns_free(pairs);
}

void oracle_pattern(const oracle_need *need, int32_t per_node, int64_t width, ns_pattern *pattern)
{
    int32_t *node_of = oracle_alloc(need->parts, sizeof *node_of);
    for (int32_t p = 0; p < need->parts; p++)
        node_of[p] = p / per_node;
    oracle_pattern_on(need, node_of, (need->parts + per_node - 1) / per_node, width, pattern);
    ns_free(node_of);
}

void oracle_pattern_on(const oracle_need *need, const int32_t *node_of, int32_t nodes, int64_t width,
                       ns_pattern *pattern)
{
    tables t = {.parts = need->parts, .nodes = nodes, .node_of = node_of, .width = width};
    t.sent = oracle_alloc((int64_t)t.parts * t.parts, sizeof *t.sent);
    t.once = oracle_alloc((int64_t)t.parts * t.nodes, sizeof *t.once);
    count(need, &t);
    *pattern = (ns_pattern){0};
    for (int32_t q = 0; q < t.parts; q++)
        count_sender(&t, q, pattern);
    count_nodes(&t, pattern);
    for (int32_t p = 0; p < t.parts; p++) {
        int64_t received = 0;
        for (int32_t q = 0; q < t.parts; q++)
            received += t.sent[(int64_t)q * t.parts + p] * width;
        lift(&pattern->s_recv, received);
    }
    if (pattern->bytes_off_node > 0)
        pattern->duplicate_fraction = 1.0 - (double)pattern->unique_bytes_off_node / (double)pattern->bytes_off_node;
    ns_free(t.sent);
    ns_free(t.once);
}

#define SAME(field)                                                                                                    \
    if (expected->field != got->field)                                                                                 \
    return oracle_say(why, #field ": expected %lld, got %lld", (long long)expected->field, (long long)got->field)

bool oracle_same_pattern(const ns_pattern *expected, const ns_pattern *got, char why[256])
{
    SAME(messages_total);
    SAME(messages_off_node);
    SAME(bytes_total);
    SAME(bytes_off_node);
    SAME(s_proc);
    SAME(s_node);
    SAME(s_node_node);
    SAME(s_recv);
    SAME(m_proc);
    SAME(m_proc_node);
    SAME(m_node_node);
    SAME(recv_nodes);
    SAME(send_nodes);
    SAME(unique_bytes_off_node);
    SAME(unique_s_proc);
    SAME(unique_s_node);
    SAME(unique_s_node_node);
    if (!(fabs(expected->duplicate_fraction - got->duplicate_fraction) <= 1e-14))
        return oracle_say(why, "duplicate_fraction: expected %.17g, got %.17g", expected->duplicate_fraction,
                          got->duplicate_fraction);
    return true;
}
