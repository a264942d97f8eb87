/* play.h -- an exchange performed again and again, each time in the way that a plan says */
#ifndef NS_MPI_PLAY_H
#define NS_MPI_PLAY_H

#include <nsmodel/plan.h>
#include <nsmodel/value.h>

#include "mpi/timing.h"

/* Collective: so many calls; way i is timed[i].  What an agreement takes is measured.  On rank 0 the result gets a row
 * for each run, one for each way, and what the calls took.  A wrong value is an error. */
ns_status ns_play(const ns_world *world, const ns_timed *timed, const ns_plan_way *ways, int count,
                  const ns_plan_options *options, int64_t calls, ns_value *result, ns_error *err);

#endif
