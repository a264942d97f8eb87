/* long_calls.c -- calls that take long, for tests that break them off */
#include "support/long_calls.h"

#include "api/library.h"

#include <check.h>

ns_status long_netsparse(const char *name, int nodes, int ranks, ns_error *err)
{
    const ns_trace_options traced = {.threads = 2, .ranks = ranks};
    ns_machine *network;
    ns_matrix *matrix = NULL;
    ns_trace *trace = NULL;
    ns_netsparse_result *made = NULL;
    NS_TRY(ns_machine_load("netsparse", &network, err));
    ns_status status = ns_matrix_open(name, &matrix, err);
    const ns_netsparse_options options = {.machine = network, .k = 1};
    status = status == NS_OK ? ns_trace_open(matrix, nodes, &traced, &trace, err) : status;
    status = status == NS_OK ? ns_netsparse_run(trace, &options, &made, err) : status;
    ck_assert_int_eq(status == NS_OK, made != NULL);
    ns_netsparse_free(made);
    ns_trace_free(trace);
    ns_matrix_free(matrix);
    ns_machine_free(network);
    return status;
}
