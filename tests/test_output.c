/* test_output.c -- where -o writes: files, devices, pipes and links, all or nothing
 *
 * Without the shared data directory: everything here runs on stencils and embedded data.
 */
#include "support/cli.h"
#include "support/needs.h"
#include "support/shell.h"
#include "support/test.h"

#include <fcntl.h>
#include <sys/stat.h>

/* A rename would put a plain file where the device or the link was. */
TEST(test_output_in_place)
{
    struct stat status;
    remove(cli_path("link.json"));
    ck_assert_int_eq(symlink("/dev/null", cli_path("link.json")), 0);
    cli_result r = cli("predict --matrix stencil9:20x20 --gpus 4 -o TMP/link.json");
    ck_assert_int_eq(r.code, 0);
    ck_assert(lstat(cli_path("link.json"), &status) == 0 && S_ISLNK(status.st_mode));
    if (lstat("/dev/full", &status) == 0 && S_ISCHR(status.st_mode)) {
        remove(cli_path("link.json"));
        ck_assert_int_eq(symlink("/dev/full", cli_path("link.json")), 0);
        r = cli("predict --matrix stencil9:20x20 --gpus 4 -o TMP/link.json");
        ck_assert(r.code == 1 && strstr(r.err, "could not be written") != NULL);
    }
    remove(cli_path("link.json"));
}

TEST(test_output_file)
{
    struct stat status;
    remove(cli_path("answer.json"));
    cli_result r = cli("predict --matrix stencil9:20x20 --gpus 4 -o TMP/answer.json");
    ck_assert_int_eq(r.code, 0);
    ck_assert_int_gt((int)strlen(r.out), 100); /* -o never silences the result */
    ck_assert_int_eq(stat(cli_path("answer.json"), &status), 0);
    r = cli("predict --matrix stencil9:20x20 --gpus 4 -o no/such/directory/answer.json");
    ck_assert_int_eq(r.code, 1);
    ck_assert_ptr_nonnull(strstr(r.err, "no/such/directory/answer.json: cannot be created"));
}

/* What a writer seeks in and what gnuplot draws goes into a pipe as well, once it is complete. */
static const struct {
    const char *line, *begin;
    bool gnuplot;
} streams[] = {
    {"eval postal --machine lassen s=1B -o %s/pipe", "{", false},
    {"pattern --matrix stencil9:20x20 --parts 4 -o %s/pipe.nsp", "NSP", false},
    {"sweep postal --machine lassen s=1B,9B --plot %s/pipe.gp", "$series0", false},
    {"sweep postal --machine lassen s=1B,9B --plot %s/pipe.svg", "<?xml", true},
    {"report --matrix stencil9:20x20 --gpus 4 -o %s/pipe.html", "<!DOCTYPE html>", false},
};

TEST_EACH(test_pipe, sizeof streams / sizeof *streams)
{
    char line[1024], pipe[600], begin[32] = "";
    const char *folder = scratch_open();
    struct stat status;
    if (streams[_i].gnuplot && lacks(__func__, "gnuplot"))
        return;
    snprintf(line, sizeof line, streams[_i].line, folder);
    snprintf(pipe, sizeof pipe, "%s", strstr(line, folder));
    ck_assert_int_eq(mkfifo(pipe, 0600), 0);
    shell_ok("cat '%s' > '%s/came' 2>/dev/null &", pipe, folder);
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0, "%s: %s", line, r.err);
    ck_assert(lstat(pipe, &status) == 0 && S_ISFIFO(status.st_mode));
    shell_ok("cd '%s' && for i in $(seq 50); do test -s came && break; sleep 0.1; done; test $(ls -A | wc -l) = 2",
             folder);
    snprintf(line, sizeof line, "%s/came", folder);
    const int came = open(line, O_RDONLY);
    ck_assert_int_gt((int)read(came, begin, sizeof begin - 1), 10);
    close(came);
    ck_assert_msg(strstr(begin, streams[_i].begin) != NULL, "%s", begin);
    scratch_close();
}

/* A descriptor's file is not replaced under the shell that has it open: both texts stand there. */
TEST(test_descriptors)
{
    static const char *const lines[] = {"-o /dev/stdout > out.txt", "-o /dev/fd/5 5> out.txt > /dev/null",
                                        "-o /proc/self/fd/5 5> out.txt > /dev/null",
                                        "-o link.json 5> out.txt > /dev/null"};
    const char *folder = scratch_open();
    for (int i = 0; i < 4; i++)
        shell_ok("cd '%s' && ln -sf /dev/fd/5 link.json && '%s' eval postal --machine lassen s=1B %s && "
                 "test $(ls -A | wc -l) = 2 && test -h link.json && "
                 "test $(grep -c '\"model\": \"postal\"' out.txt) = 1 && test $(grep -c '^time of' out.txt) = %d",
                 folder, shell_program(), lines[i], i == 0);
    scratch_close();
}

/* Every command's files: the link stays, what it leads to is replaced as a whole and keeps its mode, and the files
 * beside it are nobody's to touch. */
TEST(test_output_behind_a_link)
{
    static const char *const lines[] = {"pattern --matrix stencil9:20x20 --parts 4 -o %s/link.nsp",
                                        "sweep postal --machine lassen s=1B,9B --plot %s/link.gp",
                                        "eval postal --machine lassen s=1B -o %s/link.json",
                                        "report --matrix stencil9:20x20 --gpus 4 -o %s/link.html",
                                        "eval postal --machine lassen s=1B -o %s/link.csv",
                                        "reproduce -o %s/link.md"};
    const char *folder = scratch_open();
    shell_ok("cd '%s' && mkdir to && for e in nsp gp json html csv md; do echo old > to/t.$e; chmod 0640 to/t.$e; "
             "ln -s to/t.$e link.$e; for n in link.$e to/t.$e; do echo mine > $n.new; done; done",
             folder);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        cli_result r = cli_with(lines[i], folder);
        ck_assert_msg(r.code == 0, "%s", r.err);
    }
    shell_ok("cd '%s' && for e in nsp gp json html csv md; do test -h link.$e && test $(stat -c %%s to/t.$e) -gt 40 && "
             "test $(stat -c %%a to/t.$e) = 640 && "
             "test \"$(cat link.$e.new to/t.$e.new)\" = \"mine\nmine\" || exit; done; "
             "test $(ls -A | wc -l) = 13 && test $(ls -A to | wc -l) = 12",
             folder);
    scratch_close();
}

TEST_TIMEOUT(300)
