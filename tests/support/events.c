/* events.c -- random numbers for small event simulations: xorshift64* by Vigna, constants as published */
#include "support/events.h"

#include <math.h>

double event_uniform(uint64_t *seed)
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return ((double)((*seed * UINT64_C(2685821657736338717)) >> 11) + 0.5) * 0x1p-53;
}

double event_exponential(uint64_t *seed)
{
    return -log(event_uniform(seed));
}

double random_uniform(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

double random_normal(uint64_t *state)
{
    const double radius = sqrt(-2 * log(random_uniform(state)));
    return radius * cos(2 * acos(-1.0) * random_uniform(state));
}
