/* store.h -- inside a machine: the strings it owns, its parameters, and how they are checked */
#ifndef NS_MACHINE_STORE_H
#define NS_MACHINE_STORE_H

#include "machine/machine.h"

typedef struct ns_machine_store {
    struct ns_machine_text *texts; /* owned strings, newest first */
    ns_parameter *parameter;
    size_t count, capacity;
    uint32_t *index; /* [slots] by path: 1 + its place among the parameters, or 0; the first of a path counts */
    size_t slots;    /* a power of two, at least twice the count; or 0 */
} ns_machine_store;

/* A copy of text owned by the machine; NULL when memory is out. */
const char *ns_machine_keep(ns_machine_store *store, const char *text);

/* Append a parameter (strings are kept). */
ns_status ns_machine_add(ns_machine_store *store, const ns_parameter *parameter, ns_error *err);

/* Append what was warned of (kept). */
ns_status ns_machine_warn(ns_machine *machine, const char *warning, ns_error *err);

/* A new machine with an empty store, or NULL. */
ns_machine *ns_machine_new(void);

/* Refuse what no parameter may be: negative (but for a correlation) or not finite, a count that is not whole. */
ns_status ns_machine_check_value(const char *path, double value, ns_error *err);

#endif
