/* complete.c -- what may stand at a place of a line: decided by what stands before it */
#include "cli/front/places.h"
#include "cli/repl/repl.h"
#include "core/memory.h"

#include <string.h>

static const char command_breaks[] = " \t\n='\",";
static const char expression_breaks[] = " \t\n()[],=<>+*/^!";

static bool is_word_byte(char c)
{
    return c != '\0' && strchr(expression_breaks, c) == NULL;
}

/* Behind blanks and "nsmodel". */
static const char *statement_of(const char *line)
{
    line += strspn(line, " \t\n");
    if (strncmp(line, "nsmodel ", 8) == 0)
        line += 8 + strspn(line + 8, " \t");
    return line;
}

/* The command that the line begins with, and is past; builtin words count. */
static bool is_command_line(const ns_repl *repl, const char *statement, const ns_command **command,
                            const ns_builtin **builtin)
{
    const size_t length = strcspn(statement, " \t\n");
    *builtin = *statement == '?' ? ns_builtin_find("help", 4) : ns_builtin_find(statement, length);
    *command = ns_program_find(repl->program, statement, length);
    return (*builtin != NULL || *command != NULL) && (statement[length] != '\0' || *statement == '?');
}

const char *ns_complete_breaks(const ns_repl *repl, const char *line)
{
    const ns_command *command;
    const ns_builtin *builtin;
    return !ns_repl_is_pending(repl) && is_command_line(repl, statement_of(line), &command, &builtin)
               ? command_breaks
               : expression_breaks;
}

