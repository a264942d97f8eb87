/* test_fit_real.c -- every file of the data folder by itself: fitted, or refused with a reason; how well the logs
 * predict themselves
 *
 * Needs the data folder; says so and passes without it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "support/shared.h"
#include "support/shell.h"
#include "support/test.h"
#include "support/values.h"

static char data[1024];

static ns_value *each_log(void)
{
    char line[1200];
    snprintf(line, sizeof line, "fit --each %s", data);
    return cli_json(line);
}

TEST(test_errors)
{
    if (!shared_path("test_errors", "data/pingpong", data, sizeof data))
        return;
    ns_value *root = each_log();
    const double median = number_at(root, "summary.median_of_median_rel_error"),
                 p95 = number_at(root, "summary.median_of_p95_rel_error");
    printf("held-out errors of %.0f ping-pong logs, medians over the logs: median %.4f, 95th percentile %.4f; %.0f "
           "keep 0.05 and 0.15\n",
           number_at(root, "summary.ping_pong_logs"), median, p95, number_at(root, "summary.within_both"));
    ck_assert(number_at(root, "summary.ping_pong_logs") > 400);
    ck_assert_double_le(median, 0.05);
    ck_assert_double_le(p95, 0.15);
    for (const ns_value *row = ns_value_get(root, "logs")->first; row != NULL; row = row->next) {
        const ns_value *m = ns_value_get(row, "median_rel_error"), *p = ns_value_get(row, "p95_rel_error");
        const bool missed = m->kind == NS_NUMBER && (m->number > 0.05 || p->number > 0.15);
        ck_assert_msg(!missed || *ns_value_get(row, "remark")->text != '\0', "%s misses and does not say why",
                      ns_value_get(row, "file")->text);
    }
    ns_value_free(root);
}

/* ---- against the table of the readers ---------------------------------------------------------------------------- */

static const ns_value *row_of(const ns_value *root, const char *file, size_t length)
{
    for (const ns_value *row = ns_value_get(root, "logs")->first; row != NULL; row = row->next) {
        const char *path = ns_value_get(row, "file")->text;
        if (strlen(path) == strlen(data) + 1 + length && memcmp(path + strlen(data) + 1, file, length) == 0)
            return row;
    }
    return NULL;
}

/* Only netgauge's screen output holds no times of messages but LogGP's numbers. */
static void check_row(const ns_value *row, const char *file, const char *tool)
{
    const char *kind = ns_value_get(row, "kind")->text;
    if (*tool == '-') {
        ck_assert_msg(strcmp(kind, "refused") == 0 && strlen(ns_value_get(row, "remark")->text) > 10, "%s is %s", file,
                      kind);
        return;
    }
    ck_assert_msg(strcmp(kind, "refused") != 0, "%s: %s", file, ns_value_get(row, "remark")->text);
    const double all = number_at(row, "classes") + number_at(row, "copies") + number_at(row, "collectives");
    ck_assert_msg(all > 0 || strncmp(tool, "netgauge", 8) == 0, "%s is read and not fitted", file);
}

TEST(test_every_file)
{
    static char line[65536];
    int files = 0;
    FILE *table = fopen("tests/data/real_logs.tsv", "r");
    ck_assert_ptr_nonnull(table);
    if (!shared_path("test_every_file", "data/pingpong", data, sizeof data)) {
        fclose(table);
        return;
    }
    ns_value *root = each_log();
    while (fgets(line, sizeof line, table) != NULL) {
        const size_t length = strcspn(line, "\t");
        if (*line == '#' || line[length] != '\t')
            continue;
        const ns_value *row = row_of(root, line, length);
        ck_assert_msg(row != NULL, "%.*s is not listed", (int)length, line);
        line[length] = '\0';
        check_row(row, line, line + length + 1);
        files++;
    }
    fclose(table);
    ck_assert_int_gt(files, 1000);
    for (const ns_value *row = ns_value_get(root, "logs")->first; row != NULL; row = row->next) {
        const char *file = ns_value_get(row, "file")->text, *ending = strrchr(file, '.');
        files += ending != NULL && strcmp(ending, ".md") == 0; /* the folder's own pages, which that table leaves out */
    }
    ck_assert_int_eq((int)(number_at(root, "summary.fitted") + number_at(root, "summary.refused")), files);
    ns_value_free(root);
}

TEST(test_page)
{
    char copy[300];
    if (!shared_path("test_page", "data/pingpong", data, sizeof data))
        return;
    snprintf(copy, sizeof copy, "%s", cli_file("fit-page.md", ""));
    shell_ok("cp docs/evidence/fit.md '%s' && tools/fit-page.sh '%s' '%s' '%s'", copy, shell_program(), data, copy);
    ck_assert_msg(shell(NULL, 0, "cmp -s docs/evidence/fit.md '%s'", copy) == 0,
                  "docs/evidence/fit.md is not current: run `make docs`");
}

TEST_TIMEOUT(120)
