/* test_browser.c -- pages of `nsmodel report` in a real browser: what a reader sees, hears, prints and switches
 *
 * Pages are opened as files.  Each check that finds nothing wrong has a control in which it finds something.
 */
#include "support/browser.h"
#include "support/browser_page.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char page[] = "build/browser/page.html", machines_page[] = "build/browser/machines.html";

static void begin(void)
{
    (void)(mkdir("build", 0777) | mkdir("build/browser", 0777));
    browser_begin();
    make_page("report --matrix stencil9:120x120 --gpus 4,8,16,32,64 --nodes 8 --k 1,16 -o build/browser/page.html");
    make_page("report --matrix stencil9:120x120 --machine lassen,bluewaters --parts 8,16,32 --netsparse none -o build/browser/machines.html");
}

/* ---- quiet ------------------------------------------------------------------------------------------------------------- */

START_TEST(test_quiet)
{
    char text[500] = "";
    int all;
    open_live(page);
    ck_assert_int_eq((int)browser_number("return document.querySelectorAll('.live .uplot canvas').length"), 2);
    ck_assert_msg(console_entries(text, sizeof text) == 0, "console: %s", text);
    const int foreign = foreign_requests(&all, text, sizeof text);
    ck_assert_msg(foreign == 0, "a request for %s", text);
    ck_assert_int_ge(all, 1);
}
END_TEST

START_TEST(test_noise_is_heard)
{
    char text[500] = "";
    int all;
    open_page(write_control("noise.html", "<!DOCTYPE html><title>t</title><img src=\"http://127.0.0.1:9/x.png\"><script>console.error('heard')</script>"));
    ck_assert_int_ge(console_entries(text, sizeof text), 1);
    ck_assert_int_ge(foreign_requests(&all, text, sizeof text), 1);
    ck_assert_str_eq(text, "http://127.0.0.1:9/x.png");
}
END_TEST

/* ---- the chart ----------------------------------------------------------------------------------------------------------- */

/* Geometry in the page's own terms: where value `v` of an axis lies, from the data and nothing that page.js computed. */
static const char chart_lines[] =
    "const figure = document.getElementById('figure0'), data = JSON.parse(figure.querySelector('script.data').textContent),"
    " over = figure.querySelector('.u-over').getBoundingClientRect();"
    "const share = (a, log, v) => log ? Math.log(v / a.lo) / Math.log(a.hi / a.lo) : (v - a.lo) / (a.hi - a.lo);"
    "const placeX = (i) => over.left + over.width * share(data.x, true, data.points[i]);"
    "const placeY = (v, axis, log) => over.bottom - over.height * share(axis, log, v);";

static const char *with_chart(const char *rest)
{
    static char script[8192];
    snprintf(script, sizeof script, "%s%s", chart_lines, rest);
    return script;
}

static void point_at(int i)
{
    char rest[100];
    browser_eval("document.getElementById('figure0').scrollIntoView({block: 'center'}); return 0");
    snprintf(rest, sizeof rest, "return placeX(%d)", i);
    const double x = browser_number(with_chart(rest));
    browser_point(x, browser_number(with_chart("return (over.top + over.bottom) / 2")));
}

START_TEST(test_hover)
{
    char script[600];
    open_live(page);
    ck_assert(browser_true("return document.querySelector('#figure0 .tip').hidden"));
    point_at(2);
    browser_wait("return !document.querySelector('#figure0 .tip').hidden");
    ck_assert_str_eq(browser_text("return document.querySelector('#figure0 .tip b').textContent"), "16 GPUs");
    ck_assert_int_eq((int)browser_number("return document.querySelectorAll('#figure0 .tip tr').length"), 8);
    /* the first line is the row that the table marks as the fastest of 16 GPUs */
    snprintf(script, sizeof script, "const row = document.querySelectorAll('#strategies tr.best')[2].cells;"
             "return [row[0].firstChild.textContent.trim() + ', ' + row[1].textContent, row[2].textContent].join('|')");
    const char *marked = browser_text(script);
    ck_assert_str_eq(browser_text("return [...document.querySelector('#figure0 .tip tr').cells].slice(1).map((c) => c.textContent).join('|')"), marked);
    ck_assert_int_gt((int)browser_save("screenshot", "build/browser/hover.png"), 10000);
    point_at(4);
    browser_wait("return document.querySelector('#figure0 .tip b').textContent === '64 GPUs'");
    browser_point(2, 2);
    browser_wait("return document.querySelector('#figure0 .tip').hidden");
}
END_TEST

