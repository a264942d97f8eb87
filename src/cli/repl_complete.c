/* repl_complete.c -- what may stand at a place of a line: decided by what stands before it */
#include "cli/repl.h"

#include <stdlib.h>
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
static bool is_command_line(const char *statement, const ns_command **command, const ns_builtin **builtin)
{
    const size_t length = strcspn(statement, " \t\n");
    *builtin = *statement == '?' ? ns_builtin_find("help", 4) : ns_builtin_find(statement, length);
    *command = ns_command_find(statement, length);
    return (*builtin != NULL || *command != NULL) && (statement[length] != '\0' || *statement == '?');
}

const char *ns_complete_breaks(const ns_repl *repl, const char *line)
{
    const ns_command *command;
    const ns_builtin *builtin;
    return !ns_repl_is_pending(repl) && is_command_line(statement_of(line), &command, &builtin) ? command_breaks
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

/* ---- commands ----------------------------------------------------------------------------------------------------- */

/* "table|json|csv", "[tree|latex|dot]" */
static void add_alternatives(ns_candidates *list, const char *alternatives, const char *typed)
{
    char word[64];
    for (const char *at = alternatives + (*alternatives == '['); *at != '\0'; at += strspn(at, "|]")) {
        const size_t length = strcspn(at, "|]");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (*word >= 'a' && *word <= 'z' && strchr(alternatives, '|') != NULL)
            ns_candidates_add(list, typed, strlen(typed), "", word, "");
        at += length;
    }
}

static void complete_value(ns_candidates *list, const ns_option *option, const char *typed)
{
    if (option->argument == NULL)
        return;
    if (strcmp(option->name, "machine") == 0)
        ns_candidates_machines(list, typed);
    else if (strcmp(option->name, "matrix") == 0)
        ns_candidates_matrices(list, typed);
    else if (strcmp(option->name, "strategy") == 0)
        for (const ns_strategy *const *s = ns_strategies(); *s != NULL; s++)
            ns_candidates_add(list, typed, strlen(typed), "", (*s)->name, "");
    else if (strcmp(option->name, "transport") == 0)
        for (int i = 0; i < NS_TRANSPORTS; i++)
            ns_candidates_add(list, typed, strlen(typed), "", ns_transport_words[i], "");
    else
        add_alternatives(list, option->argument, typed);
    list->files = list->files || strstr(option->argument, "FILE") != NULL;
}

static const ns_option *option_in(const ns_option *options, const char *name, size_t length)
{
    for (; options->name != NULL; options++)
        if (strlen(options->name) == length && memcmp(options->name, name, length) == 0)
            return options;
    return NULL;
}

static const char *token_before(const char *begin, const char *end)
{
    while (end > begin && end[-1] != ' ' && end[-1] != '\t' && end[-1] != '\n')
        end--;
    return end;
}

/* The option whose value, or the next of whose values, begins at `word`: --name=word, --name word, --name a,word. */
static const ns_option *option_before(const ns_command *command, const char *statement, const char *word)
{
    const char *token = token_before(statement, word);
    if (token == word || strncmp(token, "--", 2) != 0) {
        while (token > statement && (token[-1] == ' ' || token[-1] == '\t' || token[-1] == '\n'))
            token--;
        token = token_before(statement, token);
        if (strcspn(token, "=") < strcspn(token, " \t\n"))
            return NULL;
    }
    if (strncmp(token, "--", 2) != 0)
        return NULL;
    const size_t length = strcspn(token + 2, "= \t\n");
    const ns_option *option = option_in(command->options, token + 2, length);
    option = option != NULL ? option : option_in(ns_common_options, token + 2, length);
    return option != NULL && option->argument != NULL ? option : NULL;
}

/* The model that eval or cross was given: the first word behind the command. */
static const ns_model *model_of(const char *statement, const char *word)
{
    const char *at = statement + strcspn(statement, " \t");
    at += strspn(at, " \t");
    return at < word ? ns_calc_model(at, strcspn(at, " \t:")) : NULL;
}

static void complete_positional(ns_candidates *list, const ns_command *command, const char *statement, const char *word)
{
    const bool first = before(statement, word) < statement + strlen(command->name);
    const ns_model *model = model_of(statement, word);
    if (strncmp(command->usage, "MODEL", 5) == 0 && model != NULL && word[-1] == '=') {
        const char *input = word_before(statement, word - 1);
        ns_candidates_choices(list, model, input, (size_t)(word - 1 - input), word);
    } else if (strncmp(command->usage, "MODEL", 5) == 0 && model != NULL) {
        ns_candidates_inputs(list, model, word);
    } else if (strncmp(command->usage, "MODEL", 5) == 0 || (strcmp(command->name, "models") == 0 && first)) {
        ns_candidates_models(list, word, "");
    } else if (strcmp(command->name, "machines") == 0 && first) {
        ns_candidates_machines(list, word);
    } else {
        list->files = true;
    }
}

static void complete_command(ns_candidates *list, const ns_command *command, const char *statement, const char *word)
{
    const ns_option *option = option_before(command, statement, word);
    if (option != NULL) {
        complete_value(list, option, word);
    } else if (*word == '-') {
        for (const ns_option *o = command->options; o->name != NULL; o++)
            ns_candidates_add(list, word + strspn(word, "-"), strlen(word + strspn(word, "-")), "--", o->name, "");
        for (const ns_option *o = ns_common_options; o->name != NULL; o++)
            ns_candidates_add(list, word + strspn(word, "-"), strlen(word + strspn(word, "-")), "--", o->name, "");
    } else {
        complete_positional(list, command, statement, word);
    }
}

/* The ways to call a command, "list | info NAME": their first words. */
static void add_actions(ns_candidates *list, const char *usage, const char *typed)
{
    char word[64];
    while (*usage != '\0') {
        usage += strspn(usage, " |");
        snprintf(word, sizeof word, "%.*s", (int)strcspn(usage, " |"), usage);
        ns_candidates_add(list, typed, strlen(typed), "", word, "");
        usage += strcspn(usage, "|");
    }
}

static void complete_help(ns_candidates *list, const ns_repl *repl, const char *word)
{
    static const char *const topics[] = {"functions", "units", "models", "commands"};
    const char *mark = *word == '?' ? "?" : "", *typed = word + strlen(mark);
    ns_candidates bare = {.count = 0};
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++)
        ns_candidates_add(&bare, typed, strlen(typed), "", topics[i], "");
    ns_candidates_commands(&bare, typed);
    ns_candidates_models(&bare, typed, "");
    ns_candidates_machines(&bare, typed);
    ns_candidates_units(&bare, typed);
    for (size_t i = 0; ns_calc_function(i) != NULL; i++)
        ns_candidates_add(&bare, typed, strlen(typed), "", ns_calc_function(i)->name, "");
    for (size_t i = 0; ns_calc_variable(repl->calc, i, NULL) != NULL; i++)
        ns_candidates_add(&bare, typed, strlen(typed), "", ns_calc_variable(repl->calc, i, NULL), "");
    for (size_t i = 0; i < bare.count; i++)
        ns_candidates_add(list, "", 0, mark, bare.text[i], "");
    ns_candidates_free(&bare);
}

