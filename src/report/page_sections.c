/* page_sections.c -- what a report says in words and tables */
#include "report/page.h"

#include <stdio.h>
#include <string.h>

/* ---- the answer -------------------------------------------------------------------------------------------------- */

/* The texts of a list, a paragraph each. */
static void put_texts(const ns_page *page, const char *path, const char *class_name)
{
    const ns_value *list = ns_value_at(page->report, path);
    for (const ns_value *text = list != NULL ? list->first : NULL; text != NULL; text = text->next)
        ns_html_put(page->out, "<p class=\"%s\">%s</p>\n", class_name, text->text);
}

/* What `nsmodel predict` says first, in the same words: rows, advice, trust, the next command. */
ns_status ns_page_answer(ns_page *page)
{
    const ns_value *headings = ns_value_at(page->report, "predict.screen.headings");
    const ns_value *rows = ns_value_at(page->report, "predict.screen.rows"), *next;
    if (headings == NULL || rows == NULL)
        return NS_OK;
    const ns_value *names = headings->first;
    const bool machines = *ns_page_text(names, "machine") != '\0';
    const ns_html_column columns[] = {
        {"machine", "machine", false},
        {"parts", ns_page_text(names, "parts"), true},
        {"way", ns_page_text(names, "way"), false},
        {"time", ns_page_text(names, "time"), true},
        {"against", ns_page_text(names, "against"), false},
        {"may_lose", ns_page_text(names, "may_lose"), true},
        {"is_best", ns_page_text(names, "is_best"), true},
        {NULL, NULL, false},
    };
    const ns_html_look look = {.columns = machines ? columns : columns + 1,
                               .caption = ns_page_text(page->report, "predict.screen.title")};
    ns_html_put(page->out, "<p>%s</p>\n", ns_page_text(page->report, "predict.screen.against"));
    put_texts(page, "predict.screen.advice", "lede");
    ns_html_table_begin(page->out, &look);
    ns_html_table_rows(page->out, &look, NULL, rows);
    ns_html_table_end(page->out);
    put_texts(page, "predict.screen.trust", "trust");
    next = ns_value_at(page->report, "predict.screen.next");
    for (next = next != NULL ? next->first : NULL; next != NULL; next = next->next)
        ns_html_put(page->out, "<p>Next: <code>%s</code></p>\n", next->text);
    return NS_OK;
}

ns_status ns_page_warnings(ns_page *page)
{
    fputs("<ul class=\"warnings\">\n", page->out);
    for (const ns_value *line = ns_value_get(page->report, "warnings")->first; line != NULL; line = line->next)
        ns_html_put(page->out, "<li>%s</li>\n", line->text);
    fputs("</ul>\n", page->out);
    return NS_OK;
}

/* ---- strategies -------------------------------------------------------------------------------------------------- */

/* A range is worth a column when the machine gives standard errors. */
static bool has_intervals(const ns_value *one, size_t count)
{
    for (; count > 0 && one != NULL; count--, one = one->next) {
        const ns_value *rows = ns_value_get(one, "strategies");
        for (const ns_value *row = rows->first; row != NULL; row = row->next) {
            const ns_value *pair = ns_value_get(row, "interval_s");
            if (pair != NULL && pair->first != NULL && pair->first->number < pair->last->number)
                return true;
        }
    }
    return false;
}

enum { TERMS = 8 };
typedef struct terms {
    int count;
    int index[TERMS]; /* place among all terms, which gives the colour */
    char path[TERMS][64], name[TERMS][48];
} terms;

static bool is_paid(const ns_value *one, size_t count, const char *path)
{
    for (; count > 0 && one != NULL; count--, one = one->next)
        for (const ns_value *row = ns_value_get(one, "strategies")->first; row != NULL; row = row->next)
            if (ns_page_number(row, path, 0) > 0)
                return true;
    return false;
}

static void put_key(const ns_page *page, const terms *found)
{
    fputs("<p>The estimate is the sum of its shares:", page->out);
    for (int k = 0; k < found->count; k++)
        ns_html_put(page->out, "%s <span class=\"key share%d\">%s</span>", k > 0 ? "," : "",
                    found->index[k] % NS_HTML_SHARES, found->name[k]);
    fputs(".</p>\n", page->out);
}