START_TEST(test_keys)
{
    open_live(page);
    browser_eval("document.querySelector('#figure0 .live').focus(); return 0");
    browser_keys("\xee\x80\x90"); /* End */
    browser_wait("return document.querySelector('#figure0 .readout').textContent.startsWith('64 GPUs: ')");
    browser_keys("\xee\x80\x92"); /* left arrow */
    browser_wait("return document.querySelector('#figure0 .readout').textContent.startsWith('32 GPUs: ')");
    ck_assert(browser_true("return document.querySelector('#figure0 .readout').getAttribute('aria-live') === 'polite'"));
    browser_keys("\xee\x80\x8c"); /* Escape */
    browser_wait("return document.querySelector('#figure0 .tip').hidden");
}
END_TEST

/* Is the canvas, within two pixels of the place of value i of series s, of the colour of that series? */
static bool is_drawn(int series, int i, bool logarithmic)
{
    char rest[1200];
    snprintf(rest, sizeof rest,
             "const y = data.series[%d].y[%d], log = %s, shown = [...figure.querySelectorAll('.legend input')].map((b) => b.checked);"
             "const most = Math.max(...data.series.filter((s, k) => shown[k]).flatMap((s) => s.y));"
             "const canvas = figure.querySelector('canvas'), box = canvas.getBoundingClientRect();"
             "const x0 = Math.round(placeX(%d) - box.left), y0 = Math.round(placeY(y, log ? data.y : {lo: 0, hi: 1.08 * most}, log) - box.top);"
             "const line = figure.querySelectorAll('.legend label')[%d].querySelector('.line');"
             "const wanted = getComputedStyle(line).stroke.match(/\\d+/g).map(Number);"
             "const seen = canvas.getContext('2d').getImageData(x0 - 2, y0 - 2, 5, 5).data;"
             "for (let p = 0; p < seen.length; p += 4) if (wanted.every((w, c) => Math.abs(seen[p + c] - w) < 24)) return true; return false",
             series, i, logarithmic ? "true" : "false", i, series);
    return browser_true(with_chart(rest));
}

static void click(const char *selector)
{
    char script[300];
    cJSON *found, *body = cJSON_CreateObject();
    snprintf(script, sizeof script, "document.querySelector(\"%s\").scrollIntoView({block: 'center'}); return 0", selector);
    cJSON_Delete(browser_eval(script));
    cJSON_AddStringToObject(body, "using", "css selector");
    cJSON_AddStringToObject(body, "value", selector);
    found = browser_call("POST", "/element", body);
    snprintf(script, sizeof script, "/element/%s/click", found->child->valuestring);
    cJSON_Delete(browser_call("POST", script, cJSON_CreateObject()));
    cJSON_Delete(found);
}

/* Series 2 is three-step via host: not the fastest here, so that no ring lies around it. */
START_TEST(test_log_and_linear)
{
    open_live(page);
    click("#figure0 button[data-show=none]");
    click("#figure0 .legend li:nth-child(3) input");
    ck_assert(is_drawn(2, 1, true));
    ck_assert(!is_drawn(2, 1, false));
    click("#figure0 input[data-axis=y][value=linear]");
    ck_assert(is_drawn(2, 1, false));
    ck_assert(!is_drawn(2, 1, true));
    click("#figure0 input[data-axis=y][value=log]");
    ck_assert(is_drawn(2, 1, true));
    ck_assert_int_eq((int)browser_number("return document.querySelectorAll('#figure0 canvas').length"), 1);
}
END_TEST

START_TEST(test_linear_parts)
{
    open_live(page);
    browser_eval("window.before = document.querySelector('#figure0 canvas').toDataURL(); return 0");
    click("#figure0 input[data-axis=x][value=linear]");
    ck_assert(browser_true("return document.querySelector('#figure0 canvas').toDataURL() !== window.before"));
    click("#figure0 input[data-axis=x][value=log]");
    ck_assert(browser_true("return document.querySelector('#figure0 canvas').toDataURL() === window.before"));
}
END_TEST

