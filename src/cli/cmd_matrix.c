/* cmd_matrix.c -- the catalogue of matrices, and where their files are */
#include "cli/inputs.h"
#include "cli/matrix.h"

#include <string.h>

static const ns_option options[] = {
    {"name", 0, "TEXT", NULL, "list: names that contain TEXT", false},
    {"group", 0, "GROUP", NULL, "list: of this group", false},
    {"kind", 0, "TEXT", NULL, "list: kinds with these words (structural, graph, circuit, ...)", false},
    {"rows", 0, "RANGE", NULL, "list: as many rows, 1000000 or 1M or 100k:2M or 1M:", false},
    {"cols", 0, "RANGE", NULL, "list: as many columns", false},
    {"nnz", 0, "RANGE", NULL, "list: as many nonzeros", false},
    {"symmetric", 0, NULL, NULL, "list: symmetric ones", false},
    {"structure", 0, "WORD", NULL, "list: symmetric, unsymmetric, hermitian, skew-symmetric or rectangular", false},
    {"field", 0, "WORD", NULL, "list: real, complex, integer or pattern", false},
    {"square", 0, NULL, NULL, "list: with as many rows as columns", false},
    {"positive-definite", 0, NULL, NULL, "list: positive definite ones", false},
    {"grid", 0, NULL, NULL, "list: from a discretisation in two or three dimensions", false},
    {"measured", 0, NULL, NULL, "list: with published communication facts", false},
    {"sort", 0, "KEY", "name", "list: by name, rows or nnz", false},
    {"limit", 0, "N", NULL, "list: the first N only", false},
    NS_OPTION_MEMORY,
    {NULL, 0, NULL, NULL, NULL, false},
};

/* Fetching belongs to a later version; until then: from where, and to where. */
static ns_status get(const ns_args *args, ns_value *result, ns_context *context, ns_error *err)
{
    ns_catalogue *catalogue;
    const ns_catalogue_entry *e = NULL;
    (void)result;
    (void)context;
    NS_TRY(ns_catalogue_open(&catalogue, err));
    ns_status status = ns_catalogue_find(catalogue, args->word[1], &e, err);
    if (status == NS_OK)
        status = ns_fail(err, NS_ERR_FILE,
                         "this version does not fetch: download https://sparse.tamu.edu/MM/%s/%s.tar.gz (page "
                         "https://sparse.tamu.edu/%s/%s) and keep it as it is in a folder of NSMODEL_MATRIX_PATH or as "
                         "~/.cache/nsmodel/%s/%s.tar.gz",
                         e->group, e->name, e->group, e->name, e->group, e->name);
    ns_catalogue_free(catalogue);
    return status;
}

static const struct {
    const char *name;
    int least, most; /* words after it */
    ns_status (*run)(const ns_args *args, ns_value *result, ns_context *context, ns_error *err);
} actions[] = {
    {"list", 0, 0, ns_matrix_list},
    {"info", 1, 1, ns_matrix_info_of},
    {"where", 1, 1, ns_matrix_where_is},
    {"get", 1, 1, get},
};
enum { ACTIONS = sizeof actions / sizeof *actions };

/* Options narrow the list; elsewhere they would do nothing. */
static ns_status check_options(const ns_args *args, ns_error *err)
{
    for (int i = 0; i < args->given; i++)
        if (strncmp(args->option[i].option->doc, "list: ", 6) == 0)
            return ns_fail(err, NS_ERR_USAGE, "--%s belongs to `nsmodel matrix list`", args->option[i].option->name);
    return NS_OK;
}

static ns_status run(const ns_args *args, ns_value *result, ns_context *context, ns_error *err)
{
    const char *names[ACTIONS];
    for (int i = 0; i < ACTIONS; i++) {
        names[i] = actions[i].name;
        if (strcmp(args->word[0], names[i]) != 0)
            continue;
        if (args->words - 1 < actions[i].least || args->words - 1 > actions[i].most)
            return ns_fail(err, NS_ERR_USAGE, "matrix %s wants %s", names[i],
                           actions[i].most > 0 ? "one NAME" : "options only");
        if (i > 0)
            NS_TRY(check_options(args, err));
        return actions[i].run(args, result, context, err);
    }
    const char *near = ns_closest(args->word[0], names, ACTIONS);
    return near != NULL ? ns_fail(err, NS_ERR_USAGE, "matrix has no \"%s\"; did you mean \"%s\"?", args->word[0], near)
                        : ns_fail(err, NS_ERR_USAGE, "matrix has no \"%s\"; there are list, info NAME and where NAME",
                                  args->word[0]);
}

const ns_command ns_command_matrix = {
    .name = "matrix",
    .summary = "the catalogue of 2,904 matrices: list, info, and where their files are",
    .usage = "list | info NAME | where NAME",
    .options = options,
    .example = "nsmodel matrix list --kind structural --rows 1M: --symmetric",
    .least = 1,
    .most = 2,
    .rank = 6,
    .run = run,
};
