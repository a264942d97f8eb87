/* matrix_info.c -- what is known of one matrix: from the catalogue, or counted when it is only a file or a stencil */
#include "cli/front/progress.h"
#include "cli/inputs/inputs.h"
#include "cli/show/matrix.h"
#include "report/columns.h"

#include <string.h>
#include <unistd.h>

static const ns_table_column of_spread[] = {{"min", NS_COL(ns_spread, min)},
                                            {"q1", NS_COL(ns_spread, q1)},
                                            {"median", NS_COL(ns_spread, median)},
                                            {"q3", NS_COL(ns_spread, q3)},
                                            {"max", NS_COL(ns_spread, max)},
                                            {"mean", NS_COL(ns_spread, mean)},
                                            {"variance", NS_COL(ns_spread, variance)},
                                            {"skewness", NS_COL(ns_spread, skewness)},
                                            {NULL}};

/* Entries of rows and of columns. */
static void add_lengths(const ns_spread *row, const ns_spread *col, ns_value *result)
{
    ns_value *list = ns_put_rows(result, "lengths", NS_NOT_IN_CSV), *of = ns_value_object(list, NULL);
    ns_value_text(of, "of", "rows");
    ns_put_columns(of, of_spread, row);
    of = ns_value_object(list, NULL);
    ns_value_text(of, "of", "columns");
    ns_put_columns(of, of_spread, col);
}

typedef ns_catalogue_entry entry;

static double explicit_zeros(const void *row)
{
    return (double)(((const entry *)row)->stored - ((const entry *)row)->nonzeros);
}

/* What is not known is "". */
static const char *author_of(const void *row, char room[NS_COL_ROOM])
{
    (void)room;
    return *((const entry *)row)->author != '\0' ? ((const entry *)row)->author : NULL;
}

static const char *date_of(const void *row, char room[NS_COL_ROOM])
{
    (void)room;
    return *((const entry *)row)->date != '\0' ? ((const entry *)row)->date : NULL;
}

static const ns_table_column of_size[] = {{"name", NS_COL(entry, name)},
                                          {"group", NS_COL(entry, group)},
                                          {"title", NS_COL(entry, title)},
                                          {"rows", NS_COL(entry, rows)},
                                          {"cols", NS_COL(entry, cols)},
                                          {"stored", NS_COL(entry, stored)},
                                          {"nonzeros", NS_COL(entry, nonzeros)},
                                          {"explicit_zeros", .number = explicit_zeros},
                                          {"field", NS_COL(entry, field)},
                                          {"structure", NS_COL(entry, structure)},
                                          {NULL}};
static const ns_table_column of_symmetry[] = {{"pattern_symmetry", NS_COL(ns_catalogue_detail, pattern_symmetry)},
                                              {"numeric_symmetry", NS_COL(ns_catalogue_detail, numeric_symmetry)},
                                              {NULL}};
static const ns_table_column of_properties[] = {
    {"positive_definite", NS_COL(entry, positive_definite)},
    {"kind", NS_COL(entry, kind)},
    {"grid", NS_COL(entry, grid)},
    {"diagonal", NS_COL(entry, diagonal), .shows = NS_NEGATIVE_NULL},
    {"lower_bandwidth", NS_COL(entry, lower_bandwidth), .shows = NS_NEGATIVE_NULL},
    {"upper_bandwidth", NS_COL(entry, upper_bandwidth), .shows = NS_NEGATIVE_NULL},
    {"components", NS_COL(entry, components), .shows = NS_NEGATIVE_NULL},
    {"author", .text = author_of},
    {"date", .text = date_of},
    {NULL}};
static const ns_table_column of_counted[] = {
    {"entries_counted", NS_COL(ns_catalogue_detail, counted), .shows = NS_NEGATIVE_NULL}, {NULL}};

static ns_status from_catalogue(const ns_catalogue *catalogue, const char *name, ns_value *result, ns_error *err)
{
    const entry *e;
    const ns_catalogue_fact *fact;
    ns_catalogue_detail detail;
    char available[4200];
    NS_TRY(ns_catalogue_find(catalogue, name, &e, err));
    NS_TRY(ns_catalogue_details(catalogue, e, &detail, err));
    NS_TRY(ns_matrix_available(name, available, sizeof available, err));
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

static ns_status counted(const ns_args *args, ns_matrix *matrix, ns_value *result, ns_error *err)
{
    static const char *const structures[] = {[NS_GENERAL] = "general",
                                             [NS_SYMMETRIC] = "symmetric",
                                             [NS_SKEW] = "skew-symmetric",
                                             [NS_HERMITIAN] = "hermitian"};
    const ns_matrix_info *info = ns_matrix_describe(matrix);
    ns_spread row, col;
    ns_limits limits;
    int64_t entries;
    NS_TRY(ns_limits_read(args, &limits, err));
    ns_matrix_limit(matrix, limits.max_work);
    NS_TRY(ns_matrix_lengths(matrix, limits.max_memory, &row, &col, &entries, err));
    ns_value_text(result, "name", info->name);
    ns_value_count(result, "rows", (double)info->rows);
    ns_value_count(result, "cols", (double)info->cols);
    ns_value_count(result, "stored", (double)entries);
    ns_value_text(result, "structure", structures[info->symmetry]);
    ns_value_text(result, "source", ns_matrix_source_words[info->source]);
    add_lengths(&row, &col, result);
    return NS_OK;
}

static ns_status from_matrix(const ns_args *args, ns_value *result, ns_error *err)
{
    ns_matrix *matrix;
    NS_TRY(ns_places_matrix(args->word[1], &matrix, err));
    ns_progress_watch(args->progress, matrix);
    ns_status status = counted(args, matrix, result, err);
    ns_matrix_free(matrix);
    return status;
}

ns_status ns_matrix_info_of(const ns_args *args, const ns_matrix_request *request, ns_value *result,
                            ns_command_context *context, ns_error *err)
{
    ns_catalogue *catalogue;
    const ns_catalogue_entry *e;
    const char *name = args->word[1];
    (void)request, (void)context;
    ns_put_schema(result, "nsmodel/matrix-info/1");
    NS_TRY(ns_catalogue_open(&catalogue, err));
    bool catalogued = ns_catalogue_matches(catalogue, name, &e) > 0 && access(name, F_OK) != 0;
    ns_status status = catalogued ? from_catalogue(catalogue, name, result, err) : from_matrix(args, result, err);
    ns_catalogue_free(catalogue);
    return status;
}
