/* test_web.c -- web/nsmodel.html in a real browser: quiet, readable by all, alive while it computes
 *
 * The page is opened as a file, alone in its folder.  Each check that finds nothing wrong has a control here or in
 * test_browser.c in which it finds something.
 */
#include "core/memory.h"
#include "support/browser.h"
#include "support/browser_page.h"
#include "support/cli.h"
#include "support/test.h"
#include "support/web.h"

static const char *const parts[] = {"exchange", "sweep", "line"};

static void phone(void)
{
    browser_order("Emulation.setDeviceMetricsOverride",
                  "{\"width\": 360, \"height\": 740, \"deviceScaleFactor\": 2, \"mobile\": true}");
}

static void enter(const char *line)
{
    web_type("line-text", line);
    web_submit("line");
    browser_wait("return document.getElementById('line-part').getAttribute('aria-busy') === 'false'");
}

/* Every part of the page with an answer in it. */
static void answer_all(void)
{
    web_open("#exchange?parts=8%2C16&nodes=16&k=16");
    ns_value_free(web_answer());
    browser_wait("return document.querySelectorAll('#answer-box .live canvas').length >= 2");
    ns_value_free(browser_eval("document.querySelector('details').open = true;"
                              "document.getElementById('explain').click(); return 0"));
    browser_wait("return !document.getElementById('explanation').hidden");
    ns_value_free(browser_eval("location.hash = '#sweep?over=s%3D1KiB%3A64KiB%3Ax4'; return 0"));
    browser_wait("return document.querySelector('#sweep-box .live canvas') !== null");
    web_wait("sweep");
    ns_value_free(browser_eval("location.hash = '#line'; return 0"));
    enter("4 KiB / 23.9 GB/s in us");
    enter("x +* 3");
}

static void show_part(const char *part)
{
    char script[200];
    snprintf(script, sizeof script, "location.hash = '#%s'; return 0", part);
    ns_value_free(browser_eval(script));
    snprintf(script, sizeof script, "return !document.getElementById('%s-part').hidden", part);
    browser_wait(script);
}

/* ---- quiet ------------------------------------------------------------------------------------------------------- */

TEST(test_quiet)
{
    char text[500] = "";
    int all;
    answer_all();
    ck_assert_msg(console_entries(text, sizeof text) == 0, "console: %s", text);
    const int foreign = foreign_requests(&all, text, sizeof text);
    ck_assert_msg(foreign == 0, "a request for %s", text);
    ck_assert_int_ge(all, 1);
}

/* Neither the page nor its worker may ask anything of anyone. */
TEST(test_requests_are_refused)
{
    web_open("");
    ns_value_free(browser_eval("window.asked = ''; addEventListener('securitypolicyviolation', (e) => { window.asked = "
                              "e.effectiveDirective; }); fetch('http://127.0.0.1:9/x').catch(() => 0); return 0"));
    browser_wait("return window.asked !== ''");
    ck_assert_str_eq(browser_text("return window.asked"), "connect-src");
    ns_value_free(browser_eval(
        "window.told = ''; const code = 'let violated = false;"
        "addEventListener(\"securitypolicyviolation\", () => { violated = true; });"
        "fetch(\"http://127.0.0.1:9/y\").then(() => postMessage(\"sent\"), () => setTimeout(() => postMessage(violated "
        "? \"violation\" : \"failed\"), 100));';"
        "new Worker(URL.createObjectURL(new Blob([code]))).onmessage = (e) => { window.told = e.data; }; return 0"));
    browser_wait("return window.told !== ''");
    ck_assert_str_eq(browser_text("return window.told"), "violation");
}

/* ---- what it says ------------------------------------------------------------------------------------------------ */

static const char *fault(const char *part)
{
    char script[200];
    web_wait(part);
    snprintf(script, sizeof script, "return document.querySelector('#%s-part .fault').textContent", part);
    return browser_text(script);
}

static void same_message(const char *hash, const char *line)
{
    web_open(hash);
    const char *said = fault("exchange");
    cli_result r = cli(line);
    ck_assert_int_ne(r.code, 0);
    r.err[strcspn(r.err, "\n")] = '\0';
    ck_assert_str_eq(said, r.err);
}

