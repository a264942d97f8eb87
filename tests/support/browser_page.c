/* browser_page.c -- what the browser's tests do with pages: make, open, listen, look for barriers */
#include "browser_page.h"

#include "browser.h"
#include "cli.h"
#include "core/memory.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void make_page(const char *line)
{
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0, "nsmodel %s: %s", line, r.err);
}

void browser_begin_pages(void)
{
    char line[400];
    browser_begin();
    snprintf(line, sizeof line, "report --matrix stencil9:120x120 --gpus 4,8,16,32,64 --nodes 8 --k 1,16 -o %s", PAGE);
    make_page(line);
    snprintf(line, sizeof line,
             "report --matrix stencil9:120x120 --machine lassen,bluewaters --parts 8,16,32 --netsparse none -o %s",
             MACHINES_PAGE);
    make_page(line);
}

void open_page(const char *path)
{
    browser_order("Emulation.setScriptExecutionDisabled", "{\"value\": false}");
    browser_order("Emulation.setEmulatedMedia",
                  "{\"media\": \"\", \"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"light\"}]}");
    browser_order("Emulation.setDeviceMetricsOverride",
                  "{\"width\": 1200, \"height\": 900, \"deviceScaleFactor\": 1, \"mobile\": false}");
    ns_value_free(browser_log("browser"));
    ns_value_free(browser_log("performance"));
    browser_open_file(path);
}

void open_live(const char *path)
{
    open_page(path);
    browser_wait("return document.documentElement.dataset.live !== undefined");
}

void set_dark(void)
{
    browser_order("Emulation.setEmulatedMedia",
                  "{\"media\": \"\", \"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"dark\"}]}");
}

int console_entries(char *text, size_t size)
{
    ns_value *log = browser_log("browser");
    int count = 0;
    for (const ns_value *entry = log->first; entry != NULL; entry = entry->next)
        count++;
    const ns_value *first = ns_value_at(log, "0.message");
    snprintf(text, size, "%s", first != NULL ? first->text : "");
    ns_value_free(log);
    return count;
}

int foreign_requests(int *all, char *text, size_t size)
{
    int foreign = 0;
    *all = 0;
    ns_value *log = browser_log("performance");
    for (const ns_value *entry = log->first; entry != NULL; entry = entry->next) {
        ns_value *event;
        ns_error err = {0};
        ck_assert_msg(ns_json_parse(ns_value_get(entry, "message")->text, NULL, &event, &err) == NS_OK, "%s", err.text);
        const ns_value *message = ns_value_get(event, "message"), *method = ns_value_get(message, "method");
        const ns_value *params = ns_value_get(message, "params");
        const ns_value *asks = ns_value_get(params, "documentURL");
        const ns_value *url = ns_value_get(ns_value_get(params, "request"), "url");
        const bool own = asks == NULL || strncmp(asks->text, "chrome:", 7) == 0; /* its page of a new window */
        if (strcmp(method->text, "Network.requestWillBeSent") == 0 && url != NULL && !own) {
            ++*all;
            const char *ending = strstr(url->text, cli_path(""));
            if (strncmp(url->text, "data:", 5) != 0 && strncmp(url->text, "blob:", 5) != 0 &&
                (ending == NULL || strstr(ending, ".html") == NULL)) {
                foreign++;
                snprintf(text, size, "%s", url->text);
            }
        }
        ns_value_free(event);
    }
    ns_value_free(log);
    return foreign;
}

bool was_blocked(void)
{
    ns_value *log = browser_log("performance");
    char *text;
    size_t length;
    ck_assert_int_eq(ns_json_write(log, &text, &length, NULL), NS_OK);
    const bool blocked = strstr(text, "blockedReason\\\":\\\"csp") != NULL;
    ns_free(text);
    ns_value_free(log);
    return blocked;
}

