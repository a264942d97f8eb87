/* report.c -- one page about a matrix on a machine, to read, print and share */
#include "report/report.h"
#include "cli/front/command.h"
#include "cli/front/own.h"
#include "cli/inputs/cases.h"
#include "cli/show/answer.h"
#include "core/memory.h"
#include "io/whole_file.h"
#include "report/columns.h"
#include "report/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    const ns_args *args;
    const char *netsparse, *nodes, *k, *title, *date, *output;
    bool asks_netsparse, nodes_of_partition;
} request;

static const ns_option options[] = {
    NS_OPTION_MATRIX,
    NS_OPTION_MESSAGES,
    NS_OPTION_MACHINE,
    NS_OPTION_GPUS,
    NS_OPTION_PARTS,
    NS_OPTION_PER_NODE,
    NS_OPTION_PARTITION,
    NS_OPTION_WIDTH,
    NS_OPTION_STRATEGY,
    NS_OPTION_TRANSPORT,
    NS_OPTION_INCUMBENT,
    NS_OPTION_SET,
    {"netsparse", 0, "NAME|FILE", "netsparse",
     "add a section on in-network hardware of this machine, as --nodes and --k do; none: not",
     NS_OPT(request, netsparse)},
    {"nodes", 0, "N", "128", "nodes of that section, each a part [with --partition: its parts]",
     NS_OPT(request, nodes)},
    {"k", 'k', "LIST", "1,16,128", "values a column of that section", NS_OPT(request, k)},
    {"title", 0, "TEXT", NULL, "title of the page [the matrix and the machine]", NS_OPT(request, title)},
    {"date", 0, "TEXT", NULL, "a date to print; without it two runs write the same bytes", NS_OPT(request, date)},
    NS_OPTION_MEMORY,
    NS_OPTION_WORK,
    {NULL},
};

static bool owns_output(const char *path)
{
    const char *ending = strrchr(path, '.');
    return ending != NULL && (strcmp(ending, ".html") == 0 || strcmp(ending, ".htm") == 0);
}

/* ---- the answers: those of the commands themselves --------------------------------------------------------------- */

extern const ns_command ns_command_predict, ns_command_netsparse;

static ns_status ask_all(const request *r, ns_value *result, FILE *words, ns_error *err)
{
    ns_command_context context = {.err = words};
    ns_machine **machine;
    size_t machines;
    static const char *const same_here[] = {"matrix", "partition", "max-memory", "max-work", NULL};
    static const char *const same[] = {"matrix",    "messages",  "machine",    "gpus",     "parts",
                                       "per-node",  "partition", "width",      "strategy", "transport",
                                       "incumbent", "set",       "max-memory", "max-work", NULL};
    NS_OWN(ns_free) ns_args *predict = ns_args_ask(&ns_command_predict, r->args);
    NS_OWN(ns_free) ns_args *netsparse = ns_args_ask(&ns_command_netsparse, r->args);
    ns_value *answer = ns_put_object(result, "predict", NS_IN_JSON);
    if (predict == NULL || netsparse == NULL || answer == NULL)
        return ns_no_memory(err);
    NS_TRY(ns_args_pass(predict, r->args, same, err));
    NS_TRY(ns_command_predict.run(predict, answer, &context, err));
    ns_value *list = ns_put_list(result, "machines", NS_IN_JSON);
    NS_TRY(ns_machines_open(r->args, NS_EVERY_SET, &machine, &machines, err));
    for (size_t i = 0; i < machines; i++)
        ns_machine_show(machine[i], ns_value_object(list, NULL));
    ns_machines_close(machine, machines);
    if (r->args->matrix == NULL || !r->asks_netsparse || strcmp(r->netsparse, "none") == 0)
        return NS_OK;
    answer = ns_put_object(result, "netsparse", NS_IN_JSON);
    NS_TRY(ns_args_give(netsparse, "ablation", "", err));
    NS_TRY(ns_args_give(netsparse, "machine", r->netsparse, err));
    if (!r->nodes_of_partition)
        NS_TRY(ns_args_give(netsparse, "nodes", r->nodes, err));
    NS_TRY(ns_args_give(netsparse, "k", r->k, err));
    NS_TRY(ns_args_pass(netsparse, r->args, same_here, err));
    return answer != NULL ? ns_command_netsparse.run(netsparse, answer, &context, err) : ns_no_memory(err);
}

