/* geo_1438.c -- stand-in for Janna/Geo_1438: a block of tetrahedra under a rough surface, three unknowns a node
 *
 * docs/surrogates.md says how the sizes were found and what the real matrix (the earth's crust) has that this one has
 * not.
 */
#include "surrogate/block.h"
#include "surrogate/lattice.h"
#include "matrix/source.h"

enum {
    NODES = 479320,
    NX = 92,
    NY = 93,
    NZ = 59,
    LONGEST = 19, /* nodes in the longest row: 57 entries */
    FAR = 8672,   /* greatest distance of two nodes that are linked: bandwidth 3 * 8672 + 2 */
    FAR_ROW = 200000,
    HILLS = 4, /* places between the hills of the surface */
    LINKS = 1079
};

/* The top of the block is one to four cubes lower here and there. */
static bool below_surface(const ns_block *block, int32_t x, int32_t y, int32_t z)
{
    (void)block;
    const uint64_t draw = ns_lattice_hash((uint64_t)(y / HILLS * NX + x / HILLS));
    return z >= (int32_t)(draw % 5);
}

static int32_t plain(const ns_grid *grid, int32_t x, int32_t y, int32_t z)
{
    return ns_block_holds(grid->shape, x, y, z) ? 0 : -1;
}

/* Until there are as many links as the real matrix has. */
static void add_links(ns_grid *grid)
{
    ns_grid_link(grid, FAR_ROW, FAR_ROW + FAR);
    for (int32_t z = 6; z < NZ; z += NS_GRID_REACH + 1)
        for (int32_t y = 2; y < NY; y += NS_GRID_REACH + 1)
            for (int32_t x = 2; x < NX; x += NS_GRID_REACH + 1)
                ns_grid_hub(grid, x, y, z, LONGEST);
}

static ns_status scan(ns_entry_fn *receive, void *context, ns_error *err)
{
    ns_block block = {.cells = NS_TETRAHEDRA, .seed = 2, .turned = 1900, .solid = below_surface};
    ns_grid grid = {.name = "Geo_1438",
                    .nx = NX,
                    .ny = NY,
                    .nz = NZ,
                    .nodes = NODES,
                    .unknowns = 3,
                    .links = LINKS,
                    .far = FAR,
                    .key = plain};
    return ns_block_scan(&block, &grid, add_links, receive, context, err);
}

extern const ns_surrogate ns_surrogate_geo_1438;
const ns_surrogate ns_surrogate_geo_1438 = {
    .group = "Janna",
    .name = "Geo_1438",
    .rows = (int64_t)3 * NODES,
    .cols = (int64_t)3 * NODES,
    .catalogue_entries = 63156690,
    .symmetry = NS_SYMMETRIC,
    .scan = scan,
};
