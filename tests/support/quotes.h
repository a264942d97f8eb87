/* quotes.h -- random exchanges, and quotes of them against the prices of their schedules, to the bit */
#ifndef TESTS_QUOTES_H
#define TESTS_QUOTES_H

#include "oracle/oracle.h"
#include "price/quote.h"

/* Any number of parts on any node, in any order; nodes may be empty. */
ns_site *quotes_site(oracle_random *random, int32_t parts, int32_t nodes);

/* Messages between any parts, sizes over all protocols; on the site, or without one by the layout. */
ns_exchange *quotes_messages(oracle_random *random, const ns_site *site, ns_layout layout, size_t count);

/* Up to 61 parts on up to 12 nodes; of a matrix or of messages. */
ns_exchange *quotes_exchange(uint64_t seed);

ns_workspace *quotes_workspace(void);

/* All that the machine runs, in every form; strategy NULL: all that are registered.  Returns how many were checked. */
int quotes_check(const ns_exchange *x, const ns_machine *machine, const ns_strategy *const *strategy, size_t strategies,
                 ns_workspace *w);

#endif
