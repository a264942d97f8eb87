/* lattice.h -- node neighbourhoods of a block of quadratic tetrahedra */
#ifndef NS_MATRIX_LATTICE_H
#define NS_MATRIX_LATTICE_H

#include <stdint.h>

enum {
    NS_LATTICE_REACH = 2,       /* neighbours lie within this many lattice steps along each axis */
    NS_LATTICE_NEIGHBOURS = 125 /* capacity for a neighbourhood, including the node itself */
};

/* The nodes of a block of 10-node tetrahedra, numbered x fastest, z slowest.  See lattice.c. */
typedef struct ns_lattice {
    int32_t nx, ny, nz; /* nodes along each axis, odd, from 3; even places are corners of cells, odd ones middles */
    uint64_t turns;     /* seed for turning octahedra; 0 turns none */
    struct ns_lattice_reach {
        uint8_t line[25]; /* line[5 (dz + 2) + dy + 2], bit dx + 2: the node at that offset is a neighbour */
    } cell[4][27];
} ns_lattice;

void ns_lattice_set(ns_lattice *lattice, int32_t nx, int32_t ny, int32_t nz, uint64_t turns);

/* The numbers of the node itself and of every node that shares a tetrahedron with it, ascending; returns their
 * number. */
int ns_lattice_neighbours(const ns_lattice *lattice, int64_t node, int64_t neighbours[NS_LATTICE_NEIGHBOURS]);

/* A fixed 64-bit hash (the finaliser of splitmix64): the same pseudo-random number on every machine. */
uint64_t ns_lattice_hash(uint64_t value);

#endif
