/* pooling.h -- waiting for a partner and waiting for the link: the queues in front of a link, in flit times
 *
 * All pure and without dimension: rates in flits per flit time, times in flit times.  Source: double-ended queue with
 * patience, M/D/1 and non-preemptive priority; [NC] 4.2, 4.3.
 */
#ifndef NS_CORE_POOLING_H
#define NS_CORE_POOLING_H

#include "machine/model.h"

/* Parents wait at most w_p for a candidate; candidates wait at most w_c for a parent, a share of them only w_short. */
typedef struct ns_patience {
    double parents, candidates;     /* arrivals, Poisson */
    double w_p, w_c;
    double share_short, w_short;    /* share_short in [0, 1] */
} ns_patience;

typedef struct ns_matching {
    double unmatched;    /* share of parents that leave unmatched */
    double wait;         /* mean waiting time of a parent */
    double beyond;       /* part of it after the first `from` flit times */
    double beyond_candidate; /* the same for a candidate that waits up to w_c */
} ns_matching;

/* Exact for first come first served. */
ns_matching ns_pool(const ns_patience *patience, double from);

/* Flits stitched in front of a link: the arrival rates of the pairs are shares of the load. */
typedef struct ns_pooled_link {
    double load;                      /* flits offered per flit time, unstitched */
    double parents, candidates;       /* shares of the flits */
    double page_table;                /* share of the candidates */
    double window;                    /* pooling, flit times */
    bool spare_page_table;            /* selective pooling */
} ns_pooled_link;

typedef struct ns_pooled {
    double saving;       /* share of the flits */
    double matched;      /* share of the parents */
    double load;         /* after stitching */
    double queue;        /* mean wait for the link, flit times */
    double added;        /* wait of a parent caused by pooling, flit times */
    double added_page_table;
    double added_flit;   /* mean over all flits, including those that do not wait */
} ns_pooled;

/* The load after stitching determines the queue, and the queue determines how long partners can meet: solved by
 * bisection.  Refused: a link that stays overloaded. */
ns_status ns_pool_link(const ns_pooled_link *link, ns_pooled *pooled, ns_error *err);

/* M/D/1 wait, rho/(2 (1 - rho)), times `residual` (1 for flits; E[S^2]/E[S] for packets of S flits); rho < 1. */
double ns_queue_wait(double rho, double residual);

typedef struct ns_priority {
    double fifo, first, rest; /* waits in flit times: one class, and the two classes */
} ns_priority;

/* Two classes, non-preemptive; `share` of the load has priority. */
ns_priority ns_priority_waits(double rho, double share, double residual);

#endif
