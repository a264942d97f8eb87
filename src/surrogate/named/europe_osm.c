/* europe_osm.c -- stand-in for DIMACS10/europe_osm: the streets of a continent, one row at a time
 *
 * docs/evidence/surrogates.md says how the shares were found and what the real matrix has that this one has not.
 */
#include "surrogate/road.h"
#include "matrix/source.h"

static ns_status scan(ns_entry_fn *receive, void *context, ns_error *err)
{
    static const ns_road europe = {
        .name = "europe_osm",
        .rows = 50912018,
        .broken = 7000,
        .bits = {11, 17},
        .joined = {10460, 7200, 41230},
        .forked = 1925,
        .tile = 43,
        .bandwidth = 50886340,
        .longest = 13,
        .seed = 1,
    };
    return ns_road_scan(&europe, receive, context, err);
}

extern const ns_surrogate ns_surrogate_europe_osm;
const ns_surrogate ns_surrogate_europe_osm = {
    .group = "DIMACS10",
    .name = "europe_osm",
    .rows = 50912018,
    .cols = 50912018,
    .catalogue_entries = 108109320,
    .symmetry = NS_SYMMETRIC,
    .scan = scan,
};
