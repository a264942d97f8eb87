/* events.h -- random numbers for small event simulations: seeded, the same everywhere */
#ifndef NS_TESTS_EVENTS_H
#define NS_TESTS_EVENTS_H

#include <stdint.h>

/* Uniform in (0, 1). */
double event_uniform(uint64_t *seed);
/* Exponential with mean 1. */
double event_exponential(uint64_t *seed);

#endif
