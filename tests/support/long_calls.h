/* long_calls.h -- calls that take long, for tests that break them off */
#ifndef NS_TESTS_LONG_CALLS_H
#define NS_TESTS_LONG_CALLS_H

#include <nsmodel/status.h>

/* NetSparse on a matrix, two threads; nothing is made unless it succeeds. */
ns_status long_netsparse(const char *matrix, int nodes, int ranks, ns_error *err);

#endif
