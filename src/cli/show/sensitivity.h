/* sensitivity.h -- what moves the answer, shown */
#ifndef NS_CLI_SENSITIVITY_H
#define NS_CLI_SENSITIVITY_H

#include "cli/show/draw.h"

void ns_sensitivity_show(const ns_sensitivity *sensitivity, ns_value *result);
/* --plot: the tornado. */
ns_status ns_sensitivity_plot(const ns_sensitivity *sensitivity, const ns_args *args, ns_value *result, ns_error *err);

#endif
