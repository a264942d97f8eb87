/* tune.c -- nsmodel-mpi tune: from a new cluster to a machine file that is fitted to its exchanges, in one job
 *
 * Four files record the results, so that a job that was interrupted continues where it was when it is started again:
 * STEM.log, ping-pongs, row by row; STEM-first.json, the machine that is fitted to them; STEM.csv, exchanges, one row
 * per way; STEM.json, fitted to both.  What STEM.log or STEM.csv contains is not measured again.
 *
 * Rank 0 fits and predicts; meanwhile the others sleep.
 */
#include "cli/show/answer.h"
#include "core/memory.h"
#include "mpi/job.h"
#include "mpi/measure.h"
#include "mpi/watchdog.h"
#include "records/record.h"
#include "report/columns.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const ns_option options[] = {
    {"per-node", 0, "G", NULL, "ranks of a node [as the launcher placed them]"},
    {"sockets", 0, "S", NULL, "sockets of a node, filled in turn [as the system says of bound processes]"},
    {"name", 0, "NAME", NULL, "name of the machine [that of -o's file]"},
    {"most", 0, "SIZE", "4MiB", "of the largest message of a ping-pong"},
    {"seconds", 0, "S", "0.3", "for each number of a ping-pong at most, while its interval is not tight"},
    {"limit", 0, "S", "600", "seconds for ping-pongs: what is then missing is left to the next start"},
    {"width", 0, "LIST", "8B,64B,512B", "bytes per vector entry; each matrix is exchanged with all of them"},
    {"ways", 0, "N", "4", "the likeliest ways of each exchange are measured, and standard"},
    {"repetitions", 0, "N", "30", "of each way, after warming up"},
    NS_OPTION_TIMEOUT,
    NS_OPTION_MEMORY,
    NS_OPTION_WORK,
    {NULL},
};

/* Three stencils with increasing surface, and stand-ins for two irregular matrices of the catalogue. */
static const char *const usual[] = {"stencil5:2000x2000", "stencil9:3000x1000", "stencil27:100x100x100", "audikw_1",
                                    "thermal2"};
enum { USUAL = sizeof usual / sizeof *usual, WIDTHS = 8, PATH = 1100, LIST = 1000, WORDS = 40, TEXT = 24 };

extern const ns_command ns_command_fit, ns_command_predict, ns_command_validate;

typedef struct way {
    const ns_strategy *strategy;
    double first_s, second_s, measured_s; /* 0: not yet */
} way;

/* A matrix in one width.  The members after `width` are set on rank 0. */
typedef struct exchange {
    const char *matrix;
    char width[TEXT];
    way way[NS_CHOICES];
    int ways;
    double worth[NS_SURVEY_PARTS];
    char list[LIST]; /* ways to measure */
    int listed;
    char sentence[NS_ANSWER_LINE]; /* the decision */
} exchange;

typedef struct tune {
    const ns_world *world;
    const ns_args *args;
    FILE *words; /* rank 0 */
    char *notes; /* the notes that commands printed, once each */
    int per_node, most_ways;
    char stem[PATH - 20], log[PATH], first[PATH], records[PATH], path[PATH], per_node_text[TEXT], ranks_text[TEXT];
    double limit;
    exchange *of;
    int exchanges;
    ns_survey survey;
    ns_value *fit, *left_out; /* results of the last fit, and of validate */
} tune;

/* ---- commands of nsmodel ----------------------------------------------------------------------------------------- */

/* Print the lines that have not been printed before. */
static void say_once(tune *t, char *text)
{
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        if (t->notes != NULL && strstr(t->notes, line) != NULL)
            continue;
        fprintf(t->words, "%s\n", line);
        const size_t used = t->notes != NULL ? strlen(t->notes) : 0, size = strlen(line);
        char *more = ns_realloc(t->notes, used + size + 2);
        if (more == NULL)
            continue;
        snprintf(more + used, size + 2, "%s\n", line);
        t->notes = more;
    }
}

