/* test_claims.c -- the ledger of the papers' claims: how it is read, judged and refused, and that its page is
 * current */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "cli/program/program.h"
#include "core/memory.h"
#include "ledger/ledger.h"
#include "support/cli.h"
#include "support/files.h"

#include "support/test.h"

/* ---- readings ---------------------------------------------------------------------------------------------------- */

#define ANSWER                                                                                                         \
    "{\"n\": 3, \"word\": \"clear\", \"gap\": null, \"best\": {\"way\": \"a\"}, \"cases\": ["                          \
    "{\"gpus\": 8, \"rows\": [{\"s\": 16, \"way\": \"a\", \"t\": 2}, {\"s\": 1024, \"way\": \"b\", \"t\": 8}]},"       \
    "{\"gpus\": 40, \"rows\": [{\"s\": 16, \"way\": \"b\", \"t\": 5}]}]}"

static const struct {
    const char *reading;
    double number;
} numbers[] = {
    {"{n}", 3},
    {"{2:n} - {1:n}", 4},
    {"{cases[gpus=40].rows[0].t} / 2", 2.5},
    {"{cases[gpus=8].rows[s=1KiB].t}", 8},
    {"{cases[0].rows[way=b].t} > {cases[0].rows[way=a].t}", 1},
    {"{count cases[*].rows[*]}", 3},
    {"{count cases[*].rows[s<17,way=a]}", 1},
    {"{count cases[gpus>8].rows[way=c]}", 0},
    {"{count best[way=a]} + {count best[way=b]}", 1},
    {"{sum cases[*].rows[*].t} + {min cases[*].rows[*].t} + {max cases[*].rows[*].t}", 25},
    {"{gmean cases[0].rows[*].t}", 4},
    {"{count cases[*].rows[s=16].t < cases[*].rows[s=16].s}", 2},
    {"{count cases[*].rows[s=16].way = cases[*].rows[s=16].way}", 2},
};

static ns_value *tree(const char *text)
{
    ns_value *root;
    ck_assert_int_eq(ns_json_parse(text, NULL, &root, NULL), NS_OK);
    return test_keep(root);
}

TEST_EACH(numbers_are_read, sizeof numbers / sizeof *numbers)
{
    ns_value *one = tree(ANSWER), *two = tree("{\"n\": 7}");
    const ns_value *answer[] = {one, two};
    double number;
    ns_error err = {0};
    ck_assert_msg(ns_reading_number(numbers[_i].reading, answer, 2, &number, &err) == NS_OK, "%s", err.text);
    ck_assert_double_eq_tol(number, numbers[_i].number, 1e-12);
}

static const struct {
    const char *reading, *message;
} unread[] = {
    {"{m}", "reads 0 values"},
    {"{cases[*].gpus}", "reads 2 values"},
    {"{word}", "is no number"},
    {"{3:n}", "there are 2 commands"},
    {"{cases[0.gpus}", "lacks a ]"},
    {"{cases[0]gpus}", "comes \".\" or \"[\""},
    {"{gmean cases[*].x}", "0 values"},
    {"{n} +", ""},
    {"{count cases[*].gpus < n}", "2 values beside 1"},
};

TEST_EACH(what_is_not_there_is_refused, sizeof unread / sizeof *unread)
{
    ns_value *one = tree(ANSWER), *two = tree("{\"n\": 7}");
    const ns_value *answer[] = {one, two};
    double number;
    ns_error err = {0};
    ck_assert_int_ne(ns_reading_number(unread[_i].reading, answer, 2, &number, &err), NS_OK);
    ck_assert_msg(strstr(err.text, unread[_i].message) != NULL, "%s", err.text);
}

TEST(words_are_read)
{
    ns_value *one = tree(ANSWER);
    const ns_value *answer[] = {one};
    char word[NS_CLAIM_WORD];
    ck_assert_int_eq(ns_reading_word("{word}/{best.way} {n}", answer, 1, word, sizeof word, NULL), NS_OK);
    ck_assert_str_eq(word, "clear/a 3");
    ck_assert_int_eq(ns_reading_word("{gap}", answer, 1, word, sizeof word, NULL), NS_OK);
    ck_assert_str_eq(word, "none");
}

/* ---- judging: 2 us + 1 ns/B x 1 kB = 3 us ------------------------------------------------------------------------ */

