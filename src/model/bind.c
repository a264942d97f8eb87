/* bind.c -- inputs of a model: names, units and ranges are checked here, once, and trusted below
 *
 * A value comes from the user, else from the machine, else from another input ("=other"), else from a neutral default.
 */
#include "model/bind.h"

#include "core/refuse.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Who gave an input its value. */
static unsigned char *given(ns_binding *binding, const ns_field *field)
{
    return &binding->given[field - binding->model->inputs];
}

static double *number_at(ns_binding *binding, const ns_field *field)
{
    return (double *)(void *)(binding->in.bytes + field->offset);
}

bool ns_wants_protocol(const ns_field *field)
{
    return field->from != NULL && strstr(field->from, "{protocol}") != NULL;
}

static bool wants_selectors(const ns_model *model)
{
    for (const ns_field *f = model->inputs; f->kind != NS_FIELD_END; f++)
        if (f->from != NULL && strchr(f->from, '{') != NULL)
            return true;
    return false;
}

void ns_bind_open(ns_binding *binding, const ns_model *model, const ns_machine *machine)
{
    assert(model->in_size <= NS_MODEL_BYTES && model->out_size <= NS_MODEL_BYTES);
    *binding = (ns_binding){.model = model, .machine = machine, .selectors = NS_SELECTORS_DEFAULT};
}

/* ---- giving values -------------------------------------------------------------------------------------------- */

enum { NAMES_MAX = 67 };

static ns_status unknown_input(const ns_model *model, const char *name, ns_error *err)
{
    const char *names[NAMES_MAX];
    size_t count = 0;
    for (const ns_field *f = model->inputs; f->kind != NS_FIELD_END; f++)
        names[count++] = f->name;
    if (wants_selectors(model)) {
        static const char *const selectors[] = {"locality", "memory", "protocol"};
        for (int i = 0; i < 3; i++)
            names[count++] = selectors[i];
    }
    char what[100];
    snprintf(what, sizeof what, "%s has no input", model->name);
    return ns_refuse_name_for(err, what, name, names, count, NS_REMEDY_INPUTS, model->name);
}

static ns_status check_range(const ns_field *field, double value, ns_error *err)
{
    if (ns_is_in_range(field, value))
        return NS_OK;
    char got[64], least[64], most[64];
    double factor;
    ns_dim dim;
    NS_TRY(ns_unit_parse(field->unit, &factor, &dim, err));
    ns_quantity_format(value, dim, 6, got, sizeof got);
    ns_quantity_format(field->least, dim, 6, least, sizeof least);
    ns_quantity_format(field->most, dim, 6, most, sizeof most);
    const char *relation = field->open ? "more than" : "at least";
    return field->most < NS_MOST
               ? ns_fail(err, NS_ERR_RANGE, "%s has to be %s %s and at most %s, got %s", field->name, relation, least,
                         most, got)
               : ns_fail(err, NS_ERR_RANGE, "%s has to be %s %s, got %s", field->name, relation, least, got);
}

static ns_status give_list(ns_binding *binding, const ns_field *field, const char *text, ns_error *err)
{
    double *values;
    size_t count;
    NS_TRY(ns_list_parse(text, field->name, field->unit, &values, &count, err));
    ns_numbers *list = (ns_numbers *)(void *)(binding->in.bytes + field->offset);
    ns_status status = count <= NS_LIST_MAX ? NS_OK
                                            : ns_fail(err, NS_ERR_RANGE, "%s takes at most %d values, got %zu",
                                                      field->name, (int)NS_LIST_MAX, count);
    for (size_t i = 0; i < count && status == NS_OK; i++) {
        status = check_range(field, values[i], err);
        list->at[i] = values[i];
    }
    list->count = count;
    ns_list_free(values);
    return status;
}

static ns_status give_text(ns_binding *binding, const ns_field *field, const char *text, ns_error *err)
{
    if (field->kind == NS_FIELD_WORD) {
        int *word = (int *)(void *)(binding->in.bytes + field->offset);
        NS_TRY(ns_choose_word(field->name, field->words, text, word, err));
    } else if (field->kind == NS_FIELD_LIST) {
        NS_TRY(give_list(binding, field, text, err));
    } else {
        double value;
        NS_TRY(ns_quantity_parse_as(text, field->name, field->unit, &value, err));
        NS_TRY(check_range(field, value, err));
        *number_at(binding, field) = value;
    }
    *given(binding, field) = NS_GIVEN_USER;
    return NS_OK;
}

