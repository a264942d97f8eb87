/* run.c -- nsmodel-mpi run: the schedules that predict prices, performed and timed for comparison with their prices */
#include "cli/inputs/cases.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "io/whole_file.h"
#include "mpi/job.h"
#include "mpi/timing.h"
#include "mpi/watchdog.h"
#include "records/record.h"
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

/* The options that are passed to predict: the same exchange on as many parts as there are ranks, by host. */
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
    int64_t calls; /* by a plan; 0: none */
    ns_value *result;
    char per_node_text[24], parts_text[24], processes_text[60];
    ns_args *ask;
    ns_cases *cases;
    const ns_exchange *exchange;
    const ns_machine *machine;
    ns_entries entries;
    way way[NS_CHOICES + 1];
    int ways; /* those of strategies; the baseline, if there is one, follows them */
    bool with_baseline;
} trial;

/* ---- the exchange and its prices --------------------------------------------------------------------------------- */

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
    static const char *const same[] = {"matrix",     "messages", "machine",    "partition", "width", "model",
                                       "confidence", "set",      "max-memory", "max-work",  NULL};
    const char *strategy = ns_args_get(t->args, "strategy");
    ns_machine *machine;
    NS_TRY(ns_machine_load(ns_args_get(t->args, "machine"), &machine, err));
    const int machine_processes = machine->host_processes;
    ns_machine_free(machine);
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
    if (machine_processes != t->per_node) /* strategies of all host processes use those that are present */
        NS_TRY(ns_args_give(t->ask, "set", t->processes_text, err));
    if (strcmp(strategy, "all") != 0)
        NS_TRY(ns_args_give(t->ask, "strategy", strategy, err));
    NS_TRY(ns_cases_open(t->ask, &t->cases, err));
    t->exchange = t->cases->of[0].exchange;
    t->machine = t->cases->of[0].machine;
    /* Strategies of all host processes require full nodes. */
    const ns_comparison *c = &t->cases->comparison[0];
    for (int i = 0; i < c->choices; i++) {
        const ns_strategy *one = c->choice[i].strategy;
        const ns_price *price = &c->choice[i].price;
        int alike = -1; /* index, among the ways, of the choice (counted from 1) that sends the same */
        for (int k = 0; k < t->ways && c->choice[i].same > 0; k++)
            alike = t->way[k].strategy == c->choice[c->choice[i].same - 1].strategy ? k : alike;
        if (!one->all_processes || t->world->ranks % t->per_node == 0)
            t->way[t->ways++] = (way){.strategy = one, .predicted_s = price->estimate_s - price->copy_s, .same = alike};
        else if (ns_args_has(t->args, "strategy") && strcmp(ns_args_get(t->args, "strategy"), "all") != 0)
            return ns_fail(err, NS_ERR_DATA, "%s wants full nodes: %d ranks are no multiple of %d", one->name,
                           t->world->ranks, t->per_node);
    }
    return ns_entries_make(&t->cases->inputs, t->exchange, &t->entries, err);
}

/* ---- performing -------------------------------------------------------------------------------------------------- */

/* Collective: prepare one process' share of a way, how it is performed, and its name in messages. */
static ns_status build_way(trial *t, way *w, const ns_strategy *strategy, ns_timed *timed, ns_error *err)
{
    const bool library = strcmp(strategy->name, "library") == 0;
    const bool to_all = t->cases->inputs.to_all > 0 && t->world->ranks > 1;
    *timed = (ns_timed){.plan = &w->plan, .comm = t->world->comm, .what = strategy->name};
    timed->perform = strcmp(strategy->name, "standard/pairwise") == 0 ? ns_plan_perform_rounds
                     : library && to_all                              ? ns_plan_perform_alltoall
                     : library                                        ? ns_plan_perform_alltoallv
                                                                      : ns_process_plan_perform;
    ns_watchdog_busy(strategy->name);
    ns_status status = ns_schedule_build(strategy, NS_VIA_HOST, t->exchange, t->machine, &w->schedule, err);
    if (status == NS_OK && w->schedule->processes > t->world->ranks)
        status = ns_fail(err, NS_ERR_DATA, "%s wants %d processes", strategy->name, (int)w->schedule->processes);
    if (status == NS_OK)
        status = ns_process_plan_make(w->schedule, &t->entries, t->world->rank, &w->plan, err);
    if (status == NS_OK && library)
        status = ns_plan_for_library(&w->plan, t->world->ranks, to_all, err);
    return ns_world_agree(t->world, status, err);
}

