/* networks.h -- exchanges of matrices, priced on a network; whatever fails, fails the test */
#ifndef TESTS_NETWORKS_H
#define TESTS_NETWORKS_H

#include "api/library.h"

const ns_network_kind *network_kind(const char *name);
/* Both are kept to the end of the process. */
ns_matrix *network_matrix(const char *name);
ns_exchange *network_exchange(ns_matrix *matrix, int32_t parts, int32_t per_node, const int32_t *part, int64_t width);

/* Everything of one exchange on one network. */
typedef struct network_priced {
    ns_fabric *fabric;
    ns_networked *networked;
    ns_comparison *comparison;
} network_priced;

/* hardware: NULL for the network's own file.  Free it with network_done. */
network_priced network_price(const char *network, const ns_machine *hardware, const ns_machine *machine,
                             const ns_network_request *request);
/* Of choice i, s. */
double network_estimate(const network_priced *p, int i);
void network_done(network_priced *priced);

#endif
