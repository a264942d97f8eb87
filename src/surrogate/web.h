/* web.h -- a crawl of the web in the order of its addresses: hosts, folders, pages */
#ifndef NS_MATRIX_WEB_H
#define NS_MATRIX_WEB_H

#include "surrogate/quantile.h"

#include <nsmodel/matrix.h>

enum { NS_WEB_KNOTS = 8 };

/* Shares are in 65536ths unless noted otherwise.  See web.c. */
typedef struct ns_web {
    const char *name;
    uint32_t rows;
    ns_knot knot[NS_WEB_KNOTS]; /* links of a page */
    uint32_t self;              /* share of pages that link to themselves */
    uint32_t biggest;           /* pages of the biggest host, which is in the middle */
    uint32_t popular;           /* pages that link to its first page: the longest column */
    uint32_t smallest;          /* pages of the smallest host */
    uint32_t largest;           /* pages of the largest of the other hosts */
    uint32_t folder;            /* mean number of pages of a folder */
    uint32_t heads;             /* share of a folder's pages at its head: the first ones, with the longest rows */
    uint32_t kin;               /* pages that choose from the same targets in other hosts */
    uint32_t top;               /* share of a page's links that go to the top of its host, not of its folder */
    uint32_t inside;            /* share of pages that link to pages of their host at any depth */
    uint32_t apart;             /* pages of a folder for each of these that the folder knows */
    uint32_t linking;           /* share of groups of such neighbours that link to other hosts at all */
    double lean;                /* difference between the halves of a stretch of pages in that share: 0 to 1 */
    uint32_t abroad;            /* share of pages with links to other hosts among these */
    uint32_t near;              /* share of such links that go to nearby hosts */
    uint32_t fame;              /* the higher, the fewer hosts get most of the other links */
    uint64_t seed;
} ns_web;

/* Rows ascending, columns ascending, no entry twice.  Memory: 4 bytes per host. */
ns_status ns_web_scan(const void *web, ns_entry_fn *receive, void *context, ns_error *err);

#endif
