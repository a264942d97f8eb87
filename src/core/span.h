/* span.h -- a part of a longer text, so that messages can refer to positions in the whole */
#ifndef NS_CORE_SPAN_H
#define NS_CORE_SPAN_H

#include <stdbool.h>

#include <nsmodel/quantity.h>

/* [begin, end) of origin.  The byte at end is not part of a number: a terminator, a blank or a separator. */
typedef struct ns_span {
    const char *origin, *begin, *end;
} ns_span;

/* A factor 10^ten 2^two to SI: every unit has such a factor. */
typedef struct ns_unit {
    int ten, two;
    ns_dim dim;
} ns_unit;

typedef struct ns_prefix {
    const char *name;
    int ten, two;
    unsigned kind;
} ns_prefix;

typedef struct ns_base_unit {
    const char *name;
    int ten, two;
    ns_dim dim;
    unsigned kinds; /* of prefixes */
} ns_base_unit;

enum { NS_PREFIX_NONE = 1, NS_PREFIX_LARGE = 2, NS_PREFIX_BINARY = 4, NS_PREFIX_SMALL = 8 };

/* The unit table, both parts closed by a NULL name. */
extern const ns_prefix ns_prefixes[];
extern const ns_base_unit ns_base_units[];

ns_status ns_span_unit(ns_span span, ns_unit *unit, ns_error *err);

#endif
