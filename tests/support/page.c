/* page.c -- pages of nsmodel report as texts */
#include "page.h"

#include "cli.h"
#include "files.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

char *page_of(const char *line)
{
    char whole[2048];
    const char *path = cli_file("report.html", "before");
    snprintf(whole, sizeof whole, "%s -o %s", line, path);
    cli_result r = cli(whole);
    ck_assert_msg(r.code == 0, "nsmodel %s: %s", whole, r.err);
    return read_whole(path);
}

char *page_markup_of(const char *line)
{
    char *page = page_of(line), *script = strstr(page, "<script>");
    ck_assert_ptr_nonnull(script);
    *script = '\0';
    return test_keep(page);
}

void page_holds(const char *page, const char *what)
{
    ck_assert_msg(strstr(page, what) != NULL, "the page lacks: %s", what);
}
