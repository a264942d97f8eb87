/* surrogate_list.c -- the surrogates found in src/surrogate/named/, one descriptor each, collected by make */
#include "matrix/source.h"

#define NS_SURROGATE_ENTRY(stem) extern const ns_surrogate ns_surrogate_##stem;
#include "surrogates.def"
#undef NS_SURROGATE_ENTRY

#define NS_SURROGATE_ENTRY(stem) &ns_surrogate_##stem,
const ns_surrogate *const ns_surrogates[] = {
#include "surrogates.def"
    NULL};
