/* answer.c -- the first screen of predict and advise */
#include "cli/show/answer.h"

#include "cli/front/shell_line.h"
#include "core/memory.h"
#include "report/columns.h"

#include <stdio.h>
#include <string.h>

ns_status ns_cases_decided(const ns_cases *p, ns_decided **decided, ns_error *err)
{
    ns_thresholds thresholds;
    /* --sure and --worth. */
    NS_TRY(ns_part_read(p->args, "sure", &thresholds.sure, err));
    NS_TRY(ns_part_read(p->args, "worth", &thresholds.worth, err));
    ns_decided *made = ns_calloc(p->count, sizeof *made);
    if (made == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < p->count; i++)
        made[i] = (ns_decided){&p->comparison[i],
                               p->of[i].machine,
                               p->of[i].exchange->parts,
                               p->machines > 1,
                               p->network != NULL || ns_args_has(p->args, "set"),
                               thresholds};
    *decided = made;
    return NS_OK;
}

void ns_answer_fold(const ns_args *args, ns_value *result)
{
    if (result != NULL && !ns_args_has(args, "all"))
        ns_notes_to_wide(result->first);
}

/* "943,695" */
static const char *with_commas(int64_t number, char *text, size_t size)
{
    char digits[32];
    size_t used = 0;
    const int length = snprintf(digits, sizeof digits, "%lld", (long long)number);
    for (int i = 0; i < length && used + 2 < size; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = digits[i];
    }
    text[used] = '\0';
    return text;
}

void ns_answer_title(const ns_cases *p, char *text, size_t size)
{
    char what[300], rows[40];
    const ns_matrix_info *info = p->inputs.matrix != NULL ? ns_matrix_describe(p->inputs.matrix) : NULL;
    if (info != NULL)
        snprintf(what, sizeof what, "%.200s (%s%s rows)", info->name,
                 info->source == NS_SURROGATE ? "generated stand-in, " : "",
                 with_commas((int64_t)info->rows, rows, sizeof rows));
    else if (p->inputs.to_all > 0)
        snprintf(what, sizeof what, "%lld B from every part to every other", (long long)p->inputs.to_all);
    else
        snprintf(what, sizeof what, "%zu planned messages of %d parts", p->inputs.messages, (int)p->inputs.parts);
    if (p->machines > 1)
        snprintf(text, size, "%s on %zu machines", what, p->machines);
    else {
        const int per_node = (int)p->layout[0].per_node;
        snprintf(text, size, "%s on %.60s, %d %s a node%s%s", what, p->machine[0]->name, per_node,
                 p->machine[0]->gpus > 0 ? per_node == 1 ? "GPU" : "GPUs"
                 : per_node == 1         ? "process"
                                         : "processes",
                 p->network != NULL ? ", network " : "", p->network != NULL ? p->network->name : "");
    }
}

static bool advises(const ns_args *args)
{
    return strcmp(args->command->name, "advise") == 0;
}

void ns_answer_next(const ns_args *args, const ns_decided *of, char text[NS_COMMAND_LINE])
{
    static const char *const without[] = {"matrix",  "messages", "gpus",     "parts", "nodes", "machine",
                                          "explain", "plot",     "schedule", "all",   NULL};
    char parts[24];
    ns_shell_line line = {text, NS_COMMAND_LINE, 0};
    ns_change change;
    const bool measure = ns_change_advise(of->comparison, &of->thresholds, &change, NULL) == NS_OK &&
                         change.action == NS_DO_MEASURE && (!advises(args) || of->one_of_many) &&
                         !ns_args_has(args, "collective");
    ns_shell_put(&line, measure ? "nsmodel advise" : "nsmodel predict");
    if (!ns_args_has(args, "collective"))
        ns_shell_subject(&line, args);
    if (ns_args_has(args, "machine")) {
        ns_shell_put(&line, " --machine ");
        ns_shell_word(&line, of->one_of_many ? ns_machine_handle(of->machine) : ns_args_get(args, "machine"));
    }
    ns_shell_options(&line, args, without);
    snprintf(parts, sizeof parts, " -n %d", (int)of->parts);
    ns_shell_put(&line, parts);
    if (!measure && !ns_args_has(args, "collective"))
        ns_shell_put(&line, " --explain");
}

/* In lines of a screen's width, wherever it goes. */
void ns_answer_wrapped(ns_value *result, const char *text)
{
    while (*text != '\0') {
        const size_t length = ns_answer_break(text);
        ns_note(result, "%.*s", (int)length, text);
        text += length + strspn(text + length, " ");
    }
}

static void add_row(const ns_answer_row *row, ns_value *list)
{
    ns_value *object = ns_value_object(list, NULL);
    if (row->machine[0] != '\0')
        ns_value_text(object, "machine", row->machine);
    ns_value_text(object, "parts", row->parts);
    ns_value_text(object, "way", row->way);
    double seconds;
    if (ns_quantity_parse_as(row->time, "time", "s", &seconds, NULL) == NS_OK)
        ns_value_number(object, "time", seconds, NS_SECOND);
    else
        ns_value_text(object, "time", row->time); /* the heading */
    ns_value_text(object, "against", row->against);
    ns_value_text(object, "may_lose", row->loss);
    ns_value_text(object, "is_best", row->best);
}

static ns_status add_rows(const ns_decided *cases, size_t count, ns_value *screen, ns_value *result, ns_error *err)
{
    ns_answer_text *text = ns_calloc(count + 1, sizeof *text);
    ns_answer_row row;
    if (text == NULL)
        return ns_no_memory(err);
    ns_answer_headings(cases, count, &row);
    add_row(&row, ns_value_list(screen, "headings"));
    ns_value *rows = ns_value_list(screen, "rows");
    for (size_t i = 0; i < count; i++) {
        ns_answer_row_of(&cases[i], &row);
        add_row(&row, rows);
    }
    ns_answer_table(cases, count, text);
    for (size_t i = 0; i <= count; i++)
        ns_note(result, "%s", text[i]);
    ns_free(text);
    return NS_OK;
}

