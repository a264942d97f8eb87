/* test_headers.c -- public headers: each compiles alone, in C11 and in C++17; nsmodel.h offers them all; and what can
 * grow begins with its size
 *
 * A struct with a body in a public header is of one of three kinds.  It begins with `size`.  Or it is an element of
 * lists that callers hand over or get whole, and never changes: those are listed here, with their sizes.  Or it is
 * ns_error.
 */
#include "support/needs.h"
#include "support/shell.h"
#include "support/test.h"

#include <nsmodel/nsmodel.h>

enum { OUT = 16384 };

static const char *const compilers[] = {"${NSMODEL_CC:-cc} -std=c11 -x c", "${CXX:-c++} -std=c++17 -x c++"};

/* mpi.h wants an MPI: the programs of tests/hosts are compiled with it. */
TEST_EACH(every_header_alone, 2)
{
    static char out[OUT];
    const char *compiler = compilers[_i];
    if (_i == 1 && lacks(__func__, "c++"))
        return;
    ck_assert_msg(shell(out, OUT,
                        "for header in $(ls include/nsmodel/*.h | grep -v /mpi.h); do "
                        "printf '#include <nsmodel/%%s>\\nextern int used;\\n' \"${header##*/}\" | "
                        "%s -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only - || exit 1; done",
                        compiler) == 0,
                  "%s", out);
}

/* fit.h and mpi.h are of other libraries. */
TEST(one_header_offers_all)
{
    static char out[OUT];
    ck_assert_msg(shell(out, OUT,
                        "for header in include/nsmodel/*.h; do name=${header##*/}; [ $name = nsmodel.h ] || [ $name = "
                        "fit.h ] || [ $name = mpi.h ] || "
                        "grep -q \"^#include <nsmodel/$name>$\" include/nsmodel/nsmodel.h || "
                        "{ echo \"nsmodel.h lacks $name\"; exit 1; }; done") == 0,
                  "%s", out);
}

/* No public header knows a private one. */
TEST(headers_know_public_ones_only)
{
    static char out[OUT];
    ck_assert_msg(shell(out, OUT, "! grep -n '^#include \"' include/nsmodel/*.h") == 0, "%s", out);
}

/* Structs that never change, with their sizes on this ABI (LP64). */
static const struct {
    const char *name;
    size_t size, wanted;
} frozen[] = {
    {"ns_catalogue_range", sizeof(ns_catalogue_range), 16},
    {"ns_column", sizeof(ns_column), 16},
    {"ns_column_range", sizeof(ns_column_range), 16},
    {"ns_copy", sizeof(ns_copy), 16},
    {"ns_count", sizeof(ns_count), 16},
    {"ns_dim", sizeof(ns_dim), 3},
    {"ns_entry", sizeof(ns_entry), 16},
    {"ns_error", sizeof(ns_error), 928},
    {"ns_layout", sizeof(ns_layout), 8},
    {"ns_matrix_place", sizeof(ns_matrix_place), 24},
    {"ns_message", sizeof(ns_message), 32},
    {"ns_op", sizeof(ns_op), 40},
    {"ns_op_slice", sizeof(ns_op_slice), 32},
    {"ns_planned", sizeof(ns_planned), 16},
    {"ns_plan_run", sizeof(ns_plan_run), 8},
    {"ns_plan_way", sizeof(ns_plan_way), 32},
    {"ns_process_needs", sizeof(ns_process_needs), 40},
    {"ns_quantity", sizeof(ns_quantity), 16},
    {"ns_route", sizeof(ns_route), 16},
    {"ns_slice", sizeof(ns_slice), 40},
    {"ns_spread", sizeof(ns_spread), 64},
};

TEST(frozen_structs_stay)
{
    for (size_t i = 0; i < sizeof frozen / sizeof *frozen && sizeof(void *) == 8; i++)
        ck_assert_msg(frozen[i].size == frozen[i].wanted, "%s has %zu B, and had %zu B in version 1.0", frozen[i].name,
                      frozen[i].size, frozen[i].wanted);
}

/* The first member of every struct with a body.  A message of mpi.h never changes: programs have arrays of it. */
TEST(others_begin_with_their_size)
{
    static char out[OUT];
    shell(out, OUT,
          "awk '/^(typedef )?struct ns_[a-z_]+ \\{/ { name = $0; sub(/^(typedef )?struct /, \"\", name); "
          "sub(/ .*/, \"\", name); getline; while ($0 ~ /^ *(\\/\\*|\\*)/) getline; "
          "if ($0 !~ /^    size_t size;/) print name }' include/nsmodel/*.h | grep -v '^ns_mpi_message$'");
    int structs = 0;
    for (char *name = strtok(out, "\n"); name != NULL; name = strtok(NULL, "\n"), structs++) {
        bool known = false;
        for (size_t i = 0; i < sizeof frozen / sizeof *frozen; i++)
            known |= strcmp(frozen[i].name, name) == 0;
        ck_assert_msg(known, "%s can neither grow nor is it listed as one that never changes", name);
    }
    ck_assert_int_eq(structs, (int)(sizeof frozen / sizeof *frozen));
}

TEST_TIMEOUT(120)
