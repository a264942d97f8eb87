/* groups.c -- samples into groups, groups into classes
 *
 * With many pairs a node's injection limit is measured, not a message's own time.  A median or minimum is therefore of
 * single pairs, and of fewer than NS_FIT_INJECTION_PAIRS where no single ones were measured.  With statistic "all"
 * every number of pairs counts below rendezvous, and fewer than NS_FIT_INJECTION_PAIRS from there, as in the script of
 * [11] of [NA]; but files of single pairs, where there are any, come before files of several.
 */
#include "core/memory.h"
#include "fit/fit.h"
#include "fit/machine_file.h"

#include <math.h>
#include <string.h>

enum { GROUP_SIZES = 2 };

typedef struct key {
    ns_memory memory;
    ns_locality locality;
    ns_sample_kind kind;
    bool shared;     /* node-pong as well */
    bool single;     /* only one message in flight: a stand-in for ping-pong */
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

/* One statistic over few and many pairs at once would be of neither: it takes few.  Only "all" keeps every number of
 * pairs. */
static bool limits_pairs(const ns_fit *fit, const ns_fit_group *g)
{
    return g->kind == NS_NODE_PONG && g->locality == NS_OFF_NODE && fit->options.statistic != NS_STATISTIC_ALL;
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

static ns_status curve_of(const ns_log *log, const key *k, ns_statistic statistic, ns_curve *curve, size_t *samples,
                          ns_error *err)
{
    ns_columns columns;
    NS_TRY(ns_columns_collect(log, is_of, k, &columns, err));
    *samples = columns.count;
    ns_status status = ns_curve_make(columns.x, columns.y, columns.count, statistic, curve, err);
    ns_columns_free(&columns);
    return status;
}

/* ---- switch points ----------------------------------------------------------------------------------------------- */

static ns_status find_switches(const ns_fit *fit, const ns_log *log, const ns_fit_group *g, ns_switches *switches,
                               ns_error *err)
{
    ns_curve curve;
    size_t samples;
    key k = key_of(g);
    if (g->kind == NS_NODE_PONG && g->locality == NS_OFF_NODE)
        k.most_pairs = NS_FIT_INJECTION_PAIRS - 1;
    const ns_statistic statistic = fit->options.statistic == NS_STATISTIC_MIN ? NS_STATISTIC_MIN : NS_STATISTIC_MEDIAN;
    NS_TRY(curve_of(log, &k, statistic, &curve, &samples, err));
    if (curve.count == 0) {
        ns_curve_free(&curve);
        k.most_pairs = 1 << 30;
        NS_TRY(curve_of(log, &k, statistic, &curve, &samples, err));
    }
    ns_status status = ns_switch_points(&curve, switches, err);
    ns_curve_free(&curve);
    return status;
}

/* Names of one, two or three protocols.  Two of them part at short/eager when they do so below 1 KiB, and at
 * eager/rendezvous above; a single one is eager. */
static ns_protocol protocol_of(const ns_switches *s, int segment)
{
    if (s->segments == 3)
        return (ns_protocol)segment;
    if (s->segments == 1)
        return NS_EAGER;
    return (ns_protocol)(segment + (s->first[1] > 1024 ? 1 : 0));
}

static ns_status switches_of(const ns_fit *fit, const ns_log *log, const ns_fit_group *g, ns_switches *s, ns_error *err)
{
    if (fit->options.switches < 0)
        NS_TRY(find_switches(fit, log, g, s, err));
    else {
        s->end = INFINITY;
        s->segments = fit->options.switches + 1;
        for (int i = 0; i < fit->options.switches; i++)
            s->first[i + 1] = fit->options.first[i];
    }
    s->first[0] = 0;
    return NS_OK;
}

/* ---- classes ----------------------------------------------------------------------------------------------------- */

static ns_status measure(const ns_fit *fit, const ns_curve *curve, ns_fit_group *g, ns_fit_class *c, ns_error *err)
{
    size_t first = 0, size = 0;
    for (; g->curve.x[first] < curve->x[0]; first++)
        size += first + 1 == g->curve.count || g->curve.x[first + 1] != g->curve.x[first];
    ns_held_out_errors errors = {.of_size = g->error + size};
    NS_TRY(ns_line_fit(curve->x, curve->y, curve->count, fit->options.weights, curve->noise, &c->line, err));
    c->sizes = curve->sizes;
    c->least = curve->x[0];
    c->most = curve->x[curve->count - 1];
    c->spread = curve->spread;
    c->repeated = curve->noise.relative > 0;
    NS_TRY(ns_held_out(curve, fit->options.weights, &errors, err));
    c->median_error = errors.median;
    c->p95_error = errors.p95;
    return NS_OK;
}

static ns_status fit_class(ns_fit *fit, const ns_log *log, ns_fit_group *g, const ns_switches *s, int segment,
                           ns_error *err)
{
    ns_fit_class c = {.protocol = protocol_of(s, segment), .from = g->classes == 0 ? 0 : s->first[segment]};
    ns_curve curve;
    key k = key_of(g);
    k.from = s->first[segment];
    k.to = segment + 1 < s->segments ? s->first[segment + 1] : s->end;
    if (limits_pairs(fit, g) || (g->kind == NS_NODE_PONG && g->locality == NS_OFF_NODE && c.protocol == NS_RENDEZVOUS))
        k.most_pairs = NS_FIT_INJECTION_PAIRS - 1;
    NS_TRY(curve_of(log, &k, fit->options.statistic, &curve, &c.samples, err));
    if (curve.count == 0 && k.most_pairs < NS_FIT_INJECTION_PAIRS) {
        ns_curve_free(&curve);
        k.most_pairs = 1 << 30;
        NS_TRY(curve_of(log, &k, fit->options.statistic, &curve, &c.samples, err));
    }
    ns_status status = NS_OK;
    if (curve.sizes >= GROUP_SIZES) {
        status = measure(fit, &curve, g, &c, err);
        g->of[g->classes++] = c;
    } else
        status = ns_fit_warn(fit, err, "%s %s: %s sizes from %.0f B on: no line for protocol %s",
                             ns_memory_words[g->memory], ns_locality_words[g->locality],
                             curve.sizes == 0 ? "no" : "too few", s->first[segment], ns_protocol_words[c.protocol]);
    ns_curve_free(&curve);
    return status;
}

/* Three sizes may lie on a line by chance; the residuals of the whole curve tell how likely that is. */
static void widen_short_classes(const ns_fit *fit, ns_fit_group *g)
{
    enum { FEW = 3 }; /* degrees of freedom that say too little by themselves */
    double sum = 0, dof = 0;
    for (int c = 0; c < g->classes; c++) {
        sum += g->of[c].line.variance * g->of[c].line.dof;
        dof += g->of[c].line.dof;
    }
    for (int c = 0; c < g->classes && fit->options.weights == NS_WEIGHTS_RELATIVE; c++)
        if (!g->of[c].repeated && g->of[c].line.dof < FEW && dof - g->of[c].line.dof >= FEW)
            ns_line_widen(&g->of[c].line, sum / dof, dof);
}

/* A protocol that was found begins somewhere between the last size of the one before and its own first: where both
 * lines cross, if they do so there.  Beyond it the line before would be used past what it was fitted to, and times
 * would fall at a size that nobody measured. */
static void begin_at_crossing(ns_fit_group *g, int c)
{
    const ns_line_estimate *a = &g->of[c - 1].line, *b = &g->of[c].line;
    const double crossing = floor((b->alpha - a->alpha) / (a->beta - b->beta));
    if (b->alpha + b->beta * g->of[c].from < a->alpha + a->beta * g->of[c].from && crossing > g->of[c - 1].most &&
        crossing < g->of[c].from)
        g->of[c].from = crossing;
}

/* A protocol costs a handshake or a registration more than the one before: five or six times at its first size on the
 * machines that are known.  Times that jump by far more are of something else that the benchmark did. */
static ns_status leave_out_jump(ns_fit *fit, ns_fit_group *g, ns_error *err)
{
    static const double jump = 50;
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
                           ns_memory_words[g->memory], ns_locality_words[g->locality], at, 1e6 * then, then / before);
    }
    return NS_OK;
}

