/* matrix.h -- what `nsmodel matrix` is put together from */
#ifndef NS_CLI_MATRIX_H
#define NS_CLI_MATRIX_H

#include "cli/front/command.h"
#include "cli/front/places.h"

/* One file each: matrix_list.c, matrix_info.c, matrix_get.c, matrix_where.c. */
ns_status ns_matrix_list(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err);
ns_status ns_matrix_info_of(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err);
ns_status ns_matrix_get(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err);
ns_status ns_matrix_where_is(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err);

/* Where ns_places_matrix would take the matrix from: "embedded: params/...", or "nowhere"; cut to size. */
ns_status ns_matrix_available(const char *name, char *text, size_t size, ns_error *err);

#define NS_COLLECTION "SuiteSparse Matrix Collection (CC-BY 4.0)"

#endif
