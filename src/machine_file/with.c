/* with.c -- what-if: a machine with one number changed */
#include "core/memory.h"
#include "core/refuse.h"
#include "machine_file/change.h"
#include "machine_file/schema.h"

#include <stdio.h>
#include <string.h>

static ns_status copy_all(const ns_machine *from, ns_machine *to, ns_error *err)
{
    to->name = ns_machine_keep(to->store, from->name);
    to->title = ns_machine_keep(to->store, from->title);
    to->source = ns_machine_keep(to->store, from->source);
    to->file = ns_machine_keep(to->store, from->file);
    if (to->name == NULL || to->title == NULL || to->source == NULL || to->file == NULL)
        return ns_no_memory(err);
    to->copy_total = from->copy_total;
    for (int m = 0; m < NS_MEMORIES; m++)
        if ((from->rule[m] != NULL && (to->rule[m] = ns_machine_keep(to->store, from->rule[m])) == NULL) ||
            (from->ways[m] != NULL && (to->ways[m] = ns_machine_keep(to->store, from->ways[m])) == NULL))
            return ns_no_memory(err);
    for (size_t i = 0; ns_machine_warning(from, i) != NULL; i++)
        NS_TRY(ns_machine_warn(to, ns_machine_warning(from, i), err));
    for (size_t i = 0; i < from->parameters; i++)
        NS_TRY(ns_machine_add(to->store, &from->parameter[i], err));
    return NS_OK;
}

/* Constants of models that the machine lacks. */
static ns_status add_lent(const ns_machine *machine, const ns_machine *lender, ns_machine *copy, ns_error *err)
{
    char source[600];
    for (size_t i = 0; i < lender->parameters; i++) {
        ns_parameter lent = lender->parameter[i];
        if (strncmp(lent.path, "models.", 7) != 0 || ns_machine_parameter(machine, lent.path) != NULL)
            continue;
        snprintf(source, sizeof source, "%.500s (from %.60s)", lent.source, lender->name);
        lent.source = source;
        NS_TRY(ns_machine_add(copy->store, &lent, err));
    }
    return NS_OK;
}

ns_status ns_machine_lend(const ns_machine *machine, const ns_machine *lender, ns_machine **lent, ns_error *err)
{
    ns_error_clear(err);
    ns_machine *copy = ns_machine_new();
    if (copy == NULL)
        return ns_no_memory(err);
    ns_status status = copy_all(machine, copy, err);
    if (status == NS_OK)
        status = add_lent(machine, lender, copy, err);
    if (status == NS_OK)
        status = ns_machine_compile(copy, NULL, NULL, err);
    if (status == NS_OK)
        *lent = copy;
    else
        ns_machine_free(copy);
    return status;
}

static ns_status unknown_path(const ns_machine *machine, const char *path, ns_error *err)
{
    const char *names[512];
    size_t count = 0;
    for (; count < machine->store->count && count < 512; count++)
        names[count] = machine->store->parameter[count].path;
    char what[120];
    snprintf(what, sizeof what, "machine %.80s has no parameter", machine->name);
    return ns_refuse_name_for(err, what, path, names, count, NS_REMEDY_PARAMETERS, machine->name);
}

/* The unit a user writes a derived rate in. */
static const char *inverse_unit(const char *unit)
{
    return strcmp(unit, "ns/B") == 0 ? "GB/s" : "1";
}

/* In the place of a number that the machine has, or behind the others. */
static ns_status put(ns_machine *machine, const ns_parameter *parameter, ns_error *err)
{
    ns_machine_store *store = machine->store;
    NS_TRY(ns_machine_add(store, parameter, err));
    for (size_t i = 0; i + 1 < store->count; i++)
        if (strcmp(store->parameter[i].path, parameter->path) == 0) {
            store->parameter[i] = store->parameter[--store->count];
            return NS_OK;
        }
    return NS_OK;
}

