/* decision.c -- a decision as values and as a sentence */
#include "cli/show/decision.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void add_way(const ns_comparison *c, int i, ns_value *object)
{
    ns_value_text(object, "strategy", c->choice[i].strategy->name);
    ns_value_text(object, "transport", ns_transport_words[c->choice[i].transport]);
}

static void add_lists(const ns_comparison *c, ns_value *object)
{
    const ns_decision *d = &c->decision;
    ns_value *list = ns_value_list(object, "shortlist");
    for (int i = 0; i < d->shortlisted; i++)
        add_way(c, d->shortlist[i], ns_value_object(list, NULL));
    ns_value_count(object, "shortlist_p", d->shortlist_p);
    list = ns_value_list(object, "ruled_out");
    for (int i = 0; i < d->ways; i++)
        if ((d->ruled_out >> i & 1) != 0)
            add_way(c, i, ns_value_object(list, NULL));
}

static void add_basis(const ns_comparison *c, ns_value *object)
{
    ns_value *basis = ns_value_object(object, "basis");
    ns_value_text(basis, "form", c->choice[c->best].price.form->name);
    ns_value_count(basis, "kappa", c->belief.kappa);
    ns_value_count(basis, "lambda", c->belief.lambda);
    ns_value_text(basis, "source", c->belief.source);
    ns_value_count(basis, "cases", c->belief.cases);
    ns_value_count(basis, "groups", c->belief.groups);
}

static void add_incumbent(const ns_comparison *c, ns_value *object)
{
    if (c->incumbent < 0) {
        ns_value_null(object, "incumbent");
        return;
    }
    ns_value *incumbent = ns_value_object(object, "incumbent");
    add_way(c, c->incumbent, incumbent);
    ns_value_count(incumbent, "p_better", c->gain.p_better);
    ns_value_count(incumbent, "gain_q10", c->gain.q10);
    ns_value_count(incumbent, "gain_q50", c->gain.q50);
    ns_value_count(incumbent, "gain_q90", c->gain.q90);
}

void ns_decision_value(const ns_comparison *c, ns_value *parent)
{
    const ns_decision *d = &c->decision;
    ns_value *object = d->best >= 0 ? ns_value_object(parent, "decision") : ns_value_null(parent, "decision");
    ns_value_flag(object, NS_V_JSON_ONLY);
    if (d->best < 0)
        return;
    add_way(c, d->best, object);
    ns_value_count(object, "p_best", d->p_best[d->best]);
    ns_value_count(object, "loss_q50", d->loss_q50);
    ns_value_count(object, "loss_q90", d->loss_q90);
    ns_value_count(object, "expected_ln_loss", d->expected_ln_loss);
    add_lists(c, object);
    add_basis(c, object);
    add_incumbent(c, object);
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

typedef struct sentence {
    char text[700];
    size_t used;
} sentence;

static void say(sentence *s, const char *format, ...) NS_PRINTF(2, 3);
static void say(sentence *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(s->text + s->used, sizeof s->text - s->used, format, arguments);
    va_end(arguments);
    if (length > 0)
        s->used = s->used + (size_t)length < sizeof s->text ? s->used + (size_t)length : sizeof s->text - 1;
}

const char *ns_choice_name(const ns_comparison *c, int i, char *text, size_t size)
{
    snprintf(text, size, "%s/%s", c->choice[i].strategy->name, ns_transport_words[c->choice[i].transport]);
    return text;
}

/* Whole percents, but never a certainty that is none. */
const char *ns_percent(double p, char *text, size_t size)
{
    if (p > 0.995 && p < 1)
        snprintf(text, size, "over 99 %%");
    else if (p > 0 && p < 0.005)
        snprintf(text, size, "under 1 %%");
    else
        snprintf(text, size, "%.0f %%", 100 * p);
    return text;
}

static void say_loss(sentence *s, const ns_decision *d)
{
    if (d->loss_q90 > 1.005)
        say(s, "; with 90 %% it is at most %.2g times as slow as the best", d->loss_q90);
    if (d->shortlisted == d->ways && d->ways > 2)
        say(s, ". Only measuring all %d would tell", d->ways);
    else if (d->shortlisted > 1)
        say(s, ". Measuring %s%d would make you 90 %% sure", d->shortlisted == 2 ? "the first " : "the likeliest ",
            d->shortlisted);
}

static void say_gain(sentence *s, const ns_comparison *c)
{
    char name[60], sure[20];
    if (c->incumbent < 0)
        return;
    ns_choice_name(c, c->incumbent, name, sizeof name);
    if (c->incumbent == c->best) {
        say(s, ". It is what is in use, %s", name);
        return;
    }
    say(s, ". Against %s it is faster with %s, by a factor of %.2g (%.2g to %.2g)", name,
        ns_percent(c->gain.p_better, sure, sizeof sure), c->gain.q50, c->gain.q10, c->gain.q90);
}

static void say_where(const ns_decided *decided, sentence *s)
{
    const bool gpus = decided->machine->gpus > 0;
    say(s, "%d %s%s", (int)decided->parts, gpus ? "GPU" : "process", decided->parts == 1 ? "" : gpus ? "s" : "es");
    if (decided->one_of_many)
        say(s, " on %s", decided->machine->name);
}

static void say_all(const ns_decided *decided, sentence *s)
{
    const ns_comparison *c = decided->comparison;
    const ns_decision *d = &c->decision;
    char name[60], time[48], sure[20];
    say_where(decided, s);
    say(s, ": %s, %s", ns_choice_name(c, c->best, name, sizeof name),
        ns_quantity_format(c->choice[c->best].price.estimate_s, (ns_dim){1, 0, 0}, 3, time, sizeof time));
    if (d->best < 0)
        return;
    say(s, "; %s sure that it is the best of %d", ns_percent(d->p_best[d->best], sure, sizeof sure), d->ways);
    say_loss(s, d);
    say_gain(s, c);
}

void ns_decision_sentence(const ns_decided *decided, bool heading, ns_value *of_case, ns_value *result)
{
    sentence s = {.used = 0};
    say_all(decided, &s);
    if (heading)
        ns_value_flag(ns_value_text(of_case, "heading", s.text), NS_V_NARROW | NS_V_HEADING);
    if (decided->comparison->decision.best < 0)
        return;
    ns_value_flag(ns_value_text(of_case, "sentence", s.text), NS_V_JSON_ONLY);
    ns_value_flag(ns_value_text(result, "decision_line", s.text),
                  NS_V_NOTE | NS_V_NO_JSON | NS_V_NO_CSV | (heading ? NS_V_WIDE : 0));
}
