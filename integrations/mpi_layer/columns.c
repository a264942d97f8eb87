/* columns.c -- on rank 0: from what all processes send to an exchange
 *
 * A column is `width` bytes of a send buffer: the greatest common divisor of all offsets and lengths.  Each process
 * owns the columns of its buffer, which are numbered consecutively.  Data that are sent to several processes from the
 * same place are one column that several need.
 */
#include "mpi_layer/layer.h"

#include <stdlib.h>

enum { OUT_WORDS = 3, IN_WORDS = 2 };

int layer_ask_words(int in, int out)
{
    return OUT_WORDS * out + IN_WORDS * in;
}

/* Where buffers may change from call to call, each edge has its own place: only the sender would see the change. */
void layer_ask(const layer_exchange *x, const layer_call *call, int64_t *words)
{
    const layer_graph *g = x->graph;
    int64_t at = 0;
    for (int i = 0; i < g->out; i++) {
        *words++ = g->target[i];
        *words++ = x->send_bytes[i];
        *words++ = x->fixed ? (int64_t)(intptr_t)call->send[i].at : at;
        at += x->send_bytes[i];
    }
    for (int i = 0; i < g->in; i++) {
        *words++ = g->source[i];
        *words++ = x->receive_bytes[i];
    }
}

/* An edge between two processes. */
typedef struct edge {
    int32_t from;
    int64_t index, sent, first, entries; /* index: in edge of the receiver; sent: out edge of the sender; columns */
} edge;

static const int64_t *out_edge(const layer_advice *a, int rank, int64_t i)
{
    return a->asked->word + a->asked->at[rank] + OUT_WORDS * i;
}

static const int64_t *in_edge(const layer_advice *a, int rank, int64_t i)
{
    return out_edge(a, rank, a->graph->outs[rank]) + IN_WORDS * i;
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

static int64_t divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* ---- what each process needs ------------------------------------------------------------------------------------- */

static void map_add(layer_map *m, layer_mapped item)
{
    m->item = layer_grown(m->item, &m->capacity, m->count, sizeof item);
    m->item[m->count++] = item;
}

/* Edges with the same ends match in the order in which both ends list them. */
static int64_t match(const layer_advice *a, int to, int64_t index)
{
    const int64_t from = in_edge(a, to, index)[0];
    int64_t before = 0;
    for (int64_t i = 0; i < index; i++)
        before += in_edge(a, to, i)[0] == from;
    for (int64_t i = 0; i < a->graph->outs[from]; i++)
        if (out_edge(a, (int)from, i)[0] == to && before-- == 0)
            return i;
    return -1;
}

static int by_column(const void *x, const void *y)
{
    const edge *a = x, *b = y;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Add what process `to` needs to `needs`, in the order of its incoming edges. */
static ns_status add_process(layer_advice *a, ns_needs *needs, int to, edge *list, ns_column_range *range,
                             ns_error *err)
{
    int64_t edges = 0, ranges = 0;
    for (int64_t i = 0; i < a->graph->ins[to]; i++) {
        const int64_t *in = in_edge(a, to, i), sent = match(a, to, i);
        const int64_t *out = sent >= 0 ? out_edge(a, (int)in[0], sent) : NULL;
        if (out == NULL || out[1] != in[1])
            return ns_fail(err, NS_ERR_DATA, "process %d wants %lld B of process %d, which sends it %lld B", to,
                           (long long)in[1], (int)in[0], out != NULL ? (long long)out[1] : 0LL);
        if (in[1] > 0 && in[0] != to)
            list[edges++] = (edge){.from = (int32_t)in[0],
                                   .index = i,
                                   .sent = sent,
                                   .first = a->base[in[0]] + (out[2] - a->least[in[0]]) / a->width,
                                   .entries = in[1] / a->width};
    }
    qsort(list, (size_t)edges, sizeof *list, by_column);
    /* Columns that edges share occur once in send and in receive. */
    layer_map *received = &a->received[to];
    for (int64_t i = 0, next; i < edges; i = next) {
        int64_t end = list[i].first;
        layer_map *sent = &a->sent[list[i].from];
        for (next = i; next < edges && list[next].from == list[i].from && list[next].first <= end; next++) {
            const edge *e = &list[next];
            const int64_t own = e->first + e->entries - end; /* columns that the edges before it do not have */
            if (own > 0) {
                map_add(sent, (layer_mapped){sent->entries + end - list[i].first, own, e->sent,
                                             (end - e->first) * a->width});
                end += own;
            }
            map_add(received, (layer_mapped){received->entries + e->first - list[i].first, e->entries, e->index, 0});
        }
        range[ranges++] = (ns_column_range){list[i].first, end - list[i].first};
        sent->entries += end - list[i].first;
        received->entries += end - list[i].first;
    }
    return ns_needs_add_ranges(needs, to, a->base[to], a->base[to + 1], range, ranges, err);
}

ns_status layer_columns(layer_advice *a, ns_error *err)
{
    ns_needs *needs = NULL;
    int most = 0;
    /* The widths, and the owner of each column. */
    for (int r = 0; r < a->graph->ranks; r++) {
        int64_t lowest = INT64_MAX, end = INT64_MIN;
        for (int i = 0; i < a->graph->outs[r]; i++) {
            const int64_t *e = out_edge(a, r, i);
            if (e[1] > 0 && e[2] < lowest)
                lowest = e[2];
            if (e[1] > 0 && e[2] + e[1] > end)
                end = e[2] + e[1];
        }
        a->least[r] = lowest < end ? lowest : 0;
        a->base[r + 1] = lowest < end ? end - lowest : 0; /* in bytes, for now */
        for (int i = 0; i < a->graph->outs[r]; i++) {
            const int64_t *e = out_edge(a, r, i);
            if (e[1] > 0)
                a->width = divisor(divisor(a->width, e[1]), e[2] - a->least[r]);
        }
    }
    if (a->width > INT32_MAX)
        return ns_fail(err, NS_ERR_LIMIT, "entries of %lld B are larger than MPI counts", (long long)a->width);
    for (int r = 0; r < a->graph->ranks && a->width > 0; r++)
        a->base[r + 1] = a->base[r] + a->base[r + 1] / a->width;
    if (a->width == 0)
        return NS_OK;
    for (int r = 0; r < a->graph->ranks; r++)
        most = a->graph->ins[r] > most ? a->graph->ins[r] : most;
    edge *list = layer_memory((size_t)most, sizeof *list);
    ns_column_range *range = layer_memory((size_t)most, sizeof *range);
    ns_status status = ns_needs_begin(a->site, a->width, NULL, &needs, err);
    for (int r = 0; status == NS_OK && r < a->graph->ranks; r++)
        status = add_process(a, needs, r, list, range, err);
    if (status == NS_OK)
        status = ns_needs_finish(needs, &a->exchange, err);
    ns_needs_free(needs);
    free(list);
    free(range);
    return status;
}
