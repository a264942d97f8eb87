/* test_likeness.c -- docs/evidence/surrogates.md and volumes of docs/evidence/accuracy.md are made from the record, and
 * what record says of NetSparse's tables */
#include "api/library.h"
#include "support/shared.h"
#include "support/test.h"

#include <nsmodel/exchange.h>

static const char *const record = "evidence/pages/likeness.tsv";

/* A number of the record by the names of its line and column. */
static double recorded(const char *name, const char *column)
{
    char line[2048], *at, *save;
    double value = NAN;
    int wanted = -1;
    FILE *file = fopen(record, "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file) != NULL) {
        const bool titles = wanted < 0, here = strncmp(line, name, strlen(name)) == 0 && line[strlen(name)] == '\t';
        int index = 0;
        for (at = strtok_r(line, "\t\n", &save); at != NULL; at = strtok_r(NULL, "\t\n", &save), index++) {
            if (titles && strcmp(at, column) == 0)
                wanted = index;
            if (here && index == wanted)
                value = strtod(at, NULL);
        }
    }
    fclose(file);
    ck_assert_msg(isfinite(value), "%s of %s is not in %s", column, name, record);
    return value;
}

TEST_EACH(page_is_current, 2)
{
    static const char *const page[] = {"evidence/surrogates", "evidence/accuracy"};
    char text[4096], line[200];
    snprintf(line, sizeof line, "evidence/pages/surrogate_tables.sh docs/%s.md | diff docs/%s.md - | head -5", page[_i],
             page[_i]);
    FILE *pipe = popen(line, "r");
    ck_assert_ptr_nonnull(pipe);
    size_t size = fread(text, 1, sizeof text - 1, pipe);
    text[size] = '\0';
    ck_assert_int_eq(pclose(pipe), 0);
    ck_assert_msg(size == 0, "docs/%s.md is not current: run `make docs`\n%s", page[_i], text);
}

/* [NS] Tables 1 and 4 as the catalogue has them, and how far surrogates are from them: docs/evidence/netsparse.md. */
static const struct {
    const char *name;
    double su, sa, destinations; /* most relative deviation */
} tables[] = {
    {"LAW/arabic-2005", 0.14, 0.08, 0.14},      {"LAW/uk-2002", 0.04, 0.03, 0.09},
    {"DIMACS10/europe_osm", 0.01, 0.01, 0.025}, {"Janna/Queen_4147", 0.01, 0.02, 0.83},
    {"VLSI/stokes", 0.08, 0.02, 1.03},
};

TEST_EACH(published_tables, (int)(sizeof tables / sizeof *tables))
{
    static const char *const columns[] = {"su_128", "sa_128", "destinations_128"};
    const double most[] = {tables[_i].su, tables[_i].sa, tables[_i].destinations};
    ns_catalogue *catalogue;
    const ns_catalogue_entry *entry;
    const ns_catalogue_fact *fact;
    ck_assert_int_eq(ns_catalogue_open(&catalogue, NULL), NS_OK);
    ck_assert_int_eq(ns_catalogue_find(catalogue, tables[_i].name, &entry, NULL), NS_OK);
    ck_assert_uint_eq(ns_catalogue_facts(catalogue, entry, &fact), 3);
    for (int i = 0; i < 3; i++) {
        const double made = recorded(tables[_i].name, columns[i]);
        ck_assert_msg(fabs(made / fact[i].value - 1) < most[i], "%s: %s is %g, published %g", tables[_i].name,
                      columns[i], made, fact[i].value);
    }
    ns_catalogue_free(catalogue);
}

/* The same numbers stand in the catalogue's facts and in the command's comparison. */
TEST(said_twice)
{
    ns_catalogue *catalogue;
    ns_matrix *matrix;
    ns_trace *trace;
    ck_assert_int_eq(ns_catalogue_open(&catalogue, NULL), NS_OK);
    ck_assert_int_eq(ns_matrix_open("stencil9:20x20", &matrix, NULL), NS_OK);
    ck_assert_int_eq(ns_trace_open(matrix, 128, NULL, &trace, NULL), NS_OK);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const ns_catalogue_entry *entry;
        const ns_catalogue_fact *fact;
        const ns_published_view *view = ns_trace_published(trace, tables[i].name);
        ck_assert_int_eq(ns_catalogue_find(catalogue, tables[i].name, &entry, NULL), NS_OK);
        ck_assert_uint_eq(ns_catalogue_facts(catalogue, entry, &fact), 3);
        ck_assert_ptr_nonnull(view);
        ck_assert(fact[0].value == view->su_redundant_per_useful && fact[1].value == view->sa_redundant_per_useful &&
                  fact[2].value == view->destinations_per_window);
    }
    ns_trace_free(trace);
    ns_matrix_free(matrix);
    ns_catalogue_free(catalogue);
}

