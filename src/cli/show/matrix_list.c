/* matrix_list.c -- the matrices of the catalogue that fit some options */
#include "cli/show/matrix.h"
#include "core/memory.h"
#include "report/columns.h"

#include <stdlib.h>
#include <string.h>

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

const char *const ns_matrix_structures[] = {"symmetric",      "unsymmetric", "hermitian",
                                            "skew-symmetric", "rectangular", NULL};
const char *const ns_matrix_fields[] = {"real", "complex", "integer", "pattern", NULL};
const char *const ns_matrix_orders[] = {"name", "rows", "nnz", NULL};

/* ---- order ------------------------------------------------------------------------------------------------------- */

static int by_place(const ns_catalogue_entry *a, const ns_catalogue_entry *b)
{
    return (a > b) - (a < b); /* the catalogue is sorted by name */
}

static int by_name(const void *a, const void *b)
{
    return by_place(*(const ns_catalogue_entry *const *)a, *(const ns_catalogue_entry *const *)b);
}

static int by_rows(const void *a, const void *b)
{
    const ns_catalogue_entry *x = *(const ns_catalogue_entry *const *)a, *y = *(const ns_catalogue_entry *const *)b;
    return x->rows != y->rows ? (x->rows > y->rows) - (x->rows < y->rows) : by_place(x, y);
}

static int by_nonzeros(const void *a, const void *b)
{
    const ns_catalogue_entry *x = *(const ns_catalogue_entry *const *)a, *y = *(const ns_catalogue_entry *const *)b;
    return x->nonzeros != y->nonzeros ? (x->nonzeros > y->nonzeros) - (x->nonzeros < y->nonzeros) : by_place(x, y);
}

typedef int order(const void *a, const void *b);
static order *const orders[] = {by_name, by_rows, by_nonzeros};

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static const ns_table_column columns[] = {
    {"group", NS_COL(ns_catalogue_entry, group)},       {"name", NS_COL(ns_catalogue_entry, name)},
    {"rows", NS_COL(ns_catalogue_entry, rows)},         {"cols", NS_COL(ns_catalogue_entry, cols)},
    {"nonzeros", NS_COL(ns_catalogue_entry, nonzeros)}, {"stored", NS_COL(ns_catalogue_entry, stored)},
    {"field", NS_COL(ns_catalogue_entry, field)},       {"structure", NS_COL(ns_catalogue_entry, structure)},
    {"kind", NS_COL(ns_catalogue_entry, kind)},         {NULL}};

static ns_status answer(const ns_matrix_request *r, const ns_catalogue *catalogue, ns_value *result, ns_error *err)
{
    const ns_catalogue_entry *entry;
    ns_catalogue_filter filter = r->filter;
    size_t count = 0, all = ns_catalogue_entries(catalogue, &entry);
    if (r->symmetric && r->structure >= 0)
        return ns_fail(err, NS_ERR_USAGE, "--symmetric is --structure symmetric; give one of them");
    filter.structure = r->symmetric        ? ns_matrix_structures[0]
                       : r->structure >= 0 ? ns_matrix_structures[r->structure]
                                           : NULL;
    filter.field = r->field >= 0 ? ns_matrix_fields[r->field] : NULL;
    NS_TRY(read_range(r->rows, "rows", &filter.rows, err));
    NS_TRY(read_range(r->cols, "cols", &filter.cols, err));
    NS_TRY(read_range(r->nnz, "nnz", &filter.nonzeros, err));
    const ns_catalogue_entry **chosen = ns_malloc(ns_size_mul(ns_size_add(all, 1), sizeof *chosen));
    if (chosen == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < all; i++)
        if (ns_catalogue_fits(catalogue, &entry[i], &filter))
            chosen[count++] = &entry[i];
    qsort(chosen, count, sizeof *chosen, orders[r->order]);
    ns_put_schema(result, "nsmodel/matrix-list/1");
    ns_note(result, "%zu of %zu matrices of the %s", count, all, NS_COLLECTION);
    ns_put_count(result, "catalogue", NS_IN_JSON, (double)all);
    ns_put_count(result, "count", NS_IN_JSON, (double)count);
    ns_put_text(result, "source", NS_IN_JSON, NS_COLLECTION);
    ns_value *list = ns_put_rows(result, "matrices", NS_EVERYWHERE);
    for (size_t i = 0; i < count && (r->limit == 0 || i < (size_t)r->limit); i++)
        ns_put_row(list, columns, chosen[i]);
    ns_free(chosen);
    return NS_OK;
}

ns_status ns_matrix_list(const ns_args *args, const ns_matrix_request *request, ns_value *result,
                         ns_command_context *context, ns_error *err)
{
    ns_catalogue *catalogue;
    (void)args;
    (void)context;
    NS_TRY(ns_catalogue_open(&catalogue, err));
    const ns_status status = answer(request, catalogue, result, err);
    ns_catalogue_free(catalogue);
    return status;
}
