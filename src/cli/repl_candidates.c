/* repl_candidates.c -- lists of names for completion, from the tables that define them */
#include "cli/repl.h"

#include <stdlib.h>
#include <string.h>

void ns_candidates_add(ns_candidates *list, const char *typed, size_t length, const char *prefix, const char *name,
                       const char *suffix)
{
    if (strncmp(name, typed, length) != 0)
        return;
    if (list->count == list->room) {
        const size_t room = list->room == 0 ? 64 : 2 * list->room;
        char **text = realloc(list->text, room * sizeof *text);
        if (text == NULL)
            return;
        list->text = text;
        list->room = room;
    }
    const size_t size = strlen(prefix) + strlen(name) + strlen(suffix) + 1;
    char *text = malloc(size);
    if (text == NULL)
        return;
    snprintf(text, size, "%s%s%s", prefix, name, suffix);
    list->text[list->count++] = text;
}

void ns_candidates_free(ns_candidates *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->text[i]);
    free(list->text);
    *list = (ns_candidates){.count = 0};
}

static void add(ns_candidates *list, const char *typed, const char *name, const char *suffix)
{
    ns_candidates_add(list, typed, strlen(typed), "", name, suffix);
}

void ns_candidates_machines(ns_candidates *list, const char *typed)
{
    for (const char *const *name = ns_machine_names(); *name != NULL; name++)
        add(list, typed, *name, "");
    list->files = true;
}

void ns_candidates_matrices(ns_candidates *list, const char *typed)
{
    ns_catalogue *catalogue;
    const ns_catalogue_entry *entry;
    char name[256];
    list->files = true;
    if (ns_catalogue_open(&catalogue, NULL) != NS_OK)
        return;
    const size_t entries = ns_catalogue_entries(catalogue, &entry);
    for (size_t i = 0; i < entries; i++) {
        snprintf(name, sizeof name, "%s/%s", entry[i].group, entry[i].name);
        add(list, typed, entry[i].name, "");
        if (*typed != '\0')
            add(list, typed, name, "");
    }
    ns_catalogue_free(catalogue);
    add(list, typed, "stencil9:", "");
    add(list, typed, "stencil27:", "");
}

void ns_candidates_models(ns_candidates *list, const char *typed, const char *suffix)
{
    for (const ns_model *const *model = ns_models(); *model != NULL; model++)
        add(list, typed, (*model)->name, suffix);
}

/* typed may begin with a number: "4Ki". */
void ns_candidates_units(ns_candidates *list, const char *typed)
{
    char unit[24], number[128], *stop;
    const char *name;
    ns_strtod(typed, &stop);
    snprintf(number, sizeof number, "%.*s", (int)(stop - typed), typed);
    for (size_t i = 0; (name = ns_calc_unit(i, unit, sizeof unit)) != NULL; i++)
        ns_candidates_add(list, stop, strlen(stop), number, name, "");
}

void ns_candidates_names(ns_candidates *list, const ns_repl *repl, const char *typed)
{
    const ns_function *f;
    const char *name;
    for (size_t i = 0; (name = ns_calc_variable(repl->calc, i, NULL)) != NULL; i++)
        add(list, typed, name, "");
    for (size_t i = 0; (f = ns_calc_function(i)) != NULL; i++)
        add(list, typed, f->name, "(");
    ns_candidates_models(list, typed, "(");
    for (size_t i = 0; *typed != '\0' && i < repl->machine->parameters; i++)
        if (strchr(repl->machine->parameter[i].path, '.') != NULL)
            add(list, typed, repl->machine->parameter[i].path, "");
    add(list, typed, "ans", "");
}

void ns_candidates_commands(ns_candidates *list, const char *typed)
{
    const ns_command *commands[NS_COMMANDS_MAX];
    const size_t count = ns_commands(commands, NS_COMMANDS_MAX);
    for (size_t i = 0; i < count; i++)
        if (commands[i]->talk == NULL && ns_builtin_find(commands[i]->name, strlen(commands[i]->name)) == NULL)
            add(list, typed, commands[i]->name, "");
    for (const ns_builtin *b = ns_builtins; b->name != NULL; b++)
        add(list, typed, b->name, "");
}

static const struct selector {
    const char *name;
    const char *const *words;
} selectors[] = {{"locality", ns_locality_words}, {"memory", ns_memory_words}, {"protocol", ns_protocol_choice_words}};
enum { SELECTORS = sizeof selectors / sizeof *selectors };

static bool has_selectors(const ns_model *model)
{
    for (const ns_field *f = model->inputs; f->kind != NS_FIELD_END; f++)
        if (f->from != NULL && strchr(f->from, '{') != NULL)
            return true;
    return false;
}

void ns_candidates_inputs(ns_candidates *list, const ns_model *model, const char *typed)
{
    for (const ns_field *f = model->inputs; f->kind != NS_FIELD_END; f++)
        add(list, typed, f->name, "=");
    for (int i = 0; i < SELECTORS && has_selectors(model); i++)
        if (ns_field_find(model->inputs, selectors[i].name) == NULL)
            add(list, typed, selectors[i].name, "=");
}

void ns_candidates_outputs(ns_candidates *list, const ns_model *model, const char *typed)
{
    for (const ns_field *f = model->outputs; f->kind != NS_FIELD_END; f++)
        ns_candidates_add(list, typed, strlen(typed), ".", f->name, "");
}

void ns_candidates_choices(ns_candidates *list, const ns_model *model, const char *input, size_t length,
                           const char *typed)
{
    const char *const *words = NULL;
    for (int i = 0; i < SELECTORS; i++)
        if (strlen(selectors[i].name) == length && memcmp(selectors[i].name, input, length) == 0)
            words = selectors[i].words;
    for (const ns_field *f = model->inputs; f->kind != NS_FIELD_END; f++)
        if (strlen(f->name) == length && memcmp(f->name, input, length) == 0 && f->kind == NS_FIELD_WORD)
            words = f->words;
    for (; words != NULL && *words != NULL; words++)
        add(list, typed, *words, "");
}
