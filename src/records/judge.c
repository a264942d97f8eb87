/* judge.c -- scores of advice: the loss of following it and of simple rules, and whether its probabilities hold */
#include "core/memory.h"
#include "records/score.h"

#include <nsmodel/judge.h>

#include <math.h>
#include <stdlib.h>

/* ln((1 + q) / (1 - q)) at q = .9: a logistic variable is inside plus or minus that with 90 %. */
#define LN_19 2.94443897916644046

/* How far apart the two fastest measured times have to be for a choice to matter. */
static const double apart = 1.1;
static const double sure = 0.9;

typedef struct a_case {
    const ns_tried *tried;
    size_t ways, fastest, chosen; /* chosen: predicted to be the fastest */
    double second_s;              /* measured */
} a_case;

/* The case that begins at tried[from]. */
static a_case case_at(const ns_tried *tried, size_t count, size_t from)
{
    a_case c = {.tried = &tried[from], .second_s = INFINITY};
    while (from + c.ways < count && tried[from + c.ways].at == tried[from].at)
        c.ways++;
    for (size_t i = 1; i < c.ways; i++) {
        if (c.tried[i].measured_s < c.tried[c.fastest].measured_s)
            c.fastest = i;
        if (c.tried[i].predicted_s < c.tried[c.chosen].predicted_s)
            c.chosen = i;
    }
    for (size_t i = 0; i < c.ways; i++)
        if (i != c.fastest)
            c.second_s = fmin(c.second_s, c.tried[i].measured_s);
    return c;
}

static bool is_in(const a_case *c, ns_which which)
{
    return which == NS_WHICH_ALL || c->second_s > apart * c->tried[c->fastest].measured_s;
}

static double loss(const a_case *c, size_t i)
{
    return c->tried[i].measured_s / c->tried[c->fastest].measured_s - 1;
}

/* ---- rules ------------------------------------------------------------------------------------------------------- */

/* What a rule takes; the number of ways where it cannot be followed. */
static size_t taken_by(const a_case *c, int rule)
{
    size_t i = 0;
    if (rule == NS_RULE_ADVICE)
        return c->chosen;
    while (i < c->ways && c->tried[i].way != rule)
        i++;
    return i;
}

ns_status ns_judge_rule(const ns_tried *tried, size_t count, ns_which which, int rule, ns_rule_score *score,
                        ns_error *err)
{
    ns_rule_score s = {.cases = 0};
    double *lost = malloc(ns_size_mul(ns_size_add(count, 1), sizeof *lost));
    if (lost == NULL)
        return ns_no_memory(err);
    for (size_t from = 0; from < count;) {
        const a_case c = case_at(tried, count, from);
        const size_t taken = taken_by(&c, rule);
        from += c.ways;
        if (!is_in(&c, which) || taken == c.ways)
            continue;
        s.right += loss(&c, taken) <= 0;
        s.lost_mean += loss(&c, taken);
        s.advice_lost_mean += loss(&c, c.chosen);
        lost[s.cases++] = loss(&c, taken);
    }
    if (s.cases > 0) {
        ns_score_sort(lost, s.cases);
        s.right /= (double)s.cases;
        s.lost_mean /= (double)s.cases;
        s.advice_lost_mean /= (double)s.cases;
        s.lost_q90 = ns_score_quantile(lost, s.cases, 0.9);
        s.lost_worst = lost[s.cases - 1];
    }
    free(lost);
    *score = s;
    return NS_OK;
}

/* ---- probabilities ----------------------------------------------------------------------------------------------- */

static ns_status decide(const a_case *c, ns_way way[NS_WAYS], ns_decision *d, ns_error *err)
{
    for (size_t i = 0; i < c->ways && i < NS_WAYS; i++)
        way[i] = (ns_way){c->tried[i].predicted_s, c->tried[i].nest};
    return ns_decide(way, c->ways, c->tried->kappa, c->tried->lambda, d, err);
}

static void add_ratios(const a_case *c, ns_sureness *s)
{
    for (size_t i = 0; i < c->ways; i++)
        for (size_t k = 0; k < i; k++) {
            const ns_tried *a = &c->tried[i], *b = &c->tried[k];
            const double off = log(a->predicted_s / b->predicted_s) - log(a->measured_s / b->measured_s);
            s->ratios++;
            s->ratio_covers += fabs(off) <= LN_19 * (a->nest == b->nest ? a->lambda : 1) / a->kappa;
        }
}

