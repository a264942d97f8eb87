/* injection.c -- R_N: the rate at which a node injects into the network when many of its processes send at once
 *
 *     T = alpha + pairs s / R_N          [NA] (4.3), the injection-bound side of the max-rate model
 *
 * for messages of the last protocol and at least NS_FIT_INJECTION_PAIRS pairs.  With relative weights only the largest
 * sizes count (an eighth of the largest and up), where the start-up time matters least.  Times below twice alpha are
 * not informative enough.
 */
#include "core/memory.h"
#include "core/own.h"
#include "fit/cells.h"

#include <math.h>

static const double uneven = 1.5; /* rates of many pairs that differ by a larger factor are not one limit */

typedef struct wanted {
    ns_memory memory;
    ns_sample_kind kind;
    double from;
    int least_pairs;
} wanted;

static bool is_wanted(const ns_sample *s, const void *context)
{
    const wanted *w = context;
    const bool kind = s->kind == w->kind || (w->kind == NS_NODE_PONG && s->kind == NS_PING_PONG && w->least_pairs <= 1);
    return kind && s->memory == w->memory && s->locality == NS_OFF_NODE && s->bytes >= w->from &&
           s->pairs >= w->least_pairs;
}

/* Rates by number of pairs, each at the largest size that was measured. */
static ns_status rates_of(const ns_log *log, wanted w, double alpha, ns_fit_injection *r, ns_error *err)
{
    NS_OWN(ns_free) ns_cell *c = NULL;
    size_t count, samples;
    w.least_pairs = 1;
    NS_TRY(ns_cells_collect(log, is_wanted, &w, NS_CELLS_BY_PAIRS, NS_STATISTIC_MEDIAN, &c, &count, &samples, err));
    r->rate = ns_calloc(ns_size_add(count, 1), sizeof *r->rate);
    for (size_t i = 0; r->rate != NULL && i < count; i++) {
        if (c[i].seconds < 2 * alpha)
            continue;
        const ns_fit_rate rate = {c[i].pairs, c[i].pairs * c[i].bytes / (c[i].seconds - alpha)};
        if (r->rates > 0 && r->rate[r->rates - 1].pairs == rate.pairs)
            r->rates--; /* cells of a number of pairs rise in size: keep the last */
        r->rate[r->rates++] = rate;
    }
    return r->rate != NULL ? NS_OK : ns_no_memory(err);
}

/* Time per byte of the most pairs at once, at the largest size of each protocol, and the slowdown against one pair: if
 * it is below two, more pairs may find a limit that these have not reached.  The time per byte is at least that of
 * each pair's own line. */
static ns_status crowd(const ns_fit *fit, const ns_log *log, wanted w, ns_fit_injection *r, ns_error *err)
{
    NS_OWN(ns_free) ns_cell *c = NULL;
    size_t count, samples;
    w.least_pairs = 1;
    w.from = 0;
    NS_TRY(ns_cells_collect(log, is_wanted, &w, NS_CELLS_BY_PAIRS, NS_STATISTIC_MEDIAN, &c, &count, &samples, err));
    for (size_t i = 0; i < count; i++) {
        const ns_fit_class *line = ns_fit_line(fit, w.memory, NS_OFF_NODE, c[i].bytes);
        if (line == NULL || c[i].pairs < NS_FIT_INJECTION_PAIRS || c[i].pairs < c[count - 1].pairs)
            continue;
        const double own = line->line.beta * c[i].bytes;
        r->slowdown[line->protocol] = c[i].seconds / (line->line.alpha + own);
        r->crowded[line->protocol] = fmax(c[i].seconds - line->line.alpha, own) / (c[i].pairs * c[i].bytes);
    }
    /* A short message of each process may stay in buffers.  If the node had no more processes than these, many short
     * messages are sent no faster than long ones. */
    const double sustained = r->crowded[NS_RENDEZVOUS];
    for (int p = 0; p < NS_PROTOCOLS && count > 0 && c[count - 1].pairs >= ns_fit_processes(fit); p++)
        if (r->crowded[p] > 0)
            r->crowded[p] = fmax(r->crowded[p], sustained);
    return NS_OK;
}