static const ns_value *first_of(const ns_value *object, const char *path)
{
    const ns_value *list = ns_value_at(object, path);
    return list != NULL ? list->first : NULL;
}

/* ---- the command line -------------------------------------------------------------------------------------------- */

static void add_command(const ns_args *args, ns_value *result)
{
    char text[4096];
    ns_shell_line line = {text, sizeof text, 0};
    ns_shell_put(&line, "nsmodel report");
    for (int i = 0; i < args->given; i++) {
        const ns_option *option = args->option[i].option;
        ns_shell_put(&line, " --");
        ns_shell_put(&line, option->name);
        if (option->argument == NULL)
            continue;
        ns_shell_put(&line, " ");
        ns_shell_word(&line, args->option[i].value);
    }
    ns_put_text(result, "command", NS_IN_JSON, text);
}

/* ---- inputs ------------------------------------------------------------------------------------------------------ */

/* One row per input: the value of an option, or a value that an answer found; of: the answer that is required. */
static const struct {
    const char *name, *of, *option, *text, *number, *otherwise;
} inputs[] = {
    {"matrix, as asked for", .option = "matrix"},
    {"messages", .option = "messages"},
    {"matrix", "predict.matrix", .text = "predict.matrix.name"},
    {"rows", "predict.matrix", .number = "predict.matrix.rows"},
    {"columns", "predict.matrix", .number = "predict.matrix.cols"},
    {"nonzeros, symmetric halves and explicit zeros counted", "predict.matrix", .number = "predict.matrix.nonzeros"},
    {"source of the matrix", "predict.matrix", .text = "predict.matrix.source"},
    {"partition", "predict.matrix", "partition", .otherwise = "equal contiguous blocks of rows and columns"},
    {"size of a vector entry", "predict.matrix", "width"},
    {"machine", .option = "machine"},
    {"changed machine parameter", .option = "set"},
    {"parts", .option = "gpus"},
    {"NetSparse: machine", "netsparse", .text = "netsparse.machine"},
    {"NetSparse: nodes", "netsparse", .number = "netsparse.nodes"},
    {"NetSparse: values a column", "netsparse", "k"},
};

static ns_value *add_input(ns_value *list, const char *name, const char *value)
{
    ns_value *row = ns_value_object(list, NULL);
    ns_value_text(row, "input", name);
    return value != NULL ? ns_value_text(row, "value", value) : row;
}

static void add_inputs(const ns_args *args, ns_value *result)
{
    ns_value *list = ns_put_list(result, "inputs", NS_IN_JSON);
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        const char *name = inputs[i].name, *option = inputs[i].option, *value;
        if (inputs[i].of != NULL && ns_value_at(result, inputs[i].of) == NULL)
            continue;
        if (inputs[i].number != NULL)
            ns_value_count(add_input(list, name, NULL), "value", ns_page_number(result, inputs[i].number, 0));
        else if (option == NULL)
            add_input(list, name, ns_page_text(result, inputs[i].text));
        else {
            if (strcmp(option, "gpus") == 0 && ns_args_has(args, "parts"))
                option = "parts";
            for (int k = 0; (value = ns_args_at(args, option, k)) != NULL; k++)
                add_input(list, name, value);
            value = ns_args_get(args, option) != NULL ? ns_args_get(args, option) : inputs[i].otherwise;
            if (!ns_args_has(args, option) && value != NULL)
                add_input(list, name, value);
        }
    }
}

/* ---- summary ----------------------------------------------------------------------------------------------------- */

