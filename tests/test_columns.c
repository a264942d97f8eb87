/* test_columns.c -- a struct by a list of columns in every format; option rows into a request
 *
 * The expected texts follow from columns.h and command.h; numbers as quantity.c writes them.
 */
#include "cli/show/result.h"
#include "core/memory.h"
#include "report/columns.h"
#include "support/files.h"
#include "support/test.h"

/* ---- the formats ------------------------------------------------------------------------------------------------- */

typedef struct request {
    bool all;
    const char *file;
    double kappa, time;
    int32_t seed, word;
    int64_t size;
    ns_whole_numbers calls;
} request;

static const char *const words[] = {"first", "second", NULL};

static const ns_option options[] = {
    {"all", 0, NULL, NULL, "", NS_OPT(request, all)},
    {"file", 'f', "FILE", NULL, "", NS_OPT(request, file)},
    {"kappa", 0, "K", NULL, "", NS_OPT(request, kappa), .least = 0.5, .most = 8},
    {"time", 0, "TIME", "2 us", "", NS_OPT(request, time), .unit = "s"},
    {"seed", 0, "S", "7", "", NS_OPT(request, seed), .least = 1, .most = 9},
    {"word", 0, "WORD", NULL, "", NS_OPT(request, word), .words = words},
    {"size", 0, "SIZE", NULL, "", NS_OPT(request, size)},
    {"calls", 0, "LIST", "10,30", "", NS_OPT(request, calls), .least = 1, .most = 100},
    {"other", 0, "TEXT", NULL, "of no request"},
    {NULL},
};

static const ns_command command = {.name = "columns", .usage = "", .options = options};

static ns_args args;

static void parse(const char *line)
{
    static char text[400];
    char *argv[20];
    int argc = 0;
    ns_error err = {0};
    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    ck_assert_msg(ns_args_parse(&command, argc, argv, &args, &err) == NS_OK, "%s", err.text);
}

