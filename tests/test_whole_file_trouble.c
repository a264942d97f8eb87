/* test_whole_file_trouble.c -- files that are written while the kernel refuses, interrupts or answers oddly
 *
 * Its calls are defined here, in front of the C library's; each does as the script says once it has been called often
 * enough, and otherwise what it always does.
 */
#define _GNU_SOURCE

#include "io/whole_file.h"
#include "support/needs.h"
#include "support/shell.h"
#include "support/trouble.h"

#include "support/test.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* ---- the kernel -------------------------------------------------------------------------------------------------- */

int openat(int folder, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return trouble_hits((flags & O_PATH) != 0 ? "openat path" : "openat")
               ? -1
               : (int)syscall(SYS_openat, folder, path, flags, mode);
}

ssize_t write(int handle, const void *bytes, size_t size)
{
    if (trouble_hits("write nothing"))
        return 0;
    return trouble_hits("write") ? -1 : syscall(SYS_write, handle, bytes, size);
}

ssize_t read(int handle, void *bytes, size_t size)
{
    return trouble_hits("read") ? -1 : syscall(SYS_read, handle, bytes, size);
}

off_t lseek(int handle, off_t to, int from)
{
    return trouble_hits("lseek") ? -1 : (off_t)syscall(SYS_lseek, handle, to, from);
}

int fsync(int handle)
{
    return trouble_hits("fsync") ? -1 : (int)syscall(SYS_fsync, handle);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    return trouble_hits("renameat") ? -1 : (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, 0);
}

int fchown(int handle, uid_t user, gid_t group)
{
    return trouble_hits("fchown") ? -1 : (int)syscall(SYS_fchown, handle, user, group);
}

int fchmod(int handle, mode_t mode)
{
    return trouble_hits("fchmod") ? -1 : (int)syscall(SYS_fchmod, handle, mode);
}

int fstat(int handle, struct stat *to)
{
    TROUBLE_REAL(int, "fstat", int, struct stat *);
    const int result = trouble_hits("fstat") ? -1 : real(handle, to);
    if (trouble_hits("fstat file"))
        to->st_mode = S_IFREG | 0644;
    return result;
}

int fstatat(int folder, const char *restrict path, struct stat *restrict to, int flags)
{
    TROUBLE_REAL(int, "fstatat", int, const char *, struct stat *, int);
    return trouble_hits("fstatat") ? -1 : real(folder, path, to, flags);
}

ssize_t readlink(const char *restrict path, char *restrict to, size_t size)
{
    if (trouble_hits("readlink long"))
        return (ssize_t)size;
    return trouble_hits("readlink") ? -1 : (ssize_t)syscall(SYS_readlink, path, to, size);
}

FILE *tmpfile(void)
{
    TROUBLE_REAL(FILE *, "tmpfile", void);
    return trouble_hits("tmpfile") ? NULL : real();
}

ssize_t getrandom(void *bytes, size_t size, unsigned flags);
ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
    return trouble_hits("getrandom") ? -1 : syscall(SYS_getrandom, bytes, size, flags);
}

/* ---- helpers ----------------------------------------------------------------------------------------------------- */

static void setup(void)
{
    ck_assert_int_eq(chdir(scratch_open()), 0);
    umask(022);
}

