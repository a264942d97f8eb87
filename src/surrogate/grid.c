/* grid.c -- meshes whose nodes are places of a lattice: numbering, added links, rows of full blocks */
#include "surrogate/grid.h"

#include "core/memory.h"

#include <assert.h>
#include <stdlib.h>

/* ---- rows of full blocks for a receiver -------------------------------------------------------------------------- */

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

int ns_links_compare(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

void ns_columns_sort(int32_t *columns, int count)
{
    for (int i = 1; i < count; i++) {
        const int32_t column = columns[i];
        int at = i;
        for (; at > 0 && columns[at - 1] > column; at--)
            columns[at] = columns[at - 1];
        columns[at] = column;
    }
}

/* ---- numbering --------------------------------------------------------------------------------------------------- */

static int32_t key_of(const ns_grid *grid, int32_t place)
{
    const int32_t line = grid->nx, slab = line * grid->ny;
    return grid->key(grid, place % line, place % slab / line, place / slab);
}

ns_status ns_grid_open(ns_grid *grid, ns_error *err)
{
    const size_t places = ns_size_mul(ns_size_mul((size_t)grid->nx, (size_t)grid->ny), (size_t)grid->nz);
    int32_t *first = ns_malloc(ns_size_mul(ns_size_add(places, 1), sizeof *first));
    grid->number = ns_malloc(ns_size_mul(places, sizeof *grid->number));
    grid->place = ns_malloc(ns_size_mul((size_t)grid->nodes, sizeof *grid->place));
    grid->link = ns_malloc(ns_size_mul(ns_size_mul(2, ns_size_add(grid->links, 1)), sizeof *grid->link));
    grid->used = 0;
    if (first == NULL || grid->number == NULL || grid->place == NULL || grid->link == NULL) {
        ns_free(first);
        return ns_fail(err, NS_ERR_MEMORY, "no memory for the nodes of \"%s\"", grid->name);
    }
    /* stable counting sort by key */
    for (size_t i = 0; i <= places; i++)
        first[i] = 0;
    for (int32_t i = 0; i < (int32_t)places; i++) {
        const int32_t key = key_of(grid, i);
        assert(key < (int32_t)places);
        if (key >= 0)
            first[key + 1]++;
    }
    for (size_t i = 0; i < places; i++)
        first[i + 1] += first[i];
    assert(first[places] >= grid->nodes);
    for (int32_t i = 0; i < (int32_t)places; i++) {
        const int32_t key = key_of(grid, i), number = key < 0 ? grid->nodes : first[key]++;
        grid->number[i] = number < grid->nodes ? number : -1;
        if (number < grid->nodes)
            grid->place[number] = i;
    }
    ns_free(first);
    return NS_OK;
}

void ns_grid_close(ns_grid *grid)
{
    ns_free(grid->number);
    ns_free(grid->place);
    ns_free(grid->link);
    grid->number = grid->place = NULL;
    grid->link = NULL;
}

/* ---- links ------------------------------------------------------------------------------------------------------ */

bool ns_grid_link(ns_grid *grid, int32_t a, int32_t b)
{
    if (grid->used == 2 * grid->links)
        return false;
    grid->link[grid->used++] = (uint64_t)a << 32 | (uint32_t)b;
    grid->link[grid->used++] = (uint64_t)b << 32 | (uint32_t)a;
    return true;
}

bool ns_grid_hub(ns_grid *grid, int32_t x, int32_t y, int32_t z, int length)
{
    const int32_t hub = ns_grid_at(grid, x, y, z);
    if (hub < 0)
        return true;
    int32_t columns[NS_GRID_ROOM];
    const int32_t most = grid->far;
    int reached = grid->row(grid, grid->place[hub], columns);
    for (int32_t far = 2; far <= NS_GRID_REACH; far++) /* shells of places at Chebyshev distance `far` */
        for (int32_t dz = -far; dz <= far; dz++)
            for (int32_t dy = -far; dy <= far; dy++)
                for (int32_t dx = -far; dx <= far && reached < length; dx++) {
                    const bool shell = abs(dx) == far || abs(dy) == far || abs(dz) == far;
                    const int32_t other = shell ? ns_grid_at(grid, x + dx, y + dy, z + dz) : -1;
                    if (other < 0 || (most > 0 && abs(other - hub) > most) ||
                        (grid->longest > 0 && grid->row(grid, grid->place[other], columns) + 3 >= grid->longest))
                        continue;
                    if (!ns_grid_link(grid, hub, other))
                        return false;
                    reached++;
                }
    return grid->used < 2 * grid->links;
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

struct rows {
    const ns_grid *grid;
    ns_block_rows *blocks;
    int32_t hole[2];
};

/* Send the block row that has the hole, entry by entry: entries are left out by rows in one direction and by columns in
 * the other, so that the pattern stays symmetric. */
static ns_status send_torn(struct rows *rows, int32_t row, const int32_t *columns, int count)
{
    const int32_t k = rows->grid->unknowns, a = rows->hole[0], b = rows->hole[1], first = k * k - rows->grid->hole;
    for (int32_t i = 0; i < k; i++) {
        NS_TRY(ns_block_rows_room(rows->blocks, (size_t)(count * k)));
        for (int c = 0; c < count; c++)
            for (int32_t j = 0; j < k; j++) {
                const bool out = row == a && columns[c] == b && i * k + j >= first,
                           back = row == b && columns[c] == a && j * k + i >= first;
                if (!out && !back)
                    rows->blocks->patch[rows->blocks->count++] =
                        (ns_patch){(int64_t)k * row + i, 1, (int64_t)k * columns[c] + j, 1};
            }
    }
    return NS_OK;
}

ns_status ns_grid_scan(ns_grid *grid, ns_patch_fn *receive, void *context, ns_error *err)
{
    struct rows rows = {.grid = grid, .blocks = ns_block_rows_new(grid->name, receive, context, err), .hole = {-1, -1}};
    if (rows.blocks == NULL)
        return NS_ERR_MEMORY;
    if (grid->used > 0) {
        rows.hole[0] = (int32_t)(grid->link[0] >> 32);
        rows.hole[1] = (int32_t)(grid->link[0] & UINT32_MAX);
    }
    qsort(grid->link, grid->used, sizeof *grid->link, ns_links_compare);
    ns_status status = NS_OK;
    size_t next = 0; /* the first link whose row has not been sent */
    for (int32_t row = 0; status == NS_OK && row < grid->nodes; row++) {
        int32_t columns[NS_GRID_ROOM];
        int count = grid->row(grid, grid->place[row], columns);
        for (; next < grid->used && grid->link[next] >> 32 == (uint64_t)row; next++) {
            assert(count < NS_GRID_ROOM);
            columns[count++] = (int32_t)(grid->link[next] & UINT32_MAX);
        }
        ns_columns_sort(columns, count);
        status = grid->hole > 0 && (row == rows.hole[0] || row == rows.hole[1])
                     ? send_torn(&rows, row, columns, count)
                     : ns_block_row(rows.blocks, row, grid->unknowns, columns, count);
    }
    if (status == NS_OK)
        status = ns_block_rows_flush(rows.blocks);
    ns_free(rows.blocks);
    return status;
}
