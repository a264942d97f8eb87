/* ldoor.c -- stand-in for GHS_psdef/ldoor: a sheet of triangles, refined once, seven unknowns per node
 *
 * docs/evidence/surrogates.md explains how the sizes were found, and what the surrogate lacks of the real matrix (a
 * car's door).
 */
#include "surrogate/plane.h"
#include "matrix/source.h"

enum {
    NODES = 136029,
    NX = 369,
    NY = 369,
    COARSE = 20, /* lines at the near end that are not refined */
    HUB_STRIDE = 25,
    LONGEST = 11,    /* nodes in the longest row: 77 entries */
    FAR = 98139,     /* bandwidth 7 * 98139 + 6 */
    FAR_ROW = 37000, /* the link that sets it */
    HOLE = 18,       /* entries of a block that are not stored, so that the total is that of the catalogue */
    LINKS = 92
};

/* Nodes of the mesh before it was refined come first. */
static int32_t refined(const ns_grid *grid, int32_t x, int32_t y, int32_t z)
{
    (void)grid;
    if ((z * NY + y) * NX + x >= NODES)
        return -1;
    return (x % 2 == 0 && y % 2 == 0) || y < COARSE ? 0 : 1;
}

static void add_links(ns_grid *grid)
{
    ns_grid_link(grid, FAR_ROW, FAR_ROW + FAR);
    for (int32_t y = HUB_STRIDE / 2; y < NY; y += HUB_STRIDE)
        for (int32_t x = HUB_STRIDE / 2; x < NX; x += HUB_STRIDE)
            ns_grid_hub(grid, x, y, 0, LONGEST);
}

static const ns_plane_mesh mesh = {
    .plane = {.alternate = true, .turned = 6554, .seed = 9},
    .grid = {.name = "ldoor",
             .nx = NX,
             .ny = NY,
             .nodes = NODES,
             .unknowns = 7,
             .links = LINKS,
             .far = FAR,
             .hole = HOLE,
             .key = refined},
    .add_links = add_links,
};

extern const ns_surrogate ns_surrogate_ldoor;
const ns_surrogate ns_surrogate_ldoor = {
    .group = "GHS_psdef",
    .name = "ldoor",
    .rows = (int64_t)7 * NODES,
    .catalogue_entries = 46522475,
    .symmetry = NS_SYMMETRIC,
    .patches = ns_plane_scan,
    .shape = &mesh,
};
