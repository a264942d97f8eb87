/* matrix.c -- the catalogue of matrices, and where their files are */
#include "cli/show/matrix.h"
#include "cli/front/own.h"
#include "cli/front/progress.h"
#include "cli/inputs/inputs.h"
#include "core/memory.h"
#include "core/refuse.h"
#include "report/columns.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- each place searched for a matrix, and what was found there -------------------------------------------------- */

typedef struct walk {
    ns_value *list; /* NULL: only the folders in use are needed */
    char *used;     /* its source, or "" */
    size_t size;
} walk;

static void tell(void *context, const ns_matrix_step *step)
{
    walk *w = context;
    if (step->used)
        snprintf(w->used, w->size, "%s: %s", step->place, step->found);
    if (w->list == NULL)
        return;
    ns_value *row = ns_row_mark(ns_value_object(w->list, NULL), step->used);
    ns_value_text(row, "place", step->place);
    ns_value_text(row, "looked_for", step->looked_for);
    ns_value_text(row, "found", step->found);
    ns_put_bool(row, "used", NS_IN_DATA, step->used);
    ns_value_text(row, "note", step->note != NULL ? step->note : "");
}

static ns_status walk_places(const char *name, walk *w, ns_error *err)
{
    NS_CLOSE(ns_places_close) ns_places places = {0};
    NS_TRY(ns_places_open(&places, err));
    return ns_matrix_where(name, places.place, places.count, tell, w, err);
}

static ns_status ns_matrix_where_is(const ns_args *args, const ns_matrix_request *request, ns_value *result,
                                    ns_command_context *context, ns_error *err)
{
    (void)request;
    char used[4200] = "";
    const char *name = args->word[1];
    ns_put_schema(result, "nsmodel/matrix-where/1");
    ns_value_text(result, "name", name);
    walk w = {.list = ns_put_rows(result, "places", NS_EVERYWHERE), .used = used, .size = sizeof used};
    if (w.list == NULL)
        return ns_no_memory(err);
    NS_TRY(walk_places(name, &w, err));
    if (used[0] == '\0') {
        /* Nothing was found: report the error that opening the matrix would have given. */
        NS_OWN(ns_matrix_free) ns_matrix *matrix = NULL;
        ns_error why = {.code = NS_OK};
        char text[1024];
        context->exit = 1;
        if (ns_places_matrix(name, &matrix, &why) != NS_OK)
            fprintf(context->err, "nsmodel: %s\n", ns_error_line(&why, text, sizeof text));
    }
    return NS_OK;
}

/* ---- the facts about one matrix: from the catalogue, or counted when it is only a file or a stencil -------------- */

static const ns_table_column of_spread[] = {{"min", NS_COL(ns_spread, min)},
                                            {"q1", NS_COL(ns_spread, q1)},
                                            {"median", NS_COL(ns_spread, median)},
                                            {"q3", NS_COL(ns_spread, q3)},
                                            {"max", NS_COL(ns_spread, max)},
                                            {"mean", NS_COL(ns_spread, mean)},
                                            {"variance", NS_COL(ns_spread, variance)},
                                            {"skewness", NS_COL(ns_spread, skewness)},
                                            {NULL}};

/* Add the entries of rows and of columns. */
static void add_lengths(const ns_spread *row, const ns_spread *col, ns_value *result)
{
    ns_value *list = ns_put_rows(result, "lengths", NS_NOT_IN_CSV), *of = ns_value_object(list, NULL);
    ns_value_text(of, "of", "rows");
    ns_put_columns(of, of_spread, row);
    of = ns_value_object(list, NULL);
    ns_value_text(of, "of", "columns");
    ns_put_columns(of, of_spread, col);
}

static double explicit_zeros(const void *row)
{
    return (double)(((const ns_catalogue_entry *)row)->stored - ((const ns_catalogue_entry *)row)->nonzeros);
}

/* An unknown author is "". */
static const char *author_of(const void *row, char room[NS_COL_ROOM])
{
    (void)room;
    return *((const ns_catalogue_entry *)row)->author != '\0' ? ((const ns_catalogue_entry *)row)->author : NULL;
}

static const char *date_of(const void *row, char room[NS_COL_ROOM])
{
    (void)room;
    return *((const ns_catalogue_entry *)row)->date != '\0' ? ((const ns_catalogue_entry *)row)->date : NULL;
}

