/* test_wisdom.c -- what earlier exchanges showed: kept whole in a file, merged, pruned, and told to new plans
 *
 * Provenance: the kernel mean worked out by hand from the formula in src/plan/wisdom.c.
 */
#include <nsmodel/plan.h>

#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>

#include "core/memory.h"
#include "records/record.h"
#include "support/cli.h"
#include "support/test.h"

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static ns_wisdom_row row_of(const char *way, double median_s, int64_t count)
{
    return (ns_wisdom_row){.size = sizeof(ns_wisdom_row),
                           .machine = "dane",
                           .mpi = "MPICH 4.2",
                           .bytes = 4096,
                           .messages = 8,
                           .processes = 256,
                           .per_node = 64,
                           .way = way,
                           .median_s = median_s,
                           .spread = 0.1,
                           .count = count,
                           .base_s = 1e-4,
                           .predicted = true,
                           .date = "2026-11-20"};
}

static ns_wisdom *empty(void)
{
    ns_wisdom *w;
    ck_assert(ns_wisdom_open(NULL, &w, NULL) == NS_OK);
    return w;
}

static void add(ns_wisdom *w, ns_wisdom_row row)
{
    ns_error err = {0};
    ck_assert_msg(ns_wisdom_add(w, &row, &err) == NS_OK, "%s", err.text);
}

static ns_wisdom_row at(const ns_wisdom *w, size_t i)
{
    ns_wisdom_row row = {.size = sizeof row};
    ck_assert(ns_wisdom_row_at(w, i, &row, NULL) == NS_OK);
    return row;
}

TEST(test_merged)
{
    ns_wisdom *w = empty();
    ns_wisdom_row later = row_of("a", 4e-4, 3);
    later.date = "2026-11-23";
    later.spread = 0.3;
    later.base_s = 2e-4;
    add(w, row_of("a", 1e-4, 1));
    add(w, row_of("b", 1e-4, 1));
    add(w, later);
    ck_assert_uint_eq(ns_wisdom_rows(w), 2);
    const ns_wisdom_row a = at(w, 0);
    ck_assert_double_eq_tol(a.median_s, 1e-4 * pow(4, 0.75), 1e-12); /* geometric, 3 of 4 calls */
    ck_assert_double_eq_tol(a.spread, 0.25, 1e-12);
    ck_assert_int_eq(a.count, 4);
    ck_assert_str_eq(a.date, "2026-11-23");
    ck_assert_double_eq(a.base_s, 2e-4);
    size_t gone;
    ck_assert(ns_wisdom_prune(w, "2026-11-21", 1, &gone, NULL) == NS_OK);
    ck_assert_uint_eq(gone, 1);
    ck_assert_str_eq(at(w, 0).way, "a");
    ck_assert(ns_wisdom_prune(w, NULL, 5, &gone, NULL) == NS_OK);
    ck_assert_uint_eq(ns_wisdom_rows(w), 0);
    ns_wisdom_free(w);
}

TEST(test_file)
{
    const char *path = cli_file("kept.jsonl", "");
    ns_wisdom *w = empty(), *back;
    ns_error err = {0};
    add(w, row_of("groups16/no", 1.0 / 3e4, 7));
    add(w, row_of("a \"quoted\"\nname", 2e-4, 1));
    ck_assert_msg(ns_wisdom_append(w, path, &err) == NS_OK, "%s", err.text);
    ck_assert(ns_wisdom_append(w, path, NULL) == NS_OK);
    ck_assert(ns_wisdom_open(path, &back, NULL) == NS_OK);
    ck_assert_uint_eq(ns_wisdom_rows(back), 2);
    ck_assert_double_eq(at(back, 0).median_s, 1.0 / 3e4);
    ck_assert_int_eq(at(back, 0).count, 14);
    ck_assert(at(back, 0).predicted);
    ck_assert_str_eq(at(back, 1).way, "a \"quoted\"\nname");
    ns_wisdom_free(back);
    ns_wisdom_free(w);
}

