/* models.c -- the models, or one of them with its inputs and outputs: printed from the descriptors */
#include "cli/front/command.h"
#include "cli/front/own.h"
#include "core/embedded.h"
#include "report/columns.h"

#include <string.h>

static const ns_option options[] = {{NULL}};

static void add_fields(const ns_field *fields, ns_value *list, bool inputs)
{
    for (const ns_field *f = fields; f->kind != NS_FIELD_END; f++) {
        ns_value *row = ns_value_object(list, NULL);
        ns_value_text(row, "name", f->name);
        if (f->kind == NS_FIELD_WORD) {
            char words[200] = "";
            for (const char *const *w = f->words; *w != NULL; w++) {
                size_t used = strlen(words);
                snprintf(words + used, sizeof words - used, "%s%s", used > 0 ? "|" : "", *w);
            }
            ns_value_text(row, "unit", words);
        } else
            ns_value_text(row, "unit", f->unit);
        if (f->also != NULL)
            ns_value_textf(row, "doc", "%s; %s is taken as well", f->doc, f->also);
        else
            ns_value_text(row, "doc", f->doc);
        if (!inputs)
            continue;
        if (f->from != NULL)
            ns_value_text(row, "from", f->from);
        else if (f->has_default && f->kind == NS_FIELD_WORD)
            ns_value_textf(row, "from", "default %s", f->words[(int)f->neutral]);
        else if (f->has_default)
            ns_value_textf(row, "from", "default %g", f->neutral);
        else
            ns_value_null(row, "from");
    }
}

static void add_model(const ns_model *model, ns_value *row)
{
    ns_value_text(row, "name", model->name);
    ns_value_text(row, "title", model->title);
    ns_value_text(row, "source", model->source);
    if (model->notes != NULL)
        ns_put_text(row, "notes", NS_IN_JSON, model->notes);
    ns_value *inputs = ns_put_list(row, "inputs", NS_IN_JSON), *outputs = ns_put_list(row, "outputs", NS_IN_JSON);
    add_fields(model->inputs, inputs, true);
    add_fields(model->outputs, outputs, false);
}

/* A shipped machine's text, if it may assume an input of the model: only then is it worth loading. */
static const char *text_that_assumes(const ns_model *model, const char *machine)
{
    char path[100], section[100];
    snprintf(path, sizeof path, "params/%.60s.json", machine);
    const ns_embedded *file = ns_embedded_find(path);
    const char *text = file != NULL ? (const char *)file->data : "";
    for (const ns_field *f = model->inputs; f->kind != NS_FIELD_END && strstr(text, "\"assumed") != NULL; f++) {
        const char *of = f->from != NULL && strncmp(f->from, "models.", 7) == 0 ? f->from + 7 : ".";
        snprintf(section, sizeof section, "\"%.*s\": {", (int)strcspn(of, "."), of);
        if (strstr(text, section) != NULL)
            return text;
    }
    return NULL;
}

/* ---- by paper ---------------------------------------------------------------------------------------------------- */

static const struct paper {
    const char *key, *title;
} papers[] = {
    {"[NA]", "messages and node-aware strategies [NA]"},
    {"[NS]", "NetSparse [NS]"},
    {"[RS]", "RED-SEA: rails, one-sided operations, handlers on the network interface [RS]"},
    {"[NC]", "NetCrafter [NC]"},
    {"[SH]", "SHARP [SH]"},
};
enum { PAPERS = sizeof papers / sizeof *papers };

/* The paper that its source names first. */
static int paper_of(const ns_model *model)
{
    const char *first = NULL;
    int found = 0;
    for (int i = 0; i < PAPERS; i++) {
        const char *at = strstr(model->source, papers[i].key);
        if (at == NULL || (first != NULL && at > first))
            continue;
        first = at;
        found = i;
    }
    return found;
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    (void)context;
    if (args->words == 1) {
        const ns_model *model;
        NS_TRY(ns_model_get(args->word[0], &model, err));
        /* One model: a list of one in JSON, as its schema requires, and plain tables for people. */
        ns_value *list = ns_put_list(result, "models", NS_IN_JSON);
        add_model(model, ns_value_object(list, NULL));
        ns_note(result, "%s: %s", model->name, model->title);
        ns_note(result, "source: %s", model->source);
        if (model->notes != NULL)
            ns_note(result, "note: %s", model->notes);
        ns_value *inputs = ns_put_rows(result, "inputs", NS_NOT_IN_JSON);
        ns_value *outputs = ns_put_rows(result, "outputs", NS_NOT_IN_JSON);
        add_fields(model->inputs, inputs, true);
        add_fields(model->outputs, outputs, false);
        ns_value *rows = ns_put_rows(result, "assumed", NS_EVERYWHERE);
        for (const char *const *name = ns_machine_names(); *name != NULL; name++) {
            const char *text = text_that_assumes(model, *name);
            NS_OWN(ns_machine_free) ns_machine *machine = NULL;
            if (text == NULL)
                continue;
            NS_TRY(ns_machine_parse(text, *name, &machine, err));
            /* inputs for which a shipped machine file has only an assumption */
            for (const ns_field *f = model->inputs; f->kind != NS_FIELD_END; f++) {
                const ns_parameter *parameter = f->from != NULL ? ns_machine_parameter(machine, f->from) : NULL;
                if (parameter == NULL || !ns_parameter_assumed(parameter))
                    continue;
                ns_value *row = ns_value_object(rows, NULL);
                ns_value_text(row, "assumed", f->name);
                ns_value_text(row, "machine", machine->name);
                ns_value_text(row, "why", parameter->source);
            }
        }
        ns_rows_if_any(rows);
        return NS_OK;
    }
    ns_value *groups = ns_put_list(result, "papers", NS_IN_NARROW);
    for (int i = 0; i < PAPERS; i++) {
        ns_value *group = ns_value_object(groups, NULL);
        ns_put_text(group, "heading", NS_HEADING, papers[i].title);
        ns_value *rows = ns_put_rows(group, "rows", NS_EVERYWHERE);
        for (const ns_model *const *model = ns_models(); *model != NULL; model++) {
            ns_value *row = paper_of(*model) == i ? ns_value_object(rows, NULL) : NULL;
            if (row == NULL)
                continue;
            ns_value_text(row, "name", (*model)->name);
            ns_value_text(row, "title", (*model)->title);
        }
    }
    ns_value *list = ns_put_rows(result, "models", NS_IN_WIDE);
    for (const ns_model *const *model = ns_models(); *model != NULL; model++)
        add_model(*model, ns_value_object(list, NULL));
    return NS_OK;
}

const ns_command ns_command_models = {
    .name = "models",
    .summary = "the models, or one with its inputs and outputs",
    .usage = "[MODEL]",
    .options = options,
    .example = "nsmodel models max-rate",
    .about = "Every model is one closed form of a published paper, or says that it is ours; --wide has the sections "
             "and equations.",
    .most = 1,
    .rank = 4,
    .run = run,
};
