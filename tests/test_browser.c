/* test_browser.c -- pages of `nsmodel report` in a real browser: what a reader sees, hears, prints and switches
 *
 * Pages are opened as files.  Each check that finds nothing wrong has a control in which it finds something.
 */
#include "support/browser.h"
#include "support/browser_page.h"
#include "support/test.h"

#include <sys/stat.h>

/* ---- quiet ------------------------------------------------------------------------------------------------------- */

TEST(test_quiet)
{
    char text[500] = "";
    int all;
    open_live(PAGE);
    ck_assert_int_eq((int)browser_number("return document.querySelectorAll('.live .uplot canvas').length"), 2);
    ck_assert_msg(console_entries(text, sizeof text) == 0, "console: %s", text);
    const int foreign = foreign_requests(&all, text, sizeof text);
    ck_assert_msg(foreign == 0, "a request for %s", text);
    ck_assert_int_ge(all, 1);
}

TEST(test_noise_is_heard)
{
    char text[500] = "";
    int all;
    open_page(cli_file("noise.html", "<!DOCTYPE html><title>t</title><img "
                                     "src=\"http://127.0.0.1:9/x.png\"><script>console.error('heard')</script>"));
    ck_assert_int_ge(console_entries(text, sizeof text), 1);
    ck_assert_int_ge(foreign_requests(&all, text, sizeof text), 1);
    ck_assert_str_eq(text, "http://127.0.0.1:9/x.png");
}

/* ---- the chart --------------------------------------------------------------------------------------------------- */

TEST(test_hover)
{
    char script[600];
    open_live(PAGE);
    ck_assert(browser_true("return document.querySelector('#figure0 .tip').hidden"));
    point_at(2);
    browser_wait("return !document.querySelector('#figure0 .tip').hidden");
    ck_assert_str_eq(browser_text("return document.querySelector('#figure0 .tip b').textContent"), "16 GPUs");
    ck_assert_int_eq((int)browser_number("return document.querySelectorAll('#figure0 .tip tr').length"), 8);
    /* the first line is the row that the table marks as the fastest of 16 GPUs */
    snprintf(script, sizeof script,
             "const row = document.querySelectorAll('#strategies tr.best')[2].cells;"
             "return [row[0].firstChild.textContent.trim().replace('/', ', '), row[1].textContent].join('|')");
    const char *marked = browser_text(script);
    ck_assert_str_eq(browser_text("return [...document.querySelector('#figure0 .tip tr').cells].slice(1).map((c) => "
                                  "c.textContent).join('|')"),
                     marked);
    ck_assert_int_gt((int)browser_save("screenshot", cli_path("hover.png")), 10000);
    point_at(4);
    browser_wait("return document.querySelector('#figure0 .tip b').textContent === '64 GPUs'");
    browser_point(2, 2);
    browser_wait("return document.querySelector('#figure0 .tip').hidden");
}

TEST(test_keys)
{
    open_live(PAGE);
    ns_value_free(browser_eval("document.querySelector('#figure0 .live').focus(); return 0"));
    browser_keys("\xee\x80\x90"); /* End */
    browser_wait("return document.querySelector('#figure0 .readout').textContent.startsWith('64 GPUs: ')");
    browser_keys("\xee\x80\x92"); /* left arrow */
    browser_wait("return document.querySelector('#figure0 .readout').textContent.startsWith('32 GPUs: ')");
    ck_assert(
        browser_true("return document.querySelector('#figure0 .readout').getAttribute('aria-live') === 'polite'"));
    browser_keys("\xee\x80\x8c"); /* Escape */
    browser_wait("return document.querySelector('#figure0 .tip').hidden");
}

/* Series 2 is three-step via host: not the fastest here, so that no ring lies around it. */
TEST(test_log_and_linear)
{
    open_live(PAGE);
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

TEST(test_linear_parts)
{
    open_live(PAGE);
    ns_value_free(browser_eval("window.before = document.querySelector('#figure0 canvas').toDataURL(); return 0"));
    click("#figure0 input[data-axis=x][value=linear]");
    ck_assert(browser_true("return document.querySelector('#figure0 canvas').toDataURL() !== window.before"));
    click("#figure0 input[data-axis=x][value=log]");
    ck_assert(browser_true("return document.querySelector('#figure0 canvas').toDataURL() === window.before"));
}

TEST(test_lines_on_and_off)
{
    open_live(PAGE);
    ck_assert(is_drawn(7, 1, true)); /* the last, drawn over all others */
    click("#figure0 .legend li:nth-child(8) input");
    ck_assert(!is_drawn(7, 1, true));
    point_at(1);
    browser_wait("return document.querySelectorAll('#figure0 .tip tr').length === 7");
    ck_assert(browser_true("return !document.querySelector('#figure0 .tip').textContent.includes('split-dd, host')"));
    click("#figure0 button[data-show=none]");
    ck_assert_int_eq((int)browser_number("return document.querySelectorAll('#figure0 .legend input:checked').length"),
                     0);
    click("#figure0 button[data-show=all]");
    ck_assert(is_drawn(7, 1, true));
}

TEST_NEEDS(browser_ready())
TEST_FIXTURE_ONCE(browser_begin_pages, browser_end)
TEST_TIMEOUT(240)
