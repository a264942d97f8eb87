/* reproduce.h -- recomputed tables as a value tree */
#ifndef NS_CLI_SHOW_REPRODUCE_H
#define NS_CLI_SHOW_REPRODUCE_H

#include "core/value.h"
#include "published/published.h"

/* A table with its cells, of which a summary leaves the cells to wide tables. */
void ns_show_reproduced(const ns_reproduced *table, bool summary, ns_value *tables);
/* How many cells of each kind there are and hold: a sentence, and "totals". */
void ns_show_reproduced_totals(const ns_reproduced_total total[NS_PUBLISHED_KINDS], ns_value *result);

#endif
