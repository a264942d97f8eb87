/* test_matrix_get.c -- nsmodel matrix get from a server on loopback: whole, cut, changed, taken up again */
#define _XOPEN_SOURCE 700

#include "core/memory.h"
#include "support/fetching.h"
#include "support/needs.h"
#include "support/shell.h"
#include "support/test.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

TEST(test_whole)
{
    server_answer answer = fetching_whole();
    const char *base = server_start(&answer, 1);
    cli_result r = fetching_get(base);
    fetching_expect_status(&r, "fetched");
    fetching_expect_file();
    r = fetching_get(base);
    fetching_expect_status(&r, "present");
    r = cli("matrix get " NAME " --again --url http://127.0.0.1:9");
    ck_assert_int_eq(r.code, 1);
    fetching_expect_file(); /* it stays until another one is good */
    r = cli("pattern --matrix " NAME " --parts 4 --format csv");
    ck_assert_msg(r.code == 0 && strstr(r.out, "source,cache") != NULL && strstr(r.out, "nonzeros,438") != NULL, "%s%s",
                  r.out, r.err);
    fetching_asked(REQUEST "\n");
}

TEST(test_elsewhere)
{
    char out[400];
    server_answer answer = fetching_whole();
    cli_result r = cli_with("matrix get ash219 --to %s/a/b --url %s", fetching_cache, server_start(&answer, 1));
    ck_assert_msg(r.code == 0, "%s", r.err);
    ck_assert_int_eq(shell(out, sizeof out, "cd '%s' && find . -type f", fetching_cache), 0);
    ck_assert_str_eq(out, "./a/b/" FILE_NAME "\n");
}

/* Cut twice within one command: each time the rest is asked for, of the same version. */
TEST(test_cut_and_taken_up)
{
    server_answer cut = fetching_whole();
    cut.cut = CUT;
    server_answer script[] = {cut, cut, fetching_whole()};
    cli_result r = fetching_get(server_start(script, 3));
    fetching_expect_status(&r, "fetched");
    fetching_expect_file();
    fetching_asked(REQUEST "\n" REQUEST " range=10000- if-range=\"v1\"\n" REQUEST " range=20000- if-range=\"v1\"\n");
}

/* Cut, and then the server is broken: the next command goes on where this one ended. */
TEST(test_resumed_later)
{
    server_answer cut = fetching_whole(), gone = {.code = 404, .type = "text/html", .bytes = "no", .size = 2};
    cut.cut = CUT;
    server_answer broken[] = {cut, gone}, mended[] = {fetching_whole()};
    cli_result r = fetching_get(server_start(broken, 2));
    fetching_expect_failure(&r, 1, "404");
    fetching_expect_part(CUT);
    server_stop();
    r = fetching_get(server_start(mended, 1));
    ck_assert_msg(strstr(r.out, "\nresumed_from,10000,B\n") != NULL, "%s%s", r.out, r.err);
    fetching_expect_status(&r, "resumed");
    fetching_expect_file();
    fetching_asked(REQUEST " range=10000- if-range=\"v1\"\n");
}

/* The program is killed in the middle. */
TEST(test_killed)
{
    struct stat facts = {0};
    char url[200];
    server_answer hangs = fetching_whole(), again = fetching_whole();
    hangs.hang = CUT;
    snprintf(url, sizeof url, "%s", server_start(&hangs, 1));
    pid_t child = fork();
    if (child == 0) {
        execl(shell_program(), "nsmodel", "matrix", "get", NAME, "--url", url, (char *)NULL);
        _exit(127);
    }
    while (stat(fetching_part, &facts) != 0 || facts.st_size < CUT)
        ck_assert_int_eq(waitpid(child, NULL, WNOHANG), 0);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    server_stop();
    cli_result r = fetching_get(server_start(&again, 1));
    fetching_expect_status(&r, "resumed");
    fetching_expect_file();
    fetching_asked(REQUEST " range=10000- if-range=\"v1\"\n");
}

static const struct {
    const char *about, *tag;
    bool other, all, no_ranges; /* what stands there: of another file, the whole file; the server knows no ranges */
    const char *status, *requests;
} resumptions[] = {
    {"same version", "\"v1\"", false, false, false, "resumed", REQUEST " range=10000- if-range=\"v1\"\n"},
    {"no tag known", NULL, false, false, false, "resumed", REQUEST " range=10000-\n"},
    {"another version", "\"v0\"", true, false, false, "fetched", REQUEST " range=10000- if-range=\"v0\"\n"},
    {"another version, unnoticed: the sum tells", NULL, true, false, false, "fetched",
     REQUEST " range=10000-\n" REQUEST "\n"},
    {"a server without ranges", "\"v1\"", false, false, true, "fetched", REQUEST " range=10000- if-range=\"v1\"\n"},
    {"all was there, unchecked", "\"v1\"", false, true, false, "resumed", NULL},
};

TEST_EACH(test_resumptions, sizeof resumptions / sizeof *resumptions)
{
    unsigned char *bytes = ns_malloc(fetching_good.size);
    server_answer answer = fetching_whole();
    memcpy(bytes, fetching_good.bytes, fetching_good.size);
    for (size_t i = 20; resumptions[_i].other && i < fetching_good.size; i++)
        bytes[i] ^= 0x55;
    fetching_leave_part(bytes, resumptions[_i].all ? fetching_good.size : CUT, resumptions[_i].tag);
    ns_free(bytes);
    answer.no_ranges = resumptions[_i].no_ranges;
    cli_result r = fetching_get(server_start(&answer, 1));
    fetching_expect_status(&r, resumptions[_i].status);
    fetching_expect_file();
    if (resumptions[_i].requests != NULL)
        fetching_asked(resumptions[_i].requests);
}

TEST(test_redirected)
{
    server_answer script[] = {{.code = 302, .location = "/elsewhere/file.tar.gz"}, fetching_whole()};
    cli_result r = fetching_get(server_start(script, 2));
    fetching_expect_status(&r, "fetched");
    fetching_expect_file();
    fetching_asked(REQUEST "\nGET /elsewhere/file.tar.gz\n");
}

/* No Content-Length: the end of the connection is the end of the file, and the sum says whether it is. */
TEST(test_no_length)
{
    server_answer answer = fetching_whole();
    answer.no_length = true;
    cli_result r = fetching_get(server_start(&answer, 1));
    fetching_expect_status(&r, "fetched");
    fetching_expect_file();
}

TEST_NEEDS(!lacks("all", "curl"))
TEST_FIXTURE(fetching_setup, fetching_teardown)
TEST_TIMEOUT(60)
