/* test_validate_page.c -- docs/evidence/accuracy.md is current: its commands, run on measured exchanges, print what it
 * shows */
#define _XOPEN_SOURCE 700

#include "support/test.h"

#include "core/memory.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/shared.h"
#include "support/shell.h"

/* A folder with nothing but the measured exchanges in it; the logs of some are made rows. */
static void go_to_records(const char *records)
{
    static const char *const files[] = {"records.csv", "dense_lassen.csv", "dense_dane.csv"};
    char real[4096], path[4200];
    ck_assert_ptr_nonnull(realpath(records, real));
    *strrchr(real, '/') = '\0';
    const char *folder = scratch_open();
    shell_ok("evidence/pages/exchanges.sh %s/../pingpong %s", real, folder);
    ck_assert_int_eq(chdir(folder), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", real, files[i]);
        ck_assert_int_eq(symlink(path, files[i]), 0);
    }
}

static int run_block(const char *command, const char *end)
{
    char line[600];
    const char *below = strchr(command, '\n') + 1;
    snprintf(line, sizeof line, "%.*s", (int)(below - 1 - command) - (int)strlen("$ nsmodel "),
             command + strlen("$ nsmodel "));
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0 && *r.err == '\0', "`%s`: %s", line, r.err);
    ck_assert_msg(strlen(r.out) == (size_t)(end - below) && strncmp(r.out, below, (size_t)(end - below)) == 0,
                  "docs/evidence/accuracy.md is not current (`make docs`): `%s` prints\n%s", line, r.out);
    cli_free(&r);
    return 1;
}

TEST(current)
{
    char path[600];
    char *page = read_whole("docs/evidence/accuracy.md");
    int commands = 0;
    if (shared_path("current", "data/end_to_end/records.csv", path, sizeof path)) {
        go_to_records(path);
        for (const char *at = page; (at = strstr(at, "```\n$ nsmodel ")) != NULL;) {
            const char *end = strstr(at + 4, "\n```\n");
            ck_assert_ptr_nonnull(end);
            commands += run_block(at + 4, end + 1);
            at = end + 5;
        }
        ck_assert_int_ge(commands, 6);
    }
    ns_free(page);
}

/* The table of goals is what the tables below it say. */
TEST(goals_are_current)
{
    char *page = read_whole("docs/evidence/accuracy.md"), *made = ns_calloc(1, strlen(page) + 4096);
    FILE *awk = popen("awk -f evidence/pages/goals.awk docs/evidence/accuracy.md docs/evidence/accuracy.md", "r");
    ck_assert(awk != NULL && made != NULL);
    ck_assert_uint_gt(fread(made, 1, strlen(page) + 4095, awk), 0);
    ck_assert_int_eq(pclose(awk), 0);
    ck_assert_msg(strcmp(made, page) == 0, "the goals of docs/evidence/accuracy.md are not current: `make docs`");
    ns_free(made);
    ns_free(page);
}

/* Where the advice loses more than the best constant rule, the first ten lines say so.  Cells of a row: the set, clear
 * cases, right twice, loss in sample and left out, loss of the rule. */
TEST(sets_that_lose_are_named_first)
{
    enum { CELLS = 7, IN_SAMPLE = 4, LEFT_OUT, RULE };
    char *page = read_whole("docs/evidence/accuracy.md"), *row = strstr(page, "<!-- sets: ");
    int sets = 0, lost = 0;
    ck_assert_ptr_nonnull(row);
    size_t head = 0;
    for (int lines = 0; lines < 10; lines++)
        head += strcspn(page + head, "\n") + 1;
    char *first = ns_calloc(1, head + 1);
    memcpy(first, page, head);
    for (row = strchr(row, '\n') + 1; *row == '|'; row = strchr(row, '\n') + 1) {
        char cell[CELLS][40], name[60];
        if (sscanf(row, "| %39[^|]| %39[^|]| %39[^|]| %39[^|]| %39[^|]| %39[^|]| %39[^|]|", cell[0], cell[1], cell[2],
                   cell[3], cell[IN_SAMPLE], cell[LEFT_OUT], cell[RULE]) != CELLS ||
            cell[1][0] < '0' || cell[1][0] > '9')
            continue; /* the head */
        snprintf(name, sizeof name, "`%.*s`", (int)strlen(cell[0]) - 1, cell[0]);
        const bool loses = fmax(atof(cell[IN_SAMPLE]), atof(cell[LEFT_OUT])) > atof(cell[RULE]);
        ck_assert_msg(!loses || strstr(first, name) != NULL, "%s loses more than the best constant rule", name);
        lost += loses;
        sets++;
    }
    ck_assert_int_ge(sets, 9);
    ck_assert_int_gt(lost, 0);
    ns_free(first);
    ns_free(page);
}

TEST_TIMEOUT(600)
