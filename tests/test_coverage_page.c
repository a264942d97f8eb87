/* test_coverage_page.c -- docs/evidence/coverage.md: every command runs, every row says how it stands */
#include "support/shell.h"
#include "support/test.h"

/* The cells of "| a | b | c |". */
static bool cells_of(char *line, char *cell[3])
{
    int count = 0;
    if (strncmp(line, "| ", 2) != 0)
        return false;
    for (char *at = strchr(line, '|'); at != NULL && count < 3; count++) {
        char *end = strchr(at + 1, '|');
        if (end == NULL)
            break;
        *end = '\0';
        cell[count] = at + 1 + strspn(at + 1, " ");
        for (size_t n = strlen(cell[count]); n > 0 && cell[count][n - 1] == ' '; n--)
            cell[count][n - 1] = '\0';
        at = end;
    }
    return count == 3;
}

TEST(every_row_stands)
{
    FILE *page = fopen("docs/evidence/coverage.md", "r");
    char line[2000], *cell[3];
    int rows = 0, missing = 0;
    ck_assert_ptr_nonnull(page);
    while (fgets(line, sizeof line, page) != NULL) {
        if (!cells_of(line, cell) || strcmp(cell[1], "here") == 0)
            continue;
        const bool here = strncmp(cell[1], "works", 5) == 0 || strncmp(cell[1], "in part: ", 9) == 0;
        ck_assert_msg(here || strncmp(cell[1], "missing: ", 9) == 0, "%s: %s", cell[0], cell[1]);
        ck_assert_msg(here == (*cell[2] != '\0'), "%s: %s", cell[0], cell[2]);
        rows++;
        missing += !here;
        if (!here)
            continue;
        const size_t length = strlen(cell[2]);
        ck_assert_msg(strncmp(cell[2], "`nsmodel ", 9) == 0 && cell[2][length - 1] == '`', "%s", cell[2]);
        shell_ok("'%s' %.*s > \"$NSMODEL_TEST_TMP/out.txt\" && test -s \"$NSMODEL_TEST_TMP/out.txt\"", shell_program(),
                 (int)(length - 10), cell[2] + 9);
    }
    fclose(page);
    ck_assert_int_gt(rows, 40);
    ck_assert_int_lt(missing, rows / 5);
}

TEST_TIMEOUT(120)
