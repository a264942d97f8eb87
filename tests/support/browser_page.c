/* browser_page.c -- what the browser's tests do with pages: make, open, listen, look for barriers */
#include "browser_page.h"

#include "browser.h"
#include "cli.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void make_page(const char *line)
{
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0, "nsmodel %s: %s", line, r.err);
    cli_free(&r);
}

void open_page(const char *path)
{
    browser_order("Emulation.setScriptExecutionDisabled", "{\"value\": false}");
    browser_order("Emulation.setEmulatedMedia", "{\"media\": \"\", \"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"light\"}]}");
    browser_order("Emulation.setDeviceMetricsOverride", "{\"width\": 1200, \"height\": 900, \"deviceScaleFactor\": 1, \"mobile\": false}");
    cJSON_Delete(browser_log("browser"));
    cJSON_Delete(browser_log("performance"));
    browser_open_file(path);
}

void open_live(const char *path)
{
    open_page(path);
    browser_wait("return document.documentElement.dataset.live !== undefined");
}

void set_dark(void)
{
    browser_order("Emulation.setEmulatedMedia", "{\"media\": \"\", \"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"dark\"}]}");
}

const char *write_control(const char *name, const char *content)
{
    static char path[100];
    snprintf(path, sizeof path, "build/browser/%s", name);
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    fputs(content, file);
    fclose(file);
    return path;
}

int console_entries(char *text, size_t size)
{
    cJSON *log = browser_log("browser");
    const int count = cJSON_GetArraySize(log);
    const cJSON *first = cJSON_GetObjectItem(cJSON_GetArrayItem(log, 0), "message");
    snprintf(text, size, "%s", first != NULL ? first->valuestring : "");
    cJSON_Delete(log);
    return count;
}

int foreign_requests(int *all, char *text, size_t size)
{
    int foreign = 0;
    *all = 0;
    cJSON *log = browser_log("performance"), *entry;
    cJSON_ArrayForEach(entry, log)
    {
        cJSON *event = cJSON_Parse(cJSON_GetObjectItem(entry, "message")->valuestring);
        const cJSON *message = cJSON_GetObjectItem(event, "message"), *method = cJSON_GetObjectItem(message, "method");
        const cJSON *request = cJSON_GetObjectItem(cJSON_GetObjectItem(message, "params"), "request");
        const cJSON *url = cJSON_GetObjectItem(request, "url");
        if (strcmp(method->valuestring, "Network.requestWillBeSent") == 0 && url != NULL) {
            ++*all;
            const char *ending = strstr(url->valuestring, "/build/browser/");
            if (strncmp(url->valuestring, "data:", 5) != 0 && (ending == NULL || strstr(ending, ".html") == NULL)) {
                foreign++;
                snprintf(text, size, "%s", url->valuestring);
            }
        }
        cJSON_Delete(event);
    }
    cJSON_Delete(log);
    return foreign;
}

bool was_blocked(void)
{
    cJSON *log = browser_log("performance");
    char *text = cJSON_PrintUnformatted(log);
    const bool blocked = strstr(text, "blockedReason\\\":\\\"csp") != NULL;
    free(text);
    cJSON_Delete(log);
    return blocked;
}

const char *find_barriers(void)
{
    static char *axe;
    if (axe == NULL) {
        FILE *file = fopen("third_party/axe-core/axe.min.js", "rb");
        axe = calloc(1, 1 << 20);
        ck_assert(file != NULL && axe != NULL);
        ck_assert_uint_gt(fread(axe, 1, (1 << 20) - 1, file), 100000);
        fclose(file);
    }
    cJSON_Delete(browser_eval(axe));
    cJSON_Delete(browser_eval("window.found = null; axe.run(document, {resultTypes: ['violations']}).then((r) => { window.found = "
                              "r.violations.map((v) => v.id + ': ' + v.nodes[0].html).join('\\n'); },"
                              " (e) => { window.found = 'axe: ' + e; }); return 0"));
    browser_wait("return window.found !== null");
    return browser_text("return window.found");
}

char *read_whole(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 22);
    ck_assert(file != NULL && text != NULL);
    ck_assert_uint_lt(fread(text, 1, (1 << 22) - 1, file), (1 << 22) - 1);
    fclose(file);
    return text;
}

