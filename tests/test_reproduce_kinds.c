/* test_reproduce_kinds.c -- what a compared cell proves, misses that are known, gains of NetSparse on whole matrices */
#include "published/published.h"
#include "support/cli.h"
#include "support/test.h"

#define HEAD                                                                                                           \
    "{\"schema\": \"nsmodel/published/1\", \"id\": \"t\", \"title\": \"t\", \"source\": \"s\",\n"                      \
    " \"tolerance\": 0.01, \"kind\": \"prediction\",\n"
#define ROW                                                                                                            \
    "{\"label\": \"a\", \"machine\": \"lassen\", \"parameter\": \"host.off-node.eager.alpha\","                        \
    " \"published\": \"2.44 us\"}"
#define TABLE(rows) HEAD " \"rows\": [\n  " rows "]}\n"
#define NUMBERS     "\"alpha\": \"2 us\", \"beta\": \"1 ns/B\", \"s\": \"1 kB\""
#define GAIN(keys)  "{\"label\": \"a\", \"machine\": \"netsparse\", \"published\": 0, \"netsparse\": {" keys "}}"

#define MISS(more)                                                                                                     \
    "{\"label\": \"a\", \"model\": \"postal\", \"inputs\": {" NUMBERS "}, \"output\": \"time\","                       \
    " \"published\": \"4 us\"" more "}" /* 3 us: 25 % off */

static const struct {
    const char *row;
    bool row_ok, ok;
} bounds[] = {
    {MISS(""), false, false},
    {MISS(", \"known_miss\": \"why\""), false, true},
    {MISS(", \"known_miss\": \"why\", \"error_most\": 0.26"), false, true},
    {MISS(", \"known_miss\": \"why\", \"error_most\": 0.24"), false, false}, /* it got worse */
};

TEST_EACH(known_miss_is_no_fault_until_it_gets_worse, (int)(sizeof bounds / sizeof *bounds))
{
    char text[2048];
    ns_reproduced *table;
    ns_error err = {0};
    snprintf(text, sizeof text, "%s%s,\n%s%s", HEAD " \"rows\": [", ROW, bounds[_i].row, "]}");
    ck_assert_msg(ns_reproduce_text(text, "t.json", &table, &err) == NS_OK, "%s", err.text);
    ck_assert_int_eq(table->row[1].ok, bounds[_i].row_ok);
    ck_assert_int_eq(table->ok, bounds[_i].ok);
    ck_assert_double_eq_tol(table->worst, table->row[1].known_miss != NULL ? 0 : 0.25, 1e-12);
    ns_reproduced_free(table);
}

TEST(kinds_are_counted)
{
    ns_reproduced_total total[NS_PUBLISHED_KINDS];
    ns_reproduced *table;
    ns_error err = {0};
    for (int kind = 0; kind < NS_PUBLISHED_KINDS; kind++)
        total[kind] = (ns_reproduced_total){.worst = -1};
    const char *text = TABLE(ROW ",\n" MISS(", \"known_miss\": \"why\"") ",\n" MISS(
        ", \"kind\": \"in-sample\"") ",\n" MISS(", \"kind\": \"input\"") ",\n" ROW);
    ck_assert_msg(ns_reproduce_text(text, "t.json", &table, &err) == NS_OK, "%s", err.text);
    ns_reproduced_add(table, total);
    ns_reproduced_add(table, total);
    ck_assert_uint_eq(total[NS_PREDICTION].cells, 6);
    ck_assert_uint_eq(total[NS_PREDICTION].ok, 4);
    ck_assert_uint_eq(total[NS_PREDICTION].known_miss, 2);
    ck_assert_double_eq_tol(total[NS_PREDICTION].worst, 0.25, 1e-12);
    ck_assert_str_eq(total[NS_PREDICTION].where, "t, a");
    ck_assert_uint_eq(total[NS_IN_SAMPLE].cells, 2);
    ck_assert_uint_eq(total[NS_IN_SAMPLE].ok + total[NS_IN_SAMPLE].known_miss, 0);
    ck_assert_uint_eq(total[NS_INPUT].cells, 2);
    ck_assert_uint_eq(total[NS_IDENTITY].cells, 0);
    ck_assert_double_lt(total[NS_IDENTITY].worst, 0);
    ns_reproduced_free(table);
}

