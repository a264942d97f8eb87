/* builtins.c -- the words of a session that are no command of the program: machine, matrix, variables, quit */
#include "cli/front/places.h"
#include "cli/inputs/inputs.h"
#include "cli/repl/repl.h"
#include "core/memory.h"

#include <string.h>

static bool same(const char *name, const char *word, size_t length)
{
    return strlen(name) == length && memcmp(name, word, length) == 0;
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

/* The machine of the words NAME PATH=VALUE... */
static ns_status load_machine(const ns_words *words, ns_machine **machine, ns_error *err)
{
    ns_machine *loaded;
    if (words->count - 2 > NS_REPL_SETS)
        return ns_fail(err, NS_ERR_LIMIT, "more than %d changes of a machine", (int)NS_REPL_SETS);
    NS_TRY(ns_machine_find(words->word[1], &loaded, err));
    for (int i = 2; i < words->count; i++) {
        ns_machine *changed;
        const ns_status status = ns_machine_with(loaded, words->word[i], &changed, err);
        ns_machine_free(loaded);
        if (status != NS_OK)
            return status;
        loaded = changed;
    }
    *machine = loaded;
    return NS_OK;
}

static ns_status use_machine(ns_repl *repl, ns_words *words, ns_error *err)
{
    ns_machine *machine = NULL;
    if (words->count == 1) {
        say_machine(repl, repl->out);
        return NS_OK;
    }
    NS_TRY(load_machine(words, &machine, err));
    ns_machine_say_hidden(words->word[1], repl->err);
    ns_repl_forget_machine(repl);
    ns_calc_use_machine(repl->calc, machine);
    repl->machine = machine;
    repl->machine_word = words->word[1]; /* the words are kept by taking them out of the list */
    for (int i = 2; i < words->count; i++)
        repl->set[repl->sets++] = words->word[i];
    ns_free(words->word[0]);
    words->count = 0;
    if (repl->source == NULL)
        say_machine(repl, repl->err);
    return NS_OK;
}

/* The first word of one of the ways to call a command: "list | info NAME". */
static bool is_action(const char *usage, const char *word)
{
    while (*usage != '\0') {
        usage += strspn(usage, " |");
        if (same(word, usage, strcspn(usage, " |")))
            return true;
        usage += strcspn(usage, "|");
    }
    return false;
}

static ns_status describe_matrix(const char *spec, FILE *out, ns_error *err)
{
    ns_matrix *matrix;
    NS_TRY(ns_places_matrix(spec, &matrix, err));
    const ns_matrix_info *info = ns_matrix_describe(matrix);
    char about[NS_MATRIX_NOTE];
    if (info->note != NULL)
        fprintf(out, "%s\n", ns_matrix_note(info, about, sizeof about));
    fprintf(out, "%s: %lld x %lld (%s)\n", spec, (long long)info->rows, (long long)info->cols,
            ns_matrix_source_words[info->source]);
    ns_matrix_free(matrix);
    return NS_OK;
}

static ns_status use_matrix(ns_repl *repl, ns_words *words, ns_error *err)
{
    ns_matrix *matrix;
    if (words->count == 1 && repl->matrix != NULL)
        return describe_matrix(repl->matrix, repl->out, err);
    if (words->count == 1) {
        fprintf(repl->out, "none\n");
        return NS_OK;
    }
    const char *word = words->word[1];
    if (words->count > 2 || *word == '-' || is_action(ns_program_find(repl->program, "matrix", 6)->usage, word))
        return ns_repl_command(repl, words, err);
    if (strcmp(word, "none") == 0) {
        ns_free(repl->matrix);
        repl->matrix = NULL;
        return NS_OK;
    }
    NS_TRY(ns_places_matrix(word, &matrix, err));
    ns_matrix_free(matrix);
    char **place = &repl->matrix;
    char *copy = ns_malloc(strlen(word) + 1);
    if (copy == NULL)
        return ns_no_memory(err);
    strcpy(copy, word);
    ns_free(*place);
    *place = copy;
    return repl->source == NULL ? describe_matrix(word, repl->err, err) : NS_OK;
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

const ns_builtin *ns_builtin_find(const char *name, size_t length)
{
    for (const ns_builtin *b = ns_builtins; b->name != NULL; b++)
        if (same(b->name, name, length))
            return b;
    return NULL;
}
