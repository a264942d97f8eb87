/* fuzz_matrix.c -- any bytes as a matrix file: plain, gzip or tar */
#include "fuzz.h"

typedef struct matrix_seen {
    int64_t rows, cols, entries;
    uint64_t hash;
} matrix_seen;

static ns_status matrix_receive(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    matrix_seen *seen = context;
    (void)err;
    for (size_t i = 0; i < count; i++) {
        REQUIRE(entries[i].row >= 0 && entries[i].row < seen->rows);
        REQUIRE(entries[i].col >= 0 && entries[i].col < seen->cols);
        seen->hash = (seen->hash ^ (uint64_t)entries[i].row) * UINT64_C(0x100000001b3);
        seen->hash = (seen->hash ^ (uint64_t)entries[i].col) * UINT64_C(0x100000001b3);
    }
    seen->entries += (int64_t)count;
    return NS_OK;
}

/* Two scans tell the same, in every bit. */
static ns_status matrix_scan(ns_matrix *matrix, matrix_seen *seen)
{
    ns_status status[2];
    matrix_seen each[2];
    for (int i = 0; i < 2; i++) {
        ns_error err = {0};
        each[i] = (matrix_seen){.rows = ns_matrix_describe(matrix)->rows, .cols = ns_matrix_describe(matrix)->cols};
        status[i] = ns_matrix_scan(matrix, matrix_receive, &each[i], &err);
        fuzz_check_error(status[i], &err);
    }
    REQUIRE(status[0] == status[1] && each[0].entries == each[1].entries && each[0].hash == each[1].hash);
    *seen = each[0];
    return status[0];
}

static void matrix_exchange(ns_matrix *matrix, int64_t entries)
{
    static const ns_layout layout[] = {{7, 2}, {3, 1}};
    ns_exchange_options options = {.max_memory = 64 << 20};
    ns_exchange *exchange[2];
    ns_error err = {0};
    int64_t nonzeros;
    ns_status status = ns_exchange_from_matrix(matrix, layout, 2, &options, exchange, &nonzeros, &err);
    fuzz_check_error(status, &err);
    if (status != NS_OK)
        return;
    REQUIRE(nonzeros == entries);
    for (int i = 0; i < 2; i++) {
        REQUIRE(exchange[i]->pattern.bytes_off_node <= exchange[i]->pattern.bytes_total);
        REQUIRE(exchange[i]->pattern.unique_bytes_off_node <= exchange[i]->pattern.bytes_off_node);
        ns_exchange_free(exchange[i]);
    }
}

FUZZ(matrix)
{
    ns_matrix *matrix;
    matrix_seen seen;
    ns_error err = {0};
    ns_status status = ns_matrix_open(fuzz_file(data, size), &matrix, &err);
    fuzz_check_error(status, &err);
    if (status != NS_OK)
        return;
    const ns_matrix_info *info = ns_matrix_describe(matrix);
    REQUIRE(info->rows >= 0 && info->cols >= 0 && info->stored >= -1);
    if (matrix_scan(matrix, &seen) == NS_OK && info->rows <= 1 << 20 && info->cols <= 1 << 20)
        matrix_exchange(matrix, seen.entries);
    ns_matrix_free(matrix);
}
