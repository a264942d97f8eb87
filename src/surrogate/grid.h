/* grid.h -- meshes whose nodes are places of a lattice: numbering, added links, rows of full blocks */
#ifndef NS_MATRIX_GRID_H
#define NS_MATRIX_GRID_H

#include "matrix/source.h"

enum { NS_GRID_ROOM = 256 }; /* maximum number of nodes in a row */

typedef struct ns_grid ns_grid;
struct ns_grid {
    const char *name;   /* of the matrix, for messages */
    int32_t nx, ny, nz; /* places along each axis; place = (z ny + y) nx + x */
    int32_t nodes;      /* the places with the lowest keys are nodes, in that order */
    int32_t unknowns;   /* per node; a link is a full block of unknowns x unknowns entries */
    size_t links;       /* capacity for links beyond those of `row`, counted once */
    int32_t far;        /* hubs are not linked to nodes whose number is further away; 0: no limit */
    int32_t longest;    /* hubs are not linked to nodes whose row is nearly as long; 0: no limit */
    int32_t hole;       /* entries that the first of these links leaves out in each direction */

    /* Numbering order: ascending keys (ties: the lowest place); < 0: not a node. */
    int32_t (*key)(const ns_grid *grid, int32_t x, int32_t y, int32_t z);
    /* Numbers of the node at this place and of its neighbours, in any order; returns their number. */
    int (*row)(const ns_grid *grid, int32_t place, int32_t columns[NS_GRID_ROOM]);
    const void *shape; /* parameter of these two */

    int32_t *number, *place; /* number of a place, or -1; place of a node */
    uint64_t *link;          /* row << 32 | column, both ways */
    size_t used;             /* number of links in use */
};

/* Number the nodes; free with ns_grid_close, also after a failure. */
ns_status ns_grid_open(ns_grid *grid, ns_error *err);
void ns_grid_close(ns_grid *grid);

/* Link two nodes that `row` does not link, if there is capacity.  Returns false when none is left. */
bool ns_grid_link(ns_grid *grid, int32_t a, int32_t b);

/* Link the node at (x, y, z) to the nearest places at least two steps away until its row has `length` nodes; this
 * models a rigid connection, a well or a fault.  Hubs must be more than NS_GRID_REACH steps apart. */
enum { NS_GRID_REACH = 4 };
bool ns_grid_hub(ns_grid *grid, int32_t x, int32_t y, int32_t z, int length);

/* Scan in patches, as for a surrogate; sorts the links. */
ns_status ns_grid_scan(ns_grid *grid, ns_patch_fn *receive, void *context, ns_error *err);

/* Number of the node at a place; -1 if there is none, also outside the lattice. */
static inline int32_t ns_grid_at(const ns_grid *grid, int32_t x, int32_t y, int32_t z)
{
    const bool inside = x >= 0 && y >= 0 && z >= 0 && x < grid->nx && y < grid->ny && z < grid->nz;
    return inside ? grid->number[(z * grid->ny + y) * grid->nx + x] : -1;
}

/* ---- rows of full blocks, as patches for a receiver -------------------------------------------------------------- */

enum { NS_BLOCK_PATCHES = 4096 }; /* passed on at a time, at most */

typedef struct ns_block_rows {
    ns_patch_fn *receive;
    void *context;
    ns_error *err;
    size_t count;
    ns_patch patch[NS_BLOCK_PATCHES];
} ns_block_rows;

/* Returns NULL and a message when memory runs out.  Free with ns_free. */
ns_block_rows *ns_block_rows_new(const char *name, ns_patch_fn *receive, void *context, ns_error *err);

/* Pass on the buffered patches unless there is space for `more`: those of the same rows must be in one call. */
ns_status ns_block_rows_room(ns_block_rows *rows, size_t more);
static inline ns_status ns_block_rows_flush(ns_block_rows *rows)
{
    return ns_block_rows_room(rows, NS_BLOCK_PATCHES);
}

/* The rows of node `row`: a block of unknowns x unknowns entries for each of its columns, which ascend. */
ns_status ns_block_row(ns_block_rows *rows, int32_t row, int32_t unknowns, const int32_t *columns, int count);

/* ---- links: row << 32 | column --------------------------------------------------------------------------------- */

/* Comparison of links for qsort: by row, then by column. */
int ns_links_compare(const void *a, const void *b);

/* Sort a row's columns, which are nearly in order, by insertion. */
void ns_columns_sort(int32_t *columns, int count);

#endif
