/* curves.h -- the curves of a command line, and their inputs in rows and titles */
#ifndef NS_CLI_CURVES_H
#define NS_CLI_CURVES_H

#include "cli/front/command.h"

/* Add every word that is not NAME=VALUE. */
ns_status ns_curves_read(const ns_args *args, ns_curves *curves, ns_error *err);
/* Close them, with --of where it is an option of the command. */
ns_status ns_curves_ready(ns_curves *curves, ns_error *err);

/* Add the value at a position of the axis to a row. */
void ns_axis_value(const ns_axis *axis, size_t i, ns_value *row);

/* Is the axis better shown in ratios: positive numbers that rise over more than a decade? */
bool ns_axis_is_log(const ns_axis *axis);

/* "message size [B]": the name and unit for an axis of a plot. */
const char *ns_axis_title(const ns_curves *curves, const char *name, char *buffer, size_t size);

#endif