const char *find_barriers(void)
{
    static char *axe;
    if (axe == NULL) {
        FILE *file = fopen("third_party/axe-core/axe.min.js", "rb");
        axe = ns_calloc(1, 1 << 20);
        ck_assert(file != NULL && axe != NULL);
        ck_assert_uint_gt(fread(axe, 1, (1 << 20) - 1, file), 100000);
        fclose(file);
    }
    ns_value_free(browser_eval(axe));
    ns_value_free(browser_eval(
        "window.found = null; axe.run(document, {resultTypes: ['violations']}).then((r) => { window.found = "
        "r.violations.map((v) => v.id + ': ' + v.nodes[0].html).join('\\n'); },"
        " (e) => { window.found = 'axe: ' + e; }); return 0"));
    browser_wait("return window.found !== null");
    return browser_text("return window.found");
}

/* ---- the first chart of a page ----------------------------------------------------------------------------------- */

/* Geometry in the page's own terms: where value `v` of an axis lies, from the data and nothing that page.js
 * computed. */
static const char chart_lines[] =
    "const figure = document.getElementById('figure0'), data = "
    "JSON.parse(figure.querySelector('script.data').textContent),"
    " over = figure.querySelector('.u-over').getBoundingClientRect();"
    "const share = (a, log, v) => log ? Math.log(v / a.lo) / Math.log(a.hi / a.lo) : (v - a.lo) / (a.hi - a.lo);"
    "const placeX = (i) => over.left + over.width * share(data.x, true, data.points[i]);"
    "const placeY = (v, axis, log) => over.bottom - over.height * share(axis, log, v);";

const char *with_chart(const char *rest)
{
    static char script[8192];
    snprintf(script, sizeof script, "%s%s", chart_lines, rest);
    return script;
}

void point_at(int i)
{
    char rest[100];
    ns_value_free(browser_eval("document.getElementById('figure0').scrollIntoView({block: 'center'}); return 0"));
    snprintf(rest, sizeof rest, "return placeX(%d)", i);
    const double x = browser_number(with_chart(rest));
    browser_point(x, browser_number(with_chart("return (over.top + over.bottom) / 2")));
}

/* Is the canvas, within two pixels of the place of value i of series s, of the colour of that series? */
bool is_drawn(int series, int i, bool logarithmic)
{
    char rest[1200];
    snprintf(rest, sizeof rest,
             "const y = data.series[%d].y[%d], log = %s, shown = [...figure.querySelectorAll('.legend input')].map((b) "
             "=> b.checked);"
             "const most = Math.max(...data.series.filter((s, k) => shown[k]).flatMap((s) => s.y));"
             "const canvas = figure.querySelector('canvas'), box = canvas.getBoundingClientRect();"
             "const x0 = Math.round(placeX(%d) - box.left), y0 = Math.round(placeY(y, log ? data.y : {lo: 0, hi: 1.08 "
             "* most}, log) - box.top);"
             "const line = figure.querySelectorAll('.legend label')[%d].querySelector('.line');"
             "const wanted = getComputedStyle(line).stroke.match(/\\d+/g).map(Number);"
             "const seen = canvas.getContext('2d').getImageData(x0 - 2, y0 - 2, 5, 5).data;"
             "for (let p = 0; p < seen.length; p += 4) if (wanted.every((w, c) => Math.abs(seen[p + c] - w) < 24)) "
             "return true; return false",
             series, i, logarithmic ? "true" : "false", i, series);
    return browser_true(with_chart(rest));
}

void click(const char *selector)
{
    char script[300];
    ns_value *found, *body = ns_value_new();
    snprintf(script, sizeof script, "document.querySelector(\"%s\").scrollIntoView({block: 'center'}); return 0",
             selector);
    ns_value_free(browser_eval(script));
    ns_value_text(body, "using", "css selector");
    ns_value_text(body, "value", selector);
    found = browser_call("POST", "/element", body);
    snprintf(script, sizeof script, "/element/%s/click", found->first->text);
    ns_value_free(browser_call("POST", script, ns_value_new()));
    ns_value_free(found);
}
