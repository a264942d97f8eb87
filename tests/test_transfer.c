/* test_transfer.c -- what one connection asks libcurl for, and that it asks nothing when libcurl has no memory for
 * all of it
 */
#include "fetch/transfer.h"
#include "support/test.h"

#include <stdarg.h>

static int options, performed, failing; /* options that were set; the one that fails, from 1 */
static CURLcode failure;
static bool no_list;
static char range[40], header[300];

static CURLcode set_option(CURL *curl, CURLoption option, ...)
{
    va_list arguments;
    (void)curl;
    va_start(arguments, option);
    if (option == CURLOPT_RANGE) {
        const char *text = va_arg(arguments, const char *);
        snprintf(range, sizeof range, "%s", text != NULL ? text : "all");
    } else if (option == CURLOPT_HTTPHEADER) {
        const struct curl_slist *list = va_arg(arguments, const struct curl_slist *);
        snprintf(header, sizeof header, "%s", list != NULL ? list->data : "none");
    }
    va_end(arguments);
    return ++options == failing ? failure : CURLE_OK;
}

static CURLcode perform(CURL *curl)
{
    (void)curl;
    performed++;
    return CURLE_OK;
}

static struct curl_slist *append(struct curl_slist *list, const char *text)
{
    static struct curl_slist one;
    static char copy[300];
    ck_assert_ptr_null(list);
    snprintf(copy, sizeof copy, "%s", text);
    one = (struct curl_slist){.data = copy};
    return no_list ? NULL : &one;
}

static void let_go(struct curl_slist *list)
{
    (void)list;
}

static CURLcode run(int64_t have, const char *tag)
{
    const ns_fetch_request request = {.url = "http://127.0.0.1/a"};
    ns_transfer t = {.request = &request,
                     .library = {.easy_setopt = set_option,
                                 .easy_perform = perform,
                                 .slist_append = append,
                                 .slist_free_all = let_go},
                     .have = have};
    snprintf(t.tag, sizeof t.tag, "%s", tag);
    options = performed = 0;
    return ns_transfer_run(&t);
}

static void setup(void)
{
    failing = 0;
    no_list = false;
}

TEST(asked)
{
    static const struct {
        int64_t have;
        const char *tag, *range, *header;
    } rows[] = {
        {0, "", "all", "none"},
        {0, "\"v1\"", "all", "none"},
        {10, "", "10-", "none"},
        {10, "\"v1\"", "10-", "If-Range: \"v1\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_int_eq(run(rows[i].have, rows[i].tag), CURLE_OK);
        ck_assert_str_eq(range, rows[i].range);
        ck_assert_str_eq(header, rows[i].header);
        ck_assert_int_eq(performed, 1);
    }
}

TEST(no_memory)
{
    ck_assert_int_eq(run(10, "\"v1\""), CURLE_OK);
    const int all = options;
    ck_assert_int_gt(all, 10);
    failure = CURLE_OUT_OF_MEMORY;
    for (failing = 1; failing <= all; failing++) {
        ck_assert_int_eq(run(10, "\"v1\""), CURLE_OUT_OF_MEMORY);
        ck_assert_int_eq(performed, 0);
    }
    failing = 0;
    no_list = true;
    ck_assert_int_eq(run(10, "\"v1\""), CURLE_OUT_OF_MEMORY);
    ck_assert_int_eq(performed, 0);
    ck_assert_int_eq(run(10, ""), CURLE_OK); /* needs none */
}

/* An old libcurl. */
TEST(unknown_option)
{
    failure = CURLE_UNKNOWN_OPTION;
    failing = 4;
    ck_assert_int_eq(run(0, ""), CURLE_OK);
    ck_assert_int_eq(performed, 1);
}

TEST_FIXTURE(setup, NULL)