/* [NS] Table 4's order: structures before crawls before roads; transfers per useful one: SU > SA > 1. */
TEST(orders)
{
    static const char *const banded[] = {"Janna/Queen_4147", "Janna/Geo_1438", "Oberwolfach/bone010"};
    const double arabic = recorded("LAW/arabic-2005", "destinations_128"),
                 uk = recorded("LAW/uk-2002", "destinations_128"),
                 europe = recorded("DIMACS10/europe_osm", "destinations_128");
    for (int i = 0; i < 3; i++)
        ck_assert_double_lt(recorded(banded[i], "destinations_128"), arabic);
    ck_assert_double_lt(arabic, uk);
    ck_assert_double_lt(uk, europe);
    for (int i = 0; i < 5; i++) {
        const double su = 1 + recorded(tables[i].name, "su_128"), sa = 1 + recorded(tables[i].name, "sa_128");
        ck_assert(su > sa && sa > 1);
        const bool sparse = i < 3; /* crawls and roads: SU moves tens to hundreds of times what SA does */
        ck_assert_msg(sparse ? su / sa > 50 : su / sa < 10, "%s: SU moves %g times what SA does", tables[i].name,
                      su / sa);
    }
}

/* The node with most columns over the mean one: as in the real streets. */
TEST(uneven_roads)
{
    static const char *const name[] = {"DIMACS10/europe_osm", "DIMACS10/luxembourg_osm"};
    double most[2];
    for (int i = 0; i < 2; i++)
        most[i] = 128 * recorded(name[i], "unique_max_128") / recorded(name[i], "unique_128");
    ck_assert_msg(fabs(most[0] / most[1] - 1) < 0.03, "%g times the mean, wanted %g", most[0], most[1]);
}

/* The same of the crawls: a quarter less than in cnr-2000, where arabic's stand-in had 2.1 for 4.7. */
TEST(uneven_crawls)
{
    static const char *const name[] = {"LAW/arabic-2005", "LAW/cnr-2000"};
    double most[2];
    for (int i = 0; i < 2; i++)
        most[i] = 128 * recorded(name[i], "unique_max_128") / recorded(name[i], "unique_128");
    ck_assert_msg(fabs(most[0] / most[1] - 1) < 0.25, "%g times the mean, wanted %g", most[0], most[1]);
}

/* Of the columns that parts of a crawl need, the share that the two parts next to each own, as surrogates.md has it. */
static const struct {
    const char *name;
    bool real;
    int32_t parts;
    double share;
} crawls[] = {
    {"cnr-2000", true, 16, 0.53},       {"cnr-2000", true, 64, 0.54},       {"cnr-2000", true, 128, 0.55},
    {"NotreDame_www", true, 128, 0.06}, {"arabic-2005", false, 128, 0.62}, {"uk-2002", false, 128, 0.05},
};

TEST_EACH(parts_next_door, (int)(sizeof crawls / sizeof *crawls))
{
    char path[1024];
    const ns_layout layout = {.parts = crawls[_i].parts, .per_node = 1};
    const ns_route *route;
    ns_matrix *matrix;
    ns_exchange *exchange;
    int64_t next = 0, all = 0;
    if (crawls[_i].real ? !shared_matrices("crawls") : getenv("NS_TEST_HEAVY") == NULL)
        return;
    snprintf(path, sizeof path, "%s/data/matrices/%s.mtx.gz", shared_dir(), crawls[_i].name);
    ck_assert_int_eq(ns_matrix_open(crawls[_i].real ? path : crawls[_i].name, &matrix, NULL), NS_OK);
    ck_assert_int_eq(ns_exchange_from_matrix(matrix, &layout, 1, NULL, &exchange, NULL, NULL), NS_OK);
    for (int64_t i = ns_exchange_routes(exchange, &route); i-- > 0; route++) {
        all += route->entries;
        next += abs(route->from - route->to) == 1 ? route->entries : 0;
    }
    ck_assert_msg(fabs((double)next / (double)all - crawls[_i].share) < 0.005, "%g", (double)next / (double)all);
    ns_exchange_free(exchange);
    ns_matrix_free(matrix);
}

/* Memory of the largest: far below 4 GB. */
TEST(memory)
{
    static const char *const names[] = {"LAW/arabic-2005", "DIMACS10/europe_osm", "VLSI/stokes", "Janna/Queen_4147"};
    for (int i = 0; i < 4; i++) {
        ck_assert_double_lt(recorded(names[i], "scan_MB"), 100);
        ck_assert_double_lt(recorded(names[i], "count_MB"), 2000);
    }
}
