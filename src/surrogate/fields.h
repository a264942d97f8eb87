/* fields.h -- three unknowns in every cell of a box, numbered one field after the other */
#ifndef NS_MATRIX_FIELDS_H
#define NS_MATRIX_FIELDS_H

#include "surrogate/quantile.h"

#include <nsmodel/matrix.h>

enum { NS_FIELDS = 3, NS_FIELDS_ROOM = 16, NS_FIELDS_KNOTS = 6 };

typedef struct ns_step {
    int8_t x, y, z;
} ns_step;

typedef struct ns_fields {
    const char *name;
    int32_t nx, ny, nz;
    int32_t cells; /* nx ny nz or more: the others have only their diagonal */
    struct ns_stencil {
        int count;
        ns_step step[NS_FIELDS_ROOM];
    } stencil[NS_FIELDS][NS_FIELDS]; /* from a row in the first field to columns in the second */
    int32_t group; /* cells whose rows of the last field share more of that field's columns: the group's first ones */
    ns_knot knot[NS_FIELDS_KNOTS]; /* distribution of their number */
    int64_t lower, upper;          /* bandwidths, each set by one entry */
    uint64_t seed;
} ns_fields;

/* Rows ascending, columns ascending, no entry twice.  Allocates only the batch. */
ns_status ns_fields_scan(const void *fields, ns_entry_fn *receive, void *context, ns_error *err);

#endif
