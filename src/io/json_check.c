/* json_check.c -- is it JSON (RFC 8259), and if not, where does that show
 *
 * cJSON says where it gave up, which may be a byte late or at the end of the text, and takes "01", "1." and raw control
 * characters.  What passes here, cJSON reads.
 */
#include "io/json_check.h"

#include <stdbool.h>
#include <string.h>

#include "core/utf8.h"

typedef struct scan {
    const char *p;
    ns_json_fault fault;
} scan;

static bool wrong(scan *s, const char *at, const char *wanted)
{
    s->fault = (ns_json_fault){.at = at, .wanted = wanted};
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

static bool digits(scan *s, const char *number)
{
    if (!is_digit(*s->p))
        return wrong(s, number, "a number like 0.5 or -1e-6");
    while (is_digit(*s->p))
        s->p++;
    return true;
}

static bool number(scan *s)
{
    const char *begin = s->p;
    s->p += *s->p == '-';
    if (s->p[0] == '0' && is_digit(s->p[1]))
        return wrong(s, begin, "a number without leading zeros");
    if (!digits(s, begin))
        return false;
    if (*s->p == '.') {
        s->p++;
        if (!digits(s, begin))
            return false;
    }
    if (*s->p == 'e' || *s->p == 'E') {
        s->p += s->p[1] == '+' || s->p[1] == '-' ? 2 : 1;
        if (!digits(s, begin))
            return false;
    }
    return s->p - begin <= NS_JSON_NUMBER || wrong(s, begin, "a number of at most 63 characters");
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

static bool value(scan *s, int depth);

/* Members of an object, or elements of a list, up to the closing bracket. */
static bool members(scan *s, bool object, int depth)
{
    const char close = object ? '}' : ']';
    s->p++;
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
        if (!value(s, depth))
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

static bool value(scan *s, int depth)
{
    static const char *const words[] = {"true", "false", "null"};
    blank(s);
    if (*s->p == '{' || *s->p == '[')
        return depth < NS_JSON_DEPTH ? members(s, *s->p == '{', depth + 1)
                                     : wrong(s, s->p, "at most 1000 levels of brackets");
    if (*s->p == '"')
        return string(s);
    if (*s->p == '-' || is_digit(*s->p))
        return number(s);
    for (int i = 0; i < 3; i++)
        if (strncmp(s->p, words[i], strlen(words[i])) == 0) {
            s->p += strlen(words[i]);
            return true;
        }
    return wrong(s, s->p, "a value");
}

ns_json_fault ns_json_check(const char *text)
{
    scan s = {.p = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text};
    if (value(&s, 0)) {
        blank(&s);
        if (*s.p != '\0')
            wrong(&s, s.p, "nothing after the document");
    }
    return s.fault;
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
