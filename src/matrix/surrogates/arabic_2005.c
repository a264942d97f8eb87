/* arabic_2005.c -- stand-in for LAW/arabic-2005: a crawl of the web, one page at a time
 *
 * docs/surrogates.md says how the shares were found and what the real matrix has that this one has not.
 */
#include "matrix/source.h"
#include "matrix/web.h"

static ns_status scan(ns_entry_fn *receive, void *context, ns_error *err)
{
    static const ns_web crawl = {
        .name = "arabic-2005",
        .rows = 22744080,
        .knot = {{.14, 0}, {.25, 2}, {.5, 15}, {.75, 33}, {.95, 85}, {.995, 350}, {.9999, 2500}, {1, 9905}},
        .self = 25489,
        .biggest = 590000,
        .popular = 575618,
        .smallest = 20,
        .largest = 450000,
        .folder = 100,
        .top = 27000,
        .abroad = 7000,
        .near = 20000,
        .fame = 4,
        .seed = 1,
    };
    return ns_web_scan(&crawl, receive, context, err);
}

extern const ns_surrogate ns_surrogate_arabic_2005;
const ns_surrogate ns_surrogate_arabic_2005 = {
    .group = "LAW",
    .name = "arabic-2005",
    .rows = 22744080,
    .cols = 22744080,
    .catalogue_entries = 639999458,
    .symmetry = NS_GENERAL,
    .scan = scan,
};
