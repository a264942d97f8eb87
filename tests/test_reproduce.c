/* test_reproduce.c -- published tables: the shipped ones hold, a wrong one is seen, a malformed one refused */
#include "core/embedded.h"
#include "support/cli.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD \
    "{\"schema\": \"nsmodel/published/1\", \"id\": \"t\", \"title\": \"t\", \"source\": \"s\",\n \"tolerance\": 0.01,\n"
#define ROW \
    "{\"label\": \"a\", \"machine\": \"lassen\", \"parameter\": \"host.off-node.eager.alpha\"," \
    " \"published\": \"2.44 us\"}"
#define TABLE(rows) HEAD " \"rows\": [\n  " rows "]}\n"

/* ---- the shipped tables ---------------------------------------------------------------------------------------- */

/* Rows that a table of the papers has, so that none is lost. */
static const struct {
    const char *id;
    size_t rows;
} shipped[] = {
    {"node-aware-table2", 30}, /* 3 protocols for CPUs, 2 for GPUs, 3 localities, alpha and beta */
    {"node-aware-table3", 8},  {"node-aware-table4", 1}, {"node-aware-equations", 11}, {"node-aware-section4.6", 9},
    {"netcrafter-table1", 24}, /* 6 packets: occupied, required, padded, flits */
    {"sharp-table1", 11},      {"sharp-table1-host", 11}, {"sharp-table2", 24}, {"sharp-table3", 6},
};

START_TEST(shipped_table_holds)
{
    ns_reproduced *table;
    ns_error err = {0};
    ck_assert_msg(ns_reproduce_shipped(shipped[_i].id, &table, &err) == NS_OK, "%s", err.text);
    ck_assert_str_eq(table->id, shipped[_i].id);
    ck_assert_uint_eq(table->rows, shipped[_i].rows);
    ck_assert(table->ok);
    ck_assert_double_le(table->worst, table->tolerance);
    ck_assert_double_le(table->tolerance, 0.15);
    ns_reproduced_free(table);
}
END_TEST

START_TEST(every_id_is_its_file)
{
    char path[200], id[80];
    size_t tables = 0;
    for (const ns_embedded *file = ns_embedded_files; file->path != NULL; file++) {
        ns_reproduced *table;
        ns_error err = {0};
        if (strncmp(file->path, "params/published/", 17) != 0)
            continue;
        ck_assert_ptr_nonnull(ns_reproduce_id(tables++, id, sizeof id));
        ck_assert_msg(ns_reproduce_shipped(id, &table, &err) == NS_OK, "%s:%ld: %s", err.file, err.line, err.text);
        snprintf(path, sizeof path, "params/published/%s.json", table->id);
        ck_assert_str_eq(file->path, path);
        ck_assert_str_eq(id, table->id);
        ck_assert_msg(table->ok, "%s is outside its tolerance", path);
        ns_reproduced_free(table);
    }
    ck_assert_ptr_null(ns_reproduce_id(tables, id, sizeof id));
}
END_TEST

/* ---- one row at a time ----------------------------------------------------------------------------------------- */

#define PARAMETER(path, published) \
    "{\"label\": \"a\", \"machine\": \"lassen\", \"parameter\": \"" path "\", \"published\": " published "}"
#define POSTAL(inputs, published) \
    "{\"label\": \"a\", \"model\": \"postal\", \"inputs\": {" inputs "}, \"output\": \"time\"," \
    " \"published\": " published "}"
#define NUMBERS "\"alpha\": \"2 us\", \"beta\": \"1 ns/B\", \"s\": \"1 kB\""

static const struct {
    const char *rows;
    bool ok;
    double error; /* -1 for null */
    const char *why;
} computed[] = {
    {ROW, true, 0, "equal"},
    {PARAMETER("host.off-node.eager.alpha", "\"2.4640 us\""), true, 0.024 / 2.464, "2.44 against 2.464: within 1 %"},
    {PARAMETER("host.off-node.eager.alpha", "\"2.5 us\""), false, 0.024, "2.44 against 2.5: 2.4 % off"},
    {PARAMETER("host.injection.R_N", "\"23.8663484 GB/s\""), true, 0, "a rate that the machine gives as its inverse"},
    {PARAMETER("device.off-node.short.alpha", "null"), true, -1, "empty on both sides"},
    {PARAMETER("host.off-node.eager.alpha", "null"), false, -1, "a number where the paper has none"},
    {PARAMETER("topology.gpus", "4"), true, 0, "a count has no unit"},
    {PARAMETER("topology.gpus", "\"4\""), true, 0, "a count as text"},
    {PARAMETER("topology.gpus", "0"), false, 1, "a published zero is missed altogether"},
    {POSTAL(NUMBERS, "\"3 us\""), true, 0, "2 us + 1 us, without a machine"},
    {POSTAL(NUMBERS, "\"3.1 us\""), false, 0.1 / 3.1, "off"},
    {"{\"label\": \"a\", \"machine\": \"bluewaters\", \"model\": \"copy\","
     " \"inputs\": {\"s_send\": \"1 B\", \"s_recv\": \"1 B\"},"
     " \"output\": \"time\", \"published\": null}", true, -1, "an evaluation that is refused"},
    {ROW ",\n" POSTAL(NUMBERS, "\"3.1 us\"") ",\n" ROW, false, 0, "one bad row among good ones"},
};