/* First those of predict's table, under the same names and in the same digits. */
static void choose_columns(bool intervals, const terms *found, ns_html_column *columns)
{
    static const ns_html_column before[] = {
        {"way", "way", false},
        {"time", "time", true},
        {"range", "range", true},
        {"x best", "x best", true},
        {"P(best)", "P(best)", true},
        {"remark", "remark", false},
        {"published_s", "published", true},
        {"corrected_s", "corrected", true},
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        if (intervals || strcmp(before[i].path, "range") != 0)
            columns[count++] = before[i];
    for (int k = 0; k < found->count; k++)
        columns[count++] = (ns_html_column){found->path[k], found->name[k], true};
    columns[count++] = (ns_html_column){"messages_off_node_max", "most messages", true};
    columns[count] = (ns_html_column){NULL, NULL, false};
}

static void put_strategies(const ns_page *page, const ns_value *machine, const ns_value *one, size_t count)
{
    ns_html_column columns[TERMS + 10];
    char caption[200], heading[120];
    terms found;
    /* the terms that some strategy pays for: "terms.off_node_s" is called "off node" */
    int index = 0;
    const ns_value *all = one != NULL ? ns_value_at(ns_value_get(one, "strategies")->first, "terms") : NULL;
    found.count = 0;
    for (const ns_value *term = all != NULL ? all->first : NULL; term != NULL && found.count < TERMS;
         term = term->next, index++) {
        const int k = found.count;
        snprintf(found.path[k], sizeof found.path[k], "terms.%.50s", term->name);
        if (!is_paid(one, count, found.path[k]))
            continue;
        snprintf(found.name[k], sizeof found.name[k], "%.*s", (int)(strlen(term->name) - 2), term->name);
        for (char *c = found.name[k]; *c != '\0'; c++)
            *c = *c == '_' ? ' ' : *c;
        found.index[found.count++] = index;
    }
    choose_columns(has_intervals(one, count), &found, columns);
    put_key(page, &found);
    snprintf(caption, sizeof caption, "Every strategy on %.80s", ns_page_text(machine, "name"));
    const ns_html_look look = {.columns = columns, .caption = caption, .shares = "terms", .badge = "fastest"};
    ns_html_table_begin(page->out, &look);
    for (; count > 0 && one != NULL; count--, one = one->next) {
        const double nodes = ns_page_number(one, "nodes", 0);
        snprintf(heading, sizeof heading, "%.0f %s on %.0f %s", ns_page_number(one, "gpus", 0), ns_page_parts(machine),
                 nodes, nodes > 1 ? "nodes" : "node");
        ns_html_table_rows(page->out, &look, heading, ns_value_get(one, "strategies"));
    }
    ns_html_table_end(page->out);
}

ns_status ns_page_strategies(ns_page *page)
{
    size_t number = 0, count;
    for (const ns_value *m = ns_value_get(page->report, "machines")->first; m != NULL; m = m->next) {
        const ns_value *cases = ns_page_cases(page, number++, &count);
        put_strategies(page, m, cases, count);
    }
    return NS_OK;
}

ns_status ns_page_pattern(ns_page *page)
{
    static const ns_html_column columns[] = {
        {"gpus", "parts", true},
        {"machine", "machine", false},
        {"per_node", "a node", true},
        {"pattern.messages_total", "messages", true},
        {"pattern.messages_off_node", "messages off node", true},
        {"pattern.bytes_off_node", "bytes off node", true},
        {"pattern.unique_bytes_off_node", "if sent once a node", true},
        {"pattern.duplicate_fraction", "duplicates", true},
        {"pattern.s_proc", "most bytes of a part", true},
        {"pattern.s_node", "most bytes of a node", true},
        {"pattern.m_proc", "most messages of a part", true},
        {"pattern.m_node_node", "most messages between two nodes", true},
        {"pattern.recv_nodes", "most sending nodes", true},
        {NULL, NULL, false},
    };
    const ns_html_look look = {.columns = columns, .caption = "Exact counts of the exchange"};
    ns_html_table_begin(page->out, &look);
    ns_html_table_rows(page->out, &look, NULL, ns_value_at(page->report, "predict.cases"));
    ns_html_table_end(page->out);
    return NS_OK;
}

/* ---- NetSparse --------------------------------------------------------------------------------------------------- */

static void put_steps(const ns_page *page)
{
    static const ns_html_column columns[] = {
        {"step", "mechanism", false},
        {"traffic_reduction", "traffic reduction", true},
        {"speedup", "speedup", true},
        {"speedup_best", "commands hidden", true},
        {"goodput", "goodput", true},
        {"line_utilisation", "line used", true},
        {"prs", "requests of the tail node", true},
        {"prs_per_packet", "requests a packet", true},
        {"hit_rate", "cache hits", true},
        {"time_s", "time", true},
        {"limit", "limit", false},
        {NULL, NULL, false},
    };
    const ns_html_look look = {.columns = columns, .caption = "Ablation: what each mechanism adds, against SUOpt"};
    size_t count;
    const ns_value *one = ns_page_gathers(page, &count);
    ns_html_table_begin(page->out, &look);
    for (; count > 0; count--, one = one->next) {
        char heading[60];
        const double k = ns_page_number(one, "k", 0);
        snprintf(heading, sizeof heading, "K = %.0f %s a column", k, k > 1 ? "values" : "value");
        ns_html_table_rows(page->out, &look, heading, ns_value_get(one, "steps"));
    }
    ns_html_table_end(page->out);
}

/* A row of names and values from single values of one object. */
static void put_facts(const ns_page *page, const ns_value *object, const ns_html_column *facts)
{
    fputs("<dl>\n", page->out);
    for (; facts->path != NULL; facts++) {
        const ns_value *value = ns_value_at(object, facts->path);
        if (value == NULL)
            continue;
        ns_html_put(page->out, "<div><dt>%s</dt><dd>", facts->heading);
        ns_html_value(page->out, value);
        fputs("</dd></div>\n", page->out);
    }
    fputs("</dl>\n", page->out);
}

static void put_bounds(const ns_page *page)
{
    static const ns_html_column facts[] = {
        {"traffic_bytes.su", "traffic, SUOpt", true},
        {"traffic_bytes.sa", "traffic, sparsity-aware software", true},
        {"traffic_bytes.netsparse", "traffic, NetSparse", true},
        {"bounds.limit", "what limits the last step", false},
        {"bounds.speedup_most", "no schedule can pass a speedup of", true},
        {"bounds.computation_s", "computation of the slowest node, at least", true},
        {"bounds.computation_most_s", "computation of the slowest node, at most", true},
        {"bounds.ideal_speedup", "speedup without communication", true},
        {"bounds.end_to_end_su", "end to end, SUOpt", true},
        {"bounds.end_to_end_netsparse", "end to end, NetSparse", true},
        {"bounds.idx_filter_bytes", "Idx Filter of a node", true},
        {"bounds.concat_queue_bytes", "concatenation queues of a node", true},
        {"bounds.concat_queues_fit", "they fit", false},
        {NULL, NULL, false},
    };
    size_t count;
    const ns_value *one = ns_page_gathers(page, &count);
    for (; count > 0; count--, one = one->next) {
        char heading[60];
        snprintf(heading, sizeof heading, "Traffic and bounds, K = %.0f", ns_page_number(one, "k", 0));
        ns_html_put(page->out, "<h3>%s</h3>\n", heading);
        put_facts(page, one, facts);
    }
}

ns_status ns_page_netsparse(ns_page *page)
{
    static const ns_html_column facts[] = {
        {"nodes", "nodes, each a part", true},
        {"topology", "topology", false},
        {"machine", "machine", false},
        {"nonzeros", "nonzeros", true},
        {"requests", "requests", true},
        {"unique", "unique columns, over all nodes", true},
        {"su_redundant_per_useful", "redundant per useful, all columns to all", true},
        {"sa_redundant_per_useful", "redundant per useful, every request", true},
        {"destinations_per_window", "destinations of 64 requests", true},
        {"rack_shared_fraction", "shared within a rack", true},
        {"imbalance", "busiest node over mean", true},
        {NULL, NULL, false},
    };
    fputs("<p>The rows of the matrix ask for columns of other nodes. Gather commands, filters, coalescing, "
          "concatenation and caches in "
          "the network interface and the switches are counted entry by entry, and added one after the other.</p>\n",
          page->out);
    put_facts(page, ns_value_get(page->report, "netsparse"), facts);
    NS_TRY(ns_page_steps(page));
    put_steps(page);
    put_bounds(page);
    return NS_OK;
}

/* ---- provenance -------------------------------------------------------------------------------------------------- */

ns_status ns_page_inputs(ns_page *page)
{
    static const ns_html_column columns[] = {{"input", "input", false}, {"value", "value", false}, {NULL, NULL, false}};
    const ns_html_look look = {.columns = columns, .caption = "Inputs"};
    ns_html_table_begin(page->out, &look);
    ns_html_table_rows(page->out, &look, NULL, ns_value_get(page->report, "inputs"));
    ns_html_table_end(page->out);
    ns_html_put(
        page->out,
        "<p>The same page again:</p>\n<pre class=\"command\" tabindex=\"0\" aria-label=\"Command line\">%s</pre>\n",
        ns_page_text(page->report, "command"));
    return NS_OK;
}

ns_status ns_page_machines(ns_page *page)
{
    static const ns_html_column columns[] = {
        {"path", "parameter", false},
        {"value", "value", true},
        {"standard_error", "standard error", true},
        {"source", "where it comes from", false},
        {"doc", "what it is", false},
        {NULL, NULL, false},
    };
    for (const ns_value *m = ns_value_get(page->report, "machines")->first; m != NULL; m = m->next) {
        char caption[200];
        ns_html_put(page->out, "<h3>%s</h3>\n<p>%s. Source: %s. File: %s.</p>\n", ns_page_text(m, "name"),
                    ns_page_text(m, "title"), ns_page_text(m, "source"), ns_page_text(m, "file"));
        snprintf(caption, sizeof caption, "Parameters of %.100s", ns_page_text(m, "name"));
        const ns_html_look look = {.columns = columns, .caption = caption};
        ns_html_table_begin(page->out, &look);
        ns_html_table_rows(page->out, &look, NULL, ns_value_get(m, "parameters"));
        ns_html_table_end(page->out);
    }
    return NS_OK;
}

static void put_word(const ns_page *page, const char *word, const char *meaning)
{
    ns_html_put(page->out, "<div><dt>%s</dt><dd>%s</dd></div>\n", word, meaning);
}

/* Names and titles of the strategies, as the report has them, stand behind the transports. */
ns_status ns_page_words(ns_page *page)
{
    static const struct {
        const char *word, *meaning;
    } words[] = {
        {"part", "one GPU or process; it owns a block of rows and the columns of the same numbers"},
        {"via host, via device",
         "messages go through host memory, with copies from and to the GPUs, or straight between GPUs"},
        {"estimate", "the price of the messages and copies that the strategy performs for this pattern"},
        {"is the best",
         "how likely the strategy is to be the fastest, by the errors of estimates against measurements"},
        {"published", "the paper's closed form as printed, fed with the largest counts of the pattern"},
        {"corrected", "the same with what the printed form leaves out or gets wrong mended"},
        {"interval", "where the true time lies with the confidence that predict has: from the parameters' standard "
                     "errors and the form's own error"},
        {"verdict",
         "clear: the fastest is the best with 90 %; tie: that is less sure; extrapolated: messages larger than "
         "any that was measured"},
        {"SUOpt", "software in which every node sends all its columns to all others, at full line rate"},
        {"tail node", "the node that ends last"},
    };
    const ns_value *strategies = ns_value_get(page->report, "strategies");
    fputs("<dl class=\"words\">\n", page->out);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        put_word(page, words[i].word, words[i].meaning);
        for (const ns_value *s = i == 1 && strategies != NULL ? strategies->first : NULL; s != NULL; s = s->next)
            put_word(page, ns_page_text(s, "name"), ns_page_text(s, "title"));
    }
    fputs("</dl>\n", page->out);
    return NS_OK;
}
