/* trial.h -- one case of what was tried: which way was fastest, which was predicted to be */
#ifndef NS_RECORDS_TRIAL_H
#define NS_RECORDS_TRIAL_H

#include "price/decision.h"
#include "records/judge.h"

typedef struct ns_trial {
    const ns_tried *tried;
    size_t ways, fastest, chosen; /* chosen: predicted to be the fastest */
    double second_s;              /* measured */
} ns_trial;

/* The case that begins at tried[from]. */
ns_trial ns_trial_at(const ns_tried *tried, size_t count, size_t from);

/* What decision.h says of it, with the case's kappa and lambda. */
ns_status ns_trial_decide(const ns_trial *trial, ns_decision *decision, ns_error *err);

#endif
