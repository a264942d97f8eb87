/* web.c -- the page web/nsmodel.html in the browser: open it, choose files, ask, read the answer */
#define _XOPEN_SOURCE 700 /* realpath */
#include "web.h"

#include "browser.h"
#include "browser_page.h"
#include "needs.h"
#include "shell.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char page[] = "web/nsmodel.html";

/* A page older than the program may answer otherwise, and rightly so; `make check-web` makes both. */
bool web_ready(void)
{
    struct stat made, program;
    if (stat(page, &made) != 0) {
        skipped("web", "needs web/nsmodel.html; make check-web makes it");
        return false;
    }
    if (getenv("NSMODEL_WEB") == NULL && stat(shell_program(), &program) == 0 && made.st_mtime < program.st_mtime) {
        skipped("web", "needs a web/nsmodel.html as new as the program; make check-web makes both");
        return false;
    }
    return browser_ready();
}

void web_begin(void)
{
    browser_begin_pages();
    shell_ok("cp %s '%s'", page, cli_path("nsmodel.html"));
}

const char *web_path(void)
{
    return cli_path("nsmodel.html");
}

void web_open(const char *hash)
{
    char full[4096], address[4200];
    ck_assert_ptr_nonnull(realpath(web_path(), full));
    snprintf(address, sizeof address, "file://%s", full);
    web_open_at(address, hash);
}

void web_open_at(const char *base, const char *hash)
{
    char address[4600];
    open_page(MACHINES_PAGE); /* so that the page is loaded anew where only the hash is another */
    ns_value_free(browser_log("performance"));
    snprintf(address, sizeof address, "%s%s", base, hash);
    ns_value *body = ns_value_new();
    ns_value_text(body, "url", address);
    ns_value_free(browser_call("POST", "/url", body));
    browser_wait("return document.documentElement.dataset.ready !== undefined");
}

void web_type(const char *id, const char *text)
{
    char script[2000];
    snprintf(script, sizeof script,
             "const field = document.getElementById('%s'); field.value = '%s';"
             "field.dispatchEvent(new Event('input', {bubbles: true})); return 0",
             id, text);
    ns_value_free(browser_eval(script));
}

void web_choose(const char *id, const char *path)
{
    char full[4096], below_element[300];
    ns_value *body = ns_value_new();
    snprintf(below_element, sizeof below_element, "#%s", id);
    ns_value_text(body, "using", "css selector");
    ns_value_text(body, "value", below_element);
    ns_value *found = browser_call("POST", "/element", body);
    ck_assert_msg(realpath(path, full) != NULL, "%s", path);
    snprintf(below_element, sizeof below_element, "/element/%s/value", found->first->text);
    body = ns_value_new();
    ns_value_text(body, "text", full);
    ns_value_free(browser_call("POST", below_element, body));
    ns_value_free(found);
}

void web_submit(const char *part)
{
    char script[200];
    snprintf(script, sizeof script, "document.getElementById('%s-form').requestSubmit(); return 0", part);
    ns_value_free(browser_eval(script));
}

void web_wait(const char *part)
{
    char script[300];
    snprintf(script, sizeof script,
             "const part = document.getElementById('%s-part');"
             "return part.getAttribute('aria-busy') === 'false' && part.querySelector('.state').textContent !== ''",
             part);
    browser_wait(script);
}

ns_value *web_answer(void)
{
    ns_value *root;
    ns_error err = {0};
    web_wait("exchange");
    const char *fault = browser_text("const fault = document.querySelector('#exchange-part .fault');"
                                     "return fault === null ? '' : fault.textContent");
    ck_assert_msg(*fault == '\0', "the page says: %s", fault);
    ns_value *text = browser_eval("return document.getElementById('exchange-part').answer.json");
    ck_assert(text->kind == NS_TEXT);
    ck_assert_msg(ns_json_parse(text->text, "the page's answer", &root, &err) == NS_OK, "%s", err.text);
    ns_value_free(text);
    return root;
}
