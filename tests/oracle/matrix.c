/* matrix.c -- positions of a matrix by row and by column, and random ones */
#include "core/memory.h"
#include "oracle.h"

#include <stdlib.h>

/* Stable counting sort: place entry i at its key's bucket. */
static void bucket(int64_t entries, const int64_t *key, const int64_t *value, int64_t keys, int64_t *start,
                   int64_t *out)
{
    for (int64_t i = 0; i < entries; i++)
        start[key[i] + 1]++;
    for (int64_t k = 0; k < keys; k++)
        start[k + 1] += start[k];
    int64_t *next = oracle_alloc(keys, sizeof *next);
    for (int64_t k = 0; k < keys; k++)
        next[k] = start[k];
    for (int64_t i = 0; i < entries; i++)
        out[next[key[i]]++] = value[i];
    ns_free(next);
}

/* The key of every place of a bucketed list. */
static int64_t *keys_of(int64_t keys, const int64_t *start)
{
    int64_t *key = oracle_alloc(start[keys], sizeof *key);
    for (int64_t k = 0; k < keys; k++)
        for (int64_t i = start[k]; i < start[k + 1]; i++)
            key[i] = k;
    return key;
}

/* By row, by column (rows ascend now), by row again (columns ascend now). */
void oracle_from_entries(int64_t rows, int64_t cols, int64_t entries, const int64_t *row, const int64_t *col,
                         oracle_matrix *matrix)
{
    *matrix = (oracle_matrix){.rows = rows, .cols = cols, .entries = entries};
    matrix->col_start = oracle_alloc(cols + 1, sizeof(int64_t));
    matrix->row_of = oracle_alloc(entries, sizeof(int64_t));
    matrix->row_start = oracle_alloc(rows + 1, sizeof(int64_t));
    matrix->col_of = oracle_alloc(entries, sizeof(int64_t));
    int64_t *start = oracle_alloc(rows + 1, sizeof *start), *unsorted = oracle_alloc(entries, sizeof *unsorted);
    bucket(entries, row, col, rows, start, unsorted);
    int64_t *row_key = keys_of(rows, start);
    bucket(entries, unsorted, row_key, cols, matrix->col_start, matrix->row_of);
    int64_t *col_key = keys_of(cols, matrix->col_start);
    bucket(entries, matrix->row_of, col_key, rows, matrix->row_start, matrix->col_of);
    ns_free(start);
    ns_free(unsorted);
    ns_free(row_key);
    ns_free(col_key);
}

void oracle_random_matrix(oracle_random *random, int64_t rows, int64_t cols, int64_t entries, int dense,
                          oracle_matrix *matrix)
{
    int64_t room = entries + dense * cols, count = 0;
    int64_t *row = oracle_alloc(room, sizeof *row), *col = oracle_alloc(room, sizeof *col);
    for (; rows > 0 && cols > 0 && count < entries; count++) {
        row[count] = oracle_below(random, rows);
        col[count] = oracle_below(random, cols);
    }
    for (int i = 0; rows > 0 && i < dense; i++) {
        int64_t full = oracle_below(random, rows);
        for (int64_t c = 0; c < cols; c++, count++) {
            row[count] = full;
            col[count] = c;
        }
    }
    oracle_from_entries(rows, cols, count, row, col, matrix);
    ns_free(row);
    ns_free(col);
}

void oracle_matrix_free(oracle_matrix *matrix)
{
    ns_free(matrix->row_start);
    ns_free(matrix->col_of);
    ns_free(matrix->col_start);
    ns_free(matrix->row_of);
    *matrix = (oracle_matrix){0, 0, 0, NULL, NULL, NULL, NULL};
}
