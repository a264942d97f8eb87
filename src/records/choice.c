/* choice.c -- relative errors between the ways to do one exchange: kappa and lambda of decision.h
 *
 * Nests are those of the strategies, whatever their transport.  A lambda below 1 is kept if it makes the fastest way
 * of held-out exchanges more probable, by more than twice the error of the gain; otherwise all pairs are treated
 * alike.  A machine file gets the smallest kappa of the sets that leave out one group each.
 */
#include "core/memory.h"
#include "records/calibrate.h"
#include "records/judge.h"

#include <math.h>

enum { CASES_WANTED = 3 };

static size_t first_of_group(const ns_tried *tried, size_t at)
{
    size_t i = 0;
    while (tried[i].group != tried[at].group)
        i++;
    return i;
}

void ns_choice_calibration(const ns_tried *tried, size_t count, int without_group, bool nests, ns_choice_scale *scale)
{
    enum { KAPPA_MOST = 100 };                                           /* for ways without errors */
    static const double unit = 1.28254983016186409, lambda_least = 0.01; /* pi / sqrt 6 */
    ns_choice_scale made = {.lambda = 1};
    struct {
        double squares;
        size_t count;
    } across = {0, 0}, inside = {0, 0}; /* of nests */
    for (size_t from = 0; from < count;) {
        const ns_trial c = ns_trial_at(tried, count, from);
        if (c.tried->group != without_group) {
            made.cases++;
            made.groups += first_of_group(tried, from) == from;
            for (size_t i = 0; i < c.ways; i++)
                for (size_t k = 0; k < i; k++) {
                    const ns_tried *a = &c.tried[i], *b = &c.tried[k];
                    const double off = log(a->predicted_s / a->measured_s) - log(b->predicted_s / b->measured_s);
                    const bool same = nests && a->nest == b->nest;
                    *(same ? &inside.squares : &across.squares) += off * off / 2;
                    *(same ? &inside.count : &across.count) += 1;
                }
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

/* Give every group the scale of the others; loss: at the first entry of each group, the sum of -ln P of its fastest
 * ways. */
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
        tried[i].doubt = 0; /* measured exchanges show the errors of predictions */
        loss[i] = 0;
    }
    for (size_t from = 0; from < count;) {
        const ns_trial c = ns_trial_at(tried, count, from);
        ns_decision d;
        NS_TRY(ns_trial_decide(&c, &d, err));
        loss[first_of_group(tried, from)] -= log(d.p_best[c.fastest]);
        from += c.ways;
    }
    return NS_OK;
}

/* Do nests make the fastest ways of held-out cases more probable?  Each case gets the scale of the other groups. */
static ns_status choose_nests(ns_tried *tried, size_t count, bool *nests, ns_error *err)
{
    double *plain = ns_calloc(ns_size_add(count, 1), 2 * sizeof *plain);
    if (plain == NULL)
        return ns_no_memory(err);
    double *nested = plain + count;
    ns_status status = scale_groups(tried, count, false, plain, err);
    if (status == NS_OK)
        status = scale_groups(tried, count, true, nested, err);
    if (status == NS_OK) {
        /* They do if the loss is lower by more than twice the standard error of the sum of differences by group. */
        double groups = 0, sum = 0, squares = 0;
        for (size_t i = 0; i < count; i++) {
            groups += first_of_group(tried, i) == i;
            sum += plain[i] - nested[i]; /* 0 except at the first entry of a group */
            squares += (plain[i] - nested[i]) * (plain[i] - nested[i]);
        }
        const double variance = (squares - sum * sum / groups) * groups / (groups - 1);
        *nests = groups > 1 && sum > 2 * sqrt(fmax(0, variance));
    }
    if (status == NS_OK && !*nests)
        status = scale_groups(tried, count, false, plain, err);
    ns_free(plain);
    return status;
}

ns_status ns_choice_leave_out(ns_tried *tried, size_t count, ns_error *err)
{
    bool nests;
    return choose_nests(tried, count, &nests, err);
}

/* ---- calibration for a machine file ------------------------------------------------------------------------------ */

ns_status ns_choice_calibrate(const ns_records *records, const ns_scored *list, size_t count,
                              const ns_grouping *grouping, ns_calibration calibration[NS_MEMORIES], ns_error *err)
{
    uint64_t ways[NS_MEMORIES] = {0, 0};
    ns_choice_scale scale = {.kappa = 0};
    ns_tried *tried;
    size_t tries;
    NS_TRY(ns_tried_make(records, list, count, &tried, &tries, err));
    for (size_t i = 0; i < tries; i++) {
        const bool first = i == 0 || tried[i].at != tried[i - 1].at;
        tried[i].group = first ? grouping->of[tried[i].of] : tried[i - 1].group;
        ways[ns_scored_memory(records, &list[tried[i].of])] |= UINT64_C(1) << tried[i].way / NS_TRANSPORTS;
    }
    bool nests = false, groups = false; /* several are needed to test nests */
    for (size_t i = 1; i < tries; i++)
        groups = groups || tried[i].group != tried[0].group;
    ns_status status = groups ? choose_nests(tried, tries, &nests, err) : NS_OK;
    ns_choice_calibration(tried, tries, -1, nests, &scale);
    for (size_t i = 0; i < tries && status == NS_OK; i++) {
        /* The smallest kappa over all cases and over the sets that leave out one group each. */
        ns_choice_scale other;
        if (first_of_group(tried, i) != i)
            continue;
        ns_choice_calibration(tried, tries, tried[i].group, nests, &other);
        if (other.kappa > 0 && other.kappa < scale.kappa) {
            scale.kappa = other.kappa;
            scale.lambda = other.lambda;
        }
    }
    /* How often the advice was right, its loss, and the loss of the best constant rule on the same cases. */
    ns_rule_score advice = {.cases = 0}, best = {.cases = 0};
    int best_rule = -1;
    if (status == NS_OK && tries > 0)
        status = ns_judge_rule(tried, tries, NS_WHICH_APART, NS_RULE_ADVICE, &advice, err);
    for (size_t i = 0; i < tries && status == NS_OK; i++) {
        ns_rule_score rule = {.cases = 0};
        size_t first = 0;
        while (tried[first].way != tried[i].way)
            first++;
        if (first < i)
            continue;
        status = ns_judge_rule(tried, tries, NS_WHICH_APART, tried[i].way, &rule, err);
        if (rule.cases == advice.cases && (best_rule < 0 || rule.lost_mean < best.lost_mean)) {
            best_rule = tried[i].way;
            best = rule;
        }
    }
    ns_free(tried);
    NS_TRY(status);
    for (int m = 0; m < NS_MEMORIES; m++)
        if (ways[m] != 0 && scale.kappa > 0 && scale.cases >= CASES_WANTED) {
            calibration[m].choice_given = true;
            calibration[m].kappa = scale.kappa;
            calibration[m].lambda = scale.lambda;
            calibration[m].cases = scale.cases;
            calibration[m].ways = ways[m];
            calibration[m].choice_groups = scale.groups;
            calibration[m].apart = advice.cases;
            calibration[m].right = advice.right;
            calibration[m].lost = advice.lost_mean;
            calibration[m].rule = best_rule;
            calibration[m].rule_lost = best.lost_mean;
            calibration[m].held_out = grouping->folds > 1 || !calibration[m].floor_given;
        }
    return NS_OK;
}
