/* machine.h -- one machine, shown */
#ifndef NS_CLI_MACHINE_H
#define NS_CLI_MACHINE_H

#include "api/library.h"

/* Every number with its source, as members of an object. */
void ns_machine_show(const ns_machine *machine, ns_value *result);

/* What it knows, item by item, and what measures the rest. */
ns_status ns_machine_check_show(const ns_machine *machine, ns_value *result, ns_error *err);

#endif
