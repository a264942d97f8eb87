/* matrix.c -- describe, scan, watch and free a matrix of any source */
#include "core/context.h"
#include "core/memory.h"
#include "matrix/source.h"

const char *const ns_matrix_source_words[] = {[NS_FROM_FILE] = "file",
                                              [NS_FROM_CACHE] = "cache",
                                              [NS_FROM_BINARY] = "binary",
                                              [NS_GENERATED] = "generated",
                                              [NS_SURROGATE] = "surrogate"};

const ns_matrix_info *ns_matrix_describe(const ns_matrix *matrix)
{
    return &matrix->info;
}

typedef struct watched {
    ns_matrix *matrix;
    ns_entry_fn *receive;
    ns_patch_fn *receive_patches;
    void *context;
    int64_t entries, expected;
} watched;

static ns_status count_passed(watched *w, int64_t count, ns_error *err)
{
    w->entries += count;
    w->matrix->work.entries += (double)count;
    NS_TRY(ns_work_check(&w->matrix->work, err));
    NS_TRY(ns_context_tick(count, err));
    if (w->matrix->watch != NULL)
        w->matrix->watch(w->matrix->watcher, w->matrix, w->entries, w->expected);
    return NS_OK;
}

static ns_status pass_on(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    watched *w = context;
    NS_TRY(count_passed(w, (int64_t)count, err));
    return w->receive(w->context, entries, count, err);
}

static ns_status pass_patches_on(void *context, const ns_patch *patch, size_t count, ns_error *err)
{
    watched *w = context;
    int64_t entries = 0;
    for (size_t i = 0; i < count; i++)
        entries += patch[i].rows * patch[i].cols;
    NS_TRY(count_passed(w, entries, err));
    return w->receive_patches(w->context, patch, count, err);
}

/* Begin a scan: a size in the header that exceeds the limits is refused before reading.  *direct: neither watched nor
 * limited. */
static ns_status begin(ns_matrix *matrix, watched *w, bool *direct, ns_error *err)
{
    const ns_matrix_info *info = &matrix->info;
    /* In a symmetric file, entries off the diagonal count twice; nearly all diagonals are full. */
    const bool doubled = info->symmetry != NS_GENERAL && info->stored >= info->rows;
    w->matrix = matrix;
    w->expected = doubled ? ns_count_add(info->stored, info->stored - info->rows) : info->stored;
    *direct = matrix->watch == NULL && matrix->work.limit == 0 && !ns_context_watches();
    matrix->work.rows += (double)info->rows;
    ns_work ahead = matrix->work;
    ahead.entries += info->stored > 0 ? (double)info->stored : 0;
    return ns_work_check(&ahead, err);
}

ns_status ns_matrix_count_work(ns_matrix *matrix, ns_error *err)
{
    watched w;
    bool direct;
    NS_TRY(begin(matrix, &w, &direct, err));
    matrix->work.entries += (double)matrix->info.stored;
    return NS_OK;
}

ns_status ns_matrix_scan(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err)
{
    ns_error_clear(err);
    watched w = {.receive = receive, .context = context};
    bool direct;
    NS_TRY(begin(matrix, &w, &direct, err));
    return direct ? matrix->scan(matrix, receive, context, err) : matrix->scan(matrix, pass_on, &w, err);
}

ns_status ns_matrix_scan_patches(ns_matrix *matrix, ns_patch_fn *receive, void *context, ns_error *err)
{
    watched w = {.receive_patches = receive, .context = context};
    bool direct;
    NS_TRY(begin(matrix, &w, &direct, err));
    return direct ? matrix->scan_patches(matrix, receive, context, err)
                  : matrix->scan_patches(matrix, pass_patches_on, &w, err);
}

ns_status ns_matrix_scan_half(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err)
{
    watched w = {.receive = receive, .context = context};
    bool direct;
    NS_TRY(begin(matrix, &w, &direct, err));
    w.expected = matrix->info.stored;
    return direct ? matrix->scan_half(matrix, receive, context, err) : matrix->scan_half(matrix, pass_on, &w, err);
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
    ns_free(matrix->strings);
    ns_free(matrix);
}
