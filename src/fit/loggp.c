/* loggp.c -- L, o, g and G of LogGP: measured by a tool that reports them, or derived from lines
 *
 * Measured: medians over sizes, because the tool's values at a single size are noisy and often negative.  o is taken
 * from the smallest messages (it grows with the copy of a longer one), g from those of the first protocol, G from those
 * of the last.  Derived, for host messages between nodes: G is the time per byte of the longest messages, g the gap
 * between the smallest messages of a window (alpha of streaming data).  The sender limits a window of small messages,
 * so o = g, and the rest of a small message's time is L = alpha - 2 o.
 */
#include "fit/fit.h"
#include "fit/machine_file.h"

#include <math.h>
#include <string.h>

#include "num/num.h"

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

/* The first class of messages, or of a window of them, between two nodes. */
static const ns_fit_class *first_class(const ns_fit *fit, ns_sample_kind kind)
{
    for (size_t g = 0; g < fit->groups; g++) {
        const ns_fit_group *group = &fit->group[g];
        if (group->kind == kind && group->memory == NS_HOST && group->locality == NS_OFF_NODE && group->classes > 0)
            return &group->of[0];
    }
    return NULL;
}

bool ns_fit_has_loggp_line(const ns_fit *fit)
{
    const ns_fit_number *n = fit->loggp;
    return !fit->loggp_derived && ns_fit_group_at(fit, NS_HOST, NS_OFF_NODE) == NULL && n[NS_LOGGP_L].given &&
           n[NS_LOGGP_O].given && n[NS_LOGGP_G_BYTE].given;
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

ns_status ns_fit_loggp(ns_fit *fit, const ns_log *log, ns_error *err)
{
    const ns_fit_class *first = ns_fit_line(fit, NS_HOST, NS_OFF_NODE, 0),
                       *last = ns_fit_line(fit, NS_HOST, NS_OFF_NODE, INFINITY);
    bool measured = false;
    for (int n = 0; n < NS_LOGGP_NUMBERS; n++) {
        ns_fit_number *found = &fit->loggp[n];
        wanted w = {n, 0, INFINITY}; /* the sizes from which a number is taken */
        if (n == NS_LOGGP_O) {
            const wanted any = w;
            for (size_t i = 0; i < log->samples; i++)
                if (is_number(&log->sample[i], &any))
                    w.most = fmin(w.most, log->sample[i].bytes);
            w.most = fmax(w.most, smallest);
        } else if (n == NS_LOGGP_G_MESSAGE && first != NULL) {
            w.most = first->most;
        } else if (n == NS_LOGGP_G_BYTE && last != NULL) {
            w.least = last->least;
        }
        ns_columns columns;
        NS_TRY(ns_columns_collect(log, is_number, &w, &columns, err));
        found->samples = columns.count;
        found->given = columns.count > 0;
        if (found->given) { /* the median and its error, sqrt(pi / 2 n) of the scatter */
            found->value = ns_median(columns.y, columns.count);
            for (size_t i = 0; i < columns.count; i++)
                columns.y[i] = fabs(columns.y[i] - found->value);
            found->se = columns.count > 2 ? 1.4826 * ns_median(columns.y, columns.count) *
                                                sqrt(1.5707963267948966 / (double)columns.count)
                                          : 0;
        }
        measured = measured || found->given;
        ns_columns_free(&columns);
    }
    if (measured)
        return !ns_fit_has_loggp_line(fit)
                   ? NS_OK
                   : ns_fit_warn(fit, err,
                                 "host off-node: no ping-pong; LogGP's numbers stand for it, L + 2 o + G s with one "
                                 "protocol for all sizes");
    const ns_fit_class *small = first_class(fit, NS_PING_PONG), *stream = first_class(fit, NS_STREAMING);
    if (small == NULL)
        small = first_class(fit, NS_NODE_PONG);
    if (small == NULL || stream == NULL || last == NULL)
        return NS_OK;
    const double gap = stream->line.alpha, gap_se = stream->line.alpha_se, latency = small->line.alpha - 2 * gap;
    if (gap <= 0 || latency <= 0)
        return ns_fit_warn(fit, err,
                           "no LogGP numbers: small messages of a window are %.3g s apart, one alone takes %.3g s", gap,
                           small->line.alpha);
    fit->loggp_derived = true;
    fit->loggp[NS_LOGGP_G_BYTE] = (ns_fit_number){true, last->line.beta, last->line.beta_se, last->samples, 0};
    fit->loggp[NS_LOGGP_G_MESSAGE] = fit->loggp[NS_LOGGP_O] = (ns_fit_number){true, gap, gap_se, stream->samples, 0};
    fit->loggp[NS_LOGGP_L] = (ns_fit_number){true, latency, hypot(small->line.alpha_se, 2 * gap_se), small->samples, 0};
    return NS_OK;
}
