/* log.h -- shared by the log tools: a parser's state, its current line, functions to add samples and warnings
 *
 * A tool reads lines from its parser and adds samples; ns_log_read does the rest: it finds the tool, applies the
 * options, determines where ranks ran and reports what was left out.
 */
#ifndef NS_LOGS_LOG_H
#define NS_LOGS_LOG_H

#include <stdio.h>

#include "samples.h"

enum {
    NS_LOG_LINE_MAX = 1 << 20, /* B, longer lines are truncated */
    NS_LOG_HEAD = 1 << 20,     /* B, within which a tool must be recognised */
    NS_LOG_SAMPLES_MAX = 1 << 22,
    NS_LOG_WARNINGS_MAX = 50 /* per file */
};

/* The lines of a file of any size, in bounded memory. */
typedef struct ns_log_lines {
    FILE *file;
    char *buffer;
    size_t from, to; /* unread part of the buffer */
    bool end;
} ns_log_lines;

/* Where the ranks of a job ran. */
typedef struct ns_placement {
    int *host, *cpu; /* by rank; -1 unknown */
    int ranks, cpus; /* cpus: largest number named, plus 1 */
} ns_placement;

typedef struct ns_log_parser {
    const ns_log_options *options;
    ns_log *log;
    int file;
    const char *path;
    ns_log_lines lines;
    char *text; /* the current line, without its end */
    long line;
    bool whole;      /* the line ended in a newline */
    size_t first;    /* first sample of this file */
    size_t unplaced; /* first sample whose ranks have no place yet */
    ns_placement place;
    long placed;  /* work done so far for placement */
    int warnings; /* count, including those beyond the list */
    size_t tables_out;
    size_t bad; /* invalid time values */
    long bad_line;
    char reason[256]; /* why tables were left out: the error message if the file has nothing else */
    long reason_line;
} ns_log_parser;

/* ---- lines.c: open fills lines.buffer with the file's first NS_LOG_HEAD bytes, closed by a terminator */
ns_status ns_log_open(ns_log_parser *p, ns_error *err);
void ns_log_close(ns_log_parser *p);
/* Call `line` for each of the file's lines; the line is in p->text. */
ns_status ns_log_each_line(ns_log_parser *p, ns_status (*line)(ns_log_parser *p, void *state, ns_error *err),
                           void *state, ns_error *err);

/* ---- log.c */
ns_status ns_log_new(const char *const *path, int paths, ns_log **log, ns_error *err);
/* Add a warning about a file, without a limit on their number. */
ns_status ns_log_add_warning(ns_log *log, int file, long line, const char *text, ns_error *err);

/* Add a sample: pairs, messages and kind as in samples.h, seconds one way.  A time that is not positive and finite is
 * counted and left out.  Options override the log. */
ns_status ns_log_add(ns_log_parser *p, const ns_sample *sample, ns_error *err);

/* Warn of what was left out; line 0 is the whole file. */
ns_status ns_log_warn(ns_log_parser *p, long line, ns_error *err, const char *format, ...) NS_PRINTF(4, 5);

/* The same for a table that cannot be used: this becomes the error message when the file has nothing else. */
ns_status ns_log_leave_out(ns_log_parser *p, long line, ns_error *err, const char *format, ...) NS_PRINTF(4, 5);

/* Grow an array, by doubling, for one more element after `count`; NULL when memory runs out, and the array is
 * unchanged. */
void *ns_log_grown(void *array, size_t count, size_t *room, size_t element);

/* A copy that is freed with the log; NULL when memory runs out. */
const char *ns_log_keep(ns_log *log, const char *text);

/* The factor from the printed time to one way: 0.5 for a full round trip.  printed: 1 if the tool prints full, 0 if
 * half round trips. */
double ns_log_one_way(const ns_log_parser *p, int printed);

/* The kind that --kind names, as one of ns_log_kind_words, or NULL. */
const char *ns_log_kind(const ns_log_parser *p);
/* The same for any spelling, with - or _ or nothing between its words. */
const char *ns_log_kind_word(const char *given);

/* --locality of this file, or else of all files; -1: not given. */
int ns_log_said_locality(const ns_log_options *options, int file);

/* Does the kind have a locality?  NS_COPY_SAMPLE, NS_PEER_COPY and NS_COLLECTIVE have none that an option could
 * set. */
bool ns_log_travels(ns_sample_kind kind);

/* ---- place.c */
/* Parse and remember a placement line ("rank: 3: { host: 1; cpu: {0-3}, ...", "Host 0 [name] ranks 0, 2"). */
ns_status ns_place_line(ns_log_parser *p, bool *taken, ns_error *err);
/* Give the samples since the last call the locality of their ranks, and clear the placement. */
ns_status ns_place_settle(ns_log_parser *p, ns_error *err);
void ns_placement_free(ns_placement *place);
/* The locality that words of a line state ("intra-node"), or -1. */
int ns_words_locality(const char *text);
/* The locality given by a file's name or its folders' ("lat_intra-node.log"), or -1. */
int ns_path_locality(const char *path);

/* ---- scan.c: no locale, no overrun */
bool ns_scan_number(const char **cursor, double *value); /* nan and inf too */
bool ns_scan_integer(const char **cursor, int *value);   /* >= 0 */
const char *ns_scan_blanks(const char *text);            /* skips blanks and tabs */
bool ns_scan_end(const char *text);                      /* only blanks are left */
/* Skip the pattern at the start of text, or return NULL.  % is a whole number, stored in value[] in order. */
const char *ns_scan_match(const char *text, const char *pattern, int *value);
/* Skip what launchers print before a line: "0: ", "[1,0]<stdout>:". */
const char *ns_scan_label(const char *text);
/* Does a line of text[0..size) begin with the prefix (after a label)? */
bool ns_scan_line(const char *text, size_t size, const char *prefix);
/* A whole number of any size. */
bool ns_scan_size(const char **cursor, double *bytes);
/* Read numbers separated by blanks, at most `most`, and the decimals of the last one, -1 without a point.  *cursor is
 * then at the first character that is not a number.  Returns how many; -1 where a number is followed directly by
 * something else. */
int ns_scan_numbers(const char **cursor, double *number, int most, int *decimals);

/* Confidence, 0 to 100, that a file with a line beginning like this was written by the tool. */
typedef struct ns_log_mark {
    const char *begins;
    int score;
} ns_log_mark;

typedef struct ns_log_tool {
    const char *name, *title;
    const ns_log_mark *marks;                     /* the first one found counts; closed by NULL; or else: */
    int (*detect)(const char *text, size_t size); /* 0: another tool's file ... 100 */
    ns_status (*parse)(ns_log_parser *p, ns_error *err);
} ns_log_tool;

#endif
