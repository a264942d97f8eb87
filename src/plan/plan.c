/* plan.c -- choose the way for the next calls, and for how many of them
 *
 * All times are logarithms of seconds.  For a way that was called, y is the lower median of the last samples: of two
 * the smaller one, as disturbances only add time.  For one that was not, there is a normal belief N(m, s^2) relative
 * to the best measured way: the model's, shifted by the mean error of the model on the tried ways (so that a common
 * factor of all predictions cancels), or one inferred from a similar way.  A trial of one call is worth
 *
 *     left E max(0, 1 - e^x) - E max(0, e^x - 1) - agreement,      x ~ its belief, in calls of the best
 *
 * where left is the number of remaining calls.  A call that follows one of another way may include a wait for
 * processes still in that call.  The most worthwhile trial is next, or the best measured way if there is none.  Where
 * agreements have a cost, one of them decides everything that does not depend on the calls in between: every way that
 * would be tried whatever the first trials show, and the trial for which a run of the best way ends.  The constants
 * were chosen on replays of three machines (Blue Waters; Lassen, two sets; Dane); docs/evidence/planner.md lists which
 * of them change when a machine is left out.
 */
#include <nsmodel/plan.h>

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/sized.h"

enum { WINDOW = 64, LONGEST = 1 << 30, LONG = 12 }; /* samples kept per way; calls of a run, of a trial */
enum { PARTS = 8 };                                 /* of an integral */

/* Chosen on all three machines. */
static const double tail = 0.02, tail_sd = 1.3; /* share of grossly wrong predictions, and how wrong they are */
static const double out = 0.015;                /* P(a call is disturbed) */
static const double out_ln = 1.7, out_sd = 0.5; /* ln of the factor of a disturbed call */
static const double noise = 0.12;               /* standard deviation of ln of one call, without samples: */
static const double noise_weight = 10;          /* its weight, in samples, against the recorded samples */
static const double noise_most = 0.5;           /* a sample with a larger deviation is a disturbance */
static const double drift = 0.04;               /* error added to a measurement each time the number of calls doubles */
static const double stick = 1.5;                /* standard errors by which a way must beat incumbent and model */
static const double budget = 0.01;              /* share of the calls that repeated trials may cost */
static const double rate = 0.002;               /* share of a run's time that its agreement may cost */
static const double trial_agreements = 2;       /* caused by a trial: it ends a run early, and needs its own */
static const double settle_left = 250;          /* with this many calls left, a way's only call is not yet trusted */
static const double waited = 0.3;               /* P(processes waited in it for others still in another way's call) */
static const double settling = 2;               /* calls of a trial that resolves this: the first is not counted */
static const double long_part = 64;  /* a trial of a way tried before takes at most 1/64 of the calls left ... */
static const double long_cost = 0.5; /* ... and has at most this expected cost, in calls of the best */
static const double together = 1;    /* maximum expected cost, in calls, of a trial that does not wait for others */
static const double confirming = 3;  /* calls of a way that seems faster than the one in use */
static const double cost_most = 50;  /* calls: maximum expected cost of a trial */
/* Chosen on Dane alone, which has the only ways without a prediction. */
static const double new_ln = 0.3, new_sd = 1; /* ln(time / best) of a way that resembles no other */
static const double new_weight = 4;           /* weight of new_ln, in tried ways */
static const double new_tail = 0.1;           /* for ways without a prediction: replaces tail */
static const double like_sd = 0.5,
                    like_loss = 1; /* of a way that is like another; calls that it may cost beyond that */
/* Not based on measurements: assumptions for an unknown number of calls, and limits on the length of runs. */
static const double left_least = 10, left_factor = 2, patient_calls = 10000;
static const double run_part = 8, run_most = 80; /* 1/8 of the calls made; up to 80 times these if agreements cost */