static void teardown(void)
{
    trouble_end();
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

static void expect_there(const char *files)
{
    char out[2000];
    trouble_end();
    ck_assert_int_eq(shell(out, sizeof out,
                           "find . -mindepth 1 | LC_ALL=C sort | while read -r f; do if test -f $f; then "
                           "echo \"$f $(stat -c %%a $f) $(cat $f)\"; else echo \"$f $(stat -c %%F $f)\"; fi; done"),
                     0);
    ck_assert_str_eq(out, files);
}

/* ---- interrupted, and done all the same -------------------------------------------------------------------------- */

static const char *const interrupted[] = {"openat", "write", "fsync", "renameat", "getrandom"};

TEST_EACH(test_interrupted, sizeof interrupted / sizeof *interrupted)
{
    ns_error err = {0};
    trouble_set(interrupted[_i], 0, 3, EINTR);
    ck_assert_msg(write_text("a", "new", &err) == NS_OK, "%s: %s", interrupted[_i], err.text);
    ck_assert_int_lt(trouble_left(), 0);
    expect_there("./a 644 new\n");
}

/* A file system that knows no fsync, and a folder that may not be read. */
static const int no_sync[] = {EINVAL, ENOTSUP, EBADF};

TEST_EACH(test_no_sync, 3)
{
    trouble_set("fsync", 0, 2, no_sync[_i]);
    ck_assert_int_eq(write_text("a", "new", NULL), NS_OK);
    ck_assert_int_le(trouble_left(), 0);
    expect_there("./a 644 new\n");
}

TEST(test_folder_not_readable)
{
    shell_ok("mkdir d");
    trouble_set("openat", 0, 1, EACCES);
    ck_assert_int_eq(write_text("d/a", "new", NULL), NS_OK);
    expect_there("./d directory\n./d/a 644 new\n");
}

/* ---- failures ---------------------------------------------------------------------------------------------------- */

static const struct {
    const char *call;
    int skip, how_often, error;
    const char *words;
} failures[] = {
    {"write nothing", 0, 100, 0, "could not be written"},
    {"write", 0, 100, EIO, "could not be written"},
    {"write", 0, 100, EDQUOT, "could not be written: no space left"},
    {"write", 0, 100, EFBIG, "could not be written: no space left"},
    {"fsync", 0, 1, ENOSPC, "could not be written: no space left"},
    {"renameat", 0, 1, EIO, "could not be written"},
    {"fchmod", 0, 1, EPERM, "could not be written"},
    {"getrandom", 0, 1, EIO, "cannot be created"},
    {"openat", 0, 1, EMFILE, "cannot be created"},
    {"openat", 1, 1, EACCES, "cannot be created"},
};

TEST_EACH(test_failures, sizeof failures / sizeof *failures)
{
    ns_error err = {0};
    shell_ok("echo old > a && chmod 640 a");
    trouble_set(failures[_i].call, failures[_i].skip, failures[_i].how_often, failures[_i].error);
    ck_assert_int_eq(write_text("a", "new", &err), NS_ERR_FILE);
    ck_assert_str_eq(err.text, failures[_i].words);
    expect_there("./a 640 old\n");
}

TEST(test_seeking)
{
    ns_whole_file whole;
    ck_assert_int_eq(ns_whole_file_begin("a", NS_FOR_ALL, &whole, NULL), NS_OK);
    fputs("12345", whole.file);
    trouble_set("lseek", 0, 100, EIO);
    ck_assert_int_ne(fseek(whole.file, 1, SEEK_SET), 0);
    trouble_end();
    ck_assert_int_eq(fseek(whole.file, 1, SEEK_SET), 0);
    fputs("x", whole.file);
    ck_assert_int_eq(ns_whole_file_end(&whole, NS_OK, NULL), NS_OK);
    expect_there("./a 644 1x345\n");
}

TEST(test_long_names)
{
    char name[5000];
    ns_error err = {0};
    memset(name, 'x', sizeof name);
    name[255] = '\0';
    ck_assert_int_eq(write_text(name, "new", &err), NS_OK);
    ck_assert_int_eq(unlink(name), 0);
    name[255] = 'x';
    name[256] = '\0';
    ck_assert_int_eq(write_text(name, "new", &err), NS_ERR_FILE);
    ck_assert_str_eq(err.text, "cannot be created");
    name[256] = 'x';
    name[4096] = '\0';
    err = (ns_error){0};
    ck_assert_int_eq(write_text(name, "new", &err), NS_ERR_FILE);
    ck_assert_str_eq(err.text, "the name is too long");
    expect_there("");
}

/* ---- whose it is ------------------------------------------------------------------------------------------------- */

/* Owner and group are kept; where they cannot be, the group, without what others do not have; so each try fails in
 * turn.  (For root alone, who may give files away.) */
static const struct {
    const char *call;
    int how_often;
    mode_t mode;
    bool owner, group;
} owners[] = {
    {"", 0, 0764, true, true},          {"fchown", 1, 0764, false, true}, {"fchown", 2, 0744, false, false},
    {"fstatat", 1, 0764, false, false}, {"fstat", 1, 0764, false, false},
};

TEST_EACH(test_owner, sizeof owners / sizeof *owners)
{
    struct stat is;
    if (geteuid() != 0) {
        skipped(__func__, "needs root");
        return;
    }
    shell_ok("echo old > a && chown 4321:4322 a && chmod 764 a");
    trouble_set(owners[_i].call, 0, owners[_i].how_often, EPERM);
    ck_assert_int_eq(write_text("a", "new", NULL), NS_OK);
    trouble_end();
    ck_assert_int_eq(stat("a", &is), 0);
    ck_assert_int_eq(is.st_mode & 0777, owners[_i].mode);
    ck_assert_int_eq(is.st_uid == 4321, owners[_i].owner);
    ck_assert_int_eq(is.st_gid == 4322, owners[_i].group);
}

/* Of another user in the same group, and of the same user in another group. */
TEST_EACH(test_half_owner, 2)
{
    static const char *const whose[] = {"4321:0", "0:4322"};
    char out[100];
    if (geteuid() != 0)
        return;
    shell_ok("echo old > a && chown %s a", whose[_i]);
    ck_assert_int_eq(write_text("a", "new", NULL), NS_OK);
    shell(out, sizeof out, "stat -c %%u:%%g a | tr -d '\\n'");
    ck_assert_str_eq(out, whose[_i]);
}

/* ---- devices, pipes, descriptors --------------------------------------------------------------------------------- */

static const struct {
    const char *call;
    int skip, how_often, error;
    const char *words; /* NULL: it is written */
} direct[] = {
    {"openat", 0, 1, EACCES, "cannot be opened for writing"},
    {"fstat", 0, 1, EIO, "changed while it was opened"},
    {"fstat file", 0, 1, 0, "changed while it was opened"},
    {"tmpfile", 0, 1, EMFILE, "no room for a temporary file"},
    {"lseek", 0, 1, EIO, "could not be written"},
    {"read", 0, 1, EIO, "could not be written"},
    {"read", 0, 2, EINTR, NULL},
    {"write", 1, 1, EIO, "could not be written"},
    {"write", 1, 2, EINTR, NULL},
};

TEST_EACH(test_direct, sizeof direct / sizeof *direct)
{
    ns_error err = {0};
    trouble_set(direct[_i].call, direct[_i].skip, direct[_i].how_often, direct[_i].error);
    const ns_status status = write_text("/dev/null", "new", &err);
    ck_assert_int_le(trouble_left(), 0);
    ck_assert_int_eq(status, direct[_i].words != NULL ? NS_ERR_FILE : NS_OK);
    ck_assert_str_eq(err.text, direct[_i].words != NULL ? direct[_i].words : "");
}

static const struct {
    const char *call, *words;
} links[] = {
    {"readlink", "is a link that leads nowhere"},
    {"readlink long", "is a link that leads nowhere"},
};

TEST_EACH(test_links, 2)
{
    ns_error err = {0};
    shell_ok("echo old > a && ln -s a b");
    trouble_set(links[_i].call, 0, 1, EIO);
    ck_assert_int_eq(write_text("b", "new", &err), NS_ERR_FILE);
    ck_assert_str_eq(err.text, links[_i].words);
    expect_there("./a 644 old\n./b 777 old\n");
}

/* ---- names for complete files ------------------------------------------------------------------------------------ */

TEST(test_rename)
{
    static const char *const calls[] = {"openat", "renameat", "fsync"};
    ns_error err = {0};
    shell_ok("echo new > a && echo old > b");
    for (int i = 0; i < 3; i++) {
        err = (ns_error){0};
        trouble_set(calls[i], 0, 1, EIO);
        ck_assert_int_eq(ns_whole_file_rename("a", "b", &err), NS_ERR_FILE);
        ck_assert_str_eq(err.text, "cannot be created");
        ck_assert_str_eq(err.file, "b");
        trouble_end();
        if (i == 2) /* it has its name, and perhaps not for long */
            shell_ok("mv b a && echo old > b");
    }
    ck_assert_int_eq(ns_whole_file_rename("a", "b", NULL), NS_OK);
    expect_there("./b 644 new\n");
}

TEST_FIXTURE(setup, teardown)
