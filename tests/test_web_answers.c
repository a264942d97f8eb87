/* test_web_answers.c -- the page's answers are the program's: counts equal, times within 1e-12 */
#include "core/memory.h"
#include "support/browser.h"
#include "support/browser_page.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/shared.h"
#include "support/shell.h"
#include "support/test.h"
#include "support/web.h"

/* A number with a dimension may differ in its last bits, where the two C libraries round otherwise; a count may not. */
static const double tolerance = 1e-12;

static bool is_time(const char *name)
{
    const size_t length = name != NULL ? strlen(name) : 0;
    return length > 2 && strcmp(name + length - 2, "_s") == 0;
}

static int numbers; /* compared so far */

/* Of a file the page knows the name alone, and the program the folder too. */
static bool is_same(const char *page, const char *program)
{
    const char *folder = getenv("NSMODEL_TEST_TMP");
    const size_t length = strlen(folder);
    while (*program != '\0')
        if (strncmp(program, folder, length) == 0)
            program += length + 1;
        else if (*page++ != *program++)
            return false;
    return *page == '\0';
}

static void compare(const ns_value *page, const ns_value *program, const char *where, bool inexact)
{
    ck_assert_msg(page->kind == program->kind, "%s: another kind of value", where);
    if (page->kind == NS_TEXT)
        ck_assert_msg(is_same(page->text, program->text), "%s: \"%s\" and \"%s\"", where, page->text, program->text);
    if (page->kind == NS_BOOL)
        ck_assert_msg(page->truth == program->truth, "%s", where);
    if (page->kind == NS_NUMBER) {
        const double most = inexact ? tolerance * fabs(program->number) : 0;
        numbers++;
        ck_assert_msg(fabs(page->number - program->number) <= most, "%s: %.17g and %.17g", where, page->number,
                      program->number);
    }
    if (page->kind != NS_LIST && page->kind != NS_OBJECT)
        return;
    const ns_value *b = program->first;
    for (const ns_value *a = page->first; a != NULL; a = a->next, b = b->next) {
        char below_it[400];
        ck_assert_msg(b != NULL, "%s: more than the program has", where);
        snprintf(below_it, sizeof below_it, "%.300s.%.80s", where, a->name != NULL ? a->name : "");
        ck_assert_msg((a->name == NULL) == (b->name == NULL) && (a->name == NULL || strcmp(a->name, b->name) == 0),
                      "%s", below_it);
        /* what no key calls a count is derived: ratios, shares, probabilities */
        compare(a, b, below_it, inexact || is_time(a->name) || (a->kind == NS_NUMBER && b->number != floor(b->number)));
    }
    ck_assert_msg(b == NULL, "%s: less than the program has", where);
}

/* The page's answer, and what predict and netsparse say for the same words. */
static void same_as(const char *predict, const char *netsparse)
{
    ns_value *answer = web_answer();
    numbers = 0;
    ns_value *wanted = cli_json(predict);
    const ns_value *part = ns_value_get(answer, "predict");
    ck_assert_ptr_nonnull(part);
    compare(part, wanted, "predict", false);
    if (netsparse != NULL) {
        wanted = cli_json(netsparse);
        part = ns_value_get(answer, "netsparse");
        ck_assert_ptr_nonnull(part);
        compare(part, wanted, "netsparse", false);
    }
    ck_assert_int_gt(numbers, 100);
    ns_value_free(answer);
}

/* Ten questions in the words of the page and of the command line: the rows, advice, trust and next step of the first
 * screen are among what has to be equal. */
