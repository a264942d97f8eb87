/* warnings.c -- warnings about fitted classes: too few sizes, curves that fall, files that disagree */
#include "fit/fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/own.h"
#include "num/num.h"

static const double fall = 0.10, disagreement = 0.15, small = 256, large = 65536, /* sizes in B */
    apart = 1.5; /* files that differ by a larger factor did not measure the same thing */

static bool is_of_group(const ns_sample *s, const void *context)
{
    const ns_fit_group *g = context;
    const bool kind = s->kind == g->kind || (g->kind == NS_NODE_PONG && s->kind == NS_PING_PONG && s->pairs <= 1);
    return kind && s->memory == g->memory && s->locality == g->locality && s->pairs <= g->most_pairs;
}

/* Median ratio of one file's curve, samples `from` to `to`, to the group's at the same sizes; 0 when they have no size
 * in common. */
static ns_status ratio_of_file(const ns_columns *c, size_t from, size_t to, const ns_fit_group *g, double *ratio,
                               ns_error *err)
{
    NS_CLOSE(ns_curve_free) ns_curve curve = {.count = 0};
    size_t shared = 0;
    *ratio = 0;
    NS_TRY(ns_curve_make(c->x + from, c->y + from, to - from, NS_STATISTIC_MEDIAN, &curve, err));
    for (size_t i = 0, j = 0; i < curve.count; i++) {
        while (j < g->curve.count && g->curve.x[j] < curve.x[i])
            j++;
        if (j < g->curve.count && g->curve.x[j] == curve.x[i])
            curve.y[shared++] = curve.y[i] / g->curve.y[j];
    }
    if (shared > 0)
        *ratio = ns_median(curve.y, shared);
    return NS_OK;
}

/* A file's value at a size: the median of its samples. */
typedef struct said {
    double bytes, seconds;
    int file;
} said;

static int by_size(const void *a, const void *b)
{
    const said *p = a, *q = b;
    if (p->bytes != q->bytes)
        return p->bytes < q->bytes ? -1 : 1;
    return p->seconds != q->seconds ? (p->seconds < q->seconds ? -1 : 1) : (p->file > q->file) - (p->file < q->file);
}

/* Do more than half of these rising values agree with each other?  Then the median is one of them and the others are
 * disturbances; otherwise it lies between files, where nothing was measured. */
static bool most_agree(const said *of, size_t count)
{
    size_t most = 0;
    for (size_t i = 0, j = 0; i < count; i++) {
        while (j < count && of[j].seconds < apart * of[i].seconds)
            j++;
        most = j - i > most ? j - i : most;
    }
    return 2 * most > count;
}

static size_t end_of_file(const ns_columns *c, size_t from)
{
    size_t to = from + 1;
    while (to < c->count && c->sample[to]->file == c->sample[from]->file)
        to++;
    return to;
}

/* Refuse files that contradict each other at most of their common sizes: it is unclear which system the machine
 * describes. */
static ns_status refuse_contradiction(const ns_log *log, const ns_columns *c, const char *where, ns_error *err)
{
    enum { FEWEST = 3 }; /* sizes; fewer may be noise */
    NS_OWN(ns_free) said *of = ns_malloc(ns_size_mul(ns_size_add(c->count, 1), sizeof *of));
    if (of == NULL)
        return ns_no_memory(err);
    size_t count = 0, shared = 0, contradicted = 0, example = 0, last = 0;
    for (size_t from = 0, to; from < c->count; from = to) {
        NS_CLOSE(ns_curve_free) ns_curve curve = {.count = 0};
        to = end_of_file(c, from);
        NS_TRY(ns_curve_make(c->x + from, c->y + from, to - from, NS_STATISTIC_MEDIAN, &curve, err));
        for (size_t i = 0; i < curve.count; i++)
            of[count++] = (said){curve.x[i], curve.y[i], c->sample[from]->file};
    }
    qsort(of, count, sizeof *of, by_size);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && of[to].bytes == of[from].bytes; to++)
            ;
        shared += to - from > 1;
        if (!most_agree(of + from, to - from) && contradicted++ == 0)
            example = from, last = to - 1;
    }
    if (contradicted < FEWEST || 2 * contradicted <= shared)
        return NS_OK;
    return ns_fail(err, NS_ERR_DATA,
                   "%s: %.0f B take %.3g us in %s and %.3g us in %s: which one is meant? Give the logs of one "
                   "system, and --locality FILE=on-node for one from inside a node",
                   where, of[example].bytes, of[example].seconds * 1e6, log->file[of[example].file],
                   of[last].seconds * 1e6, log->file[of[last].file]);
}

