/* test_layers.c -- tools/layers.sh can fail: a small tree that keeps every rule, then one file that breaks each
 *
 * Needs a C compiler, nm and size, which building needs too.
 */
#include "support/shell.h"
#include "support/test.h"

static char root[1024];

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_msg(file != NULL, "cannot write %s", path);
    ck_assert(fputs(text, file) >= 0);
    ck_assert_int_eq(fclose(file), 0);
}

/* core, a model that knows libm, io that knows core, and a command that prints: all of it allowed. */
static void setup(void)
{
    ck_assert(getcwd(root, sizeof root) != NULL);
    ck_assert_int_eq(chdir(scratch_open()), 0);
    shell_ok("mkdir -p include/nsmodel models src/core src/registry src/io src/machine src/price "
             "src/fit src/cli/program");
    put("include/nsmodel/core.h", "#define NS_API __attribute__((visibility(\"default\")))\n"
                                  "NS_API int ns_core(void);\nNS_API extern const char *const ns_words[];\n");
    put("embedded.c", "extern const int ns_embedded; const int ns_embedded = 3;\n");
    put("src/core/core.c", "#include <nsmodel/core.h>\n#include <string.h>\n"
                           "int ns_core(void) { return (int)strlen(\"abc\"); }\n"
                           "const char *const ns_words[] = {\"a\", 0};\n");
    put("src/registry/registry.c", "extern const int ns_model_m; extern const int *const ns_models;\n"
                                   "const int *const ns_models = &ns_model_m;\n");
    put("models/m.c", "#include <math.h>\nextern const int ns_model_m; const int ns_model_m = 1; int ns_core(void);\n"
                      "double ns_m(double x); double ns_m(double x) { return exp(x) + ns_core(); }\n");
    put("src/io/json.c", "int ns_core(void); int ns_json(void); int ns_json(void) { return ns_core(); }\n");
    put("include/nsmodel/fit.h",
        "#define NS_FIT_API __attribute__((visibility(\"default\")))\nNS_FIT_API int ns_fit(void);\n");
    put("src/fit/fit.c", "#include <nsmodel/fit.h>\nint ns_fit(void) { return 2; }\n");
    put("src/io/json.h", "int ns_json(void);\n");
    put("src/cli/program/main.c", "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n");
}

static void teardown(void)
{
    ck_assert_int_eq(chdir(root), 0);
    scratch_close();
}

/* Compile the tree and run the script; its exit code, its words in out. */
static int run_layers(char *out, size_t size)
{
    shell_ok("for f in $(find . -name '*.c'); do o=build/${f%%.c}.o; mkdir -p ${o%%/*} && "
             "${NSMODEL_CC:-cc} -Iinclude -Isrc -O1 -fPIC -fvisibility=hidden -c $f -o $o || exit 1; done; "
             "for l in libnsmodel libnsmodel-fit; do rooms='! -path */cli/* ! -path */fit/*'; "
             "[ $l = libnsmodel ] || rooms='-path */fit/*'; "
             "set -f; ${NSMODEL_CC:-cc} -shared -o build/$l.so $(find build -name *.o $rooms) || exit 1; done");
    return shell(out, size, "'%s/tools/layers.sh' build", root);
}

TEST(test_a_good_tree_passes)
{
    char out[4096];
    ck_assert_msg(run_layers(out, sizeof out) == 0, "%s", out);
    ck_assert_msg(strstr(out, "FAIL") == NULL, "%s", out);
    ck_assert_msg(strstr(out, "ok   arrows") != NULL, "%s", out);
}

