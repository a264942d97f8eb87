/* cli.c -- run the program inside a test, without a shell */
#include "cli.h"

#include "cli/program/program.h"
#include "core/memory.h"
#include "support/files.h"

#include <check.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WORDS = 64, LINE = 12000 };

int cli_split(char *line, char **word, int most)
{
    int words = 0;
    word[words++] = "nsmodel";
    for (char *c = line; *c != '\0' && words < most;) {
        c += strspn(c, " ");
        if (*c == '\0')
            break;
        char end = *c == '\'' ? '\'' : ' ';
        c += end == '\'';
        word[words++] = c;
        c += strcspn(c, end == '\'' ? "'" : " ");
        if (*c != '\0')
            *c++ = '\0';
    }
    return words;
}

static cli_result run(int words, char **word)
{
    cli_result result = {0};
    size_t out_size, err_size;
    FILE *out = open_memstream(&result.out, &out_size), *err = open_memstream(&result.err, &err_size);
    ck_assert(out != NULL && err != NULL);
    result.code = ns_cli_run(words, word, out, err);
    fclose(out);
    fclose(err);
    result.out = test_keep(library_text(result.out));
    result.err = test_keep(library_text(result.err));
    return result;
}

const char *cli_path(const char *name)
{
    static char path[8][256];
    static int next;
    const char *folder = getenv("NSMODEL_TEST_TMP");
    char *chosen = path[next++ % 8];
    if (folder == NULL)
        folder = "build";
    mkdir(folder, 0777);
    snprintf(chosen, sizeof path[0], "%s/%s", folder, name); /* may be asked outside of a test too: no assertion */
    return chosen;
}

/* A copy of the text in which each TMP/ is the test's own folder. */
static char *in_folder(const char *text)
{
    static const char mark[] = "TMP/";
    const char *folder = cli_path("");
    size_t room = strlen(text) + 1;
    for (const char *at = text; (at = strstr(at, mark)) != NULL; at += strlen(mark))
        room += strlen(folder);
    char *copy = ns_malloc(room), *to = copy;
    ck_assert_ptr_nonnull(copy);
    for (const char *at; (at = strstr(text, mark)) != NULL; text = at + strlen(mark))
        to += sprintf(to, "%.*s%s", (int)(at - text), text, folder);
    strcpy(to, text);
    return copy;
}

cli_result cli(const char *line)
{
    char *copy = in_folder(line), *word[WORDS];
    const cli_result result = run(cli_split(copy, word, WORDS), word);
    ns_free(copy);
    return result;
}

cli_result cli_words(int words, const char *const *word)
{
    static char program[] = "nsmodel";
    char *copy[WORDS] = {program};
    ck_assert_int_lt(words, WORDS - 1);
    for (int i = 0; i < words; i++)
        memcpy(&copy[i + 1], &word[i], sizeof *copy); /* the program does not change its words */
    return run(words + 1, copy);
}

ns_value *cli_json(const char *line)
{
    char with_format[LINE];
    ns_value *root;
    ns_error err = {0};
    ck_assert_uint_lt((size_t)snprintf(with_format, sizeof with_format, "%s --format json", line), sizeof with_format);
    cli_result result = cli(with_format);
    ck_assert_msg(result.code == 0, "`nsmodel %s` failed: %s", line, result.err);
    ck_assert_msg(ns_json_parse(result.out, "output", &root, &err) == NS_OK, "%s", err.text);
    return test_keep(root);
}

static void print_line(char line[LINE], const char *format, va_list args)
{
    ck_assert_int_lt(vsnprintf(line, LINE, format, args), LINE);
}

cli_result cli_with(const char *format, ...)
{
    char line[LINE];
    va_list args;
    va_start(args, format);
    print_line(line, format, args);
    va_end(args);
    return cli(line);
}

ns_value *cli_json_with(const char *format, ...)
{
    char line[LINE];
    va_list args;
    va_start(args, format);
    print_line(line, format, args);
    va_end(args);
    return cli_json(line);
}

char *cli_output(const char *line)
{
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0 && *r.err == '\0', "`nsmodel %s` failed: %s", line, r.err);
    return r.out;
}

void cli_result_refused(cli_result *r, cli_refusal wanted)
{
    ck_assert_msg(r->code == wanted.code, "`nsmodel %s` exits %d: %s", wanted.line, r->code, r->err);
    char *words = in_folder(wanted.words);
    ck_assert_msg(strstr(r->err, words) != NULL, "`nsmodel %s` wanted \"%s\", says: %s", wanted.line, words, r->err);
    ns_free(words);
    ck_assert_msg(strchr(r->err, '\n') == r->err + strlen(r->err) - 1, "more than one line: %s", r->err);
    ck_assert_str_eq(r->out, ""); /* nothing half-written */
}

void cli_refused(cli_refusal wanted)
{
    cli_result result = cli(wanted.line);
    cli_result_refused(&result, wanted);
}

const char *cli_file(const char *name, const char *content)
{
    const char *path = cli_path(name);
    FILE *file = fopen(path, "wb");
    ck_assert_msg(file != NULL, "%s cannot be created", path);
    fputs(content, file);
    ck_assert_int_eq(fclose(file), 0);
    return path;
}
