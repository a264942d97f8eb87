/* grid.h -- meshes whose nodes sit on the places of a lattice: numbers, added links, rows of full blocks */
#ifndef NS_MATRIX_GRID_H
#define NS_MATRIX_GRID_H

#include "matrix/source.h"

enum { NS_GRID_ROOM = 256 }; /* nodes in a row, at most */

typedef struct ns_grid ns_grid;
struct ns_grid {
    const char *name;   /* of the matrix, for messages */
    int32_t nx, ny, nz; /* places along each axis; place = (z ny + y) nx + x */
    int32_t nodes;      /* the places that come first, in the order of their keys, are nodes */
    int32_t unknowns;   /* a node; a link is a full block of unknowns x unknowns entries */
    size_t links;       /* room for links beyond those of `row`, counted once */
    int32_t far;        /* no hub is linked to a node whose number is further away; 0: any */
    int32_t longest;    /* no hub is linked to a node whose row is nearly as long; 0: any */
    int32_t hole;       /* entries that the first of these links leaves out in each direction */

    /* What comes first in the numbering has the lowest key (ties: the lowest place); < 0: no node. */
    int32_t (*key)(const ns_grid *grid, int32_t x, int32_t y, int32_t z);
    /* Numbers of the node at this place and of its neighbours, in any order; returns how many. */
    int (*row)(const ns_grid *grid, int32_t place, int32_t columns[NS_GRID_ROOM]);
    const void *shape; /* for these two */

    int32_t *number, *place; /* of a place, or -1; of a node */
    uint64_t *link;          /* row << 32 | column, both ways */
    size_t used;             /* of link */
};

/* Numbers the nodes; free with ns_grid_close, also after a failure. */
ns_status ns_grid_open(ns_grid *grid, ns_error *err);
void ns_grid_close(ns_grid *grid);

/* A link between two nodes that `row` does not link, as long as there is room.  False when there is none left. */
bool ns_grid_link(ns_grid *grid, int32_t a, int32_t b);

/* Link the node at (x, y, z) to the nearest places at least two steps away until its row has `length` nodes: a rigid
 * connection, a well, a fault.  Hubs have to lie more than NS_GRID_REACH steps apart. */
enum { NS_GRID_REACH = 4 };
bool ns_grid_hub(ns_grid *grid, int32_t x, int32_t y, int32_t z, int length);

/* In patches, as a surrogate's; sorts the links. */
ns_status ns_grid_scan(ns_grid *grid, ns_patch_fn *receive, void *context, ns_error *err);

/* Number of the node at a place, or -1 outside the lattice too. */
static inline int32_t ns_grid_at(const ns_grid *grid, int32_t x, int32_t y, int32_t z)
{
    const bool inside = x >= 0 && y >= 0 && z >= 0 && x < grid->nx && y < grid->ny && z < grid->nz;
    return inside ? grid->number[(z * grid->ny + y) * grid->nx + x] : -1;
}

/* ---- rows of full blocks, as patches on their way to a receiver ------------------------------------------------- */

enum { NS_BLOCK_PATCHES = 4096 }; /* handed on at a time, at most */

typedef struct ns_block_rows {
    ns_patch_fn *receive;
    void *context;
    ns_error *err;
    size_t count;
    ns_patch patch[NS_BLOCK_PATCHES];
} ns_block_rows;

/* NULL and a message when there is no memory for it.  Free with ns_free. */
ns_block_rows *ns_block_rows_new(const char *name, ns_patch_fn *receive, void *context, ns_error *err);

/* Hand on what is there, unless `more` patches have room: those of the same rows must come in one call. */
ns_status ns_block_rows_room(ns_block_rows *rows, size_t more);
static inline ns_status ns_block_rows_flush(ns_block_rows *rows)
{
    return ns_block_rows_room(rows, NS_BLOCK_PATCHES);
}

/* The rows of node `row`: a block of unknowns x unknowns entries for each of its columns, which ascend. */
ns_status ns_block_row(ns_block_rows *rows, int32_t row, int32_t unknowns, const int32_t *columns, int count);

/* ---- links: row << 32 | column --------------------------------------------------------------------------------- */

/* qsort's order of links: by row, then by column. */
int ns_links_compare(const void *a, const void *b);

/* Sort a row's columns, which are nearly in order: by insertion. */
void ns_columns_sort(int32_t *columns, int count);

#endif
