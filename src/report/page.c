/* page.c -- a report as one page that needs nothing else: no network, no scripts, no light background
 *
 * Order: what is read first comes first.  The sections' table drives the headings and the navigation.
 */
#include "report/page.h"
#include "report/report.h"

#include <math.h>
#include <string.h>

/* ---- reading the tree -------------------------------------------------------------------------------------------- */

const char *ns_page_text(const ns_value *object, const char *path)
{
    const ns_value *value = object != NULL ? ns_value_at(object, path) : NULL;
    return value != NULL && value->kind == NS_TEXT ? value->text : "";
}

double ns_page_number(const ns_value *object, const char *path, double otherwise)
{
    const ns_value *value = object != NULL ? ns_value_at(object, path) : NULL;
    return value != NULL && value->kind == NS_NUMBER ? value->number : otherwise;
}

size_t ns_page_count(const ns_value *list)
{
    size_t count = 0;
    for (const ns_value *child = list != NULL ? list->first : NULL; child != NULL; child = child->next)
        count++;
    return count;
}

const ns_value *ns_page_cases(const ns_page *page, size_t machine, size_t *count)
{
    const ns_value *cases = ns_value_at(page->report, "predict.cases");
    const size_t machines = ns_page_count(ns_value_get(page->report, "machines"));
    *count = machines > 0 ? ns_page_count(cases) / machines : 0;
    const ns_value *one = cases != NULL ? cases->first : NULL;
    for (size_t skip = machine * *count; skip > 0 && one != NULL; skip--)
        one = one->next;
    return one;
}

const ns_value *ns_page_gathers(const ns_page *page, size_t *count)
{
    const ns_value *answer = ns_value_get(page->report, "netsparse"), *cases = ns_value_get(answer, "cases");
    *count = cases != NULL ? ns_page_count(cases) : 1; /* one K: its keys stand at the top */
    return cases != NULL ? cases->first : answer;
}

const char *ns_page_parts(const ns_value *machine)
{
    const ns_value *list = machine != NULL ? ns_value_get(machine, "parameters") : NULL;
    for (const ns_value *p = list != NULL ? list->first : NULL; p != NULL; p = p->next)
        if (strcmp(ns_page_text(p, "path"), "topology.gpus") == 0)
            return ns_page_number(p, "value", 0) > 0 ? "GPUs" : "processes";
    return "processes";
}

/* ---- sections ---------------------------------------------------------------------------------------------------- */

static const struct section {
    const char *id, *heading;
    const char *needs; /* a list or object of the tree that has to be there and not empty, or NULL */
    ns_status (*write)(ns_page *page);
} sections[] = {
    {"answer", "The answer", NULL, ns_page_answer},
    {"warnings", "What to keep in mind", "warnings", ns_page_warnings},
    {"times", "Time of one exchange", NULL, ns_page_times},
    {"strategies", "Every strategy", NULL, ns_page_strategies},
    {"pattern", "What is exchanged", NULL, ns_page_pattern},
    {"netsparse", "What in-network hardware would change", "netsparse", ns_page_netsparse},
    {"inputs", "Inputs and where they come from", NULL, ns_page_inputs},
    {"machines", "Machine parameters", NULL, ns_page_machines},
    {"words", "Words", NULL, ns_page_words},
};
enum { SECTIONS = sizeof sections / sizeof *sections };

static bool is_there(const ns_page *page, const struct section *s)
{
    const ns_value *needed = s->needs != NULL ? ns_value_get(page->report, s->needs) : NULL;
    return s->needs == NULL || (needed != NULL && needed->first != NULL);
}

static ns_status put_sections(ns_page *page)
{
    fputs("<main id=\"main\">\n", page->out);
    for (int i = 0; i < SECTIONS; i++) {
        if (!is_there(page, &sections[i]))
            continue;
        ns_html_put(page->out, "<section id=\"%s\" aria-labelledby=\"h-%s\">\n<h2 id=\"h-%s\">%s</h2>\n",
                    sections[i].id, sections[i].id, sections[i].id, sections[i].heading);
        NS_TRY(sections[i].write(page));
        fputs("</section>\n", page->out);
    }
    fputs("</main>\n", page->out);
    return NS_OK;
}

/* ---- the frame --------------------------------------------------------------------------------------------------- */

ns_status ns_report_html(const ns_value *report, FILE *out, ns_error *err)
{
    ns_page page = {.out = out, .report = report, .err = err};
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", page.out);
    ns_html_put(page.out, "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n", ns_page_file("policy.txt"));
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" "
          "content=\"light dark\">\n",
          page.out);
    ns_html_put(
        page.out,
        "<meta name=\"generator\" content=\"nsmodel %s\">\n<link rel=\"icon\" href=\"data:,\">\n<title>%s</title>\n",
        ns_page_text(page.report, "version"), ns_page_text(page.report, "title"));
    fprintf(page.out, "<style>%s</style>\n<style>%s</style>\n</head>\n", ns_page_file("uPlot.min.css"),
            ns_page_file("page.css"));
    const char *date = ns_page_text(page.report, "date");
    fputs("<body>\n<a class=\"skip\" href=\"#main\">Skip to the answer</a>\n<header>\n", page.out);
    ns_html_put(page.out, "<h1>%s</h1>\n<p>%s</p>\n", ns_page_text(page.report, "title"),
                ns_page_text(page.report, "subtitle"));
    if (*date != '\0')
        ns_html_put(page.out, "<p>%s</p>\n", date);
    fputs("</header>\n", page.out);
    fputs("<nav aria-label=\"Sections\"><ul>\n", page.out);
    for (int i = 0; i < SECTIONS; i++)
        if (is_there(&page, &sections[i]))
            ns_html_put(page.out, "<li><a href=\"#%s\">%s</a></li>\n", sections[i].id, sections[i].heading);
    fputs("</ul></nav>\n", page.out);
    NS_TRY(put_sections(&page));
    ns_html_put(page.out, "<footer>\n<p>Made by nsmodel %s: closed forms on exact counts, nothing simulated.</p>\n",
                ns_page_text(page.report, "version"));
    fprintf(page.out,
            "<details><summary>Licence of uPlot, the chart library in this "
            "page</summary><pre>%s</pre></details>\n</footer>\n",
            ns_page_file("LICENSE"));
    fprintf(page.out, "<script>%s</script>\n<script>%s</script>\n</body>\n</html>\n", ns_page_file("uPlot.iife.min.js"),
            ns_page_file("page.js"));
    return NS_OK; /* whoever owns the stream asks it whether all went well, and knows its name */
}