typedef struct evidence {
    ns_plan_way given;
    double ln_predicted;   /* ln(predicted / least predicted), so that a common factor of all cancels exactly */
    double sample[WINDOW]; /* ln seconds, the latest last */
    double waits; /* maximum share of its only call in which it waited for processes still in the previous call */
    bool settled, has_first; /* settled: more than one call; has_first: `first` is ln seconds of the first one */
    double first;
    int kept, copies;   /* number of samples, of which the first `copies` are the median of earlier runs */
    double timed, last; /* recorded calls, and the call number of the latest */
    int64_t calls, trials;
    double trial_s;
    const char *why;
} evidence;

/* Consecutive calls that use one way. */
typedef struct run {
    ns_plan_run is;
    bool trial;
    const char *why;
} run;

struct ns_plan {
    ns_plan_options options;
    int count, model, first;   /* model: least predicted, -1 without predictions */
    double latest_s;           /* of the latest recorded call */
    int latest;                /* way of the latest call; -1: none */
    double made;               /* calls */
    double repeated;           /* cost of repeated trials, in calls of the best */
    run decided[NS_PLAN_TOLD]; /* decided together; those from `at` on have not been recorded */
    int runs, at;
    evidence way[NS_PLAN_WAYS];
};

/* Summary of the samples. */
typedef struct view {
    double y[NS_PLAN_WAYS];
    int unpredicted, best; /* number of tried ways without a prediction; best: -1 if no way was tried */
    double weight[NS_PLAN_WAYS], weights, shift; /* of the predicted ways tried; sum of weight (y - ln predicted) */
    double new_ln, left;
    double noise; /* standard deviation of ln of one call: pooled over all ways and `noise` */
} view;

static bool tried(const evidence *w)
{
    return w->kept > 0;
}

static bool predicted(const evidence *w)
{
    return w->given.predicted_s > 0;
}

