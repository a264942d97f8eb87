/* lines.c -- cache lines that wavefronts read from other clusters of GPUs, and the sectors that they need */
#include "pattern/lines.h"

#include "core/memory.h"
#include "pattern/scan.h"

typedef struct ns_lines {
    const ns_line_rule *rule;
    const ns_rows *rows;
    ns_line_counts counts;
    uint64_t *touched;    /* [lines of the vector] sectors that the cluster has needed so far */
    unsigned char *first; /* [lines] the cluster's first request was narrow */
    int64_t lines;
} ns_lines;

static int sectors_in(uint64_t mask)
{
    int count = 0;
    for (; mask != 0; mask &= mask - 1)
        count++;
    return count;
}

/* Sectors that contain a value at this offset of its line. */
static uint64_t sectors_of(const ns_line_rule *rule, int64_t offset)
{
    uint64_t mask = 0;
    for (int64_t s = offset / rule->sector; s <= (offset + rule->value - 1) / rule->sector; s++)
        mask |= UINT64_C(1) << s;
    return mask;
}

static void request(ns_lines *l, int64_t line, uint64_t mask)
{
    const int sectors = sectors_in(mask);
    l->counts.requests++;
    l->counts.narrow += sectors == 1;
    l->counts.by_sectors[sectors - 1]++;
    if (l->touched[line] == 0)
        l->first[line] = sectors == 1;
    l->touched[line] |= mask;
}

static ns_status count(ns_lines *l, ns_scan *scan, int64_t cols, ns_error *err)
{
    l->rows = &scan->view->rows;
    l->lines = cols / (l->rule->line / l->rule->value) + 1;
    NS_TRY(ns_take(&l->touched, l->lines, sizeof *l->touched, &scan->budget, err));
    NS_TRY(ns_take(&l->first, l->lines, sizeof *l->first, &scan->budget, err));
    const ns_rows *r = l->rows;
    const int64_t value = l->rule->value, line_bytes = l->rule->line;
    for (int32_t p = 0; p < l->rule->clusters; p++) { /* each cluster row by row, `lanes` entries at a time */
        for (int64_t place = r->part_place[p]; place < r->part_place[p + 1]; place++)
            for (int64_t first = r->start[place], last = r->start[place + 1]; first < last; first += l->rule->lanes) {
                /* a wavefront: columns ascend, so the lanes that share a line are adjacent */
                const int64_t to = last - first < l->rule->lanes ? last : first + l->rule->lanes;
                int64_t line = -1;
                uint64_t mask = 0;
                for (int64_t e = first; e < to; e++) {
                    const int64_t at = ns_rows_col(r, e) * value, mine = at / line_bytes;
                    if (mine != line && line >= 0)
                        request(l, line, mask);
                    mask = (mine != line ? 0 : mask) | sectors_of(l->rule, at % line_bytes);
                    line = mine;
                }
                if (line >= 0)
                    request(l, line, mask);
            }
        for (int64_t i = 0; i < l->lines; i++) { /* count everything that the cluster has needed */
            if (l->touched[i] == 0)
                continue;
            l->counts.lines++;
            l->counts.narrow_lines += l->first[i];
            l->counts.sectors += l->first[i] != 0 ? sectors_in(l->touched[i]) : 0;
            l->touched[i] = 0;
        }
    }
    l->counts.reads = r->requests;
    return NS_OK;
}

ns_status ns_lines_count(ns_matrix *matrix, const ns_line_rule *rule, ns_line_counts *counts, ns_error *err)
{
    if (rule->clusters < 1 || rule->lanes < 1 || rule->value < 1 || rule->sector < 1 || rule->line < rule->value)
        return ns_fail(err, NS_ERR_RANGE,
                       "clusters, lanes, values and sectors have to be at least 1, and a value has to fit a line");
    if (rule->line % rule->value != 0 || rule->line / rule->sector > NS_LINE_SECTORS || rule->line % rule->sector != 0)
        return ns_fail(err, NS_ERR_RANGE,
                       "a line of %lld B wants whole values (%lld B) and up to %d whole sectors (%lld B)",
                       (long long)rule->line, (long long)rule->value, (int)NS_LINE_SECTORS, (long long)rule->sector);
    const ns_layout layout = {rule->clusters, 1};
    ns_netsparse_view view = {.size = sizeof view};
    const ns_exchange_options wanted = {
        .width = 1, .part = rule->part, .max_memory = rule->max_memory, .view = &view, .rack = rule->clusters};
    ns_scan *scan = ns_calloc(1, sizeof *scan); /* it must not move */
    ns_exchange *exchange = NULL;
    ns_lines l = {.rule = rule};
    if (scan == NULL)
        return ns_no_memory(err);
    ns_status status = ns_scan_run(scan, matrix, &layout, 1, &wanted, 1, &exchange, err);
    if (status == NS_OK)
        status = count(&l, scan, ns_matrix_describe(matrix)->cols, err);
    l.counts.nonzeros = scan->nonzeros;
    ns_exchange_free(exchange);
    ns_scan_free(scan);
    ns_free(scan);
    ns_free(l.touched);
    ns_free(l.first);
    if (status == NS_OK)
        *counts = l.counts;
    return status;
}