/* Conclude from the rates by number of pairs.  The node is the limit if the rate per pair at the most pairs is below
 * nine tenths of that of the fewest pairs, or of one pair alone.  Where only one number of pairs was measured, and not
 * a single pair, the only evidence is that windows of many pairs are meant to fill a node; the node injects at least
 * their rate, which is used where nothing better is known (at_least). */
static void judge(const ns_fit *fit, const ns_log *log, double bytes, ns_fit_injection *r)
{
    double best = 0, alone = 0;
    if (r->rates == 0)
        return;
    /* the rate of one pair alone is that of the line, where single pairs made it */
    const ns_fit_class *line = ns_fit_line(fit, r->memory, NS_OFF_NODE, bytes);
    for (size_t i = 0; line != NULL && i < log->samples; i++) {
        const ns_sample *s = &log->sample[i];
        if (s->memory == r->memory && s->locality == NS_OFF_NODE && s->pairs <= 1 && s->bytes >= line->least &&
            s->bytes <= line->most && (s->kind == NS_PING_PONG || s->kind == NS_STREAMING))
            alone = bytes / (line->line.alpha + line->line.beta * bytes);
    }
    const ns_fit_rate *first = &r->rate[0], *last = &r->rate[r->rates - 1];
    r->least_rate = INFINITY;
    for (const ns_fit_rate *of = first; of <= last; of++) {
        if (of->bytes_per_s > best) {
            best = of->bytes_per_s;
            r->best_pairs = of->pairs;
        }
        if (of->pairs >= NS_FIT_INJECTION_PAIRS) {
            r->least_rate = fmin(r->least_rate, of->bytes_per_s);
            r->most_rate = fmax(r->most_rate, of->bytes_per_s);
        }
    }
    r->most_pairs = last->pairs;
    r->fall = best > 0 && last->bytes_per_s < 0.95 * best ? 1 - last->bytes_per_s / best : 0;
    const double one = fmax(first->bytes_per_s / first->pairs, first->pairs > 1 ? alone : 0);
    const bool compared = r->rates > 1 || alone > 0,
               fills = r->kind != NS_NODE_PONG && last->pairs >= NS_FIT_INJECTION_PAIRS;
    r->at_least = r->at_least && !compared && !fills && last->pairs >= NS_FIT_INJECTION_PAIRS;
    r->given = r->given && (compared || fills || r->at_least);
    r->bound = compared ? last->bytes_per_s / last->pairs < 0.9 * one : fills;
    r->slower = compared ? one * last->pairs / last->bytes_per_s : 0;
}

static ns_status fit_rate(ns_fit *fit, const ns_log *log, const wanted *w, double alpha, ns_fit_injection *r,
                          ns_error *err)
{
    NS_OWN(ns_free) ns_cell *c = NULL;
    size_t all, count = 0;
    NS_TRY(ns_cells_collect(log, is_wanted, w, NS_CELLS_BY_PAIRS, fit->options.statistic, &c, &all, &r->samples, err));
    for (size_t i = 0; i < all; i++)
        if (c[i].seconds >= 2 * alpha)
            c[count++] = c[i];
    if (count == 0)
        return NS_OK;
    NS_OWN(ns_free) double *x = ns_malloc(ns_size_mul(ns_size_mul(3, count), sizeof *x));
    if (x == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        x[i] = c[i].pairs * c[i].bytes;
        x[count + i] = c[i].seconds - alpha;
        x[2 * count + i] = c[i].seconds;
    }
    const double *scale = fit->options.weights == NS_WEIGHTS_RELATIVE ? x + 2 * count : NULL;
    NS_TRY(ns_ray_fit(x, x + count, scale, count, &r->inverse_R_N, &r->se, err));
    r->given = r->inverse_R_N > 0;
    return NS_OK;
}