/* Collective.  All ways alternate; a way that is the same as another is measured once. */
static ns_status perform_ways(trial *t, ns_error *err)
{
    ns_timed timed[NS_CHOICES + 1];
    int count = 0, of[NS_CHOICES + 1];
    for (int i = 0; i < t->ways; i++)
        if (t->way[i].same < 0) {
            NS_TRY(build_way(t, &t->way[i], t->way[i].strategy, &timed[count], err));
            of[count++] = i;
        }
#ifndef NS_SIMULATED /* SimGrid does not support process graphs */
    /* The collective that MPI itself offers for such an exchange: the messages of standard, passed to it together. */
    const ns_strategy *strategy = NULL;
    way *own = &t->way[t->ways];
    own->same = -1;
    NS_TRY(ns_strategy_get("standard", &strategy, err));
    NS_TRY(build_way(t, own, strategy, &timed[count], err));
    const ns_side *in = &own->plan.step[0].receive, *out = &own->plan.step[0].send;
    timed[count].perform = ns_plan_perform_neighbour;
    timed[count].what = baseline;
    MPI_Dist_graph_create_adjacent(t->world->comm, in->messages, in->peer, in->bytes, out->messages, out->peer,
                                   out->bytes, MPI_INFO_NULL, 0, &timed[count].comm);
    of[count++] = t->ways;
    t->with_baseline = true;
#endif
    ns_status status;
    if (t->calls == 0) {
        status = ns_timing_take(t->world, timed, count, t->repetitions, err);
    } else { /* as in programs with libnsmodel-mpi: MPI's own is in use, and its prediction is that of standard */
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
        status = ns_play(t->world, timed, ways, count, &how, t->calls, t->result, err);
    }
    if (t->with_baseline)
        MPI_Comm_free(&timed[count - 1].comm);
    for (int i = 0; i < count; i++)
        t->way[of[i]].timing = timed[i].timing;
    for (int i = 0; i < t->ways; i++)
        if (t->way[i].same >= 0)
            t->way[i].timing = t->way[t->way[i].same].timing;
    return status;
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

/* Are two ways too close to decide which is faster? */
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
    const unsigned priced = w->strategy != NULL ? NS_EVERYWHERE : NS_NOT_IN_JSON;
    const double predicted_s = w->strategy != NULL ? w->predicted_s : NAN;
    ns_put_number(row, "predicted_s", priced, predicted_s, NS_SECOND);
    ns_put_count(row, "ratio", priced, w->timing.seconds > 0 ? predicted_s / w->timing.seconds : 1);
    ns_value_count(row, "repetitions", w->timing.repetitions);
    ns_value_count(row, "late", w->timing.late);
    ns_value_count(row, "outliers", w->timing.outliers);
    ns_put_text(row, "same_as", w->same >= 0 ? NS_EVERYWHERE : NS_NOT_IN_JSON,
                w->same >= 0 ? of[w->same].strategy->name : NULL);
    ns_put_count(row, "values_checked", NS_IN_DATA, (double)w->timing.checked);
}

