/* test_reader_bad.c -- bad matrix files are refused with a place and a word, and nothing ever crashes */
#include <sys/stat.h>
#include <zlib.h>

#include "bytes/lines.h"
#include "matrix/source.h"
#include "support/needs.h"
#include "support/refusal.h"
#include "support/shared.h"
#include "support/test.h"

/* ---- by hand --------------------------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    long line;
    const char *words;
} by_hand[] = {
    {"coordinate real general\n9223372036854775808 1 1\n1 1 1\n", 2,
     "rows is \"9223372036854775808\", more than 63 bits"},
    {"coordinate real general\n1 1 99999999999999999999\n1 1 1\n", 2,
     "entries is \"99999999999999999999\", more than 63"},
    {"coordinate real general\n1 1 9223372036854775807\n1 1 1\n", 3,
     "promises 9223372036854775807 entries, the file ends after 1"},
    {"array real general\n4294967296 4294967296\n1\n", 2, "are more than 63 bits count"},
    {"array real symmetric\n9223372036854775807 9223372036854775807\n1\n", 2, "are more than 63 bits count"},
    {"coordinate real general\n9223372036854775807 1 1\n9223372036854775808 1 1\n", 3,
     "row index 9223372036854775808, wanted"},
    {"coordinate real general\n9223372036854775807 1 1\n92233720368547758070 1 1\n", 3,
     "row index 92233720368547758070"},
    {"coordinate real general\n2 3 1\n3 1 1\n", 3, "row index 3, wanted at most 2"},
    {"coordinate real general\n2 3 1\n1 4 1\n", 3, "column index 4, wanted at most 3"},
    {"coordinate real general\n2 3 1\n 3  1  1\n", 3, "row index 3, wanted at most 2"},
    {"coordinate real symmetric\n2 2 1\n 1 3 1\n", 3, "column index 3, wanted at most 2"},
    {"coordinate real general\n2 3 1\n18446744073709551617 1 1\n", 3,
     "row index 18446744073709551617, wanted at most 2"},
    {"coordinate real general\n2 2\n", 2, "too few numbers"},
    {"coordinate real general\n2 2 2 2\n", 2, "too many numbers"},
    {"coordinate real general\n2x2 2\n", 2, "rows is \"2x2\""},
    {"coordinate real general\n2 2 0.5\n", 2, "entries is \"0.5\""},
    {"array real general\n2 2 4\n1\n", 2, "too many numbers, wanted 2"},
    {"array real hermitian\n2 3\n1\n", 2, "2 x 3, but a symmetric"},
    {"coordinate pattern skew-symmetric\n2 2 1\n2 1\n", 1, "\"pattern\" with \"skew-symmetric\""},
    {"coordinate real\n2 2 1\n2 1 1\n", 1, "4 words"},
    {"coordinate real general\n%only comments\n", 2, "ends before the size line"},
    {"coordinate real general\n2 2 1\n1.0 2 1\n", 3, "row index \"1.0\""},
    {"coordinate real general\n2 2 1\n1,2,1\n", 3, "row index \"1,2,1\""},
    {"coordinate real general\n2 2 1\n1 2 1,5\n", 3, "real value \"1,5\""},
    {"coordinate real general\n2 2 1\n1 2 0x1p3\n", 3, "real value \"0x1p3\""},
    {"coordinate real general\n2 2 1\n1 2 1.#IND\n", 3, "real value \"1.#IND\""},
    {"coordinate real general\n2 2 1\n1 2 infinit\n", 3, "real value \"infinit\""},
    {"coordinate real general\n2 2 1\n1 2 -\n", 3, "real value \"-\""},
    {"coordinate real general\n2 2 1\n1 2 1 % first\n", 3, "followed by \"%\""},
    {"coordinate complex general\n2 2 1\n1 2 1\n", 3, "ends after one value, wanted two values"},
    {"coordinate complex general\n2 2 1\n1 2 1 1 1\n", 3, "followed by \"1\", wanted two values only"},
    {"coordinate pattern general\n2 2 1\n1 2 1 1\n", 3, "followed by \"1\", wanted none"},
    {"coordinate pattern general\n2 2 1\n1 2 x\n", 3, "pattern value \"x\""},
    {"coordinate real general\n2 2 1\n\n\r\n%\n1 2 1\n\n% fine\n2 2 1\n", 9, "after the last of the 1 entries"},
    /* blank lines and comments in a row, and each of them counts */
    {"coordinate pattern general\n4 4 2\n1 2\n\n \n% x\n\r\n9 3\n", 8, "row index 9, wanted at most 4"},
    {"coordinate real general\n4 4 3\n1 2 1\n\n%\n  1 3  1\r\n\n \t\n\n4 5 1\n", 10,
     "column index 5, wanted at most 4"},
    {"coordinate real general\n2 2 1\n1 2 1\ngarbage\n", 4, "after the last of the 1 entries"},
    {"coordinate real general\n2 2 0\n1 2 1\n", 3, "after the last of the 0 entries"},
    {"array real general\n1 1\n5\r6\n", 4, "after the last of the 1 values"},
    {"array real general\n2 2\n1 2\n3 4\n", 3, "followed by \"2\""},
    {"coordinate real general\n2 2 1\n1 2 \xe2\x88\x92"
     "1\n",
     3, "\"???1\""}, /* a typographer's minus */
};

