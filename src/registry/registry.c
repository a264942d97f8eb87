/* registry.c -- the lists of models and of forms of the cost function, which make generates from their folders, and
 * what a form takes from a machine */
#include "core/refuse.h"
#include "machine/form.h"
#include "machine/model.h"

#include <nsmodel/quantity.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NS_MODEL(stem) extern const ns_model ns_model_##stem;
#include "models.def"
#undef NS_MODEL

#define NS_MODEL(stem) &ns_model_##stem,
static const ns_model *const models[] = {
#include "models.def"
    NULL};
#undef NS_MODEL

enum { MODELS = sizeof models / sizeof *models - 1 };

const ns_model *const *ns_models(void)
{
    return models;
}

const ns_model *ns_model_find(const char *name)
{
    for (const ns_model *const *model = models; *model != NULL; model++)
        if (name != NULL && strcmp((*model)->name, name) == 0)
            return *model;
    return NULL;
}

ns_status ns_model_get(const char *name, const ns_model **model, ns_error *err)
{
    ns_error_clear(err);
    const ns_model *found = ns_model_find(name);
    if (found == NULL) {
        const char *names[MODELS];
        for (int i = 0; i < MODELS; i++)
            names[i] = models[i]->name;
        return ns_refuse_name_for(err, "no model", name, names, MODELS, NS_REMEDY_MODELS, "");
    }
    *model = found;
    return NS_OK;
}

/* ---- forms ------------------------------------------------------------------------------------------------------- */

#define NS_FORM(stem) extern const ns_form ns_form_##stem;
#include "forms.def"
#undef NS_FORM

#define NS_FORM(stem) &ns_form_##stem,
static const ns_form *const forms[] = {
#include "forms.def"
    NULL};
#undef NS_FORM

size_t ns_forms_by_rank(const ns_form **list, size_t most)
{
    size_t count = 0;
    // cppcheck-suppress arrayIndexOutOfBoundsCond ; the NULL at the end comes first
    for (; count < most && forms[count] != NULL; count++) {
        size_t at = count;
        for (; at > 0 && list[at - 1]->rank > forms[count]->rank; at--)
            list[at] = list[at - 1];
        list[at] = forms[count];
    }
    return count;
}

ns_status ns_form_get(const char *name, const ns_form **form, ns_error *err)
{
    ns_error_clear(err);
    const ns_form *list[NS_FORMS_MAX];
    const size_t count = ns_forms_by_rank(list, NS_FORMS_MAX);
    char names[200] = "";
    if (strcmp(name, "auto") == 0) {
        *form = NULL;
        return NS_OK;
    }
    for (size_t i = 0, used = 0; i < count; i++, used = strlen(names)) {
        if (strcmp(list[i]->name, name) == 0) {
            *form = list[i];
            return NS_OK;
        }
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", list[i]->name);
    }
    return ns_fail(err, NS_ERR_NAME, "no model \"%.40s\"; there are %s and auto", name, names);
}

int ns_form_term(const ns_form *form, const char *name)
{
    for (int t = 0; form->terms[t] != NULL; t++)
        if (strcmp(form->terms[t], name) == 0)
            return t;
    return -1;
}

/* ---- paths ------------------------------------------------------------------------------------------------------- */

/* "<memory>.<locality>.alpha" with words substituted for the names in brackets. */
static const char *write_path(const char *pattern, const char *memory, const char *locality, const char *protocol,
                              char *path, size_t size)
{
    size_t used = 0;
    while (*pattern != '\0' && used + 1 < size) {
        if (*pattern != '<') {
            path[used++] = *pattern++;
            continue;
        }
        const char *word = pattern[1] == 'm' ? memory : pattern[1] == 'l' ? locality : protocol;
        const size_t length = strlen(word) < size - used - 1 ? strlen(word) : size - used - 1;
        memcpy(path + used, word, length);
        used += length;
        pattern += strcspn(pattern, ">") + 1;
    }
    path[used] = '\0';
    return path;
}

static const ns_parameter *find(const ns_form_values *v, const ns_form_row *row, int locality, int protocol)
{
    char path[120];
    for (int i = 0; i < NS_FORM_PATHS && row->path[i].at != NULL; i++) {
        if ((row->path[i].unless & v->without) != 0)
            continue;
        write_path(row->path[i].at, ns_memory_words[v->memory], ns_locality_words[locality],
                   ns_protocol_words[protocol], path, sizeof path);
        const ns_parameter *found = ns_machine_parameter(v->machine, path);
        if (found != NULL)
            return found;
    }
    const int other = row->by_class ? (int)v->machine->stands_for[v->memory][locality] : locality;
    return other != locality ? find(v, row, other, protocol) : NULL;
}

/* ---- taking ------------------------------------------------------------------------------------------------------ */

double ns_form_number(const ns_form_values *v, const char *row, ns_locality locality, ns_protocol protocol)
{
    int r = 0;
    while (strcmp(v->form->rows[r].path[0].at, row) != 0)
        r++;
    return v->value[v->first[r] + (v->form->rows[r].by_class ? NS_PROTOCOLS * (int)locality + (int)protocol : 0)];
}

/* The row and the class of a slot. */
static const ns_form_row *row_of(const ns_form_values *v, int slot, int *locality, int *protocol)
{
    int r = 0;
    while (v->form->rows[r + 1].doc != NULL && v->first[r + 1] <= slot)
        r++;
    *locality = (slot - v->first[r]) / NS_PROTOCOLS;
    *protocol = (slot - v->first[r]) % NS_PROTOCOLS;
    return &v->form->rows[r];
}

