/* matrix.c -- open a matrix by path, stencil or name; describe, scan and free it */
#include <nsmodel/matrix.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/bytes.h"
#include "matrix/lookup.h"
#include "matrix/nsp.h"
#include "matrix/open.h"

const char *const ns_matrix_source_words[] = {[NS_FROM_FILE] = "file",
                                              [NS_FROM_CACHE] = "cache",
                                              [NS_FROM_BINARY] = "binary",
                                              [NS_GENERATED] = "generated",
                                              [NS_SURROGATE] = "surrogate"};

static ns_status open_file(const char *path, ns_matrix *matrix, ns_error *err)
{
    return ns_file_is_regular(path) && ns_is_nsp(path) ? ns_nsp_open(path, matrix, err)
                                                       : ns_market_open(path, matrix, err);
}

/* A file whose size is not what the catalogue says of its name is read, but does not pass for that matrix. */
static ns_status note_another_size(ns_lookup *lookup, ns_matrix *matrix, ns_error *err)
{
    enum { NOTE = 320 };
    ns_matrix_info *info = &matrix->info;
    NS_TRY(ns_lookup_catalogue(lookup, err));
    const ns_catalogue_entry *e = lookup->match;
    if (info->note != NULL || lookup->matches != 1 || (info->rows == e->rows && info->cols == e->cols))
        return NS_OK;
    const size_t length = strlen(info->name) + 1;
    char *strings = malloc(length + NOTE);
    if (strings == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    memcpy(strings, info->name, length);
    snprintf(strings + length, NOTE, "file: %lld x %lld, not %.80s/%.80s of the collection, which is %lld x %lld",
             (long long)info->rows, (long long)info->cols, e->group, e->name, (long long)e->rows, (long long)e->cols);
    free(matrix->strings);
    matrix->strings = strings;
    info->name = strings;
    info->note = strings + length;
    return NS_OK;
}

static ns_status open_in_place(ns_lookup *lookup, ns_matrix *matrix, ns_error *err)
{
    NS_TRY(open_file(lookup->path, matrix, err));
    if (lookup->source == NS_FROM_CACHE && matrix->info.source != NS_SURROGATE)
        matrix->info.source = NS_FROM_CACHE;
    return note_another_size(lookup, matrix, err);
}

static ns_status open_found(ns_lookup *lookup, ns_matrix *matrix, ns_error *err)
{
    const char *spec = lookup->spec;
    switch (lookup->kind) {
    case NS_IS_FILE:
        return open_file(spec, matrix, err);
    case NS_IS_STENCIL:
        return ns_stencil_open(spec, matrix, err);
    case NS_IS_IN_PLACE:
        return open_in_place(lookup, matrix, err);
    case NS_IS_EMBEDDED:
        return ns_nsp_open_memory(lookup->embedded->data, lookup->embedded->size, lookup->embedded->path, matrix, err);
    case NS_IS_SURROGATE:
        return ns_surrogate_open(spec, lookup->surrogate, matrix, err);
    case NS_IS_NOTHING:
        break;
    }
    NS_TRY(ns_lookup_fail(lookup, err));
    return ns_market_open(spec, matrix, err); /* which says what is wrong with the path */
}

ns_status ns_matrix_open_in(const char *spec, const ns_matrix_place *place, size_t places, ns_matrix **matrix,
                            ns_error *err)
{
    ns_lookup lookup = {.spec = spec, .place = place, .places = places};
    ns_matrix *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "not enough memory to open a matrix");
    ns_status status = ns_lookup_run(&lookup, err);
    if (status == NS_OK)
        status = open_found(&lookup, opened, err);
    ns_lookup_close(&lookup);
    if (status == NS_OK)
        *matrix = opened;
    else
        ns_matrix_free(opened);
    return status;
}

ns_status ns_matrix_open(const char *spec, ns_matrix **matrix, ns_error *err)
{
    return ns_matrix_open_in(spec, NULL, 0, matrix, err);
}

const ns_matrix_info *ns_matrix_describe(const ns_matrix *matrix)
{
    return &matrix->info;
}

typedef struct watched {
    ns_matrix *matrix;
    ns_entry_fn *receive;
    void *context;
    int64_t entries, expected;
} watched;

static ns_status pass_on(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    watched *w = context;
    w->entries += (int64_t)count;
    w->matrix->work.entries += (double)count;
    NS_TRY(ns_work_check(&w->matrix->work, err));
    if (w->matrix->watch != NULL)
        w->matrix->watch(w->matrix->watcher, w->matrix, w->entries, w->expected);
    return w->receive(w->context, entries, count, err);
}

ns_status ns_matrix_scan(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err)
{
    const ns_matrix_info *info = &matrix->info;
    /* of a symmetric file's entries, those off the diagonal come twice; nearly all diagonals are full */
    const int64_t twice =
        info->symmetry == NS_GENERAL || info->stored < info->rows ? info->stored : 2 * info->stored - info->rows;
    watched w = {matrix, receive, context, 0, twice};
    matrix->work.rows += (double)info->rows;
    ns_work ahead = matrix->work; /* what the header promises is refused before it is read */
    ahead.entries += info->stored > 0 ? (double)info->stored : 0;
    NS_TRY(ns_work_check(&ahead, err));
    return matrix->watch == NULL && matrix->work.limit == 0 ? matrix->scan(matrix, receive, context, err)
                                                            : matrix->scan(matrix, pass_on, &w, err);
}

void ns_matrix_watch(ns_matrix *matrix, ns_watch_fn *watch, void *context)
{
    matrix->watch = watch;
    matrix->watcher = context;
}

void ns_matrix_limit(ns_matrix *matrix, int64_t max_work)
{
    matrix->work = (ns_work){.limit = max_work};
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
