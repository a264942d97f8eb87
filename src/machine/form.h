/* form.h -- cost models: the cost of one step of an exchange for one process
 *
 * A cost model, or form of the cost function, is one const descriptor in its own file, src/price/forms/x.c: rows of the
 * parameters that it takes from a machine, names of its terms, and a pure function from the load of a process in a step
 * (ns_load) to seconds by term.  It is linear in its parameters once the larger side of each maximum is known.  Each
 * parameter therefore has an amount, and the explanation, the interval and the sensitivity of a price follow from the
 * amounts.
 */
#ifndef NS_MACHINE_FORM_H
#define NS_MACHINE_FORM_H

#include "machine/load.h"

#include <nsmodel/price.h>

enum { NS_FORM_ROWS = 24, NS_FORM_SLOTS = 96, NS_FORM_TERMS = 10, NS_FORM_PATHS = 4 };

/* A parameter: one number, or one for each class of messages. */
typedef struct ns_form_row {
    struct {
        const char *at;  /* path in a machine file; the first that exists counts.  <memory>, <locality> and <protocol>
                            are replaced by their words */
        unsigned unless; /* bits of parts: skipped when one of these is left out */
    } path[NS_FORM_PATHS];
    const char *unit, *doc;
    const char *inverse;           /* last path segment under which its reciprocal is also known, "R"; or NULL */
    bool by_class;                 /* a number for each locality and protocol */
    double fallback[NS_MEMORIES];  /* SI, for a machine without one */
    const char *amount, *received; /* what a single number is multiplied by: "bytes out of the node"; the same where the
                                      receiving side decides, or NULL */
    const char *times; /* the factor in a formula, "n^2"; NULL: "bytes" for a time per byte, else "messages" */
    bool once;         /* paid once per exchange, by finish, not in a step */
} ns_form_row;

/* A part of a form that can be left out to see its effect. */
typedef struct ns_form_part {
    const char *name, *without; /* "queue"; and what replaces it */
} ns_form_part;

/* A form's parameters on a machine, for one memory. */
typedef struct ns_form_values {
    const struct ns_form *form;
    const ns_machine *machine;
    ns_memory memory;
    unsigned without;        /* bits of parts */
    int first[NS_FORM_ROWS]; /* slot of each row; of a class, first + NS_PROTOCOLS locality + protocol */
    int slots;
    double value[NS_FORM_SLOTS], se[NS_FORM_SLOTS];
    const ns_parameter *from[NS_FORM_SLOTS]; /* parameter it was taken or derived from; NULL: the form's default */
    int partner[NS_FORM_SLOTS];              /* alpha's beta, if both come from one fit; else -1 */
    double correlation[NS_FORM_SLOTS];       /* between the errors of alpha and that beta */
    double to[NS_LOCALITIES];                /* B, largest size that any line was fitted to; 0: unknown */
    double error, error_between; /* standard deviations of log2(predicted / measured), and of a ratio of two */
    const ns_residual *residual; /* of the machine, if it was found with this form; or NULL */
    bool one_way;                /* a process sends and receives over the same path to the network */
    bool hides;                  /* finish adds a floor that hides the time of moving bytes: the process that takes
                                    longest without its bytes may decide, too */
} ns_form_values;

/* The price of a step, with its composition. */
typedef struct ns_step_price {
    int32_t process;              /* the slowest process; -1 for an empty step */
    bool receiving;               /* its receiving side decides; false in forms that use both sides at once */
    bool injection;               /* the node's bytes decide, not those of the process */
    bool leaves;                  /* some process of the step sends or receives off node, if the form needs to know */
    double term[NS_FORM_TERMS];   /* s, by the form's terms */
    double bytes_s, waits_s;      /* s, the part that moves bytes, and the rest; for a form with a floor */
    double amount[NS_FORM_SLOTS]; /* of each parameter, by slot */
    ns_class_load load[NS_LOCALITIES][NS_PROTOCOLS]; /* the loads that are paid for; in a form that uses both directions
                                                        at once, those of the direction with more bytes */
    double message_bytes[NS_LOCALITIES];             /* largest mean size of a class */
    double messages, bytes;                          /* sent or received, the larger: where the form has a residual */
} ns_step_price;