static const ns_value *find_choice(const ns_value *one, const char *strategy, const char *transport)
{
    for (const ns_value *row = first_of(one, "strategies"); row != NULL; row = row->next)
        if (strcmp(ns_page_text(row, "strategy"), strategy) == 0 &&
            strcmp(ns_page_text(row, "transport"), transport) == 0)
            return row;
    return NULL;
}

typedef struct winner {
    const char *machine, *strategy, *transport, *verdict;
    double gpus, nodes, seconds, p, over_standard;
    double interval[2];
} winner;

static const ns_table_column of_winner[] = {{"machine", NS_COL(winner, machine)},
                                            {"gpus", NS_COL(winner, gpus)},
                                            {"nodes", NS_COL(winner, nodes)},
                                            {"strategy", NS_COL(winner, strategy)},
                                            {"transport", NS_COL(winner, transport)},
                                            {"estimate_s", NS_COL(winner, seconds), .unit = "s"},
                                            {"interval_s", NS_COL(winner, interval), .unit = "s"},
                                            {"p_best", NS_COL(winner, p)},
                                            {"verdict", NS_COL(winner, verdict)},
                                            {"over_standard", NS_COL(winner, over_standard)},
                                            {NULL}};

/* ---- warnings ---------------------------------------------------------------------------------------------------- */

/* The cases of one machine. */
typedef struct block {
    const ns_value *first;
    size_t count;
    const char *machine;
} block;

/* List the parts with that verdict; of many, the first ones. */
static void warn_verdicts(const block *b, const char *verdict, const char *advice, ns_value *list)
{
    char where[120] = "";
    size_t at = 0, i = 0;
    for (const ns_value *one = b->first; i < b->count && at + 30 < sizeof where; one = one->next, i++)
        if (strcmp(ns_page_text(one, "best.verdict"), verdict) == 0)
            at += (size_t)snprintf(where + at, sizeof where - at, "%s%.0f", at > 0 ? ", " : "",
                                   ns_page_number(one, "gpus", 0));
    if (at > 0)
        ns_value_textf(list, NULL, "On %s with %s%s parts: %s", b->machine, where, i < b->count ? ", ..." : "", advice);
}

static void warn_gather(const ns_value *one, ns_value *list)
{
    const ns_value *last = ns_value_get(one, "steps")->last, *fit = ns_value_at(one, "bounds.concat_queues_fit");
    const double speedup = ns_page_number(last, "speedup", 1);
    if (speedup < 1)
        ns_value_textf(
            list, NULL,
            "NetSparse with K = %.0f is slower than SUOpt: its speedup is %.2g; few bytes travel for each request.",
            ns_page_number(one, "k", 0), speedup);
    if (fit != NULL && fit->kind == NS_BOOL && !fit->truth)
        ns_value_textf(
            list, NULL,
            "With K = %.0f the concatenation queues need %.0f kB a node, more than the network interface has.",
            ns_page_number(one, "k", 0), ns_page_number(one, "bounds.concat_queue_bytes", 0) / 1000);
}