TEST(test_wrong_input)
{
    same_message("#exchange?matrix=rajat1", "report --matrix rajat1 -o x.html");
    same_message("#exchange?parts=8%2Cmany", "report --matrix rajat01 --parts 8,many -o x.html");
    same_message("#exchange?set=topology.gpu%3D4",
                 "report --matrix rajat01 --machine lassen-spectrum --set topology.gpu=4 -o x.html");
    ck_assert(browser_true("return document.querySelector('#exchange-part .results').hidden"));
    ck_assert(browser_true("return document.getElementById('answer-box').children.length === 0"));
    web_type("set", "");
    web_submit("exchange");
    ns_value_free(web_answer());
}

TEST(test_damaged_file)
{
    const char *path =
        cli_file("damaged.mtx", "%%MatrixMarket matrix coordinate real general\n300 300 2\n1 1 1\n900 1 1\n");
    web_open("#exchange");
    web_choose("matrix-file", path);
    web_submit("exchange");
    const char *said = fault("exchange");
    cli_result r = cli_with("report --matrix %s -o x.html", path);
    r.err[strcspn(r.err, "\n")] = '\0';
    const char *own = strstr(r.err, "damaged.mtx"), *shown = strstr(said, "damaged.mtx"); /* each by its own folder */
    ck_assert_msg(own != NULL && shown != NULL, "%s\n%s", said, r.err);
    ck_assert_str_eq(shown, own);
}

TEST(test_explanation)
{
    web_open("#exchange?parts=16&nodes=");
    ns_value_free(web_answer());
    click("#explain");
    browser_wait("return !document.getElementById('explanation').hidden");
    ns_value *shown = browser_eval("return document.querySelector('#explanation pre').textContent");
    char *wanted = cli_output("predict --matrix rajat01 --machine lassen-spectrum --parts 16 --explain");
    wanted[strlen(wanted) - 1] = '\0'; /* the last end of line */
    ck_assert_str_eq(shown->text, wanted);
    ns_value_free(shown);
}

/* ---- alive ------------------------------------------------------------------------------------------------------- */

TEST(test_progress_and_cancel)
{
    web_open("#exchange?nodes=&parts=64");
    ns_value_free(web_answer());
    web_type("matrix", "arabic-2005"); /* 640 million entries: many seconds */
    web_submit("exchange");
    browser_wait("return document.querySelector('#exchange-part .progress span').textContent.includes('entries/s')");
    ck_assert_str_eq(browser_text("return document.getElementById('exchange-part').getAttribute('aria-busy')"), "true");
    /* meanwhile the calculator answers, in a thread of its own */
    enter("1 + 1");
    ck_assert_str_eq(browser_text("return document.querySelector('#log pre:last-child').textContent"), "2");
    ck_assert_str_eq(browser_text("return document.getElementById('exchange-part').getAttribute('aria-busy')"), "true");
    click("#exchange-part [data-cancel]");
    web_wait("exchange");
    ck_assert_str_eq(browser_text("return document.querySelector('#exchange-part .state').textContent"), "Cancelled.");
    ck_assert(browser_true("return document.querySelector('#exchange-part .progress').hidden"));
    web_type("matrix", "rajat01");
    web_submit("exchange");
    ns_value_free(web_answer());
}

/* ---- sweep and calculator ---------------------------------------------------------------------------------------- */

TEST(test_sweep)
{
    web_open("#sweep?curves=max-rate&over=s%3D1KiB%3A1MiB%3Ax4&over2=ppn%3D1%2C40&machine=lassen");
    web_wait("sweep");
    browser_wait("return document.querySelector('#sweep-box .live canvas') !== null");
    char *wanted = cli_output("sweep max-rate m=1 --over s=1KiB:1MiB:x4 --over ppn=1,40 --machine lassen");
    wanted[strlen(wanted) - 1] = '\0';
    ns_value *shown = browser_eval("return document.querySelector('#sweep-box pre').textContent");
    ck_assert_str_eq(shown->text, wanted);
    ns_value_free(shown);
    ck_assert_int_eq((int)browser_number("return JSON.parse(document.querySelector('#sweep-box script.data')"
                                         ".textContent).series.length"),
                     2);
    web_open("#sweep?curves=strategies&over=s%3D16B%3A1MiB%3Ax64&over2=&inputs=&machine=lassen");
    web_wait("sweep");
    browser_wait("return document.querySelectorAll('#sweep-box .live canvas').length === 4");
    web_open("#sweep?curves=max-ratte");
    ck_assert_ptr_nonnull(strstr(fault("sweep"), "did you mean \"max-rate\""));
}