/* locality=, memory= and protocol= where the model itself has no such input.  *taken tells. */
static ns_status give_selector(ns_binding *binding, const char *name, const char *word, bool *taken, ns_error *err)
{
    int index = 0;
    *taken = true;
    if (strcmp(name, "locality") == 0) {
        NS_TRY(ns_choose_word(name, ns_locality_words, word, &index, err));
        binding->selectors.locality = (ns_locality)index;
    } else if (strcmp(name, "memory") == 0) {
        NS_TRY(ns_choose_word(name, ns_memory_words, word, &index, err));
        binding->selectors.memory = (ns_memory)index;
    } else if (strcmp(name, "protocol") == 0) {
        NS_TRY(ns_choose_word(name, ns_protocol_choice_words, word, &index, err));
        binding->selectors.protocol = index - 1;
    } else {
        *taken = false;
    }
    return NS_OK;
}

ns_status ns_bind_text(ns_binding *binding, const char *assignment, ns_error *err)
{
    ns_error_clear(err);
    const char *equals = strchr(assignment, '=');
    char name[64];
    if (equals == NULL || equals == assignment || (size_t)(equals - assignment) >= sizeof name)
        return ns_fail(err, NS_ERR_SYNTAX, "\"%s\" is not NAME=VALUE", assignment);
    memcpy(name, assignment, (size_t)(equals - assignment));
    name[equals - assignment] = '\0';
    const ns_field *field = ns_field_find(binding->model->inputs, name);
    if (field != NULL && *given(binding, field) == NS_GIVEN_USER)
        return ns_fail(err, NS_ERR_NAME, "%s is given twice", name);
    if (field != NULL)
        return give_text(binding, field, equals + 1, err);
    bool taken = false;
    if (wants_selectors(binding->model))
        NS_TRY(give_selector(binding, name, equals + 1, &taken, err));
    return taken ? NS_OK : unknown_input(binding->model, name, err);
}

ns_status ns_bind_number(ns_binding *binding, const char *name, double value, ns_error *err)
{
    ns_error_clear(err);
    const ns_field *field = ns_field_find(binding->model->inputs, name);
    if (field == NULL)
        return unknown_input(binding->model, name, err);
    if (field->kind != NS_FIELD_NUMBER)
        return ns_fail(err, NS_ERR_NAME, "%s of %s is not a number", name, binding->model->name);
    NS_TRY(check_range(field, value, err));
    *number_at(binding, field) = value;
    *given(binding, field) = NS_GIVEN_USER;
    return NS_OK;
}

ns_status ns_bind_word(ns_binding *binding, const char *name, const char *word, ns_error *err)
{
    ns_error_clear(err);
    const ns_field *field = ns_field_find(binding->model->inputs, name);
    if (field == NULL)
        return unknown_input(binding->model, name, err);
    if (field->kind != NS_FIELD_WORD)
        return ns_fail(err, NS_ERR_NAME, "%s of %s is not a word", name, binding->model->name);
    return give_text(binding, field, word, err);
}

/* ---- closing ---------------------------------------------------------------------------------------------------- */

/* The word that a "{...}" at c stands for, and its length there; NULL for anything else. */
static const char *selected(const ns_binding *binding, const char *c, size_t *length)
{
    const struct {
        const char *part, *word;
    } parts[] = {{"{memory}", ns_memory_words[binding->selectors.memory]},
                 {"{locality}", ns_locality_words[binding->selectors.locality]},
                 {"{protocol}", ns_protocol_words[binding->used_protocol]}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        *length = strlen(parts[i].part);
        if (strncmp(c, parts[i].part, *length) == 0)
            return parts[i].word;
    }
    return NULL;
}

const char *ns_bind_path(const ns_binding *binding, const ns_field *input, char *buffer, size_t size)
{
    if (input->from == NULL || input->from[0] == '=')
        return NULL;
    size_t used = 0;
    for (const char *c = input->from; *c != '\0';) {
        size_t length = 1, written = 1;
        const char *word = *c == '{' ? selected(binding, c, &length) : NULL, *text = word != NULL ? word : c;
        if (word != NULL)
            written = strlen(word);
        else
            length = written = 1 + strcspn(c + 1, "{"); /* up to the next "{" */
        assert(used + written < size);
        (void)size;
        memcpy(buffer + used, text, written);
        used += written;
        c += length;
    }
    buffer[used] = '\0';
    return buffer;
}

