/* scan.c -- the exchanges of y = A x for several layouts in one pass over the entries */
#include "pattern/scan.h"

#include "core/memory.h"
#include "core/sized.h"
#include "matrix/source.h"
#include "pattern/build.h"
#include "pattern/graph.h"

#include <assert.h>

static ns_status receive(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    ns_scan *s = context;
    ns_row_group turn[2] = {0};
    for (size_t i = 0; i < count; i++) {
        ns_row_group *of = &turn[i & s->by_turns];
        ns_row_group_turn(of, &s->blocks, entries[i].row);
        if (!ns_row_group_owns(of, &s->blocks, entries[i].col))
            NS_TRY(ns_needset_add(&s->set, of->group, entries[i].col, err));
    }
    s->nonzeros += (int64_t)count;
    return NS_OK;
}

/* Add entries to the view as well, one by one. */
static ns_status view_each(ns_scan *s, const ns_entry *entries, size_t count, ns_error *err)
{
    ns_row_group turn[2] = {0};
    for (size_t i = 0; i < count; i++) {
        ns_row_group *of = &turn[i & s->by_turns];
        ns_row_group_turn(of, &s->blocks, entries[i].row);
        if (s->view->entries != NULL)
            s->view->entries[of->group]++;
        if (ns_row_group_owns(of, &s->blocks, entries[i].col))
            continue;
        if (s->told == NULL)
            NS_TRY(ns_needset_add(&s->set, of->group, entries[i].col, err));
        NS_TRY(ns_view_remote(s->view, entries[i].row, entries[i].col, err));
    }
    return NS_OK;
}

/* The same, row by row, as long as rows are in order. */
static ns_status view_rows(ns_scan *s, const ns_entry *entries, size_t count, ns_error *err)
{
    ns_rows *rows = &s->view->rows;
    ns_row_group of = {0};
    for (size_t first = 0, end; first < count; first = end) {
        const int64_t row = entries[first].row;
        for (end = first + 1; end < count && entries[end].row == row; end++)
            ;
        if (!ns_rows_follow(rows, row, (int64_t)(end - first)))
            return view_each(s, entries + first, count - first, err);
        ns_row_group_turn(&of, &s->blocks, row);
        s->view->entries[of.group] += (int64_t)(end - first);
        const int64_t more = ns_rows_append(rows, row, entries + first, end - first, of.own_first, of.own_count);
        for (const uint32_t *col = rows->narrow + rows->requests - more; col < rows->narrow + rows->requests; col++)
            NS_TRY(ns_needset_add(&s->set, of.group, *col, err));
    }
    return NS_OK;
}

/* If rows and columns are cut alike, the owner of a column is the group of the row with that number, which is already
 * known where entries and their mirror images alternate. */
static ns_status view_square(ns_scan *s, const ns_entry *entries, size_t count, ns_error *err)
{
    ns_row_group turn[2] = {0};
    for (size_t i = 0; i < count; i++) {
        const int64_t row = entries[i].row, col = entries[i].col;
        ns_row_group *of = &turn[i & s->by_turns], *owner = &turn[1 - (i & s->by_turns)];
        ns_row_group_turn(of, &s->blocks, row);
        ns_row_group_turn(owner, &s->blocks, col);
        if (of->group == owner->group)
            continue;
        if (s->told == NULL)
            NS_TRY(ns_needset_add(&s->set, of->group, col, err));
        NS_TRY(ns_owners_add(&s->view->owners, row, (int32_t)owner->group, err));
    }
    return NS_OK;
}

static ns_status receive_viewed(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    ns_scan *s = context;
    ns_view_scan *view = s->view;
    const bool by_rows = !view->by_owners && view->rows.in_order && s->blocks.part == NULL && s->told == NULL;
    const bool square = view->by_owners && view->owners.square;
    NS_TRY((by_rows ? view_rows : square ? view_square : view_each)(s, entries, count, err));
    s->nonzeros += (int64_t)count;
    return view->by_owners && ns_owners_too_many(&view->owners) ? ns_view_change_over(view, err) : NS_OK;
}

