/* test_matrix_get_refused.c -- what a server refuses or sends wrongly, and files of another matrix */
#include "support/fetching.h"
#include "support/needs.h"
#include "support/shell.h"
#include "support/test.h"

#include "fetch/transfer.h"

/* ---- refused by the server --------------------------------------------------------------------------------------- */

static const struct {
    server_answer answer;
    const char *words;
} refusals[] = {
    {{.code = 404, .type = "text/html", .bytes = "gone", .size = 4},
     "/MM/HB/ash219.tar.gz: the server says 404 Scripted"},
    {{.code = 403, .bytes = "no", .size = 2}, "the server says 403"},
    {{.code = 204}, "the server says 204"},
    {{.code = 302, .location = "/round"}, "redirects"},
    {{.code = 302, .location = "file:///etc/passwd"}, "rotocol"},
    {{.code = 200}, "an empty file"},
    {{.code = 200, .type = "text/html; charset=utf-8", .bytes = "<html>sorry</html>", .size = 18},
     "wanted a gzip archive, got text/html\n"},
    {{.code = 200, .type = "text/plain", .bytes = "\x1f", .size = 1}, "no %%MatrixMarket banner"},
};

TEST_EACH(test_refused, sizeof refusals / sizeof *refusals)
{
    cli_result r = fetching_get(server_start(&refusals[_i].answer, 1));
    fetching_expect_failure(&r, 1, refusals[_i].words);
    ck_assert(!fetching_there(fetching_part));
}

/* A server that is busy is asked again, three times in all. */
TEST(test_busy)
{
    server_answer answer = {.code = 503};
    cli_result r = fetching_get(server_start(&answer, 1));
    fetching_expect_failure(&r, 1, "the server says 503");
    fetching_asked(REQUEST "\n" REQUEST "\n" REQUEST "\n");
}

TEST(test_busy_for_a_moment)
{
    server_answer script[] = {{.code = 503}, fetching_whole()};
    cli_result r = fetching_get(server_start(script, 2));
    fetching_expect_status(&r, "fetched");
}

/* A polite error page does not cost what was fetched before. */
TEST(test_page_spares_part)
{
    server_answer answer = {.code = 200, .type = "text/html", .bytes = "<html>log in</html>", .size = 19};
    fetching_leave_part(fetching_good.bytes, CUT, "\"v1\"");
    cli_result r = fetching_get(server_start(&answer, 1));
    fetching_expect_failure(&r, 1, "got text/html");
    fetching_expect_part(CUT);
}

TEST(test_wrong_range)
{
    server_answer answer = fetching_whole();
    answer.wrong_range = true;
    fetching_leave_part(fetching_good.bytes, CUT, "\"v1\"");
    cli_result r = fetching_get(server_start(&answer, 1));
    fetching_expect_failure(&r, 1, "asked for bytes from 10000, got bytes from 10001");
}

TEST(test_nobody_listens)
{
    char base[100];
    server_answer answer = fetching_whole();
    snprintf(base, sizeof base, "%s", server_start(&answer, 1));
    server_stop();
    cli_result r = fetching_get(base);
    fetching_expect_failure(&r, 1, "ouldn't connect to server");
    ck_assert(!fetching_there(fetching_part));
}

/* ---- another file ------------------------------------------------------------------------------------------------ */

static const char not_a_matrix[] = "%%MatrixMarket matrix coordinate real general\n219 85 438\n1 x 3\n";

TEST_EACH(test_other_matrix, 6)
{
    static const char *const words[] = {
        "not HB/ash219: 218 x 85, the catalogue has 219 x 85\n",
        "not HB/ash219: 219 x 86, the catalogue has 219 x 85\n",
        "not HB/ash219: 437 entries, the catalogue has 438\n",
        ":3:3: ",
        "damaged gzip data: incorrect data check",
        "truncated gzip data: the file ends too early",
    };
    archive a = _i == 0   ? archive_make("ash219", ROWS - 1, COLS, ENTRIES - 2, 10)
                : _i == 1 ? archive_make("ash219", ROWS, COLS + 1, ENTRIES, 10)
                : _i == 2 ? archive_make("ash219", ROWS, COLS, ENTRIES - 1, 10)
                : _i == 3 ? archive_of("ash219", not_a_matrix, 10)
                          : archive_make("ash219", ROWS, COLS, ENTRIES, NOISE);
    if (_i == 4)
        a.bytes[a.size - 8] ^= 1; /* the sum */
    server_answer answer = {.bytes = a.bytes, .size = _i == 5 ? a.size - 9 : a.size};
    cli_result r = fetching_get(server_start(&answer, 1));
    fetching_expect_failure(&r, 1, words[_i]);
    ck_assert(!fetching_there(fetching_part));
    archive_free(&a);
}

/* A server that falls silent counts as cut, after the time asked for; nothing comes of asking again. */
TEST(test_silence)
{
    server_answer answer = fetching_whole();
    ns_error err = {0};
    ns_fetch_result came;
    char url[200];
    answer.hang = 1; /* of what is still to come */
    fetching_leave_part(fetching_good.bytes, CUT - 1, "\"v1\"");
    shell_ok("mkdir -p '%s/nsmodel/HB'", fetching_cache);
    snprintf(url, sizeof url, "%s/x", server_start(&answer, 1));
    ns_fetch_request request = {.url = url, .part = fetching_part, .patience = 1, .tries = 1};
    ck_assert_int_ne(ns_fetch_file(&request, &came, &err), NS_OK);
    ck_assert_msg(strstr(err.text, "the connection was cut after 10000 of ") != NULL, "%s", err.text);
    ck_assert_int_eq(came.bytes, CUT);
    fetching_expect_part(CUT);
}

/* ---- header lines ------------------------------------------------------------------------------------------------ */

TEST(test_header_lines)
{
    static const char *const lines[] = {"HTTP/1.1 301 Moved\r\n",
                                        "ETag: \"old\"\r\n",
                                        "HTTP/2 206 \r\n",
                                        "CONTENT-RANGE:bytes 5-9/10\r\n",
                                        "content-Length:\t 5 \r\n",
                                        "Content-Type: text/html; charset=x\r\n",
                                        "ETag: W/\"weak\"\r\n",
                                        "Last-Modified: Tue, 01 Jan 2019 00:00:00 GMT\r\n",
                                        "\r\n",
                                        ""};
    ns_http_answer a = {0};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        ns_http_answer_line(&a, lines[i], strlen(lines[i]));
    ck_assert_int_eq(a.code, 206);
    ck_assert_int_eq(a.from, 5);
    ck_assert_int_eq(a.total, 10);
    ck_assert_int_eq(a.length, 5);
    ck_assert_str_eq(a.type, "text/html");
    ck_assert_str_eq(a.tag, "Tue, 01 Jan 2019 00:00:00 GMT");
    static const char *const odd[] = {"Content-Range: bytes */77",
                                      "Content-Range: items 1-2/3",
                                      "Content-Range: bytes x",
                                      "Content-Length: many",
                                      "HTTP/",
                                      "Content-Length: 99999999999999999999999"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        ns_http_answer b = {.from = -1, .total = -1, .length = -1};
        ns_http_answer_line(&b, odd[i], strlen(odd[i]));
        ck_assert_int_eq(b.from, -1);
        ck_assert_int_eq(b.total, i == 0 ? 77 : -1);
    }
}

TEST_NEEDS(!lacks("all", "curl"))
TEST_FIXTURE(fetching_setup, fetching_teardown)
TEST_TIMEOUT(60)
