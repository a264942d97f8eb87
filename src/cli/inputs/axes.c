/* axes.c -- ranges of inputs */
#include "cli/inputs/axes.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

ns_status ns_axis_refuse(const char *assignment, const char *value, const ns_error *inner, ns_error *err)
{
    const long column = inner->column > 0 ? inner->column + (value - assignment) : 0;
    return column > 0 ? ns_fail(err, inner->code, "%s (column %ld of \"%.80s\")", inner->text, column, assignment)
                      : ns_fail(err, inner->code, "%s", inner->text);
}

static size_t name_length(const char *assignment)
{
    return strcspn(assignment, "=");
}

static bool is_selector(const char *name)
{
    return strcmp(name, "locality") == 0 || strcmp(name, "memory") == 0 || strcmp(name, "protocol") == 0;
}

static ns_status unknown(const ns_curve_set *set, const char *name, ns_error *err)
{
    const char *names[256], *near;
    size_t count = 0;
    const ns_field *f = set->strategies > 0 ? ns_scenario_fields : set->curve[0].binding.model->inputs;
    for (; f->kind != NS_FIELD_END && count < 256; f++)
        names[count++] = f->name;
    near = ns_closest(name, names, count);
    return ns_fail(err, NS_ERR_NAME, "%s has no number \"%s\" to vary%s%s%s", set->curve[0].label, name,
                   near != NULL ? "; did you mean \"" : "", near != NULL ? near : "", near != NULL ? "\"?" : "");
}

static ns_status read_words(ns_axis *axis, const char *value, ns_error *err)
{
    size_t most = 1;
    for (const char *c = value; *c != '\0'; c++)
        most += *c == ',';
    axis->text = malloc(strlen(value) + 1);
    axis->word = malloc(ns_size_mul(most, sizeof *axis->word));
    if (axis->text == NULL || axis->word == NULL)
        return ns_no_memory(err);
    strcpy(axis->text, value);
    for (char *c = axis->text; c != NULL;) {
        axis->word[axis->count++] = c;
        c = strchr(c, ',');
        if (c != NULL)
            *c++ = '\0';
        if (*axis->word[axis->count - 1] == '\0')
            return ns_fail(err, NS_ERR_SYNTAX, "%s: an empty place in the list, wants a word", axis->name);
    }
    return NS_OK;
}

static ns_status read_numbers(ns_axis *axis, const char *assignment, const char *value, const ns_field *field,
                              ns_error *err)
{
    ns_error inner = {0};
    double factor;
    NS_TRY(ns_unit_parse(field->unit, &factor, &axis->dim, err));
    if (ns_range_parse(value, axis->name, field->unit, NS_AXIS_POINTS, &axis->number, &axis->count, &inner) != NS_OK)
        return ns_axis_refuse(assignment, value, &inner, err);
    return NS_OK;
}

ns_status ns_axis_open(ns_axis *axis, const char *assignment, const ns_curve_set *set, ns_error *err)
{
    const size_t length = name_length(assignment);
    *axis = (ns_axis){.count = 0};
    if (assignment[length] != '=' || length == 0 || length >= sizeof axis->name)
        return ns_fail(err, NS_ERR_USAGE, "\"%s\" is not NAME=RANGE, for example s=1B:1MiB:x2", assignment);
    memcpy(axis->name, assignment, length);
    const char *value = assignment + length + 1;
    const ns_field *field = ns_curves_field(set, axis->name);
    if (field != NULL ? field->kind == NS_FIELD_WORD : is_selector(axis->name) && set->strategies == 0)
        return read_words(axis, value, err);
    if (field == NULL || field->kind != NS_FIELD_NUMBER)
        return unknown(set, axis->name, err);
    return read_numbers(axis, assignment, value, field, err);
}

void ns_axis_close(ns_axis *axis)
{
    ns_list_free(axis->number);
    free(axis->word);
    free(axis->text);
    *axis = (ns_axis){.count = 0};
}

bool ns_is_axis(const char *assignment, const ns_curve_set *set)
{
    char name[64];
    const size_t length = name_length(assignment);
    if (assignment[length] != '=' || length >= sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length, assignment);
    const ns_field *field = ns_curves_field(set, name);
    if (field == NULL ? !is_selector(name) : field->kind == NS_FIELD_LIST)
        return false;
    return strpbrk(assignment + length + 1, field != NULL && field->kind == NS_FIELD_NUMBER ? ",:" : ",") != NULL;
}

ns_setting ns_axis_setting(const ns_axis *axis, size_t i)
{
    return axis->word != NULL ? (ns_setting){.name = axis->name, .word = axis->word[i]}
                              : (ns_setting){.name = axis->name, .number = axis->number[i]};
}

void ns_axis_value(const ns_axis *axis, size_t i, ns_value *row)
{
    if (axis->word != NULL)
        ns_value_text(row, axis->name, axis->word[i]);
    else
        ns_value_number(row, axis->name, axis->number[i], axis->dim);
}

bool ns_axis_is_log(const ns_axis *axis)
{
    for (size_t i = 0; axis->number != NULL && i < axis->count; i++)
        if (!(axis->number[i] > 0))
            return false;
    return axis->number != NULL && axis->count > 1 && axis->number[axis->count - 1] > 10 * axis->number[0];
}

const char *ns_axis_title(const ns_curve_set *set, const char *name, char *buffer, size_t size)
{
    const ns_field *field = ns_curves_field(set, name);
    char unit[24] = "1";
    double factor;
    ns_dim dim;
    if (field != NULL && field->kind == NS_FIELD_NUMBER && ns_unit_parse(field->unit, &factor, &dim, NULL) == NS_OK)
        ns_dim_unit(dim, unit, sizeof unit);
    if (field == NULL)
        snprintf(buffer, size, "%s", name);
    else if (strcmp(unit, "1") == 0)
        snprintf(buffer, size, "%s, %.*s", name, (int)strcspn(field->doc, ";:,("), field->doc);
    else
        snprintf(buffer, size, "%s, %.*s [%s]", name, (int)strcspn(field->doc, ";:,("), field->doc, unit);
    return buffer;
}