/* Runs of a file that differ this much come from two places: two logs in one file.  A run ends where sizes do not
 * rise; it counts if it is a whole table of one pair.  Rows that name their ranks, and so their locality, come from
 * pairs that may differ. */
static ns_status warn_runs(ns_fit *fit, const ns_log *log, const ns_columns *c, const ns_fit_group *g,
                           const char *where, ns_error *err)
{
    for (size_t from = 0, end; from < c->count; from = end) {
        double least = INFINITY, most = 0, ratio;
        const ns_sample *fast = NULL, *slow = NULL;
        end = end_of_file(c, from);
        for (size_t begin = from, to; begin < end; begin = to) {
            const ns_sample *s = c->sample[begin];
            for (to = begin + 1; to < end && c->x[to] > c->x[to - 1]; to++)
                ;
            if (to - begin < NS_FIT_SIZES_WANTED || s->pairs > 1 || (s->locality_stated && s->rank[0] != s->rank[1]))
                continue;
            NS_TRY(ratio_of_file(c, begin, to, g, &ratio, err));
            if (ratio > 0 && ratio < least)
                least = ratio, fast = s;
            if (ratio > most)
                most = ratio, slow = s;
        }
        if (fast != NULL && slow != NULL && most >= apart * least)
            NS_TRY(
                ns_fit_warn(fit, err,
                            "%s: %s: what is there from line %ld on takes %.2f times as long as from line %ld on: is "
                            "one of them inside a node, or of another system? Files of their own let --locality say so",
                            where, log->file[slow->file], slow->line, most / least, fast->line));
    }
    return NS_OK;
}

static ns_status warn_disagreement(ns_fit *fit, const ns_log *log, const ns_fit_group *g, const char *where,
                                   ns_error *err)
{
    NS_CLOSE(ns_columns_free) ns_columns c = {.count = 0};
    double least = INFINITY, most = 0;
    int low = -1, high = -1; /* files */
    bool stated = true;      /* all samples give their locality */
    if (g->curve.count != g->curve.sizes || fit->options.statistic != NS_STATISTIC_MEDIAN)
        return NS_OK;
    NS_TRY(ns_columns_collect(log, is_of_group, g, &c, err));
    for (size_t i = 0; i < c.count; i++)
        stated = stated && c.sample[i]->locality_stated;
    if (g->in_machine)
        NS_TRY(refuse_contradiction(log, &c, where, err));
    for (size_t from = 0, to; from < c.count; from = to) {
        double ratio;
        to = end_of_file(&c, from);
        NS_TRY(ratio_of_file(&c, from, to, g, &ratio, err));
        if (ratio > 0 && ratio < least)
            least = ratio, low = c.sample[from]->file;
        if (ratio > most)
            most = ratio, high = c.sample[from]->file;
    }
    NS_TRY(warn_runs(fit, log, &c, g, where, err));
    if (low < 0 || most / least <= 1 + disagreement)
        return NS_OK;
    return ns_fit_warn(fit, err, "%s: files disagree: %s takes %.2f times as long as %s%s", where, log->file[high],
                       most / least, log->file[low],
                       stated || most < apart * least
                           ? ""
                           : ": is one of them inside a node (--locality FILE=on-node), or of another system?");
}

