/* advise.c -- a decision with what would settle it, as values and as words */
#include "cli/show/advise.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Expected ln loss of what is in use: the errors of all ways have one mean. */
static double loss_in_use(const ns_comparison *c)
{
    const double now = c->choice[c->incumbent].price.estimate_s, best = c->choice[c->best].price.estimate_s;
    return c->decision.expected_ln_loss + log(now / best);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static void add_unknowns(const ns_measure_plan *plan, size_t i, ns_value *row)
{
    const ns_unknown *unknown;
    ns_value *list = ns_value_flag(ns_value_list(row, "parameters"), NS_V_JSON_ONLY);
    for (size_t k = 0; (unknown = ns_measurement_of(plan, i, k)) != NULL; k++) {
        ns_value *one = ns_value_object(list, NULL);
        ns_value_text(one, "parameter", unknown->parameter);
        ns_value_text(one, "basis", ns_basis_words[unknown->basis]);
        ns_value_count(one, "sigma", unknown->sigma);
        ns_value_count(one, "loss_removed", unknown->loss_removed);
    }
}

/* "13 %": how much slower e^l is than 1; beyond ten times a factor. */
static const char *slower(double l, char *text, size_t size)
{
    const double p = expm1(l);
    if (p >= 9.995)
        snprintf(text, size, "a factor of %.3g", p + 1);
    else
        snprintf(text, size, p >= 0.0995 ? "%.0f %%" : "%.2g %%", 100 * p);
    return text;
}

/* For the eye: the first parameter, and how many more its benchmark tells. */
static void add_measurement(const ns_measure_plan *plan, size_t i, ns_value *list)
{
    char text[40];
    const ns_measurement *m = ns_measure_plan_at(plan, i);
    const ns_unknown *first = ns_measurement_of(plan, i, 0);
    ns_value *row = ns_value_object(list, NULL);
    ns_value_text(row, "parameter", first->parameter);
    ns_value *more =
        m->unknowns > 1 ? ns_value_textf(row, "and", "%zu more", m->unknowns - 1) : ns_value_text(row, "and", "");
    ns_value_flag(more, NS_V_NO_JSON | NS_V_NO_CSV);
    ns_value_flag(ns_value_count(row, "loss_removed", m->loss_removed), NS_V_NO_TABLE);
    ns_value_flag(ns_value_text(row, "removes", slower(m->loss_removed, text, sizeof text)),
                  NS_V_NO_JSON | NS_V_NO_CSV);
    ns_value_flag(ns_value_text(row, "known", ns_basis_words[first->basis]), NS_V_NO_JSON | NS_V_NO_CSV);
    ns_value_flag(m->tool != NULL ? ns_value_text(row, "tool", m->tool) : ns_value_null(row, "tool"), NS_V_NO_TABLE);
    ns_value_text(row, "command", m->command);
    add_unknowns(plan, i, row);
}

static void add_shortlist(const ns_measure_plan *plan, ns_value *object)
{
    if (plan == NULL) {
        ns_value_flag(ns_value_null(object, "measure_shortlist"), NS_V_JSON_ONLY);
        return;
    }
    ns_value *one = ns_value_flag(ns_value_object(object, "measure_shortlist"), NS_V_JSON_ONLY);
    ns_value_count(one, "loss_removed", plan->shortlist_removed);
    ns_value_count(one, "loss_left", plan->left - plan->shortlist_removed);
    ns_value_text(one, "command", plan->shortlist_command);
}

void ns_advice_value(const ns_comparison *c, const ns_measure_plan *plan, ns_value *object)
{
    ns_decision_value(c, object);
    if (plan != NULL)
        ns_value_flag(ns_value_count(object, "expected_loss", expm1(plan->left)), NS_V_JSON_ONLY);
    else
        ns_value_flag(ns_value_null(object, "expected_loss"), NS_V_JSON_ONLY);
    if (plan != NULL && c->incumbent >= 0)
        ns_value_flag(ns_value_count(object, "incumbent_expected_loss", expm1(loss_in_use(c))), NS_V_JSON_ONLY);
    else
        ns_value_flag(ns_value_null(object, "incumbent_expected_loss"), NS_V_JSON_ONLY);
    ns_value *list = ns_value_flag(ns_value_list(object, "measure"), NS_V_ROWS);
    for (size_t i = 0; plan != NULL && i < plan->measurements; i++)
        add_measurement(plan, i, list);
    add_shortlist(plan, object);
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

static void line(ns_value *result, const char *text)
{
    ns_value_flag(ns_value_text(result, "advice_line", text), NS_V_NOTE | NS_V_NO_JSON | NS_V_NO_CSV);
}

static void say_ruled_out(const ns_comparison *c, ns_value *result)
{
    char text[1000], name[60];
    size_t used = 0;
    for (int i = 0; i < c->choices; i++)
        if ((c->decision.ruled_out >> i & 1) != 0 && used + 64 < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                     used > 0 ? ", " : "  ruled out: ", ns_choice_name(c, i, name, sizeof name));
    line(result, used > 0 ? text : "  ruled out: none");
}

static void say_loss(const ns_comparison *c, const ns_measure_plan *plan, ns_value *result)
{
    char text[300], name[60], own[40], other[40];
    const ns_decision *d = &c->decision;
    const int used = snprintf(text, sizeof text, "  expected loss against the best of %d%s: %s", d->distinct,
                              d->distinct < d->ways ? " that differ" : "", slower(plan->left, own, sizeof own));
    if (c->incumbent >= 0 && c->incumbent != c->best)
        snprintf(text + used, sizeof text - (size_t)used, "; of %s, which is in use, %s",
                 ns_choice_name(c, c->incumbent, name, sizeof name), slower(loss_in_use(c), other, sizeof other));
    line(result, text);
}

/* The best benchmark, unless it is not worth its run. */
static void say_benchmark(const ns_measure_plan *plan, ns_value *result)
{
    static const double worth = .05; /* of the loss */
    char text[700], to[40];
    const ns_measurement *m = ns_measure_plan_at(plan, 0);
    if (m == NULL || m->loss_removed < worth * plan->left) {
        line(result, m == NULL ? "  no number of the machine, known better, would change the choice"
                               : "  no number of the machine, known better, would change that noticeably");
        return;
    }
    snprintf(text, sizeof text, "  %s%s, measured, would bring it to %s: %s", ns_measurement_of(plan, 0, 0)->parameter,
             m->unknowns > 1 ? " and what its benchmark tells besides" : "",
             slower(plan->left - m->loss_removed, to, sizeof to), m->command);
    line(result, text);
}

/* The numbers of one benchmark, or all that a short list of strategies would tell. */
static void say_next(const ns_comparison *c, const ns_measure_plan *plan, ns_value *result)
{
    char text[700], to[40];
    say_benchmark(plan, result);
    snprintf(text, sizeof text, "  the %d strategies of the shortlist themselves, measured, would bring it to %s: %s",
             c->decision.shortlisted, slower(plan->left - plan->shortlist_removed, to, sizeof to),
             plan->shortlist_command);
    if (c->decision.shortlisted > 1)
        line(result, text);
}

void ns_advice_lines(const ns_decided *decided, const ns_measure_plan *plan, ns_value *of_case, ns_value *result)
{
    ns_decision_sentence(decided, false, of_case, result);
    if (plan == NULL)
        return;
    say_ruled_out(decided->comparison, result);
    if (decided->comparison->decision.distinct > 1)
        say_loss(decided->comparison, plan, result);
    say_next(decided->comparison, plan, result);
}
