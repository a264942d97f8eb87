/* test_catalogue.c -- the embedded catalogue against the collection's own index */
#include <stdint.h>

#include "api/library.h"
#include "collection/catalogue.h"
#include "support/allocations.h"
#include "support/cli.h"
#include "support/shared.h"
#include "support/test.h"
#include "support/values.h"

static ns_catalogue *catalogue;

static void setup(void)
{
    ns_error err = {.code = NS_OK};
    ck_assert_msg(ns_catalogue_open(&catalogue, &err) == NS_OK, "%s", err.text);
}

static void teardown(void)
{
    ns_catalogue_free(catalogue);
}

/* Rows from the collection's web pages and, for entries with explicit zeros, from the headers of the .mtx files:
 * stored = 2 (entries of the file) - diagonal for symmetric ones. */
static const struct {
    const char *name, *group;
    int64_t rows, cols, nonzeros, stored;
    const char *structure, *kind;
} known[] = {
    {"audikw_1", "GHS_psdef", 943695, 943695, 77651847, 77651847, "symmetric", "structural problem"},
    {"bone010", "Oberwolfach", 986703, 986703, 47851783, 71666325, "symmetric", "model reduction problem"},
    {"Janna/Serena", "Janna", 1391349, 1391349, 64131971, 64531701, "symmetric", "structural problem"},
    {"LAW/arabic-2005", "LAW", 22744080, 22744080, 639999458, 639999458, "unsymmetric", "directed graph"},
    {"DIMACS10/europe_osm", "DIMACS10", 50912018, 50912018, 108109320, 108109320, "symmetric", "undirected graph"},
    {"lp_woodw", "LPnetlib", 1098, 8418, 37487, 37487, "rectangular", "linear programming problem"},
    {"msc01050", "Boeing", 1050, 1050, 26198, 29156, "symmetric", "structural problem"},
    {"Nasa/pwt", "Nasa", 36519, 36519, 326107, 326107, "symmetric", "duplicate structural problem"},
};

TEST_EACH(test_known, (int)(sizeof known / sizeof *known))
{
    const ns_catalogue_entry *e;
    ns_error err = {.code = NS_OK};
    ck_assert_msg(ns_catalogue_find(catalogue, known[_i].name, &e, &err) == NS_OK, "%s", err.text);
    ck_assert_str_eq(e->group, known[_i].group);
    ck_assert_int_eq(e->rows, known[_i].rows);
    ck_assert_int_eq(e->cols, known[_i].cols);
    ck_assert_int_eq(e->nonzeros, known[_i].nonzeros);
    ck_assert_int_eq(e->stored, known[_i].stored);
    ck_assert_str_eq(e->structure, known[_i].structure);
    ck_assert_str_eq(e->kind, known[_i].kind);
}

/* All of them, sorted, every one found by its full name and by its name alone unless that is not unique: 15 names are
 * not. */
TEST(test_every_entry)
{
    const ns_catalogue_entry *e, *found;
    ns_catalogue_detail d;
    char full[100];
    size_t count = ns_catalogue_entries(catalogue, &e);
    int shared_names = 0, without_lengths = 0;
    ck_assert_uint_eq(count, 2904);
    for (size_t i = 0; i < count; i++) {
        ns_error err = {.code = NS_OK};
        snprintf(full, sizeof full, "%s/%s", e[i].group, e[i].name);
        ck_assert_msg(ns_catalogue_find(catalogue, full, &found, &err) == NS_OK && found == &e[i], "%s: %s", full,
                      err.text);
        size_t matches = ns_catalogue_matches(catalogue, e[i].name, &found);
        ck_assert(matches >= 1 && found <= &e[i] && &e[i] < found + matches);
        shared_names += matches > 1 && found == &e[i];
        ck_assert(e[i].rows > 0 && e[i].cols > 0 && e[i].nonzeros >= 0 && e[i].stored >= e[i].nonzeros);
        ck_assert((strcmp(e[i].structure, "rectangular") == 0) == (e[i].rows != e[i].cols));
        ck_assert_int_eq(ns_catalogue_details(catalogue, &e[i], &d, NULL), NS_OK);
        ck_assert(d.pattern_symmetry >= 0 && d.pattern_symmetry <= 1 &&
                  d.numeric_symmetry <= d.pattern_symmetry + 0.02); /* rajat19, as published */
        without_lengths += d.counted < 0;
        if (d.counted >= 0) {
            ck_assert_double_eq_tol(d.row.mean * (double)e[i].rows, (double)d.counted, 2e-7 * (double)d.counted + 1e-9);
            ck_assert_double_eq_tol(d.col.mean * (double)e[i].cols, (double)d.counted, 2e-7 * (double)d.counted + 1e-9);
            ck_assert(d.row.min <= d.row.q1 && d.row.q1 <= d.row.median && d.row.median <= d.row.q3 &&
                      d.row.q3 <= d.row.max);
            ck_assert_int_eq(d.counted, e[i].stored);
        }
    }
    ck_assert_int_eq(shared_names, 15);
    ck_assert_int_eq(without_lengths, 2904 - 2843);
}

