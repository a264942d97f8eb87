/* test_whole_file.c -- the one way in which files are written: what it leaves, what it keeps, and what fails
 *
 * The calls to the kernel that a test counts or fails are defined here, in front of the C library's.
 */
#define _GNU_SOURCE

#include "io/whole_file.h"
#include "support/needs.h"
#include "support/shell.h"

#include "support/test.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static char folder[512], calls[64];
static int fail_at; /* the call that fails, by its letter */
static bool full;   /* no room is left */
static int guessed;
static int troubles; /* writes that were cut or interrupted, while not 0 */

static bool fails(char call)
{
    const size_t used = strlen(calls);
    if (used + 1 < sizeof calls)
        calls[used] = call;
    errno = EIO;
    return fail_at == call;
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    return fails('r') ? -1 : (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, 0);
}

int fsync(int handle)
{
    struct stat is;
    const bool of_folder = fstat(handle, &is) == 0 && S_ISDIR(is.st_mode);
    return fails(of_folder ? 'd' : 'f') ? -1 : (int)syscall(SYS_fsync, handle);
}

/* The next `guessed` names are known beforehand. */
ssize_t getrandom(void *bytes, size_t size, unsigned flags);
ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
    if (guessed == 0)
        return syscall(SYS_getrandom, bytes, size, flags);
    guessed--;
    memset(bytes, 0, size);
    return (ssize_t)size;
}

/* Every second one is interrupted, and the others take three bytes at most. */
ssize_t write(int handle, const void *bytes, size_t size)
{
    if (full || (troubles > 0 && troubles++ % 2 != 0)) {
        errno = full ? ENOSPC : EINTR;
        return -1;
    }
    return syscall(SYS_write, handle, bytes, troubles > 0 && size > 3 ? 3 : size);
}

static void setup(void)
{
    snprintf(folder, sizeof folder, "%s", scratch_open());
    ck_assert_int_eq(chdir(folder), 0);
    memset(calls, 0, sizeof calls);
    fail_at = troubles = 0;
    full = false;
    umask(022);
}

static void teardown(void)
{
    fail_at = troubles = 0;
    full = false;
    ck_assert_int_eq(chdir("/"), 0);
    scratch_close();
}

static ns_status write_text(const char *path, const char *text, ns_error *err)
{
    ns_whole_file whole;
    NS_TRY(ns_whole_file_begin(path, NS_FOR_ALL, &whole, err));
    fputs(text, whole.file);
    return ns_whole_file_end(&whole, NS_OK, err);
}

static void expect_written(const char *path, const char *text)
{
    ns_error err = {0};
    ck_assert_msg(write_text(path, text, &err) == NS_OK, "%s: %s", path, err.text);
}

/* The files below the folder, names that are hidden too, with type, mode and what they hold or lead to. */
static void expect_there(const char *files)
{
    char out[4000];
    ck_assert_int_eq(shell(out, sizeof out,
                           "cd '%s' && find . -mindepth 1 | LC_ALL=C sort | while read -r f; do if test -h $f; then "
                           "echo \"$f -> $(readlink $f)\"; elif test -f $f; then "
                           "echo \"$f $(stat -c %%a $f) $(cat $f)\"; "
                           "else echo \"$f $(stat -c %%F $f)\"; fi; done",
                           folder),
                     0);
    ck_assert_str_eq(out, files);
}

/* ---- what it leaves ---------------------------------------------------------------------------------------------- */

/* The file is on the disk before it has its name, and the name is before the answer. */
TEST(test_order)
{
    expect_written("a", "one");
    ck_assert_str_eq(calls, "frd");
    expect_there("./a 644 one\n");
}

TEST(test_neighbours)
{
    shell_ok("cd '%s' && echo mine > a.new && ln -s a.new .a.new && echo mine > a.tmp", folder);
    expect_written("a", "one");
    expect_there("./.a.new -> a.new\n./a 644 one\n./a.new 644 mine\n./a.tmp 644 mine\n");
}

/* The name beside is another one each time; and until the end it is the owner's alone when a file is replaced. */
TEST(test_beside)
{
    ns_whole_file whole[2];
    struct stat is;
    shell_ok("cd '%s' && echo old > a && chmod 666 a", folder);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(ns_whole_file_begin("a", NS_FOR_ALL, &whole[i], NULL), NS_OK);
    ck_assert_str_ne(whole[0].beside, whole[1].beside);
    ck_assert(strlen(whole[0].beside) > 32 && strstr(whole[0].beside, "a.new") == NULL);
    ck_assert(stat(whole[0].beside, &is) == 0 && (is.st_mode & 0777) == 0600);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(ns_whole_file_end(&whole[i], NS_OK, NULL), NS_OK);
    expect_there("./a 666 \n");
}

