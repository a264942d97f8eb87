/* test_errors_cleared.c -- a call that succeeds leaves no failure of an earlier one in its ns_error */
#include "support/test.h"

#include <nsmodel/nsmodel.h>

static ns_error err;

/* An earlier call has failed; the next one succeeds. */
#define SUCCEEDS(call)                                                                                                 \
    do {                                                                                                               \
        ns_machine *none = NULL;                                                                                       \
        ck_assert_int_ne(ns_machine_load("no machine of this name", &none, &err), NS_OK);                              \
        ck_assert_int_ne(err.code, NS_OK);                                                                             \
        ck_assert_int_eq(call, NS_OK);                                                                                 \
        ck_assert_int_eq(err.code, NS_OK);                                                                             \
        ck_assert_str_eq(err.text, "");                                                                                \
        ck_assert_str_eq(err.subject, "");                                                                             \
        ck_assert_int_eq(err.remedy, NS_NO_REMEDY);                                                                    \
    } while (0)

TEST(success_clears)
{
    const ns_planned plan[] = {{0, 5, 4096}, {5, 0, 8}, {1, 2, 64}};
    const ns_layout layout = {8, 4};
    ns_machine *machine, *faster;
    ns_machine_info about = {.size = sizeof about};
    ns_exchange *exchange, *stencil;
    ns_pattern counts = {.size = sizeof counts};
    ns_matrix *matrix;
    ns_comparison *comparison;
    ns_choice_info best = {.size = sizeof best};
    SUCCEEDS(ns_machine_load("lassen", &machine, &err));
    SUCCEEDS(ns_machine_describe(machine, &about, &err));
    SUCCEEDS(ns_machine_with(machine, "host.off-node.eager.alpha=1us", &faster, &err));
    SUCCEEDS(ns_exchange_from_messages(plan, sizeof plan / sizeof *plan, layout, NULL, &exchange, &err));
    SUCCEEDS(ns_exchange_counts(exchange, &counts, &err));
    SUCCEEDS(ns_matrix_open("stencil9:20x20", &matrix, &err));
    SUCCEEDS(ns_exchange_from_matrix(matrix, &layout, 1, NULL, &stencil, NULL, &err));
    SUCCEEDS(ns_compare(exchange, machine, NULL, &comparison, &err));
    SUCCEEDS(ns_comparison_choice(comparison, ns_comparison_best(comparison), &best, &err));
    ns_comparison_free(comparison);
    ns_exchange_free(stencil);
    ns_matrix_free(matrix);
    ns_exchange_free(exchange);
    ns_machine_free(faster);
    ns_machine_free(machine);
}

/* While a call runs, its first failure wins; the next call's replaces it. */
TEST(the_last_call_that_failed_is_told)
{
    ns_machine *machine = NULL;
    ns_matrix *matrix = NULL;
    ck_assert_int_ne(ns_machine_load("nowhere", &machine, &err), NS_OK);
    ck_assert_ptr_nonnull(strstr(err.text, "nowhere"));
    ck_assert_int_ne(ns_matrix_open("stencil9:0x20", &matrix, &err), NS_OK);
    ck_assert_ptr_null(strstr(err.text, "nowhere"));
}

/* Of the functions that the libraries export, by their sources: each that takes an ns_error begins by clearing it. */
TEST(every_function_begins_so)
{
    char names[4000] = "";
    FILE *found =
        popen("cat src/*.symbols | sed 's/@.*//' > \"$NSMODEL_TEST_TMP/exported\"; "
              "find src -name '*.c' -not -path 'integrations/mpi*' | xargs cat | "
              "awk -v names=\"$NSMODEL_TEST_TMP/exported\" '"
              "BEGIN { while ((getline line < names) > 0) exported[line] = 1 } "
              "/^[a-z].*[ *]ns_[a-z0-9_]*\\(/ { head = \"\"; reading = 1 } "
              "reading { head = head $0 } "
              "/^\\{/ && reading { reading = 0; name = head; sub(/\\(.*/, \"\", name); sub(/.*[ *]/, \"\", name); "
              "  if (name in exported && head ~ /[ (]ns_error \\*err/ && head !~ /const ns_error/ && "
              "      name !~ /^ns_fail/) { seen++; getline; if ($0 !~ /ns_error_clear\\(err\\);/) print name } } "
              "/;$/ { reading = 0 } "
              "END { print seen \" functions\" }'",
              "r");
    ck_assert_ptr_nonnull(found);
    const size_t length = fread(names, 1, sizeof names - 1, found);
    ck_assert_int_eq(pclose(found), 0);
    names[length] = '\0';
    ck_assert_msg(strtol(names, NULL, 10) >= 100, "%s", names);
}
