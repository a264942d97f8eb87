/* rails.h -- messages and fragments over several network interfaces */
#ifndef NS_CORE_RAILS_H
#define NS_CORE_RAILS_H

#include "machine/model.h"

/* Assign each of `count` pieces of `bytes` (the last one `last`) to the rail that would finish it first; a piece costs
 * overhead + bytes/B_i.  Returns the time of the busiest rail; *busy is the number of rails with work, *most the
 * number of pieces on the rail that finishes last. */
double ns_rails_deal(const ns_numbers *bandwidth, double count, double bytes, double last, double overhead,
                     double *busy, double *most);

/* The fastest rail's bandwidth, and the sum over the rails. */
double ns_rails_fastest(const ns_numbers *bandwidth);
double ns_rails_total(const ns_numbers *bandwidth);

/* Refuse a list without rails. */
ns_status ns_rails_check(const ns_numbers *bandwidth, ns_error *err);

#endif
