/* eval_rows.h -- model tests as rows: a command line, an output, its value and where that comes from */
#ifndef NS_TESTS_EVAL_ROWS_H
#define NS_TESTS_EVAL_ROWS_H

/* One evaluation: `eval LINE` has to give `value` (SI) at the output, within a relative tolerance. */
typedef struct eval_row {
    const char *line;
    const char *output;
    double value, tolerance;
    const char *source; /* where the value comes from */
} eval_row;
void check_eval_row(const eval_row *row);

/* One refusal: `eval LINE` has to exit 1 with these words. */
typedef struct refusal_row {
    const char *line, *words;
} refusal_row;
void check_refusal_row(const refusal_row *row);

/* Define `suite` for arrays `rows` and `refusals`. */
#define EVAL_SUITE(name)                                                                                              \
    START_TEST(test_rows)                                                                                             \
    {                                                                                                                 \
        check_eval_row(&rows[_i]);                                                                                    \
    }                                                                                                                 \
    END_TEST                                                                                                          \
    START_TEST(test_refusals)                                                                                         \
    {                                                                                                                 \
        check_refusal_row(&refusals[_i]);                                                                             \
    }                                                                                                                 \
    END_TEST                                                                                                          \
    Suite *suite(void);                                                                                               \
    Suite *suite(void)                                                                                                \
    {                                                                                                                 \
        Suite *s = suite_create(name);                                                                                \
        TCase *tc = tcase_create("rows");                                                                             \
        tcase_set_timeout(tc, 120);                                                                                   \
        tcase_add_loop_test(tc, test_rows, 0, sizeof rows / sizeof *rows);                                            \
        tcase_add_loop_test(tc, test_refusals, 0, sizeof refusals / sizeof *refusals);                                \
        suite_add_tcase(s, tc);                                                                                       \
        return s;                                                                                                     \
    }

#endif
