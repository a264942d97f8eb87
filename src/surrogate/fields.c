/* fields.c -- three unknowns in every cell of a box, numbered one field after the other
 *
 * The row of field f in cell c has, for every field g, the cells of stencil[f][g] around c.  Stencils need not mirror
 * each other, so the pattern need not be symmetric.  Rows of the last field also contain a random number of the first
 * cells of their group, which gives long rows and, at the heads of groups, long columns.
 */
#include "surrogate/fields.h"

#include "core/memory.h"
#include "matrix/batch.h"
#include "surrogate/lattice.h"

enum { ROOM = 2048 };

struct box {
    const ns_fields *fields;
    struct ordered {
        int count;
        ns_step step[NS_FIELDS_ROOM];
        int32_t by[NS_FIELDS_ROOM]; /* cells, ascending */
    } stencil[NS_FIELDS][NS_FIELDS];
    ns_batch *batch;
    int64_t columns[ROOM];
};

static int32_t cells_in_box(const ns_fields *fields)
{
    return fields->nx * fields->ny * fields->nz;
}

static void order_stencil(const ns_fields *fields, const struct ns_stencil *from, struct ordered *to)
{
    to->count = from->count;
    for (int i = 0; i < from->count; i++) {
        const ns_step step = from->step[i];
        const int32_t by = (step.z * fields->ny + step.y) * fields->nx + step.x;
        int at = i;
        for (; at > 0 && to->by[at - 1] > by; at--) {
            to->by[at] = to->by[at - 1];
            to->step[at] = to->step[at - 1];
        }
        to->by[at] = by;
        to->step[at] = step;
    }
}

/* Columns of one field: the stencil's cells, and `count` cells from `first` on. */
static int64_t *put_field(const struct box *box, const struct ordered *stencil, int64_t field, int32_t cell,
                          int32_t first, int32_t count, int64_t *out)
{
    const ns_fields *fields = box->fields;
    const int32_t line = fields->nx, slab = line * fields->ny, at[3] = {cell % line, cell % slab / line, cell / slab};
    const int64_t base = field * fields->cells;
    bool run = count == 0;
    for (int i = 0; i < stencil->count; i++) {
        const int32_t column = cell + stencil->by[i];
        const ns_step step = stencil->step[i];
        const int32_t x = at[0] + step.x, y = at[1] + step.y, z = at[2] + step.z;
        if (x < 0 || y < 0 || z < 0 || x >= fields->nx || y >= fields->ny || z >= fields->nz)
            continue;
        if (!run && column >= first) {
            run = true;
            for (int32_t k = 0; k < count; k++)
                *out++ = base + first + k;
        }
        if (count == 0 || column < first || column >= first + count)
            *out++ = base + column;
    }
    for (int32_t k = 0; !run && k < count; k++)
        *out++ = base + first + k;
    return out;
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

static int64_t *add_column(int64_t *from, int64_t *end, int64_t column)
{
    int64_t *at = end;
    for (; at > from && at[-1] > column; at--)
        *at = at[-1];
    *at = column;
    return end + 1;
}

/* Write the columns of a row, ascending; returns their end. */
static int64_t *make_row(struct box *box, int field, int32_t cell)
{
    const ns_fields *fields = box->fields;
    const int64_t row = (int64_t)field * fields->cells + cell;
    int64_t *out = box->columns;
    if (cell >= cells_in_box(fields))
        *out++ = row;
    else {
        /* number of its group's first cells in a cell's row; one cell has the maximum */
        const double share = (double)(ns_lattice_hash((uint64_t)cell ^ fields->seed << 40) >> 11) * 0x1p-53;
        const int32_t first = cell / fields->group * fields->group, left = cells_in_box(fields) - first;
        const int32_t wanted = field < NS_FIELDS - 1           ? 0
                               : cell == fields->group * 8 - 1 ? fields->knot[NS_FIELDS_KNOTS - 1].value
                                                               : ns_quantile(fields->knot, NS_FIELDS_KNOTS, share);
        const int32_t count = wanted < left ? wanted : left;
        for (int other = 0; other < NS_FIELDS; other++)
            out = put_field(box, &box->stencil[field][other], other, cell, first, other == field ? count : 0, out);
    }
    /* the two entries that set the bandwidths: one in the row of the first cell, the other in the last row but one */
    if (row == 1 && fields->upper > 0)
        return add_column(box->columns, out, row + fields->upper);
    const int64_t last = (int64_t)NS_FIELDS * fields->cells - 2;
    return row == last && fields->lower > 0 ? add_column(box->columns, out, row - fields->lower) : out;
}

ns_status ns_fields_scan(const void *shape, ns_entry_fn *receive, void *context, ns_error *err)
{
    const ns_fields *fields = shape;
    struct box *box = ns_malloc(sizeof *box);
    if (box == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "no memory for a row of \"%s\", wanted 16 KiB", fields->name);
    *box = (struct box){.fields = fields, .batch = ns_batch_new(fields->name, receive, context, err)};
    for (int f = 0; f < NS_FIELDS; f++)
        for (int g = 0; g < NS_FIELDS; g++)
            order_stencil(fields, &fields->stencil[f][g], &box->stencil[f][g]);
    ns_status status = box->batch != NULL ? NS_OK : NS_ERR_MEMORY;
    for (int field = 0; status == NS_OK && field < NS_FIELDS; field++)
        for (int32_t cell = 0; status == NS_OK && cell < fields->cells; cell++) {
            const size_t count = (size_t)(make_row(box, field, cell) - box->columns);
            ns_entry *entry;
            status = ns_batch_take(box->batch, count, &entry);
            for (size_t i = 0; status == NS_OK && i < count; i++)
                entry[i] = (ns_entry){.row = (int64_t)field * fields->cells + cell, .col = box->columns[i]};
        }
    if (status == NS_OK)
        status = ns_batch_flush(box->batch);
    ns_free(box->batch);
    ns_free(box);
    return status;
}
