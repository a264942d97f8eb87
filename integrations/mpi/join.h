/* join.h -- what all nodes receive, out of what each process knows of its own */
#ifndef NS_MPI_JOIN_H
#define NS_MPI_JOIN_H

#include "mpi/deal.h"
#include "mpi/world.h"
#include "pattern/exchange.h"

/* Collective.  exchange: of one layout, whole for the nodes of this process; on rank 0 it becomes that of all nodes,
 * elsewhere it loses its routes. */
ns_status ns_exchange_join(const ns_world *world, const ns_deal *deal, size_t layout, ns_exchange *exchange,
                           ns_error *err);

#endif
