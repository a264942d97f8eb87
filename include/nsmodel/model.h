/* model.h -- what a model file needs: rows of inputs and outputs, the machine read-only, a pure eval
 *
 * A model is one const descriptor at the end of its own file in models/.  Its rows drive parsing, help, docs and JSON.
 * eval gets plain structs, all numbers in SI, checked by bind against the rows; it allocates nothing, prints nothing
 * and keeps nothing.
 */
#ifndef NSMODEL_MODEL_H
#define NSMODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include <nsmodel/machine.h>
#include <nsmodel/status.h>
#include <nsmodel/value.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ns_field_kind {
    NS_FIELD_NUMBER, /* double */
    NS_FIELD_WORD,   /* int, index into words */
    NS_FIELD_LIST,   /* ns_numbers */
    NS_FIELD_TERM,   /* double output, a summand of the total */
    NS_FIELD_END
} ns_field_kind;

enum { NS_LIST_MAX = 64 };
typedef struct ns_numbers {
    size_t count;
    double at[NS_LIST_MAX];
} ns_numbers;

/* One row: an input or an output of a model. */
typedef struct ns_field {
    const char *name;
    size_t offset;
    ns_field_kind kind;
    const char *unit;        /* display unit and dimension, "1" for a pure number */
    const char *doc;         /* what it means */
    const char *from; /* input: path in the machine it may come from, or "=other" for another input's value; {memory},
                         {locality}, {protocol} stand for the selectors; NULL when only the user can give it */
    const char *const *words;/* NS_FIELD_WORD: the words, closed by NULL */
    double least, most;      /* inputs: closed range, in SI */
    bool has_default;
    double neutral;          /* the default, only ever neutral: a factor of 1, an offset of 0, the first word */
    bool open;               /* least itself is refused (a divisor) */
    const char *also;        /* input: what others of its family call it, taken as well; or NULL */
    double fitted;           /* input: the largest value that the data behind the form reach; 0: not known */
} ns_field;

#define NS_MOST 1e300
/* number >= 0 */
#define NS_IN(x, unit_, doc_)                                                                                          \
    {                                                                                                                  \
        .name = #x, .offset = offsetof(struct in, x), .kind = NS_FIELD_NUMBER, .unit = unit_, .doc = doc_,             \
        .most = NS_MOST                                                                                                \
    }
/* number > 0 */
#define NS_IN_POSITIVE(x, unit_, doc_)                                                                                 \
    {                                                                                                                  \
        .name = #x, .offset = offsetof(struct in, x), .kind = NS_FIELD_NUMBER, .unit = unit_, .doc = doc_,             \
        .most = NS_MOST, .open = true                                                                                  \
    }
/* number >= 0 that the machine can give */
#define NS_IN_FROM(x, unit_, doc_, path) \
    { .name = #x, .offset = offsetof(struct in, x), .kind = NS_FIELD_NUMBER, .unit = unit_, .doc = doc_, .from = path, \
      .most = NS_MOST }
/* number > 0 that the machine can give */
#define NS_IN_POSITIVE_FROM(x, unit_, doc_, path) \
    { .name = #x, .offset = offsetof(struct in, x), .kind = NS_FIELD_NUMBER, .unit = unit_, .doc = doc_, .from = path, \
      .most = NS_MOST, .open = true }
/* number >= 0 with a neutral default */
#define NS_IN_DEFAULT(x, unit_, doc_, value)                                                                           \
    {                                                                                                                  \
        .name = #x, .offset = offsetof(struct in, x), .kind = NS_FIELD_NUMBER, .unit = unit_, .doc = doc_,             \
        .most = NS_MOST, .has_default = true, .neutral = value                                                         \
    }
/* whole-range control */
#define NS_IN_RANGE(x, unit_, doc_, lo, hi) \
    { .name = #x, .offset = offsetof(struct in, x), .kind = NS_FIELD_NUMBER, .unit = unit_, .doc = doc_, .least = lo, \
      .most = hi }
/* one of several words; the first is the default */
#define NS_WORD(x, words_, doc_) \
    { .name = #x, .offset = offsetof(struct in, x), .kind = NS_FIELD_WORD, .unit = "", .doc = doc_, .words = words_, \
      .has_default = true }