static ns_status warn(ns_fit *fit, const ns_fit_injection *r, ns_error *err)
{
    const char *memory = ns_memory_words[r->memory];
    if (r->memory == NS_HOST && 2 * r->most_pairs <= fit->options.processes)
        NS_TRY(ns_fit_warn(fit, err,
                           "%s: at most %d of the %d processes of a node sent at once: its rate and start-ups are "
                           "those of so few; measure again with all of them",
                           memory, r->most_pairs, fit->options.processes));
    if (r->at_least)
        return ns_fit_warn(
            fit, err,
            "%s: whether %d pairs at once fill the node is not known without fewer; the machine says that "
            "it injects no less than these",
            memory, r->most_pairs);
    if (!r->bound)
        NS_TRY(ns_fit_warn(fit, err,
                           "%s: %d pairs do not reach the injection limit; the machine says so in place of R_N", memory,
                           r->most_pairs));
    if (r->bound && r->slower > 0 && r->slower < 2)
        NS_TRY(ns_fit_warn(
            fit, err,
            "%s: %d pairs at once take %.4g times as long as one, less than twice: the injection limit is not "
            "reached, or only just, and more pairs may inject more than R_N says",
            memory, r->most_pairs, r->slower));
    if (r->fall > 0)
        NS_TRY(ns_fit_warn(fit, err, "%s: the node's rate falls again: %d pairs inject %.0f %% less than %d do", memory,
                           r->most_pairs, 100 * r->fall, r->best_pairs));
    if (r->bound && r->most_rate > uneven * r->least_rate)
        NS_TRY(ns_fit_warn(
            fit, err, "%s: %d and more pairs inject %.3g to %.3g GB/s: R_N, %.3g, is one number for a range", memory,
            NS_FIT_INJECTION_PAIRS, 1e-9 * r->least_rate, 1e-9 * r->most_rate, 1e-9 / r->inverse_R_N));
    if (r->kind != NS_NODE_PONG)
        NS_TRY(ns_fit_warn(fit, err, "%s: R_N comes from %s data, windows of messages", memory,
                           ns_sample_kind_words[r->kind]));
    return NS_OK;
}

static ns_status fit_injection(ns_fit *fit, const ns_log *log, ns_memory memory, ns_sample_kind kind, bool at_least,
                               ns_error *err)
{
    ns_fit_injection *r = &fit->injection[memory];
    wanted w = {.memory = memory, .kind = kind, .least_pairs = 2};
    int pairs = 0;
    double most = 0;
    for (size_t i = 0; i < log->samples; i++)
        if (is_wanted(&log->sample[i], &w)) {
            most = fmax(most, log->sample[i].bytes);
            pairs = log->sample[i].pairs > pairs ? log->sample[i].pairs : pairs;
        }
    if (pairs < 2)
        return NS_OK;
    const ns_fit_class *line = kind == NS_NODE_PONG ? ns_fit_line(fit, memory, NS_OFF_NODE, most) : NULL;
    const double alpha = line != NULL ? line->line.alpha : 0;
    ns_free(r->rate); /* from a kind that was tried before and gave no limit */
    *r = (ns_fit_injection){.memory = memory, .kind = kind, .at_least = at_least};
    w.from = line != NULL ? line->from : 0;
    if (fit->options.weights == NS_WEIGHTS_RELATIVE || line == NULL)
        w.from = fmax(w.from, most / 8);
    w.least_pairs = pairs < NS_FIT_INJECTION_PAIRS ? pairs : NS_FIT_INJECTION_PAIRS;
    r->from = w.from;
    NS_TRY(fit_rate(fit, log, &w, alpha, r, err));
    NS_TRY(rates_of(log, w, alpha, r, err));
    NS_TRY(crowd(fit, log, w, r, err));
    judge(fit, log, most, r);
    return r->given ? warn(fit, r, err) : NS_OK;
}

ns_status ns_fit_injections(ns_fit *fit, const ns_log *log, ns_error *err)
{
    static const ns_sample_kind kinds[] = {NS_NODE_PONG, NS_MESSAGE_RATE, NS_STREAMING};
    for (int m = 0; m < NS_MEMORIES; m++) {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !fit->injection[m].given; k++)
            NS_TRY(fit_injection(fit, log, (ns_memory)m, kinds[k], false, err));
        if (!fit->injection[m].given)
            NS_TRY(fit_injection(fit, log, (ns_memory)m, NS_NODE_PONG, true, err));
    }
    return NS_OK;
}
