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
