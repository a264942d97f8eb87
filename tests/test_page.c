/* test_page.c -- nsmodel report as a text: what is refused, what is on the page, what is escaped, the same bytes
 * twice */
#include "support/choices.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/shell.h"

#include <check.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define SMALL "report --matrix stencil9:40x40 --gpus 4,8 --nodes 4 --k 16 "

/* The page of a command line; to be freed. */
static char *page_of(const char *line)
{
    char whole[2048];
    const char *path = cli_file("report.html", "before");
    snprintf(whole, sizeof whole, "%s -o %s", line, path);
    cli_result r = cli(whole);
    ck_assert_msg(r.code == 0, "nsmodel %s: %s", whole, r.err);
    cli_free(&r);
    return read_whole(path);
}

static void holds(const char *page, const char *what)
{
    ck_assert_msg(strstr(page, what) != NULL, "the page lacks: %s", what);
}

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

static const struct {
    const char *line;
    int code;
    const char *words;
} refusals[] = {
    {"report --matrix stencil9:40x40", 2, "report wants -o FILE.html"},
    {"report --matrix stencil9:40x40 -o build/page.pdf", 2,
     "-o wants a name that ends in .html, got \"build/page.pdf\""},
    {"report --matrix stencil9:40x40 -o ''", 2, "-o wants a name that ends in .html, got \"\""},
    {"report -o build/refused.html", 2, "report wants --matrix M"},
    {"report --matrix stencil9:9x9 --messages m.csv -o build/refused.html", 2, "--messages FILE.csv, not both"},
    {"report --matrix stencil9:9x9 --machine lassen, -o build/refused.html", 1, "holds an empty name"},
    {"report --matrix stencil9:9x9 --machine lasen -o build/refused.html", 1, "lassen"},
    {"report --matrix audikw_2 -o build/refused.html", 1, "audikw_1"},
    {"report --matrix stencil9:9x9 --gpus 0 -o build/refused.html", 1, "--gpus wants whole numbers from 1"},
    {"report --matrix stencil9:9x9 --nodes 0 -o build/refused.html", 1, "--nodes wants whole numbers from 1"},
    {"report --matrix stencil9:9x9 --k 0 -o build/refused.html", 1, "--k wants whole numbers from 1"},
    {"report --matrix stencil9:9x9 --netsparse lassen --nodes 2 -o build/refused.html", 1, "lassen"},
    {"report --matrix stencil9:9x9 --set host.x=1 -o build/refused.html", 1, "host.x"},
    {"report --matrix stencil9:9x9 extra -o build/refused.html", 2, "no use for \"extra\""},
    {"report --matrix stencil9:9x9 -o build/no-such-folder/page.html", 1,
     "build/no-such-folder/page.html: cannot be created"},
};

START_TEST(test_refused)
{
    struct stat facts;
    remove("build/refused.html");
    cli_result r = cli(refusals[_i].line);
    ck_assert_msg(r.code == refusals[_i].code, "%s: exit code %d: %s", refusals[_i].line, r.code, r.err);
    ck_assert_msg(strstr(r.err, refusals[_i].words) != NULL, "%s: %s", refusals[_i].line, r.err);
    ck_assert_uint_eq(times_in(r.err, "\n"), 1);
    ck_assert_str_eq(r.out, "");
    ck_assert_int_ne(stat("build/refused.html", &facts), 0);
    cli_free(&r);
}
END_TEST

START_TEST(test_folder_in_the_way)
{
    mkdir("build", 0777);
    mkdir("build/folder.html", 0777);
    cli_result r = cli(SMALL "-o build/folder.html");
    ck_assert_int_eq(r.code, 1);
    ck_assert_str_eq(r.err, "nsmodel: build/folder.html: is a folder\n");
    cli_free(&r);
    ck_assert_int_eq(rmdir("build/folder.html"), 0);
}
END_TEST

/* A disk that is full after 20 kB: the page that was there stays, and no piece of the new one. */
START_TEST(test_full_disk)
{
    char line[600];
    const struct rlimit most = {20000, 20000};
    const char *path = cli_file("kept.html", "the page before");
    snprintf(line, sizeof line, SMALL "-o %s", path);
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &most), 0);
    cli_result r = cli(line);
    ck_assert_int_eq(r.code, 1);
    ck_assert_ptr_nonnull(strstr(r.err, "kept.html: could not be written"));
    char *page = read_whole(path);
    ck_assert_str_eq(page, "the page before");
    free(page);
    cli_free(&r);
}
END_TEST

/* ---- content ----------------------------------------------------------------------------------------------------- */

