/* blocks.c -- rows of full blocks, as patches on their way to a receiver */
#include "surrogate/blocks.h"

#include "core/memory.h"

ns_block_rows *ns_block_rows_new(const char *name, ns_patch_fn *receive, void *context, ns_error *err)
{
    ns_block_rows *rows = ns_malloc(sizeof *rows);
    if (rows == NULL) {
        ns_fail(err, NS_ERR_MEMORY, "no memory for the entries of \"%s\", wanted 128 KiB", name);
        return NULL;
    }
    rows->receive = receive;
    rows->context = context;
    rows->err = err;
    rows->count = 0;
    return rows;
}

ns_status ns_block_rows_room(ns_block_rows *rows, size_t more)
{
    const size_t count = rows->count;
    if (count == 0 || count + more <= NS_BLOCK_PATCHES)
        return NS_OK;
    rows->count = 0;
    return rows->receive(rows->context, rows->patch, count, rows->err);
}

ns_status ns_block_row(ns_block_rows *rows, int32_t row, int32_t unknowns, const int32_t *columns, int count)
{
    NS_TRY(ns_block_rows_room(rows, (size_t)count));
    ns_patch *patch = &rows->patch[rows->count];
    for (int i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && columns[next] == columns[next - 1] + 1; next++)
            ;
        *patch++ = (ns_patch){.row = (int64_t)unknowns * row,
                              .rows = unknowns,
                              .col = (int64_t)unknowns * columns[i],
                              .cols = (int64_t)unknowns * (next - i)};
    }
    rows->count = (size_t)(patch - rows->patch);
    return NS_OK;
}
