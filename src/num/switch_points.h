/* switch_points.h -- where a curve of times switches from one line to the next: the first sizes of the protocols */
#ifndef NS_NUM_SWITCH_POINTS_H
#define NS_NUM_SWITCH_POINTS_H

#include "num/curve.h"

enum { NS_SEGMENTS_MAX = 3, NS_SEGMENT_SIZES = 3 /* a segment has at least this many sizes */ };

typedef struct ns_switches {
    int segments;                  /* 1 to 3 */
    double first[NS_SEGMENTS_MAX]; /* B: smallest measured size of each segment */
    double end;                    /* B: a last size that belongs to no segment; infinite without one */
} ns_switches;

/* The curve has one point per size (statistic median or min). */
ns_status ns_switch_points(const ns_curve *curve, ns_switches *switches, ns_error *err);

#endif