#define LEDGER(row)                                                                                                    \
    "{\"schema\": \"nsmodel/claims/1\", \"paper\": \"p\", \"title\": \"t\", \"machine\": \"lassen-spectrum\",\n"       \
    "\"claims\": [\n{\"place\": \"Table 1\", \"claim\": \"c\", \"kind\": \"prediction\", " row "}]}"
#define POSTAL "\"command\": \"eval postal alpha=2us beta=1ns/B s=1kB\", \"answer\": \"{outputs.time.value}\""

static const struct {
    const char *row;
    ns_claim_verdict verdict;
    int exit;
    const char *told;
} judged[] = {
    {"\"value\": 3.4, \"unit\": \"us\", \"compare\": \"15 %\", " POSTAL, NS_HOLDS, 0, ""},
    {"\"value\": 3.6, \"unit\": \"us\", \"compare\": \"15 %\", \"reason\": \"r: why\", " POSTAL, NS_MISSES, 0, ""},
    {"\"value\": 3.6, \"unit\": \"us\", \"compare\": \"15 %\", " POSTAL, NS_MISSES, 1,
     "no reason is given why it misses"},
    {"\"value\": 3.4, \"unit\": \"us\", \"compare\": \"15 %\", \"reason\": \"r\", " POSTAL, NS_HOLDS, 1,
     "a reason is given why not"},
    {"\"value\": 3.5, \"unit\": \"us\", \"compare\": \"+- 0.5\", " POSTAL, NS_HOLDS, 0, ""},
    {"\"value\": 3.6, \"unit\": \"us\", \"compare\": \"+- 0.5\", \"reason\": \"r\", " POSTAL, NS_MISSES, 0, ""},
    {"\"value\": 8, \"unit\": \"us\", \"compare\": \"factor 3\", " POSTAL, NS_HOLDS, 0, ""},
    {"\"value\": 10, \"unit\": \"us\", \"compare\": \"factor 3\", \"reason\": \"r\", " POSTAL, NS_MISSES, 0, ""},
    {"\"value\": 5, \"unit\": \"us\", \"compare\": \"interval\", \"interval\": [\"2e-6\", \"6e-6\"], " POSTAL, NS_HOLDS,
     0, ""},
    {"\"value\": 7, \"unit\": \"us\", \"compare\": \"interval\", \"interval\": [\"2e-6\", \"6e-6\"], \"reason\": "
     "\"r\", " POSTAL,
     NS_MISSES, 0, ""},
    {"\"value\": 3.4, \"unit\": \"us\", \"compare\": \"15 %\", \"interval\": [\"2e-6\", \"3.2e-6\"], " POSTAL, NS_HOLDS,
     1, "the interval that is stated excludes it"},
    {"\"value\": true, \"compare\": \"same\", \"command\": \"eval postal alpha=2us beta=1ns/B s=1kB\", \"answer\": "
     "\"{outputs.time.value} < 1\"",
     NS_HOLDS, 0, ""},
    {"\"value\": \"postal\", \"compare\": \"same\", \"command\": [\"eval postal alpha=2us beta=1ns/B s=1kB\"], "
     "\"answer\": \"{model}\"",
     NS_HOLDS, 0, ""},
    {"\"value\": 3, \"reason\": \"figure: drawn\"", NS_UNANSWERED, 0, ""},
    {"\"value\": 3", NS_UNANSWERED, 1, "no reason is given why it is not answered"},
    {"\"value\": 3, \"compare\": \"15 %\", \"reason\": \"r\", \"command\": \"eval postal s=1kB\", \"answer\": "
     "\"{outputs.time.value}\"",
     NS_UNANSWERED, 1, "the command fails: nsmodel eval postal s=1kB: postal lacks alpha"},
    {"\"value\": 3, \"compare\": \"15 %\", \"reason\": \"r\", \"command\": \"eval postal alpha=2us beta=1ns/B s=1kB\", "
     "\"answer\": \"{nothing}\"",
     NS_UNANSWERED, 1, "its answer is not read"},
    {"\"value\": true, \"compare\": \"same\", \"command\": \"eval postal --machine lassen s=1kB\", \"answer\": \"1\"",
     NS_HOLDS, 1, "no reason is given for the machine lassen"},
    {"\"value\": true, \"compare\": \"same\", \"machine\": \"why\", \"command\": \"eval postal --machine lassen "
     "s=1kB\", \"answer\": \"1\"",
     NS_HOLDS, 0, ""},
    {"\"value\": true, \"compare\": \"same\", \"command\": \"eval postal --machine lassen-spectrum s=1kB\", "
     "\"answer\": \"1\"",
     NS_HOLDS, 0, ""},
};

