/* test_fit_files.c -- several files in one fit: who disagrees with whom, and which of them the machine's file names */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "support/fits.h"
#include "support/values.h"

/* 1 us + 1 ns/B times the factor, at so many sizes from `from` on. */
static void add_file(char *line, size_t size, const char *name, double factor, int from, int sizes)
{
    char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text, "bytes,us\n");
    for (int i = 0; i < sizes; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%d,%.9g\n", from << i,
                                 factor * (1 + 1e-3 * (double)(from << i)));
    const size_t at = strlen(line);
    snprintf(line + at, size - at, " %s", cli_file(name, text));
}

typedef struct many {
    const char *name;
    double factor;
    int from, sizes;
} many;

enum { FILES = 3 };
static const struct {
    const char *about, *options;
    many file[FILES];
    const char *said, *faster; /* NULL: nothing is said */
} cases[] = {
    {"by less than 15 %", "", {{"a.csv", 1, 8, 8}, {"b.csv", 1.14, 8, 8}, {NULL, 0, 0, 0}}, NULL, NULL},
    {"by more",
     "",
     {{"a.csv", 1, 8, 8}, {"b.csv", 1.16, 8, 8}, {NULL, 0, 0, 0}},
     "b.csv takes 1.16 times as long as ",
     "a.csv"},
    {"the other one",
     "",
     {{"a.csv", 1.3, 8, 8}, {"b.csv", 1, 8, 8}, {NULL, 0, 0, 0}},
     "a.csv takes 1.30 times as long as ",
     "b.csv"},
    {"the first of two slow ones",
     "",
     {{"a.csv", 1, 8, 8}, {"b.csv", 1.5, 8, 8}, {"c.csv", 1.5, 8, 8}},
     "b.csv takes 1.50 times as long as ",
     "a.csv"},
    {"the first of two fast ones",
     "",
     {{"a.csv", 1, 8, 8}, {"b.csv", 1, 8, 8}, {"c.csv", 1.5, 8, 8}},
     "c.csv takes 1.50 times as long as ",
     "a.csv"},
    {"no size in common", "", {{"a.csv", 1, 8, 4}, {"b.csv", 1.5, 256, 4}, {NULL, 0, 0, 0}}, NULL, NULL},
    {"one",
     "",
     {{"a.csv", 1, 8, 8}, {"b.csv", 2, 64, 1}, {NULL, 0, 0, 0}},
     "b.csv takes 1.33 times as long as ",
     "a.csv"},
    {"of minima nobody says it",
     "--statistic min",
     {{"a.csv", 1, 8, 8}, {"b.csv", 1.5, 8, 8}, {NULL, 0, 0, 0}},
     NULL,
     NULL},
};

START_TEST(test_disagreement)
{
    char line[2000] = "fit";
    for (int f = 0; f < FILES && cases[_i].file[f].name != NULL; f++)
        add_file(line, sizeof line, cases[_i].file[f].name, cases[_i].file[f].factor, cases[_i].file[f].from,
                 cases[_i].file[f].sizes);
    snprintf(line + strlen(line), sizeof line - strlen(line), " --locality off-node --memory host %s",
             cases[_i].options);
    ns_value *root = cli_json(line);
    bool found = false;
    for (const ns_value *w = ns_value_get(root, "warnings")->first; w != NULL; w = w->next) {
        const char *end = w->text + strlen(w->text) - strlen("a.csv");
        if (strstr(w->text, "files disagree") == NULL)
            continue;
        ck_assert_msg(cases[_i].said != NULL, "%s: %s", cases[_i].about, w->text);
        ck_assert_msg(strstr(w->text, cases[_i].said) != NULL && strcmp(end, cases[_i].faster) == 0, "%s: %s",
                      cases[_i].about, w->text);
        found = true;
    }
    ck_assert_msg(found == (cases[_i].said != NULL), "%s", cases[_i].about);
    ns_value_free(root);
}
END_TEST

/* Six files are named, more are counted; a tool is named once. */
START_TEST(test_source)
{
    for (int files = 1; files <= 8; files++) {
        char line[4000] = "fit", name[20], wanted[200] = "nsmodel fit, csv logs ";
        for (int f = 0; f < files; f++) {
            snprintf(name, sizeof name, "f%d.csv", f);
            add_file(line, sizeof line, name, 1, 8, 8);
            if (f < 6)
                snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), "%s%s", f > 0 ? ", " : "", name);
        }
        if (files > 6)
            snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), " and %d more", files - 6);
        snprintf(line + strlen(line), sizeof line - strlen(line), " --locality off-node --memory host");
        ns_value *root = cli_json(line);
        ck_assert_str_eq(text_at(root, "machine.source"), wanted);
        ns_value_free(root);
    }
    /* one that gave nothing is no source, nor is its tool */
    char line[1000] = "fit", refused[300];
    snprintf(refused, sizeof refused, " %s --keep-going --locality off-node --memory host",
             cli_file("a.log", "# OSU MPI Latency Test v7.3\n# Size Latency (us)\n"));
    add_file(line, sizeof line, "b.csv", 1, 8, 8);
    strncat(line, refused, sizeof line - strlen(line) - 1);
    ns_value *root = cli_json(line);
    ck_assert_str_eq(text_at(root, "machine.source"), "nsmodel fit, csv logs b.csv");
    ns_value_free(root);
}
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("fit files");
    TCase *t = tcase_create("files");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, test_disagreement, 0, sizeof cases / sizeof *cases);
    tcase_add_test(t, test_source);
    suite_add_tcase(s, t);
    return s;
}
