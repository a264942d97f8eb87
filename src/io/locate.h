/* locate.h -- positions in JSON text, for messages */
#ifndef NS_IO_LOCATE_H
#define NS_IO_LOCATE_H

#include <stddef.h>

#include <nsmodel/json.h>

/* Line and column, from 1, of a byte of text. */
void ns_text_position(const char *text, const char *at, long *line, long *column);

/* The position of the nth (from 0) key of that name in the object at path ("" for the root); 1:1 when it is not
 * there. */
void ns_json_locate_key(const char *text, const char *path, const char *key, size_t nth, long *line, long *column);

/* The first hidden character (core/utf8.h) in a string of a JSON text, literal or as an escape; *code is its code
 * point.  NULL: there is none. */
const char *ns_json_hidden(const char *text, unsigned long *code);

#endif
