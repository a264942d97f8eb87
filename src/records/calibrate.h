/* calibrate.h -- parts of a calibration: groups for cross-validation, the floor of an exchange, the error of the
 * choice */
#ifndef NS_RECORDS_CALIBRATE_H
#define NS_RECORDS_CALIBRATE_H

#include "records/record.h"

enum { NS_FOLDS = 20 };

/* The group of each exchange, 0 .. groups: by file and number of processes, or by level if a memory would have fewer
 * than NS_CALIBRATION_GROUPS of them.  More than NS_FOLDS groups are merged cyclically. */
typedef struct ns_grouping {
    int *of; /* [count]; free it */
    int folds;
    size_t of_memory[NS_MEMORIES]; /* groups with exchanges of this memory, before merging */
    bool by_level;
} ns_grouping;
ns_status ns_grouping_make(const ns_records *records, const ns_scored *list, size_t count, ns_grouping *grouping,
                           ns_error *err);

/* Scored exchanges sorted by a text: those with the same text are adjacent, ordered by index. */
typedef struct ns_keyed {
    size_t scored;
    char key[400];
} ns_keyed;
void ns_keyed_sort(ns_keyed *keyed, size_t count);

/* The strategy of a scored exchange; NULL if its row does not give it. */
const ns_strategy *ns_scored_strategy(const ns_records *records, const ns_scored *scored);
ns_memory ns_scored_memory(const ns_records *records, const ns_scored *scored);

/* Prices rows of any shape by the full form; the dense exchange that was built last is cached: ns_dense_free it. */
typedef struct ns_pricing {
    const ns_records *records;
    const ns_limits *limits;
    ns_dense *kept;
} ns_pricing;
ns_status ns_pricing_full(ns_pricing *pricing, const ns_scored *scored, const ns_machine *machine, ns_price *price,
                          ns_error *err);

/* Find a memory's floor; the estimates of the list are replaced by those with a floor found without their group. */
ns_status ns_floor_calibrate(ns_pricing *pricing, ns_scored *list, size_t count, const ns_grouping *grouping,
                             const ns_machine *machine, ns_memory memory, ns_calibration *calibration, ns_error *err);

/* Learn the residuals; the estimates of the list are replaced by those learnt without their group. */
ns_status ns_residual_calibrate(const ns_records *records, ns_scored *list, size_t count, const ns_grouping *grouping,
                                ns_memory memory, ns_residual_found *found, ns_error *err);

/* Find kappa and lambda from exchanges that were measured in several ways. */
ns_status ns_choice_calibrate(const ns_records *records, const ns_scored *list, size_t count,
                              const ns_grouping *grouping, ns_calibration calibration[NS_MEMORIES], ns_error *err);

#endif