TEST(test_calculator)
{
    web_open("#line");
    enter("a = 4 KiB");
    enter("a / 23.9 GB/s in us");
    ck_assert_str_eq(browser_text("return document.querySelector('#log pre:last-child').textContent"),
                     "0.1713807531 us");
    enter("b +");
    ck_assert(browser_true("return document.querySelector('#log pre:last-child').className === 'failed'"));
    enter("matrix rajat01");
    enter("predict --gpus 16");
    ck_assert(browser_true("return document.querySelector('#log pre:last-child').textContent.includes('fastest way')"));
    enter("matrix get rajat01");
    ck_assert(browser_true("return document.querySelector('#log pre:last-child').textContent.includes('fetches "
                           "nothing')"));
    ns_value_free(browser_eval("document.getElementById('line-text').focus(); return 0"));
    browser_keys("\xee\x80\x93"); /* up */
    browser_keys("\xee\x80\x93");
    ck_assert_str_eq(browser_text("return document.getElementById('line-text').value"), "predict --gpus 16");
    enter("quit");
    enter("a");
    ck_assert(browser_true("return document.querySelector('#log pre:last-child').className === 'failed'"));
}

/* ---- everybody --------------------------------------------------------------------------------------------------- */

TEST(test_barriers)
{
    answer_all();
    for (int dark = 0; dark < 2; dark++) {
        if (dark)
            set_dark();
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            show_part(parts[i]);
            const char *found = find_barriers();
            ck_assert_msg(*found == '\0', "%s, %s: %s", parts[i], dark ? "dark" : "light", found);
        }
    }
    show_part("exchange");
    ns_value_free(browser_eval("document.getElementById('parts').labels[0].remove(); return 0"));
    ck_assert_ptr_nonnull(strstr(find_barriers(), "label")); /* the control */
}

TEST(test_phone)
{
    char shot[100];
    answer_all();
    phone();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        show_part(parts[i]);
        ck_assert_msg(browser_true("return document.documentElement.scrollWidth <= 360"), "%s is %.0f wide", parts[i],
                      browser_number("return document.documentElement.scrollWidth"));
        snprintf(shot, sizeof shot, "phone-%s.png", parts[i]);
        ck_assert_uint_gt(browser_save("screenshot", cli_path(shot)), 10000);
    }
    ns_value_free(browser_eval("document.querySelector('#line-part h2').style.width = '500px'; return 0"));
    ck_assert(browser_true("return document.documentElement.scrollWidth > 360")); /* the control */
}

TEST(test_keyboard)
{
    web_open("#exchange?parts=8&nodes=");
    ns_value_free(web_answer());
    ck_assert_str_eq(browser_text("return document.activeElement.textContent"), "rajat01 on lassen-spectrum");
    ns_value_free(browser_eval("document.getElementById('parts').focus(); return 0"));
    web_type("parts", "4");
    browser_keys("\xee\x80\x87"); /* Enter computes */
    browser_wait("return location.hash.includes('parts=4')");
    ns_value_free(web_answer());
    /* a link inside the report leads there, and leaves the address alone */
    const char *hash = browser_text("return location.hash");
    click("#answer-box nav a[href='#strategies']");
    ck_assert_str_eq(browser_text("return document.activeElement.id"), "strategies");
    ck_assert_str_eq(browser_text("return location.hash"), hash);
}

TEST_NEEDS(web_ready())
TEST_FIXTURE_ONCE(web_begin, browser_end)
TEST_TIMEOUT(240)
