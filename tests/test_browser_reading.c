/* test_browser_reading.c -- pages of `nsmodel report` for all who read them: without scripts, in the dark, on a phone,
 * on paper, by ear and keyboard; and what hostile names can do to them
 */
#include "core/memory.h"
#include "support/browser.h"
#include "support/browser_page.h"
#include "support/files.h"
#include "support/test.h"

/* ---- other ways to read ------------------------------------------------------------------------------------------ */

static void no_barriers(const char *what)
{
    const char *found = find_barriers();
    ck_assert_msg(*found == '\0', "%s: %s", what, found);
}

static void shows_pictures(void)
{
    ck_assert_int_eq((int)browser_number("return document.querySelectorAll('figure').length"), 2);
    ck_assert(browser_true("return [...document.querySelectorAll('.picture svg.chart')].every((s) => "
                           "s.getBoundingClientRect().height > 150)"));
    ck_assert(browser_true("return [...document.querySelectorAll('.live, .switches, .hint, .legend input')].every((e) "
                           "=> !e.checkVisibility())"));
    ck_assert(browser_true("return [...document.querySelectorAll('table')].length >= 5 && "
                           "[...document.querySelectorAll('table')].every((t) => t.checkVisibility())"));
}

/* Each picture has a name, and says what it shows and where its values stand. */
static void pictures_have_names(void)
{
    ck_assert(browser_true(
        "return [...document.querySelectorAll('svg.chart')].every((s) => s.getAttribute('role') === "
        "'img' && s.getAttribute('aria-labelledby').split(' ').length === 2 && s.getAttribute("
        "'aria-labelledby').split(' ').every((id) => s.querySelector('#' + id).textContent.length > 10))"));
}

TEST(test_no_script)
{
    open_page(PAGE);
    browser_order("Emulation.setScriptExecutionDisabled", "{\"value\": true}");
    browser_open_file(PAGE);
    ck_assert(browser_true("return document.documentElement.dataset.live === undefined"));
    shows_pictures();
    pictures_have_names();
    ck_assert_int_gt((int)browser_save("screenshot", cli_path("no-script.png")), 10000);
    browser_order("Emulation.setScriptExecutionDisabled", "{\"value\": false}");
}

/* Lines and bars stand out from the paper by 3:1 at least (WCAG 2.2, 1.4.11); axe looks at texts alone. */
static double least_contrast(void)
{
    return browser_number(
        "const rgb = (c) => c.match(/[\\d.]+/g).slice(0, 3).map(Number);"
        "const light = (c) => rgb(c).map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) "
        "** 2.4)"
        " .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);"
        "const paper = light(getComputedStyle(document.documentElement).backgroundColor);"
        "const ratio = (c) => (Math.max(light(c), paper) + 0.05) / (Math.min(light(c), paper) + 0.05);"
        "const colours = [...document.querySelectorAll('.legend .line, .legend .ring, .axis')].map((e) => "
        "getComputedStyle(e).stroke)"
        " .concat([...document.querySelectorAll('.bar rect')].map((e) => getComputedStyle(e).fill));"
        "return colours.length > 20 ? Math.min(...colours.map(ratio)) : 0");
}

TEST(test_dark)
{
    open_live(PAGE);
    ck_assert_double_ge(least_contrast(), 3);
    ck_assert_str_eq(browser_text("return getComputedStyle(document.documentElement).backgroundColor"),
                     "rgb(255, 255, 255)");
    ck_assert_int_gt((int)browser_save("screenshot", cli_path("light.png")), 10000);
    ck_assert(is_drawn(0, 1, true));
    set_dark();
    browser_wait("return getComputedStyle(document.documentElement).backgroundColor === 'rgb(20, 25, 30)'");
    ck_assert_str_eq(browser_text("return getComputedStyle(document.querySelector('h1')).color"), "rgb(230, 235, 239)");
    ck_assert_double_ge(least_contrast(), 3);
    browser_wait("return document.querySelectorAll('#figure0 canvas').length === 1");
    point_at(3);
    ck_assert(is_drawn(0, 1, true)); /* in the colour that the legend has now */
    ck_assert_int_gt((int)browser_save("screenshot", cli_path("dark.png")), 10000);
}

