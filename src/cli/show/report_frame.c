/* report_frame.c -- what a report says around the answers of the other commands */
#include "cli/show/report.h"

#include "cli/front/shell_line.h"
#include "report/columns.h"

#include <string.h>

static const char *text_at(const ns_value *object, const char *path)
{
    const ns_value *value = object != NULL ? ns_value_at(object, path) : NULL;
    return value != NULL && value->kind == NS_TEXT ? value->text : "";
}

static double number_at(const ns_value *object, const char *path, double otherwise)
{
    const ns_value *value = object != NULL ? ns_value_at(object, path) : NULL;
    return value != NULL && value->kind == NS_NUMBER ? value->number : otherwise;
}

static const ns_value *first_of(const ns_value *object, const char *path)
{
    const ns_value *list = ns_value_at(object, path);
    return list != NULL ? list->first : NULL;
}

/* ---- head -------------------------------------------------------------------------------------------------------- */

/* "a, b and c" */
static void join_machines(const ns_value *result, char *text, size_t size)
{
    size_t at = 0;
    text[0] = '\0';
    for (const ns_value *m = first_of(result, "machines"); m != NULL && at + 1 < size; m = m->next) {
        const char *before = at == 0 ? "" : m->next == NULL ? " and " : ", ";
        const int length = snprintf(text + at, size - at, "%s%s", before, text_at(m, "name"));
        at += length > 0 ? (size_t)length : 0;
    }
}

static void add_head(const ns_args *args, ns_value *result)
{
    char machines[200];
    const ns_value *predict = ns_value_get(result, "predict");
    const bool matrix = ns_value_get(predict, "matrix") != NULL;
    join_machines(result, machines, sizeof machines);
    ns_put_schema(result, "nsmodel/report/1");
    ns_put_text(result, "version", NS_IN_JSON, NS_VERSION);
    const char *title = ns_args_get(args, "title");
    if (title != NULL && *title != '\0')
        ns_put_text(result, "title", NS_IN_JSON, title);
    else
        ns_put_textf(result, "title", NS_IN_JSON, "%s%s on %s",
                     matrix ? text_at(predict, "matrix.name") : "Planned messages",
                     strcmp(text_at(predict, "matrix.source"), "surrogate") == 0 ? " (surrogate)" : "", machines);
    if (matrix)
        ns_put_textf(result, "subtitle", NS_IN_JSON, "%.0f rows, %.0f columns, %.0f nonzeros; source: %s",
                     number_at(predict, "matrix.rows", 0), number_at(predict, "matrix.cols", 0),
                     number_at(predict, "matrix.nonzeros", 0), text_at(predict, "matrix.source"));
    else
        ns_put_text(result, "subtitle", NS_IN_JSON, text_at(predict, "input_line"));
    if (ns_args_has(args, "date"))
        ns_put_text(result, "date", NS_IN_JSON, ns_args_get(args, "date"));
}

