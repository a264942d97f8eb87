/* cli.c -- run the program inside a test, without a shell */
#include "cli.h"

#include "core/memory.h"
#include "cli/program/program.h"
#include "support/files.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WORDS = 64 };

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
    result.out = library_text(result.out);
    result.err = library_text(result.err);
    return result;
}

cli_result cli(const char *line)
{
    char *copy = ns_malloc(strlen(line) + 1), *word[WORDS];
    ck_assert_ptr_nonnull(copy);
    strcpy(copy, line);
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

void cli_free(cli_result *result)
{
    ns_free(result->out);
    ns_free(result->err);
    *result = (cli_result){.code = result->code}; /* who reads them now finds nothing */
}

ns_value *cli_json(const char *line)
{
    char with_format[2048];
    ns_value *root;
    ns_error err = {0};
    ck_assert_uint_lt((size_t)snprintf(with_format, sizeof with_format, "%s --format json", line), sizeof with_format);
    cli_result result = cli(with_format);
    ck_assert_msg(result.code == 0, "`nsmodel %s` failed: %s", line, result.err);
    ck_assert_msg(ns_json_parse(result.out, "output", &root, &err) == NS_OK, "%s", err.text);
    cli_free(&result);
    return root;
}

char *cli_output(const char *line)
{
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0 && *r.err == '\0', "`nsmodel %s` failed: %s", line, r.err);
    ns_free(r.err);
    return r.out;
}

void cli_result_refused(cli_result *r, cli_refusal wanted)
{
    ck_assert_msg(r->code == wanted.code, "`nsmodel %s` exits %d: %s", wanted.line, r->code, r->err);
    ck_assert_msg(strstr(r->err, wanted.words) != NULL, "`nsmodel %s` wanted \"%s\", says: %s", wanted.line,
                  wanted.words, r->err);
    ck_assert_msg(strchr(r->err, '\n') == r->err + strlen(r->err) - 1, "more than one line: %s", r->err);
    ck_assert_str_eq(r->out, ""); /* nothing half-written */
    cli_free(r);
}

void cli_refused(cli_refusal wanted)
{
    cli_result result = cli(wanted.line);
    cli_result_refused(&result, wanted);
}

const char *cli_file(const char *name, const char *content)
{
    static char path[8][256];
    static int next;
    const char *directory = getenv("NSMODEL_TEST_TMP");
    char *chosen = path[next++ % 8];
    if (directory == NULL)
        directory = "build";
    mkdir(directory, 0777);
    snprintf(chosen, sizeof path[0], "%s/%s", directory, name);
    FILE *file = fopen(chosen, "wb");
    ck_assert_msg(file != NULL, "%s cannot be created", chosen);
    fputs(content, file);
    ck_assert_int_eq(fclose(file), 0);
    return chosen;
}
