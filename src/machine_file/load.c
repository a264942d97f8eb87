/* load.c -- a machine file, checked against the schema, as parameters with their sources
 *
 * Every number is a text with a unit, "1.7 us"; only counts are bare.  "source" and "note" may stand in any object; the
 * nearest source above a number is its own, and so is "calibrated": true beside it.  "alpha_se" beside "alpha" is its
 * standard error.  A number with a source of its own may be an object, {"value": "1.7 us", "source": ...}.  "warnings"
 * at the top lists what nsmodel fit warned of.
 */
#include "core/context.h"
#include "core/embedded.h"
#include "core/memory.h"
#include "core/refuse.h"
#include "core/value.h"
#include "io/locate.h"
#include "io/text_file.h"
#include "machine_file/schema.h"

#include <nsmodel/json.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct loader {
    ns_machine *machine;
    const char *text, *origin;
} loader;

#define NS_MACHINE(stem) #stem,
static const char *const shipped[] = {
#include "machines.def"
    NULL};

/* The shipped machines, listed by make from params/. */
const char *const *ns_machine_names(void)
{
    return shipped;
}

/* The source of the numbers below an object. */
typedef struct origin_note {
    const char *source;
    bool calibrated;
} origin_note;

enum { PATH_SIZE = 200 };

static ns_status fail_at_path(const loader *l, ns_status code, const char *path, const char *what, ns_error *err)
{
    long line, column;
    ns_json_locate(l->text, path, &line, &column);
    return ns_fail_at(err, code, l->origin, line, column, "%s", what);
}

static ns_status unknown_key(const loader *l, const char *parent, const ns_value *value, const char *path,
                             ns_error *err)
{
    ns_schema_names names;
    char what[300];
    ns_schema_names_below(parent, &names);
    if (ns_closest(value->name, names.name, names.count) != NULL)
        ns_unknown_name(what, sizeof what, "unknown key", value->name, names.name, names.count, "");
    else
        snprintf(what, sizeof what, "unknown key \"%s\" in \"%s\"", value->name,
                 *parent != '\0' ? parent : "the machine");
    return fail_at_path(l, NS_ERR_NAME, path, what, err);
}

/* Read a number of a row's unit from a text, or a bare count. */
static ns_status read_number(const loader *l, const ns_value *value, const char *path, const char *unit, double *number,
                             ns_error *err)
{
    ns_error inner = {0};
    ns_status status;
    if (value->kind == NS_TEXT)
        status = ns_quantity_parse_as(value->text, value->name, unit, number, &inner);
    else if (value->kind == NS_NUMBER && strcmp(unit, "1") == 0)
        status = (*number = value->number, NS_OK);
    else if (value->kind == NS_NUMBER)
        status = ns_fail(&inner, NS_ERR_UNIT, "%s wants a number with a unit like \"1 %s\", got a bare number",
                         value->name, unit);
    else
        status = ns_fail(&inner, NS_ERR_SYNTAX, "%s wants a number like \"1 %s\"", value->name, unit);
    if (status == NS_OK)
        status = ns_machine_check_value(path, *number, &inner);
    return status == NS_OK ? NS_OK : fail_at_path(l, status, path, inner.text, err);
}

/* Read the nearest source, and whether what stands below it is calibrated. */
static ns_status read_origin(const loader *l, const ns_value *object, const char *path, origin_note *origin,
                             ns_error *err)
{
    const ns_value *source = ns_value_get(object, "source"), *calibrated = ns_value_get(object, "calibrated");
    if (calibrated != NULL && calibrated->kind != NS_BOOL) {
        char below[PATH_SIZE + 12];
        snprintf(below, sizeof below, "%s%scalibrated", path, *path != '\0' ? "." : "");
        return fail_at_path(l, NS_ERR_SYNTAX, below, "this key wants true or false", err);
    }
    if (source != NULL && source->kind == NS_TEXT)
        *origin = (origin_note){source->text, false};
    if (calibrated != NULL)
        origin->calibrated = calibrated->truth;
    return NS_OK;
}

static ns_status check_text(const loader *l, const ns_value *v, const char *path, ns_error *err)
{
    if (v->kind != NS_TEXT)
        return fail_at_path(l, NS_ERR_SYNTAX, path, "this key wants a text", err);
    return v->text[0] != '\0' || strcmp(v->name, "source") != 0
               ? NS_OK
               : fail_at_path(l, NS_ERR_DATA, path, "an empty source; wanted where the numbers come from", err);
}

/* A number, or {"value": ..., "source": ..., "calibrated": ..., "note": ...} in its place; and "alpha_se" beside
 * "alpha". */
