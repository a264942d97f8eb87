/* queen_4147.c -- stand-in for Janna/Queen_4147: a body of bricks, a little thicker in the middle, three unknowns a
 * node
 *
 * docs/evidence/surrogates.md explains how the sizes were found, and what the surrogate lacks.
 */
#include "surrogate/block.h"
#include "matrix/source.h"

enum {
    NODES = 1382370,
    NX = 94,
    NY_END = 94,
    NZ = 160,
    WIDE_FROM = 72, /* cubes along the body where it is thick */
    WIDE_TO = 90,
    LONGEST = 27
};

static bool body(const ns_block *block, int32_t x, int32_t y, int32_t z)
{
    (void)block;
    (void)x;
    return y < NY_END - 1 || (z >= WIDE_FROM && z < WIDE_TO);
}

static void add_hubs(ns_grid *grid)
{
    for (int32_t z = 0; z < NZ; z += NS_GRID_REACH + 1) {
        for (int32_t x = 2; x < NX; x += NS_GRID_REACH + 1)
            ns_grid_hub(grid, x, 0, z, LONGEST);
        for (int32_t y = 5; y < NY_END; y += NS_GRID_REACH + 1)
            ns_grid_hub(grid, 0, y, z, LONGEST);
    }
}

static const ns_block_mesh mesh = {
    .block = {.cells = NS_BRICKS, .solid = body},
    .grid = {.name = "Queen_4147",
             .nx = NX,
             .ny = 124, /* in the middle; NY_END at both ends */
             .nz = NZ,
             .nodes = NODES,
             .links = 6040,
             .far = 15694, /* maximum distance of two linked nodes: bandwidth 3 * 15694 + 2 */
             .longest = LONGEST,
             .hole = 2}, /* entries of a block that are not stored: the total is that of the catalogue */
    .far_row = 3,
    .add_hubs = add_hubs,
};

extern const ns_surrogate ns_surrogate_queen_4147;
const ns_surrogate ns_surrogate_queen_4147 = {
    .group = "Janna",
    .name = "Queen_4147",
    .rows = (int64_t)3 * NODES,
    .catalogue_entries = 329499284,
    .symmetry = NS_SYMMETRIC,
    .patches = ns_block_scan,
    .shape = &mesh,
};