static void add_sureness(const a_case *c, const ns_decision *d, ns_sureness *s)
{
    const double uniform = 1 / (double)c->ways;
    for (size_t i = 0; i < c->ways; i++) {
        const double was = i == c->fastest ? 1 : 0;
        s->brier += (d->p_best[i] - was) * (d->p_best[i] - was);
        s->brier_uniform += (uniform - was) * (uniform - was);
    }
    if (s->cases == 0 || c->tried->kappa < s->kappa) {
        s->kappa = c->tried->kappa;
        s->lambda = c->tried->lambda;
    }
    s->cases++;
    s->log_loss -= log(d->p_best[c->fastest]);
    s->log_loss_uniform -= log(uniform);
    s->q90_covers += 1 + loss(c, c->chosen) <= d->loss_q90;
    s->q90_should += fmax(sure, d->p_best[c->chosen]);
    add_ratios(c, s);
}

ns_status ns_judge_sureness(const ns_tried *tried, size_t count, ns_which which, ns_sureness *sureness, ns_error *err)
{
    ns_sureness s = {.cases = 0};
    for (size_t from = 0; from < count;) {
        const a_case c = case_at(tried, count, from);
        ns_way way[NS_WAYS];
        ns_decision d;
        from += c.ways;
        if (!is_in(&c, which))
            continue;
        NS_TRY(decide(&c, way, &d, err));
        add_sureness(&c, &d, &s);
    }
    double *const mean[] = {&s.brier,    &s.brier_uniform, &s.log_loss, &s.log_loss_uniform,
                            &s.q90_covers, &s.q90_should};
    for (size_t i = 0; i < sizeof mean / sizeof *mean && s.cases > 0; i++)
        *mean[i] /= (double)s.cases;
    s.ratio_covers /= s.ratios > 0 ? (double)s.ratios : 1;
    *sureness = s;
    return NS_OK;
}

static void add_to_bin(ns_reliability *bin, const a_case *c, const ns_decision *d, size_t i)
{
    const double p = d->p_best[i], was = i == c->fastest ? 1 : 0;
    int b = 0;
    while (b < NS_RELIABILITY_BINS - 1 && p >= bin[b].to)
        b++;
    bin[b].ways++;
    bin[b].p_mean += p;
    bin[b].fastest += was;
    if (i != c->chosen)
        return;
    bin[b].choices++;
    bin[b].choice_p_mean += p;
    bin[b].choice_fastest += was;
}

ns_status ns_judge_reliability(const ns_tried *tried, size_t count, ns_which which,
                               ns_reliability bin[NS_RELIABILITY_BINS], ns_error *err)
{
    static const double edge[NS_RELIABILITY_BINS + 1] = {0, 0.1, 0.25, 0.5, 0.75, 0.9, 1};
    for (int b = 0; b < NS_RELIABILITY_BINS; b++)
        bin[b] = (ns_reliability){.from = edge[b], .to = edge[b + 1]};
    for (size_t from = 0; from < count;) {
        const a_case c = case_at(tried, count, from);
        ns_way way[NS_WAYS];
        ns_decision d;
        from += c.ways;
        if (!is_in(&c, which))
            continue;
        NS_TRY(decide(&c, way, &d, err));
        for (size_t i = 0; i < c.ways; i++)
            add_to_bin(bin, &c, &d, i);
    }
    for (int b = 0; b < NS_RELIABILITY_BINS; b++) {
        const double ways = fmax(1, (double)bin[b].ways), choices = fmax(1, (double)bin[b].choices);
        bin[b].p_mean /= ways;
        bin[b].fastest /= ways;
        bin[b].choice_p_mean /= choices;
        bin[b].choice_fastest /= choices;
    }
    return NS_OK;
}

ns_status ns_judge_p_best(const ns_tried *tried, size_t count, double *p_best, ns_error *err)
{
    for (size_t from = 0; from < count;) {
        const a_case c = case_at(tried, count, from);
        ns_way way[NS_WAYS];
        ns_decision d;
        NS_TRY(decide(&c, way, &d, err));
        for (size_t i = 0; i < c.ways; i++)
            p_best[from + i] = d.p_best[i];
        from += c.ways;
    }
    return NS_OK;
}

