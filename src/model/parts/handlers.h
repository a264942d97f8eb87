/* handlers.h -- packets that wait for a handler unit */
#ifndef NS_MODEL_HANDLERS_H
#define NS_MODEL_HANDLERS_H

#include "machine/model.h"

enum { NS_HANDLER_UNITS = 4096 };

/* Mean wait of a packet for one of `units` handler units, in mean handler times: packets arrive at random (Poisson) and
 * find the fraction `load` of the units busy, 0 <= load < 1; cv: coefficient of variation of the handlers.  Exact for
 * exponential handlers (Erlang C) and for one unit (Pollaczek and Khinchine), else Allen and Cunneen's approximation.
 * Refused: a number of units that is not whole or exceeds NS_HANDLER_UNITS, a load outside the range. */
ns_status ns_handlers_wait(double units, double load, double cv, double *wait, ns_error *err);

#endif
