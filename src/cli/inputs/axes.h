/* axes.h -- what is varied: NAME=RANGE over numbers, NAME=WORD,WORD over words */
#ifndef NS_CLI_AXES_H
#define NS_CLI_AXES_H

#include "cli/inputs/curves.h"

typedef struct ns_axis {
    char name[64];
    ns_dim dim;
    char *text;        /* owned: the words */
    const char **word; /* [count], or NULL for numbers */
    double *number;    /* [count], or NULL */
    size_t count;
} ns_axis;

enum { NS_AXES = 2, NS_AXIS_POINTS = 25 };

/* "s=1B:1MiB:x2", "s=1B:1MiB", "ppn=1,40", "protocol=eager,rendezvous" against the inputs of the curves. */
ns_status ns_axis_open(ns_axis *axis, const char *assignment, const ns_curve_set *set, ns_error *err);
void ns_axis_close(ns_axis *axis);

/* Does this NAME=VALUE stand for several values of an input that takes one? */
bool ns_is_axis(const char *assignment, const ns_curve_set *set);

ns_setting ns_axis_setting(const ns_axis *axis, size_t i);

/* The place as a member of a row. */
void ns_axis_value(const ns_axis *axis, size_t i, ns_value *row);

/* Does it look straight in ratios: positive numbers that rise over more than a decade? */
bool ns_axis_is_log(const ns_axis *axis);

/* "message size [B]": the name and unit for an axis of a plot. */
const char *ns_axis_title(const ns_curve_set *set, const char *name, char *buffer, size_t size);

/* An error of a NAME=RANGE that says where in it. */
ns_status ns_axis_refuse(const char *assignment, const char *value, const ns_error *inner, ns_error *err);

#endif
