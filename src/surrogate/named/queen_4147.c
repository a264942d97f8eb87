/* queen_4147.c -- stand-in for Janna/Queen_4147: a body of bricks, a little thicker in the middle, three unknowns a
 * node
 *
 * docs/surrogates.md says how the sizes were found and what the real matrix has that this one has not.
 */
#include "surrogate/block.h"
#include "matrix/source.h"

enum {
    NODES = 1382370,
    NX = 94,
    NY = 124, /* in the middle; NY_END at both ends */
    NY_END = 94,
    NZ = 160,
    WIDE_FROM = 72, /* cubes along the body where it is thick */
    WIDE_TO = 90,
    FAR = 15694, /* greatest distance of two nodes that are linked: bandwidth 3 * 15694 + 2 */
    FAR_ROW = 3,
    HOLE = 2, /* entries of a block that are not stored, so that all entries are as many as the catalogue's */
    LONGEST = 27,
    LINKS = 6040
};

static bool body(const ns_block *block, int32_t x, int32_t y, int32_t z)
{
    (void)block;
    (void)x;
    return y < NY_END - 1 || (z >= WIDE_FROM && z < WIDE_TO);
}

static int32_t plain(const ns_grid *grid, int32_t x, int32_t y, int32_t z)
{
    return ns_block_holds(grid->shape, x, y, z) ? 0 : -1;
}

static void add_links(ns_grid *grid)
{
    ns_grid_link(grid, FAR_ROW, FAR_ROW + FAR);
    for (int32_t z = 0; z < NZ; z += NS_GRID_REACH + 1) {
        for (int32_t x = 2; x < NX; x += NS_GRID_REACH + 1)
            ns_grid_hub(grid, x, 0, z, LONGEST);
        for (int32_t y = 5; y < NY_END; y += NS_GRID_REACH + 1)
            ns_grid_hub(grid, 0, y, z, LONGEST);
    }
}

static ns_status scan(ns_entry_fn *receive, void *context, ns_error *err)
{
    ns_block block = {.cells = NS_BRICKS, .solid = body};
    ns_grid grid = {.name = "Queen_4147",
                    .nx = NX,
                    .ny = NY,
                    .nz = NZ,
                    .nodes = NODES,
                    .unknowns = 3,
                    .links = LINKS,
                    .far = FAR,
                    .longest = LONGEST,
                    .hole = HOLE,
                    .key = plain};
    return ns_block_scan(&block, &grid, add_links, receive, context, err);
}

extern const ns_surrogate ns_surrogate_queen_4147;
const ns_surrogate ns_surrogate_queen_4147 = {
    .group = "Janna",
    .name = "Queen_4147",
    .rows = (int64_t)3 * NODES,
    .cols = (int64_t)3 * NODES,
    .catalogue_entries = 329499284,
    .symmetry = NS_SYMMETRIC,
    .scan = scan,
};
