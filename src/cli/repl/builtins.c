/* builtins.c -- the words of a session that are not commands of the program: machine, matrix, variables, quit */
#include "cli/front/own.h"
#include "cli/front/places.h"
#include "cli/inputs/inputs.h"
#include "cli/repl/repl.h"
#include "core/memory.h"
#include "core/refuse.h"
#include "core/span.h"

#include <stdlib.h>
#include <string.h>

/* ---- help from the rows that also drive parser and completion ---------------------------------------------------- */

/* Each base unit with its prefixes. */
static void list_units(ns_repl *repl)
{
    char unit[24];
    const char *name;
    size_t column = 0;
    for (size_t i = 0; (name = ns_calc_unit(i, unit, sizeof unit)) != NULL; i++) {
        bool base = false;
        for (const ns_base_unit *b = ns_base_units; b->name != NULL; b++)
            base = base || strcmp(b->name, name) == 0;
        column = base ? 0 : column;
        fprintf(repl->out, "%s%s", column > 0 ? " " : i > 0 ? "\n  " : "  ", name);
        column++;
    }
    fputs("\nProducts and quotients of them: GB/s, ns/B, s^2.\n"
          "k is 1000, Ki is 1024; B is a byte, bit an eighth of it.\n",
          repl->out);
}

/* What "help functions" and similar topics list; false: not such a topic. */
static bool list_topic(ns_repl *repl, const char *topic)
{
    const ns_program *program = repl->program;
    const ns_function *f;
    if (strcmp(topic, "units") == 0)
        list_units(repl);
    else if (strcmp(topic, "functions") == 0)
        for (size_t i = 0; (f = ns_calc_function(i)) != NULL; i++)
            fprintf(repl->out, "  %-14s %s\n", f->usage, f->doc);
    else if (strcmp(topic, "models") == 0)
        for (const ns_model *const *model = ns_models(); *model != NULL; model++)
            fprintf(repl->out, "  %-22s %s\n", (*model)->name, (*model)->title);
    else if (strcmp(topic, "commands") == 0) {
        for (size_t i = 0; i < program->commands; i++)
            if (program->command[i]->talk == NULL)
                fprintf(repl->out, "  %-14s %s\n", program->command[i]->name, program->command[i]->summary);
    } else
        return false;
    return true;
}

/* ---- one name --------------------------------------------------------------------------------------------------- */

/* Everything known about a name, which may have several meanings: s is a unit, and perhaps a variable. */
static ns_status tell(ns_repl *repl, const char *name, ns_error *err)
{
    const ns_program *program = repl->program;
    const size_t length = strlen(name);
    bool told = false;
    if (list_topic(repl, name))
        return NS_OK;
    const ns_builtin *builtin = ns_builtin_find(name, length);
    if (builtin != NULL) {
        fprintf(repl->out, "%s -- %s\n", builtin->usage, builtin->doc);
        told = true;
    }
    const ns_command *command = ns_program_find(program, name, length);
    if (command != NULL) {
        ns_help_command(command, repl->out);
        told = true;
    }
    const ns_function *f;
    for (size_t i = 0; (f = ns_calc_function(i)) != NULL; i++)
        if (strcmp(f->name, name) == 0) {
            fprintf(repl->out, "%s -- %s\n", f->usage, f->doc);
            told = true;
        }
    ns_answer answer = {.size = sizeof answer, .unit = ""};
    char text[128], number[40], unit[64];
    const char *variable;
    for (size_t i = 0; (variable = ns_calc_variable(repl->calc, i, &answer.quantity)) != NULL; i++)
        if (strcmp(variable, name) == 0) {
            fprintf(repl->out, "%s = %s, a variable\n", name, ns_answer_format(&answer, text, sizeof text));
            told = true;
        }
    double value;
    ns_dim dim;
    if (ns_unit_parse(name, &value, &dim, NULL) == NS_OK) {
        fprintf(repl->out, "1 %s = %s %s, a unit\n", name, ns_double_format(value, number, sizeof number),
                ns_dim_unit(dim, unit, sizeof unit));
        told = true;
    }
    NS_OWN(ns_machine_free) ns_machine *machine = NULL;
    if (ns_machine_is_shipped(name) && ns_machine_load(name, &machine, NULL) == NS_OK) {
        fprintf(repl->out, "%s: %s\nsource: %s\n`machine %s` uses it, `machines %s` lists its numbers\n", name,
                machine->title, machine->source, name, name);
        told = true;
    }
    /* a number of the current machine, by its path */
    const ns_parameter *of;
    if (strchr(name, '.') != NULL && ns_machine_number(repl->machine, name, &value, &dim, &of)) {
        fprintf(repl->out, "%s = %s", name, ns_quantity_format(value, dim, 10, text, sizeof text));
        if (strcmp(of->path, name) != 0)
            fprintf(repl->out, " = 1 / %s", of->path);
        fprintf(repl->out, ", of %s: %s\nsource: %s\n", repl->machine_word, of->doc, of->source);
        told = true;
    }
    const ns_model *model = ns_calc_model(name, length);
    if (model != NULL) {
        /* the output that a call returns, and how to call the model */
        static char models[] = "models";
        const char *before = "";
        fprintf(repl->out, "%s(", model->name);
        for (const ns_field *input = model->inputs; input->kind != NS_FIELD_END; input++) {
            if (input->has_default || input->from != NULL)
                continue;
            fprintf(repl->out, "%s%s=...", before, input->name);
            before = ", ";
        }
        fprintf(repl->out, ") is %s\n\n", ns_calc_output(model)->name);
        snprintf(unit, sizeof unit, "%s", model->name);
        ns_command_context context = {.err = repl->err, .program = program};
        return program->run(2, (char *[]){models, unit, NULL}, repl->out, &context, err);
    }
    if (told)
        return NS_OK;
    enum { MOST = 512 };
    const char *names[MOST];
    size_t count = ns_statement_words(program, names);
    for (size_t i = 0; ns_calc_function(i) != NULL && count < MOST; i++)
        names[count++] = ns_calc_function(i)->name;
    for (const ns_model *const *m = ns_models(); *m != NULL && count < MOST; m++)
        names[count++] = (*m)->name;
    for (const char *const *shipped = ns_machine_names(); *shipped != NULL && count < MOST; shipped++)
        names[count++] = *shipped;
    return ns_refuse_name_or(err, "no help on", name, names, count, "`help` tells what there is");
}

