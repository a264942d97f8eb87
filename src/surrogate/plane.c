/* plane.c -- nodes of a sheet of triangles on a lattice of squares
 *
 * Every square is cut by one diagonal.  If all are alike, an inner row has 7 nodes; if they alternate, 9 or 5 (the
 * tetrakis tiling).  Turning a diagonal makes two rows longer by one and two shorter, and keeps the number of links.
 */
#include "surrogate/plane.h"

#include "surrogate/lattice.h"

/* Does the diagonal of square (x, y) run from its low corner to its high one? */
static bool rises(const ns_plane *plane, const ns_grid *grid, int32_t x, int32_t y)
{
    const uint64_t square = (uint64_t)y * (uint64_t)grid->nx + (uint64_t)x;
    const bool turned = (ns_lattice_hash(square + (plane->seed << 32)) & 65535) < plane->turned;
    const bool corner = x + y == 0 || (x == grid->nx - 2 && y >= grid->ny - 3); /* also below an incomplete last line */
    const bool other = (x == 0 && y == grid->ny - 2) || (x == grid->nx - 2 && y == 0);
    const bool plain = !plane->alternate || (x + y) % 2 == 0;
    return corner || (!other && plain != turned);
}

int ns_plane_row(const ns_grid *grid, int32_t place, int32_t columns[NS_GRID_ROOM])
{
    const ns_plane *plane = grid->shape;
    const int32_t x = place % grid->nx, y = place / grid->nx;
    int count = 0;
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++) {
            const int32_t number = ns_grid_at(grid, x + dx, y + dy, 0);
            if (number < 0)
                continue;
            const bool diagonal = dx != 0 && dy != 0;
            if (diagonal && rises(plane, grid, x - (dx < 0), y - (dy < 0)) != (dx == dy))
                continue;
            columns[count++] = number;
        }
    return count;
}

ns_status ns_plane_scan(const void *shape, ns_patch_fn *receive, void *context, ns_error *err)
{
    const ns_plane_mesh *mesh = shape;
    ns_grid grid = mesh->grid;
    grid.nz = 1;
    grid.row = grid.row != NULL ? grid.row : ns_plane_row;
    grid.shape = &mesh->plane;
    ns_status status = ns_grid_open(&grid, err);
    if (status == NS_OK) {
        mesh->add_links(&grid);
        status = ns_grid_scan(&grid, receive, context, err);
    }
    ns_grid_close(&grid);
    return status;
}
