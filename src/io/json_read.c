/* json_read.c -- JSON text to a value tree; the only user of cJSON
 *
 * The text is checked first, which finds the place of every fault; cJSON takes it apart; this copies its tree into ours
 * and refuses duplicate keys and numbers beyond double.
 */
#include <nsmodel/json.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/number.h"
#include "core/utf8.h"
#include "core/value.h"
#include "io/json_check.h"
#include "io/locate.h"
#include "ns_cjson.h"

typedef struct reader {
    const char *text, *origin;
    ns_error *err;
} reader;

/* The way from the root to a node, for messages. */
typedef struct trail {
    const struct trail *up;
    const char *key; /* NULL in a list */
    size_t index;
} trail;

static size_t path_of(const trail *way, char *path, size_t size)
{
    if (way->up == NULL) {
        path[0] = '\0';
        return 0;
    }
    size_t at = path_of(way->up, path, size);
    const char *dot = at > 0 ? "." : "";
    int more = 0;
    if (at < size)
        more = way->key != NULL ? snprintf(path + at, size - at, "%s%s", dot, way->key)
                                : snprintf(path + at, size - at, "%s%zu", dot, way->index);
    return at + (size_t)more;
}

static ns_status refuse_number(const reader *in, const trail *way)
{
    char path[1024];
    long line, column;
    path_of(way, path, sizeof path);
    ns_json_locate(in->text, path, &line, &column);
    return ns_fail_at(in->err, NS_ERR_RANGE, in->origin, line, column, "%.100s is too large",
                      path[0] != '\0' ? path : "the number");
}

static ns_status refuse_duplicate(const reader *in, const trail *way, const char *key)
{
    char path[1024];
    long line, column;
    path_of(way, path, sizeof path);
    ns_json_locate_key(in->text, path, key, 1, &line, &column);
    return ns_fail_at(in->err, NS_ERR_NAME, in->origin, line, column, "key \"%.100s\" appears twice%s%.100s%s", key,
                      path[0] != '\0' ? " in \"" : "", path, path[0] != '\0' ? "\"" : "");
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static ns_status check_keys(const reader *in, const cJSON *object, const trail *way)
{
    size_t count = 0, n = 0;
    const cJSON *child;
    cJSON_ArrayForEach(child, object) count++;
    if (count < 2)
        return NS_OK;
    const char **keys = ns_malloc(ns_size_mul(count, sizeof *keys));
    if (keys == NULL)
        return ns_fail(in->err, NS_ERR_MEMORY, "out of memory for %zu keys", count);
    cJSON_ArrayForEach(child, object) keys[n++] = child->string;
    qsort(keys, count, sizeof *keys, compare_keys);
    ns_status status = NS_OK;
    for (size_t i = 1; i < count && status == NS_OK; i++)
        if (strcmp(keys[i - 1], keys[i]) == 0)
            status = refuse_duplicate(in, way, keys[i]);
    ns_free(keys);
    return status;
}

static ns_status convert(const reader *in, const cJSON *item, ns_value *node, const trail *way);

static ns_status convert_children(const reader *in, const cJSON *item, ns_value *node, const trail *way)
{
    size_t index = 0;
    const cJSON *child;
    cJSON_ArrayForEach(child, item)
    {
        trail next = {.up = way, .key = child->string, .index = index};
        index++;
        ns_value *made = ns_value_null(node, child->string);
        if (made == NULL)
            return ns_fail(in->err, NS_ERR_MEMORY, "out of memory for a JSON document");
        NS_TRY(convert(in, child, made, &next));
    }
    return NS_OK;
}

/* node is a null already in its place: give it the item's kind and content. */
static ns_status convert(const reader *in, const cJSON *item, ns_value *node, const trail *way)
{
    switch (item->type & 0xff) {
    case cJSON_False:
    case cJSON_True:
        node->kind = NS_BOOL;
        node->truth = cJSON_IsTrue(item) != 0;
        return NS_OK;
    case cJSON_Number:
        node->kind = NS_NUMBER;
        node->number = item->valuedouble;
        return isfinite(node->number) ? NS_OK : refuse_number(in, way);
    case cJSON_String:
        node->kind = NS_TEXT;
        node->text = ns_value_copy(node, item->valuestring);
        return node->text != NULL ? NS_OK : ns_fail(in->err, NS_ERR_MEMORY, "out of memory for a JSON document");
    case cJSON_Array:
        node->kind = NS_LIST;
        return convert_children(in, item, node, way);
    case cJSON_Object:
        node->kind = NS_OBJECT;
        NS_TRY(check_keys(in, item, way));
        return convert_children(in, item, node, way);
    default:
        node->kind = NS_NULL;
        return NS_OK;
    }
}

static ns_status refuse_syntax(const reader *in, ns_json_fault fault)
{
    long line, column;
    ns_text_position(in->text, fault.at, &line, &column);
    const int quote = (int)ns_utf8_clip(fault.at, strcspn(fault.at, "\r\n"), 24);
    const char *mark = quote > 0 ? "\"" : "";
    return ns_fail_at(in->err, NS_ERR_SYNTAX, in->origin, line, column, "found %s%.*s%s, wanted %s", mark,
                      quote > 0 ? quote : 60, quote > 0 ? fault.at : "the end", mark, fault.wanted);
}

ns_status ns_json_parse(const char *text, const char *origin, ns_value **root, ns_error *err)
{
    const reader in = {.text = text, .origin = origin, .err = err};
    const ns_json_fault fault = ns_json_check(text);
    if (fault.wanted != NULL)
        return refuse_syntax(&in, fault);
    const ns_c_locale guard = ns_c_locale_enter();
    cJSON *item = cJSON_ParseWithLengthOpts(text, strlen(text) + 1, NULL, 1);
    ns_c_locale_leave(guard);
    ns_value *made = item != NULL ? ns_value_new() : NULL;
    ns_status status = made != NULL ? convert(&in, item, made, &(trail){.up = NULL})
                                    : ns_fail(err, NS_ERR_MEMORY, "out of memory for a JSON document");
    cJSON_Delete(item);
    if (status != NS_OK)
        ns_value_free(made);
    else
        *root = made;
    return status;
}