/* A mark does not outlive its reason, and every miss has a bound that it may not pass. */
TEST(known_misses_miss)
{
    char id[80];
    size_t known = 0;
    for (size_t i = 0; ns_reproduce_id(i, id, sizeof id) != NULL; i++) {
        ns_reproduced *table;
        if (ns_reproduce_is_long(id))
            continue;
        ck_assert_int_eq(ns_reproduce_shipped(id, &table, NULL), NS_OK);
        for (size_t r = 0; r < table->rows; r++) {
            const ns_reproduced_row *row = &table->row[r];
            ck_assert_msg(row->ok == (row->known_miss == NULL), "%s, %s", id, row->label);
            ck_assert_msg(row->known_miss == NULL || row->cases > 0 || row->error_most >= row->error, "%s, %s", id,
                          row->label);
            known += row->known_miss != NULL;
        }
        ns_reproduced_free(table);
    }
    ck_assert_uint_ge(known, 15);
}

/* What `netsparse` answers with and without, divided. */
TEST(gain_is_what_netsparse_says)
{
    double speedup[2];
    ns_value *root = cli_json("netsparse --matrix stencil27:24x24x24 --nodes 32 --sweep topology");
    const ns_value *point = ns_value_get(root, "points")->first; /* leaf-spine, hyperx, dragonfly */
    speedup[0] = ns_value_get(point, "speedup")->number;
    speedup[1] = ns_value_get(point->next->next, "speedup")->number;
    ns_reproduced *table;
    ns_error err = {0};
    ck_assert_msg(ns_reproduce_text(TABLE(GAIN("\"matrix\": \"stencil27:24x24x24\", \"nodes\": 32, \"k\": 16, "
                                               "\"without\": {\"topology\": \"dragonfly\"}")),
                                    "t.json", &table, &err) == NS_OK,
                  "%s", err.text);
    const double gain = table->row[0].computed;
    ck_assert_double_eq_tol(gain, speedup[0] / speedup[1] - 1, 1e-12);
    ck_assert_double_ne(gain, 0);
    ns_reproduced_free(table);
}

static const struct {
    const char *text;
    long line, column;
    const char *message;
} refused[] = {
    {TABLE(MISS(", \"kind\": \"predction\"")), 4, 144, "it is one of prediction, in-sample, identity, input"},
    {TABLE("{\"label\": \"a\", \"published\": null, \"error_most\": 1}"), 4, 3, "\"error_most\" is of a known miss"},
    {TABLE(GAIN("\"matrix\": \"stencil5:30x30\"")), 4, 3, "wants a \"matrix\" and what it is \"without\""},
    {TABLE(GAIN("\"matrix\": \"nowhere\", \"nodes\": 4, \"k\": 16, \"without\": {}")), 4, 3, "nowhere"},
    {TABLE(GAIN("\"matrix\": \"stencil5:30x30\", \"nodes\": 4.5, \"k\": 16, \"without\": {}")), 4, 3,
     "wants \"nodes\", a whole number"},
    {TABLE(GAIN("\"matrix\": \"stencil5:30x30\", \"nodes\": 4, \"k\": 16, \"without\": {\"topology\": \"hyperz\"}")), 4,
     3, "one of leaf-spine, hyperx"},
    {TABLE(GAIN("\"matrix\": \"stencil5:30x30\", \"nodes\": 4, \"k\": 16, \"without\": {\"set\": \"models.x=1\"}")), 4,
     3, "models.x"},
    {TABLE(GAIN("\"matrix\": \"stencil5:30x30\", \"nodes\": 1, \"k\": 16, \"without\": {}")), 4, 3,
     "sends nothing on 1 nodes"},
};

TEST_EACH(bad_row_is_refused_at_its_place, (int)(sizeof refused / sizeof *refused))
{
    ns_reproduced *table;
    ns_error err = {0};
    ck_assert_msg(ns_reproduce_text(refused[_i].text, "t.json", &table, &err) != NS_OK, "accepted:\n%s",
                  refused[_i].text);
    ck_assert_msg(strstr(err.text, refused[_i].message) != NULL, "\"%s\" lacks \"%s\"", err.text, refused[_i].message);
    ck_assert_msg(err.line == refused[_i].line && err.column == refused[_i].column, "%ld:%ld: %s", err.line, err.column,
                  err.text);
}

/* The first line counts predictions, and a known miss does not fail the run. */
TEST(first_line_counts_predictions)
{
    cli_result one = cli("reproduce netsparse-table1");
    ck_assert_int_eq(one.code, 0);
    ck_assert_msg(strncmp(one.out, "5 predictions: 3 within tolerance, 2 known to miss, the worst 75 % off ", 71) == 0,
                  "%s", one.out);
    ck_assert_ptr_nonnull(strstr(one.out, "\nuk: F+C rate misses: Table 1 is the mean over nodes"));
}

TEST_TIMEOUT(300)
