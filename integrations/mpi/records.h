/* records.h -- rows of measured exchanges, as nsmodel validate and nsmodel fit --records read them */
#ifndef NS_MPI_RECORDS_H
#define NS_MPI_RECORDS_H

#include "price/choice.h"

/* What the rows of one job have in common. */
typedef struct ns_run_record {
    const char *exchange; /* what was exchanged, as it was named */
    const char *machine;  /* name or file */
    int64_t to_all;       /* B from every process to every other; 0: counts by class */
    int64_t width;        /* B of an entry */
    long long began;      /* s since 1970: rows of one job are ways to do one exchange */
} ns_run_record;

/* Begin with what the file holds already, whose header has to be the same; add rows; put it in its place. */
typedef struct ns_record_file ns_record_file;
ns_status ns_record_file_open(const char *path, const ns_run_record *about, ns_record_file **file, ns_error *err);
/* on_time: repetitions that started on time. */
void ns_record_file_add(ns_record_file *file, const ns_schedule *schedule, const ns_machine *machine, double seconds,
                        int on_time);
/* Frees it in any case; with a status that is a failure nothing is written, and it is passed on. */
ns_status ns_record_file_close(ns_record_file *file, ns_status status, ns_error *err);

#endif
