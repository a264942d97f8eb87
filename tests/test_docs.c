/* test_docs.c -- generated pages are current, examples print what the pages say, every model and command is told of */
#define _XOPEN_SOURCE 700

#include "cli/program/program.h"
#include "core/memory.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/shell.h"

#include "support/test.h"
#include <glob.h>

static const struct {
    const char *command, *page;
} pages[] = {
    {"reproduce", "docs/evidence/reproduction.md"},
};

TEST_EACH(test_current, sizeof pages / sizeof *pages)
{
    char line[200];
    const char *fresh = cli_file("fresh.md", "");
    snprintf(line, sizeof line, "%s -o %s", pages[_i].command, fresh);
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0, "nsmodel %s: %s", line, r.err);
    char *now = read_whole(fresh), *kept = read_whole(pages[_i].page);
    ck_assert_msg(strcmp(now, kept) == 0, "%s is not current: run `make docs`", pages[_i].page);
}

/* ---- reference: made from the tables; what the examples print is compared below ---------------------------------- */

/* Take away what stands below "$ ..." up to the end of its fence. */
static void drop_outputs(char *page)
{
    char *to = page;
    bool shown = false;
    for (const char *at = page; *at != '\0';) {
        const size_t length = strcspn(at, "\n") + (strchr(at, '\n') != NULL);
        shown = shown && strncmp(at, "```", 3) != 0;
        if (!shown) {
            memmove(to, at, length);
            to += length;
        }
        shown = shown || strncmp(at, "$ ", 2) == 0;
        at += length;
    }
    *to = '\0';
}

TEST(test_reference)
{
    char *kept = read_whole("docs/commands.md"), *now = cli_output("--reference");
    drop_outputs(kept);
    ck_assert_msg(strcmp(now, kept) == 0, "docs/commands.md is not current: run `make docs`");
}

/* The example of every command stands in the reference, where it is run. */
TEST(test_every_example_is_run)
{
    ns_program program;
    ns_program_make(&program);
    const ns_command *const *commands = program.command;
    const size_t count = program.commands;
    char *page = read_whole("docs/commands.md");
    for (size_t i = 0; i < count; i++) {
        char line[400];
        snprintf(line, sizeof line, "\n$ %s\n", commands[i]->example);
        ck_assert_msg(strncmp(commands[i]->example, "nsmodel ", 8) == 0 && strstr(page, line) != NULL, "%s",
                      commands[i]->example);
    }
}

/* Each model has a page that names it in backquotes; a page has symbols, assumptions, an example, and where its family
 * is wrong. */
TEST(test_every_model_has_a_page)
{
    static const char *const families[] = {"docs/point-to-point.md", "docs/node-aware.md", "docs/netsparse-models.md",
                                           "docs/netcrafter.md",     "docs/sharp.md",      "docs/red-sea.md"};
    enum { FAMILIES = sizeof families / sizeof *families };
    char *page[FAMILIES];
    for (size_t i = 0; i < FAMILIES; i++) {
        page[i] = read_whole(families[i]);
        ck_assert_msg(strstr(page[i], "hen it is wrong") != NULL || strstr(page[i], "hen they are wrong") != NULL, "%s",
                      families[i]);
        ck_assert_msg(strstr(page[i], "$ nsmodel eval ") != NULL, "%s has no worked example", families[i]);
        ck_assert_msg(strstr(page[i], "\n## Symbols\n") != NULL, "%s explains no symbols", families[i]);
        ck_assert_msg(strstr(page[i], "\n## Assumptions") != NULL, "%s states no assumptions", families[i]);
    }
    for (const ns_model *const *m = ns_models(); *m != NULL; m++) {
        bool told = false;
        char name[80];
        snprintf(name, sizeof name, "`%s`", (*m)->name);
        for (size_t i = 0; i < FAMILIES; i++)
            told = told || strstr(page[i], name) != NULL;
        ck_assert_msg(told, "no page of a family tells of %s", (*m)->name);
    }
    for (size_t i = 0; i < FAMILIES; i++)
        ns_free(page[i]);
}

/* ---- the map of the house ---------------------------------------------------------------------------------------- */

