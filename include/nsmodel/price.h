/* price.h -- what a schedule costs
 *
 * A cost model (`form`) gives the time of one process in one step of an exchange.  A step takes as long as its slowest
 * process; the times of steps and copies add up.
 */
#ifndef NSMODEL_PRICE_H
#define NSMODEL_PRICE_H

#include <stdbool.h>
#include <stddef.h>

#include <nsmodel/exchange.h>
#include <nsmodel/machine.h>
#include <nsmodel/schedule.h>
#include <nsmodel/status.h>
#include <nsmodel/strategy.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_form ns_form;

/* A cost model by name; an unknown name is an error that offers the closest.  The one used for a machine when none is
 * asked for.  Its name, and that of its index-th term, NULL past the last. */
NS_API ns_status ns_form_get(const char *name, const ns_form **form, ns_error *err);
NS_API const ns_form *ns_form_of(const ns_machine *machine, const ns_form *asked);
NS_API const char *ns_form_name(const ns_form *form);
NS_API const char *ns_form_term_name(const ns_form *form, int index);

/* All 0, or NULL: the machine's own form, at the default confidence. */
typedef struct ns_price_options {
    size_t size;         /* of this struct; 0 means the fields of version 1.0 */
    const ns_form *form; /* NULL: the machine's own */
    double confidence;   /* of the interval, above 0 and below 1; 0: NS_CONFIDENCE */
    unsigned without;    /* bits of the form's parts */
} ns_price_options;
#define NS_CONFIDENCE 0.9

enum { NS_TERMS = 16 };

typedef struct ns_estimate {
    size_t size; /* of this struct, set by the caller */
    const ns_form *form;
    double estimate_s;               /* = the sum of term_s and copy_s */
    double lo_s, hi_s;               /* at the confidence asked for: parameters' errors and the form's own */
    double term_s[NS_TERMS], copy_s; /* by the form's terms, ns_form_term_name */
    bool extrapolated;               /* messages larger than any that their line was fitted to */
} ns_estimate;

/* Price a schedule; options may be NULL.  Allocates nothing; O(messages); safe from several threads. */
NS_API ns_status ns_schedule_estimate(const ns_schedule *schedule, const ns_machine *machine,
                                      const ns_price_options *options, ns_estimate *estimate, ns_error *err);

/* The paper's closed form, corrected, evaluated with the counts that it has as inputs, by name; an error if the
 * strategy has none. */
typedef struct ns_count {
    const char *name;
    double value;
} ns_count;
NS_API ns_status ns_strategy_closed(const ns_strategy *strategy, ns_transport transport, const ns_machine *machine,
                                    const ns_count *count, size_t counts, double *seconds, ns_error *err);

/* The paper's closed form as printed, evaluated with the pattern's maxima.  NS_OK with *seconds < 0 when nodes = 1 or
 * the strategy has no published form. */
NS_API ns_status ns_strategy_published(const ns_strategy *strategy, ns_transport transport, const ns_exchange *exchange,
                                       const ns_machine *machine, double *seconds, ns_error *err);
/* The same with the omissions and mistakes of the printed form corrected: the model's input form=corrected. */
NS_API ns_status ns_strategy_corrected(const ns_strategy *strategy, ns_transport transport, const ns_exchange *exchange,
                                       const ns_machine *machine, double *seconds, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
