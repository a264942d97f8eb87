/* block.c -- nodes of a solid of cubes on a lattice: bricks, or cubes cut into tetrahedra
 *
 * Bricks link all eight corners of a cube: an inner row has 27 nodes.  Tetrahedra (Kuhn: six around the diagonal from
 * corner 000 to 111) link two corners when the bits of one contain those of the other: an inner row has 15 nodes.
 *
 * Free meshes of tetrahedra have rows of many lengths.  The four tetrahedra around the diagonal of an inner face form
 * an octahedron; turning its diagonal to the other two corners makes two rows longer by one and two shorter.  Where a
 * face has both diagonals, rows only become longer, as with the fifth tetrahedron of a 2-3 flip.
 */
#include "surrogate/block.h"

#include "core/memory.h"
#include "surrogate/lattice.h"

enum { SELF = 13 };

static int32_t cube_at(const ns_block *block, int32_t x, int32_t y, int32_t z)
{
    return ((z + 1) * block->sy + y + 1) * block->sx + x + 1;
}

static int cubes_around(const ns_block *block, int32_t x, int32_t y, int32_t z)
{
    const uint8_t *low = &block->full[cube_at(block, x - 1, y - 1, z - 1)], *high = low + block->sx * block->sy;
    const int32_t line = block->sx;
    return low[0] | low[1] << 1 | low[line] << 2 | low[line + 1] << 3 | high[0] << 4 | high[1] << 5 | high[line] << 6 |
           high[line + 1] << 7;
}

/* ---- faces ------------------------------------------------------------------------------------------------------ */

enum diagonals { AS_CUT, TURNED, BOTH };

/* The face normal to `axis` at the low side of a cube; as cut when one of its cubes is empty. */
static enum diagonals face_state(const ns_block *block, int axis, const int32_t at[3])
{
    const int32_t steps[3] = {1, block->sx, block->sx * block->sy}, cube = cube_at(block, at[0], at[1], at[2]);
    if (!block->full[cube] || !block->full[cube - steps[axis]])
        return AS_CUT;
    const uint64_t patch = ((uint64_t)(at[2] / 8) * 4096 + (uint64_t)(at[1] / 8)) * 4096 + (uint64_t)(at[0] / 8);
    const bool fine = block->fine > 0 && (ns_lattice_hash(patch + block->seed) & 1) != 0;
    const uint32_t draw = ns_lattice_hash(((uint64_t)cube * 4 + (uint64_t)axis) ^ block->seed << 40) & 65535;
    if (draw < block->turned)
        return TURNED;
    return draw - block->turned < (fine ? block->fine : block->both) ? BOTH : AS_CUT;
}

/* The diagonals of the faces normal to `axis` around a node: those that remain and those that are added. */
static uint32_t turn_faces(const ns_block *block, int axis, const int32_t node[3], uint32_t near)
{
    static const int weight[3] = {1, 3, 9};
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int corner = 0; corner < 4; corner++) {
        const int du = corner & 1, dv = corner >> 1;
        int32_t at[3] = {node[0], node[1], node[2]};
        at[u] -= du;
        at[v] -= dv;
        const enum diagonals state = face_state(block, axis, at);
        const uint32_t bit = UINT32_C(1) << (SELF + (1 - 2 * du) * weight[u] + (1 - 2 * dv) * weight[v]);
        if (du == dv && state == TURNED)
            near &= ~bit;
        if (du != dv && state != AS_CUT)
            near |= bit;
    }
    return near;
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

static int row(const ns_grid *grid, int32_t place, int32_t columns[NS_GRID_ROOM])
{
    const ns_block *block = grid->shape;
    const int32_t line = grid->nx, slab = line * grid->ny, node[3] = {place % line, place % slab / line, place / slab};
    uint32_t near = block->near[cubes_around(block, node[0], node[1], node[2])];
    if ((block->turned | block->both | block->fine) != 0)
        for (int axis = 0; axis < 3; axis++)
            near = turn_faces(block, axis, node, near);
    int count = 0;
    for (int i = 0; i < 27; i++) {
        if ((near >> i & 1) == 0)
            continue;
        const int32_t number = grid->number[place + slab * (i / 9 - 1) + line * (i / 3 % 3 - 1) + i % 3 - 1];
        columns[count] = number;
        count += number >= 0;
    }
    return count;
}

ns_status ns_block_open(ns_block *block, ns_grid *grid, ns_error *err)
{
    block->sx = grid->nx + 1;
    block->sy = grid->ny + 1;
    block->full = ns_calloc(ns_size_mul((size_t)block->sx, (size_t)block->sy), ns_size_add((size_t)grid->nz, 1));
    if (block->full == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "no memory for the cells of \"%s\"", grid->name);
    for (int32_t z = 0; z + 1 < grid->nz; z++)
        for (int32_t y = 0; y + 1 < grid->ny; y++)
            for (int32_t x = 0; x + 1 < grid->nx; x++)
                block->full[cube_at(block, x, y, z)] = block->solid == NULL || block->solid(block, x, y, z);
    /* cube c (bits z y x) lies at offsets c - 1, so that the node is its corner 7 - c */
    for (int cubes = 0; cubes < 256; cubes++) {
        block->near[cubes] = 0;
        for (int c = 0; c < 8; c++)
            for (int b = 0; b < 8 && cubes >> c & 1; b++) {
                const int x = (c & 1) - 1 + (b & 1), y = (c >> 1 & 1) - 1 + (b >> 1 & 1), z = (c >> 2) - 1 + (b >> 2);
                const int a = 7 - c; /* the node's own corner */
                if (block->cells == NS_BRICKS || (a & b) == a || (a & b) == b)
                    block->near[cubes] |= UINT32_C(1) << (SELF + 9 * z + 3 * y + x);
            }
    }
    grid->row = row;
    grid->shape = block;
    return NS_OK;
}

void ns_block_close(ns_block *block)
{
    ns_free(block->full);
    block->full = NULL;
}

static int32_t by_place(const ns_grid *grid, int32_t x, int32_t y, int32_t z)
{
    return cubes_around(grid->shape, x, y, z) != 0 ? 0 : -1;
}

ns_status ns_block_scan(const void *shape, ns_patch_fn *receive, void *context, ns_error *err)
{
    const ns_block_mesh *mesh = shape;
    ns_block block = mesh->block;
    ns_grid grid = mesh->grid;
    grid.key = grid.key != NULL ? grid.key : by_place;
    grid.unknowns = grid.unknowns > 0 ? grid.unknowns : 3;
    ns_status status = ns_block_open(&block, &grid, err);
    if (status == NS_OK)
        status = ns_grid_open(&grid, err);
    if (status == NS_OK) {
        enum { STRIDE = NS_GRID_REACH + 1 };
        ns_grid_link(&grid, mesh->far_row, mesh->far_row + grid.far);
        if (mesh->hub_nodes == 0)
            mesh->add_hubs(&grid);
        for (int32_t z = mesh->hub[2]; mesh->hub_nodes > 0 && z < grid.nz; z += STRIDE)
            for (int32_t y = mesh->hub[1]; y < grid.ny; y += STRIDE)
                for (int32_t x = mesh->hub[0]; x < grid.nx; x += STRIDE)
                    ns_grid_hub(&grid, x, y, z, mesh->hub_nodes);
        status = ns_grid_scan(&grid, receive, context, err);
    }
    ns_grid_close(&grid);
    ns_block_close(&block);
    return status;
}