/* What a way sends stays with its row, in the file too, and a later row without it does not take it away.  Each row is
 * then a measured exchange: MPI's own, which sends what standard sends, is a repeat of it. */
TEST(test_records)
{
    const char *path = cli_file("sends.jsonl", "");
    ns_wisdom *w = empty(), *back;
    ns_value *sends = ns_value_new();
    ns_wisdom_row first = row_of("standard", 1e-4, 1), own = row_of("MPI", 3e-4, 1), without = row_of("other", 1, 1);
    ns_value_text(sends, "strategy", "standard");
    ns_value_count(sends, "processes", 256);
    ns_value_count(sends, "nodes", 4);
    ns_value_count(sends, "max_num_msgs", 8);
    ns_value_count(sends, "num_short", 8);
    ns_value_count(sends, "size_short", 4096);
    first.sends = own.sends = sends;
    add(w, first);
    add(w, row_of("standard", 1e-4, 1));
    add(w, own);
    add(w, without);
    ns_value_free(sends);
    ck_assert(ns_wisdom_append(w, path, NULL) == NS_OK);
    ns_wisdom_free(w);
    ck_assert(ns_wisdom_open(path, &back, NULL) == NS_OK);
    ck_assert_double_eq(ns_value_as_number(ns_value_get(at(back, 0).sends, "size_short")), 4096);
    ck_assert_ptr_null(at(back, 2).sends);
    ns_wisdom_free(back);
    ns_records *records;
    ns_scored *list;
    size_t count;
    ck_assert(ns_records_read(path, &records, NULL) == NS_OK);
    ck_assert_uint_eq(records->rows, 3);
    ck_assert_str_eq(ns_record_text(records, 0, "size_short"), "4096");
    ck_assert_str_eq(ns_record_text(records, 0, "file"), ns_record_text(records, 1, "file"));
    ck_assert_str_eq(records->row[2].problem, "does not say what was sent");
    ck_assert(ns_scored_make(records, NULL, NULL, &list, &count, NULL) == NS_OK);
    ck_assert_uint_eq(count, 1);
    ck_assert_double_eq_tol(list[0].measured_s, 2e-4, 1e-15);
    ns_free(list);
    ns_records_free(records);
}

/* Cut anywhere: whole rows are read, the last, unfinished one is left out and its line is said; no cut is an error. */
TEST(test_cut_off)
{
    const char *path = cli_file("cut.jsonl", "");
    char text[4000];
    ns_wisdom *w = empty();
    add(w, row_of("a", 1e-4, 1));
    add(w, row_of("b", 1e-4, 1));
    ck_assert(ns_wisdom_write(w, path, NULL) == NS_OK);
    ns_wisdom_free(w);
    FILE *file = fopen(path, "r");
    const size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    const size_t first = (size_t)(strchr(text, '\n') - text) + 1;
    for (size_t cut = 0; cut <= size; cut++) {
        file = fopen(path, "w");
        fwrite(text, 1, cut, file);
        fclose(file);
        ck_assert(ns_wisdom_open(path, &w, NULL) == NS_OK);
        ck_assert_uint_eq(ns_wisdom_rows(w), (size_t)((cut >= first - 1) + (cut >= size - 1)));
        const bool whole = cut == 0 || cut == first - 1 || cut == first || cut >= size - 1;
        ck_assert_int_eq(ns_wisdom_cut(w), whole ? 0 : cut < first ? 1 : 2);
        ns_wisdom_free(w);
    }
    text[size - 20] = '\0';
    char line[1200], words[1200];
    path = cli_file("cut.jsonl", text);
    snprintf(line, sizeof line, "wisdom %s --json", path);
    const cli_result shown = cli(line);
    ck_assert_int_eq(shown.code, 0);
    snprintf(words, sizeof words, "nsmodel: note: %s:2: the last row is cut off and left out; 1 whole ones are kept\n",
             path);
    ck_assert_str_eq(shown.err, words);
}

