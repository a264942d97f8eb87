/* json_write.c -- a value tree as JSON text
 *
 * UTF-8 is copied; a byte that is not UTF-8 becomes U+FFFD, so that the output is always JSON.  A number that is
 * not finite is an error: JSON has no such number.
 */
#include <nsmodel/json.h>

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/utf8.h"
#include "core/value.h"

enum { LINE_MOST = 100 }; /* columns of a list that is written on one line */

typedef struct writer {
    char *text;
    size_t size, room;
    bool failed;
} writer;

static void put_bytes(writer *w, const char *bytes, size_t count)
{
    if (w->room - w->size <= count && !w->failed) {
        size_t room = ns_size_add(ns_size_mul(2, w->room), ns_size_add(count, 256));
        char *text = ns_realloc(w->text, room);
        w->failed = text == NULL;
        if (text != NULL) {
            w->text = text;
            w->room = room;
        }
    }
    if (w->failed)
        return;
    assert(w->text != NULL);
    memcpy(w->text + w->size, bytes, count);
    w->size += count;
    w->text[w->size] = '\0';
}

static void put(writer *w, const char *text)
{
    put_bytes(w, text, strlen(text));
}

static void put_line(writer *w, int depth)
{
    put(w, "\n");
    for (int i = 0; i < depth; i++)
        put(w, "  ");
}

static const char *escape_of(unsigned long code, char buffer[8])
{
    static const char *const pair[] = {"\"\\\"", "\\\\\\", "\b\\b", "\f\\f", "\n\\n", "\r\\r", "\t\\t"};
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
        if ((unsigned long)pair[i][0] == code)
            return pair[i] + 1;
    snprintf(buffer, 8, "\\u%04x", (unsigned)(code & 0xffff));
    return buffer;
}

static void put_text(writer *w, const char *text)
{
    char buffer[8];
    put(w, "\"");
    while (*text != '\0') {
        const size_t length = ns_utf8_length(text);
        const unsigned long code = ns_utf8_code(text, length);
        if (length == 0)
            put(w, "\xef\xbf\xbd");
        else if (*text == '"' || *text == '\\' || (code < 0x10000 && ns_utf8_is_hidden(code)))
            put(w, escape_of(code, buffer));
        else
            put_bytes(w, text, length);
        text += length > 0 ? length : 1;
    }
    put(w, "\"");
}

static ns_status put_scalar(writer *w, const ns_value *node, const char *name, ns_error *err)
{
    char buffer[64];
    switch (node->kind) {
    case NS_BOOL:
        put(w, node->truth ? "true" : "false");
        break;
    case NS_NUMBER:
        if (!isfinite(node->number))
            return ns_fail(err, NS_ERR_RANGE, "%.100s is not a finite number", name[0] != '\0' ? name : "a value");
        put(w, ns_double_format(node->number, buffer, sizeof buffer));
        break;
    case NS_TEXT:
        put_text(w, node->text);
        break;
    default:
        put(w, "null");
    }
    return NS_OK;
}

static bool is_scalar(const ns_value *node)
{
    return node->kind != NS_LIST && node->kind != NS_OBJECT;
}

static ns_status put_node(writer *w, const ns_value *node, const char *name, int depth, ns_error *err)
{
    const bool object = node->kind == NS_OBJECT;
    const size_t before = w->size;
    bool done = !object;
    if (is_scalar(node))
        return put_scalar(w, node, name, err);
    if (node->first == NULL) {
        put(w, object ? "{}" : "[]");
        return NS_OK;
    }
    /* "[1, 2]", when all elements are scalars and it fits */
    put(w, object ? "{" : "[");
    for (const ns_value *child = node->first; child != NULL && done; child = child->next) {
        done = is_scalar(child);
        if (done)
            NS_TRY(put_scalar(w, child, name, err));
        put(w, child->next != NULL ? ", " : "]");
        done = done && w->size - before <= LINE_MOST;
    }
    if (done)
        return NS_OK;
    if (!w->failed)
        w->size = before + 1;
    for (const ns_value *child = node->first; child != NULL; child = child->next) {
        put_line(w, depth + 1);
        if (object) {
            put_text(w, child->name);
            put(w, ": ");
        }
        NS_TRY(put_node(w, child, object ? child->name : name, depth + 1, err));
        put(w, child->next != NULL ? "," : "");
    }
    put_line(w, depth);
    put(w, object ? "}" : "]");
    return NS_OK;
}

ns_status ns_json_write(const ns_value *root, char **text, size_t *size, ns_error *err)
{
    ns_error_clear(err);
    writer w = {.text = NULL};
    ns_status status = put_node(&w, root, "", 0, err);
    put(&w, "\n");
    if (status == NS_OK && w.failed)
        status = ns_fail(err, NS_ERR_MEMORY, "out of memory for JSON text of %zu bytes", w.size);
    if (status != NS_OK) {
        ns_free(w.text);
        return status;
    }
    *text = w.text;
    *size = w.size;
    return NS_OK;
}
