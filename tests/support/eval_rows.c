/* eval_rows.c -- model tests as rows */
#include "eval_rows.h"

#include "cli.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void check_eval_row(const eval_row *row)
{
    char line[1024], path[100];
    snprintf(line, sizeof line, "eval %s", row->line);
    snprintf(path, sizeof path, "outputs.%s.value", row->output);
    ns_value *root = cli_json(line);
    const ns_value *value = ns_value_at(root, path);
    ck_assert_msg(value != NULL && value->kind == NS_NUMBER, "%s: no number at %s", line, path);
    ck_assert_msg(fabs(value->number - row->value) <= row->tolerance * fabs(row->value) + 1e-300,
                  "%s: %s is %.10g, wanted %.10g within %g (%s)", line, row->output, value->number, row->value, row->tolerance,
                  row->source);
    ns_value_free(root);
}

void check_refusal_row(const refusal_row *row)
{
    char line[1024];
    snprintf(line, sizeof line, "eval %s", row->line);
    cli_result result = cli(line);
    ck_assert_msg(result.code == 1, "%s exits %d", line, result.code);
    ck_assert_msg(strstr(result.err, row->words) != NULL, "%s says: %s", line, result.err);
    ck_assert_str_eq(result.out, "");
    cli_free(&result);
}