/* Parse the words of `word` up to a NULL, and the options of tune that commands share. */
static ns_status parse(const tune *t, const ns_command *command, const char *const *word, ns_args **args, ns_error *err)
{
    static const char *const passed[] = {"max-memory", "max-work"};
    char *list[WORDS];
    int count = 0;
    for (; word[count] != NULL; count++)
        list[count] = (char *)(uintptr_t)word[count];
    for (int i = 0; i < 2; i++)
        if (ns_args_has(t->args, passed[i])) {
            list[count++] = i == 0 ? "--max-memory" : "--max-work";
            list[count++] = (char *)(uintptr_t)ns_args_get(t->args, passed[i]);
        }
    *args = ns_calloc(1, sizeof **args);
    if (*args == NULL)
        return ns_no_memory(err);
    const ns_status status = ns_args_parse(command, count, list, *args, err);
    if (status != NS_OK)
        ns_free(*args);
    return status;
}

/* On rank 0: run a command of nsmodel. */
static ns_status command(tune *t, const ns_command *of, const char *const *word, ns_value *result, ns_error *err)
{
    char *said = NULL;
    size_t size = 0;
    ns_args *args;
    NS_TRY(parse(t, of, word, &args, err));
    ns_command_context context = {.err = open_memstream(&said, &size)};
    ns_status status = context.err != NULL && result != NULL ? NS_OK : ns_no_memory(err);
    if (status == NS_OK)
        status = of->run(args, result, &context, err);
    if (context.err != NULL && fclose(context.err) == 0 && said != NULL)
        say_once(t, said);
    free(said);
    ns_free(args);
    return status;
}

/* ---- the machine ------------------------------------------------------------------------------------------------- */

static ns_status fit(tune *t, const char *records, const char *path, ns_error *err)
{
    const char *slash = strrchr(t->stem, '/'), *base = slash != NULL ? slash + 1 : t->stem;
    const char *name = ns_args_has(t->args, "name") ? ns_args_get(t->args, "name") : base;
    const char *word[WORDS] = {t->log,   "--per-node", t->per_node_text, "--processes", t->per_node_text,
                               "--name", name,         "-o",             path};
    int count = 9;
    if (ns_args_has(t->args, "sockets")) {
        word[count++] = "--sockets";
        word[count++] = ns_args_get(t->args, "sockets");
    }
    if (records != NULL) {
        word[count++] = "--records";
        word[count++] = records;
    }
    ns_watchdog_busy("fitting");
    ns_value_free(t->fit);
    t->fit = ns_value_new();
    return command(t, &ns_command_fit, word, t->fit, err);
}

/* ---- predictions ------------------------------------------------------------------------------------------------- */

static way *way_of(exchange *x, const ns_strategy *strategy)
{
    for (int i = 0; i < x->ways; i++)
        if (x->way[i].strategy == strategy)
            return &x->way[i];
    x->way[x->ways] = (way){.strategy = strategy};
    return &x->way[x->ways++];
}

/* List the ways to measure: the likeliest of those that differ, and standard; strategies of all processes require full
 * nodes.  Ways that were already measured are omitted. */
static void list_ways(const tune *t, exchange *x, const ns_comparison *c)
{
    bool taken[NS_CHOICES] = {false};
    x->list[0] = '\0';
    x->listed = 0;
    for (int n = 0; n <= t->most_ways; n++) {
        int best = -1;
        for (int i = 0; i < c->choices; i++) {
            const ns_strategy *s = c->choice[i].strategy;
            const bool fits = !s->all_processes || t->world->ranks % t->per_node == 0;
            if (taken[i] || c->choice[i].same > 0 || !fits || (n == t->most_ways && strcmp(s->name, "standard") != 0))
                continue;
            if (best < 0 || c->decision.p_best[i] > c->decision.p_best[best])
                best = i;
        }
        if (best < 0)
            continue;
        taken[best] = true;
        if (way_of(x, c->choice[best].strategy)->measured_s > 0)
            continue;
        const size_t used = strlen(x->list);
        snprintf(x->list + used, sizeof x->list - used, "%s%s", used > 0 ? "," : "", c->choice[best].strategy->name);
        x->listed++;
    }
}

/* The value of measuring each part of a survey, for the exchange: the maximum over the numbers that the part
 * determines. */
