/* test_reader_malformed.c -- the malformed files of the data folder: what is said of each
 *
 * They come from other libraries' test suites; those we take on purpose carry the reason.
 */

#include "support/refusal.h"
#include "support/shared.h"
#include "support/test.h"

#define COUNTS_FROM_1 "Matrix Market counts from 1"
#define NO_BANNER     "no %%MatrixMarket banner"
#define FMM           "fast_matrix_market/"

static const struct {
    const char *file;
    long line;          /* 0: about the file as a whole, or accepted */
    const char *words;  /* NULL: accepted */
    const char *reason; /* for accepting */
} malformed[] = {
    {FMM "invalid/invalid_bad_banner.mtx", 1, NO_BANNER, NULL},
    {FMM "invalid/invalid_bad_banner_2.mtx", 1, NO_BANNER, NULL},
    {FMM "invalid/invalid_bad_field.mtx", 1, "unknown field \"____\"", NULL},
    {FMM "invalid/invalid_bad_format.mtx", 1, "unknown format \"____\"", NULL},
    {FMM "invalid/invalid_bad_object.mtx", 1, "unknown object \"___\"", NULL},
    {FMM "invalid/invalid_bad_symmetry.mtx", 1, "unknown symmetry \"___\"", NULL},
    {FMM "invalid/invalid_bad_value.mtx", 3, "real value \"not_a_double\", wanted a number", NULL},
    {FMM "invalid/invalid_bad_value_2.mtx", 5, "\"foooooo\", wanted a number", NULL},
    {FMM "invalid/invalid_bad_value_3.mtx", 4, "\"ffsafdsafas\", wanted a number", NULL},
    {FMM "invalid/invalid_bad_value_4.mtx", 4, "row index \"ffsafdsafas\", wanted a whole number from 1 to 4", NULL},
    {FMM "invalid/invalid_dimensions_out_of_range_1.mtx", 3, "rows is \"-3\"", NULL},
    {FMM "invalid/invalid_dimensions_out_of_range_2.mtx", 3, "columns is \"-3\"", NULL},
    {FMM "invalid/invalid_dimensions_out_of_range_3.mtx", 3, "entries is \"-3\"", NULL},
    {FMM "invalid/invalid_indices_out_of_range_1.mtx", 5, "row index 5000, wanted at most 7", NULL},
    {FMM "invalid/invalid_indices_out_of_range_2.mtx", 6, "column index 2000, wanted at most 7", NULL},
    {FMM "invalid/invalid_indices_out_of_range_3.mtx", 5, "row index 0; " COUNTS_FROM_1, NULL},
    {FMM "invalid/invalid_indices_out_of_range_4.mtx", 6, "column index 0; " COUNTS_FROM_1, NULL},
    {FMM "invalid/invalid_indices_out_of_range_5.mtx", 5, "row index -1; " COUNTS_FROM_1, NULL},
    {FMM "invalid/invalid_indices_out_of_range_6.mtx", 6, "column index -2; " COUNTS_FROM_1, NULL},
    {FMM "invalid/invalid_matrix_coord_too_long.mtx", 7, "after the last of the 3 entries", NULL},
    {FMM "invalid/invalid_symmetry_vector.mtx", 1, "a vector has no symmetry", NULL},
    {FMM "invalid/invalid_truncated_header_1.mtx", 2, "ends before the size line", NULL},
    {FMM "invalid/invalid_truncated_header_2.mtx", 1, "4 words, wanted 5", NULL},
    {FMM "invalid/invalid_truncated_line_1.mtx", 5, "ends after no value, wanted one value", NULL},
    {FMM "invalid/invalid_truncated_line_2.mtx", 5, "ends before the column index", NULL},
    {FMM "invalid/invalid_truncated_lines.mtx", 4, "promises 12 entries, the file ends after 2", NULL},
    {FMM "invalid/invalid_vector_array_too_long.mtx", 7, "after the last of the 4 values", NULL},
    {FMM "invalid/invalid_vector_coord_too_long.mtx", 6, "after the last of the 3 entries", NULL},
    {FMM "invalid/invalid_vector_index_out_of_range_1.mtx", 4, "row index 0; " COUNTS_FROM_1, NULL},
    {FMM "invalid/invalid_vector_index_out_of_range_2.mtx", 4, "row index 200, wanted at most 4", NULL},
    {FMM "invalid/invalid_vector_negative_length.mtx", 2, "rows is \"-4\"", NULL},
    {FMM "overflow/overflow_dim_gt_int64.mtx", 2, "more than 63 bits", NULL},
    {FMM "overflow/overflow_index_gt_int64.mtx", 6, "row index 19223372036854775808, wanted at most 1000", NULL},
    {FMM "overflow/overflow_index_gt_int8.mtx", 0, NULL, "indices have 63 bits"},
    {FMM "overflow/overflow_value_gt_complex128.mtx", 0, NULL, "values are never converted"},
    {FMM "overflow/overflow_value_gt_float128.mtx", 0, NULL, "values are never converted"},
    {FMM "overflow/overflow_value_gt_float64.mtx", 0, NULL, "values are never converted"},
    {FMM "overflow/overflow_value_gt_int32.mtx", 0, NULL, "values are never converted"},
    {FMM "overflow/overflow_value_gt_int64.mtx", 0, NULL, "values are never converted"},
    {FMM "permissive/permissive_banner_leading_spaces_eye3.mtx", 0, NULL, "blanks before the banner mean nothing"},
    {FMM "permissive/permissive_banner_one_percent_eye3.mtx", 0, NULL, "one percent sign is as clear as two"},
    {FMM "permissive/permissive_lines_indented.mtx", 0, NULL, "blanks before a line mean nothing"},
    {FMM "permissive/windows_lineendings_nist_ex1_more_freeformat.mtx", 0, NULL, "line ends of Windows"},
    {FMM "scipy_crashes/dim_over_32_bit.mtx", 0, NULL, "dimensions have 63 bits"},
    {FMM "scipy_crashes/vector_array_real_general.mtx", 0, NULL, "a vector is an n x 1 matrix"},
    {FMM "scipy_crashes/vector_coordinate_real_general.mtx", 0, NULL, "a vector is an n x 1 matrix"},
    {"headerless/basker_matrix1_no_banner.mtx.gz", 1, NO_BANNER, NULL},
    {"headerless/cegb2802.mtx.gz", 1, "an HTML page", NULL},
    {"headerless/ibm03.mtxp.gz", 0, "MatrixMarket+ distributed-matrix", NULL},
    {"headerless/luxembourg_osm_no_header.mtx.gz", 1, NO_BANNER ", only numbers", NULL},
    {"lagraph/full_noheader.mtx", 1, NO_BANNER ", only numbers", NULL},
    {"lagraph/mangled1.mtx", 1, "unknown object \"mangled\"", NULL},
    {"lagraph/mangled10.mtx", 6, "promises 3 entries, the file ends after 2", NULL},
    {"lagraph/mangled11.mtx", 5, "column index \"zero\"", NULL},
    {"lagraph/mangled12.mtx", 5, "ends after no value", NULL},
    {"lagraph/mangled13.mtx", 7, "column index 9999, wanted at most 4", NULL},
    {"lagraph/mangled14.mtx", 0, NULL, "repeated entries count each"},
    {"lagraph/mangled15.mtx", 5, "followed by \".959\", wanted one value only", NULL},
    {"lagraph/mangled16.mtx", 5, "followed by \".959\", wanted one value only", NULL},
    {"lagraph/mangled2.mtx", 1, "unknown format \"mangled\"", NULL},
    {"lagraph/mangled3.mtx", 1, "unknown field \"mangled\"", NULL},
    {"lagraph/mangled4.mtx", 1, "unknown symmetry \"mangled\"", NULL},
    {"lagraph/mangled5.mtx", 1, "\"pattern\" with \"hermitian\"", NULL},
    {"lagraph/mangled6.mtx", 5, "followed by \"1\", wanted one value only", NULL},
    {"lagraph/mangled7.mtx", 5, "ends after no value", NULL},
    {"lagraph/mangled8.mtx", 4, "too few numbers, wanted 3", NULL},
    {"lagraph/mangled9.mtx", 4, "3 x 4, but a symmetric", NULL},
    {"lagraph/mangled_bool.mtx", 0, NULL, "a %%GraphBLAS line is a comment; values are never converted"},
    {"lagraph/mangled_format.mtx", 1, "\"array\" with \"pattern\"", NULL},
    {"lagraph/mangled_int16.mtx", 0, NULL, "a %%GraphBLAS line is a comment; values are never converted"},
    {"lagraph/mangled_int32.mtx", 0, NULL, "a %%GraphBLAS line is a comment; values are never converted"},
    {"lagraph/mangled_int8.mtx", 0, NULL, "a %%GraphBLAS line is a comment; values are never converted"},
    {"lagraph/mangled_skew.mtx", 0, NULL, "a %%GraphBLAS line is a comment; skew-symmetric integers are fine"},
    {"lagraph/mangled_uint16.mtx", 0, NULL, "a %%GraphBLAS line is a comment; values are never converted"},
    {"lagraph/mangled_uint32.mtx", 0, NULL, "a %%GraphBLAS line is a comment; values are never converted"},
    {"lagraph/mangled_uint8.mtx", 0, NULL, "a %%GraphBLAS line is a comment; values are never converted"},
    {"lagraph/west0067_noheader.mtx", 1, NO_BANNER ", only numbers", NULL},
    {"r-matrix/wrong.mtx", 3, "row index 0; " COUNTS_FROM_1, NULL},
    {"sprs/not_enough_entries.mm", 33, "promises 13 entries, the file ends after 8", NULL},
    {"sprs/too_many_elems_in_entry.mm", 5, "followed by \"4\", wanted one value only", NULL},
    {"suitesparse/a1.mtx", 11, "row index 0; " COUNTS_FROM_1, NULL},
    {"suitesparse/a2.mtx", 9, "row index 0; " COUNTS_FROM_1, NULL},
    {"suitesparse/a4.mtx", 11, "row index 0; " COUNTS_FROM_1, NULL},
    {"suitesparse/az88.mtx", 11, "row index 0; " COUNTS_FROM_1, NULL},
    {"suitesparse/c2.mtx", 9, "row index 0; " COUNTS_FROM_1, NULL},
    {"suitesparse/c32.mtx", 10, "row index 0; " COUNTS_FROM_1, NULL},
    {"suitesparse/cholmod_fullcrud1.mtx", 1, NO_BANNER ", only numbers", NULL},
    {"suitesparse/cholmod_mangle1.mtx", 1, "unknown object \"junk\"", NULL},
    {"suitesparse/cholmod_mangle2.mtx", 1, "unknown format \"junk\"", NULL},
    {"suitesparse/cholmod_mangle3.mtx", 1, "unknown field \"junk\"", NULL},
    {"suitesparse/cholmod_mangle4.mtx", 1, "unknown symmetry \"junk\"", NULL},
    {"suitesparse/fullcrud.mtx", 6, "promises 4 values, the file ends after 3", NULL},
    {"suitesparse/fullcrud2.mtx", 3, "\"garbled\", wanted a number", NULL},
    {"suitesparse/mongoose_bad_dimensions.mtx", 3, "ends before the size line", NULL},
    {"suitesparse/mongoose_bad_header.mtx", 1, "unknown symmetry \"bogus\"", NULL},
    {"suitesparse/mongoose_bad_matrix_type.mtx", 3, "ends after no value, wanted two values", NULL},
    {"suitesparse/paru_row0.mtx", 12, "row index 0; " COUNTS_FROM_1, NULL},
    {"suitesparse/r2.mtx", 9, "row index 0; " COUNTS_FROM_1, NULL},
    {"suitesparse/s32.mtx", 10, "row index 0; " COUNTS_FROM_1, NULL},
};