/* A last size that is of no class: how far the class before it is off there. */
static ns_status leave_out_end(ns_fit *fit, ns_fit_group *g, double end, ns_error *err)
{
    const size_t last = g->curve.count - 1;
    if (isinf(end) || g->classes == 0)
        return NS_OK;
    const ns_line_estimate *line = &g->of[g->classes - 1].line;
    g->error[g->curve.sizes - 1] = fabs((line->alpha + line->beta * end) / g->curve.y[last] - 1);
    return ns_fit_warn(
        fit, err,
        "%s %s: %.0f B take %.1f times as long as the sizes before say, a limit that one size does not describe: "
        "left out, and longer messages are extrapolated",
        ns_memory_words[g->memory], ns_locality_words[g->locality], end,
        g->curve.y[last] / (line->alpha + line->beta * end));
}

static ns_status fit_group(ns_fit *fit, const ns_log *log, ns_fit_group *g, ns_error *err)
{
    ns_switches s = {0};
    const key k = key_of(g);
    NS_TRY(curve_of(log, &k, fit->options.statistic, &g->curve, &g->samples, err));
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
    widen_short_classes(fit, g);
    for (int c = 1; c < g->classes && fit->options.switches < 0; c++)
        begin_at_crossing(g, c);
    NS_TRY(leave_out_end(fit, g, s.end, err));
    NS_TRY(leave_out_jump(fit, g, err));
    return ns_fit_group_warnings(fit, log, g, err);
}