/* Split every patch by the row groups that it crosses, and skip the columns that are local to each. */
static ns_status receive_patches(void *context, const ns_patch *patch, size_t count, ns_error *err)
{
    ns_scan *s = context;
    const ns_blocks *b = &s->blocks;
    for (const ns_patch *p = patch; p < patch + count; p++) {
        const int64_t first = p->col, end = p->col + p->cols;
        for (int64_t row = p->row; row < p->row + p->rows;) {
            const int64_t group = ns_blocks_group(b, row);
            if (b->part != NULL) {
                for (int64_t col = first; col < end; col++)
                    if (b->part[col] != group)
                        NS_TRY(ns_needset_add(&s->set, group, col, err));
                row++;
                continue;
            }
            const int64_t own = b->own_first[group], own_end = own + b->own_count[group];
            const int64_t before = (end < own ? end : own) - first, behind = first > own_end ? first : own_end;
            if (first < own && before > 0)
                NS_TRY(ns_needset_add_range(&s->set, group, first, before, err));
            if (behind < end)
                NS_TRY(ns_needset_add_range(&s->set, group, behind, end - behind, err));
            row = b->first_row[group + 1];
        }
        s->nonzeros += p->rows * p->cols;
    }
    return NS_OK;
}

/* *s is set up: its budget, and the requested results. */
static ns_status run(ns_scan *s, ns_matrix *matrix, const ns_layout *layout, size_t layouts,
                     const ns_exchange_options *options, ns_exchange **exchange, ns_error *err)
{
    const ns_matrix_info *info = &matrix->info;
    for (size_t i = 0; i < layouts; i++)
        NS_TRY(ns_layout_check(layout[i], err));
    if (options->width < 0 || options->width > INT32_MAX)
        return ns_fail(err, NS_ERR_RANGE, "the width of an entry has to be 1 B to 2 GB");
    if (options->view != NULL && layouts != 1)
        return ns_fail(err, NS_ERR_RANGE, "the NetSparse view is of one layout at a time");
    if (options->site != NULL && (layouts != 1 || layout[0].parts != options->site->parts))
        return ns_fail(err, NS_ERR_RANGE, "a site of %d parts is for one layout, of as many parts",
                       (int)options->site->parts);
    const int32_t *part = options->part;
    if (part != NULL && info->rows != info->cols)
        return ns_fail(err, NS_ERR_DATA,
                       "a partition needs a square matrix (a column belongs to its row's part); %s is %lld x %lld",
                       info->name, (long long)info->rows, (long long)info->cols);
    for (size_t i = 1; part != NULL && i < layouts; i++)
        if (layout[i].parts != layout[0].parts)
            return ns_fail(err, NS_ERR_DATA, "a partition fixes the number of parts");
    for (int64_t i = 0; part != NULL && i < info->rows; i++)
        if (part[i] < 0 || part[i] >= layout[0].parts)
            return ns_fail(err, NS_ERR_RANGE, "row %lld is in part %d, but there are %d parts", (long long)i + 1,
                           (int)part[i], (int)layout[0].parts);
    if (layouts == 0)
        return NS_OK;
    s->groups = options->groups;

    /* read the matrix, or have it compute its columns: which part needs which column, and the rows of the view */
    s->told = matrix->columns != NULL && part == NULL && !s->with_rows ? matrix : NULL;
    if (s->told != NULL && options->view == NULL) { /* computed for each part's rows on demand */
        s->nonzeros = info->stored;
        s->blocks = (ns_blocks){.rows = info->rows, .cols = info->cols, .layouts = layouts, .layout = layout};
        NS_TRY(ns_matrix_count_work(matrix, err));
    } else {
        s->by_turns = matrix->scan_half != NULL && info->symmetry != NS_GENERAL;
        NS_TRY(ns_blocks_open(&s->blocks, info->rows, info->cols, layout, layouts, part, &s->budget, err));
        if (s->told == NULL)
            NS_TRY(ns_needset_open(&s->set, s->blocks.groups, info->cols, &s->budget, err));
        if (options->view != NULL) {
            NS_TRY(ns_view_open(&s->view, matrix, &s->blocks, options, s->with_rows, s->threads, &s->budget, err));
            NS_TRY(ns_matrix_scan(matrix, receive_viewed, s, err));
        } else if (matrix->columns == NULL) {
            NS_TRY(matrix->scan_patches != NULL ? ns_matrix_scan_patches(matrix, receive_patches, s, err)
                                                : ns_matrix_scan(matrix, receive, s, err));
        } else { /* for each run of rows that are in one part */
            assert(part != NULL);
            for (int64_t row = 0, end = 0; row < info->rows; row = end) {
                ns_column_span span[NS_SPANS];
                for (end = row + 1; end < info->rows && part[end] == part[row]; end++)
                    ;
                const int spans = matrix->columns(matrix, row, end - row, span);
                for (int i = 0; i < spans; i++)
                    NS_TRY(ns_needset_add_range(&s->set, part[row], span[i].first, span[i].count, err));
            }
            s->nonzeros = info->stored;
            NS_TRY(ns_matrix_count_work(matrix, err));
        }
    }
    if (s->told == NULL)
        NS_TRY(ns_needset_close(&s->set, err));
    ns_needsource source = {
        .blocks = &s->blocks, .set = &s->set, .matrix = s->told, .budget = &s->budget, .work = &matrix->work};
    const int64_t width = options->width > 0 ? options->width : 8;
    if (s->graph != NULL) {
        const ns_status built = ns_graph_build(&source, width, s->graph, err);
        ns_needset_scratch_free(&source.words, &s->budget);
        return built;
    }
    assert(exchange != NULL);
    ns_exchange **made = ns_calloc(layouts, sizeof *made);
    ns_status status = made != NULL ? NS_OK : ns_no_memory(err);
    for (size_t i = 0; status == NS_OK && i < layouts; i++) {
        source.layout = i;
        status = ns_exchange_build(&source, options->site, width, s->groups, &made[i], err);
    }
    if (status == NS_OK && s->view != NULL)
        status = ns_view_finish(s->view, &source, made[0], s->nonzeros, err);
    for (size_t i = 0; made != NULL && i < layouts; i++)
        if (status == NS_OK)
            exchange[i] = made[i];
        else
            ns_exchange_free(made[i]);
    ns_free(made);
    ns_needset_scratch_free(&source.words, &s->budget);
    return status;
}

