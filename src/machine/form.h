/* form.h -- cost models: what one process pays for one step of an exchange
 *
 * A cost model, or form of the cost function, is one const descriptor in its own file, src/price/forms/x.c: rows of
 * the parameters that it takes from a machine, names of its terms, and a pure function from what a process has to do in
 * a step (ns_load) to seconds by term.  It is linear in its parameters once it is clear which side of a maximum counts:
 * so each parameter has an amount, and the explanation, the interval and the sensitivity of a price follow from the
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
        const char *at;  /* where a machine's file has it; the first that is there counts.  <memory>, <locality> and
                            <protocol> stand for their words */
        unsigned unless; /* bits of parts: left out with them */
    } path[NS_FORM_PATHS];
    const char *unit, *doc;
    const char *inverse;           /* last segment under which its reciprocal is known too, "R"; or NULL */
    bool by_class;                 /* a number for each locality and protocol */
    double fallback[NS_MEMORIES];  /* SI, where a machine has none */
    const char *amount, *received; /* what a single number is multiplied with: "bytes out of the node"; the same where
                                      the receiving side decides, or NULL */
    const char *times; /* the same in a formula, "n^2"; NULL: "bytes" for a time per byte, else "messages" */
    bool once;         /* paid once an exchange, by finish, and not in a step */
} ns_form_row;

/* A part of a form that can be left out, to see what it is worth. */
typedef struct ns_form_part {
    const char *name, *without; /* "queue"; what stands instead */
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
    const ns_parameter *from[NS_FORM_SLOTS]; /* what it was taken or derived from; NULL: the form's own default */
    int partner[NS_FORM_SLOTS];              /* alpha's beta, where both are of one fit; else -1 */
    double correlation[NS_FORM_SLOTS];       /* of the errors of alpha and that beta */
    double to[NS_LOCALITIES];                /* B, largest size that any line was fitted to; 0 unknown */
    double error, error_between; /* standard deviations of log2(predicted / measured), and of a ratio of two */
    const ns_residual *residual; /* of the machine, where the form is the one that it was found with; or NULL */
    bool one_way;                /* what leaves a process and what comes to it share one way to the network */
    bool hides;                  /* finish adds a floor that hides what moves bytes: the process that takes longest
                                    without its bytes may decide, too */
} ns_form_values;

/* Why a step costs what it costs. */
typedef struct ns_step_price {
    int32_t process;              /* the process that decides; -1 for an empty step */
    bool receiving;               /* its receiving side decides; forms that look at both sides at once: false */
    bool injection;               /* the node's bytes decide, not those of the process */
    bool leaves;                  /* some process of the step sends or receives off node, where the form asks */
    double term[NS_FORM_TERMS];   /* s, by the form's terms */
    double bytes_s, waits_s;      /* s, the part of it that moves bytes, and the rest; of a form with a floor */
    double amount[NS_FORM_SLOTS]; /* of each parameter, by slot */
    ns_class_load load[NS_LOCALITIES][NS_PROTOCOLS]; /* that are paid for; of a form that looks at
                                                        both ways at once: of the way with more bytes */
    double message_bytes[NS_LOCALITIES];             /* largest mean size of a class */
    double messages, bytes;                          /* sent or received, the more: where the form has a residual */
} ns_step_price;

struct ns_form {
    const char *name, *title, *source;
    const ns_form_row *rows;   /* closed by a NULL doc */
    const char *const *terms;  /* "off_node", ...; closed by NULL */
    const ns_form_part *parts; /* closed by a NULL name; NULL: none */
    const char *error;         /* path, with <memory>, below which the machine keeps the form's model error, its
                                        "time" and "ratio"; NULL: never calibrated */
    double uncalibrated;       /* model error of "time" where the machine keeps none; 0: NS_ERROR_UNCALIBRATED */
    int alone_to; /* 1 + the row with the size up to which it is, of a way's several forms, the one; 0: where it is the
                     fastest */
    int rank;        /* order for people; of the forms that fit a machine, the highest is taken */
    bool automatic;  /* may be taken without being asked for */
    bool one_table;  /* every message by the off-node table */
    bool needs_queue, needs_total, needs_hops; /* what a row of statistics has to give: its most messages, its bytes off
                                        node, their hops where the machine has a delta */
    bool whole;  /* of statistics: both sides, bytes of the node from the exchange's total */
    bool rising; /* where no parameter is negative, a load with more of anything, or with fewer
                                        partners (at least one), never costs less */
    /* After the rows were taken: what a machine lacks from what it has; NULL: nothing. */
    void (*derive)(ns_form_values *values);
    /* Fill term; with `amounts` all else too, but for process. */
    void (*price)(const ns_form_values *values, const ns_load *load, bool amounts, ns_step_price *step);
    /* What stands beside the steps: adds to step[0 .. steps), whose later steps are `later` in all; NULL: nothing. */
    void (*finish)(const ns_form_values *values, ns_step_price *step, int steps, double later);
};

/* Model error of a form that was not calibrated for the machine: standard deviations of log2(predicted / measured) of
 * max-rate over the distinct exchanges measured on Blue Waters, of one time and of the ratio of two ways:
 * docs/evidence/accuracy.md. */
#define NS_ERROR_UNCALIBRATED         1.04
#define NS_ERROR_BETWEEN_UNCALIBRATED 0.79

enum { NS_FORMS_MAX = 32 };
/* Every form by rank into list; returns how many were written, at most most. */
size_t ns_forms_by_rank(const ns_form **list, size_t most);
/* Take a form's parameters from a machine.  Allocates nothing. */
void ns_form_take(const ns_form *form, const ns_machine *machine, ns_memory memory, unsigned without,
                  ns_form_values *values);

/* The number of a row, which is known by its first path, "<memory>.exchange.inverse_R"; of a row by class that of a
 * class.  The form has such a row. */
double ns_form_number(const ns_form_values *values, const char *row, ns_locality locality, ns_protocol protocol);

/* Where a machine's file has the number of a slot, or would have it: the one it was taken from, else the row's first
 * path, or the last where another locality's table stands for that of its class.  *derived: it was not taken as it
 * stands, but from others or from the form's default.  Returns path. */
const char *ns_form_slot_path(const ns_form_values *values, int slot, bool *derived, char *path, size_t size);

/* Which number of the machine is taken where a form has a row for `path` too; NULL: none is. */
const ns_parameter *ns_form_instead(const ns_form_values *values, const char *path);

/* Sum of the terms of a step, s. */
double ns_step_price_seconds(const ns_step_price *step);

/* Index of a term by name, or -1. */
int ns_form_term(const ns_form *form, const char *name);

#endif