START_TEST(test_lines_on_and_off)
{
    open_live(page);
    ck_assert(is_drawn(7, 1, true)); /* the last, drawn over all others */
    click("#figure0 .legend li:nth-child(8) input");
    ck_assert(!is_drawn(7, 1, true));
    point_at(1);
    browser_wait("return document.querySelectorAll('#figure0 .tip tr').length === 7");
    ck_assert(browser_true("return !document.querySelector('#figure0 .tip').textContent.includes('split-dd, host')"));
    click("#figure0 button[data-show=none]");
    ck_assert_int_eq((int)browser_number("return document.querySelectorAll('#figure0 .legend input:checked').length"), 0);
    click("#figure0 button[data-show=all]");
    ck_assert(is_drawn(7, 1, true));
}
END_TEST

/* ---- other ways to read --------------------------------------------------------------------------------------------------- */

static void shows_pictures(void)
{
    ck_assert_int_eq((int)browser_number("return document.querySelectorAll('figure').length"), 2);
    ck_assert(browser_true("return [...document.querySelectorAll('.picture svg.chart')].every((s) => s.getBoundingClientRect().height > 150)"));
    ck_assert(browser_true("return [...document.querySelectorAll('.live, .switches, .hint, .legend input')].every((e) => !e.checkVisibility())"));
    ck_assert(browser_true("return [...document.querySelectorAll('table')].length >= 5 && [...document.querySelectorAll('table')].every((t) => t.checkVisibility())"));
}

START_TEST(test_no_script)
{
    open_page(page);
    browser_order("Emulation.setScriptExecutionDisabled", "{\"value\": true}");
    browser_open_file(page);
    ck_assert(browser_true("return document.documentElement.dataset.live === undefined"));
    shows_pictures();
    ck_assert_int_gt((int)browser_save("screenshot", "build/browser/no-script.png"), 10000);
    browser_order("Emulation.setScriptExecutionDisabled", "{\"value\": false}");
}
END_TEST

/* Lines and bars stand out from the paper by 3:1 at least (WCAG 2.2, 1.4.11); axe looks at texts alone. */
static double least_contrast(void)
{
    return browser_number(
        "const rgb = (c) => c.match(/[\\d.]+/g).slice(0, 3).map(Number);"
        "const light = (c) => rgb(c).map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)"
        " .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);"
        "const paper = light(getComputedStyle(document.documentElement).backgroundColor);"
        "const ratio = (c) => (Math.max(light(c), paper) + 0.05) / (Math.min(light(c), paper) + 0.05);"
        "const colours = [...document.querySelectorAll('.legend .line, .legend .ring, .axis')].map((e) => getComputedStyle(e).stroke)"
        " .concat([...document.querySelectorAll('.bar rect')].map((e) => getComputedStyle(e).fill));"
        "return colours.length > 20 ? Math.min(...colours.map(ratio)) : 0");
}

START_TEST(test_dark)
{
    open_live(page);
    ck_assert_double_ge(least_contrast(), 3);
    ck_assert_str_eq(browser_text("return getComputedStyle(document.documentElement).backgroundColor"), "rgb(255, 255, 255)");
    ck_assert_int_gt((int)browser_save("screenshot", "build/browser/light.png"), 10000);
    ck_assert(is_drawn(0, 1, true));
    set_dark();
    browser_wait("return getComputedStyle(document.documentElement).backgroundColor === 'rgb(20, 25, 30)'");
    ck_assert_str_eq(browser_text("return getComputedStyle(document.querySelector('h1')).color"), "rgb(230, 235, 239)");
    ck_assert_double_ge(least_contrast(), 3);
    browser_wait("return document.querySelectorAll('#figure0 canvas').length === 1");
    point_at(3);
    ck_assert(is_drawn(0, 1, true)); /* in the colour that the legend has now */
    ck_assert_int_gt((int)browser_save("screenshot", "build/browser/dark.png"), 10000);
}
END_TEST

START_TEST(test_narrow)
{
    open_live(page);
    browser_order("Emulation.setDeviceMetricsOverride", "{\"width\": 375, \"height\": 812, \"deviceScaleFactor\": 2, \"mobile\": true}");
    browser_wait("const plot = document.querySelector('#figure0 .u-wrap'); return innerWidth === 375 && plot.offsetWidth <= 375 && "
                 "Math.abs(plot.querySelector('canvas').width - 2 * plot.offsetWidth) < 2");
    point_at(3);
    browser_wait("return !document.querySelector('#figure0 .tip').hidden");
    ck_assert_int_le((int)browser_number("return document.scrollingElement.scrollWidth"), 375);
    ck_assert_int_gt((int)browser_save("screenshot", "build/browser/narrow.png"), 10000);
}
END_TEST