static void add_warnings(const ns_args *args, ns_value *result, const char *words)
{
    ns_value *list = ns_put_list(result, "warnings", NS_IN_JSON);
    const char *note = ns_page_text(ns_value_get(result, "predict"), "matrix_line"), *change;
    if (*note != '\0')
        ns_value_text(list, NULL, note);
    for (int i = 0; (change = ns_args_at(args, "set", i)) != NULL; i++)
        ns_value_textf(list, NULL, "What if: %s, which is not what the machine's file says.", change);
    /* each line of the notes, without the program's name at the beginning */
    static const char name[] = "nsmodel: ";
    while (*words != '\0') {
        words += strncmp(words, name, sizeof name - 1) == 0 ? sizeof name - 1 : 0;
        const size_t length = strcspn(words, "\n");
        if (length > 0)
            ns_value_textf(list, NULL, "%.*s", (int)length, words);
        words += length + (words[length] == '\n');
    }
    const ns_value *machines = ns_value_get(result, "machines"), *cases = ns_value_at(result, "predict.cases");
    const size_t count = ns_page_count(machines);
    block b = {.first = cases->first, .count = count > 0 ? ns_page_count(cases) / count : 0};
    for (const ns_value *m = machines->first; m != NULL; m = m->next) {
        b.machine = ns_page_text(m, "name");
        warn_verdicts(&b, "tie",
                      "the two best strategies cannot be told apart; nsmodel advise says what to measure before "
                      "choosing.",
                      list);
        warn_verdicts(&b, "extrapolated", "messages are larger than any that the machine's parameters were fitted to.",
                      list);
        bool interval = false;
        for (size_t i = 0; i < b.count; i++, b.first = b.first->next)
            for (const ns_value *row = first_of(b.first, "strategies"); row != NULL; row = row->next) {
                const ns_value *pair = ns_value_get(row, "interval_s");
                interval |= pair != NULL && pair->first != NULL && pair->first->number < pair->last->number;
            }
        if (!interval)
            ns_value_textf(list, NULL, "The estimates for %s carry no interval.", b.machine);
    }
    const ns_value *answer = ns_value_get(result, "netsparse");
    if (answer == NULL)
        return;
    if (ns_value_get(answer, "cases") == NULL)
        warn_gather(answer, list);
    for (const ns_value *one = first_of(answer, "cases"); one != NULL; one = one->next)
        warn_gather(one, list);
}

/* ---- the page --------------------------------------------------------------------------------------------------- */