/* "help", "help NAME", "?", "?NAME", "? NAME" */
static ns_status ns_repl_help(ns_repl *repl, ns_words *words, ns_error *err)
{
    const char *name = words->word[0][0] == '?' ? words->word[0] + 1 : "";
    int next = 1;
    if (*name == '\0' && words->count > next)
        name = words->word[next++];
    if (words->count > next)
        return ns_fail(err, NS_ERR_USAGE, "help takes one name, then \"%s\"", words->word[next]);
    if (*name != '\0')
        return tell(repl, name, err);
    fputs("  4 KiB / 23.9 GB/s + 2.44 us   numbers with units; + - * / ^ < <= > >= == !=\n"
          "  ... in ns                     the same in another unit\n"
          "  s = 1 MiB                     a variable; ans is the last answer\n"
          "  max-rate(m=10, s=s, ppn=40)   a model; the machine gives what is left out,\n"
          "                                or another one, with machine=NAME\n"
          "  max-rate(...).startup         another of its outputs\n"
          "  host.off-node.eager.alpha     a number of the machine, by its path\n"
          "  # ...                         a comment\n"
          "  ( or \\                        open, or at the end: the statement goes on\n\n",
          repl->out);
    for (const ns_builtin *b = ns_builtins; b->name != NULL; b++)
        fprintf(repl->out, "  %-29s %s\n", b->usage, b->doc);
    fprintf(repl->out, "  %-29s %s\n\n", "predict ..., eval ..., ...",
            "nsmodel's commands; machine and matrix are added");
    fprintf(repl->out, "More: help functions, help units, help models, help commands.\nIn use: machine %s, %s%s.\n",
            repl->machine_word, repl->matrix != NULL ? "matrix " : "no matrix",
            repl->matrix != NULL ? repl->matrix : "");
    return NS_OK;
}

static void say_machine(const ns_repl *repl, FILE *out)
{
    fputs(repl->machine_word, out);
    for (int i = 0; i < repl->sets; i++)
        fprintf(out, " %s", repl->set[i]);
    fprintf(out, ": %s\n", repl->machine->title);
}

void ns_repl_forget_machine(ns_repl *repl)
{
    ns_machine_free(repl->machine);
    ns_free(repl->machine_word);
    while (repl->sets > 0)
        ns_free(repl->set[--repl->sets]);
    repl->machine = NULL;
    repl->machine_word = NULL;
}

