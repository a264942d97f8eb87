/* test_fit_real.c -- every file of the data folder by itself: fitted, or refused with a reason; how well the logs
 * predict themselves
 *
 * Needs the data folder; says so and passes without it.
 */

#include "support/cli.h"
#include "support/real_logs.h"
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

/* Every file is fitted or refused with a reason, and as many files and samples of each tool are read as the table says.
 * Only netgauge's screen output holds no times of messages but LogGP's numbers; the folder's own pages (.md) are not in
 * the table. */
TEST(test_every_file)
{
    size_t rows;
    if (!shared_path("test_every_file", "data/pingpong", data, sizeof data))
        return;
    real_logs *table = real_logs_load(&rows);
    ns_value *root = each_log();
    for (const ns_value *row = ns_value_get(root, "logs")->first; row != NULL; row = row->next) {
        const char *file = ns_value_get(row, "file")->text + strlen(data) + 1, *ending = strrchr(file, '.'),
                   *tool = ns_value_get(row, "tool")->text, *remark = ns_value_get(row, "remark")->text;
        const bool refused = strcmp(ns_value_get(row, "kind")->text, "refused") == 0;
        const double all = number_at(row, "classes") + number_at(row, "copies") + number_at(row, "collectives");
        ck_assert_msg(refused ? strlen(remark) > 10 : all > 0 || strcmp(tool, "netgauge") == 0,
                      "%s is refused without a reason, or read and not fitted: %s", file, remark);
        if (ending != NULL && strcmp(ending, ".md") == 0)
            continue;
        real_logs *expected = real_logs_row(file, refused ? "-" : tool);
        ck_assert_msg(expected != NULL, "%s, read as %s: no row", file, tool);
        expected->found.files++;
        expected->found.samples += (long)number_at(row, "samples");
    }
    for (const real_logs *row = table; row < table + rows; row++)
        ck_assert_msg(row->found.files == row->files && row->found.samples == row->samples,
                      "%s, %s: %ld files, %ld samples", row->folder, row->tool, row->found.files, row->found.samples);
    ns_value_free(root);
}

TEST(test_page)
{
    char copy[300];
    if (!shared_path("test_page", "data/pingpong", data, sizeof data))
        return;
    snprintf(copy, sizeof copy, "%s", cli_file("fit-page.md", ""));
    shell_ok("cp docs/evidence/fit.md '%s' && evidence/pages/fit-page.sh '%s' '%s' '%s'", copy, shell_program(), data, copy);
    ck_assert_msg(shell(NULL, 0, "cmp -s docs/evidence/fit.md '%s'", copy) == 0,
                  "docs/evidence/fit.md is not current: run `make docs`");
}

TEST_TIMEOUT(120)
