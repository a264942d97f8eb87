/* exchange.h -- rows of exchange statistics on the command line: their machines and their prices */
#ifndef NS_CLI_EXCHANGE_H
#define NS_CLI_EXCHANGE_H

#include "cli/inputs/inputs.h"
#include "records/record.h"

/* --machine NAME for every row, or COLUMN=NAME,... for rows whose column `machine` is COLUMN; rows of other machines
 * use their own.  Each machine is opened once, when a row first needs it.  Initialise all but args to zero. */
typedef struct ns_row_machines {
    const ns_args *args;
    size_t count;
    struct ns_row_machine *of;
} ns_row_machines;

/* The machine of a row; a machine that does not exist is an error with the row's line. */
ns_status ns_row_machine_get(ns_row_machines *machines, const ns_records *records, size_t row,
                             const ns_machine **machine, ns_error *err);
/* An error in --machine or --set concerns the command, not each row: find it before any row is read. */
ns_status ns_row_machines_try(ns_row_machines *machines, const ns_records *records, ns_error *err);
/* Is --machine valid? */
ns_status ns_row_machines_check(const ns_args *args, ns_error *err);
void ns_row_machines_close(ns_row_machines *machines);
/* Add a line for each machine in use, above a table. */
void ns_row_machines_describe(const ns_row_machines *machines, ns_value *result);

/* Add "id" of a row, or its line number. */
void ns_row_id(const ns_records *records, size_t row, ns_value *object);
/* Add off_node_s and similar terms as members of an object; those that the cost model does not have get these flags. */
void ns_price_terms(const ns_price *price, unsigned flags, ns_value *object);
/* Add a row that cannot be priced to a list of the answer and, where words is not NULL, print a note. */
void ns_row_left_out(const ns_records *records, size_t row, const ns_error *problem, ns_value *list, FILE *words);

/* --where COLUMN=VALUE, all of them: is each valid, and does a row match (an ns_row_filter on ns_args)? */
ns_status ns_row_where_check(const ns_args *args, const ns_records *records, ns_error *err);
bool ns_row_is_wanted(const ns_records *records, size_t row, const void *args);
/* Is there a column of that name (up to "=")? */
ns_status ns_row_column_check(const ns_records *records, const char *text, ns_error *err);

#endif