static void answer(const trial *t, ns_value *result)
{
    int predicted = 0, measured = 0;
    for (int i = 1; i < t->ways; i++) {
        predicted = t->way[i].predicted_s < t->way[predicted].predicted_s ? i : predicted;
        measured = t->way[i].timing.seconds < t->way[measured].timing.seconds ? i : measured;
    }
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
    ns_value *rows = ns_put_rows(result, "strategies", NS_EVERYWHERE);
    for (int i = 0; i < t->ways; i++)
        add_way(&t->way[i], &t->way[measured], t->way, rows);
    if (t->with_baseline)
        add_way(&t->way[t->ways], &t->way[measured], t->way, ns_put_rows(result, "baselines", NS_NOT_IN_CSV));
}

/* ---- records ----------------------------------------------------------------------------------------------------- *
 *
 * Rows of measured exchanges, as nsmodel validate and nsmodel fit --records read them.  Where every process sends the
 * same amount to every other, a dense row is a complete description, for any strategy.  Otherwise a row has the most
 * messages and bytes of a process by class, and the most messages of a process in each step, which are known for the
 * strategies whose measured code counts them.
 */

/* On rank 0.  Rows of one job are ways to do one exchange: they share the second in which it began. */
typedef struct records_file {
    const char *exchange; /* the exchange, as named by the caller */
    long long began;      /* s since 1970 */
    ns_whole_file whole;
} records_file;

/* Begin with the present content of the file, whose header has to be the same; the new file replaces it when it is
 * complete. */
static ns_status open_records(records_file *f, const trial *t, const char *path, ns_error *err)
{
    enum { MOST = 1 << 30 /* B */ };
    char header[900], *text = NULL;
    f->began = (long long)time(NULL);
    size_t used = (size_t)snprintf(header, sizeof header,
                                   "id,machine,file,run,operation,strategy,transport,processes,nodes,ppn,");
    if (t->cases->inputs.to_all > 0)
        used += (size_t)snprintf(header + used, sizeof header - used, "bytes_per_pair,");
    for (int i = 0; i < NS_COUNT_COLUMNS && t->cases->inputs.to_all == 0; i++)
        used += (size_t)snprintf(header + used, sizeof header - used, "%s%s,", i == NS_COUNT_MOSTS ? "width," : "",
                                 ns_count_columns[i]);
    used += (size_t)snprintf(header + used, sizeof header - used, "on_time,measured_s\n");
    FILE *old = fopen(path, "r");
    ns_status status = old != NULL ? ns_text_read(old, path, MOST, "a file of records", &text, err) : NS_OK;
    if (old != NULL)
        (void)fclose(old);
    if (status == NS_OK && text != NULL && *text != '\0' && strncmp(text, header, used) != 0)
        status = ns_fail_at(err, NS_ERR_DATA, path, 1, 0,
                            "holds other columns than these rows have; give --records another file");
    if (status == NS_OK)
        status = ns_whole_file_begin(path, NS_FOR_ALL, &f->whole, err);
    if (status == NS_OK)
        fputs(text != NULL && *text != '\0' ? text : header, f->whole.file);
    ns_free(text);
    return status;
}

/* Write any text as a quoted cell. */
static void write_text(const char *text, FILE *out)
{
    fputc('"', out);
    for (size_t length; *text != '\0'; text += length) {
        const size_t found = ns_utf8_length(text);
        length = found > 0 ? found : 1;
        if (*text == '"')
            fputc('"', out);
        if (ns_utf8_is_hidden(ns_utf8_code(text, found)))
            fputc('?', out);
        else
            fwrite(text, 1, length, out);
    }
    fputs("\",", out);
}

