/* price.h -- the cost function over a schedule: every term, and what it is paid for */
#ifndef NS_PRICE_PRICE_H
#define NS_PRICE_PRICE_H

#include "machine/form.h"
#include "schedule/schedule.h"

typedef struct ns_price {
    const ns_form *form;
    double estimate_s;                    /* = the sum of term_s, copy_s and learnt_s */
    double lo_s, hi_s;                    /* at the confidence asked for: parameters' errors and the form's own */
    double log2_error;                    /* standard deviation of log2(estimate / true) that the interval stands on */
    double log2_parameters;               /* the part of it that the parameters' errors make */
    bool extrapolated;                    /* messages larger than any that their line was fitted to */
    double term_s[NS_FORM_TERMS], copy_s; /* by the form's terms */
    double learnt_s;                      /* what the machine's measured exchanges add to the terms; may be negative */
    double copy_bytes[2];                 /* at the deciding part, by ns_direction */
    int copy_processes;                   /* per GPU */
    bool copy_waits[2];                   /* the smallest one waits for its turn, longer than the largest one takes */
    int steps;
    ns_step_price step[NS_STEPS];
} ns_price;

/* A term by name, s; 0 where the form has none of that name. */
double ns_price_term(const ns_price *price, const char *name);

/* Price a schedule.  Allocates nothing; O(messages); safe from several threads. */
ns_status ns_schedule_price_as(const ns_schedule *schedule, const ns_machine *machine, const ns_price_options *options,
                               ns_price *price, ns_error *err);
/* The same in the machine's own form, at the default confidence. */
ns_status ns_schedule_price(const ns_schedule *schedule, const ns_machine *machine, ns_price *price, ns_error *err);

/* The interval of a price with another model error in place of its own; the parameters' errors stay. */
void ns_price_widen(ns_price *price, double error, double confidence);

/* ns_strategy_closed in one of the forms of the model: "corrected", or "printed" as in the paper. */
ns_status ns_strategy_form(const ns_strategy *strategy, ns_transport transport, const ns_machine *machine,
                           const char *form, const ns_count *count, size_t given, double *seconds, ns_error *err);

/* Is told, by the calling thread, how much of its work a long call has done, in any unit. */
typedef struct ns_watcher {
    void (*tell)(void *context, double done, double total); /* or NULL */
    void *context;
} ns_watcher;

#endif