START_TEST(row_is_compared)
{
    char text[2048];
    ns_reproduced *table;
    ns_error err = {0};
    snprintf(text, sizeof text, "%s%s%s", HEAD " \"rows\": [", computed[_i].rows, "]}");
    ck_assert_msg(ns_reproduce_text(text, "t.json", &table, &err) == NS_OK, "%s: %s", computed[_i].why, err.text);
    const ns_reproduced_row *row = ns_reproduced_at(table, 0);
    ck_assert_msg(table->ok == computed[_i].ok, "%s", computed[_i].why);
    ck_assert_msg(fabs(row->error - computed[_i].error) < 1e-8, "%s: %g", computed[_i].why, row->error);
    ns_reproduced_free(table);
}
END_TEST

START_TEST(worst_row_counts)
{
    ns_reproduced *table;
    const char *text = TABLE(ROW ",\n" POSTAL(NUMBERS, "\"3.1 us\"") ",\n" POSTAL(NUMBERS, "\"3.01 us\""));
    ck_assert_int_eq(ns_reproduce_text(text, "t.json", &table, NULL), NS_OK);
    ck_assert_double_eq_tol(table->worst, 0.1 / 3.1, 1e-12);
    ck_assert_uint_eq(table->rows, 3);
    ck_assert_ptr_null(ns_reproduced_at(table, 3));
    ns_reproduced_free(table);
}
END_TEST

/* ---- files that are refused ------------------------------------------------------------------------------------ */

static const struct {
    const char *text;
    long line, column;
    const char *message;
} refused[] = {
    {"{", 1, 2, ""},
    {"[]", 1, 1, "an object is wanted here"},
    {"{\"schema\": \"nsmodel/published/1\"}", 1, 1, "the key \"id\" is missing"},
    {"{\"schema\": \"nsmodel/published/2\", \"id\": \"t\", \"title\": \"t\", \"source\": \"s\", "
     "\"tolerance\": 0, \"rows\": [1]}", 1, 12,
     "schema wants \"nsmodel/published/1\""},
    {"{\"schema\": \"nsmodel/published/1\", \"id\": \"t\", \"title\": \"t\", "
     "\"source\": \"s\",\n\"tolerance\": 0.2, \"rows\": [1]}", 2, 14,
     "tolerance is relative, from 0 to 0.15"},
    {"{\"schema\": \"nsmodel/published/1\", \"id\": \"t\", \"title\": \"t\", "
     "\"source\": \"s\",\n\"tolerance\": \"1\", \"rows\": [1]}", 2, 14,
     "\"tolerance\" wants a number"},
    {TABLE(""), 3, 10, "a table wants at least one row"},
    {TABLE("7"), 4, 3, "an object is wanted here"},
    {TABLE(ROW ",\n  {\"labl\": \"a\"}"), 5, 12, "unknown key \"labl\"; did you mean \"label\"?"},
    {TABLE("{\"label\": \"a\", \"published\": null}"), 4, 3, "a row wants a model, or a machine and a parameter"},
    {TABLE("{\"label\": \"a\", \"machine\": \"lassen\", \"parameter\": \"topology.gpus\"}"), 4, 3,
     "the key \"published\" is missing"},
    {TABLE("{\"label\": \"a\", \"parameter\": \"topology.gpus\", \"published\": 4}"), 4, 3, "a row wants a model"},
    {TABLE("{\"label\": \"a\", \"machine\": \"lasen\", \"parameter\": \"topology.gpus\", \"published\": 4}"), 4, 29,
     "no shipped machine \"lasen\""},
    {TABLE(PARAMETER("host.off-node.eager.gamma", "\"1 us\"")), 4, 3,
     "machine lassen has no parameter \"host.off-node.eager.gamma\""},
    {TABLE(PARAMETER("host.off-node.eager.alpha", "\"2.44 GB\"")), 4, 94, "published wants a time"},
    {TABLE(PARAMETER("host.off-node.eager.alpha", "2.44")), 4, 94,
     "published wants a text with a unit like \"1 s\", or null"},
    {TABLE("{\"label\": \"a\", \"model\": \"postl\", \"published\": null}"), 4, 3,
     "no model \"postl\"; did you mean \"postal\"?"},
    {TABLE("{\"label\": \"a\", \"model\": \"postal\", \"output\": \"tim\", \"published\": null}"), 4, 3,
     "postal has no output \"tim\""},
    {TABLE(POSTAL("\"alpha\": \"2 us\"", "\"3 us\"")), 4, 3, "postal lacks beta"},
    {TABLE(POSTAL("\"alpha\": 2, \"beta\": \"1 ns/B\", \"s\": \"1 kB\"", "\"3 us\"")), 4, 3, "alpha wants a time"},
    {TABLE(POSTAL("\"alpha\": [2]", "\"3 us\"")), 4, 3, "alpha wants a text or a number"},
    {TABLE("{\"label\": \"a\", \"machine\": \"bluewaters\", \"model\": \"copy\","
     " \"inputs\": {\"s_send\": \"1 B\", \"s_recv\": \"1 B\"},"
           " \"output\": \"time\", \"published\": \"1 us\"}"), 4, 3, "has no copy parameters"},
};

