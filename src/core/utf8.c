/* utf8.c -- lengths in text that should be UTF-8 but need not be (Unicode 15, table 3-7) */
#include "core/utf8.h"

#include <string.h>

static bool continues(unsigned char c)
{
    return (c & 0xc0) == 0x80;
}

size_t ns_utf8_length(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] == 0)
        return 0;
    if (c[0] < 0x80)
        return 1;
    if (c[0] < 0xc2 || c[0] > 0xf4 || !continues(c[1]))
        return 0;
    if (c[0] < 0xe0)
        return 2;
    /* overlong forms, surrogates, beyond U+10FFFF */
    if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) || (c[0] == 0xf0 && c[1] < 0x90) ||
        (c[0] == 0xf4 && c[1] > 0x8f) || !continues(c[2]))
        return 0;
    if (c[0] < 0xf0)
        return 3;
    return continues(c[3]) ? 4 : 0;
}

size_t ns_utf8_count(const char *text)
{
    size_t count = 0;
    while (*text != '\0') {
        size_t length = ns_utf8_length(text);
        text += length > 0 ? length : 1;
        count++;
    }
    return count;
}

size_t ns_utf8_clip(const char *text, size_t length, size_t limit)
{
    if (length <= limit)
        return length;
    while (limit > 0 && continues((unsigned char)text[limit]))
        limit--;
    return limit;
}

unsigned long ns_utf8_code(const char *text, size_t length)
{
    static const unsigned char first[] = {0xff, 0x7f, 0x1f, 0x0f, 0x07};
    unsigned long code = (unsigned char)text[0] & first[length];
    for (size_t i = 1; i < length; i++)
        code = code << 6 | ((unsigned char)text[i] & 0x3f);
    return code;
}

bool ns_utf8_is_hidden(unsigned long code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x200e || code == 0x200f ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || (code & 0xfffe) == 0xfffe;
}

bool ns_utf8_hides(const char *text)
{
    while (*text != '\0') {
        const size_t length = ns_utf8_length(text);
        if (ns_utf8_is_hidden(ns_utf8_code(text, length)))
            return true;
        text += length > 0 ? length : 1;
    }
    return false;
}

void ns_utf8_mask(char *text)
{
    while (*text != '\0') {
        const size_t found = ns_utf8_length(text), length = found > 0 ? found : 1;
        if (ns_utf8_is_hidden(ns_utf8_code(text, found)))
            memset(text, '?', length);
        text += length;
    }
}
