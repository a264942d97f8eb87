/* test_coverage_page.c -- docs/evidence/coverage.md: every command runs, every row says how it stands */
#include "support/shell.h"
#include "support/test.h"

/* Rows "| what | here | `nsmodel ...` |", of which those that are missing have no command. */
TEST(every_row_stands)
{
    static char out[40000];
    ck_assert_int_eq(
        shell(out, sizeof out,
              "awk -F ' *[|] *' '/^[|] / && $3 != \"here\" { rows++; if ($3 ~ /^(works|in part: )/ && $4 ~ /^`nsmodel "
              ".*`$/) "
              "print substr($4, 10, length($4) - 10); else if ($3 ~ /^missing: / && $4 == \"\") missing++; "
              "else print \"--wrong \" $2 } END { if (rows <= 40 || missing >= rows / 5) print \"--rows \" rows }' "
              "docs/evidence/coverage.md"),
        0);
    for (char *line = strtok(out, "\n"); line != NULL; line = strtok(NULL, "\n"))
        shell_ok("'%s' %s > \"$NSMODEL_TEST_TMP/out.txt\" && test -s \"$NSMODEL_TEST_TMP/out.txt\"", shell_program(),
                 line);
}

TEST_TIMEOUT(120)
