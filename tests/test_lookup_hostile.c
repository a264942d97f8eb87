/* test_lookup_hostile.c -- what hostile files in the places that are looked at cannot do; see support/places.h */
#include <sys/resource.h>
#include <zlib.h>

#include "api/library.h"
#include "support/places.h"
#include "support/shell.h"
#include "support/test.h"

static void refused(const char *words)
{
    ns_matrix *matrix;
    ns_error err = {.code = NS_OK};
    ns_status status = ns_matrix_open_in("Serena", places_fake(), 3, &matrix, &err);
    if (status == NS_OK) {
        status = ns_matrix_lengths(matrix, 0, &(ns_spread){0}, &(ns_spread){0}, &(int64_t){0}, &err);
        ns_matrix_free(matrix);
    }
    ck_assert_msg(status != NS_OK && strstr(err.text, words) != NULL, "wanted \"%s\", got \"%s\"", words, err.text);
}

static void taken(int n)
{
    ns_matrix *matrix;
    ns_error err = {.code = NS_OK};
    ns_spread row, col;
    int64_t entries;
    ck_assert_msg(ns_matrix_open_in("Serena", places_fake(), 3, &matrix, &err) == NS_OK, "%s", err.text);
    ck_assert_int_eq(ns_matrix_describe(matrix)->rows, n);
    ck_assert_msg(ns_matrix_lengths(matrix, 0, &row, &col, &entries, &err) == NS_OK, "%s", err.text);
    ck_assert_int_eq(entries, 1);
    ns_matrix_free(matrix);
}

static const char cached[] = "c/MM/Janna/Serena.tar.gz";

TEST(test_names_that_lead_out)
{
    static const char *const names[] = {"../Serena/Serena.mtx", "/Serena/Serena.mtx", "Serena/../../Serena.mtx",
                                        "x/../Serena/Serena.mtx", "../../../../../../etc/Serena/Serena.mtx"};
    static archive a;
    places_open();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        a.size = 0;
        archive_matrix(&a, names[i], 1);
        archive_finish(&a);
        places_put(cached, a.bytes, a.size, true);
        refused("no .mtx file in the archive");
        a.size = 0;
        archive_matrix(&a, names[i], 1);
        archive_matrix(&a, "Serena/Serena.mtx", 2);
        archive_finish(&a);
        places_put(cached, a.bytes, a.size, true);
        taken(2);
    }
    char listing[4000];
    shell_ok("test -d '%s'", places_root);
    ck_assert_int_eq(shell(listing, sizeof listing, "cd '%s' && find . -type f", places_root), 0);
    ck_assert_str_eq(listing, "./c/MM/Janna/Serena.tar.gz\n"); /* nothing was unpacked anywhere near */
    scratch_close();
}

TEST(test_links_and_devices)
{
    static const char kinds[] = "1234567gx"; /* hard, symbolic, devices, folder, pipe; 7 is an ordinary file */
    static archive a;
    places_open();
    for (const char *kind = kinds; *kind != '\0'; kind++) {
        if (*kind == '7' || *kind == 'x')
            continue;
        a.size = 0;
        archive_member(&a, "Serena/Serena.mtx", "/etc/passwd", "", 0, *kind);
        archive_finish(&a);
        places_put(cached, a.bytes, a.size, true);
        refused("no .mtx file in the archive");
        a.size = 0;
        archive_member(&a, "Serena/Serena.mtx", "/etc/passwd", "", 0, *kind);
        archive_matrix(&a, "Serena/Serena.mtx", 3);
        archive_finish(&a);
        places_put(cached, a.bytes, a.size, true);
        taken(3);
    }
    scratch_close();
}

