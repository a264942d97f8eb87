/* advise.c -- rank 0: a strategy for an exchange, and every process' program */
#include "mpi_layer/advice.h"

#include <nsmodel/program.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- strategy ---------------------------------------------------------------------------------------------------- */

static void list_by_node(layer_advice *a)
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
static ns_status load_machine(layer_advice *a, ns_error *err)
{
    char text[64];
    const ns_machine *machine;
    NS_TRY(layer_machine(&machine, err));
    snprintf(text, sizeof text, "topology.host_processes=%d", a->most);
    return ns_machine_with(machine, text, &a->machine, err);
}

static bool takes_all(const ns_strategy *strategy)
{
    ns_strategy_info info = {.size = sizeof info};
    return ns_strategy_describe(strategy, &info, NULL) == NS_OK && info.all_processes;
}

/* What may run here: those that take all processes of a node want as many on each. */
static ns_status select_ways(const layer_advice *a, ns_selection *selection, ns_error *err)
{
    const ns_strategy *all[LAYER_WAYS];
    size_t given = 0, count = 0;
    if (layer_set.strategy[0] != '\0')
        NS_TRY(ns_strategies_named(layer_set.strategy, all, LAYER_WAYS, &given, err));
    else
        given = ns_strategies_by_rank(all, LAYER_WAYS);
    for (size_t i = 0; i < given; i++) {
        ns_strategy_info info = {.size = sizeof info};
        NS_TRY(ns_strategy_describe(all[i], &info, err));
        if (info.all_processes && !a->equal)
            continue;
        NS_TRY(ns_selection_add(selection, info.name, err));
        count++;
    }
    return count > 0 ? ns_selection_transports(selection, 1u << NS_VIA_HOST, err)
                     : ns_fail(err, NS_ERR_DATA, "%s wants as many ranks on every node", layer_set.strategy);
}

/* A way of the comparison.  Data are in the host's memory: copies out of a device are not made, and not paid. */
static double way_of(const ns_comparison *c, int i, ns_choice_info *way)
{
    *way = (ns_choice_info){.size = sizeof *way};
    return ns_comparison_choice(c, i, way, NULL) == NS_OK ? way->estimate_s - way->copy_s : HUGE_VAL;
}

static int64_t count_off_node(const ns_schedule *s)
{
    ns_schedule_info info = {.size = sizeof info};
    int64_t count = 0;
    if (ns_schedule_describe(s, &info, NULL) != NS_OK)
        return 0;
    for (int i = 0; i < info.steps; i++) {
        const ns_message *message;
        const int64_t messages = ns_schedule_messages(s, i, &message);
        for (int64_t m = 0; m < messages; m++)
            count += ns_schedule_locality(s, message[m].from, message[m].to) == NS_OFF_NODE;
    }
    return count;
}

static void tell(const layer_advice *a, const ns_comparison *c, const char *chosen)
{
    char words[800] = "";
    for (int i = 0; i < ns_comparison_choices(c); i++) {
        ns_schedule *schedule;
        ns_choice_info way;
        const double seconds = way_of(c, i, &way);
        if (ns_schedule_build(way.strategy, NS_VIA_HOST, a->exchange, a->machine, &schedule, NULL) != NS_OK)
            continue;
        const size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, "%s%s %.3g us %lld", used > 0 ? ", " : "", way.name, 1e6 * seconds,
                 (long long)count_off_node(schedule));
        ns_schedule_free(schedule);
    }
    layer_log(
        "%d processes on %d nodes, entries of %lld B: %s%s; machine %s; predicted, and messages between nodes: %s",
        a->graph->ranks, a->graph->nodes, (long long)a->width, chosen,
        layer_set.strategy[0] != '\0' ? " as NSMODEL_STRATEGY says" : "",
        layer_set.machine[0] != '\0' ? layer_set.machine : "flat", words);
}

static ns_status compare(const layer_advice *a, const ns_selection *selection, const ns_strategy **chosen,
                         ns_error *err)
{
    ns_comparison *c;
    ns_choice_info way, best;
    NS_TRY(ns_compare(a->exchange, a->machine, selection, &c, err));
    double least = way_of(c, 0, &best);
    for (int i = 1; i < ns_comparison_choices(c); i++) {
        const double seconds = way_of(c, i, &way);
        if (seconds < least) {
            least = seconds;
            best = way;
        }
    }
    *chosen = best.strategy;
    tell(a, c, best.name);
    ns_comparison_free(c);
    return NS_OK;
}