static const ns_table_column of_size[] = {{"name", NS_COL(ns_catalogue_entry, name)},
                                          {"group", NS_COL(ns_catalogue_entry, group)},
                                          {"title", NS_COL(ns_catalogue_entry, title)},
                                          {"rows", NS_COL(ns_catalogue_entry, rows)},
                                          {"cols", NS_COL(ns_catalogue_entry, cols)},
                                          {"stored", NS_COL(ns_catalogue_entry, stored)},
                                          {"nonzeros", NS_COL(ns_catalogue_entry, nonzeros)},
                                          {"explicit_zeros", .number = explicit_zeros},
                                          {"field", NS_COL(ns_catalogue_entry, field)},
                                          {"structure", NS_COL(ns_catalogue_entry, structure)},
                                          {NULL}};
static const ns_table_column of_symmetry[] = {{"pattern_symmetry", NS_COL(ns_catalogue_detail, pattern_symmetry)},
                                              {"numeric_symmetry", NS_COL(ns_catalogue_detail, numeric_symmetry)},
                                              {NULL}};
static const ns_table_column of_properties[] = {
    {"positive_definite", NS_COL(ns_catalogue_entry, positive_definite)},
    {"kind", NS_COL(ns_catalogue_entry, kind)},
    {"grid", NS_COL(ns_catalogue_entry, grid)},
    {"diagonal", NS_COL(ns_catalogue_entry, diagonal), .shows = NS_NEGATIVE_NULL},
    {"lower_bandwidth", NS_COL(ns_catalogue_entry, lower_bandwidth), .shows = NS_NEGATIVE_NULL},
    {"upper_bandwidth", NS_COL(ns_catalogue_entry, upper_bandwidth), .shows = NS_NEGATIVE_NULL},
    {"components", NS_COL(ns_catalogue_entry, components), .shows = NS_NEGATIVE_NULL},
    {"author", .text = author_of},
    {"date", .text = date_of},
    {NULL}};
static const ns_table_column of_counted[] = {
    {"entries_counted", NS_COL(ns_catalogue_detail, counted), .shows = NS_NEGATIVE_NULL}, {NULL}};

static ns_status from_catalogue(const ns_catalogue *catalogue, const char *name, ns_value *result, ns_error *err)
{
    const ns_catalogue_entry *e;
    const ns_catalogue_fact *fact;
    ns_catalogue_detail detail;
    char available[4200];
    NS_TRY(ns_catalogue_find(catalogue, name, &e, err));
    NS_TRY(ns_catalogue_details(catalogue, e, &detail, err));
    /* The source from which ns_places_matrix would take the matrix: "embedded: params/...", or "nowhere"; cut to
     * size. */
    size_t size = sizeof available;
    walk w = {.used = available, .size = size};
    available[0] = '\0';
    NS_TRY(walk_places(name, &w, err));
    if (available[0] == '\0')
        snprintf(available, size, "nowhere; `nsmodel matrix where %s` tells where it was looked for", name);
    ns_put_columns(result, of_size, e);
    ns_put_columns(result, of_symmetry, &detail);
    ns_put_columns(result, of_properties, e);
    ns_value_textf(result, "page", "https://sparse.tamu.edu/%s/%s", e->group, e->name);
    ns_value_text(result, "source", NS_COLLECTION);
    ns_value_text(result, "available", available);
    ns_put_columns(result, of_counted, &detail);
    if (detail.counted >= 0)
        add_lengths(&detail.row, &detail.col, result);
    ns_value *list = ns_put_rows(result, "facts", NS_NOT_IN_CSV);
    const size_t facts = ns_catalogue_facts(catalogue, e, &fact);
    for (size_t i = 0; i < facts; i++) {
        ns_value *row = ns_value_object(list, NULL);
        ns_value_text(row, "what", fact[i].what);
        ns_value_number(row, "value", fact[i].value, strcmp(fact[i].unit, "s") == 0 ? NS_SECOND : NS_DIMENSIONLESS);
        ns_value_text(row, "where", fact[i].where);
        ns_value_text(row, "source", fact[i].source);
    }
    return NS_OK;
}

