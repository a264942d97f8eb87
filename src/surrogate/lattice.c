/* lattice.c -- node neighbourhoods of a block of quadratic tetrahedra
 *
 * Each cubic cell is cut into six tetrahedra around one of its long diagonals (Kuhn, Freudenthal): permutation pi
 * contains the points with x_pi1 >= x_pi2 >= x_pi3.  A 10-node tetrahedron has nodes at its corners and in the middle
 * of its edges, so the nodes of the mesh are all points of the lattice with half the spacing.  Nodes are neighbours
 * when a tetrahedron contains both.
 *
 * Edges of that mesh belong to 4 or 6 tetrahedra, and the node in the middle of an edge of k has 3 + 4k neighbours,
 * itself included: 19 or 27.  In free meshes k = 5 is most frequent.  The four tetrahedra around a face's diagonal
 * form an octahedron whose diagonals share their middle; turning the face's diagonal to the other corners keeps every
 * node, gives four of the octahedron's edges one tetrahedron more and takes one from four others.  Octahedra of the
 * faces z = const do not overlap, so each can be turned independently: a hash selects half of them.  The number of
 * links does not change.
 */
#include "surrogate/lattice.h"

#include <assert.h>
#include <string.h>

/* Corners of a unit cell as bits z y x.  Face z = 0 as cut, turned; face z = 1 as cut, turned; between them. */
static const uint8_t tetrahedra[5][2][4] = {
    {{0, 1, 3, 7}, {0, 2, 3, 7}}, {{1, 2, 0, 7}, {1, 2, 3, 7}}, {{4, 7, 0, 5}, {4, 7, 0, 6}},
    {{5, 6, 0, 4}, {5, 6, 0, 7}}, {{0, 1, 5, 7}, {0, 2, 6, 7}},
};

struct place {
    int x, y, z; /* in a cell: 0, 1 or 2 */
};

static int place_index(struct place p)
{
    return 9 * p.z + 3 * p.y + p.x;
}

static void add_tetrahedron(struct ns_lattice_reach cell[27], const uint8_t corner[4])
{
    struct place node[10];
    int nodes = 0;
    for (int i = 0; i < 4; i++)
        for (int j = i; j < 4; j++)
            node[nodes++] = (struct place){/* a corner, or the middle of an edge */
                                           (corner[i] & 1) + (corner[j] & 1),
                                           (corner[i] >> 1 & 1) + (corner[j] >> 1 & 1),
                                           (corner[i] >> 2) + (corner[j] >> 2)};
    for (int i = 0; i < nodes; i++)
        for (int j = 0; j < nodes; j++) {
            const int at = 5 * (node[j].z - node[i].z + 2) + (node[j].y - node[i].y + 2);
            uint8_t *line = &cell[place_index(node[i])].line[at];
            *line = (uint8_t)(*line | 1 << (node[j].x - node[i].x + 2));
        }
}

void ns_lattice_set(ns_lattice *lattice, int32_t nx, int32_t ny, int32_t nz, uint64_t turns)
{
    assert(nx >= 3 && ny >= 3 && nz >= 3 && nx % 2 == 1 && ny % 2 == 1 && nz % 2 == 1);
    memset(lattice, 0, sizeof *lattice);
    lattice->nx = nx;
    lattice->ny = ny;
    lattice->nz = nz;
    lattice->turns = turns;
    for (int state = 0; state < 4; state++) {
        const int pairs[3] = {state & 1, 2 + (state >> 1), 4};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 2; j++)
                add_tetrahedron(lattice->cell[state], tetrahedra[pairs[i]][j]);
    }
}

uint64_t ns_lattice_hash(uint64_t value)
{
    value += UINT64_C(0x9E3779B97F4A7C15);
    value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
    return value ^ value >> 31;
}

/* Is the diagonal of the face z = cz below cell (cx, cy, cz) turned?  Outer faces have no octahedron. */
static int turned(const ns_lattice *lattice, int32_t cx, int32_t cy, int32_t cz)
{
    if (lattice->turns == 0 || cz == 0 || cz == lattice->nz / 2)
        return 0;
    uint64_t face = ((uint64_t)cz * (uint64_t)lattice->ny + (uint64_t)cy) * (uint64_t)lattice->nx + (uint64_t)cx;
    return (int)(ns_lattice_hash(lattice->turns ^ face) & 1);
}

/* Cells that contain the place `at` of an axis of n places: *first and their number. */
static int cells_around(int32_t at, int32_t n, int32_t *first)
{
    *first = at == 0 ? 0 : (at - 1) / 2;
    return at % 2 == 1 || at == 0 || at == n - 1 ? 1 : 2;
}

int ns_lattice_neighbours(const ns_lattice *lattice, int64_t node, int64_t neighbours[NS_LATTICE_NEIGHBOURS])
{
    const int64_t line = lattice->nx, slab = line * lattice->ny;
    assert(node >= 0 && node < slab * lattice->nz);
    const int32_t x = (int32_t)(node % line), y = (int32_t)(node % slab / line), z = (int32_t)(node / slab);
    struct ns_lattice_reach reach = {{0}};
    int32_t x0, y0, z0; /* over the cells around the node */
    const int32_t x1 = cells_around(x, lattice->nx, &x0), y1 = cells_around(y, lattice->ny, &y0),
                  z1 = cells_around(z, lattice->nz, &z0);
    for (int32_t cz = z0; cz < z0 + z1; cz++)
        for (int32_t cy = y0; cy < y0 + y1; cy++)
            for (int32_t cx = x0; cx < x0 + x1; cx++) {
                const int state = turned(lattice, cx, cy, cz) | turned(lattice, cx, cy, cz + 1) << 1;
                const struct place at = {x - 2 * cx, y - 2 * cy, z - 2 * cz};
                for (int i = 0; i < 25; i++)
                    reach.line[i] |= lattice->cell[state][place_index(at)].line[i];
            }
    int count = 0;
    for (int i = 0; i < 25; i++) {
        const int64_t first = node + slab * (i / 5 - 2) + line * (i % 5 - 2) - 2;
        for (unsigned left = reach.line[i]; left != 0; left &= left - 1)
            neighbours[count++] = first + __builtin_ctz(left);
    }
    return count;
}