static ns_status weigh(const ns_cases *cases, exchange *x, ns_error *err)
{
    ns_measure_plan *plan;
    if (cases->comparison[0].decision.best < 0)
        return NS_OK;
    NS_TRY(ns_measure_plan_make(&cases->comparison[0], cases->of[0].machine, NULL, &cases->selection, &plan, err));
    for (const ns_measurement *m = plan->measurement; m < plan->measurement + plan->measurements; m++)
        for (size_t k = 0; k < m->unknowns; k++)
            for (int p = 0; p < NS_SURVEY_PARTS; p++)
                for (int n = 0; n < 4 && ns_survey_parts[p].tells[n] != NULL; n++)
                    if (fnmatch(ns_survey_parts[p].tells[n], m->unknown[k]->parameter, 0) == 0)
                        x->worth[p] = fmax(x->worth[p], m->unknown[k]->loss_removed);
    ns_free(plan);
    return NS_OK;
}

typedef enum prediction { WEIGH, FIRST, SECOND } prediction;
static ns_status predict(tune *t, exchange *x, prediction pass, ns_error *err)
{
    const char *word[WORDS] = {
        x->matrix, "--width",     x->width,     "--machine",      pass == SECOND ? t->path : t->first,
        "--parts", t->ranks_text, "--per-node", t->per_node_text, "--transport",
        "host"};
    ns_args *args;
    ns_cases *cases;
    ns_decided *decided;
    ns_watchdog_busy("predicting");
    NS_TRY(parse(t, &ns_command_predict, word, &args, err));
    ns_status status = ns_cases_open(args, &cases, err);
    if (status != NS_OK) {
        ns_free(args);
        return status;
    }
    const ns_comparison *c = &cases->comparison[0];
    for (int i = 0; i < c->choices; i++) {
        way *w = way_of(x, c->choice[i].strategy);
        *(pass == SECOND ? &w->second_s : &w->first_s) = c->choice[i].price.estimate_s - c->choice[i].price.copy_s;
    }
    if (pass == WEIGH)
        status = weigh(cases, x, err);
    else if (pass == FIRST)
        list_ways(t, x, c);
    else if ((status = ns_cases_decided(cases, &decided, err)) == NS_OK) {
        ns_answer_sentence(&decided[0], x->sentence);
        ns_free(decided);
    }
    ns_cases_close(cases);
    ns_free(args);
    return status;
}

static ns_status predict_all(tune *t, prediction pass, ns_error *err)
{
    for (int i = 0; i < t->exchanges; i++)
        NS_TRY(predict(t, &t->of[i], pass, err));
    return NS_OK;
}

/* ---- what earlier jobs measured ---------------------------------------------------------------------------------- */

/* Remove the incomplete end that an interrupted job left: the text after the last whole line, and in a log the lines
 * after the last row.  A file that does not exist counts as empty.  *text: to be freed by the caller.  Without `text`,
 * a file without lines is removed. */
static ns_status repair(const tune *t, const char *path, bool log, char **text, ns_error *err)
{
    struct stat known;
    FILE *file = fopen(path, "r");
    const size_t size = file != NULL && fstat(fileno(file), &known) == 0 ? (size_t)known.st_size : 0;
    char *all = ns_calloc(size + 1, 1);
    const size_t used = all != NULL && file != NULL ? fread(all, 1, size, file) : 0;
    size_t keep = 0, begin = 0;
    if (file != NULL)
        (void)fclose(file);
    if (all == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < used; i++)
        if (all[i] == '\n') {
            keep = !log || (all[begin] >= '0' && all[begin] <= '9') ? i + 1 : keep;
            begin = i + 1;
        }
    all[keep] = '\0';
    if (text != NULL)
        *text = all;
    else
        ns_free(all);
    if (begin < used)
        fprintf(t->words, "nsmodel-mpi: note: %s ended in the middle of a line, which is dropped\n", path);
    if (text == NULL && keep == 0)
        (void)unlink(path);
    else if (keep < used && truncate(path, (off_t)keep) != 0)
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be repaired");
    return NS_OK;
}

static int standing_rows(const char *log)
{
    int rows = 0;
    for (const char *at = log; at != NULL && *at != '\0'; at = strchr(at, '\n') + 1)
        rows += *at >= '0' && *at <= '9';
    return rows;
}

