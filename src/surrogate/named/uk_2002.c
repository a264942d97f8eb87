/* uk_2002.c -- stand-in for LAW/uk-2002: a crawl of the web, one page at a time
 *
 * docs/evidence/surrogates.md explains how the shares were found, and what the surrogate lacks.
 */
#include "matrix/source.h"
#include "surrogate/web.h"

static const ns_web crawl = {
    .name = "uk-2002",
    .rows = 18520486,
    .knot = {{0.15, 0}, {0.25, 2}, {0.5, 9}, {0.75, 22}, {0.95, 42}, {0.995, 150}, {0.9999, 300}, {1, 2450}},
    .self = 25539,
    .biggest = 200000,
    .popular = 194942,
    .smallest = 100,
    .largest = 160000,
    .folder = 1300,
    .heads = 3277,
    .kin = 8,
    .top = 23000,
    .linking = 19200,
    .lean = 0.24,
    .abroad = 58000,
    .near = 15000,
    .fame = 4,
    .seed = 1,
};

extern const ns_surrogate ns_surrogate_uk_2002;
const ns_surrogate ns_surrogate_uk_2002 = {
    .group = "LAW",
    .name = "uk-2002",
    .rows = 18520486,
    .catalogue_entries = 298113762,
    .symmetry = NS_GENERAL,
    .scan = ns_web_scan,
    .shape = &crawl,
};