TEST(test_narrow)
{
    open_live(PAGE);
    browser_order("Emulation.setDeviceMetricsOverride",
                  "{\"width\": 375, \"height\": 812, \"deviceScaleFactor\": 2, \"mobile\": true}");
    browser_wait("const plot = document.querySelector('#figure0 .u-wrap'); return innerWidth === 375 && "
                 "plot.offsetWidth <= 375 && "
                 "Math.abs(plot.querySelector('canvas').width - 2 * plot.offsetWidth) < 2");
    point_at(3);
    browser_wait("return !document.querySelector('#figure0 .tip').hidden");
    ck_assert_int_le((int)browser_number("return document.scrollingElement.scrollWidth"), 375);
    ck_assert_int_gt((int)browser_save("screenshot", cli_path("narrow.png")), 10000);
}

static size_t count_pages(const char *path)
{
    size_t pages = 0;
    FILE *file = fopen(path, "rb");
    char *bytes = ns_calloc(1, 1 << 24);
    ck_assert(file != NULL && bytes != NULL);
    const size_t size = fread(bytes, 1, (1 << 24) - 1, file);
    fclose(file);
    ck_assert_int_eq(memcmp(bytes, "%PDF-", 5), 0);
    for (size_t i = 0; i + 12 < size; i++)
        pages += memcmp(bytes + i, "/Type /Page\n", 12) == 0;
    ns_free(bytes);
    return pages;
}

TEST(test_print)
{
    open_live(PAGE);
    set_dark();
    ck_assert_uint_gt(browser_save("print", cli_path("page.pdf")), 10000);
    ck_assert_uint_ge(count_pages(cli_path("page.pdf")), 2);
    ck_assert_uint_le(count_pages(cli_path("page.pdf")), 16);
    browser_order("Emulation.setEmulatedMedia",
                  "{\"media\": \"print\", \"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"dark\"}]}");
    ck_assert_str_eq(browser_text("return getComputedStyle(document.documentElement).backgroundColor"),
                     "rgb(255, 255, 255)");
    ck_assert_int_gt((int)browser_save("screenshot", cli_path("print.png")), 10000);
    shows_pictures();
    ck_assert(browser_true("return !document.querySelector('nav').checkVisibility()"));
    no_barriers("print");
}

TEST(test_machines)
{
    open_live(MACHINES_PAGE);
    ck_assert_int_eq((int)browser_number("return Number(document.documentElement.dataset.live)"), 3);
    ck_assert_str_eq(
        browser_text(
            "return [...document.querySelectorAll('#figure0 .legend label span')].map((s) => s.textContent).join()"),
        "lassen,bluewaters");
    ck_assert_str_eq(browser_text("return document.title"), "stencil9:120x120 on lassen and bluewaters");
    ck_assert(browser_true("return document.getElementById('netsparse') === null"));
}

/* ---- accessibility ----------------------------------------------------------------------------------------------- */

TEST_EACH(test_accessible, 2)
{
    const char *const files[] = {PAGE, MACHINES_PAGE};
    open_live(files[_i]);
    no_barriers("light");
    set_dark();
    no_barriers("dark");
    browser_order("Emulation.setDeviceMetricsOverride",
                  "{\"width\": 375, \"height\": 812, \"deviceScaleFactor\": 1, \"mobile\": true}");
    no_barriers("narrow and dark");
}

TEST(test_barriers_are_found)
{
    open_page(cli_file("barriers.html",
                       "<!DOCTYPE html><html><title>t</title><img src=\"data:,\"><p style=\"color:#aaa\">faint"));
    const char *found = find_barriers();
    ck_assert_msg(strstr(found, "image-alt") != NULL && strstr(found, "color-contrast") != NULL &&
                      strstr(found, "html-has-lang") != NULL,
                  "%s", found);
}