static ns_status from_matrix(const ns_args *args, ns_value *result, ns_error *err)
{
    static const char *const structures[] = {[NS_GENERAL] = "general",
                                             [NS_SYMMETRIC] = "symmetric",
                                             [NS_SKEW] = "skew-symmetric",
                                             [NS_HERMITIAN] = "hermitian"};
    NS_OWN(ns_matrix_free) ns_matrix *matrix = NULL;
    ns_spread row, col;
    ns_limits limits;
    int64_t entries;
    NS_TRY(ns_limits_read(args, &limits, err));
    NS_TRY(ns_places_matrix(args->word[1], &matrix, err));
    ns_progress_watch(args->progress, matrix);
    ns_matrix_limit(matrix, limits.max_work);
    NS_TRY(ns_matrix_lengths(matrix, limits.max_memory, &row, &col, &entries, err));
    const ns_matrix_info *info = ns_matrix_describe(matrix);
    ns_value_text(result, "name", info->name);
    ns_value_count(result, "rows", (double)info->rows);
    ns_value_count(result, "cols", (double)info->cols);
    ns_value_count(result, "stored", (double)entries);
    ns_value_text(result, "structure", structures[info->symmetry]);
    ns_value_text(result, "source", ns_matrix_source_words[info->source]);
    add_lengths(&row, &col, result);
    return NS_OK;
}

static ns_status ns_matrix_info_of(const ns_args *args, const ns_matrix_request *request, ns_value *result,
                                   ns_command_context *context, ns_error *err)
{
    NS_OWN(ns_catalogue_free) ns_catalogue *catalogue = NULL;
    const ns_catalogue_entry *e;
    const char *name = args->word[1];
    (void)request, (void)context;
    ns_put_schema(result, "nsmodel/matrix-info/1");
    NS_TRY(ns_catalogue_open(&catalogue, err));
    const bool listed = ns_catalogue_matches(catalogue, name, &e) > 0 && access(name, F_OK) != 0;
    return listed ? from_catalogue(catalogue, name, result, err) : from_matrix(args, result, err);
}

/* ---- the matrices of the catalogue that fit some options --------------------------------------------------------- */

/* "1000", "1e6", "250k", "1.5M", "2G". */
static ns_status read_number(const char *option, const char *text, size_t length, int64_t *value, ns_error *err)
{
    static const char suffixes[] = "kMG";
    char copy[40], *end;
    snprintf(copy, sizeof copy, "%.*s", (int)(length < sizeof copy ? length : sizeof copy - 1), text);
    double number = ns_strtod(copy, &end);
    const char *suffix = *end != '\0' ? strchr(suffixes, *end) : NULL;
    for (; suffix != NULL && suffix >= suffixes; suffix--)
        number *= 1000;
    if (end == copy || length >= sizeof copy || (*end != '\0' && (end[1] != '\0' || strchr(suffixes, *end) == NULL)) ||
        !(number >= 0) || number > 1e18)
        return ns_fail(err, NS_ERR_SYNTAX, "--%s wants a number or a range like 1000, 100k:2M or 1M:, got \"%s\"",
                       option, text);
    *value = (int64_t)number;
    return NS_OK;
}

static ns_status read_range(const char *text, const char *option, ns_catalogue_range *range, ns_error *err)
{
    if (text == NULL)
        return NS_OK;
    size_t length = strcspn(text, ":");
    if (text[length] == '\0') {
        NS_TRY(read_number(option, text, length, &range->from, err));
        range->to = range->from;
        return range->to > 0 ? NS_OK : ns_fail(err, NS_ERR_RANGE, "--%s 0: no matrix has none", option);
    }
    if (length > 0)
        NS_TRY(read_number(option, text, length, &range->from, err));
    if (text[length + 1] != '\0')
        NS_TRY(read_number(option, text + length + 1, strlen(text + length + 1), &range->to, err));
    if (length + 1 == strlen(text) || (range->to > 0 && range->from <= range->to))
        return NS_OK;
    return ns_fail(err, NS_ERR_RANGE, "--%s \"%s\" ends before it begins", option, text);
}

static const char *const ns_matrix_structures[] = {"symmetric",      "unsymmetric", "hermitian",
                                                   "skew-symmetric", "rectangular", NULL};
static const char *const ns_matrix_fields[] = {"real", "complex", "integer", "pattern", NULL};
static const char *const ns_matrix_orders[] = {"name", "rows", "nnz", NULL};

/* ---- order ------------------------------------------------------------------------------------------------------- */

/* Ties are ordered by position in the catalogue, which is sorted by name. */
static int by_rows(const void *a, const void *b)
{
    const ns_catalogue_entry *x = *(const ns_catalogue_entry *const *)a, *y = *(const ns_catalogue_entry *const *)b;
    return x->rows != y->rows ? (x->rows > y->rows) - (x->rows < y->rows) : (x > y) - (x < y);
}

