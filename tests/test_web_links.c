/* test_web_links.c -- the page's address keeps what was asked, and no file's name; files are dropped on it */
#include "core/memory.h"
#include "support/browser.h"
#include "support/browser_page.h"
#include "support/files.h"
#include "support/server.h"
#include "support/test.h"
#include "support/web.h"

/* ---- links ------------------------------------------------------------------------------------------------------- */

TEST(test_link)
{
    web_open("");
    ck_assert_str_eq(browser_text("return location.hash"), "");
    web_type("matrix", "stencil9:100x90");
    web_type("parts", "4,16");
    web_type("nodes", "");
    web_type("set", "topology.gpus=2");
    web_submit("exchange");
    ns_value *first = web_answer();
    char link[600];
    snprintf(link, sizeof link, "%s", browser_text("return location.hash"));
    ck_assert(strstr(link, "stencil9") != NULL && strstr(link, "topology.gpus") != NULL);
    ns_value *before = browser_eval("return document.getElementById('exchange-part').answer.json");
    web_open(link);
    ns_value *second = web_answer();
    ns_value *after = browser_eval("return document.getElementById('exchange-part').answer.json");
    ck_assert_str_eq(after->text, before->text);
    ck_assert_str_eq(browser_text("return document.getElementById('set').value"), "topology.gpus=2");
    ck_assert_str_eq(browser_text("return location.hash"), link);
    ns_value_free(before);
    ns_value_free(after);
    ns_value_free(first);
    ns_value_free(second);
}

TEST(test_link_back)
{
    web_open("#exchange?matrix=rajat01&parts=8&nodes=");
    ns_value_free(web_answer());
    web_type("parts", "32");
    web_submit("exchange");
    browser_wait("return location.hash.includes('32')");
    ns_value_free(web_answer());
    ns_value_free(browser_eval("history.back(); return 0"));
    browser_wait("return document.getElementById('parts').value === '8'");
    ns_value *answer = web_answer();
    ck_assert(ns_value_at(answer, "predict.cases")->first->next == NULL);
    ck_assert(ns_value_at(ns_value_at(answer, "predict.cases")->first, "gpus")->number == 8);
    ns_value_free(answer);
}

/* The name of a file is nobody else's business. */
TEST(test_link_has_no_file)
{
    const char *path = cli_file("secret.mtx", "%%MatrixMarket matrix coordinate pattern general\n4 4 4\n1 2\n2 "
                                              "3\n3 4\n4 1\n");
    web_open("#exchange");
    web_choose("matrix-file", path);
    web_type("parts", "2");
    web_type("nodes", "");
    web_submit("exchange");
    ns_value_free(web_answer());
    ck_assert(browser_true("return location.hash.includes('parts=2') && !location.hash.includes('secret')"));
}

TEST(test_drop)
{
    web_open("#sweep");
    ns_value_free(browser_eval(
        "const data = new DataTransfer();"
        "data.items.add(new File(['%%MatrixMarket matrix coordinate pattern general\\n4 4 3\\n1 2\\n2 3\\n3 4\\n'], "
        "'dropped.mtx'));"
        "document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));"
        "return 0"));
    ck_assert(browser_true("return !document.getElementById('exchange-part').hidden"));
    ck_assert_str_eq(browser_text("return document.getElementById('matrix').value"), "dropped.mtx");
    web_type("parts", "2");
    web_type("nodes", "");
    web_submit("exchange");
    ns_value *answer = web_answer();
    ck_assert(ns_value_at(answer, "predict.matrix.nonzeros")->number == 3);
    ns_value_free(answer);
}

/* From a host of static files, which is asked for the page and for nothing else. */
TEST(test_host)
{
    char base[100], *page = read_whole(web_path());
    const server_answer answer = {
        .type = "text/html; charset=utf-8", .bytes = page, .size = strlen(page), .piece = 1 << 16};
    snprintf(base, sizeof base, "%s/nsmodel.html", server_start(&answer, 1));
    web_open_at(base, "#exchange?parts=8%2C16&nodes=16");
    ns_value_free(web_answer());
    browser_wait("return document.querySelector('#answer-box .live canvas') !== null");
    ck_assert(browser_true("return location.protocol === 'http:'"));
    ck_assert_str_eq(server_requests(), "GET /nsmodel.html\n");
}

TEST_NEEDS(web_ready())
TEST_FIXTURE_ONCE(web_begin, browser_end)
TEST_TIMEOUT(240)
