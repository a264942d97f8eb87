/* test_matrix_get.c -- nsmodel matrix get from a server on loopback: whole, cut, changed, wrong, refused */
#define _XOPEN_SOURCE 700

#include "support/archive.h"
#include "support/cli.h"
#include "support/server.h"
#include "support/shell.h"

#include "fetch/transfer.h"

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* HB/ash219 of the catalogue: 219 x 85, 438 entries. */
enum { ROWS = 219, COLS = 85, ENTRIES = 438, NOISE = 40000, CUT = 10000 };
#define NAME "HB/ash219"
#define FILE_NAME "HB/ash219.tar.gz"
#define REQUEST "GET /MM/HB/ash219.tar.gz"

static archive good;
static char cache[1200], path[1400], part[1500];

static void setup(void)
{
    static const char *const proxies[] = {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
    const char *folder = scratch_open();
    snprintf(cache, sizeof cache, "%s/cache", folder);
    snprintf(path, sizeof path, "%s/nsmodel/" FILE_NAME, cache);
    snprintf(part, sizeof part, "%s.part", path);
    for (size_t i = 0; i < sizeof proxies / sizeof *proxies; i++)
        ck_assert_int_eq(unsetenv(proxies[i]), 0);
    ck_assert_int_eq(setenv("XDG_CACHE_HOME", cache, 1) | setenv("HOME", folder, 1) | unsetenv("NSMODEL_MATRIX_PATH"),
                     0);
    good = archive_make("ash219", ROWS, COLS, ENTRIES, NOISE);
}

static void teardown(void)
{
    server_stop();
    archive_free(&good);
    scratch_close();
}

static server_answer whole(void)
{
    return (server_answer){.bytes = good.bytes, .size = good.size, .tag = "\"v1\""};
}

static cli_result get(const char *base)
{
    char line[400];
    snprintf(line, sizeof line, "matrix get " NAME " --url %s/ --format csv", base);
    return cli(line);
}

/* What the server is asked, in all. */
static void asked(const char *lines)
{
    ck_assert_str_eq(server_requests(), lines);
}

static bool there(const char *file)
{
    return access(file, F_OK) == 0;
}

/* The file stands in the cache, byte for byte, and nothing else is left. */
static void expect_file(void)
{
    char out[400];
    unsigned char *bytes = malloc(good.size + 1);
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s is not there", path);
    ck_assert_uint_eq(fread(bytes, 1, good.size + 1, file), good.size);
    ck_assert_int_eq(memcmp(bytes, good.bytes, good.size), 0);
    fclose(file);
    free(bytes);
    ck_assert_int_eq(shell(out, sizeof out, "ls -A '%s/nsmodel/HB'", cache), 0);
    ck_assert_str_eq(out, "ash219.tar.gz\n");
}

static void expect_status(cli_result *r, const char *status)
{
    char wanted[40];
    snprintf(wanted, sizeof wanted, "\nstatus,%s,\n", status);
    ck_assert_msg(r->code == 0, "%s", r->err);
    ck_assert_str_eq(r->err, "");
    ck_assert_msg(strstr(r->out, wanted) != NULL, "wanted %s in\n%s", wanted, r->out);
    cli_free(r);
}

static void expect_failure(cli_result *r, int code, const char *words)
{
    ck_assert_int_eq(r->code, code);
    ck_assert_str_eq(r->out, "");
    ck_assert_msg(strstr(r->err, words) != NULL, "wanted \"%s\", got %s", words, r->err);
    ck_assert_ptr_eq(strchr(r->err, '\n'), r->err + strlen(r->err) - 1); /* one line */
    ck_assert(!there(path));
    cli_free(r);
}

static void expect_part(size_t size)
{
    struct stat facts;
    ck_assert_msg(stat(part, &facts) == 0, "no %s", part);
    ck_assert_uint_eq((size_t)facts.st_size, size);
}

/* ---- good -------------------------------------------------------------------------------------------------------- */

START_TEST(test_whole)
{
    server_answer answer = whole();
    const char *base = server_start(&answer, 1);
    cli_result r = get(base);
    expect_status(&r, "fetched");
    expect_file();
    r = get(base);
    expect_status(&r, "present");
    r = cli("matrix get " NAME " --again --url http://127.0.0.1:9");
    ck_assert_int_eq(r.code, 1);
    expect_file(); /* it stays until another one is good */
    cli_free(&r);
    r = cli("pattern --matrix " NAME " --parts 4 --format csv");
    ck_assert_msg(r.code == 0 && strstr(r.out, "source,cache") != NULL && strstr(r.out, "nonzeros,438") != NULL, "%s%s",
                  r.out, r.err);
    cli_free(&r);
    asked(REQUEST "\n");
}
END_TEST

START_TEST(test_elsewhere)
{
    char line[1600], out[400];
    server_answer answer = whole();
    snprintf(line, sizeof line, "matrix get ash219 --to %s/a/b --url %s", cache, server_start(&answer, 1));
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0, "%s", r.err);
    cli_free(&r);
    ck_assert_int_eq(shell(out, sizeof out, "cd '%s' && find . -type f", cache), 0);
    ck_assert_str_eq(out, "./a/b/" FILE_NAME "\n");
}
END_TEST

