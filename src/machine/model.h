/* model.h -- interface of a model file: rows of inputs and outputs, the machine read-only, a pure eval
 *
 * A model is one const descriptor at the end of its own file in models/.  Its rows drive parsing, help, docs and JSON.
 * eval gets plain structs, all numbers in SI, checked by bind against the rows; it allocates nothing, prints nothing
 * and keeps nothing.
 */
#ifndef NS_MACHINE_MODEL_H
#define NS_MACHINE_MODEL_H

#include "machine/machine.h"

#include <nsmodel/model.h>

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
    const char *unit; /* display unit and dimension, "1" for a pure number */
    const char *doc;  /* meaning */
    const char *from; /* input: path in the machine of its default, or "=other" for another input's value; {memory},
                         {locality}, {protocol} are replaced by the selectors; NULL when only the user can give it */
    const char *const *words; /* NS_FIELD_WORD: the words, closed by NULL */
    double least, most;       /* inputs: closed range, in SI */
    bool has_default;
    double neutral;   /* the default, always neutral: a factor of 1, an offset of 0, the first word */
    bool open;        /* least itself is refused (for a divisor) */
    const char *also; /* input: its name in other models of the family, accepted as well; or NULL */
    double fitted;    /* input: the largest value covered by the data behind the form; 0: unknown */
} ns_field;

#define NS_MOST 1e300
/* A row of an input: its place in struct in, name, unit and meaning, and any other fields of ns_field that are not
 * 0. */
#define NS_INPUT_AT(place, name_, unit_, doc_, ...)                                                                    \
    {                                                                                                                  \
        .name = name_, .offset = offsetof(struct in, place), .unit = unit_, .doc = doc_, __VA_ARGS__                   \
    }
#define NS_INPUT(x, unit_, doc_, ...)         NS_INPUT_AT(x, #x, unit_, doc_, __VA_ARGS__)
/* number >= 0, > 0, and numbers that the machine can provide */
#define NS_IN(x, unit_, doc_)                 NS_INPUT(x, unit_, doc_, .most = NS_MOST)
#define NS_IN_POSITIVE(x, unit_, doc_)        NS_INPUT(x, unit_, doc_, .most = NS_MOST, .open = true)
#define NS_IN_FROM(x, unit_, doc_, path)      NS_INPUT(x, unit_, doc_, .from = path, .most = NS_MOST)
#define NS_IN_POSITIVE_FROM(x, unit_, doc_, path)                                                                      \
    NS_INPUT(x, unit_, doc_, .from = path, .most = NS_MOST, .open = true)
/* number >= 0 with a neutral default */
#define NS_IN_DEFAULT(x, unit_, doc_, value)                                                                           \
    NS_INPUT(x, unit_, doc_, .most = NS_MOST, .has_default = true, .neutral = value)
#define NS_IN_RANGE(x, unit_, doc_, lo, hi)   NS_INPUT(x, unit_, doc_, .least = lo, .most = hi)
/* one of several words; the first is the default */
#define NS_WORD(x, words_, doc_)                                                                                       \
    NS_INPUT(x, "", doc_, .kind = NS_FIELD_WORD, .words = words_, .has_default = true)
#define NS_IN_LIST(x, unit_, doc_)            NS_INPUT(x, unit_, doc_, .kind = NS_FIELD_LIST, .most = NS_MOST)
/* outputs: terms first (they add up to the last row), total last */
#define NS_OUTPUT(kind_, x, unit_, doc_)                                                                               \
    {                                                                                                                  \
        .name = #x, .offset = offsetof(struct out, x), .kind = kind_, .unit = unit_, .doc = doc_                       \
    }
#define NS_TERM(x, unit_, doc_)               NS_OUTPUT(NS_FIELD_TERM, x, unit_, doc_)
#define NS_OUT(x, unit_, doc_)                NS_OUTPUT(NS_FIELD_NUMBER, x, unit_, doc_)
#define NS_END                                                                                                         \
    {                                                                                                                  \
        .kind = NS_FIELD_END                                                                                           \
    }

typedef ns_status ns_eval_fn(const ns_machine *machine, const void *input, void *output, ns_error *err);

struct ns_model {
    const char *name; /* the file's stem, with - for _ */
    const char *title;
    const char *source; /* paper and equation */
    const char *notes;  /* its limitations; NULL: none to add */
    const ns_field *inputs, *outputs;
    size_t in_size, out_size;
    bool wants_machine; /* eval reads the machine's tables */
    /* Bytes of one message, which choose the protocol of "{protocol}" rows; or NULL. */
    double (*message)(const void *input);
    ns_eval_fn *eval;
};

#define NS_FIELDS(inputs_, outputs_)                                                                                   \
    .inputs = inputs_, .outputs = outputs_, .in_size = sizeof(struct in), .out_size = sizeof(struct out)
/* The rows inputs[] and outputs[] of a model's file, and the formula defined there with NS_EVAL. */
#define NS_ROWS_AND_EVAL NS_FIELDS(inputs, outputs), .eval = eval

/* A model's formula on its own structs, `const struct in *in` and `struct out *out`; machine and err may be unused. */
#define NS_EVAL(machine, in, out, err)                                                                                 \
    static ns_status evaluate(const ns_machine *machine, const struct in *in, struct out *out, ns_error *err);         \
    static ns_status eval(const ns_machine *machine, const void *input, void *output, ns_error *err)                   \
    {                                                                                                                  \
        return evaluate(machine, input, output, err);                                                                  \
    }                                                                                                                  \
    static ns_status evaluate(const ns_machine *machine __attribute__((unused)), const struct in *in, struct out *out, \
                              ns_error *err __attribute__((unused)))

/* No model's structs are larger, so callers can keep them on the stack. */
enum { NS_MODEL_BYTES = 4096 };
typedef union ns_model_buffer {
    double number[NS_MODEL_BYTES / sizeof(double)];
    char bytes[NS_MODEL_BYTES];
} ns_model_buffer;

/* Value of an output row (or a number input row) in its struct, SI. */
double ns_field_number(const ns_field *field, const void *record);
/* Find a field by its name, or by its name in other models of the family. */
const ns_field *ns_field_find(const ns_field *fields, const char *name);

/* Helpers for models that read the tables: NS_OK, or an error that names the missing table. */
ns_status ns_model_line(const ns_machine *machine, int memory, int locality, int protocol_or_auto, double bytes,
                        const ns_line **line, ns_error *err);
/* "auto", "short", "eager", "rendezvous": a word input over these holds protocol + 1, auto = 0; minus 1 suits
 * ns_model_line. */
extern const char *const ns_protocol_choice_words[];

#endif
