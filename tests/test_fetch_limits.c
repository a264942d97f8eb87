/* test_fetch_limits.c -- a server that sends without end, or hardly at all, does not hold the fetching up */
#define _XOPEN_SOURCE 700

#include "core/memory.h"
#include "support/cli.h"
#include "support/needs.h"
#include "support/server.h"
#include "support/shell.h"
#include "support/test.h"

#include "fetch/fetch.h"

enum { SIZE = 40000, ENDLESS = 70 << 20 };

static char part[1200];
static unsigned char *bytes;

static void setup(void)
{
    static const char *const proxies[] = {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
    const char *folder = scratch_open();
    snprintf(part, sizeof part, "%s/x.part", folder);
    for (size_t i = 0; i < sizeof proxies / sizeof *proxies; i++)
        ck_assert_int_eq(unsetenv(proxies[i]), 0);
    ck_assert_int_eq(setenv("XDG_CACHE_HOME", folder, 1) | setenv("HOME", folder, 1), 0);
    bytes = ns_calloc(ENDLESS, 1);
    ck_assert(bytes != NULL);
    bytes[0] = 0x1f;
    bytes[1] = 0x8b;
}

static void teardown(void)
{
    server_stop();
    ns_free(bytes);
    scratch_close();
}

static ns_status fetch(const server_answer *answer, int64_t most, ns_fetch_result *came, ns_error *err)
{
    char url[200];
    snprintf(url, sizeof url, "%s/x", server_start(answer, 1));
    const ns_fetch_request request = {.url = url, .part = part, .patience = 1, .tries = 2, .most = most};
    return ns_fetch_file(&request, came, err);
}

/* A ceiling holds with and without a Content-Length, and what exceeds it is not kept. */
TEST_EACH(test_ceiling, 2)
{
    ns_error err = {0};
    ns_fetch_result came;
    const server_answer answer = {.bytes = bytes, .size = SIZE, .no_length = _i == 1};
    ck_assert_int_eq(fetch(&answer, SIZE - 1, &came, &err), NS_ERR_DATA);
    ck_assert_msg(strstr(err.text, "more than the 39999 B that this file can have") != NULL, "%s", err.text);
    ck_assert_int_ne(access(part, F_OK), 0);
    server_stop();
    err = (ns_error){0};
    ck_assert_msg(fetch(&answer, SIZE, &came, &err) == NS_OK, "%s", err.text);
    ck_assert_int_eq(came.bytes, SIZE);
}

/* `matrix get` knows how large a file of so many entries can be. */
TEST(test_ceiling_of_catalogue)
{
    const server_answer answer = {.bytes = bytes, .size = ENDLESS, .piece = 1 << 20, .no_length = true};
    cli_result r = cli_with("matrix get HB/ash219 --url %s", server_start(&answer, 1));
    ck_assert_int_eq(r.code, 1);
    ck_assert_msg(strstr(r.err, " B that this file can have") != NULL, "%s", r.err);
    shell_ok("cd '%s' && [ -z \"$(find . -type f)\" ]", getenv("HOME"));
}

/* Two bytes every 100 ms are more than libcurl's least rate, but would take half an hour. */
TEST_EACH(test_trickle, 2)
{
    ns_error err = {0};
    ns_fetch_result came;
    const server_answer answer = {
        .bytes = bytes, .size = SIZE, .tag = "\"v1\"", .piece = 2, .pause_ms = 100, .no_length = _i == 1};
    ck_assert_int_eq(fetch(&answer, 0, &came, &err), NS_ERR_FILE);
    ck_assert_msg(strstr(err.text, "the connection was cut after ") != NULL, "%s", err.text);
    ck_assert_int_eq(came.cuts, 2);
    ck_assert_int_gt(came.bytes, 0);
    ck_assert_int_lt(came.bytes, 2000);
}

TEST_NEEDS(!lacks("all", "curl"))
TEST_FIXTURE(setup, teardown)
TEST_TIMEOUT(60)