/* Against ssstats.csv, the collection's index as it publishes it (2,893 matrices, 2020): group, name, sizes, kind. */
TEST(test_against_the_index)
{
    char path[600], line[600];
    int lines = 0, compared = 0, renamed = 0;
    if (!shared_path("test_against_the_index", "data/catalogue/ssstats.csv", path, sizeof path))
        return;
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file) != NULL) {
        char group[64], name[64], full[140], kind[80];
        long long rows, cols, nonzeros, stored;
        double pattern, numeric;
        const ns_catalogue_entry *e;
        ns_catalogue_detail d;
        ns_error err = {.code = NS_OK};
        if (++lines <= 2)
            continue;
        ck_assert_int_eq(sscanf(line, "%63[^,],%63[^,],%lld,%lld,%lld,%*d,%*d,%*d,%*d,%lf,%lf,%79[^,],%lld", group,
                                name, &rows, &cols, &nonzeros, &pattern, &numeric, kind, &stored),
                         9);
        snprintf(full, sizeof full, "%s/%s", group, name);
        ck_assert_msg(ns_catalogue_find(catalogue, full, &e, &err) == NS_OK, "%s", err.text);
        ck_assert_int_eq(ns_catalogue_details(catalogue, e, &d, NULL), NS_OK);
        ck_assert_msg(e->rows == rows && e->cols == cols && e->nonzeros == nonzeros && e->stored == stored, "%s", full);
        renamed += strcmp(e->kind, kind) != 0;
        ck_assert_msg(fabs(d.pattern_symmetry - pattern) < 1e-3 && fabs(d.numeric_symmetry - numeric) < 1e-3, "%s",
                      full);
        compared++;
    }
    fclose(file);
    ck_assert_int_eq(compared, 2893);
    ck_assert_int_eq(renamed, 4); /* Chevron1 to 4 are "2D/3D problem" since */
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