static ns_status change(ns_machine *machine, const char *path, const char *text, ns_error *err)
{
    bool inverted;
    ns_schema_row scratch;
    if (ns_schema_is_word(path))
        return ns_machine_set_word(machine, path, text, err);
    const ns_schema_row *row = ns_schema_find(path, &inverted, &scratch);
    if (row == NULL)
        return unknown_path(machine, path, err);
    ns_parameter parameter = {.doc = row->doc, .inverse = row->inverse, .path = path};
    char direct[200], source[300];
    double value, factor;
    NS_TRY(ns_quantity_parse_as(text, path, inverted ? inverse_unit(row->unit) : row->unit, &value, err));
    if (inverted && value <= 0)
        return ns_fail(err, NS_ERR_RANGE, "%s has to be more than 0", path);
    NS_TRY(ns_machine_check_value(path, row->unit, value, err));
    snprintf(direct, sizeof direct, "%s", path);
    if (inverted)
        snprintf(strrchr(direct, '.') + 1, 40, "%s", strrchr(row->pattern, '.') + 1);
    NS_TRY(ns_unit_parse(row->unit, &factor, &parameter.dim, err));
    parameter.value = inverted ? 1 / value : value;
    snprintf(source, sizeof source, "set: %s=%s", path, text);
    parameter.source = source;
    parameter.path = direct;
    return put(machine, &parameter, err);
}

static ns_status put_value(ns_machine *machine, const ns_change *change, ns_error *err)
{
    bool inverted;
    ns_schema_row scratch;
    const ns_schema_row *row = ns_schema_find(change->path, &inverted, &scratch);
    double factor;
    if (row == NULL || inverted)
        return unknown_path(machine, change->path, err);
    ns_parameter parameter = {.doc = row->doc,
                              .inverse = row->inverse,
                              .path = change->path,
                              .value = change->value,
                              .source = change->source};
    NS_TRY(ns_machine_check_value(change->path, row->unit, change->value, err));
    NS_TRY(ns_unit_parse(row->unit, &factor, &parameter.dim, err));
    return put(machine, &parameter, err);
}

/* The tables of a changed copy, whose source says why; *changed is the copy, or it is freed. */
static ns_status finish(ns_machine *copy, ns_status status, const char *source, ns_machine **changed, ns_error *err)
{
    if (status == NS_OK) {
        copy->source = ns_machine_keep(copy->store, source);
        status = copy->source != NULL ? ns_machine_compile(copy, NULL, NULL, err) : ns_no_memory(err);
    }
    if (status == NS_OK)
        *changed = copy;
    else
        ns_machine_free(copy);
    return status;
}

ns_status ns_machine_change(const ns_machine *machine, const ns_change *change, size_t changes, const char *why,
                            ns_machine **changed, ns_error *err)
{
    char source[512];
    ns_machine *copy = ns_machine_new();
    if (copy == NULL)
        return ns_no_memory(err);
    ns_status status = copy_all(machine, copy, err);
    for (size_t i = 0; i < changes && status == NS_OK; i++)
        status = put_value(copy, &change[i], err);
    snprintf(source, sizeof source, "%.380s; %.120s", machine->source, why);
    return finish(copy, status, source, changed, err);
}

ns_status ns_machine_with(const ns_machine *machine, const char *assignment, ns_machine **changed, ns_error *err)
{
    ns_error_clear(err);
    const char *equals = strchr(assignment, '=');
    char path[160], source[512];
    if (equals == NULL || equals == assignment || (size_t)(equals - assignment) >= sizeof path)
        return ns_fail(err, NS_ERR_SYNTAX, "\"%s\" is not PATH=VALUE", assignment);
    snprintf(path, sizeof path, "%.*s", (int)(equals - assignment), assignment);
    ns_machine *copy = ns_machine_new();
    if (copy == NULL)
        return ns_no_memory(err);
    ns_status status = copy_all(machine, copy, err);
    if (status == NS_OK)
        status = change(copy, path, equals + 1, err);
    snprintf(source, sizeof source, "%.380s; with %.120s", machine->source, assignment);
    return finish(copy, status, source, changed, err);
}
