/* reproduce_shape.c -- the shape of a file of published values: its keys, and what they hold */
#include "study/reproduce.h"

#include <nsmodel/json.h>

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/refuse.h"
#include "study/study.h"

static const double tolerance_most = 0.15;

const char *const ns_published_words[] = {"prediction", "in-sample", "identity", "input", NULL};

ns_status ns_published_refuse(const ns_published *t, ns_status code, const char *path, const char *text, ns_error *err)
{
    long line, column;
    ns_json_locate(t->text, path, &line, &column);
    return ns_fail_at(err, code, t->origin, line, column, "%s", text);
}

const char *ns_published_text(const ns_value *object, const char *name)
{
    const ns_value *value = ns_value_get(object, name);
    return value != NULL ? value->text : NULL;
}

typedef struct key {
    const char *name;
    ns_value_kind kind;
    bool required;
} key;

static const key table_keys[] = {
    {"schema", NS_TEXT, true},       {"id", NS_TEXT, true},          {"title", NS_TEXT, true},
    {"source", NS_TEXT, true},       {"tolerance", NS_NUMBER, true}, {"rows", NS_LIST, true},
    {"kind", NS_TEXT, true},         {"long", NS_BOOL, false},       {"note", NS_TEXT, false},
    {"exchanges", NS_OBJECT, false}, {NULL, NS_NULL, false}};
static const key row_keys[] = {
    {"label", NS_TEXT, true},     {"machine", NS_TEXT, false},      {"parameter", NS_TEXT, false},
    {"model", NS_TEXT, false},    {"inputs", NS_OBJECT, false},     {"output", NS_TEXT, false},
    {"published", NS_NULL, true}, {"note", NS_TEXT, false},         {"claim", NS_OBJECT, false},
    {"quote", NS_TEXT, false},    {"above", NS_BOOL, false},        {"known_miss", NS_TEXT, false},
    {"kind", NS_TEXT, false},     {"error_most", NS_NUMBER, false}, {"netsparse", NS_OBJECT, false},
    {NULL, NS_NULL, false}};
static const char *const kind_words[] = {"null", "true or false", "a number", "a text", "a list", "an object"};

static const key *find_key(const key *keys, const char *name)
{
    while (keys->name != NULL && strcmp(keys->name, name) != 0)
        keys++;
    return keys->name != NULL ? keys : NULL;
}

static ns_status unknown_key(const ns_published *t, const key *keys, const char *name, const char *path, ns_error *err)
{
    const char *names[20];
    size_t count = 0;
    char text[300];
    for (; keys[count].name != NULL; count++)
        names[count] = keys[count].name;
    const char *near = ns_closest(name, names, count);
    snprintf(text, sizeof text, "unknown key \"%.80s\"%s%s%s", name, near != NULL ? "; did you mean \"" : "",
             near != NULL ? near : "", near != NULL ? "\"?" : "");
    return ns_published_refuse(t, NS_ERR_NAME, path, text, err);
}

/* path: of the object, "" for the root.  A key of kind NS_NULL takes anything. */
static ns_status check_keys(const ns_published *t, const key *keys, const ns_value *object, const char *path,
                            ns_error *err)
{
    char at[200], text[200];
    if (object->kind != NS_OBJECT)
        return ns_published_refuse(t, NS_ERR_SYNTAX, path, "an object is wanted here", err);
    for (const ns_value *v = object->first; v != NULL; v = v->next) {
        const key *k = find_key(keys, v->name);
        snprintf(at, sizeof at, "%s%s%.100s", path, *path != '\0' ? "." : "", v->name);
        if (k == NULL)
            return unknown_key(t, keys, v->name, at, err);
        snprintf(text, sizeof text, "\"%s\" wants %s", k->name, kind_words[k->kind]);
        if (k->kind != NS_NULL && k->kind != v->kind)
            return ns_published_refuse(t, NS_ERR_SYNTAX, at, text, err);
    }
    for (const key *k = keys; k->name != NULL; k++) {
        snprintf(text, sizeof text, "the key \"%s\" is missing", k->name);
        if (k->required && ns_value_get(object, k->name) == NULL)
            return ns_published_refuse(t, NS_ERR_DATA, path, text, err);
    }
    return NS_OK;
}

ns_status ns_published_check(const ns_published *t, const ns_value *root, ns_error *err)
{
    NS_TRY(check_keys(t, table_keys, root, "", err));
    if (strcmp(ns_value_get(root, "schema")->text, "nsmodel/published/1") != 0)
        return ns_published_refuse(t, NS_ERR_DATA, "schema", "schema wants \"nsmodel/published/1\"", err);
    const double tolerance = ns_value_get(root, "tolerance")->number;
    if (!(tolerance >= 0 && tolerance <= tolerance_most))
        return ns_published_refuse(t, NS_ERR_RANGE, "tolerance", "tolerance is relative, from 0 to 0.15", err);
    if (ns_value_get(root, "rows")->first == NULL)
        return ns_published_refuse(t, NS_ERR_DATA, "rows", "a table wants at least one row", err);
    return NS_OK;
}

ns_status ns_published_check_row(const ns_published *t, const ns_value *row, const char *path, ns_error *err)
{
    NS_TRY(check_keys(t, row_keys, row, path, err));
    if (ns_value_get(row, "error_most") != NULL && ns_value_get(row, "known_miss") == NULL)
        return ns_published_refuse(t, NS_ERR_DATA, path, "\"error_most\" is of a known miss", err);
    return NS_OK;
}

ns_status ns_published_kind_of(const ns_published *t, const ns_value *object, const char *path, int otherwise,
                               int *kind, ns_error *err)
{
    char at[80];
    ns_error inner = {0};
    const char *word = ns_published_text(object, "kind");
    *kind = otherwise;
    if (word == NULL || ns_choose_word("kind", ns_published_words, word, kind, &inner) == NS_OK)
        return NS_OK;
    snprintf(at, sizeof at, "%.60s%skind", path, *path != '\0' ? "." : "");
    return ns_published_refuse(t, inner.code, at, inner.text, err);
}