/* Messages that the other commands print meanwhile go to the terminal and onto the page. */
static ns_status ask(const request *r, ns_value *result, FILE *err_stream, ns_error *err)
{
    char *text = NULL;
    size_t size;
    FILE *words = open_memstream(&text, &size);
    if (words == NULL)
        return ns_no_memory(err);
    ns_status status = ask_all(r, result, words, err);
    if ((fclose(words) != 0 || text == NULL) && status == NS_OK) /* its last realloc may leave it NULL */
        status = ns_no_memory(err);
    if (status == NS_OK) {
        fputs(text, err_stream);
        /* text of the page around the answers */
        char machines[200] = ""; /* "a, b and c" */
        size_t at = 0;
        const ns_value *predict = ns_value_get(result, "predict");
        const bool matrix = ns_value_get(predict, "matrix") != NULL;
        for (const ns_value *m = first_of(result, "machines"); m != NULL && at + 1 < sizeof machines; m = m->next)
            at += (size_t)snprintf(machines + at, sizeof machines - at, "%s%s",
                                   at == 0           ? ""
                                   : m->next == NULL ? " and "
                                                     : ", ",
                                   ns_page_text(m, "name"));
        ns_put_schema(result, "nsmodel/report/1");
        ns_put_text(result, "version", NS_IN_JSON, NS_VERSION);
        if (r->title != NULL && *r->title != '\0')
            ns_put_text(result, "title", NS_IN_JSON, r->title);
        else
            ns_put_textf(result, "title", NS_IN_JSON, "%s%s on %s",
                         matrix ? ns_page_text(predict, "matrix.name") : "Planned messages",
                         strcmp(ns_page_text(predict, "matrix.source"), "surrogate") == 0 ? " (surrogate)" : "",
                         machines);
        if (matrix)
            ns_put_textf(result, "subtitle", NS_IN_JSON, "%.0f rows, %.0f columns, %.0f nonzeros; source: %s",
                         ns_page_number(predict, "matrix.rows", 0), ns_page_number(predict, "matrix.cols", 0),
                         ns_page_number(predict, "matrix.nonzeros", 0), ns_page_text(predict, "matrix.source"));
        else
            ns_put_text(result, "subtitle", NS_IN_JSON, ns_page_text(predict, "input_line"));
        if (r->date != NULL)
            ns_put_text(result, "date", NS_IN_JSON, r->date);
        /* lines that predict prints above its table, including those for wide tables only: the report has no case
         * headings */
        for (const ns_value *line = first_of(result, "predict"); line != NULL; line = line->next)
            if ((line->flags & NS_V_NOTE) != 0)
                ns_sentence(result, line->name, line->flags & ~(unsigned)NS_IN_WIDE, "%s", line->text);
        ns_value *list = ns_put_rows(result, "summary", NS_EVERYWHERE);
        for (const ns_value *one = first_of(result, "predict.cases"); one != NULL; one = one->next) {
            winner row = {.machine = ns_page_text(one, "machine"),
                          .strategy = ns_page_text(one, "best.strategy"),
                          .transport = ns_page_text(one, "best.transport"),
                          .verdict = ns_page_text(one, "best.verdict"),
                          .gpus = ns_page_number(one, "gpus", 0),
                          .nodes = ns_page_number(one, "nodes", 0)};
            const ns_value *best = find_choice(one, row.strategy, row.transport),
                           *standard = find_choice(one, "standard", "host");
            row.seconds = ns_page_number(best, "estimate_s", 0);
            row.interval[0] = ns_page_number(best, "interval_s.0", NAN);
            row.interval[1] = ns_page_number(best, "interval_s.1", NAN);
            row.p = ns_page_number(best, "p_best", NAN);
            row.over_standard = standard != NULL ? ns_page_number(standard, "ratio", 1) : (double)NAN;
            ns_put_row(list, of_winner, &row);
        }
        add_inputs(r->args, result);
        add_command(r->args, result);
        add_warnings(r->args, result, text);
        ns_put_text(result, "page", NS_IN_JSON, r->output);
        ns_note(result, "page       %s", r->output);
    }
    free(text);
    return status;
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    const ns_strategy *strategies[NS_CHOICES];
    request r;
    NS_TRY(ns_args_read(args, &r, err));
    const bool nodes = ns_args_has(args, "nodes");
    r.args = args;
    r.asks_netsparse = nodes || ns_args_has(args, "netsparse") || ns_args_has(args, "k");
    r.nodes_of_partition = !nodes && args->partition != NULL;
    r.output = args->output;
    const bool matrix = r.args->matrix != NULL, messages = r.args->messages != NULL;
    if (r.output == NULL)
        return ns_fail(err, NS_ERR_USAGE, "report wants -o FILE.html");
    if (!owns_output(r.output))
        return ns_fail(err, NS_ERR_USAGE, "report writes a page: -o wants a name that ends in .html, got \"%s\"",
                       r.output);
    if (messages == matrix)
        return ns_fail(err, NS_ERR_USAGE, "report wants --matrix M%s",
                       messages ? " or --messages FILE.csv, not both" : "");
    NS_TRY(ns_whole_file_check(r.output, err)); /* do not compute a page that cannot be written */
    NS_TRY(ask(&r, result, context->err, err));
    ns_value *list = ns_put_list(result, "strategies", NS_IN_DATA);
    const size_t count = ns_strategies_by_rank(strategies, NS_CHOICES);
    for (size_t i = 0; i < count; i++) {
        ns_value *row = ns_value_object(list, NULL);
        ns_value_text(row, "name", strategies[i]->name);
        ns_value_text(row, "title", strategies[i]->title);
    }
    ns_whole_file whole;
    if (!ns_value_complete(result))
        return ns_no_memory(err);
    NS_TRY(ns_whole_file_begin(r.output, NS_FOR_ALL, &whole, err));
    return ns_whole_file_end(&whole, ns_report_html(result, whole.file, err), err);
}

const ns_command ns_command_report = {
    .name = "report",
    .summary = "one page about a matrix on a machine: tables, charts, NetSparse, sources",
    .usage = "MATRIX -o FILE.html",
    .takes_subject = true,
    .options = options,
    .example = "nsmodel report --matrix rajat01 --machine lassen,bluewaters -o rajat01.html",
    .about = NS_ABOUT_MESSAGES,
    .rank = 7,
    .owns_output = owns_output,
    .run = run,
};
