/* serena.c -- stand-in for Janna/Serena: a cube of tetrahedra numbered outwards in shells, three unknowns per node
 *
 * docs/evidence/surrogates.md explains how the sizes were found, and what the surrogate lacks of the real matrix (a gas
 * reservoir).
 */
#include "surrogate/block.h"
#include "surrogate/lattice.h"
#include "matrix/source.h"

#include <stdlib.h>

enum {
    NODES = 463783,
    NX = 77,
    NY = 78,
    NZ = 78,
    CX = 38, /* where the numbering starts */
    CY = 38,
    CZ = 30,
    HUB_STRIDE = NS_GRID_REACH + 1,
    HUB_SHORTEST = 27, /* hubs have 27 to 46 nodes in their row, one in 64 up to the longest */
    HUB_SPREAD = 20,
    LONGEST = 83 /* nodes in the longest row: 249 entries */
};

static int32_t shell(const ns_grid *grid, int32_t x, int32_t y, int32_t z)
{
    (void)grid;
    const int32_t dx = abs(x - CX), dy = abs(y - CY), dz = abs(z - CZ), wide = dx > dy ? dx : dy;
    return wide > dz ? wide : dz;
}

static void add_hubs(ns_grid *grid)
{
    for (int32_t z = 2; z < NZ; z += HUB_STRIDE)
        for (int32_t y = 2; y < NY; y += HUB_STRIDE)
            for (int32_t x = 2; x < NX; x += HUB_STRIDE) {
                const uint64_t draw = ns_lattice_hash((uint64_t)((z * NY + y) * NX + x));
                const uint64_t spread = draw % 64 == 0 ? LONGEST - HUB_SHORTEST + 1 : HUB_SPREAD;
                ns_grid_hub(grid, x, y, z, HUB_SHORTEST + (int)(draw / 64 % spread));
            }
}

static const ns_block_mesh mesh = {
    .block = {.cells = NS_TETRAHEDRA, .seed = 1, .turned = 30000, .both = 0, .fine = 10500},
    .grid = {.name = "Serena",
             .nx = NX,
             .ny = NY,
             .nz = NZ,
             .nodes = NODES,
             .links = 76162, /* as many as the real matrix has */
             .far = 27192,   /* maximum distance of two linked nodes: bandwidth 3 * 27192 + 2 */
             .key = shell},
    .far_row = 400000,
    .add_hubs = add_hubs,
};

extern const ns_surrogate ns_surrogate_serena;
const ns_surrogate ns_surrogate_serena = {
    .group = "Janna",
    .name = "Serena",
    .rows = (int64_t)3 * NODES,
    .catalogue_entries = 64531701,
    .symmetry = NS_SYMMETRIC,
    .patches = ns_block_scan,
    .shape = &mesh,
};
