/* plane_fit.c -- relative least squares in several columns, by GSL's singular value decomposition with balanced
 * columns */
#include "num/num.h"

#include <math.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>

#include "core/memory.h"

ns_status ns_plane_fit(const double *x, const double *y, size_t count, size_t columns, double *rate, double *se,
                       ns_error *err)
{
    if (count <= columns)
        return ns_fail(err, NS_ERR_DATA, "%zu points for %zu columns", count, columns);
    gsl_error_handler_t *const before = gsl_set_error_handler_off();
    gsl_matrix *a = gsl_matrix_alloc(count, columns), *covariance = gsl_matrix_alloc(columns, columns);
    gsl_vector *one = gsl_vector_alloc(count), *found = gsl_vector_alloc(columns);
    gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(count, columns);
    const bool room = a != NULL && covariance != NULL && one != NULL && found != NULL && work != NULL;
    ns_status status = room ? NS_OK : ns_no_memory(err);
    double chi2;
    for (size_t i = 0; i < count && room; i++) {
        gsl_vector_set(one, i, 1);
        for (size_t k = 0; k < columns; k++)
            gsl_matrix_set(a, i, k, x[k * count + i] / y[i]);
    }
    if (room && (gsl_multifit_linear(a, one, found, covariance, &chi2, work) != 0 ||
                 gsl_multifit_linear_rank(1e-12, work) < columns))
        status = ns_fail(err, NS_ERR_DATA, "a least squares problem has dependent columns");
    for (size_t k = 0; k < columns && status == NS_OK; k++) {
        rate[k] = gsl_vector_get(found, k);
        se[k] = sqrt(gsl_matrix_get(covariance, k, k));
    }
    if (work != NULL)
        gsl_multifit_linear_free(work);
    gsl_vector_free(found);
    gsl_vector_free(one);
    gsl_matrix_free(covariance);
    gsl_matrix_free(a);
    gsl_set_error_handler(before);
    return status;
}
