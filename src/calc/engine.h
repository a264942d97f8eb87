/* engine.h -- functions shared by the parts of the expression engine */
#ifndef NS_CALC_ENGINE_H
#define NS_CALC_ENGINE_H

#include "calc/calc.h"
#include "model/binding.h"

enum {
    NS_DEPTH_MAX = 100, /* nesting of parentheses, calls, signs and powers */
    NS_ARGUMENTS_MAX = 64,
    NS_EXPONENT_MAX = 6 /* of second, byte and flop in a dimension */
};

typedef struct ns_variable {
    char *name;
    ns_quantity value;
} ns_variable;

struct ns_calc {
    const ns_machine *machine;
    ns_variable *variable;
    size_t variables;
    int64_t room;
    ns_quantity last;
    bool answered;
};

/* A text that is evaluated while it is read. */
typedef struct ns_parse {
    const ns_calc *calc;
    const char *text, *at;
    int depth;
    ns_error *err;
} ns_parse;

/* Fail with the line and column of a position in the text. */
ns_status ns_parse_fail(const ns_parse *p, const char *place, ns_status code, const char *format, ...) NS_PRINTF(4, 5);
/* The same with the message of another function in inner. */
ns_status ns_parse_pass(const ns_parse *p, const char *place, const ns_error *inner);

/* ---- scan.c: words, numbers, units ---- */

/* Skip blanks, ends of lines and comments; returns the new position. */
const char *ns_skip(ns_parse *p);
/* If this is the next byte, skip it. */
bool ns_accept(ns_parse *p, char c);
/* Bytes of the word (letters, digits, _ and non-ASCII) at a position. */
size_t ns_word_length(const char *at);
/* The same with hyphens between its parts. */
size_t ns_hyphenated_length(const char *at);
/* Is the word at a position this one? */
bool ns_is_word(const char *at, const char *word);
/* How many bytes of the text at a position to quote. */
int ns_quoted_length(const char *at, size_t length);
/* Does a number begin at a position? */
bool ns_begins_number(const char *at);
ns_status ns_parse_number(ns_parse *p, ns_quantity *quantity);
/* Skip the bracket that closes the one at `open`; wanted names what else is valid there. */
ns_status ns_parse_close(ns_parse *p, const char *open, const char *wanted);
/* Report the text at a position where an operator, or one of these signs, is expected. */
ns_status ns_refuse_rest(const ns_parse *p, const char *wanted);

/* ---- expression.c ---- */
ns_status ns_parse_comparison(ns_parse *p, ns_quantity *quantity);

/* ---- names.c ---- */
const ns_quantity *ns_variable_find(const ns_calc *calc, const char *name, size_t length);
ns_status ns_variable_set(ns_calc *calc, const char *name, size_t length, ns_quantity value, ns_error *err);
/* A variable, the last answer or a unit. */
ns_status ns_parse_name(ns_parse *p, ns_quantity *quantity);

/* ---- arithmetic.c: at is the operator's position ----------------------------------------------------------------- */
ns_status ns_add(const ns_parse *p, const char *at, bool minus, ns_quantity *left, ns_quantity right);
ns_status ns_multiply(const ns_parse *p, const char *at, bool divide, ns_quantity *left, ns_quantity right);
ns_status ns_power(const ns_parse *p, const char *at, ns_quantity *base, ns_quantity exponent);
bool ns_dim_is_handled(ns_dim dim);
/* operation: "<", "<=", ...; 1 or 0 */
ns_status ns_compare_quantities(const ns_parse *p, const char *at, const char *operation, ns_quantity *left,
                                ns_quantity right);
/* "seconds", "bytes per second", "a pure number" */
const char *ns_dim_words(ns_dim dim, char *buffer, size_t size);
const char *ns_quantity_words(ns_quantity quantity, char *buffer, size_t size);

/* ---- functions.c ---- */
struct ns_function_row;
const struct ns_function_row *ns_function_find(const char *name, size_t length);
ns_status ns_function_call(ns_parse *p, const struct ns_function_row *function, ns_quantity *result);

/* ---- call.c ---- */
ns_status ns_model_call(ns_parse *p, const ns_model *model, ns_quantity *result);

#endif
