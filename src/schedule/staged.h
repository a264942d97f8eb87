/* staged.h -- what ways along a grid of processes share; the grid is the strategy's */
#ifndef NS_SCHEDULE_STAGED_H
#define NS_SCHEDULE_STAGED_H

#include "schedule/strategy.h"

/* As many as there may be, then one whose name is NULL: a grid of n dimensions has the last n. */
extern const ns_step_rule ns_staged_steps[NS_STEPS + 1];

ns_status ns_staged_emit(const ns_task *task, ns_sink *sink, ns_error *err);

#endif
