/* road.h -- road networks: chains of nodes, joined where a street ends; numbers jump between pieces of the map */
#ifndef NS_MATRIX_ROAD_H
#define NS_MATRIX_ROAD_H

#include <nsmodel/matrix.h>

enum { NS_ROAD_NEAR = 2, NS_ROAD_REGIONS = 128, NS_ROAD_SCALES = 4 };

/* Shares are in 65536ths.  See road.c. */
typedef struct ns_road {
    const char *name;
    uint32_t rows;
    uint32_t broken;                   /* attempts to leave the link i, i + 1 out */
    uint8_t bits[NS_ROAD_NEAR];        /* a near layer joins nodes inside pieces of 2^bits numbers */
    uint32_t joined[NS_ROAD_NEAR + 1]; /* ends of chains with a link in a layer, the distant layer last */
    uint32_t crossed; /* nodes inside a chain with a distant link, of those whose tile and partner's tile have any */
    uint32_t forked;  /* distant links that the next node shares */
    uint16_t region[NS_ROAD_REGIONS]; /* tiles with distant links in each equal part of the numbers: relative to the
                                         part with the most, where all have them; 0 everywhere: all tiles */
    uint32_t tile;      /* numbers that are neighbours on the map: their distant links lead to one other tile */
    uint32_t within[NS_ROAD_SCALES]; /* tiles whose distant links stay in the same half, 1/8, 1/32 of the map; [0]: 0 */
    uint32_t bandwidth; /* of the matrix; one link sets it */
    uint32_t longest;   /* nodes in the longest row: one square has that many streets */
    uint64_t seed;
} ns_road;

/* Rows ascending, columns ascending, no entry twice, symmetric, no diagonal.  Memory: 4 bytes per tile. */
ns_status ns_road_scan(const void *road, ns_entry_fn *receive, void *context, ns_error *err);

#endif
