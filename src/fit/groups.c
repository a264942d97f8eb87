/* groups.c -- samples into groups, groups into classes
 *
 * Many pairs measure a node's injection limit, not the time of a message.  A median or minimum therefore uses single
 * pairs, or fewer than NS_FIT_INJECTION_PAIRS pairs where no single ones were measured.  With statistic "all", samples
 * of every number of pairs are used below rendezvous, and of fewer than NS_FIT_INJECTION_PAIRS from there on, as in the
 * script of [11] of [NA]; but files of single pairs, where there are any, take precedence over files of several.
 */
#include "core/memory.h"
#include "core/own.h"
#include "fit/fit.h"
#include "fit/machine_file.h"

#include <math.h>
#include <string.h>

enum { GROUP_SIZES = 2, ANY = 1 << 30 /* pairs */ };

typedef struct key {
    ns_memory memory;
    ns_locality locality;
    ns_sample_kind kind;
    bool shared;     /* includes node-pong */
    bool single;     /* only one message in flight: a fallback for ping-pong */
    double from, to; /* B: [from, to) */
    int most_pairs;
} key;

static bool is_of(const ns_sample *s, const void *context)
{
    const key *k = context;
    const bool kind = s->kind == k->kind || (k->shared && s->kind == NS_NODE_PONG);
    return kind && ns_sample_moves(s) && s->memory == k->memory && s->locality == k->locality && s->bytes >= k->from &&
           s->bytes < k->to && s->pairs <= k->most_pairs && (!k->single || s->messages <= 1);
}

static key key_of(const ns_fit_group *g)
{
    return (key){.memory = g->memory,
                 .locality = g->locality,
                 .kind = g->kind == NS_NODE_PONG ? NS_PING_PONG : g->kind,
                 .shared = g->kind == NS_NODE_PONG,
                 .single = g->kind == NS_MULTI_MESSAGE || g->kind == NS_QUEUE_IN_ORDER || g->kind == NS_QUEUE_REVERSED,
                 .from = 0,
                 .to = INFINITY,
                 .most_pairs = g->most_pairs};
}

/* The curve of a class: from few pairs where there are any, else from all. */
static ns_status curve_of_few(const ns_log *log, key *k, ns_statistic statistic, ns_curve *curve, size_t *samples,
                              ns_error *err)
{
    NS_TRY(ns_fit_curve(log, is_of, k, statistic, curve, samples, err));
    if (curve->count > 0 || k->most_pairs >= NS_FIT_INJECTION_PAIRS)
        return NS_OK;
    ns_curve_free(curve);
    k->most_pairs = ANY;
    return ns_fit_curve(log, is_of, k, statistic, curve, samples, err);
}

/* First sizes of the protocols: the given ones, or those found in the curve. */
static ns_status switches_of(const ns_fit *fit, const ns_log *log, const ns_fit_group *g, ns_switches *s, ns_error *err)
{
    const ns_fit_options *o = &fit->options;
    s->end = INFINITY;
    const double *first;
    const int given = ns_fit_switches(o, g->memory, &first);
    s->segments = given + 1;
    for (int i = 0; i < given; i++)
        s->first[i + 1] = first[i];
    if (given < 0) {
        NS_CLOSE(ns_curve_free) ns_curve curve = {.count = 0};
        size_t samples;
        key k = key_of(g);
        if (g->kind == NS_NODE_PONG && g->locality == NS_OFF_NODE)
            k.most_pairs = NS_FIT_INJECTION_PAIRS - 1;
        NS_TRY(curve_of_few(log, &k, o->statistic == NS_STATISTIC_MIN ? NS_STATISTIC_MIN : NS_STATISTIC_MEDIAN,
                            &curve, &samples, err));
        NS_TRY(ns_switch_points(&curve, s, err));
    }
    s->first[0] = 0;
    return NS_OK;
}

/* ---- classes ----------------------------------------------------------------------------------------------------- */

/* A single statistic over few and many pairs at once would represent neither, so it uses few pairs.  Only "all" keeps
 * every number of pairs. */
