/* test_pages.c -- help that fits a screen, manual pages that man accepts, completion in real shells */
#define _XOPEN_SOURCE 700

#include "cli/front/words.h"
#include "cli/program/pages.h"
#include "cli/program/program.h"
#include "support/cli.h"
#include "support/shell.h"
#include "support/terminal.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ns_command *command[NS_COMMANDS_MAX];
static size_t commands;

static void list_commands(void)
{
    commands = ns_commands(command, NS_COMMANDS_MAX);
}

static const char *program(void)
{
    const char *named = getenv("NSMODEL_BIN");
    return named != NULL ? named : "bin/nsmodel";
}

static char *output_of(const char *line)
{
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0 && *r.err == '\0', "nsmodel %s: %s", line, r.err);
    free(r.err);
    return r.out;
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

START_TEST(test_help_fits)
{
    list_commands();
    for (size_t i = 0; i < commands; i++) {
        char line[80], doc[NS_OPTION_DOC];
        snprintf(line, sizeof line, "help %s", command[i]->name);
        char *text = output_of(line);
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
        free(text);
    }
    char *all = output_of("help");
    expect_screen("help", all, NS_SCREEN_LINES);
    for (size_t i = 0; i < commands; i++)
        ck_assert_ptr_nonnull(strstr(all, command[i]->name));
    free(all);
}
END_TEST

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

START_TEST(test_clauses)
{
    char cut[100];
    ck_assert_str_eq(ns_first_clause(clauses[_i].text, clauses[_i].room, cut, sizeof cut), clauses[_i].cut);
}
END_TEST

START_TEST(test_wrapping)
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
END_TEST

/* ---- manual pages ------------------------------------------------------------------------------------------------ */

static bool has(const char *tool)
{
    return shell(NULL, 0, "command -v %s > /dev/null", tool) == 0;
}

/* Every page of the table, and nothing else, as make builds and installs them. */
START_TEST(test_pages_made)
{
    char out[200];
    const char *folder = scratch_open();
    list_commands();
    shell_ok("tools/pages.sh '%s' '%s/pages'", program(), folder);
    ck_assert_int_eq(shell(out, sizeof out, "ls '%s/pages' | wc -l", folder), 0);
    ck_assert_int_eq(atoi(out), (int)commands + 3);
    for (size_t i = 0; i < commands; i++)
        shell_ok("test -s '%s/pages/nsmodel-%s.1'", folder, command[i]->name);
    scratch_close();
}
END_TEST

static void expect_option(const char *page, const char *name)
{
    char escaped[200] = "\\fB\\-\\-";
    for (const char *c = name; *c != '\0'; c++)
        sprintf(escaped + strlen(escaped), *c == '-' ? "\\-" : "%c", *c);
    strcat(escaped, "\\fR");
    ck_assert_msg(strstr(page, escaped) != NULL, "no %s in\n%s", escaped, page);
}

/* Each page says all that its rows say, and troff and man have nothing to say about it. */
START_TEST(test_man_pages)
{
    static char out[1 << 16];
    const char *folder = scratch_open();
    list_commands();
    shell_ok("tools/pages.sh '%s' '%s/pages'", program(), folder);
    for (size_t i = 0; i < commands; i++) {
        ck_assert_int_eq(shell(out, sizeof out, "cat '%s/pages/nsmodel-%s.1'", folder, command[i]->name), 0);
        ck_assert_ptr_nonnull(strstr(out, "\n.SH EXAMPLE\n"));
        for (const ns_option *o = command[i]->options; o->name != NULL; o++)
            expect_option(out, o->name);
    }
    if (has("groff")) {
        ck_assert_msg(shell(out, sizeof out, "for f in '%s'/pages/*.1; do groff -k -ww -man -z \"$f\" || exit 1; done",
                            folder) == 0 &&
                          *out == '\0',
                      "%s", out);
    } else
        printf("test_man_pages: groff skipped, there is none\n");
    if (has("man")) {
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
    } else
        printf("test_man_pages: man skipped, there is none\n");
    scratch_close();
}
END_TEST

