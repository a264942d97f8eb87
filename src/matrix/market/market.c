/* market.c -- a Matrix Market file as a matrix: header on opening, entries on every scan */
#include "matrix/market/market.h"

#include <string.h>

#include "core/memory.h"
#include "matrix/open.h"

typedef struct file {
    ns_market market;
    long member; /* index in a tar archive */
    char path[];
} file;

static ns_status scan(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err)
{
    file *f = matrix->state;
    return ns_market_scan(f->path, &f->member, &f->market, NS_AUTO_WORKERS, receive, context, err);
}

static ns_status scan_half(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err)
{
    file *f = matrix->state;
    ns_market as_stored = f->market;
    as_stored.mirror = false;
    return ns_market_scan(f->path, &f->member, &as_stored, NS_AUTO_WORKERS, receive, context, err);
}

const char *ns_market_file(const ns_matrix *matrix, ns_market *market)
{
    if (matrix->scan != scan)
        return NULL;
    const file *f = matrix->state;
    *market = f->market;
    return f->path;
}

static void close_file(ns_matrix *matrix)
{
    ns_free(matrix->state);
}

ns_status ns_market_file_header(const char *path, long *member, ns_market *market, ns_error *err)
{
    ns_lines lines;
    ns_market_start start;
    unsigned char *text = ns_malloc(NS_PIECE_ROOM);
    ns_status status = text == NULL ? ns_fail_at(err, NS_ERR_MEMORY, path, 0, 0, "not enough memory to read")
                                    : ns_lines_open(path, member, &lines, err);
    if (status == NS_OK) {
        status = ns_market_header(&lines, text, market, &start, err);
        ns_lines_close(&lines);
    }
    ns_free(text);
    return status;
}

ns_status ns_market_open(const char *path, ns_matrix *matrix, ns_error *err)
{
    size_t size = strlen(path) + 1;
    file *f = ns_calloc(1, sizeof *f + size);
    char *name = ns_malloc(size);
    if (f == NULL || name == NULL) {
        ns_free(f);
        ns_free(name);
        return ns_fail_at(err, NS_ERR_MEMORY, path, 0, 0, "not enough memory to open");
    }
    memcpy(f->path, path, size);
    f->member = -1;
    ns_path_stem(path, name, size);
    matrix->state = f;
    matrix->strings = name;
    matrix->scan = scan;
    matrix->close = close_file;
    NS_TRY(ns_market_file_header(path, &f->member, &f->market, err));
    const ns_market *m = &f->market;
    if (m->mirror && !m->array) /* the positions of an array's values depend on it */
        matrix->scan_half = scan_half;
    matrix->info = (ns_matrix_info){.name = name,
                                    .rows = m->rows,
                                    .cols = m->cols,
                                    .stored = m->stored,
                                    .symmetry = m->symmetry,
                                    .source = NS_FROM_FILE};
    return NS_OK;
}
