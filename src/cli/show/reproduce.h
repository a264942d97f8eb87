/* reproduce.h -- published tables against what the library computes, shown */
#ifndef NS_CLI_REPRODUCE_H
#define NS_CLI_REPRODUCE_H

#include <nsmodel/nsmodel.h>

/* Append a table to the list. */
void ns_show_reproduced(const ns_reproduced *table, ns_value *tables);

#endif