START_TEST(test_same_bytes)
{
    char *once = page_of(SMALL), *again = page_of(SMALL), *dated = page_of(SMALL "--date '21 Thrimidge'");
    ck_assert_str_eq(once, again);
    ck_assert_ptr_null(strstr(once, "Thrimidge"));
    holds(dated, "<p>21 Thrimidge</p>");
    free(once);
    free(again);
    free(dated);
}
END_TEST

/* The page as it stands before its scripts. */
static char *markup_of(const char *line)
{
    char *page = page_of(line), *script = strstr(page, "<script>");
    ck_assert_ptr_nonnull(script);
    *script = '\0';
    return page;
}

START_TEST(test_needs_nothing_else)
{
    static const char *const outside[] = {" src=",   "href=\"http", "@import", "url(", "<link rel=\"stylesheet",
                                          "<iframe", "<object",     "style=\""};
    char *markup = markup_of(SMALL);
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        ck_assert_msg(strstr(markup, outside[i]) == NULL, "the page holds %s", outside[i]);
    holds(markup, "default-src &#39;none&#39;; script-src &#39;sha256-");
    holds(markup, "Permission is hereby granted, free of charge"); /* uPlot's licence */
    free(markup);
}
END_TEST

/* Every estimate of predict, in the order of its table, is in the page's tables. */
START_TEST(test_every_strategy)
{
    char text[80], cell[120];
    int rows = 0;
    ns_value *predict = cli_json("predict --matrix stencil9:40x40 --gpus 4,8");
    char *page = markup_of(SMALL), *at = strstr(page, "<section id=\"strategies\"");
    for (const ns_value *one = ns_value_get(predict, "cases")->first; one != NULL; one = one->next)
        for (const ns_value *row = ns_value_get(one, "strategies")->first; row != NULL; row = row->next, rows++) {
            ns_quantity_format(ns_value_get(row, "estimate_s")->number, (ns_dim){1, 0, 0}, 4, text, sizeof text);
            char *unit = strstr(text, " us");
            snprintf(cell, sizeof cell, "<td class=\"n\">%.*s%s</td>",
                     (int)(unit != NULL ? unit - text + 1 : (long)strlen(text)), text, unit != NULL ? "\xc2\xb5s" : "");
            at = strstr(at, cell);
            ck_assert_msg(at != NULL, "no %s", cell);
        }
    ck_assert_int_eq(rows, 2 * choices_on(NS_MACHINE_DEFAULT));
    ck_assert_uint_eq(times_in(page, " us<") + times_in(page, " us "), 0);
    holds(page, "4 GPUs on 1 node<");
    holds(page, "8 GPUs on 2 nodes");
    ns_value_free(predict);
    free(page);
}
END_TEST

START_TEST(test_sections)
{
    static const char *const sections[] = {"answer",    "warnings", "times",    "strategies", "pattern",
                                           "netsparse", "inputs",   "machines", "words"};
    char anchor[60], *page = markup_of(SMALL);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        snprintf(anchor, sizeof anchor, "<section id=\"%s\" aria-labelledby=\"h-%s\">", sections[i], sections[i]);
        holds(page, anchor);
        snprintf(anchor, sizeof anchor, "<a href=\"#%s\">", sections[i]);
        holds(page, anchor);
    }
    ck_assert_uint_eq(times_in(page, "<figure id="), 2);
    ck_assert_uint_eq(times_in(page, "<svg class=\"chart\""), 2);
    holds(page, "nsmodel report --matrix stencil9:40x40 --gpus 4,8 --nodes 4 --k 16 --output ");
    holds(page, "host.off-node.rendezvous.alpha");
    free(page);
}
END_TEST

/* The words explain the strategies that there are, and help names them in order. */
START_TEST(test_strategies_explained)
{
    const ns_strategy *list[NS_CHOICES];
    const size_t strategies = ns_strategies_by_rank(list, NS_CHOICES);
    char text[300], *page = markup_of(SMALL);
    cli_result help = cli("help predict");
    const char *at = strstr(help.out, "--strategy LIST");
    for (size_t i = 0; i < strategies; i++) {
        snprintf(text, sizeof text, "<dt>%s</dt><dd>%s</dd>", list[i]->name, list[i]->title);
        holds(page, text);
        at = at != NULL ? strstr(at, list[i]->name) : NULL; /* in this order; a long line breaks */
        ck_assert_msg(at != NULL, "help lacks %s", list[i]->name);
    }
    holds(help.out, "of host,device [all that the machine has]");
    cli_free(&help);
    free(page);
}
END_TEST