static size_t count_pages(const char *path)
{
    size_t pages = 0;
    FILE *file = fopen(path, "rb");
    char *bytes = calloc(1, 1 << 24);
    ck_assert(file != NULL && bytes != NULL);
    const size_t size = fread(bytes, 1, (1 << 24) - 1, file);
    fclose(file);
    ck_assert_int_eq(memcmp(bytes, "%PDF-", 5), 0);
    for (size_t i = 0; i + 12 < size; i++)
        pages += memcmp(bytes + i, "/Type /Page\n", 12) == 0;
    free(bytes);
    return pages;
}

START_TEST(test_print)
{
    open_live(page);
    set_dark();
    ck_assert_uint_gt(browser_save("print", "build/browser/page.pdf"), 10000);
    ck_assert_uint_ge(count_pages("build/browser/page.pdf"), 2);
    ck_assert_uint_le(count_pages("build/browser/page.pdf"), 12);
    browser_order("Emulation.setEmulatedMedia", "{\"media\": \"print\", \"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"dark\"}]}");
    ck_assert_str_eq(browser_text("return getComputedStyle(document.documentElement).backgroundColor"), "rgb(255, 255, 255)");
    ck_assert_int_gt((int)browser_save("screenshot", "build/browser/print.png"), 10000);
    shows_pictures();
    ck_assert(browser_true("return !document.querySelector('nav').checkVisibility()"));
}
END_TEST

START_TEST(test_machines)
{
    open_live(machines_page);
    ck_assert_int_eq((int)browser_number("return Number(document.documentElement.dataset.live)"), 3);
    ck_assert_str_eq(browser_text("return [...document.querySelectorAll('#figure0 .legend label span')].map((s) => s.textContent).join()"), "lassen,bluewaters");
    ck_assert_str_eq(browser_text("return document.title"), "stencil9:120x120 on lassen and bluewaters");
    ck_assert(browser_true("return document.getElementById('netsparse') === null"));
}
END_TEST

/* ---- accessibility --------------------------------------------------------------------------------------------------------- */

static void no_barriers(const char *what)
{
    const char *found = find_barriers();
    ck_assert_msg(*found == '\0', "%s: %s", what, found);
}

START_TEST(test_accessible)
{
    static const char *const files[] = {page, machines_page};
    open_live(files[_i]);
    no_barriers("light");
    set_dark();
    no_barriers("dark");
    browser_order("Emulation.setDeviceMetricsOverride", "{\"width\": 375, \"height\": 812, \"deviceScaleFactor\": 1, \"mobile\": true}");
    no_barriers("narrow and dark");
}
END_TEST

START_TEST(test_barriers_are_found)
{
    open_page(write_control("barriers.html", "<!DOCTYPE html><html><title>t</title><img src=\"data:,\"><p style=\"color:#aaa\">faint"));
    const char *found = find_barriers();
    ck_assert_msg(strstr(found, "image-alt") != NULL && strstr(found, "color-contrast") != NULL && strstr(found, "html-has-lang") != NULL, "%s", found);
}
END_TEST

/* What axe cannot know: the order of what a keyboard reaches, and that the skip link leads to the answer. */
START_TEST(test_keyboard)
{
    open_live(page);
    browser_keys("\xee\x80\x84"); /* Tab */
    ck_assert_str_eq(browser_text("return document.activeElement.textContent"), "Skip to the answer");
    ck_assert(browser_true("return document.activeElement.getBoundingClientRect().left >= 0"));
    ck_assert(browser_true("return document.querySelector(document.activeElement.getAttribute('href')).tagName === 'MAIN'"));
    ck_assert(browser_true("return [...document.querySelectorAll('table')].every((t) => t.caption && t.querySelectorAll('th[scope=col]').length > 1)"));
    ck_assert(browser_true("return [...document.querySelectorAll('tbody tr')].every((r) => r.cells[0].tagName === 'TH' && r.cells[0].scope)"));
}
END_TEST

/* ---- hostile names ------------------------------------------------------------------------------------------------------------ */

