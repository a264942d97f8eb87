/* validate.h -- the tables of validate: each a list of rows in the answer */
#ifndef NS_CLI_VALIDATE_H
#define NS_CLI_VALIDATE_H

#include "cli/inputs/exchange.h"
#include "records/judge.h"

typedef struct ns_validation {
    const ns_args *args;
    const ns_records *records;
    ns_row_machines machines;
    ns_price_options options;
    ns_limits limits;  /* of one dense exchange */
    ns_scored *scored; /* the rows that could be priced */
    size_t count;
    ns_tried *tried; /* among them, exchanges that were measured in several ways */
    size_t tries;
} ns_validation;

/* Price every scored row; those that cannot be priced are removed from the list, and reported when words and left_out
 * are given. */
ns_status ns_validate_price(ns_validation *v, const ns_price_options *options, ns_value *left_out, FILE *words,
                            ns_error *err);

/* Rows of dense exchanges that are not one of our ways, or too large, go into left_out without a message; then add a
 * line above the tables for each reason. */
void ns_validate_leave_ways(const ns_validation *v, ns_value *left_out);
void ns_validate_leave_notes(const ns_value *left_out, ns_value *result);

/* Fill in tried, with the machines' choices. */
ns_status ns_validate_try(ns_validation *v, ns_error *err);
/* The advice, every constant rule and the incumbent (a way, or -1); the effect of calibration, and whether it
 * generalises. */
ns_status ns_validate_rules(const ns_validation *v, int incumbent, ns_value *list, ns_error *err);
ns_status ns_validate_calibration(const ns_validation *v, ns_value *calibration, ns_value *reliability, ns_error *err);
/* kappa learnt without each value of a column: by value, and calibration and reliability over all left-out cases. */
ns_status ns_validate_choice(const ns_validation *v, const char *column, ns_value *list, ns_value *calibration,
                             ns_value *reliability, ns_error *err);

/* Scores for every value of a column, in the order of the rows. */
ns_status ns_validate_by(const ns_validation *v, const char *column, ns_value *list, ns_error *err);
/* Accuracy of the winner and time lost, for every machine and class that has more than one way. */
ns_status ns_validate_advice(const ns_validation *v, ns_value *list, ns_error *err);
/* The rows with the largest errors, with their terms. */
ns_status ns_validate_worst(const ns_validation *v, int32_t most, ns_value *list, ns_error *err);
/* Every form, and the full form without each of its terms. */
ns_status ns_validate_forms(ns_validation *v, ns_value *list, ns_error *err);
/* Model error calibrated without the rows of each value of a column, and how well its interval covers them. */
ns_status ns_validate_leave_out(const ns_validation *v, const char *column, ns_value *list, ns_error *err);

/* The distinct texts of a column among the scored rows; *text: free it, the texts belong to the records. */
ns_status ns_validate_values(const ns_validation *v, const char *column, const char ***text, size_t *count,
                             ns_error *err);

/* Rows with that value in the column; an ns_scored_filter. */
typedef struct ns_of_value {
    const ns_records *records;
    const char *column, *value;
} ns_of_value;
bool ns_is_of_value(const ns_scored *scored, const void *of_value);

#endif
