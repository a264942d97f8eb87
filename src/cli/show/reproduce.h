/* reproduce.h -- published tables against what the library computes */
#ifndef NS_CLI_REPRODUCE_H
#define NS_CLI_REPRODUCE_H

#include <nsmodel/nsmodel.h>

/* Compute one table, given as the text of its file, and append it to the list `tables`.  *ok becomes false when a value
 * is outside the table's tolerance, and is left alone otherwise. */
ns_status ns_reproduce_text(const char *text, const char *origin, ns_value *tables, bool *ok, ns_error *err);

/* The shipped table of that id, or every one when id is NULL. */
ns_status ns_reproduce_shipped(const char *id, ns_value *tables, bool *ok, ns_error *err);

#endif