static const struct {
    const char *path, *text, *rule, *found;
} breach[] = {
    {"src/core/up.c", "int ns_json(void); int ns_up(void); int ns_up(void) { return ns_json(); }", "arrows",
     "src/core/up.o (src/core) imports ns_json from src/io/json.o"},
    {"models/up.c", "int ns_json(void); int ns_up(void); int ns_up(void) { return ns_json(); }", "arrows",
     "models/up.o (models) imports ns_json from src/io/json.o"},
    {"src/stray/s.c", "int ns_stray(void); int ns_stray(void) { return 1; }", "arrows",
     "src/stray/s.o stands in no room"},
    {"src/core/peeks.c", "#include \"io/json.h\"\nint ns_k(void); int ns_k(void) { return 1; }",
     "headers of other rooms", "src/core/peeks.c includes a header of src/io"},
    {"models/prints.c", "#include <stdio.h>\nvoid ns_p(double x); void ns_p(double x) { printf(\"%g\", x); }",
     "models import", "models/prints.o imports printf"},
    {"models/keeps.c", "#include <stdlib.h>\nvoid *ns_k(void); void *ns_k(void) { return malloc(8); }", "models import",
     "models/keeps.o imports malloc"},
    {"src/price/takes.c", "#include <stdlib.h>\nvoid *ns_t(void); void *ns_t(void) { return calloc(1, 8); }",
     "the library's memory", "src/price/takes.o imports calloc"},
    {"src/cli/program/twice.c", "int ns_core(void); int ns_core(void) { return 7; }",
     "every external symbol is defined once", "ns_core is defined by"},
    {"src/core/ends.c", "#include <stdlib.h>\nvoid ns_e(void); void ns_e(void) { exit(1); }", "the library never",
     "src/core/ends.o imports exit"},
    {"src/price/says.c", "#include <stdio.h>\nvoid ns_s(int x); void ns_s(int x) { fprintf(stderr, \"%d\", x); }",
     "the library never", "src/price/says.o imports stderr"},
    {"src/io/asks.c", "#include <stdlib.h>\nchar *ns_a(void); char *ns_a(void) { return getenv(\"HOME\"); }",
     "the library never", "src/io/asks.o imports getenv"},
    {"src/machine/reads.c",
     "#include <stdlib.h>\ndouble ns_r(const char *s); double ns_r(const char *s) { return strtod(s, 0); }",
     "the library's answers", "src/machine/reads.o imports strtod"},
    {"src/price/gsl.c", "int gsl_min(int); int ns_g(void); int ns_g(void) { return gsl_min(1); }", "no library object",
     "src/price/gsl.o imports gsl_min"},
    {"src/cli/moves.c", "#include <stdio.h>\nint ns_m2(void); int ns_m2(void) { return rename(\"a\", \"b\"); }",
     "files are written by", "src/cli/moves.o imports rename"},
    {"src/cli/shell.c", "#include <stdlib.h>\nint ns_sh(void); int ns_sh(void) { return system(\"ls\"); }",
     "nothing runs", "src/cli/shell.o imports system"},
    {"src/core/name.c", "int helper(void); int helper(void) { return 1; }", "every external symbol",
     "src/core/name.o defines helper"},
    {"src/core/counts.c", "int ns_c(void); int ns_c(void) { static int n; return ++n; }", "the library keeps",
     "src/core/counts.o has 4 bytes of .bss"},
    {"models/state.c", "static int n = 7; int ns_n(void); int ns_n(void) { return n++; }", "the library keeps",
     "models/state.o has 4 bytes of .data"},
    {"src/core/shown.c",
     "__attribute__((visibility(\"default\"))) int ns_shown(void); int ns_shown(void) { return 1; }",
     "the shared libraries", "ns_shown is exported by libnsmodel but no header declares it"},
    {"src/fit/shown.c", "__attribute__((visibility(\"default\"))) int ns_shown(void); int ns_shown(void) { return 1; }",
     "the shared libraries", "ns_shown is exported by libnsmodel-fit but no header declares it"},
    {"include/nsmodel/later.h", "NS_FIT_API int ns_promised(int a);\n", "the shared libraries",
     "ns_promised is declared but not exported by libnsmodel-fit"},
    {"include/nsmodel/more.h", "NS_API int ns_promised(int a);\n", "the shared libraries",
     "ns_promised is declared but not exported by libnsmodel"},
};

TEST_EACH(test_each_breach_is_found, (int)(sizeof breach / sizeof *breach))
{
    char out[4096], line[128];
    shell_ok("mkdir -p src/stray");
    put(breach[_i].path, breach[_i].text);
    ck_assert_msg(run_layers(out, sizeof out) != 0, "%s passed", breach[_i].path);
    snprintf(line, sizeof line, "FAIL %s", breach[_i].rule);
    ck_assert_msg(strstr(out, line) != NULL, "%s: wanted \"%s\" in\n%s", breach[_i].path, line, out);
    ck_assert_msg(strstr(out, breach[_i].found) != NULL, "wanted \"%s\" in\n%s", breach[_i].found, out);
}

/* An object whose source is gone is left over from an older build and proves nothing. */
TEST(test_leftover_objects_do_not_count)
{
    char out[4096];
    put("src/core/old.c", "int old(void); int old(void) { return 1; }");
    ck_assert_int_ne(run_layers(out, sizeof out), 0);
    ck_assert_int_eq(remove("src/core/old.c"), 0);
    ck_assert_msg(run_layers(out, sizeof out) == 0, "%s", out);
}

/* Two rooms that know each other, and one that knows a room which nobody put before it. */
TEST(test_a_circle_in_the_table_is_found)
{
    char out[4096];
    ck_assert_int_eq(run_layers(out, sizeof out), 0);
    put("table", "src/core -\nmodels src/core src/io\nsrc/registry src/core models\nsrc/io models\n");
    ck_assert_int_ne(shell(out, sizeof out, "LAYERS_TABLE=table '%s/tools/layers.sh' build", root), 0);
    ck_assert_msg(strstr(out, "FAIL the table of rooms has no circle") != NULL, "%s", out);
    ck_assert_msg(strstr(out, "models knows src/io, which does not stand before it") != NULL, "%s", out);
}

TEST_FIXTURE(setup, teardown)
TEST_TIMEOUT(300)