TEST_EACH(each_by_hand, (int)(sizeof by_hand / sizeof *by_hand))
{
    char text[256];
    int size = snprintf(text, sizeof text, "%%%%MatrixMarket matrix %s", by_hand[_i].text);
    refused(scratch_file("bad.mtx", text, (size_t)size), by_hand[_i].line, by_hand[_i].words);
    refused(scratch_gzip("bad.mtx.gz", text, (size_t)size), by_hand[_i].line, by_hand[_i].words);
}

#define BYTES(text) text, sizeof text - 1

static const struct {
    const char *bytes;
    size_t size;
    long line;
    const char *words;
} foreign[] = {
    {BYTES("BZh91AY&SY\x01"), 0, "bzip2"},
    {BYTES("\xfd"
           "7zXZ\0\0\x04"),
     0, "xz data"},
    {BYTES("\x28\xb5\x2f\xfd\x04"), 0, "zstd"},
    {BYTES("\x1f\x9d\x90"), 0, "uncompress"},
    {BYTES("PK\x03\x04\x14\0"), 0, "zip archive"},
    {BYTES("MATLAB 5.0 MAT-file, Platform: GLNXA64"), 0, "MATLAB .mat"},
    {BYTES("\x89HDF\r\n\x1a\n"), 0, "HDF5"},
    {BYTES("\x93NUMPY\x01\0"), 0, "NumPy"},
    {BYTES("\0\x12\x7b\x50\0\0\0\x03"), 0, "PETSc"},
    {BYTES("\0\0\0\0\0\0\0\0\0\0\0\0"), 0, "it begins with zero bytes"},
    {BYTES("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"), 0, "a Git LFS pointer"},
    {BYTES("\xff\xfe%\0%\0M\0"), 0, "UTF-16"},
    {BYTES("%%MatrixMarket+ distributed-matrix coordinate real general\n"), 0, "Zoltan"},
    {BYTES("\n<!doctype html>\n<html>"), 2, "an HTML page"},
    {BYTES("<HTML><body>404 Not Found</body></HTML>"), 1, "an HTML page"},
    {BYTES("<?xml version=\"1.0\"?>\n"), 1, "an HTML page"},
    {BYTES("6 7\n5 3 2\n1 3 4\n"), 1, "METIS or hMETIS graph"},
    {BYTES("1 2 0.5\r\n"), 1, "only numbers"},
    {BYTES("hello\n"), 1, "the file begins with \"hello\""},
    {BYTES("\n\n \n"), 3, "ends before the %%MatrixMarket banner"},
    {BYTES("t\n 1 2 3 4 5\nRUA      3    3    4    0\n(16I5)\n"), 1, "Harwell-Boeing"},
};

