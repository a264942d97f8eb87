/* utf8.h -- lengths in text that should be UTF-8 but need not be */
#ifndef NS_CORE_UTF8_H
#define NS_CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* An ASCII digit, and the lower case of an ASCII letter, whatever the locale. */
static inline bool ns_is_digit(int c)
{
    return (unsigned)c - '0' < 10u;
}

static inline char ns_lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Bytes of the well-formed UTF-8 character that text begins with: 1 to 4; 0 at the end or when it is malformed. */
size_t ns_utf8_length(const char *text);

/* Characters in text; a malformed byte counts as one. */
size_t ns_utf8_count(const char *text);

/* The largest length <= limit (and <= length) that does not split a character of text. */
size_t ns_utf8_clip(const char *text, size_t length, size_t limit);

/* The code point of a character of that length; for a malformed byte, its value. */
unsigned long ns_utf8_code(const char *text, size_t length);

/* Is it a code point that is not displayed but affects the text around it?  Controls (C0, delete, C1), line and
 * paragraph separators, direction marks and embeddings, and noncharacters. */
bool ns_utf8_is_hidden(unsigned long code);

/* Does text contain a hidden character? */
bool ns_utf8_hides(const char *text);

/* Replace each byte of hidden characters by "?". */
void ns_utf8_mask(char *text);

#endif
