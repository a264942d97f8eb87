/* planner.c -- rank 0 of an exchange: the ways that can perform it, their expected times, and their programs */
#include "mpi_layer/layer.h"

#include <nsmodel/program.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct layer_planner {
    layer_exchange *exchange;
    layer_words asked;
    layer_advice advice;
    int number;                        /* of this exchange, for the log */
    int count;                         /* ways of the plan */
    int64_t way[LAYER_WAYS];           /* their numbers on all processes */
    const char *name[LAYER_WAYS];      /* as in the log and in wisdom */
    double predicted_s[LAYER_WAYS];    /* by the machine, or by the flat one */
    bool believed;                     /* a machine was given */
    ns_schedule *schedule[LAYER_WAYS]; /* until it has been sent */
    ns_machine_info machine;
    ns_wisdom_row row;             /* the key of this exchange in the wisdom */
    ns_plan *plan;                 /* NULL: there is no choice, and the first way is used */
    bool decided;                  /* nothing is tried: the first way is always used */
    ns_plan_run run[NS_PLAN_TOLD]; /* the current runs, with ways of the plan */
    int runs;
    bool cold;      /* the runs begin with the very first call, whose time is excluded */
    double opened;  /* s */
    int64_t before; /* calls of the exchange before that */
};

/* ---- names ------------------------------------------------------------------------------------------------------- */

static const char own_name[] = "MPI";

static const ns_strategy *strategy_of(int64_t way)
{
    const ns_strategy *all[LAYER_WAYS];
    const size_t count = ns_strategies_by_rank(all, LAYER_WAYS);
    return way > LAYER_OWN && (size_t)way <= count ? all[way - 1] : NULL;
}

const char *layer_way_name(int64_t way)
{
    ns_strategy_info info = {.size = sizeof info};
    if (way == LAYER_OWN || ns_strategy_describe(strategy_of(way), &info, NULL) != NS_OK)
        return own_name;
    return info.name;
}

/* "Open MPI v4.1.4", "MPICH Version: 4.0.2": the text before the first comma or the end of the line. */
static const char *mpi_name(void)
{
    static char name[200];
    char text[MPI_MAX_LIBRARY_VERSION_STRING], *state = NULL;
    int length, used = 0;
    PMPI_Get_library_version(text, &length);
    text[strcspn(text, ",\n")] = '\0';
    for (char *word = strtok_r(text, " \t", &state); word != NULL && used < (int)sizeof name;
         word = strtok_r(NULL, " \t", &state))
        used += snprintf(name + used, sizeof name - (size_t)used, "%s%s", used > 0 ? " " : "", word);
    return name;
}

/* ---- wisdom ------------------------------------------------------------------------------------------------------ */

static ns_wisdom *learnt; /* by this process in this run */

/* The results of earlier runs, read once; NULL: none, for a reason that is in the log. */
static const ns_wisdom *remembered(const ns_wisdom_row *row)
{
    static ns_wisdom *known;
    static bool looked;
    ns_error err = {0};
    char text[1000];
    if (!layer_set.remembers)
        return NULL;
    if (!looked && ns_wisdom_open(layer_set.wisdom, &known, &err) != NS_OK)
        layer_log("no wisdom: %s", ns_error_format(&err, text, sizeof text));
    if (!looked && known != NULL && ns_wisdom_cut(known) > 0)
        layer_log("wisdom: %s:%ld: the last row is cut off and left out; %zu whole ones are kept", layer_set.wisdom,
                  ns_wisdom_cut(known), ns_wisdom_rows(known));
    looked = true;
    if (known != NULL && ns_wisdom_check(known, row->machine, row->mpi, &err) != NS_OK) {
        layer_log("no wisdom: %s: %s", layer_set.wisdom, ns_error_format(&err, text, sizeof text));
        ns_wisdom_free(known);
        known = NULL;
    }
    return known;
}

/* What a way sends, NULL where it cannot be described; MPI's own sends the messages of standard. */
static ns_value *sent_by(const layer_planner *p, int64_t way)
{
    const ns_strategy *strategy = strategy_of(way);
    ns_schedule *schedule;
    if ((strategy == NULL && ns_strategy_get("standard", &strategy, NULL) != NS_OK) ||
        ns_schedule_build(strategy, NS_VIA_HOST, p->advice.exchange, p->advice.machine, &schedule, NULL) != NS_OK)
        return NULL;
    ns_value *sends = ns_value_new();
    const ns_status status = ns_schedule_counts(schedule, p->advice.machine, sends, NULL);
    ns_schedule_free(schedule);
    if (status == NS_OK)
        return sends;
    ns_value_free(sends);
    return NULL;
}

