/* test_page.c -- nsmodel report as a text: what is on the page, the same bytes twice */
#include "core/memory.h"
#include "support/choices.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/page.h"
#include "support/shell.h"
#include "support/test.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* ---- content ----------------------------------------------------------------------------------------------------- */

TEST(test_same_bytes)
{
    char *once = page_of(PAGE_SMALL), *again = page_of(PAGE_SMALL),
         *dated = page_of(PAGE_SMALL "--date '21 Thrimidge'");
    ck_assert_str_eq(once, again);
    ck_assert_ptr_null(strstr(once, "Thrimidge"));
    page_holds(dated, "<p>21 Thrimidge</p>");
}

TEST(test_needs_nothing_else)
{
    static const char *const outside[] = {" src=",   "href=\"http", "@import", "url(", "<link rel=\"stylesheet",
                                          "<iframe", "<object",     "style=\""};
    char *markup = page_markup_of(PAGE_SMALL);
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        ck_assert_msg(strstr(markup, outside[i]) == NULL, "the page holds %s", outside[i]);
    page_holds(markup, "default-src &#39;none&#39;; script-src &#39;sha256-");
    page_holds(markup, "Permission is hereby granted, free of charge"); /* uPlot's licence */
}

/* Every estimate of predict, in the order of its table, is in the page's tables. */
TEST(test_every_strategy)
{
    char text[80], cell[120];
    int rows = 0;
    ns_value *predict = cli_json("predict --matrix stencil9:40x40 --gpus 4,8");
    char *page = page_markup_of(PAGE_SMALL), *at = strstr(page, "<section id=\"strategies\"");
    for (const ns_value *one = ns_value_get(predict, "cases")->first; one != NULL; one = one->next)
        for (const ns_value *row = ns_value_get(one, "strategies")->first; row != NULL; row = row->next, rows++) {
            ns_quantity_format(ns_value_get(row, "estimate_s")->number, (ns_dim){1, 0, 0}, 3, text, sizeof text);
            char *unit = strstr(text, " us");
            snprintf(cell, sizeof cell, "<td class=\"n\">%.*s%s</td>",
                     (int)(unit != NULL ? unit - text + 1 : (long)strlen(text)), text, unit != NULL ? "\xc2\xb5s" : "");
            at = strstr(at, cell);
            ck_assert_msg(at != NULL, "no %s", cell);
        }
    ck_assert_int_eq(rows, 2 * choices_on(NS_MACHINE_DEFAULT));
    ck_assert_uint_eq(times_in(page, " us<") + times_in(page, " us "), 0);
    page_holds(page, "4 GPUs on 1 node<");
    page_holds(page, "8 GPUs on 2 nodes");
}

TEST(test_sections)
{
    static const char *const sections[] = {"answer",    "warnings", "times",    "strategies", "pattern",
                                           "netsparse", "inputs",   "machines", "words"};
    char anchor[60], *page = page_markup_of(PAGE_SMALL);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        snprintf(anchor, sizeof anchor, "<section id=\"%s\" aria-labelledby=\"h-%s\">", sections[i], sections[i]);
        page_holds(page, anchor);
        snprintf(anchor, sizeof anchor, "<a href=\"#%s\">", sections[i]);
        page_holds(page, anchor);
    }
    ck_assert_uint_eq(times_in(page, "<figure id="), 2);
    ck_assert_uint_eq(times_in(page, "<svg class=\"chart\""), 2);
    page_holds(page, "nsmodel report --matrix stencil9:40x40 --gpus 4,8 --nodes 4 --k 16 --output ");
    page_holds(page, "host.off-node.rendezvous.alpha");
}

/* The words explain the strategies that there are, and help names them in order. */
TEST(test_strategies_explained)
{
    const ns_strategy *list[NS_CHOICES];
    const size_t strategies = ns_strategies_by_rank(list, NS_CHOICES);
    char text[300], *page = page_markup_of(PAGE_SMALL);
    cli_result help = cli("help predict");
    const char *at = strstr(help.out, "--strategy LIST");
    for (size_t i = 0; i < strategies; i++) {
        snprintf(text, sizeof text, "<dt>%s</dt><dd>%s</dd>", list[i]->name, list[i]->title);
        page_holds(page, text);
        at = at != NULL ? strstr(at, list[i]->name) : NULL; /* in this order; a long line breaks */
        ck_assert_msg(at != NULL, "help lacks %s", list[i]->name);
    }
    page_holds(help.out, "of host,device [all that the machine has]");
}

TEST(test_surrogate_says_so)
{
    char *page = page_markup_of("report --matrix thermal2 --gpus 8 --netsparse none");
    page_holds(page, "<li>surrogate: a generated stand-in for Schmid/thermal2");
    page_holds(page, "<h1>thermal2 (surrogate) on lassen-spectrum</h1>");
    page_holds(page, "source: surrogate");
    ck_assert_ptr_null(strstr(page, "<section id=\"netsparse\""));
}

TEST(test_what_if)
{
    char *page = page_markup_of(PAGE_SMALL "--set host.injection.R_N=50GB/s --per-node 8");
    page_holds(page, "<li>What if: host.injection.R_N=50GB/s, which is not what the machine&#39;s file says.</li>");
    page_holds(page, "<li>note: 8 parts a node, but lassen-spectrum has 4 GPUs a node</li>");
}

TEST(test_messages)
{
    char line[400];
    const char *path = cli_file("m.csv", "src,dst,bytes\n0,1,100\n0,5,4096\n7,2,100000\n");
    snprintf(line, sizeof line, "report --messages %s", path);
    char *page = page_markup_of(line);
    page_holds(page, "<h1>Planned messages on lassen-spectrum</h1>");
    page_holds(page, "3 planned messages of 8 parts");
    ck_assert_ptr_null(strstr(page, "<section id=\"netsparse\""));
}

