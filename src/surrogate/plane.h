/* plane.h -- nodes of a sheet of triangles on a lattice of squares */
#ifndef NS_MATRIX_PLANE_H
#define NS_MATRIX_PLANE_H

#include "surrogate/grid.h"

typedef struct ns_plane {
    bool alternate;  /* diagonals as in a sheet refined by halving its triangles: rows alternate between 5 and 9
                        nodes */
    uint32_t turned; /* squares with the other diagonal, in 65536ths */
    uint64_t seed;
} ns_plane;

/* A surrogate whose nodes are those of a sheet. */
typedef struct ns_plane_mesh {
    ns_plane plane;
    ns_grid grid;                     /* its one-layer lattice, nodes and links; a NULL row means ns_plane_row */
    void (*add_links)(ns_grid *grid); /* adds links beyond the mesh */
} ns_plane_mesh;
ns_status ns_plane_scan(const void *mesh, ns_patch_fn *receive, void *context, ns_error *err);

/* ns_grid.row of a sheet; grid->shape is the ns_plane. */
int ns_plane_row(const ns_grid *grid, int32_t place, int32_t columns[NS_GRID_ROOM]);

#endif