/* What already has the name beside, a link too, is not written to: another name is taken, or none. */
TEST_EACH(test_guessed, 2)
{
    static const char *const traps[] = {"ln -s ../a", "echo mine >"};
    ns_error err = {0};
    shell_ok("cd '%s' && echo mine > a && mkdir d && %s d/.nsmodel-00000000000000000000000000000000", folder,
             traps[_i]);
    guessed = 1;
    expect_written("d/b", "new");
    guessed = 1 << 20;
    ck_assert_int_eq(write_text("d/c", "x", &err), NS_ERR_FILE);
    guessed = 0;
    ck_assert_int_eq(unlink("d/.nsmodel-00000000000000000000000000000000"), 0);
    expect_there("./a 644 mine\n./d directory\n./d/b 644 new\n");
}

static const mode_t modes[] = {0600, 0640, 0664, 0755, 0444, 0666};

TEST_EACH(test_mode, sizeof modes / sizeof *modes)
{
    char files[64];
    umask(_i % 2 == 0 ? 077 : 0);
    shell_ok("cd '%s' && echo old > a && chmod %o a", folder, modes[_i]);
    expect_written("a", "new");
    snprintf(files, sizeof files, "./a %o new\n", modes[_i]);
    expect_there(files);
}

TEST(test_new_mode)
{
    ns_whole_file whole;
    umask(027);
    expect_written("a", "x");
    ck_assert_int_eq(ns_whole_file_begin("b", NS_FOR_OWNER, &whole, NULL), NS_OK);
    ck_assert_int_eq(ns_whole_file_end(&whole, NS_OK, NULL), NS_OK);
    expect_there("./a 640 x\n./b 600 \n");
}

/* ---- links ------------------------------------------------------------------------------------------------------- */

TEST(test_links)
{
    struct stat is;
    shell_ok("cd '%s' && mkdir to && echo old > to/a && chmod 600 to/a && ln -s to/b one && ln -s ../to/a to/b && "
             "ln -s \"$PWD/to/none\" two",
             folder);
    expect_written("one", "new");
    expect_written("two", "first"); /* to what was not there yet */
    ck_assert(lstat("two", &is) == 0 && S_ISLNK(is.st_mode));
    ck_assert_int_eq(unlink("two"), 0);
    expect_there("./one -> to/b\n./to directory\n./to/a 600 new\n./to/b -> ../to/a\n./to/none 644 first\n");
}

TEST(test_bad_links)
{
    ns_error err = {0};
    shell_ok("cd '%s' && ln -s b a && ln -s a b && mkdir d && ln -s d c", folder);
    ck_assert_int_eq(write_text("a", "x", &err), NS_ERR_FILE);
    ck_assert_str_eq(err.text, "is a link that leads nowhere");
    err = (ns_error){0};
    ck_assert_int_eq(write_text("c", "x", &err), NS_ERR_FILE);
    ck_assert_str_eq(err.text, "is a folder");
    expect_there("./a -> b\n./b -> a\n./c -> d\n./d directory\n");
}

/* In a folder like /tmp, a link of a third user is a trap; one's own and the folder's owner's are not. */
TEST(test_trap)
{
    ns_error err = {0};
    if (geteuid() != 0) {
        skipped(__func__, "needs root");
        return;
    }
    shell_ok("cd '%s' && mkdir t && chmod 1777 t && echo mine > a && ln -s ../a t/link && ln -s ../a t/own && "
             "chown -h 4321 t/link",
             folder);
    ck_assert_int_eq(write_text("t/link", "x", &err), NS_ERR_FILE);
    ck_assert_str_eq(err.text, "is another user's link in a folder that all can write to");
    expect_written("t/own", "new");
    expect_there("./a 644 new\n./t directory\n./t/link -> ../a\n./t/own -> ../a\n");
}

/* ---- failures ---------------------------------------------------------------------------------------------------- */

