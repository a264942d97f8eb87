/* published.h -- what papers print compared with what the models compute: tables, and claims in words */
#ifndef NS_PUBLISHED_PUBLISHED_H
#define NS_PUBLISHED_PUBLISHED_H

#include <stdbool.h>
#include <stddef.h>

#include <nsmodel/machine.h>
#include <nsmodel/model.h>
#include <nsmodel/quantity.h>
#include <nsmodel/status.h>

#include "core/embedded.h"
#include "core/value.h"

extern const ns_embedded ns_evidence_files[]; /* of build/evidence_files.c: evidence/tables/, evidence/claims/ */

/* What the comparison of a cell proves. */
typedef enum ns_published_kind {
    NS_PREDICTION, /* no input was taken from that table or fitted to it */
    NS_IN_SAMPLE,  /* a constant was fitted to that table, or an input is in it */
    NS_IDENTITY,   /* arithmetic: it follows from other printed numbers, or from the printed equations */
    NS_INPUT,      /* a look-up: the machine file holds the printed number */
    NS_PUBLISHED_KINDS
} ns_published_kind;

typedef struct ns_reproduced_row {
    const char *label;
    bool has_published, has_computed; /* an empty cell has no value on either side */
    double published, computed;
    ns_dim dim;
    double error; /* relative; negative where one of the two is missing; 0 where a claim holds */
    bool ok;      /* for this row alone */
    ns_published_kind kind;
    /* For a claim: published is the least share of cases in which it has to hold, computed the share in which it
     * does. */
    size_t cases;                   /* 0: no claim */
    bool above;                     /* it has to hold in more than that share */
    const char *quote, *known_miss; /* the paper's words; why it does not hold here; or NULL */
    double error_most;              /* for a known miss: a larger error is a fault; negative: no error is */
} ns_reproduced_row;

typedef struct ns_reproduced {
    const char *id, *title, *source;
    const char *note; /* or NULL */
    double tolerance; /* relative */
    double worst;     /* the worst error of the rows that have both values and are no known misses */
    bool ok;          /* within tolerance, no value where the cell is empty, no miss that is unknown or got worse */
    size_t rows;
    ns_reproduced_row *row;
    bool claims;    /* the table has claims in words, as shares of cases */
    ns_value *root; /* the file, which owns the texts */
} ns_reproduced;

/* Cells of one kind over several tables. */
typedef struct ns_reproduced_total {
    size_t cells, ok;  /* number of cells, and of those within their table's tolerance */
    size_t known_miss; /* not ok, but known */
    double worst;      /* the largest relative error, known misses included; negative where there is none */
    char where[200];   /* the table and label of that error; "" where there is none */
} ns_reproduced_total;

extern const char *const ns_published_words[]; /* "prediction", "in-sample", "identity", "input"; closed by NULL */

/* Compute a table given as the text of its file (evidence/tables/ has the shipped ones); messages name the file as
 * `origin`. */
ns_status ns_reproduce_text(const char *text, const char *origin, ns_reproduced **table, ns_error *err);
/* The shipped table of that id; an unknown one is an error that offers the closest. */
ns_status ns_reproduce_shipped(const char *id, ns_reproduced **table, ns_error *err);
/* Id of the index-th shipped table, or NULL past the last.  Writes into buffer; returns it. */
const char *ns_reproduce_id(size_t index, char *buffer, size_t size);
/* Does that table count whole matrices, which takes minutes?  False for an unknown id. */
bool ns_reproduce_is_long(const char *id);
/* Add a table's cells to the totals, one for each kind.  Begin with {.worst = -1}. */
void ns_reproduced_add(const ns_reproduced *table, ns_reproduced_total total[NS_PUBLISHED_KINDS]);
void ns_reproduced_free(ns_reproduced *table);
#endif
