/* store.h -- internals of a machine: the strings it owns, its parameters, and their checks */
#ifndef NS_MACHINE_STORE_H
#define NS_MACHINE_STORE_H

#include "machine/machine.h"

typedef struct ns_machine_store {
    struct ns_machine_text *texts; /* owned strings, newest first */
    ns_parameter *parameter;
    size_t count, capacity;
    uint32_t *index; /* by path: 1 + index of the parameter, or 0; the first one with a path counts */
    size_t slots;    /* a power of two, at least twice the count; or 0 */
} ns_machine_store;

/* A copy of text owned by the machine; NULL when memory runs out. */
const char *ns_machine_keep(ns_machine_store *store, const char *text);

/* Append a parameter (strings are copied). */
ns_status ns_machine_add(ns_machine_store *store, const ns_parameter *parameter, ns_error *err);

/* Append a warning (copied). */
ns_status ns_machine_warn(ns_machine *machine, const char *warning, ns_error *err);

/* A new machine with an empty store, or NULL. */
ns_machine *ns_machine_new(void);

/* Refuse invalid parameters: negative (except a correlation) or not finite, or a count that is not whole. */
ns_status ns_machine_check_value(const char *path, double value, ns_error *err);

#endif
