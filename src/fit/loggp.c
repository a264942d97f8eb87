/* loggp.c -- L, o, g and G of LogGP: measured by a tool that knows them, or derived from lines
 *
 * Measured: medians over sizes, for the tool's number of one size is noise, negative ones are common.  o is of the
 * smallest messages (it grows with the copy that a longer one takes), g of those of the first protocol, G of those of
 * the last. Derived, for host messages between nodes: G is the time per byte of the longest messages, g the gap between
 * the smallest messages of a window (alpha of streaming data).  A window of small messages is held up by the sender, so
 * o = g, and what is left of a small message's time is L = alpha - 2 o.
 */
#include "fit/fit.h"
#include "fit/machine_file.h"

#include <math.h>
#include <string.h>

#include "num/order.h"

static const struct {
    int number;
    const char *name;
} loggp_names[] = {
    {NS_LOGGP_L, "L"}, {NS_LOGGP_O, "o_s"}, {NS_LOGGP_O, "o_r"}, {NS_LOGGP_G_MESSAGE, "g"}, {NS_LOGGP_G_BYTE, "G"}};

static const double smallest = 1024; /* B */

typedef struct wanted {
    int number;
    double least, most; /* B */
} wanted;

static bool is_number(const ns_sample *s, const void *context)
{
    const wanted *w = context;
    for (size_t i = 0; s->kind == NS_LOGGP && i < sizeof loggp_names / sizeof *loggp_names; i++)
        if (strcmp(loggp_names[i].name, s->name) == 0)
            return loggp_names[i].number == w->number && s->bytes >= w->least && s->bytes <= w->most;
    return false;
}

/* The sizes that a number is taken from. */
static wanted sizes_for(const ns_fit *fit, const ns_log *log, int number)
{
    const ns_fit_class *first = ns_fit_line(fit, NS_HOST, NS_OFF_NODE, 0),
                       *last = ns_fit_line(fit, NS_HOST, NS_OFF_NODE, INFINITY);
    wanted w = {number, 0, INFINITY};
    if (number == NS_LOGGP_O) {
        for (size_t i = 0; i < log->samples; i++)
            w.most = fmin(w.most,
                          is_number(&log->sample[i], &(wanted){number, 0, INFINITY}) ? log->sample[i].bytes : INFINITY);
        w.most = fmax(w.most, smallest);
    } else if (number == NS_LOGGP_G_MESSAGE && first != NULL)
        w.most = first->most;
    else if (number == NS_LOGGP_G_BYTE && last != NULL)
        w.least = last->least;
    return w;
}

/* The median and its error, sqrt(pi / 2 n) of the scatter. */
static void settle(ns_columns *columns, ns_fit_number *found)
{
    const size_t n = columns->count;
    found->samples = n;
    found->given = n > 0;
    if (n == 0)
        return;
    found->value = ns_median(columns->y, n);
    for (size_t i = 0; i < n; i++)
        columns->y[i] = fabs(columns->y[i] - found->value);
    found->se = n > 2 ? 1.4826 * ns_median(columns->y, n) * sqrt(1.5707963267948966 / (double)n) : 0;
}

static const ns_fit_class *first_class(const ns_fit *fit, ns_sample_kind kind)
{
    for (size_t g = 0; g < fit->groups; g++) {
        const ns_fit_group *group = &fit->group[g];
        if (group->kind == kind && group->memory == NS_HOST && group->locality == NS_OFF_NODE && group->classes > 0)
            return &group->of[0];
    }
    return NULL;
}

static ns_fit_number number(double value, double se, size_t samples)
{
    return (ns_fit_number){.given = true, .value = value, .se = se, .samples = samples};
}

static ns_status derive(ns_fit *fit, ns_error *err)
{
    const ns_fit_class *small = first_class(fit, NS_PING_PONG), *stream = first_class(fit, NS_STREAMING);
    const ns_fit_class *large = ns_fit_line(fit, NS_HOST, NS_OFF_NODE, INFINITY);
    if (small == NULL)
        small = first_class(fit, NS_NODE_PONG);
    if (small == NULL || stream == NULL || large == NULL)
        return NS_OK;
    const double gap = stream->line.alpha, gap_se = stream->line.alpha_se, latency = small->line.alpha - 2 * gap;
    if (gap <= 0 || latency <= 0)
        return ns_fit_warn(fit, err,
                           "no LogGP numbers: small messages of a window are %.3g s apart, one alone takes %.3g s", gap,
                           small->line.alpha);
    fit->loggp_derived = true;
    fit->loggp[NS_LOGGP_G_BYTE] = number(large->line.beta, large->line.beta_se, large->samples);
    fit->loggp[NS_LOGGP_G_MESSAGE] = fit->loggp[NS_LOGGP_O] = number(gap, gap_se, stream->samples);
    fit->loggp[NS_LOGGP_L] = number(latency, hypot(small->line.alpha_se, 2 * gap_se), small->samples);
    return NS_OK;
}

bool ns_fit_has_loggp_line(const ns_fit *fit)
{
    bool given = !fit->loggp_derived;
    for (size_t g = 0; g < fit->groups; g++)
        given = given &&
                !(fit->group[g].in_machine && fit->group[g].memory == NS_HOST && fit->group[g].locality == NS_OFF_NODE);
    return given && fit->loggp[NS_LOGGP_L].given && fit->loggp[NS_LOGGP_O].given && fit->loggp[NS_LOGGP_G_BYTE].given;
}

void ns_fit_loggp_line(const ns_fit *fit, ns_value *host)
{
    const ns_fit_number *L = &fit->loggp[NS_LOGGP_L], *o = &fit->loggp[NS_LOGGP_O], *G = &fit->loggp[NS_LOGGP_G_BYTE];
    ns_value *l = ns_value_object(host, ns_locality_words[NS_OFF_NODE]);
    ns_value_text(ns_value_object(l, "protocols"), ns_protocol_words[NS_EAGER], "0 B");
    ns_value *line = ns_value_object(l, ns_protocol_words[NS_EAGER]);
    ns_fit_put(line, "alpha", L->value + 2 * o->value, hypot(L->se, 2 * o->se), NS_SECOND);
    ns_fit_put(line, "beta", G->value, G->se, NS_SECOND_PER_BYTE);
    ns_value_text(l, "source", "assumed: LogGP's L + 2 o + G s stands for a ping-pong, which was not measured");
}

static ns_status warn_line(ns_fit *fit, ns_error *err)
{
    return !ns_fit_has_loggp_line(fit)
               ? NS_OK
               : ns_fit_warn(
                     fit, err,
                     "host off-node: no ping-pong; LogGP's numbers stand for it, L + 2 o + G s with one protocol "
                     "for all sizes");
}

ns_status ns_fit_loggp(ns_fit *fit, const ns_log *log, ns_error *err)
{
    bool measured = false;
    for (int n = 0; n < NS_LOGGP_NUMBERS; n++) {
        ns_columns columns;
        const wanted w = sizes_for(fit, log, n);
        NS_TRY(ns_columns_collect(log, is_number, &w, &columns, err));
        settle(&columns, &fit->loggp[n]);
        measured = measured || columns.count > 0;
        ns_columns_free(&columns);
    }
    return measured ? warn_line(fit, err) : derive(fit, err);
}
