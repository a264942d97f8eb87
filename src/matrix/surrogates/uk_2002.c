/* uk_2002.c -- stand-in for LAW/uk-2002: a crawl of the web, one page at a time
 *
 * docs/surrogates.md says how the shares were found and what the real matrix has that this one has not.
 */
#include "matrix/source.h"
#include "matrix/web.h"

static ns_status scan(ns_entry_fn *receive, void *context, ns_error *err)
{
    static const ns_web crawl = {
        .name = "uk-2002",
        .rows = 18520486,
        .knot = {{.15, 0}, {.25, 2}, {.5, 9}, {.75, 22}, {.95, 52}, {.995, 160}, {.9999, 700}, {1, 2450}},
        .self = 20771,
        .biggest = 200000,
        .popular = 194942,
        .smallest = 20,
        .largest = 160000,
        .folder = 100,
        .top = 15000,
        .abroad = 7000,
        .near = 20000,
        .fame = 4,
        .seed = 1,
    };
    return ns_web_scan(&crawl, receive, context, err);
}

extern const ns_surrogate ns_surrogate_uk_2002;
const ns_surrogate ns_surrogate_uk_2002 = {
    .group = "LAW",
    .name = "uk-2002",
    .rows = 18520486,
    .cols = 18520486,
    .catalogue_entries = 298113762,
    .symmetry = NS_GENERAL,
    .scan = scan,
};
