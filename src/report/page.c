/* page.c -- a report as one page that needs nothing else: no network, no scripts, no light background
 *
 * Sections are in reading order.  Their table determines the headings and the navigation.
 */
#include "report/page.h"
#include "core/memory.h"
#include "core/own.h"
#include "report/html.h"
#include "report/report.h"

#include <math.h>
#include <stdio.h>
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

static const ns_value *nth(const ns_value *list, size_t index)
{
    const ns_value *one = list != NULL ? list->first : NULL;
    while (one != NULL && index-- > 0)
        one = one->next;
    return one;
}

/* The cases of the m-th machine are the m-th block of predict's cases. */
static const ns_value *cases_of(const ns_page *page, size_t machine, size_t *count)
{
    const ns_value *cases = ns_value_at(page->report, "predict.cases");
    const size_t machines = ns_page_count(ns_value_get(page->report, "machines"));
    *count = machines > 0 ? ns_page_count(cases) / machines : 0;
    return nth(cases, machine * *count);
}

/* NetSparse's cases, one for each K. */
static const ns_value *gathers_of(const ns_page *page, size_t *count)
{
    const ns_value *answer = ns_value_get(page->report, "netsparse"), *cases = ns_value_get(answer, "cases");
    *count = cases != NULL ? ns_page_count(cases) : 1; /* a single K: its keys are at the top level */
    return cases != NULL ? cases->first : answer;
}

/* "GPUs", or "processes" for a machine without them. */
static const char *parts_word(const ns_value *machine)
{
    const ns_value *list = machine != NULL ? ns_value_get(machine, "parameters") : NULL;
    for (const ns_value *p = list != NULL ? list->first : NULL; p != NULL; p = p->next)
        if (strcmp(ns_page_text(p, "path"), "topology.gpus") == 0)
            return ns_page_number(p, "value", 0) > 0 ? "GPUs" : "processes";
    return "processes";
}

/* ---- tables that a screen reader can navigate: captions, headings with their scope, groups of rows --------------- */

typedef struct page_column {
    const char *path; /* keys from a row down: "terms.copy_s"; the first column is the row header */
    const char *heading;
    bool number; /* right-aligned */
} page_column;

typedef struct page_look {
    const page_column *columns; /* closed by a NULL path */
    const char *caption;
    const char *shares; /* an object of times, drawn as a bar at the end of each row, or NULL */
    const char *badge;  /* for marked rows, or NULL */
} page_look;

static const char table_end[] = "</table>\n</div>\n";

/* Number of colours of shares in page.css, for the bars and the key. */
enum { SHARES = 8 };

/* A table is begun, receives groups of rows, and is ended. */
static void table_begin(FILE *out, const page_look *look)
{
    ns_html_put(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n<table>\n",
                look->caption);
    ns_html_put(out, "<caption>%s</caption>\n<thead><tr>", look->caption);
    for (const page_column *c = look->columns; c->path != NULL; c++)
        ns_html_put(out, c->number ? "<th scope=\"col\" class=\"n\">%s</th>" : "<th scope=\"col\">%s</th>", c->heading);
    fputs(look->shares != NULL ? "<th scope=\"col\">shares</th>" : "", out);
    fputs("</tr></thead>\n", out);
}

static double time_of(const ns_value *value)
{
    return value != NULL && value->kind == NS_NUMBER && value->number > 0 ? value->number : 0;
}

