/* memory_limit.h -- how much memory this process may have */
#ifndef NS_CLI_MEMORY_LIMIT_H
#define NS_CLI_MEMORY_LIMIT_H

#include <stdint.h>

/* Bytes: the smallest of the machine's memory, the limits of the process's cgroup and its ancestors, versions 1 and 2,
 * and RLIMIT_AS; INT64_MAX where none is known.  root: a prefix of /proc and /sys, "" except in tests. */
int64_t ns_memory_limit(const char *root);

#endif