/* Read the measured times of exchanges of this job's shape. */
static ns_status take_records(tune *t, ns_error *err)
{
    ns_records *r;
    if (access(t->records, F_OK) != 0)
        return NS_OK;
    NS_TRY(ns_records_read(t->records, &r, err));
    for (size_t row = 0; row < r->rows; row++) {
        double width, processes, ppn, seconds;
        const ns_strategy *strategy;
        ns_transport transport;
        if (r->row[row].problem != NULL || !ns_record_number(r, row, "width", &width) ||
            !ns_record_number(r, row, "processes", &processes) || !ns_record_number(r, row, "ppn", &ppn) ||
            !ns_record_measured(r, row, &seconds) || processes != t->world->ranks || ppn != t->per_node ||
            ns_record_way(r, row, &strategy, &transport, NULL) != NS_OK)
            continue;
        for (int i = 0; i < t->exchanges; i++) {
            double own;
            exchange *x = &t->of[i];
            if (ns_quantity_parse_as(x->width, "width", "B", &own, NULL) == NS_OK && own == width &&
                strcmp(ns_record_text(r, row, "file"), x->matrix) == 0)
                way_of(x, strategy)->measured_s = seconds;
        }
    }
    ns_records_free(r);
    return NS_OK;
}

/* ---- steps of the job -------------------------------------------------------------------------------------------- */

/* Collective: the other ranks sleep until rank 0 has finished its part. */
static ns_status meet(tune *t, ns_status status, ns_error *err)
{
    ns_survey_meet(&t->survey);
    return ns_world_agree(t->world, status, err);
}

static ns_status survey_parts(tune *t, const int *part, int from, int to, ns_error *err)
{
    for (int i = from; i < to; i++)
        NS_TRY(ns_survey_take(&t->survey, &ns_survey_parts[part[i]], err));
    return NS_OK;
}

/* On rank 0: fit a machine to the basic ping-pongs and order the parts by their value for the matrices. */
static ns_status order_parts(tune *t, int *part, ns_error *err)
{
    double worth[NS_SURVEY_PARTS] = {0};
    NS_TRY(fit(t, NULL, t->first, err));
    NS_TRY(predict_all(t, WEIGH, err));
    for (int i = 0; i < t->exchanges; i++)
        for (int p = 0; p < NS_SURVEY_PARTS; p++)
            worth[p] += t->of[i].worth[p] / t->exchanges;
    for (int i = NS_SURVEY_BASIC + 1; i < NS_SURVEY_PARTS; i++)
        for (int k = i; k > NS_SURVEY_BASIC && worth[part[k]] > worth[part[k - 1]]; k--) {
            const int kept = part[k];
            part[k] = part[k - 1];
            part[k - 1] = kept;
        }
    fprintf(t->words, "nsmodel-mpi: first come");
    for (int i = NS_SURVEY_BASIC; i < NS_SURVEY_PARTS && i < NS_SURVEY_BASIC + 3; i++)
        fprintf(t->words, "%s %s (worth %.2g %% of the time)", i > NS_SURVEY_BASIC ? "," : "",
                ns_survey_parts[part[i]].what, 100 * worth[part[i]]);
    fprintf(t->words, "\n");
    return NS_OK;
}