START_TEST(malformed_file_is_refused_at_its_place)
{
    ns_reproduced *table;
    ns_error err = {0};
    ck_assert_msg(ns_reproduce_text(refused[_i].text, "t.json", &table, &err) != NS_OK, "accepted:\n%s",
                  refused[_i].text);
    ck_assert_str_eq(err.file, "t.json");
    ck_assert_msg(strstr(err.text, refused[_i].message) != NULL, "\"%s\" lacks \"%s\"", err.text, refused[_i].message);
    ck_assert_msg(err.line == refused[_i].line && err.column == refused[_i].column, "%ld:%ld: %s in\n%s", err.line,
                  err.column, err.text, refused[_i].text);
}
END_TEST

/* ---- the command ----------------------------------------------------------------------------------------------- */

START_TEST(command_answers_as_promised)
{
    ns_value *root = cli_json("reproduce node-aware-table4");
    const ns_value *table = ns_value_get(root, "tables")->first;
    ck_assert_ptr_null(table->next);
    ck_assert_str_eq(ns_value_get(table, "id")->text, "node-aware-table4");
    ck_assert_str_eq(ns_value_get(table, "source")->text, "[NA] Table 4");
    const ns_value *row = ns_value_get(table, "rows")->first;
    ck_assert_double_eq(ns_value_get(row, "published")->number, 4.19e-11);
    ck_assert_double_eq(ns_value_get(row, "computed")->number, 4.19e-11);
    ck_assert_double_eq(ns_value_get(row, "rel_error")->number, 0);
    ck_assert_ptr_nonnull(ns_value_get(row, "label"));
    ck_assert(ns_value_get(table, "ok")->truth);
    ns_value_free(root);
}
END_TEST

START_TEST(command_shows_every_table)
{
    cli_result all = cli("reproduce");
    ck_assert_int_eq(all.code, 0);
    for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++)
        ck_assert_msg(strstr(all.out, shipped[i].id) != NULL, "%s is missing", shipped[i].id);
    cli_free(&all);
}
END_TEST

START_TEST(unknown_table_offers_the_closest)
{
    cli_result near = cli("reproduce node-aware-tabel2");
    ck_assert_int_eq(near.code, 1);
    ck_assert_str_eq(near.err, "nsmodel: no table \"node-aware-tabel2\"; did you mean \"node-aware-table2\"?\n");
    cli_free(&near);
    cli_result far = cli("reproduce zzz");
    ck_assert_int_eq(far.code, 1);
    ck_assert_str_eq(far.err, "nsmodel: no table \"zzz\"; `nsmodel reproduce` shows them all\n");
    cli_free(&far);
}
END_TEST

Suite *suite(void);

Suite *suite(void)
{
    Suite *suite = suite_create("reproduce");
    TCase *tables = tcase_create("tables");
    tcase_set_timeout(tables, 300);
    tcase_add_loop_test(tables, shipped_table_holds, 0, (int)(sizeof shipped / sizeof *shipped));
    tcase_add_test(tables, every_id_is_its_file);
    tcase_add_loop_test(tables, row_is_compared, 0, (int)(sizeof computed / sizeof *computed));
    tcase_add_test(tables, worst_row_counts);
    tcase_add_loop_test(tables, malformed_file_is_refused_at_its_place, 0, (int)(sizeof refused / sizeof *refused));
    tcase_add_test(tables, command_answers_as_promised);
    tcase_add_test(tables, command_shows_every_table);
    tcase_add_test(tables, unknown_table_offers_the_closest);
    suite_add_tcase(suite, tables);
    return suite;
}
