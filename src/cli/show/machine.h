/* machine.h -- one machine, shown */
#ifndef NS_CLI_MACHINE_H
#define NS_CLI_MACHINE_H

#include "api/library.h"

/* Every number with its source, as members of an object. */
void ns_machine_show(const ns_machine *machine, ns_value *result);

#endif
