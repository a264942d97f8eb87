/* test_matrix_get_places.c -- nsmodel matrix get: its words, where the file goes, whose it is, two at a time */
#define _XOPEN_SOURCE 700

#include "support/fetching.h"
#include "support/needs.h"
#include "support/shell.h"

#include "support/test.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const cli_refusal misuse[] = {
    {"matrix get", 2, "matrix get wants one NAME"},
    {"matrix get audikw_2", 1, "did you mean \"audikw_1\"?"},
    {"matrix get barth5", 1, "\"barth5\" names several matrices: "},
    {"matrix get ash219 --url ftp://127.0.0.1", 2, "--url wants http://... or https://..., got \"ftp://127.0.0.1\""},
    {"matrix get ash219 --url http://", 2, "--url wants http://... or https://..., got \"http://\""},
    {"matrix get ash219 --to ''", 2, "--to wants a folder"},
    {"matrix get ash219 --sort rows", 2, "--sort belongs to `nsmodel matrix list`"},
    {"matrix list --url http://127.0.0.1", 2, "--url belongs to `nsmodel matrix get`"},
    {"matrix get ash219 --to /dev/null/x --url http://127.0.0.1:9", 1, "/dev/null/x: this folder cannot be made"},
};

TEST_EACH(test_misuse, sizeof misuse / sizeof *misuse)
{
    cli_result r = cli(misuse[_i].line);
    fetching_expect_failure(&r, misuse[_i].code, misuse[_i].words);
}

TEST(test_no_cache)
{
    ck_assert_int_eq(unsetenv("HOME") | unsetenv("XDG_CACHE_HOME"), 0);
    cli_result r = cli("matrix get ash219 --url http://127.0.0.1:9");
    fetching_expect_failure(&r, 1, "neither XDG_CACHE_HOME nor HOME is set; say --to FOLDER");
}

static void expect_mode(const char *name, mode_t mode)
{
    struct stat facts;
    ck_assert_msg(stat(name, &facts) == 0 && (facts.st_mode & 0777) == mode, "%s: mode %o", name,
                  (unsigned)facts.st_mode & 0777);
}

/* The cache is this user's alone; a folder of the user's choice is as the umask has it. */
TEST(test_modes)
{
    if (lacks(__func__, "curl"))
        return;
    char to[1300];
    server_answer answer = fetching_whole();
    umask(022);
    cli_result r = fetching_get(server_start(&answer, 1));
    fetching_expect_status(&r, "fetched");
    for (char *slash = fetching_path + strlen(fetching_cache); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        expect_mode(fetching_path, 0700);
        *slash = '/';
    }
    expect_mode(fetching_path, 0600);
    snprintf(to, sizeof to, "%s/to/HB/ash219.tar.gz", fetching_cache);
    r = cli_with("matrix get " NAME " --again --to %s/to --url %s", fetching_cache, server_start(&answer, 1));
    ck_assert_msg(r.code == 0, "%s", r.err);
    expect_mode(to, 0644);
    *strrchr(to, '/') = '\0';
    expect_mode(to, 0755);
}

/* Where the growing file should be lies a link, or another name of a file that is not to be written to. */
TEST_EACH(test_trapped_part, 2)
{
    if (lacks(__func__, "curl"))
        return;
    static const char *const traps[] = {"ln -s", "ln"};
    char out[100];
    server_answer answer = fetching_whole();
    shell_ok("mkdir -p '%s/nsmodel/HB' && cd '%s' && echo mine > mine && %s \"$PWD/mine\" '%s'", fetching_cache,
             fetching_cache, traps[_i], fetching_part);
    cli_result r = fetching_get(server_start(&answer, 1));
    fetching_expect_failure(&r, 1,
                            _i == 0 ? ": cannot be created" : ": is not a file of this user alone; remove it to go on");
    ck_assert_int_eq(shell(out, sizeof out, "cat '%s/mine'; stat -c %%a '%s/mine'", fetching_cache, fetching_cache), 0);
    ck_assert_str_eq(out, "mine\n644\n");
}

/* Two at a time: the second is refused and touches nothing. */
TEST(test_two_at_a_time)
{
    if (lacks(__func__, "curl"))
        return;
    int ready[2];
    char byte;
    fetching_leave_part(fetching_good.bytes, CUT, "\"v1\"");
    ck_assert_int_eq(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        int file = open(fetching_part, O_RDWR);
        if (fcntl(file, F_SETLK, &lock) == 0 && write(ready[1], "x", 1) == 1)
            pause();
        _exit(1);
    }
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    cli_result r = fetching_get("http://127.0.0.1:9");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    fetching_expect_failure(&r, 1, "another process is fetching this file");
    fetching_expect_part(CUT);
}

TEST_FIXTURE(fetching_setup, fetching_teardown)
