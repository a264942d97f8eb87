/* browser.c -- a real Chromium without a window, driven over WebDriver */
#define _DEFAULT_SOURCE /* usleep, P_tmpdir */

#include "browser.h"
#include "core/memory.h"
#include "needs.h"
#include "shell.h"

#include <check.h>
#include <curl/curl.h>
#include <fcntl.h>
#include <nsmodel/json.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { START_MS = 60000, CALL_MS = 60000, WAIT_MS = 30000, STEP_US = 50000 };

static struct {
    pid_t driver;
    int output;
    char address[64], session[128], folder[64];
} state = {.driver = -1, .output = -1};

bool browser_ready(void)
{
    return !lacks("all", "chromium") && !lacks("all", "chromedriver");
}

/* ---- talking ----------------------------------------------------------------------------------------------------- */

typedef struct reply {
    char *text;
    size_t size;
} reply;

static size_t receive(char *bytes, size_t one, size_t count, void *into)
{
    reply *r = into;
    char *text = ns_realloc(r->text, r->size + one * count + 1);
    if (text == NULL)
        return 0;
    r->text = text;
    memcpy(r->text + r->size, bytes, one * count);
    r->size += one * count;
    r->text[r->size] = '\0';
    return one * count;
}

/* A tree for a text, or NULL. */
static ns_value *parsed(const char *text)
{
    ns_value *root = NULL;
    return ns_json_parse(text, NULL, &root, NULL) == NS_OK ? root : NULL;
}

/* The whole answer, or NULL when none came in time.  The body, which may be NULL, is freed. */
static ns_value *send_request(const char *method, const char *path, ns_value *body)
{
    char address[512], *text = NULL;
    size_t size;
    if (body != NULL)
        ck_assert_int_eq(ns_json_write(body, &text, &size, NULL), NS_OK);
    ns_value_free(body);
    reply r = {0};
    CURL *curl = curl_easy_init();
    struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/json; charset=utf-8");
    snprintf(address, sizeof address, "%s%s", state.address, path);
    curl_easy_setopt(curl, CURLOPT_URL, address);
    curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)CALL_MS);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &r);
    if (text != NULL)
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, text);
    const CURLcode code = curl_easy_perform(curl);
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    ns_value *answer = code == CURLE_OK && r.text != NULL ? parsed(r.text) : NULL;
    ns_free(r.text);
    ns_free(text);
    return answer;
}

ns_value *browser_call(const char *method, const char *path, ns_value *body)
{
    char below[256];
    snprintf(below, sizeof below, "/session/%s%s", state.session, path);
    const ns_value *answer = send_request(method, below, body);
    ck_assert_msg(answer != NULL, "%s %s: the driver did not answer", method, path);
    ns_value *value = (ns_value *)(uintptr_t)ns_value_get(answer, "value");
    ck_assert_msg(value != NULL, "%s %s: the driver answered without a value", method, path);
    const ns_value *message = ns_value_get(value, "error") != NULL ? ns_value_get(value, "message") : NULL;
    ck_assert_msg(message == NULL, "%s %s: %.600s", method, path, message != NULL ? message->text : "");
    return value;
}

/* ---- beginning and ending ---------------------------------------------------------------------------------------- */

/* Runs in the child, in a process group of its own, and never outlives the test. */
static void become_driver(int output)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    dup2(output, STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    setenv("HOME", state.folder, 1);
    setenv("TMPDIR", state.folder, 1);
    setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", 1);
    execlp("chromedriver", "chromedriver", "--port=0", "--log-level=SEVERE", (char *)NULL);
    _exit(127);
}

/* "ChromeDriver was started successfully on port 12345." */
static int read_port(int output)
{
    char text[4096];
    size_t used = 0;
    for (int left = START_MS; left > 0 && used + 1 < sizeof text; left -= 100) {
        struct pollfd ready = {.fd = output, .events = POLLIN};
        if (poll(&ready, 1, 100) <= 0)
            continue;
        const ssize_t got = read(output, text + used, sizeof text - 1 - used);
        if (got <= 0)
            break;
        used += (size_t)got;
        text[used] = '\0';
        const char *at = strstr(text, "successfully on port ");
        if (at != NULL && strchr(at, '.') != NULL)
            return atoi(at + 21);
    }
    return 0;
}

