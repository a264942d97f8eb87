/* executed.h -- the programs of all processes of a schedule, executed with real entries */
#ifndef TESTS_EXECUTED_H
#define TESTS_EXECUTED_H

#include "api/library.h"
#include "oracle/oracle.h"

/* Lays out send and receive by the oracle's lists of what part q has for part p, as program.h says, executes every
 * operation, and fails the test where an entry does not arrive at its place, a place is written twice, or messages,
 * bytes and copies are not the schedule's.  Whatever was not received, moved or copied is a wrong value. */
void execute_programs(const ns_schedule *schedule, const ns_exchange *exchange, const oracle_lists *direct);

#endif
