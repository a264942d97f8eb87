/* test_docs.c -- generated pages are current */
#include "support/cli.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s cannot be opened", path);
    char *text = calloc(1, 1 << 20);
    ck_assert_ptr_nonnull(text);
    size_t size = fread(text, 1, (1 << 20) - 1, file);
    ck_assert_uint_lt(size, (1 << 20) - 1);
    fclose(file);
    return text;
}

static const struct {
    const char *command, *page;
} pages[] = {
    {"reproduce", "docs/reproduction.md"},
};

START_TEST(test_current)
{
    char line[200];
    const char *fresh = cli_file("fresh.md", "");
    snprintf(line, sizeof line, "%s -o %s", pages[_i].command, fresh);
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0, "nsmodel %s: %s", line, r.err);
    char *now = read_file(fresh), *kept = read_file(pages[_i].page);
    ck_assert_msg(strcmp(now, kept) == 0, "%s is not current: run `make docs`", pages[_i].page);
    free(now);
    free(kept);
    cli_free(&r);
}
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("docs");
    TCase *tc = tcase_create("generated pages");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, test_current, 0, sizeof pages / sizeof *pages);
    suite_add_tcase(s, tc);
    return s;
}
