/* csr.c -- an exchange from CSR arrays in memory: a matrix whose scan iterates over them */
#include "matrix/source.h"
#include "pattern/graph.h"

enum { BATCH = 4096 };

typedef struct csr {
    const int64_t *row_start, *col;
} csr;

static ns_status scan(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err)
{
    const csr *a = matrix->state;
    ns_entry batch[BATCH];
    size_t filled = 0;
    for (int64_t i = 0; i < matrix->info.rows; i++)
        for (int64_t k = a->row_start[i]; k < a->row_start[i + 1]; k++) {
            batch[filled++] = (ns_entry){i, a->col[k]};
            if (filled == BATCH) {
                NS_TRY(receive(context, batch, filled, err));
                filled = 0;
            }
        }
    return filled > 0 ? receive(context, batch, filled, err) : NS_OK;
}

/* Wrap the arrays as a matrix, which borrows them. */
static ns_status as_matrix(csr *a, int64_t rows, int64_t cols, ns_matrix *matrix, ns_error *err)
{
    if (rows < 0 || cols < 0 || a->row_start[0] != 0)
        return ns_fail(err, NS_ERR_RANGE, "CSR arrays want rows, cols >= 0 and row_start[0] = 0");
    for (int64_t i = 0; i < rows; i++)
        if (a->row_start[i + 1] < a->row_start[i])
            return ns_fail(err, NS_ERR_RANGE, "row_start[%lld] is smaller than the one before it", (long long)i + 1);
    const int64_t stored = a->row_start[rows];
    for (int64_t k = 0; k < stored; k++)
        if (a->col[k] < 0 || a->col[k] >= cols)
            return ns_fail(err, NS_ERR_RANGE, "col[%lld] = %lld is not in 0 to %lld", (long long)k,
                           (long long)a->col[k], (long long)cols - 1);
    *matrix = (ns_matrix){
        .info = {.name = "CSR arrays", .rows = rows, .cols = cols, .stored = stored, .source = NS_GENERATED},
        .scan = scan,
        .state = a};
    return NS_OK;
}

ns_status ns_exchange_from_csr(int64_t rows, int64_t cols, const int64_t *row_start, const int64_t *col,
                               ns_layout layout, const ns_exchange_options *options, ns_exchange **exchange,
                               ns_error *err)
{
    ns_error_clear(err);
    csr arrays = {row_start, col};
    ns_matrix matrix;
    NS_TRY(as_matrix(&arrays, rows, cols, &matrix, err));
    return ns_exchange_from_matrix(&matrix, &layout, 1, options, exchange, NULL, err);
}

ns_status ns_graph_from_csr(int64_t rows, int64_t cols, const int64_t *row_start, const int64_t *col, int32_t parts,
                            const ns_exchange_options *options, ns_graph **graph, ns_error *err)
{
    ns_error_clear(err);
    csr arrays = {row_start, col};
    ns_matrix matrix;
    NS_TRY(as_matrix(&arrays, rows, cols, &matrix, err));
    return ns_graph_from_matrix(&matrix, parts, options, graph, NULL, err);
}
