/* block.h -- nodes of a solid of cubes on a lattice: bricks, or cubes cut into tetrahedra */
#ifndef NS_MATRIX_BLOCK_H
#define NS_MATRIX_BLOCK_H

#include "surrogate/grid.h"

typedef enum ns_cells { NS_BRICKS, NS_TETRAHEDRA } ns_cells;

/* Shares are in 65536ths of the inner faces.  See block.c. */
typedef struct ns_block {
    ns_cells cells;
    uint64_t seed;
    uint32_t turned; /* faces of cubes that have the other diagonal */
    uint32_t both;   /* faces that have both diagonals */
    uint32_t fine;   /* the same inside every second patch of 8 x 8 x 8 cubes; 0: as `both` */
    /* cube between places x and x + 1, ... */
    bool (*solid)(const struct ns_block *block, int32_t x, int32_t y, int32_t z);
    const void *shape;
    uint8_t *full; /* of a cube, with a border of empty ones */
    int32_t sx, sy;
    uint32_t near[256]; /* full cubes around a node -> neighbours, bit 9 (dz + 1) + 3 (dy + 1) + dx + 1 */
} ns_block;

/* Fill the cubes of an nx x ny x nz lattice; `grid` takes row and shape from it.  Free with ns_block_close. */
ns_status ns_block_open(ns_block *block, ns_grid *grid, ns_error *err);
void ns_block_close(ns_block *block);

/* A surrogate whose nodes are those of a solid, with one descriptor in each such file of src/surrogate/named. */
typedef struct ns_block_mesh {
    ns_block block;  /* cells, shares and the solid part */
    ns_grid grid;    /* its lattice, nodes and links; a NULL key numbers the nodes by place; unknowns of 0 means 3 */
    int32_t far_row; /* this node and the one grid.far further on are linked, which sets the bandwidth */
    int32_t hub[3];  /* the first place with a hub along each axis; others follow NS_GRID_REACH + 1 apart ... */
    int hub_nodes;   /* ... with this many nodes in their rows; 0: add_hubs decides */
    void (*add_hubs)(ns_grid *grid);
} ns_block_mesh;

/* Scan it: the block as nodes of the grid, then extra links beyond the mesh, until there are grid.links. */
ns_status ns_block_scan(const void *mesh, ns_patch_fn *receive, void *context, ns_error *err);

#endif
