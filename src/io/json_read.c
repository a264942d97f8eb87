/* json_read.c -- JSON text to a value tree, by recursive descent
 *
 * Stricter than RFC 8259 in depth, in length of numbers, and in that strings must not contain U+0000; laxer in that
 * strings need not be UTF-8 and that the text may begin with a byte order mark.
 */
#include <nsmodel/json.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/own.h"
#include "core/utf8.h"
#include "core/value.h"
#include "io/locate.h"

enum { DEPTH_MOST = 1000, NUMBER_MOST = 63, PATH = 1024 };

/* ---- the grammar ------------------------------------------------------------------------------------------------- */

typedef struct reader {
    const char *p;      /* the rest of the text */
    const char *fault;  /* where the text is invalid */
    const char *wanted; /* what was expected there: "a value", "\",\" or \"}\"", ...; NULL while there is no error */
} reader;

static bool wrong(reader *in, const char *at, const char *wanted)
{
    in->fault = at;
    in->wanted = wanted;
    return false;
}

static void blank(reader *in)
{
    in->p += strspn(in->p, " \t\n\r");
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

/* Write the escape at in->p as UTF-8 at *to, which is advanced. */
static bool escape(reader *in, char **to)
{
    static const char written[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    if (in->p[1] != 'u') {
        const char *letter = in->p[1] != '\0' ? strchr(written, in->p[1]) : NULL;
        if (letter == NULL)
            return wrong(in, in->p, "an escape like \\n or \\u00b5");
        *(*to)++ = meant[letter - written];
        in->p += 2;
        return true;
    }
    long code = code_at(in->p);
    if (code <= 0)
        return wrong(in, in->p, code == 0 ? "no character \\u0000" : "four hexadecimal digits after \\u");
    if (code >= 0xd800 && code <= 0xdfff) { /* a high and a low surrogate together make one character */
        const long low = code_at(in->p + 6);
        if (code >= 0xdc00 || low < 0xdc00 || low > 0xdfff)
            return wrong(in, in->p, "both halves of a surrogate pair");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        in->p += 6;
    }
    in->p += 6;
    const int length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (int i = length - 1; i > 0; i--, code >>= 6)
        (*to)[i] = (char)(0x80 | (code & 0x3f));
    (*to)[0] = (char)(lead[length] | code);
    *to += length;
    return true;
}

/* The string at in->p, in memory of node's tree; it needs no more bytes than in the text. */
static bool string(reader *in, ns_value *node, const char **text)
{
    const char *begin = in->p++;
    size_t room = 1;
    while (begin[room] != '"' && begin[room] != '\0')
        room += begin[room] == '\\' && begin[room + 1] != '\0' ? 2 : 1;
    char *to = ns_value_take(node, room);
    if (to == NULL)
        return false;
    *text = to;
    while (*in->p != '"') {
        if (*in->p == '\0' || *in->p == '\n' || *in->p == '\r')
            return wrong(in, begin, "a closing quote on the same line");
        if ((unsigned char)*in->p < 0x20)
            return wrong(in, in->p, "an escape for the control character");
        if (*in->p != '\\')
            *to++ = *in->p++;
        else if (!escape(in, &to))
            return false;
    }
    *to = '\0';
    in->p++;
    return true;
}

/* Read the value at in->p into a node that is already in its parent; false when the text is invalid or memory is
 * out. */
static bool value(reader *in, ns_value *node, int depth)
{
    static const struct {
        const char *word;
        ns_value_kind kind;
        bool truth;
    } words[] = {{"true", NS_BOOL, true}, {"false", NS_BOOL, false}, {"null", NS_NULL, false}};
    static const char decimal[] = "0123456789";
    blank(in);
    const char *begin = in->p;
    if (*begin == '"') {
        node->kind = NS_TEXT;
        return string(in, node, &node->text);
    }
    if (*begin == '-' || (*begin >= '0' && *begin <= '9')) {
        const char *p = begin + (*begin == '-');
        if (p[0] == '0' && p[1] >= '0' && p[1] <= '9')
            return wrong(in, begin, "a number without leading zeros");
        size_t count = strspn(p, decimal);
        p += count;
        if (count > 0 && *p == '.') {
            count = strspn(++p, decimal);
            p += count;
        }
        if (count > 0 && (*p == 'e' || *p == 'E')) {
            p += p[1] == '+' || p[1] == '-' ? 2 : 1;
            count = strspn(p, decimal);
            p += count;
        }
        in->p = p;
        if (count == 0)
            return wrong(in, begin, "a number like 0.5 or -1e-6");
        if (in->p - begin > NUMBER_MOST)
            return wrong(in, begin, "a number of at most 63 characters");
        node->kind = NS_NUMBER;
        node->number = ns_strtod(begin, NULL);
        return true;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(begin, words[i].word, strlen(words[i].word)) == 0) {
            in->p += strlen(words[i].word);
            node->kind = words[i].kind;
            node->truth = words[i].truth;
            return true;
        }
    if (*begin != '{' && *begin != '[')
        return wrong(in, begin, "a value");
    if (depth == DEPTH_MOST)
        return wrong(in, begin, "at most 1000 levels of brackets");

    /* members of an object, or elements of a list, up to the closing bracket */
    const bool object = *in->p++ == '{';
    const char close = object ? '}' : ']';
    node->kind = object ? NS_OBJECT : NS_LIST;
    blank(in);
    for (bool more = *in->p != close; more; in->p += more) {
        const char *key = "";
        blank(in);
        if (object) {
            if (*in->p != '"')
                return wrong(in, in->p, "a key in double quotes");
            if (!string(in, node, &key))
                return false;
            blank(in);
            if (*in->p++ != ':')
                return wrong(in, in->p - 1, "\":\" after the key");
        }
        ns_value *child = ns_value_null(node, NULL);
        if (child == NULL)
            return false;
        child->name = key;
        if (!value(in, child, depth + 1))
            return false;
        blank(in);
        more = *in->p != close;
        if (more && *in->p != ',')
            return wrong(in, in->p, object ? "\",\" or \"}\"" : "\",\" or \"]\"");
    }
    in->p++;
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

/* ---- the document ------------------------------------------------------------------------------------------------ */

static int compare_keys(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* No number beyond double, no duplicate key; path leads from the root to the node, for messages. */
static ns_status check(const char *text, const char *origin, const ns_value *node, char path[PATH], ns_error *err)
{
    const bool object = node->kind == NS_OBJECT;
    const size_t length = strlen(path);
    size_t count = 0, n = 0;
    long line, column;
    if (!isfinite(node->number)) {
        ns_json_locate(text, path, &line, &column);
        return ns_fail_at(err, NS_ERR_RANGE, origin, line, column, "%.100s is too large",
                          length > 0 ? path : "the number");
    }
    for (const ns_value *child = object ? node->first : NULL; child != NULL; child = child->next)
        count++;
    NS_OWN(ns_free) const char **keys = count > 1 ? ns_malloc(ns_size_mul(count, sizeof *keys)) : NULL;
    if (count > 1 && keys == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory for %zu keys", count);
    for (const ns_value *child = node->first; keys != NULL && child != NULL; child = child->next)
        keys[n++] = child->name;
    if (keys != NULL)
        qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 1; i < count; i++)
        if (strcmp(keys[i - 1], keys[i]) == 0) {
            ns_json_locate_key(text, path, keys[i], 1, &line, &column);
            return ns_fail_at(err, NS_ERR_NAME, origin, line, column, "key \"%.100s\" appears twice%s%.100s%s",
                              keys[i], length > 0 ? " in \"" : "", path, length > 0 ? "\"" : "");
        }
    n = 0;
    for (const ns_value *child = node->first; child != NULL; child = child->next, n++) {
        if (child->first == NULL && isfinite(child->number))
            continue;
        const char *dot = length > 0 ? "." : "";
        if (object)
            snprintf(path + length, PATH - length, "%s%s", dot, child->name);
        else
            snprintf(path + length, PATH - length, "%s%zu", dot, n);
        NS_TRY(check(text, origin, child, path, err));
    }
    path[length] = '\0';
    return NS_OK;
}

ns_status ns_json_parse(const char *text, const char *origin, ns_value **root, ns_error *err)
{
    ns_error_clear(err);
    char path[PATH] = "";
    reader in = {.p = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text};
    ns_value *made = ns_value_new();
    bool whole = made != NULL && value(&in, made, 0);
    if (whole) {
        blank(&in);
        whole = *in.p == '\0' || wrong(&in, in.p, "nothing after the document");
    }
    ns_status status;
    if (whole)
        status = check(text, origin, made, path, err);
    else if (in.wanted == NULL)
        status = ns_fail(err, NS_ERR_MEMORY, "out of memory for a JSON document");
    else {
        long line, column;
        ns_text_position(text, in.fault, &line, &column);
        const int quote = (int)ns_utf8_clip(in.fault, strcspn(in.fault, "\r\n"), 24);
        const char *mark = quote > 0 ? "\"" : "";
        status = ns_fail_at(err, NS_ERR_SYNTAX, origin, line, column, "found %s%.*s%s, wanted %s", mark,
                            quote > 0 ? quote : 60, quote > 0 ? in.fault : "the end", mark, in.wanted);
    }
    if (status == NS_OK)
        *root = made;
    else
        ns_value_free(made);
    return status;
}