/* Cut twice within one command: each time the rest is asked for, of the same version. */
START_TEST(test_cut_and_taken_up)
{
    server_answer cut = whole();
    cut.cut = CUT;
    server_answer script[] = {cut, cut, whole()};
    cli_result r = get(server_start(script, 3));
    expect_status(&r, "fetched");
    expect_file();
    asked(REQUEST "\n" REQUEST " range=10000- if-range=\"v1\"\n" REQUEST " range=20000- if-range=\"v1\"\n");
}
END_TEST

/* Cut, and then the server is broken: the next command goes on where this one ended. */
START_TEST(test_resumed_later)
{
    server_answer cut = whole(), gone = {.code = 404, .type = "text/html", .bytes = "no", .size = 2};
    cut.cut = CUT;
    server_answer broken[] = {cut, gone}, mended[] = {whole()};
    cli_result r = get(server_start(broken, 2));
    expect_failure(&r, 1, "404");
    expect_part(CUT);
    server_stop();
    r = get(server_start(mended, 1));
    ck_assert_msg(strstr(r.out, "\nresumed_from,10000,B\n") != NULL, "%s%s", r.out, r.err);
    expect_status(&r, "resumed");
    expect_file();
    asked(REQUEST " range=10000- if-range=\"v1\"\n");
}
END_TEST

/* The program is killed in the middle. */
START_TEST(test_killed)
{
    struct stat facts = {0};
    char url[200];
    const char *program = getenv("NSMODEL_BIN");
    server_answer hangs = whole(), again = whole();
    hangs.hang = CUT;
    snprintf(url, sizeof url, "%s", server_start(&hangs, 1));
    pid_t child = fork();
    if (child == 0) {
        execl(program != NULL ? program : "bin/nsmodel", "nsmodel", "matrix", "get", NAME, "--url", url, (char *)NULL);
        _exit(127);
    }
    while (stat(part, &facts) != 0 || facts.st_size < CUT)
        ck_assert_int_eq(waitpid(child, NULL, WNOHANG), 0);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    server_stop();
    cli_result r = get(server_start(&again, 1));
    expect_status(&r, "resumed");
    expect_file();
    asked(REQUEST " range=10000- if-range=\"v1\"\n");
}
END_TEST

