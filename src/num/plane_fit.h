/* plane_fit.h -- y = sum of rates x columns, relative least squares
 *
 * Every point is weighted by its relative residual.  The fit is not robust, because the populations differ by design.
 */
#ifndef NS_NUM_PLANE_FIT_H
#define NS_NUM_PLANE_FIT_H

#include <stddef.h>

#include <nsmodel/status.h>

/* x[column * count + i], y[i] > 0; more points than columns, independent columns (else NS_ERR_DATA).  rate and se:
 * [columns]. */
ns_status ns_plane_fit(const double *x, const double *y, size_t count, size_t columns, double *rate, double *se,
                       ns_error *err);

#endif
