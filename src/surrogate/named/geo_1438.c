/* geo_1438.c -- stand-in for Janna/Geo_1438: a block of tetrahedra under a rough surface, three unknowns per node
 *
 * docs/evidence/surrogates.md explains how the sizes were found, and what the surrogate lacks of the real matrix (the
 * earth's crust).
 */
#include "surrogate/block.h"
#include "surrogate/lattice.h"
#include "matrix/source.h"

enum {
    NODES = 479320,
    NX = 92,
    HILLS = 4 /* places between the hills of the surface */
};

/* The top of the block is one to four cubes lower here and there. */
static bool below_surface(const ns_block *block, int32_t x, int32_t y, int32_t z)
{
    (void)block;
    const uint64_t draw = ns_lattice_hash((uint64_t)(y / HILLS * NX + x / HILLS));
    return z >= (int32_t)(draw % 5);
}

static const ns_block_mesh mesh = {
    .block = {.cells = NS_TETRAHEDRA, .seed = 2, .turned = 1900, .solid = below_surface},
    .grid = {.name = "Geo_1438",
             .nx = NX,
             .ny = 93,
             .nz = 59,
             .nodes = NODES,
             .links = 1079, /* as many as the real matrix has */
             .far = 8672},  /* maximum distance of two linked nodes: bandwidth 3 * 8672 + 2 */
    .far_row = 200000,
    .hub = {2, 2, 6},
    .hub_nodes = 19, /* in the longest row: 57 entries */
};

extern const ns_surrogate ns_surrogate_geo_1438;
const ns_surrogate ns_surrogate_geo_1438 = {
    .group = "Janna",
    .name = "Geo_1438",
    .rows = (int64_t)3 * NODES,
    .catalogue_entries = 63156690,
    .symmetry = NS_SYMMETRIC,
    .patches = ns_block_scan,
    .shape = &mesh,
};