/* What a person may ask next: of the first case that is not settled, else of the last. */
static const ns_decided *most_open(const ns_decided *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ns_change change;
        if (ns_change_advise(cases[i].comparison, &cases[i].thresholds, &change, NULL) == NS_OK &&
            change.action == NS_DO_MEASURE)
            return &cases[i];
    }
    return &cases[count - 1];
}

/* The command with what else there is behind it; where that passes the line, below a command that can be pasted. */
static void add_next(const ns_args *args, const char *next, ns_value *result)
{
    char line[NS_COMMAND_LINE + 8];
    const bool hidden = !ns_args_has(args, "all") && !ns_args_has(args, "collective");
    const char *all = hidden ? "every way: --all" : "",
               *why = hidden && !advises(args) && strstr(next, "--explain") == NULL ? "why: --explain" : "";
    size_t used = (size_t)snprintf(line, sizeof line, "Next: %s", next);
    const char *const hints[] = {all, why};
    size_t told = 0;
    for (; told < 2 && used + 3 + strlen(hints[told]) <= NS_ANSWER_WIDTH; told++)
        if (*hints[told] != '\0')
            used += (size_t)snprintf(line + used, sizeof line - used, "   %s", hints[told]);
    if (used <= NS_ANSWER_WIDTH) {
        ns_note(result, "%s", line);
        return;
    }
    ns_note_command(result, "%s", line);
    if (hidden)
        ns_note(result, "%s%s%s", all, *why != '\0' ? "   " : "", why);
}

/* How many cases from this one on are of one machine. */
static size_t of_machine(const ns_decided *cases, size_t count, size_t from)
{
    size_t of = 1;
    while (from + of < count && cases[from + of].machine == cases[from].machine)
        of++;
    return of;
}

typedef void sentence(const ns_decided *cases, size_t count, char text[NS_ANSWER_LINE]);

static void sentence_of_trust(const ns_decided *cases, size_t count, char text[NS_ANSWER_LINE])
{
    (void)count;
    ns_answer_trust(cases, text);
}

/* The sentence of the cases of one machine, with `name` in the place of its own. */
static void say_as(sentence *make, const ns_decided *cases, size_t count, const char *name, char text[NS_ANSWER_LINE])
{
    char own[NS_ANSWER_LINE];
    make(cases, count, own);
    const char *at = strstr(own, cases->machine->name);
    if (at == NULL)
        snprintf(text, NS_ANSWER_LINE, "%s", own);
    else
        snprintf(text, NS_ANSWER_LINE, "%.*s%s%s", (int)(at - own), own, name, at + strlen(cases->machine->name));
}

/* "lassen, summit and tioga": the machine of the case at `first`, and all of which the same is to be said; returns
 * false where it was said of one before. */
static bool list_alike(sentence *make, const ns_decided *cases, size_t count, size_t first, char *names, size_t size)
{
    char one[NS_ANSWER_LINE], other[NS_ANSWER_LINE];
    const char *last = NULL;
    size_t used = 0;
    say_as(make, &cases[first], of_machine(cases, count, first), "", one);
    for (size_t i = 0, of; i < count; i += of) {
        of = of_machine(cases, count, i);
        say_as(make, &cases[i], of, "", other);
        if (strcmp(one, other) != 0)
            continue;
        if (i < first)
            return false;
        if (last != NULL && used < size)
            used += (size_t)snprintf(names + used, size - used, "%s%.60s", used > 0 ? ", " : "", last);
        last = cases[i].machine->name;
    }
    if (used < size)
        snprintf(names + used, size - used, "%s%.60s", used > 0 ? " and " : "", last);
    return true;
}

/* Advice and trust; what is the same of several machines is said once. */
static void say_of_machines(const ns_decided *cases, size_t count, ns_value *screen, ns_value *result)
{
    static const struct {
        sentence *make;
        const char *name;
    } sentences[] = {{ns_answer_advice, "advice"}, {sentence_of_trust, "trust"}};
    char names[600], text[NS_ANSWER_LINE];
    for (size_t s = 0; s < sizeof sentences / sizeof *sentences; s++) {
        ns_value *list = ns_value_list(screen, sentences[s].name);
        for (size_t i = 0; i < count; i += of_machine(cases, count, i))
            if (list_alike(sentences[s].make, cases, count, i, names, sizeof names)) {
                say_as(sentences[s].make, &cases[i], of_machine(cases, count, i), names, text);
                ns_value_text(list, NULL, text);
                ns_answer_wrapped(result, text);
            }
    }
}

ns_status ns_answer_show(const ns_args *args, const char *title, const ns_decided *cases, size_t count,
                         ns_value *result, ns_error *err)
{
    char text[NS_ANSWER_LINE], next[NS_COMMAND_LINE];
    ns_value *screen = ns_put_object(result, "screen", NS_IN_JSON);
    ns_value_text(screen, "title", title);
    ns_answer_wrapped(result, title);
    ns_answer_against(&cases[0], text);
    ns_value_text(screen, "against", text);
    if (*text != '\0')
        ns_note(result, "%s", text);
    ns_note(result, "%s", "");
    NS_TRY(add_rows(cases, count, screen, result, err));
    ns_note(result, "%s", "");
    say_of_machines(cases, count, screen, result);
    ns_answer_next(args, most_open(cases, count), next);
    ns_value_text(ns_value_list(screen, "next"), NULL, next);
    if (!advises(args) || cases[0].one_of_many)
        add_next(args, next, result);
    return NS_OK;
}
