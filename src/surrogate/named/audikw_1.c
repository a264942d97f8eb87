/* audikw_1.c -- stand-in for GHS_psdef/audikw_1: a flat bar of quadratic tetrahedra, three unknowns a node
 *
 * Rows, entries, shortest and longest row, the quartiles between them and the bandwidth are those of the real matrix;
 * docs/evidence/surrogates.md says how the sizes below were found and what the real matrix has that this one has not.
 */
#include "core/memory.h"
#include "matrix/source.h"
#include "surrogate/grid.h"
#include "surrogate/lattice.h"

#include <assert.h>
#include <stdlib.h>

enum {
    NODES = 314565, /* the bar ends inside its last slab */
    NX = 13,
    NY = 99,
    NZ = 245,
    TURNS = 1,    /* seed of the turned octahedra */
    UNKNOWNS = 3, /* a node; each link is a full block */

    LONGEST = 115,     /* nodes in the longest row: 345 entries */
    HUB_SHORTEST = 80, /* hubs have 80 to 115 nodes in their row */
    HUB_STRIDE = 3733, /* shares no factor with the 6121 nodes of the face: hubs spread evenly along the bar */
    HUB_SEED = 77,
    HUB_REACH = 4, /* lattice steps along each axis */
    HUB_STEPS = 9 * 9 * 9 - 5 * 5 * 5,
    LINKS = 39720, /* beyond the tetrahedra: with them the entries are as many as the real matrix has */
    FAR_ROW = 5869,
    FAR_COLUMN = FAR_ROW + 308648, /* one of them, 10 slabs long, sets the bandwidth: 3 * 308648 + 2 */
    ROW_ROOM = 256,                /* nodes; a row has 115 at most */
};

struct mesh {
    ns_lattice lattice;
    int32_t *number; /* of a lattice node, in the matrix */
    int32_t *node;   /* the inverse */
    int32_t face;    /* nodes with the first numbers: corners on the face x = 0 */
    uint64_t *link;  /* row << 32 | column, ascending: what no tetrahedron links, both ways */
    size_t links;
    size_t next; /* the first link whose row has not been sent */
};

struct step {
    int32_t x, y, z;
};

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

static int64_t node_at(int32_t x, int32_t y, int32_t z)
{
    return ((int64_t)z * NY + y) * NX + x;
}

static void number_next(struct mesh *mesh, int64_t node, int32_t *next)
{
    if (node >= NODES || mesh->number[node] >= 0)
        return;
    mesh->number[node] = *next;
    mesh->node[*next] = (int32_t)node;
    ++*next;
}

/* The corners of the tetrahedra come first, as where a mesh of linear tetrahedra was there before its edges got nodes:
 * those of the face x = 0 slab by slab, the others line by line along the bar.  All other nodes follow slab by slab. */
static void number_nodes(struct mesh *mesh)
{
    int32_t next = 0;
    for (int32_t node = 0; node < NODES; node++)
        mesh->number[node] = -1;
    for (int32_t z = 0; z < NZ; z += 2)
        for (int32_t y = 0; y < NY; y += 2)
            number_next(mesh, node_at(0, y, z), &next);
    mesh->face = next;
    for (int32_t y = 0; y < NY; y += 2)
        for (int32_t x = 2; x < NX; x += 2)
            for (int32_t z = 0; z < NZ; z += 2)
                number_next(mesh, node_at(x, y, z), &next);
    for (int32_t node = 0; node < NODES; node++)
        number_next(mesh, node, &next);
}

/* ---- links of the hubs ------------------------------------------------------------------------------------------ */

static int compare_steps(const void *a, const void *b)
{
    const struct step *p = a, *q = b;
    const int32_t near = p->x * p->x + p->y * p->y + p->z * p->z, far = q->x * q->x + q->y * q->y + q->z * q->z;
    if (near != far)
        return near < far ? -1 : 1;
    const int64_t left = node_at(p->x, p->y, p->z), right = node_at(q->x, q->y, q->z);
    return (left > right) - (left < right);
}

static void add_link(struct mesh *mesh, int32_t a, int32_t b)
{
    mesh->link[mesh->links++] = (uint64_t)a << 32 | (uint32_t)b;
    mesh->link[mesh->links++] = (uint64_t)b << 32 | (uint32_t)a;
}

