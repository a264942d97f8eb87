/* sharp_tree.h -- aggregation in switches: the tree, and the time of an operation in it
 *
 * All pure.  Times in seconds, sizes in bytes.  Source: [SH] 2, 3.1, Tables 1 and 2.
 */
#ifndef NS_CORE_SHARP_TREE_H
#define NS_CORE_SHARP_TREE_H

#include "machine/model.h"

enum { NS_SHARP_LEVELS = 16 };

/* Parameters of a tree and the costs of its parts. */
typedef struct ns_sharp {
    double hosts;
    ns_numbers radix;           /* children by level from the hosts up; empty: derived */
    double leaf_hosts, ports;   /* hosts below a leaf switch, ports of a switch */
    double radix_most;          /* maximum number of children of an aggregation node; 0: no limit */
    double T00, t_lvl, c, g0;   /* s; s per level; s/B per child; s */
    double segment, link;       /* B an aggregation carries; B/s of a link */
} ns_sharp;

#define NS_SHARP_ROW(x, unit_, doc_) \
    NS_INPUT_AT(sharp.x, #x, unit_, doc_, .from = "models.sharp." #x, .most = NS_MOST)
#define NS_SHARP_POSITIVE(x, unit_, doc_) \
    NS_INPUT_AT(sharp.x, #x, unit_, doc_, .from = "models.sharp." #x, .most = NS_MOST, .open = true)

/* Input rows of a model whose struct in has `ns_sharp sharp`. */
#define NS_SHARP_ROWS \
    NS_SHARP_POSITIVE(hosts, "1", "hosts that take part"), \
    NS_INPUT_AT(sharp.radix, "radix", "1", \
                "children of an aggregation node by level, from the hosts up; from leaf_hosts and ports where not " \
                "given", \
                .kind = NS_FIELD_LIST, .most = NS_MOST, .has_default = true), \
    NS_SHARP_POSITIVE(leaf_hosts, "1", "hosts below a leaf switch"), \
    NS_SHARP_POSITIVE(ports, "1", "ports of a switch; half of them go down below the top"), \
    NS_INPUT_AT(sharp.radix_most, "radix_most", "1", "most children of an aggregation node; 0: no limit", \
                .most = NS_MOST, .has_default = true), \
    NS_SHARP_ROW(T00, "us", "time of an operation apart from tree and data"), \
    NS_SHARP_ROW(t_lvl, "us", "time per level of the tree"), \
    NS_SHARP_ROW(c, "ns/B", "time per byte and child"), \
    NS_SHARP_ROW(g0, "us", "gap between pipelined aggregations, apart from their data"), \
    NS_SHARP_POSITIVE(segment, "B", "bytes that one aggregation carries"), \
    NS_SHARP_POSITIVE(link, "GB/s", "bandwidth of a link")

typedef struct ns_sharp_tree {
    int depth;
    double children[NS_SHARP_LEVELS]; /* per aggregation node, by level from the hosts up */
    double sum, most;                 /* over the levels */
} ns_sharp_tree;

/* Build the tree; each host has `channels` connections to its leaf.  Refused: a number of hosts that is not whole, a
 * radix that cannot hold them, too many levels or children. */
ns_status ns_sharp_grow(const ns_sharp *sharp, double channels, ns_sharp_tree *tree, ns_error *err);

/* Time of an operation of s bytes by its parts; the result is distributed by multicast. */
typedef struct ns_sharp_time {
    double levels, children, pipeline; /* d t_lvl, c s1 sum k, (n - 1) g; T00 is added */
    double segments;                   /* n = ceil(s / segment), at least 1 */
    double gap;                        /* g = g0 + max k segment / link */
    double first, total;               /* one aggregation, and all */
} ns_sharp_time;
ns_sharp_time ns_sharp_operation(const ns_sharp *sharp, const ns_sharp_tree *tree, double s);

/* Extra cost of a result that leaves every aggregation node as separate copies (RC alone). */
double ns_sharp_copies(const ns_sharp_tree *tree, double segments, double r1, double r2);

#endif
