/* replayed.h -- every strategy's schedule of an exchange, carried out with real items
 *
 * For each schedule: the replay (who holds what, exactly one arrival), the strategy's own rules, and against standard:
 * never more bytes between two nodes.
 */
#ifndef TESTS_SUPPORT_REPLAYED_H
#define TESTS_SUPPORT_REPLAYED_H

#include "machine/machine.h"
#include "oracle/oracle.h"
#include "pattern/exchange.h"

/* A machine by hand: only what schedules look at, and tables so that both transports run. */
ns_machine replayed_machine(int sockets, int gpus, int host_processes, double cap);

/* Every strategy and transport that the machine runs; returns how many. */
int replayed_strategies(const oracle_need *need, const ns_exchange *exchange, const ns_machine *machine, int64_t cap,
                        const char *label);

#endif
