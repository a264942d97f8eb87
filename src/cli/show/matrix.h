/* matrix.h -- the parts of `nsmodel matrix` */
#ifndef NS_CLI_MATRIX_H
#define NS_CLI_MATRIX_H

#include "cli/front/command.h"
#include "cli/front/places.h"

typedef struct ns_matrix_request {
    ns_catalogue_filter filter; /* except for the members below */
    bool symmetric;
    int structure, field, order;
    const char *rows, *cols, *nnz; /* ranges */
    int32_t limit;                 /* 0: none */
    const char *url, *to;
    bool again;
} ns_matrix_request;

ns_status ns_matrix_get(const ns_args *args, const ns_matrix_request *request, ns_value *result,
                        ns_command_context *context, ns_error *err);

#define NS_COLLECTION "SuiteSparse Matrix Collection (CC-BY 4.0)"

#endif