TEST_EACH(each_foreign_format, (int)(sizeof foreign / sizeof *foreign))
{
    const char *plain = scratch_file("foreign", foreign[_i].bytes, foreign[_i].size);
    refused(plain, foreign[_i].line, foreign[_i].words);
    refused(scratch_gzip("foreign.gz", foreign[_i].bytes, foreign[_i].size), foreign[_i].line, foreign[_i].words);
}

/* ---- what is no file ------------------------------------------------------------------------------------------- */

TEST(no_regular_file)
{
    const char *file = scratch_file("empty.mtx", "", 0);
    char path[256];
    refused(file, 0, "an empty file");
    refused(scratch_gzip("nothing.mtx.gz", "", 0), 0, "the file ends before the %%MatrixMarket banner");
    snprintf(path, sizeof path, "%.*s", (int)(strrchr(file, '/') - file), file);
    refused(path, 0, "cannot open: Is a directory");
    strcat(path, "/missing.mtx");
    refused(path, 0, "cannot open: No such file or directory");
    snprintf(path, sizeof path, "%s/below.mtx", file);
    refused(path, 0, "cannot open: Not a directory");
    snprintf(path, sizeof path, "%s.pipe", file);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    refused(path, 0, "a pipe, wanted a regular file");
    ck_assert_int_eq(unlink(path), 0);
    refused("/dev/null", 0, "a device, wanted a regular file");
}

TEST(no_permission)
{
    const char *path = scratch_file("closed.mtx", "%%", 2);
    if (geteuid() == 0) {
        skipped(__func__, "needs a user who is not root");
        return;
    }
    ck_assert_int_eq(chmod(path, 0), 0);
    refused(path, 0, "cannot open: Permission denied");
}

TEST(no_such_name)
{
    static const char *const names[] = {"no-such-matrix-anywhere", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ns_matrix *matrix;
        ns_error err = {.code = NS_OK};
        ck_assert_int_eq(ns_matrix_open(names[i], &matrix, &err), NS_ERR_NAME);
        ck_assert_msg(strstr(err.text, "wanted a file, a stencil") != NULL, "%s", err.text);
    }
}

/* Every surrogate opens by both names, says what it is, and is offered for a mistyped name. */
TEST(surrogates_by_name)
{
    char full[160], mistyped[160];
    for (const ns_surrogate *const *s = ns_surrogates; *s != NULL; s++) {
        const char *both[] = {(*s)->name, full};
        snprintf(full, sizeof full, "%s/%s", (*s)->group, (*s)->name);
        for (int i = 0; i < 2; i++) {
            ns_matrix *matrix;
            ns_error err = {.code = NS_OK};
            ck_assert_msg(ns_matrix_open(both[i], &matrix, &err) == NS_OK, "%s", err.text);
            const ns_matrix_info *info = ns_matrix_describe(matrix);
            ck_assert_int_eq(info->source, NS_SURROGATE);
            ck_assert_int_eq(info->rows, (*s)->rows);
            ck_assert_str_eq(info->name, both[i]);
            ck_assert(strncmp(info->note, "surrogate: ", 11) == 0 && strstr(info->note, full) != NULL);
            ns_matrix_free(matrix);
            snprintf(mistyped, sizeof mistyped, "%sx", both[i]);
            ck_assert_int_eq(ns_matrix_open(mistyped, &matrix, &err), NS_ERR_NAME);
            ck_assert_msg(strstr(err.text, "did you mean") != NULL && strstr(err.text, both[i]) != NULL, "%s",
                          err.text);
        }
    }
}

