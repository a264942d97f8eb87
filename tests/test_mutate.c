/* test_mutate.c -- evidence/mutation/mutate.c: which single faults it finds in a source, puts into it, and draws */
#include "support/shell.h"
#include "support/test.h"

static const char *folder;
static char out[1 << 16];

static const char source[] = "#define MOST 5 + 5\n"
                             "/* a + b */\n"
                             "static int f(const int *a, int b)\n"
                             "{\n"
                             "    const char *text = \"1 + 1\";\n"
                             "    char room[40], more[9][8];\n"
                             "    if (a[0] < b &&\n"
                             "        text != 0)\n"
                             "        return -b;\n"
                             "    return *a * 2.5e-3 + (b->c > 7);\n"
                             "}\n";

/* Line, length, what stands there instead. */
static const char *const expected[] = {
    "7\t31\t(!(a[0] < b &&         text != 0))",
    "7\t1\t1",
    "7\t1\t<=",
    "7\t2\t||",
    "8\t2\t==",
    "8\t1\t1",
    "9\t1\t ",
    "10\t1\t/",
    "10\t6\t(2.5e-3 + 1)",
    "10\t1\t-",
    "10\t1\t>=",
    "10\t1\t(7 + 1)",
};

static void setup(void)
{
    folder = scratch_open();
    shell_ok("${NSMODEL_CC:-cc} -std=c11 -Wall -Wextra -Werror -O1 ${NSMODEL_EXTRA-} -o '%s/mutate' "
             "evidence/mutation/mutate.c",
             folder);
    char path[1200];
    snprintf(path, sizeof path, "%s/f.c", folder);
    FILE *file = fopen(path, "w");
    ck_assert(file != NULL && fputs(source, file) >= 0 && fclose(file) == 0);
}

/* No comment, no text, no line of the preprocessor, no pointer, no declaration. */
TEST(test_list)
{
    ck_assert_int_eq(shell(out, sizeof out, "cd '%s' && ./mutate list f.c | cut -f 2,4,5", folder), 0);
    const char *line = out;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const size_t length = strlen(expected[i]);
        ck_assert_msg(strncmp(line, expected[i], length) == 0 && line[length] == '\n', "wanted %s, got %s", expected[i],
                      line);
        line += length + 1;
    }
    ck_assert_str_eq(line, "");
}

TEST(test_apply)
{
    ck_assert_int_eq(shell(out, sizeof out, "cd '%s' && ./mutate apply f.c %zu 1 /", folder,
                           (size_t)(strstr(source, " * 2.5") + 1 - source)),
                     0);
    const size_t before = (size_t)(strstr(source, " * 2.5") + 1 - source);
    ck_assert(strncmp(out, source, before) == 0 && out[before] == '/');
    ck_assert_str_eq(out + before + 1, source + before + 1);
    ck_assert_int_eq(shell(out, sizeof out, "cd '%s' && ./mutate apply f.c 100000 1 /", folder), 1);
    ck_assert_int_eq(shell(out, sizeof out, "cd '%s' && ./mutate list missing.c", folder), 1);
}

/* A seed gives the same order again, each line at most once, and a smaller sample is its beginning. */
TEST(test_sample)
{
    shell_ok("cd '%s' && seq 1000 | ./mutate sample 7 0 > all && seq 1000 | ./mutate sample 7 40 > some && "
             "head -n 40 all | cmp - some && sort -n all > sorted && seq 1000 | cmp - sorted && ! cmp -s all sorted && "
             "seq 1000 | ./mutate sample 8 40 > other && ! cmp -s some other",
             folder);
}

TEST_FIXTURE(setup, scratch_close)