TEST(test_names)
{
    static const struct {
        const char *name, *words;
    } bad[] = {
        {"football", "\"football\" names several matrices: Newman/football, Pajek/football"},
        {"pwt", "\"pwt\" names several matrices: GHS_psdef/pwt, Nasa/pwt, Pothen/pwt"},
        {"sernea", "did you mean \"Serena\"?"},
        {"Jana/Serena", "did you mean \"Janna/Serena\"?"},
        {"", "no matrix \"\" in the catalogue"},
        {"Janna/", "no matrix"},
        {"/Serena", "no matrix"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const ns_catalogue_entry *e;
        ns_error err = {.code = NS_OK};
        ck_assert_int_eq(ns_catalogue_find(catalogue, bad[i].name, &e, &err), NS_ERR_NAME);
        ck_assert_msg(strstr(err.text, bad[i].words) != NULL, "%s", err.text);
        ck_assert(*bad[i].name != '\0' || (err.remedy == NS_REMEDY_CATALOGUE && strcmp(err.subject, "2904") == 0));
    }
}

/* ---- filters: the program's answers against a plain count over the entries --------------------------------------- */

static int plain_count(bool (*wanted)(const ns_catalogue_entry *e))
{
    const ns_catalogue_entry *e;
    int found = 0;
    for (size_t i = 0, count = ns_catalogue_entries(catalogue, &e); i < count; i++)
        found += wanted(&e[i]);
    return found;
}

static bool big_structural(const ns_catalogue_entry *e)
{
    return strstr(e->kind, "structural") != NULL && e->rows >= 1000000 && strcmp(e->structure, "symmetric") == 0;
}

static bool between(const ns_catalogue_entry *e)
{
    return e->nonzeros >= 1000000 && e->nonzeros <= 2500000 && e->rows == e->cols;
}

static bool of_rows(const ns_catalogue_entry *e)
{
    return e->rows == 1050;
}

static bool in_group(const ns_catalogue_entry *e)
{
    return strcmp(e->group, "Janna") == 0 && e->positive_definite;
}

static bool everything(const ns_catalogue_entry *e)
{
    return e != NULL;
}

static bool directed(const ns_catalogue_entry *e)
{
    const char *at = strstr(e->kind, "directed graph");
    return at != NULL && (at == e->kind || at[-1] == ' ');
}

static bool complex_wide(const ns_catalogue_entry *e)
{
    return strcmp(e->field, "integer") == 0 && e->cols >= 100000 && strcmp(e->structure, "rectangular") == 0;
}

static const struct {
    const char *line;
    bool (*wanted)(const ns_catalogue_entry *e);
} lists[] = {
    {"matrix list", everything},
    {"matrix list --kind STRUCTURAL --rows 1M: --symmetric", big_structural},
    {"matrix list --nnz 1e6:2.5M --square", between},
    {"matrix list --rows 1050", of_rows},
    {"matrix list --kind 'directed graph'", directed},
    {"matrix list --group janna --positive-definite", in_group},
    {"matrix list --field integer --structure rectangular --cols 100k:", complex_wide},
};

TEST_EACH(test_lists, (int)(sizeof lists / sizeof *lists))
{
    ns_value *root = cli_json(lists[_i].line);
    int rows = 0, wanted = plain_count(lists[_i].wanted);
    for (const ns_value *m = ns_value_get(root, "matrices")->first; m != NULL; m = m->next)
        rows++;
    ck_assert_int_gt(wanted, 0);
    ck_assert_int_eq(rows, wanted);
    ck_assert_double_eq(ns_value_get(root, "count")->number, wanted);
    ck_assert_double_eq(ns_value_get(root, "catalogue")->number, 2904);
}

TEST(test_order_and_limit)
{
    ns_value *root = cli_json("matrix list --sort nnz --limit 3 --kind graph");
    double before = -1;
    int rows = 0;
    for (const ns_value *m = ns_value_get(root, "matrices")->first; m != NULL; m = m->next, rows++) {
        ck_assert_double_ge(ns_value_get(m, "nonzeros")->number, before);
        before = ns_value_get(m, "nonzeros")->number;
    }
    ck_assert_int_eq(rows, 3);
    cli_result csv = cli("matrix list --rows 1M: --kind structural --symmetric --format csv");
    ck_assert_int_eq(strncmp(csv.out, "group,name,rows,cols,nonzeros,stored,field,structure,kind\n", 58), 0);
}

static const cli_refusal refused[] = {
    {"matrix", 2, "matrix needs a verb: list, info, where or get"},
    {"matrix lst", 2, "did you mean \"list\"?"},
    {"matrix list Serena", 2, "matrix list wants options only"},
    {"matrix info", 2, "matrix info wants one NAME"},
    {"matrix where", 2, "matrix where wants one NAME"},
    {"matrix info Serena --rows 5", 2, "--rows belongs to `nsmodel matrix list`"},
    {"matrix list --rows 5:4", 1, "ends before it begins"},
    {"matrix list --rows x", 1, "--rows wants a number or a range like 1000, 100k:2M or 1M:, got \"x\""},
    {"matrix list --nnz -5", 1, "--nnz wants a number"},
    {"matrix list --nnz 1:2:3", 1, "--nnz wants a number"},
    {"matrix list --rows 5MM", 1, "--rows wants a number"},
    {"matrix list --rows nan", 1, "--rows wants a number"},
    {"matrix list --rows 0", 1, "no matrix has none"},
    {"matrix list --structure symetric", 1, "it is one of symmetric, unsymmetric, hermitian, skew-symmetric, rect"},
    {"matrix list --symmetric --structure hermitian", 2, "give one of them"},
    {"matrix list --sort size", 1, "--sort has no choice \"size\"; it is one of name, rows, nnz"},
    {"matrix list Serena", 2, "matrix list wants options only, got \"Serena\""},
    {"matrix info pwt", 1, "\"pwt\" names several matrices: GHS_psdef/pwt, Nasa/pwt, Pothen/pwt"},
    {"matrix info Sernea", 1, "did you mean \"Serena\"?"},
    {"matrix get Sernea", 1, "did you mean \"Serena\"?"},
    {"matrix get pwt", 1, "names several matrices"},
};

TEST_EACH(test_refused, (int)(sizeof refused / sizeof *refused))
{
    cli_refused(refused[_i]);
}

/* Where it looked is told all the same. */
TEST(test_where_of_several)
{
    cli_result r = cli("matrix where pwt");
    ck_assert_int_eq(r.code, 1);
    ck_assert_ptr_nonnull(strstr(r.out, "embedded "));
    ck_assert_ptr_nonnull(strstr(r.err, "\"pwt\" names several matrices: GHS_psdef/pwt, Nasa/pwt, Pothen/pwt"));
}

/* ---- info -------------------------------------------------------------------------------------------------------- */

/* Row lengths as papers_matrices.csv has them; the volumes that a two-way METIS cut of Serena needs. */
TEST(test_info)
{
    ns_value *root = cli_json("matrix info Serena");
    const ns_value *lengths = ns_value_get(root, "lengths")->first;
    bool volume = false;
    ck_assert_double_eq(number_at(root, "stored"), 64531701);
    ck_assert_double_eq(number_at(root, "explicit_zeros"), 399730);
    ck_assert_double_eq(number_at(root, "upper_bandwidth"), 81578);
    ck_assert_double_eq(number_at(lengths, "min"), 15);
    ck_assert_double_eq(number_at(lengths, "median"), 45);
    ck_assert_double_eq(number_at(lengths, "max"), 249);
    ck_assert_ptr_nonnull(strstr(ns_value_get(root, "source")->text, "CC-BY 4.0"));
    for (const ns_value *f = ns_value_get(root, "facts")->first; f != NULL; f = f->next)
        volume = volume ||
                 (strcmp(ns_value_get(f, "where")->text, "2 METIS k-way parts") == 0 && number_at(f, "value") == 17520);
    ck_assert(volume);
    root = cli_json("matrix info arabic-2005");
    const ns_value *fact = ns_value_get(root, "facts")->first;
    ck_assert_double_eq(number_at(fact, "value"), 1947); /* [NS] Table 1 */
    char *seconds = strstr(cli_output("matrix info hollywood-2009"), "\nproduct, GPU-aware ");
    ck_assert(seconds != NULL && strstr(seconds, " 815.3 us ") != NULL);
    root = cli_json("matrix info stencil9:8x8"); /* 22^2 entries: (3 8 - 2)^2 */
    ck_assert_double_eq(number_at(root, "stored"), 484);
    ck_assert_double_eq(number_at(ns_value_get(root, "lengths")->first, "min"), 4);
}

/* Every matrix that the papers use has its published or measured facts where there are any, each with a source. */
TEST(test_facts)
{
    ck_assert_uint_gt(catalogue->facts, 150);
    for (size_t i = 0; i < catalogue->facts; i++) {
        const ns_catalogue_fact *f = &catalogue->fact[i], *first;
        const ns_catalogue_entry *e;
        char full[100];
        snprintf(full, sizeof full, "%s/%s", f->group, f->name);
        ck_assert_int_eq(ns_catalogue_find(catalogue, full, &e, NULL), NS_OK);
        size_t count = ns_catalogue_facts(catalogue, e, &first);
        ck_assert(first <= f && f < first + count); /* those of one matrix stand together */
        ck_assert(*f->what != '\0' && *f->where != '\0' && *f->source != '\0' && isfinite(f->value) && f->value >= 0);
        ck_assert(*f->unit == '\0' || strcmp(f->unit, "s") == 0);
    }
}

/* Each call for memory of the catalogue, zlib's too. */
TEST(test_no_memory)
{
    long call = 0;
    for (ns_status status = NS_ERR_MEMORY; status != NS_OK;) {
        ns_catalogue *const was = (ns_catalogue *)(uintptr_t)0x5a5a, *c = was;
        ns_error err = {0};
        allocations_limit(++call);
        status = ns_catalogue_open(&c, &err);
        allocations_limit(-1);
        ck_assert_msg(status == NS_OK || (status == NS_ERR_MEMORY && c == was), "call %ld: %s", call, err.text);
        ck_assert_int_lt(call, 2000);
        if (status == NS_OK)
            ns_catalogue_free(c);
    }
}

TEST_FIXTURE(setup, teardown)
TEST_TIMEOUT(300)
