/* with.c -- what-if: a machine with one number changed */
#include "core/memory.h"
#include "core/refuse.h"
#include "machine_file/change.h"
#include "machine_file/schema.h"

#include <stdio.h>
#include <string.h>

/* Copy a machine without its tables.  *copy is NULL or must be passed to finish. */
static ns_status begin(const ns_machine *from, ns_machine **copy, ns_error *err)
{
    ns_machine *to = *copy = ns_machine_new();
    if (to == NULL)
        return ns_no_memory(err);
    to->name = ns_machine_keep(to->store, from->name);
    to->title = ns_machine_keep(to->store, from->title);
    to->file = ns_machine_keep(to->store, from->file);
    if (to->name == NULL || to->title == NULL || to->file == NULL)
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

/* Make the tables of a changed copy, with `source` as the reason.  *changed is the copy; on failure it is freed. */
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

ns_status ns_machine_lend(const ns_machine *machine, const ns_machine *fallback, ns_machine **both, ns_error *err)
{
    ns_error_clear(err);
    char source[600];
    ns_machine *copy;
    ns_status status = begin(machine, &copy, err);
    for (size_t i = 0; i < fallback->parameters && status == NS_OK; i++) {
        ns_parameter p = fallback->parameter[i];
        if (strncmp(p.path, "models.", 7) != 0 || ns_machine_parameter(machine, p.path) != NULL)
            continue;
        snprintf(source, sizeof source, "%.500s (from %.60s)", p.source, fallback->name);
        p.source = source;
        status = ns_machine_add(copy->store, &p, err);
    }
    return finish(copy, status, machine->source, both, err);
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

/* Replace the machine's number, or append it if there is none. */
static ns_status set(ns_machine *machine, const char *path, const ns_schema_row *row, double value, const char *source,
                     ns_error *err)
{
    ns_machine_store *store = machine->store;
    double factor;
    ns_parameter parameter = {
        .path = path, .value = value, .source = source, .doc = row->doc, .inverse = row->inverse};
    NS_TRY(ns_unit_parse(row->unit, &factor, &parameter.dim, err));
    NS_TRY(ns_machine_add(store, &parameter, err));
    for (size_t i = 0; i + 1 < store->count; i++)
        if (strcmp(store->parameter[i].path, path) == 0) {
            store->parameter[i] = store->parameter[--store->count];
            return NS_OK;
        }
    return NS_OK;
}

static ns_status set_text(ns_machine *machine, const char *path, const char *text, ns_error *err)
{
    bool inverted, is_word;
    ns_schema_row scratch;
    NS_TRY(ns_machine_set_word(machine, path, text, &is_word, err));
    if (is_word)
        return NS_OK;
    const ns_schema_row *row = ns_schema_find(path, &inverted, &scratch);
    if (row == NULL)
        return unknown_path(machine, path, err);
    char direct[200], source[300];
    double value;
    /* users write a derived rate in GB/s */
    const char *unit = !inverted ? row->unit : strcmp(row->unit, "ns/B") == 0 ? "GB/s" : "1";
    NS_TRY(ns_quantity_parse_as(text, path, unit, &value, err));
    if (inverted && value <= 0)
        return ns_fail(err, NS_ERR_RANGE, "%s has to be more than 0", path);
    NS_TRY(ns_machine_check_value(path, value, err));
    snprintf(direct, sizeof direct, "%s", path);
    if (inverted)
        snprintf(strrchr(direct, '.') + 1, 40, "%s", strrchr(row->pattern, '.') + 1);
    snprintf(source, sizeof source, "set: %s=%s", path, text);
    return set(machine, direct, row, inverted ? 1 / value : value, source, err);
}

ns_status ns_machine_change(const ns_machine *machine, const ns_change *change, size_t changes, const char *why,
                            ns_machine **changed, ns_error *err)
{
    char source[512];
    ns_machine *copy;
    ns_status status = begin(machine, &copy, err);
    for (size_t i = 0; i < changes && status == NS_OK; i++) {
        const ns_change *c = &change[i];
        bool inverted;
        ns_schema_row scratch;
        const ns_schema_row *row = ns_schema_find(c->path, &inverted, &scratch);
        status = row == NULL || inverted ? unknown_path(copy, c->path, err)
                                         : ns_machine_check_value(c->path, c->value, err);
        if (status == NS_OK)
            status = set(copy, c->path, row, c->value, c->source, err);
    }
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
    ns_machine *copy;
    ns_status status = begin(machine, &copy, err);
    if (status == NS_OK)
        status = set_text(copy, path, equals + 1, err);
    snprintf(source, sizeof source, "%.380s; with %.120s", machine->source, assignment);
    return finish(copy, status, source, changed, err);
}
