/* handlers.c -- waiting time of packets for a handler unit
 *
 *     W = C(H, a) / (H (1 - load)) (1 + cv^2)/2,   a = H load,   C = B / (1 - load (1 - B)),   B: Erlang's loss formula
 */
#include "model/parts/handlers.h"

#include <math.h>

ns_status ns_handlers_wait(double units, double load, double cv, double *wait, ns_error *err)
{
    if (units != floor(units) || units < 1 || units > NS_HANDLER_UNITS)
        return ns_fail(err, NS_ERR_RANGE, "%g handler units: wanted a whole number from 1 to %d", units,
                       (int)NS_HANDLER_UNITS);
    if (!(load >= 0 && load < 1))
        return ns_fail(err, NS_ERR_RANGE,
                       "handler units that are %.3g %% busy never catch up: the load has to be "
                       "less than 100 %%",
                       100 * load);
    double b = 1; /* by recurrence over the units */
    for (double k = 1; k <= units; k++)
        b = units * load * b / (k + units * load * b);
    const double all_busy = b / (1 - load * (1 - b));
    *wait = all_busy / (units * (1 - load)) * (1 + cv * cv) / 2;
    return NS_OK;
}