/* What troff would take for a request or an escape stays text. */
START_TEST(test_troff_escapes)
{
    static const ns_option options[] = {{"a-b", 'a', "C-D", NULL, ".svg or \\", false},
                                        {NULL, 0, NULL, NULL, NULL, false}};
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
END_TEST

/* ---- completion: what the program answers ------------------------------------------------------------------------ */

static const struct {
    const char *line;
    const char *words; /* all of them, each followed by a blank; ":files" for names of files */
} completions[] = {
    {"nsmodel pat", "pattern "},
    {"nsmodel --v", "--version "},
    {"nsmodel help pat", "pattern "},
    {"nsmodel xyz ", ""},
    {"nsmodel predict --gp", "--gpus "},
    {"nsmodel predict --gpus 8 --g", ""},
    {"nsmodel predict --set a=1 --se", "--set "},
    {"nsmodel predict --machine lass", "lassen lassen-spectrum :files "},
    {"nsmodel predict --machine bxi,lassen-", "bxi,lassen-spectrum :files "},
    {"nsmodel predict --machine=lassen-", "--machine=lassen-spectrum :files "},
    {"nsmodel predict --strategy standard,spl", "standard,split-md standard,split-dd "},
    {"nsmodel predict --transport ", "host device "},
    {"nsmodel predict --format ", "table wide json csv "},
    {"nsmodel predict --format=c", "--format=csv "},
    {"nsmodel predict --matrix audikw", ":files audikw_1 "},
    {"nsmodel predict --matrix HB/ash2", ":files HB/ash219 HB/ash292 "},
    {"nsmodel predict --matrix ", "stencil9: stencil27: :files "},
    {"nsmodel predict --partition ", ":files "},
    {"nsmodel predict --gpus ", ""},
    {"nsmodel eval post", "postal "},
    {"nsmodel eval postal ", "alpha= beta= s= locality= memory= protocol= "},
    {"nsmodel eval --machine lassen postal al", "alpha= "},
    {"nsmodel eval postal protocol=e", "protocol=eager "},
    {"nsmodel eval standard form=", "form=corrected form=printed "},
    {"nsmodel predict --explain ", "tree latex dot "},
    {"nsmodel predict --explain la", "latex "},
    {"nsmodel predict --explain latex --gp", "--gpus "},
    {"nsmodel predict --plot ", ":files "},
    {"nsmodel eval --explain max-r", "max-rate "},
    {"nsmodel cross three-step/", "three-step/host three-step/device "},
    {"nsmodel cross postal:protocol=eager max-rate m", "max-rate m= memory= multiplex multirail "},
    {"nsmodel sweep max-rate protocol=e", "protocol=eager "},
    {"nsmodel sweep max-rate s=", ""},
    {"nsmodel predict --matrix stencil2", "stencil27: :files "},
    {"nsmodel matrix ", "list info where get "},
    {"nsmodel matrix get ash2", ":files ash219 ash292 "},
    {"nsmodel matrix list --sort n", "name nnz "},
    {"nsmodel models rend", "rendezvous "},
    {"nsmodel machines fp", "fpspin :files "},
    {"nsmodel reproduce node-aware-table", "node-aware-table2 node-aware-table3 node-aware-table4 "},
    {"nsmodel fit --tool os", "osu "},
    {"nsmodel predict --model ", "auto postal max-rate queue contention full "},
    {"nsmodel fit ", ":files "},
    {"nsmodel   eval    post", "postal "},
};

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Words in an order of their own: which comes first is not promised. */
static void sort_words(char *text)
{
    char *word[64], copy[2048];
    int count = 0;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *at = strtok(copy, " "); at != NULL && count < 64; at = strtok(NULL, " "))
        word[count++] = at;
    qsort(word, (size_t)count, sizeof *word, by_text);
    *text = '\0';
    for (int i = 0; i < count; i++) {
        strcat(text, word[i]);
        strcat(text, " ");
    }
}

START_TEST(test_completions)
{
    char quoted[400], found[2048] = "", wanted[2048];
    snprintf(quoted, sizeof quoted, "--complete '%s'", completions[_i].line);
    char *out = output_of(quoted);
    for (char *at = out; *at != '\0'; at += strcspn(at, "\n") + 1)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%.*s ", (int)strcspn(at, "\t"), at);
    snprintf(wanted, sizeof wanted, "%s", completions[_i].words);
    sort_words(found);
    sort_words(wanted);
    ck_assert_msg(strcmp(found, wanted) == 0, "%s: wanted \"%s\", got \"%s\"", completions[_i].line, wanted, found);
    free(out);
}
END_TEST

START_TEST(test_strange_lines)
{
    char line[9000];
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    memcpy(line, "--complete 'nsmodel eval ", 25);
    line[sizeof line - 2] = '\'';
    free(output_of(line));
    memcpy(line, "--complete 'nsmodel e e e e e e e e ", 36);
    for (size_t i = 36; i + 3 < sizeof line; i += 2)
        line[i] = ' ';
    free(output_of(line));
    cli_result r = cli("--completion fish");
    ck_assert_int_eq(r.code, 2);
    ck_assert_str_eq(r.err, "nsmodel: --completion wants bash or zsh, got fish\n");
    cli_free(&r);
    r = cli("--man xyz");
    ck_assert_int_eq(r.code, 2);
    cli_free(&r);
}
END_TEST

