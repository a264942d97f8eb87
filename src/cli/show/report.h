/* report.h -- what `nsmodel report` asks of the other commands, and what it adds */
#ifndef NS_CLI_REPORT_H
#define NS_CLI_REPORT_H

#include "cli/inputs/inputs.h"

/* The answers of predict, machines and netsparse below result, each as that command gives it. */
ns_status ns_report_ask(const ns_args *args, ns_value *result, FILE *words, ns_error *err);

/* What the page says around them: title, summary, inputs, warnings, the command line. */
void ns_report_frame(const ns_args *args, ns_value *result, const char *words);

#endif
