/* test_report.c -- value trees as tables and CSV, byte for byte
 *
 * The expected texts are written from the rules in report.h and value.h; numbers as quantity.c writes them.
 */
#include "core/memory.h"
#include "report/report.h"
#include "support/files.h"
#include "support/needs.h"
#include "support/test.h"

static const ns_dim second = {1, 0, 0}, byte = {0, 1, 0}, second_per_byte = {1, -1, 0};

enum format { TABLE, COLOUR, CSV };

static char *render(const ns_value *root, enum format format)
{
    char *text = NULL;
    size_t size;
    ns_error err = {0};
    FILE *out = open_memstream(&text, &size);
    ck_assert(ns_value_complete(root));
    ns_status status = format == CSV ? ns_report_csv(root, out, &err)
                                     : ns_report_table(root, out, &(ns_screen){0, format == COLOUR}, &err);
    ck_assert_msg(status == NS_OK, "%s", err.text);
    fclose(out);
    return library_text(text);
}

static void check(const ns_value *root, enum format format, const char *wanted)
{
    char *text = render(root, format);
    ck_assert_msg(strcmp(text, wanted) == 0, "got\n%s\nwanted\n%s", text, wanted);
    ns_free(text);
}

static ns_value *pair(ns_value *parent, const char *name, double lo, double hi, ns_dim dim)
{
    ns_value *list = ns_value_list(parent, name);
    ns_value_number(list, NULL, lo, dim);
    ns_value_number(list, NULL, hi, dim);
    return list;
}

/* ---- groups of rows: the shape of a prediction ------------------------------------------------------------------- */

static void add_strategy(ns_value *rows, const char *name, double estimate, double published)
{
    ns_value *row = ns_value_object(rows, NULL);
    ns_value_text(row, "strategy", name);
    ns_value_number(row, "estimate_s", estimate, second);
    pair(row, "interval_s", 0.5 * estimate, 2 * estimate, second);
    if (published > 0)
        ns_value_number(row, "published_s", published, second);
    else
        ns_value_null(row, "published_s");
    ns_value *terms = ns_value_object(row, "terms");
    ns_value_number(terms, "off_node_s", estimate, second);
    ns_value_number(terms, "copy_s", 0, second);
}

static ns_value *prediction(void)
{
    ns_value *root = ns_value_new();
    ns_value_text(root, "schema", "nsmodel/predict/1")->flags = NS_V_JSON_ONLY;
    ns_value_text(root, "warning", "a surrogate, not the real matrix")->flags = NS_V_NOTE;
    ns_value *matrix = ns_value_object(root, "matrix");
    ns_value_text(matrix, "name", "audikw_1");
    ns_value_count(matrix, "rows", 943695);
    ns_value_text(ns_value_object(root, "machine"), "name", "lassen");
    ns_value *cases = ns_value_list(root, "cases");
    cases->flags = NS_V_ROWS;
    for (int gpus = 8; gpus <= 16; gpus += 8) {
        ns_value *one = ns_value_object(cases, NULL);
        ns_value_count(one, "gpus", gpus);
        ns_value_count(ns_value_object(one, "pattern"), "m_proc", 7)->flags = NS_V_JSON_ONLY;
        ns_value_text(ns_value_object(one, "best"), "strategy", "two-step");
        ns_value *strategies = ns_value_list(one, "strategies");
        strategies->flags = NS_V_ROWS;
        add_strategy(strategies, "standard", gpus * 1e-5, 3e-3);
        add_strategy(strategies, "two-step", gpus * 2e-6, 0);
        strategies->last->flags = NS_V_MARK;
    }
    return root;
}

TEST(groups_as_table)
{
    ns_value *root = prediction();
    check(root, TABLE,
          "a surrogate, not the real matrix\n"
          "\n"
          "matrix\n"
          "  name  audikw_1\n"
          "  rows  943695\n"
          "machine\n"
          "  name  lassen\n"
          "\n"
          "  gpus  best.strategy  strategy  estimate      interval  published  off_node  copy\n"
          "     8  two-step       standard     80 us  40 .. 160 us       3 ms     80 us   0 s\n"
          "*                      two-step     16 us    8 .. 32 us          -     16 us   0 s\n"
          "\n"
          "    16  two-step       standard    160 us  80 .. 320 us       3 ms    160 us   0 s\n"
          "*                      two-step     32 us   16 .. 64 us          -     32 us   0 s\n");
    char *text = render(root, COLOUR);
    const char *bold = "\n\033[1m*                      two-step     16 us    8 .. 32 us          -     16 us   0 s"
                       "\033[0m\n";
    ck_assert_ptr_nonnull(strstr(text, bold));
    ns_free(text);
    ns_value_free(root);
}

