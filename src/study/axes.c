/* axes.c -- ranges of inputs */
#include "core/memory.h"
#include "study/curves.h"

#include <stdio.h>
#include <string.h>

enum { POINTS = 25 }; /* of a range that does not say */

typedef struct store {
    ns_axis seen; /* first: what callers have */
    char name[64];
    char *text; /* the words */
    const char **word;
    double *number;
} store;

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

static ns_status read_axis(store *axis, const char *assignment, const ns_curves *curves, ns_error *err)
{
    const size_t length = name_length(assignment);
    if (assignment[length] != '=' || length == 0 || length >= sizeof axis->name)
        return ns_fail(err, NS_ERR_USAGE, "\"%s\" is not NAME=RANGE, for example s=1B:1MiB:x2", assignment);
    memcpy(axis->name, assignment, length);
    const char *value = assignment + length + 1;
    const ns_field *field = ns_curves_input(curves, axis->name);
    if (field != NULL ? field->kind == NS_FIELD_WORD : is_selector(axis->name) && curves->strategies == 0) {
        size_t most = 1;
        for (const char *c = value; *c != '\0'; c++)
            most += *c == ',';
        axis->text = ns_malloc(strlen(value) + 1);
        axis->word = ns_malloc(ns_size_mul(most, sizeof *axis->word));
        if (axis->text == NULL || axis->word == NULL)
            return ns_no_memory(err);
        strcpy(axis->text, value);
        for (char *c = axis->text; c != NULL;) {
            axis->word[axis->seen.count++] = c;
            c = strchr(c, ',');
            if (c != NULL)
                *c++ = '\0';
            if (*axis->word[axis->seen.count - 1] == '\0')
                return ns_fail(err, NS_ERR_SYNTAX, "%s: an empty place in the list, wants a word", axis->name);
        }
        return NS_OK;
    }
    if (field == NULL || field->kind != NS_FIELD_NUMBER) {
        const char *names[256], *near;
        size_t count = 0;
        const ns_field *f = curves->strategies > 0 ? ns_scenario_fields : ns_curves_at(curves, 0)->model->inputs;
        for (; f->kind != NS_FIELD_END && count < 256; f++)
            names[count++] = f->name;
        near = ns_closest(axis->name, names, count);
        return ns_fail(err, NS_ERR_NAME, "%s has no number \"%s\" to vary%s%s%s", ns_curves_at(curves, 0)->label,
                       axis->name, near != NULL ? "; did you mean \"" : "", near != NULL ? near : "",
                       near != NULL ? "\"?" : "");
    }
    ns_error inner = {0};
    double factor;
    NS_TRY(ns_unit_parse(field->unit, &factor, &axis->seen.dim, err));
    if (ns_range_parse(value, axis->name, field->unit, POINTS, &axis->number, &axis->seen.count, &inner) != NS_OK)
        return ns_axis_refuse(assignment, value, &inner, err);
    return NS_OK;
}

ns_status ns_axis_open(const ns_curves *curves, const char *assignment, ns_axis **axis, ns_error *err)
{
    ns_error_clear(err);
    if (curves->count == 0)
        return ns_fail(err, NS_ERR_DATA, "there is no curve to vary an input of");
    store *made = ns_calloc(1, sizeof *made);
    if (made == NULL)
        return ns_no_memory(err);
    ns_status status = read_axis(made, assignment, curves, err);
    made->seen.size = sizeof made->seen;
    made->seen.name = made->name;
    made->seen.word = made->word;
    made->seen.number = made->number;
    if (status == NS_OK)
        *axis = &made->seen;
    else
        ns_axis_free(&made->seen);
    return status;
}

void ns_axis_free(ns_axis *axis)
{
    store *made = (store *)(void *)axis;
    if (made == NULL)
        return;
    ns_list_free(made->number);
    ns_free(made->word);
    ns_free(made->text);
    ns_free(made);
}

bool ns_curves_is_range(const ns_curves *curves, const char *assignment)
{
    char name[64];
    const size_t length = name_length(assignment);
    if (assignment[length] != '=' || length >= sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length, assignment);
    const ns_field *field = ns_curves_input(curves, name);
    if (field == NULL ? !is_selector(name) : field->kind == NS_FIELD_LIST)
        return false;
    return strpbrk(assignment + length + 1, field != NULL && field->kind == NS_FIELD_NUMBER ? ",:" : ",") != NULL;
}

ns_setting ns_axis_setting(const ns_axis *axis, size_t index)
{
    return axis->word != NULL ? (ns_setting){.name = axis->name, .word = axis->word[index]}
                              : (ns_setting){.name = axis->name, .number = axis->number[index]};
}