/* ---- which groups ------------------------------------------------------------------------------------------------ */

/* The fewest pairs of a group; -1 when it has no sample. */
static int fewest_pairs(const ns_log *log, const ns_fit_group *g)
{
    const key k = key_of(g);
    int fewest = -1;
    for (size_t i = 0; i < log->samples; i++)
        if (is_of(&log->sample[i], &k) && (fewest < 0 || log->sample[i].pairs < fewest))
            fewest = log->sample[i].pairs;
    return fewest;
}

/* A window's rate is of so many pairs: a line of several numbers of them would be of none. */
static bool is_rate(ns_sample_kind kind)
{
    return kind == NS_MESSAGE_RATE || kind == NS_BIDIRECTIONAL;
}

/* In order of preference.  The first that was measured makes the machine's lines. */
static const struct {
    ns_sample_kind kind;
    bool stand_in; /* used only where nothing before it was measured; not worth a line of its own otherwise */
} kinds[] = {{NS_PING_PONG, false},     {NS_QUEUE_IN_ORDER, true}, {NS_MULTI_MESSAGE, true},
             {NS_QUEUE_REVERSED, true}, {NS_STREAMING, false},     {NS_MESSAGE_RATE, false},
             {NS_BIDIRECTIONAL, false}, {NS_STAGED, false},        {NS_ONE_SIDED, false}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Does a file measure single pairs only at this memory and locality? */
static bool pure_ping_pong(const ns_log *log, ns_memory memory, ns_locality locality)
{
    for (size_t i = 0, j; i < log->samples; i = j) {
        bool single = false, shared = false;
        for (j = i; j < log->samples && log->sample[j].file == log->sample[i].file; j++) {
            const ns_sample *s = &log->sample[j];
            const bool here = s->memory == memory && s->locality == locality;
            single = single || (here && s->kind == NS_PING_PONG);
            shared = shared || (here && s->kind == NS_NODE_PONG);
        }
        if (single && !shared)
            return true;
    }
    return false;
}

/* Are there enough sizes of single pairs for a curve? */
static ns_status enough_single(const ns_log *log, ns_memory memory, ns_locality locality, bool *enough, ns_error *err)
{
    const key k =
        key_of(&(ns_fit_group){.memory = memory, .locality = locality, .kind = NS_PING_PONG, .most_pairs = 1 << 30});
    ns_curve curve;
    size_t samples;
    NS_TRY(curve_of(log, &k, NS_STATISTIC_MEDIAN, &curve, &samples, err));
    *enough = curve.sizes >= NS_FIT_SIZES_WANTED;
    ns_curve_free(&curve);
    return NS_OK;
}

static bool any_node_pong(const ns_log *log, ns_memory memory, ns_locality locality)
{
    for (size_t i = 0; i < log->samples; i++)
        if (log->sample[i].kind == NS_NODE_PONG && log->sample[i].memory == memory &&
            log->sample[i].locality == locality)
            return true;
    return false;
}

/* Two or three pairs hardly feel each other. */
static int pairs_together(const ns_fit_group *g, int fewest)
{
    return (g->kind == NS_MESSAGE_RATE && fewest > 1) || (g->kind == NS_NODE_PONG && fewest >= NS_FIT_INJECTION_PAIRS)
               ? fewest
               : 1;
}

/* A window's rate is that of all pairs; a round trip of many is one pair's, slowed down by the others. */
ns_line_estimate ns_fit_alone(const ns_fit_group *g, const ns_line_estimate *line)
{
    ns_line_estimate alone = *line;
    const int pairs = g->kind == NS_MESSAGE_RATE ? g->together : 1;
    alone.beta /= pairs;
    alone.beta_se /= pairs;
    alone.covariance /= pairs;
    return alone;
}

static ns_status kind_warning(ns_fit *fit, const ns_fit_group *g, bool only, ns_error *err)
{
    const char *m = ns_memory_words[g->memory], *l = ns_locality_words[g->locality],
               *kind = ns_sample_kind_words[g->kind];
    const bool window = ns_kind_is_window(g->kind);
    if (ns_kind_is_latency(g->kind))
        return g->together == 1
                   ? NS_OK
                   : ns_fit_warn(fit, err,
                                 "%s %s: %d pairs at once and none alone: the machine's file takes one alone to be as "
                                 "slow, so few long messages look dearer than they are",
                                 m, l, g->together);
    if (!only)
        return ns_fit_warn(fit, err, "%s %s: %s data is kept apart from ping-pong and is not in the machine", m, l,
                           kind);
    NS_TRY(ns_fit_warn(fit, err, "%s %s: nothing but %s data%s", m, l, kind,
                       window ? ": alpha is a gap between messages of a window, not a latency" : ""));
    return g->together == 1
               ? NS_OK
               : ns_fit_warn(fit, err,
                             "%s %s: %d pairs at once and none alone: the machine's file lets one alone reach "
                             "the rate of all",
                             m, l, g->together);
}

static ns_status fit_place(ns_fit *fit, const ns_log *log, ns_memory memory, ns_locality locality, ns_error *err)
{
    bool have = false, shared = any_node_pong(log, memory, locality) && !pure_ping_pong(log, memory, locality),
         single = false;
    if (shared && fit->options.statistic != NS_STATISTIC_ALL)
        NS_TRY(enough_single(log, memory, locality, &single, err));
    shared = shared && !single;
    for (int i = 0; i < KINDS; i++) {
        ns_fit_group *g = &fit->group[fit->groups];
        *g = (ns_fit_group){.memory = memory,
                            .locality = locality,
                            .kind = i == 0 && shared ? NS_NODE_PONG : kinds[i].kind,
                            .most_pairs = 1 << 30};
        const int fewest = fewest_pairs(log, g);
        if ((have && kinds[i].stand_in) || fewest < 0)
            continue;
        if (is_rate(g->kind))
            g->most_pairs = fewest;
        g->together = pairs_together(g, fewest);
        g->in_machine = !have; /* as far as is known before it is fitted */
        fit->groups++;
        NS_TRY(fit_group(fit, log, g, err));
        NS_TRY(kind_warning(fit, g, !have, err));
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
