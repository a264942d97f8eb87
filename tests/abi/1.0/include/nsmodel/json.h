/* json.h of the first 1.0: its declarations */
#ifndef NSMODEL_JSON_H
#define NSMODEL_JSON_H

#include <stddef.h>

#include <nsmodel/value.h>

#ifdef __cplusplus
extern "C" {
#endif

NS_API ns_status ns_json_parse(const char *text, const char *origin, ns_value **root, ns_error *err);

NS_API void ns_json_locate(const char *text, const char *path, long *line, long *column);

NS_API ns_status ns_json_write(const ns_value *root, char **text, size_t *size, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
