/* europe_osm.c -- stand-in for DIMACS10/europe_osm: the streets of a continent, one row at a time
 *
 * docs/evidence/surrogates.md explains how the shares were found, and what the surrogate lacks.
 */
#include "matrix/source.h"
#include "surrogate/road.h"

static const ns_road europe = {
    .name = "europe_osm",
    .rows = 50912018,
    .broken = 3960,
    .bits = {11, 17},
    .joined = {2600, 1600, 63000},
    .crossed = 19450,
    .forked = 1775,
    .tile = 21,
    .within = {0, 15070, 2690, 6750}, /* from the columns that 4 to 128 equal parts of luxembourg_osm need */
    .bandwidth = 50886340,
    .longest = 13,
    .seed = 1,
    .region =
        {
            /* the columns that each of 128 equal parts of the real luxembourg_osm needs from the others */
            161, 134, 199, 213, 214, 204, 350, 295, 242, 269, 188, 307, 139, 170, 198, 285, 203, 199, 245,
            207, 360, 267, 175, 215, 177, 158, 152, 185, 131, 130, 193, 271, 198, 169, 161, 85,  174, 118,
            100, 131, 84,  118, 143, 103, 160, 126, 140, 174, 185, 112, 95,  76,  129, 87,  83,  113, 123,
            98,  131, 166, 127, 228, 204, 155, 196, 133, 122, 112, 56,  100, 218, 248, 245, 282, 286, 255,
            158, 122, 136, 271, 281, 252, 262, 278, 261, 240, 273, 201, 264, 215, 172, 158, 135, 221, 188,
            196, 187, 182, 231, 193, 229, 264, 260, 283, 293, 341, 331, 115, 135, 112, 159, 123, 113, 66,
            142, 56,  101, 133, 146, 121, 212, 176, 175, 167, 142, 215, 210, 223,
        },
};

extern const ns_surrogate ns_surrogate_europe_osm;
const ns_surrogate ns_surrogate_europe_osm = {
    .group = "DIMACS10",
    .name = "europe_osm",
    .rows = 50912018,
    .catalogue_entries = 108109320,
    .symmetry = NS_SYMMETRIC,
    .scan = ns_road_scan,
    .shape = &europe,
};