const char *ns_form_slot_path(const ns_form_values *v, int slot, bool *derived, char *path, size_t size)
{
    int locality, protocol, i = 0;
    const ns_form_row *row = row_of(v, slot, &locality, &protocol);
    /* another locality's table may be used for a class that has none; on a node with one socket its own messages count
     * as both */
    const int other = row->by_class ? (int)v->machine->stands_for[v->memory][locality] : locality;
    const bool stands = other != locality && (other == NS_OFF_NODE || v->machine->sockets > 1);
    /* the path with the highest priority, or the lowest: the line of single messages, which is preferred to all
     * others */
    while (i + 1 < NS_FORM_PATHS && row->path[i + 1].at != NULL && (stands || (row->path[i].unless & v->without) != 0))
        i++;
    const ns_parameter *own = stands ? NULL : find(v, row, locality, protocol), *from = v->from[slot];
    write_path(row->path[i].at, ns_memory_words[v->memory], ns_locality_words[locality], ns_protocol_words[protocol],
               path, size);
    /* a multiple of the row's own number has the same error as that number */
    *derived = own == NULL || own != from || (own->value != v->value[slot] && strcmp(own->path, path) != 0);
    if (!*derived)
        snprintf(path, size, "%s", own->path);
    return path;
}

const ns_parameter *ns_form_instead(const ns_form_values *v, const char *path)
{
    for (int slot = 0; slot < v->slots; slot++) {
        int locality, protocol;
        const ns_form_row *row = row_of(v, slot, &locality, &protocol);
        const ns_parameter *from = v->from[slot];
        if (from == NULL || strcmp(from->path, path) == 0)
            continue;
        for (int i = 0; i < NS_FORM_PATHS && row->path[i].at != NULL; i++) {
            char other[120];
            write_path(row->path[i].at, ns_memory_words[v->memory], ns_locality_words[locality],
                       ns_protocol_words[protocol], other, sizeof other);
            if (strcmp(path, other) == 0)
                return from;
        }
    }
    return NULL;
}

void ns_form_take(const ns_form *form, const ns_machine *machine, ns_memory memory, unsigned without, ns_form_values *v)
{
    if (without == 0 && machine->taken != NULL && machine->taken[memory].form == form) {
        *v = machine->taken[memory];
        return;
    }
    *v = (ns_form_values){.form = form, .machine = machine, .memory = memory, .without = without};
    for (int r = 0; form->rows[r].doc != NULL; r++) {
        const ns_form_row *row = &form->rows[r];
        v->first[r] = v->slots;
        for (int l = 0; l < (row->by_class ? NS_LOCALITIES : 1); l++)
            for (int p = 0; p < (row->by_class ? NS_PROTOCOLS : 1); p++) {
                const ns_parameter *from = find(v, row, l, p);
                const int slot = v->slots++;
                v->from[slot] = from;
                v->value[slot] = from != NULL ? from->value : row->fallback[memory];
                v->se[slot] = from != NULL ? from->se : 0;
                v->partner[slot] = -1;
                v->correlation[slot] = 0;
            }
    }
    if (form->derive != NULL)
        form->derive(v);
    for (int a = 0; a < v->slots; a++) { /* alpha and beta of one line have correlated errors */
        const ns_parameter *alpha = v->from[a];
        const size_t stem = alpha != NULL ? (size_t)(strrchr(alpha->path, '.') - alpha->path) : 0;
        if (alpha == NULL || strcmp(alpha->path + stem, ".alpha") != 0)
            continue;
        for (int b = 0; b < v->slots; b++) {
            const ns_parameter *beta = v->from[b];
            if (beta == NULL || strncmp(beta->path, alpha->path, stem) != 0 || strcmp(beta->path + stem, ".beta") != 0)
                continue;
            char path[120];
            snprintf(path, sizeof path, "%.*s.correlation", (int)stem, alpha->path);
            const ns_parameter *of = ns_machine_parameter(machine, path);
            v->partner[a] = b;
            v->correlation[a] = of != NULL ? of->value : 0;
        }
    }
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++)
            v->to[l] = fmax(v->to[l], machine->line[memory][l][p].to);
    if (form->error != NULL && without == 0 && machine->residual[memory].points + machine->residual[memory].ratios > 0)
        v->residual = &machine->residual[memory];
    v->error = form->uncalibrated > 0 ? form->uncalibrated : NS_ERROR_UNCALIBRATED;
    v->error_between = NS_ERROR_BETWEEN_UNCALIBRATED;
    for (int ratio = 0; form->error != NULL && ratio < 2; ratio++) {
        char pattern[100], path[120];
        snprintf(pattern, sizeof pattern, "%s.%s", form->error, ratio ? "ratio" : "time");
        write_path(pattern, ns_memory_words[memory], "", "", path, sizeof path);
        const ns_parameter *p = ns_machine_parameter(machine, path);
        if (p != NULL && p->value > 0)
            *(ratio ? &v->error_between : &v->error) = p->value;
    }
}

/* ---- choosing ---------------------------------------------------------------------------------------------------- */

const ns_form *ns_form_of(const ns_machine *machine, const ns_form *asked)
{
    const ns_form *chosen = asked;
    (void)machine; /* no form needs more than the tables that every machine has */
    for (const ns_form *const *f = forms; *f != NULL && asked == NULL; f++)
        if ((*f)->automatic && (chosen == NULL || (*f)->rank > chosen->rank))
            chosen = *f;
    return chosen;
}
