/* plane_fit.c -- relative least squares in several columns, by GSL's singular value decomposition with balanced
 * columns */
#include "num/plane_fit.h"

#include <math.h>

#include <gsl/gsl_multifit.h>

#include "core/memory.h"
#include "num/quiet.h"

typedef struct problem {
    gsl_matrix *a, *covariance;
    gsl_vector *one, *rate;
    gsl_multifit_linear_workspace *work;
} problem;

static ns_status solve(problem *p, const double *x, const double *y, size_t count, size_t columns, double *rate,
                       double *se, ns_error *err)
{
    double chi2;
    for (size_t i = 0; i < count; i++) {
        gsl_vector_set(p->one, i, 1);
        for (size_t k = 0; k < columns; k++)
            gsl_matrix_set(p->a, i, k, x[k * count + i] / y[i]);
    }
    if (gsl_multifit_linear(p->a, p->one, p->rate, p->covariance, &chi2, p->work) != 0 ||
        gsl_multifit_linear_rank(1e-12, p->work) < columns)
        return ns_fail(err, NS_ERR_DATA, "a least squares problem has dependent columns");
    for (size_t k = 0; k < columns; k++) {
        rate[k] = gsl_vector_get(p->rate, k);
        se[k] = sqrt(gsl_matrix_get(p->covariance, k, k));
    }
    return NS_OK;
}

static ns_status solve_quietly(const double *x, const double *y, size_t count, size_t columns, double *rate, double *se,
                               ns_error *err)
{
    problem p = {.a = gsl_matrix_alloc(count, columns),
                 .covariance = gsl_matrix_alloc(columns, columns),
                 .one = gsl_vector_alloc(count),
                 .rate = gsl_vector_alloc(columns),
                 .work = gsl_multifit_linear_alloc(count, columns)};
    const ns_status status = p.a != NULL && p.covariance != NULL && p.one != NULL && p.rate != NULL && p.work != NULL
                                 ? solve(&p, x, y, count, columns, rate, se, err)
                                 : ns_no_memory(err);
    if (p.work != NULL)
        gsl_multifit_linear_free(p.work);
    gsl_vector_free(p.rate);
    gsl_vector_free(p.one);
    gsl_matrix_free(p.covariance);
    gsl_matrix_free(p.a);
    return status;
}

ns_status ns_plane_fit(const double *x, const double *y, size_t count, size_t columns, double *rate, double *se,
                       ns_error *err)
{
    if (count <= columns)
        return ns_fail(err, NS_ERR_DATA, "%zu points for %zu columns", count, columns);
    ns_status status = NS_OK;
    NS_QUIET(status = solve_quietly(x, y, count, columns, rate, se, err));
    return status;
}