static ns_status read_parameter(loader *l, const ns_value *parent, const ns_value *number, const char *path,
                                const ns_schema_row *row, origin_note origin, ns_error *err)
{
    char below[PATH_SIZE + 40];
    ns_value value = *number;
    if (number->kind == NS_OBJECT) {
        const ns_value *inner = ns_value_get(number, "value");
        if (inner == NULL)
            return fail_at_path(l, NS_ERR_SYNTAX, path, "a number that is an object wants its \"value\"", err);
        for (const ns_value *v = number->first; v != NULL; v = v->next) {
            snprintf(below, sizeof below, "%s.%.30s", path, v->name);
            if (strcmp(v->name, "source") == 0 || strcmp(v->name, "note") == 0)
                NS_TRY(check_text(l, v, below, err));
            else if (v != inner && strcmp(v->name, "calibrated") != 0)
                return fail_at_path(l, NS_ERR_NAME, below,
                                    "a number's object holds \"value\", \"source\", \"calibrated\" and \"note\" only",
                                    err);
        }
        NS_TRY(read_origin(l, number, path, &origin, err));
        value = *inner;
        value.name = number->name;
    }
    ns_parameter parameter = {.path = path,
                              .source = origin.source,
                              .calibrated = origin.calibrated,
                              .doc = row->doc,
                              .inverse = row->inverse};
    double factor;
    NS_TRY(ns_unit_parse(row->unit, &factor, &parameter.dim, err));
    NS_TRY(read_number(l, &value, path, row->unit, &parameter.value, err));
    const size_t length = strlen(number->name);
    const ns_value *se = parent->first;
    while (se != NULL && (strncmp(se->name, number->name, length) != 0 || strcmp(se->name + length, "_se") != 0))
        se = se->next;
    if (se != NULL) {
        snprintf(below, sizeof below, "%s_se", path);
        NS_TRY(read_number(l, se, below, row->unit, &parameter.se, err));
    }
    return ns_machine_add(l->machine->store, &parameter, err);
}

/* Read what nsmodel fit warned of when it made the file. */
static ns_status read_warnings(loader *l, const ns_value *list, ns_error *err)
{
    if (list->kind != NS_LIST)
        return fail_at_path(l, NS_ERR_SYNTAX, "warnings", "this key wants a list of texts", err);
    size_t at = 0;
    for (const ns_value *v = list->first; v != NULL; v = v->next, at++) {
        char path[40];
        snprintf(path, sizeof path, "warnings.%zu", at);
        NS_TRY(check_text(l, v, path, err));
        NS_TRY(ns_machine_warn(l->machine, v->text, err));
    }
    return NS_OK;
}

static ns_status walk(loader *l, const ns_value *object, const char *path, origin_note origin, ns_error *err)
{
    const size_t above = strlen(path);
    NS_TRY(read_origin(l, object, path, &origin, err));
    for (const ns_value *v = object->first; v != NULL; v = v->next) {
        const char *key = v->name;
        const size_t begin = above + (above > 0), size = strlen(key) + 1;
        char below[PATH_SIZE];
        bool inverted;
        ns_schema_row scratch;
        if (*key == '\0' || begin + size > PATH_SIZE)
            return unknown_key(l, path, v, path, err);
        memcpy(below, path, above);
        below[above] = '.';
        memcpy(below + begin, key, size);
        if (strcmp(key, "source") == 0 || strcmp(key, "note") == 0 ||
            (above == 0 && (strcmp(key, "schema") == 0 || strcmp(key, "name") == 0 || strcmp(key, "title") == 0))) {
            NS_TRY(check_text(l, v, below, err));
            continue;
        }
        if (strcmp(below, "warnings") == 0) {
            NS_TRY(read_warnings(l, v, err));
            continue;
        }
        if (strcmp(key, "calibrated") == 0)
            continue; /* read with the source beside it */
        if (ns_schema_is_word(below)) {
            ns_error inner = {0};
            if (v->kind != NS_TEXT)
                return fail_at_path(l, NS_ERR_SYNTAX, below, "this key wants a word", err);
            const ns_status status = ns_machine_set_word(l->machine, below, v->text, &inner);
            if (status != NS_OK)
                return fail_at_path(l, status, below, inner.text, err);
            continue;
        }
        const ns_schema_row *row = ns_schema_find(below, &inverted, &scratch);
        if (row != NULL && !inverted) {
            NS_TRY(read_parameter(l, object, v, below, row, origin, err));
            continue;
        }
        const size_t length = strlen(below);
        if (length > 3 && strcmp(below + length - 3, "_se") == 0) { /* "alpha_se" where "alpha" may stand */
            char base[PATH_SIZE];
            snprintf(base, sizeof base, "%.*s", (int)length - 3, below);
            if (ns_schema_find(base, &inverted, &scratch) != NULL && !inverted)
                continue;
        }
        if (!ns_schema_is_prefix(below))
            return unknown_key(l, path, v, below, err);
        if (v->kind != NS_OBJECT)
            return fail_at_path(l, NS_ERR_SYNTAX, below, "this key wants an object", err);
        NS_TRY(walk(l, v, below, origin, err));
    }
    return NS_OK;
}