static ns_status fit_class(ns_fit *fit, const ns_log *log, ns_fit_group *g, const ns_switches *s, int segment,
                           ns_error *err)
{
    /* One, two or three protocols: a single one is eager; two split at short/eager if the switch is below 1 KiB, and at
     * eager/rendezvous above. */
    const int later = s->segments == 1 ? NS_EAGER : s->segments == 2 && s->first[1] > 1024 ? 1 : 0;
    const bool many = g->kind == NS_NODE_PONG && g->locality == NS_OFF_NODE;
    ns_fit_class c = {.protocol = (ns_protocol)(segment + later), .from = g->classes == 0 ? 0 : s->first[segment]};
    NS_CLOSE(ns_curve_free) ns_curve curve = {.count = 0};
    key k = key_of(g);
    k.from = s->first[segment];
    k.to = segment + 1 < s->segments ? s->first[segment + 1] : s->end;
    if (many && (fit->options.statistic != NS_STATISTIC_ALL || c.protocol == NS_RENDEZVOUS))
        k.most_pairs = NS_FIT_INJECTION_PAIRS - 1;
    NS_TRY(curve_of_few(log, &k, fit->options.statistic, &curve, &c.samples, err));
    if (curve.sizes < GROUP_SIZES)
        return ns_fit_warn(fit, err, "%s %s: %s sizes from %.0f B on: no line for protocol %s",
                           ns_memory_words[g->memory], ns_locality_words[g->locality],
                           curve.sizes == 0 ? "no" : "too few", s->first[segment], ns_protocol_words[c.protocol]);
    size_t first = 0, size = 0; /* among the sizes of the group */
    for (; g->curve.x[first] < curve.x[0]; first++)
        size += first + 1 == g->curve.count || g->curve.x[first + 1] != g->curve.x[first];
    ns_held_out_errors errors = {.of_size = g->error + size};
    NS_TRY(ns_line_fit(curve.x, curve.y, curve.count, fit->options.weights, curve.noise, &c.line, err));
    NS_TRY(ns_held_out(&curve, fit->options.weights, &errors, err));
    c.sizes = curve.sizes;
    c.least = curve.x[0];
    c.most = curve.x[curve.count - 1];
    c.spread = curve.spread;
    c.repeated = curve.noise.relative > 0;
    c.median_error = errors.median;
    c.p95_error = errors.p95;
    g->of[g->classes++] = c;
    return NS_OK;
}

/* Correct and check each line with the help of its neighbours. */
static ns_status settle_classes(ns_fit *fit, ns_fit_group *g, double end, ns_error *err)
{
    enum { FEW = 3 }; /* too few degrees of freedom to be conclusive */
    static const double jump = 50;
    const char *memory = ns_memory_words[g->memory], *locality = ns_locality_words[g->locality];
    double sum = 0, dof = 0;
    for (int c = 0; c < g->classes; c++) {
        sum += g->of[c].line.variance * g->of[c].line.dof;
        dof += g->of[c].line.dof;
    }
    /* Three sizes may lie on a line by chance; the residuals of the whole curve show how likely that is. */
    for (int c = 0; c < g->classes && fit->options.weights == NS_WEIGHTS_RELATIVE; c++)
        if (!g->of[c].repeated && g->of[c].line.dof < FEW && dof - g->of[c].line.dof >= FEW)
            ns_line_widen(&g->of[c].line, sum / dof, dof);
    /* A protocol that was found begins somewhere between the last size of the previous one and its own first size:
     * where both lines cross, if they cross there.  Otherwise the previous line would be used beyond its data, and
     * times would drop at a size that nobody measured. */
    const double *given;
    for (int c = 1; c < g->classes && ns_fit_switches(&fit->options, g->memory, &given) < 0; c++) {
        const ns_line_estimate *a = &g->of[c - 1].line, *b = &g->of[c].line;
        const double from = g->of[c].from, crossing = floor((b->alpha - a->alpha) / (a->beta - b->beta));
        if (b->alpha + b->beta * from < a->alpha + a->beta * from && crossing > g->of[c - 1].most && crossing < from)
            g->of[c].from = crossing;
    }
    /* The last size may belong to no class: check how far the preceding class is off there. */
    if (!isinf(end) && g->classes > 0) {
        const ns_line_estimate *line = &g->of[g->classes - 1].line;
        const double measured = g->curve.y[g->curve.count - 1], said = line->alpha + line->beta * end;
        g->error[g->curve.sizes - 1] = fabs(said / measured - 1);
        NS_TRY(ns_fit_warn(fit, err,
                           "%s %s: %.0f B take %.1f times as long as the sizes before say, a limit that one size does "
                           "not describe: left out, and longer messages are extrapolated",
                           memory, locality, end, measured / said));
    }
    /* A protocol adds a handshake or a registration to the cost of the one before: a factor of five or six at its first
     * size on the known machines.  A much larger jump comes from something else in the benchmark. */
    for (int c = 1; c < g->classes; c++) {
        const ns_line_estimate *a = &g->of[c - 1].line, *b = &g->of[c].line;
        const double at = g->of[c].least, before = a->alpha + a->beta * at, then = b->alpha + b->beta * at;
        if (then <= jump * before)
            continue;
        g->classes = c;
        return ns_fit_warn(fit, err,
                           "%s %s: from %.0f B on a message takes %.3g us, %.0f times what the sizes before say, which "
                           "no protocol does: is its memory mapped anew for each? Left out, and longer messages are "
                           "extrapolated",
                           memory, locality, at, 1e6 * then, then / before);
    }
    return NS_OK;
}

