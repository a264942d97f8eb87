/* compare.c -- every strategy side by side, and which parameters decide */
#include "price/cost.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const ns_verdict_words[] = {"clear", "tie", "extrapolated", NULL};

static bool is_selected(const ns_selection *selection, ns_transport transport)
{
    return selection == NULL || selection->transports == 0 || (selection->transports & (1u << transport)) != 0;
}

static ns_status evaluate(const ns_exchange *exchange, const ns_machine *machine, const ns_price_options *options,
                          ns_choice *choice, ns_error *err)
{
    ns_schedule *schedule;
    NS_TRY(ns_schedule_build(choice->strategy, choice->transport, exchange, machine, &schedule, err));
    ns_status status = ns_schedule_price_as(schedule, machine, options, &choice->price, err);
    choice->messages_off_node_max = ns_schedule_messages_off_node_max(schedule);
    ns_schedule_free(schedule);
    if (status == NS_OK)
        status =
            ns_strategy_published(choice->strategy, choice->transport, exchange, machine, &choice->published_s, err);
    return status;
}

/* Two ways to do one exchange share most of their error; what is left is between them.  The larger of both memories'
 * values. */
static double between(const ns_machine *machine, const ns_comparison *c, int a, int b)
{
    double error = 0;
    for (int i = 0; i < 2; i++) {
        const ns_choice *choice = &c->choice[i == 0 ? a : b];
        ns_form_values values;
        ns_form_take(choice->price.form, machine, choice->transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST, 0, &values);
        error = fmax(error, values.error_between);
    }
    return error;
}

static ns_verdict judge(const ns_machine *machine, const ns_comparison *c, double confidence, int second)
{
    const double best = c->choice[c->best].price.estimate_s;
    if (c->choice[c->best].price.extrapolated || (second >= 0 && c->choice[second].price.extrapolated))
        return NS_EXTRAPOLATED;
    if (second < 0)
        return NS_CLEAR;
    const double other = c->choice[second].price.estimate_s;
    if (other == best) /* nothing to send at all, say */
        return NS_TIE;
    const double width =
        ns_normal_width(confidence > 0 ? confidence : NS_CONFIDENCE) * between(machine, c, c->best, second);
    return other < best * exp2(width) ? NS_TIE : NS_CLEAR;
}

static void choose(const ns_machine *machine, double confidence, ns_comparison *c)
{
    int second = -1;
    c->best = 0;
    for (int i = 1; i < c->choices; i++)
        if (c->choice[i].price.estimate_s < c->choice[c->best].price.estimate_s)
            c->best = i;
    for (int i = 0; i < c->choices; i++)
        if (i != c->best && (second < 0 || c->choice[i].price.estimate_s < c->choice[second].price.estimate_s))
            second = i;
    c->verdict = judge(machine, c, confidence, second);
}

static bool runs_any(const ns_machine *machine)
{
    for (const ns_strategy *const *one = ns_strategies(); *one != NULL; one++)
        for (int t = 0; t < NS_TRANSPORTS; t++)
            if (ns_strategy_runs(*one, (ns_transport)t, machine))
                return true;
    return false;
}

static ns_status compare(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                         const ns_price_options *options, ns_comparison *comparison, ns_error *err)
{
    const ns_strategy *list[NS_CHOICES];
    const size_t count = selection != NULL && selection->strategy != NULL
                             ? ns_strategies_sort(selection->strategy, selection->strategies, list, NS_CHOICES)
                             : ns_strategies_by_rank(list, NS_CHOICES);
    for (size_t i = 0; i < count; i++)
        for (int t = 0; t < NS_TRANSPORTS; t++) {
            if (!is_selected(selection, (ns_transport)t) || !ns_strategy_runs(list[i], (ns_transport)t, machine))
                continue;
            if (comparison->choices == NS_CHOICES)
                return ns_fail(err, NS_ERR_LIMIT, "more than %d strategies", (int)NS_CHOICES);
            ns_choice *choice = &comparison->choice[comparison->choices++];
            *choice = (ns_choice){.strategy = list[i], .transport = (ns_transport)t};
            NS_TRY(evaluate(exchange, machine, options, choice, err));
        }
    if (comparison->choices == 0)
        return ns_fail(
            err, NS_ERR_DATA,
            runs_any(machine)
                ? "machine %s runs none of the strategies and transports asked for"
                : "machine %s has no table of messages, host or device, that a strategy could be priced with",
            machine->name);
    choose(machine, options->confidence, comparison);
    return NS_OK;
}

ns_status ns_compare(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                     ns_comparison *comparison, ns_error *err)
{
    const ns_price_options options =
        selection != NULL ? selection->price : (ns_price_options){NULL, NS_CONFIDENCE, 0};
    ns_comparison made = {.choices = 0};
    NS_TRY(ns_price_options_check(&options, err));
    NS_TRY(compare(exchange, machine, selection, &options, &made, err));
    *comparison = made;
    return NS_OK;
}

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
            is_other(a->choice[i].published_s, b->choice[i].published_s))
            return true;
    return false;
}

/* "PATH=VALUE" with the value a tenth larger, written in SI so that every digit survives. */
static void write_larger(const ns_parameter *parameter, char *assignment, size_t size)
{
    char number[40], unit[24];
    bool is_count = ns_dim_equal(parameter->dim, NS_DIMENSIONLESS);
    double value = is_count ? parameter->value + 1 : parameter->value > 0 ? 1.1 * parameter->value : 1e-6;
    ns_double_format(value, number, sizeof number);
    ns_dim_unit(parameter->dim, unit, sizeof unit);
    snprintf(assignment, size, "%s=%s %s", parameter->path, number, is_count ? "" : unit);
}

ns_status ns_parameter_is_active(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                                 const ns_comparison *comparison, const ns_parameter *parameter, bool *active,
                                 ns_error *err)
{
    char assignment[300];
    ns_machine *larger;
    ns_error ignored = {0};
    write_larger(parameter, assignment, sizeof assignment);
    ns_status status = ns_machine_with(machine, assignment, &larger, &ignored);
    if (status == NS_ERR_MEMORY)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    if (status != NS_OK) {
        *active = true; /* it may not be changed by itself: the first size of the first protocol is 0 */
        return NS_OK;
    }
    ns_comparison *changed = malloc(sizeof *changed);
    if (changed == NULL) {
        ns_machine_free(larger);
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    }
    status = ns_compare(exchange, larger, selection, changed, &ignored);
    const bool differ = status == NS_OK && differs(comparison, changed);
    free(changed);
    ns_machine_free(larger);
    if (status == NS_ERR_MEMORY)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    *active = status != NS_OK || differ; /* a GPU more without copy parameters has no price at all */
    return NS_OK;
}
