/* analyzer.h -- what an analyser that reads one file at a time cannot know: a failure returns its code (lint only) */
#include <nsmodel/status.h>

#define ns_fail(err, code, ...) (ns_fail(err, code, __VA_ARGS__), (code))
#define ns_fail_at(err, code, ...) (ns_fail_at(err, code, __VA_ARGS__), (code))

#define ns_no_memory(err) (ns_no_memory(err), NS_ERR_MEMORY)