/* One room a line, "src/price/forms core, machine, model/parts": from the page's table, from the script's. */
#define PAGE_ROOMS                                                                                                     \
    "sed -n '/^| room /,/^$/p' docs/architecture.md | sed -n 's/^| `\\([^`]*\\)` | .* | \\(.*\\) |$/\\1 \\2/p'"
#define SCRIPT_ROOMS                                                                                                   \
    "sed -n '/^  cat <<.END.$/,/^END$/p' tools/layers.sh | sed '1d;$d;s/  */ /g;s/ -$/ \xe2\x80\x93/' | "              \
    "sed 's/ src\\// /g;s/ /,/2g;s/,/, /g'"

TEST(test_rooms)
{
    static char page[8192], script[8192];
    shell_ok("test -f tools/layers.sh");
    ck_assert_int_eq(shell(page, sizeof page, PAGE_ROOMS), 0);
    ck_assert_int_eq(shell(script, sizeof script, SCRIPT_ROOMS), 0);
    ck_assert_ptr_nonnull(strstr(page, "src/price/forms core, machine, model/parts\n"));
    ck_assert_str_eq(page, script);
}

/* Every file and folder that the pages for contributors name is there, and so is every function of the map. */
TEST(test_the_map_names_what_is_there)
{
    static char out[8192];
    (void)shell(
        out, sizeof out,
        "cat docs/architecture.md CONTRIBUTING.md | grep -oE '`(src|models|strategies|tests|tools|include|params|docs)"
        "/[^` ]*`' | tr -d '`' | sort -u | grep -vE '<|\\*|/(test_|tool_|fuzz_|test_logs_)?x([./]|_|$)|fuzz/seeds/x' | "
        "while read -r path; do [ -e \"$path\" ] || echo \"$path\"; done");
    ck_assert_msg(*out == '\0', "named, but not there:\n%s", out);
    (void)shell(out, sizeof out,
                "grep -oE '`ns_[a-z_]+`' docs/architecture.md | tr -d '`' | sort -u | while read -r name; do "
                "grep -rqw -- \"$name\" include src || echo \"$name\"; done");
    ck_assert_msg(*out == '\0', "named, but not there:\n%s", out);
}

/* The library says what; the program says which option or command gives it (ns_error_line).  The command lines of
 * benchmarks are data, what advise answers. */
TEST(test_library_knows_no_command_line)
{
    static char out[8192];
    (void)shell(out, sizeof out,
                "grep -nE '\"([^\"]*[ (`])?(`nsmodel |--[a-z])' $(find $(sed -n '/^LIB_DIRS/,/api$/p' Makefile | sed "
                "'s/LIB_DIRS :=//;s/.$//;$s/$/i/') -maxdepth 1 -name '*.c' ! -name benchmarks.c) "
                "/dev/null | head");
    ck_assert_msg(*out == '\0', "texts of the library:\n%s", out);
}

/* ---- examples: "$ nsmodel ..." and the lines below it, indented by four blanks or fenced ------------------------- */

/* Pages that have at least one; every other page in docs/ may have some.  The tutorial and the accuracy page have tests
 * of their own. */
static const char *const with_examples[] = {
    "README.md",     "docs/commands.md", "docs/point-to-point.md",   "docs/node-aware.md", "docs/netcrafter.md",
    "docs/sharp.md", "docs/red-sea.md",  "docs/netsparse-models.md", "docs/sweep.md",
};

static char program_here[1200];

/* Nobody's caches, and a folder with nothing but the example logs, as tools/transcript.sh has it. */
static void leave_home(void)
{
    char here[1100];
    const char *folder = scratch_open();
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    snprintf(program_here, sizeof program_here, "%s/bin/nsmodel", here);
    shell_ok("cp examples/*.log '%s'", folder);
    ck_assert_int_eq(setenv("HOME", "/users/you", 1) | unsetenv("XDG_CACHE_HOME") | unsetenv("NSMODEL_MATRIX_PATH"), 0);
    ck_assert_int_eq(chdir(folder), 0);
}

