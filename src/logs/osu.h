/* osu.h -- a table of OSU Micro-Benchmarks while its rows come, and the job it ran in */
#ifndef NS_LOGS_OSU_H
#define NS_LOGS_OSU_H

#include "log.h"

/* What the text around tables says of the job; -1 or 0 where it says nothing. */
typedef struct osu_job {
    int processes, nodes;
    int locality;
    int memory; /* by the last command line; 2: one buffer on the host, the other on the device */
} osu_job;

/* What a table needs to know. */
typedef struct osu_table {
    ns_sample_kind kind;
    const char *name;
    bool open, sizes, rate; /* rows are expected; they begin with a size; the times are bandwidths */
    bool accelerated, memory_known;
    ns_memory memory;
    bool mixed; /* one buffer on the host, the other on the device */
    int pairs, window;
    int time;            /* which number after the size is the time */
    double last;         /* size of the row before */
    int decimals;        /* of the row before */
    size_t rows, strays; /* strays: rows whose size does not rise */
    long line, stray_line;
} osu_table;

/* A line that is no part of a table. */
void ns_osu_text_line(osu_job *job, const char *text);
/* Of so many pairs, those of one sending node. */
int ns_osu_node_pairs(const ns_log_parser *p, const osu_job *job, int pairs);
/* Flux's note on where tasks ran, after the tables: for the samples since the last one. */
void ns_osu_task_map(ns_log_parser *p, const char *text);

#endif
