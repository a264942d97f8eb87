/* fit.h -- parts of the command fit: reading its logs, its result, its chart */
#ifndef NS_CLI_FIT_H
#define NS_CLI_FIT_H

#include "cli/front/command.h"
#include "cli/front/progress.h"
#include "fit/fit.h"

/* Options of the command; 0 and NULL: not given. */
typedef struct ns_fit_said {
    const char *tool, *name, *title, *cite, *rank_order, *round_trip, *statistic, *weights, *plot, *check;
    const char *records, *rankings; /* files that calibrate */
    int per_node, processes, interfaces, sockets, gpus;
    bool each, keep_going, no_residual;
    bool usual_sockets, no_gpus; /* --sockets and --gpus are not given */
} ns_fit_said;

/* Everything that the command line says. */
typedef struct ns_fit_request {
    ns_log_options reading;
    ns_fit_options fitting;
    char command[8192]; /* the line itself, for the machine's file; what has no room is shown to be missing */
    char name[80];      /* of the machine, after its file */
    const char *plot;   /* a file that is written, or NULL */
    ns_progress_job reading_job, fitting_job; /* the watchers of the two */
} ns_fit_request;

ns_status ns_fit_request_parse(const ns_args *args, const ns_fit_said *said, ns_fit_request *request, ns_error *err);

/* The files that the words name, and what the options say of each. */
typedef struct ns_fit_files {
    char **path;
    int count, room;
    bool folder; /* some came from a folder, where not everything is a log */
    const char **kind;
    int *locality, *memory;
} ns_fit_files;
/* Their paths only, each file once; list begins empty and is freed by the caller even when this fails. */
ns_status ns_fit_files_list(const ns_args *args, const ns_fit_request *request, ns_fit_files *files, ns_error *err);
void ns_fit_files_free(ns_fit_files *files);

/* The logs that the words name; folders stand for the files in them. */
ns_status ns_fit_read(const ns_args *args, const ns_fit_request *request, ns_log **log, ns_error *err);

/* The machine that a file of these values would be. */
ns_status ns_fit_machine_of(const ns_value *root, ns_machine **machine, ns_error *err);
/* --records PATH: of which memories there are enough groups of exchanges for a floor. */
ns_status ns_fit_floors(const ns_args *args, const char *path, bool floor[NS_MEMORIES], ns_error *err);
/* --records: what whole measured exchanges tell, added to the machine's file; the promised floors are among it. */
ns_status ns_fit_calibrate(const ns_args *args, const ns_fit_said *said, const bool promised[NS_MEMORIES],
                           ns_value *machine, ns_error *err);

#endif