static int by_nonzeros(const void *a, const void *b)
{
    const ns_catalogue_entry *x = *(const ns_catalogue_entry *const *)a, *y = *(const ns_catalogue_entry *const *)b;
    return x->nonzeros != y->nonzeros ? (x->nonzeros > y->nonzeros) - (x->nonzeros < y->nonzeros) : (x > y) - (x < y);
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static const ns_table_column columns[] = {
    {"group", NS_COL(ns_catalogue_entry, group)},       {"name", NS_COL(ns_catalogue_entry, name)},
    {"rows", NS_COL(ns_catalogue_entry, rows)},         {"cols", NS_COL(ns_catalogue_entry, cols)},
    {"nonzeros", NS_COL(ns_catalogue_entry, nonzeros)}, {"stored", NS_COL(ns_catalogue_entry, stored)},
    {"field", NS_COL(ns_catalogue_entry, field)},       {"structure", NS_COL(ns_catalogue_entry, structure)},
    {"kind", NS_COL(ns_catalogue_entry, kind)},         {NULL}};

static ns_status ns_matrix_list(const ns_args *args, const ns_matrix_request *r, ns_value *result,
                                ns_command_context *context, ns_error *err)
{
    NS_OWN(ns_catalogue_free) ns_catalogue *catalogue = NULL;
    const ns_catalogue_entry *entry;
    ns_catalogue_filter filter = r->filter;
    (void)args, (void)context;
    if (r->symmetric && r->structure >= 0)
        return ns_fail(err, NS_ERR_USAGE, "--symmetric is --structure symmetric; give one of them");
    filter.structure = r->symmetric        ? ns_matrix_structures[0]
                       : r->structure >= 0 ? ns_matrix_structures[r->structure]
                                           : NULL;
    filter.field = r->field >= 0 ? ns_matrix_fields[r->field] : NULL;
    NS_TRY(read_range(r->rows, "rows", &filter.rows, err));
    NS_TRY(read_range(r->cols, "cols", &filter.cols, err));
    NS_TRY(read_range(r->nnz, "nnz", &filter.nonzeros, err));
    NS_TRY(ns_catalogue_open(&catalogue, err));
    size_t count = 0, all = ns_catalogue_entries(catalogue, &entry);
    NS_OWN(ns_free) const ns_catalogue_entry **chosen = ns_malloc(ns_size_mul(ns_size_add(all, 1), sizeof *chosen));
    if (chosen == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < all; i++)
        if (ns_catalogue_fits(catalogue, &entry[i], &filter))
            chosen[count++] = &entry[i];
    if (r->order > 0) /* 0: by name, as in the catalogue */
        qsort(chosen, count, sizeof *chosen, r->order == 1 ? by_rows : by_nonzeros);
    ns_put_schema(result, "nsmodel/matrix-list/1");
    ns_note(result, "%zu of %zu matrices of the %s", count, all, NS_COLLECTION);
    ns_put_count(result, "catalogue", NS_IN_JSON, (double)all);
    ns_put_count(result, "count", NS_IN_JSON, (double)count);
    ns_put_text(result, "source", NS_IN_JSON, NS_COLLECTION);
    ns_value *list = ns_put_rows(result, "matrices", NS_EVERYWHERE);
    for (size_t i = 0; i < count && (r->limit == 0 || i < (size_t)r->limit); i++)
        ns_put_row(list, columns, chosen[i]);
    return NS_OK;
}

static const ns_option options[] = {
    {"name", 0, "TEXT", NULL, "list: names that contain TEXT", NS_OPT(ns_matrix_request, filter.name)},
    {"group", 0, "GROUP", NULL, "list: of this group", NS_OPT(ns_matrix_request, filter.group)},
    {"kind", 0, "TEXT", NULL, "list: kinds with these words (structural, graph, circuit, ...)",
     NS_OPT(ns_matrix_request, filter.kind)},
    {"rows", 0, "RANGE", NULL, "list: as many rows, 1000000 or 1M or 100k:2M or 1M:", NS_OPT(ns_matrix_request, rows)},
    {"cols", 0, "RANGE", NULL, "list: as many columns", NS_OPT(ns_matrix_request, cols)},
    {"nnz", 0, "RANGE", NULL, "list: as many nonzeros", NS_OPT(ns_matrix_request, nnz)},
    {"symmetric", 0, NULL, NULL, "list: symmetric ones", NS_OPT(ns_matrix_request, symmetric)},
    {"structure", 0, "WORD", NULL, "list: symmetric, unsymmetric, hermitian, skew-symmetric or rectangular",
     NS_OPT(ns_matrix_request, structure), .words = ns_matrix_structures},
    {"field", 0, "WORD", NULL, "list: real, complex, integer or pattern", NS_OPT(ns_matrix_request, field),
     .words = ns_matrix_fields},
    {"square", 0, NULL, NULL, "list: with as many rows as columns", NS_OPT(ns_matrix_request, filter.square)},
    {"positive-definite", 0, NULL, NULL, "list: positive definite ones",
     NS_OPT(ns_matrix_request, filter.positive_definite)},
    {"grid", 0, NULL, NULL, "list: from a discretisation in two or three dimensions",
     NS_OPT(ns_matrix_request, filter.grid)},
    {"measured", 0, NULL, NULL, "list: with published communication facts", NS_OPT(ns_matrix_request, filter.measured)},
    {"sort", 0, "name|rows|nnz", "name", "list: in this order", NS_OPT(ns_matrix_request, order),
     .words = ns_matrix_orders},
    {"limit", 0, "N", NULL, "list: the first N only", NS_OPT(ns_matrix_request, limit), .least = 1, .most = INT32_MAX},
    {"url", 0, "BASE", "https://sparse.tamu.edu", "get: the collection's server, or a mirror of it",
     NS_OPT(ns_matrix_request, url)},
    {"to", 0, "FOLDER", NULL, "get: keep it here [the user's cache]", NS_OPT(ns_matrix_request, to)},
    {"again", 0, NULL, NULL, "get: even when it is there already", NS_OPT(ns_matrix_request, again)},
    NS_OPTION_MEMORY,
    NS_OPTION_WORK,
    {NULL},
};

static const struct {
    const char *name;
    int words; /* number of words after it */
    ns_status (*run)(const ns_args *args, const ns_matrix_request *request, ns_value *result,
                     ns_command_context *context, ns_error *err);
} actions[] = {
    {"list", 0, ns_matrix_list},
    {"info", 1, ns_matrix_info_of},
    {"where", 1, ns_matrix_where_is},
    {"get", 1, ns_matrix_get},
};
enum { ACTIONS = sizeof actions / sizeof *actions };

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    const char *names[ACTIONS];
    for (int i = 0; i < ACTIONS; i++) {
        names[i] = actions[i].name;
        if (strcmp(args->word[0], names[i]) != 0)
            continue;
        if (args->words - 1 != actions[i].words)
            return actions[i].words > 0 ? ns_fail(err, NS_ERR_USAGE, "matrix %s wants one NAME", names[i])
                                        : ns_fail(err, NS_ERR_USAGE, "matrix %s wants options only, got \"%s\"",
                                                  names[i], args->word[1]);
        /* An option documented as "list: ..." belongs to list; elsewhere it would have no effect. */
        for (int given = 0; given < args->given; given++) {
            const ns_option *o = args->option[given].option;
            for (int k = 0; k < ACTIONS; k++) {
                const size_t length = strlen(actions[k].name);
                if (strncmp(o->doc, actions[k].name, length) == 0 && o->doc[length] == ':' &&
                    strcmp(args->word[0], actions[k].name) != 0)
                    return ns_fail(err, NS_ERR_USAGE, "--%s belongs to `nsmodel matrix %s`", o->name, actions[k].name);
            }
        }
        ns_matrix_request request = {.limit = 0};
        NS_TRY(ns_args_read(args, &request, err));
        return actions[i].run(args, &request, result, context, err);
    }
    char text[NS_UNKNOWN_MOST];
    ns_unknown_name(text, sizeof text, "matrix has no", args->word[0], names, ACTIONS, NULL);
    return ns_fail(err, NS_ERR_USAGE, "%s", text);
}

const ns_command ns_command_matrix = {
    .name = "matrix",
    .summary = "the catalogue of 2,904 matrices: list, info, where their files are, get",
    .usage = "list | info NAME | where NAME | get NAME",
    .options = options,
    .example = "nsmodel matrix list --kind structural --rows 1M: --symmetric",
    .about = "list narrows the catalogue of the SuiteSparse Matrix Collection; info tells what is known of one matrix, "
             "or counts a file;\n"
             "where tells each place that is looked at for a name, and what is there.\n"
             "get fetches GROUP/NAME.tar.gz into the user's cache. A connection that is cut is taken up again, now or "
             "by the next get;\n"
             "what came is kept as NAME.tar.gz.part. The file gets its name only when its checksum is right and its "
             "rows, columns and\n"
             "entries are the catalogue's.",
    .least = 1,
    .needs = "a verb: list, info, where or get",
    .most = 2,
    .rank = 6,
    .run = run,
};
