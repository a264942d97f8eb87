/* slurm.h -- a Slurm cluster on this machine: a controller and four nodes of 4, 3, 1 and 1 processors
 *
 * Neither root nor systemd nor munge is needed.  Its files are in a folder, its ports are free ones of loopback, and
 * only the processes that it started are ended.
 */
#ifndef TESTS_SUPPORT_SLURM_H
#define TESTS_SUPPORT_SLURM_H

#include <stdbool.h>

enum { SLURM_NODES = 4 };
extern const int slurm_node_cpus[SLURM_NODES];

/* Are its programs installed?  If not, a line says what is left out. */
bool slurm_ready(const char *test);

/* Begin and end it: an unchecked fixture.  plugstack: the text of plugstack.conf.  SLURM_CONF is set for what the test
 * runs. */
void slurm_begin(const char *folder, const char *plugstack);
void slurm_end(void);

#endif