static ns_status choose(layer_advice *a, const ns_strategy **chosen, ns_error *err)
{
    ns_selection *selection;
    NS_TRY(load_machine(a, err));
    NS_TRY(ns_selection_open(&selection, err));
    ns_status status = select_ways(a, selection, err);
    if (status == NS_OK)
        status = compare(a, selection, chosen, err);
    ns_selection_free(selection);
    return status;
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

/* The rank of a process of the schedule. */
static int rank_of(const layer_advice *a, int32_t process)
{
    return a->all_processes ? a->by_node[process] : process;
}

static int64_t *put_map(const layer_map *m, int64_t *words)
{
    for (int64_t i = 0; i < m->count; i++, words += 4)
        memcpy(words, &(int64_t[]){m->item[i].offset, m->item[i].entries, m->item[i].edge, m->item[i].at},
               4 * sizeof *words);
    return words;
}

static void write_program(const layer_advice *a, const ns_program *program, int rank, int64_t *words)
{
    int64_t *op = words + LAYER_HEAD, *slice = op + 4 * words[LAYER_OPS];
    for (int64_t i = 0; i < words[LAYER_OPS]; i++) {
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

/* Room for a process' words behind those of others; MPI counts all of them. */
static ns_status add_words(layer_words *all, int64_t *room, int64_t *used, int rank, int64_t count, ns_error *err)
{
    if (count > INT_MAX - *used)
        return ns_fail(err, NS_ERR_LIMIT, "the programs of all processes are larger than MPI counts");
    if (*used + count > *room) {
        *room = 2 * (*used + count);
        int64_t *grown = realloc(all->word, (size_t)*room * sizeof *grown);
        if (grown == NULL)
            return ns_fail(err, NS_ERR_MEMORY, "out of memory");
        all->word = grown;
    }
    all->at[rank] = (int)*used;
    all->count[rank] = (int)count;
    *used += count;
    return NS_OK;
}

static ns_status put_programs(const layer_advice *a, int32_t processes, layer_words *answer, ns_error *err)
{
    int64_t room = 0, used = 0;
    for (int32_t p = 0; p < processes; p++) {
        ns_program *program;
        ns_program_info info = {.size = sizeof info};
        const int rank = rank_of(a, p);
        NS_TRY(ns_schedule_ops(a->schedule, a->exchange, p, &program, err));
        ns_program_describe(program, &info);
        int64_t head[LAYER_HEAD] = {
            LAYER_RUN, a->width, info.work_entries, info.ops, 0, a->sent[rank].count, a->received[rank].count};
        for (int64_t i = 0; i < info.ops; i++)
            head[LAYER_SLICES] += ns_program_op(program, i)->slices;
        const int64_t records = head[LAYER_OPS] + head[LAYER_SLICES] + head[LAYER_SENT] + head[LAYER_RECEIVED];
        const ns_status status = add_words(answer, &room, &used, rank, LAYER_HEAD + 4 * records, err);
        if (status == NS_OK) {
            int64_t *words = memcpy(answer->word + answer->at[rank], head, sizeof head);
            write_program(a, program, rank, words);
        }
        ns_program_free(program);
        NS_TRY(status);
    }
    return NS_OK;
}

static ns_status check_messages(const ns_schedule *schedule, int steps, ns_error *err)
{
    for (int i = 0; i < steps; i++) {
        const ns_message *message;
        const int64_t messages = ns_schedule_messages(schedule, i, &message);
        for (int64_t m = 0; m < messages; m++)
            if (message[m].bytes > INT_MAX)
                return ns_fail(err, NS_ERR_LIMIT, "a message is larger than MPI counts");
    }
    return NS_OK;
}

static ns_status build(layer_advice *a, const ns_strategy *strategy, layer_words *answer, ns_error *err)
{
    ns_schedule_info info = {.size = sizeof info};
    NS_TRY(ns_schedule_build(strategy, NS_VIA_HOST, a->exchange, a->machine, &a->schedule, err));
    NS_TRY(ns_schedule_describe(a->schedule, &info, err));
    NS_TRY(check_messages(a->schedule, info.steps, err));
    if (info.processes != a->graph->ranks)
        return ns_fail(err, NS_ERR_DATA, "the strategy wants %d processes", (int)info.processes);
    a->all_processes = takes_all(strategy);
    return put_programs(a, info.processes, answer, err);
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static ns_status open_advice(layer_advice *a, ns_error *err)
{
    const size_t ranks = (size_t)a->graph->ranks;
    a->least = layer_memory(ranks + 1, sizeof *a->least);
    a->base = layer_memory(ranks + 1, sizeof *a->base);
    a->sent = layer_memory(ranks, sizeof *a->sent);
    a->received = layer_memory(ranks, sizeof *a->received);
    a->by_node = layer_memory(ranks, sizeof *a->by_node);
    list_by_node(a);
    return ns_site_from_map(a->graph->ranks, a->graph->nodes, a->graph->node_of, 0, NULL, &a->site, err);
}

static void close_advice(layer_advice *a)
{
    for (int r = 0; r < a->graph->ranks; r++) {
        free(a->sent[r].item);
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

/* What MPI does itself may be the advice. */
static ns_status advise(layer_advice *a, layer_words *answer, int64_t *outcome, ns_error *err)
{
    const ns_strategy *chosen = NULL, *standard = NULL;
    NS_TRY(open_advice(a, err));
    NS_TRY(layer_columns(a, err));
    *outcome = a->width > 0 ? LAYER_LEAVE : LAYER_EMPTY;
    if (a->width == 0)
        return NS_OK;
    NS_TRY(choose(a, &chosen, err));
    NS_TRY(ns_strategy_get("standard", &standard, err));
    if (chosen == standard && layer_set.strategy[0] == '\0')
        return NS_OK;
    NS_TRY(build(a, chosen, answer, err));
    *outcome = LAYER_RUN;
    return NS_OK;
}

void layer_advise(const layer_graph *graph, const layer_words *asked, layer_words *answer)
{
    layer_advice a = {.graph = graph, .asked = asked};
    ns_error err = {0};
    char text[1000];
    int64_t outcome = LAYER_LEAVE;
    if (advise(&a, answer, &outcome, &err) != NS_OK)
        layer_log("%d processes: MPI's own: %s", graph->ranks, ns_error_format(&err, text, sizeof text));
    close_advice(&a);
    if (outcome == LAYER_RUN)
        return;
    /* Every process hears the same. */
    free(answer->word);
    answer->word = layer_memory(LAYER_HEAD, sizeof *answer->word);
    answer->word[LAYER_STATUS] = outcome;
    for (int r = 0; r < graph->ranks; r++) {
        answer->at[r] = 0;
        answer->count[r] = LAYER_HEAD;
    }
}