static void complete_builtin(ns_candidates *list, const ns_repl *repl, const ns_builtin *builtin,
                             const ns_command *command, const char *statement, const char *word)
{
    const bool first = before(statement, word) < statement + strlen(builtin->name);
    if (strcmp(builtin->name, "help") == 0) {
        complete_help(list, repl, word);
    } else if (strcmp(builtin->name, "machine") == 0) {
        ns_candidates_machines(list, word);
    } else if (strcmp(builtin->name, "matrix") == 0 && *word != '-') {
        if (first)
            add_actions(list, command->usage, word);
        ns_candidates_matrices(list, word);
    } else if (command != NULL) {
        complete_command(list, command, statement, word);
    }
}

/* ---- expressions -------------------------------------------------------------------------------------------------- */

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

static void complete_input_value(ns_candidates *list, const ns_model *model, const char *begin, const char *equals,
                                 const char *word)
{
    const char *end = equals;
    while (end > begin && end[-1] == ' ')
        end--;
    const char *input = word_before(begin, end);
    const size_t length = (size_t)(end - input);
    if (length == 7 && memcmp(input, "machine", 7) == 0 && ns_field_find(model->inputs, "machine") == NULL)
        ns_candidates_machines(list, word);
    else
        ns_candidates_choices(list, model, input, length, word);
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
    return word > last + 1 && (is_number(previous, last + 1) || (last + 1 - previous == 2 && memcmp(previous, "in", 2) == 0));
}

static void complete_expression(ns_candidates *list, const ns_repl *repl, const char *begin, const char *word)
{
    const char *last = before(begin, word);
    const ns_model *model = open_call(begin, word);
    if (*word == '.' && last + 1 == word && *last == ')' && closed_call(begin, last) != NULL) {
        ns_candidates_outputs(list, closed_call(begin, last), word + 1);
        return;
    }
    if (wants_unit(begin, word)) {
        ns_candidates_units(list, word);
        return;
    }
    if (model != NULL && (*last == '(' || *last == ',')) {
        ns_candidates_inputs(list, model, word);
        ns_candidates_add(list, word, strlen(word), "", "machine", "=");
        return;
    }
    if (model != NULL && *last == '=')
        complete_input_value(list, model, begin, last, word);
    if (list->count > 0)
        return;
    ns_candidates_names(list, repl, word);
    if (*word != '\0')
        ns_candidates_units(list, word);
}

/* ------------------------------------------------------------------------------------------------------------------- */

static void complete_in(const ns_repl *repl, const char *text, const char *word, ns_candidates *list)
{
    const char *statement = statement_of(text);
    const ns_command *command;
    const ns_builtin *builtin;
    if (!is_command_line(statement, &command, &builtin)) {
        complete_expression(list, repl, statement, word);
        if (statement == word)
            ns_candidates_commands(list, word);
    } else if (builtin != NULL) {
        complete_builtin(list, repl, builtin, command, statement, word);
    } else {
        complete_command(list, command, statement, word);
    }
}

void ns_repl_complete(const ns_repl *repl, const char *line, size_t start, ns_candidates *list)
{
    const char *pending = repl->pending != NULL ? repl->pending : "";
    const size_t size = strlen(pending) + strlen(line) + 1;
    char *text = malloc(size);
    if (text == NULL)
        return;
    snprintf(text, size, "%s%s", pending, line);
    complete_in(repl, text, text + strlen(pending) + start, list);
    free(text);
}
