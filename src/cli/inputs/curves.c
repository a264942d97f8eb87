/* curves.c -- the curves of a command line, and their inputs in rows and titles */
#include "cli/inputs/curves.h"
#include "cli/front/words.h"

#include <string.h>

ns_status ns_curves_read(const ns_args *args, ns_curves *curves, ns_error *err)
{
    for (int i = 0; i < args->words; i++)
        if (!ns_is_assignment(args->word[i])) {
            if (curves->machine == NULL && ns_names_strategies(args->word[i]))
                return ns_fail(err, NS_ERR_USAGE, "strategies read a machine's tables: give --machine NAME");
            NS_TRY(ns_curves_add(curves, args->word[i], err));
        }
    return NS_OK;
}

ns_status ns_curves_ready(ns_curves *curves, ns_error *err)
{
    ns_error inner = {0};
    if (curves->strategies > 0 && curves->output != NULL && strcmp(curves->output, "time") != 0)
        return ns_fail(err, NS_ERR_NAME, "strategies have one output, time; got --of %s", curves->output);
    if (ns_curves_close(curves, &inner) == NS_OK)
        return NS_OK;
    return ns_pass_on(&inner, err, "`nsmodel models %.*s` lists its outputs", (int)strcspn(inner.text, " "),
                      inner.text);
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

const char *ns_axis_title(const ns_curves *curves, const char *name, char *buffer, size_t size)
{
    const ns_field *field = ns_curves_input(curves, name);
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
