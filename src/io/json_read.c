/* json_read.c -- JSON text to a value tree; the only user of cJSON
 *
 * The text is checked first (RFC 8259), which finds the place of every fault: cJSON says where it gave up, which may be
 * a byte late or at the end of the text, and takes "01", "1." and raw control characters.  cJSON takes it apart; this
 * copies its tree into ours and refuses duplicate keys and numbers beyond double.
 *
 * Stricter than RFC 8259 in depth, in length of numbers, and in that no text holds the character U+0000; laxer in that
 * bytes of texts need not be UTF-8 and that a byte order mark may come first.
 */
#include <nsmodel/json.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/number.h"
#include "core/utf8.h"
#include "core/value.h"
#include "io/locate.h"
#include "ns_cjson.h"

enum { DEPTH_MOST = 1000, NUMBER_MOST = 63 };

/* ---- checking ---------------------------------------------------------------------------------------------------- */

/* What is wrong with a text. */
typedef struct fault {
    const char *at;     /* in the text */
    const char *wanted; /* "a value", "\",\" or \"}\"", ...; NULL while nothing is wrong */
} fault;

typedef struct scan {
    const char *p;
    fault found;
} scan;

static bool wrong(scan *s, const char *at, const char *wanted)
{
    s->found = (fault){.at = at, .wanted = wanted};
    return false;
}