/* Measure the basic ping-pongs, then the parts that are most valuable to the machine. */
static ns_status survey_into_log(tune *t, ns_error *err)
{
    ns_survey *s = &t->survey;
    int part[NS_SURVEY_PARTS];
    for (int i = 0; i < NS_SURVEY_PARTS; i++)
        part[i] = i;
    const double began = MPI_Wtime();
    s->counts_only = true;
    NS_TRY(survey_parts(t, part, 0, NS_SURVEY_PARTS, err));
    s->counts_only = false;
    NS_TRY(meet(t, t->world->rank == 0 ? take_records(t, err) : NS_OK, err));
    if (t->world->rank == 0) { /* before any measurement: what is missing and the most that it costs */
        const double ping_pongs = fmin(t->limit, s->lacking * s->seconds_most);
        int rows = 0;
        for (int i = 0; i < t->exchanges; i++)
            for (int k = 0; k < t->of[i].ways; k++)
                rows += t->of[i].way[k].measured_s > 0;
        fprintf(t->words,
                "nsmodel-mpi: tune measures %d numbers of ping-pongs (%d stand), at most %g s each and about %.3g s in "
                "all, then %d exchanges in up to %d ways (%d rows stand), at most 20 s a way: %.3g min at the very "
                "most\n",
                s->lacking, standing_rows(s->stood), s->seconds_most, ping_pongs, t->exchanges, t->most_ways + 1, rows,
                (ping_pongs + 20.0 * (t->exchanges * (t->most_ways + 1.0) - rows)) / 60);
    }
    if (s->lacking == 0)
        return NS_OK;
    if (*s->stood == '\0') {
        ns_survey_head(s);
        ns_survey_hosts(s, "before");
    }
    NS_TRY(survey_parts(t, part, 0, NS_SURVEY_BASIC, err));
    NS_TRY(meet(t, t->world->rank == 0 ? order_parts(t, part, err) : NS_OK, err));
    MPI_Bcast(part, NS_SURVEY_PARTS, MPI_INT, 0, t->world->comm);
    s->until = began + t->limit;
    NS_TRY(survey_parts(t, part, NS_SURVEY_BASIC, NS_SURVEY_PARTS, err));
    if (s->stopped && t->world->rank == 0)
        fprintf(
            t->words,
            "nsmodel-mpi: note: --limit %g ended the ping-pongs; what lacks is measured when tune is started again\n",
            t->limit);
    return NS_OK;
}

static ns_status survey(tune *t, ns_error *err)
{
    ns_survey *s = &t->survey;
    const bool speaks = t->world->rank == 0;
    /* Collective: every process gets rank 0's log. */
    char *text = NULL;
    ns_status status = speaks ? repair(t, t->log, true, &text, err) : NS_OK;
    if (status == NS_OK && speaks && (s->log = fopen(t->log, "a")) == NULL)
        status = ns_fail_at(err, NS_ERR_FILE, t->log, 0, 0, "cannot be written");
    if (s->log != NULL)
        (void)setvbuf(s->log, NULL, _IOLBF, 0); /* a row is written as soon as it is measured */
    long long size = text != NULL ? (long long)strlen(text) + 1 : 0;
    MPI_Bcast(&size, 1, MPI_LONG_LONG, 0, t->world->comm);
    if (!speaks && (text = ns_malloc((size_t)size + 1)) == NULL)
        status = ns_no_memory(err);
    s->stood = text;
    NS_TRY(meet(t, status, err));
    MPI_Bcast(text, (int)size, MPI_CHAR, 0, t->world->comm);
    status = survey_into_log(t, err);
    if (s->log != NULL) {
        fprintf(s->log, "end %d numbers, %d of the last %d not tight\n", standing_rows(s->stood) + s->points, s->loose,
                s->points);
        if (fclose(s->log) != 0)
            status = ns_fail_at(err, NS_ERR_FILE, t->log, 0, 0, "cannot be written");
        s->log = NULL;
    }
    return status;
}

/* On rank 0: make the first prediction and list the ways to measure. */
static ns_status predict_first(tune *t, ns_error *err)
{
    double seconds = 0;
    int lacking = 0;
    const double repetitions = strtod(ns_args_get(t->args, "repetitions"), NULL);
    NS_TRY(fit(t, NULL, t->first, err));
    NS_TRY(predict_all(t, FIRST, err));
    for (int i = 0; i < t->exchanges; i++) {
        lacking += t->of[i].listed;
        for (int k = 0; k < t->of[i].ways; k++)
            if (strstr(t->of[i].list, t->of[i].way[k].strategy->name) != NULL)
                seconds += t->of[i].way[k].first_s * repetitions;
    }
    fprintf(t->words,
            "nsmodel-mpi: exchanges: %d ways of %d exchanges lack, some %.2g s of sending by the first "
            "prediction\n",
            lacking, t->exchanges, seconds);
    return NS_OK;
}

