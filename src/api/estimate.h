/* estimate.h -- a price by the terms of its form, in the room that its public structs have for them */
#ifndef NS_API_ESTIMATE_H
#define NS_API_ESTIMATE_H

#include "price/price.h"

void ns_estimate_terms(const ns_price *price, double term_s[NS_TERMS]);

#endif
