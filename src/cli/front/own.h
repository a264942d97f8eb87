/* own.h -- the types that commands own by NS_OWN */
#ifndef NS_CLI_OWN_H
#define NS_CLI_OWN_H

#include "api/library.h"
#include "core/own.h"

NS_FREED_BY(ns_catalogue_free, ns_catalogue)
NS_FREED_BY(ns_exchange_free, ns_exchange)
NS_FREED_BY(ns_explanation_free, ns_explanation)
NS_FREED_BY(ns_machine_free, ns_machine)
NS_FREED_BY(ns_matrix_free, ns_matrix)
NS_FREED_BY(ns_records_free, ns_records)
NS_FREED_BY(ns_sweep_free, ns_sweep)
NS_FREED_BY(ns_value_free, ns_value)

#endif
