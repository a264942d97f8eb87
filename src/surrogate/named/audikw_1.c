/* audikw_1.c -- stand-in for GHS_psdef/audikw_1: a flat bar of quadratic tetrahedra, three unknowns per node
 *
 * Rows, entries, shortest and longest row, the quartiles between them and the bandwidth are those of the real matrix;
 * docs/evidence/surrogates.md explains how the sizes below were found, and what the surrogate lacks.
 */
#include "matrix/source.h"
#include "surrogate/grid.h"
#include "surrogate/lattice.h"

#include <stdlib.h>

enum {
    NODES = 314565, /* the last slab is incomplete */
    NX = 13,
    NY = 99,
    NZ = 245,
    TURNS = 1,    /* seed of the turned octahedra */
    UNKNOWNS = 3, /* per node; each link is a full block */

    LONGEST = 115,     /* nodes in the longest row: 345 entries */
    HUB_SHORTEST = 80, /* hubs have 80 to 115 nodes in their row */
    FACE = 6121,       /* nodes with the first numbers: corners on the face x = 0 */
    HUB_STRIDE = 3733, /* shares no factor with FACE: hubs spread evenly along the bar */
    HUB_SEED = 77,
    HUB_REACH = 4, /* lattice steps along each axis */
    HUB_STEPS = 9 * 9 * 9 - 5 * 5 * 5,
    LINKS = 39720, /* beyond the tetrahedra: with them the number of entries is that of the real matrix */
    FAR_ROW = 5869,
    FAR_COLUMN = FAR_ROW + 308648, /* one of them, 10 slabs long, sets the bandwidth: 3 * 308648 + 2 */
};

struct step {
    int32_t x, y, z;
};

static int32_t place_at(int32_t x, int32_t y, int32_t z)
{
    return (z * NY + y) * NX + x;
}

/* The corners of the tetrahedra come first, as in a mesh of linear tetrahedra to whose edges nodes were added later:
 * those of the face x = 0 slab by slab, the others line by line along the bar.  All other nodes follow slab by
 * slab. */
static int32_t key(const ns_grid *grid, int32_t x, int32_t y, int32_t z)
{
    (void)grid;
    if (place_at(x, y, z) >= NODES)
        return -1;
    if (x % 2 != 0 || y % 2 != 0 || z % 2 != 0)
        return (NX / 2) * (NY / 2 + 1) + 1;
    return x == 0 ? 0 : y / 2 * (NX / 2) + x / 2;
}

/* The nodes that share a tetrahedron with the one at this place. */
static int row(const ns_grid *grid, int32_t place, int32_t columns[NS_GRID_ROOM])
{
    int64_t neighbours[NS_LATTICE_NEIGHBOURS];
    const int found = ns_lattice_neighbours(grid->shape, place, neighbours);
    int count = 0;
    for (int i = 0; i < found; i++)
        if (neighbours[i] < NODES)
            columns[count++] = grid->number[neighbours[i]];
    return count;
}

/* ---- links of the hubs ------------------------------------------------------------------------------------------ */

static int compare_steps(const void *a, const void *b)
{
    const struct step *p = a, *q = b;
    const int32_t near = p->x * p->x + p->y * p->y + p->z * p->z, far = q->x * q->x + q->y * q->y + q->z * q->z;
    if (near != far)
        return near < far ? -1 : 1;
    const int32_t left = place_at(p->x, p->y, p->z), right = place_at(q->x, q->y, q->z);
    return (left > right) - (left < right);
}

/* Link to the nearest nodes off the face until the row has the drawn length.  Hubs lie on the face, so no link
 * repeats. */
static void link_hub(ns_grid *grid, int32_t hub, const struct step steps[HUB_STEPS])
{
    int32_t columns[NS_GRID_ROOM];
    const int32_t place = grid->place[hub], x = place % NX, y = place / NX % NY, z = place / NX / NY;
    const uint64_t draw = ns_lattice_hash((uint64_t)(place + HUB_SEED)) % (LONGEST - HUB_SHORTEST + 1);
    int length = row(grid, place, columns);
    for (int i = 0; i < HUB_STEPS && length < HUB_SHORTEST + (int)draw; i++) {
        const struct step to = {x + steps[i].x, y + steps[i].y, z + steps[i].z};
        if (to.x <= 0 || to.y < 0 || to.z < 0 || to.x >= NX || to.y >= NY || place_at(to.x, to.y, to.z) >= NODES)
            continue;
        if (!ns_grid_link(grid, hub, grid->number[place_at(to.x, to.y, to.z)]))
            return;
        length++;
    }
}

/* Place a rigid connection at every eighth or ninth corner of the face. */
static void link_hubs(ns_grid *grid)
{
    struct step steps[HUB_STEPS];
    int count = 0;
    /* steps that no tetrahedron spans, nearest first */
    for (int32_t z = -HUB_REACH; z <= HUB_REACH; z++)
        for (int32_t y = -HUB_REACH; y <= HUB_REACH; y++)
            for (int32_t x = -HUB_REACH; x <= HUB_REACH; x++)
                if (abs(x) > NS_LATTICE_REACH || abs(y) > NS_LATTICE_REACH || abs(z) > NS_LATTICE_REACH)
                    steps[count++] = (struct step){x, y, z};
    qsort(steps, HUB_STEPS, sizeof *steps, compare_steps);
    ns_grid_link(grid, FAR_ROW, FAR_COLUMN);
    int32_t hub = 0;
    do {
        link_hub(grid, hub, steps);
        hub = (hub + HUB_STRIDE) % FACE;
    } while (hub != 0 && grid->used < 2 * grid->links);
}

static ns_status patches(const void *shape, ns_patch_fn *receive, void *context, ns_error *err)
{
    ns_lattice lattice;
    ns_grid grid = {.name = "audikw_1",
                    .nx = NX,
                    .ny = NY,
                    .nz = NZ,
                    .nodes = NODES,
                    .unknowns = UNKNOWNS,
                    .links = LINKS,
                    .key = key,
                    .row = row,
                    .shape = &lattice};
    (void)shape;
    ns_lattice_set(&lattice, NX, NY, NZ, TURNS);
    ns_status status = ns_grid_open(&grid, err);
    if (status == NS_OK) {
        link_hubs(&grid);
        status = ns_grid_scan(&grid, receive, context, err);
    }
    ns_grid_close(&grid);
    return status;
}

extern const ns_surrogate ns_surrogate_audikw_1;
const ns_surrogate ns_surrogate_audikw_1 = {
    .group = "GHS_psdef",
    .name = "audikw_1",
    .rows = (int64_t)UNKNOWNS * NODES,
    .catalogue_entries = 77651847,
    .symmetry = NS_SYMMETRIC,
    .patches = patches,
};
