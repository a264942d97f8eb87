/* arabic_2005.c -- stand-in for LAW/arabic-2005: a crawl of the web, one page at a time
 *
 * docs/evidence/surrogates.md explains how the shares were found, and what the surrogate lacks.
 */
#include "matrix/source.h"
#include "surrogate/web.h"

static const ns_web crawl = {
    .name = "arabic-2005",
    .rows = 22744080,
    .knot = {{0.14, 0}, {0.25, 2}, {0.5, 15}, {0.75, 33}, {0.95, 66}, {0.995, 318}, {0.9999, 1300}, {1, 9905}},
    .self = 31095,
    .biggest = 590000,
    .popular = 575618,
    .smallest = 200,
    .largest = 350000,
    .folder = 5000,
    .heads = 2400,
    .kin = 36,
    .top = 23500,
    .inside = 61000,
    .apart = 3,
    .linking = 17000,
    .lean = 0.24,
    .abroad = 60000,
    .near = 2000,
    .fame = 10,
    .seed = 1,
};

extern const ns_surrogate ns_surrogate_arabic_2005;
const ns_surrogate ns_surrogate_arabic_2005 = {
    .group = "LAW",
    .name = "arabic-2005",
    .rows = 22744080,
    .catalogue_entries = 639999458,
    .symmetry = NS_GENERAL,
    .scan = ns_web_scan,
    .shape = &crawl,
};
