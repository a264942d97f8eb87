/* without.h -- what NSMODEL_WITHOUT may name */
#ifndef NS_CLI_FRONT_WITHOUT_H
#define NS_CLI_FRONT_WITHOUT_H

#include <nsmodel/status.h>

/* NS_ERR_USAGE where it names no known part, or one that this program was built with and cannot hide. */
ns_status ns_without_check(ns_error *err);

#endif