static double lower_median(const evidence *w)
{
    double sorted[WINDOW] = {0};
    for (int i = 0; i < w->kept; i++) {
        int at = i;
        for (; at > 0 && sorted[at - 1] > w->sample[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = w->sample[i];
    }
    return sorted[(w->kept - 1) / 2];
}

static double below(double z) /* P(normal < z) */
{
    return erfc(-z / sqrt(2)) / 2;
}

/* E max(0, 1 - e^x) and E max(0, e^x - 1), x ~ N(m, s^2): the gain and the loss of a call of such a way. */
static void gain_loss(double m, double s, double *gain, double *loss)
{
    const double mean = exp(fmin(m + s * s / 2, 50));
    *gain = fmax(0, below(-m / s) - mean * below(-m / s - s));
    *loss = fmax(0, mean * below(m / s + s) - below(m / s));
}

/* ---- beliefs ----------------------------------------------------------------------------------------------------- */

static double squared(double x)
{
    return x * x;
}

static void look(const ns_plan *p, view *v)
{
    double sum = 0;
    double squares = noise_weight * squared(noise), freedom = noise_weight;
    int unlike = 0;
    *v = (view){.best = -1};
    const double calls = (double)p->options.calls;
    v->left = calls > p->made ? calls - p->made : fmax(left_least, left_factor * p->made);
    if (calls == 0 && p->options.effort == NS_PLAN_PATIENT)
        v->left = fmax(v->left, patient_calls - p->made);
    for (int i = 0; i < p->count; i++) {
        const evidence *w = &p->way[i];
        if (!tried(w))
            continue;
        v->y[i] = lower_median(w);
        for (int k = w->copies; k < w->kept; k++)
            squares += squared(fmin(noise_most, fabs(w->sample[k] - v->y[i])));
        freedom += w->copies > 0 ? w->kept - w->copies : w->kept - 1;
    }
    v->noise = sqrt(squares / freedom);
    /* If the first calls of some ways are slower, those of all ways are: at least by the smallest factor of two or more
     * ways. */
    double slower = INFINITY;
    int firsts = 0;
    for (int i = 0; i < p->count; i++)
        if (p->way[i].has_first) {
            slower = fmin(slower, fmax(0, p->way[i].first - v->y[i]));
            firsts++;
        }
    for (int i = 0; i < p->count && firsts > 1; i++)
        if (tried(&p->way[i]) && !p->way[i].settled)
            v->y[i] -= slower;
    int base = -1;
    for (int i = 0; i < p->count; i++) {
        const evidence *w = &p->way[i];
        if (!tried(w))
            continue;
        if (v->best < 0 || v->y[i] < v->y[v->best])
            v->best = i;
        if ((i == p->options.incumbent || i == p->model) && (base < 0 || v->y[i] < v->y[base]))
            base = i;
        v->unpredicted += !predicted(w) && i != p->options.incumbent;
        if (predicted(w)) {
            v->weight[i] = 1 / (squared(w->given.doubt) + squared(v->noise) / w->kept);
            v->weights += v->weight[i];
            v->shift += v->weight[i] * (v->y[i] - w->ln_predicted);
        }
    }
    /* Keep the faster one of the incumbent and the model's choice until another way is significantly faster. */
    if (base >= 0 && base != v->best) {
        const double error = v->noise * sqrt(1.0 / p->way[base].kept + 1.0 / p->way[v->best].kept);
        v->best = v->y[v->best] > v->y[base] - stick * error ? base : v->best;
    }
    for (int i = 0; i < p->count; i++)
        if (tried(&p->way[i]) && !predicted(&p->way[i]) && p->way[i].given.like < 0) {
            sum += v->y[i] - v->y[v->best];
            unlike++;
        }
    v->new_ln = (new_weight * new_ln + sum) / (new_weight + unlike);
}

/* The expectation of ln(time of i / best) without its own samples, and the share of such expectations that are grossly
 * wrong.  False: it depends on a way that was not tried yet. */
static bool expect(const ns_plan *p, const view *v, int i, double *m, double *s, double *wrong)
{
    const evidence *w = &p->way[i];
    const double weights = v->weights - v->weight[i];
    const int like = w->given.like;
    const double best = v->y[v->best];
    *m = v->new_ln;
    *s = new_sd;
    *wrong = new_tail;
    if (predicted(w)) {
        *wrong = tail;
        if (v->weights > v->weight[i] * (1 + 1e-9)) {
            *m = w->ln_predicted + (v->shift - v->weight[i] * (v->y[i] - w->ln_predicted)) / weights - best;
            *s = sqrt(squared(w->given.doubt) + 1 / weights);
        }
        return true;
    }
    if (like < 0)
        return true;
    if (!tried(&p->way[like]))
        return false;
    const int before = p->way[like].given.like; /* a change in the similar way since then is expected here, too */
    *m = v->y[like] - best;
    if (!predicted(&p->way[like]) && before >= 0 && before != i && tried(&p->way[before]))
        *m += v->y[like] - v->y[before];
    *s = like_sd;
    return true;
}

static double error_squared(const ns_plan *p, const view *v, const evidence *w)
{
    return squared(v->noise) / w->timed + squared(drift) * log2(fmax(1, p->made / w->last));
}

/* Its only call followed one of another way, in which processes may still have been: part of its time t, from nothing
 * up to the whole time of the other call, may be waiting. */
static bool provisional(const view *v, const evidence *w)
{
    return !w->settled && v->left >= settle_left && w->waits > 0;
}

/* ln of the rest of t without the k-th of PARTS such waits. */
static double part_waited(const evidence *w, int k)
{
    return log(1 - w->waits * k / (PARTS + 0.5));
}

/* The value of one more call of a way that was tried: its samples may be unlucky, or all of them disturbed. */
static void again(const ns_plan *p, const view *v, int i, double *gain, double *loss)
{
    const evidence *w = &p->way[i];
    double m = v->new_ln, s = new_sd, wrong = new_tail;
    const double d = v->y[i] - v->y[v->best], error = error_squared(p, v, w);
    gain_loss(d, error / sqrt(error + squared(v->noise)), gain, loss);
    (void)expect(p, v, i, &m, &s, &wrong);
    const double fair2 = (1 - tail) * squared(s) + tail * squared(fmax(s, tail_sd)), out2 = fair2 + squared(out_sd);
    const double z = d - m, off = z - out_ln;
    const double fair = exp(-squared(z) / (2 * fair2)) / sqrt(fair2);
    const double bad = pow(out, w->kept) * exp(-squared(off) / (2 * out2)) / sqrt(out2);
    const double share = bad / (bad + fair + 1e-300);
    if (share * v->left > 0.01) {
        double g, l;
        gain_loss(m + fair2 / out2 * off, sqrt(fair2 / out2) * out_sd, &g, &l);
        *gain += share * (g - *gain);
        *loss += share * (l - *loss);
    }
    if (provisional(v, w)) {
        const double sure = (1 - waited) * exp(-squared(z) / (2 * fair2));
        double all = sure + 1e-300, g = 0, l = 0;
        for (int k = 1; k <= PARTS; k++) {
            const double x = d + part_waited(w, k);
            const double weight = exp(-squared(x - m) / (2 * fair2)) * waited / PARTS;
            all += weight;
            g += weight * fmax(0, 1 - exp(x));
            l += weight * fmax(0, exp(x) - 1);
        }
        *gain = (*gain * sure + g) / all;
        *loss = (*loss * sure + l) / all;
    }
}

/* ---- the next decision ------------------------------------------------------------------------------------------- */

static const char unseen[] = "never tried: what it may gain is worth a call",
                  doubted[] = "tried before, but a doubt about it is worth a call";

static void decide(ns_plan *p, int i, double calls, bool trial, const char *why)
{
    const int whole = calls < 1 ? 1 : calls < LONGEST ? (int)calls : LONGEST;
    p->decided[p->runs++] = (run){{.way = i, .calls = whole}, trial, why};
}

/* The most worthwhile trial of one call, and the one that becomes worthwhile first: at which number of calls left. */
typedef struct offer {
    double loss;
    int way, later; /* -1: none */
    double worth, left;
} offer;

/* The gain and the loss of one call of a way; false: it must not be tried now. */
static bool weigh(const ns_plan *p, const view *v, int i, double *gain, double *loss)
{
    const evidence *w = &p->way[i];
    double m, s, wrong, g, l;
    if (tried(w)) {
        again(p, v, i, gain, loss);
        *loss *= provisional(v, w) ? settling : 1;
        return true;
    }
    if ((v->unpredicted >= NS_PLAN_TRIED && !predicted(w) && i != p->options.incumbent &&
         p->options.effort != NS_PLAN_PATIENT) ||
        !expect(p, v, i, &m, &s, &wrong))
        return false;
    gain_loss(m, s, gain, loss);
    gain_loss(m, fmax(s, tail_sd), &g, &l);
    *gain += wrong * (g - *gain);
    *loss += wrong * (l - *loss);
    if (!predicted(w) && w->given.like >= 0)
        *loss += like_loss;
    return true;
}

/* `others_untold`: only ways that can be tried before others are recorded, which need no agreement of their own. */
static offer look_for(const ns_plan *p, const view *v, double agreement, bool others_untold)
{
    offer o = {.way = -1, .later = -1, .left = INFINITY};
    for (int i = 0; i < p->count; i++) {
        const evidence *w = &p->way[i];
        const bool in_use = i == p->options.incumbent && !tried(w) && !predicted(w);
        double gain, loss;
        bool decided = false;
        for (int k = 0; k < p->runs; k++)
            decided = decided || p->decided[k].is.way == i;
        if (i == v->best || decided || !weigh(p, v, i, &gain, &loss) ||
            (others_untold && (tried(w) || ((!predicted(w) || loss > together) && !in_use))))
            continue;
        const double cost = fmin(in_use ? 0 : loss, cost_most) + (others_untold ? 0 : trial_agreements * agreement);
        /* Number of calls after which it may be repeated; calls of the incumbent and the model's choice do not count as
         * lost. */
        const bool base = i == p->options.incumbent || i == p->model;
        const double allowed = tried(w) && !base ? (p->repeated + loss) / budget - 1 : 0;
        const double from = gain > 0 ? fmax(cost / gain, left_factor * allowed) : INFINITY;
        if (from < o.left) {
            o.left = from;
            o.later = i;
        }
        const double worth = v->left * gain - cost;
        if (allowed <= p->made && worth > 0 && worth > o.worth) {
            o.way = i;
            o.worth = in_use ? INFINITY : worth;
            o.loss = loss;
        }
    }
    return o;
}

/* Add ways that will be tried in any case, before the decided trials are recorded. */
static void add_untold(ns_plan *p, const view *v)
{
    while (p->runs < NS_PLAN_TOLD - 1 && v->left - p->runs >= 2) {
        const offer o = look_for(p, v, 0, true);
        if (o.way < 0)
            return;
        decide(p, o.way, 1, true, unseen);
    }
}

/* Use the best way until a decision may change: for 1/8 of the calls made if agreement is free; otherwise for so many
 * calls that the agreement costs the share `rate` of them, but not beyond the call at which a trial becomes worthwhile,
 * which then follows. */
static void stay(ns_plan *p, const view *v, double agreement, const offer *o)
{
    const bool known = (double)p->options.calls > p->made;
    double calls = (known ? fmin(p->made, v->left) : p->made) / run_part;
    double longest = fmin(run_most * fmax(1, p->made), known ? v->left / 2 : fmax(1, o->left / left_factor - p->made));
    if (known && agreement / rate >= v->left)
        longest = v->left;
    calls = floor(fmax(calls, fmin(agreement / rate, longest)));
    decide(p, v->best, calls, false, "believed to be the fastest");
    if (agreement > 0 && p->options.calls == 0 && isfinite(o->left) &&
        left_factor * (p->made + fmax(1, calls) + 1) >= o->left)
        for (int i = 0; i < (tried(&p->way[o->later]) && provisional(v, &p->way[o->later]) ? (int)settling : 1); i++)
            decide(p, o->later, 1, true, tried(&p->way[o->later]) ? doubted : unseen);
}

static void choose(ns_plan *p)
{
    view v;
    look(p, &v);
    const double agreement = p->options.agreement_s / exp(v.y[v.best]);
    const offer o = look_for(p, &v, agreement, false);
    const bool seems_faster = agreement > 0 && o.way >= 0 && tried(&p->way[o.way]) && v.y[o.way] < v.y[v.best];
    if (o.way < 0 || v.left < 2 || (seems_faster && p->way[v.best].kept < p->way[o.way].kept)) {
        stay(p, &v, agreement, &o);
    } else if (tried(&p->way[o.way])) {
        /* If calls are expected to have almost no cost, use enough of them for the processes to synchronise. */
        const double least = provisional(&v, &p->way[o.way]) ? settling : 1;
        const double most = fmin(LONG, fmin(v.left / long_part, p->made / run_part));
        const double calls = seems_faster ? fmax(most, fmin(confirming, v.left / 4)) : fmin(most, long_cost / o.loss);
        decide(p, o.way, fmax(least, calls), true, doubted);
    } else {
        decide(p, o.way, 1, true, unseen);
        if (agreement > 0)
            add_untold(p, &v);
    }
}

/* The first call can only show the common error factor of the predictions.  So if agreements have a cost, the next
 * trials are decided together with it, as if its way took the predicted time; without a prediction for it, as if the
 * model's choice did. */
static void begin(ns_plan *p)
{
    evidence *w = &p->way[p->first];
    decide(p, p->first, 1, false,
           p->first == p->model && !p->options.foreign ? "the model's choice goes first" : "the incumbent goes first");
    if (p->options.agreement_s == 0 || p->options.calls == 1)
        return;
    if (predicted(w)) {
        const evidence was = *w;
        view v;
        w->sample[0] = w->ln_predicted;
        w->kept = 1;
        w->timed = w->last = 1;
        look(p, &v);
        add_untold(p, &v);
        *w = was;
    } else if (p->model >= 0) {
        decide(p, p->model, 1, true, unseen);
    }
}

/* Decide, if everything decided so far has been recorded. */
static void settle(ns_plan *p)
{
    if (p->at < p->runs)
        return;
    p->at = p->runs = 0;
    if (p->options.effort == NS_PLAN_ESTIMATE)
        decide(p, p->first, p->made, false, "nothing is tried, as the effort is to estimate");
    else if (p->first >= 0)
        begin(p);
    else
        choose(p);
}

ns_status ns_plan_next(ns_plan *p, int *way, int *calls, ns_error *err)
{
    ns_error_clear(err);
    if (way == NULL || calls == NULL)
        return ns_fail(err, NS_ERR_RANGE, "ns_plan_next wants somewhere to put way and calls");
    settle(p);
    *way = p->decided[p->at].is.way;
    *calls = p->decided[p->at].is.calls;
    return NS_OK;
}

ns_status ns_plan_runs(ns_plan *p, ns_plan_run *runs, int *count, ns_error *err)
{
    ns_error_clear(err);
    if (runs == NULL || count == NULL)
        return ns_fail(err, NS_ERR_RANGE, "ns_plan_runs wants somewhere to put the runs and their number");
    settle(p);
    *count = p->runs - p->at;
    for (int i = 0; i < *count; i++)
        runs[i] = p->decided[p->at + i].is;
    return NS_OK;
}

/* ---- opening and recording --------------------------------------------------------------------------------------- */

ns_status ns_plan_open(const ns_plan_way *ways, int count, const ns_plan_options *options, ns_plan **plan,
                       ns_error *err)
{
    ns_error_clear(err);
    ns_plan_options given;
    if (ways == NULL || count < 1 || count > NS_PLAN_WAYS)
        return ns_fail(err, NS_ERR_RANGE, "a plan of %d ways; wanted 1 to %d", ways == NULL ? 0 : count, NS_PLAN_WAYS);
    NS_TRY(NS_TAKE_OPTIONS(options, ns_plan_options, agreement_s, &given, err));
    if (given.incumbent < -1 || given.incumbent >= count)
        return ns_fail(err, NS_ERR_RANGE, "the incumbent is way %d; there are 0 to %d, and -1 for none",
                       given.incumbent, count - 1);
    if (given.calls < 0)
        return ns_fail(err, NS_ERR_RANGE, "%lld calls expected; wanted 1 or more, or 0 where unknown",
                       (long long)given.calls);
    if ((unsigned)given.effort > NS_PLAN_PATIENT)
        return ns_fail(err, NS_ERR_RANGE, "no effort %d; there are 0 to %d", (int)given.effort, (int)NS_PLAN_PATIENT);
    if (!(given.agreement_s >= 0) || isinf(given.agreement_s))
        return ns_fail(err, NS_ERR_RANGE, "an agreement that takes %g s; wanted 0 or more", given.agreement_s);
    for (int i = 0; i < count; i++) {
        if (!(ways[i].predicted_s >= 0) || isinf(ways[i].predicted_s))
            return ns_fail(err, NS_ERR_RANGE, "way %d is predicted to take %g s; wanted a time, or 0 for none", i,
                           ways[i].predicted_s);
        if (ways[i].predicted_s > 0 && (!(ways[i].doubt > 0) || isinf(ways[i].doubt)))
            return ns_fail(err, NS_ERR_RANGE, "the doubt of way %d is %g; wanted a standard deviation greater than 0",
                           i, ways[i].doubt);
        if (ways[i].like < -1 || ways[i].like >= count || ways[i].like == i)
            return ns_fail(err, NS_ERR_RANGE, "way %d is like way %d; wanted another of 0 to %d, or -1", i,
                           ways[i].like, count - 1);
        if (ways[i].measured < 0 || (ways[i].measured > 0 && (!(ways[i].measured_s > 0) || isinf(ways[i].measured_s))))
            return ns_fail(err, NS_ERR_RANGE, "way %d took %g s in %d earlier calls; wanted a time greater than 0", i,
                           ways[i].measured_s, ways[i].measured);
    }
    ns_plan *p = ns_calloc(1, sizeof *p);
    if (p == NULL)
        return ns_no_memory(err);
    p->options = given;
    p->count = count;
    p->model = p->latest = -1;
    for (int i = 0; i < count; i++) {
        evidence *w = &p->way[i];
        *w = (evidence){.given = ways[i], .why = ""};
        if (predicted(w) && (p->model < 0 || ways[i].predicted_s < ways[p->model].predicted_s))
            p->model = i;
        for (; w->kept < WINDOW && w->kept < ways[i].measured; w->kept++)
            w->sample[w->kept] = log(ways[i].measured_s);
        w->copies = w->kept;
        w->settled = w->kept > 0;
        w->timed = ways[i].measured;
        w->last = 1;
    }
    /* The first way: the measurements of earlier runs decide alone (-1 unless no way may be tried). */
    int measured = -1;
    for (int i = 0; i < count; i++) {
        if (predicted(&p->way[i]))
            p->way[i].ln_predicted = log(ways[i].predicted_s / ways[p->model].predicted_s);
        if (ways[i].measured > 0 && (measured < 0 || ways[i].measured_s < ways[measured].measured_s))
            measured = i;
    }
    if (measured >= 0)
        p->first = given.effort == NS_PLAN_ESTIMATE ? measured : -1;
    else if (p->model < 0 || (given.foreign && given.incumbent >= 0))
        p->first = given.incumbent >= 0 ? given.incumbent : 0;
    else
        p->first = p->model;
    *plan = p;
    return NS_OK;
}

void ns_plan_free(ns_plan *plan)
{
    ns_free(plan);
}

ns_status ns_plan_tell(ns_plan *p, int way, int calls, const double *seconds, int told, ns_error *err)
{
    ns_error_clear(err);
    view v;
    double mean = 0;
    if (way < 0 || way >= p->count)
        return ns_fail(err, NS_ERR_RANGE, "no way %d; there are 0 to %d", way, p->count - 1);
    if (calls < 1 || told < 1 || told > NS_PLAN_TOLD || told > calls || seconds == NULL)
        return ns_fail(err, NS_ERR_RANGE, "%d times of %d calls; wanted 1 to %d of them", told, calls, NS_PLAN_TOLD);
    for (int i = 0; i < told; i++) {
        if (!(seconds[i] > 0) || isinf(seconds[i]))
            return ns_fail(err, NS_ERR_RANGE, "a call that took %g s; wanted a time greater than 0", seconds[i]);
        mean += seconds[i] / told;
    }
    evidence *w = &p->way[way];
    look(p, &v);
    if (tried(w) && way != v.best)
        p->repeated += calls * fmax(0, mean / exp(v.y[v.best]) - 1);
    const run *now = p->at < p->runs && p->decided[p->at].is.way == way ? &p->decided[p->at] : NULL;
    w->why = now != NULL ? now->why : "the host chose it";
    if (now != NULL && now->trial) {
        w->trials++;
        w->trial_s += mean * calls;
    }
    p->made += calls;
    w->calls += calls;
    w->last = p->made;
    const bool follows = p->latest == way || told < calls;
    p->latest = way;
    if (!tried(w))
        w->waits = follows ? 0 : fmin(1, p->latest_s / seconds[0]);
    p->latest_s = seconds[told - 1];
    const bool several = v.left >= settle_left; /* with many calls left the first call need not count */
    if (!w->settled && (follows || told > 1 || (tried(w) && !several))) {
        w->settled = true;
        w->has_first = tried(w) || !follows;
        w->first = tried(w) ? w->sample[0] : log(seconds[0]);
        if (several) {
            w->kept = 0;
            w->timed = 0;
            seconds += !follows;
            told -= !follows;
        }
    }
    w->timed += told;
    const int stay = w->kept + told > WINDOW ? WINDOW - told : w->kept;
    memmove(w->sample, w->sample + w->kept - stay, (size_t)stay * sizeof *w->sample);
    w->copies = w->copies > w->kept - stay ? w->copies - (w->kept - stay) : 0;
    for (int i = 0; i < told; i++)
        w->sample[stay + i] = log(seconds[i]);
    w->kept = stay + told;
    p->at = now != NULL ? p->at + 1 : p->runs; /* if a host used another way, decide everything anew */
    if (p->options.effort != NS_PLAN_ESTIMATE)
        p->first = -1;
    return NS_OK;
}

/* ---- description ------------------------------------------------------------------------------------------------- */

enum { STEPS = 200 };

/* ln seconds of each way as N(m, s^2). */
static void believe(const ns_plan *p, double *m, double *s)
{
    view v;
    look(p, &v);
    for (int i = 0; i < p->count; i++) {
        const evidence *w = &p->way[i];
        double wrong;
        if (tried(w)) {
            m[i] = v.y[i];
            s[i] = error_squared(p, &v, w);
            for (int k = 1; k <= PARTS && provisional(&v, w); k++) {
                const double x = part_waited(w, k);
                m[i] += x * waited / PARTS;
                s[i] += squared(x) * waited / PARTS;
            }
            s[i] = sqrt(s[i]);
        } else if (v.best < 0) {
            const double least = p->model >= 0 ? log(p->way[p->model].given.predicted_s) : 0;
            m[i] = least + (predicted(w) ? w->ln_predicted : new_ln);
            s[i] = predicted(w) ? w->given.doubt : new_sd;
        } else {
            (void)expect(p, &v, i, &m[i], &s[i], &wrong);
            m[i] += v.y[v.best];
        }
    }
}

ns_status ns_plan_describe(ns_plan *p, int way, ns_plan_info *info, ns_error *err)
{
    ns_error_clear(err);
    double m[NS_PLAN_WAYS], s[NS_PLAN_WAYS], p_best[NS_PLAN_WAYS];
    bool known = p->model >= 0;
    int i = way, calls;
    if (i == -1)
        NS_TRY(ns_plan_next(p, &i, &calls, err));
    if (i < 0 || i >= p->count)
        return ns_fail(err, NS_ERR_RANGE, "no way %d; there are 0 to %d, and -1 for the next", i, p->count - 1);
    for (int j = 0; j < p->count; j++)
        known = known || tried(&p->way[j]);
    believe(p, m, s);
    /* P(j is the fastest): the integral of its density times P(all others are slower); least: the mean of the
     * minimum. */
    double sum = 0, least = 0;
    for (int j = 0; j < p->count; j++) {
        p_best[j] = 0;
        for (int step = 0; step < STEPS; step++) {
            const double z = -6 + 12 * (step + 0.5) / STEPS, x = m[j] + s[j] * z;
            double density = exp(-z * z / 2);
            for (int k = 0; k < p->count; k++)
                if (k != j)
                    density *= below((m[k] - x) / s[k]);
            p_best[j] += density;
            least += density * x;
        }
        sum += p_best[j];
    }
    const evidence *w = &p->way[i];
    double mean = 0, squares = 0;
    for (int k = 0; k < w->kept; k++)
        mean += w->sample[k] / w->kept;
    for (int k = 0; k < w->kept; k++)
        squares += squared(w->sample[k] - mean);
    const ns_plan_info found = {
        .size = sizeof found,
        .way = i,
        .p_best = p_best[i] / sum,
        .expected_ln_loss = fmax(0, m[i] - least / sum),
        .expected_s = known ? exp(m[i]) : 0,
        .measured_s = tried(w) ? exp(lower_median(w)) : 0,
        .spread = w->kept > 1 ? sqrt(squares / (w->kept - 1)) : 0,
        .calls = w->calls,
        .trials = w->trials,
        .trial_s = w->trial_s,
        .why = way == -1 ? p->decided[p->at].why : w->why,
    };
    return ns_sized_give(info, &found, sizeof found, err);
}
