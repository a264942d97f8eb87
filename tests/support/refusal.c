/* refusal.c -- open and scan a matrix file, and compare what is said of it */
#include "refusal.h"

#include <check.h>
#include <string.h>

ns_status read_all(const char *path, entry_list *list, ns_error *err)
{
    ns_matrix *matrix;
    *err = (ns_error){.code = NS_OK};
    ns_status status = ns_matrix_open(path, &matrix, err);
    if (status != NS_OK)
        return status;
    status = ns_matrix_scan(matrix, entry_list_receive, list, err);
    ns_matrix_free(matrix);
    return status;
}

void refused(const char *path, long line, const char *words)
{
    char text[1024];
    entry_list list = {.at = NULL};
    ns_error err;
    ns_status status = read_all(path, &list, &err);
    ck_assert_msg(status != NS_OK, "%s was accepted, wanted: %s", path, words);
    ns_error_format(&err, text, sizeof text);
    ck_assert_msg(status == err.code && strstr(err.text, words) != NULL, "%s, wanted: %s", text, words);
    ck_assert_msg(err.line == line, "%s, wanted line %ld", text, line);
    ck_assert_msg(strncmp(err.file, path, sizeof err.file - 1) == 0, "%s does not name %s", text, path);
    entry_list_free(&list);
}

void accepted(const char *path, const char *reason)
{
    char text[1024];
    entry_list list = {.at = NULL};
    ns_error err;
    ns_status status = read_all(path, &list, &err);
    ck_assert_msg(status == NS_OK, "%s, wanted acceptance: %s", ns_error_format(&err, text, sizeof text), reason);
    entry_list_free(&list);
}
