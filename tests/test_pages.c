/* test_pages.c -- help that fits a screen, manual pages that man accepts */
#include "cli/front/words.h"
#include "cli/program/pages.h"
#include "cli/program/program.h"
#include "core/memory.h"
#include "support/cli.h"
#include "support/needs.h"
#include "support/shell.h"
#include "support/test.h"

static ns_program program;
static const ns_command *const *command = program.command;
static size_t commands;

static void list_commands(void)
{
    ns_program_make(&program);
    commands = program.commands;
}

/* ---- help -------------------------------------------------------------------------------------------------------- */

static void expect_screen(const char *what, const char *text, int most)
{
    int lines = 0;
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n") + 1, lines++)
        ck_assert_msg(strcspn(at, "\n") <= NS_SCREEN_COLUMNS, "%s: %.*s", what, (int)strcspn(at, "\n"), at);
    ck_assert_msg(lines <= most, "%s: %d lines, wanted at most %d:\n%s", what, lines, most, text);
}

/* Nothing is cut: the words of every option stand there, whatever the lines. */
static void expect_words(const char *text, const char *words)
{
    const char *at = text;
    char word[200];
    while (*(words += strspn(words, " ")) != '\0') {
        const int length = (int)strcspn(words, " ");
        snprintf(word, sizeof word, "%.*s", length, words);
        at = strstr(at, word);
        ck_assert_msg(at != NULL, "the help lacks \"%s\" of \"%s\":\n%s", word, words, text);
        words += length;
    }
}

TEST(test_help_fits)
{
    list_commands();
    for (size_t i = 0; i < commands; i++) {
        char line[80], doc[NS_OPTION_DOC];
        snprintf(line, sizeof line, "help %s", command[i]->name);
        char *text = cli_output(line);
        expect_screen(command[i]->name, text, 10 * NS_SCREEN_LINES);
        for (const ns_option *o = command[i]->options; o->name != NULL; o++) {
            snprintf(line, sizeof line, "--%s", o->name);
            const char *at = strstr(text, line);
            ck_assert_msg(at != NULL, "%s has no %s", command[i]->name, line);
            if (strchr(o->doc, '{') == NULL)
                expect_words(at, ns_option_doc(o, doc, sizeof doc));
        }
        ck_assert_ptr_nonnull(strstr(text, "\nexample: nsmodel "));
        snprintf(line, sizeof line, "\nmore: man nsmodel-%s\n", command[i]->name);
        ck_assert_ptr_nonnull(strstr(text, line));
    }
    char line[80], *all = cli_output("help");
    expect_screen("help", all, 2 * NS_SCREEN_LINES);
    for (size_t i = 0; i < commands; i++) {
        snprintf(line, sizeof line, "\n  %s ", command[i]->name);
        ck_assert_ptr_nonnull(strstr(all, line));
        expect_words(strstr(all, line), command[i]->summary);
    }
}

/* A row of help is a few words that are not cut; the manual page says the rest. */
TEST(test_row_of_messages)
{
    static const char *const takers[] = {"predict", "advise", "report", "sensitivity"};
    for (size_t i = 0; i < sizeof takers / sizeof *takers; i++) {
        char line[40];
        snprintf(line, sizeof line, "help %s", takers[i]);
        char *help = cli_output(line);
        snprintf(line, sizeof line, "--man %s", takers[i]);
        char *page = cli_output(line);
        ck_assert_msg(strstr(help, "BYTES  planned messages instead of a matrix\n") != NULL, "%s", help);
        ck_assert_msg(strstr(page, "\nPlanned messages are rows of src,dst,bytes; alltoall:BYTES is ") != NULL, "%s",
                      page);
    }
}

static const struct {
    const char *text;
    int room;
    const char *cut;
} clauses[] = {
    {"all of it", 9, "all of it"},
    {"numbers of parts: 8,16 or 8:64", 25, "numbers of parts ..."},
    {"one, two, three and more", 18, "one, two ..."},
    {"a word (with an aside, long)", 20, "a word ..."},
    {"nothing to cut at in this text", 10, "nothing to cut at in this text"},
};

TEST_EACH(test_clauses, sizeof clauses / sizeof *clauses)
{
    char cut[100];
    ck_assert_str_eq(ns_first_clause(clauses[_i].text, clauses[_i].room, cut, sizeof cut), clauses[_i].cut);
}

TEST(test_wrapping)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ns_wrap(out, "one two  three averyveryverylongword end", 0, 2, 10, "");
    ns_wrap(out, "a b c d e f g", 0, 2, 7, " \\");
    ns_wrap(out, "", 0, 2, 7, "");
    fclose(out);
    ck_assert_str_eq(text, "one two\n  three\n  averyveryverylongword\n  end\na b c \\\n  d e \\\n  f g\n\n");
    free(text);
}

/* ---- manual pages ------------------------------------------------------------------------------------------------ */

/* Every variable that a source file of the program asks for is on every page, and every page has the three sections.
 * A line that asks calls getenv, or set, which wraps it, or lists names to ask for. */
