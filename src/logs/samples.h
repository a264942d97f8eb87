/* samples.h -- the common form of benchmark logs: samples with their place in the file
 *
 * Part of libnsmodel-fit.  A log tool is one file in src/logs that ends in a const descriptor; make collects them from
 * the directory. seconds is one way: the time of one message (kind ping-pong), or of `messages` messages of each of
 * `pairs` pairs.
 */
#ifndef NS_LOGS_SAMPLES_H
#define NS_LOGS_SAMPLES_H

#include "machine/machine.h"

typedef enum ns_sample_kind {
    NS_PING_PONG,     /* one message in flight per pair, seconds one way */
    NS_NODE_PONG,     /* `pairs` pairs between two nodes at once, one message in flight each */
    NS_STREAMING,     /* windows of messages one way: osu_bw, Uniband; never mixed with ping-pong without notice */
    NS_BIDIRECTIONAL, /* both ways at once, seconds of `messages` each way: osu_bibw, PingPing, Exchange, Biband */
    NS_MESSAGE_RATE,  /* osu_mbw_mr and similar: `pairs` pairs, windows */
    NS_MULTI_MESSAGE, /* `messages` messages of a pair in flight: mult_pong, queue search */
    NS_QUEUE_IN_ORDER,
    NS_QUEUE_REVERSED, /* the same with receives posted in the best and the worst order */
    NS_CONTENTION,
    NS_COPY_SAMPLE, /* device-host copies, `pairs` processes sharing a GPU; direction in ns_sample.direction */
    NS_COLLECTIVE,  /* name in ns_sample.name, `pairs` processes */
    NS_LOGGP,  /* a parameter of the LogGP model; name L, o_s, o_r, g, G; seconds (G: seconds per byte) at this size */
    NS_STAGED, /* device data through host buffers: copy, host message, copy; one way */
    NS_PEER_COPY, /* one device to another of the same node */
    NS_ONE_SIDED, /* put, get, accumulate...: given by `name` */
    NS_PACKING,   /* blocks packed into a newly allocated buffer, by `pairs` processes of a node at once */
    NS_SAMPLE_KINDS
} ns_sample_kind;
extern const char *const ns_sample_kind_words[]; /* "ping-pong", ...; closed by NULL */

typedef struct ns_sample {
    ns_sample_kind kind;
    ns_locality locality;
    ns_memory memory;
    ns_direction direction;              /* copies */
    bool locality_stated, memory_stated; /* by the log or by an option; otherwise the default, off-node host, is used */
    int pairs;    /* concurrent pairs (or processes); 0: not in the log.  A single pair is a ping-pong. */
    int messages; /* per pair */
    double bytes; /* of one message */
    double seconds;
    double spread;    /* seconds: max - min over pairs if the log has it, else 0 */
    const char *name; /* collective or parameter, static or owned by the log; or "" */
    int file;         /* index into ns_log.file */
    long line;
    int rank[2]; /* the two ranks, if the log names them; else equal */
} ns_sample;

/* A part of a file that was left out, and why. */
typedef struct ns_log_warning {
    int file;
    long line;        /* 0: the whole file */
    const char *text; /* owned by the log */
} ns_log_warning;

/* Node data of the job, as printed by benchmarks: the maximum over files; 0: not printed. */
typedef struct ns_log_node {
    int processes, sockets, gpus;
} ns_log_node;

/* Everything read from the files of one call. */
typedef struct ns_log {
    const char **file;
    const char **tool; /* [files] name of the tool that read it */
    int files;
    ns_sample *sample;
    size_t samples;
    ns_log_warning *warning;
    size_t warnings;
    size_t files_out, tables_out, values_out; /* refused files; unusable parts of the other files */
    bool asked_kind;                          /* some file does not show its kind by itself */
    ns_log_node node;
    struct ns_log_store *store;
} ns_log;

/* Options of the command line about the logs; -1 or NULL where not given. */
typedef struct ns_log_options {
    const char *tool;     /* NULL: detected by content */
    const char *kind;     /* word for BenchPress files that do not show it: node_pong, maxrate, 3step... */
    int locality, memory; /* ns_locality, ns_memory, or -1 */
    int per_node,
        sockets;    /* rank r is on node r / per_node, socket (r mod per_node) / (per_node / sockets); 0: unknown */
    int processes;  /* of a node; 0: unknown, or per_node */
    int round_trip; /* 1: times are full round trips, 0: half, -1: as the tool prints */
    int cyclic;     /* 1: rank r is on node r mod nodes instead (cyclic); nodes = ranks / per_node */
    int keep_going; /* 1: a refused file is a warning, as long as another file is usable */
    const char *const *kind_of_file; /* [paths] the kind of each file, as `kind` is of all; NULL: none, also inside */
    const int *locality_of_file, *memory_of_file;            /* [paths] the same; -1: none */
    void (*watch)(void *watcher, double read, double files); /* called after each file; or NULL */
    void *watcher;
} ns_log_options;
#define NS_LOG_OPTIONS_DEFAULT ((ns_log_options){NULL, NULL, -1, -1, 0, 0, 0, -1, 0, 0, NULL, NULL, NULL, NULL, NULL})

/* Names of the tools, closed by NULL, and of the kinds that `kind` accepts. */
const char *const *ns_log_tool_names(void);
extern const char *const ns_log_kind_words[];

/* Read files; *log is allocated.  A file that cannot be used is an error with a one-line reason; a part that cannot be
 * used is a warning. */
ns_status ns_log_read(const char *const *path, int paths, const ns_log_options *options, ns_log **log, ns_error *err);
void ns_log_free(ns_log *log);

#endif