static int answer(ns_ledger *ledger, char **told)
{
    size_t size;
    FILE *err = open_memstream(told, &size);
    ns_program program;
    ns_program_make(&program);
    ns_command_context context = {.err = err, .program = &program};
    ck_assert_int_eq(ns_ledger_answer(ledger, &context, NULL), NS_OK);
    fclose(err);
    return context.exit;
}

TEST_EACH(claims_are_judged, sizeof judged / sizeof *judged)
{
    char text[2048], *told;
    ns_ledger ledger = {.claims = 0};
    ns_error err = {0};
    snprintf(text, sizeof text, "%s", LEDGER(""));
    char *at = strstr(text, "\"prediction\", ") + strlen("\"prediction\", ");
    snprintf(at, sizeof text - (size_t)(at - text), "%s}]}", judged[_i].row);
    ck_assert_msg(ns_ledger_parse(text, "t.json", &ledger, &err) == NS_OK, "%s", err.text);
    const int code = answer(&ledger, &told);
    ck_assert_int_eq(ledger.claim[0].verdict, judged[_i].verdict);
    ck_assert_msg(code == judged[_i].exit, "%s", told);
    ck_assert_msg(*judged[_i].told != '\0' ? strstr(told, judged[_i].told) != NULL : *told == '\0', "%s", told);
    free(told);
    ns_ledger_close(&ledger);
}

static const struct {
    const char *row, *message;
    long line;
} refused[] = {
    {"\"value\": 1, \"vale\": 2", "a claim has place, claim", 3},
    {"\"claim\": 3, \"x\": 1", "", 3},
    {"\"unit\": \"us\"", "a claim wants place, claim, value and kind", 3},
    {"\"value\": 3, \"compare\": \"15\", " POSTAL, "\"compare\" is", 3},
    {"\"value\": 3, \"compare\": \"same\", " POSTAL, "not compared by \"same\"", 3},
    {"\"value\": \"w\", \"compare\": \"15 %\", " POSTAL, "not compared by \"same\"", 3},
    {"\"value\": 3, \"compare\": \"15 %\", \"command\": \"version\"", "wants an \"answer\"", 3},
    {"\"value\": 3, \"compare\": \"15 %\", \"answer\": \"1\", \"command\": [1]", "a list of at most 16 texts", 3},
};

TEST_EACH(rows_are_refused_with_their_place, sizeof refused / sizeof *refused)
{
    char text[2048];
    ns_ledger ledger = {.claims = 0};
    ns_error err = {0};
    snprintf(text, sizeof text, "%s", LEDGER(""));
    char *at = strstr(text, "\"prediction\", ") + strlen("\"prediction\", ");
    snprintf(at, sizeof text - (size_t)(at - text), "%s}]}", refused[_i].row);
    ck_assert_int_ne(ns_ledger_parse(text, "t.json", &ledger, &err), NS_OK);
    ck_assert_msg(strstr(err.text, refused[_i].message) != NULL, "%s", err.text);
    ck_assert_int_eq(err.line, refused[_i].line);
    ns_ledger_close(&ledger);
}

/* ---- the shipped ledger ------------------------------------------------------------------------------------------ */

TEST(there_are_enough_claims)
{
    ns_ledger ledger;
    size_t commands = 0;
    ck_assert_int_eq(ns_ledger_open(NULL, &ledger, NULL), NS_OK);
    for (size_t i = 0; i < ledger.claims; i++)
        commands += ledger.claim[i].command[0] != NULL;
    ck_assert_uint_eq(ledger.papers, 5);
    ck_assert_uint_ge(commands, 500);
    ns_ledger_close(&ledger);
    cli_refused((cli_refusal){"reproduce --claims sharq", 1, "did you mean \"sharp\"?"});
}