/* heading is above the rows, or NULL. */
static void table_rows(FILE *out, const page_look *look, const char *heading, const ns_value *rows)
{
    double most = 0;
    for (const ns_value *row = look->shares != NULL ? rows->first : NULL; row != NULL; row = row->next) {
        double sum = 0;
        const ns_value *terms = ns_value_at(row, look->shares);
        for (const ns_value *term = terms != NULL ? terms->first : NULL; term != NULL; term = term->next)
            sum += time_of(term);
        most = fmax(most, sum);
    }
    fputs("<tbody>\n", out);
    size_t count = look->shares != NULL;
    for (const page_column *c = look->columns; c->path != NULL; c++)
        count++;
    if (heading != NULL)
        ns_html_put(out, "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"%d\">%s</th></tr>\n", (int)count,
                    heading);
    for (const ns_value *row = rows->first; row != NULL; row = row->next) {
        const bool marked = (row->flags & NS_V_MARK) != 0;
        fputs(marked ? "<tr class=\"best\">" : "<tr>", out);
        for (const page_column *c = look->columns; c->path != NULL; c++) {
            const bool heads = c == look->columns;
            fputs(heads ? "<th scope=\"row\"" : "<td", out);
            fputs(c->number ? " class=\"n\">" : ">", out);
            ns_html_value(out, ns_value_at(row, c->path));
            if (heads && marked && look->badge != NULL)
                ns_html_put(out, " <span class=\"badge\">%s</span>", look->badge);
            fputs(heads ? "</th>" : "</td>", out);
        }
        if (look->shares != NULL) {
            /* One hundred units are the longest row of the group.  Screen readers skip the bar, since its numbers are
             * in the columns. */
            const ns_value *terms = ns_value_at(row, look->shares);
            double at = 0;
            int part = 0;
            fputs("<td><svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">",
                  out);
            for (const ns_value *term = terms != NULL ? terms->first : NULL; term != NULL && most > 0;
                 term = term->next, part++) {
                const double width = 100 * time_of(term) / most;
                ns_html_put(out, "<rect class=\"share%d\" x=\"%f\" y=\"0\" width=\"%f\" height=\"10\"/>", part % SHARES,
                            at, width);
                at += width;
            }
            fputs("</svg></td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody>\n", out);
}

/* A table of one group of rows. */
static void put_table(FILE *out, const page_look *look, const ns_value *rows)
{
    table_begin(out, look);
    table_rows(out, look, NULL, rows);
    fputs(table_end, out);
}

/* ---- the figures of a report: times of the strategies on each machine, machines side by side, NetSparse's
 * steps */

typedef struct curves {
    size_t lines, points;
    double *x, *y, *lo, *hi; /* [points]; followed by [lines * points], one block each */
    char (*label)[96];
    ns_series *series;
    const char **tick;
} curves;

static void curves_close(curves *c)
{
    ns_free(c->x);
    ns_free(c->label);
    ns_free(c->series);
    ns_free(c->tick);
}

static ns_status curves_open(size_t lines, size_t points, curves *c, ns_error *err)
{
    const size_t all = ns_size_mul(lines, points);
    *c = (curves){.lines = lines,
                  .points = points,
                  .x = ns_calloc(ns_size_add(ns_size_add(points, ns_size_mul(all, 3)), 1), sizeof *c->x),
                  .label = ns_calloc(ns_size_add(lines, 1), sizeof *c->label),
                  .series = ns_calloc(ns_size_add(lines, 1), sizeof *c->series),
                  .tick = ns_calloc(ns_size_add(points, 1), sizeof *c->tick)};
    if (c->x == NULL || c->label == NULL || c->series == NULL || c->tick == NULL)
        return ns_no_memory(err);
    c->y = c->x + points;
    c->lo = c->y + all;
    c->hi = c->lo + all;
    return NS_OK;
}

static double *set_line(curves *c, size_t line, int colour, bool dashed)
{
    double *y = c->y + line * c->points;
    c->series[line] = (ns_series){
        .label = c->label[line], .colour = colour, .dashed = dashed, .points = c->points, .x = c->x, .y = y};
    return y;
}

/* An estimate with its interval. */
static void set_point(curves *c, size_t line, size_t i, const ns_value *row, double *y)
{
    const ns_value *pair = row != NULL ? ns_value_get(row, "interval_s") : NULL;
    y[i] = ns_page_number(row, "estimate_s", NAN);
    if (pair == NULL || pair->first == NULL || pair->last->kind != NS_NUMBER)
        return;
    c->lo[line * c->points + i] = pair->first->number;
    c->hi[line * c->points + i] = pair->last->number;
}

/* ---- one machine: a line per strategy and transport -------------------------------------------------------------- */

static ns_status put_times(ns_page *page, curves *c, const char *title, const char *x_label, const char *parts)
{
    /* lines run from left to right, regardless of the order in which the numbers of parts were given */
    for (size_t i = 1; i < c->points; i++)
        for (size_t k = i; k > 0 && c->x[k] < c->x[k - 1]; k--) {
            double *list = c->x; /* then y, lo and hi of every line, each of the same length */
            for (size_t lists = 1 + 3 * c->lines; lists > 0; lists--, list += c->points) {
                const double held = list[k];
                list[k] = list[k - 1];
                list[k - 1] = held;
            }
        }
    const ns_html_figure figure = {.chart = {.title = title,
                                             .x_label = x_label,
                                             .y_label = "time of one exchange",
                                             .log_x = true,
                                             .log_y = true,
                                             .series = c->lines,
                                             .of = c->series},
                                   .dim = NS_SECOND,
                                   .x_name = parts,
                                   .lo = c->lo,
                                   .hi = c->hi,
                                   .best = "fastest",
                                   .values = "the tables of strategies",
                                   .number = page->figures++};
    return ns_html_figure_write(page->out, &figure, page->err);
}

static ns_status ns_page_times(ns_page *page)
{
    size_t number = 0;
    const ns_value *machines = ns_value_get(page->report, "machines");
    fputs("<p>Estimate: the price of the messages and copies that a strategy really performs for this pattern.</p>\n",
          page->out);
    if (machines->first != machines->last) { /* compare the machines: the fastest way of each */
        NS_CLOSE(curves_close) curves c = {0};
        size_t count, m = 0;
        (void)cases_of(page, 0, &count);
        NS_TRY(curves_open(ns_page_count(machines), count, &c, page->err));
        for (const ns_value *machine = machines->first; machine != NULL; machine = machine->next, m++) {
            const ns_value *one = cases_of(page, m, &count);
            double *y = set_line(&c, m, (int)m, m % 2 == 1);
            snprintf(c.label[m], sizeof *c.label, "%.80s", ns_page_text(machine, "name"));
            for (size_t i = 0; i < count && one != NULL; i++, one = one->next) {
                c.x[i] = ns_page_number(one, "gpus", NAN);
                const ns_value *best = NULL, *rows = ns_value_get(one, "strategies");
                for (const ns_value *row = rows != NULL ? rows->first : NULL; row != NULL; row = row->next)
                    if (best == NULL ||
                        ns_page_number(row, "estimate_s", INFINITY) < ns_page_number(best, "estimate_s", INFINITY))
                        best = row;
                set_point(&c, m, i, best, y);
            }
        }
        NS_TRY(put_times(page, &c, "The fastest strategy of each machine", "parts", "parts"));
    }
    for (const ns_value *machine = machines->first; machine != NULL; machine = machine->next) {
        char title[200], x_label[80];
        NS_CLOSE(curves_close) curves c = {0};
        size_t count;
        const ns_value *cases = cases_of(page, number++, &count);
        if (cases != NULL) {
            NS_TRY(curves_open(ns_page_count(ns_value_get(cases, "strategies")), count, &c, page->err));
            int colour = -1;
            const char *before = NULL;
            const ns_value *one = cases;
            for (size_t i = 0; i < c.points; i++, one = one->next)
                c.x[i] = ns_page_number(one, "gpus", NAN);
            for (size_t k = 0; k < c.lines; k++) {
                const ns_value *row = nth(ns_value_get(cases, "strategies"), k);
                const char *strategy = ns_page_text(row, "strategy"), *transport = ns_page_text(row, "transport");
                colour += before == NULL || strcmp(strategy, before) != 0;
                before = strategy;
                snprintf(c.label[k], sizeof *c.label, "%s, %s", strategy, transport);
                double *y = set_line(&c, k, colour, strcmp(transport, "device") == 0);
                one = cases;
                for (size_t i = 0; i < c.points; i++, one = one->next)
                    set_point(&c, k, i, nth(ns_value_get(one, "strategies"), k), y);
            }
            snprintf(title, sizeof title, "Estimated time of one exchange on %.80s", ns_page_text(machine, "name"));
            snprintf(x_label, sizeof x_label, "%s (%.0f a node)", parts_word(machine),
                     ns_page_number(cases, "per_node", 1));
            NS_TRY(put_times(page, &c, title, x_label, parts_word(machine)));
        }
    }
    return NS_OK;
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

/* The texts of a list, each between two tags. */
static void put_texts(const ns_page *page, const char *path, const char *before, const char *after)
{
    const ns_value *list = ns_value_at(page->report, path);
    for (const ns_value *text = list != NULL ? list->first : NULL; text != NULL; text = text->next) {
        fputs(before, page->out);
        ns_html_put(page->out, "%s", text->text);
        fputs(after, page->out);
    }
}

/* The first screen of `nsmodel predict`, in the same words: rows, advice, trust, the next command. */
static ns_status ns_page_answer(ns_page *page)
{
    const ns_value *headings = ns_value_at(page->report, "predict.screen.headings");
    const ns_value *rows = ns_value_at(page->report, "predict.screen.rows");
    if (headings == NULL || rows == NULL)
        return NS_OK;
    const ns_value *names = headings->first;
    const bool machines = *ns_page_text(names, "machine") != '\0';
    const page_column columns[] = {
        {"machine", "machine", false},
        {"parts", ns_page_text(names, "parts"), true},
        {"way", ns_page_text(names, "way"), false},
        {"time", ns_page_text(names, "time"), true},
        {"against", ns_page_text(names, "against"), false},
        {"may_lose", ns_page_text(names, "may_lose"), true},
        {"is_best", ns_page_text(names, "is_best"), true},
        {NULL, NULL, false},
    };
    const page_look look = {.columns = machines ? columns : columns + 1,
                            .caption = ns_page_text(page->report, "predict.screen.title")};
    ns_html_put(page->out, "<p>%s</p>\n", ns_page_text(page->report, "predict.screen.against"));
    put_texts(page, "predict.screen.advice", "<p class=\"lede\">", "</p>\n");
    put_table(page->out, &look, rows);
    put_texts(page, "predict.screen.trust", "<p class=\"trust\">", "</p>\n");
    put_texts(page, "predict.screen.next", "<p>Next: <code>", "</code></p>\n");
    return NS_OK;
}

static ns_status ns_page_warnings(ns_page *page)
{
    fputs("<ul class=\"warnings\">\n", page->out);
    put_texts(page, "warnings", "<li>", "</li>\n");
    fputs("</ul>\n", page->out);
    return NS_OK;
}

/* ---- strategies -------------------------------------------------------------------------------------------------- */

enum { TERMS = 8 }; /* the number of terms with columns of their own */

static ns_status ns_page_strategies(ns_page *page)
{
    /* The first columns are those of predict's table, with the same names and digits. */
    static const page_column first[] = {
        {"way", "way", false},
        {"time", "time", true},
        {"range", "range", true},
        {"x best", "x best", true},
        {"P(best)", "P(best)", true},
        {"remark", "remark", false},
        {"published_s", "published", true},
        {"corrected_s", "corrected", true},
    };
    enum { FIRST = sizeof first / sizeof *first, RANGE = 2 };
    size_t number = 0, count;
    for (const ns_value *m = ns_value_get(page->report, "machines")->first; m != NULL; m = m->next) {
        const ns_value *cases = cases_of(page, number++, &count), *one = cases;
        char caption[200], heading[120], path[TERMS][64], name[TERMS][48];
        int index = 0, terms = 0, place[TERMS] = {0}; /* index among all terms, which determines the colour */
        /* Show the interval only when the machine has standard errors. */
        bool intervals = false;
        for (size_t i = 0; i < count && one != NULL && !intervals; i++, one = one->next)
            for (const ns_value *row = ns_value_get(one, "strategies")->first; row != NULL && !intervals;
                 row = row->next) {
                const ns_value *pair = ns_value_get(row, "interval_s");
                intervals = pair != NULL && pair->first != NULL && pair->first->number < pair->last->number;
            }
        /* the terms that some strategy has: "terms.off_node_s" is shown as "off node" */
        const ns_value *all = cases != NULL ? ns_value_at(ns_value_get(cases, "strategies")->first, "terms") : NULL;
        for (const ns_value *term = all != NULL ? all->first : NULL; term != NULL && terms < TERMS;
             term = term->next, index++) {
            bool paid = false;
            snprintf(path[terms], sizeof path[terms], "terms.%.50s", term->name);
            one = cases;
            for (size_t i = 0; i < count && one != NULL && !paid; i++, one = one->next)
                for (const ns_value *row = ns_value_get(one, "strategies")->first; row != NULL && !paid;
                     row = row->next)
                    paid = ns_page_number(row, path[terms], 0) > 0;
            if (!paid)
                continue;
            snprintf(name[terms], sizeof name[terms], "%.*s", (int)(strlen(term->name) - 2), term->name);
            for (char *c = name[terms]; *c != '\0'; c++)
                *c = *c == '_' ? ' ' : *c;
            place[terms++] = index;
        }
        page_column columns[FIRST + TERMS + 2];
        size_t used = 0;
        for (size_t i = 0; i < FIRST; i++)
            if (intervals || i != RANGE)
                columns[used++] = first[i];
        for (int k = 0; k < terms; k++)
            columns[used++] = (page_column){path[k], name[k], true};
        columns[used++] = (page_column){"messages_off_node_max", "most messages", true};
        columns[used] = (page_column){NULL, NULL, false};
        fputs("<p>The estimate is the sum of its shares:", page->out);
        for (int k = 0; k < terms; k++)
            ns_html_put(page->out, "%s <span class=\"key share%d\">%s</span>", k > 0 ? "," : "", place[k] % SHARES,
                        name[k]);
        fputs(".</p>\n", page->out);
        snprintf(caption, sizeof caption, "Every strategy on %.80s", ns_page_text(m, "name"));
        const page_look look = {.columns = columns, .caption = caption, .shares = "terms", .badge = "fastest"};
        table_begin(page->out, &look);
        one = cases;
        for (size_t i = 0; i < count && one != NULL; i++, one = one->next) {
            const double nodes = ns_page_number(one, "nodes", 0);
            snprintf(heading, sizeof heading, "%.0f %s on %.0f %s", ns_page_number(one, "gpus", 0), parts_word(m),
                     nodes, nodes > 1 ? "nodes" : "node");
            table_rows(page->out, &look, heading, ns_value_get(one, "strategies"));
        }
        fputs(table_end, page->out);
    }
    return NS_OK;
}

static ns_status ns_page_pattern(ns_page *page)
{
    static const page_column columns[] = {
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
    const page_look look = {.columns = columns, .caption = "Exact counts of the exchange"};
    put_table(page->out, &look, ns_value_at(page->report, "predict.cases"));
    return NS_OK;
}

/* ---- NetSparse --------------------------------------------------------------------------------------------------- */

/* A row of names and values from the single values of one object. */
static void put_facts(const ns_page *page, const ns_value *object, const page_column *facts)
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

static ns_status ns_page_netsparse(ns_page *page)
{
    static const page_column mechanisms[] = {
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
    static const page_column bounds[] = {
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
    static const page_column facts[] = {
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
    NS_CLOSE(curves_close) curves c = {0};
    size_t line = 0, count;
    const ns_value *one = gathers_of(page, &count);
    NS_TRY(curves_open(count, ns_page_count(ns_value_get(one, "steps")), &c, page->err));
    for (; line < count; line++, one = one->next) {
        double *y = set_line(&c, line, (int)line, false);
        const ns_value *row = nth(ns_value_get(one, "steps"), 0);
        snprintf(c.label[line], sizeof *c.label, "K = %.0f", ns_page_number(one, "k", 0));
        for (size_t i = 0; i < c.points; i++, row = row != NULL ? row->next : NULL) {
            c.x[i] = (double)i + 1;
            y[i] = ns_page_number(row, "speedup", NAN);
            c.tick[i] = ns_page_text(row, "step");
        }
    }
    const ns_html_figure figure = {.chart = {.title = "Speedup over SUOpt, mechanism by mechanism",
                                             .x_label = "mechanisms, cumulative",
                                             .y_label = "speedup of the tail node",
                                             .log_y = true,
                                             .series = c.lines,
                                             .of = c.series,
                                             .tick = c.tick,
                                             .ticks = c.points},
                                   .x_name = "",
                                   .values = "the table of the ablation",
                                   .number = page->figures++};
    NS_TRY(ns_html_figure_write(page->out, &figure, page->err));
    const page_look look = {.columns = mechanisms, .caption = "Ablation: what each mechanism adds, against SUOpt"};
    table_begin(page->out, &look);
    one = gathers_of(page, &count);
    for (size_t i = 0; i < count; i++, one = one->next) {
        char heading[60];
        const double k = ns_page_number(one, "k", 0);
        snprintf(heading, sizeof heading, "K = %.0f %s a column", k, k > 1 ? "values" : "value");
        table_rows(page->out, &look, heading, ns_value_get(one, "steps"));
    }
    fputs(table_end, page->out);
    one = gathers_of(page, &count);
    for (size_t i = 0; i < count; i++, one = one->next) {
        char heading[60];
        snprintf(heading, sizeof heading, "Traffic and bounds, K = %.0f", ns_page_number(one, "k", 0));
        ns_html_put(page->out, "<h3>%s</h3>\n", heading);
        put_facts(page, one, bounds);
    }
    return NS_OK;
}

/* ---- provenance -------------------------------------------------------------------------------------------------- */

static ns_status ns_page_inputs(ns_page *page)
{
    static const page_column columns[] = {{"input", "input", false}, {"value", "value", false}, {NULL, NULL, false}};
    const page_look look = {.columns = columns, .caption = "Inputs"};
    put_table(page->out, &look, ns_value_get(page->report, "inputs"));
    ns_html_put(
        page->out,
        "<p>The same page again:</p>\n<pre class=\"command\" tabindex=\"0\" aria-label=\"Command line\">%s</pre>\n",
        ns_page_text(page->report, "command"));
    return NS_OK;
}

static ns_status ns_page_machines(ns_page *page)
{
    static const page_column columns[] = {
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
        const page_look look = {.columns = columns, .caption = caption};
        put_table(page->out, &look, ns_value_get(m, "parameters"));
    }
    return NS_OK;
}

/* Names and titles of the strategies, from the report, follow the transports. */
static ns_status ns_page_words(ns_page *page)
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
                     "errors and the cost model's own error"},
        {"verdict",
         "clear: the fastest is the best with 90 %; tie: that is less sure; extrapolated: messages larger than "
         "any that was measured"},
        {"SUOpt", "software in which every node sends all its columns to all others, at full line rate"},
        {"tail node", "the node that ends last"},
    };
    static const char row[] = "<div><dt>%s</dt><dd>%s</dd></div>\n";
    const ns_value *strategies = ns_value_get(page->report, "strategies");
    fputs("<dl class=\"words\">\n", page->out);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        ns_html_put(page->out, row, words[i].word, words[i].meaning);
        for (const ns_value *s = i == 1 && strategies != NULL ? strategies->first : NULL; s != NULL; s = s->next)
            ns_html_put(page->out, row, ns_page_text(s, "name"), ns_page_text(s, "title"));
    }
    fputs("</dl>\n", page->out);
    return NS_OK;
}

/* ---- sections ---------------------------------------------------------------------------------------------------- */

const ns_page_section ns_page_sections[] = {
    {"answer", "The answer", NULL, ns_page_answer},
    {"warnings", "What to keep in mind", "warnings", ns_page_warnings},
    {"times", "Time of one exchange", NULL, ns_page_times},
    {"strategies", "Every strategy", NULL, ns_page_strategies},
    {"pattern", "What is exchanged", NULL, ns_page_pattern},
    {"netsparse", "What in-network hardware would change", "netsparse", ns_page_netsparse},
    {"inputs", "Inputs and where they come from", NULL, ns_page_inputs},
    {"machines", "Machine parameters", NULL, ns_page_machines},
    {"words", "Words", NULL, ns_page_words},
    {NULL},
};

static bool is_there(const ns_page *page, const ns_page_section *s)
{
    const ns_value *needed = s->needs != NULL ? ns_value_get(page->report, s->needs) : NULL;
    return s->needs == NULL || (needed != NULL && needed->first != NULL);
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
    for (int i = 0; ns_page_sections[i].id != NULL; i++)
        if (is_there(&page, &ns_page_sections[i]))
            ns_html_put(page.out, "<li><a href=\"#%s\">%s</a></li>\n", ns_page_sections[i].id,
                        ns_page_sections[i].heading);
    fputs("</ul></nav>\n", page.out);
    fputs("<main id=\"main\">\n", page.out);
    for (int i = 0; ns_page_sections[i].id != NULL; i++) {
        if (!is_there(&page, &ns_page_sections[i]))
            continue;
        ns_html_put(page.out, "<section id=\"%s\" aria-labelledby=\"h-%s\">\n<h2 id=\"h-%s\">%s</h2>\n",
                    ns_page_sections[i].id, ns_page_sections[i].id, ns_page_sections[i].id,
                    ns_page_sections[i].heading);
        NS_TRY(ns_page_sections[i].write(&page));
        fputs("</section>\n", page.out);
    }
    fputs("</main>\n", page.out);
    ns_html_put(page.out, "<footer>\n<p>Made by nsmodel %s: closed forms on exact counts, nothing simulated.</p>\n",
                ns_page_text(page.report, "version"));
    fprintf(page.out,
            "<details><summary>Licence of uPlot, the chart library in this "
            "page</summary><pre>%s</pre></details>\n</footer>\n",
            ns_page_file("LICENSE"));
    fprintf(page.out, "<script>%s</script>\n<script>%s</script>\n</body>\n</html>\n", ns_page_file("uPlot.iife.min.js"),
            ns_page_file("page.js"));
    return NS_OK; /* the owner of the stream checks it for errors, and knows its name */
}