static void add_record(const records_file *f, const trial *t, const way *w)
{
    FILE *out = f->whole.file;
    const ns_schedule *s = w->schedule;
    fprintf(out, "%lld-%d-%s,", f->began, (int)s->processes, s->strategy->name);
    write_text(ns_args_get(t->args, "machine"), out);
    write_text(f->exchange, out);
    fprintf(out, "%lld,exchange,%s,%s,%d,%d,%d,", f->began, s->strategy->name, ns_transport_words[s->transport],
            (int)s->processes, (int)s->nodes, (int)s->ppn);
    if (t->cases->inputs.to_all > 0) {
        fprintf(out, "%lld,", (long long)t->cases->inputs.to_all);
    } else {
        double counts[NS_COUNT_COLUMNS];
        ns_counts_make(s, t->machine, counts);
        for (int i = 0; i < NS_COUNT_COLUMNS; i++) {
            if (i == NS_COUNT_MOSTS)
                fprintf(out, "%lld,", (long long)t->exchange->width);
            if (isnan(counts[i]))
                fputs(",", out);
            else
                fprintf(out, "%.0f,", counts[i]);
        }
    }
    fprintf(out, "%d,%.9g\n", w->timing.all_late ? 0 : w->timing.repetitions, w->timing.seconds);
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static ns_status run_trial(trial *t, FILE *words, ns_error *err)
{
    const ns_world *world = t->world;
    const char *path = world->rank == 0 ? ns_args_get(t->args, "records") : NULL;
    const char *messages = ns_args_get(t->args, "messages");
    records_file records;
    ns_watchdog_busy("reading the exchange");
    NS_TRY(ns_world_agree(world, prepare_here(t, err), err));
    assert(t->exchange != NULL);
    uint64_t bits = NS_BITS;
    for (int64_t r = 0; r < t->exchange->routes; r++) {
        const ns_route *route = &t->exchange->route[r];
        const int64_t row[] = {route->from, route->to, route->entries};
        bits = ns_bits(bits, row, sizeof row);
    }
    bits = ns_bits(bits, t->entries.direct, (size_t)t->entries.direct_first[t->exchange->routes] * sizeof(int64_t));
    NS_TRY(ns_world_same(world, ns_bits(bits, &t->ways, sizeof t->ways), "another exchange", err));
    records.exchange = messages != NULL ? messages : ns_args_get(t->args, "matrix");
    NS_TRY(ns_world_agree(world, path != NULL ? open_records(&records, t, path, err) : NS_OK, err));
    if (world->rank == 0) {
        ns_put_schema(t->result, "nsmodel/run/1");
        ns_cases_describe(t->cases, t->result);
        ns_put_count(t->result, "ranks", NS_IN_DATA, world->ranks);
        ns_put_count(t->result, "nodes", NS_IN_DATA, t->exchange->nodes);
        ns_put_count(t->result, "per_node", NS_IN_DATA, t->per_node);
        ns_put_count(t->result, "hosts", NS_IN_DATA, world->hosts);
        ns_put_bool(t->result, "verified", NS_IN_JSON, true); /* a wrong value would have been an error */
    }
    ns_status status = perform_ways(t, err);
    for (int i = 0; path != NULL && i < t->ways && status == NS_OK; i++)
        if (t->way[i].same < 0)
            add_record(&records, t, &t->way[i]);
    if (path != NULL)
        status = ns_whole_file_end(&records.whole, status, err);
    NS_TRY(ns_world_agree(world, status, err));
    if (world->rank != 0)
        return NS_OK;
    if (t->calls == 0)
        answer(t, t->result);
    ns_cases_warn(t->cases, words);
    int late = 0;
    for (int i = 0; i < t->ways + t->with_baseline; i++)
        late += t->way[i].timing.all_late;
    if (late > 0)
        fprintf(words,
                "nsmodel-mpi: note: of %d of %d exchanges hardly any start was on time, so the least late ones count; "
                "are there more processes than cores?\n",
                late, t->ways + t->with_baseline);
    if (world->hosts != t->exchange->nodes)
        fprintf(words,
                "nsmodel-mpi: note: --per-node %d makes %d nodes of %d host%s: the times are not those of such nodes\n",
                t->per_node, (int)t->exchange->nodes, world->hosts, world->hosts > 1 ? "s" : "");
    return NS_OK;
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
