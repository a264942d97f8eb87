/* model.h -- closed forms by name: inputs as text or numbers, outputs as numbers, one point or many
 *
 * A model is a row of inputs, a formula and a row of outputs.  A binding holds the inputs given so far; closing it
 * fills in the rest from the machine, from other inputs and from neutral defaults.  Numbers are SI.
 */
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

/* Every registered model, sorted by name, terminated by NULL. */
NS_API const ns_model *const *ns_models(void);
NS_API const ns_model *ns_model_find(const char *name); /* NULL when there is none, or name is NULL */
/* The same; an unknown name is an error that offers the closest. */
NS_API ns_status ns_model_get(const char *name, const ns_model **model, ns_error *err);

/* What a model is.  Texts are static. */
typedef struct ns_model_info {
    size_t size; /* of this struct, set by the caller */
    const char *name, *title;
    const char *source;     /* paper and equation */
    const char *notes;      /* when it is wrong, or "" */
    size_t inputs, outputs; /* how many */
    bool wants_machine;     /* it reads the machine's tables */
} ns_model_info;
NS_API ns_status ns_model_describe(const ns_model *model, ns_model_info *info, ns_error *err);

typedef enum ns_field_kind {
    NS_FIELD_NUMBER, /* a number */
    NS_FIELD_WORD,   /* one of several words */
    NS_FIELD_LIST,   /* several numbers */
    NS_FIELD_TERM,   /* an output that is a summand of the total */
    NS_FIELD_END
} ns_field_kind;

/* One input or output. */
typedef struct ns_field_info {
    size_t size; /* of this struct, set by the caller */
    const char *name, *unit, *doc;
    ns_field_kind kind;
    const char *const *words; /* NS_FIELD_WORD: terminated by NULL; else NULL */
    double least, most;       /* of an input, in SI */
    bool has_default;
    double neutral; /* the default */
} ns_field_info;
/* The index-th input and output; NS_ERR_RANGE past the last. */
NS_API ns_status ns_model_input(const ns_model *model, size_t index, ns_field_info *info, ns_error *err);
NS_API ns_status ns_model_output(const ns_model *model, size_t index, ns_field_info *info, ns_error *err);

/* How many outputs a model has. */
NS_API size_t ns_model_outputs(const ns_model *model);

/* ---- a binding -------------------------------------------------------------------------------------------------- */

/* Inputs given so far.  Give them in any order, close the binding, then evaluate it.  One thread at a time. */
typedef struct ns_binding ns_binding;

/* Make an empty binding.  The machine is borrowed, or NULL.  Free with ns_binding_free (NULL is fine). */
NS_API ns_status ns_binding_open(const ns_model *model, const ns_machine *machine, ns_binding **binding, ns_error *err);
NS_API void ns_binding_free(ns_binding *binding);

/* "NAME=VALUE" as typed: an input or one of locality=, memory=, protocol= (auto or a word). */
NS_API ns_status ns_bind_text(ns_binding *binding, const char *assignment, ns_error *err);
/* An input by name, SI value; unknown names are an error. */
NS_API ns_status ns_bind_number(ns_binding *binding, const char *name, double value, ns_error *err);
NS_API ns_status ns_bind_word(ns_binding *binding, const char *name, const char *word, ns_error *err);
/* Fill in the rest from the machine, from other inputs and from defaults.  If inputs are missing, the error names all
 * of them. */
NS_API ns_status ns_bind_close(ns_binding *binding, ns_error *err);

/* The outputs of a closed binding, SI: output[ns_model_outputs], in the order of ns_model_output.  An output that is
 * not finite is NS_ERR_RANGE. */
NS_API ns_status ns_binding_eval(const ns_binding *binding, double *output, ns_error *err);

/* Says which input is beyond the data behind the model: "s = 1 MiB is beyond 4 KiB, where the data behind sharp end";
 * "" if none is. */
NS_API const char *ns_bind_beyond(const ns_binding *binding, char *text, size_t size);
/* Says which inputs of a closed binding are assumptions: "L and c_1 of spin-allreduce are assumed on fpspin: no source
 * gives them"; "" if none is. */
NS_API const char *ns_bind_assumed(const ns_binding *binding, char *text, size_t size);

/* ---- many points ------------------------------------------------------------------------------------------------ */

/* The values of one number input, in SI: one for each point. */
typedef struct ns_column {
    const char *name;
    const double *value;
} ns_column;

/* n points that differ in some inputs: as if for each point the columns' values were given to a copy of the binding
 * (which is open) by ns_bind_number, the copy closed and evaluated, but names and tables are resolved once.  out[i *
 * outputs + k] gets output k of point i, ns_model_outputs of them.  The first point that fails ends the call with
 * its error; *done is the number of points before it.  Allocates nothing. */
NS_API ns_status ns_eval_batch(const ns_binding *binding, const ns_column *column, size_t columns, size_t n,
                               double *out, size_t *done, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