/* Processes that write at the same time, one of them killed in between: every row that was reported as written is
 * there, and the file is whole. */
TEST(test_writers)
{
    enum { WRITERS = 4, ROWS = 6 };
    const char *path = cli_file("shared.jsonl", "");
    pid_t child[WRITERS + 1];
    for (int i = 0; i <= WRITERS; i++) {
        child[i] = fork();
        if (child[i] == 0) {
            for (int row = 0; row < ROWS || i == WRITERS; row++) {
                char way[40];
                snprintf(way, sizeof way, "%d-%d", i, row % 50);
                ns_wisdom *w = empty();
                add(w, row_of(way, 1e-4, 1));
                if (ns_wisdom_append(w, path, NULL) != NS_OK)
                    _exit(1);
                ns_wisdom_free(w);
            }
            _exit(0);
        }
    }
    for (int i = 0; i < WRITERS; i++) {
        int status;
        ck_assert(waitpid(child[i], &status, 0) == child[i]);
        ck_assert_int_eq(status, 0);
    }
    kill(child[WRITERS], SIGKILL);
    waitpid(child[WRITERS], NULL, 0);
    ns_wisdom *w;
    ck_assert(ns_wisdom_open(path, &w, NULL) == NS_OK);
    int found = 0;
    for (size_t i = 0; i < ns_wisdom_rows(w); i++)
        found += at(w, i).way[0] < '0' + WRITERS;
    ck_assert_int_eq(found, WRITERS * ROWS);
    ns_wisdom_free(w);
}

TEST(test_other_system)
{
    ns_wisdom *w = empty();
    ns_error err = {0};
    ck_assert(ns_wisdom_check(w, "lassen", "Open MPI 4.1.6", NULL) == NS_OK);
    add(w, row_of("a", 1e-4, 1));
    ck_assert(ns_wisdom_check(w, "dane", "MPICH 4.2", NULL) == NS_OK);
    ck_assert(ns_wisdom_check(w, "dane", "MPICH 4.3", &err) == NS_ERR_DATA);
    ck_assert_str_eq(err.text,
                     "this wisdom is of machine \"dane\" with MPICH 4.2; wanted machine \"dane\" with MPICH 4.3");
    const char *const names[] = {"a"};
    ns_plan_way way = {.predicted_s = 1e-4, .doubt = 0.3, .like = -1};
    ns_wisdom_row other = row_of("", 1, 1);
    bool nearby = true;
    other.mpi = "MPICH 4.3";
    ck_assert(ns_wisdom_foretell(w, &other, names, &way, 1, &nearby, NULL) == NS_OK);
    ck_assert(!nearby && way.measured == 0);
    ck_assert_double_eq(way.predicted_s, 1e-4);
    ns_wisdom_free(w);
}

/* One exchange, of double the bytes, two ways: q = exp(-(1/1.5)^2/2); residuals ln 2 and ln 3, the second of a way that
 * the model does not predict.  c = (ln 2 + ln 3)/2; shift of a way = c + q (r - c)/(q + 1). */
