/* cancel.c -- a host that stays in charge: it limits memory and work, and ends a call that takes too long
 *
 *     cc cancel.c $(pkg-config --cflags --libs nsmodel) -o cancel && ./cancel
 */
#include <nsmodel/nsmodel.h>

#include <stdio.h>
#include <stdlib.h>

/* How often the library may ask before the call is ended; a real host looks at a flag or at a clock. */
static int stop(void *user)
{
    return --*(int *)user < 0;
}

static void try_once(const char *what, ns_context *context)
{
    const ns_layout layout = {64, 4};
    ns_error err = {0};
    ns_matrix *matrix;
    ns_exchange *exchange;
    char text[1024];
    if (ns_matrix_open("ldoor", &matrix, &err) != NS_OK)
        exit(EXIT_FAILURE);
    ns_context *before = ns_context_use(context);
    const ns_status status = ns_exchange_from_matrix(matrix, &layout, 1, NULL, &exchange, NULL, &err);
    ns_context_use(before);
    printf("%s: %s%s%s\n", what, ns_status_name(status), status == NS_OK ? "" : ": ",
           status == NS_OK ? "" : ns_error_format(&err, text, sizeof text));
    if (status == NS_OK)
        ns_exchange_free(exchange);
    ns_matrix_free(matrix);
}

int main(void)
{
    int asks = 5;
    const ns_context_options hurried = {.size = sizeof hurried, .stop = stop, .user = &asks};
    const ns_context_options small = {.size = sizeof small, .max_work = 1000000};
    ns_context *context;
    printf("nsmodel %s\n", ns_version());
    if (ns_context_open(&hurried, &context, NULL) != NS_OK)
        return EXIT_FAILURE;
    try_once("stopped", context);
    ns_context_free(context);
    if (ns_context_open(&small, &context, NULL) != NS_OK)
        return EXIT_FAILURE;
    try_once("limited", context);
    ns_context_free(context);
    try_once("free", NULL);
    return EXIT_SUCCESS;
}
