/* calc.h of the first 1.0: its declarations */
#ifndef NSMODEL_CALC_H
#define NSMODEL_CALC_H

#include <stdbool.h>
#include <stddef.h>

#include <nsmodel/machine.h>
#include <nsmodel/quantity.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_calc ns_calc;

typedef struct ns_answer {
    size_t size;
    ns_quantity quantity;
    char unit[64];
    bool assigned;
} ns_answer;

NS_API ns_status ns_calc_open(ns_calc **calc, ns_error *err);
NS_API void ns_calc_free(ns_calc *calc);

NS_API void ns_calc_use_machine(ns_calc *calc, const ns_machine *machine);

NS_API ns_status ns_calc_eval(ns_calc *calc, const char *text, ns_answer *answer, ns_error *err);

NS_API const char *ns_answer_format(const ns_answer *answer, char *buffer, size_t size);

NS_API const char *ns_calc_variable(const ns_calc *calc, size_t index, ns_quantity *value);

NS_API const char *ns_calc_unit(size_t index, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