TEST(groups_as_csv)
{
    ns_value *root = prediction();
    check(root, CSV,
          "matrix.name,rows,machine.name,gpus,best.strategy,strategy,estimate_s,interval_s_lo,interval_s_hi,"
          "published_s,off_node_s,copy_s\n"
          "audikw_1,943695,lassen,8,two-step,standard,8e-05,4e-05,0.00016,0.003,8e-05,0\n"
          "audikw_1,943695,lassen,8,two-step,two-step,1.6e-05,8e-06,3.2e-05,,1.6e-05,0\n"
          "audikw_1,943695,lassen,16,two-step,standard,0.00016,8e-05,0.00032,0.003,0.00016,0\n"
          "audikw_1,943695,lassen,16,two-step,two-step,3.2e-05,1.6e-05,6.4e-05,,3.2e-05,0\n");
    ns_value_free(root);
}

/* ---- single values: the shape of an evaluation ------------------------------------------------------------------- */

static void add_input(ns_value *inputs, const char *name, double value, ns_dim dim, const char *unit)
{
    ns_value *input = ns_value_object(inputs, name);
    ns_value_number(input, "value", value, dim);
    ns_value_text(input, "unit", unit);
}

TEST(single_values)
{
    ns_value *root = ns_value_new();
    ns_value_text(root, "model", "postal");
    ns_value *inputs = ns_value_object(root, "inputs");
    add_input(inputs, "alpha", 1.7e-6, second, "s");
    add_input(inputs, "beta", 3.79e-10, second_per_byte, "s/B");
    add_input(inputs, "s", 4096, byte, "B");
    add_input(inputs, "n", 12345678, NS_DIMENSIONLESS, "1");
    add_input(inputs, "foreign", 2.5, NS_DIMENSIONLESS, "lanes");
    ns_value_object(root, "empty");
    pair(root, "interval_s", 1e-6, 2.5e-3, second);
    ns_value *sizes = ns_value_list(root, "sizes");
    ns_value_count(sizes, NULL, 8);
    ns_value_count(sizes, NULL, 16);
    ns_value_count(sizes, NULL, 0.123456);
    ns_value_bool(root, "ok", true);
    ns_value_null(root, "published_s");
    ns_value_number(root, "rate", (double)NAN, second);
    check(root, TABLE,
          "model        postal\n"
          "inputs\n"
          "  alpha      1.7 us\n"
          "  beta       0.379 ns/B\n"
          "  s          4 KiB\n"
          "  n          12345678\n"
          "  foreign    2.5 lanes\n"
          "interval_s   1 us .. 2.5 ms\n"
          "sizes        8, 16, 0.1235\n"
          "ok           yes\n"
          "published_s  -\n"
          "rate         -\n");
    check(root, CSV,
          "name,value,unit\n"
          "model,postal,\n"
          "inputs.alpha,1.7e-06,s\n"
          "inputs.beta,3.79e-10,s/B\n"
          "inputs.s,4096,B\n"
          "inputs.n,12345678,1\n"
          "inputs.foreign,2.5,lanes\n"
          "interval_s_lo,1e-06,s\n"
          "interval_s_hi,0.0025,s\n"
          "sizes,8;16;0.123456,1\n"
          "ok,true,\n"
          "published_s,,\n"
          "rate,,s\n");
    ns_value_free(root);
}

/* ---- several lists, ragged rows ---------------------------------------------------------------------------------- */

TEST(several_tables)
{
    ns_value *root = ns_value_new();
    ns_value *first = ns_value_list(root, "collectives");
    ns_value_text(ns_value_object(first, NULL), "name", "allreduce");
    ns_value *classes = ns_value_list(ns_value_object(root, "fit"), "classes");
    classes->flags = NS_V_ROWS;
    ns_value *row = ns_value_object(classes, NULL);
    ns_value_text(row, "name", "eager");
    ns_value_number(row, "beta_s_per_B", 1e-9, second_per_byte);
    row = ns_value_object(classes, NULL);
    ns_value_count(row, "samples", 12); /* a key the first row lacks goes first here, so before name */
    ns_value_text(row, "name", "rendezvous");
    ns_value *warnings = ns_value_list(root, "warnings");
    warnings->flags = NS_V_NOTE;
    ns_value_text(warnings, NULL, "few samples");
    ns_value_text(warnings, NULL, "one outlier");
    ns_value_list(root, "injection")->flags = NS_V_ROWS;
    ns_value_list(root, "hidden")->flags = NS_V_ROWS | NS_V_JSON_ONLY;
    check(root, TABLE,
          "few samples\n"
          "one outlier\n"
          "\n"
          "collectives\n"
          "name\n"
          "allreduce\n"
          "\n"
          "classes\n"
          "samples  name          beta\n"
          "         eager       1 ns/B\n"
          "     12  rendezvous\n"
          "\n"
          "injection  none\n");
    check(root, CSV,
          "samples,name,beta_s_per_B\n"
          ",eager,1e-09\n"
          "12,rendezvous,\n");
    ns_value_free(root);
}

TEST(names_that_clash)
{
    ns_value *root = ns_value_new();
    ns_value_text(root, "id", "root");
    ns_value *rows = ns_value_list(root, "rows");
    for (int i = 0; i < 2; i++) {
        ns_value *row = ns_value_object(rows, NULL);
        ns_value_count(row, "id", i);
        ns_value_number(ns_value_object(row, "send"), "bytes", 100, byte);
        ns_value_number(ns_value_object(row, "receive"), "bytes", 200, byte);
        ns_value_count(ns_value_object(row, "receive"), "peers", 3);
    }
    check(root, CSV,
          "id,rows.id,send.bytes,receive.bytes,peers\n"
          "root,0,100,200,3\n"
          "root,1,100,200,3\n");
    ns_value_free(root);
}

