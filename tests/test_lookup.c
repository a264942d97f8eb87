/* test_lookup.c -- names: which file of which place is taken, and what hostile files there cannot do
 *
 * Caches are built in a private folder; each file holds an n x n matrix with one entry, so that n says which was read.
 */
#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <nsmodel/nsmodel.h>

#include "support/cli.h"
#include "support/shell.h"

enum { BLOCK = 512, PATHS = 1200 };

static char root[512];

static void open_root(void)
{
    snprintf(root, sizeof root, "%s", scratch_open());
}

/* ---- making files
 * -------------------------------------------------------------------------------------------------------- */

static size_t matrix_text(char *text, size_t size, int n)
{
    return (size_t)snprintf(text, size, "%%%%MatrixMarket matrix coordinate pattern general\n%d %d 1\n%d 1\n", n, n, n);
}

/* root/relative, with the folders above it. */
static const char *place_for(const char *relative)
{
    static char path[PATHS];
    snprintf(path, sizeof path, "%s/%s", root, relative);
    for (char *slash = strchr(path + strlen(root) + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    return path;
}

static void put(const char *relative, const void *bytes, size_t size, bool packed)
{
    const char *path = place_for(relative);
    gzFile file = gzopen(path, packed ? "wb1" : "wbT"); /* T: as it is */
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(gzwrite(file, bytes, (unsigned)size), (int)size);
    ck_assert_int_eq(gzclose(file), Z_OK);
}

typedef struct archive {
    unsigned char bytes[1 << 16];
    size_t size;
} archive;

static void member(archive *a, const char *name, const char *link, const char *data, size_t size, char kind)
{
    unsigned char *h = a->bytes + a->size;
    unsigned sum = 0;
    memset(h, 0, BLOCK + (size + BLOCK - 1) / BLOCK * BLOCK);
    snprintf((char *)h, 100, "%s", name);
    snprintf((char *)h + 100, 8, "0000644");
    snprintf((char *)h + 124, 12, "%011zo", size);
    snprintf((char *)h + 157, 100, "%s", link);
    memset(h + 148, ' ', 8);
    h[156] = (unsigned char)kind;
    memcpy(h + 257, "ustar\00000", 8);
    for (int i = 0; i < BLOCK; i++)
        sum += h[i];
    snprintf((char *)h + 148, 8, "%06o", sum);
    if (size > 0)
        memcpy(h + BLOCK, data, size);
    a->size += BLOCK + (size + BLOCK - 1) / BLOCK * BLOCK;
}

static void member_matrix(archive *a, const char *name, int n)
{
    char text[128];
    size_t size = matrix_text(text, sizeof text, n);
    member(a, name, "", text, size, '0');
}

static void finish(archive *a)
{
    memset(a->bytes + a->size, 0, 2 * BLOCK);
    a->size += 2 * BLOCK;
}

/* A good file of n rows, in the form that its name says. */
static void good(const char *relative, int n)
{
    static archive a;
    char text[128], inside[200];
    const char *stem = strrchr(relative, '/') + 1, *dot = strchr(stem, '.');
    size_t size = matrix_text(text, sizeof text, n);
    if (strcmp(dot, ".nsp") == 0) {
        char mtx[300];
        ns_matrix *matrix;
        snprintf(mtx, sizeof mtx, "work/%.*s.mtx", (int)(dot - stem), stem);
        put(mtx, text, size, false);
        ck_assert_int_eq(ns_matrix_open(place_for(mtx), &matrix, NULL), NS_OK);
        ck_assert_int_eq(ns_matrix_save(matrix, place_for(relative), 0, NULL), NS_OK);
        ns_matrix_free(matrix);
    } else if (strcmp(dot, ".tar.gz") == 0) {
        a.size = 0;
        snprintf(inside, sizeof inside, "%.*s/%.*s.mtx", (int)(dot - stem), stem, (int)(dot - stem), stem);
        member_matrix(&a, inside, n);
        finish(&a);
        put(relative, a.bytes, a.size, true);
    } else {
        put(relative, text, size, strcmp(dot, ".mtx.gz") == 0);
    }
}

/* ---- which file is taken
 * ------------------------------------------------------------------------------------------------- */

/* Files are "PLACE/path" with PLACE p, q (both in the path), c (a cache); their rows are 1, 2, 3... */
static const struct {
    const char *spec, *file[4];
    int taken;          /* from 1; 0: none of them */
    const char *source; /* or what the refusal says */
} rows[] = {
    /* every way to lay a matrix into a folder */
    {"Serena", {"p/Serena.mtx"}, 1, "file"},
    {"Serena", {"p/Serena.mtx.gz"}, 1, "file"},
    {"Serena", {"p/Serena.tar.gz"}, 1, "file"},
    {"Serena", {"p/Serena.nsp"}, 1, "binary"},
    {"Serena", {"p/Serena/Serena.mtx"}, 1, "file"},
    {"Serena", {"p/Janna/Serena.mtx"}, 1, "file"},
    {"Serena", {"p/Janna/Serena.nsp"}, 1, "binary"},
    {"Serena", {"p/Janna/Serena/Serena.mtx"}, 1, "file"},
    {"Serena", {"c/MM/Janna/Serena.tar.gz"}, 1, "cache"},
    {"Serena", {"c/MM/Janna/Serena/Serena.mtx"}, 1, "cache"},
    {"Serena", {"c/Serena.nsp"}, 1, "cache"},
    /* with the group */
    {"Janna/Serena", {"p/Janna/Serena.mtx.gz"}, 1, "file"},
    {"Janna/Serena", {"p/Serena.mtx"}, 1, "file"},
    {"Janna/Serena", {"c/MM/Janna/Serena.tar.gz"}, 1, "cache"},
    {"Nobody/Serena", {"p/Serena.mtx"}, 0, "did you mean \"Janna/Serena\"?"},
    /* order: places before what is built in, earlier places before later ones */
    {"Serena", {"q/Serena.mtx", "p/Serena.mtx", "c/Serena.mtx"}, 2, "file"},
    {"Serena", {"q/Serena.mtx", "c/Serena.mtx"}, 1, "file"},
    {"xenon1", {"c/Ronis/xenon1.tar.gz"}, 1, "cache"},
    {"audikw_1", {"c/MM/GHS_psdef/audikw_1.tar.gz"}, 1, "cache"},
    /* own names, in no catalogue */
    {"my-own_problem", {"p/my-own_problem.mtx"}, 1, "file"},
    {"mine/my_problem", {"p/mine/my_problem.mtx.gz"}, 1, "file"},
    {"my_problem", {"p/mine/my_problem.mtx.gz"}, 0, "no matrix \"my_problem\""},
    /* names of several matrices: a file decides, two do not */
    {"pwt", {NULL}, 0, "\"pwt\" names several matrices: GHS_psdef/pwt, Nasa/pwt, Pothen/pwt"},
    {"pwt", {"p/Nasa/pwt.mtx"}, 1, "file"},
    {"pwt", {"p/pwt.mtx", "p/Nasa/pwt.mtx", "p/Pothen/pwt.mtx"}, 1, "file"},
    {"pwt", {"p/Nasa/pwt.mtx", "p/MM/Pothen/pwt.tar.gz"}, 0, "\"pwt\" names several matrices: "},
    {"pwt", {"p/Nasa/pwt.mtx", "q/Pothen/pwt.mtx"}, 1, "file"},
    {"pwt", {"p/Nasa/pwt.mtx", "p/Pothen/pwt.mtx", "q/GHS_psdef/pwt.mtx"}, 0, "\"pwt\" names several matrices: "},
    {"Pothen/pwt", {"p/Nasa/pwt.mtx", "p/Pothen/pwt.mtx"}, 2, "file"},
    {"Pothen/pwt", {"p/pwt.mtx", "c/Pothen/pwt.mtx"}, 2, "cache"}, /* a bare one may be Nasa's */
    /* in the catalogue, nowhere else */
    {"Flan_1565", {NULL}, 0, "Janna/Flan_1565 (1564794 x 1564794, 117406044 entries) is in the catalogue, but no file"},
    {"Janna/Flan_1565", {"p/Flan_1565.txt"}, 0, "`nsmodel matrix where Janna/Flan_1565` tells where"},
    /* there, but not read */
    {"Flan_1565", {"p/mat/Janna/Flan_1565.mat"}, 0, "a MATLAB file, which is not read"},
    {"Flan_1565", {"p/RB/Janna/Flan_1565.tar.gz"}, 0, "a Rutherford-Boeing archive, which is not read"},
    {"Flan_1565", {"p/Flan_1565.mtx.bz2"}, 0, "unpack it with bunzip2"},
    {"Flan_1565", {"p/Janna/Flan_1565.graph"}, 0, "a METIS graph, which is not read"},
    {"Flan_1565", {"p/Flan_1565.mat", "c/MM/Janna/Flan_1565.tar.gz"}, 2, "cache"},
    /* names that are no names */
    {"../p/Serena", {"p/Serena.mtx"}, 0, "cannot open: No such file"},
    {"./Serena", {"p/Serena.mtx"}, 0, "cannot open: No such file"},
    {"..", {"p/Serena.mtx"}, 0, "cannot open: Is a directory"},
    {"Janna/../Serena", {"p/Serena.mtx"}, 0, "cannot open: No such file"},
    {"serena", {"p/Serena.mtx"}, 0, "did you mean \"Serena\"?"},
};

static ns_matrix_place *fake_places(void)
{
    static char folder[3][PATHS];
    static ns_matrix_place place[3];
    static const char *const names[] = {"p", "q", "c"};
    for (int i = 0; i < 3; i++) {
        snprintf(folder[i], PATHS, "%s/%s", root, names[i]);
        place[i] = (ns_matrix_place){i < 2 ? "path" : "cache", folder[i], i < 2 ? NS_FROM_FILE : NS_FROM_CACHE};
    }
    return place;
}

static int64_t count_rows(const char *spec, const char **source, ns_error *err)
{
    ns_matrix *matrix;
    *err = (ns_error){.code = NS_OK};
    if (ns_matrix_open_in(spec, fake_places(), 3, &matrix, err) != NS_OK)
        return -1;
    const ns_matrix_info *info = ns_matrix_describe(matrix);
    int64_t count = info->rows;
    *source = ns_matrix_source_words[info->source];
    ns_matrix_free(matrix);
    return count;
}

/* The steps agree with what opening does: one is used exactly when a matrix opens. */
static void check_steps(void *context, const ns_matrix_step *step)
{
    int *used = context;
    *used += step->used;
    ck_assert(step->place != NULL && step->looked_for != NULL && (!step->used || step->found != NULL));
}

START_TEST(test_places)
{
    const char *source = "";
    ns_error err;
    int used = 0;
    open_root();
    for (int i = 0; i < 4 && rows[_i].file[i] != NULL; i++)
        good(rows[_i].file[i], i + 1);
    int64_t count = count_rows(rows[_i].spec, &source, &err);
    if (rows[_i].taken > 0) {
        ck_assert_msg(count == rows[_i].taken, "%s: %lld rows: %s", rows[_i].spec, (long long)count, err.text);
        ck_assert_str_eq(source, rows[_i].source);
    } else {
        ck_assert_msg(count == -1 && strstr(err.text, rows[_i].source) != NULL, "%s: %s", rows[_i].spec, err.text);
        ck_assert(err.text[0] != '\0');
    }
    ck_assert_int_eq(ns_matrix_where(rows[_i].spec, fake_places(), 3, check_steps, &used, NULL), NS_OK);
    ck_assert_int_eq(used, rows[_i].taken > 0);
    scratch_close();
}
END_TEST

/* Whatever stands first is opened or refused: a surrogate or a later file never hides a broken one. */
START_TEST(test_broken_file_is_not_passed_over)
{
    static const struct {
        const char *content, *words;
    } broken[] = {
        {"<!DOCTYPE html>\n<html><head><title>404</title></head></html>\n", "an HTML page saved under a matrix name"},
        {"\n <html>\n", "an HTML page saved under a matrix name"},
        {"BZh91AY&SY", "bzip2 data, which is not read"},
        {"MATLAB 5.0 MAT-file, Platform: GLNXA64", "a MATLAB .mat file"},
        {"PK\003\004rest", "a zip archive, which is not read"},
        {"4 3\n2 3\n1\n1 4\n3\n", "METIS or hMETIS graph?"},
        {"a title                                                                 key\n"
         "             4             1             1             2             0\n"
         "rua                        2             2             2             0\n"
         "(26I3)          (26I3)          (3E26.18)\n",
         "a Harwell-Boeing or Rutherford-Boeing file"},
    };
    static const char *const names[] = {"c/MM/Janna/Serena.tar.gz", "c/Serena.mtx", "c/Serena.mtx.gz",
                                        "c/Janna/Serena.nsp"};
    open_root();
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        for (size_t k = 0; k < 4; k++) {
            const char *source;
            ns_error err;
            put(names[k], broken[i].content, strlen(broken[i].content), k == 2);
            ck_assert_int_eq(count_rows("Serena", &source, &err), -1);
            ck_assert_msg(strstr(err.text, broken[i].words) != NULL, "%s: %s", names[k], err.text);
            ck_assert_ptr_nonnull(strstr(err.file, "Serena"));
            ck_assert_int_eq(unlink(place_for(names[k])), 0);
        }
    scratch_close();
}
END_TEST

/* ---- hostile archives
 * ---------------------------------------------------------------------------------------------------- */

static void refused(const char *words)
{
    ns_matrix *matrix;
    ns_error err = {.code = NS_OK};
    ns_status status = ns_matrix_open_in("Serena", fake_places(), 3, &matrix, &err);
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
    ck_assert_msg(ns_matrix_open_in("Serena", fake_places(), 3, &matrix, &err) == NS_OK, "%s", err.text);
    ck_assert_int_eq(ns_matrix_describe(matrix)->rows, n);
    ck_assert_msg(ns_matrix_lengths(matrix, 0, &row, &col, &entries, &err) == NS_OK, "%s", err.text);
    ck_assert_int_eq(entries, 1);
    ns_matrix_free(matrix);
}

static const char cached[] = "c/MM/Janna/Serena.tar.gz";

START_TEST(test_names_that_lead_out)
{
    static const char *const names[] = {"../Serena/Serena.mtx", "/Serena/Serena.mtx", "Serena/../../Serena.mtx",
                                        "x/../Serena/Serena.mtx", "../../../../../../etc/Serena/Serena.mtx"};
    static archive a;
    open_root();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        a.size = 0;
        member_matrix(&a, names[i], 1);
        finish(&a);
        put(cached, a.bytes, a.size, true);
        refused("no .mtx file in the archive");
        a.size = 0;
        member_matrix(&a, names[i], 1);
        member_matrix(&a, "Serena/Serena.mtx", 2);
        finish(&a);
        put(cached, a.bytes, a.size, true);
        taken(2);
    }
    char listing[4000];
    shell_ok("test -d '%s'", root);
    ck_assert_int_eq(shell(listing, sizeof listing, "cd '%s' && find . -type f", root), 0);
    ck_assert_str_eq(listing, "./c/MM/Janna/Serena.tar.gz\n"); /* nothing was unpacked anywhere near */
    scratch_close();
}
END_TEST

START_TEST(test_links_and_devices)
{
    static const char kinds[] = "1234567gx"; /* hard, symbolic, devices, folder, pipe; 7 is an ordinary file */
    static archive a;
    open_root();
    for (const char *kind = kinds; *kind != '\0'; kind++) {
        if (*kind == '7' || *kind == 'x')
            continue;
        a.size = 0;
        member(&a, "Serena/Serena.mtx", "/etc/passwd", "", 0, *kind);
        finish(&a);
        put(cached, a.bytes, a.size, true);
        refused("no .mtx file in the archive");
        a.size = 0;
        member(&a, "Serena/Serena.mtx", "/etc/passwd", "", 0, *kind);
        member_matrix(&a, "Serena/Serena.mtx", 3);
        finish(&a);
        put(cached, a.bytes, a.size, true);
        taken(3);
    }
    scratch_close();
}
END_TEST

START_TEST(test_two_candidates)
{
    static archive a;
    open_root();
    a.size = 0;
    member_matrix(&a, "a/a.mtx", 1);
    member_matrix(&a, "b/b.mtx", 2);
    finish(&a);
    put(cached, a.bytes, a.size, true);
    refused("2 matrices in the archive, wanted one: \"a/a.mtx\", \"b/b.mtx\"");
    a.size = 0;
    member_matrix(&a, "Serena/Serena.mtx", 1);
    member_matrix(&a, "Serena/Serena_b.mtx", 2);
    member_matrix(&a, "Serena/Serena.mtx", 3); /* unpacking would leave this one */
    finish(&a);
    put(cached, a.bytes, a.size, true);
    refused("two members of the archive are called \"Serena/Serena.mtx\"");
    scratch_close();
}
END_TEST

/* Every beginning of the packed archive is refused, but for those that lack only the end of the archive's padding. */
START_TEST(test_truncated)
{
    static archive a;
    static unsigned char packed[1 << 16];
    open_root();
    a.size = 0;
    member_matrix(&a, "Serena/Serena.mtx", 5);
    member_matrix(&a, "Serena/Serena_b.mtx", 6);
    finish(&a);
    put(cached, a.bytes, a.size, true);
    FILE *file = fopen(place_for(cached), "rb");
    ck_assert_ptr_nonnull(file);
    size_t size = fread(packed, 1, sizeof packed, file);
    fclose(file);
    for (size_t cut = 1; cut < size; cut++) {
        put(cached, packed, cut, false);
        refused("");
    }
    put(cached, packed, size, false);
    taken(5);
    scratch_close();
}
END_TEST

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
    gzFile file = gzopen(place_for(relative), "wb9");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(gzwrite(file, begin, (unsigned)size), (int)size);
    for (int i = 0; i < megabytes; i++)
        ck_assert_int_eq(gzwrite(file, piece, sizeof piece), (int)sizeof piece);
    ck_assert_int_eq(gzclose(file), Z_OK);
}

