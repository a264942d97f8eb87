/* exchange.c -- constants of whole exchanges, from benchmarks with many messages in flight (strategy.h, form full)
 *
 *     T = n (a + b s)                        on node, by protocol: a and b; off node between the fewest
 *                                            nodes, short messages: a
 *
 *     T = a' n + n s ppn / R + gamma' n^2    off node, lines of nodes whose pairs cross the same links, every
 *                                            protocol: R
 *
 * Each pair has n messages of s bytes in flight, in order or in unknown order; the fits use medians of the repeats and
 * relative residuals.  The first fit is robust and uses up to FEW messages: beyond that the queue search shows, which
 * has its own constant.  The off-node start-up is fitted where no link is shared, and used if later protocols have
 * about the same one.  The node's rate is fitted where at least SHARING nodes a side send over the same links, as
 * neighbours in a job do.  Such lines of nodes lie along every direction of the network, which differ by design, so
 * that fit is not robust.
 */
#include "core/memory.h"
#include "core/own.h"
#include "fit/cells.h"
#include "fit/machine_file.h"
#include "num/num.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FEW = 64, SHARING = 4, ANY = 1 << 30 };
static const double APART = 2; /* protocols whose start-ups in flight differ by a larger factor have no common one */

typedef struct choice {
    ns_memory memory;
    ns_locality locality;
    int least_pairs, most_pairs;
    int messages;    /* upper limit */
    double from, to; /* B, from <= s < to */
} choice;

static bool in_flight(const ns_sample *s, ns_memory memory)
{
    const bool many = s->kind == NS_MULTI_MESSAGE || s->kind == NS_QUEUE_IN_ORDER || s->kind == NS_CONTENTION;
    return many && s->memory == memory && s->seconds > 0;
}

static bool fits(const ns_sample *s, const void *context)
{
    const choice *w = context;
    return in_flight(s, w->memory) && s->locality == w->locality && s->pairs >= w->least_pairs &&
           s->pairs <= w->most_pairs && s->messages <= w->messages && s->bytes >= w->from && s->bytes < w->to;
}

/* Fit time of a message = alpha + beta s to the cells; *given: there are enough sizes for a line. */
static ns_status fit_cells(const ns_log *log, const choice *w, ns_line_estimate *line, size_t *samples, bool *given,
                           ns_error *err)
{
    ns_cell *c = NULL;
    size_t count = 0;
    NS_TRY(ns_cells_collect(log, fits, w, NS_CELLS_BY_MESSAGES, NS_STATISTIC_MEDIAN, &c, &count, samples, err));
    *given = ns_cells_sizes(c, count) > 2;
    const ns_status status = *given ? ns_cells_line(c, count, line, err) : NS_OK;
    ns_free(c);
    return status;
}

/* With GPUs an exchange waits for something that no ping-pong shows: start-ups in flight count where the floor is
 * known; otherwise the latency of single messages stands in for both.  The processor's time for each of one process'
 * several messages from the host counts in any case: Summit's exchanges, which were not used for any choice, are off by
 * 13 % with it and by 27 % without. */
static bool start_ups_count(const ns_fit *fit, ns_memory memory)
{
    return ns_fit_gpus(fit) == 0 || fit->options.floor[memory];
}

static bool has_several(const ns_fit *fit, ns_memory memory)
{
    bool any = false;
    for (int p = 0; p < NS_PROTOCOLS; p++)
        any = any || fit->in_flight[memory][p].given;
    return any;
}

static bool has_in_flight(const ns_log *log, ns_memory memory)
{
    for (size_t i = 0; i < log->samples; i++)
        if (in_flight(&log->sample[i], memory) && log->sample[i].messages > 1)
            return true;
    return false;
}

ns_status ns_fit_exchange_warnings(ns_fit *fit, const ns_log *log, ns_error *err)
{
    for (int m = 0; m < NS_MEMORIES; m++)
        if (!start_ups_count(fit, (ns_memory)m) && !(m == NS_HOST && has_several(fit, NS_HOST)) &&
            (has_in_flight(log, (ns_memory)m) || fit->start_up[m].number.given))
            NS_TRY(ns_fit_warn(fit, err,
                               "%s: start-ups of messages in flight are left out: on a machine with GPUs they are too "
                               "low without a floor, which --records calibrates; those of single messages stand",
                               ns_memory_words[m]));
    return NS_OK;
}

/* ---- writing the machine file ------------------------------------------------------------------------------------ */

static ns_value *child(ns_value *object, const char *name)
{
    for (ns_value *v = object != NULL ? object->first : NULL; v != NULL; v = v->next)
        if (strcmp(v->name, name) == 0)
            return v;
    return ns_value_object(object, name);
}

/* Get an object of a memory's "exchange"; it is created on the first write. */
static ns_value *place(ns_value *memory, const char *name)
{
    return child(child(memory, "exchange"), name);
}