/* Add the measurements of a plan to the wisdom of this run.  Calls of the current run, whose times the plan does not
 * have, are counted with those of its way. */
static void keep(const layer_planner *p)
{
    char date[16];
    int64_t untold = p->exchange->made - p->before;
    const time_t now = time(NULL);
    struct tm utc;
    ns_error err = {0};
    if (layer_set.wisdom[0] == '\0' || p->plan == NULL ||
        (learnt == NULL && ns_wisdom_open(NULL, &learnt, &err) != NS_OK))
        return;
    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &utc));
    for (int i = 0; i < p->count; i++) {
        ns_plan_info info = {.size = sizeof info};
        if (ns_plan_describe(p->plan, i, &info, NULL) == NS_OK)
            untold -= info.calls;
    }
    for (int i = 0; i < p->count; i++) {
        ns_plan_info info = {.size = sizeof info};
        ns_wisdom_row row = p->row;
        if (ns_plan_describe(p->plan, i, &info, NULL) != NS_OK || info.calls == 0)
            continue;
        row.way = p->name[i];
        row.median_s = info.measured_s;
        row.spread = info.spread;
        row.count = info.calls + (p->way[i] == p->exchange->way && untold > 0 ? untold : 0);
        row.base_s = p->predicted_s[i];
        row.predicted = true;
        row.date = date;
        row.sends = sent_by(p, p->way[i]);
        if (ns_wisdom_add(learnt, &row, &err) != NS_OK)
            layer_log("not remembered: %s", err.text);
        ns_value_free((ns_value *)(uintptr_t)row.sends);
    }
}

void layer_wisdom_write(void)
{
    ns_error err = {0};
    char text[1000];
    if (learnt != NULL && ns_wisdom_rows(learnt) > 0 && ns_wisdom_append(learnt, layer_set.wisdom, &err) != NS_OK)
        layer_log("wisdom is not written: %s", ns_error_format(&err, text, sizeof text));
    ns_wisdom_free(learnt);
    learnt = NULL;
}

/* ---- ways -------------------------------------------------------------------------------------------------------- */

/* Select the ways that can run: those that use all processes of a node require the same number on each. */
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

static int64_t count_off_node(const layer_advice *a, const ns_strategy *strategy)
{
    ns_schedule *s;
    ns_schedule_info info = {.size = sizeof info};
    int64_t count = 0;
    if (ns_schedule_build(strategy, NS_VIA_HOST, a->exchange, a->machine, &s, NULL) != NS_OK)
        return 0;
    for (int i = 0; ns_schedule_describe(s, &info, NULL) == NS_OK && i < info.steps; i++) {
        const ns_message *message;
        const int64_t messages = ns_schedule_messages(s, i, &message);
        for (int64_t m = 0; m < messages; m++)
            count += ns_schedule_locality(s, message[m].from, message[m].to) == NS_OFF_NODE;
    }
    ns_schedule_free(s);
    return count;
}

/* Data are in host memory: copies out of a device are not made, and not priced.  Of ways that send the same messages,
 * as all do on one node, only the first is listed. */
static void list_ways(layer_planner *p, const ns_comparison *c)
{
    char words[1200] = "";
    double own_s = 0;
    const bool named = layer_set.strategy[0] != '\0';
    p->count = named ? 0 : 1;
    for (int i = 0; i < ns_comparison_choices(c) && p->count < LAYER_WAYS; i++) {
        ns_choice_info way = {.size = sizeof way}, other = way;
        bool same = false;
        if (ns_comparison_choice(c, i, &way, NULL) != NS_OK)
            continue;
        for (int j = 0; j < i && way.p_best == 0; j++)
            same = same || (ns_comparison_choice(c, j, &other, NULL) == NS_OK && other.estimate_s == way.estimate_s &&
                            other.messages_off_node_max == way.messages_off_node_max);
        if (same)
            continue;
        p->way[p->count] = 1;
        while (strategy_of(p->way[p->count]) != way.strategy)
            p->way[p->count]++;
        p->name[p->count] = way.name;
        p->predicted_s[p->count] = way.estimate_s - way.copy_s;
        own_s = strcmp(way.name, "standard") == 0 ? p->predicted_s[p->count] : own_s;
        if (layer_set.log[0] != '\0') {
            const size_t used = strlen(words);
            snprintf(words + used, sizeof words - used, "%s%s %.3g us %lld", used > 0 ? ", " : "", way.name,
                     1e6 * p->predicted_s[p->count], (long long)count_off_node(&p->advice, way.strategy));
        }
        p->count++;
    }
    if (!named) {
        p->name[0] = own_name; /* sends the messages of standard */
        p->predicted_s[0] = own_s;
    }
    layer_log("exchange %d: %d processes on %d nodes, entries of %lld B; machine %s; predicted, and messages between "
              "nodes: %s",
              p->number, p->advice.graph->ranks, p->advice.graph->nodes, (long long)p->advice.width, p->machine.name,
              words);
}

