/* price.h -- the price of an exchange: every term, what it pays for, and how sure it is */
#ifndef NS_PRICE_PRICE_H
#define NS_PRICE_PRICE_H

#include "machine/form.h"
#include "schedule/schedule.h"

#include <stddef.h>

typedef struct ns_price {
    const ns_form *form;
    double estimate_s;                    /* = the sum of term_s, copy_s and learnt_s */
    double lo_s, hi_s;                    /* at the requested confidence: parameters' errors and the form's own */
    double log2_error;                    /* standard deviation of log2(estimate / true), on which the interval rests */
    double log2_parameters;               /* the part of it that the parameters' errors cause */
    bool extrapolated;                    /* some messages are larger than any to which their line was fitted */
    double term_s[NS_FORM_TERMS], copy_s; /* by the form's terms */
    double learnt_s;                      /* what the machine's measured exchanges add to the terms; may be negative */
    double copy_bytes[2];                 /* at the deciding part, by ns_direction */
    int copy_processes;                   /* per GPU */
    bool copy_waits[2];                   /* the smallest copy waits for its turn, longer than the largest one takes */
    int steps;
    ns_step_price step[NS_STEPS];
} ns_price;

/* What is set of a price: steps past the last are undefined. */
static inline size_t ns_price_size(int steps)
{
    return offsetof(ns_price, step) + (size_t)steps * sizeof(ns_step_price);
}

/* A term by name, s; 0 where the form has no term of that name. */
double ns_price_term(const ns_price *price, const char *name);

/* Price a schedule in O(messages), with scratch memory for the processes of one node; safe to call from several
 * threads.  After a failure the content of *price is undefined. */
ns_status ns_schedule_price_as(const ns_schedule *schedule, const ns_machine *machine, const ns_price_options *options,
                               ns_price *price, ns_error *err);

/* The interval of a price, of a width by ns_price_width, with another model error in place of its own; the parameters'
 * errors stay. */
void ns_price_widen(ns_price *price, double error, double width);

/* Take a caller's options; NULL means all 0.  A confidence that is not a share is refused; 0 means NS_CONFIDENCE. */
ns_status ns_price_options_take(const ns_price_options *options, ns_price_options *to, ns_error *err);
ns_status ns_confidence_check(double confidence, ns_error *err);
/* Half width, in standard deviations, of the two-sided normal interval at a confidence between 0 and 1. */
double ns_normal_width(double confidence);
/* The same for a price's interval, where 0 means NS_CONFIDENCE. */
static inline double ns_price_width(double confidence)
{
    return ns_normal_width(confidence > 0 ? confidence : NS_CONFIDENCE);
}
/* Variance of a alpha + b beta, the errors of alpha and beta correlated. */
double ns_line_variance(double a, double alpha_se, double b, double beta_se, double correlation);

/* The paper's closed form of a strategy, in one of the forms of the model: "corrected" or "printed". */
ns_status ns_strategy_form(const ns_strategy *strategy, ns_transport transport, const ns_machine *machine,
                           const char *form, const ns_count *count, size_t given, double *seconds, ns_error *err);

/* Called by the calling thread with the amount of work that a long call has done so far, in any unit. */
typedef struct ns_watcher {
    void (*tell)(void *context, double done, double total); /* or NULL */
    void *context;
} ns_watcher;

/* ---- from priced steps to a price -------------------------------------------------------------------------------- */

/* Which process decides a step: the one that takes longest; and, where a floor hides what moves bytes, also the one
 * that takes longest without those bytes.  The slower of these two sets decides the exchange. */
enum { NS_BY_TIME, NS_BY_WAITING, NS_MAXIMA };

/* What a strategy pays for besides its steps. */
typedef struct ns_copying {
    const ns_strategy *strategy;
    const ns_machine *machine;
    double later;                      /* the further steps that its last one represents, in a row of statistics */
    int32_t holders;                   /* processes that share a part's data */
    bool staged;                       /* the copies below are paid */
    int64_t copies[NS_DIRECTIONS];     /* how many */
    int64_t copy_bytes[NS_DIRECTIONS]; /* the largest one */
    int64_t copy_least[NS_DIRECTIONS]; /* the smallest one, where there are any */
} ns_copying;

/* Sum steps and copies into the estimate and its terms, and add what was learnt about the strategy.  The steps must
 * have their processes, terms and bytes_s set; all else in the price must be 0.  waiting: the steps by the processes
 * that take longest without their bytes, used instead where they take longer together with the terms beside the steps;
 * or NULL. */
ns_status ns_price_sum(const ns_form_values *values, const ns_copying *copying, ns_step_price *waiting, ns_price *price,
                       ns_error *err);
/* The same, followed by the interval of a width by ns_price_width: the parameters' errors are independent of each
 * other, except for the alpha and beta of one line, and independent of the form's own error. */
ns_status ns_price_close(const ns_form_values *values, const ns_copying *copying, double width, ns_step_price *waiting,
                         ns_price *price, ns_error *err);

/* Refuse a message that the machine has no table for. */
ns_status ns_refuse_no_table(const ns_machine *machine, ns_memory memory, ns_locality line, ns_error *err);

/* Note the largest mean size of a class, over what a process sends and what it receives. */
void ns_note_sizes(const ns_load *load, ns_step_price *step);
/* Messages and bytes of all classes that a process sends or receives, whichever is more. */
void ns_load_sums(const ns_load *load, double *messages, double *bytes);

/* The bytes of a step that leave their node, and the sum of bytes times hops, in two parts so that it is exact. */
typedef struct ns_hop_bytes {
    int64_t bytes, high, low;
} ns_hop_bytes;

/* Side of the cube along which nodes are numbered. */
int32_t ns_cube_side(int32_t nodes);
void ns_hop_bytes_add(ns_hop_bytes *sum, int32_t side, int32_t from_node, int32_t to_node, int64_t bytes);
/* Bytes that cross the busiest link. */
double ns_link_bytes(const ns_hop_bytes *sum, int32_t nodes);

#endif