/* Fill what the machine, another input or a default gives; "{protocol}" rows only when asked. */
static ns_status fill(ns_binding *binding, bool protocol_rows, ns_error *err)
{
    char path[NS_PATH_MAX];
    for (const ns_field *field = binding->model->inputs; field->kind != NS_FIELD_END; field++) {
        unsigned char *by = given(binding, field);
        if (*by != NS_GIVEN_NONE || ns_wants_protocol(field) != protocol_rows)
            continue;
        double value = 0;
        if (field->from != NULL && field->from[0] == '=') {
            const ns_field *other = ns_field_find(binding->model->inputs, field->from + 1);
            if (other == NULL)
                return unknown_input(binding->model, field->from + 1, err);
            if (*given(binding, other) == NS_GIVEN_NONE)
                continue;
            value = *number_at(binding, other);
            *by = NS_GIVEN_SAME;
        } else if (binding->machine != NULL && ns_bind_path(binding, field, path, sizeof path) != NULL &&
                   ns_machine_number(binding->machine, path, &value, NULL, NULL)) {
            *by = NS_GIVEN_MACHINE;
            binding->used_machine = true;
        } else if (field->has_default) {
            *by = NS_GIVEN_DEFAULT;
            value = field->neutral;
        } else {
            continue;
        }
        if (field->kind == NS_FIELD_WORD)
            *(int *)(void *)(binding->in.bytes + field->offset) = (int)value;
        else if (field->kind == NS_FIELD_LIST)
            ((ns_numbers *)(void *)(binding->in.bytes + field->offset))->count = 0; /* an optional list is empty */
        else if (field->kind == NS_FIELD_NUMBER) {
            NS_TRY(check_range(field, value, err));
            *number_at(binding, field) = value;
        }
    }
    return NS_OK;
}

static ns_status no_table(const ns_binding *binding, ns_error *err)
{
    const ns_selectors *s = &binding->selectors;
    return ns_fail(err, NS_ERR_DATA, "machine %s has no %s table for %s memory", binding->machine->name,
                   ns_locality_words[s->locality], ns_memory_words[s->memory]);
}

/* Which protocol "{protocol}" stands for: the one asked for, or that of the message's size.  A table that another one
 * stands for has no path. */
static ns_status choose_protocol(ns_binding *binding, ns_error *err)
{
    bool open_rows = false;
    for (const ns_field *f = binding->model->inputs; f->kind != NS_FIELD_END; f++)
        open_rows = open_rows || (*given(binding, f) == NS_GIVEN_NONE && ns_wants_protocol(f));
    if (!open_rows || binding->machine == NULL)
        return NS_OK;
    const ns_selectors *s = &binding->selectors;
    if (binding->machine->stands_for[s->memory][s->locality] != s->locality)
        return no_table(binding, err);
    if (s->protocol >= 0) {
        const ns_line *line;
        binding->used_protocol = (ns_protocol)s->protocol;
        return ns_model_line(binding->machine, (int)s->memory, (int)s->locality, s->protocol, 0, &line, err);
    }
    double bytes = binding->model->message != NULL ? binding->model->message(binding->in.bytes) : 0;
    if (!isfinite(bytes)) /* m = 0: no message at all */
        bytes = 0;
    if (ns_machine_line(binding->machine, s->memory, s->locality, bytes, &binding->used_protocol) == NULL)
        return no_table(binding, err);
    return NS_OK;
}

