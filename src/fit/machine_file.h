/* machine_file.h -- numbers as a machine file has them, with their errors */
#ifndef NS_FIT_MACHINE_FILE_H
#define NS_FIT_MACHINE_FILE_H

#include <nsmodel/quantity.h>

#include "core/value.h"
#include "fit/fit.h"
#include "num/line_fit.h"

/* "alpha", and "alpha_se" where it is known. */
void ns_fit_put(ns_value *object, const char *name, double value, double se, ns_dim dim);

/* alpha and beta, and how their errors are correlated. */
void ns_fit_put_line(ns_value *object, const ns_line_estimate *line);

/* A line of a group for one pair alone: where only windows of several pairs at once were measured it is taken to reach
 * what these bring together. */
ns_line_estimate ns_fit_alone(const ns_fit_group *group, const ns_line_estimate *line);

/* Only LogGP was measured between nodes: its line stands for a ping-pong's. */
bool ns_fit_has_loggp_line(const ns_fit *fit);
void ns_fit_loggp_line(const ns_fit *fit, ns_value *host);

/* "topology": what was said of a node, or assumed, with why. */
void ns_fit_topology(const ns_fit *fit, ns_value *root);

/* Add "exchange", constants of whole exchanges, to a memory's object, where the logs have messages in flight for it. */
ns_status ns_fit_exchange(const ns_fit *fit, const ns_log *log, ns_memory memory, ns_value *object, ns_error *err);

#endif
