/* partition.c -- read a partition: one part number per row, as METIS and similar tools write it */
#include <nsmodel/matrix.h>

#include "bytes/lines.h"
#include "bytes/token.h"
#include "core/memory.h"

typedef struct partition {
    const char *path;
    int64_t rows, found;
    int32_t *part, largest;
    long line;
} partition;

static ns_status read_lines(partition *p, ns_lines *lines, unsigned char *text, ns_error *err)
{
    char quoted[64];
    size_t length = 0;
    uint64_t bytes = 0;
    do {
        NS_TRY(ns_lines_next(lines, text, &length, err));
        bytes += length;
        NS_TRY(ns_lines_check(lines, bytes, p->found, err));
        for (const unsigned char *at = text, *end; at < text + length; at = ns_line_next(end, text + length)) {
            end = ns_line_end(at);
            p->line++;
            const unsigned char *from = at, *to;
            uint64_t value = 0;
            while (from < end && ns_is_blank(*from))
                from++;
            if (from == end)
                return ns_fail_at(err, NS_ERR_SYNTAX, p->path, p->line, 0, "a blank line, wanted a part number");
            if (*from == '%' || *from == '#')
                continue;
            for (to = from; to < end && ns_is_digit(*to); to++)
                if (value < INT32_MAX)
                    value = 10 * value + (uint64_t)(*to - '0');
            const unsigned char *rest = to;
            while (rest < end && ns_is_blank(*rest))
                rest++;
            long column = (long)(from - at) + 1;
            if (to == from || rest < end)
                return ns_fail_at(err, NS_ERR_SYNTAX, p->path, p->line, column, "%s, wanted one part number from 0",
                                  ns_token_quote(from, end, quoted));
            if (value >= INT32_MAX)
                return ns_fail_at(err, NS_ERR_RANGE, p->path, p->line, column,
                                  "part number %s is too large, wanted less than %d", ns_token_quote(from, to, quoted),
                                  INT32_MAX);
            if (p->found == p->rows)
                return ns_fail_at(err, NS_ERR_DATA, p->path, p->line, 0,
                                  "more than %lld part numbers, wanted one for each of the %lld rows",
                                  (long long)p->rows, (long long)p->rows);
            p->part[p->found++] = (int32_t)value;
            if ((int32_t)value > p->largest)
                p->largest = (int32_t)value;
        }
    } while (!lines->ended);
    if (p->found < p->rows)
        return ns_fail_at(err, NS_ERR_DATA, p->path, p->line, 0,
                          "the file ends after %lld part numbers, wanted one for each of the %lld rows",
                          (long long)p->found, (long long)p->rows);
    return NS_OK;
}

ns_status ns_partition_read(const char *path, int64_t rows, int32_t **part, int32_t *parts, ns_error *err)
{
    ns_error_clear(err);
    partition p = {.path = path, .rows = rows, .largest = -1};
    if (rows < 0 || (uint64_t)rows > SIZE_MAX / sizeof *p.part - 1)
        return ns_fail_at(err, NS_ERR_RANGE, path, 0, 0, "a partition of %lld rows", (long long)rows);
    unsigned char *text = ns_malloc(NS_PIECE_ROOM);
    p.part = ns_malloc(ns_size_mul(ns_size_add((size_t)rows, 1), sizeof *p.part));
    ns_lines lines;
    long member = -1;
    ns_status status =
        text != NULL && p.part != NULL
            ? ns_lines_open(path, &member, &lines, err)
            : ns_fail_at(err, NS_ERR_MEMORY, path, 0, 0, "not enough memory for %lld part numbers", (long long)rows);
    if (status == NS_OK) {
        status = read_lines(&p, &lines, text, err);
        ns_lines_close(&lines);
    }
    ns_free(text);
    if (status != NS_OK) {
        ns_free(p.part);
        return status;
    }
    *part = p.part;
    *parts = p.largest + 1;
    return NS_OK;
}
