/* netcrafter_reads.h -- what of NetCrafter's inputs a matrix tells */
#ifndef NS_CLI_SHOW_NETCRAFTER_READS_H
#define NS_CLI_SHOW_NETCRAFTER_READS_H

#include "cli/inputs/inputs.h"

#define NS_OPTIONS_READS                                                                                               \
    NS_OPTION_MATRIX, {"clusters", 0, "N", "2", "clusters of GPUs that share the rows of the matrix"},                 \
        {"lanes", 0, "N", "64", "lanes of a wavefront: entries of a row that are read together"},                      \
        {"width", 0, "SIZE", "4B", "bytes of one value"},                                                              \
        {"reuse", 0, "WHAT", "none", "what stays of a line from wavefront to wavefront: none, or all"},                \
        NS_OPTION_PARTITION, NS_OPTION_MEMORY, NS_OPTION_WORK

/* --matrix: its counts into the result, and the arguments again with trimmed= and sigma= as counted, where they are not
 * given.  *text keeps what is added. */
typedef struct ns_reads_text {
    char trimmed[64], sigma[64];
} ns_reads_text;
ns_status ns_netcrafter_reads(const ns_args *args, ns_args *with, ns_reads_text *text, ns_value *result, ns_error *err);

#endif
