/* cross.h -- the pieces of the command cross: the answer, the picture */
#ifndef NS_CLI_CROSS_H
#define NS_CLI_CROSS_H

#include "cli/inputs/curves.h"
#include "cli/show/draw.h"

/* The input along which curves are compared. */
typedef struct ns_course {
    char over[64];
    double lo, hi;
    ns_dim dim;
} ns_course;

/* Reigns and crossings. */
void ns_cross_show(const ns_crossings *found, const ns_course *course, ns_value *result);

/* --plot: every curve, the borders between reigns ringed. */
ns_status ns_cross_plot(const ns_crossings *found, const ns_course *course, const ns_args *args, ns_value *result,
                        ns_error *err);

#endif
