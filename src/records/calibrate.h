/* calibrate.h -- parts of a calibration: groups that are left out, the floor of an exchange, the choice's error */
#ifndef NS_RECORDS_CALIBRATE_H
#define NS_RECORDS_CALIBRATE_H

#include "records/record.h"

enum { NS_FOLDS = 20 };

/* The group of each exchange, 0 .. groups: by file and number of processes, or by level where a memory would have fewer
 * than NS_CALIBRATION_GROUPS of them.  More than NS_FOLDS are put together in turn. */
typedef struct ns_grouping {
    int *of; /* [count]; free it */
    int folds;
    size_t of_memory[NS_MEMORIES]; /* groups with exchanges of it, before they were put together */
    bool by_level;
} ns_grouping;
ns_status ns_grouping_make(const ns_records *records, const ns_scored *list, size_t count, ns_grouping *grouping,
                           ns_error *err);

/* Scored exchanges by a text: those of one text follow each other, by their indices. */
typedef struct ns_keyed {
    size_t scored;
    char key[400];
} ns_keyed;
void ns_keyed_sort(ns_keyed *keyed, size_t count);

/* How it was done; NULL where its row does not say. */
const ns_strategy *ns_scored_strategy(const ns_records *records, const ns_scored *scored);
ns_memory ns_scored_memory(const ns_records *records, const ns_scored *scored);

/* Rows of any shape by the full form; the dense exchange that was built last is kept: ns_dense_free it. */
typedef struct ns_pricing {
    const ns_records *records;
    const ns_limits *limits;
    ns_dense *kept;
} ns_pricing;
ns_status ns_pricing_full(ns_pricing *pricing, const ns_scored *scored, const ns_machine *machine, ns_price *price,
                          ns_error *err);

/* Find a memory's floor; the estimates of the list become those of a floor that was found without their group. */
ns_status ns_floor_calibrate(ns_pricing *pricing, ns_scored *list, size_t count, const ns_grouping *grouping,
                             const ns_machine *machine, ns_memory memory, ns_calibration *calibration, ns_error *err);

/* Learn what is left; the estimates of the list become those that were learnt without their group. */
ns_status ns_residual_calibrate(const ns_records *records, ns_scored *list, size_t count, const ns_grouping *grouping,
                                ns_memory memory, ns_residual_found *found, ns_error *err);

/* Find kappa and lambda from exchanges that were measured in several ways. */
ns_status ns_choice_calibrate(const ns_records *records, const ns_scored *list, size_t count,
                              const ns_grouping *grouping, ns_calibration calibration[NS_MEMORIES], ns_error *err);

#endif
