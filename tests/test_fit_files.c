/* test_fit_files.c -- several files in one fit: who disagrees with whom, and which of them the machine's file names */

#include "support/cli.h"
#include "support/fits.h"
#include "support/test.h"
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
    {"by less than 15 %", "", {{"a.csv", 1, 8, 8}, {"b.csv", 1.14, 8, 8}}, NULL, NULL},
    {"by more", "", {{"a.csv", 1, 8, 8}, {"b.csv", 1.16, 8, 8}}, "b.csv takes 1.16 times as long as ", "a.csv"},
    {"the other one", "", {{"a.csv", 1.3, 8, 8}, {"b.csv", 1, 8, 8}}, "a.csv takes 1.30 times as long as ", "b.csv"},
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
    {"no size in common", "", {{"a.csv", 1, 8, 4}, {"b.csv", 1.5, 256, 4}}, NULL, NULL},
    {"one", "", {{"a.csv", 1, 8, 8}, {"b.csv", 2, 64, 1}}, "b.csv takes 1.33 times as long as ", "a.csv"},
    {"of minima nobody says it", "--statistic min", {{"a.csv", 1, 8, 8}, {"b.csv", 1.5, 8, 8}}, NULL, NULL},
};

TEST_EACH(test_disagreement, sizeof cases / sizeof *cases)
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

/* ---- which one is meant ------------------------------------------------------------------------------------------ */

static const struct {
    const char *about, *options;
    many file[FILES];
    const char *high; /* NULL: it is fitted */
    double seconds;   /* us, that the high one takes for 8 B */
} contradictions[] = {
    {"two systems", "", {{"a.csv", 1, 8, 8}, {"b.csv", 12.5, 8, 8}}, "b.csv", 12.6},
    {"places said or not", "--locality on-node", {{"a.csv", 1, 8, 8}, {"b.csv", 1.5, 8, 8}}, "b.csv", 1.51},
    {"three systems", "", {{"a.csv", 1, 8, 8}, {"b.csv", 2, 8, 8}, {"c.csv", 4, 8, 8}}, "c.csv", 4.03},
    {"at most sizes", "", {{"a.csv", 1, 8, 8}, {"b.csv", 2, 8, 5}}, "b.csv", 2.02},
    {"at three sizes", "", {{"a.csv", 1, 8, 8}, {"b.csv", 2, 8, 3}}, "b.csv", 2.02},
    {"at two, which may be noise", "", {{"a.csv", 1, 8, 8}, {"b.csv", 2, 8, 2}}, NULL, 0},
    {"by less", "", {{"a.csv", 1, 8, 8}, {"b.csv", 1.49, 8, 8}}, NULL, 0},
    {"two of three agree", "", {{"a.csv", 1, 8, 8}, {"b.csv", 12.5, 8, 8}, {"c.csv", 1.1, 8, 8}}, NULL, 0},
    {"minima are of the faster", "--statistic min", {{"a.csv", 1, 8, 8}, {"b.csv", 12.5, 8, 8}}, NULL, 0},
};

/* The mean of two systems is of neither: nothing is written. */
TEST_EACH(test_contradiction, sizeof contradictions / sizeof *contradictions)
{
    char line[3000] = "fit", machine[300], wanted[1500], path[2][300] = {"", ""};
    snprintf(machine, sizeof machine, "%s", cli_file("which.json", ""));
    remove(machine);
    for (int f = 0; f < FILES && contradictions[_i].file[f].name != NULL; f++) {
        const many *m = &contradictions[_i].file[f];
        add_file(line, sizeof line, m->name, m->factor, m->from, m->sizes);
        if (f == 0 || (contradictions[_i].high != NULL && strcmp(m->name, contradictions[_i].high) == 0))
            snprintf(path[f > 0], sizeof path[0], "%s", strrchr(line, ' ') + 1);
    }
    snprintf(line + strlen(line), sizeof line - strlen(line), " --memory host %s -o %s", contradictions[_i].options,
             machine);
    cli_result r = cli(line);
    FILE *written = fopen(machine, "r");
    if (contradictions[_i].high == NULL) {
        ck_assert_msg(r.code == 0 && written != NULL, "%s: %s", contradictions[_i].about, r.err);
        fclose(written);
        cli_free(&r);
        return;
    }
    snprintf(wanted, sizeof wanted,
             "nsmodel: host %s: 8 B take 1.01 us in %s and %.3g us in %s: which one is meant? Give the logs of one "
             "system, and --locality FILE=on-node for one from inside a node\n",
             contradictions[_i].options[0] != '\0' ? "on-node" : "off-node", path[0], contradictions[_i].seconds,
             path[1]);
    ck_assert_int_eq(r.code, 1);
    ck_assert_str_eq(r.err, wanted);
    ck_assert_str_eq(r.out, "");
    ck_assert_ptr_null(written);
    cli_free(&r);
}

/* Windows stay apart from ping-pongs: what they contradict is in no machine. */
TEST(test_contradiction_apart)
{
    static const char *const names[] = {"fast.log", "slow.log"};
    char line[1200] = "fit --locality off-node --memory host", text[600];
    add_file(line, sizeof line, "p.csv", 1, 8, 8);
    for (int f = 0; f < 2; f++) {
        size_t used =
            (size_t)snprintf(text, sizeof text, "# OSU MPI Bandwidth Test v5.8\n# Size      Bandwidth (MB/s)\n");
        for (int size = 1; size <= 1 << 10; size *= 4)
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "%d %g\n", size, (f == 1 ? 8 : 100) * size / 1024.0);
        snprintf(line + strlen(line), sizeof line - strlen(line), " %s", cli_file(names[f], text));
    }
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0 && strstr(r.err, "slow.log takes 12.50 times as long as ") != NULL, "%s", r.err);
    cli_free(&r);
}

/* Six files are named, more are counted; a tool is named once. */
TEST(test_source)
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
