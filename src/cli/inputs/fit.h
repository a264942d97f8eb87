/* fit.h -- the parts of the command fit: reading its logs, its result, its chart */
#ifndef NS_CLI_FIT_H
#define NS_CLI_FIT_H

#include "cli/front/command.h"
#include "cli/front/progress.h"
#include "fit/fit.h"

/* Options of the command; 0 and NULL: not given. */
typedef struct ns_fit_said {
    const char *tool, *name, *title, *cite, *rank_order, *round_trip, *statistic, *weights, *plot, *check;
    const char *records, *rankings; /* files used for calibration */
    int per_node, processes, interfaces, sockets, gpus;
    bool each, keep_going, no_residual;
    bool usual_sockets, no_gpus; /* --sockets and --gpus are not given */
} ns_fit_said;

/* The whole command line. */
typedef struct ns_fit_request {
    ns_log_options reading;
    ns_fit_options fitting;
    char command[8192]; /* the command line, for the machine's file; where it is too long, the omission is marked */
    char name[80];      /* of the machine, from its file's name */
    const char *plot;   /* a file to write, or NULL */
    ns_progress_job reading_job, fitting_job; /* the watchers of reading and fitting */
} ns_fit_request;

ns_status ns_fit_request_parse(const ns_args *args, const ns_fit_said *said, ns_fit_request *request, ns_error *err);

/* The files that the words name, and the options for each. */
typedef struct ns_fit_files {
    char **path;
    int count, room;
    bool folder; /* some came from a folder, in which not every file is a log */
    const char **kind;
    int *locality, *memory;
} ns_fit_files;
/* Only their paths, each file once; list begins empty and is freed by the caller even when this fails. */
ns_status ns_fit_files_list(const ns_args *args, const ns_fit_request *request, ns_fit_files *files, ns_error *err);
void ns_fit_files_free(ns_fit_files *files);

/* The logs that the words name; a folder means the files in it. */
ns_status ns_fit_read(const ns_args *args, const ns_fit_request *request, ns_log **log, ns_error *err);

/* The machine that a file with these values would describe. */
ns_status ns_fit_machine_of(const ns_value *root, ns_machine **machine, ns_error *err);
/* --records PATH: the memories that have enough groups of exchanges for a floor. */
ns_status ns_fit_floors(const ns_args *args, const char *path, bool floor[NS_MEMORIES], ns_error *err);
/* --records: add what whole measured exchanges determine to the machine's file; the floors announced by ns_fit_floors
 * are among it. */
ns_status ns_fit_calibrate(const ns_args *args, const ns_fit_said *said, const bool promised[NS_MEMORIES],
                           ns_value *machine, ns_error *err);

#endif