static void check(const ns_value *root, const char *format, const char *wanted)
{
    char *text = NULL, line[40];
    size_t size;
    ns_error err = {0};
    const ns_format *of;
    snprintf(line, sizeof line, "--format %s", format);
    parse(line);
    ck_assert_int_eq(ns_format_choose(&args, &of, &err), NS_OK);
    FILE *out = open_memstream(&text, &size);
    ck_assert(ns_value_complete(root));
    ck_assert_msg(ns_result_write(root, of, out, &(ns_screen){0, false}, &err) == NS_OK, "%s", err.text);
    fclose(out);
    ck_assert_msg(strcmp(text, wanted) == 0, "%s: got\n%s\nwanted\n%s", format, text, wanted);
    free(text);
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

typedef struct inner {
    int64_t bytes;
} inner;

typedef struct row {
    char name[8];
    const char *note, *remark;
    double seconds, range[2], share, ratio, old;
    int32_t word;
    size_t count;
    bool best;
    inner in;
} row;

static double twice(const void *r)
{
    return 2 * ((const row *)r)->seconds;
}

static const char *shout(const void *r, char room[NS_COL_ROOM])
{
    snprintf(room, NS_COL_ROOM, "%s!", ((const row *)r)->name);
    return room;
}

static const ns_table_column of_inner[] = {{"bytes", NS_COL(inner, bytes), .unit = "B"}, {NULL}};
static const ns_table_column columns[] = {
    {"name", NS_COL(row, name)},
    {"estimate_s", NS_COL(row, seconds), .unit = "s", .heading = "time", .digits = 2},
    {"interval_s", NS_COL(row, range), .unit = "s", .shows = NS_IN_DATA},
    {"p", NS_COL(row, share), .shows = NS_IN_JSON},
    {"P", NS_COL(row, share), .unit = "%", .digits = 2, .shows = NS_IN_NARROW},
    {"ratio", NS_COL(row, ratio), .shows = NS_NEGATIVE_NULL},
    {"old", NS_COL(row, old), .shows = NS_OPTIONAL},
    {"word", NS_COL(row, word), .words = words, .shows = NS_NOT_IN_CSV},
    {"count", NS_COL(row, count), .shows = NS_IN_WIDE},
    {"note", NS_COL(row, note), .shows = NS_IF_ANY},
    {"remark", NS_COL(row, remark), .shows = NS_WITH_LAST},
    {"in", NS_COL(row, in), .columns = of_inner, .shows = NS_IN_JSON},
    {"twice_s", .number = twice, .unit = "s", .shows = NS_IN_JSON},
    {"shout", .text = shout, .shows = NS_IN_JSON},
    {NULL}};

static ns_value *answer(const char *note)
{
    const row rows[] = {{.name = "a",
                         .seconds = 2.385e-6,
                         .range = {1e-6, 4e-6},
                         .share = 0.8765,
                         .ratio = 1.5,
                         .old = NAN,
                         .word = 1,
                         .count = 3,
                         .in = {512}},
                        {.name = "b",
                         .note = note,
                         .seconds = NAN,
                         .range = {1, 2},
                         .share = NAN,
                         .ratio = -1,
                         .old = 7,
                         .word = -1,
                         .count = 4,
                         .in = {1}}};
    ns_value *root = ns_value_new();
    ns_put_schema(root, "nsmodel/columns/1");
    ns_note(root, "for people: %d", 2);
    ns_sentence(root, "said", NS_NOT_IN_CSV, "in JSON as well");
    ns_value *list = ns_put_table(root, "rows", columns, rows, 2, sizeof *rows);
    ns_row_mark(list->first, true);
    return root;
}

TEST(every_format)
{
    ns_value *root = answer(NULL);
    check(root, "table",
          "for people: 2\nin JSON as well\n\n"
          "  name    time     P  ratio  old  word\n"
          "* a     2.4 us  88 %    1.5       second\n"
          "  b          -     -      -    7  -\n");
    check(root, "wide",
          "for people: 2\nin JSON as well\n\n"
          "  name  estimate  ratio  old  word    count\n"
          "* a     2.385 us    1.5       second      3\n"
          "  b            -      -    7  -           4\n");
    check(root, "csv",
          "name,estimate_s,interval_s_lo,interval_s_hi,ratio,old,count,note,remark\n"
          "a,2.385e-06,1e-06,4e-06,1.5,,3,,\n"
          "b,,1,2,,7,4,,\n");
    ns_value_free(root);
}

TEST(json)
{
    ns_value *root = answer(NULL);
    const ns_value *rows = ns_value_get(root, "rows"), *a = ns_value_at(rows, "0"), *b = ns_value_at(rows, "1");
    ck_assert_str_eq(ns_value_as_text(ns_value_get(root, "schema")), "nsmodel/columns/1");
    ck_assert(ns_value_as_number(ns_value_get(a, "estimate_s")) == 2.385e-6); /* all digits */
    ck_assert(ns_value_as_number(ns_value_at(a, "in.bytes")) == 512);
    ck_assert(ns_dim_equal(ns_value_dim(ns_value_at(a, "in.bytes")), NS_BYTE));
    ck_assert(ns_value_as_number(ns_value_get(a, "twice_s")) == 4.77e-6);
    ck_assert_str_eq(ns_value_as_text(ns_value_get(a, "shout")), "a!");
    ck_assert_str_eq(ns_value_as_text(ns_value_get(a, "word")), "second");
    ck_assert_ptr_null(ns_value_get(a, "old"));
    ck_assert_int_eq(ns_value_kind_of(ns_value_get(b, "estimate_s")), NS_NULL);
    ck_assert_int_eq(ns_value_kind_of(ns_value_get(b, "ratio")), NS_NULL);
    ck_assert_int_eq(ns_value_kind_of(ns_value_get(b, "word")), NS_NULL);
    ck_assert_int_eq(ns_value_kind_of(ns_value_get(b, "note")), NS_NULL);
    ns_value_free(root);
}

/* One row's note brings both columns that go together into the table. */
TEST(columns_that_go_together)
{
    ns_value *root = answer("why");
    check(root, "table",
          "for people: 2\nin JSON as well\n\n"
          "  name    time     P  ratio  old  word    note  remark\n"
          "* a     2.4 us  88 %    1.5       second  -     -\n"
          "  b          -     -      -    7  -       why   -\n");
    ns_value_free(root);
}

/* One column with both names: the heading in every table, the key in data. */
TEST(a_heading_of_wide_tables_too)
{
    static const ns_table_column headed[] = {
        {"bytes", NS_COL(inner, bytes), .unit = "B", .heading = "size", .shows = NS_HEADED}, {NULL}};
    const inner one = {512};
    ns_value *root = ns_value_new();
    ns_put_table(root, "rows", headed, &one, 1, sizeof one);
    check(root, "table", " size\n512 B\n");
    check(root, "wide", " size\n512 B\n");
    check(root, "csv", "bytes\n512\n");
    ck_assert(ns_value_as_number(ns_value_at(root, "rows.0.bytes")) == 512);
    ns_value_free(root);
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

TEST(what_is_not_given)
{
    request r;
    parse("");
    ck_assert_int_eq(ns_args_read(&args, &r, NULL), NS_OK);
    ck_assert(!r.all && r.file == NULL && isnan(r.kappa) && r.word == -1 && r.size == 0);
    ck_assert(r.time == 2e-6 && r.seed == 7); /* by their defaults */
    ck_assert_uint_eq(r.calls.count, 2);
    ck_assert_int_eq(r.calls.at[1], 30);
    ns_free(r.calls.at);
}

TEST(what_is_given)
{
    request r;
    parse("--all -f here --kappa 2.385 --time 5ns --seed 9 --word second --size 4KiB --calls 1-4");
    ck_assert_int_eq(ns_args_read(&args, &r, NULL), NS_OK);
    ck_assert(r.all && r.kappa == 2.385 && r.time == 5e-9 && r.seed == 9 && r.word == 1 && r.size == 4096);
    ck_assert_str_eq(r.file, "here");
    ck_assert_uint_eq(r.calls.count, 3); /* 1, 2, 4 */
    ck_assert_int_eq(r.calls.at[2], 4);
    ns_free(r.calls.at);
}

static const struct {
    const char *line, *says;
} refused[] = {
    {"--kappa 0.25", "--kappa wants at least 0.5, got 0.25"},
    {"--kappa 9", "--kappa wants at most 8, got 9"},
    {"--kappa fast", "--kappa"},
    {"--time 3B", "--time wants a time like"},
    {"--seed 10", "--seed wants whole numbers from 1 to 9, got 10"},
    {"--word third", "--word"},
    {"--size 0B", "--size wants a whole number of bytes"},
    {"--calls 5,500", "--calls wants whole numbers from 1 to 100, got 500"},
};

TEST_EACH(what_is_refused, sizeof refused / sizeof *refused)
{
    request r = {.calls = {NULL, 0}};
    ns_error err = {0};
    parse(refused[_i].line);
    ck_assert_int_ne(ns_args_read(&args, &r, &err), NS_OK);
    ck_assert_msg(strncmp(err.text, refused[_i].says, strlen(refused[_i].says)) == 0, "%s", err.text);
    ns_free(r.calls.at);
}
