/* test_output.c -- where -o writes: files, devices, pipes and links, all or nothing
 *
 * Without the shared data directory: everything here runs on stencils and embedded data.
 */
#include "support/cli.h"
#include "support/shell.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A rename would put a plain file where the device or the link was. */
START_TEST(test_output_in_place)
{
    struct stat status;
    remove("build/link.json");
    ck_assert_int_eq(symlink("/dev/null", "build/link.json"), 0);
    cli_result r = cli("predict --matrix stencil9:20x20 --gpus 4 -o build/link.json");
    ck_assert_int_eq(r.code, 0);
    ck_assert(lstat("build/link.json", &status) == 0 && S_ISLNK(status.st_mode));
    cli_free(&r);
    if (lstat("/dev/full", &status) == 0 && S_ISCHR(status.st_mode)) {
        remove("build/link.json");
        ck_assert_int_eq(symlink("/dev/full", "build/link.json"), 0);
        r = cli("predict --matrix stencil9:20x20 --gpus 4 -o build/link.json");
        ck_assert(r.code == 1 && strstr(r.err, "could not be written") != NULL);
        cli_free(&r);
    }
    remove("build/link.json");
}
END_TEST

START_TEST(test_output_file)
{
    struct stat status;
    remove("build/answer.json");
    cli_result r = cli("predict --matrix stencil9:20x20 --gpus 4 -o build/answer.json");
    ck_assert_int_eq(r.code, 0);
    ck_assert_int_gt((int)strlen(r.out), 100); /* -o never silences the result */
    ck_assert_int_eq(stat("build/answer.json", &status), 0);
    ck_assert_int_ne(stat("build/answer.json.new", &status), 0);
    cli_free(&r);
    r = cli("predict --matrix stencil9:20x20 --gpus 4 -o no/such/directory/answer.json");
    ck_assert_int_eq(r.code, 1);
    ck_assert_ptr_nonnull(strstr(r.err, "no/such/directory/answer.json: cannot be created"));
    cli_free(&r);
}
END_TEST

/* What has to be a whole file replaces no pipe; an answer goes into one. */
START_TEST(test_output_is_no_file)
{
    static const char *const lines[] = {"pattern --matrix stencil9:20x20 --parts 4 -o %s/pipe.nsp",
                                        "sweep postal --machine lassen s=1B,9B --plot %s/pipe.gp"};
    static const char *const names[] = {"pipe.nsp", "pipe.gp", "pipe"};
    char path[3][512], line[1024], begin[4] = "";
    const char *folder = scratch_open();
    struct stat status;
    for (int i = 0; i < 3; i++) {
        snprintf(path[i], sizeof path[i], "%s/%s", folder, names[i]);
        ck_assert_int_eq(mkfifo(path[i], 0600), 0);
    }
    const int reader = open(path[2], O_RDWR | O_NONBLOCK);
    snprintf(line, sizeof line, "eval postal --machine lassen s=1B -o %s", path[2]);
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0 && read(reader, begin, 3) == 3 && begin[0] == '{', "%s", r.err);
    ck_assert_int_eq(close(reader), 0);
    cli_free(&r);
    for (int i = 0; i < 2; i++) {
        snprintf(line, sizeof line, lines[i], folder);
        r = cli(line);
        ck_assert_msg(r.code == 1 && strstr(r.err, ": is a device or a pipe, wanted a file") != NULL, "%s", r.err);
        cli_free(&r);
    }
    for (int i = 0; i < 3; i++)
        ck_assert(lstat(path[i], &status) == 0 && S_ISFIFO(status.st_mode));
    scratch_close();
}
END_TEST

/* The link stays, and what it leads to is replaced as a whole. */
START_TEST(test_output_behind_a_link)
{
    static const char *const lines[] = {"pattern --matrix stencil9:20x20 --parts 4 -o %s/link.nsp",
                                        "sweep postal --machine lassen s=1B,9B --plot %s/link.gp",
                                        "eval postal --machine lassen s=1B -o %s/link.json",
                                        "report --matrix stencil9:20x20 --gpus 4 -o %s/link.html"};
    char line[1024];
    const char *folder = scratch_open();
    shell_ok("cd '%s' && for e in nsp gp json html; do : > target.$e; ln -s target.$e link.$e; done", folder);
    for (int i = 0; i < 4; i++) {
        snprintf(line, sizeof line, lines[i], folder);
        cli_result r = cli(line);
        ck_assert_msg(r.code == 0, "%s", r.err);
        cli_free(&r);
    }
    shell_ok("cd '%s' && for e in nsp gp json html; do test -h link.$e && test -s target.$e || exit; done", folder);
    scratch_close();
}
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("output");
    TCase *tc = tcase_create("files");
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, test_output_file);
    tcase_add_test(tc, test_output_in_place);
    tcase_add_test(tc, test_output_is_no_file);
    tcase_add_test(tc, test_output_behind_a_link);
    suite_add_tcase(s, tc);
    return s;
}
