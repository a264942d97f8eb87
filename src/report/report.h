/* report.h -- a command's answer, a value tree, as text for people and as CSV
 *
 * Both writers depend only on the tree and its flags; no command formats its own results.  Errors of the stream are
 * reported.
 */
#ifndef NS_REPORT_REPORT_H
#define NS_REPORT_REPORT_H

#include "core/value.h"

#include <stdbool.h>
#include <stdio.h>

/* The screen on which a table is shown. */
typedef struct ns_screen {
    int columns; /* 0: unlimited */
    bool colour; /* marked rows in bold */
} ns_screen;

/* Notes, then the single values by name, then one aligned table per list of objects; where groups of rows have
 * headings, a block for each.  Columns that do not fit on the screen are named below the table. */
ns_status ns_report_table(const ns_value *root, FILE *out, const ns_screen *screen, ns_error *err);

/* A header and one line per row of the first list flagged NS_V_ROWS (or of objects); without such a list
 * name,value,unit.  Numbers are SI with all digits; a nested value's column has the name of its key where that is
 * unambiguous, else of its path; a pair [lo, hi] makes two columns. */
ns_status ns_report_csv(const ns_value *root, FILE *out, ns_error *err);
/* One text as a CSV field; returns the bytes. */
size_t ns_csv_field(const char *text, FILE *out);

/* A page: a section per element of a list whose elements contain rows, or a plain table. */
ns_status ns_report_markdown(const ns_value *root, const char *title, FILE *out, ns_error *err);

/* The answer of `nsmodel report` as one page that needs no network; errors of the stream are left to its owner. */
ns_status ns_report_html(const ns_value *report, FILE *out, ns_error *err);

#endif
