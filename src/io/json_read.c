/* json_read.c -- JSON text to a value tree; the only user of cJSON
 *
 * cJSON takes the text apart; this copies its tree into ours, and refuses what cJSON lets pass: duplicate keys, numbers
 * beyond double, a zero character inside a text, anything after the document.  Nesting is limited by cJSON (1000).
 */
#include <nsmodel/json.h>

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "core/utf8.h"
#include "core/value_copy.h"
#include "io/locate.h"

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
    if (way == NULL || way->up == NULL) {
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

static ns_status fail_at_byte(const reader *in, const char *at, ns_status code, const char *message)
{
    long line, column;
    ns_text_position(in->text, at, &line, &column);
    return ns_fail_at(in->err, code, in->origin, line, column, "%s", message);
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
    const char **keys = malloc(count * sizeof *keys);
    if (keys == NULL)
        return ns_fail(in->err, NS_ERR_MEMORY, "out of memory for %zu keys", count);
    cJSON_ArrayForEach(child, object) keys[n++] = child->string;
    qsort(keys, count, sizeof *keys, compare_keys);
    ns_status status = NS_OK;
    for (size_t i = 1; i < count && status == NS_OK; i++)
        if (strcmp(keys[i - 1], keys[i]) == 0)
            status = refuse_duplicate(in, way, keys[i]);
    free(keys);
    return status;
}

static ns_status convert(const reader *in, const cJSON *item, ns_value *node, const trail *way);

static ns_status convert_children(const reader *in, const cJSON *item, ns_value *node, const trail *way)
{
    size_t index = 0;
    const cJSON *child;
    cJSON_ArrayForEach(child, item)
    {
        trail next = {.up = way, .key = child->string, .index = index++};
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

/* "\u0000" would end a C string early; a backslash before it makes it harmless. */
static const char *find_zero_escape(const char *text)
{
    for (const char *p = text; (p = strchr(p, '\\')) != NULL; p += p[1] != '\0' ? 2 : 1)
        if (strncmp(p, "\\u0000", 6) == 0)
            return p;
    return NULL;
}

static long depth_at(const char *text, const char *at)
{
    long depth = 0;
    bool quoted = false;
    for (const char *p = text; p < at; p++) {
        if (quoted && *p == '\\' && p + 1 < at)
            p++;
        else if (*p == '"')
            quoted = !quoted;
        else if (!quoted)
            depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
    }
    return depth;
}

static ns_status refuse_syntax(const reader *in, const char *at)
{
    char message[128];
    const char *after;
    if (depth_at(in->text, at) >= CJSON_NESTING_LIMIT) {
        snprintf(message, sizeof message, "JSON nested deeper than %d levels", CJSON_NESTING_LIMIT);
        return fail_at_byte(in, at, NS_ERR_SYNTAX, message);
    }
    if (*at == '\0')
        return fail_at_byte(in, at, NS_ERR_SYNTAX, "the text ends before the JSON document does");
    cJSON *whole = cJSON_ParseWithLengthOpts(in->text, strlen(in->text) + 1, &after, 0);
    cJSON_Delete(whole);
    int quote = (int)ns_utf8_clip(at, strcspn(at, "\r\n"), 24);
    snprintf(message, sizeof message,
             whole != NULL ? "\"%.*s\" after the end of the JSON document" : "not JSON from \"%.*s\" on", quote, at);
    return fail_at_byte(in, at, NS_ERR_SYNTAX, message);
}

ns_status ns_json_parse(const char *text, const char *origin, ns_value **root, ns_error *err)
{
    const reader in = {.text = text, .origin = origin, .err = err};
    const char *zero = find_zero_escape(text), *end = text;
    if (zero != NULL)
        return fail_at_byte(&in, zero, NS_ERR_SYNTAX, "a text holds the character \\u0000");
    const ns_c_locale guard = ns_c_locale_enter();
    cJSON *item = cJSON_ParseWithLengthOpts(text, strlen(text) + 1, &end, 1);
    ns_status status = item != NULL ? NS_OK : refuse_syntax(&in, end);
    ns_c_locale_leave(guard);
    ns_value *made = status == NS_OK ? ns_value_new() : NULL;
    if (made != NULL)
        status = convert(&in, item, made, &(trail){.up = NULL});
    else if (status == NS_OK)
        status = ns_fail(err, NS_ERR_MEMORY, "out of memory for a JSON document");
    cJSON_Delete(item);
    if (status != NS_OK)
        ns_value_free(made);
    else
        *root = made;
    return status;
}
