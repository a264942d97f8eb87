/* block.h -- nodes of a solid of cubes on a lattice: bricks, or cubes cut into tetrahedra */
#ifndef NS_MATRIX_BLOCK_H
#define NS_MATRIX_BLOCK_H

#include "surrogate/grid.h"

typedef enum ns_cells { NS_BRICKS, NS_TETRAHEDRA } ns_cells;

/* Shares are in 65536ths of the inner faces.  See block.c. */
typedef struct ns_block {
    ns_cells cells;
    uint64_t seed;
    uint32_t turned; /* faces of cubes with the other diagonal */
    uint32_t both;   /* faces with both */
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

/* Does a full cube touch this place? */
bool ns_block_holds(const ns_block *block, int32_t x, int32_t y, int32_t z);

/* A surrogate's scan: the block as nodes of the grid, then the links that its mesh does not have. */
ns_status ns_block_scan(ns_block *block, ns_grid *grid, void (*add_links)(ns_grid *grid), ns_entry_fn *receive,
                        void *context, ns_error *err);

#endif
