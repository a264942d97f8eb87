/* fuzz_reader.c -- the reader of Matrix Market files against the slow one of tests/oracle: what the reader accepts, the
 * oracle accepts, and both have the same entries
 *
 * The oracle is the more lenient of the two and is asked about plain text alone: what a gzip or tar file holds is
 * unpacked by zlib in both.
 */
#include "take.h"

#include <oracle/oracle.h>

enum { READER_DIMENSION = 2000 };

typedef struct reader_seen {
    int64_t entries, capacity, *row, *col;
} reader_seen;

static ns_status reader_receive(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    reader_seen *seen = context;
    (void)err;
    if (seen->entries + (int64_t)count > seen->capacity) {
        seen->capacity = 2 * (seen->entries + (int64_t)count);
        seen->row = ns_realloc(seen->row, (size_t)seen->capacity * sizeof *seen->row);
        seen->col = ns_realloc(seen->col, (size_t)seen->capacity * sizeof *seen->col);
        REQUIRE(seen->row != NULL && seen->col != NULL);
    }
    for (size_t i = 0; i < count; i++, seen->entries++) {
        seen->row[seen->entries] = entries[i].row;
        seen->col[seen->entries] = entries[i].col;
    }
    return NS_OK;
}

static void reader_compare(const char *path, const ns_matrix_info *info, const reader_seen *seen)
{
    oracle_matrix slow, fast;
    REQUIRE(oracle_read(path, &slow));
    REQUIRE(slow.rows == info->rows && slow.cols == info->cols && slow.entries == seen->entries);
    oracle_from_entries(info->rows, info->cols, seen->entries, seen->row, seen->col, &fast);
    REQUIRE(memcmp(slow.row_start, fast.row_start, ((size_t)slow.rows + 1) * sizeof *slow.row_start) == 0);
    if (slow.entries > 0)
        REQUIRE(memcmp(slow.col_of, fast.col_of, (size_t)slow.entries * sizeof *slow.col_of) == 0);
    oracle_matrix_free(&slow);
    oracle_matrix_free(&fast);
}

FUZZ(reader)
{
    reader_seen seen = {0};
    ns_matrix *matrix;
    ns_error err = {0};
    if (size < 2 || data[0] != '%')
        return;
    const char *path = fuzz_file(data, size);
    ns_status status = ns_matrix_open(path, &matrix, &err);
    fuzz_check_error(status, &err);
    if (status != NS_OK)
        return;
    const ns_matrix_info *info = ns_matrix_describe(matrix);
    if (info->rows <= READER_DIMENSION && info->cols <= READER_DIMENSION) {
        ns_matrix_limit(matrix, 1 << 16);
        status = ns_matrix_scan(matrix, reader_receive, &seen, &err);
        fuzz_check_error(status, &err);
        if (status == NS_OK)
            reader_compare(path, info, &seen);
    }
    ns_matrix_free(matrix);
    ns_free(seen.row);
    ns_free(seen.col);
}