START_TEST(test_surrogate_says_so)
{
    char *page = markup_of("report --matrix thermal2 --gpus 8 --netsparse none");
    holds(page, "<li>surrogate: a generated stand-in for Schmid/thermal2");
    holds(page, "<h1>thermal2 (surrogate) on lassen-spectrum</h1>");
    holds(page, "source: surrogate");
    ck_assert_ptr_null(strstr(page, "<section id=\"netsparse\""));
    free(page);
}
END_TEST

START_TEST(test_what_if)
{
    char *page = markup_of(SMALL "--set host.injection.R_N=50GB/s --per-node 8");
    holds(page, "<li>What if: host.injection.R_N=50GB/s, which is not what the machine&#39;s file says.</li>");
    holds(page, "<li>note: 8 parts a node, but lassen-spectrum has 4 GPUs a node</li>");
    free(page);
}
END_TEST

START_TEST(test_messages)
{
    char line[400];
    const char *path = cli_file("m.csv", "src,dst,bytes\n0,1,100\n0,5,4096\n7,2,100000\n");
    snprintf(line, sizeof line, "report --messages %s", path);
    char *page = markup_of(line);
    holds(page, "<h1>Planned messages on lassen-spectrum</h1>");
    holds(page, "3 planned messages of 8 parts");
    ck_assert_ptr_null(strstr(page, "<section id=\"netsparse\""));
    free(page);
}
END_TEST

/* Lines run from left to right even so. */
START_TEST(test_parts_in_any_order)
{
    char *page = markup_of("report --matrix stencil9:40x40 --gpus 16,4,8 --netsparse none"),
         *ordered = strstr(page, "<figure id=");
    char *same = markup_of("report --matrix stencil9:40x40 --gpus 4,8,16 --netsparse none"),
         *wanted = strstr(same, "<figure id=");
    ck_assert(ordered != NULL && wanted != NULL);
    *strstr(ordered, "</figure>") = '\0';
    *strstr(wanted, "</figure>") = '\0';
    ck_assert_str_eq(ordered, wanted);
    free(page);
    free(same);
}
END_TEST

/* Nothing is sent: no time above zero is left to draw on a logarithmic axis. */
START_TEST(test_nothing_to_send)
{
    char line[400];
    const char *path =
        cli_file("diagonal.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 4\n1 1\n2 2\n3 3\n4 4\n");
    snprintf(line, sizeof line, "report --matrix %s --gpus 2,4 --nodes 2", path);
    char *page = markup_of(line);
    holds(page, "there is nothing to draw; no value lies above zero.");
    ck_assert_uint_eq(times_in(page, "<figure id="), 0);
    free(page);
}
END_TEST

/* How sure the best is: a sentence for each case, a column for each strategy, the decision with what is in use. */
START_TEST(test_decisions)
{
    static const char asked[] = "report --matrix stencil9:40x40 --gpus 4,8 --netsparse none --incumbent 3-step/host";
    char line[300];
    char *page = markup_of(asked);
    snprintf(line, sizeof line, "%s -o %s", asked, "build/decisions.html");
    ns_value *root = cli_json(line);
    const ns_value *row = ns_value_get(root, "summary")->first;
    int cases = 0;
    holds(page, "<ul class=\"decisions\">");
    holds(page, ">is the best</th>");
    holds(page, ">published</th>");
    holds(page, ">corrected</th>");
    for (const ns_value *c = ns_value_at(root, "predict.cases")->first; c != NULL;
         c = c->next, row = row->next, cases++) {
        const char *sentence = ns_value_get(c, "sentence")->text;
        snprintf(line, sizeof line, "<li>lassen-spectrum, %.200s", sentence);
        holds(page, line);
        ck_assert_ptr_nonnull(strstr(sentence, "three-step/host"));
        ck_assert_double_eq(ns_value_get(row, "p_best")->number, ns_value_at(c, "decision.p_best")->number);
        ck_assert_str_eq(ns_value_at(c, "decision.incumbent.strategy")->text, "three-step");
    }
    ck_assert_int_eq(cases, 2);
    ns_value_free(root);
    free(page);
}
END_TEST

START_TEST(test_answer_printed)
{
    char line[400];
    snprintf(line, sizeof line, SMALL "-o %s", cli_file("report.html", ""));
    ns_value *root = cli_json(line);
    ck_assert_str_eq(ns_value_at(root, "schema")->text, "nsmodel/report/1");
    ck_assert_str_eq(ns_value_at(root, "predict.schema")->text, "nsmodel/predict/1");
    ck_assert_str_eq(ns_value_at(root, "netsparse.schema")->text, "nsmodel/netsparse/1");
    const ns_value *first = ns_value_get(root, "summary")->first, *best = ns_value_at(root, "predict.cases")->first;
    ck_assert_str_eq(ns_value_get(first, "strategy")->text, ns_value_at(best, "best.strategy")->text);
    ck_assert_str_eq(ns_value_get(root, "machines")->first->first->text, NS_MACHINE_DEFAULT);
    ns_value_free(root);
    cli_result r = cli(line);
    ck_assert_ptr_nonnull(strstr(r.out, "page       "));
    ck_assert_ptr_nonnull(strstr(r.out, "over_standard"));
    cli_free(&r);
}
END_TEST