struct ns_form {
    const char *name, *title, *source;
    const ns_form_row *rows;   /* closed by a NULL doc */
    const char *const *terms;  /* "off_node", ...; closed by NULL */
    const ns_form_part *parts; /* closed by a NULL name; NULL: none */
    const char *error;         /* path, with <memory>, below which the machine has the form's model error, its "time"
                                  and "ratio"; NULL: never calibrated */
    double uncalibrated;       /* model error of "time" for a machine without one; 0: NS_ERROR_UNCALIBRATED */
    int alone_to; /* 1 + the row with the size up to which this form is the only one among several forms of a strategy;
                     0: where it is the fastest */
    int rank;        /* preference; the highest of the forms that fit a machine is taken */
    bool automatic;  /* may be taken by default */
    bool one_table;  /* uses the off-node table for every message */
    bool needs_queue, needs_total, needs_hops; /* what a row of statistics must have: its most messages, its bytes off
                                                  node, their hops where the machine has a delta */
    bool whole;  /* uses whole exchanges, also of statistics: both sides, the node's bytes from the total */
    bool rising; /* if no parameter is negative, a load with more of anything, or with fewer partners (at least one),
                    never costs less */
    /* Called after the rows were taken: derives what a machine lacks from what it has; or NULL. */
    void (*derive)(ns_form_values *values);
    /* Fill term; with `amounts` also everything else except process. */
    void (*price)(const ns_form_values *values, const ns_load *load, bool amounts, ns_step_price *step);
    /* Costs outside the steps: adds to step[0 .. steps), with `later` later steps in total; or NULL. */
    void (*finish)(const ns_form_values *values, ns_step_price *step, int steps, double later);
};

/* Model error of a form that was not calibrated for the machine: standard deviations of log2(predicted / measured) of
 * max-rate over the distinct exchanges measured on Blue Waters, for one time and for the ratio of two ways:
 * docs/evidence/accuracy.md. */
#define NS_ERROR_UNCALIBRATED         1.04
#define NS_ERROR_BETWEEN_UNCALIBRATED 0.79

enum { NS_FORMS_MAX = 32 };
/* Write every form by rank into list; returns the number written, at most `most`. */
size_t ns_forms_by_rank(const ns_form **list, size_t most);
/* Take a form's parameters from a machine.  Allocates nothing. */
void ns_form_take(const ns_form *form, const ns_machine *machine, ns_memory memory, unsigned without,
                  ns_form_values *values);

/* The number of a row, which is identified by its first path, "<memory>.exchange.inverse_R"; for a row by class, that
 * of a class.  The form must have such a row. */
double ns_form_number(const ns_form_values *values, const char *row, ns_locality locality, ns_protocol protocol);

/* The path of a slot's number in a machine file: the path it was taken from, else the row's first path, or the last
 * where another locality's table is used for that of its class.  *derived: it was not taken directly, but computed
 * from others or from the form's default.  Returns path. */
const char *ns_form_slot_path(const ns_form_values *values, int slot, bool *derived, char *path, size_t size);

/* The number of the machine that is taken where a form also has a row for `path`; NULL: none. */
const ns_parameter *ns_form_instead(const ns_form_values *values, const char *path);

/* Sum of the terms of a step, s. */
static inline double ns_step_price_seconds(const ns_step_price *step)
{
    double sum = 0;
    for (int k = 0; k < NS_FORM_TERMS; k++)
        sum += step->term[k];
    return sum;
}

/* Index of a term by name, or -1. */
int ns_form_term(const ns_form *form, const char *name);

#endif
