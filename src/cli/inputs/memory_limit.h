/* memory_limit.h -- how much memory this process may have */
#ifndef NS_CLI_MEMORY_LIMIT_H
#define NS_CLI_MEMORY_LIMIT_H

#include <stdint.h>

/* Bytes: the least of the machine's memory, the limits of the process' cgroup and of those above it, versions 1 and 2,
 * and RLIMIT_AS; INT64_MAX where none is known.  root: what stands before /proc and /sys, "" but for tests. */
int64_t ns_memory_limit(const char *root);

#endif