/* ---- escaping ---------------------------------------------------------------------------------------------------- */

static const struct {
    const char *title, *shown;
} titles[] = {
    {"a<b>&c\"d", "<h1>a&lt;b&gt;&amp;c&quot;d</h1>"},
    {"</title><script>alert(1)</script>", "<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>"},
    {"\xe2\x80\xae"
     "drawkcab",
     "<h1>\xef\xbf\xbd"
     "drawkcab</h1>"}, /* right-to-left override */
    {"bad \xff\xc3 utf", "<h1>bad \xef\xbf\xbd\xef\xbf\xbd utf</h1>"},
    {"bell \a and \x7f", "<h1>bell \xef\xbf\xbd and \xef\xbf\xbd</h1>"},
    {"next \xc2\x85 line", "<h1>next \xef\xbf\xbd line</h1>"}, /* a control of ISO 6429 */
    {"Gr\xc3\xb6\xc3\x9f"
     "e \xf0\x9f\x93\x88",
     "<h1>Gr\xc3\xb6\xc3\x9f"
     "e \xf0\x9f\x93\x88</h1>"},
    {"", "<h1>stencil9:40x40 on lassen-spectrum</h1>"},
    {"100 %s %d %n", "<h1>100 %s %d %n</h1>"},
};

START_TEST(test_escaped)
{
    char line[400];
    snprintf(line, sizeof line, SMALL "--netsparse none --title '%s'", titles[_i].title);
    char *page = page_of(line);
    holds(page, titles[_i].shown);
    ck_assert_uint_eq(times_in(page, "<script"), 3); /* one figure's data, uPlot, page.js */
    ck_assert_uint_eq(times_in(page, "</script>"), 3);
    free(page);
}
END_TEST

/* A title with quotes comes back from the command line shown on the page. */
START_TEST(test_command_line)
{
    char *page = page_of(SMALL "--title \"x\"");
    holds(page, "--title &#39;&quot;x&quot;&#39;");
    free(page);
}
END_TEST

/* ---- what comes along -------------------------------------------------------------------------------------------- */

START_TEST(test_third_party)
{
    shell_ok("cd third_party/uplot && sha256sum -c --strict SHA256SUMS");
    shell_ok("cd third_party/axe-core && sha256sum -c --strict SHA256SUMS");
    char *licenses = read_whole("LICENSES.md");
    holds(licenses, "third_party/uplot");
    holds(licenses, "third_party/axe-core");
    free(licenses);
}
END_TEST

/* One K stands at the top of netsparse's answer, several in a list. */
START_TEST(test_netsparse_plot_of_one_k)
{
    char line[300];
    const char *path = cli_file("one.gp", "");
    snprintf(line, sizeof line, "netsparse --matrix stencil9:40x40 --nodes 4 --k 16 --plot %s", path);
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0, "%s", r.err);
    char *script = read_whole(path);
    holds(script, "K = 16");
    free(script);
    cli_free(&r);
}
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("page");
    TCase *tc = tcase_create("report");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, test_refused, 0, sizeof refusals / sizeof *refusals);
    tcase_add_test(tc, test_folder_in_the_way);
    tcase_add_test(tc, test_full_disk);
    tcase_add_test(tc, test_same_bytes);
    tcase_add_test(tc, test_needs_nothing_else);
    tcase_add_test(tc, test_every_strategy);
    tcase_add_test(tc, test_sections);
    tcase_add_test(tc, test_strategies_explained);
    tcase_add_test(tc, test_surrogate_says_so);
    tcase_add_test(tc, test_what_if);
    tcase_add_test(tc, test_messages);
    tcase_add_test(tc, test_parts_in_any_order);
    tcase_add_test(tc, test_nothing_to_send);
    tcase_add_test(tc, test_decisions);
    tcase_add_test(tc, test_answer_printed);
    tcase_add_loop_test(tc, test_escaped, 0, sizeof titles / sizeof *titles);
    tcase_add_test(tc, test_command_line);
    tcase_add_test(tc, test_third_party);
    tcase_add_test(tc, test_netsparse_plot_of_one_k);
    suite_add_tcase(s, tc);
    return s;
}
