/* report.h -- what `nsmodel report` adds to the answers of other commands */
#ifndef NS_CLI_REPORT_H
#define NS_CLI_REPORT_H

#include "cli/inputs/cases.h"

/* What the page says around them: title, summary, inputs, warnings, the command line. */
void ns_report_frame(const ns_args *args, ns_value *result, const char *words);

#endif
