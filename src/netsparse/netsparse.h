/* netsparse.h -- what is counted on a trace, entry by entry, and the effect of each mechanism on it */
#ifndef NS_NETSPARSE_NETSPARSE_H
#define NS_NETSPARSE_NETSPARSE_H

#include <nsmodel/netsparse.h>

typedef struct ns_node_counts {
    int64_t nonzeros;    /* entries of its rows */
    int64_t requests;    /* of these, with a column of another node */
    int64_t unique;      /* distinct such columns */
    int64_t rank_unique; /* distinct such columns of each rank, added over the ranks */
    int64_t rank_most;   /* of the rank with most of them, times the number of ranks: the quantity that all wait for */
    int64_t owned;       /* columns it owns */
    int64_t served;      /* (other node, column) pairs that it serves */
} ns_node_counts;

/* Columns from outside a rack that its nodes need: counted once each, and once per node that needs them. */
typedef struct ns_rack_counts {
    int64_t columns, pairs;
} ns_rack_counts;

struct ns_trace {
    int32_t nodes, rack, racks, ranks;
    int64_t rows, cols;
    ns_netsparse_view view;
    ns_node_counts *node;        /* [nodes] */
    ns_rack_counts *rack_counts; /* [racks] */
    struct ns_trace_store *store;
};

/* [NS] Tables 1 and 4 for its five matrices; NULL for any other, or for other than 128 nodes in racks of 16. */
typedef struct ns_published_view {
    const char *name;
    double su_redundant_per_useful, sa_redundant_per_useful, destinations_per_window;
} ns_published_view;
const ns_published_view *ns_trace_published(const ns_trace *trace, const char *name);
/* computed/published - 1; 0 where there is no published value. */
double ns_relative_deviation(double computed, double published_value);

/* ---- the schedule of the RIG units of one node ------------------------------------------------------------------- */

enum { NS_CLIENTS_MOST = 64 };
typedef struct ns_gather_rule {
    int32_t clients;                     /* client units, 1 to NS_CLIENTS_MOST: batch k goes to unit k mod clients */
    int64_t batch;                       /* indices per command */
    double tau;                          /* s between two indices of a unit */
    double rtt;                          /* s from issue to arrival, delays included */
    bool filter, coalesce;               /* drop what has arrived; drop what the same unit is waiting for */
    double delay;                        /* s that a concatenation queue waits for further requests */
    int64_t most_request, most_response; /* largest number that fits into a packet */
} ns_gather_rule;

typedef struct ns_gather_counts {
    int64_t issued;
    int64_t request_packets, response_packets;
    int64_t windows; /* of 64 consecutive issued requests */
    int64_t owners;  /* distinct owners in them, summed */
} ns_gather_counts;

/* Feed the node's indices to its units, with all units in step; `from` (or NULL, [nodes]) receives the issued requests
 * by owner, added to its content. */
ns_status ns_trace_gather(ns_trace *trace, int32_t node, const ns_gather_rule *rule, ns_gather_counts *counts,
                          int64_t *from, ns_error *err);

/* ---- the property cache of one rack ------------------------------------------------------------------------------ */

typedef struct ns_cache_rule {
    double entries; /* capacity in properties; 0 for no cache */
    int32_t ways;   /* 0 for fully associative */
    double fill;    /* s from a miss until the property is available */
    int64_t most;   /* sample columns when a rack has more requests than this; 0 means 16 Mi */
} ns_cache_rule;

typedef struct ns_cache_counts {
    double requests; /* for columns from outside the rack */
    double hits;
    double sampled; /* share of the columns that was examined; 1 for all */
} ns_cache_counts;

/* Merge the issued requests of the rack's nodes by time, rule[i] being that of the rack's i-th node, and count hits by
 * reuse distance.  The hits are added to by_node ([nodes of the rack]) and by_owner ([nodes]); either may be NULL. */
ns_status ns_trace_cache(ns_trace *trace, int32_t rack, const ns_gather_rule *rule, const ns_cache_rule *cache,
                         ns_cache_counts *counts, double *by_node, double *by_owner, ns_error *err);

/* ---- networks ---------------------------------------------------------------------------------------------------- */

extern const char *const ns_topology_words[]; /* "leaf-spine", "hyperx", "dragonfly", closed by NULL */

typedef struct ns_network {
    ns_topology topology;
    int32_t nodes, rack;
} ns_network;

enum { NS_LINK_CLASSES = 3 };
/* Inter-switch links of each class on the path between two nodes; returns the number of switches on it. */
int32_t ns_network_path(const ns_network *network, int32_t a, int32_t b, int32_t hops[NS_LINK_CLASSES]);
/* Directed links of each class; 0 where the network has no links of that class. */
void ns_network_links(const ns_network *network, double links[NS_LINK_CLASSES]);

/* ---- the ablation ------------------------------------------------------------------------------------------------ */

extern const char *const ns_mechanism_words[]; /* "rig", "filter", "coalesce", "concat", "switch", closed by NULL */

extern const char *const ns_limit_words[];

/* One node after one step. */
typedef struct ns_node_time {
    double issued;                        /* requests that it sends, Q */
    double served;                        /* requests that reach it, S */
    double per_packet;                    /* n */
    double hits;                          /* those of its requests that are found in the rack's cache */
    double rtt;                           /* s, with delays */
    double received, sent;                /* B on its link, headers included */
    double line, generate, pending, tail; /* s */
    double own;                           /* s: for its own requests, commands exposed */
    double hidden, exposed;               /* s: the two limits of its time, including what it serves */
    ns_limit limit;
} ns_node_time;

typedef struct ns_step_result {
    int32_t node; /* the tail node: the one whose requests are answered last, commands exposed */
    ns_node_time tail;
    double time, best;           /* s, of the exchange: commands exposed, commands hidden */
    double mean;                 /* s, mean over nodes, commands exposed */
    double network;              /* s, bound of the busiest class of inter-switch links */
    ns_limit limit;              /* of the exchange */
    double issued, traffic;      /* requests, and bytes that nodes receive, over all nodes */
    double hits, cache_requests; /* of the racks' caches */
    double windows, owners;      /* destinations per 64 issued requests = owners/windows */
    double reduction, utilisation, goodput, speedup, speedup_best; /* tail node, over SUOpt; -1 where nothing is sent */
} ns_step_result;

enum { NS_PROFILE = 11 };
struct ns_netsparse_result {
    int64_t batch;
    double payload, header;     /* B: of a property; of a lone request and its response */
    double su_time, su_traffic; /* s of the slowest node; B over all nodes */
    double sa_time,
        sa_traffic; /* SAOpt: s of the slowest node; SA: B over all nodes, every request with its own headers */
    ns_step_result step[NS_MECHANISMS];
    int32_t nodes;
    ns_node_time *node;         /* [nodes], after the last step */
    double filter_most;         /* largest share of indices that filtering can drop, for the most unique columns */
    double per_packet_most;     /* full packets in both directions */
    double speedup_most;        /* a full line, unique columns only, headers of r alone */
    double filter_bytes;        /* B: Idx Filter of a NIC */
    double queue_bytes;         /* B: concatenation queues, one per direction and destination */
    bool queues_fit;            /* the NIC's concatenation memory */
    double computation[2];      /* s of the slowest node: a property read once from memory, or for every entry */
    double ideal;               /* speedup over one node without communication */
    double end_to_end[3][2];    /* the same with SUOpt, SAOpt, NetSparse: least computation and no overlap, most and
                                 * full overlap */
    int32_t active[NS_PROFILE]; /* nodes that still communicate after i/(NS_PROFILE - 1) of the tail node's time */
};

#endif