/* What Chromium does by itself is turned off, and no name but its own machine's resolves. */
static ns_value *wanted(bool sandbox)
{
    static const char *const arguments[] = {
        "--headless=new",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--hide-scrollbars",
        "--disable-sync",
        "--disable-component-update",
        "--disable-background-networking",
        "--disable-default-apps",
        "--disable-domain-reliability",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        "--force-device-scale-factor=1",
        "--window-size=1200,900",
        "--lang=en",
        "--remote-debugging-pipe",
        "--no-sandbox", /* the last: left out with a sandbox */
    };
    const int count = (int)(sizeof arguments / sizeof *arguments) - (sandbox ? 1 : 0);
    char profile[96];
    ns_value *body = ns_value_new();
    ns_value *always = ns_value_object(ns_value_object(body, "capabilities"), "alwaysMatch");
    ns_value *logging = ns_value_object(always, "goog:loggingPrefs");
    ns_value_text(logging, "browser", "ALL");
    ns_value_text(logging, "performance", "ALL");
    ns_value *options = ns_value_object(always, "goog:chromeOptions");
    ns_value *list = ns_value_list(options, "args");
    for (int i = 0; i < count; i++)
        ns_value_text(list, NULL, arguments[i]);
    snprintf(profile, sizeof profile, "--user-data-dir=%.60s/profile", state.folder);
    ns_value_text(list, NULL, profile);
    return body;
}

static bool begin_session(bool sandbox)
{
    ns_value *answer = send_request("POST", "/session", wanted(sandbox));
    const ns_value *id = ns_value_get(ns_value_get(answer, "value"), "sessionId");
    snprintf(state.session, sizeof state.session, "%s", id != NULL && id->kind == NS_TEXT ? id->text : "");
    ns_value_free(answer);
    return state.session[0] != '\0';
}

