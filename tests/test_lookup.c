/* test_lookup.c -- names: which file of which place is taken; see support/places.h */
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <zlib.h>

#include "api/library.h"
#include "support/cli.h"
#include "support/places.h"
#include "support/shell.h"
#include "support/test.h"

/* ---- which file is taken ----------------------------------------------------------------------------------------- */

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
    {"Janna/Flan_1565", {"p/Flan_1565.txt"}, 0, "but no file of it was found, and there is no surrogate"},
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

static int64_t count_rows(const char *spec, const char **source, ns_error *err)
{
    ns_matrix *matrix;
    *err = (ns_error){.code = NS_OK};
    if (ns_matrix_open_in(spec, places_fake(), 3, &matrix, err) != NS_OK)
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

TEST_EACH(test_places, (int)(sizeof rows / sizeof *rows))
{
    const char *source = "";
    ns_error err;
    int used = 0;
    places_open();
    for (int i = 0; i < 4 && rows[_i].file[i] != NULL; i++)
        places_good(rows[_i].file[i], i + 1);
    int64_t count = count_rows(rows[_i].spec, &source, &err);
    if (rows[_i].taken > 0) {
        ck_assert_msg(count == rows[_i].taken, "%s: %lld rows: %s", rows[_i].spec, (long long)count, err.text);
        ck_assert_str_eq(source, rows[_i].source);
    } else {
        ck_assert_msg(count == -1 && strstr(err.text, rows[_i].source) != NULL, "%s: %s", rows[_i].spec, err.text);
        ck_assert(err.text[0] != '\0');
    }
    ck_assert_int_eq(ns_matrix_where(rows[_i].spec, places_fake(), 3, check_steps, &used, NULL), NS_OK);
    ck_assert_int_eq(used, rows[_i].taken > 0);
    scratch_close();
}

/* A file of another size under a name of the collection is read and does not pass for that matrix. */
TEST(test_another_size)
{
    static const struct {
        const char *file, *spec, *note;
    } lands[] = {
        {"p/Serena.mtx", "Serena", "file: 3 x 3, not Janna/Serena of the collection, which is 1391349 x 1391349"},
        {"p/Pothen/pwt.nsp", "Pothen/pwt", "file: 3 x 3, not Pothen/pwt of the collection, which is 36519 x 36519"},
        {"p/pwt.mtx", "pwt", NULL}, /* of which of the three? */
        {"p/mine.mtx", "mine", NULL},
    };
    places_open();
    for (size_t i = 0; i < sizeof lands / sizeof *lands; i++) {
        ns_matrix *matrix;
        places_good(lands[i].file, 3);
        ck_assert_int_eq(ns_matrix_open_in(lands[i].spec, places_fake(), 3, &matrix, NULL), NS_OK);
        const ns_matrix_info *info = ns_matrix_describe(matrix);
        ck_assert_int_eq(lands[i].note == NULL, info->note == NULL);
        if (lands[i].note != NULL)
            ck_assert_str_eq(info->note, lands[i].note);
        ck_assert_str_eq(info->name, strrchr(lands[i].spec, '/') != NULL ? "pwt" : lands[i].spec);
        ns_matrix_free(matrix);
    }
    scratch_close();
}

/* Whatever stands first is opened or refused: a surrogate or a later file never hides a broken one. */
TEST(test_broken_file_is_not_passed_over)
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
    places_open();
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        for (size_t k = 0; k < 4; k++) {
            const char *source;
            ns_error err;
            places_put(names[k], broken[i].content, strlen(broken[i].content), k == 2);
            ck_assert_int_eq(count_rows("Serena", &source, &err), -1);
            ck_assert_msg(strstr(err.text, broken[i].words) != NULL, "%s: %s", names[k], err.text);
            ck_assert_ptr_nonnull(strstr(err.file, "Serena"));
            ck_assert_int_eq(unlink(places_path(names[k])), 0);
        }
    scratch_close();
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

/* NSMODEL_MATRIX_PATH, ssgetpy's and Ginkgo's caches, the user's: in this order, each found by the program. */
TEST(test_environment)
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
    places_open();
    snprintf(value[0], sizeof value[0], "%s/first::%s/second", places_root, places_root);
    snprintf(value[1], sizeof value[1], "%s/home", places_root);
    snprintf(value[2], sizeof value[2], "%s/xdg", places_root);
    ck_assert_int_eq(setenv("NSMODEL_MATRIX_PATH", value[0], 1) | setenv("HOME", value[1], 1) |
                         setenv("XDG_CACHE_HOME", value[2], 1),
                     0);
    for (int i = count - 1; i >= 0; i--) { /* each is before the ones that are there already */
        places_good(lands[i].file, i + 1);
        ns_value *root_value = cli_json("pattern --matrix Serena --parts 1");
        ck_assert_double_eq(ns_value_get(root_value, "rows")->number, i + 1);
        ck_assert_str_eq(ns_value_get(root_value, "source")->text, lands[i].source);
        root_value = cli_json("matrix where Serena");
        int used = 0;
        for (const ns_value *step = ns_value_get(root_value, "places")->first; step != NULL; step = step->next)
            if (ns_value_get(step, "used")->truth) {
                used++;
                ck_assert_ptr_nonnull(strstr(ns_value_get(step, "found")->text, lands[i].file));
            }
        ck_assert_int_eq(used, 1);
    }
    ck_assert_int_eq(setenv("XDG_CACHE_HOME", "", 1), 0); /* as if it were not set: ~/.cache */
    places_good("home/.cache/nsmodel/thermal2.nsp", 9);
    ns_value *root_value = cli_json("pattern --matrix thermal2 --parts 1");
    ck_assert_str_eq(ns_value_get(root_value, "source")->text, "cache");
    scratch_close();
}

