/* fabric.h -- inside a network: cards, striping, gathering */
#ifndef NS_NETWORK_FABRIC_H
#define NS_NETWORK_FABRIC_H

#include "network/network.h"

/* Cards of a node and the rate of one, B/s. */
ns_status ns_fabric_rails(const ns_machine *hardware, double *rails, double *rate, ns_error *err);

/* stripe.c: price the ways anew whose long messages are striped. */
ns_status ns_fabric_stripe(const ns_fabric *fabric, const ns_exchange *exchange, const ns_selection *selection,
                           ns_workspace *workspace, ns_comparison *comparison, ns_networked *networked, ns_error *err);

/* gather.c: one more way, at the end of the comparison. */
ns_status ns_fabric_gather(const ns_fabric *fabric, const ns_network_request *request, const ns_selection *selection,
                           ns_workspace *workspace, ns_comparison *comparison, ns_networked *networked, ns_error *err);

#endif
