/* test_full_disk.c -- fetching where there is no room: a limit on files, and a file system of 64 KiB
 *
 * The file system is a tmpfs in a mount namespace of its own, skipped with a printed reason where that is not allowed.
 */
#define _XOPEN_SOURCE 700

#include "support/archive.h"
#include "support/needs.h"
#include "support/server.h"
#include "support/shell.h"
#include "support/test.h"

enum { NOISE = 100000, OUT = 4096 };

static archive good;
static const char *folder;

static void setup(void)
{
    folder = scratch_open();
    good = archive_make("ash219", 219, 85, 438, NOISE);
}

static void teardown(void)
{
    server_stop();
    archive_free(&good);
    scratch_close();
}

/* Run by sh after `before`, keeping in <folder>/a; what it says in out. */
static int get(char *out, const char *before, const char *base)
{
    return shell(out, OUT,
                 "export no_proxy='*'; %s '%s' matrix get ash219 --url %s --to '%s/a' 2>&1 | cat; ls -A '%s/a/HB'",
                 before, shell_program(), base, folder, folder);
}

static void expect(const char *out, const char *words)
{
    ck_assert_msg(strstr(out, words) != NULL, "wanted \"%s\" in\n%s", words, out);
}

/* With room again, the same command goes on where the disk was full. */
static void expect_going_on(const char *base, const char *from)
{
    char out[OUT], wanted[100];
    (void)get(out, "", base);
    snprintf(wanted, sizeof wanted, "resumed_from  %s", from);
    expect(out, "status        resumed");
    expect(out, wanted);
    ck_assert_ptr_eq(strstr(out, ".part"), NULL);
}

/* 32 blocks of 512 B or 1 KiB, as the shell counts. */
TEST(test_limit)
{
    char out[OUT];
    server_answer answer = {.bytes = good.bytes, .size = good.size, .tag = "\"v1\""};
    const char *base = server_start(&answer, 1);
    (void)get(out, "ulimit -f 32;", base);
    expect(out, ".part: no space left after ");
    expect(out, " B, which are kept: the same command goes on there\n");
    expect(out, "\nash219.tar.gz.part\n");
    expect_going_on(base, strstr(out, "after 16384 B") != NULL ? "16 KiB" : "32 KiB");
}

static const char small_disk[] =
    "unshare -rm sh -c 'mkdir -p \"$1/a\" && mount -t tmpfs -o size=64k tmpfs \"$1/a\" && shift && "
    "\"$@\"; ls -A \"$8/HB\"' sh";

/* A server that says how much comes: refused before the first byte.  One that does not: what fits is kept. */
TEST_EACH(test_small_disk, 2)
{
    char out[OUT];
    server_answer answer = {.bytes = good.bytes, .size = good.size, .no_length = _i == 1};
    if (shell(out, OUT, "unshare -rm mount -t tmpfs tmpfs '%s'", folder) != 0) {
        skipped(__func__, "needs a mount namespace: %.*s", (int)strcspn(out, "\n"), out);
        return;
    }
    (void)shell(out, OUT, "export no_proxy='*'; %s '%s' '%s' matrix get ash219 --url %s --to '%s/a' 2>&1", small_disk,
                folder, shell_program(), server_start(&answer, 1), folder);
    if (_i == 0) {
        expect(out, "no space left: 1");
        expect(out, " B to come, room for 65536 B\n");
        ck_assert_ptr_eq(strstr(out, "\nash219"), NULL);
    } else {
        expect(out, "no space left after 65536 B, which are kept");
        expect(out, "\nash219.tar.gz.part\n");
    }
}

TEST_NEEDS(!lacks("all", "curl"))
TEST_FIXTURE(setup, teardown)
TEST_TIMEOUT(60)
