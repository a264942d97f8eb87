/* rails.h -- messages and fragments over several network interfaces */
#ifndef NS_CORE_RAILS_H
#define NS_CORE_RAILS_H

#include "machine/model.h"

/* Each of `count` pieces of `bytes` (the last one `last`) goes to the rail that would end it first; a piece costs
 * overhead + bytes/B_i.  Returns the time of the busiest rail; *busy rails had work, *most pieces were on the rail that
 * ends last. */
double ns_rails_deal(const ns_numbers *bandwidth, double count, double bytes, double last, double overhead,
                     double *busy, double *most);

/* The fastest rail's bandwidth, and all together. */
double ns_rails_fastest(const ns_numbers *bandwidth);
double ns_rails_total(const ns_numbers *bandwidth);

/* Refuse a list without rails. */
ns_status ns_rails_check(const ns_numbers *bandwidth, ns_error *err);

#endif
