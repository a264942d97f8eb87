/* price.h of the first 1.0: its declarations */
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

NS_API ns_status ns_form_get(const char *name, const ns_form **form, ns_error *err);
NS_API const ns_form *ns_form_of(const ns_machine *machine, const ns_form *asked);
NS_API const char *ns_form_name(const ns_form *form);
NS_API const char *ns_form_term_name(const ns_form *form, int index);

typedef struct ns_price_options {
    size_t size;
    const ns_form *form;
    double confidence;
    unsigned without;
} ns_price_options;
#define NS_CONFIDENCE 0.9

enum { NS_TERMS = 16 };

typedef struct ns_estimate {
    size_t size;
    const ns_form *form;
    double estimate_s;
    double lo_s, hi_s;
    double term_s[NS_TERMS], copy_s;
    bool extrapolated;
} ns_estimate;

NS_API ns_status ns_schedule_estimate(const ns_schedule *schedule, const ns_machine *machine,
                                      const ns_price_options *options, ns_estimate *estimate, ns_error *err);

typedef struct ns_count {
    const char *name;
    double value;
} ns_count;
NS_API ns_status ns_strategy_closed(const ns_strategy *strategy, ns_transport transport, const ns_machine *machine,
                                    const ns_count *count, size_t counts, double *seconds, ns_error *err);

NS_API ns_status ns_strategy_published(const ns_strategy *strategy, ns_transport transport, const ns_exchange *exchange,
                                       const ns_machine *machine, double *seconds, ns_error *err);

NS_API ns_status ns_strategy_corrected(const ns_strategy *strategy, ns_transport transport, const ns_exchange *exchange,
                                       const ns_machine *machine, double *seconds, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
