/* stencil.c -- matrices of regular grids: stencil5, stencil9 (2-D), stencil7, stencil27 (3-D)
 *
 *     stencil9:3200x3200        one unknown per node          stencil27:68x68x68x3        three unknowns per node
 *
 * Nodes are numbered with the last dimension fastest; the k unknowns of a node follow each other and couple to all k
 * unknowns of each neighbour.  No wrap-around; the diagonal is included.  Rows ascend, and columns within a row.
 * With extents A, B, C:  9 points (3A-2)(3B-2) k^2 entries, 27 points (3A-2)(3B-2)(3C-2) k^2; 5 and 7 points k^2 times
 * the nodes plus two entries for each pair of neighbours.
 */
#include "core/memory.h"
#include "matrix/batch.h"
#include "matrix/open.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 27 };

typedef struct stencil {
    int points, dimensions;
    bool box;          /* neighbours across edges and corners too */
    int64_t extent[3]; /* 2-D grids have extent 1 in the first dimension */
    int64_t unknowns;  /* per node */
} stencil;

static const stencil kinds[] = {
    {.points = 5, .dimensions = 2, .box = false},
    {.points = 7, .dimensions = 3, .box = false},
    {.points = 9, .dimensions = 2, .box = true},
    {.points = 27, .dimensions = 3, .box = true},
};

static bool multiply(int64_t *product, int64_t factor)
{
    if (factor != 0 && *product > INT64_MAX / factor)
        return false;
    *product *= factor;
    return true;
}

/* Pairs of neighbours along axis d: (extent - 1) times the other extents. */
static int64_t pairs_along(const stencil *s, int d)
{
    return (s->extent[d] - 1) * s->extent[(d + 1) % 3] * s->extent[(d + 2) % 3];
}

/* False when a count needs more than 63 bits. */
static bool count(const stencil *s, int64_t *rows, int64_t *entries)
{
    *rows = s->unknowns;
    *entries = 1;
    for (int d = 0; d < 3; d++) {
        if (!multiply(rows, s->extent[d]) || s->extent[d] > INT64_MAX / 3)
            return false;
        if (s->box && !multiply(entries, 3 * s->extent[d] - 2))
            return false;
    }
    if (!s->box) {
        int64_t nodes = *rows / s->unknowns;
        if (nodes > INT64_MAX / 7) /* each node has at most 7 */
            return false;
        *entries = nodes + 2 * (pairs_along(s, 0) + pairs_along(s, 1) + pairs_along(s, 2));
    }
    return multiply(entries, s->unknowns) && multiply(entries, s->unknowns);
}

/* Read a whole number from 1, without a sign; *text moves past it. */
static bool number(const char **text, int64_t *value)
{
    *value = 0;
    for (; **text >= '0' && **text <= '9'; ++*text) {
        if (*value > (INT64_MAX - 9) / 10)
            return false;
        *value = 10 * *value + (**text - '0');
    }
    return *value > 0;
}

static ns_status parse(const char *spec, stencil *s, ns_error *err)
{
    const char *at = spec + 7;
    int64_t points, sizes[4];
    int found = 0;
    *s = (stencil){.points = 0};
    if (number(&at, &points) && *at == ':')
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (kinds[i].points == points)
                *s = kinds[i];
    if (s->points == 0)
        return ns_fail(err, NS_ERR_NAME,
                       "unknown stencil \"%.100s\", wanted stencil5:AxB, stencil9:AxB, stencil7:AxBxC or "
                       "stencil27:AxBxC",
                       spec);
    for (bool more = true; more; more = *at == 'x' && found < 4) {
        at++;
        if (!number(&at, &sizes[found++]))
            return ns_fail(err, NS_ERR_RANGE, "stencil \"%.100s\": wanted whole numbers from 1, joined by \"x\"", spec);
    }
    if (*at != '\0' || found < s->dimensions || found > s->dimensions + 1)
        return ns_fail(err, NS_ERR_SYNTAX,
                       "stencil \"%.100s\": wanted %d extents joined by \"x\", then perhaps the unknowns "
                       "of a node",
                       spec, s->dimensions);
    for (int d = 0; d < 3; d++)
        s->extent[d] = d < 3 - s->dimensions ? 1 : sizes[d - (3 - s->dimensions)];
    s->unknowns = found > s->dimensions ? sizes[s->dimensions] : 1;
    return NS_OK;
}

/* ---- entries --------------------------------------------------------------------------------------------------- */

/* Neighbours of node (x, y, z), ascending, including itself; returns their number. */
static int neighbours(const stencil *s, int64_t x, int64_t y, int64_t z, int64_t node[MOST_POINTS])
{
    int found = 0;
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dz = -1; dz <= 1; dz++) {
                bool near = s->box || abs(dx) + abs(dy) + abs(dz) <= 1;
                bool inside = x + dx >= 0 && x + dx < s->extent[0] && y + dy >= 0 && y + dy < s->extent[1] &&
                              z + dz >= 0 && z + dz < s->extent[2];
                if (near && inside)
                    node[found++] = ((x + dx) * s->extent[1] + y + dy) * s->extent[2] + z + dz;
            }
    return found;
}