/* Fit one start-up for every protocol, from the fewest pairs that have many messages in flight off node. */
static ns_status common_start_up(const ns_fit *fit, const ns_log *log, ns_memory memory, ns_value *m, bool *written,
                                 ns_error *err)
{
    int pairs = 0;
    bool several = false, given, other;
    for (size_t i = 0; i < log->samples; i++) {
        const ns_sample *s = &log->sample[i];
        if (!in_flight(s, memory) || s->locality != NS_OFF_NODE || s->messages <= 1)
            continue;
        pairs = pairs == 0 || s->pairs < pairs ? s->pairs : pairs;
        several = several || (s->kind == NS_MULTI_MESSAGE && s->pairs == 1);
    }
    choice w = {memory, NS_OFF_NODE, pairs, pairs, FEW, 0, ns_fit_end_of(fit, memory, NS_OFF_NODE, 0)};
    const double end = w.to;
    ns_line_estimate line, of;
    size_t samples, ignored;
    double later = 0; /* largest start-up of the later protocols: a common one is only valid if they agree */
    NS_TRY(fit_cells(log, &w, &line, &samples, &given, err));
    for (w.from = end; isfinite(w.from); w.from = w.to) {
        w.to = ns_fit_end_of(fit, memory, NS_OFF_NODE, w.from);
        NS_TRY(fit_cells(log, &w, &of, &ignored, &other, err));
        later = other ? fmax(later, of.alpha) : later;
    }
    /* several messages of one process either overlap, or only other benchmarks show the in-flight cost */
    *written =
        given && line.alpha > 0 && later <= APART * line.alpha && (has_several(fit, memory) || !several || pairs > 1);
    if (!*written)
        return NS_OK;
    ns_value *object = place(m, ns_locality_words[NS_OFF_NODE]);
    ns_fit_put(object, "alpha", line.alpha, line.alpha_se, NS_SECOND);
    ns_value_textf(object, "source",
                   "nsmodel fit, up to %d messages in flight of %d pairs, %.0f B at most, %zu samples", (int)FEW, pairs,
                   isfinite(end) ? end - 1 : 0, samples);
    return NS_OK;
}

/* Fit the columns n, n s ppn, n^2 to T of the cells measured on lines of nodes. */
static ns_status shared_rate(const ns_fit *fit, const ns_log *log, ns_memory memory, ns_value *m, ns_error *err)
{
    const int ppn = fit->options.per_node;
    const choice w = {memory, NS_OFF_NODE, SHARING * ppn, ANY, ANY, 0, INFINITY};
    ns_error poor = {0}; /* too few messages or sizes: no rate */
    NS_OWN(ns_free) ns_cell *c = NULL;
    size_t count, samples;
    double rate[3], se[3];
    if (ppn < 1)
        return NS_OK;
    NS_TRY(ns_cells_collect(log, fits, &w, NS_CELLS_BY_MESSAGES, NS_STATISTIC_MEDIAN, &c, &count, &samples, err));
    NS_OWN(ns_free) double *x = ns_malloc(ns_size_mul(ns_size_add(ns_size_mul(4, count), 1), sizeof *x));
    if (x == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        const double n = c[i].messages;
        x[i] = n;
        x[count + i] = n * c[i].bytes * ppn;
        x[2 * count + i] = n * n;
        x[3 * count + i] = n * c[i].seconds;
    }
    const ns_status status = ns_plane_fit(x, x + 3 * count, count, 3, rate, se, &poor);
    if (status == NS_ERR_MEMORY)
        return ns_no_memory(err);
    if (status != NS_OK || rate[1] <= 0)
        return NS_OK;
    ns_value *exchange = child(m, "exchange");
    ns_fit_put(exchange, "inverse_R", rate[1], se[1], NS_SECOND_PER_BYTE);
    ns_value_textf(exchange, "note", "inverse_R: lines of at least %d nodes a side, %d processes a node, %zu samples",
                   (int)SHARING, ppn, samples);
    return NS_OK;
}

static ns_status on_node(const ns_fit *fit, const ns_log *log, ns_memory memory, ns_locality locality, ns_value *m,
                         ns_error *err)
{
    ns_value *object = NULL;
    for (int p = 0; p < NS_PROTOCOLS; p++) {
        const ns_fit_class *c = ns_fit_class_of(fit, memory, locality, (ns_protocol)p);
        if (c == NULL)
            continue;
        const choice w = {memory, locality, 0, ANY, FEW, c->from, ns_fit_end_of(fit, memory, locality, c->from)};
        ns_line_estimate line;
        size_t samples;
        bool given;
        NS_TRY(fit_cells(log, &w, &line, &samples, &given, err));
        if (!given)
            continue;
        object = object != NULL ? object : place(m, ns_locality_words[locality]);
        ns_value *row = ns_value_object(object, ns_protocol_words[p]);
        ns_fit_put_line(row, &line);
        ns_value_textf(row, "note", "up to %d messages in flight, %zu samples", (int)FEW, samples);
    }
    return NS_OK;
}

