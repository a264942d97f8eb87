/* run.c -- nsmodel-mpi run: the schedules that predict prices, performed and timed beside their prices */
#include "cli/inputs/cases.h"
#include "core/memory.h"
#include "mpi/job.h"
#include "mpi/play.h"
#include "mpi/records.h"
#include "mpi/timing.h"
#include "mpi/watchdog.h"
#include "report/columns.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <time.h>

static const ns_option options[] = {
    NS_OPTION_MATRIX,
    NS_OPTION_MESSAGES,
    NS_OPTION_MACHINE,
    {"per-node", 0, "G", NULL, "ranks of a node [as the launcher placed them]"},
    NS_OPTION_PARTITION,
    NS_OPTION_WIDTH,
    {"strategy", 0, "all|LIST", "all", "{strategies}"},
    {"repetitions", 0, "N", "30", "of each exchange, after warming up"},
    {"plan", 0, "CALLS", NULL, "instead, so many calls in the ways that a plan says: which, and what it learns"},
    {"records", 0, "FILE.csv", NULL, "add the measured times as rows for nsmodel validate and fit --records"},
    NS_OPTION_MODEL,
    NS_OPTION_CONFIDENCE,
    NS_OPTION_SET,
    NS_OPTION_TIMEOUT,
    NS_OPTION_MEMORY,
    NS_OPTION_WORK,
    {NULL},
};

/* What is asked of predict: the same exchange on as many parts as there are ranks, by host. */
static const ns_option question_options[] = {
    NS_OPTION_MATRIX, NS_OPTION_MESSAGES, NS_OPTIONS_CASES, NS_OPTION_MEMORY, NS_OPTION_WORK, {NULL},
};
static const ns_command question = {.name = "run", .options = question_options};

static const char baseline[] = "neighbor-alltoallv";

/* One way to do the exchange. */
typedef struct way {
    const ns_strategy *strategy; /* NULL: the baseline */
    double predicted_s;          /* without the copies of a machine with GPUs, which are not performed */
    int same;                    /* the way that sends the very same messages and is measured for both; -1: none */
    ns_schedule *schedule;
    ns_process_plan plan;
    ns_timing timing;
} way;

typedef struct trial {
    const ns_world *world;
    const ns_args *args;
    int per_node, repetitions;
    int64_t calls; /* of a plan; 0: none */
    ns_value *result;
    char per_node_text[24], parts_text[24], processes_text[60];
    ns_args *ask;
    ns_cases *cases;
    const ns_exchange *exchange;
    const ns_machine *machine;
    ns_entries entries;
    way way[NS_CHOICES + 1];
    int ways; /* of strategies; the baseline, where there is one, stands behind them */
    bool with_baseline;
    ns_record_file *records; /* rank 0, where asked for */
    ns_run_record about;
} trial;

/* ---- the exchange and its prices --------------------------------------------------------------------------------- */

static ns_status processes_of(const char *name, int *processes, ns_error *err)
{
    ns_machine *machine;
    NS_TRY(ns_machine_load(name, &machine, err));
    *processes = machine->host_processes;
    ns_machine_free(machine);
    return NS_OK;
}

