/* lines.h -- cache lines that wavefronts read from other clusters of GPUs, and the sectors that they need
 *
 * A sparse matrix-vector product: a wavefront of `lanes` lanes processes a row, that many entries at a time (of those
 * with values in other clusters); lanes that read the same line of the vector share one request for it.
 */
#ifndef NS_PATTERN_LINES_H
#define NS_PATTERN_LINES_H

#include <nsmodel/exchange.h>

enum { NS_LINE_SECTORS = 64 };

typedef struct ns_line_rule {
    int32_t clusters, lanes;
    int64_t value, line,
        sector;          /* B; a value fits a line, a line has whole values and at most NS_LINE_SECTORS sectors */
    const int32_t *part; /* cluster of each row, or NULL for equal blocks */
    int64_t max_memory;  /* B, 0 for no limit */
} ns_line_rule;

typedef struct ns_line_counts {
    int64_t nonzeros, reads;             /* all entries; those that need a value of another cluster */
    int64_t requests;                    /* for lines of other clusters, without reuse between wavefronts */
    int64_t narrow;                      /* the requests that need one sector */
    int64_t by_sectors[NS_LINE_SECTORS]; /* requests that need 1, 2, ... sectors */
    int64_t lines;                       /* distinct lines that each cluster needs: requests if all are kept */
    int64_t narrow_lines;                /* of them, those whose first request needs one sector */
    int64_t sectors;                     /* distinct sectors of narrow_lines that are needed in the end */
} ns_line_counts;

ns_status ns_lines_count(ns_matrix *matrix, const ns_line_rule *rule, ns_line_counts *counts, ns_error *err);

#endif
