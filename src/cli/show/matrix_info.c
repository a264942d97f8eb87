/* matrix_info.c -- what is known of one matrix: from the catalogue, or counted when it is only a file or a stencil */
#include "cli/front/progress.h"
#include "cli/inputs/inputs.h"
#include "cli/show/matrix.h"
#include "report/columns.h"

#include <string.h>
#include <unistd.h>

static void add_known(ns_value *object, const char *name, int64_t value)
{
    if (value < 0)
        ns_value_null(object, name);
    else
        ns_value_count(object, name, (double)value);
}

static void add_text(ns_value *object, const char *name, const char *text)
{
    if (*text == '\0')
        ns_value_null(object, name);
    else
        ns_value_text(object, name, text);
}

static ns_value *rows_list(ns_value *result, const char *name)
{
    ns_value *list = ns_put_rows(result, name, NS_NOT_IN_CSV);
    return list;
}

static void add_spread(ns_value *list, const char *of, const ns_spread *s)
{
    ns_value *row = ns_value_object(list, NULL);
    ns_value_text(row, "of", of);
    ns_value_count(row, "min", s->min);
    ns_value_count(row, "q1", s->q1);
    ns_value_count(row, "median", s->median);
    ns_value_count(row, "q3", s->q3);
    ns_value_count(row, "max", s->max);
    ns_value_count(row, "mean", s->mean);
    ns_value_count(row, "variance", s->variance);
    ns_value_count(row, "skewness", s->skewness);
}

static void add_size(const ns_catalogue_entry *e, ns_value *result)
{
    ns_value_text(result, "name", e->name);
    ns_value_text(result, "group", e->group);
    ns_value_text(result, "title", e->title);
    ns_value_count(result, "rows", (double)e->rows);
    ns_value_count(result, "cols", (double)e->cols);
    ns_value_count(result, "stored", (double)e->stored);
    ns_value_count(result, "nonzeros", (double)e->nonzeros);
    ns_value_count(result, "explicit_zeros", (double)(e->stored - e->nonzeros));
    ns_value_text(result, "field", e->field);
    ns_value_text(result, "structure", e->structure);
}

static void add_properties(const ns_catalogue_entry *e, const ns_catalogue_detail *d, ns_value *result)
{
    ns_value_count(result, "pattern_symmetry", d->pattern_symmetry);
    ns_value_count(result, "numeric_symmetry", d->numeric_symmetry);
    ns_value_bool(result, "positive_definite", e->positive_definite);
    ns_value_text(result, "kind", e->kind);
    ns_value_bool(result, "grid", e->grid);
    add_known(result, "diagonal", e->diagonal);
    add_known(result, "lower_bandwidth", e->lower_bandwidth);
    add_known(result, "upper_bandwidth", e->upper_bandwidth);
    add_known(result, "components", e->components);
    add_text(result, "author", e->author);
    add_text(result, "date", e->date);
}

static void add_lengths(const ns_catalogue_detail *d, ns_value *result)
{
    add_known(result, "entries_counted", d->counted);
    if (d->counted < 0)
        return;
    ns_value *list = rows_list(result, "lengths");
    add_spread(list, "rows", &d->row);
    add_spread(list, "columns", &d->col);
}

static void add_facts(const ns_catalogue *catalogue, const ns_catalogue_entry *e, ns_value *result)
{
    const ns_catalogue_fact *fact;
    size_t count = ns_catalogue_facts(catalogue, e, &fact);
    ns_value *list = rows_list(result, "facts");
    for (size_t i = 0; i < count; i++) {
        ns_value *row = ns_value_object(list, NULL);
        ns_value_text(row, "what", fact[i].what);
        ns_value_number(row, "value", fact[i].value, strcmp(fact[i].unit, "s") == 0 ? NS_SECOND : NS_DIMENSIONLESS);
        ns_value_text(row, "where", fact[i].where);
        ns_value_text(row, "source", fact[i].source);
    }
}

static ns_status from_catalogue(const ns_catalogue *catalogue, const char *name, ns_value *result, ns_error *err)
{
    const ns_catalogue_entry *e;
    ns_catalogue_detail detail;
    char available[4200];
    NS_TRY(ns_catalogue_find(catalogue, name, &e, err));
    NS_TRY(ns_catalogue_details(catalogue, e, &detail, err));
    NS_TRY(ns_matrix_available(name, available, sizeof available, err));
    add_size(e, result);
    add_properties(e, &detail, result);
    ns_value_textf(result, "page", "https://sparse.tamu.edu/%s/%s", e->group, e->name);
    ns_value_text(result, "source", NS_COLLECTION);
    ns_value_text(result, "available", available);
    add_lengths(&detail, result);
    add_facts(catalogue, e, result);
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
    ns_value *list = rows_list(result, "lengths");
    add_spread(list, "rows", &row);
    add_spread(list, "columns", &col);
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

ns_status ns_matrix_info_of(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    ns_catalogue *catalogue;
    const ns_catalogue_entry *e;
    const char *name = args->word[1];
    (void)context;
    ns_put_schema(result, "nsmodel/matrix-info/1");
    NS_TRY(ns_catalogue_open(&catalogue, err));
    bool catalogued = ns_catalogue_matches(catalogue, name, &e) > 0 && access(name, F_OK) != 0;
    ns_status status = catalogued ? from_catalogue(catalogue, name, result, err) : from_matrix(args, result, err);
    ns_catalogue_free(catalogue);
    return status;
}
