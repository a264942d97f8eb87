/* advise.c -- rank 0: from what everybody sends to a strategy, and to every process' program
 *
 * A column is `width` bytes of a send buffer: the greatest common divisor of all places and lengths.  Processes own the
 * columns of their buffers one after another.  What is sent to several processes from the same place is one column that
 * several need.
 */
#include "mpi_layer/layer.h"

#include <nsmodel/needs.h>
#include <nsmodel/program.h>
#include <nsmodel/strategy.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUT_WORDS = 3, IN_WORDS = 2 };

int64_t layer_ask_words(int64_t in, int64_t out)
{
    return OUT_WORDS * out + IN_WORDS * in;
}

void layer_ask(const layer_graph *g, const layer_signature *bytes, int64_t *words)
{
    for (int i = 0; i < g->out; i++) {
        *words++ = g->target[i];
        *words++ = bytes->send_bytes[i];
        *words++ = bytes->send_at[i];
    }
    for (int i = 0; i < g->in; i++) {
        *words++ = g->source[i];
        *words++ = bytes->receive_bytes[i];
    }
}

/* A piece of a buffer, in entries: where it stands in send or receive, and where in the program's own buffer. */
typedef struct mapped {
    int64_t offset, entries, edge, at; /* sent: at in bytes, edge -1 */
} mapped;

typedef struct map {
    mapped *item;
    int64_t count, capacity, entries;
} map;

/* An edge between two processes. */
typedef struct edge {
    int32_t from;
    int64_t index, first, entries; /* columns */
} edge;

typedef struct advice {
    const layer_graph *graph;
    int64_t *const *asked;
    int64_t width, *least, *base; /* [ranks] lowest place of each send buffer, its first column; [ranks + 1] */
    map *sent, *received;         /* [ranks] */
    int *by_node;                 /* [ranks] ranks, node by node: processes of strategies that take all of them */
    bool equal;                   /* every node has as many ranks */
    int most;                     /* ranks of a node */
    ns_site *site;
    ns_exchange *exchange;
    ns_machine *machine;
    ns_schedule *schedule;
} advice;

static const int64_t *out_edge(const advice *a, int rank, int64_t i)
{
    return a->asked[rank] + OUT_WORDS * i;
}

