/* clock.h -- one clock for all processes, and a start at the same moment
 *
 * Leaving a barrier takes processes apart by as much as a small exchange lasts, so the start is a moment of rank 0's
 * clock instead.  Its offset to each process' clock comes from ping-pongs: half of the fastest round trip,
 * asked again until none is faster.
 */
#ifndef NS_MPI_CLOCK_H
#define NS_MPI_CLOCK_H

#include "mpi/world.h"

typedef struct ns_common_clock {
    double offset; /* s: rank 0's clock less this one's */
    double lead;   /* s between the announcement of a start and the start */
} ns_common_clock;

/* Collective. */
void ns_clock_agree(const ns_world *world, ns_common_clock *clock);

/* Collective: all leave it at one moment.  Returns when that was by the own clock, *late by how much this process was
 * behind, s. */
double ns_clock_start(const ns_world *world, const ns_common_clock *clock, double *late);

/* Somebody was behind: announce the next start earlier.  All processes call it, or none. */
void ns_clock_late(ns_common_clock *clock);

/* Wait without sleeping, which would cool the caches; a simulation has none and sleeps. */
void ns_clock_pause(double seconds);

#endif
