/* elasticity.c -- slopes by differences: E = (x/f) df/dx ~ (f(1+h) - f(1-h)) / (2 h f(1))
 *
 * The closed forms are piecewise linear in their parameters, so the difference is exact but for rounding, except at a
 * kink (a maximum that changes sides, a protocol's first size), where the slopes to both sides are compared and the
 * mean is given.
 */
#include "study/elasticity.h"
#include "core/context.h"

#include <math.h>

static const double STEP = 1e-4, KINK = 1e-3;
static const double STEEP = 100; /* no power law is that steep: a leap */

/* *given tells whether f takes this factor. */
static ns_status try_at(ns_root_fn *f, const void *context, double factor, double *value, bool *given, ns_error *err)
{
    ns_error inner = {0};
    const ns_status status = f(context, factor, value, &inner);
    *given = status == NS_OK;
    return ns_ends_call(status) ? ns_end_call(&inner, err) : NS_OK;
}

static void set_slope(ns_elasticity *e, const double side[2], const bool given[2])
{
    const double left = (e->base - side[0]) / (STEP * e->base), right = (side[1] - e->base) / (STEP * e->base);
    const bool has_left = given[0] && fabs(left) < STEEP, has_right = given[1] && fabs(right) < STEEP;
    e->jump = (given[0] && !has_left) || (given[1] && !has_right);
    e->sloped = has_left || has_right;
    if (has_left && has_right) {
        e->slope = (left + right) / 2;
        e->kink = fabs(left - right) > KINK * fmax(1, fmax(fabs(left), fabs(right)));
    } else if (e->sloped)
        e->slope = has_left ? left : right;
}

ns_status ns_elasticity_find(ns_root_fn *f, const void *context, double by, ns_elasticity *elasticity, ns_error *err)
{
    ns_elasticity e = {0};
    double side[2] = {0};
    bool given[2];
    NS_TRY(f(context, 1, &e.base, err));
    NS_TRY(try_at(f, context, 1 - by, &e.low, &e.has_low, err));
    NS_TRY(try_at(f, context, 1 + by, &e.high, &e.has_high, err));
    NS_TRY(try_at(f, context, 1 - STEP, &side[0], &given[0], err));
    NS_TRY(try_at(f, context, 1 + STEP, &side[1], &given[1], err));
    if (e.base != 0)
        set_slope(&e, side, given);
    *elasticity = e;
    return NS_OK;
}
