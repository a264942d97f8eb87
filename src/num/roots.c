/* roots.c -- one root in a bracket, by GSL's Brent-Dekker solver, whose callback may fail */
#include "num/roots.h"

#include <gsl/gsl_min.h>
#include <gsl/gsl_roots.h>
#include <math.h>

#include "core/memory.h"
#include "num/quiet.h"

enum { ITERATIONS = 400 };
static const double FINE = 1e-13, DIP_FINE = 1e-8;

typedef struct caller {
    ns_root_fn *f;
    const void *context;
    double sign; /* what f is multiplied by */
    bool crossed;
    double crossed_at;
    ns_status status;
    ns_error *err;
} caller;

/* After a failure the solver sees zeros and ends by itself. */
static double call(double x, void *params)
{
    caller *c = params;
    double value = 0;
    if (c->status == NS_OK)
        c->status = c->f(c->context, x, &value, c->err);
    value *= c->sign;
    if (value < 0 && !c->crossed) {
        c->crossed = true;
        c->crossed_at = x;
    }
    return c->status == NS_OK ? value : 0;
}

static ns_status refuse(ns_error *err, int code)
{
    return ns_fail(err, NS_ERR_DATA, "the root finder gave up: %s", gsl_strerror(code));
}

static ns_status solve(gsl_root_fsolver *solver, gsl_function *function, double *lo, double *hi, ns_error *err)
{
    const caller *c = function->params;
    int code;
    NS_QUIET(code = gsl_root_fsolver_set(solver, function, *lo, *hi));
    for (int i = 0; i < ITERATIONS && code == GSL_SUCCESS && *hi - *lo > FINE * fabs(*hi); i++) {
        NS_QUIET(code = gsl_root_fsolver_iterate(solver));
        *lo = gsl_root_fsolver_x_lower(solver);
        *hi = gsl_root_fsolver_x_upper(solver);
    }
    NS_TRY(c->status);
    return code == GSL_SUCCESS ? NS_OK : refuse(err, code);
}

/* At a discontinuity |f| beside x stays of the size it has at the ends of the bracket. */
static bool leaps(gsl_function *function, double x, double size)
{
    const double margin = 4 * FINE * fabs(x);
    return fabs(GSL_FN_EVAL(function, x - margin)) + fabs(GSL_FN_EVAL(function, x + margin)) > 1e-6 * size;
}

ns_status ns_root_find(ns_root_fn *f, const void *context, double lo, double hi, ns_root *root, ns_error *err)
{
    caller c = {.f = f, .context = context, .sign = 1, .err = err};
    gsl_function function = {call, &c};
    gsl_root_fsolver *solver;
    NS_QUIET(solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent));
    if (solver == NULL)
        return ns_no_memory(err);
    const double size = fmax(fabs(call(lo, &c)), fabs(call(hi, &c)));
    double a = lo, b = hi;
    ns_status status = c.status == NS_OK ? solve(solver, &function, &a, &b, err) : c.status;
    const double x = status == NS_OK ? gsl_root_fsolver_root(solver) : 0;
    gsl_root_fsolver_free(solver);
    NS_TRY(status);
    *root = (ns_root){.x = x, .jump = x > lo && x < hi && leaps(&function, x, size)};
    return c.status;
}

ns_status ns_root_dip(ns_root_fn *f, const void *context, double lo, double middle, double hi, double *x, bool *crossed,
                      ns_error *err)
{
    caller c = {.f = f, .context = context, .sign = 1, .err = err};
    if (call(middle, &c) < 0)
        c.sign = -1;
    c.crossed = false;
    gsl_function function = {call, &c};
    gsl_min_fminimizer *minimizer;
    int code;
    NS_QUIET(minimizer = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent));
    if (minimizer == NULL)
        return ns_no_memory(err);
    NS_QUIET(code = gsl_min_fminimizer_set(minimizer, &function, middle, lo, hi));
    for (int i = 0; i < ITERATIONS && code == GSL_SUCCESS && !c.crossed && c.status == NS_OK; i++) {
        if (gsl_min_fminimizer_x_upper(minimizer) - gsl_min_fminimizer_x_lower(minimizer) <= DIP_FINE * fabs(hi))
            break;
        NS_QUIET(code = gsl_min_fminimizer_iterate(minimizer));
    }
    *crossed = c.crossed; /* a failed search is no crossing */
    *x = c.crossed ? c.crossed_at : gsl_min_fminimizer_x_minimum(minimizer);
    gsl_min_fminimizer_free(minimizer);
    return c.status;
}
