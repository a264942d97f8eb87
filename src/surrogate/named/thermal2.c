/* thermal2.c -- stand-in for Schmid/thermal2: a strip of triangles whose outline is numbered first
 *
 * docs/evidence/surrogates.md explains how the sizes were found, and what the surrogate lacks.
 */
#include "surrogate/plane.h"
#include "matrix/source.h"

enum {
    NODES = 1228045,
    ALONE = 958, /* nodes with a fixed temperature: rows with only their diagonal; they are numbered first */
    NX = 637,
    NY = 1927 + 4, /* the first lines are for the isolated nodes */
    FIRST = 4,
    STRIDE = 4,   /* every fourth node of the outline comes next */
    LEVELS = 6,   /* of refinement */
    LONGEST = 11, /* nodes in the longest row */
    FAR_ROW = 2040,
    FAR = 1226000, /* bandwidth */
    LINKS = 414
};

/* Then the mesh in the order of its refinement: the nodes of the coarsest one first. */
static int32_t outline(const ns_grid *grid, int32_t x, int32_t y, int32_t z)
{
    (void)grid;
    (void)z;
    if (y < FIRST - 1)
        return y * NX + x < ALONE ? 0 : -1;
    if (y < FIRST)
        return -1;
    const bool edge = x == 0 || x == NX - 1 || y == FIRST || y == NY - 1;
    if (edge && (x + y) % STRIDE == 0)
        return 1;
    int32_t level = 0;
    while (level < LEVELS && (x >> level & 1) == 0 && ((y - FIRST) >> level & 1) == 0)
        level++;
    return 2 + LEVELS - level;
}

/* Isolated nodes have no neighbours. */
static int row(const ns_grid *grid, int32_t place, int32_t columns[NS_GRID_ROOM])
{
    if (place < FIRST * NX) {
        columns[0] = grid->number[place];
        return 1;
    }
    return ns_plane_row(grid, place, columns);
}

static void add_links(ns_grid *grid)
{
    ns_grid_link(grid, FAR_ROW, FAR_ROW + FAR);
    for (int32_t y = NY / 2; y < NY; y += NS_GRID_REACH + 1)
        ns_grid_hub(grid, NX / 2, y, 0, LONGEST);
}

static const ns_plane_mesh mesh = {
    .plane = {.turned = 13700, .seed = 4},
    .grid = {.name = "thermal2",
             .nx = NX,
             .ny = NY,
             .nodes = NODES,
             .unknowns = 1,
             .links = LINKS,
             .key = outline,
             .row = row},
    .add_links = add_links,
};

extern const ns_surrogate ns_surrogate_thermal2;
const ns_surrogate ns_surrogate_thermal2 = {
    .group = "Schmid",
    .name = "thermal2",
    .rows = NODES,
    .catalogue_entries = 8580313,
    .symmetry = NS_SYMMETRIC,
    .patches = ns_plane_scan,
    .shape = &mesh,
};
