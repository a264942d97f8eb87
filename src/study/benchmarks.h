/* benchmarks.h -- which benchmark tells which parameter */
#ifndef NS_STUDY_BENCHMARKS_H
#define NS_STUDY_BENCHMARKS_H

#include "study/study.h"

/* Number of the benchmark that measures a parameter. */
int ns_benchmark_of(const char *parameter);
/* Its tool, or NULL; its command on a machine, written into text. */
const char *ns_benchmark_write(int benchmark, const ns_machine *machine, char *text, size_t size);
/* What tells how long hardware takes that no machine here has; and whether that is what a parameter wants. */
extern const char ns_benchmark_elsewhere[];
bool ns_benchmark_is_elsewhere(const char *parameter);

#endif
