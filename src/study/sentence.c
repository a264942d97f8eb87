/* sentence.c -- a decision in words, the same in any locale */
#include "study/sentence.h"

#include "core/number.h"
#include "machine/machine.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct sentence {
    char *text; /* [NS_SENTENCE_MAX] */
    size_t used;
} sentence;

static void say(sentence *s, const char *format, ...) NS_PRINTF(2, 3);
static void say(sentence *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(s->text + s->used, NS_SENTENCE_MAX - s->used, format, arguments);
    va_end(arguments);
    if (length > 0)
        s->used = s->used + (size_t)length < NS_SENTENCE_MAX ? s->used + (size_t)length : NS_SENTENCE_MAX - 1;
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
        snprintf(text, size, "%ld %%", lrint(100 * p));
    return text;
}

/* Two digits of a factor. */
static const char *factor(double value, char text[NS_NUMBER_MAX])
{
    return ns_double_short(value, 2, text, NS_NUMBER_MAX);
}

static void say_loss(sentence *s, const ns_decision *d)
{
    char times[NS_NUMBER_MAX];
    if (d->loss_q90 > 1.005)
        say(s, "; with 90 %% it is at most %s times as slow as the best", factor(d->loss_q90, times));
    if (d->shortlisted == d->distinct && d->distinct > 2)
        say(s, ". Only measuring all %d would tell", d->distinct);
    else if (d->shortlisted > 1)
        say(s, ". Measuring %s%d would make you 90 %% sure", d->shortlisted == 2 ? "the first " : "the likeliest ",
            d->shortlisted);
}

static void say_gain(sentence *s, const ns_comparison *c)
{
    char name[60], sure[20], low[NS_NUMBER_MAX], middle[NS_NUMBER_MAX], high[NS_NUMBER_MAX];
    if (c->incumbent < 0)
        return;
    ns_choice_name(c, c->incumbent, name, sizeof name);
    if (c->incumbent == c->best) {
        say(s, ". It is what is in use, %s", name);
        return;
    }
    if (c->choice[c->incumbent].same == c->best + 1) {
        say(s, ". What is in use, %s, sends the same", name);
        return;
    }
    say(s, ". Against %s it is faster with %s, by a factor of %s (%s to %s)", name,
        ns_percent(c->gain.p_better, sure, sizeof sure), factor(c->gain.q50, middle), factor(c->gain.q10, low),
        factor(c->gain.q90, high));
}

static void say_where(const ns_decided *decided, sentence *s)
{
    const bool gpus = decided->machine->gpus > 0;
    say(s, "%d %s%s", (int)decided->parts, gpus ? "GPU" : "process", decided->parts == 1 ? "" : gpus ? "s" : "es");
    if (decided->one_of_many)
        say(s, " on %s", decided->machine->name);
}

void ns_decided_text(const ns_decided *decided, char text[NS_SENTENCE_MAX])
{
    const ns_comparison *c = decided->comparison;
    const ns_decision *d = &c->decision;
    sentence words = {.text = text}, *s = &words;
    char name[60], time[48], sure[20];
    *text = '\0';
    say_where(decided, s);
    if (c->choice[c->best].price.estimate_s == 0) {
        say(s, ": nothing is sent");
        return;
    }
    say(s, ": %s, %s", ns_choice_name(c, c->best, name, sizeof name),
        ns_quantity_format(c->choice[c->best].price.estimate_s, (ns_dim){1, 0, 0}, 3, time, sizeof time));
    if (d->best < 0)
        return;
    if (d->distinct == 1)
        say(s, "; all %d ways send the same messages%s", d->ways,
            c->choice[c->best].messages_off_node_max == 0 ? ", as none leaves its node" : "");
    else
        say(s, "; %s sure that it is the best of %d%s", ns_percent(d->p_best[d->best], sure, sizeof sure), d->distinct,
            d->distinct < d->ways ? " that differ" : "");
    say_loss(s, d);
    say_gain(s, c);
}