static ns_status ask(trial *t, ns_error *err)
{
    static const char *const same[] = {"matrix",     "messages", "machine",    "partition", "width", "model",
                                       "confidence", "set",      "max-memory", "max-work",  NULL};
    const char *strategy = ns_args_get(t->args, "strategy");
    int machine_processes = 0;
    NS_TRY(processes_of(ns_args_get(t->args, "machine"), &machine_processes, err));
    t->ask = ns_args_ask(&question, t->args);
    if (t->ask == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    snprintf(t->per_node_text, sizeof t->per_node_text, "%d", t->per_node);
    snprintf(t->parts_text, sizeof t->parts_text, "%d", t->world->ranks);
    snprintf(t->processes_text, sizeof t->processes_text, "topology.host_processes=%d", t->per_node);
    NS_TRY(ns_args_pass(t->ask, t->args, same, err));
    NS_TRY(ns_args_give(t->ask, "parts", t->parts_text, err));
    NS_TRY(ns_args_give(t->ask, "per-node", t->per_node_text, err));
    NS_TRY(ns_args_give(t->ask, "transport", ns_transport_words[NS_VIA_HOST], err));
    if (machine_processes != t->per_node) /* strategies of all host processes count on those that are there */
        NS_TRY(ns_args_give(t->ask, "set", t->processes_text, err));
    if (strcmp(strategy, "all") != 0)
        NS_TRY(ns_args_give(t->ask, "strategy", strategy, err));
    return ns_cases_open(t->ask, &t->cases, err);
}

/* Where the ways have a choice that is counted from 1; -1: nowhere. */
static int find_way(const trial *t, const ns_comparison *c, int choice)
{
    for (int i = 0; i < t->ways && choice > 0; i++)
        if (t->way[i].strategy == c->choice[choice - 1].strategy)
            return i;
    return -1;
}

/* Strategies of all host processes want full nodes. */
static ns_status choose_ways(trial *t, ns_error *err)
{
    const ns_comparison *c = &t->cases->comparison[0];
    for (int i = 0; i < c->choices; i++) {
        const ns_strategy *strategy = c->choice[i].strategy;
        const ns_price *price = &c->choice[i].price;
        if (!strategy->all_processes || t->world->ranks % t->per_node == 0)
            t->way[t->ways++] = (way){.strategy = strategy,
                                      .predicted_s = price->estimate_s - price->copy_s,
                                      .same = find_way(t, c, c->choice[i].same)};
        else if (ns_args_has(t->args, "strategy") && strcmp(ns_args_get(t->args, "strategy"), "all") != 0)
            return ns_fail(err, NS_ERR_DATA, "%s wants full nodes: %d ranks are no multiple of %d", strategy->name,
                           t->world->ranks, t->per_node);
    }
    return NS_OK;
}

static ns_status prepare_here(trial *t, ns_error *err)
{
    double repetitions = 0, calls = 0;
    NS_TRY(ns_job_number(t->args, "repetitions", 1, &repetitions, err));
    NS_TRY(ns_job_per_node(t->world, t->args, &t->per_node, err));
    t->repetitions = (int)repetitions;
    if (ns_args_has(t->args, "plan")) {
        NS_TRY(ns_job_number(t->args, "plan", 1, &calls, err));
        if (ns_args_has(t->args, "records"))
            return ns_fail(err, NS_ERR_USAGE, "--records wants every way measured; --plan measures few");
        t->calls = (int64_t)calls;
    }
    if (strchr(ns_args_get(t->args, "machine"), ',') != NULL)
        return ns_fail(err, NS_ERR_USAGE, "run measures one machine; give --machine one name");
    NS_TRY(ask(t, err));
    t->exchange = t->cases->of[0].exchange;
    t->machine = t->cases->of[0].machine;
    NS_TRY(choose_ways(t, err));
    return ns_entries_make(&t->cases->inputs, t->exchange, &t->entries, err);
}

static uint64_t bits_of(const trial *t)
{
    uint64_t bits = NS_BITS;
    assert(t->exchange != NULL);
    for (int64_t r = 0; r < t->exchange->routes; r++) {
        const ns_route *route = &t->exchange->route[r];
        const int64_t row[] = {route->from, route->to, route->entries};
        bits = ns_bits(bits, row, sizeof row);
    }
    bits = ns_bits(bits, t->entries.direct, (size_t)t->entries.direct_first[t->exchange->routes] * sizeof(int64_t));
    return ns_bits(bits, &t->ways, sizeof t->ways);
}

/* ---- performing -------------------------------------------------------------------------------------------------- */

/* How a way is performed: its messages of each step all at once, but for those that are not. */
static ns_perform_fn *performed_by(const trial *t, const ns_strategy *strategy)
{
    const bool is_library = strcmp(strategy->name, "library") == 0;
    return strcmp(strategy->name, "standard/pairwise") == 0                   ? ns_plan_perform_rounds
           : is_library && t->cases->inputs.to_all > 0 && t->world->ranks > 1 ? ns_plan_perform_alltoall
           : is_library                                                       ? ns_plan_perform_alltoallv
                                                                              : ns_process_plan_perform;
}

static ns_status build(const trial *t, const ns_strategy *strategy, ns_schedule **schedule, ns_process_plan *plan,
                       ns_error *err)
{
    ns_schedule *built;
    ns_watchdog_busy(strategy->name);
    NS_TRY(ns_schedule_build(strategy, NS_VIA_HOST, t->exchange, t->machine, &built, err));
    ns_status status = built->processes <= t->world->ranks
                           ? ns_process_plan_make(built, &t->entries, t->world->rank, plan, err)
                           : ns_fail(err, NS_ERR_DATA, "%s wants %d processes", strategy->name, (int)built->processes);
    if (status == NS_OK && performed_by(t, strategy) == ns_plan_perform_alltoallv)
        status = ns_plan_for_library(plan, t->world->ranks, err);
    if (status == NS_OK)
        *schedule = built;
    else
        ns_schedule_free(built);
    return status;
}

/* Collective from here on. */
static ns_status build_way(trial *t, way *w, const ns_strategy *strategy, ns_error *err)
{
    ns_error own = {0};
    const ns_status status = ns_world_agree(t->world, build(t, strategy, &w->schedule, &w->plan, &own), &own);
    if (status != NS_OK && err != NULL)
        *err = own;
    return status;
}

#ifndef NS_SIMULATED
/* What MPI itself offers for such an exchange: the messages of standard, handed over together. */
static ns_status add_baseline(trial *t, ns_timed *timed, ns_error *err)
{
    way *w = &t->way[t->ways];
    const ns_strategy *standard = NULL;
    w->same = -1;
    NS_TRY(ns_strategy_get("standard", &standard, err));
    NS_TRY(build_way(t, w, standard, err));
    const ns_side *in = &w->plan.step[0].receive, *out = &w->plan.step[0].send;
    *timed = (ns_timed){.plan = &w->plan, .perform = ns_plan_perform_neighbour, .what = baseline};
    MPI_Dist_graph_create_adjacent(t->world->comm, in->messages, in->peer, in->bytes, out->messages, out->peer,
                                   out->bytes, MPI_INFO_NULL, 0, &timed->comm);
    t->with_baseline = true;
    return NS_OK;
}

static void remove_baseline(ns_timed *timed)
{
    MPI_Comm_free(&timed->comm);
}
#else
/* SimGrid has no graphs of processes. */
static ns_status add_baseline(trial *t, ns_timed *timed, ns_error *err)
{
    (void)t;
    (void)timed;
    (void)err;
    return NS_OK;
}

static void remove_baseline(ns_timed *timed)
{
    (void)timed;
}
#endif

/* As in programs with libnsmodel-mpi: MPI's own is in use, and takes what is predicted of standard. */
static ns_status play(const trial *t, const ns_timed *timed, const int *of, int count, ns_error *err)
{
    const ns_comparison *c = &t->cases->comparison[0];
    ns_plan_way ways[NS_CHOICES + 1];
    ns_plan_options how = {.size = sizeof how, .foreign = c->belief.cases == 0};
    int standard = 0;
    for (int i = 0; i < count; i++) {
        standard = strcmp(timed[i].what, "standard") == 0 ? i : standard;
        ways[i] = (ns_plan_way){.doubt = acos(-1) / (sqrt(6) * c->belief.kappa), .like = -1};
        ways[i].predicted_s = t->way[i < count - t->with_baseline ? of[i] : of[standard]].predicted_s;
    }
    how.incumbent = t->with_baseline ? count - 1 : standard;
    return ns_play(t->world, timed, ways, count, &how, t->calls, t->result, err);
}

/* All ways take turns; what is the same as another is measured once. */
static ns_status perform_ways(trial *t, ns_error *err)
{
    ns_timed timed[NS_CHOICES + 1];
    int count = 0, of[NS_CHOICES + 1];
    for (int i = 0; i < t->ways; i++)
        if (t->way[i].same < 0) {
            way *w = &t->way[i];
            NS_TRY(build_way(t, w, w->strategy, err));
            timed[count] = (ns_timed){.plan = &w->plan,
                                      .perform = performed_by(t, w->strategy),
                                      .comm = t->world->comm,
                                      .what = w->strategy->name};
            of[count++] = i;
        }
    NS_TRY(add_baseline(t, &timed[count], err));
    of[count] = t->ways;
    const ns_status status = t->calls > 0
                                 ? play(t, timed, of, count + t->with_baseline, err)
                                 : ns_timing_take(t->world, timed, count + t->with_baseline, t->repetitions, err);
    if (t->with_baseline)
        remove_baseline(&timed[count]);
    for (int i = 0; i < count + t->with_baseline; i++)
        t->way[of[i]].timing = timed[i].timing;
    for (int i = 0; i < t->ways; i++)
        if (t->way[i].same >= 0)
            t->way[i].timing = t->way[t->way[i].same].timing;
    return status;
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

/* Are two ways too near to say which is faster? */
static bool is_tie(const way *a, const way *b)
{
    return a->timing.lo <= b->timing.hi && b->timing.lo <= a->timing.hi;
}

static void add_way(const way *w, const way *best, const way *of, ns_value *list)
{
    const bool fastest = w == best;
    ns_value *row = ns_row_mark(ns_value_object(list, NULL), fastest);
    ns_value_text(row, "strategy", w->strategy != NULL ? w->strategy->name : baseline);
    ns_value_number(row, "measured_s", w->timing.seconds, NS_SECOND);
    ns_value_number(row, "lo_s", w->timing.lo, NS_SECOND);
    ns_value_number(row, "hi_s", w->timing.hi, NS_SECOND);
    ns_value_bool(row, "tie", !fastest && is_tie(w, best));
    if (w->strategy != NULL) {
        ns_value_number(row, "predicted_s", w->predicted_s, NS_SECOND);
        ns_value_count(row, "ratio", w->timing.seconds > 0 ? w->predicted_s / w->timing.seconds : 1);
    } else {
        ns_put_text(row, "predicted_s", NS_NOT_IN_JSON, NULL);
        ns_put_text(row, "ratio", NS_NOT_IN_JSON, NULL);
    }
    ns_value_count(row, "repetitions", w->timing.repetitions);
    ns_value_count(row, "late", w->timing.late);
    ns_value_count(row, "outliers", w->timing.outliers);
    if (w->same >= 0)
        ns_value_text(row, "same_as", of[w->same].strategy->name);
    else
        ns_put_text(row, "same_as", NS_NOT_IN_JSON, NULL);
    ns_put_count(row, "values_checked", NS_IN_DATA, (double)w->timing.checked);
}

static void add_winner(const trial *t, int predicted, int measured, ns_value *result)
{
    const way *w = t->way;
    ns_value *winner = ns_put_object(result, "winner", NS_IN_JSON);
    ns_value_text(winner, "predicted", w[predicted].strategy->name);
    ns_value_text(winner, "measured", w[measured].strategy->name);
    ns_value_count(winner, "picked_over_fastest",
                   w[measured].timing.seconds > 0 ? w[predicted].timing.seconds / w[measured].timing.seconds : 1);
    const bool tie = predicted != measured && is_tie(&w[predicted], &w[measured]);
    ns_value_bool(winner, "tie", tie);
    if (tie)
        ns_note(result, "winner     predicted %s, measured a tie of it and %s: the intervals of their medians overlap",
                w[predicted].strategy->name, w[measured].strategy->name);
    else
        ns_note(result, "winner     predicted %s, measured %s: what was picked takes %.3g times as long as the fastest",
                w[predicted].strategy->name, w[measured].strategy->name,
                w[predicted].timing.seconds / w[measured].timing.seconds);
}

static void note_lateness(const trial *t, FILE *words)
{
    int late = 0;
    for (int i = 0; i < t->ways + t->with_baseline; i++)
        late += t->way[i].timing.all_late;
    if (late > 0)
        fprintf(words,
                "nsmodel-mpi: note: of %d of %d exchanges hardly any start was on time, so the least late ones count; "
                "are there more processes than cores?\n",
                late, t->ways + t->with_baseline);
    if (t->world->hosts != t->exchange->nodes)
        fprintf(words,
                "nsmodel-mpi: note: --per-node %d makes %d nodes of %d host%s: the times are not those of such nodes\n",
                t->per_node, (int)t->exchange->nodes, t->world->hosts, t->world->hosts > 1 ? "s" : "");
}

static void describe(const trial *t, ns_value *result)
{
    ns_put_schema(result, "nsmodel/run/1");
    ns_cases_describe(t->cases, result);
    ns_put_count(result, "ranks", NS_IN_DATA, t->world->ranks);
    ns_put_count(result, "nodes", NS_IN_DATA, t->exchange->nodes);
    ns_put_count(result, "per_node", NS_IN_DATA, t->per_node);
    ns_put_count(result, "hosts", NS_IN_DATA, t->world->hosts);
    ns_put_bool(result, "verified", NS_IN_JSON, true); /* a wrong value is an error */
}

static void answer(const trial *t, ns_value *result)
{
    int predicted = 0, measured = 0;
    for (int i = 1; i < t->ways; i++) {
        predicted = t->way[i].predicted_s < t->way[predicted].predicted_s ? i : predicted;
        measured = t->way[i].timing.seconds < t->way[measured].timing.seconds ? i : measured;
    }
    add_winner(t, predicted, measured, result);
    ns_value *rows = ns_put_rows(result, "strategies", NS_EVERYWHERE);
    for (int i = 0; i < t->ways; i++)
        add_way(&t->way[i], &t->way[measured], t->way, rows);
    if (t->with_baseline)
        add_way(&t->way[t->ways], &t->way[measured], t->way, ns_put_rows(result, "baselines", NS_NOT_IN_CSV));
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static ns_status open_records(trial *t, ns_error *err)
{
    const char *path = ns_args_get(t->args, "records"), *messages = ns_args_get(t->args, "messages");
    if (path == NULL || t->world->rank != 0)
        return NS_OK;
    t->about = (ns_run_record){.exchange = messages != NULL ? messages : ns_args_get(t->args, "matrix"),
                               .machine = ns_args_get(t->args, "machine"),
                               .to_all = t->cases->inputs.to_all,
                               .width = t->exchange->width,
                               .began = (long long)time(NULL)};
    return ns_record_file_open(path, &t->about, &t->records, err);
}

static ns_status perform_all(trial *t, ns_error *err)
{
    ns_status status = perform_ways(t, err);
    if (t->records == NULL)
        return status;
    for (int i = 0; i < t->ways && status == NS_OK; i++) {
        const way *w = &t->way[i];
        if (w->same < 0)
            ns_record_file_add(t->records, w->schedule, t->machine, w->timing.seconds,
                               w->timing.all_late ? 0 : w->timing.repetitions);
    }
    return ns_record_file_close(t->records, status, err);
}

static ns_status run_trial(trial *t, FILE *words, ns_error *err)
{
    ns_error own = {0};
    ns_watchdog_busy("reading the exchange");
    ns_status status = ns_world_agree(t->world, prepare_here(t, &own), &own);
    if (status == NS_OK)
        status = ns_world_same(t->world, bits_of(t), "another exchange", &own);
    if (status == NS_OK)
        status = ns_world_agree(t->world, open_records(t, &own), &own);
    if (status == NS_OK && t->world->rank == 0)
        describe(t, t->result);
    if (status == NS_OK)
        status = ns_world_agree(t->world, perform_all(t, &own), &own);
    if (status == NS_OK && t->world->rank == 0) {
        if (t->calls == 0)
            answer(t, t->result);
        ns_cases_warn(t->cases, words);
        note_lateness(t, words);
    }
    if (status != NS_OK && err != NULL)
        *err = own;
    return status;
}

static ns_status run(const ns_world *world, const ns_args *args, ns_value *result, FILE *words, ns_error *err)
{
    trial t = {.world = world, .args = args, .result = result};
    const ns_status status = run_trial(&t, words, err);
    for (int i = 0; i < NS_CHOICES + 1; i++) {
        ns_process_plan_free(&t.way[i].plan);
        ns_schedule_free(t.way[i].schedule);
    }
    ns_entries_free(&t.entries);
    if (t.cases != NULL)
        ns_cases_close(t.cases);
    ns_free(t.ask);
    return status;
}

const ns_job_command ns_job_run = {
    .line =
        {
            .name = "run",
            .program = "nsmodel-mpi",
            .summary = "perform an exchange by every strategy, check every value, and time it beside its price",
            .usage = "--matrix M | --messages FILE.csv",
            .options = options,
            .example = "mpirun -n 8 nsmodel-mpi run --matrix audikw_1 --machine ./mine.json",
            .about = "Each rank is a part and holds the entries that it owns, with values that follow from their "
                     "global index.\n"
                     "Every repetition starts at one moment of a common clock; those in which a rank started late are "
                     "rejected. The ways take\n"
                     "turns in random order. A time is\n"
                     "the slowest rank's median, packing and unpacking included. neighbor-alltoallv is what MPI itself "
                     "offers.\n",
            .rank = 1,
        },
    .run = run,
};