/* The last byte before a place that is no blank, or the place `begin`. */
static const char *before(const char *begin, const char *at)
{
    while (at > begin && (at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\n'))
        at--;
    return at > begin ? at - 1 : begin;
}

/* The word that ends before `end`: its begin. */
static const char *word_before(const char *begin, const char *end)
{
    while (end > begin && is_word_byte(end[-1]))
        end--;
    return end;
}

/* ---- names of the session ---------------------------------------------------------------------------------------- */

static void add_functions(ns_candidates *list, const char *typed, const char *suffix)
{
    const ns_function *f;
    for (size_t i = 0; (f = ns_calc_function(i)) != NULL; i++)
        ns_candidates_add(list, typed, f->name, suffix, "");
}

static void add_variables(ns_candidates *list, const ns_repl *repl, const char *typed)
{
    const char *name;
    for (size_t i = 0; (name = ns_calc_variable(repl->calc, i, NULL)) != NULL; i++)
        ns_candidates_add(list, typed, name, "", "");
}

static void add_units(ns_candidates *list, const char *typed)
{
    char unit[24];
    const char *name;
    for (size_t i = 0; (name = ns_calc_unit(i, unit, sizeof unit)) != NULL; i++)
        ns_candidates_add(list, typed, name, "", "");
}

/* "4Ki" */
static void add_units_of_number(ns_candidates *list, const char *typed)
{
    char number[128], *stop;
    ns_strtod(typed, &stop);
    snprintf(number, sizeof number, "%.*s", (int)(stop - typed), typed);
    list->prefix = number;
    add_units(list, stop);
    list->prefix = NULL;
}

static void add_outputs(ns_candidates *list, const ns_model *model, const char *typed)
{
    list->prefix = ".";
    for (const ns_field *f = model->outputs; f->kind != NS_FIELD_END; f++)
        ns_candidates_add(list, typed, f->name, "", f->doc);
    list->prefix = NULL;
}

/* The machine's numbers, once something is typed. */
static void add_paths(ns_candidates *list, const ns_repl *repl, const char *typed)
{
    const ns_parameter *of = repl->machine->parameter;
    for (size_t i = 0; *typed != '\0' && i < repl->machine->parameters; i++)
        if (strchr(of[i].path, '.') != NULL)
            ns_candidates_add(list, typed, of[i].path, "", of[i].doc);
}

static void add_commands(const ns_repl *repl, ns_candidates *list, const char *typed)
{
    for (size_t i = 0; i < repl->program->commands; i++) {
        const ns_command *command = repl->program->command[i];
        if (command->talk == NULL && ns_builtin_find(command->name, strlen(command->name)) == NULL)
            ns_candidates_add(list, typed, command->name, "", command->summary);
    }
    for (const ns_builtin *b = ns_builtins; b->name != NULL; b++)
        ns_candidates_add(list, typed, b->name, "", b->doc);
}

/* ---- commands: completed as in a shell -------------------------------------------------------------------------- */

/* Words of a shell are longer than what readline wants, which begins at `word`. */
static void complete_command(const ns_repl *repl, ns_candidates *list, const char *statement, const char *word)
{
    static const char program[] = "nsmodel ";
    const size_t size = sizeof program + strlen(statement);
    char *line = ns_malloc(size);
    ns_candidates found = {.count = 0};
    const char *begin = word;
    if (line == NULL)
        return;
    while (begin > statement && strchr(" \t\n", begin[-1]) == NULL)
        begin--;
    snprintf(line, size, "%s%s", program, statement);
    ns_complete_words(repl->program, line, &found);
    for (size_t i = 0; i < found.count; i++)
        if (strncmp(found.of[i].text, begin, (size_t)(word - begin)) == 0)
            ns_candidates_add(list, word, found.of[i].text + (word - begin), "", found.of[i].doc);
    list->files = list->files || found.files;
    ns_candidates_free(&found);
    ns_free(line);
}

/* "machine NAME PATH=VALUE..." */
static void complete_machine(ns_candidates *list, const char *statement, const char *word)
{
    char name[256];
    ns_machine *machine;
    const char *begin = statement + strcspn(statement, " \t");
    begin += strspn(begin, " \t");
    if (begin >= word) {
        ns_candidates_machines(list, word);
        return;
    }
    snprintf(name, sizeof name, "%.*s", (int)strcspn(begin, " \t"), begin);
    if (word[-1] == '=' || ns_machine_find(name, &machine, NULL) != NS_OK)
        return;
    for (size_t i = 0; i < machine->parameters; i++)
        ns_candidates_add(list, word, machine->parameter[i].path, "=", "");
    ns_machine_free(machine);
}

/* ---- expressions ------------------------------------------------------------------------------------------------ */

/* The model whose call is open at a place, or NULL. */
static const ns_model *open_call(const char *begin, const char *at)
{
    int closed = 0;
    for (; at > begin; at--) {
        closed += (at[-1] == ')') - (at[-1] == '(');
        if (closed < 0) {
            const char *name = word_before(begin, at - 1);
            return ns_calc_model(name, (size_t)(at - 1 - name));
        }
    }
    return NULL;
}

/* The model of the call that ends with the ")" at a place. */
static const ns_model *closed_call(const char *begin, const char *close)
{
    int open = 0;
    for (const char *at = close; at > begin; at--) {
        open += (*at == ')') - (*at == '(');
        if (open == 0) {
            const char *name = word_before(begin, at);
            return ns_calc_model(name, (size_t)(at - name));
        }
    }
    return NULL;
}

static bool is_number(const char *begin, const char *end)
{
    char *stop;
    if (begin == end || !((*begin >= '0' && *begin <= '9') || *begin == '.'))
        return false;
    ns_strtod(begin, &stop);
    return stop == end;
}

/* Behind a number, "in", or the "/" of a unit. */
static bool wants_unit(const char *begin, const char *word)
{
    const char *last = before(begin, word), *previous = word_before(begin, last + 1);
    char *stop;
    if (*word >= '0' && *word <= '9')
        return true;
    if (*last == '/' && last + 1 == word) {
        const char *unit = word_before(begin, last);
        ns_strtod(unit, &stop);
        char name[64];
        double factor;
        ns_dim dim;
        snprintf(name, sizeof name, "%.*s", (int)(last - stop), stop);
        return stop < last && ns_unit_parse(name, &factor, &dim, NULL) == NS_OK;
    }
    return word > last + 1 &&
           (is_number(previous, last + 1) || (last + 1 - previous == 2 && memcmp(previous, "in", 2) == 0));
}

static void complete_expression(ns_candidates *list, const ns_repl *repl, const char *begin, const char *word)
{
    const char *last = before(begin, word);
    const ns_model *model = open_call(begin, word);
    if (*word == '.' && last + 1 == word && *last == ')' && closed_call(begin, last) != NULL) {
        add_outputs(list, closed_call(begin, last), word + 1);
        return;
    }
    if (wants_unit(begin, word)) {
        add_units_of_number(list, word);
        return;
    }
    if (model != NULL && (*last == '(' || *last == ',')) {
        ns_candidates_inputs(list, model, word);
        ns_candidates_add(list, word, "machine", "=", "");
        return;
    }
    if (model != NULL && *last == '=') {
        const char *end = last;
        while (end > begin && end[-1] == ' ')
            end--;
        const char *input = word_before(begin, end);
        const size_t length = (size_t)(end - input);
        if (length == 7 && memcmp(input, "machine", 7) == 0 && ns_field_find(model->inputs, "machine") == NULL)
            ns_candidates_machines(list, word);
        else
            ns_candidates_choices(list, model, input, length, word);
    }
    if (list->count > 0)
        return;
    add_variables(list, repl, word);
    add_functions(list, word, "(");
    ns_candidates_models(list, word, "(");
    add_paths(list, repl, word);
    ns_candidates_add(list, word, "ans", "", "");
    if (*word != '\0')
        add_units_of_number(list, word);
}

/* ----------------------------------------------------------------------------------------------------------------- */

static void complete_in(const ns_repl *repl, const char *text, const char *word, ns_candidates *list)
{
    const char *statement = statement_of(text);
    const ns_command *command;
    const ns_builtin *builtin;
    if (!is_command_line(repl, statement, &command, &builtin)) {
        complete_expression(list, repl, statement, word);
        if (statement == word)
            add_commands(repl, list, word);
    } else if (builtin != NULL) {
        if (strcmp(builtin->name, "help") == 0) {
            static const char *const topics[] = {"functions", "units", "models", "commands"};
            const bool mark = *word == '?';
            const char *typed = word + mark;
            list->prefix = mark ? "?" : NULL;
            for (size_t i = 0; i < sizeof topics / sizeof *topics; i++)
                ns_candidates_add(list, typed, topics[i], "", "");
            add_commands(repl, list, typed);
            ns_candidates_models(list, typed, "");
            ns_candidates_machines(list, typed);
            add_units(list, typed);
            add_functions(list, typed, "");
            add_variables(list, repl, typed);
            add_paths(list, repl, typed);
            list->prefix = NULL;
            list->files = false;
        } else if (strcmp(builtin->name, "machine") == 0) {
            complete_machine(list, statement, word);
        } else if (command != NULL) { /* matrix is both */
            complete_command(repl, list, statement, word);
            if (*word != '-' && before(statement, word) < statement + strlen(builtin->name))
                ns_candidates_matrices(list, word);
        }
    } else {
        complete_command(repl, list, statement, word);
    }
}

void ns_repl_complete(const ns_repl *repl, const char *line, size_t start, ns_candidates *list)
{
    const char *pending = repl->pending != NULL ? repl->pending : "";
    const size_t size = strlen(pending) + strlen(line) + 1;
    char *text = ns_malloc(size);
    if (text == NULL)
        return;
    snprintf(text, size, "%s%s", pending, line);
    complete_in(repl, text, text + strlen(pending) + start, list);
    ns_free(text);
}
