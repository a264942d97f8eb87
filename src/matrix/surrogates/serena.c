/* serena.c -- stand-in for Janna/Serena: a cube of tetrahedra numbered outwards in shells, three unknowns a node
 *
 * docs/surrogates.md says how the sizes were found and what the real matrix (a gas reservoir) has that this one has not.
 */
#include "matrix/block.h"
#include "matrix/lattice.h"
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
    WELL_STRIDE = 9, /* hubs lie so many places apart */
    LONGEST = 83,    /* nodes in the longest row: 249 entries */
    LINKS = 0
};

static int32_t shell(const ns_grid *grid, int32_t x, int32_t y, int32_t z)
{
    (void)grid;
    const int32_t dx = abs(x - CX), dy = abs(y - CY), dz = abs(z - CZ), wide = dx > dy ? dx : dy;
    return wide > dz ? wide : dz;
}

static void add_wells(ns_grid *grid)
{
    for (int32_t z = 4; z < NZ; z += WELL_STRIDE)
        for (int32_t y = 4; y < NY; y += WELL_STRIDE)
            for (int32_t x = 4; x < NX; x += WELL_STRIDE) {
                const uint64_t draw = ns_lattice_hash((uint64_t)((z * NY + y) * NX + x));
                ns_grid_hub(grid, x, y, z, 20 + (int)(draw % (LONGEST - 20 + 1)));
            }
}

static ns_status scan(ns_entry_fn *receive, void *context, ns_error *err)
{
    ns_block block = {.cells = NS_TETRAHEDRA, .seed = 1, .turned = 26214, .both = 4000, .fine = 14000};
    ns_grid grid = {.name = "Serena", .nx = NX, .ny = NY, .nz = NZ, .nodes = NODES, .unknowns = 3, .links = LINKS, .far = 27192, .key = shell};
    ns_status status = ns_block_open(&block, &grid, err);
    if (status == NS_OK)
        status = ns_grid_open(&grid, err);
    if (status == NS_OK) {
        add_wells(&grid);
        status = ns_grid_scan(&grid, receive, context, err);
    }
    ns_grid_close(&grid);
    ns_block_close(&block);
    return status;
}

extern const ns_surrogate ns_surrogate_serena;
const ns_surrogate ns_surrogate_serena = {
    .group = "Janna",
    .name = "Serena",
    .rows = (int64_t)3 * NODES,
    .cols = (int64_t)3 * NODES,
    .catalogue_entries = 64531701,
    .symmetry = NS_SYMMETRIC,
    .scan = scan,
};
