/* perturb.c -- a parameter perturbed: the one rule of what a count is, and which parameters decide */
#include "core/context.h"
#include "core/memory.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LEAST = 1e-6; /* SI: what a 0 becomes when it is made larger */
static const double LARGER = 1.1;

bool ns_parameter_is_count(const ns_parameter *parameter)
{
    static const char counted[] = "topology.";
    return strncmp(parameter->path, counted, sizeof counted - 1) == 0;
}

double ns_parameter_perturbed(const ns_parameter *parameter, double factor)
{
    const double value = parameter->value;
    if (ns_parameter_is_count(parameter))
        return factor > 1 ? value + 1 : factor < 1 ? value - 1 : value;
    return value == 0 && factor > 1 ? LEAST : factor * value;
}

/* Written in SI, so that every digit survives. */
ns_status ns_machine_perturbed(const ns_machine *machine, const ns_parameter *parameter, double factor,
                            ns_machine **perturbed, ns_error *err)
{
    ns_error_clear(err);
    char assignment[300], number[40], unit[24];
    ns_double_format(ns_parameter_perturbed(parameter, factor), number, sizeof number);
    ns_dim_unit(parameter->dim, unit, sizeof unit);
    snprintf(assignment, sizeof assignment, "%s=%s %s", parameter->path, number, strcmp(unit, "1") == 0 ? "" : unit);
    return ns_machine_with(machine, assignment, perturbed, err);
}

/* ---- which parameters decide ------------------------------------------------------------------------------------ */

/* By more than the sums round: bytes that a floor hides move nothing but the last bit. */
static bool is_other(double a, double b)
{
    return fabs(a - b) > 1e-12 * fmax(fabs(a), fabs(b));
}

static bool differs(const ns_comparison *a, const ns_comparison *b)
{
    if (a->choices != b->choices)
        return true;
    for (int i = 0; i < a->choices; i++)
        if (is_other(a->choice[i].price.estimate_s, b->choice[i].price.estimate_s) ||
            is_other(a->choice[i].published_s, b->choice[i].published_s) ||
            is_other(a->choice[i].corrected_s, b->choice[i].corrected_s))
            return true;
    return false;
}

ns_status ns_parameter_is_active(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                                 const ns_comparison *comparison, const ns_parameter *parameter, bool *active,
                                 ns_error *err)
{
    ns_error_clear(err);
    ns_machine *larger;
    ns_error ignored = {0};
    ns_status status = ns_machine_perturbed(machine, parameter, LARGER, &larger, &ignored);
    if (ns_ends_call(status))
        return ns_end_call(&ignored, err);
    if (status != NS_OK) {
        *active = true; /* it may not be changed by itself: the first size of the first protocol is 0 */
        return NS_OK;
    }
    ns_comparison *changed = ns_malloc(sizeof *changed);
    if (changed == NULL) {
        ns_machine_free(larger);
        return ns_no_memory(err);
    }
    status = ns_compare_into(exchange, larger, selection, changed, &ignored);
    const bool differ = status == NS_OK && differs(comparison, changed);
    ns_free(changed);
    ns_machine_free(larger);
    if (ns_ends_call(status))
        return ns_end_call(&ignored, err);
    *active = status != NS_OK || differ; /* a GPU more without copy parameters has no price at all */
    return NS_OK;
}
