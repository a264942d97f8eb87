/* predict.h -- the pieces of the main job: cases, and why each costs what it costs */
#ifndef NS_CLI_PREDICT_H
#define NS_CLI_PREDICT_H

#include "cli/inputs/cases.h"
#include "cli/show/draw.h"
#include "cli/show/terms.h"

/* What else than cases is asked for; NULL: it is not. */
typedef struct ns_predict_request {
    const char *exchange, *collective, *schedule, *plot;
} ns_predict_request;

/* Rows of its options; nsmodel-mpi predict has them, too. */
#define NS_OPTIONS_PREDICT                                                                                             \
    NS_OPTION_MATRIX, NS_OPTION_MESSAGES,                                                                              \
        {"exchange", 0, "FILE.csv", NULL,                                                                              \
         "statistics of whole exchanges instead, one a row, as measured ones have them",                               \
         NS_OPT(ns_predict_request, exchange)},                                                                        \
        {"collective", 0, "allreduce:SIZE", NULL,                                                                      \
         "an allreduce instead: hosts by each algorithm, switches (SHARP), interfaces; --nodes of --per-node "         \
         "processes",                                                                                                  \
         NS_OPT(ns_predict_request, collective)},                                                                      \
        NS_OPTIONS_CASES, NS_OPTION_ALL, NS_OPTION_SURE, NS_OPTION_WORTH, NS_OPTION_NETWORK, NS_OPTION_EXPLAIN,        \
        NS_OPTION_PLOT_OF(ns_predict_request),                                                                         \
        {"schedule", 0, "FILE.csv", NULL,                                                                              \
         "write the messages of one strategy in one case: rows of step,from,to,bytes; steps and processes count from " \
         "0",                                                                                                          \
         NS_OPT(ns_predict_request, schedule)},                                                                        \
        NS_OPTION_MEMORY, NS_OPTION_WORK

/* "network": the hardware, each number with where it is from, and what is assumed, with lines above the table.  Nothing
 * where none is asked for. */
void ns_network_describe(const ns_cases *cases, ns_value *result);
/* The networks that there are, instead of an answer. */
ns_status ns_network_list(ns_value *result);
/* "gathering" of a case: what stands behind the way of interfaces that gather. */
void ns_gathering_value(const ns_case *c, ns_value *object);
/* Kind of a way: messages, or in-network; NULL without a network. */
const char *ns_case_kind(const ns_case *c, int choice);

/* --collective allreduce:SIZE: by hosts, switches and interfaces. */
ns_status ns_predict_collective(const ns_args *args, const char *operation, ns_value *result, ns_error *err);

#endif