static ns_status put_row(const stencil *s, int64_t row, const int64_t *node, int found, ns_batch *batch)
{
    ns_entry *entry;
    for (int i = 0; i < found; i++)
        for (int64_t col = node[i] * s->unknowns; col < (node[i] + 1) * s->unknowns; col++) {
            NS_TRY(ns_batch_take(batch, 1, &entry));
            *entry = (ns_entry){row, col};
        }
    return NS_OK;
}

static ns_status scan(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err)
{
    const stencil *s = matrix->state;
    int64_t node[MOST_POINTS], row = 0;
    ns_batch *batch = ns_batch_new(matrix->info.name, receive, context, err);
    ns_status status = batch != NULL ? NS_OK : NS_ERR_MEMORY;
    for (int64_t x = 0; x < s->extent[0]; x++)
        for (int64_t y = 0; y < s->extent[1]; y++)
            for (int64_t z = 0; z < s->extent[2] && status == NS_OK; z++) {
                const int found = neighbours(s, x, y, z, node);
                for (const int64_t end = row + s->unknowns; row < end && status == NS_OK; row++)
                    status = put_row(s, row, node, found, batch);
            }
    if (status == NS_OK)
        status = ns_batch_flush(batch);
    ns_free(batch);
    return status;
}

/* ---- columns of neighbouring rows -------------------------------------------------------------------------------- */

/* Nodes [from, to) at distance `stride` from nodes of the span along an axis of `extent` nodes, without the span
 * itself.  A span of at most one stride meets the ends of the axis once. */
static ns_column_span ahead_of(ns_column_span span, int64_t stride, int64_t extent)
{
    const int64_t period = stride * extent, end = span.first + span.count;
    int64_t from = span.count < stride ? span.first + stride : end, to = end + stride;
    if (from % period < stride) /* the first nodes of the axis have no predecessor */
        from += stride - from % period;
    if (from < to && (to - 1) % period < stride)
        to = to - 1 - (to - 1) % period;
    return (ns_column_span){from, to > from ? to - from : 0};
}

static ns_column_span behind(ns_column_span span, int64_t stride, int64_t extent)
{
    const int64_t period = stride * extent, end = span.first + span.count;
    int64_t from = span.first - stride, to = span.count < stride ? end - stride : span.first;
    from = from > 0 ? from : 0;
    if (from % period >= period - stride)
        from += period - from % period;
    if (from < to && (to - 1) % period >= period - stride)
        to += period - stride - 1 - (to - 1) % period;
    return (ns_column_span){from, to > from ? to - from : 0};
}

/* Add the neighbours of span[i] along an axis; adjacent ones extend the span, as always along the first axis.  Returns
 * the new number of spans. */
static int reach_out(ns_column_span span[NS_SPANS], int i, int found, int64_t stride, int64_t extent)
{
    const ns_column_span after = ahead_of(span[i], stride, extent), before = behind(span[i], stride, extent);
    const bool touches = after.first == span[i].first + span[i].count;
    if (touches)
        span[i].count += after.count;
    else if (after.count > 0)
        span[found++] = after;
    if (before.first + before.count == span[i].first)
        span[i] = (ns_column_span){before.first, before.count + span[i].count};
    else if (before.count > 0)
        span[found++] = before;
    return found;
}

/* A box extends along one axis from everything that the previous axes reached: 1, 3, 9 spans.  A star extends along
 * each axis separately: 2 more each. */
static int columns(const ns_matrix *matrix, int64_t row, int64_t rows, ns_column_span span[NS_SPANS])
{
    const stencil *s = matrix->state;
    const int64_t k = s->unknowns, first = row / k;
    const ns_column_span own = {first, (row + rows - 1) / k + 1 - first};
    int found = 0, from = 0;
    int64_t stride = 1;
    span[found++] = own;
    for (int d = 2; d >= 0; stride *= s->extent[d--]) {
        const int end = found;
        for (int i = from; i < end; i++)
            found = reach_out(span, i, found, stride, s->extent[d]);
        if (!s->box && d > 0) {
            from = found;
            span[found++] = own;
        }
    }
    for (int i = 0; i < found; i++)
        span[i] = (ns_column_span){span[i].first * k, span[i].count * k};
    return found;
}

static void close_stencil(ns_matrix *matrix)
{
    ns_free(matrix->state);
}

ns_status ns_stencil_open(const char *spec, ns_matrix *matrix, ns_error *err)
{
    stencil s;
    int64_t rows, entries;
    NS_TRY(parse(spec, &s, err));
    if (!count(&s, &rows, &entries))
        return ns_fail(err, NS_ERR_RANGE, "stencil \"%.100s\": more rows or entries than 63 bits count", spec);
    matrix->close = close_stencil;
    matrix->state = ns_malloc(sizeof s);
    matrix->strings = ns_malloc(strlen(spec) + 1);
    if (matrix->state == NULL || matrix->strings == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "not enough memory to open a stencil");
    *(stencil *)matrix->state = s;
    strcpy(matrix->strings, spec);
    matrix->scan = scan;
    matrix->columns = columns;
    /* general: every entry is counted, none is implied */
    matrix->info = (ns_matrix_info){.name = matrix->strings,
                                    .rows = rows,
                                    .cols = rows,
                                    .stored = entries,
                                    .symmetry = NS_GENERAL,
                                    .source = NS_GENERATED};
    return NS_OK;
}