/* Off-node start-ups by protocol.  Several messages of one process give the processor's time for one and the gap
 * between two; the fallback is half the time of a single message.  Half of a device message's time is latency that
 * other messages in flight hide: 3.25 of 6.1 us in Lassen's exchanges.  With it the errors for Summit, and for Lassen
 * in two other programs, are a quarter to a half of what they were before. */
static bool by_protocol(const ns_fit *fit, ns_memory memory, bool half, ns_value *m)
{
    ns_value *object = NULL;
    for (int p = 0; p < NS_PROTOCOLS; p++) {
        const ns_fit_in_flight *f = &fit->in_flight[memory][p];
        const ns_fit_class *c = ns_fit_class_of(fit, memory, NS_OFF_NODE, (ns_protocol)p);
        if (half ? c == NULL || c->line.alpha <= 0 : !f->given)
            continue;
        const bool first = object == NULL;
        object = first ? place(m, ns_locality_words[NS_OFF_NODE]) : object;
        if (first && !half)
            ns_fit_put(object, "overhead", f->a, f->a_se, NS_SECOND);
        ns_value *row = ns_value_object(object, ns_protocol_words[p]);
        ns_fit_put(row, "alpha", half ? c->line.alpha / 2 : f->a, half ? c->line.alpha_se / 2 : f->a_se, NS_SECOND);
        if (!half && f->b_se > 0)
            ns_fit_put(row, "beta", f->b, f->b_se, NS_SECOND_PER_BYTE);
        else /* clamped at 0: use that of a single message */
            ns_fit_put(row, "beta", c->line.beta, c->line.beta_se, NS_SECOND_PER_BYTE);
        if (!half)
            ns_value_textf(row, "note", "%zu samples", f->samples);
    }
    if (object != NULL)
        ns_value_text(object, "source",
                      half
                          ? "assumed: half the start-up of a message alone, as in whole exchanges on Lassen; the other "
                            "half is latency that messages in flight hide"
                          : "nsmodel fit, several messages of one process in flight: medians, relative residuals; "
                            "overhead is that of the shortest");
    return object != NULL;
}

ns_status ns_fit_exchange(const ns_fit *fit, const ns_log *log, ns_memory memory, ns_value *object, ns_error *err)
{
    const bool flight = has_in_flight(log, memory), count = start_ups_count(fit, memory);
    const ns_fit_loaded *loaded = &fit->start_up[memory], *packing = &fit->packing;
    bool written = false;
    if (count && flight)
        NS_TRY(common_start_up(fit, log, memory, object, &written, err));
    if (!written)
        written = by_protocol(fit, memory, !count && memory != NS_HOST, object);
    if (!written && count && loaded->number.given) { /* while every process of a node sends */
        ns_value *off = place(object, ns_locality_words[NS_OFF_NODE]);
        ns_fit_put(off, "alpha", loaded->number.value, loaded->number.se, NS_SECOND);
        ns_value_textf(off, "source", "nsmodel fit, median of ping-pong up to 512 B with %d pairs at once, %zu samples",
                       loaded->pairs, loaded->number.samples);
    }
    if (flight) {
        NS_TRY(shared_rate(fit, log, memory, object, err));
        NS_TRY(on_node(fit, log, memory, NS_ON_NODE, object, err));
        NS_TRY(on_node(fit, log, memory, NS_ON_SOCKET, object, err));
    }
    for (int l = 0; l < NS_OFF_NODE; l++) { /* the memory's limit holds for every protocol below rendezvous */
        const ns_fit_loaded *limit = &fit->limit[memory][l];
        for (int p = 0; p < NS_RENDEZVOUS && limit->number.given; p++) {
            if (ns_fit_class_of(fit, memory, (ns_locality)l, (ns_protocol)p) == NULL)
                continue;
            ns_value *row = child(place(object, ns_locality_words[l]), ns_protocol_words[p]);
            ns_fit_put(row, "inverse_R", limit->number.value, limit->number.se, NS_SECOND_PER_BYTE);
            ns_value_textf(row, "source", "nsmodel fit, ping-pong of %d pairs on the node at once, %zu samples",
                           limit->pairs, limit->number.samples);
        }
    }
    if (memory == NS_HOST && packing->number.given) {
        ns_value *of = place(object, "packing");
        ns_fit_put(of, "beta", packing->number.value, packing->number.se, NS_SECOND_PER_BYTE);
        ns_value_textf(of, "source",
                       "nsmodel fit, copies of blocks into buffers allocated anew by %d processes of a node at once, "
                       "%zu samples",
                       packing->pairs, packing->number.samples);
    }
    if (ns_value_get(object, "exchange") != NULL)
        ns_value_text(child(object, "exchange"), "source",
                      "nsmodel fit, many messages in flight: medians, relative residuals");
    else if (flight)
        ns_value_text(child(object, "exchange"), "note",
                      "messages in flight were measured, but no start-up that counts in an exchange: single messages "
                      "stand");
    return NS_OK;
}
