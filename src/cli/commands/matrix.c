/* matrix.c -- the catalogue of matrices, and where their files are */
#include "cli/show/matrix.h"
#include "cli/inputs/inputs.h"
#include "core/refuse.h"

#include <string.h>

static const ns_option options[] = {
    {"name", 0, "TEXT", NULL, "list: names that contain TEXT", NS_OPT(ns_matrix_request, filter.name)},
    {"group", 0, "GROUP", NULL, "list: of this group", NS_OPT(ns_matrix_request, filter.group)},
    {"kind", 0, "TEXT", NULL, "list: kinds with these words (structural, graph, circuit, ...)",
     NS_OPT(ns_matrix_request, filter.kind)},
    {"rows", 0, "RANGE", NULL, "list: as many rows, 1000000 or 1M or 100k:2M or 1M:", NS_OPT(ns_matrix_request, rows)},
    {"cols", 0, "RANGE", NULL, "list: as many columns", NS_OPT(ns_matrix_request, cols)},
    {"nnz", 0, "RANGE", NULL, "list: as many nonzeros", NS_OPT(ns_matrix_request, nnz)},
    {"symmetric", 0, NULL, NULL, "list: symmetric ones", NS_OPT(ns_matrix_request, symmetric)},
    {"structure", 0, "WORD", NULL, "list: symmetric, unsymmetric, hermitian, skew-symmetric or rectangular",
     NS_OPT(ns_matrix_request, structure), .words = ns_matrix_structures},
    {"field", 0, "WORD", NULL, "list: real, complex, integer or pattern", NS_OPT(ns_matrix_request, field),
     .words = ns_matrix_fields},
    {"square", 0, NULL, NULL, "list: with as many rows as columns", NS_OPT(ns_matrix_request, filter.square)},
    {"positive-definite", 0, NULL, NULL, "list: positive definite ones",
     NS_OPT(ns_matrix_request, filter.positive_definite)},
    {"grid", 0, NULL, NULL, "list: from a discretisation in two or three dimensions",
     NS_OPT(ns_matrix_request, filter.grid)},
    {"measured", 0, NULL, NULL, "list: with published communication facts", NS_OPT(ns_matrix_request, filter.measured)},
    {"sort", 0, "name|rows|nnz", "name", "list: in this order", NS_OPT(ns_matrix_request, order),
     .words = ns_matrix_orders},
    {"limit", 0, "N", NULL, "list: the first N only", NS_OPT(ns_matrix_request, limit), .least = 1, .most = INT32_MAX},
    {"url", 0, "BASE", "https://sparse.tamu.edu", "get: the collection's server, or a mirror of it",
     NS_OPT(ns_matrix_request, url)},
    {"to", 0, "FOLDER", NULL, "get: keep it here [the user's cache]", NS_OPT(ns_matrix_request, to)},
    {"again", 0, NULL, NULL, "get: even when it is there already", NS_OPT(ns_matrix_request, again)},
    NS_OPTION_MEMORY,
    NS_OPTION_WORK,
    {NULL},
};

static const struct {
    const char *name;
    int least, most; /* words after it */
    ns_status (*run)(const ns_args *args, const ns_matrix_request *request, ns_value *result,
                     ns_command_context *context, ns_error *err);
} actions[] = {
    {"list", 0, 0, ns_matrix_list},
    {"info", 1, 1, ns_matrix_info_of},
    {"where", 1, 1, ns_matrix_where_is},
    {"get", 1, 1, ns_matrix_get},
};
enum { ACTIONS = sizeof actions / sizeof *actions };

/* "list: ..." belongs to list; elsewhere it would do nothing. */
static ns_status check_options(const ns_args *args, ns_error *err)
{
    for (int i = 0; i < args->given; i++) {
        const ns_option *o = args->option[i].option;
        for (int k = 0; k < ACTIONS; k++) {
            const size_t length = strlen(actions[k].name);
            if (strncmp(o->doc, actions[k].name, length) == 0 && o->doc[length] == ':' &&
                strcmp(args->word[0], actions[k].name) != 0)
                return ns_fail(err, NS_ERR_USAGE, "--%s belongs to `nsmodel matrix %s`", o->name, actions[k].name);
        }
    }
    return NS_OK;
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    const char *names[ACTIONS];
    for (int i = 0; i < ACTIONS; i++) {
        names[i] = actions[i].name;
        if (strcmp(args->word[0], names[i]) != 0)
            continue;
        if (args->words - 1 < actions[i].least || args->words - 1 > actions[i].most)
            return actions[i].most > 0 ? ns_fail(err, NS_ERR_USAGE, "matrix %s wants one NAME", names[i])
                                       : ns_fail(err, NS_ERR_USAGE, "matrix %s wants options only, got \"%s\"",
                                                 names[i], args->word[1]);
        NS_TRY(check_options(args, err));
        ns_matrix_request request = {.limit = 0};
        NS_TRY(ns_args_read(args, &request, err));
        return actions[i].run(args, &request, result, context, err);
    }
    char text[NS_UNKNOWN_MOST];
    ns_unknown_name(text, sizeof text, "matrix has no", args->word[0], names, ACTIONS, NULL);
    return ns_fail(err, NS_ERR_USAGE, "%s", text);
}

const ns_command ns_command_matrix = {
    .name = "matrix",
    .summary = "the catalogue of 2,904 matrices: list, info, where their files are, get",
    .usage = "list | info NAME | where NAME | get NAME",
    .options = options,
    .example = "nsmodel matrix list --kind structural --rows 1M: --symmetric",
    .about = "list narrows the catalogue of the SuiteSparse Matrix Collection; info tells what is known of one matrix, "
             "or counts a file;\n"
             "where tells each place that is looked at for a name, and what is there.\n"
             "get fetches GROUP/NAME.tar.gz into the user's cache. A connection that is cut is taken up again, now or "
             "by the next get;\n"
             "what came is kept as NAME.tar.gz.part. The file gets its name only when its checksum is right and its "
             "rows, columns and\n"
             "entries are the catalogue's.",
    .least = 1,
    .needs = "a verb: list, info, where or get",
    .most = 2,
    .rank = 6,
    .run = run,
};