/* Each of the last calls fails: the old file stays until the name is given, and nothing lies beside it. */
TEST_EACH(test_failing_end, 3)
{
    static const char letters[] = "frd";
    ns_error err = {0};
    shell_ok("cd '%s' && echo old > a && echo x > b", folder);
    fail_at = letters[_i];
    ck_assert_int_eq(write_text("a", "new", &err), NS_ERR_FILE);
    ck_assert_str_eq(err.text, "could not be written");
    fail_at = 0;
    expect_there(letters[_i] == 'd' ? "./a 644 new\n./b 644 x\n" : "./a 644 old\n./b 644 x\n");
}

TEST(test_failing_writer)
{
    ns_whole_file whole;
    ns_error err = {0};
    shell_ok("cd '%s' && echo old > a", folder);
    ck_assert_int_eq(ns_whole_file_begin("a", NS_FOR_ALL, &whole, &err), NS_OK);
    fputs("half", whole.file);
    ck_assert_int_eq(ns_whole_file_end(&whole, NS_ERR_LIMIT, &err), NS_ERR_LIMIT);
    ck_assert_int_eq(err.code, NS_OK);
    full = true;
    ck_assert_int_eq(write_text("a", "new", &err), NS_ERR_FILE);
    full = false;
    ck_assert_str_eq(err.text, "could not be written: no space left");
    expect_there("./a 644 old\n");
}

TEST_EACH(test_nowhere, 4)
{
    static const char *const paths[] = {"no/such/a", "", "a/", "a/b"};
    ns_error err = {0};
    shell_ok("cd '%s' && echo old > a", folder);
    ck_assert_int_eq(write_text(paths[_i], "x", &err), NS_ERR_FILE);
    ck_assert_str_eq(err.text, "cannot be created");
    ck_assert_int_eq(ns_whole_file_check(paths[_i], NULL), NS_ERR_FILE);
    expect_there("./a 644 old\n");
}

TEST(test_interrupted)
{
    char text[1000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    troubles = 1;
    expect_written("a", text);
    troubles = 0;
    shell_ok("cd '%s' && test $(wc -c < a) = 999", folder);
}

/* ---- into what is there ------------------------------------------------------------------------------------------ */

TEST(test_pipe)
{
    char came[8] = "";
    ns_whole_file whole;
    ck_assert_int_eq(mkfifo("p", 0600) | symlink("p", "link"), 0);
    const int reader = open("p", O_RDONLY | O_NONBLOCK);
    ck_assert_int_eq(ns_whole_file_check("link", NULL), NS_OK);
    troubles = 1;
    expect_written("link", "whole");
    troubles = 0;
    ck_assert_int_eq(read(reader, came, sizeof came), 5);
    ck_assert_str_eq(came, "whole");
    ck_assert_int_eq(ns_whole_file_begin("p", NS_FOR_ALL, &whole, NULL), NS_OK);
    fputs("half", whole.file);
    ck_assert_int_eq(ns_whole_file_end(&whole, NS_ERR_DATA, NULL), NS_ERR_DATA);
    ck_assert_int_eq(read(reader, came, sizeof came), 0); /* of what failed, nothing */
    close(reader);
    expect_there("./link -> p\n./p fifo\n");
}

TEST(test_devices)
{
    ns_error err = {0};
    struct stat is;
    ck_assert_int_eq(symlink("/dev/null", "null") | symlink("/dev/full", "full"), 0);
    expect_written("null", "gone");
    expect_written("/dev/null", "gone");
    ck_assert(stat("/dev/null", &is) == 0 && S_ISCHR(is.st_mode));
    if (access("/dev/full", W_OK) == 0) {
        ck_assert_int_eq(write_text("full", "x", &err), NS_ERR_FILE);
        ck_assert_str_eq(err.text, "could not be written: no space left");
    }
    expect_there("./full -> /dev/full\n./null -> /dev/null\n");
}

/* The position is shared with those who write there already. */
TEST(test_descriptor)
{
    char path[40];
    const int file = open("a", O_WRONLY | O_CREAT, 0644);
    snprintf(path, sizeof path, "/dev/fd/%d", file);
    ck_assert_int_eq(write(file, "one ", 4), 4);
    expect_written(path, "two ");
    ck_assert_int_eq(write(file, "three", 5), 5);
    close(file);
    expect_there("./a 644 one two three\n");
    ck_assert_int_eq(write_text(path, "x", NULL), NS_ERR_FILE);
    ck_assert_int_eq(ns_whole_file_check(path, NULL), NS_ERR_FILE);
}

TEST_FIXTURE(setup, teardown)
