/* locate.c -- the position of a key path in JSON text
 *
 * The parser keeps no positions; this code rescans the text, after errors only.  The text need not be well-formed: what
 * cannot be parsed is not found.  Keys are compared as written, including escapes.
 */
#include "io/locate.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *skip_blank(const char *p)
{
    while (*p != '\0' && (unsigned char)*p <= ' ')
        p++;
    return p;
}

static const char *skip_string(const char *p)
{
    for (p++; *p != '\0' && *p != '"'; p++)
        if (*p == '\\' && p[1] != '\0')
            p++;
    return *p == '"' ? p + 1 : p;
}

static const char *skip_value(const char *p)
{
    long depth = 0;
    while (*p != '\0') {
        if (depth == 0 && (*p == ',' || *p == '}' || *p == ']'))
            break;
        depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
        p = *p == '"' ? skip_string(p) : p + 1;
    }
    return p;
}

/* One member of an object or list: where it, its key and its value begin.  False at the end. */
typedef struct member {
    const char *at, *key, *value;
    size_t key_length;
} member;

static bool next_member(bool object, member *m)
{
    if (m->value != NULL) {
        const char *end = skip_value(m->value);
        if (*end != ',')
            return false;
        m->at = end;
    }
    m->key = m->value = skip_blank(m->at + 1);
    if (!object)
        return *m->value != ']' && *m->value != '\0';
    if (*m->key != '"')
        return false;
    const char *end = skip_string(m->key);
    m->key_length = (size_t)(end - m->key) - (end[-1] == '"' && end > m->key + 1 ? 2 : 1);
    m->value = skip_blank(end);
    if (*m->value != ':')
        return false;
    m->value = skip_blank(m->value + 1);
    return true;
}

/* Does path begin with name, as a whole step?  Returns the rest of the path, or NULL. */
static const char *step(const char *path, const char *name, size_t length)
{
    if (strncmp(path, name, length) != 0 || (path[length] != '.' && path[length] != '\0'))
        return NULL;
    return path + length + (path[length] == '.');
}

static const char *find(const char *value, const char *path)
{
    if (*path == '\0')
        return value;
    if (*value != '{' && *value != '[')
        return NULL;
    member m = {.at = value};
    for (size_t i = 0; next_member(*value == '{', &m); i++) {
        char number[24];
        int digits = snprintf(number, sizeof number, "%zu", i);
        const char *rest = *value == '{' ? step(path, m.key + 1, m.key_length) : step(path, number, (size_t)digits);
        const char *found = rest != NULL ? find(m.value, rest) : NULL;
        if (found != NULL)
            return found;
    }
    return NULL;
}

static const char *document(const char *text)
{
    return skip_blank(strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text);
}

void ns_text_position(const char *text, const char *at, long *line, long *column)
{
    *line = 1;
    *column = 1;
    for (const char *p = text; p < at; p++) {
        *column = *p == '\n' ? 1 : *column + 1;
        *line += *p == '\n';
    }
}

void ns_json_locate(const char *text, const char *path, long *line, long *column)
{
    const char *found = find(document(text), path);
    ns_text_position(text, found != NULL ? found : text, line, column);
}

void ns_json_locate_key(const char *text, const char *path, const char *key, size_t nth, long *line, long *column)
{
    const char *object = find(document(text), path), *found = text;
    member m = {.at = object};
    while (object != NULL && *object == '{' && next_member(true, &m)) {
        if (m.key_length != strlen(key) || strncmp(m.key + 1, key, m.key_length) != 0 || nth-- > 0)
            continue;
        found = m.key;
        break;
    }
    ns_text_position(text, found, line, column);
}