ns_status ns_scan_run(ns_scan *s, ns_matrix *matrix, const ns_layout *layout, size_t layouts,
                      const ns_exchange_options *options, int threads, ns_exchange **exchange, ns_error *err)
{
    *s = (ns_scan){.budget = {.limit = options->max_memory}, .with_rows = true, .threads = threads};
    return run(s, matrix, layout, layouts, options, exchange, err);
}

void ns_scan_free(ns_scan *s)
{
    if (s->view != NULL)
        ns_view_free(s->view);
    ns_needset_free(&s->set);
    ns_blocks_free(&s->blocks);
    *s = (ns_scan){0};
}

ns_status ns_exchange_from_matrix(ns_matrix *matrix, const ns_layout *layout, size_t layouts,
                                  const ns_exchange_options *options, ns_exchange **exchange, int64_t *nonzeros,
                                  ns_error *err)
{
    ns_error_clear(err);
    ns_exchange_options given;
    NS_TRY(NS_TAKE_OPTIONS(options, ns_exchange_options, site, &given, err));
    ns_scan s = {.budget = {.limit = given.max_memory}, .threads = 1};
    ns_status status = run(&s, matrix, layout, layouts, &given, exchange, err);
    if (status == NS_OK && nonzeros != NULL && layouts > 0)
        *nonzeros = s.nonzeros;
    ns_scan_free(&s);
    return status;
}

ns_status ns_graph_from_matrix(ns_matrix *matrix, int32_t parts, const ns_exchange_options *options, ns_graph **graph,
                               int64_t *nonzeros, ns_error *err)
{
    ns_error_clear(err);
    ns_exchange_options all;
    NS_TRY(NS_TAKE_OPTIONS(options, ns_exchange_options, site, &all, err));
    const ns_exchange_options given = {.width = all.width, .part = all.part, .max_memory = all.max_memory};
    const ns_layout layout = {parts, 1};
    ns_scan s = {.budget = {.limit = given.max_memory}, .threads = 1, .graph = graph};
    const ns_status status = run(&s, matrix, &layout, 1, &given, NULL, err);
    if (status == NS_OK && nonzeros != NULL)
        *nonzeros = s.nonzeros;
    ns_scan_free(&s);
    return status;
}
