/* page_matrix.c -- `matrix get` where nothing can be downloaded */
#include "cli/show/matrix.h"

ns_status ns_matrix_get(const ns_args *args, const ns_matrix_request *request, ns_value *result,
                        ns_command_context *context, ns_error *err)
{
    (void)args, (void)request, (void)result, (void)context;
    return ns_fail(err, NS_ERR_FILE,
                   "this page fetches nothing: get the matrix from sparse.tamu.edu and drop its file here");
}