static const int64_t *in_edge(const advice *a, int rank, int64_t i)
{
    return a->asked[rank] + OUT_WORDS * (int64_t)a->graph->outs[rank] + IN_WORDS * i;
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

/* Widths, and who owns which columns. */
static ns_status number_columns(advice *a, ns_error *err)
{
    for (int r = 0; r < a->graph->ranks; r++) {
        int64_t least = INT64_MAX, most = INT64_MIN;
        for (int i = 0; i < a->graph->outs[r]; i++) {
            const int64_t *e = out_edge(a, r, i);
            if (e[1] > 0 && e[2] < least)
                least = e[2];
            if (e[1] > 0 && e[2] + e[1] > most)
                most = e[2] + e[1];
        }
        a->least[r] = least < most ? least : 0;
        a->base[r + 1] = least < most ? most - least : 0; /* bytes as yet */
        for (int i = 0; i < a->graph->outs[r]; i++) {
            const int64_t *e = out_edge(a, r, i);
            if (e[1] > 0)
                a->width = divisor(divisor(a->width, e[1]), e[2] - a->least[r]);
        }
    }
    if (a->width < 1 || a->width > INT32_MAX)
        return ns_fail(err, NS_ERR_DATA, "there is nothing to send");
    for (int r = 0; r < a->graph->ranks; r++)
        a->base[r + 1] = a->base[r] + a->base[r + 1] / a->width;
    return NS_OK;
}

/* ---- what each process needs ------------------------------------------------------------------------------------- */

static ns_status map_add(map *m, mapped item, ns_error *err)
{
    if (m->count == m->capacity) {
        const int64_t wanted = 2 * m->capacity + 8;
        mapped *grown = realloc(m->item, (size_t)wanted * sizeof *grown);
        if (grown == NULL)
            return ns_fail(err, NS_ERR_MEMORY, "out of memory");
        m->item = grown;
        m->capacity = wanted;
    }
    m->item[m->count++] = item;
    return NS_OK;
}

/* Edges with the same ends match in the order in which both name them. */
static const int64_t *match(const advice *a, int to, int64_t index)
{
    const int64_t from = in_edge(a, to, index)[0];
    int64_t before = 0;
    for (int64_t i = 0; i < index; i++)
        before += in_edge(a, to, i)[0] == from;
    for (int64_t i = 0; i < a->graph->outs[from]; i++)
        if (out_edge(a, (int)from, i)[0] == to && before-- == 0)
            return out_edge(a, (int)from, i);
    return NULL;
}

static ns_status list_edges(const advice *a, int to, edge *list, int64_t *edges, ns_error *err)
{
    int64_t count = 0;
    for (int64_t i = 0; i < a->graph->ins[to]; i++) {
        const int64_t *in = in_edge(a, to, i), *out = match(a, to, i);
        if (out == NULL || out[1] != in[1])
            return ns_fail(err, NS_ERR_DATA, "process %d wants %lld B of process %d, which sends it %lld B", to,
                           (long long)in[1], (int)in[0], out != NULL ? (long long)out[1] : 0LL);
        if (in[1] > 0 && in[0] != to)
            list[count++] = (edge){.from = (int32_t)in[0],
                                   .index = i,
                                   .first = a->base[in[0]] + (out[2] - a->least[in[0]]) / a->width,
                                   .entries = in[1] / a->width};
    }
    *edges = count;
    return NS_OK;
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

/* Columns that edges share stand once in send and in receive. */
static ns_status map_edges(advice *a, int to, const edge *list, int64_t edges, ns_column_range *range, int64_t *ranges,
                           ns_error *err)
{
    map *received = &a->received[to];
    int64_t count = 0;
    for (int64_t i = 0, next; i < edges; i = next) {
        int64_t end = list[i].first + list[i].entries;
        for (next = i; next < edges && list[next].from == list[i].from && list[next].first <= end; next++) {
            const edge *e = &list[next];
            end = e->first + e->entries > end ? e->first + e->entries : end;
            NS_TRY(map_add(received, (mapped){received->entries + e->first - list[i].first, e->entries, e->index, 0},
                           err));
        }
        const int from = list[i].from;
        map *sent = &a->sent[from];
        const int64_t at = (list[i].first - a->base[from]) * a->width + a->least[from];
        range[count++] = (ns_column_range){list[i].first, end - list[i].first};
        NS_TRY(map_add(sent, (mapped){sent->entries, end - list[i].first, -1, at}, err));
        sent->entries += end - list[i].first;
        received->entries += end - list[i].first;
    }
    *ranges = count;
    return NS_OK;
}

static ns_status add_process(advice *a, ns_needs *needs, int to, edge *list, ns_column_range *range, ns_error *err)
{
    int64_t edges, ranges;
    NS_TRY(list_edges(a, to, list, &edges, err));
    qsort(list, (size_t)edges, sizeof *list, by_column);
    NS_TRY(map_edges(a, to, list, edges, range, &ranges, err));
    return ns_needs_add_ranges(needs, to, a->base[to], a->base[to + 1], range, ranges, err);
}

static ns_status collect(advice *a, ns_error *err)
{
    ns_needs *needs = NULL;
    int most = 0;
    for (int r = 0; r < a->graph->ranks; r++)
        most = a->graph->ins[r] > most ? a->graph->ins[r] : most;
    edge *list = malloc(((size_t)most + 1) * sizeof *list);
    ns_column_range *range = malloc(((size_t)most + 1) * sizeof *range);
    ns_status status = list != NULL && range != NULL ? ns_needs_begin(a->site, a->width, NULL, &needs, err)
                                                     : ns_fail(err, NS_ERR_MEMORY, "out of memory");
    for (int r = 0; status == NS_OK && r < a->graph->ranks; r++)
        status = add_process(a, needs, r, list, range, err);
    if (status == NS_OK)
        status = ns_needs_finish(needs, &a->exchange, err);
    ns_needs_free(needs);
    free(list);
    free(range);
    return status;
}

/* ---- strategy ---------------------------------------------------------------------------------------------------- */

static void list_by_node(advice *a)
{
    const layer_graph *g = a->graph;
    int count = 0, least = INT_MAX;
    for (int node = 0; node < g->nodes; node++) {
        const int before = count;
        for (int r = 0; r < g->ranks; r++)
            if (g->node_of[r] == node)
                a->by_node[count++] = r;
        a->most = count - before > a->most ? count - before : a->most;
        least = count - before < least ? count - before : least;
    }
    a->equal = least == a->most;
}

/* Strategies of all host processes count on those that are there. */
static ns_status load_machine(advice *a, ns_error *err)
{
    char text[64];
    ns_machine *machine;
    NS_TRY(ns_machine_load(layer_set.machine, &machine, err));
    snprintf(text, sizeof text, "topology.host_processes=%d", a->most);
    const ns_status status = ns_machine_with(machine, text, &a->machine, err);
    ns_machine_free(machine);
    return status;
}

/* What may run here: those that take all processes of a node want as many on each. */
static ns_status list_strategies(const advice *a, const ns_strategy **list, size_t *count, ns_error *err)
{
    const ns_strategy *all[NS_CHOICES];
    size_t given = 0;
    *count = 0;
    if (layer_set.strategy[0] != '\0')
        NS_TRY(ns_strategies_named(layer_set.strategy, all, NS_CHOICES, &given, err));
    else
        given = ns_strategies_by_rank(all, NS_CHOICES);
    for (size_t i = 0; i < given; i++)
        if (!all[i]->all_processes || a->equal)
            list[(*count)++] = all[i];
    return *count > 0 ? NS_OK : ns_fail(err, NS_ERR_DATA, "%s wants as many ranks on every node", layer_set.strategy);
}

/* Data are in the host's memory: copies out of a device are not made, and not paid. */
static double seconds_of(const ns_choice *choice)
{
    return choice->price.estimate_s - choice->price.copy_s;
}

static int64_t count_off_node(const ns_schedule *s)
{
    const int32_t *node_of = s->site->node_of;
    int64_t count = 0;
    for (int i = 0; i < s->steps; i++)
        for (int64_t m = 0; m < s->step[i].messages; m++)
            count += node_of[s->step[i].message[m].from] != node_of[s->step[i].message[m].to];
    return count;
}

static void tell(const advice *a, const ns_comparison *c, int best)
{
    char words[800] = "";
    for (int i = 0; i < c->choices; i++) {
        ns_schedule *schedule;
        if (ns_schedule_build(c->choice[i].strategy, NS_VIA_HOST, a->exchange, a->machine, &schedule, NULL) != NS_OK)
            continue;
        const size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, "%s%s %.3g us %lld", used > 0 ? ", " : "",
                 c->choice[i].strategy->name, 1e6 * seconds_of(&c->choice[i]), (long long)count_off_node(schedule));
        ns_schedule_free(schedule);
    }
    layer_log(
        "%d processes on %d nodes, entries of %lld B: %s%s; machine %s; predicted, and messages between nodes: %s",
        a->graph->ranks, a->graph->nodes, (long long)a->width, c->choice[best].strategy->name,
        layer_set.strategy[0] != '\0' ? " as NSMODEL_STRATEGY says" : "", layer_set.machine, words);
}

static ns_status choose(advice *a, const ns_strategy **chosen, ns_error *err)
{
    const ns_strategy *list[NS_CHOICES];
    size_t count;
    NS_TRY(load_machine(a, err));
    NS_TRY(list_strategies(a, list, &count, err));
    const ns_selection selection = {.strategy = list, .strategies = count, .transports = 1u << NS_VIA_HOST};
    ns_comparison *c = malloc(sizeof *c);
    if (c == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    const ns_status status = ns_compare(a->exchange, a->machine, &selection, c, err);
    if (status == NS_OK) {
        int best = 0;
        for (int i = 1; i < c->choices; i++)
            best = seconds_of(&c->choice[i]) < seconds_of(&c->choice[best]) ? i : best;
        *chosen = c->choice[best].strategy;
        tell(a, c, best);
    }
    free(c);
    return status;
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

/* The rank of a process of the schedule. */
static int rank_of(const advice *a, int32_t process)
{
    return a->schedule->strategy->all_processes ? a->by_node[process] : process;
}

int64_t layer_words(const int64_t *head)
{
    return LAYER_HEAD + 4 * (head[LAYER_OPS] + head[LAYER_SLICES] + head[LAYER_SENT] + head[LAYER_RECEIVED]);
}

static int64_t *put_map(const map *m, int64_t *words)
{
    for (int64_t i = 0; i < m->count; i++, words += 4)
        memcpy(words, &(int64_t[]){m->item[i].offset, m->item[i].entries, m->item[i].edge, m->item[i].at},
               4 * sizeof *words);
    return words;
}

static void write_program(const advice *a, const ns_program *program, const ns_program_info *info, int rank,
                          int64_t *words)
{
    int64_t *op = words + LAYER_HEAD, *slice = op + 4 * info->ops;
    for (int64_t i = 0; i < info->ops; i++) {
        const ns_op *o = ns_program_op(program, i);
        *op++ = o->kind;
        *op++ = o->step;
        *op++ = o->peer >= 0 ? rank_of(a, o->peer) : -1;
        *op++ = o->slices;
        for (int64_t k = 0; k < o->slices; k++) {
            *slice++ = o->slice[k].buffer;
            *slice++ = o->slice[k].offset;
            *slice++ = o->slice[k].entries;
            *slice++ = o->slice[k].to;
        }
    }
    put_map(&a->received[rank], put_map(&a->sent[rank], slice));
}

static ns_status put_program(const advice *a, int32_t process, int64_t **words, ns_error *err)
{
    ns_program *program;
    ns_program_info info = {.size = sizeof info};
    NS_TRY(ns_schedule_ops(a->schedule, a->exchange, process, &program, err));
    ns_program_describe(program, &info);
    const int rank = rank_of(a, process);
    int64_t head[LAYER_HEAD] = {
        LAYER_RUN, a->width, info.work_entries, info.ops, 0, a->sent[rank].count, a->received[rank].count};
    for (int64_t i = 0; i < info.ops; i++)
        head[LAYER_SLICES] += ns_program_op(program, i)->slices;
    int64_t *made = malloc((size_t)layer_words(head) * sizeof *made);
    if (made != NULL) {
        memcpy(made, head, sizeof head);
        write_program(a, program, &info, rank, made);
        words[rank] = made;
    }
    ns_program_free(program);
    return made != NULL ? NS_OK : ns_fail(err, NS_ERR_MEMORY, "out of memory");
}

static ns_status put_programs(advice *a, const ns_strategy *strategy, int64_t **words, ns_error *err)
{
    NS_TRY(ns_schedule_build(strategy, NS_VIA_HOST, a->exchange, a->machine, &a->schedule, err));
    for (int i = 0; i < a->schedule->steps; i++)
        for (int64_t m = 0; m < a->schedule->step[i].messages; m++)
            if (a->schedule->step[i].message[m].bytes > INT_MAX)
                return ns_fail(err, NS_ERR_LIMIT, "a message is larger than MPI counts");
    if (a->schedule->processes != a->graph->ranks)
        return ns_fail(err, NS_ERR_DATA, "%s wants %d processes", strategy->name, (int)a->schedule->processes);
    for (int32_t p = 0; p < a->schedule->processes; p++)
        NS_TRY(put_program(a, p, words, err));
    return NS_OK;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static ns_status open_advice(advice *a, ns_error *err)
{
    const size_t ranks = (size_t)a->graph->ranks;
    a->least = calloc(ranks + 1, sizeof *a->least);
    a->base = calloc(ranks + 1, sizeof *a->base);
    a->sent = calloc(ranks, sizeof *a->sent);
    a->received = calloc(ranks, sizeof *a->received);
    a->by_node = calloc(ranks, sizeof *a->by_node);
    if (a->least == NULL || a->base == NULL || a->sent == NULL || a->received == NULL || a->by_node == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    list_by_node(a);
    return ns_site_from_map(a->graph->ranks, a->graph->nodes, a->graph->node_of, 0, NULL, &a->site, err);
}

static void close_advice(advice *a)
{
    for (int r = 0; r < a->graph->ranks; r++) {
        if (a->sent != NULL)
            free(a->sent[r].item);
        if (a->received != NULL)
            free(a->received[r].item);
    }
    free(a->least);
    free(a->base);
    free(a->sent);
    free(a->received);
    free(a->by_node);
    ns_schedule_free(a->schedule);
    ns_exchange_free(a->exchange);
    ns_machine_free(a->machine);
    ns_site_free(a->site);
}

/* LAYER_LEAVE: what MPI does itself is what the advice is. */
static ns_status advise(advice *a, int64_t **words, int64_t *outcome, ns_error *err)
{
    const ns_strategy *chosen = NULL, *standard = NULL;
    *outcome = LAYER_UNUSABLE;
    NS_TRY(open_advice(a, err));
    NS_TRY(number_columns(a, err));
    NS_TRY(collect(a, err));
    NS_TRY(choose(a, &chosen, err));
    NS_TRY(ns_strategy_get("standard", &standard, err));
    *outcome = LAYER_LEAVE;
    if (chosen == standard && layer_set.strategy[0] == '\0')
        return NS_OK;
    *outcome = LAYER_UNUSABLE;
    NS_TRY(put_programs(a, chosen, words, err));
    *outcome = LAYER_RUN;
    return NS_OK;
}

bool layer_advise(const layer_graph *graph, int64_t *const *asked, int64_t **words)
{
    advice a = {.graph = graph, .asked = asked};
    ns_error err = {0};
    char text[1000];
    int64_t outcome;
    bool there = true;
    if (advise(&a, words, &outcome, &err) != NS_OK)
        layer_log("%d processes: MPI's own: %s", graph->ranks, ns_error_format(&err, text, sizeof text));
    close_advice(&a);
    for (int r = 0; r < graph->ranks && outcome != LAYER_RUN; r++) {
        free(words[r]);
        words[r] = calloc(LAYER_HEAD, sizeof **words);
        if (words[r] != NULL)
            words[r][LAYER_STATUS] = outcome;
        there = there && words[r] != NULL;
    }
    return there;
}
