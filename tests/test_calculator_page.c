/* test_calculator_page.c -- the sessions that docs/calculator.md shows are run as one, and print what the page shows */
#include "cli/program/program.h"
#include "cli/repl/repl.h"
#include "core/memory.h"

#include "support/files.h"
#include "support/test.h"

enum { ROOM = 1 << 18 };

static const char page_name[] = "docs/calculator.md";
static const char prompt[] = "nsmodel> ", goes_on[] = "    ...> ";

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* One line of the page: run as it would be at a terminal; what it prints goes to `now` after the line itself. */
static void run_line(ns_repl *repl, const char *line, size_t length, FILE *now)
{
    char text[1000];
    ck_assert_uint_lt(length, sizeof text);
    fprintf(now, "%.*s\n", (int)length, line);
    fflush(now);
    snprintf(text, sizeof text, "%.*s", (int)(length - strlen(prompt)), line + strlen(prompt));
    (void)ns_repl_line(repl, text);
    fflush(now);
}

/* The page as it would be: sessions run again, all else as it is. */
static void run_page(const char *page, FILE *now)
{
    ns_repl repl;
    ns_program program;
    bool session = false;
    ns_program_make(&program);
    ck_assert_int_eq(ns_repl_open(&repl, &program, now, now, NULL, NULL), NS_OK);
    for (const char *line = page; *line != '\0'; line += strcspn(line, "\n") + 1) {
        const size_t length = strcspn(line, "\n");
        const bool typed = begins(line, prompt) || begins(line, goes_on);
        session = typed || (session && !begins(line, "```"));
        if (typed)
            run_line(&repl, line, length, now);
        else if (!session)
            fprintf(now, "%.*s\n", (int)length, line);
    }
    ns_repl_close(&repl);
    ck_assert_int_eq(fflush(now), 0);
}

TEST(test_sessions)
{
    char *page = read_whole(page_name), *fresh = ns_calloc(1, ROOM);
    const char *keep = getenv("NSMODEL_PAGE");                 /* a file for the page as it would be */
    FILE *now = keep != NULL ? fopen(keep, "w+b") : tmpfile(); /* commands write to it from processes of their own */
    ck_assert(fresh != NULL && now != NULL);
    run_page(page, now);
    rewind(now);
    ck_assert_uint_lt(fread(fresh, 1, ROOM - 1, now), ROOM - 1);
    fclose(now);
    size_t same = 0;
    while (page[same] != '\0' && page[same] == fresh[same])
        same++;
    size_t line = same;
    while (line > 0 && page[line - 1] != '\n')
        line--;
    ck_assert_msg(strcmp(page, fresh) == 0, "%s shows\n  %.*s\nnow it is\n  %.*s", page_name,
                  (int)strcspn(page + line, "\n"), page + line, (int)strcspn(fresh + line, "\n"), fresh + line);
    ck_assert_ptr_nonnull(strstr(page, "\nnsmodel> 4 KiB / 23.9 GB/s + 2.44 us\n2.611380753 us\n"));
    ns_free(page);
    ns_free(fresh);
}
