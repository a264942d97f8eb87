/* explain.h -- why a way costs what it costs: a tree of terms */
#ifndef NSMODEL_EXPLAIN_H
#define NSMODEL_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include <nsmodel/choice.h>
#include <nsmodel/exchange.h>
#include <nsmodel/machine.h>
#include <nsmodel/model.h>
#include <nsmodel/quantity.h>
#include <nsmodel/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One term.  Texts are never NULL and valid until the explanation is freed, except `source`, which is borrowed from the
 * machine or the model. */
typedef struct ns_term {
    size_t size;
    int depth;               /* 0 for a whole; the parent of a term is the last one before it of smaller depth */
    const char *name;        /* "off-node eager" */
    const char *formula;     /* "messages x alpha", or "" */
    bool has_value, counts;  /* counts: a summand of the whole */
    double value;            /* of dimension dim, mostly s */
    ns_dim dim;
    bool has_amount;
    double amount;           /* the factor of the parameter: messages, bytes */
    ns_dim amount_dim;
    const char *path;        /* of the machine's parameter, or "" */
    bool has_parameter;
    double parameter;        /* value of the parameter, or of the model's input */
    ns_dim parameter_dim;
    const char *source;      /* where the number comes from */
    const char *warning;     /* or "" */
    const ns_model *model;   /* the closed form that the term is a result of, or NULL */
} ns_term;

/* Terms in depth-first order. */
typedef struct ns_explanation {
    size_t size;
    size_t terms;
} ns_explanation;

/* Make an empty explanation, to add to; free it with ns_explanation_free (NULL is fine). */
NS_API ns_status ns_explanation_open(ns_explanation **explanation, ns_error *err);
NS_API void ns_explanation_free(ns_explanation *explanation);

/* Add the terms of way i of a comparison: steps, below each the classes of messages of its slowest process, copies, and
 * the published form for comparison.  machine, borrowed, is the one that was priced.  On failure a part of the terms
 * may have been added.  O(terms). */
NS_API ns_status ns_explain_comparison(ns_explanation *explanation, const ns_machine *machine,
                                       const ns_exchange *exchange, const ns_comparison *comparison, int i,
                                       ns_error *err);

/* The index-th term, NULL past the last; valid until the explanation is freed or added to. */
NS_API const ns_term *ns_explanation_term(const ns_explanation *explanation, size_t index);
/* Its share of its parent, 0 to 1; negative if the term is not a summand. */
NS_API double ns_explanation_share(const ns_explanation *explanation, size_t index);

#ifdef __cplusplus
}
#endif
#endif