static ns_status read_text(loader *l, const ns_value *root, const char *key, const char **text, ns_error *err)
{
    const ns_value *value = ns_value_get(root, key);
    char what[120];
    if (value == NULL || value->kind != NS_TEXT || value->text[0] == '\0') {
        snprintf(what, sizeof what, "a machine wants a text \"%s\"", key);
        return fail_at_path(l, NS_ERR_DATA, value != NULL ? key : "", what, err);
    }
    *text = ns_machine_keep(l->machine->store, value->text);
    return *text != NULL ? NS_OK : ns_no_memory(err);
}

static ns_status read_root(loader *l, const ns_value *root, ns_error *err)
{
    const char *schema;
    if (root->kind != NS_OBJECT)
        return ns_fail_at(err, NS_ERR_SYNTAX, l->origin, 1, 1, "a machine file is one JSON object");
    NS_TRY(read_text(l, root, "schema", &schema, err));
    if (strcmp(schema, "nsmodel/machine/1") != 0)
        return fail_at_path(l, NS_ERR_DATA, "schema", "schema wants \"nsmodel/machine/1\"", err);
    NS_TRY(read_text(l, root, "name", &l->machine->name, err));
    NS_TRY(read_text(l, root, "title", &l->machine->title, err));
    NS_TRY(read_text(l, root, "source", &l->machine->source, err));
    NS_TRY(walk(l, root, "", (origin_note){"", false}, err));
    l->machine->file = ns_machine_keep(l->machine->store, l->origin);
    if (l->machine->file == NULL)
        return ns_no_memory(err);
    return ns_machine_compile(l->machine, l->text, l->origin, err);
}

ns_status ns_machine_parse(const char *text, const char *origin, ns_machine **machine, ns_error *err)
{
    ns_error_clear(err);
    ns_value *root;
    NS_TRY(ns_json_parse(text, origin, &root, err));
    unsigned long code;
    const char *hidden = ns_json_hidden(text, &code);
    if (hidden != NULL) {
        long line, column;
        ns_value_free(root);
        ns_text_position(text, hidden, &line, &column);
        return ns_fail_at(err, NS_ERR_DATA, origin, line, column,
                          "a text with the control character U+%04lX; wanted one line of characters that can be seen",
                          code);
    }
    loader l = {.machine = ns_machine_new(), .text = text, .origin = origin};
    ns_status status = l.machine != NULL ? read_root(&l, root, err) : ns_no_memory(err);
    ns_value_free(root);
    if (status != NS_OK) {
        ns_machine_free(l.machine);
        return status;
    }
    *machine = l.machine;
    return NS_OK;
}

/* ---- by name or file --------------------------------------------------------------------------------------------- */

enum { FILE_MOST = 16 << 20 };

ns_status ns_machine_load(const char *name_or_file, ns_machine **machine, ns_error *err)
{
    ns_error_clear(err);
    char path[100], *text;
    snprintf(path, sizeof path, "params/%.60s.json", name_or_file);
    const ns_embedded *own = ns_embedded_find(path);
    if (own != NULL && strchr(name_or_file, '/') == NULL) /* what has a folder is no name */
        NS_TRY(ns_machine_parse((const char *)own->data, own->path, machine, err));
    else {
        FILE *file = fopen(name_or_file, "rb");
        if (file == NULL && (errno == ENOENT || errno == ENOTDIR)) {
            size_t count = 0;
            while (shipped[count] != NULL)
                count++;
            return ns_refuse_name_for(err, "no machine or file", name_or_file, shipped, count, NS_REMEDY_MACHINES, "");
        }
        if (file == NULL)
            return ns_fail_at(err, NS_ERR_FILE, name_or_file, 0, 0, "cannot be opened");
        ns_status status = ns_text_read(file, name_or_file, FILE_MOST, "a machine file", &text, err);
        fclose(file);
        NS_TRY(status);
        status = ns_machine_parse(text, name_or_file, machine, err);
        ns_free(text);
        NS_TRY(status);
    }

    /* what a caller should know of a machine before it relies on a price */
    const ns_machine *m = *machine;
    for (int memory = 0; memory < NS_MEMORIES; memory++)
        for (int l = 0; l < NS_LOCALITIES; l++)
            if (m->stands_for[memory][l] != (ns_locality)l)
                ns_tell_host(NS_LOG_NOTE, "machine %s has no %s table %s: that %s stands for it", m->name,
                             ns_memory_words[memory], ns_locality_words[l],
                             ns_locality_words[m->stands_for[memory][l]]);
    return NS_OK;
}
