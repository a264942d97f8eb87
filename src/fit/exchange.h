/* exchange.h -- constants of whole exchanges: what many messages in flight cost */
#ifndef NS_FIT_EXCHANGE_H
#define NS_FIT_EXCHANGE_H

#include "fit/fit.h"

/* Add "exchange" to a memory's object of the machine file, where the logs have messages in flight for it. */
ns_status ns_fit_exchange(const ns_fit *fit, const ns_log *log, ns_memory memory, ns_value *object, ns_error *err);

#endif
