/* utf8.h -- lengths in text that should be UTF-8 but need not be */
#ifndef NS_CORE_UTF8_H
#define NS_CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the well-formed UTF-8 character that text begins with: 1 to 4; 0 at the end or when it is malformed. */
size_t ns_utf8_length(const char *text);

/* Bytes of the character that text, which is not at its end, begins with, a byte that belongs to none being one of its
 * own.  *control: C0, delete, C1, or a byte of 80 to 9F that belongs to none, which terminals without UTF-8 obey. */
size_t ns_utf8_step(const char *text, bool *control);

/* Characters in text; a byte that belongs to none counts as one. */
size_t ns_utf8_count(const char *text);

/* The longest length <= limit (and <= length) that does not cut a character of text in two. */
size_t ns_utf8_clip(const char *text, size_t length, size_t limit);

#endif
