/* reproduce.h -- a published table while it is computed */
#ifndef NS_STUDY_REPRODUCE_H
#define NS_STUDY_REPRODUCE_H

#include "core/value.h"
#include "machine/machine.h"
#include "study/claims.h"

typedef struct ns_published {
    const char *text, *origin;
    ns_machine *machine; /* of the rows so far, kept from row to row */
    ns_claims *claims;   /* the exchanges, priced */
} ns_published;

/* A number, or nothing. */
typedef struct ns_published_cell {
    bool given;
    double value;
    ns_dim dim;
} ns_published_cell;

/* A failure at a path of the file; what was found deeper down is in `text`. */
ns_status ns_published_refuse(const ns_published *t, ns_status code, const char *path, const char *text, ns_error *err);
/* The keys of the root and what they hold; the keys of a row. */
ns_status ns_published_check(const ns_published *t, const ns_value *root, ns_error *err);
ns_status ns_published_check_row(const ns_published *t, const ns_value *row, const char *path, ns_error *err);
/* A text of an object, or NULL. */
const char *ns_published_text(const ns_value *object, const char *name);
/* The kind that a row or a table says, as a number of ns_published_kind, or `otherwise` where it says none. */
ns_status ns_published_kind_of(const ns_published *t, const ns_value *object, const char *path, int otherwise,
                               int *kind, ns_error *err);

/* Make t->machine the shipped machine of that name, whatever files of that name lie about. */
ns_status ns_published_machine(ns_published *t, const char *name, const char *path, ns_error *err);
/* What a row says is to be computed. */
ns_status ns_published_compute(ns_published *t, const ns_value *row, const char *path, ns_published_cell *result,
                               ns_error *err);

/* {"matrix", "nodes", "k", "set", "topology", "without": {...}}: speedup over SUOpt by speedup with what "without" says
 * of "set" and "topology" - 1. */
ns_status ns_published_gain(const ns_value *netsparse, const ns_machine *machine, double *gain, ns_error *err);

#endif
