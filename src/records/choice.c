/* choice.c -- how far the ways to do one exchange err from each other: kappa and lambda of decision.h
 *
 * e = ln(T / measured) of each way; s_b^2, s_w^2: means of (e_i - e_j)^2 / 2 over pairs of different nests and of one.
 *
 *     kappa = (pi / sqrt 6) / s_b,   lambda = min(1, s_w / s_b)
 *
 * Nests are those of the strategies, whatever their transport.  lambda below 1 is kept where it makes the fastest way
 * of exchanges that were left out more probable, by more than twice the error of that; else all pairs are as good.  The
 * smallest kappa of those without one group each is kept.
 */
#include "core/memory.h"
#include "records/calibrate.h"

#include <nsmodel/decision.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CASES_WANTED = 3, KAPPA_MOST = 100 };

typedef struct scale {
    double kappa, lambda;
} scale;

typedef struct judged {
    const ns_records *records;
    const ns_scored *list;
    const ns_grouping *grouping;
    const ns_case *c;
    size_t cases;
} judged;

static const char *nest_name(const ns_strategy *s)
{
    return s->nest != NULL ? s->nest : s->name;
}

static int nest_of(const ns_records *records, const ns_scored *s)
{
    const ns_strategy *const *all = ns_strategies();
    const ns_strategy *of;
    int nest = 0;
    if (ns_strategy_get(ns_record_text(records, s->rows[0], "strategy"), &of, NULL) != NS_OK)
        return -1;
    while (all[nest] != NULL && strcmp(nest_name(all[nest]), nest_name(of)) != 0)
        nest++;
    return nest;
}

static int group_of(const judged *j, size_t i)
{
    return j->grouping->of[j->c[i].of[0]];
}

static double error_of(const ns_scored *s)
{
    return log(s->price.estimate_s / s->measured_s);
}

typedef struct sums {
    double between, within;
    size_t between_pairs, within_pairs;
} sums;

static void add_case(const judged *j, const ns_case *c, sums *s)
{
    for (size_t a = 0; a < c->ways; a++)
        for (size_t b = 0; b < a; b++) {
            const ns_scored *x = &j->list[c->of[a]], *y = &j->list[c->of[b]];
            const double d = error_of(x) - error_of(y), half = d * d / 2;
            if (nest_of(j->records, x) == nest_of(j->records, y)) {
                s->within += half;
                s->within_pairs++;
            } else {
                s->between += half;
                s->between_pairs++;
            }
        }
}

/* Of all cases but those of a group (-1: none); kappa 0: no pairs. */
static scale scale_of(const judged *j, int left_out, bool nests)
{
    const double unit = 3.14159265358979323846 / sqrt(6);
    sums s = {0};
    for (size_t i = 0; i < j->cases; i++)
        if (group_of(j, i) != left_out)
            add_case(j, &j->c[i], &s);
    if (!nests || s.between_pairs == 0) {
        s.between += s.within;
        s.between_pairs += s.within_pairs;
        s.within_pairs = 0;
    }
    if (s.between_pairs == 0)
        return (scale){0, 1};
    const double b = sqrt(s.between / (double)s.between_pairs),
                 w = s.within_pairs > 0 ? sqrt(s.within / (double)s.within_pairs) : b;
    return (scale){fmin(KAPPA_MOST, unit / b), b > 0 ? fmax(0.01, fmin(1, w / b)) : 1};
}

/* -ln of the probability that the scale gives to the fastest way. */
static double log_loss(const judged *j, const ns_case *c, scale s)
{
    ns_way way[NS_CASE_WAYS];
    ns_decision d;
    size_t fastest = 0;
    for (size_t i = 0; i < c->ways; i++) {
        const ns_scored *of = &j->list[c->of[i]];
        way[i] = (ns_way){of->price.estimate_s, nest_of(j->records, of)};
        if (of->measured_s < j->list[c->of[fastest]].measured_s)
            fastest = i;
    }
    return ns_decide(way, c->ways, s.kappa, s.lambda, &d, NULL) == NS_OK && d.best >= 0
               ? -log(fmax(d.p_best[fastest], 1e-12))
               : 0;
}

/* The smallest kappa without one group, and by group the log-loss of what was left out. */
static scale leave_out(const judged *j, bool nests, double loss[NS_FOLDS])
{
    scale kept = scale_of(j, -1, nests);
    for (int g = 0; g < j->grouping->folds; g++) {
        const scale s = scale_of(j, g, nests);
        loss[g] = 0;
        if (s.kappa > 0 && s.kappa < kept.kappa)
            kept = s;
        for (size_t i = 0; i < j->cases; i++)
            if (group_of(j, i) == g && s.kappa > 0)
                loss[g] += log_loss(j, &j->c[i], s);
    }
    return kept;
}

/* Is the second less than the first by more than twice the error of such a difference? */
static bool is_better(const double *first, const double *second, int count)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++)
        sum += first[i] - second[i];
    for (int i = 0; i < count; i++)
        squares += pow(first[i] - second[i] - sum / count, 2);
    return count > 1 && sum > 2 * sqrt(squares * count / (count - 1));
}

static void keep(const judged *j, ns_calibration calibration[NS_MEMORIES])
{
    double plain_loss[NS_FOLDS] = {0}, nested_loss[NS_FOLDS] = {0};
    bool seen[NS_MEMORIES] = {false, false}, group[NS_FOLDS] = {false};
    size_t groups = 0;
    const scale plain = leave_out(j, false, plain_loss), nested = leave_out(j, true, nested_loss);
    const scale s = is_better(plain_loss, nested_loss, j->grouping->folds) ? nested : plain;
    for (size_t i = 0; i < j->cases; i++) {
        groups += !group[group_of(j, i)];
        group[group_of(j, i)] = true;
        for (size_t w = 0; w < j->c[i].ways; w++)
            seen[ns_scored_memory(j->records, &j->list[j->c[i].of[w]])] = true;
    }
    for (int m = 0; m < NS_MEMORIES; m++)
        if (seen[m] && s.kappa > 0) {
            calibration[m].choice_given = true;
            calibration[m].kappa = s.kappa;
            calibration[m].lambda = s.lambda;
            calibration[m].cases = j->cases;
            calibration[m].choice_groups = groups;
        }
}

ns_status ns_choice_calibrate(const ns_records *records, const ns_scored *list, size_t count,
                              const ns_grouping *grouping, ns_calibration calibration[NS_MEMORIES], ns_error *err)
{
    ns_case *c;
    size_t cases;
    NS_TRY(ns_cases_make(records, list, count, &c, &cases, err));
    if (cases >= CASES_WANTED)
        keep(&(judged){records, list, grouping, c, cases}, calibration);
    free(c);
    return NS_OK;
}
