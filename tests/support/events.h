/* events.h -- random numbers for small event simulations: seeded, the same everywhere */
#ifndef NS_TESTS_EVENTS_H
#define NS_TESTS_EVENTS_H

#include <stdint.h>

/* Uniform in (0, 1). */
double event_uniform(uint64_t *seed);
/* The same by splitmix64, which any seed may begin; and normal with variance 1, by Box and Muller. */
double random_uniform(uint64_t *state);
double random_normal(uint64_t *state);
/* Exponential with mean 1. */
double event_exponential(uint64_t *seed);

#endif