/* ---- kappa and lambda -------------------------------------------------------------------------------------------- */

typedef struct pairs {
    double squares;
    size_t count;
} pairs;

static void add_pairs(const a_case *c, bool nests, pairs *across, pairs *inside)
{
    for (size_t i = 0; i < c->ways; i++)
        for (size_t k = 0; k < i; k++) {
            const ns_tried *a = &c->tried[i], *b = &c->tried[k];
            const double off = log(a->predicted_s / a->measured_s) - log(b->predicted_s / b->measured_s);
            pairs *to = nests && a->nest == b->nest ? inside : across;
            to->squares += off * off / 2;
            to->count++;
        }
}

static size_t first_of_group(const ns_tried *tried, size_t at)
{
    size_t i = 0;
    while (tried[i].group != tried[at].group)
        i++;
    return i;
}

void ns_choice_calibration(const ns_tried *tried, size_t count, int without_group, bool nests, ns_choice_scale *scale)
{
    enum { KAPPA_MOST = 100 }; /* of ways that never err */
    static const double unit = 1.28254983016186409, lambda_least = 0.01; /* pi / sqrt 6 */
    ns_choice_scale made = {.lambda = 1};
    pairs across = {0, 0}, inside = {0, 0};
    for (size_t from = 0; from < count;) {
        const a_case c = case_at(tried, count, from);
        if (c.tried->group != without_group) {
            made.cases++;
            made.groups += first_of_group(tried, from) == from;
            add_pairs(&c, nests, &across, &inside);
        }
        from += c.ways;
    }
    if (across.count == 0) {
        across = inside;
        inside.count = 0;
    }
    const double b = across.count > 0 ? sqrt(across.squares / (double)across.count) : 0;
    if (across.count > 0)
        made.kappa = fmin(KAPPA_MOST, unit / b);
    if (inside.count > 0 && b > 0)
        made.lambda = fmax(lambda_least, fmin(1, sqrt(inside.squares / (double)inside.count) / b));
    *scale = made;
}

/* Give every group what the others say; loss: at the first try of each group, the sum of -ln P of its fastest ways. */
static ns_status scale_groups(ns_tried *tried, size_t count, bool nests, double *loss, ns_error *err)
{
    for (size_t i = 0; i < count; i++) {
        ns_choice_scale scale;
        const size_t first = first_of_group(tried, i);
        if (first == i) {
            ns_choice_calibration(tried, count, tried[i].group, nests, &scale);
            if (scale.kappa == 0)
                return ns_fail(err, NS_ERR_DATA, "only one group of exchanges that were done in several ways");
        } else {
            scale = (ns_choice_scale){.kappa = tried[first].kappa, .lambda = tried[first].lambda};
        }
        tried[i].kappa = scale.kappa;
        tried[i].lambda = scale.lambda;
        loss[i] = 0;
    }
    for (size_t from = 0; from < count;) {
        const a_case c = case_at(tried, count, from);
        ns_way way[NS_WAYS];
        ns_decision d;
        NS_TRY(decide(&c, way, &d, err));
        loss[first_of_group(tried, from)] -= log(d.p_best[c.fastest]);
        from += c.ways;
    }
    return NS_OK;
}

/* Is the second less than the first, by more than twice the standard error of the sum of differences by group? */
static bool is_better(const ns_tried *tried, size_t count, const double *first, const double *second)
{
    double groups = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        groups += first_of_group(tried, i) == i;
        sum += first[i] - second[i]; /* 0 but at the first of a group */
        squares += (first[i] - second[i]) * (first[i] - second[i]);
    }
    const double variance = (squares - sum * sum / groups) * groups / (groups - 1);
    return groups > 1 && sum > 2 * sqrt(fmax(0, variance));
}

ns_status ns_choice_leave_out(ns_tried *tried, size_t count, ns_error *err)
{
    double *plain = malloc(ns_size_mul(ns_size_add(count, 1), 2 * sizeof *plain));
    if (plain == NULL)
        return ns_no_memory(err);
    double *nested = plain + count;
    ns_status status = scale_groups(tried, count, false, plain, err);
    if (status == NS_OK)
        status = scale_groups(tried, count, true, nested, err);
    if (status == NS_OK && !is_better(tried, count, plain, nested))
        status = scale_groups(tried, count, false, plain, err);
    free(plain);
    return status;
}