/* What axe cannot know: the order of what a keyboard reaches, and that the skip link leads to the answer. */
TEST(test_keyboard)
{
    open_live(PAGE);
    browser_keys("\xee\x80\x84"); /* Tab */
    ck_assert_str_eq(browser_text("return document.activeElement.textContent"), "Skip to the answer");
    ck_assert(browser_true("return document.activeElement.getBoundingClientRect().left >= 0"));
    ck_assert(
        browser_true("return document.querySelector(document.activeElement.getAttribute('href')).tagName === 'MAIN'"));
    ck_assert(browser_true("return [...document.querySelectorAll('table')].every((t) => t.caption && "
                           "t.querySelectorAll('th[scope=col]').length > 1)"));
    ck_assert(browser_true("return [...document.querySelectorAll('tbody tr')].every((r) => r.cells[0].tagName === 'TH' "
                           "&& r.cells[0].scope)"));
}

/* ---- hostile names ----------------------------------------------------------------------------------------------- */

TEST(test_hostile_names)
{
    char text[500] = "";
    FILE *matrix = fopen(cli_path("<img src=x onerror=alert(1)>&\".mtx"), "wb");
    ck_assert_ptr_nonnull(matrix);
    fputs("%%MatrixMarket matrix coordinate pattern general\n4 4 3\n1 2\n2 3\n4 1\n", matrix);
    fclose(matrix);
    char *json = read_whole("params/bluewaters.json"), *source = strstr(json, "\"source\": \"");
    ck_assert_ptr_nonnull(source);
    FILE *machine = fopen(cli_path("hostile.json"), "wb");
    ck_assert_ptr_nonnull(machine);
    fprintf(machine, "%.*s%s", (int)(source - json) + 11, json,
            "</script><script>document.documentElement.dataset.owned=1</script><!-- \\\" onload=x ");
    fputs(source + 11, machine);
    fclose(machine);
    ns_free(json);
    make_page("report --matrix 'TMP/<img src=x onerror=alert(1)>&\".mtx' --machine "
              "TMP/hostile.json --parts 2,4 --nodes 2 "
              "--title '<svg onload=document.documentElement.dataset.owned=3>' --date '--><b>&' -o "
              "TMP/hostile.html");
    open_live(cli_path("hostile.html"));
    ck_assert_msg(console_entries(text, sizeof text) == 0, "console: %s", text);
    ck_assert_str_eq(browser_text("return document.title"), "<svg onload=document.documentElement.dataset.owned=3>");
    ck_assert_str_eq(browser_text("return document.querySelector('h1').textContent"),
                     "<svg onload=document.documentElement.dataset.owned=3>");
    ck_assert(browser_true("return document.documentElement.dataset.owned === undefined"));
    ck_assert_int_eq(
        (int)browser_number("return document.querySelectorAll('img, b:not(.tip b), [onload], [onerror]').length"), 0);
    ck_assert_int_eq((int)browser_number("return document.querySelectorAll('script').length"), 2 + 2);
    ck_assert(browser_true("return document.body.textContent.includes('<img src=x onerror=alert(1)>&\"')"));
    ck_assert(
        browser_true("return "
                     "document.body.textContent.includes('</script><script>document.documentElement.dataset.owned=1</"
                     "script><!-- \" onload=x ')"));
    no_barriers("hostile");
}

/* Had a name slipped through, the page's own policy would still not run it. */
TEST(test_policy)
{
    char text[500] = "";
    char *html = read_whole(PAGE), *body = strstr(html, "<body>");
    ck_assert_ptr_nonnull(body);
    FILE *file = fopen(cli_path("injected.html"), "wb");
    ck_assert_ptr_nonnull(file);
    fprintf(
        file,
        "%.*s<script>document.documentElement.dataset.owned=1</script><img src=\"http://127.0.0.1:9/y.png\" alt=\"\" "
        "onerror=\"document.documentElement.dataset.owned=2\">%s",
        (int)(body - html) + 6, html, body + 6);
    fclose(file);
    ns_free(html);
    open_live(cli_path("injected.html"));
    ck_assert(browser_true("return document.documentElement.dataset.owned === undefined"));
    ck_assert_int_ge(console_entries(text, sizeof text), 1);
    ck_assert_ptr_nonnull(strstr(text, "Content Security Policy"));
    ck_assert(was_blocked());
}

TEST_NEEDS(browser_ready())
TEST_FIXTURE_ONCE(browser_begin_pages, browser_end)
TEST_TIMEOUT(240)
