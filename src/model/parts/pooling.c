/* pooling.c -- double-ended queue with patience, and the queue of a link
 *
 * On the parents' side (no candidate waits) the time that a parent arriving now would wait for its candidate has the
 * density
 *     s(x) = p0 lc exp(lp A_p(x) - lc x),   A_p(x) = integral over [0, x] of the share of parents with patience > y,
 * by level crossings; on the candidates' side the same with the roles exchanged.  Both include the empty state, p0, so
 *     1/p0 = P_parents/p0 + P_candidates/p0 - 1.
 * With fixed patience this gives u = d/(lc exp(d (w_p + w_c)) - lp), d = lc - lp.  Exponents are kept relative to the
 * largest, so that nothing overflows; d -> 0 is the limit, not a case.
 */
#include "model/parts/pooling.h"

#include <math.h>

/* expm1(z)/z */
static double mean_growth(double z)
{
    return fabs(z) < 1e-9 ? 1 + z / 2 : expm1(z) / z;
}

/* integral over [0, length] of exp(start + slope x - top) */
static double area(double start, double slope, double length, double top)
{
    const double z = slope * length;
    return z > 0 ? length * exp(start + z - top) * mean_growth(-z) : length * exp(start - top) * mean_growth(z);
}

/* integral over [0, 1] of t exp(z t), for z <= 1/2 */
static double first_moment(double z)
{
    double term = 1, sum = 0.5;
    if (fabs(z) > 0.5)
        return (exp(z) * (z - 1) + 1) / (z * z);
    for (int n = 1; n < 16; n++) {
        term *= z / n;
        sum += term / (n + 2);
    }
    return sum;
}

/* integral over [0, length] of x exp(start + slope x - top) */
static double moment(double start, double slope, double length, double top)
{
    const double z = slope * length;
    if (z <= 0.5)
        return length * length * exp(start - top) * first_moment(z);
    return length * length * exp(start + z - top) * (z - 1 + exp(-z)) / (z * z);
}

ns_matching ns_pool(const ns_patience *q, double from)
{
    const double lp = q->parents, lc = q->candidates, d = lc - lp;
    const double turn = fmin(q->w_short, q->w_c), rest = q->w_c - turn; /* the less patient ones leave at `turn` */
    const double slow = (1 - q->share_short) * lc - lp;
    const double end_p = -d * q->w_p, at_turn = d * turn, end_c = at_turn + slow * rest;
    const double top = fmax(fmax(0, end_p), fmax(at_turn, end_c));
    const double parents = lc * area(0, -d, q->w_p, top) + exp(end_p - top);
    const double candidates = lp * (area(0, d, turn, top) + area(at_turn, slow, rest, top)) + exp(end_c - top);
    const double p0 = 1 / (parents + candidates - exp(-top)); /* times exp(top) */
    const double late_p = fmax(0, q->w_p - from), late_c = fmax(0, q->w_c - from), early = fmax(0, turn - from);
    const double at = fmax(turn, from), start = at_turn + slow * (at - turn), late = fmax(0, q->w_c - at);
    const double late_area = moment(start, slow, late, top) + (at - from) * area(start, slow, late, top);
    return (ns_matching){
        .unmatched = p0 * exp(end_p - top),
        .wait = p0 * (lc * moment(0, -d, q->w_p, top) + q->w_p * exp(end_p - top)),
        .beyond = p0 * (lc * moment(-d * from, -d, late_p, top) + late_p * exp(end_p - top)),
        .beyond_candidate = p0 * (lp * (moment(d * from, d, early, top) + late_area) + late_c * exp(end_c - top)),
    };
}

double ns_queue_wait(double rho, double residual)
{
    return residual * rho / (2 * (1 - rho));
}

/* Stitch flits in the queue that a load `rho` causes; p->load is the remaining load. */
static void stitch_at(const ns_pooled_link *link, double rho, ns_pooled *p)
{
    const double queue = ns_queue_wait(rho, 1), waiting = queue + link->window;
    const ns_patience patience = {
        .parents = link->load * link->parents,
        .candidates = link->load * link->candidates,
        .w_p = waiting,
        .w_c = waiting,
        .share_short = link->spare_page_table ? link->page_table : 0,
        .w_short = link->spare_page_table ? queue : waiting,
    };
    const ns_matching m = ns_pool(&patience, queue);
    p->matched = link->parents > 0 ? fmin(1, fmax(0, 1 - m.unmatched)) : 0;
    p->saving = link->parents * p->matched;
    p->load = link->load * (1 - p->saving);
    p->queue = queue;
    p->added = link->parents > 0 ? m.beyond : 0;
    p->added_page_table = link->spare_page_table || !(link->page_table > 0) ? 0 : m.beyond_candidate;
    p->added_flit = link->parents * m.beyond + link->candidates * (1 - patience.share_short) * m.beyond_candidate;
}

ns_status ns_pool_link(const ns_pooled_link *link, ns_pooled *pooled, ns_error *err)
{
    const double least = link->load * (1 - fmin(link->parents, link->candidates));
    double lo = fmin(least, 1), hi = fmin(link->load, 1);
    if (least >= 1)
        return ns_fail(err, NS_ERR_RANGE, "the link stays overloaded: at least %.4g of %.4g flits per flit time remain",
                       least, link->load);
    for (int i = 0; i < 100; i++) {
        const double middle = lo + (hi - lo) / 2;
        if (middle >= 1)
            break;
        stitch_at(link, middle, pooled);
        if (pooled->load > middle)
            lo = middle;
        else
            hi = middle;
    }
    stitch_at(link, lo, pooled);
    return NS_OK;
}

ns_priority ns_priority_waits(double rho, double share, double residual)
{
    const double w0 = residual * rho / 2, first = 1 - rho * share;
    return (ns_priority){.fifo = w0 / (1 - rho), .first = w0 / first, .rest = w0 / (first * (1 - rho))};
}
