/* matrix_where.c -- each place that is looked at for a matrix, and what was found there */
#include "cli/show/matrix.h"
#include "core/memory.h"
#include "report/columns.h"

#include <string.h>

typedef struct walk {
    ns_value *list; /* NULL: only what is used is wanted */
    char *used;     /* where from, or "" */
    size_t size;
} walk;

static void tell(void *context, const ns_matrix_step *step)
{
    walk *w = context;
    if (step->used)
        snprintf(w->used, w->size, "%s: %s", step->place, step->found);
    if (w->list == NULL)
        return;
    ns_value *row = ns_row_mark(ns_value_object(w->list, NULL), step->used);
    ns_value_text(row, "place", step->place);
    ns_value_text(row, "looked_for", step->looked_for);
    ns_value_text(row, "found", step->found);
    ns_put_bool(row, "used", NS_IN_DATA, step->used);
    ns_value_text(row, "note", step->note != NULL ? step->note : "");
}

static ns_status walk_places(const char *name, walk *w, ns_error *err)
{
    ns_places places;
    ns_status status = ns_places_open(&places, err);
    if (status == NS_OK)
        status = ns_matrix_where(name, places.place, places.count, tell, w, err);
    ns_places_close(&places);
    return status;
}

ns_status ns_matrix_available(const char *name, char *text, size_t size, ns_error *err)
{
    walk w = {.used = text, .size = size};
    text[0] = '\0';
    NS_TRY(walk_places(name, &w, err));
    if (text[0] == '\0')
        snprintf(text, size, "nowhere; `nsmodel matrix where %s` tells where it was looked for", name);
    return NS_OK;
}

/* Nothing was found: the words that opening it would have ended in. */
static void say_why(const char *name, ns_command_context *context)
{
    ns_matrix *matrix;
    ns_error why = {.code = NS_OK};
    char text[1024];
    context->exit = 1;
    if (ns_places_matrix(name, &matrix, &why) == NS_OK)
        ns_matrix_free(matrix);
    else
        fprintf(context->err, "nsmodel: %s\n", ns_error_line(&why, text, sizeof text));
}

ns_status ns_matrix_where_is(const ns_args *args, const ns_matrix_request *request, ns_value *result,
                             ns_command_context *context, ns_error *err)
{
    (void)request;
    char used[4200] = "";
    const char *name = args->word[1];
    ns_put_schema(result, "nsmodel/matrix-where/1");
    ns_value_text(result, "name", name);
    walk w = {.list = ns_put_rows(result, "places", NS_EVERYWHERE), .used = used, .size = sizeof used};
    if (w.list == NULL)
        return ns_no_memory(err);
    NS_TRY(walk_places(name, &w, err));
    if (used[0] == '\0')
        say_why(name, context);
    return NS_OK;
}
