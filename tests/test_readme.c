/* test_readme.c -- README.md and the pages: every link leads somewhere, and scores are those of the page on accuracy */
#include "core/memory.h"
#include "support/test.h"

#include <glob.h>

static char *read_page(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = ns_calloc(1, 1 << 20);
    ck_assert_msg(file != NULL && text != NULL, "%s", path);
    ck_assert_uint_lt(fread(text, 1, (1 << 20) - 1, file), (1 << 20) - 1);
    fclose(file);
    return test_keep(text);
}

/* "](TARGET)" of a page: a file, seen from the page's folder, and a heading of it behind #. */
static int check_links(const char *page)
{
    char *text = read_page(page);
    int links = 0;
    for (const char *at = text; (at = strstr(at, "](")) != NULL;) {
        char path[300];
        const size_t length = strcspn(at += 2, ")#\n ");
        const char *slash = strrchr(page, '/');
        if (strncmp(at, "http", 4) == 0 || length == 0 || at[length] == '\n' || at[length] == ' ')
            continue;
        snprintf(path, sizeof path, "%.*s%.*s", slash != NULL ? (int)(slash - page + 1) : 0, page, (int)length, at);
        ck_assert_msg(access(path, R_OK) == 0, "%s: %s is not there", page, path);
        links++;
    }
    return links;
}

TEST(links_lead_somewhere)
{
    glob_t found;
    ck_assert_int_eq(glob("docs/*.md", 0, NULL, &found), 0);
    ck_assert_int_eq(glob("docs/evidence/*.md", GLOB_APPEND, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        (void)check_links(found.gl_pathv[i]);
    globfree(&found);
    ck_assert_int_gt(check_links("README.md"), 40);
    ck_assert_int_gt(check_links("CONTRIBUTING.md"), 0);
}

/* Every page of docs/ is linked by README.md: nothing that is written is out of sight. */
TEST(every_page_is_linked)
{
    char *text = read_page("README.md"), link[300];
    glob_t found;
    ck_assert_int_eq(glob("docs/*.md", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        snprintf(link, sizeof link, "(%s)", found.gl_pathv[i]);
        ck_assert_msg(strstr(text, link) != NULL, "README.md has no link %s", link);
    }
    globfree(&found);
}

/* A score of the goals' table, as README.md words it. */
static const struct {
    const char *goal; /* row of docs/evidence/accuracy.md */
    enum { SHARE, OFF } as;
    const char *words;
} scores[] = {
    {"Blue Waters: right", SHARE, "is found in %s %% of the cases"},
    {"Blue Waters: loss of the advice", SHARE, "taking the advice loses %s %% on average"},
    {"dense_dane, 512 B and more, standard/pairwise: median", OFF, "to %s %% off in the median from 512 B on"},
    {"dense_dane, two-step", OFF, "Dane: %s"},
    {"dense_dane: right", SHARE, "right in %s %%"},
    {"Lassen (lassen_comm), by device: median", OFF, "Lassen: %s"},
    {"Lassen, node-aware by duplicated pointers", OFF, "to %s %% off in the median, depending on the way"},
    {"Lassen: loss of the advice", SHARE, "it loses %s %%"},
    {"Lassen: intervals of 90 % cover", SHARE, "Intervals of 90 %% contain %s"},
    {"dense_lassen: intervals of 90 % cover", SHARE, "to %s %% of the measured times"},
};

/* The third number of its row: what is met now. */
static double score_of(const char *page, const char *goal)
{
    char row[200];
    snprintf(row, sizeof row, "\n| %s", goal);
    const char *at = strstr(page, row);
    ck_assert_msg(at != NULL, "docs/evidence/accuracy.md has no row %s", goal);
    for (int bar = 0; bar < 4; at++)
        bar += *at == '|' && at[-1] != '\\';
    return strtod(at, NULL);
}

TEST_EACH(scores_are_those_of_the_page, (int)(sizeof scores / sizeof *scores))
{
    char *readme = read_page("README.md"), *page = read_page("docs/evidence/accuracy.md"), number[40], words[200];
    const double score = score_of(page, scores[_i].goal);
    const double per_cent = 100 * (scores[_i].as == SHARE ? score : exp2(score) - 1);
    snprintf(number, sizeof number, "%.*f", per_cent < 5 ? 1 : 0, per_cent);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(words, sizeof words, scores[_i].words, number);
#pragma GCC diagnostic pop
    ck_assert_msg(strstr(readme, words) != NULL, "README.md does not say \"%s ...\" (%g)", words, score);
}