TEST(test_two_candidates)
{
    static archive a;
    places_open();
    a.size = 0;
    archive_matrix(&a, "a/a.mtx", 1);
    archive_matrix(&a, "b/b.mtx", 2);
    archive_finish(&a);
    places_put(cached, a.bytes, a.size, true);
    refused("2 matrices in the archive, wanted one: \"a/a.mtx\", \"b/b.mtx\"");
    a.size = 0;
    archive_matrix(&a, "Serena/Serena.mtx", 1);
    archive_matrix(&a, "Serena/Serena_b.mtx", 2);
    archive_matrix(&a, "Serena/Serena.mtx", 3); /* unpacking would leave this one */
    archive_finish(&a);
    places_put(cached, a.bytes, a.size, true);
    refused("two members of the archive are called \"Serena/Serena.mtx\"");
    scratch_close();
}

/* Every beginning of the packed archive is refused, but for those that lack only the end of the archive's padding. */
TEST(test_truncated)
{
    static archive a;
    static unsigned char packed[1 << 16];
    places_open();
    a.size = 0;
    archive_matrix(&a, "Serena/Serena.mtx", 5);
    archive_matrix(&a, "Serena/Serena_b.mtx", 6);
    archive_finish(&a);
    places_put(cached, a.bytes, a.size, true);
    FILE *file = fopen(places_path(cached), "rb");
    ck_assert_ptr_nonnull(file);
    size_t size = fread(packed, 1, sizeof packed, file);
    fclose(file);
    for (size_t cut = 1; cut < size; cut++) {
        places_put(cached, packed, cut, false);
        refused("");
    }
    places_put(cached, packed, size, false);
    taken(5);
    scratch_close();
}

static long peak_kib(void)
{
    struct rusage usage;
    ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

/* Packed `megabytes` of one byte after a beginning, piece by piece. */
static void bomb(const char *relative, const void *begin, size_t size, char filler, int megabytes)
{
    static char piece[1 << 20];
    memset(piece, filler, sizeof piece);
    gzFile file = gzopen(places_path(relative), "wb9");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(gzwrite(file, begin, (unsigned)size), (int)size);
    for (int i = 0; i < megabytes; i++)
        ck_assert_int_eq(gzwrite(file, piece, sizeof piece), (int)sizeof piece);
    ck_assert_int_eq(gzclose(file), Z_OK);
}

/* 200 MB in 200 kB: refused, and never more than 24 MB more memory than before (buffers, threads' stacks). */
TEST(test_bombs)
{
    enum { MEGABYTES = 200, ALLOWED_KIB = 24 << 10 };
    static const char text[] = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n";
    static archive a;
    const bool measured = getenv("NS_TEST_SLOWDOWN") == NULL; /* a sanitizer's own memory is no matter here */
    places_open();
    long before = peak_kib();
    bomb("c/Serena.mtx.gz", text, strlen(text), '1', MEGABYTES); /* a line without end */
    refused("a line longer than");
    bomb("c/Serena.mtx.gz", text, strlen(text), '\n', MEGABYTES); /* nothing but line ends */
    refused("B of blank lines and comments are not read on");
    bomb("c/Serena.mtx.gz", text, strlen(text), '\0', MEGABYTES);
    refused("");
    bomb("c/Serena.mtx.gz", "", 0, '%', MEGABYTES);
    refused("");
    ck_assert_int_eq(unlink(places_path("c/Serena.mtx.gz")), 0);
    a.size = 0;
    archive_member(&a, "Serena/notes.txt", "", "", 0, '0');
    snprintf((char *)a.bytes + 124, 12, "%011o", MEGABYTES << 20); /* a huge member in front */
    memset(a.bytes + 148, ' ', 8);
    unsigned sum = 0;
    for (int i = 0; i < BLOCK; i++)
        sum += a.bytes[i];
    snprintf((char *)a.bytes + 148, 8, "%06o", sum);
    bomb(cached, a.bytes, BLOCK, '\0', MEGABYTES);
    refused("no .mtx file in the archive");
    ck_assert_msg(!measured || peak_kib() - before < ALLOWED_KIB, "%ld KiB more than before", peak_kib() - before);
    scratch_close();
}

TEST_TIMEOUT(300)
