/* cells.h -- samples condensed to the median time for each number of pairs, messages and size */
#ifndef NS_FIT_CELLS_H
#define NS_FIT_CELLS_H

#include "fit/fit.h"

typedef struct ns_cell {
    int pairs, messages;
    double bytes, seconds; /* of one message */
} ns_cell;

/* Cells are keyed by pairs, messages and size, or by pairs (at least one) and size alone. */
typedef enum ns_cells_by { NS_CELLS_BY_MESSAGES, NS_CELLS_BY_PAIRS } ns_cells_by;

/* Collect the cells of the samples that pass the filter, by rising pairs, messages and size, and count those samples.
 * A cell's time is the median or minimum; or each sample is a cell of its own.  The caller frees *list. */
ns_status ns_cells_collect(const ns_log *log, ns_sample_filter filter, const void *context, ns_cells_by by,
                           ns_statistic statistic, ns_cell **list, size_t *count, size_t *samples, ns_error *err);

/* Number of different sizes in the list. */
size_t ns_cells_sizes(const ns_cell *list, size_t count);

/* Fit time of a message = alpha + beta s to the cells; two or fewer sizes give NS_ERR_DATA. */
ns_status ns_cells_line(const ns_cell *list, size_t count, ns_line_estimate *line, ns_error *err);

/* First size of the protocol that follows the one beginning at `from`; INFINITY after the last protocol. */
double ns_fit_end_of(const ns_fit *fit, ns_memory memory, ns_locality locality, double from);

/* The class of a protocol that is written to the machine file, or NULL. */
const ns_fit_class *ns_fit_class_of(const ns_fit *fit, ns_memory memory, ns_locality locality, ns_protocol protocol);

#endif