static const struct {
    const char *page, *predict, *netsparse;
} asked[] = {
    {"matrix=rajat01&parts=8%2C16%2C64&nodes=32&k=1%2C16", "rajat01 --machine lassen-spectrum --parts 8,16,64",
     "netsparse --matrix rajat01 --machine netsparse --nodes 32 --k 1,16 --ablation"},
    {"matrix=stencil9%3A400x300&machine=bluewaters&parts=16%2C64",
     "stencil9:400x300 --machine bluewaters --parts 16,64", NULL},
    /* a stand-in of 78 million entries: as `predict` makes it, in one thread */
    {"matrix=audikw_1&machine=summit&other=tioga&parts=64", "audikw_1 --machine summit,tioga --parts 64", NULL},
    {"matrix=stencil27%3A40x40x40&other=summit&parts=16&width=4B&incumbent=standard%2Fhost",
     "stencil27:40x40x40 --machine lassen-spectrum,summit --parts 16 --width 4B --incumbent standard/host", NULL},
    {"matrix=rajat01&machine=lassen&parts=4%2C16%2C64", "rajat01 --machine lassen --parts 4,16,64", NULL},
    {"matrix=rajat01&machine=dane&parts=64%2C448", "rajat01 --machine dane --parts 64,448", NULL},
    {"matrix=rajat01&machine=bluewaters&parts=16%2C64%2C256", "rajat01 --machine bluewaters --parts 16,64,256", NULL},
    {"matrix=stencil9%3A60x60&parts=8%2C16&incumbent=three-step%2Fdevice",
     "stencil9:60x60 --machine lassen-spectrum --parts 8,16 --incumbent three-step/device", NULL},
    {"matrix=stencil27%3A24x24x24&machine=summit&parts=36", "stencil27:24x24x24 --machine summit --parts 36", NULL},
    {"matrix=xenon1&parts=16%2C32", "xenon1 --machine lassen-spectrum --parts 16,32", NULL},
};

TEST_EACH(test_questions, sizeof asked / sizeof *asked)
{
    char page[300], line[300];
    snprintf(page, sizeof page, "#exchange?%s", asked[_i].page);
    snprintf(line, sizeof line, "predict --matrix %s", asked[_i].predict);
    web_open(page);
    same_as(line, asked[_i].netsparse);
}

/* ---- files: the page reads what the reader chose, under its own name --------------------------------------------- */

/* In the folder, so that both read a file of the same name. */
static void in_folder(const char *file, const char *options)
{
    char line[600];
    snprintf(line, sizeof line, "predict --matrix %s %s", cli_path(file), options);
    ns_value *answer = web_answer(), *wanted = cli_json(line);
    numbers = 0;
    compare(ns_value_get(ns_value_get(answer, "predict"), "cases"), ns_value_get(wanted, "cases"), "cases", false);
    ck_assert_int_gt(numbers, 50);
    ck_assert_str_eq(ns_value_at(answer, "predict.matrix.name")->text, ns_value_at(wanted, "matrix.name")->text);
    ck_assert(ns_value_at(answer, "predict.matrix.nonzeros")->number == ns_value_at(wanted, "matrix.nonzeros")->number);
    ns_value_free(answer);
}

static void ask_file(const char *file)
{
    web_open("#exchange");
    web_choose("matrix-file", cli_path(file));
    ck_assert_str_eq(browser_text("return document.getElementById('matrix').value"), file);
    web_type("parts", "4,8");
    web_type("nodes", "");
    web_submit("exchange");
    in_folder(file, "--machine lassen-spectrum --parts 4,8");
}

static void write_band(FILE *file, int rows)
{
    fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", rows, rows, 2 * rows);
    for (int i = 1; i <= rows; i++)
        fprintf(file, "%d %d 1.5\n%d %d -2\n", i, i, i, (i * 7) % rows + 1);
}

TEST(test_mtx_and_gz)
{
    FILE *file = fopen(cli_path("band matrix.mtx"), "wb"); /* a blank in its name is nothing special */
    ck_assert_ptr_nonnull(file);
    write_band(file, 500);
    ck_assert_int_eq(fclose(file), 0);
    web_open("#exchange?nodes=&parts=4");
    web_choose("matrix-file", cli_path("band matrix.mtx"));
    web_submit("exchange");
    ns_value *answer = web_answer();
    ck_assert_str_eq(ns_value_at(answer, "predict.matrix.name")->text, "band matrix");
    ns_value_free(answer);
    shell_ok("cp '%s' '%s' && gzip -nf '%s'", cli_path("band matrix.mtx"), cli_path("band.mtx"), cli_path("band.mtx"));
    ask_file("band.mtx.gz");
}

