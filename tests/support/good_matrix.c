/* good_matrix.c -- open and scan a matrix that has to be good */
#include "good_matrix.h"

#include <check.h>

void must(ns_status status, const ns_error *err)
{
    char text[1024];
    ck_assert_msg(status == NS_OK, "%s", ns_error_format(err, text, sizeof text));
}

ns_matrix *open_good(const char *path)
{
    ns_matrix *matrix = NULL;
    ns_error err = {.code = NS_OK};
    must(ns_matrix_open(path, &matrix, &err), &err);
    return matrix;
}

entry_list scan_good(ns_matrix *matrix)
{
    entry_list list = {.at = NULL};
    ns_error err = {.code = NS_OK};
    must(ns_matrix_scan(matrix, entry_list_receive, &list, &err), &err);
    return list;
}

void same_entries(const entry_list *found, const ns_entry *wanted, size_t count, const char *what)
{
    ck_assert_msg(found->count == count, "%s: %zu entries, wanted %zu", what, found->count, count);
    for (size_t i = 0; i < count; i++) /* an assertion that holds is not free: it tells the parent so */
        if (found->at[i].row != wanted[i].row || found->at[i].col != wanted[i].col)
            ck_abort_msg("%s: entry %zu is (%lld, %lld), wanted (%lld, %lld)", what, i, (long long)found->at[i].row,
                         (long long)found->at[i].col, (long long)wanted[i].row, (long long)wanted[i].col);
}

ns_status count_entries(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    (void)entries, (void)err;
    *(int64_t *)context += (int64_t)count;
    return NS_OK;
}