static void blank(scan *s)
{
    while (*s->p == ' ' || *s->p == '\t' || *s->p == '\n' || *s->p == '\r')
        s->p++;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The code of "\uXXXX" at p, or -1. */
static long code_at(const char *p)
{
    long code = 0;
    if (p[0] != '\\' || p[1] != 'u')
        return -1;
    for (int i = 2; i < 6; i++) {
        const char *hex = "0123456789abcdefABCDEF", *digit = p[i] != '\0' ? strchr(hex, p[i]) : NULL;
        if (digit == NULL)
            return -1;
        code = 16 * code + (digit - hex < 16 ? digit - hex : digit - hex - 6);
    }
    return code;
}

static bool escape(scan *s)
{
    if (s->p[1] != 'u') {
        if (s->p[1] == '\0' || strchr("\"\\/bfnrt", s->p[1]) == NULL)
            return wrong(s, s->p, "an escape like \\n or \\u00b5");
        s->p += 2;
        return true;
    }
    long code = code_at(s->p);
    if (code <= 0)
        return wrong(s, s->p, code == 0 ? "no character \\u0000" : "four hexadecimal digits after \\u");
    if (code >= 0xd800 && code <= 0xdfff) { /* half a character: a high and a low surrogate make one */
        long low = code_at(s->p + 6);
        if (code >= 0xdc00 || low < 0xdc00 || low > 0xdfff)
            return wrong(s, s->p, "both halves of a surrogate pair");
        s->p += 6;
    }
    s->p += 6;
    return true;
}

static bool string(scan *s)
{
    const char *begin = s->p++;
    while (*s->p != '"') {
        if (*s->p == '\0' || *s->p == '\n' || *s->p == '\r')
            return wrong(s, begin, "a closing quote on the same line");
        if ((unsigned char)*s->p < 0x20)
            return wrong(s, s->p, "an escape for the control character");
        if (*s->p != '\\')
            s->p++;
        else if (!escape(s))
            return false;
    }
    s->p++;
    return true;
}

static bool value(scan *s, int depth)
{
    static const char *const words[] = {"true", "false", "null"};
    blank(s);
    if (*s->p == '"')
        return string(s);
    if (*s->p == '-' || is_digit(*s->p)) {
        const char *begin = s->p;
        s->p += *s->p == '-';
        if (s->p[0] == '0' && is_digit(s->p[1]))
            return wrong(s, begin, "a number without leading zeros");
        for (int part = 0; part < 3; part++) { /* whole, fraction, exponent */
            const bool fraction = part == 1 && *s->p == '.', exponent = part == 2 && (*s->p == 'e' || *s->p == 'E');
            if (part > 0 && !fraction && !exponent)
                continue;
            if (exponent)
                s->p += s->p[1] == '+' || s->p[1] == '-' ? 2 : 1;
            else
                s->p += fraction;
            if (!is_digit(*s->p))
                return wrong(s, begin, "a number like 0.5 or -1e-6");
            while (is_digit(*s->p))
                s->p++;
        }
        return s->p - begin <= NUMBER_MOST || wrong(s, begin, "a number of at most 63 characters");
    }
    for (int i = 0; i < 3; i++)
        if (strncmp(s->p, words[i], strlen(words[i])) == 0) {
            s->p += strlen(words[i]);
            return true;
        }
    if (*s->p != '{' && *s->p != '[')
        return wrong(s, s->p, "a value");
    if (depth == DEPTH_MOST)
        return wrong(s, s->p, "at most 1000 levels of brackets");

    /* members of an object, or elements of a list, up to the closing bracket */
    const bool object = *s->p++ == '{';
    const char close = object ? '}' : ']';
    blank(s);
    if (*s->p == close) {
        s->p++;
        return true;
    }
    for (;; s->p++) {
        blank(s);
        if (object) {
            if (*s->p != '"')
                return wrong(s, s->p, "a key in double quotes");
            if (!string(s))
                return false;
            blank(s);
            if (*s->p++ != ':')
                return wrong(s, s->p - 1, "\":\" after the key");
        }
        if (!value(s, depth + 1))
            return false;
        blank(s);
        if (*s->p == close)
            break;
        if (*s->p != ',')
            return wrong(s, s->p, object ? "\",\" or \"}\"" : "\",\" or \"]\"");
    }
    s->p++;
    return true;
}

const char *ns_json_hidden(const char *text, unsigned long *code)
{
    bool inside = false;
    for (const char *p = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text; *p != '\0';) {
        size_t length = ns_utf8_length(p);
        *code = ns_utf8_code(p, length);
        length += length == 0;
        if (*p == '"')
            inside = !inside;
        if (inside && *p == '\\') {
            const char *control = strchr("b\bf\fn\nr\rt\t", p[1]);
            *code = p[1] == 'u' ? (unsigned long)code_at(p) : (unsigned char)(control != NULL ? control[1] : p[1]);
            length = p[1] == 'u' ? 6 : 2;
        }
        if (inside && ns_utf8_is_hidden(*code))
            return p;
        p += length;
    }
    return NULL;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

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
    for (size_t i = 1; i < count && status == NS_OK; i++) {
        char path[1024];
        long line, column;
        if (strcmp(keys[i - 1], keys[i]) != 0)
            continue;
        path_of(way, path, sizeof path);
        ns_json_locate_key(in->text, path, keys[i], 1, &line, &column);
        status = ns_fail_at(in->err, NS_ERR_NAME, in->origin, line, column, "key \"%.100s\" appears twice%s%.100s%s",
                            keys[i], path[0] != '\0' ? " in \"" : "", path, path[0] != '\0' ? "\"" : "");
    }
    ns_free(keys);
    return status;
}

/* node is a null already in its place: give it the item's kind and content. */
static ns_status convert(const reader *in, const cJSON *item, ns_value *node, const trail *way)
{
    char path[100 + 1];
    long line, column;
    switch (item->type & 0xff) {
    case cJSON_False:
    case cJSON_True:
        node->kind = NS_BOOL;
        node->truth = cJSON_IsTrue(item) != 0;
        return NS_OK;
    case cJSON_Number:
        node->kind = NS_NUMBER;
        node->number = item->valuedouble;
        if (isfinite(node->number))
            return NS_OK;
        path_of(way, path, sizeof path);
        ns_json_locate(in->text, path, &line, &column);
        return ns_fail_at(in->err, NS_ERR_RANGE, in->origin, line, column, "%.100s is too large",
                          path[0] != '\0' ? path : "the number");
    case cJSON_String:
        node->kind = NS_TEXT;
        node->text = ns_value_copy(node, item->valuestring);
        return node->text != NULL ? NS_OK : ns_fail(in->err, NS_ERR_MEMORY, "out of memory for a JSON document");
    case cJSON_Array:
        node->kind = NS_LIST;
        break;
    case cJSON_Object:
        node->kind = NS_OBJECT;
        NS_TRY(check_keys(in, item, way));
        break;
    default:
        node->kind = NS_NULL;
        return NS_OK;
    }
    trail next = {.up = way};
    const cJSON *child;
    cJSON_ArrayForEach(child, item)
    {
        next.key = child->string;
        ns_value *made = ns_value_null(node, child->string);
        if (made == NULL)
            return ns_fail(in->err, NS_ERR_MEMORY, "out of memory for a JSON document");
        NS_TRY(convert(in, child, made, &next));
        next.index++;
    }
    return NS_OK;
}

ns_status ns_json_parse(const char *text, const char *origin, ns_value **root, ns_error *err)
{
    ns_error_clear(err);
    const reader in = {.text = text, .origin = origin, .err = err};
    scan s = {.p = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text};
    if (value(&s, 0)) {
        blank(&s);
        if (*s.p != '\0')
            wrong(&s, s.p, "nothing after the document");
    }
    if (s.found.wanted != NULL) {
        fault found = s.found;
        long line, column;
        ns_text_position(in.text, found.at, &line, &column);
        const int quote = (int)ns_utf8_clip(found.at, strcspn(found.at, "\r\n"), 24);
        const char *mark = quote > 0 ? "\"" : "";
        return ns_fail_at(in.err, NS_ERR_SYNTAX, in.origin, line, column, "found %s%.*s%s, wanted %s", mark,
                          quote > 0 ? quote : 60, quote > 0 ? found.at : "the end", mark, found.wanted);
    }
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