/* On rank 0: fit the machine to the rows, predict again, and score each matrix with a machine fitted to the others. */
static ns_status predict_second(tune *t, ns_error *err)
{
    const char *word[WORDS] = {"--records", t->records, "--machine", t->first, "--leave-out", "file", "--worst", "0"};
    NS_TRY(take_records(t, err));
    NS_TRY(fit(t, t->records, t->path, err));
    NS_TRY(predict_all(t, SECOND, err));
    t->left_out = ns_value_new();
    return command(t, &ns_command_validate, word, t->left_out, err);
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static double median(double *of, size_t count)
{
    ns_score_sort(of, count);
    return count > 0 ? ns_score_quantile(of, count, 0.5) : 0;
}

static ns_status answer(const tune *t, ns_value *result, ns_error *err)
{
    const size_t room = (size_t)t->exchanges * NS_CHOICES;
    double *all_first = ns_calloc(2 * room, sizeof *all_first), loss = 0; /* |log2(predicted / measured)| */
    size_t all = 0;
    if (all_first == NULL)
        return ns_no_memory(err);
    double *all_second = all_first + room;
    ns_put_schema(result, "nsmodel/tune/1");
    ns_value_text(result, "file", t->path);
    ns_value_count(result, "ranks", t->world->ranks);
    ns_value_count(result, "per_node", t->per_node);
    ns_value_count(result, "numbers", t->survey.points);
    ns_value_count(result, "numbers_lack", t->survey.lacking - t->survey.points);
    static const char *const shown[] = {"locality", "protocol", "alpha_s", "beta_s_per_B"};
    const ns_value *classes = ns_value_get(t->fit, "classes"), *cell;
    ns_value *classes_list = ns_put_rows(result, "machine", NS_NOT_IN_CSV);
    for (const ns_value *c = classes != NULL ? classes->first : NULL; c != NULL; c = c->next) {
        ns_value *row = ns_value_object(classes_list, NULL);
        for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
            if ((cell = ns_value_get(c, shown[i])) == NULL)
                continue;
            else if (ns_value_kind_of(cell) == NS_TEXT)
                ns_value_text(row, shown[i], ns_value_as_text(cell));
            else
                ns_value_number(row, shown[i], ns_value_as_number(cell), ns_value_dim(cell));
    }
    ns_value *list = ns_put_rows(result, "exchanges", NS_EVERYWHERE);
    for (int i = 0; i < t->exchanges; i++) {
        const exchange *x = &t->of[i];
        double before[NS_CHOICES], after[NS_CHOICES];
        const way *picked = NULL, *fastest = NULL;
        size_t ways = 0;
        for (int k = 0; k < x->ways; k++) {
            const way *w = &x->way[k];
            if (!(w->measured_s > 0) || !(w->first_s > 0) || !(w->second_s > 0))
                continue;
            picked = picked == NULL || w->second_s < picked->second_s ? w : picked;
            fastest = fastest == NULL || w->measured_s < fastest->measured_s ? w : fastest;
            all_first[all] = before[ways] = fabs(log2(w->first_s / w->measured_s));
            all_second[all++] = after[ways++] = fabs(log2(w->second_s / w->measured_s));
        }
        if (picked == NULL || fastest == NULL)
            continue;
        const double lost = picked->measured_s / fastest->measured_s - 1;
        ns_value *row = ns_value_object(list, NULL);
        ns_value_text(row, "matrix", x->matrix);
        ns_value_text(row, "width", x->width);
        ns_value_count(row, "ways", (double)ways);
        ns_value_text(row, "fastest", fastest->strategy->name);
        ns_value_number(row, "measured_s", fastest->measured_s, NS_SECOND);
        ns_value_text(row, "picked", picked->strategy->name);
        ns_value_count(row, "loss", lost);
        ns_value_count(row, "first", median(before, ways));
        ns_value_count(row, "second", median(after, ways));
        loss += lost / t->exchanges;
    }
    ns_value *missed = ns_put_object(result, "missed_by", NS_IN_JSON);
    const double first = median(all_first, all), second = median(all_second, all);
    /* Add the score of each matrix, from a fit to the rows of the others, and collect the medians over exchanges. */
    ns_value *left = ns_put_rows(result, "left_out", NS_NOT_IN_CSV);
    const ns_value *rows = ns_value_get(t->left_out, "without_file");
    size_t others = 0;
    for (const ns_value *v = rows != NULL ? rows->first : NULL; v != NULL; v = v->next) {
        const ns_value *before = ns_value_get(v, "log2_error"), *after = ns_value_get(v, "log2_taught");
        if (before == NULL || after == NULL || ns_value_get(v, "file") == NULL)
            continue;
        ns_value *row = ns_value_object(left, NULL);
        ns_value_text(row, "matrix", ns_value_as_text(ns_value_get(v, "file")));
        ns_value_count(row, "first", all_first[others] = ns_value_as_number(before));
        ns_value_count(row, "second", all_second[others++] = ns_value_as_number(after));
    }
    const double without = median(all_first, others), taught = median(all_second, others);
    ns_value_count(missed, "first", first);
    ns_value_count(missed, "second", second);
    ns_value_count(missed, "left_out_first", without);
    ns_value_count(missed, "left_out_second", taught);
    ns_value_count(missed, "loss", loss);
    ns_note(result,
            "missed by  a factor of %.3g by the first prediction, %.3g by the second: medians of %zu measured "
            "times",
            exp2(first), exp2(second), all);
    ns_note(result, "left out   a factor of %.3g, and %.3g learnt from the other matrices", exp2(without),
            exp2(taught));
    ns_note(result, "loss       what the second prediction picks takes %.2g %% longer than the fastest, on average",
            100 * loss);
    ns_value *decisions = ns_put_list(result, "decisions", NS_IN_JSON);
    for (int i = 0; i < t->exchanges; i++) {
        ns_value *row = ns_value_object(decisions, NULL);
        ns_value_text(row, "matrix", t->of[i].matrix);
        ns_value_text(row, "width", t->of[i].width);
        ns_value_text(row, "decision", t->of[i].sentence);
        ns_note(result, "decision   %s, %s an entry: %s", t->of[i].matrix, t->of[i].width, t->of[i].sentence);
    }
    ns_free(all_first);
    return NS_OK;
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static ns_status read_options(tune *t, ns_error *err)
{
    const char *path = ns_args_get(t->args, "output") != NULL ? ns_args_get(t->args, "output") : "mine.json";
    const size_t length = strlen(path);
    int32_t given;
    double repetitions;
    if (length < 6 || strcmp(path + length - 5, ".json") != 0 || length + 20 > sizeof t->stem)
        return ns_fail(err, NS_ERR_USAGE, "-o wants the name of a machine's file that ends in .json, got \"%.80s\"",
                       path);
    if (t->world->ranks < 2)
        return ns_fail(err, NS_ERR_USAGE, "tune wants two ranks or more");
    /* A file name with a folder is never mistaken for the name of a machine. */
    snprintf(t->stem, sizeof t->stem, "%s%.*s", strchr(path, '/') == NULL ? "./" : "", (int)length - 5, path);
    snprintf(t->path, sizeof t->path, "%s.json", t->stem);
    snprintf(t->log, sizeof t->log, "%s.log", t->stem);
    snprintf(t->records, sizeof t->records, "%s.csv", t->stem);
    snprintf(t->first, sizeof t->first, "%s-first.json", t->stem);
    NS_TRY(ns_job_per_node(t->world, t->args, &t->per_node, err));
    snprintf(t->per_node_text, sizeof t->per_node_text, "%d", t->per_node);
    snprintf(t->ranks_text, sizeof t->ranks_text, "%d", t->world->ranks);
    NS_TRY(ns_args_count(t->args, "ways", 1, NS_CHOICES - 1, &given, err));
    t->most_ways = given;
    NS_TRY(ns_job_number(t->args, "limit", 0, &t->limit, err));
    NS_TRY(ns_job_number(t->args, "repetitions", 1, &repetitions, err));
    /* List every matrix with every width. */
    const int matrices = t->args->words > 0 ? t->args->words : USUAL;
    const char *widths = ns_args_get(t->args, "width");
    char width[WIDTHS][TEXT];
    int count = 0;
    for (const char *at = widths; *at != '\0';) {
        const size_t size = strcspn(at, ",");
        double bytes;
        if (count == WIDTHS || size >= TEXT)
            return ns_fail(err, NS_ERR_USAGE, "--width wants up to %d sizes, got \"%.60s\"", WIDTHS, widths);
        snprintf(width[count], TEXT, "%.*s", (int)size, at);
        NS_TRY(ns_quantity_parse_as(width[count++], "--width", "B", &bytes, err));
        at += size + (at[size] == ',');
    }
    t->of = ns_calloc((size_t)(matrices * count), sizeof *t->of);
    if (t->of == NULL)
        return ns_no_memory(err);
    for (int m = 0; m < matrices; m++)
        for (int w = 0; w < count; w++) {
            exchange *x = &t->of[t->exchanges++];
            x->matrix = t->args->words > 0 ? t->args->word[m] : usual[m];
            memcpy(x->width, width[w], TEXT);
        }
    return NS_OK;
}

static ns_status tune_all(tune *t, ns_value *result, ns_error *err)
{
    const bool speaks = t->world->rank == 0;
    NS_TRY(meet(t, speaks ? repair(t, t->records, false, NULL, err) : NS_OK, err));
    NS_TRY(survey(t, err));
    NS_TRY(meet(t, speaks ? predict_first(t, err) : NS_OK, err));
    for (int i = 0; i < t->exchanges; i++) {
        exchange *x = &t->of[i];
        MPI_Bcast(x->list, (int)sizeof x->list, MPI_CHAR, 0, t->world->comm);
        if (x->list[0] == '\0')
            continue;
        if (t->world->rank == 0)
            fprintf(t->words, "nsmodel-mpi: %s, %s an entry: %s\n", x->matrix, x->width, x->list);
        /* Collective: measure one exchange with the command `run`. */
        const char *word[WORDS] = {"--matrix",   x->matrix, "--width",       x->width,
                                   "--machine",  t->first,  "--per-node",    t->per_node_text,
                                   "--strategy", x->list,   "--repetitions", ns_args_get(t->args, "repetitions"),
                                   "--records",  t->records};
        char *said = NULL;
        size_t size = 0;
        ns_args *args = NULL;
        FILE *words = open_memstream(&said, &size);
        ns_value *measured = ns_value_new();
        ns_status status = words != NULL && measured != NULL ? NS_OK : ns_no_memory(err);
        if (status == NS_OK)
            status = parse(t, &ns_job_run.line, word, &args, err);
        status = ns_world_agree(t->world, status, err);
        if (status == NS_OK)
            status = ns_job_run.run(t->world, args, measured, words, err);
        if (words != NULL && fclose(words) == 0 && said != NULL && t->world->rank == 0)
            say_once(t, said);
        free(said);
        ns_free(args);
        ns_value_free(measured);
        NS_TRY(status);
    }
    NS_TRY(meet(t, speaks ? predict_second(t, err) : NS_OK, err));
    return meet(t, speaks ? answer(t, result, err) : NS_OK, err);
}

static ns_status run(const ns_world *world, const ns_args *args, ns_value *result, FILE *words, ns_error *err)
{
    tune t = {.world = world, .args = args, .words = words};
    ns_status status = ns_world_agree(world, read_options(&t, err), err);
    if (status == NS_OK)
        status = ns_survey_open(&t.survey, world, args, t.per_node, err);
    if (status == NS_OK) {
        t.survey.device.runtime = NULL; /* ways are performed by host */
        status = tune_all(&t, result, err);
        ns_survey_close(&t.survey);
    }
    ns_free((char *)(uintptr_t)t.survey.stood);
    ns_value_free(t.fit);
    ns_value_free(t.left_out);
    ns_free(t.notes);
    ns_free(t.of);
    return status;
}

const ns_job_command ns_job_tune = {
    .line =
        {
            .name = "tune",
            .program = "nsmodel-mpi",
            .summary = "measure, fit, predict, run and learn: a cluster's machine file in one job",
            .usage = "[-o mine.json] [MATRIX...]",
            .options = options,
            .example = "mpirun -n 64 nsmodel-mpi tune -o mine.json audikw_1 thermal2",
            .about = "Measures the ping-pongs that the machine's file still lacks, those first whose numbers decide "
                     "most about the matrices,\n"
                     "fits a first machine, measures the likeliest ways of exchanging each matrix (three stencils and "
                     "two stand-ins where none is\n"
                     "named), learns from their times, and says how far off both predictions were and what to do.\n"
                     "With -o mine.json it keeps mine.log, mine-first.json and mine.csv: started again after it was "
                     "ended, it goes on with what\n"
                     "these lack.\n",
            .most = NS_ARGS_MAX,
            .rank = 3,
            .owns_output = ns_owns_output,
        },
    .run = run,
};