static ns_status fit_group(ns_fit *fit, const ns_log *log, ns_fit_group *g, ns_error *err)
{
    ns_switches s = {0};
    const key k = key_of(g);
    NS_TRY(ns_fit_curve(log, is_of, &k, fit->options.statistic, &g->curve, &g->samples, err));
    if (g->curve.sizes < GROUP_SIZES)
        return ns_fit_warn(fit, err, "%s %s, %s: a single size, %.0f B; a line wants two, a machine at least six",
                           ns_memory_words[g->memory], ns_locality_words[g->locality], ns_sample_kind_words[g->kind],
                           g->curve.x[0]);
    NS_TRY(switches_of(fit, log, g, &s, err));
    g->error = ns_malloc(ns_size_mul(ns_size_add(g->curve.sizes, 1), sizeof *g->error));
    if (g->error == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < g->curve.sizes; i++)
        g->error[i] = NAN;
    for (int segment = 0; segment < s.segments; segment++)
        NS_TRY(fit_class(fit, log, g, &s, segment, err));
    NS_TRY(settle_classes(fit, g, s.end, err));
    return ns_fit_group_warnings(fit, log, g, err);
}

/* ---- choice of groups -------------------------------------------------------------------------------------------- */

/* In order of preference.  The first kind that was measured gives the machine's lines. */
static const struct {
    ns_sample_kind kind;
    bool stand_in; /* used only where no kind before it was measured; otherwise gets no line of its own */
} kinds[] = {{NS_PING_PONG, false},     {NS_QUEUE_IN_ORDER, true}, {NS_MULTI_MESSAGE, true},
             {NS_QUEUE_REVERSED, true}, {NS_STREAMING, false},     {NS_MESSAGE_RATE, false},
             {NS_BIDIRECTIONAL, false}, {NS_STAGED, false},        {NS_ONE_SIDED, false}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Do times of several pairs stand in for those of one?  They do if no file has single pairs only and single pairs have
 * too few sizes for a curve. */
static ns_status is_shared(const ns_fit *fit, const ns_log *log, ns_memory memory, ns_locality locality, bool *shared,
                           ns_error *err)
{
    const key k =
        key_of(&(ns_fit_group){.memory = memory, .locality = locality, .kind = NS_PING_PONG, .most_pairs = ANY});
    bool any = false, pure = false;
    for (size_t i = 0, j; i < log->samples; i = j) {
        bool single = false, several = false;
        for (j = i; j < log->samples && log->sample[j].file == log->sample[i].file; j++) {
            const ns_sample *s = &log->sample[j];
            const bool here = s->memory == memory && s->locality == locality;
            single = single || (here && s->kind == NS_PING_PONG);
            several = several || (here && s->kind == NS_NODE_PONG);
        }
        any = any || several;
        pure = pure || (single && !several);
    }
    *shared = any && !pure;
    if (!*shared || fit->options.statistic == NS_STATISTIC_ALL)
        return NS_OK;
    NS_CLOSE(ns_curve_free) ns_curve curve = {.count = 0};
    size_t samples;
    NS_TRY(ns_fit_curve(log, is_of, &k, NS_STATISTIC_MEDIAN, &curve, &samples, err));
    *shared = curve.sizes < NS_FIT_SIZES_WANTED;
    return NS_OK;
}

/* A window's rate is shared by all pairs; a round trip with many pairs is the time of one pair, slowed down by the
 * others. */
ns_line_estimate ns_fit_alone(const ns_fit_group *g, const ns_line_estimate *line)
{
    ns_line_estimate alone = *line;
    const int pairs = g->kind == NS_MESSAGE_RATE ? g->together : 1;
    alone.beta /= pairs;
    alone.beta_se /= pairs;
    alone.covariance /= pairs;
    return alone;
}

static ns_status warn_of_kind(ns_fit *fit, const ns_fit_group *g, bool only, ns_error *err)
{
    const char *m = ns_memory_words[g->memory], *l = ns_locality_words[g->locality],
               *kind = ns_sample_kind_words[g->kind];
    const bool latency = ns_kind_is_latency(g->kind);
    if (!latency && !only)
        return ns_fit_warn(fit, err, "%s %s: %s data is kept apart from ping-pong and is not in the machine", m, l,
                           kind);
    if (!latency)
        NS_TRY(ns_fit_warn(fit, err, "%s %s: nothing but %s data%s", m, l, kind,
                           ns_kind_is_window(g->kind) ? ": alpha is a gap between messages of a window, not a latency"
                                                      : ""));
    return g->together == 1 ? NS_OK
                            : ns_fit_warn(fit, err, "%s %s: %d pairs at once and none alone: the machine's file %s", m,
                                          l, g->together,
                                          latency ? "takes one alone to be as slow, so few long messages look dearer "
                                                    "than they are"
                                                  : "lets one alone reach the rate of all");
}

static ns_status fit_place(ns_fit *fit, const ns_log *log, ns_memory memory, ns_locality locality, ns_error *err)
{
    bool have = false, shared;
    NS_TRY(is_shared(fit, log, memory, locality, &shared, err));
    for (int i = 0; i < KINDS; i++) {
        ns_fit_group *g = &fit->group[fit->groups];
        int fewest = -1; /* pairs */
        *g = (ns_fit_group){.memory = memory,
                            .locality = locality,
                            .kind = i == 0 && shared ? NS_NODE_PONG : kinds[i].kind,
                            .most_pairs = ANY};
        const key k = key_of(g);
        for (size_t s = 0; s < log->samples; s++)
            if (is_of(&log->sample[s], &k) && (fewest < 0 || log->sample[s].pairs < fewest))
                fewest = log->sample[s].pairs;
        if ((have && kinds[i].stand_in) || fewest < 0)
            continue;
        /* a window's rate depends on the number of pairs: one line over several numbers would fit none of them */
        if (g->kind == NS_MESSAGE_RATE || g->kind == NS_BIDIRECTIONAL)
            g->most_pairs = fewest;
        /* two or three concurrent ping-pong pairs hardly slow each other down */
        const bool together =
            (g->kind == NS_MESSAGE_RATE && fewest > 1) || (g->kind == NS_NODE_PONG && fewest >= NS_FIT_INJECTION_PAIRS);
        g->together = together ? fewest : 1;
        g->in_machine = !have; /* provisional until it is fitted */
        fit->groups++;
        NS_TRY(fit_group(fit, log, g, err));
        NS_TRY(warn_of_kind(fit, g, !have, err));
        g->in_machine = !have && g->classes > 0;
        have = have || g->in_machine;
    }
    return NS_OK;
}

ns_status ns_fit_groups(ns_fit *fit, const ns_log *log, ns_error *err)
{
    fit->group = ns_calloc((size_t)NS_MEMORIES * NS_LOCALITIES * KINDS, sizeof *fit->group);
    if (fit->group == NULL)
        return ns_no_memory(err);
    for (int m = 0; m < NS_MEMORIES; m++)
        for (int l = 0; l < NS_LOCALITIES; l++) {
            NS_TRY(fit_place(fit, log, (ns_memory)m, (ns_locality)l, err));
            if (fit->options.watch != NULL)
                fit->options.watch(fit->options.watcher, m * NS_LOCALITIES + l + 1, NS_MEMORIES * NS_LOCALITIES);
        }
    return NS_OK;
}