ns_status ns_bind_close(ns_binding *binding, ns_error *err)
{
    ns_error_clear(err);
    const ns_model *model = binding->model;
    if (model->wants_machine && binding->machine == NULL)
        return ns_fail_for(err, NS_ERR_NAME, NS_REMEDY_TABLES, "", "%s reads a machine's tables", model->name);
    NS_TRY(fill(binding, false, err));
    NS_TRY(fill(binding, false, err)); /* "=other" may stand before what it copies */
    NS_TRY(choose_protocol(binding, err));
    NS_TRY(fill(binding, true, err));

    char missing[400] = "";
    bool machine_would_help = false;
    for (const ns_field *f = model->inputs; f->kind != NS_FIELD_END; f++) {
        if (*given(binding, f) != NS_GIVEN_NONE)
            continue;
        size_t used = strlen(missing);
        snprintf(missing + used, sizeof missing - used, "%s%s [%s]", used > 0 ? ", " : "", f->name, f->unit);
        machine_would_help = machine_would_help || (f->from != NULL && binding->machine == NULL);
    }
    if (missing[0] == '\0')
        return NS_OK;
    return ns_fail_for(err, NS_ERR_NAME, machine_would_help ? NS_REMEDY_NUMBERS : NS_NO_REMEDY, "", "%s lacks %s%s",
                       model->name, missing,
                       binding->machine != NULL ? ", which the machine does not give either" : "");
}

/* ---- evaluating ------------------------------------------------------------------------------------------------- */

double ns_field_number(const ns_field *field, const void *record)
{
    double value;
    memcpy(&value, (const char *)record + field->offset, sizeof value);
    return value;
}

const char *ns_bind_beyond(const ns_binding *binding, char *text, size_t size)
{
    char value[48], end[48];
    double factor;
    ns_dim dim;
    *text = '\0';
    for (const ns_field *f = binding->model->inputs; f->kind != NS_FIELD_END; f++) {
        if (f->fitted <= 0 || ns_field_number(f, binding->in.bytes) <= f->fitted ||
            ns_unit_parse(f->unit, &factor, &dim, NULL) != NS_OK)
            continue;
        snprintf(text, size, "%s = %s is beyond %s, where the data behind %s end", f->name,
                 ns_quantity_format(ns_field_number(f, binding->in.bytes), dim, 4, value, sizeof value),
                 ns_quantity_format(f->fitted, dim, 4, end, sizeof end), binding->model->name);
        return text;
    }
    return text;
}

const char *ns_bind_assumed(const ns_binding *binding, char *text, size_t size)
{
    const char *name[NS_LIST_MAX];
    const ns_model *model = binding->model;
    size_t count = 0, used = 0;
    for (size_t i = 0; model->inputs[i].kind != NS_FIELD_END; i++) {
        char path[NS_PATH_MAX];
        const ns_parameter *parameter = NULL;
        double value;
        if (binding->given[i] == NS_GIVEN_MACHINE &&
            ns_bind_path(binding, &model->inputs[i], path, sizeof path) != NULL &&
            ns_machine_number(binding->machine, path, &value, NULL, &parameter) && ns_parameter_assumed(parameter))
            name[count++] = model->inputs[i].name;
    }
    text[0] = '\0';
    for (size_t i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i == 0          ? ""
                                 : i + 1 < count ? ", "
                                                 : " and ",
                                 name[i]);
    if (count > 0 && used < size)
        snprintf(text + used, size - used, " of %s %s assumed on %s: no source gives %s", model->name,
                 count > 1 ? "are" : "is", binding->machine->name, count > 1 ? "them" : "it");
    return text;
}

const ns_field *ns_field_find(const ns_field *fields, const char *name)
{
    for (; fields->kind != NS_FIELD_END; fields++)
        if (strcmp(fields->name, name) == 0 || (fields->also != NULL && strcmp(fields->also, name) == 0))
            return fields;
    return NULL;
}

/* The one output that is not finite, if there is one. */
static ns_status check_outputs(const ns_model *model, const void *out, ns_error *err)
{
    for (const ns_field *f = model->outputs; f->kind != NS_FIELD_END; f++)
        if ((f->kind == NS_FIELD_NUMBER || f->kind == NS_FIELD_TERM) && !isfinite(ns_field_number(f, out)))
            return ns_fail(err, NS_ERR_RANGE, "%s: %s is not finite for these inputs", model->name, f->name);
    return NS_OK;
}

/* An output struct is made of doubles, so its finiteness can mostly be told without its rows. */
ns_status ns_model_eval(const ns_binding *binding, void *out, ns_error *err)
{
    const ns_model *model = binding->model;
    NS_TRY(model->eval(binding->machine, binding->in.bytes, out, err));
    return ns_all_finite(out, model->out_size / sizeof(double)) ? NS_OK : check_outputs(model, out, err);
}
