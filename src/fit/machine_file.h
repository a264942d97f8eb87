/* machine_file.h -- write numbers with their errors into a machine file */
#ifndef NS_FIT_MACHINE_FILE_H
#define NS_FIT_MACHINE_FILE_H

#include <nsmodel/quantity.h>

#include "core/value.h"
#include "fit/fit.h"
#include "num/num.h"

/* Write "alpha", and "alpha_se" where it is known. */
void ns_fit_put(ns_value *object, const char *name, double value, double se, ns_dim dim);

/* Write alpha and beta, and the correlation of their errors. */
void ns_fit_put_line(ns_value *object, const ns_line_estimate *line);

/* A line of a group for a single pair: where only windows of several concurrent pairs were measured, a single pair is
 * assumed to reach their combined rate. */
ns_line_estimate ns_fit_alone(const ns_fit_group *group, const ns_line_estimate *line);

/* True if only LogGP was measured between nodes: its line stands in for that of a ping-pong. */
bool ns_fit_has_loggp_line(const ns_fit *fit);
void ns_fit_loggp_line(const ns_fit *fit, ns_value *host);

/* Write "topology": the values given for a node, or assumed ones with the reason. */
void ns_fit_topology(const ns_fit *fit, ns_value *root);

/* Add "exchange", constants of whole exchanges, to a memory's object, where the logs have messages in flight for it. */
ns_status ns_fit_exchange(const ns_fit *fit, const ns_log *log, ns_memory memory, ns_value *object, ns_error *err);

#endif
