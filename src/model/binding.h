/* binding.h -- the inputs of a model, given one by one */
#ifndef NS_MODEL_BINDING_H
#define NS_MODEL_BINDING_H

#include "machine/model.h"

/* Words that choose the row of the machine's tables for "{...}" inputs. */
typedef struct ns_selectors {
    ns_locality locality; /* default off-node */
    ns_memory memory;     /* default host */
    int protocol;         /* an ns_protocol, or -1: by message size */
} ns_selectors;
#define NS_SELECTORS_DEFAULT ((ns_selectors){NS_OFF_NODE, NS_HOST, -1})

struct ns_binding {
    const ns_model *model;
    const ns_machine *machine; /* borrowed; or NULL */
    ns_selectors selectors;
    unsigned char given[64];   /* by input: 0 none, else an ns_given */
    ns_protocol used_protocol; /* set by ns_bind_close if "{protocol}" was resolved */
    bool used_machine;         /* any input came from the machine */
    ns_model_buffer in;
};

typedef enum ns_given { NS_GIVEN_NONE, NS_GIVEN_USER, NS_GIVEN_MACHINE, NS_GIVEN_DEFAULT, NS_GIVEN_SAME } ns_given;

/* Start an empty binding, in memory of the caller. */
void ns_bind_open(ns_binding *binding, const ns_model *model, const ns_machine *machine);

/* The machine path of an input's row under the binding's selectors; NULL without one. */
const char *ns_bind_path(const ns_binding *binding, const ns_field *input, char *buffer, size_t size);

/* Evaluate a closed binding.  out is at least out_size bytes.  A non-finite output is NS_ERR_RANGE. */
ns_status ns_model_eval(const ns_binding *binding, void *out, ns_error *err);

#endif