/* 200 MB in 200 kB: refused, and never more than 24 MB more memory than before (buffers, threads' stacks). */
START_TEST(test_bombs)
{
    enum { MEGABYTES = 200, ALLOWED_KIB = 24 << 10 };
    static const char text[] = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n";
    static archive a;
    const bool measured = getenv("NS_TEST_SLOWDOWN") == NULL; /* a sanitizer's own memory is no matter here */
    open_root();
    long before = peak_kib();
    bomb("c/Serena.mtx.gz", text, strlen(text), '1', MEGABYTES); /* a line without end */
    refused("a line longer than");
    bomb("c/Serena.mtx.gz", text, strlen(text), '\n', MEGABYTES); /* nothing but line ends */
    refused("the file ends after 0");
    bomb("c/Serena.mtx.gz", text, strlen(text), '\0', MEGABYTES);
    refused("");
    bomb("c/Serena.mtx.gz", "", 0, '%', MEGABYTES);
    refused("");
    ck_assert_int_eq(unlink(place_for("c/Serena.mtx.gz")), 0);
    a.size = 0;
    member(&a, "Serena/notes.txt", "", "", 0, '0');
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
END_TEST

/* ---- the program
 * --------------------------------------------------------------------------------------------------------- */

/* NSMODEL_MATRIX_PATH, ssgetpy's and Ginkgo's caches, the user's: in this order, each found by the program. */
START_TEST(test_environment)
{
    static const struct {
        const char *file, *source;
    } lands[] = {
        {"second/Janna/Serena.tar.gz", "file"},
        {"home/.ssgetpy/MM/Janna/Serena.tar.gz", "cache"},
        {"home/.config/ssget/MM/Janna/Serena.tar.gz", "cache"},
        {"home/SuiteSparse/ssget/MM/Janna/Serena.tar.gz", "cache"},
        {"xdg/nsmodel/Janna/Serena.tar.gz", "cache"},
    };
    char value[3][2 * PATHS];
    const int count = (int)(sizeof lands / sizeof *lands);
    open_root();
    snprintf(value[0], sizeof value[0], "%s/first::%s/second", root, root);
    snprintf(value[1], sizeof value[1], "%s/home", root);
    snprintf(value[2], sizeof value[2], "%s/xdg", root);
    ck_assert_int_eq(setenv("NSMODEL_MATRIX_PATH", value[0], 1) | setenv("HOME", value[1], 1) |
                         setenv("XDG_CACHE_HOME", value[2], 1),
                     0);
    for (int i = count - 1; i >= 0; i--) { /* each is before the ones that are there already */
        good(lands[i].file, i + 1);
        ns_value *root_value = cli_json("pattern --matrix Serena --parts 1");
        ck_assert_double_eq(ns_value_get(root_value, "rows")->number, i + 1);
        ck_assert_str_eq(ns_value_get(root_value, "source")->text, lands[i].source);
        ns_value_free(root_value);
        root_value = cli_json("matrix where Serena");
        int used = 0;
        for (const ns_value *step = ns_value_get(root_value, "places")->first; step != NULL; step = step->next)
            if (ns_value_get(step, "used")->truth) {
                used++;
                ck_assert_ptr_nonnull(strstr(ns_value_get(step, "found")->text, lands[i].file));
            }
        ck_assert_int_eq(used, 1);
        ns_value_free(root_value);
    }
    ck_assert_int_eq(setenv("XDG_CACHE_HOME", "", 1), 0); /* as if it were not set: ~/.cache */
    good("home/.cache/nsmodel/thermal2.nsp", 9);
    ns_value *root_value = cli_json("pattern --matrix thermal2 --parts 1");
    ck_assert_str_eq(ns_value_get(root_value, "source")->text, "cache");
    ns_value_free(root_value);
    scratch_close();
}
END_TEST

/* No environment at all is no reason to fail. */
START_TEST(test_bare_environment)
{
    ck_assert_int_eq(unsetenv("HOME") | unsetenv("XDG_CACHE_HOME") | unsetenv("NSMODEL_MATRIX_PATH"), 0);
    ns_value *root_value = cli_json("matrix where xenon1");
    const ns_value *last = NULL;
    for (const ns_value *step = ns_value_get(root_value, "places")->first; step != NULL; step = step->next)
        if (ns_value_get(step, "used")->truth)
            last = step;
    ck_assert_ptr_nonnull(last);
    ck_assert_str_eq(ns_value_get(last, "place")->text, "embedded");
    ns_value_free(root_value);
    cli_result r = cli("matrix where no-such-matrix-anywhere");
    ck_assert_int_eq(r.code, 1);
    ck_assert_ptr_nonnull(strstr(r.out, "surrogate"));
    ck_assert_ptr_nonnull(strstr(r.err, "no matrix \"no-such-matrix-anywhere\""));
    cli_free(&r);
}
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("lookup");
    TCase *t = tcase_create("places and archives");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, test_places, 0, (int)(sizeof rows / sizeof *rows));
    tcase_add_test(t, test_broken_file_is_not_passed_over);
    tcase_add_test(t, test_names_that_lead_out);
    tcase_add_test(t, test_links_and_devices);
    tcase_add_test(t, test_two_candidates);
    tcase_add_test(t, test_truncated);
    tcase_add_test(t, test_bombs);
    tcase_add_test(t, test_environment);
    tcase_add_test(t, test_bare_environment);
    suite_add_tcase(s, t);
    return s;
}