TEST(rows_of_scalars_and_empty_groups)
{
    ns_value *root = ns_value_new(), *sizes = ns_value_list(root, "sizes");
    sizes->flags = NS_V_ROWS;
    ns_value_number(sizes, NULL, 8, byte);
    ns_value_number(sizes, NULL, 1024, byte);
    check(root, TABLE, "sizes\n  8 B\n1 KiB\n");
    check(root, CSV, "sizes\n8\n1024\n");
    ns_value_free(root);
    root = ns_value_new();
    ns_value *tables = ns_value_list(root, "tables");
    for (int i = 0; i < 2; i++) {
        ns_value *table = ns_value_object(tables, NULL);
        ns_value_count(table, "id", i);
        ns_value *rows = ns_value_list(table, "rows");
        rows->flags = NS_V_ROWS;
        if (i == 1)
            ns_value_text(ns_value_object(rows, NULL), "label", "a");
    }
    check(root, TABLE, "id  label\n 0\n 1  a\n");
    check(root, CSV, "id,label\n0,\n1,a\n");
    ns_value_free(root);
}

/* ---- hostile and foreign text ------------------------------------------------------------------------------------ */

TEST(texts_are_quoted_and_cleaned)
{
    ns_value *root = ns_value_new(), *rows = ns_value_list(root, "rows");
    static const char *const names[] = {
        "a,b",
        "say \"hi\"",
        "two\nlines",
        "\033[31mred",
        "\xc3\xa4\xc3\xb6",
        "bad\xff",
        "",
        ("\xc2\x9b"
         "2J\x9b\x7f\r\xc3\x9c"), /* C1 as a character and as a byte; a letter whose second byte is 9C */
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ns_value *row = ns_value_object(rows, NULL);
        ns_value_text(row, "na,me", names[i]);
        ns_value_count(row, "n", (double)i);
    }
    check(root, CSV,
          "\"na,me\",n\n\"a,b\",0\n\"say \"\"hi\"\"\",1\n\"two\nlines\",2\n?[31mred,3\n"
          "\xc3\xa4\xc3\xb6,4\nbad\xff,5\n,6\n?2J???\xc3\x9c,7\n");
    check(root, TABLE,
          "na,me      n\n"
          "a,b        0\n"
          "say \"hi\"   1\n"
          "two lines  2\n"
          "?[31mred   3\n"
          "\xc3\xa4\xc3\xb6         4\n"
          "bad?       5\n"
          "           6\n"
          "?2J???\xc3\x9c    7\n");
    ns_value_free(root);
    root = ns_value_new();
    ns_value *list = ns_value_list(root, "words");
    ns_value_text(list, NULL, "a,b");
    ns_value_text(list, NULL, "c\"");
    check(root, CSV, "name,value,unit\nwords,\"a,b;c\"\"\",\n");
    for (int i = 0; i < 500; i++)
        ns_value_text(list, NULL, "word");
    char *text = render(root, TABLE);
    ck_assert_uint_lt(strlen(text), 1100);
    ck_assert_str_eq(text + strlen(text) - 4, "...\n");
    ns_free(text);
    ns_value_free(root);
}

TEST(nothing_to_show)
{
    ns_value *root = ns_value_new();
    check(root, TABLE, "");
    check(root, CSV, "name,value,unit\n");
    ns_value_free(root);
}

/* A full disk: the failure is reported, not lost. */
TEST(write_errors_are_reported)
{
    FILE *full = fopen("/dev/full", "w");
    if (full == NULL) {
        skipped(__func__, "needs /dev/full");
        return;
    }
    ns_value *root = ns_value_new();
    ns_error err = {0};
    ns_value_count(root, "n", 1);
    setvbuf(full, NULL, _IONBF, 0);
    ck_assert_int_eq(ns_report_table(root, full, &(ns_screen){0, false}, &err), NS_ERR_FILE);
    ck_assert_str_eq(err.text, "cannot write the result: No space left on device");
    ck_assert_int_eq(ns_report_csv(root, full, NULL), NS_ERR_FILE);
    fclose(full);
    ns_value_free(root);
}

TEST(many_rows)
{
    enum { ROWS = 50000 };
    ns_value *root = ns_value_new(), *rows = ns_value_list(root, "rows");
    for (int i = 0; i < ROWS; i++) {
        ns_value *row = ns_value_object(rows, NULL);
        for (int k = 0; k < 6; k++) {
            char name[16];
            snprintf(name, sizeof name, "c%d", k);
            ns_value_number(row, name, i, second);
        }
    }
    for (enum format format = TABLE; format <= CSV; format++) {
        char *text = render(root, format);
        size_t lines = 0;
        for (const char *p = text; *p != '\0'; p++)
            lines += *p == '\n';
        ck_assert_uint_eq(lines, ROWS + 1);
        ns_free(text);
    }
    ns_value_free(root);
}

TEST_TIMEOUT(300)
