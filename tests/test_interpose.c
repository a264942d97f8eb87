/* test_interpose.c -- a host program with a cJSON of its own: neither it nor the library takes the other's functions
 *
 * The host defines every function that cJSON.h declares; each of them ends the process.  Needs a C compiler.
 */
#include "support/shell.h"
#include "support/test.h"

enum { OUT = 16384 };

static const char *scratch;

/* The program of tests/consumers/price.c, with functions that must never be called, exported to every library. */
static void make_host(void)
{
    scratch = scratch_open();
    shell_ok("{ echo '#include <stdlib.h>'; sed -n 's/^CJSON_PUBLIC(.*) \\(cJSON_[A-Za-z]*\\)(.*/void \\1(void); void "
             "\\1(void) { abort(); }/p' third_party/cjson/cJSON.h; } > '%s/broken.c'",
             scratch);
}

static void build(const char *name, const char *library)
{
    static char out[OUT];
    shell_ok("${NSMODEL_CC:-cc} ${NSMODEL_EXTRA-} -std=c11 -rdynamic -Iinclude -o '%s/%s' tests/consumers/price.c "
             "'%s/broken.c' %s -Wl,-rpath,\"$NSMODEL_BUILD\"",
             scratch, name, scratch, library);
    ck_assert_msg(shell(out, OUT, "nm -D --defined-only '%s/%s'", scratch, name) == 0, "%s", out);
    ck_assert_msg(strstr(out, " T cJSON_ParseWithLengthOpts\n") != NULL && strstr(out, " T cJSON_Delete\n") != NULL,
                  "the host exports no cJSON: %s", out);
    ck_assert_msg(shell(out, OUT, "'%s/%s'", scratch, name) == 0, "%s", out);
    ck_assert_msg(strstr(out, " lassen 7.76e-06\n") != NULL, "%s", out);
}

TEST(test_shared)
{
    build("shared", "\"$NSMODEL_BUILD/libnsmodel.so\"");
}

TEST(test_static)
{
    build("static", "\"$NSMODEL_BUILD/libnsmodel.a\" $NSMODEL_LIBS");
}

/* Every function has a name of ours, and none is left for others to see or to replace. */
TEST(test_names)
{
    char out[OUT];
    ck_assert_int_eq(shell(out, sizeof out,
                           "nm -g \"$NSMODEL_BUILD/third_party/cjson/cJSON.o\" | awk 'NF == 3 && $3 !~ "
                           "/^ns_cjson_/ || /cJSON_/'; nm -D \"$NSMODEL_BUILD/libnsmodel.so\" | grep -i cjson; true"),
                     0);
    ck_assert_str_eq(out, "");
    shell_ok("test \"$(grep -c '^CJSON_PUBLIC(' third_party/cjson/cJSON.h)\" = "
             "\"$(nm -g \"$NSMODEL_BUILD/third_party/cjson/cJSON.o\" | grep -c ' T ns_cjson_')\"");
}

/* Threads parse at the same time: what a parse writes outside its own memory belongs to its thread. */
TEST(test_threads)
{
    shell_ok("readelf -sW \"$NSMODEL_BUILD/third_party/cjson/cJSON.o\" | grep -q ' TLS .* global_error$'");
}

TEST_FIXTURE_ONCE(make_host, scratch_close)
TEST_TIMEOUT(120)
