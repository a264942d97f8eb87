/* stokes.c -- stand-in for VLSI/stokes: three fields on a box of cells, one field after the other
 *
 * docs/evidence/surrogates.md explains how the stencils were found, and what the surrogate lacks of the real matrix (a
 * semiconductor process).
 */
#include "surrogate/fields.h"
#include "matrix/source.h"

/* Steps to the cell itself and its neighbours; two letters: to a neighbour across an edge. */
// clang-format off
#define O {0, 0, 0}
#define X {1, 0, 0}
#define x {-1, 0, 0}
#define Y {0, 1, 0}
#define y {0, -1, 0}
#define Z {0, 0, 1}
#define z {0, 0, -1}
#define XY {1, 1, 0}
#define xy {-1, -1, 0}
#define Xy {1, -1, 0}
#define xY {-1, 1, 0}
#define XZ {1, 0, 1}
#define xz {-1, 0, -1}
#define YZ {0, 1, 1}
// clang-format on

static const ns_fields process = {
    .name = "stokes",
    .nx = 190,
    .ny = 180,
    .nz = 110,
    .cells = 3816511,
    .stencil = {{{7, {O, X, x, Y, y, Z, z}}, {6, {O, X, x, Y, Z, XY}}, {4, {O, X, Y, Z}}},
                {{6, {O, X, x, y, Z, XY}}, {7, {O, X, x, Y, y, Z, z}}, {4, {O, X, Y, Z}}},
                {{14, {O, X, x, Y, y, Z, z, XY, xy, Xy, xY, XZ, xz, YZ}},
                 {14, {O, X, x, Y, y, Z, z, XY, xy, Xy, xY, XZ, xz, YZ}},
                 {6, {O, X, x, Y, y, Z}}}},
    .group = 1694,
    .knot = {{0.3, 4}, {0.6, 10}, {0.8, 26}, {0.95, 72}, {0.995, 450}, {1, 686}},
    .lower = 10713043,
    .upper = 11274772,
    .seed = 1,
};

extern const ns_surrogate ns_surrogate_stokes;
const ns_surrogate ns_surrogate_stokes = {
    .group = "VLSI",
    .name = "stokes",
    .rows = (int64_t)NS_FIELDS * 3816511,
    .catalogue_entries = 349321980,
    .symmetry = NS_GENERAL,
    .scan = ns_fields_scan,
    .shape = &process,
};
