/* cross.h -- the pieces of the command cross: the question, the answer, the picture */
#ifndef NS_CLI_CROSS_H
#define NS_CLI_CROSS_H

#include "cli/inputs/axes.h"
#include "cli/show/draw.h"
#include "num/roots.h"

typedef struct ns_crossing_search {
    ns_curve_set *set;
    char over[64];
    double lo, hi;
    ns_dim over_dim, dim; /* of the input, of the output */
    int reigns, crossings;
    ns_reign reign[NS_REIGNS];
    ns_crossing crossing[NS_CROSSINGS];
} ns_crossing_search;

/* Find reigns and crossings, and write them into the result. */
ns_status ns_cross_answer(ns_crossing_search *search, ns_value *result, ns_error *err);

/* --plot: every curve, the borders between reigns ringed. */
ns_status ns_cross_plot(const ns_crossing_search *search, const ns_args *args, ns_value *result, ns_error *err);

#endif