#define NS_IN_LIST(x, unit_, doc_) \
    { .name = #x, .offset = offsetof(struct in, x), .kind = NS_FIELD_LIST, .unit = unit_, .doc = doc_, .most = NS_MOST }
/* outputs: terms first (they add up to the last row), total last */
#define NS_TERM(x, unit_, doc_) \
    { .name = #x, .offset = offsetof(struct out, x), .kind = NS_FIELD_TERM, .unit = unit_, .doc = doc_ }
#define NS_OUT(x, unit_, doc_) \
    { .name = #x, .offset = offsetof(struct out, x), .kind = NS_FIELD_NUMBER, .unit = unit_, .doc = doc_ }
#define NS_END { .kind = NS_FIELD_END }

typedef ns_status ns_eval_fn(const ns_machine *machine, const void *input, void *output, ns_error *err);

typedef struct ns_model {
    const char *name;     /* the file's stem, with - for _ */
    const char *title;
    const char *source;   /* paper and equation */
    const char *notes;    /* when it is wrong; NULL for nothing to add */
    const ns_field *inputs, *outputs;
    size_t in_size, out_size;
    bool wants_machine;   /* eval reads the machine's tables */
    /* Bytes of one message: chooses the protocol of "{protocol}" rows; NULL if none. */
    double (*message)(const void *input);
    ns_eval_fn *eval;
} ns_model;

#define NS_FIELDS(inputs_, outputs_) \
    .inputs = inputs_, .outputs = outputs_, .in_size = sizeof(struct in), .out_size = sizeof(struct out)

/* No model's structs are larger, so that callers can keep them on the stack. */
enum { NS_MODEL_BYTES = 4096 };
typedef union ns_model_buffer {
    double align;
    char bytes[NS_MODEL_BYTES];
} ns_model_buffer;

/* Every registered model, sorted by name, closed by NULL. */
NS_API const ns_model *const *ns_models(void);
NS_API const ns_model *ns_model_find(const char *name); /* NULL when there is none, or for a name of NULL */
/* The same; an unknown name is an error that offers the closest. */
NS_API ns_status ns_model_get(const char *name, const ns_model **model, ns_error *err);

/* Words that choose the row of the machine's tables for "{...}" inputs. */
typedef struct ns_selectors {
    ns_locality locality; /* default off-node */
    ns_memory memory;     /* default host */
    int protocol;         /* an ns_protocol, or -1: by message size */
} ns_selectors;
#define NS_SELECTORS_DEFAULT ((ns_selectors){NS_OFF_NODE, NS_HOST, -1})

/* A binding under construction: values given so far.  Give in any order, then close; then eval may run. */
typedef struct ns_binding {
    const ns_model *model;
    const ns_machine *machine;      /* or NULL */
    ns_selectors selectors;
    unsigned char given[64];        /* by input: 0 none, else an ns_given */
    ns_protocol used_protocol;      /* set by ns_bind_close where "{protocol}" was resolved */
    bool used_machine;              /* any input came from the machine */
    ns_model_buffer in;
} ns_binding;

typedef enum ns_given { NS_GIVEN_NONE, NS_GIVEN_USER, NS_GIVEN_MACHINE, NS_GIVEN_DEFAULT, NS_GIVEN_SAME } ns_given;

NS_API void ns_bind_open(ns_binding *binding, const ns_model *model, const ns_machine *machine);
/* "NAME=VALUE" as typed: an input or one of locality=, memory=, protocol= (auto or a word). */
NS_API ns_status ns_bind_text(ns_binding *binding, const char *assignment, ns_error *err);
/* An input by name, SI value; unknown names are an error. */
NS_API ns_status ns_bind_number(ns_binding *binding, const char *name, double value, ns_error *err);
NS_API ns_status ns_bind_word(ns_binding *binding, const char *name, const char *word, ns_error *err);
/* Fill the rest from the machine, from other inputs and from defaults; a missing input is an error that names them
 * all. */
NS_API ns_status ns_bind_close(ns_binding *binding, ns_error *err);
/* Path in the machine that an input's row stands for under the binding's selectors; NULL when it has none. */
NS_API const char *ns_bind_path(const ns_binding *binding, const ns_field *input, char *buffer, size_t size);

/* Evaluate a closed binding.  out is at least out_size bytes.  A non-finite output is NS_ERR_RANGE. */
NS_API ns_status ns_model_eval(const ns_binding *binding, void *out, ns_error *err);

/* ---- many points ---- */

/* The values of one number input, in SI: one for each point. */
typedef struct ns_column {
    const char *name;
    const double *value;
} ns_column;

/* How many outputs a model has. */
NS_API size_t ns_model_outputs(const ns_model *model);

/* n points that differ in some inputs: as if for each point the columns' values were given to a copy of the binding
 * (which is open) by ns_bind_number, the copy closed and evaluated, but names and tables are resolved once.  out[i *
 * outputs + k] gets output k of point i, as many as ns_model_outputs tells.  The first point that fails ends it, with
 * its error; *done says how many came before.  Allocates nothing. */
NS_API ns_status ns_eval_batch(const ns_binding *binding, const ns_column *column, size_t columns, size_t n,
                               double *out, size_t *done, ns_error *err);

/* Value of an output row (or a number input row) in its struct, SI. */
NS_API double ns_field_number(const ns_field *field, const void *record);
NS_API const ns_field *ns_field_find(const ns_field *fields, const char *name);
/* "s = 1 MiB is beyond 4 KiB, where the data behind sharp end", or "": an input that is. */
NS_API const char *ns_bind_beyond(const ns_binding *binding, char *text, size_t size);
/* "L and c_1 of spin-allreduce are assumed on fpspin: no source gives them", or "": what of a closed binding is. */
NS_API const char *ns_bind_assumed(const ns_binding *binding, char *text, size_t size);
/* Is that its name, or what others of its family call it? */
NS_API bool ns_field_is(const ns_field *field, const char *name);

/* Helpers for models that read the tables: NS_OK, or an error that names the missing table. */
NS_API ns_status ns_model_line(const ns_machine *machine, int memory, int locality, int protocol_or_auto, double bytes,
                               const ns_line **line, ns_error *err);
NS_API ns_status ns_model_copy_line(const ns_machine *machine, int processes, const ns_copy_line **copy, ns_error *err);
/* "auto", "short", "eager", "rendezvous": a word input over these holds protocol + 1, auto = 0; minus 1 suits
 * ns_model_line. */
NS_API extern const char *const ns_protocol_choice_words[];

#ifdef __cplusplus
}
#endif
#endif