/* Lines run from left to right even so. */
TEST(test_parts_in_any_order)
{
    char *page = page_markup_of("report --matrix stencil9:40x40 --gpus 16,4,8 --netsparse none"),
         *ordered = strstr(page, "<figure id=");
    char *same = page_markup_of("report --matrix stencil9:40x40 --gpus 4,8,16 --netsparse none"),
         *wanted = strstr(same, "<figure id=");
    ck_assert(ordered != NULL && wanted != NULL);
    *strstr(ordered, "</figure>") = '\0';
    *strstr(wanted, "</figure>") = '\0';
    ck_assert_str_eq(ordered, wanted);
}

/* Nothing is sent: no time above zero is left to draw on a logarithmic axis. */
TEST(test_nothing_to_send)
{
    char line[400];
    const char *path =
        cli_file("diagonal.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 4\n1 1\n2 2\n3 3\n4 4\n");
    snprintf(line, sizeof line, "report --matrix %s --gpus 2,4 --nodes 2", path);
    char *page = page_markup_of(line);
    page_holds(page, "there is nothing to draw; no value lies above zero.");
    ck_assert_uint_eq(times_in(page, "<figure id="), 0);
}

/* How sure the best is: a sentence for each case, a column for each strategy, the decision with what is in use. */
TEST(test_decisions)
{
    static const char asked[] = "report --matrix stencil9:40x40 --gpus 4,8 --netsparse none --incumbent 3-step/host";
    char *page = page_markup_of(asked);
    ns_value *root = cli_json_with("%s -o %s", asked, cli_file("decisions.html", ""));
    const ns_value *row = ns_value_get(root, "summary")->first;
    int cases = 0;
    page_holds(page, ">P(best)</th>");
    page_holds(page, "<p>against three-step/host, in use</p>");
    page_holds(page, ns_value_at(root, "predict.screen.advice")->first->text);
    page_holds(page, ns_value_at(root, "predict.screen.trust")->first->text);
    page_holds(page, ns_value_at(root, "predict.screen.next")->first->text);
    page_holds(page, ">published</th>");
    page_holds(page, ">corrected</th>");
    for (const ns_value *c = ns_value_at(root, "predict.cases")->first; c != NULL;
         c = c->next, row = row->next, cases++) {
        const char *sentence = ns_value_get(c, "sentence")->text;
        ck_assert_ptr_nonnull(strstr(sentence, "three-step/host"));
        ck_assert_double_eq(ns_value_get(row, "p_best")->number, ns_value_at(c, "decision.p_best")->number);
        ck_assert_str_eq(ns_value_at(c, "decision.incumbent.strategy")->text, "three-step");
    }
    ck_assert_int_eq(cases, 2);
    /* machines of which the same is said are named together */
    page = page_markup_of("report --matrix stencil9:40x40 --gpus 8 --machine lassen,summit");
    page_holds(page, "<p class=\"lede\">On lassen and summit: ");
    ck_assert_ptr_null(strstr(page, "NetSparse"));
}

TEST(test_answer_printed)
{
    char line[400];
    snprintf(line, sizeof line, PAGE_SMALL "-o %s", cli_file("report.html", ""));
    ns_value *root = cli_json(line);
    ck_assert_str_eq(ns_value_at(root, "schema")->text, "nsmodel/report/1");
    ck_assert_str_eq(ns_value_at(root, "predict.schema")->text, "nsmodel/predict/1");
    ck_assert_str_eq(ns_value_at(root, "netsparse.schema")->text, "nsmodel/netsparse/1");
    const ns_value *first = ns_value_get(root, "summary")->first, *best = ns_value_at(root, "predict.cases")->first;
    ck_assert_str_eq(ns_value_get(first, "strategy")->text, ns_value_at(best, "best.strategy")->text);
    ck_assert_str_eq(ns_value_get(root, "machines")->first->first->text, NS_MACHINE_DEFAULT);
    cli_result r = cli(line);
    ck_assert_ptr_nonnull(strstr(r.out, "page       "));
    ck_assert_ptr_nonnull(strstr(r.out, "over_standard"));
}

/* ---- what comes along -------------------------------------------------------------------------------------------- */

/* A term's colour in the key is that of its part of the bars, and the style has it. */
TEST(test_colours_of_shares)
{
    static const char begin[] = "<span class=\"key share";
    char *page = page_of(PAGE_SMALL), text[80];
    int keys = 0;
    for (const char *at = page; (at = strstr(at, begin)) != NULL; keys++) {
        const int number = atoi(at += strlen(begin));
        snprintf(text, sizeof text, ".key.share%d {", number);
        page_holds(page, text);
        snprintf(text, sizeof text, ".share%d { fill:", number);
        page_holds(page, text);
        snprintf(text, sizeof text, "<rect class=\"share%d\"", number);
        page_holds(page, text);
    }
    ck_assert_int_ge(keys, 4);
}

TEST(test_third_party)
{
    shell_ok("cd third_party/uplot && sha256sum -c --strict SHA256SUMS");
    shell_ok("cd third_party/axe-core && sha256sum -c --strict SHA256SUMS");
    char *licenses = read_whole("LICENSES.md");
    page_holds(licenses, "third_party/uplot");
    page_holds(licenses, "third_party/axe-core");
}

/* One K stands at the top of netsparse's answer, several in a list. */
TEST(test_netsparse_plot_of_one_k)
{
    const char *path = cli_file("one.gp", "");
    cli_result r = cli_with("netsparse --matrix stencil9:40x40 --nodes 4 --k 16 --plot %s", path);
    ck_assert_msg(r.code == 0, "%s", r.err);
    char *script = read_whole(path);
    page_holds(script, "K = 16");
}
