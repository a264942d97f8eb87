/* fuzz_reader.c -- the reader of Matrix Market files against the slow one of tests/oracle: what the reader accepts, the
 * oracle accepts, and both have the same entries; and the reader by both of its ways, errors too
 *
 * The oracle is the more lenient of the two and is asked about plain text alone: what a gzip or tar file holds is
 * unpacked by zlib in both.
 */
#include "take.h"

#include "core/memory.h"
#include "matrix/market/market.h"

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

static void reader_compare(const char *path, const ns_market *info, const reader_seen *seen)
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

/* Entries and errors by one of the two ways that lines are read. */
static ns_status reader_scan(const char *path, const ns_market *market, bool portable, reader_seen *seen, ns_error *err)
{
    long member = -1;
    ns_market by = *market;
    by.portable = portable;
    const ns_status status = ns_market_scan(path, &member, &by, 0, reader_receive, seen, err);
    fuzz_check_error(status, err);
    return status;
}

static ns_status reader_header(const char *path, ns_market *market)
{
    ns_lines lines;
    ns_market_start start;
    ns_error err = {0};
    long member = -1;
    unsigned char *text = ns_malloc(NS_PIECE_ROOM);
    REQUIRE(text != NULL && ns_lines_open(path, &member, &lines, &err) == NS_OK);
    const ns_status status = ns_market_header(&lines, text, market, &start, &err);
    ns_lines_close(&lines);
    ns_free(text);
    fuzz_check_error(status, &err);
    return status;
}

static void reader_same(const reader_seen *seen, const ns_error *err)
{
    REQUIRE(err[0].code == err[1].code && err[0].line == err[1].line && err[0].column == err[1].column);
    REQUIRE(strcmp(err[0].text, err[1].text) == 0 && seen[0].entries == seen[1].entries);
    for (int64_t i = 0; i < seen[0].entries; i++)
        REQUIRE(seen[0].row[i] == seen[1].row[i] && seen[0].col[i] == seen[1].col[i]);
}

FUZZ(reader)
{
    reader_seen seen[2] = {{0}, {0}};
    ns_error err[2] = {{0}, {0}};
    ns_market market;
    if (size < 2 || data[0] != '%')
        return;
    const char *path = fuzz_file(data, size);
    if (reader_header(path, &market) != NS_OK || market.rows > READER_DIMENSION || market.cols > READER_DIMENSION)
        return;
    for (int way = 0; way < 2; way++)
        (void)reader_scan(path, &market, way == 1, &seen[way], &err[way]);
    reader_same(seen, err);
    if (err[0].code == NS_OK)
        reader_compare(path, &market, &seen[0]);
    for (int way = 0; way < 2; way++) {
        ns_free(seen[way].row);
        ns_free(seen[way].col);
    }
}
