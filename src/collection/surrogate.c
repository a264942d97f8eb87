/* surrogate.c -- the papers' matrices by name: generated surrogates, always reported as such, with one descriptor each
 * in src/surrogate/named/, collected by make */
#include "core/memory.h"
#include "matrix/batch.h"
#include "matrix/open.h"
#include "matrix/source.h"

#include <stdio.h>
#include <string.h>

#define NS_SURROGATE_ENTRY(stem) extern const ns_surrogate ns_surrogate_##stem;
#include "surrogates.def"
#undef NS_SURROGATE_ENTRY

#define NS_SURROGATE_ENTRY(stem) &ns_surrogate_##stem,
const ns_surrogate *const ns_surrogates[] = {
#include "surrogates.def"
    NULL};

enum { LONGEST_NAME = 128, WORTH_A_THREAD = 1 << 20 /* entries */ };

static void full_name(const ns_surrogate *s, char name[LONGEST_NAME])
{
    snprintf(name, LONGEST_NAME, "%s/%s", s->group, s->name);
}

ns_status ns_surrogate_find(const char *name, const ns_surrogate **found, ns_error *err)
{
    char one[LONGEST_NAME], list[400] = "";
    size_t used = 0;
    int count = 0;
    const ns_surrogate *last = NULL;
    for (const ns_surrogate *const *s = ns_surrogates; *s != NULL; s++) {
        full_name(*s, one);
        if (strcmp(name, (*s)->name) != 0 && strcmp(name, one) != 0)
            continue;
        last = *s;
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", count++ > 0 ? ", " : "", one);
    }
    if (count > 1)
        return ns_fail(err, NS_ERR_NAME, "\"%s\" names several matrices: %s", name, list);
    *found = last;
    return NS_OK;
}

ns_status ns_surrogate_scan(const ns_surrogate *s, ns_entry_fn *receive, void *context, ns_error *err)
{
    if (s->patches == NULL)
        return s->scan(s->shape, receive, context, err);
    ns_batch *batch = ns_batch_new(s->name, receive, context, err);
    if (batch == NULL)
        return NS_ERR_MEMORY;
    ns_status status = s->patches(s->shape, ns_batch_patches, batch, err);
    if (status == NS_OK)
        status = ns_batch_flush(batch);
    ns_free(batch);
    return status;
}

static ns_status make(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err)
{
    return ns_surrogate_scan(matrix->state, receive, context, err);
}

static ns_status scan_patches(ns_matrix *matrix, ns_patch_fn *receive, void *context, ns_error *err)
{
    const ns_surrogate *s = matrix->state;
    return s->patches(s->shape, receive, context, err);
}

/* Entries are generated about as fast as they are received. */
static ns_status scan(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err)
{
    const ns_surrogate *s = matrix->state;
    return s->catalogue_entries < WORTH_A_THREAD ? make(matrix, receive, context, err)
                                                 : ns_pipeline_scan(matrix, make, receive, context, err);
}

ns_status ns_surrogate_open(const char *name, const ns_surrogate *surrogate, ns_matrix *matrix, ns_error *err)
{
    char full[LONGEST_NAME];
    const size_t name_size = strlen(name) + 1, note_size = LONGEST_NAME + 160;
    full_name(surrogate, full);
    matrix->strings = ns_malloc(name_size + note_size + LONGEST_NAME);
    if (matrix->strings == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "not enough memory to open \"%s\"", full);
    char *note = matrix->strings + name_size, *stands_for = note + note_size;
    memcpy(matrix->strings, name, name_size);
    snprintf(note, note_size, "surrogate: a generated stand-in for %s (%lld rows)", full, (long long)surrogate->rows);
    memcpy(stands_for, full, LONGEST_NAME);
    matrix->state = (void *)(uintptr_t)surrogate; /* read-only; not owned */
    matrix->scan = scan;
    matrix->scan_patches = surrogate->patches != NULL ? scan_patches : NULL;
    matrix->info = (ns_matrix_info){.name = matrix->strings,
                                    .rows = surrogate->rows,
                                    .cols = surrogate->rows,
                                    .stored = -1,
                                    .symmetry = surrogate->symmetry,
                                    .source = NS_SURROGATE,
                                    .note = note,
                                    .stands_for = stands_for};
    return NS_OK;
}
