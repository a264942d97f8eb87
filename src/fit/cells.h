/* cells.h -- samples condensed: the median time of each number of pairs, messages and size */
#ifndef NS_FIT_CELLS_H
#define NS_FIT_CELLS_H

#include "fit/fit.h"

typedef struct ns_cell {
    int pairs, messages;
    double bytes, seconds; /* of one message */
} ns_cell;

/* By pairs, messages and size; or by pairs, at least one, and size alone. */
typedef enum ns_cells_by { NS_CELLS_BY_MESSAGES, NS_CELLS_BY_PAIRS } ns_cells_by;

/* Cells of the samples that pass, by rising pairs, messages and size, and how many samples these were: the median or
 * minimum of each, or every sample.  *list: free it. */
ns_status ns_cells_collect(const ns_log *log, ns_sample_filter filter, const void *context, ns_cells_by by,
                           ns_statistic statistic, ns_cell **list, size_t *count, size_t *samples, ns_error *err);

/* Different sizes among them. */
size_t ns_cells_sizes(const ns_cell *list, size_t count);

/* time of a message = alpha + beta s through the cells, of more than two sizes (else NS_ERR_DATA). */
ns_status ns_cells_line(const ns_cell *list, size_t count, ns_line_estimate *line, ns_error *err);

/* First size of the protocol after the one that begins at `from`; INFINITY behind the last. */
double ns_fit_end_of(const ns_fit *fit, ns_memory memory, ns_locality locality, double from);

/* The class of a protocol that the machine's file has, or NULL. */
const ns_fit_class *ns_fit_class_of(const ns_fit *fit, ns_memory memory, ns_locality locality, ns_protocol protocol);

#endif
