/* model.h of the first 1.0: its declarations */
#ifndef NSMODEL_MODEL_H
#define NSMODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include <nsmodel/machine.h>
#include <nsmodel/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_model ns_model;

NS_API const ns_model *const *ns_models(void);
NS_API const ns_model *ns_model_find(const char *name);

NS_API ns_status ns_model_get(const char *name, const ns_model **model, ns_error *err);

typedef struct ns_model_info {
    size_t size;
    const char *name, *title;
    const char *source;
    const char *notes;
    size_t inputs, outputs;
    bool wants_machine;
} ns_model_info;
NS_API ns_status ns_model_describe(const ns_model *model, ns_model_info *info, ns_error *err);

typedef enum ns_field_kind {
    NS_FIELD_NUMBER,
    NS_FIELD_WORD,
    NS_FIELD_LIST,
    NS_FIELD_TERM,
    NS_FIELD_END
} ns_field_kind;

typedef struct ns_field_info {
    size_t size;
    const char *name, *unit, *doc;
    ns_field_kind kind;
    const char *const *words;
    double least, most;
    bool has_default;
    double neutral;
} ns_field_info;

NS_API ns_status ns_model_input(const ns_model *model, size_t index, ns_field_info *info, ns_error *err);
NS_API ns_status ns_model_output(const ns_model *model, size_t index, ns_field_info *info, ns_error *err);

NS_API size_t ns_model_outputs(const ns_model *model);

typedef struct ns_binding ns_binding;

NS_API ns_status ns_binding_open(const ns_model *model, const ns_machine *machine, ns_binding **binding, ns_error *err);
NS_API void ns_binding_free(ns_binding *binding);

NS_API ns_status ns_bind_text(ns_binding *binding, const char *assignment, ns_error *err);

NS_API ns_status ns_bind_number(ns_binding *binding, const char *name, double value, ns_error *err);
NS_API ns_status ns_bind_word(ns_binding *binding, const char *name, const char *word, ns_error *err);

NS_API ns_status ns_bind_close(ns_binding *binding, ns_error *err);

NS_API ns_status ns_binding_eval(const ns_binding *binding, double *output, ns_error *err);

NS_API const char *ns_bind_beyond(const ns_binding *binding, char *text, size_t size);

NS_API const char *ns_bind_assumed(const ns_binding *binding, char *text, size_t size);

typedef struct ns_column {
    const char *name;
    const double *value;
} ns_column;

NS_API ns_status ns_eval_batch(const ns_binding *binding, const ns_column *column, size_t columns, size_t n,
                               double *out, size_t *done, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