TEST(test_nsp)
{
    char line[600];
    snprintf(line, sizeof line, "pattern --matrix stencil9:90x70 --parts 4 -o %s", cli_path("grid.nsp"));
    make_page(line);
    ask_file("grid.nsp");
}

TEST(test_real_matrix)
{
    char path[4096];
    if (!shared_path("test_web_answers real matrix", "data/matrices/c-62.mtx.gz", path, sizeof path))
        return;
    shell_ok("cp -f '%s' '%s'", path, cli_path("c-62.mtx.gz"));
    ask_file("c-62.mtx.gz");
}

TEST(test_partition)
{
    FILE *file = fopen(cli_path("rows.mtx"), "wb"), *parts = fopen(cli_path("rows.part"), "wb");
    ck_assert(file != NULL && parts != NULL);
    write_band(file, 300);
    for (int i = 0; i < 300; i++)
        fprintf(parts, "%d\n", i % 7 % 4);
    ck_assert(fclose(file) == 0 && fclose(parts) == 0);
    web_open("#exchange");
    web_choose("matrix-file", cli_path("rows.mtx"));
    ns_value_free(browser_eval("document.querySelector('details').open = true; return 0"));
    web_choose("partition-file", cli_path("rows.part"));
    web_type("parts", "4");
    web_type("nodes", "");
    web_submit("exchange");
    char options[300];
    snprintf(options, sizeof options, "--machine lassen-spectrum --parts 4 --partition %s", cli_path("rows.part"));
    in_folder("rows.mtx", options);
}

/* The page that it shows and saves is the program's, byte for byte. */
TEST(test_same_report)
{
    web_open("#exchange?matrix=rajat01&machine=summit&parts=12%2C48&nodes=32&k=1%2C16");
    ns_value_free(web_answer());
    ns_value *page = browser_eval("return document.getElementById('exchange-part').answer.page");
    shell_ok("mkdir -p %s && cd %s && '%s' report --matrix rajat01 --machine summit --parts 12,48 --nodes 32 --k 1,16 "
             "-o nsmodel.html --json > nsmodel.json 2> /dev/null",
             cli_path("native"), cli_path("native"), shell_program());
    char *wanted = read_whole(cli_path("native/nsmodel.html"));
    ck_assert(strcmp(page->text, wanted) == 0);
    ns_value_free(page);
}

TEST(test_messages)
{
    FILE *file = fopen(cli_path("plan.csv"), "wb");
    ck_assert_ptr_nonnull(file);
    fputs("src,dst,bytes\n", file);
    for (int i = 0; i < 64; i++)
        fprintf(file, "%d,%d,%d\n%d,%d,%d\n", i, (i + 5) % 64, 4096 * (i + 1), i, (i + 31) % 64, 100 + i);
    ck_assert_int_eq(fclose(file), 0);
    web_open("#exchange");
    web_choose("matrix-file", cli_path("plan.csv"));
    web_type("parts", "64");
    web_submit("exchange");
    ns_value *answer = web_answer();
    ns_value *wanted =
        cli_json_with("predict --messages %s --machine lassen-spectrum --parts 64", cli_path("plan.csv"));
    compare(ns_value_at(answer, "predict.cases"), ns_value_get(wanted, "cases"), "cases", false);
    ns_value_free(answer);
}

TEST(test_own_machine)
{
    char line[600];
    shell_ok("sed 's/\"name\": \"lassen\"/\"name\": \"mine\"/' params/lassen.json > %s", cli_path("mine.json"));
    web_open("#exchange");
    web_choose("machine-file", cli_path("mine.json"));
    ck_assert_str_eq(browser_text("return document.getElementById('machine').value"), "mine.json");
    web_type("nodes", "");
    web_type("parts", "16");
    web_submit("exchange");
    snprintf(line, sizeof line, "predict --matrix rajat01 --machine %s --parts 16", cli_path("mine.json"));
    ns_value *answer = web_answer(), *wanted = cli_json(line);
    compare(ns_value_at(answer, "predict.cases"), ns_value_get(wanted, "cases"), "cases", false);
    ns_value_free(answer);
}

TEST_NEEDS(web_ready())
TEST_FIXTURE_ONCE(web_begin, browser_end)
TEST_TIMEOUT(240)
