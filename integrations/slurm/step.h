/* step.h -- the ranks of a job step, from Slurm's textual descriptions */
#ifndef NS_SLURM_STEP_H
#define NS_SLURM_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nsmodel/status.h>

enum { NS_STEP_RANKS_MOST = 1 << 22 };

/* "4,3,1(x2)": the ranks of each node, in the format of SLURM_TASKS_PER_NODE.  node_of[ranks] is filled in blocks.
 * False when the text has another format, or another number of ranks or nodes. */
bool ns_step_blocks(const char *tasks_per_node, int32_t nodes, int32_t ranks, int32_t *node_of);

/* The first word of srun's command line, closed by NULL, that itself places ranks, or sets a number of ranks other than
 * the given one; or NULL. */
const char *ns_step_conflict(char *const *word, int32_t ranks);

/* A file with one line per rank, the name of its node, in a new folder that only the user can access. */
typedef struct ns_hosts_file {
    char folder[1024], path[1032]; /* "" where there is none */
} ns_hosts_file;
ns_status ns_hosts_write(const char *const *name, const int32_t *node_of, int32_t ranks, ns_hosts_file *hosts,
                         ns_error *err);
void ns_hosts_remove(ns_hosts_file *hosts);

#endif
