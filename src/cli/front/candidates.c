/* candidates.c -- lists of names for completion, from the tables that define them */
#include "cli/front/candidates.h"
#include "cli/front/places.h"

#include "core/memory.h"

#include <string.h>

/* Text and doc in one piece. */
static bool make(const char *prefix, const char *name, const char *suffix, const char *doc, ns_candidate *c)
{
    const size_t size = strlen(prefix) + strlen(name) + strlen(suffix) + 1, docs = strlen(doc) + 1;
    c->text = ns_malloc(size + docs);
    if (c->text == NULL)
        return false;
    snprintf(c->text, size, "%s%s%s", prefix, name, suffix);
    c->doc = memcpy(c->text + size, doc, docs);
    return true;
}

static bool has(const ns_candidates *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->of[i].text, text) == 0)
            return true;
    return false;
}

void ns_candidates_add(ns_candidates *list, const char *typed, const char *name, const char *suffix, const char *doc)
{
    if (strncmp(name, typed, strlen(typed)) != 0)
        return;
    if (list->count == list->room) {
        const size_t room = list->room == 0 ? 64 : 2 * list->room;
        ns_candidate *of = ns_realloc(list->of, ns_size_mul(room, sizeof *of));
        if (of == NULL)
            return;
        list->of = of;
        list->room = room;
    }
    ns_candidate *next = &list->of[list->count];
    if (!make(list->prefix != NULL ? list->prefix : "", name, suffix, doc, next))
        return;
    if (has(list, next->text)) /* two models may share an input, two groups a matrix's name */
        ns_free(next->text);
    else
        list->count++;
}

void ns_candidates_free(ns_candidates *list)
{
    for (size_t i = 0; i < list->count; i++)
        ns_free(list->of[i].text);
    ns_free(list->of);
    *list = (ns_candidates){.count = 0};
}

void ns_candidates_machines(ns_candidates *list, const char *typed)
{
    for (const char *const *name = ns_machine_names(); *name != NULL; name++)
        ns_candidates_add(list, typed, *name, "", "machine");
    char **own;
    size_t count;
    if (ns_own_machines_list(&own, &count, NULL) == NS_OK) {
        for (size_t i = 0; i < count; i++)
            ns_candidates_add(list, typed, own[i], "", "own machine");
        ns_own_machines_free(own, count);
    }
    list->files = true;
}

void ns_candidates_matrices(ns_candidates *list, const char *typed)
{
    const bool grouped = strchr(typed, '/') != NULL;
    ns_catalogue *catalogue;
    const ns_catalogue_entry *e;
    char name[256], doc[256];
    list->files = true;
    ns_candidates_add(list, typed, "stencil9:", "", "the 9-point stencil of a grid: stencil9:3200x3200");
    ns_candidates_add(list, typed, "stencil27:", "", "the 27-point stencil of a grid: stencil27:68x68x68");
    if (*typed == '\0' || ns_catalogue_open(&catalogue, NULL) != NS_OK)
        return;
    const size_t count = ns_catalogue_entries(catalogue, &e);
    for (size_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s%s%s", grouped ? e[i].group : "", grouped ? "/" : "", e[i].name);
        snprintf(doc, sizeof doc, "%lld x %lld, %lld entries, %s", (long long)e[i].rows, (long long)e[i].cols,
                 (long long)e[i].stored, e[i].kind);
        ns_candidates_add(list, typed, name, "", doc);
    }
    ns_catalogue_free(catalogue);
}

void ns_candidates_models(ns_candidates *list, const char *typed, const char *suffix)
{
    for (const ns_model *const *model = ns_models(); *model != NULL; model++)
        ns_candidates_add(list, typed, (*model)->name, suffix, (*model)->title);
}

/* What chooses the row of a machine's table, for a model that takes its inputs from one. */
static const struct selector {
    const char *part, *name;
    const char *const *words;
} selectors[] = {{"{locality}", "locality", ns_locality_words},
                 {"{memory}", "memory", ns_memory_words},
                 {"{protocol}", "protocol", ns_protocol_choice_words}};
enum { SELECTORS = sizeof selectors / sizeof *selectors };

static bool selects(const ns_model *model, const struct selector *selector)
{
    bool used = false;
    for (const ns_field *f = model->inputs; f->kind != NS_FIELD_END; f++)
        used = used || (f->from != NULL && strstr(f->from, selector->part) != NULL);
    return used && ns_field_find(model->inputs, selector->name) == NULL;
}

void ns_candidates_inputs(ns_candidates *list, const ns_model *model, const char *typed)
{
    for (const ns_field *f = model->inputs; f->kind != NS_FIELD_END; f++)
        ns_candidates_add(list, typed, f->name, "=", f->doc);
    for (int i = 0; i < SELECTORS; i++)
        if (selects(model, &selectors[i]))
            ns_candidates_add(list, typed, selectors[i].name, "=", "row of the machine's table");
}

void ns_candidates_choices(ns_candidates *list, const ns_model *model, const char *input, size_t length,
                           const char *typed)
{
    const char *const *words = NULL;
    for (int i = 0; i < SELECTORS; i++)
        if (strlen(selectors[i].name) == length && memcmp(selectors[i].name, input, length) == 0 &&
            selects(model, &selectors[i]))
            words = selectors[i].words;
    for (const ns_field *f = model->inputs; f->kind != NS_FIELD_END; f++)
        if (strlen(f->name) == length && memcmp(f->name, input, length) == 0 && f->kind == NS_FIELD_WORD)
            words = f->words;
    for (; words != NULL && *words != NULL; words++)
        ns_candidates_add(list, typed, *words, "", "");
}
