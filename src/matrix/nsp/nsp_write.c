/* nsp_write.c -- write a matrix to an .nsp file */
#include "bytes/gunzip.h"
#include "core/memory.h"
#include "io/whole_file.h"
#include "matrix/nsp/nsp.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

/* A block's size fits in 32 bits; level 9 takes 7 times as long for 2 % less. */
enum { RAW_TARGET = 1 << 18, ROW_MOST = 1 << 28, LEVEL = 6 };

typedef struct nsp_writer {
    FILE *file;
    int handle; /* the same */
    const char *path;
    int64_t first_row; /* row of the whole matrix where this part begins */
    uint64_t begin, offset;
    unsigned char *raw, *packed;
    int64_t raw_used, raw_room, packed_room;
    ns_nsp_block *block;
    int64_t blocks, block_room;
    uint64_t entries;                 /* stored so far */
    int64_t row_before, first_before; /* of the row encoded last */
    ns_nsp_block open;                /* the block being filled */
    ns_budget budget;
} nsp_writer;

static ns_status fail_write(const char *path, ns_error *err)
{
    return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "could not be written (is the disk full?)");
}

static ns_status end_block(nsp_writer *w, ns_error *err)
{
    if (w->raw_used == 0)
        return NS_OK;
    size_t size = compressBound((uLong)w->raw_used);
    NS_TRY(ns_grow(&w->packed, &w->packed_room, (int64_t)size, 1, &w->budget, err));
    if (ns_zlib_pack(w->packed, &size, w->raw, (size_t)w->raw_used, LEVEL) != Z_OK)
        return ns_no_memory(err);
    if (fwrite(w->packed, 1, size, w->file) != size)
        return fail_write(w->path, err);
    NS_TRY(ns_grow(&w->block, &w->block_room, w->blocks + 1, sizeof *w->block, &w->budget, err));
    w->open.packed = (uint32_t)size;
    w->open.raw = (uint32_t)w->raw_used;
    w->open.crc = (uint32_t)crc32(0, w->packed, (uInt)size);
    w->block[w->blocks++] = w->open;
    w->offset += size;
    w->raw_used = 0;
    return NS_OK;
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Encode a row; its columns are sorted in place. */
static ns_status add_row(nsp_writer *w, int64_t row_here, int64_t *col, int64_t count, ns_error *err)
{
    const int64_t row = w->first_row + row_here;
    if (w->raw_used == 0) {
        w->open = (ns_nsp_block){.offset = w->offset, .row_before = (uint64_t)w->row_before};
        w->first_before = 0;
    }
    if (count > ROW_MOST)
        return ns_fail_at(err, NS_ERR_LIMIT, w->path, 0, 0,
                          "row %lld has %lld entries, more than the %d that .nsp takes", (long long)row + 1,
                          (long long)count, (int)ROW_MOST);
    NS_TRY(ns_grow(&w->raw, &w->raw_room, ns_count_add(w->raw_used, NS_VARINT_MOST * (count + 3)), 1, &w->budget, err));
    int64_t sorted = 1;
    while (sorted < count && col[sorted] >= col[sorted - 1])
        sorted++;
    if (sorted < count)
        qsort(col, (size_t)count, sizeof *col, ascending);
    unsigned char *at = w->raw + w->raw_used;
    at = ns_put_varint(at, (uint64_t)(row - w->row_before));
    at = ns_put_varint(at, (uint64_t)count - 1);
    at = ns_put_varint(at, ns_zigzag(col[0] - w->first_before));
    for (int64_t i = 1; i < count; i++)
        at = ns_put_varint(at, (uint64_t)(col[i] - col[i - 1]));
    w->raw_used = at - w->raw;
    w->row_before = row;
    w->first_before = col[0];
    w->open.entries += (uint64_t)count;
    w->entries += (uint64_t)count;
    return w->raw_used >= RAW_TARGET ? end_block(w, err) : NS_OK;
}

/* Start again with the first row. */
static ns_status begin_rows(nsp_writer *w, ns_error *err)
{
    w->raw_used = w->blocks = 0;
    w->entries = 0;
    w->row_before = w->first_row - 1;
    w->offset = w->begin;
    if (fseek(w->file, (long)w->offset, SEEK_SET) != 0 || ftruncate(w->handle, (off_t)w->offset) != 0)
        return fail_write(w->path, err);
    return NS_OK;
}

/* ---- the rows one after the other, in whatever order entries come
 *
 * Rows that ascend go through.  Others are kept as they come, as runs down a column: three numbers a run, each as the
 * difference to the run before, so that a file written column by column takes a few bytes a run.  The runs are then
 * gone over for one panel of rows after the other, each of 1/8 of the entries or 1 Mi.
 */

enum { PANEL = 1 << 20, PANELS = 8, SPARSE = 16, RUN_MOST = 3 * NS_VARINT_MOST };

typedef struct run {
    int64_t row, col, count; /* rows [row, row + count) of one column */
} run;

typedef struct ordering {
    ns_matrix *matrix;
    bool triangle, half; /* half: of two mirrored entries only one is passed, either of them */
    bool descends;       /* a row came after a later one */
    int64_t row, kept;   /* ascending rows: the current one */
    int64_t *col, room;  /* its columns, or those of a panel */
    unsigned char *runs; /* packed */
    int64_t used, runs_room;
    run open, before;   /* the current run, and the one packed last */
    nsp_writer *writer; /* receives the rows by rising number, the columns in any order */
} ordering;

/* Is the entry stored?  Then *entry is replaced by its stored position. */
static inline bool wanted(const ordering *o, ns_entry *entry)
{
    if (!o->triangle || entry->col <= entry->row)
        return true;
    if (o->half)
        *entry = (ns_entry){entry->col, entry->row};
    return o->half;
}

static ns_status scan(ordering *o, ns_entry_fn *receive, ns_error *err)
{
    return o->half ? ns_matrix_scan_half(o->matrix, receive, o, err) : ns_matrix_scan(o->matrix, receive, o, err);
}

static ns_status end_row(ordering *o, ns_error *err)
{
    const int64_t count = o->kept;
    o->kept = 0;
    return count > 0 ? add_row(o->writer, o->row, o->col, count, err) : NS_OK;
}

static ns_status stream(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    ordering *o = context;
    for (size_t i = 0; i < count; i++) {
        ns_entry e = entries[i];
        if (!wanted(o, &e))
            continue;
        if (e.row != o->row) {
            NS_TRY(end_row(o, err));
            o->descends = e.row < o->row;
            if (o->descends)
                return NS_ERR_DATA; /* ends the scan; no error is set */
            o->row = e.row;
        }
        NS_TRY(ns_grow(&o->col, &o->room, o->kept + 1, sizeof *o->col, &o->writer->budget, err));
        o->col[o->kept++] = e.col;
    }
    return NS_OK;
}

static ns_status pack_run(ordering *o, ns_error *err)
{
    if (o->open.count == 0)
        return NS_OK;
    NS_TRY(ns_grow(&o->runs, &o->runs_room, o->used + RUN_MOST, 1, &o->writer->budget, err));
    unsigned char *at = o->runs + o->used;
    at = ns_put_varint(at, ns_zigzag(o->open.row - o->before.row));
    at = ns_put_varint(at, ns_zigzag(o->open.col - o->before.col));
    at = ns_put_varint(at, (uint64_t)o->open.count);
    o->used = at - o->runs;
    o->before = o->open;
    return NS_OK;
}

static ns_status keep(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    ordering *o = context;
    for (size_t i = 0; i < count; i++) {
        ns_entry e = entries[i];
        if (!wanted(o, &e))
            continue;
        o->kept++;
        if (e.col == o->open.col && e.row == o->open.row + o->open.count) {
            o->open.count++;
            continue;
        }
        NS_TRY(pack_run(o, err));
        o->open = (run){e.row, e.col, 1};
    }
    return NS_OK;
}

/* The next of the packed runs; false after the last. */
static inline bool next_run(const ordering *o, const unsigned char **at, run *r)
{
    const unsigned char *end = o->runs + o->used;
    uint64_t row, col, count;
    if (*at == end || !ns_get_varint(at, end, &row) || !ns_get_varint(at, end, &col) || !ns_get_varint(at, end, &count))
        return false;
    *r = (run){r->row + ns_unzigzag(row), r->col + ns_unzigzag(col), (int64_t)count};
    return true;
}

static ns_status by_panels(ordering *o, ns_error *err)
{
    const int64_t rows = o->matrix->info.rows;
    int64_t room = o->kept / PANELS > PANEL ? o->kept / PANELS : PANEL;
    const unsigned char *at = o->runs;
    int64_t *count;
    room = room < o->kept ? room : o->kept;
    NS_TRY(ns_take(&count, rows, sizeof *count, &o->writer->budget, err));
    for (run r = {0, 0, 0}; next_run(o, &at, &r);)
        for (int64_t row = r.row; row < r.row + r.count; row++)
            room = ++count[row] > room ? count[row] : room;
    ns_status status = ns_grow(&o->col, &o->room, room, sizeof *o->col, &o->writer->budget, err);
    for (int64_t first = 0, last = 0; status == NS_OK && first < rows; first = last) {
        int64_t filled = 0, end = 0;
        for (; last < rows && filled + count[last] <= room; last++) {
            const int64_t entries = count[last];
            count[last] = filled;
            filled += entries;
        }
        const unsigned char *packed = o->runs;
        for (run r = {0, 0, 0}; filled > 0 && next_run(o, &packed, &r);) {
            const int64_t from = r.row > first ? r.row : first, to = r.row + r.count < last ? r.row + r.count : last;
            for (int64_t row = from; row < to; row++) /* count[row] is where the row's next column belongs */
                o->col[count[row]++] = r.col;
        }
        for (int64_t row = first; status == NS_OK && row < last; end = count[row++])
            if (count[row] > end)
                status = add_row(o->writer, row, o->col + end, count[row] - end, err);
    }
    ns_give_back(count, rows, sizeof *count, &o->writer->budget);
    return status;
}

static int by_row(const void *a, const void *b)
{
    const ns_entry *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

/* For far more rows than entries. */
static ns_status by_sorting(ordering *o, ns_error *err)
{
    const int64_t entries = o->kept;
    const unsigned char *at = o->runs;
    int64_t filled = 0;
    ns_entry *entry;
    NS_TRY(ns_take(&entry, entries, sizeof *entry, &o->writer->budget, err));
    for (run r = {0, 0, 0}; next_run(o, &at, &r);)
        for (int64_t row = r.row; row < r.row + r.count; row++)
            entry[filled++] = (ns_entry){row, r.col};
    qsort(entry, (size_t)filled, sizeof *entry, by_row);
    o->row = -1;
    o->kept = 0;
    ns_status status = stream(o, entry, (size_t)filled, err);
    if (status == NS_OK)
        status = end_row(o, err);
    ns_give_back(entry, entries, sizeof *entry, &o->writer->budget);
    return status;
}

/* Write the entries with column <= row when triangle is set, else all.  One scan, and a second one from the beginning
 * when the rows turn out not to ascend. */
static ns_status write_rows(nsp_writer *w, ns_matrix *matrix, bool triangle, ns_error *err)
{
    ordering o = {
        .matrix = matrix, .triangle = triangle, .half = triangle && matrix->scan_half != NULL, .row = -1, .writer = w};
    ns_status status = scan(&o, stream, err);
    if (status == NS_OK)
        status = end_row(&o, err);
    else if (o.descends) { /* scan all rows again */
        o.kept = 0;
        status = begin_rows(w, err);
        if (status == NS_OK)
            status = scan(&o, keep, err);
        if (status == NS_OK)
            status = pack_run(&o, err);
        if (status == NS_OK)
            status = matrix->info.rows / SPARSE > o.kept ? by_sorting(&o, err) : by_panels(&o, err);
    }
    ns_give_back(o.col, o.room, sizeof *o.col, &w->budget);
    ns_give_back(o.runs, o.runs_room, 1, &w->budget);
    return status;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

void ns_nsp_index(const ns_nsp_block *block, uint64_t moved, unsigned char bytes[NS_NSP_INDEX])
{
    memset(bytes, 0, NS_NSP_INDEX);
    ns_put_le(bytes, block->offset + moved, 8);
    ns_put_le(bytes + 8, block->row_before, 8);
    ns_put_le(bytes + 16, block->entries, 8);
    ns_put_le(bytes + 24, block->packed, 4);
    ns_put_le(bytes + 28, block->raw, 4);
    ns_put_le(bytes + 32, block->crc, 4);
}

void ns_nsp_header(const ns_matrix_info *info, const ns_nsp_blocks *blocks, uint32_t crc,
                   unsigned char header[NS_NSP_HEADER])
{
    memset(header, 0, NS_NSP_HEADER);
    memcpy(header, ns_nsp_magic, sizeof ns_nsp_magic);
    ns_put_le(header + 8, NS_NSP_VERSION, 4);
    ns_put_le(header + 12,
              (uint64_t)info->symmetry | (info->symmetry != NS_GENERAL ? NS_NSP_TRIANGLE : 0) |
                  (info->source == NS_SURROGATE ? NS_NSP_SURROGATE : 0),
              4);
    ns_put_le(header + 16, (uint64_t)info->rows, 8);
    ns_put_le(header + 24, (uint64_t)info->cols, 8);
    ns_put_le(header + 32, blocks->entries, 8);
    ns_put_le(header + 40, (uint64_t)blocks->blocks, 8);
    ns_put_le(header + 48, blocks->end, 8);
    ns_put_le(header + 56, blocks->end + (uint64_t)blocks->blocks * NS_NSP_INDEX, 8);
    ns_put_le(header + 64, strlen(info->name), 4);
    ns_put_le(header + 68, crc, 4);
    ns_put_le(header + 92, crc32(0, header, 92), 4);
}

ns_status ns_nsp_pack(ns_matrix *matrix, bool triangle, int64_t first_row, const ns_nsp_target *target,
                      ns_nsp_blocks *blocks, ns_error *err)
{
    nsp_writer w = {.file = target->file,
                    .handle = target->handle,
                    .path = target->path,
                    .first_row = first_row,
                    .begin = target->begin,
                    .budget = {.limit = target->max_memory}};
    ns_status status = begin_rows(&w, err);
    if (status == NS_OK)
        status = write_rows(&w, matrix, triangle, err);
    if (status == NS_OK)
        status = end_block(&w, err);
    ns_free(w.raw);
    ns_free(w.packed);
    if (status == NS_OK)
        *blocks = (ns_nsp_blocks){w.block, w.blocks, w.entries, w.offset};
    else
        ns_free(w.block);
    return status;
}

static ns_status write_all(const ns_nsp_target *target, ns_matrix *matrix, ns_error *err)
{
    unsigned char header[NS_NSP_HEADER] = {0};
    const char *name = matrix->info.name;
    const size_t length = strlen(name);
    uint32_t crc = (uint32_t)crc32(0, (const unsigned char *)name, (uInt)length);
    ns_nsp_blocks blocks;
    if (fwrite(header, 1, sizeof header, target->file) != sizeof header ||
        fwrite(name, 1, length, target->file) != length)
        return fail_write(target->path, err);
    NS_TRY(ns_nsp_pack(matrix, matrix->info.symmetry != NS_GENERAL, 0, target, &blocks, err));
    ns_status status = NS_OK;
    for (int64_t i = 0; status == NS_OK && i < blocks.blocks; i++) {
        unsigned char bytes[NS_NSP_INDEX];
        ns_nsp_index(&blocks.block[i], 0, bytes);
        crc = (uint32_t)crc32(crc, bytes, sizeof bytes);
        if (fwrite(bytes, 1, sizeof bytes, target->file) != sizeof bytes)
            status = fail_write(target->path, err);
    }
    ns_nsp_header(&matrix->info, &blocks, crc, header);
    ns_free(blocks.block);
    NS_TRY(status);
    if (fseek(target->file, 0, SEEK_SET) != 0 || fwrite(header, 1, sizeof header, target->file) != sizeof header)
        return fail_write(target->path, err);
    return NS_OK;
}

ns_status ns_matrix_save(ns_matrix *matrix, const char *path, int64_t max_memory, ns_error *err)
{
    ns_error_clear(err);
    ns_whole_file whole;
    NS_TRY(ns_whole_file_begin(path, NS_FOR_ALL, &whole, err));
    const ns_nsp_target target = {.file = whole.file,
                                  .handle = whole.handle,
                                  .path = path,
                                  .begin = NS_NSP_HEADER + strlen(matrix->info.name),
                                  .max_memory = max_memory};
    return ns_whole_file_end(&whole, write_all(&target, matrix, err), err);
}
