/* predict.h -- the parts of the main command: cases, and why each costs what it costs */
#ifndef NS_CLI_PREDICT_H
#define NS_CLI_PREDICT_H

#include "cli/inputs/cases.h"
#include "cli/show/answer.h"
#include "cli/show/draw.h"

/* Options other than those of the cases; NULL: not given. */
typedef struct ns_predict_request {
    const char *exchange, *collective, *schedule, *plot;
    bool explain;
} ns_predict_request;

/* Rows of its options, which nsmodel-mpi predict shares. */
#define NS_OPTIONS_PREDICT                                                                                             \
    NS_OPTION_MATRIX, NS_OPTION_MESSAGES,                                                                              \
        {"exchange", 0, "FILE.csv", NULL,                                                                              \
         "statistics of whole exchanges instead, one a row, as measured ones have them",                               \
         NS_OPT(ns_predict_request, exchange)},                                                                        \
        {"collective", 0, "allreduce:SIZE", NULL,                                                                      \
         "an allreduce instead: hosts by each algorithm, switches (SHARP), interfaces; --nodes of --per-node "         \
         "processes",                                                                                                  \
         NS_OPT(ns_predict_request, collective)},                                                                      \
        NS_OPTIONS_CASES, NS_OPTION_ALL, NS_OPTION_SURE, NS_OPTION_WORTH, NS_OPTION_NETWORK,                           \
        NS_OPTION_EXPLAIN_OF(ns_predict_request), NS_OPTION_PLOT_OF(ns_predict_request),                               \
        {"schedule", 0, "FILE.csv", NULL,                                                                              \
         "write the messages of one strategy in one case: rows of step,from,to,bytes; steps and processes count from " \
         "0",                                                                                                          \
         NS_OPT(ns_predict_request, schedule)},                                                                        \
        NS_OPTION_MEMORY, NS_OPTION_WORK

#endif