/* No environment at all is no reason to fail. */
TEST(test_bare_environment)
{
    ck_assert_int_eq(unsetenv("HOME") | unsetenv("XDG_CACHE_HOME") | unsetenv("NSMODEL_MATRIX_PATH"), 0);
    ns_value *root_value = cli_json("matrix where xenon1");
    const ns_value *last = NULL;
    for (const ns_value *step = ns_value_get(root_value, "places")->first; step != NULL; step = step->next)
        if (ns_value_get(step, "used")->truth)
            last = step;
    ck_assert_ptr_nonnull(last);
    ck_assert_str_eq(ns_value_get(last, "place")->text, "embedded");
    ck_assert_str_eq(cli_output("matrix where audikw_1"),
                     "name  audikw_1\n"
                     "\n"
                     "  place      looked_for  found               note\n"
                     "  file       audikw_1    -\n"
                     "  embedded   audikw_1    -\n"
                     "* surrogate  audikw_1    GHS_psdef/audikw_1  generated, not the real matrix\n");
    cli_result r = cli("matrix where no-such-matrix-anywhere");
    ck_assert_int_eq(r.code, 1);
    ck_assert_ptr_nonnull(strstr(r.out, "surrogate"));
    ck_assert_ptr_nonnull(strstr(r.err, "no matrix \"no-such-matrix-anywhere\""));
}

/* What cannot be looked at is not said to be there: the file system's words, wherever a name is asked for. */
TEST(test_unknown_whether_there)
{
    static const char *const lines[] = {"matrix where %s", "pattern --matrix %s --parts 2"};
    char line[400], loop[300];
    snprintf(loop, sizeof loop, "%s", cli_file("loop", ""));
    ck_assert_int_eq(unlink(loop), 0);
    ck_assert_int_eq(symlink("loop", loop), 0);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(line, sizeof line, lines[i], loop);
        cli_result r = cli(line);
        ck_assert_msg(r.code == 1 && strstr(r.err, "cannot open: ") != NULL, "%s: %d, %s", line, r.code, r.err);
    }
    ck_assert_int_eq(unlink(loop), 0);
}

TEST_TIMEOUT(300)
