/* published.h -- what papers print beside what the models say: tables, and claims in words */
#ifndef NSMODEL_PUBLISHED_H
#define NSMODEL_PUBLISHED_H

#include <stdbool.h>
#include <stddef.h>

#include <nsmodel/machine.h>
#include <nsmodel/model.h>
#include <nsmodel/quantity.h>
#include <nsmodel/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_reproduced {
    size_t size;
    const char *id, *title, *source;
    double tolerance, worst; /* relative; the worst error of the rows that have both values */
    bool ok;                 /* within tolerance, no value against an empty cell, no claim fails that is not known to */
    size_t rows;
    bool claims; /* what the paper says in words, as shares of cases */
} ns_reproduced;

typedef struct ns_reproduced_row {
    size_t size;
    const char *label;
    bool has_published, has_computed; /* a cell that is not there has no value on either side */
    double published, computed;
    ns_dim dim;
    double error; /* relative; negative where not both are there; 0 where a claim holds */
    bool ok;      /* by itself */
    /* Of a claim: published is the least share of cases that it has to hold in, computed the share that it does. */
    size_t cases;                   /* 0: no claim */
    bool above;                     /* it has to hold in more than that share */
    const char *quote, *known_miss; /* the paper's words; why it does not hold here; or NULL */
} ns_reproduced_row;

/* Compute a table given as the text of its file (params/published/ has the shipped ones); origin stands for the file's
 * name in messages. */
NS_API ns_status ns_reproduce_text(const char *text, const char *origin, ns_reproduced **table, ns_error *err);
/* The shipped table of that id; an unknown one is an error that offers the closest. */
NS_API ns_status ns_reproduce_shipped(const char *id, ns_reproduced **table, ns_error *err);
/* Id of the index-th shipped table, or NULL past the last.  Writes into buffer; returns it. */
NS_API const char *ns_reproduce_id(size_t index, char *buffer, size_t size);
NS_API const ns_reproduced_row *ns_reproduced_at(const ns_reproduced *table, size_t index);
NS_API void ns_reproduced_free(ns_reproduced *table);

#ifdef __cplusplus
}
#endif
#endif
