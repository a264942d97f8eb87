/* test_kept.c -- a host of the public headers runs with an installed library, and a struct that has grown since is
 * served by the size that the caller has
 */
#include "core/sized.h"
#include "price/choice.h"
#include "support/shell.h"
#include "support/test.h"

#include <nsmodel/choice.h>

enum { OUT = 16384 };

static char out[OUT];

/* ---- the program ------------------------------------------------------------------------------------------------ */

static void install(void)
{
    scratch_open();
    shell_ok("eval \"${NSMODEL_MAKE:-make} install prefix='%s/usr' libdir='%s/usr/lib' DESTDIR=\"", scratch_folder(),
             scratch_folder());
}

static int run_against(const char *headers)
{
    return shell(out, OUT,
                 "cd '%s' && ${NSMODEL_CC:-cc} ${NSMODEL_EXTRA-} -std=c11 -Wall -Werror -I'%s' -o kept kept.c "
                 "usr/lib/libnsmodel.so "
                 "-lm && LD_LIBRARY_PATH=usr/lib ./kept",
                 scratch_folder(), headers);
}

TEST(test_program)
{
    shell_ok("cp tests/consumers/host.c '%s/kept.c' && cp -r include '%s/first'", scratch_folder(),
             scratch_folder());
    ck_assert_msg(run_against("first") == 0, "%s", out);
    ck_assert_ptr_null(strstr(out, "FAIL"));
    ck_assert_msg(strstr(out, "ok   price\n") != NULL && strstr(out, "ok   cancelled\n") != NULL, "%s", out);
}

/* The program can fail: with a header whose structs have other fields in front it does. */
TEST(test_other_header)
{
    shell_ok(
        "cp tests/consumers/host.c '%s/kept.c' && cp -r include '%s/other' && "
        "sed -i 's/^    double estimate_s;/    double inserted; double estimate_s;/' '%s/other/nsmodel/price.h' && "
        "! cmp -s '%s/other/nsmodel/price.h' include/nsmodel/price.h",
        scratch_folder(), scratch_folder(), scratch_folder(), scratch_folder());
    ck_assert_int_ne(run_against("other"), 0);
    ck_assert_msg(strstr(out, "FAIL terms add up\n") != NULL, "%s", out);
}

/* ---- growth ----------------------------------------------------------------------------------------------------- */

typedef struct first_options {
    size_t size;
    double by;
    int depth;
} first_options;

typedef struct grown_options {
    size_t size;
    double by;
    int depth; /* with padding behind it, in which nothing may begin */
    _Alignas(8) int64_t more;
    const char *name;
} grown_options;

static ns_status take(const void *options, grown_options *to, ns_error *err)
{
    return NS_TAKE_OPTIONS(options, grown_options, depth, to, err);
}

TEST(test_older_caller)
{
    struct {
        first_options is;
        unsigned char behind[64];
    } caller;
    for (int with_size = 0; with_size < 2; with_size++) {
        grown_options given;
        memset(&caller, 0xa5, sizeof caller);
        caller.is = (first_options){.size = with_size ? sizeof caller.is : 0, .by = 0.5, .depth = 7};
        memset(&given, 0x5a, sizeof given);
        ck_assert_int_eq(take(&caller.is, &given, NULL), NS_OK);
        ck_assert_uint_eq(given.size, sizeof given);
        ck_assert_double_eq(given.by, 0.5);
        ck_assert_int_eq(given.depth, 7);
        ck_assert_int_eq(given.more, 0);
        ck_assert_ptr_null(given.name);
    }
}

/* A caller of a header in between has some of the new fields. */
TEST(test_caller_in_between)
{
    grown_options caller = {.size = offsetof(grown_options, name), .more = 3, .name = "not there yet"}, given;
    ck_assert_int_eq(take(&caller, &given, NULL), NS_OK);
    ck_assert_int_eq(given.more, 3);
    ck_assert_ptr_null(given.name);
    caller.size = sizeof caller;
    ck_assert_int_eq(take(&caller, &given, NULL), NS_OK);
    ck_assert_str_eq(given.name, "not there yet");
}

TEST(test_newer_caller)
{
    struct {
        grown_options is;
        int64_t later;
    } caller = {.is = {.size = sizeof caller, .by = 0.25}};
    grown_options given;
    ns_error err = {0};
    ck_assert_int_eq(take(&caller.is, &given, NULL), NS_OK);
    ck_assert_double_eq(given.by, 0.25);
    caller.later = 1;
    ck_assert_int_eq(take(&caller.is, &given, &err), NS_ERR_RANGE);
    ck_assert_msg(strstr(err.text, "came after this library") != NULL, "%s", err.text);
    err = (ns_error){0};
    caller.is.size = 16;
    ck_assert_int_eq(take(&caller.is, &given, &err), NS_ERR_RANGE);
    ck_assert_str_eq(err.text, "options of 16 B, wanted sizeof of their struct, at least 24 B, or 0");
}

TEST(test_no_options)
{
    grown_options given;
    memset(&given, 0x5a, sizeof given);
    ck_assert_int_eq(take(NULL, &given, NULL), NS_OK);
    ck_assert_uint_eq(given.size, sizeof given);
    ck_assert(given.by == 0 && given.depth == 0 && given.more == 0 && given.name == NULL);
}

/* NULL takes back what was set before. */
TEST(test_selection_without_options)
{
    ns_selection *selection;
    ck_assert_int_eq(ns_selection_open(&selection, NULL), NS_OK);
    ck_assert_int_eq(ns_selection_price(selection, &(ns_price_options){.confidence = 0.5, .without = 1}, NULL), NS_OK);
    ck_assert_double_eq(selection->price.confidence, 0.5);
    ck_assert_int_eq(ns_selection_price(selection, NULL, NULL), NS_OK);
    ck_assert(selection->price.confidence == 0 && selection->price.without == 0 && selection->price.form == NULL);
    ck_assert_int_eq(ns_selection_price(selection, &(ns_price_options){.confidence = 2}, NULL), NS_ERR_RANGE);
    ns_selection_free(selection);
}

TEST_FIXTURE_ONCE(install, scratch_close)
TEST_TIMEOUT(120)