/* Run a command line as a reader would, with the program on the path; the output belongs to the caller. */
static char *run_line(const char *line, size_t length)
{
    char command[4096];
    char *text = ns_calloc(1, 1 << 18);
    ck_assert_ptr_nonnull(text);
    ck_assert_int_lt(snprintf(command, sizeof command, "PATH=\"$(dirname '%s'):$PATH\"; { %.*s; } 2>&1 < /dev/null",
                              shell_program(), (int)length, line),
                     (int)sizeof command);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    size_t size = fread(text, 1, (1 << 18) - 1, pipe);
    text[size] = '\0';
    pclose(pipe);
    return text;
}

/* The lines that belong to an example begin with `indent` and end it with the first that does not, a fence or a
 * prompt. */
static size_t compare(const char *page, const char *at, const char *indent, const char *output, const char *command)
{
    const char *begin = at;
    size_t width = strlen(indent);
    while (strncmp(at, indent, width) == 0 && strncmp(at + width, "```", 3) != 0 && strncmp(at + width, "$ ", 2) != 0 &&
           (width == 0 || *at != '\n')) {
        size_t length = strcspn(at, "\n") - width;
        if (length == 3 && strncmp(at + width, "...", 3) == 0 && *output != '\0') /* there is more of it */
            return (size_t)(at + width + length + 1 - begin);
        ck_assert_msg(strncmp(output, at + width, length) == 0 && output[length] == '\n',
                      "%s: after `%.*s`\n  page: %.*s\n  now:  %.*s", page, (int)strcspn(command, "\n"), command,
                      (int)length, at + width, (int)strcspn(output, "\n"), output);
        output += length + 1;
        at += width + length + 1;
    }
    ck_assert_msg(*output == '\0', "%s: `%.*s` prints more: %.*s", page, (int)strcspn(command, "\n"), command,
                  (int)strcspn(output, "\n"), output);
    return (size_t)(at - begin);
}

static int run_examples(const char *page, const char *text)
{
    int found = 0;
    for (const char *at = text; (at = strstr(at, "$ nsmodel ")) != NULL;) {
        const char *indent = at - text >= 4 && strncmp(at - 4, "    ", 4) == 0 ? "    " : "";
        const char *command = at + 2, *body = command + strcspn(command, "\n") + 1;
        char *output = run_line(command, strcspn(command, "\n")), *begin = output;
        if (strncmp(command, "nsmodel doctor", 14) == 0) { /* what it says before is about this computer */
            begin = strstr(output, "\nmachines\n");
            body = strstr(body, "\nmachines\n");
            ck_assert(begin != NULL && body != NULL);
        }
        at = body + compare(page, body, indent, begin, command);
        ns_free(output);
        found++;
    }
    return found;
}

static bool has_own_test(const char *page)
{
    return strcmp(page, "docs/tutorial.md") == 0 || strcmp(page, "docs/evidence/accuracy.md") == 0;
}

TEST_EACH(test_examples, sizeof with_examples / sizeof *with_examples)
{
    char *text = read_whole(with_examples[_i]);
    leave_home();
    ck_assert_int_gt(run_examples(with_examples[_i], text), 0);
    ck_assert_int_eq(chdir(".."), 0);
    scratch_close();
}

TEST(test_examples_elsewhere)
{
    enum { MOST = 64 };
    char *text[MOST];
    glob_t found;
    ck_assert_int_eq(glob("docs/*.md", 0, NULL, &found), 0);
    ck_assert_uint_lt(found.gl_pathc, MOST);
    for (size_t i = 0; i < found.gl_pathc; i++)
        text[i] = read_whole(found.gl_pathv[i]);
    leave_home();
    for (size_t i = 0; i < found.gl_pathc; i++) {
        bool done = has_own_test(found.gl_pathv[i]);
        for (size_t k = 0; k < sizeof with_examples / sizeof *with_examples; k++)
            done = done || strcmp(found.gl_pathv[i], with_examples[k]) == 0;
        if (!done)
            (void)run_examples(found.gl_pathv[i], text[i]);
        ns_free(text[i]);
    }
    globfree(&found);
    ck_assert_int_eq(chdir(".."), 0);
    scratch_close();
}

TEST_TIMEOUT(120)
