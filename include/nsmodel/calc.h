/* calc.h -- expressions with units, variables and models as functions: "4 KiB / 23.9 GB/s + 2.44 us in ns"
 *
 *     statement  = [ NAME "=" ] comparison [ "in" UNIT ]
 *     comparison = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]                      1 or 0
 *     sum        = product { ("+" | "-") product }
 *     product    = sign { ("*" | "/") sign }
 *     sign       = [ "-" | "+" ] sign | operand [ "^" sign ]
 *     operand    = NUMBER [ UNIT ] | "(" comparison ")" | FUNCTION "(" [ comparison { "," comparison } ] ")"
 *                | MODEL "(" [ INPUT "=" value { "," INPUT "=" value } ] ")" [ "." OUTPUT ] | VARIABLE | UNIT
 *                | PATH, a parameter of the machine: host.off-node.eager.alpha
 *     value      = comparison | WORD | "[" comparison { "," comparison } "]"
 *
 * The unit right after a number, its "/" included, binds tightest: 4 KiB / 23.9 GB/s is 4 KiB / (23.9 GB/s).  Anywhere
 * else the name of a unit means one of that unit, unless it names a variable.  A model's name keeps its hyphens before
 * "(".
 */
#ifndef NSMODEL_CALC_H
#define NSMODEL_CALC_H

#include <stdbool.h>
#include <stddef.h>

#include <nsmodel/machine.h>
#include <nsmodel/quantity.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Variables, the last answer, and the machine that gives models what a call leaves out.  One thread at a time. */
typedef struct ns_calc ns_calc;

typedef struct ns_answer {
    size_t size;          /* of this struct; 0 means the fields of version 1.0 */
    ns_quantity quantity; /* SI; always finite */
    char unit[64];        /* the unit asked for with "in", else "" */
    bool assigned;        /* the statement gave a variable its value */
} ns_answer;

NS_API ns_status ns_calc_open(ns_calc **calc, ns_error *err);
NS_API void ns_calc_free(ns_calc *calc);

/* Set the machine that supplies missing inputs; it is borrowed.  NULL: none. */
NS_API void ns_calc_use_machine(ns_calc *calc, const ns_machine *machine);

/* Evaluate one statement, which may span several lines; a # begins a comment.  *answer is set only on success; the
 * variable `ans` then has its value.  On failure nothing is assigned, and err has the line and column of the text. */
NS_API ns_status ns_calc_eval(ns_calc *calc, const char *text, ns_answer *answer, ns_error *err);

/* Write the answer into buffer and return it: up to 10 significant digits, in the unit that was asked for with `in`, or
 * else with the best SI prefix. */
NS_API const char *ns_answer_format(const ns_answer *answer, char *buffer, size_t size);

/* The index-th variable in the order of their first values, or NULL past the last one; value may be NULL. */
NS_API const char *ns_calc_variable(const ns_calc *calc, size_t index, ns_quantity *value);

/* The index-th unit with its prefix ("s", "ms", "KiB"), or NULL past the last one.  Writes into buffer; returns it. */
NS_API const char *ns_calc_unit(size_t index, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
