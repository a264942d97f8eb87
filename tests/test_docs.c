/* test_docs.c -- generated pages are current, examples print what the pages say */
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

/* ---- examples: "$ nsmodel ..." and the lines below it, indented by four blanks or fenced -------------------------------- */

static const char *const examples[] = {"README.md", "docs/netcrafter.md", "docs/sharp.md", "docs/red-sea.md"};

/* Run a command line as a reader would, with the program on the path; the output belongs to the caller. */
static char *run_line(const char *line, size_t length)
{
    char command[4096];
    const char *program = getenv("NSMODEL_BIN");
    char *text = calloc(1, 1 << 18);
    ck_assert_ptr_nonnull(text);
    snprintf(command, sizeof command, "PATH=\"$(dirname '%s'):$PATH\"; { %.*s; } 2>&1", program != NULL ? program : "bin/nsmodel",
             (int)length, line);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    size_t size = fread(text, 1, (1 << 18) - 1, pipe);
    text[size] = '\0';
    pclose(pipe);
    return text;
}

/* The lines that belong to an example begin with `indent` and end it with the first that does not, a fence or a prompt. */
static size_t compare(const char *page, const char *at, const char *indent, const char *output, const char *command)
{
    const char *begin = at;
    size_t width = strlen(indent);
    while (strncmp(at, indent, width) == 0 && strncmp(at + width, "```", 3) != 0 && strncmp(at + width, "$ ", 2) != 0 &&
           (width == 0 || *at != '\n')) {
        size_t length = strcspn(at, "\n") - width;
        ck_assert_msg(strncmp(output, at + width, length) == 0 && output[length] == '\n', "%s: after `%.*s`\n  page: %.*s\n  now:  %.*s",
                      page, (int)strcspn(command, "\n"), command, (int)length, at + width, (int)strcspn(output, "\n"), output);
        output += length + 1;
        at += width + length + 1;
    }
    ck_assert_msg(*output == '\0', "%s: `%.*s` prints more: %.*s", page, (int)strcspn(command, "\n"), command,
                  (int)strcspn(output, "\n"), output);
    return (size_t)(at - begin);
}

START_TEST(test_examples)
{
    const char *page = examples[_i];
    int found = 0;
    char *text = read_file(page);
    for (const char *at = text; (at = strstr(at, "$ nsmodel ")) != NULL;) {
        const char *indent = at - text >= 4 && strncmp(at - 4, "    ", 4) == 0 ? "    " : "";
        const char *command = at + 2, *body = command + strcspn(command, "\n") + 1;
        char *output = run_line(command, strcspn(command, "\n"));
        at = body + compare(page, body, indent, output, command);
        free(output);
        found++;
    }
    ck_assert_int_gt(found, 0);
    free(text);
}
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("docs");
    TCase *tc = tcase_create("generated pages");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, test_current, 0, sizeof pages / sizeof *pages);
    tcase_add_loop_test(tc, test_examples, 0, sizeof examples / sizeof *examples);
    suite_add_tcase(s, tc);
    return s;
}
