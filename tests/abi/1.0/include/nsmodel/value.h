/* value.h of the first 1.0: its declarations */
#ifndef NSMODEL_VALUE_H
#define NSMODEL_VALUE_H

#include <stdbool.h>
#include <stddef.h>

#include <nsmodel/quantity.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ns_value_kind { NS_NULL, NS_BOOL, NS_NUMBER, NS_TEXT, NS_LIST, NS_OBJECT } ns_value_kind;

enum {
    NS_V_JSON_ONLY = 1,
    NS_V_MARK = 2,
    NS_V_NOTE = 4,
    NS_V_ROWS = 8,
    NS_V_NO_TABLE = 16,
    NS_V_NO_CSV = 32,
    NS_V_NO_JSON = 64,
    NS_V_WIDE = 128,
    NS_V_NARROW = 256,
    NS_V_HEADING = 512
};

typedef struct ns_value ns_value;

NS_API ns_value *ns_value_new(void);
NS_API void ns_value_free(ns_value *root);

NS_API ns_value *ns_value_object(ns_value *parent, const char *name);
NS_API ns_value *ns_value_list(ns_value *parent, const char *name);
NS_API ns_value *ns_value_number(ns_value *parent, const char *name, double number, ns_dim dim);
NS_API ns_value *ns_value_count(ns_value *parent, const char *name, double number);
NS_API ns_value *ns_value_text(ns_value *parent, const char *name, const char *text);
NS_API ns_value *ns_value_textf(ns_value *parent, const char *name, const char *format, ...) NS_PRINTF(3, 4);
NS_API ns_value *ns_value_bool(ns_value *parent, const char *name, bool truth);
NS_API ns_value *ns_value_null(ns_value *parent, const char *name);

NS_API ns_value *ns_value_flag(ns_value *value, unsigned flags);

NS_API ns_value *ns_value_without(const ns_value *root, unsigned flags);

NS_API bool ns_value_complete(const ns_value *root);

NS_API const ns_value *ns_value_get(const ns_value *object, const char *name);
NS_API const ns_value *ns_value_at(const ns_value *object, const char *path);

NS_API ns_value_kind ns_value_kind_of(const ns_value *value);
NS_API const char *ns_value_name(const ns_value *value);
NS_API bool ns_value_as_bool(const ns_value *value);
NS_API double ns_value_as_number(const ns_value *value);
NS_API ns_dim ns_value_dim(const ns_value *value);
NS_API const char *ns_value_as_text(const ns_value *value);

NS_API const ns_value *ns_value_first(const ns_value *value);
NS_API const ns_value *ns_value_next(const ns_value *value);

#ifdef __cplusplus
}
#endif
#endif