/* ---- damage ---------------------------------------------------------------------------------------------------- */

/* A few hundred lines, and its size. */
static size_t sample(char *text, size_t size, int lines)
{
    size_t used = (size_t)snprintf(
        text, size, "%%%%MatrixMarket matrix coordinate real symmetric\n%% sample\n%d %d %d\n", lines, lines, lines);
    for (int i = 1; i <= lines; i++)
        used += (size_t)snprintf(text + used, size - used, "%d %d %.5e\n", i, i - i % 7 * (i > 7), 1.0 / i - 0.01);
    return used;
}

/* Every beginning of a file ends in an error, except where only the last line's end is lost. */
TEST(cut_anywhere)
{
    char text[4096];
    size_t size = sample(text, sizeof text, 40);
    for (size_t cut = 0; cut < size; cut++) {
        entry_list list = {.at = NULL};
        ns_error err;
        ns_status status = read_all(scratch_file("cut.mtx", text, cut), &list, &err);
        bool whole_last_line = cut + 1 == size || memchr("0123456789e+-.", text[cut], 14) != NULL;
        if ((status == NS_OK) != (cut > size - 12 && whole_last_line && list.count > 0))
            ck_abort_msg("cut at %zu of %zu: %s", cut, size, err.text);
        entry_list_free(&list);
    }
}

static size_t packed_sample(unsigned char *bytes, size_t size)
{
    static char text[1 << 20];
    size_t length = sample(text, sizeof text, 20000);
    FILE *file = fopen(scratch_gzip("sample.mtx.gz", text, length), "rb");
    ck_assert_ptr_nonnull(file);
    size_t packed = fread(bytes, 1, size, file);
    ck_assert(packed > 0 && packed < size);
    fclose(file);
    return packed;
}

TEST(damaged_gzip)
{
    static unsigned char bytes[1 << 20];
    size_t size = packed_sample(bytes, sizeof bytes - 64);
    const size_t cuts[] = {3, 10, 19, 1000, size / 2, size - 9, size - 5, size - 1};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        entry_list list = {.at = NULL};
        ns_error err;
        ck_assert_int_eq(read_all(scratch_file("cut.mtx.gz", bytes, cuts[i]), &list, &err), NS_ERR_FILE);
        ck_assert_msg(strstr(err.text, "truncated gzip data") != NULL, "%s", err.text);
        entry_list_free(&list);
    }
    bytes[size - 6] ^= 0x10;
    refused(scratch_file("crc.mtx.gz", bytes, size), 20004, "damaged gzip data: incorrect data check");
    bytes[size - 6] ^= 0x10;
    bytes[size - 2] ^= 0x10;
    refused(scratch_file("length.mtx.gz", bytes, size), 20004, "damaged gzip data: incorrect length check");
    bytes[size - 2] ^= 0x10;
    memset(bytes + size, 0, 40);
    accepted(scratch_file("padded.mtx.gz", bytes, size + 40), "zeros after the end, as tapes leave them");
    bytes[size + 7] = 'x';
    refused(scratch_file("more.mtx.gz", bytes, size + 40), 20004, "more bytes after the end");
    bytes[size + 7] = 0x1f;
    refused(scratch_file("more.mtx.gz", bytes, size + 40), 20004, "more bytes after the end");
    bytes[size] = 'x';
    refused(scratch_file("more.mtx.gz", bytes, size + 40), 20004, "more bytes after the end");
}