/* Lines that predict prints above its table, those of wide tables too: the report has no headings of cases. */
static void add_notes(ns_value *result)
{
    for (const ns_value *line = first_of(result, "predict"); line != NULL; line = line->next)
        if ((line->flags & NS_V_NOTE) != 0)
            ns_sentence(result, line->name, line->flags & ~(unsigned)NS_V_WIDE, "%s", line->text);
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

static ns_value *input(ns_value *list, const char *name)
{
    ns_value *row = ns_value_object(list, NULL);
    ns_value_text(row, "input", name);
    return row;
}

static void add_option(const ns_args *args, const char *option, const char *name, const char *otherwise, ns_value *list)
{
    const char *value = ns_args_get(args, option);
    value = value != NULL ? value : otherwise;
    if (value != NULL)
        ns_value_text(input(list, name), "value", value);
}

static void add_inputs(const ns_args *args, ns_value *result)
{
    const ns_value *predict = ns_value_get(result, "predict");
    ns_value *list = ns_put_list(result, "inputs", NS_IN_JSON);
    add_option(args, "matrix", "matrix, as asked for", NULL, list);
    add_option(args, "messages", "messages", NULL, list);
    if (ns_value_get(predict, "matrix") != NULL) {
        ns_value_text(input(list, "matrix"), "value", text_at(predict, "matrix.name"));
        ns_value_count(input(list, "rows"), "value", number_at(predict, "matrix.rows", 0));
        ns_value_count(input(list, "columns"), "value", number_at(predict, "matrix.cols", 0));
        ns_value_count(input(list, "nonzeros, symmetric halves and explicit zeros counted"), "value",
                       number_at(predict, "matrix.nonzeros", 0));
        ns_value_text(input(list, "source of the matrix"), "value", text_at(predict, "matrix.source"));
        add_option(args, "partition", "partition", "equal contiguous blocks of rows and columns", list);
        add_option(args, "width", "size of a vector entry", NULL, list);
    }
    add_option(args, "machine", "machine", NULL, list);
    for (int i = 0; ns_args_at(args, "set", i) != NULL; i++)
        ns_value_text(input(list, "changed machine parameter"), "value", ns_args_at(args, "set", i));
    add_option(args, ns_args_has(args, "parts") ? "parts" : "gpus", "parts", NULL, list);
    const ns_value *netsparse = ns_value_get(result, "netsparse");
    if (netsparse == NULL)
        return;
    ns_value_text(input(list, "NetSparse: machine"), "value", text_at(netsparse, "machine"));
    ns_value_count(input(list, "NetSparse: nodes"), "value", number_at(netsparse, "nodes", 0));
    add_option(args, "k", "NetSparse: values a column", NULL, list);
}

/* ---- summary ----------------------------------------------------------------------------------------------------- */

static const ns_value *find_choice(const ns_value *one, const char *strategy, const char *transport)
{
    for (const ns_value *row = first_of(one, "strategies"); row != NULL; row = row->next)
        if (strcmp(text_at(row, "strategy"), strategy) == 0 && strcmp(text_at(row, "transport"), transport) == 0)
            return row;
    return NULL;
}

static void add_interval(const ns_value *pair, ns_value *list)
{
    for (const ns_value *end = pair != NULL ? pair->first : NULL; end != NULL; end = end->next)
        ns_value_number(list, NULL, end->number, end->dim);
}

static void add_best(const ns_value *one, ns_value *list)
{
    const char *strategy = text_at(one, "best.strategy"), *transport = text_at(one, "best.transport");
    const ns_value *best = find_choice(one, strategy, transport), *standard = find_choice(one, "standard", "host");
    ns_value *row = ns_value_object(list, NULL);
    ns_value_text(row, "machine", text_at(one, "machine"));
    ns_value_count(row, "gpus", number_at(one, "gpus", 0));
    ns_value_count(row, "nodes", number_at(one, "nodes", 0));
    ns_value_text(row, "strategy", strategy);
    ns_value_text(row, "transport", transport);
    ns_value_number(row, "estimate_s", number_at(best, "estimate_s", 0), NS_SECOND);
    add_interval(best != NULL ? ns_value_get(best, "interval_s") : NULL, ns_value_list(row, "interval_s"));
    const ns_value *sure = best != NULL ? ns_value_get(best, "p_best") : NULL;
    if (sure != NULL && sure->kind == NS_NUMBER)
        ns_value_count(row, "p_best", sure->number);
    else
        ns_value_null(row, "p_best");
    ns_value_text(row, "verdict", text_at(one, "best.verdict"));
    if (standard != NULL)
        ns_value_count(row, "over_standard", number_at(standard, "ratio", 1));
    else
        ns_value_null(row, "over_standard");
}

/* ---- warnings ---------------------------------------------------------------------------------------------------- */

/* The cases of one machine. */
typedef struct block {
    const ns_value *first;
    size_t count;
    const char *machine;
} block;

/* The parts with that verdict; of many, the first ones. */
static void warn_verdicts(const block *b, const char *verdict, const char *advice, ns_value *list)
{
    char where[120] = "";
    size_t at = 0, i = 0;
    for (const ns_value *one = b->first; i < b->count && at + 30 < sizeof where; one = one->next, i++)
        if (strcmp(text_at(one, "best.verdict"), verdict) == 0)
            at += (size_t)snprintf(where + at, sizeof where - at, "%s%.0f", at > 0 ? ", " : "",
                                   number_at(one, "gpus", 0));
    if (at > 0)
        ns_value_textf(list, NULL, "On %s with %s%s parts: %s", b->machine, where, i < b->count ? ", ..." : "", advice);
}

static bool has_interval(const block *b)
{
    const ns_value *one = b->first;
    for (size_t i = 0; i < b->count; one = one->next, i++)
        for (const ns_value *row = first_of(one, "strategies"); row != NULL; row = row->next) {
            const ns_value *pair = ns_value_get(row, "interval_s");
            if (pair != NULL && pair->first != NULL && pair->first->number < pair->last->number)
                return true;
        }
    return false;
}

static size_t count_children(const ns_value *list)
{
    size_t count = 0;
    for (const ns_value *child = list->first; child != NULL; child = child->next)
        count++;
    return count;
}

static void warn_machines(const ns_value *result, ns_value *list)
{
    const ns_value *machines = ns_value_get(result, "machines"), *cases = ns_value_at(result, "predict.cases");
    const size_t count = count_children(machines);
    block b = {.first = cases->first, .count = count > 0 ? count_children(cases) / count : 0};
    for (const ns_value *m = machines->first; m != NULL; m = m->next) {
        b.machine = text_at(m, "name");
        warn_verdicts(&b, "tie",
                      "the two best strategies cannot be told apart; nsmodel advise says what to measure before "
                      "choosing.",
                      list);
        warn_verdicts(&b, "extrapolated", "messages are larger than any that the machine's parameters were fitted to.",
                      list);
        if (!has_interval(&b))
            ns_value_textf(list, NULL, "The estimates for %s carry no interval.", b.machine);
        for (size_t i = 0; i < b.count; i++)
            b.first = b.first->next;
    }
}

static void warn_gather(const ns_value *one, ns_value *list)
{
    const ns_value *last = ns_value_get(one, "steps")->last, *fit = ns_value_at(one, "bounds.concat_queues_fit");
    const double speedup = number_at(last, "speedup", 1);
    if (speedup < 1)
        ns_value_textf(
            list, NULL,
            "NetSparse with K = %.0f is slower than SUOpt: its speedup is %.2g; few bytes travel for each request.",
            number_at(one, "k", 0), speedup);
    if (fit != NULL && fit->kind == NS_BOOL && !fit->truth)
        ns_value_textf(
            list, NULL,
            "With K = %.0f the concatenation queues need %.0f kB a node, more than the network interface has.",
            number_at(one, "k", 0), number_at(one, "bounds.concat_queue_bytes", 0) / 1000);
}

static void warn_netsparse(const ns_value *result, ns_value *list)
{
    const ns_value *answer = ns_value_get(result, "netsparse");
    if (answer == NULL)
        return;
    if (ns_value_get(answer, "cases") == NULL)
        warn_gather(answer, list);
    for (const ns_value *one = first_of(answer, "cases"); one != NULL; one = one->next)
        warn_gather(one, list);
}

/* Each line of words, without the program's name in front. */
static void warn_words(const char *words, ns_value *list)
{
    static const char name[] = "nsmodel: ";
    while (*words != '\0') {
        words += strncmp(words, name, sizeof name - 1) == 0 ? sizeof name - 1 : 0;
        const size_t length = strcspn(words, "\n");
        if (length > 0)
            ns_value_textf(list, NULL, "%.*s", (int)length, words);
        words += length + (words[length] == '\n');
    }
}

static void add_warnings(const ns_args *args, ns_value *result, const char *words)
{
    ns_value *list = ns_put_list(result, "warnings", NS_IN_JSON);
    const char *note = text_at(ns_value_get(result, "predict"), "matrix_line"), *change;
    if (*note != '\0')
        ns_value_text(list, NULL, note);
    for (int i = 0; (change = ns_args_at(args, "set", i)) != NULL; i++)
        ns_value_textf(list, NULL, "What if: %s, which is not what the machine's file says.", change);
    warn_words(words, list);
    warn_machines(result, list);
    warn_netsparse(result, list);
}

void ns_report_frame(const ns_args *args, ns_value *result, const char *words)
{
    add_head(args, result);
    add_notes(result);
    ns_value *list = ns_put_rows(result, "summary", NS_EVERYWHERE);
    for (const ns_value *one = first_of(result, "predict.cases"); one != NULL; one = one->next)
        add_best(one, list);
    add_inputs(args, result);
    add_command(args, result);
    add_warnings(args, result, words);
    ns_put_text(result, "page", NS_IN_JSON, ns_args_get(args, "output"));
    ns_note(result, "page       %s", ns_args_get(args, "output"));
}