/* Numbers of the nodes that share a tetrahedron with node `row`; in no order. */
static int tetrahedral_row(const struct mesh *mesh, int32_t row, int32_t columns[NS_LATTICE_NEIGHBOURS])
{
    int64_t neighbours[NS_LATTICE_NEIGHBOURS];
    const int found = ns_lattice_neighbours(&mesh->lattice, mesh->node[row], neighbours);
    int count = 0;
    for (int i = 0; i < found; i++)
        if (neighbours[i] < NODES)
            columns[count++] = mesh->number[neighbours[i]];
    return count;
}

/* Links to the nearest nodes off the face until the row is as long as drawn.  Hubs lie on it, so no link repeats. */
static void link_hub(struct mesh *mesh, int32_t hub, const struct step steps[HUB_STEPS])
{
    int32_t columns[NS_LATTICE_NEIGHBOURS];
    const int64_t node = mesh->node[hub];
    const int32_t x = (int32_t)(node % NX), y = (int32_t)(node / NX % NY), z = (int32_t)(node / NX / NY);
    const uint64_t draw = ns_lattice_hash((uint64_t)(node + HUB_SEED)) % (LONGEST - HUB_SHORTEST + 1);
    int length = tetrahedral_row(mesh, hub, columns);
    for (int i = 0; i < HUB_STEPS && length < HUB_SHORTEST + (int)draw && mesh->links < 2 * (LINKS - 1); i++) {
        const struct step to = {x + steps[i].x, y + steps[i].y, z + steps[i].z};
        if (to.x <= 0 || to.y < 0 || to.z < 0 || to.x >= NX || to.y >= NY || node_at(to.x, to.y, to.z) >= NODES)
            continue;
        add_link(mesh, hub, mesh->number[node_at(to.x, to.y, to.z)]);
        length++;
    }
}

/* A rigid connection at every eighth or ninth corner of the face. */
static void link_hubs(struct mesh *mesh)
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
    int32_t hub = 0;
    do {
        link_hub(mesh, hub, steps);
        hub = (hub + HUB_STRIDE) % mesh->face;
    } while (hub != 0 && mesh->links < 2 * (LINKS - 1));
    add_link(mesh, FAR_ROW, FAR_COLUMN);
    qsort(mesh->link, mesh->links, sizeof *mesh->link, ns_links_compare);
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

static ns_status send_mesh(struct mesh *mesh, ns_block_rows *rows)
{
    int32_t columns[ROW_ROOM];
    ns_lattice_set(&mesh->lattice, NX, NY, NZ, TURNS);
    number_nodes(mesh);
    link_hubs(mesh);
    for (int32_t row = 0; row < NODES; row++) {
        int count = tetrahedral_row(mesh, row, columns);
        for (; mesh->next < mesh->links && mesh->link[mesh->next] >> 32 == (uint64_t)row; mesh->next++) {
            assert(count < ROW_ROOM);
            columns[count++] = (int32_t)(mesh->link[mesh->next] & UINT32_MAX);
        }
        ns_columns_sort(columns, count);
        NS_TRY(ns_block_row(rows, row, UNKNOWNS, columns, count));
    }
    return ns_block_rows_flush(rows);
}

static ns_status patches(const void *shape, ns_patch_fn *receive, void *context, ns_error *err)
{
    (void)shape;
    struct mesh mesh = {.number = ns_malloc(NODES * sizeof *mesh.number),
                        .node = ns_malloc(NODES * sizeof *mesh.node),
                        .link = ns_malloc(2 * LINKS * sizeof *mesh.link)};
    ns_block_rows *rows = ns_block_rows_new("audikw_1", receive, context, err);
    ns_status status = NS_ERR_MEMORY;
    if (rows != NULL && (mesh.number == NULL || mesh.node == NULL || mesh.link == NULL))
        status = ns_fail(err, NS_ERR_MEMORY, "no memory for the nodes of \"audikw_1\", wanted 4 MB");
    else if (rows != NULL)
        status = send_mesh(&mesh, rows);
    ns_free(rows);
    ns_free(mesh.link);
    ns_free(mesh.node);
    ns_free(mesh.number);
    return status;
}

extern const ns_surrogate ns_surrogate_audikw_1;
const ns_surrogate ns_surrogate_audikw_1 = {
    .group = "GHS_psdef",
    .name = "audikw_1",
    .rows = (int64_t)UNKNOWNS * NODES,
    .cols = (int64_t)UNKNOWNS * NODES,
    .catalogue_entries = 77651847,
    .symmetry = NS_SYMMETRIC,
    .patches = patches,
};
