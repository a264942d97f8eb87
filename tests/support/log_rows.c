/* log_rows.c -- a log tool tested row by row */
#include "log_rows.h"

#include <math.h>
#include <string.h>

#include "shared.h"

static const char *tested;
static const log_row *all_rows;

/* A row that says nothing means the default, which is not 0 everywhere. */
static ns_log_options options_of(const log_row *row)
{
    ns_log_options options = row->options;
    options.locality = options.locality > 0 ? options.locality : -1;
    options.memory = options.memory > 0 ? options.memory : -1;
    options.round_trip = options.round_trip == 2 ? 0 : options.round_trip == 1 ? 1 : -1; /* 2: half */
    return options;
}

static bool same(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b);
}

static bool is_wanted(const ns_sample *s, const log_want *want)
{
    return s->line == want->line && s->kind == want->kind && s->locality == want->locality && s->memory == want->memory &&
           s->pairs == want->pairs && s->messages == want->messages && same(s->bytes, want->bytes) &&
           same(s->seconds, want->seconds) && (want->name == NULL || strcmp(want->name, s->name) == 0);
}

static void check_samples(const log_row *row, const ns_log *log)
{
    ck_assert_msg(log->samples == row->samples, "%s: %zu samples, wanted %zu", row->about, log->samples, row->samples);
    for (const log_want *want = row->want; want->line > 0; want++) {
        size_t i = 0;
        while (i < log->samples && !is_wanted(&log->sample[i], want))
            i++;
        ck_assert_msg(i < log->samples, "%s: no sample of line %ld with %g B, %g s, %d pairs, %d messages", row->about,
                      want->line, want->bytes, want->seconds, want->pairs, want->messages);
    }
}

static void check_warnings(const log_row *row, const ns_log *log)
{
    bool found = row->warning == NULL;
    for (size_t i = 0; i < log->warnings; i++)
        found = found || strstr(log->warning[i].text, row->warning) != NULL;
    ck_assert_msg(found, "%s: no warning with \"%s\" among %zu, the first \"%s\"", row->about, row->warning, log->warnings,
                  log->warnings > 0 ? log->warning[0].text : "");
    ck_assert_msg(!row->quiet || log->warnings == 0, "%s: \"%s\"", row->about, log->warnings > 0 ? log->warning[0].text : "");
}

START_TEST(row_holds)
{
    const log_row *row = &all_rows[_i];
    const ns_log_options options = options_of(row);
    const char *path = scratch_file("made.log", row->text, strlen(row->text));
    ns_log *log = NULL;
    ns_error err = {.code = NS_OK};
    ns_status status = ns_log_read(&path, 1, &options, &log, &err);
    if (row->refusal != NULL) {
        ck_assert_msg(status != NS_OK, "%s: read, wanted a refusal", row->about);
        ck_assert_msg(strstr(err.text, row->refusal) != NULL, "%s: \"%s\" lacks \"%s\"", row->about, err.text, row->refusal);
        ck_assert_msg(strchr(err.text, '\n') == NULL, "%s: more than a line", row->about);
        return;
    }
    ck_assert_msg(status == NS_OK, "%s: %s", row->about, err.text);
    ck_assert_str_eq(log->tool[0], tested);
    check_samples(row, log);
    check_warnings(row, log);
    ns_log_free(log);
}
END_TEST

Suite *log_suite(const char *tool, const log_row *rows, size_t count)
{
    Suite *suite = suite_create(tool);
    TCase *test = tcase_create("rows");
    tested = tool;
    all_rows = rows;
    tcase_set_timeout(test, 300);
    tcase_add_loop_test(test, row_holds, 0, (int)count);
    suite_add_tcase(suite, test);
    return suite;
}