TEST(test_surroundings)
{
    static char names[4000];
    list_commands();
    ck_assert_int_eq(
        shell(names, sizeof names,
              "grep -lr 'getenv(' src/cli integrations/mpi src/fetch integrations/scotch src/report src/io src/core | "
              "xargs grep -hE '(getenv|[^a-z_]set)[(]|const names' | "
              "grep -oE '\"[A-Z][A-Z0-9_]{3,}\"|NS_WITHOUT' | tr -d '\"' | sort -u"),
        0);
    ck_assert_msg(strstr(names, "NSMODEL_MACHINE\n") != NULL && strstr(names, "COLUMNS\n") != NULL, "%s", names);
    for (size_t i = 0; i <= commands; i++) {
        char line[100], *page;
        snprintf(line, sizeof line, "--man%s%s", i < commands ? " " : "", i < commands ? command[i]->name : "");
        page = cli_output(line);
        const char *environment = strstr(page, ".SH ENVIRONMENT\n"), *files = strstr(page, ".SH FILES\n"),
                   *status = strstr(page, ".SH EXIT STATUS\n");
        ck_assert_msg(environment != NULL && files != NULL && status != NULL, "%s: %.300s", line, page);
        for (const char *name = names; *name != '\0'; name += strcspn(name, "\n") + 1) {
            const char *full = strncmp(name, "NS_WITHOUT\n", 11) == 0 ? "NSMODEL_WITHOUT\n" : name;
            snprintf(line, sizeof line, "%.*s", (int)strcspn(full, "\n"), full);
            const char *found = strstr(environment, line);
            ck_assert_msg(found != NULL && found < files, "no %s in %.300s", line, environment);
        }
        ck_assert_ptr_nonnull(strstr(files, "nsmodel/machines/"));
        ck_assert_ptr_nonnull(strstr(files, ".nsmodel_history"));
    }
}

/* Every page of the table, and nothing else, as make builds and installs them. */
TEST(test_pages_made)
{
    char out[200];
    const char *folder = scratch_open();
    list_commands();
    shell_ok("tools/pages.sh '%s' '%s/pages'", shell_program(), folder);
    ck_assert_int_eq(shell(out, sizeof out, "ls '%s/pages' | wc -l", folder), 0);
    ck_assert_int_eq(atoi(out), (int)commands + 3);
    for (size_t i = 0; i < commands; i++)
        shell_ok("test -s '%s/pages/nsmodel-%s.1'", folder, command[i]->name);
    scratch_close();
}

static void expect_option(const char *page, const char *name)
{
    char escaped[200] = "\\fB\\-\\-";
    for (const char *c = name; *c != '\0'; c++)
        sprintf(escaped + strlen(escaped), *c == '-' ? "\\-" : "%c", *c);
    strcat(escaped, "\\fR");
    ck_assert_msg(strstr(page, escaped) != NULL, "no %s in\n%s", escaped, page);
}

/* Each page says all that its rows say, and troff and man have nothing to say about it. */
TEST(test_man_pages)
{
    static char out[1 << 16];
    const char *folder = scratch_open();
    list_commands();
    shell_ok("tools/pages.sh '%s' '%s/pages'", shell_program(), folder);
    for (size_t i = 0; i < commands; i++) {
        ck_assert_int_eq(shell(out, sizeof out, "cat '%s/pages/nsmodel-%s.1'", folder, command[i]->name), 0);
        ck_assert_ptr_nonnull(strstr(out, "\n.SH EXAMPLE\n"));
        for (const ns_option *o = command[i]->options; o->name != NULL; o++)
            expect_option(out, o->name);
    }
    if (!lacks(__func__, "groff")) {
        ck_assert_msg(shell(out, sizeof out, "for f in '%s'/pages/*.1; do groff -k -ww -man -z \"$f\" || exit 1; done",
                            folder) == 0 &&
                          *out == '\0',
                      "%s", out);
    }
    if (!lacks(__func__, "man")) {
        const int code = shell(out, sizeof out,
                               "for f in '%s'/pages/*.1; do MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -l \"$f\" 2>&1 "
                               "> /dev/null || exit 1; done",
                               folder);
        ck_assert_msg(code == 0 && *out == '\0', "%s", out);
        ck_assert_int_eq(
            shell(out, sizeof out, "MANWIDTH=80 LC_ALL=C.UTF-8 man -l '%s/pages/nsmodel-eval.1' | tr -s ' '", folder),
            0);
        ck_assert_msg(strstr(out, "nsmodel eval MODEL NAME=VALUE... [OPTION...]") != NULL &&
                          strstr(out, "nsmodel eval max-rate --machine lassen m=10 s=1MiB ppn=40") != NULL,
                      "%s", out);
    }
    scratch_close();
}

/* What troff would take for a request or an escape stays text. */
TEST(test_troff_escapes)
{
    static const ns_option options[] = {{"a-b", 'a', "C-D", NULL, ".svg or \\"},
                                        {NULL}};
    const ns_command odd = {.name = "odd",
                            .summary = "odd one",
                            .usage = "",
                            .options = options,
                            .example = "nsmodel 'x'",
                            .about = ".TH not a macro\n'neither"};
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ns_man_page(&odd, out);
    fclose(out);
    ck_assert_msg(strstr(text, "\n\\&.TH not a macro\n\\&'neither\n") != NULL, "%s", text);
    ck_assert_msg(strstr(text, "\n\\fB\\-a\\fR, \\fB\\-\\-a\\-b\\fR \\fIC\\-D\\fR\n\\&.svg or \\e.\n") != NULL, "%s",
                  text);
    free(text);
}

TEST_TIMEOUT(120)