TEST(test_foretell)
{
    ns_wisdom *w = empty();
    ns_wisdom_row b = row_of("b", 3e-4, 5);
    b.predicted = false;
    add(w, row_of("a", 2e-4, 5));
    add(w, b);
    const char *const names[] = {"a", "b", "c"};
    ns_plan_way ways[] = {
        {.predicted_s = 5e-4, .doubt = 0.3, .like = -1}, {.like = -1}, {.predicted_s = 7e-4, .doubt = 0.3, .like = -1}};
    ns_wisdom_row now = row_of("", 1, 1);
    bool nearby = false;
    now.bytes = 8192;
    ck_assert(ns_wisdom_foretell(w, &now, names, ways, 3, &nearby, NULL) == NS_OK);
    const double q = exp(-1 / (1.5 * 1.5) / 2), c = log(6) / 2;
    ck_assert(nearby);
    ck_assert_double_eq_tol(ways[0].predicted_s, 5e-4 * exp(c + q * (log(2) - c) / (q + 1)), 1e-15);
    ck_assert_double_eq_tol(ways[1].predicted_s, 5e-4 * exp(c + q * (log(3) - c) / (q + 1)), 1e-15);
    ck_assert_double_eq_tol(ways[2].predicted_s, 7e-4 * exp(c), 1e-15);
    ck_assert_int_eq(ways[0].measured, 0);
    ck_assert_double_eq(ways[0].doubt, 0.3);
    now.bytes = 4096; /* this very exchange */
    ck_assert(ns_wisdom_foretell(w, &now, names, ways, 3, &nearby, NULL) == NS_OK);
    ck_assert_int_eq(ways[0].measured, 5);
    ck_assert_double_eq(ways[1].measured_s, 3e-4);
    now.bytes = 1 << 30;
    ck_assert(ns_wisdom_foretell(w, &now, names, ways, 3, &nearby, NULL) == NS_OK);
    ck_assert(!nearby);
    ns_wisdom_free(w);
}

#define ROW                                                                                                            \
    "{\"machine\":\"m\",\"mpi\":\"M\",\"way\":\"w\",\"date\":\"2026-11-23\",\"bytes\":1,\"messages\":1,"               \
    "\"processes\":2,\"per_node\":2,\"median_s\":1,\"base_s\":1,\"spread\":0,\"count\":1"

TEST(test_refused)
{
    static const struct {
        const char *line, *words;
    } rows[] = {
        {"{\"machine\": 3}", "wisdom.jsonl:2: a row of wisdom wants machine, mpi, way and date"},
        {"{\"machine\":\"m\",\"mpi\":\"M\",\"way\":\"w\",\"date\":\"yesterday\"}",
         "the date of a row of wisdom is \"yesterday\""},
        {"{\"machine\":\"m\",\"mpi\":\"M\",\"way\":\"w\",\"date\":\"2026-11-23\",\"bytes\":1,\"messages\":1}",
         "processes and per_node of at least 1"},
        {"{\"machine\":", "wisdom.jsonl:2:"},
        {ROW ",\"sends\":3}", "what a row of wisdom sends wants to be an object"},
        {ROW ",\"sends\":{\"nodes\":[2]}}", "\"nodes\" of what a row of wisdom sends wants a number or a text"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char line[600], content[600];
        snprintf(content, sizeof content, "\n%s\n", rows[i].line);
        snprintf(line, sizeof line, "wisdom %s", cli_file("wisdom.jsonl", content));
        cli_refused((cli_refusal){line, 1, rows[i].words});
    }
    cli_refused((cli_refusal){"wisdom", 2, "at least one wisdom file"});
    cli_refused((cli_refusal){"wisdom no/such.jsonl", 1, "no/such.jsonl: cannot be opened"});
    cli_refused((cli_refusal){"wisdom examples/wisdom.jsonl --machine lassen", 2, "--machine and --mpi go together"});
    cli_refused((cli_refusal){"wisdom examples/wisdom.jsonl --before today", 1, "\"today\" is no date"});
    cli_refused((cli_refusal){"wisdom examples/wisdom.jsonl --machine lassen --mpi MPICH", 1,
                              "this wisdom is of machine \"dane\""});
}

TEST(test_command)
{
    char line[600];
    const char *path = cli_file("merged.jsonl", "");
    snprintf(line, sizeof line, "wisdom examples/wisdom.jsonl examples/wisdom.jsonl --least 3 -o %s", path);
    cli_result written = cli(line);
    ck_assert_int_eq(written.code, 0);
    snprintf(line, sizeof line, "wisdom %s", path);
    ns_value *answer = cli_json(line);
    int rows = 0;
    for (const ns_value *row = ns_value_first(ns_value_get(answer, "rows")); row != NULL; row = ns_value_next(row))
        rows++;
    ck_assert_int_eq(rows, 2);
    ck_assert_double_eq(ns_value_as_number(ns_value_at(answer, "rows.0.count")), 80);
}