/* Leave CUT bytes of the given content behind, as a cut connection does. */
static void leave_part(const unsigned char *bytes, size_t size, const char *tag)
{
    shell_ok("mkdir -p '%s/nsmodel/HB'", cache);
    FILE *file = fopen(part, "wb");
    ck_assert(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
    if (tag != NULL)
        shell_ok("printf %%s '%s' > '%s.tag'", tag, part);
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

START_TEST(test_resumptions)
{
    unsigned char *bytes = malloc(good.size);
    server_answer answer = whole();
    memcpy(bytes, good.bytes, good.size);
    for (size_t i = 20; resumptions[_i].other && i < good.size; i++)
        bytes[i] ^= 0x55;
    leave_part(bytes, resumptions[_i].all ? good.size : CUT, resumptions[_i].tag);
    free(bytes);
    answer.no_ranges = resumptions[_i].no_ranges;
    cli_result r = get(server_start(&answer, 1));
    expect_status(&r, resumptions[_i].status);
    expect_file();
    if (resumptions[_i].requests != NULL)
        asked(resumptions[_i].requests);
}
END_TEST

START_TEST(test_redirected)
{
    server_answer script[] = {{.code = 302, .location = "/elsewhere/file.tar.gz"}, whole()};
    cli_result r = get(server_start(script, 2));
    expect_status(&r, "fetched");
    expect_file();
    asked(REQUEST "\nGET /elsewhere/file.tar.gz\n");
}
END_TEST

/* No Content-Length: the end of the connection is the end of the file, and the sum says whether it is. */
START_TEST(test_no_length)
{
    server_answer answer = whole();
    answer.no_length = true;
    cli_result r = get(server_start(&answer, 1));
    expect_status(&r, "fetched");
    expect_file();
}
END_TEST

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

START_TEST(test_refused)
{
    cli_result r = get(server_start(&refusals[_i].answer, 1));
    expect_failure(&r, 1, refusals[_i].words);
    ck_assert(!there(part));
}
END_TEST

/* A server that is busy is asked again, three times in all. */
START_TEST(test_busy)
{
    server_answer answer = {.code = 503};
    cli_result r = get(server_start(&answer, 1));
    expect_failure(&r, 1, "the server says 503");
    asked(REQUEST "\n" REQUEST "\n" REQUEST "\n");
}
END_TEST

START_TEST(test_busy_for_a_moment)
{
    server_answer script[] = {{.code = 503}, whole()};
    cli_result r = get(server_start(script, 2));
    expect_status(&r, "fetched");
}
END_TEST

/* A polite error page does not cost what was fetched before. */
START_TEST(test_page_spares_part)
{
    server_answer answer = {.code = 200, .type = "text/html", .bytes = "<html>log in</html>", .size = 19};
    leave_part(good.bytes, CUT, "\"v1\"");
    cli_result r = get(server_start(&answer, 1));
    expect_failure(&r, 1, "got text/html");
    expect_part(CUT);
}
END_TEST

START_TEST(test_wrong_range)
{
    server_answer answer = whole();
    answer.wrong_range = true;
    leave_part(good.bytes, CUT, "\"v1\"");
    cli_result r = get(server_start(&answer, 1));
    expect_failure(&r, 1, "asked for bytes from 10000, got bytes from 10001");
}
END_TEST

START_TEST(test_nobody_listens)
{
    char base[100];
    server_answer answer = whole();
    snprintf(base, sizeof base, "%s", server_start(&answer, 1));
    server_stop();
    cli_result r = get(base);
    expect_failure(&r, 1, "ouldn't connect to server");
    ck_assert(!there(part));
}
END_TEST

/* ---- another file ------------------------------------------------------------------------------------------------ */

static const char not_a_matrix[] = "%%MatrixMarket matrix coordinate real general\n219 85 438\n1 x 3\n";

START_TEST(test_other_matrix)
{
    static const char *const words[] = {
        "not HB/ash219: 218 x 85, the catalogue has 219 x 85\n",
        "not HB/ash219: 219 x 86, the catalogue has 219 x 85\n",
        "not HB/ash219: 437 entries, the catalogue has 438\n",
        ":3:3: ",
        "damaged gzip data: incorrect data check",
        "damaged gzip data: unexpected end of file",
    };
    archive a = _i == 0   ? archive_make("ash219", ROWS - 1, COLS, ENTRIES - 2, 10)
                : _i == 1 ? archive_make("ash219", ROWS, COLS + 1, ENTRIES, 10)
                : _i == 2 ? archive_make("ash219", ROWS, COLS, ENTRIES - 1, 10)
                : _i == 3 ? archive_of("ash219", not_a_matrix, 10)
                          : archive_make("ash219", ROWS, COLS, ENTRIES, NOISE);
    if (_i == 4)
        a.bytes[a.size - 8] ^= 1; /* the sum */
    server_answer answer = {.bytes = a.bytes, .size = _i == 5 ? a.size - 9 : a.size};
    cli_result r = get(server_start(&answer, 1));
    expect_failure(&r, 1, words[_i]);
    ck_assert(!there(part));
    archive_free(&a);
}
END_TEST

/* ---- command line and places ------------------------------------------------------------------------------------- */

static const struct {
    const char *line;
    int code;
    const char *words;
} misuse[] = {
    {"matrix get", 2, "matrix get wants one NAME"},
    {"matrix get audikw_2", 1, "did you mean \"audikw_1\"?"},
    {"matrix get barth5", 1, "\"barth5\" names several matrices: "},
    {"matrix get ash219 --url ftp://127.0.0.1", 2, "--url wants http://... or https://..., got \"ftp://127.0.0.1\""},
    {"matrix get ash219 --url http://", 2, "--url wants http://... or https://..., got \"http://\""},
    {"matrix get ash219 --to ''", 2, "--to wants a folder"},
    {"matrix get ash219 --sort rows", 2, "--sort belongs to `nsmodel matrix list`"},
    {"matrix list --url http://127.0.0.1", 2, "--url belongs to `nsmodel matrix get`"},
    {"matrix get ash219 --to /dev/null/x --url http://127.0.0.1:9", 1, "/dev/null/x: this folder cannot be made"},
};

START_TEST(test_misuse)
{
    cli_result r = cli(misuse[_i].line);
    expect_failure(&r, misuse[_i].code, misuse[_i].words);
}
END_TEST

START_TEST(test_no_cache)
{
    ck_assert_int_eq(unsetenv("HOME") | unsetenv("XDG_CACHE_HOME"), 0);
    cli_result r = cli("matrix get ash219 --url http://127.0.0.1:9");
    expect_failure(&r, 1, "neither XDG_CACHE_HOME nor HOME is set; say --to FOLDER");
}
END_TEST

static void expect_mode(const char *name, mode_t mode)
{
    struct stat facts;
    ck_assert_msg(stat(name, &facts) == 0 && (facts.st_mode & 0777) == mode, "%s: mode %o", name,
                  (unsigned)facts.st_mode & 0777);
}

/* The cache is this user's alone; a folder of the user's choice is as the umask has it. */
START_TEST(test_modes)
{
    char to[1300], line[3000];
    server_answer answer = whole();
    umask(022);
    cli_result r = get(server_start(&answer, 1));
    expect_status(&r, "fetched");
    for (char *slash = path + strlen(cache); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        expect_mode(path, 0700);
        *slash = '/';
    }
    expect_mode(path, 0600);
    snprintf(to, sizeof to, "%s/to/HB/ash219.tar.gz", cache);
    snprintf(line, sizeof line, "matrix get " NAME " --again --to %s/to --url %s", cache, server_start(&answer, 1));
    r = cli(line);
    ck_assert_msg(r.code == 0, "%s", r.err);
    cli_free(&r);
    expect_mode(to, 0644);
    *strrchr(to, '/') = '\0';
    expect_mode(to, 0755);
}
END_TEST

/* Where the growing file should be lies a link, or another name of a file that is not to be written to. */
START_TEST(test_trapped_part)
{
    static const char *const traps[] = {"ln -s", "ln"};
    char out[100];
    server_answer answer = whole();
    shell_ok("mkdir -p '%s/nsmodel/HB' && cd '%s' && echo mine > mine && %s \"$PWD/mine\" '%s'", cache, cache,
             traps[_i], part);
    cli_result r = get(server_start(&answer, 1));
    expect_failure(&r, 1, _i == 0 ? ": cannot be created" : ": is not a file of this user alone; remove it to go on");
    ck_assert_int_eq(shell(out, sizeof out, "cat '%s/mine'; stat -c %%a '%s/mine'", cache, cache), 0);
    ck_assert_str_eq(out, "mine\n644\n");
}
END_TEST

/* Two at a time: the second is refused and touches nothing. */
START_TEST(test_two_at_a_time)
{
    int ready[2];
    char byte;
    leave_part(good.bytes, CUT, "\"v1\"");
    ck_assert_int_eq(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        int file = open(part, O_RDWR);
        if (fcntl(file, F_SETLK, &lock) == 0 && write(ready[1], "x", 1) == 1)
            pause();
        _exit(1);
    }
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    cli_result r = get("http://127.0.0.1:9");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    expect_failure(&r, 1, "another process is fetching this file");
    expect_part(CUT);
}
END_TEST

/* A server that falls silent counts as cut, after the time asked for; nothing comes of asking again. */
START_TEST(test_silence)
{
    server_answer answer = whole();
    ns_error err = {0};
    ns_fetch_result came;
    char url[200];
    answer.hang = 1; /* of what is still to come */
    leave_part(good.bytes, CUT - 1, "\"v1\"");
    shell_ok("mkdir -p '%s/nsmodel/HB'", cache);
    snprintf(url, sizeof url, "%s/x", server_start(&answer, 1));
    ns_fetch_request request = {.url = url, .part = part, .patience = 1, .tries = 1};
    ck_assert_int_ne(ns_fetch_file(&request, &came, &err), NS_OK);
    ck_assert_msg(strstr(err.text, "the connection was cut after 10000 of ") != NULL, "%s", err.text);
    ck_assert_int_eq(came.bytes, CUT);
    expect_part(CUT);
}
END_TEST

/* ---- header lines ------------------------------------------------------------------------------------------------ */

START_TEST(test_header_lines)
{
    static const char *const lines[] = {"HTTP/1.1 301 Moved\r\n",   "ETag: \"old\"\r\n",
                                        "HTTP/2 206 \r\n",          "CONTENT-RANGE:bytes 5-9/10\r\n",
                                        "content-Length:\t 5 \r\n", "Content-Type: text/html; charset=x\r\n",
                                        "ETag: W/\"weak\"\r\n",     "Last-Modified: Tue, 01 Jan 2019 00:00:00 GMT\r\n",
                                        "\r\n",                     ""};
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
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("matrix get");
    TCase *t = tcase_create("loopback");
    tcase_set_timeout(t, 60);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_whole);
    tcase_add_test(t, test_elsewhere);
    tcase_add_test(t, test_cut_and_taken_up);
    tcase_add_test(t, test_resumed_later);
    tcase_add_test(t, test_killed);
    tcase_add_loop_test(t, test_resumptions, 0, sizeof resumptions / sizeof *resumptions);
    tcase_add_test(t, test_redirected);
    tcase_add_test(t, test_no_length);
    tcase_add_loop_test(t, test_refused, 0, sizeof refusals / sizeof *refusals);
    tcase_add_test(t, test_busy);
    tcase_add_test(t, test_busy_for_a_moment);
    tcase_add_test(t, test_page_spares_part);
    tcase_add_test(t, test_wrong_range);
    tcase_add_test(t, test_nobody_listens);
    tcase_add_loop_test(t, test_other_matrix, 0, 6);
    tcase_add_loop_test(t, test_misuse, 0, sizeof misuse / sizeof *misuse);
    tcase_add_test(t, test_no_cache);
    tcase_add_test(t, test_modes);
    tcase_add_loop_test(t, test_trapped_part, 0, 2);
    tcase_add_test(t, test_two_at_a_time);
    tcase_add_test(t, test_silence);
    tcase_add_test(t, test_header_lines);
    suite_add_tcase(s, t);
    return s;
}