enum { MALFORMED = sizeof malformed / sizeof *malformed };

TEST_EACH(each_malformed_file, MALFORMED)
{
    char relative[256], path[512];
    snprintf(relative, sizeof relative, "data/matrices/malformed/%s", malformed[_i].file);
    if (!shared_path("each_malformed_file", relative, path, sizeof path))
        ck_assert_msg(shared_dir() == NULL, "the table names %s, which is not there", relative);
    else if (malformed[_i].words != NULL)
        refused(path, malformed[_i].line, malformed[_i].words);
    else
        accepted(path, malformed[_i].reason);
}

static void is_in_table(const char *path)
{
    const char *name = strstr(path, "malformed/") + strlen("malformed/");
    if (strcmp(name, "MANIFEST.csv") == 0 || strcmp(name, "PROVENANCE.md") == 0)
        return;
    for (size_t i = 0; i < MALFORMED; i++)
        if (strcmp(name, malformed[i].file) == 0)
            return;
    ck_abort_msg("the table lacks %s", name);
}

TEST(table_is_complete)
{
    char path[512];
    if (shared_path("table_is_complete", "data/matrices/malformed", path, sizeof path))
        ck_assert_int_eq(shared_walk(path, is_in_table), MALFORMED + 2);
}

TEST_TIMEOUT(300)
