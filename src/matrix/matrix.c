/* matrix.c -- open a matrix by path, stencil or name; describe, scan and free it */
#include <nsmodel/matrix.h>

#include <stdlib.h>
#include <string.h>

#include "matrix/bytes.h"
#include "matrix/nsp.h"
#include "matrix/open.h"

const char *const ns_matrix_source_words[] = {[NS_FROM_FILE] = "file",
                                              [NS_FROM_CACHE] = "cache",
                                              [NS_FROM_BINARY] = "binary",
                                              [NS_GENERATED] = "generated",
                                              [NS_SURROGATE] = "surrogate"};

static bool looks_like_path(const char *spec)
{
    static const char *const endings[] = {".mtx", ".gz", ".tgz", ".tar", ".mm"};
    size_t length = strlen(spec);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t n = strlen(endings[i]);
        if (length > n && strcmp(spec + length - n, endings[i]) == 0)
            return true;
    }
    return strchr(spec, '/') != NULL;
}

/* Nothing fits: say what was looked for, and what may have been meant. */
static ns_status fail_open(const char *spec, ns_matrix *matrix, ns_error *err)
{
    char closest[128];
    bool near = ns_surrogate_closest(spec, closest, sizeof closest);
    if (near)
        return ns_fail(err, NS_ERR_NAME, "no matrix \"%.200s\": no such file or name, did you mean \"%s\"?", spec,
                       closest);
    if (looks_like_path(spec))
        return ns_market_open(spec, matrix, err); /* which says what is wrong */
    return ns_fail(err, NS_ERR_NAME,
                   "no matrix \"%.200s\": wanted a file, a stencil (\"stencil9:3200x3200\") or a name (\"audikw_1\")",
                   spec);
}

static ns_status open_as(const char *spec, ns_matrix *matrix, ns_error *err)
{
    const ns_surrogate *surrogate;
    if (ns_file_exists(spec))
        return ns_file_is_regular(spec) && ns_is_nsp(spec) ? ns_nsp_open(spec, matrix, err)
                                                           : ns_market_open(spec, matrix, err);
    if (ns_is_stencil(spec))
        return ns_stencil_open(spec, matrix, err);
    NS_TRY(ns_surrogate_find(spec, &surrogate, err));
    if (surrogate != NULL)
        return ns_surrogate_open(spec, surrogate, matrix, err);
    return fail_open(spec, matrix, err);
}

ns_status ns_matrix_open(const char *spec, ns_matrix **matrix, ns_error *err)
{
    ns_matrix *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "not enough memory to open a matrix");
    ns_status status = open_as(spec, opened, err);
    if (status == NS_OK)
        *matrix = opened;
    else
        ns_matrix_free(opened);
    return status;
}

const ns_matrix_info *ns_matrix_describe(const ns_matrix *matrix)
{
    return &matrix->info;
}

ns_status ns_matrix_scan(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err)
{
    return matrix->scan(matrix, receive, context, err);
}

void ns_matrix_free(ns_matrix *matrix)
{
    if (matrix == NULL)
        return;
    if (matrix->close != NULL)
        matrix->close(matrix);
    free(matrix->strings);
    free(matrix);
}
