/* meetings.h -- every place where two of some curves pass, join or part */
#ifndef NS_STUDY_MEETINGS_H
#define NS_STUDY_MEETINGS_H

#include "model/cross.h"
#include "study/study.h"

enum { NS_MEETINGS = 1024 };

/* Every crossing of every pair of curves in [lo, hi], by x.  Sampled at 513 points (equal ratios where lo > 0); a pair
 * that crosses twice between two samples is found where its distance dips there.  Values within a relative 1e-12 are
 * equal.  changes_winner is left false. */
ns_status ns_meetings_find(ns_cross_fn *value, const void *context, int curves, double lo, double hi,
                           ns_crossing *crossing, int *crossings, ns_error *err);

#endif
