/* bone010.c -- stand-in for Oberwolfach/bone010: a porous block of voxels, three unknowns per node
 *
 * docs/evidence/surrogates.md explains how the sizes were found, and what the surrogate lacks of the real matrix (a
 * scanned bone).
 */
#include "surrogate/block.h"
#include "surrogate/lattice.h"
#include "matrix/source.h"

enum {
    NODES = 328901,
    PORE = 8,    /* voxels between the sites of pores */
    LONGEST = 27 /* nodes in the longest row: 81 entries */
};

/* Everything except pores: balls around sites, one in every block of PORE^3 voxels, displaced by up to a quarter of
 * it. */
static bool bone(const ns_block *block, int32_t x, int32_t y, int32_t z)
{
    const int32_t at[3] = {x, y, z};
    const uint64_t draw =
        ns_lattice_hash(((uint64_t)(z / PORE) * 64 + (uint64_t)(y / PORE)) * 64 + (uint64_t)(x / PORE));
    int32_t square = 0;
    (void)block;
    for (int axis = 0; axis < 3; axis++) {
        const int32_t off = at[axis] % PORE - PORE / 2 + (int32_t)(draw >> 8 * axis & 3) - 1;
        square += off * off;
    }
    return square > (int32_t)((draw >> 32) % 137 / 8);
}

static const ns_block_mesh mesh = {
    .block = {.cells = NS_BRICKS, .solid = bone},
    .grid = {.name = "bone010",
             .nx = 64,
             .ny = 66,
             .nz = 97,
             .nodes = NODES,
             .links = 2948,
             .far = 4338, /* maximum distance of two linked nodes: bandwidth 3 * 4338 + 2 */
             .longest = LONGEST},
    .far_row = 0, /* on an edge */
    .hub = {2, 2, 2},
    .hub_nodes = LONGEST,
};

extern const ns_surrogate ns_surrogate_bone010;
const ns_surrogate ns_surrogate_bone010 = {
    .group = "Oberwolfach",
    .name = "bone010",
    .rows = (int64_t)3 * NODES,
    .catalogue_entries = 71666325,
    .symmetry = NS_SYMMETRIC,
    .patches = ns_block_scan,
    .shape = &mesh,
};
