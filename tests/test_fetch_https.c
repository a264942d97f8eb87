/* test_fetch_https.c -- what begins over https ends there: no redirection leads to http
 *
 * Needs openssl, whose s_server answers over TLS by files that hold whole HTTP answers.
 */
#define _XOPEN_SOURCE 700

#include "support/needs.h"
#include "support/server.h"
#include "support/shell.h"
#include "support/test.h"

#include "fetch/transfer.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static const char gzip[] = "\037\213 a file";
static pid_t server;
static int port;

/* A self-signed certificate and openssl's server, which says where it listens. */
static void start(void)
{
    const char *folder = scratch_open();
    char log[1200], line[256];
    shell_ok("cd '%s' && mkdir served && openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem "
             "-days 2 -subj /CN=127.0.0.1 2> /dev/null",
             folder);
    snprintf(log, sizeof log, "%s/log", folder);
    server = fork();
    ck_assert_int_ge(server, 0);
    if (server == 0) {
        alarm(60); /* it ends also when the test is broken off */
        if (chdir(folder) != 0 || freopen("log", "wb", stdout) == NULL || freopen("/dev/null", "wb", stderr) == NULL ||
            chdir("served") != 0)
            _exit(1);
        execlp("openssl", "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", "../cert.pem", "-key", "../key.pem",
               "-HTTP", (char *)NULL);
        _exit(1);
    }
    port = 0;
    for (int i = 0; i < 500 && port == 0; i++) {
        FILE *file = fopen(log, "rb");
        while (file != NULL && fgets(line, sizeof line, file) != NULL)
            (void)sscanf(line, "ACCEPT 127.0.0.1:%d", &port);
        if (file != NULL)
            fclose(file);
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    ck_assert_int_gt(port, 0);
}

static void stop(void)
{
    ck_assert_int_eq(kill(server, SIGTERM), 0);
    ck_assert_int_eq(waitpid(server, NULL, 0), server);
    server_stop();
    scratch_close();
}

/* A file that is served: a whole HTTP answer. */
static void serve(const char *name, const char *answer)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/served/%s", scratch_folder(), name);
    FILE *file = fopen(path, "wb");
    ck_assert(file != NULL && fputs(answer, file) >= 0 && fclose(file) == 0);
}

/* One connection, with the certificate taken as it is. */
static CURLcode get(const char *url, int64_t *bytes)
{
    char part[1200];
    ns_error err = {0};
    snprintf(part, sizeof part, "%s/x.part", scratch_folder());
    const ns_fetch_request request = {.url = url, .part = part};
    ns_transfer t = {.request = &request, .err = &err, .file = open(part, O_RDWR | O_CREAT | O_TRUNC, 0600)};
    ck_assert_int_eq(ns_curl_load(&t.library, &err), NS_OK);
    t.curl = t.library.easy_init();
    ck_assert(t.curl != NULL);
    ck_assert_int_eq(t.library.easy_setopt(t.curl, CURLOPT_SSL_VERIFYPEER, 0L), CURLE_OK);
    ck_assert_int_eq(t.library.easy_setopt(t.curl, CURLOPT_PROXY, ""), CURLE_OK);
    const CURLcode code = ns_transfer_run(&t);
    t.library.easy_cleanup(t.curl);
    close(t.file);
    *bytes = t.have;
    return code;
}

TEST(no_way_to_http)
{
    char url[200], answer[400];
    int64_t bytes;
    const server_answer plain = {.bytes = gzip, .size = sizeof gzip - 1};
    const char *base = server_start(&plain, 1);
    snprintf(answer, sizeof answer, "HTTP/1.0 302 Found\r\nLocation: %s/file\r\nContent-Length: 0\r\n\r\n", base);
    serve("away", answer);
    snprintf(url, sizeof url, "https://127.0.0.1:%d/away", port);
    ck_assert_int_eq(get(url, &bytes), CURLE_UNSUPPORTED_PROTOCOL);
    ck_assert_int_eq((int)bytes, 0);
    ck_assert_str_eq(server_requests(), "");
}

/* The same server is followed to another of its files, and a server of http to it. */
TEST(ways_to_https)
{
    char url[200], location[200], answer[400];
    int64_t bytes;
    snprintf(location, sizeof location, "https://127.0.0.1:%d/file", port);
    snprintf(answer, sizeof answer, "HTTP/1.0 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n", location);
    serve("on", answer);
    snprintf(answer, sizeof answer, "HTTP/1.0 200 OK\r\nContent-Length: %zu\r\n\r\n%s", sizeof gzip - 1, gzip);
    serve("file", answer);
    snprintf(url, sizeof url, "https://127.0.0.1:%d/on", port);
    ck_assert_int_eq(get(url, &bytes), CURLE_OK);
    ck_assert_int_eq((int)bytes, (int)(sizeof gzip - 1));
    const server_answer up = {.code = 302, .location = location};
    snprintf(url, sizeof url, "%s/x", server_start(&up, 1));
    ck_assert_int_eq(get(url, &bytes), CURLE_OK);
    ck_assert_int_eq((int)bytes, (int)(sizeof gzip - 1));
}

TEST_NEEDS(!lacks("test_fetch_https", "openssl") && !lacks("test_fetch_https", "curl"))
TEST_FIXTURE(start, stop)
TEST_TIMEOUT(60)