/* ---- completion: in the shells ----------------------------------------------------------------------------------- */

/* Typed after the prompt, with a tab; what the line then is.  Files: plan.csv and mine.json are there. */
static const struct {
    const char *typed, *becomes;
} tabs[] = {
    {"nsmodel patt\t", "nsmodel pattern "},
    {"nsmodel predict --explain --gp\t", "nsmodel predict --explain --gpus "},
    {"nsmodel eval max-r\t", "nsmodel eval max-rate "},
    {"nsmodel eval postal alph\t1us", "nsmodel eval postal alpha=1us"},
    {"nsmodel eval postal protocol=rend\t", "nsmodel eval postal protocol=rendezvous "},
    {"nsmodel cross postal:protocol=eager loc\t", "nsmodel cross postal:protocol=eager locality="},
    {"nsmodel predict --format=js\t", "nsmodel predict --format=json "},
    {"nsmodel predict --machine bluew\t", "nsmodel predict --machine bluewaters "},
    {"nsmodel predict --machine mine\t", "nsmodel predict --machine mine.json "},
    {"nsmodel predict --messages pl\t", "nsmodel predict --messages plan.csv "},
    {"nsmodel matrix get GHS_psdef/audik\t", "nsmodel matrix get GHS_psdef/audikw_1 "},
    {"nsmodel predict --matrix stencil2\t3x3", "nsmodel predict --matrix stencil27:3x3"},
};

/* Type each line, a mark, and at its beginning a command that prints it: the shell itself says what the line has
 * become. */
static void try_tabs(terminal *t)
{
    for (size_t i = 0; i < sizeof tabs / sizeof *tabs; i++) {
        char wanted[200];
        terminal_type(t, tabs[i].typed);
        terminal_type(t, "@\x01"
                         "printf '<%s>' '\x05'\r");
        snprintf(wanted, sizeof wanted, "<%s@>", tabs[i].becomes);
        terminal_wait(t, wanted);
    }
}

static void make_site(const char *folder)
{
    shell_ok(
        "tools/pages.sh '%s' '%s/pages' && mkdir '%s/bin' '%s/here' && touch '%s/here/plan.csv' '%s/here/mine.json' && "
        "ln -s \"$(cd \"$(dirname '%s')\" && pwd)/$(basename '%s')\" '%s/bin/nsmodel'",
        program(), folder, folder, folder, folder, folder, program(), program(), folder);
}

static void try_shell(const char *shell_name, const char *start, const char *setup)
{
    terminal t;
    char keys[4096];
    if (!has(shell_name)) {
        printf("completion: skipped, there is no %s\n", shell_name);
        return;
    }
    const char *folder = scratch_open();
    make_site(folder);
    terminal_open(&t, start);
    snprintf(keys, sizeof keys, "site='%s'; PS1='> '; PATH=$site/bin:$PATH; cd $site/here; %s && echo rea''dy\r",
             folder, setup);
    terminal_type(&t, keys);
    terminal_wait(&t, "ready");
    try_tabs(&t);
    terminal_type(&t, "exit\r");
    (void)terminal_close(&t);
    scratch_close();
}

START_TEST(test_bash)
{
    try_shell("bash", "exec bash --norc --noprofile -i",
              "bind 'set enable-bracketed-paste off'; source $site/pages/nsmodel");
}
END_TEST

START_TEST(test_zsh)
{
    try_shell(
        "zsh", "exec zsh -f -i",
        "unset zle_bracketed_paste; bindkey -e; fpath=($site/pages $fpath); autoload -Uz compinit; compinit -u -D");
}
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("pages");
    TCase *t = tcase_create("made from tables");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, test_help_fits);
    tcase_add_loop_test(t, test_clauses, 0, sizeof clauses / sizeof *clauses);
    tcase_add_test(t, test_wrapping);
    tcase_add_test(t, test_pages_made);
    tcase_add_test(t, test_man_pages);
    tcase_add_test(t, test_troff_escapes);
    tcase_add_loop_test(t, test_completions, 0, sizeof completions / sizeof *completions);
    tcase_add_test(t, test_strange_lines);
    tcase_add_test(t, test_bash);
    tcase_add_test(t, test_zsh);
    suite_add_tcase(s, t);
    return s;
}