/* Without a machine the model is not used: the times in the wisdom are the only information.  Where earlier runs made
 * this many calls of this very exchange, they have tried what was worthwhile; where they made fewer, as many calls are
 * expected again. */
static const int64_t known_calls = 30;

static ns_status open_plan(layer_planner *p, double doubt, bool measured_machine, ns_error *err)
{
    const unsigned flags = p->exchange->options.flags;
    ns_plan_way ways[LAYER_WAYS];
    bool nearby = false;
    int64_t known = 0;
    const ns_wisdom *wisdom = remembered(&p->row);
    for (int i = 0; i < p->count; i++)
        ways[i] = (ns_plan_way){.predicted_s = p->predicted_s[i], .doubt = doubt, .like = -1};
    if (wisdom != NULL)
        NS_TRY(ns_wisdom_foretell(wisdom, &p->row, p->name, ways, p->count, &nearby, err));
    for (int i = 0; i < p->count; i++) {
        if (!p->believed && !nearby)
            ways[i].predicted_s = 0;
        known += ways[i].measured;
    }
    if (flags == NS_MPI_WISDOM_ONLY && known == 0)
        return NS_OK;
    p->decided =
        flags == NS_MPI_ESTIMATE || flags == NS_MPI_WISDOM_ONLY || (flags == NS_MPI_MEASURE && known >= known_calls);
    const ns_plan_options options = {.size = sizeof options,
                                     .incumbent = layer_set.strategy[0] == '\0' ? 0 : -1,
                                     .foreign = !nearby && !measured_machine && flags != NS_MPI_ESTIMATE,
                                     .calls = p->exchange->options.calls > 0 ? p->exchange->options.calls
                                              : flags == NS_MPI_MEASURE      ? known
                                                                             : 0,
                                     .effort = p->decided                ? NS_PLAN_ESTIMATE
                                               : flags == NS_MPI_PATIENT ? NS_PLAN_PATIENT
                                                                         : NS_PLAN_MEASURE,
                                     .agreement_s = p->exchange->graph->agreement_s};
    return ns_plan_open(ways, p->count, &options, &p->plan, err);
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

static void put(FILE *out, int64_t a, int64_t b, int64_t c, int64_t d)
{
    (void)fwrite((int64_t[]){a, b, c, d}, sizeof a, 4, out);
}

static void put_map(FILE *out, const layer_map *m)
{
    for (const layer_mapped *i = m->item; i < m->item + m->count; i++)
        put(out, i->offset, i->entries, i->edge, i->at);
}

/* The words of every process, consecutively, as layer_program_make reads them; MPI must be able to count all of
 * them. */
void layer_planner_program(layer_planner *p, int64_t way, layer_words *answer)
{
    const layer_advice *a = &p->advice;
    const int ranks = a->graph->ranks;
    char *text = NULL;
    size_t size = 0;
    int64_t used = 0;
    int i = 0;
    while (p->way[i] != way)
        i++;
    layer_words_open(answer, ranks);
    ns_strategy_info info = {.size = sizeof info};
    /* Processes of a strategy that uses all of them are ordered node by node. */
    const bool by_node = ns_strategy_describe(strategy_of(way), &info, NULL) == NS_OK && info.all_processes;
    FILE *out = open_memstream(&text, &size);
    ns_error err = {0};
    ns_status status = out != NULL ? NS_OK : ns_fail(&err, NS_ERR_MEMORY, "out of memory");
    for (int32_t process = 0; process < ranks && status == NS_OK; process++) {
        ns_program *program;
        ns_program_info said = {.size = sizeof said};
        const int rank = by_node ? a->by_node[process] : process;
        status = ns_schedule_ops(p->schedule[i], a->exchange, process, &program, &err);
        if (status != NS_OK)
            break;
        ns_program_describe(program, &said);
        int64_t head[LAYER_HEAD] = {a->width, said.work_entries,   said.ops,
                                    0,        a->sent[rank].count, a->received[rank].count};
        for (int64_t k = 0; k < said.ops; k++)
            head[LAYER_SLICES] += ns_program_op(program, k)->slices;
        const int64_t records = head[LAYER_OPS] + head[LAYER_SLICES] + head[LAYER_SENT] + head[LAYER_RECEIVED];
        const int64_t count = LAYER_HEAD + 4 * records;
        if (count <= INT_MAX - used) {
            (void)fwrite(head, sizeof head, 1, out);
            for (int64_t k = 0; k < said.ops; k++) {
                const ns_op *o = ns_program_op(program, k);
                put(out, o->kind, o->step, by_node && o->peer >= 0 ? a->by_node[o->peer] : o->peer, o->slices);
            }
            for (int64_t k = 0; k < said.ops; k++) {
                const ns_op *o = ns_program_op(program, k);
                for (const ns_op_slice *s = o->slice; s < o->slice + o->slices; s++)
                    put(out, s->buffer, s->offset, s->entries, s->to);
            }
            put_map(out, &a->sent[rank]);
            put_map(out, &a->received[rank]);
        } else {
            status = ns_fail(&err, NS_ERR_LIMIT, "the programs of all processes are larger than MPI counts");
        }
        answer->at[rank] = (int)used;
        answer->count[rank] = (int)count;
        used += count;
        ns_program_free(program);
    }
    if (out != NULL && fclose(out) != 0 && status == NS_OK)
        status = ns_fail(&err, NS_ERR_MEMORY, "out of memory");
    answer->word = (int64_t *)(void *)text;
    ns_schedule_free(p->schedule[i]);
    p->schedule[i] = NULL;
    if (status != NS_OK) { /* all processes wait for the program */
        (void)fprintf(stderr, "nsmodel: %s\n", err.text);
        PMPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* Build the schedule of a way, if every process can perform it. */
static ns_status build(const layer_advice *a, const ns_strategy *strategy, ns_schedule **schedule, ns_error *err)
{
    ns_schedule_info info = {.size = sizeof info};
    NS_TRY(ns_schedule_build(strategy, NS_VIA_HOST, a->exchange, a->machine, schedule, err));
    NS_TRY(ns_schedule_describe(*schedule, &info, err));
    for (int i = 0; i < info.steps; i++) {
        const ns_message *message;
        const int64_t messages = ns_schedule_messages(*schedule, i, &message);
        for (int64_t m = 0; m < messages; m++)
            if (message[m].bytes > INT_MAX)
                return ns_fail(err, NS_ERR_LIMIT, "a message is larger than MPI counts");
    }
    if (info.processes != a->graph->ranks)
        return ns_fail(err, NS_ERR_DATA, "the strategy wants %d processes", (int)info.processes);
    return NS_OK;
}

/* ---- planning ---------------------------------------------------------------------------------------------------- */

/* Determine what the exchange sends and the expected times of its ways; a plan is opened where there is a choice. */
static ns_status prepare(layer_planner *p, ns_error *err)
{
    layer_advice *a = &p->advice;
    const layer_graph *g = a->graph;
    const size_t ranks = (size_t)g->ranks;
    a->least = layer_memory(ranks + 1, sizeof *a->least);
    a->base = layer_memory(ranks + 1, sizeof *a->base);
    a->sent = layer_memory(ranks, sizeof *a->sent);
    a->received = layer_memory(ranks, sizeof *a->received);
    a->by_node = layer_memory(ranks, sizeof *a->by_node);
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
    NS_TRY(ns_site_from_map(g->ranks, g->nodes, g->node_of, 0, NULL, &a->site, err));
    NS_TRY(layer_columns(a, err));
    if (a->width == 0)
        return NS_OK;
    ns_selection *selection;
    ns_comparison *c = NULL;
    /* Strategies of all host processes use those that are present. */
    char text[64];
    const ns_machine *machine;
    NS_TRY(layer_machine(&machine, err));
    snprintf(text, sizeof text, "topology.host_processes=%d", a->most);
    NS_TRY(ns_machine_with(machine, text, &a->machine, err));
    p->machine.size = sizeof p->machine;
    NS_TRY(ns_machine_describe(a->machine, &p->machine, err));
    NS_TRY(ns_selection_open(&selection, err));
    ns_status status = select_ways(a, selection, err);
    if (status == NS_OK)
        status = ns_compare(a->exchange, a->machine, selection, &c, err);
    ns_selection_free(selection);
    NS_TRY(status);
    list_ways(p, c);
    /* The decision in the words of `nsmodel predict`, a line each.  Its times include copies out of a machine's GPUs,
     * which an exchange of host memory does not make: in that case it is not logged. */
    ns_choice_info first = {.size = sizeof first};
    char said[4000] = "";
    if (layer_set.log[0] == '\0' || ns_comparison_choice(c, 0, &first, NULL) != NS_OK || first.copy_s > 0 ||
        ns_comparison_say(c, a->machine, a->exchange, said, sizeof said, NULL) != NS_OK)
        said[0] = '\0';
    for (char *line = said, *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
        layer_log("exchange %d: %.*s", p->number, (int)(end - line), line);
    /* The scale of the errors of ln(time), and whether it is based on exchanges measured on this machine. */
    static const double unknown = 1.5; /* kappa of a machine without measured exchanges */
    ns_decision_info d = {.size = sizeof d};
    const double kappa = ns_comparison_decision(c, &d, NULL) == NS_OK && d.kappa > 0 ? d.kappa : unknown;
    const double doubt = acos(-1) / (sqrt(6) * kappa);
    ns_comparison_free(c);
    p->row = (ns_wisdom_row){.size = sizeof p->row,
                             .machine = p->machine.name,
                             .mpi = mpi_name(),
                             .processes = g->ranks,
                             .per_node = a->most};
    for (int r = 0; r < g->ranks; r++) {
        const int64_t *word = p->asked.word + p->asked.at[r];
        int64_t bytes = 0, messages = 0;
        for (int i = 0; i < g->outs[r]; i++)
            if (word[3 * i] != r && word[3 * i + 1] > 0) {
                bytes += word[3 * i + 1];
                messages++;
            }
        p->row.bytes = fmax(p->row.bytes, (double)bytes);
        p->row.messages = fmax(p->row.messages, (double)messages);
    }
    return p->count == 1 ? NS_OK : open_plan(p, doubt, kappa != unknown && p->believed, err);
}

/* An exchange that cannot be planned, or that sends nothing, is left to MPI. */
layer_planner *layer_planner_open(layer_exchange *exchange, layer_words *asked)
{
    static int planners;
    layer_planner *p = layer_memory(1, sizeof *p);
    ns_error err = {0};
    char text[1000];
    p->exchange = exchange;
    p->asked = *asked;
    *asked = (layer_words){0};
    p->advice = (layer_advice){.graph = exchange->graph, .asked = &p->asked};
    p->number = ++planners;
    p->believed = layer_set.machine[0] != '\0';
    p->opened = MPI_Wtime();
    p->before = exchange->made;
    if (prepare(p, &err) != NS_OK) {
        layer_log("%d processes: MPI's own: %s", exchange->graph->ranks, ns_error_format(&err, text, sizeof text));
        ns_plan_free(p->plan);
        p->plan = NULL;
        p->count = 0;
    }
    return p;
}

void layer_planner_close(layer_planner *p)
{
    layer_advice *a;
    if (p == NULL)
        return;
    keep(p);
    a = &p->advice;
    for (int r = 0; r < a->graph->ranks; r++) {
        free(a->sent[r].item);
        free(a->received[r].item);
    }
    free(a->least);
    free(a->base);
    free(a->sent);
    free(a->received);
    free(a->by_node);
    for (int i = 0; i < p->count; i++)
        ns_schedule_free(p->schedule[i]);
    ns_exchange_free(a->exchange);
    ns_machine_free(a->machine);
    ns_site_free(a->site);
    ns_plan_free(p->plan);
    layer_words_close(&p->asked);
    free(p);
}

void layer_planner_tell(layer_planner *p, const double *seconds, int told)
{
    ns_error err = {0};
    for (int i = 0; i < p->runs && p->plan != NULL; i++) {
        const int samples = i == 0 ? told - p->runs + 1 : 1, skipped = p->cold && i == 0 ? samples - 1 : 0;
        if (ns_plan_tell(p->plan, p->run[i].way, p->run[i].calls, seconds + skipped, samples - skipped, &err) != NS_OK)
            layer_log("exchange %d: %s", p->number, err.text);
        seconds += samples;
    }
    p->cold = false;
}

/* One line per decision: the way and the probability that it is the fastest, its time compared with the way in use
 * today, and what was tried so far. */
static void say(const layer_planner *p, int64_t calls, const char *why)
{
    ns_plan_info next = {.size = sizeof next}, today = next, one = next;
    char against[200] = "", until[40] = "all calls", then[400] = "";
    double trial_s = 0;
    int64_t trials = 0;
    if (layer_set.log[0] == '\0' || ns_plan_describe(p->plan, p->run[0].way, &next, NULL) != NS_OK)
        return;
    for (int i = 0; i < p->count; i++)
        if (ns_plan_describe(p->plan, i, &one, NULL) == NS_OK) {
            trials += one.trials;
            trial_s += one.trial_s;
        }
    if (next.way != 0 && ns_plan_describe(p->plan, 0, &today, NULL) == NS_OK && today.expected_s > 0)
        snprintf(against, sizeof against, ", %s %.3g us", p->name[0], 1e6 * today.expected_s);
    if (calls < layer_forever)
        snprintf(until, sizeof until, "%lld", (long long)calls);
    for (int i = 1; i < p->runs; i++) {
        const size_t used = strlen(then);
        snprintf(then + used, sizeof then - used, "%s%s for 1", i == 1 ? ", then " : ", ", p->name[p->run[i].way]);
    }
    layer_log("exchange %d: after %lld calls %s for %s%s, P %.2f, %.3g us%s; %lld trials so far took %.3g us; %s",
              p->number, (long long)p->exchange->made, p->name[next.way], until, then, next.p_best,
              1e6 * next.expected_s, against, (long long)trials, 1e6 * trial_s, why);
}

/* The way with the smallest measured time. */
static int best_measured(const layer_planner *p)
{
    int best = 0;
    double least = INFINITY;
    for (int i = 0; i < p->count; i++) {
        ns_plan_info info = {.size = sizeof info};
        if (ns_plan_describe(p->plan, i, &info, NULL) == NS_OK && info.measured_s > 0 && info.measured_s < least) {
            least = info.measured_s;
            best = i;
        }
    }
    return best;
}

/* The plan's decision; without a plan, or after the planning has ended, one way for all calls.  Where the schedule of a
 * way cannot be performed, the exchange is left to MPI. */
layer_decision layer_planner_next(layer_planner *p)
{
    static const layer_decision left_to_mpi = {1, {{LAYER_OWN, layer_forever}}};
    const double limit = p->exchange->options.limit_s;
    const bool over = p->plan != NULL && limit > 0 && MPI_Wtime() - p->opened >= limit;
    layer_decision d = {0};
    ns_plan_info next = {.size = sizeof next, .why = "the time for trials is over"};
    ns_error err = {0};
    char text[1000];
    if (p->count == 0)
        return left_to_mpi;
    p->runs = 1;
    p->run[0] = (ns_plan_run){.way = p->plan != NULL ? best_measured(p) : 0};
    if (p->plan != NULL && !over &&
        (ns_plan_runs(p->plan, p->run, &p->runs, &err) != NS_OK || ns_plan_describe(p->plan, -1, &next, &err) != NS_OK))
        layer_log("exchange %d: %s", p->number, err.text);
    p->cold = p->run[0].calls == 1 && p->exchange->made == 0 && p->exchange->options.calls != 1;
    p->run[0].calls += p->cold;
    for (; d.runs < p->runs; d.runs++) {
        d.run[d.runs].way = p->way[p->run[d.runs].way];
        d.run[d.runs].calls = p->run[d.runs].calls;
    }
    if (p->plan == NULL || p->decided || over)
        d.run[0].calls = layer_forever;
    if (p->plan != NULL)
        say(p, d.run[0].calls, next.why);
    else
        layer_log("exchange %d: %s%s", p->number, p->name[p->run[0].way],
                  layer_set.strategy[0] != '\0' ? " as NSMODEL_STRATEGY says" : "; there is no wisdom of it");
    for (int i = 0; i < p->runs; i++) {
        const int way = p->run[i].way;
        if (p->way[way] == LAYER_OWN || p->exchange->program[p->way[way]] != NULL || p->schedule[way] != NULL)
            continue; /* all processes have its program, or will have it */
        if (build(&p->advice, strategy_of(p->way[way]), &p->schedule[way], &err) != NS_OK) {
            layer_log("exchange %d: MPI's own: %s", p->number, ns_error_format(&err, text, sizeof text));
            return left_to_mpi;
        }
    }
    return d;
}
