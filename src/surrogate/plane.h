/* plane.h -- nodes of a sheet of triangles on a lattice of squares */
#ifndef NS_MATRIX_PLANE_H
#define NS_MATRIX_PLANE_H

#include "surrogate/grid.h"

typedef struct ns_plane {
    bool alternate;  /* diagonals as in a sheet that was refined by halving its triangles: rows of 5 and 9 nodes in turn
                      */
    uint32_t turned; /* squares, in 65536ths, with the other diagonal */
    uint64_t seed;
} ns_plane;

/* A surrogate whose nodes are those of a sheet. */
typedef struct ns_plane_mesh {
    ns_plane plane;
    ns_grid grid;                     /* its lattice of one layer, nodes and links; a row of NULL is ns_plane_row */
    void (*add_links)(ns_grid *grid); /* what its mesh does not have */
} ns_plane_mesh;
ns_status ns_plane_scan(const void *mesh, ns_patch_fn *receive, void *context, ns_error *err);

/* ns_grid.row of a sheet; grid->shape is the ns_plane. */
int ns_plane_row(const ns_grid *grid, int32_t place, int32_t columns[NS_GRID_ROOM]);

#endif