void browser_begin(void)
{
    int ends[2];
    curl_global_init(CURL_GLOBAL_DEFAULT);
    snprintf(state.folder, sizeof state.folder, P_tmpdir "/nsmodel-browser-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(state.folder));
    ck_assert_int_eq(pipe(ends), 0);
    state.driver = fork();
    ck_assert_int_ge(state.driver, 0);
    if (state.driver == 0)
        become_driver(ends[1]);
    close(ends[1]);
    state.output = ends[0];
    const int port = read_port(state.output);
    ck_assert_msg(port > 0, "chromedriver did not say its port within %d s", START_MS / 1000);
    snprintf(state.address, sizeof state.address, "http://127.0.0.1:%d", port);
    /* root has no sandbox; others may have none either */
    ck_assert_msg((geteuid() != 0 && begin_session(true)) || begin_session(false), "chromium did not start");
}

static bool has_ended(pid_t pid, int limit_ms)
{
    for (int waited = 0; waited < limit_ms; waited += STEP_US / 1000) {
        if (waitpid(pid, NULL, WNOHANG) == pid)
            return true;
        usleep(STEP_US);
    }
    return false;
}

void browser_end(void)
{
    char path[160], command[128];
    if (state.driver <= 0)
        return;
    snprintf(path, sizeof path, "/session/%s", state.session);
    if (state.session[0] != '\0')
        ns_value_free(send_request("DELETE", path, NULL));
    kill(state.driver, SIGTERM);
    const bool ended = has_ended(state.driver, 5000);
    kill(-state.driver, SIGKILL); /* the group that become_driver made: nobody else is in it */
    if (!ended)
        waitpid(state.driver, NULL, 0);
    close(state.output);
    snprintf(command, sizeof command, "rm -rf '%s'", state.folder);
    ck_assert_int_eq(system(command), 0);
    state.driver = -1;
}

/* ---- pages ------------------------------------------------------------------------------------------------------- */

void browser_order(const char *command, const char *parameters)
{
    char text[1000];
    snprintf(text, sizeof text, "{\"cmd\": \"%s\", \"params\": %s}", command, parameters);
    ns_value *body = parsed(text);
    ck_assert_msg(body != NULL, "%s", text);
    ns_value_free(browser_call("POST", "/goog/cdp/execute", body));
}

void browser_open_file(const char *path)
{
    char full[4096], address[4200];
    ns_value *body = ns_value_new();
    ck_assert_msg(realpath(path, full) != NULL, "%s", path);
    snprintf(address, sizeof address, "file://%s", full);
    ns_value_text(body, "url", address);
    ns_value_free(browser_call("POST", "/url", body));
}

ns_value *browser_eval(const char *script)
{
    ns_value *body = ns_value_new();
    ns_value_text(body, "script", script);
    ns_value_list(body, "args");
    return browser_call("POST", "/execute/sync", body);
}

double browser_number(const char *script)
{
    ns_value *value = browser_eval(script);
    ck_assert_msg(value->kind == NS_NUMBER, "%s: not a number", script);
    const double number = value->number;
    ns_value_free(value);
    return number;
}

bool browser_true(const char *script)
{
    ns_value *value = browser_eval(script);
    const bool truth = value->truth || (value->kind == NS_NUMBER && value->number != 0);
    ns_value_free(value);
    return truth;
}

const char *browser_text(const char *script)
{
    static char text[8][16384];
    static int next;
    char *chosen = text[next++ % 8];
    ns_value *value = browser_eval(script);
    ck_assert_msg(value->kind == NS_TEXT, "%s: not a text", script);
    snprintf(chosen, sizeof text[0], "%s", value->text);
    ns_value_free(value);
    return chosen;
}

void browser_wait(const char *script)
{
    for (int waited = 0; waited < WAIT_MS; waited += STEP_US / 1000) {
        if (browser_true(script))
            return;
        usleep(STEP_US);
    }
    ck_abort_msg("waited %d s in vain for: %s", WAIT_MS / 1000, script);
}

ns_value *browser_log(const char *kind)
{
    ns_value *body = ns_value_new();
    ns_value_text(body, "type", kind);
    return browser_call("POST", "/se/log", body);
}

/* ---- what is seen ------------------------------------------------------------------------------------------------ */

static int sextet(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

static size_t write_base64(const char *text, FILE *file)
{
    size_t bytes = 0;
    unsigned bits = 0;
    int held = 0;
    for (; sextet(*text) >= 0; text++) {
        bits = (bits << 6 | (unsigned)sextet(*text)) & 0xffffff;
        held += 6;
        if (held >= 8) {
            held -= 8;
            putc((int)(bits >> held & 0xff), file);
            bytes++;
        }
    }
    return bytes;
}

size_t browser_save(const char *command, const char *path)
{
    char below[32];
    const bool print = strcmp(command, "print") == 0;
    snprintf(below, sizeof below, "/%s", command);
    ns_value *value = browser_call(print ? "POST" : "GET", below, print ? parsed("{\"background\": true}") : NULL);
    FILE *file = fopen(path, "wb");
    ck_assert_msg(file != NULL && value->kind == NS_TEXT, "%s", path);
    const size_t bytes = write_base64(value->text, file);
    ck_assert_int_eq(fclose(file), 0);
    ns_value_free(value);
    return bytes;
}

void browser_point(double x, double y)
{
    char text[400];
    snprintf(text, sizeof text,
             "{\"actions\":[{\"type\":\"pointer\",\"id\":\"mouse\",\"parameters\":{\"pointerType\":\"mouse\"},"
             "\"actions\":[{\"type\":\"pointerMove\",\"duration\":0,\"x\":%d,\"y\":%d}]}]}",
             (int)(x + 0.5), (int)(y + 0.5));
    ns_value_free(browser_call("POST", "/actions", parsed(text)));
}

void browser_keys(const char *keys)
{
    ns_value *body = ns_value_new(), *keyboard = ns_value_object(ns_value_list(body, "actions"), NULL);
    ns_value_text(keyboard, "type", "key");
    ns_value_text(keyboard, "id", "keyboard");
    ns_value *list = ns_value_list(keyboard, "actions");
    static const char *const kinds[] = {"keyDown", "keyUp"};
    for (int i = 0; i < 2; i++) {
        ns_value *step = ns_value_object(list, NULL);
        ns_value_text(step, "type", kinds[i]);
        ns_value_text(step, "value", keys);
    }
    ns_value_free(browser_call("POST", "/actions", body));
}