START_TEST(test_hostile_names)
{
    char text[500] = "";
    FILE *matrix = fopen("build/browser/<img src=x onerror=alert(1)>&\".mtx", "wb");
    ck_assert_ptr_nonnull(matrix);
    fputs("%%MatrixMarket matrix coordinate pattern general\n4 4 3\n1 2\n2 3\n4 1\n", matrix);
    fclose(matrix);
    char *json = read_whole("params/bluewaters.json"), *source = strstr(json, "\"source\": \"");
    ck_assert_ptr_nonnull(source);
    FILE *machine = fopen("build/browser/hostile.json", "wb");
    ck_assert_ptr_nonnull(machine);
    fprintf(machine, "%.*s%s", (int)(source - json) + 11, json, "</script><script>document.documentElement.dataset.owned=1</script><!-- \\u202e \\\" onload=x ");
    fputs(source + 11, machine);
    fclose(machine);
    free(json);
    make_page("report --matrix 'build/browser/<img src=x onerror=alert(1)>&\".mtx' --machine build/browser/hostile.json --parts 2,4 --nodes 2 "
              "--title '<svg onload=document.documentElement.dataset.owned=3>' --date '--><b>&' -o build/browser/hostile.html");
    open_live("build/browser/hostile.html");
    ck_assert_msg(console_entries(text, sizeof text) == 0, "console: %s", text);
    ck_assert_str_eq(browser_text("return document.title"), "<svg onload=document.documentElement.dataset.owned=3>");
    ck_assert_str_eq(browser_text("return document.querySelector('h1').textContent"), "<svg onload=document.documentElement.dataset.owned=3>");
    ck_assert(browser_true("return document.documentElement.dataset.owned === undefined"));
    ck_assert_int_eq((int)browser_number("return document.querySelectorAll('img, b:not(.tip b), [onload], [onerror]').length"), 0);
    ck_assert_int_eq((int)browser_number("return document.querySelectorAll('script').length"), 2 + 2);
    ck_assert(browser_true("return document.body.textContent.includes('<img src=x onerror=alert(1)>&\"')"));
    ck_assert(browser_true("return document.body.textContent.includes('</script><script>document.documentElement.dataset.owned=1</script><!-- \\ufffd \" onload=x ')"));
    no_barriers("hostile");
}
END_TEST

/* Had a name slipped through, the page's own policy would still not run it. */
START_TEST(test_policy)
{
    char text[500] = "";
    char *html = read_whole(page), *body = strstr(html, "<body>");
    ck_assert_ptr_nonnull(body);
    FILE *file = fopen("build/browser/injected.html", "wb");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%.*s<script>document.documentElement.dataset.owned=1</script><img src=\"http://127.0.0.1:9/y.png\" alt=\"\" "
                  "onerror=\"document.documentElement.dataset.owned=2\">%s", (int)(body - html) + 6, html, body + 6);
    fclose(file);
    free(html);
    open_live("build/browser/injected.html");
    ck_assert(browser_true("return document.documentElement.dataset.owned === undefined"));
    ck_assert_int_ge(console_entries(text, sizeof text), 1);
    ck_assert_ptr_nonnull(strstr(text, "Content Security Policy"));
    ck_assert(was_blocked());
}
END_TEST

START_TEST(test_absent)
{
    printf("test_browser: skipped, %s\n", browser_missing());
}
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("browser");
    TCase *tc = tcase_create("pages in Chromium");
    suite_add_tcase(s, tc);
    if (browser_missing() != NULL) {
        tcase_add_test(tc, test_absent);
        return s;
    }
    tcase_set_timeout(tc, 240);
    tcase_add_unchecked_fixture(tc, begin, browser_end);
    tcase_add_test(tc, test_quiet);
    tcase_add_test(tc, test_noise_is_heard);
    tcase_add_test(tc, test_hover);
    tcase_add_test(tc, test_keys);
    tcase_add_test(tc, test_log_and_linear);
    tcase_add_test(tc, test_linear_parts);
    tcase_add_test(tc, test_lines_on_and_off);
    tcase_add_test(tc, test_no_script);
    tcase_add_test(tc, test_dark);
    tcase_add_test(tc, test_narrow);
    tcase_add_test(tc, test_print);
    tcase_add_test(tc, test_machines);
    tcase_add_loop_test(tc, test_accessible, 0, 2);
    tcase_add_test(tc, test_barriers_are_found);
    tcase_add_test(tc, test_keyboard);
    tcase_add_test(tc, test_hostile_names);
    tcase_add_test(tc, test_policy);
    return s;
}
