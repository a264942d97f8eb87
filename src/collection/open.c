/* open.c -- a matrix by path, stencil or name */
#include "matrix/open.h"
#include "bytes/bytes.h"
#include "collection/lookup.h"
#include "core/context.h"
#include "core/memory.h"
#include "matrix/nsp/nsp.h"

#include <stdio.h>
#include <string.h>

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
    char *strings = ns_malloc(length + NOTE);
    if (strings == NULL)
        return ns_no_memory(err);
    memcpy(strings, info->name, length);
    snprintf(strings + length, NOTE, "file: %lld x %lld, not %.80s/%.80s of the collection, which is %lld x %lld",
             (long long)info->rows, (long long)info->cols, e->group, e->name, (long long)e->rows, (long long)e->cols);
    ns_free(matrix->strings);
    matrix->strings = strings;
    info->name = strings;
    info->note = strings + length;
    ns_tell_host(NS_LOG_WARNING, "%s: %s", info->name, info->note);
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
        ns_tell_host(NS_LOG_NOTE, "no file of %s is found: a surrogate is generated, not the real matrix", spec);
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
    ns_matrix *opened = ns_calloc(1, sizeof *opened);
    if (opened == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "not enough memory to open a matrix");
    ns_status status = ns_lookup_run(&lookup, err);
    if (status == NS_OK)
        status = open_found(&lookup, opened, err);
    ns_lookup_close(&lookup);
    opened->info.size = sizeof opened->info;
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
