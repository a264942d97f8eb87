/* json_check.h -- is it JSON, and if not, where does that show */
#ifndef NS_IO_JSON_CHECK_H
#define NS_IO_JSON_CHECK_H

enum { NS_JSON_DEPTH = 1000, NS_JSON_NUMBER = 63 };

typedef struct ns_json_fault {
    const char *at;     /* in the text */
    const char *wanted; /* "a value", "\",\" or \"}\"", ...; NULL while nothing is wrong */
} ns_json_fault;

/* The first fault of text, or {NULL, NULL}.  Stricter than RFC 8259 in depth, in length of numbers, and in that no text
 * holds the character U+0000; laxer in that bytes of texts need not be UTF-8 and that a byte order mark may come first.
 */
ns_json_fault ns_json_check(const char *text);

/* The first hidden character (core/utf8.h) in a string of text that passed, as it stands there, plain or as an escape;
 * *code is its code point.  NULL: there is none. */
const char *ns_json_hidden(const char *text, unsigned long *code);

#endif
