/* toy.c -- the small library of tests/test_abi.c */
#include "toy.h"

#include <stdlib.h>

struct toy {
#ifdef HIDDEN
    long serial;
#endif
    toy_options options;
    toy_point place;
};

#ifdef PARAMETER
toy *toy_new(const toy_options *options, double size)
#else
toy *toy_new(const toy_options *options, int size)
#endif
{
    toy *made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->options = *options;
    made->place.x = (double)size;
    return made;
}

toy_kind toy_kind_of(const toy *made)
{
    return made->options.level > 0 ? TOY_ONE : TOY_TWO;
}

toy_point toy_place(const toy *made)
{
    return made->place;
}

#ifndef LOST
void toy_free(toy *made)
{
    free(made);
}
#endif
#ifdef ADDED
int toy_count(const toy *made)
{
    return made->options.level;
}
#endif