/* "machine", "machine NAME PATH=VALUE..." */
static ns_status use_machine(ns_repl *repl, ns_words *words, ns_error *err)
{
    NS_OWN(ns_machine_free) ns_machine *machine = NULL;
    if (words->count == 1) {
        say_machine(repl, repl->out);
        return NS_OK;
    }
    if (words->count - 2 > NS_REPL_SETS)
        return ns_fail(err, NS_ERR_LIMIT, "more than %d changes of a machine", (int)NS_REPL_SETS);
    NS_TRY(ns_machine_find(words->word[1], &machine, err));
    for (int i = 2; i < words->count; i++)
        NS_TRY(ns_machine_set(&machine, words->word[i], err));
    ns_machine_say_hidden(words->word[1], repl->err);
    ns_repl_forget_machine(repl);
    ns_calc_use_machine(repl->calc, machine);
    repl->machine = machine;
    machine = NULL;
    repl->machine_word = words->word[1]; /* the words are kept by removing them from the list */
    for (int i = 2; i < words->count; i++)
        repl->set[repl->sets++] = words->word[i];
    ns_free(words->word[0]);
    words->count = 0;
    if (repl->source == NULL)
        say_machine(repl, repl->err);
    return NS_OK;
}

static ns_status describe_matrix(const char *spec, FILE *out, ns_error *err)
{
    NS_OWN(ns_matrix_free) ns_matrix *matrix = NULL;
    NS_TRY(ns_places_matrix(spec, &matrix, err));
    const ns_matrix_info *info = ns_matrix_describe(matrix);
    char about[NS_MATRIX_NOTE];
    if (info->note != NULL)
        fprintf(out, "%s\n", ns_matrix_note(info, about, sizeof about));
    fprintf(out, "%s: %lld x %lld (%s)\n", spec, (long long)info->rows, (long long)info->cols,
            ns_matrix_source_words[info->source]);
    return NS_OK;
}

static ns_status use_matrix(ns_repl *repl, ns_words *words, ns_error *err)
{
    NS_OWN(ns_matrix_free) ns_matrix *matrix = NULL;
    if (words->count == 1 && repl->matrix != NULL)
        return describe_matrix(repl->matrix, repl->out, err);
    if (words->count == 1) {
        fprintf(repl->out, "none\n");
        return NS_OK;
    }
    const char *word = words->word[1];
    bool command = words->count > 2 || *word == '-';
    /* the first word of each alternative of the command's usage: "list | info NAME" */
    for (const char *usage = ns_program_find(repl->program, "matrix", 6)->usage; *usage != '\0' && !command;
         usage += strcspn(usage, "|")) {
        usage += strspn(usage, " |");
        command = ns_is_word(word, usage, strcspn(usage, " |"));
    }
    if (command)
        return ns_repl_command(repl, words, err);
    char *copy = NULL;
    if (strcmp(word, "none") != 0) {
        NS_TRY(ns_places_matrix(word, &matrix, err));
        copy = ns_malloc(strlen(word) + 1);
        if (copy == NULL)
            return ns_no_memory(err);
        strcpy(copy, word);
    }
    ns_free(repl->matrix);
    repl->matrix = copy;
    return copy != NULL && repl->source == NULL ? describe_matrix(word, repl->err, err) : NS_OK;
}

static ns_status list_variables(ns_repl *repl, ns_words *words, ns_error *err)
{
    ns_answer answer = {.size = sizeof answer, .unit = ""};
    char text[128];
    const char *name;
    if (words->count > 1)
        return ns_fail(err, NS_ERR_USAGE, "variables takes nothing, then \"%s\"", words->word[1]);
    for (size_t i = 0; (name = ns_calc_variable(repl->calc, i, &answer.quantity)) != NULL; i++)
        fprintf(repl->out, "%s = %s\n", name, ns_answer_format(&answer, text, sizeof text));
    return NS_OK;
}

static ns_status quit(ns_repl *repl, ns_words *words, ns_error *err)
{
    if (words->count > 1)
        return ns_fail(err, NS_ERR_USAGE, "%s takes nothing, then \"%s\"", words->word[0], words->word[1]);
    repl->ended = true;
    return NS_OK;
}

const ns_builtin ns_builtins[] = {
    {"machine", "machine [NAME [PATH=VALUE..]]", "a machine or its file, perhaps changed", use_machine},
    {"matrix", "matrix [NAME|none]", "a matrix, file or stencil for the commands", use_matrix},
    {"variables", "variables", "names and values", list_variables},
    {"help", "help [NAME]", "about anything with a name; also ? NAME", ns_repl_help},
    {"quit", "quit", "end; also exit and Ctrl-D", quit},
    {"exit", "exit", "the same as quit", quit},
    {NULL, NULL, NULL, NULL},
};

size_t ns_statement_words(const ns_program *program, const char **names)
{
    size_t count = 0;
    for (; count < program->commands; count++)
        names[count] = program->command[count]->name;
    for (const ns_builtin *b = ns_builtins; b->name != NULL; b++)
        names[count++] = b->name;
    return count;
}

const ns_builtin *ns_builtin_find(const char *name, size_t length)
{
    for (const ns_builtin *b = ns_builtins; b->name != NULL; b++)
        if (ns_is_word(b->name, name, length))
            return b;
    return NULL;
}