static ns_status warn_of_class(ns_fit *fit, const ns_fit_group *g, const ns_fit_class *c, const char *where,
                               ns_error *err)
{
    const ns_line_estimate *l = &c->line;
    const ns_curve *curve = &g->curve;
    const char *protocol = ns_protocol_words[c->protocol];
    const double few = 0.2;
    double least = INFINITY, best = 0, time = 0, fallen = 0;
    int falls = 0;
    if (c->sizes < 3)
        NS_TRY(ns_fit_warn(fit, err, "%s %s: two sizes make a line that nothing checks", where, protocol));
    for (size_t i = 0; i < curve->count; i++) {
        const double x = curve->x[i], t = l->alpha + l->beta * x,
                     se = sqrt(
                         fmax(0, l->alpha_se * l->alpha_se + x * (2 * l->covariance + x * l->beta_se * l->beta_se)));
        if (x >= c->least && x <= c->most && se < least * t)
            least = se / t, best = x, time = t;
        if (i > 0 && curve->count == curve->sizes && curve->x[i - 1] >= c->least && x <= c->most &&
            curve->y[i] < (1 - fall) * curve->y[i - 1] && falls++ == 0)
            fallen = x;
    }
    if (least > 1 && time > 0) /* even where the line is known best, it is not significant */
        NS_TRY(ns_fit_warn(fit, err,
                           "%s %s: the times scatter too much for a line: %.0f B, where it is known best, take %.3g us "
                           "with a standard error of %.3g us; what it prices is a guess: measure again on an idle "
                           "machine, more sizes and several runs",
                           where, protocol, best, time * 1e6, least * time * 1e6));
    if (l->bound)
        NS_TRY(ns_fit_warn(fit, err, "%s %s: %s is held at 0, the data would have it negative", where, protocol,
                           l->alpha > 0 ? "beta" : "alpha"));
    /* A robust line ignores a few disturbed sizes; where they are many, the curve has another shape. */
    if ((double)l->outliers > few * (double)l->points)
        NS_TRY(ns_fit_warn(fit, err,
                           "%s %s: %zu of %zu sizes lie off the line and hardly count: is that the curve of one "
                           "protocol? --switch gives the sizes where protocols change",
                           where, protocol, l->outliers, l->points));
    return falls == 0
               ? NS_OK
               : ns_fit_warn(
                     fit, err,
                     "%s: the curve is not monotone: %.0f B take over 10 %% less than the size before (%d such sizes)",
                     where, fallen, falls);
}

ns_status ns_fit_group_warnings(ns_fit *fit, const ns_log *log, const ns_fit_group *g, ns_error *err)
{
    char where[60];
    snprintf(where, sizeof where, "%s %s", ns_memory_words[g->memory], ns_locality_words[g->locality]);
    if (g->curve.sizes < NS_FIT_SIZES_WANTED)
        NS_TRY(ns_fit_warn(fit, err, "%s: too few sizes, %zu; at least %d are wanted", where, g->curve.sizes,
                           NS_FIT_SIZES_WANTED));
    if (g->classes > 0 && ns_kind_is_latency(g->kind)) { /* sizes that users need and that were not measured */
        const ns_fit_class *last = &g->of[g->classes - 1];
        if (last->most < large)
            NS_TRY(ns_fit_warn(
                fit, err, "%s: nothing above %.0f B was measured; longer messages are extrapolated%s", where,
                last->most,
                last->line.beta > 0 ? "" : " as if their bytes took no time, since up to there they show none"));
        if (g->curve.x[0] > small)
            NS_TRY(ns_fit_warn(fit, err, "%s: nothing below %.0f B was measured; shorter messages are extrapolated",
                               where, g->curve.x[0]));
    }
    for (int i = 0; i < g->classes; i++)
        NS_TRY(warn_of_class(fit, g, &g->of[i], where, err));
    return warn_disagreement(fit, log, g, where, err);
}

/* ---- formatting -------------------------------------------------------------------------------------------------- */

void ns_fit_log_warning(const ns_log *log, const ns_log_warning *w, char text[NS_FIT_WARNING])
{
    if (w->line > 0)
        snprintf(text, NS_FIT_WARNING, "%s:%ld: %s", log->file[w->file], w->line, w->text);
    else
        snprintf(text, NS_FIT_WARNING, "%s: %s", log->file[w->file], w->text);
}

/* Warnings about whole files that differ only in their numbers count as one. */
static bool same_words(const ns_log_warning *a, const ns_log_warning *b)
{
    const char *s = a->text, *t = b->text;
    for (;; s++, t++) {
        s += strspn(s, "0123456789");
        t += strspn(t, "0123456789");
        if (*s != *t || *s == '\0')
            return *s == *t && a->line <= 0 && b->line <= 0;
    }
}

bool ns_fit_warning_line(const ns_fit *fit, const ns_log *log, size_t *at, char text[NS_FIT_WARNING])
{
    while (*at < log->warnings) {
        const size_t i = (*at)++;
        size_t alike = 1; /* files with the same warning */
        bool said_before = false;
        for (size_t k = 0; k < log->warnings && !said_before; k++)
            if (k != i && same_words(&log->warning[i], &log->warning[k])) {
                said_before = k < i;
                alike++;
            }
        if (said_before)
            continue;
        ns_fit_log_warning(log, &log->warning[i], text);
        const size_t used = strlen(text);
        if (alike > 1)
            snprintf(text + used, NS_FIT_WARNING - used, "; %zu more logs say the same", alike - 1);
        return true;
    }
    const size_t of_fit = *at - log->warnings;
    if (fit == NULL || of_fit >= fit->warnings)
        return false;
    snprintf(text, NS_FIT_WARNING, "%s", fit->warning[of_fit]);
    ++*at;
    return true;
}
