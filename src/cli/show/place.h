/* place.h -- placements as values, and as files that launchers read */
#ifndef NS_CLI_SHOW_PLACE_H
#define NS_CLI_SHOW_PLACE_H

#include "cli/inputs/placing.h"

/* The answer, the fastest first in words. */
void ns_placing_value(const ns_placing *placing, ns_value *result);

/* Names of nodes: a list with commas, or a file with a name in each line. */
typedef struct ns_hosts {
    char *text;        /* owns the names */
    const char **name; /* [count] */
    int32_t count;
} ns_hosts;
ns_status ns_hosts_read(const char *given, int32_t wanted, ns_hosts *hosts, ns_error *err);
void ns_hosts_free(ns_hosts *hosts);

/* The host of each part, one a line: what Open MPI's sequential mapper and Slurm's arbitrary distribution take. */
ns_status ns_placement_save_hosts(const ns_placing *placing, const ns_hosts *hosts, const char *path, ns_error *err);

#endif