/* Every command of the ledger runs and every answer is read, but for those that scan matrices of NetSparse's size. */
TEST(commands_run)
{
    ns_ledger ledger;
    char *told;
    size_t kept = 0;
    const bool heavy = getenv("NS_TEST_HEAVY") != NULL;
    ck_assert_int_eq(ns_ledger_open("netsparse", &ledger, NULL), NS_OK);
    for (size_t i = 0; i < ledger.claims; i++) {
        const char *first = ledger.claim[i].command[0];
        if (heavy || first == NULL || strncmp(first, "netsparse ", 10) != 0)
            ledger.claim[kept++] = ledger.claim[i];
    }
    ledger.claims = kept;
    ck_assert_uint_gt(kept, 60);
    ck_assert_msg(answer(&ledger, &told) == 0, "%s", told);
    free(told);
    ns_ledger_close(&ledger);
}

/* docs/evidence/claims.md holds each section that this program prints. */
static void has_sections(const char *line)
{
    char command[120], *page = read_whole("docs/evidence/claims.md");
    const char *fresh = cli_file("claims.md", "");
    snprintf(command, sizeof command, "%s -o %s", line, fresh);
    cli_result r = cli(command);
    ck_assert_msg(r.code == 0, "nsmodel %s: %s", command, r.err);
    char *now = read_whole(fresh);
    size_t sections = 0;
    for (char *at = strstr(now, "\n## "), *next; at != NULL; at = next, sections++) {
        next = strstr(at + 1, "\n## ");
        if (next != NULL)
            *next = '\0';
        ck_assert_msg(strstr(page, at) != NULL,
                      "docs/evidence/claims.md is not current: run `make claims`; it lacks%.200s", at);
        if (next != NULL)
            *next = '\n';
    }
    ck_assert_uint_ge(sections, 2); /* one of what misses only where something does */
}

static const char *const cheap[] = {"reproduce --claims sharp", "reproduce --claims netcrafter",
                                    "reproduce --claims red-sea", "reproduce --claims node-aware"};

TEST_EACH(page_is_current, sizeof cheap / sizeof *cheap)
{
    has_sections(cheap[_i]);
}

TEST(whole_page_is_current)
{
    if (getenv("NS_TEST_HEAVY") != NULL)
        has_sections("reproduce --claims");
}

/* The recount names every prediction of today's tables, with the verdict it has there. */
TEST(recount_is_of_todays_tables)
{
    char *text = read_whole("evidence/claims/recount.json");
    ns_value *recount = tree(text), *today = cli_json("reproduce");
    size_t found = 0, wanted = 0;
    for (const ns_value *table = ns_value_get(today, "tables")->first; table != NULL; table = table->next)
        for (const ns_value *row = ns_value_get(table, "rows")->first; row != NULL; row = row->next) {
            if (strcmp(ns_value_get(row, "kind")->text, "prediction") != 0)
                continue;
            wanted++;
            for (const ns_value *v = ns_value_get(recount, "rows")->first; v != NULL; v = v->next)
                found += strcmp(ns_value_get(v, "label")->text, ns_value_get(row, "label")->text) == 0 &&
                         strcmp(ns_value_get(v, "table")->text, ns_value_get(table, "id")->text) == 0 &&
                         ns_value_get(v, "holds")->truth == ns_value_get(row, "ok")->truth;
        }
    ck_assert_uint_eq(found, wanted);
}

/* A row of the answer has what the contract says. */
TEST(rows_of_the_answer)
{
    static const char *const keys[] = {"paper", "place",  "claim",   "value",  "unit",
                                       "kind",  "answer", "command", "verdict"};
    ns_value *root = cli_json("reproduce --claims netcrafter");
    size_t rows = 0, counted = 0;
    for (const ns_value *row = ns_value_get(root, "claims")->first; row != NULL; row = row->next, rows++) {
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            ck_assert_ptr_nonnull(ns_value_get(row, keys[i]));
        const bool holds = strcmp(ns_value_get(row, "verdict")->text, "holds") == 0;
        ck_assert_int_eq(ns_value_get(row, "reason") != NULL, !holds);
    }
    for (const ns_value *row = ns_value_get(root, "summary")->first; row->next != NULL; row = row->next)
        counted += (size_t)ns_value_get(row, "claims")->number;
    ck_assert_uint_eq(counted, rows);
}

TEST_TIMEOUT(3600)