/* A file of several gzip members is their contents in a row (RFC 1952, 2.2). */
TEST(several_members)
{
    char text[4096], packed[8192];
    size_t size = sample(text, sizeof text, 40), used = 0;
    for (size_t at = 0; at < size; at += 100) {
        FILE *file = fopen(scratch_gzip("member.gz", text + at, size - at < 100 ? size - at : 100), "rb");
        ck_assert_ptr_nonnull(file);
        used += fread(packed + used, 1, sizeof packed - used, file);
        fclose(file);
    }
    entry_list plain = {.at = NULL}, members = {.at = NULL};
    ns_error err;
    ck_assert_int_eq(read_all(scratch_file("plain.mtx", text, size), &plain, &err), NS_OK);
    ck_assert_int_eq(read_all(scratch_file("members.mtx.gz", packed, used), &members, &err), NS_OK);
    ck_assert_uint_eq(plain.count, members.count);
    ck_assert_mem_eq(plain.at, members.at, plain.count * sizeof *plain.at);
    entry_list_free(&plain);
    entry_list_free(&members);
}

/* A "\r\n" whose halves are read at different times is one line end. */
TEST(line_end_cut_in_two)
{
    static char text[NS_PIECE + 64];
    static const char head[] = "%%MatrixMarket matrix coordinate pattern general\r\n2 2 2\r\n%",
                      tail[] = "\r\n1 2\r\n1 x\r\n";
    for (int cut = -2; cut <= 2; cut++) {
        size_t size = (size_t)(NS_PIECE - 1 + cut); /* of what comes before the "\r" */
        memset(text, '.', size);
        memcpy(text, head, sizeof head - 1);
        memcpy(text + size, tail, sizeof tail - 1);
        refused(scratch_file("cut-in-two.mtx", text, size + sizeof tail - 1), 5, "column index \"x\"");
    }
}

/* Whatever a few changed bytes do: an answer or one line of words. */
static void flip(const char *name, unsigned char *bytes, size_t size, int rounds)
{
    uint32_t dice = 2023;
    for (int round = 0; round < rounds; round++) {
        size_t at[3];
        unsigned char was[3];
        for (int i = 0; i < 3; i++) {
            dice = dice * 1664525u + 1013904223u;
            at[i] = (dice >> 8) % size;
            was[i] = bytes[at[i]];
            bytes[at[i]] =
                round % 2 != 0 ? (unsigned char)(dice >> 3) : (unsigned char)("0 1%\n\r-.9e\t"[(dice >> 4) % 11]);
        }
        entry_list list = {.at = NULL};
        ns_error err;
        ns_status status = read_all(scratch_file(name, bytes, size), &list, &err);
        if ((status == NS_OK) != (err.text[0] == '\0') || strchr(err.text, '\n') != NULL || status != err.code)
            ck_abort_msg("round %d: status %d, \"%s\"", round, status, err.text);
        entry_list_free(&list);
        for (int i = 2; i >= 0; i--)
            bytes[at[i]] = was[i];
    }
}

TEST(flipped_bytes)
{
    static unsigned char bytes[1 << 20];
    const char *slowdown = getenv("NS_TEST_SLOWDOWN");
    int rounds = slowdown != NULL ? 1000 : 4000;
    size_t size = sample((char *)bytes, sizeof bytes, 30);
    flip("flip.mtx", bytes, size, rounds);
    size = packed_sample(bytes, sizeof bytes);
    flip("flip.mtx.gz", bytes, size, rounds / 20);
}

TEST(file_changes_after_opening)
{
    ns_matrix *matrix;
    ns_error err = {.code = NS_OK};
    entry_list list = {.at = NULL};
    static const char before[] = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n";
    static const char after[] = "%%MatrixMarket matrix coordinate pattern general\n3 2 1\n3 1\n";
    const char *path = scratch_file("changing.mtx", before, sizeof before - 1);
    ck_assert_int_eq(ns_matrix_open(path, &matrix, &err), NS_OK);
    scratch_file("changing.mtx", after, sizeof after - 1);
    ck_assert_int_eq(ns_matrix_scan(matrix, entry_list_receive, &list, &err), NS_ERR_FILE);
    ck_assert_msg(strstr(err.text, "has changed") != NULL, "%s", err.text);
    ns_matrix_free(matrix);
}

TEST_TIMEOUT(300)
