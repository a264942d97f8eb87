/* json.h -- the value tree as JSON, both ways */
#ifndef NSMODEL_JSON_H
#define NSMODEL_JSON_H

#include <stddef.h>

#include <nsmodel/value.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Parse JSON text.  Duplicate keys and anything after the document are errors with line and column.  *root is
 * allocated; free it with ns_value_free.  Numbers have no dimension. */
NS_API ns_status ns_json_parse(const char *text, const char *origin, ns_value **root, ns_error *err);

/* Where the value at a path of keys ("a.b.c"; list elements by number) begins in the text; 1:1 when it is not there.
 * For messages only. */
NS_API void ns_json_locate(const char *text, const char *path, long *line, long *column);

/* The tree as JSON text, UTF-8, two-space indentation, shortest digits that read back the same, ended by a newline.
 * *text is allocated; free it. */
NS_API ns_status ns_json_write(const ns_value *root, char **text, size_t *size, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
