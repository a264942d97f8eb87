/* log_rows.c -- a log tool tested row by row */
#include "log_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "shared.h"

static const char *tested;
static const log_row *all_rows;

static int index_of(const char *word, const char *const *words)
{
    for (int i = 0; word != NULL && words[i] != NULL; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    ck_assert_msg(word == NULL, "no such word: %s", word);
    return -1;
}

ns_log_options log_options(const log_said *said)
{
    static const char *const trips[] = {"half", "full", NULL};
    ns_log_options options = NS_LOG_OPTIONS_DEFAULT;
    options.tool = said->tool;
    options.kind = said->kind;
    options.locality = index_of(said->locality, ns_locality_words);
    options.memory = index_of(said->memory, ns_memory_words);
    options.round_trip = index_of(said->round_trip, trips);
    options.per_node = said->per_node;
    options.sockets = said->sockets;
    options.processes = said->processes;
    options.cyclic = said->cyclic;
    return options;
}

static bool same(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b);
}

static const char *name_of(const ns_sample *s)
{
    return s->kind == NS_COPY_SAMPLE ? ns_direction_words[s->direction] : s->name;
}

static bool is_wanted(const ns_sample *s, const log_want *want)
{
    return s->line == want->line && s->kind == want->kind && s->locality == want->locality &&
           s->memory == want->memory && s->pairs == want->pairs && s->messages == want->messages &&
           same(s->bytes, want->bytes) && same(s->seconds, want->seconds) &&
           (want->name == NULL || strcmp(want->name, name_of(s)) == 0);
}

static void describe(const ns_log *log, long line, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < log->samples; i++) {
        const ns_sample *s = &log->sample[i];
        const size_t used = strlen(text);
        if (s->line == line)
            snprintf(text + used, size - used, " [%s %s %s %d %d %.17g B %.17g s \"%s\"]",
                     ns_sample_kind_words[s->kind], ns_locality_words[s->locality], ns_memory_words[s->memory],
                     s->pairs, s->messages, s->bytes, s->seconds, name_of(s));
    }
}

static void check_samples(const log_row *row, const ns_log *log)
{
    char found[1024];
    ck_assert_msg(log->samples == row->samples, "%s: %zu samples, wanted %zu", row->about, log->samples, row->samples);
    for (const log_want *want = row->want; want->line > 0; want++) {
        size_t i = 0;
        while (i < log->samples && !is_wanted(&log->sample[i], want))
            i++;
        describe(log, want->line, found, sizeof found);
        ck_assert_msg(i < log->samples, "%s: no sample of line %ld with %g B, %g s, %d pairs, %d messages; found%s",
                      row->about, want->line, want->bytes, want->seconds, want->pairs, want->messages, found);
    }
}

static bool is_note(const ns_log_warning *warning, const log_note *note)
{
    return warning->line == note->line && strstr(warning->text, note->words) != NULL;
}

static void check_notes(const log_row *row, const ns_log *log)
{
    for (const log_note *note = row->note; note->words != NULL; note++) {
        bool found = false;
        for (size_t i = 0; i < log->warnings; i++)
            found = found || is_note(&log->warning[i], note);
        ck_assert_msg(found, "%s: no warning at line %ld with \"%s\" among %zu, the first %ld: \"%s\"", row->about,
                      note->line, note->words, log->warnings, log->warnings > 0 ? log->warning[0].line : 0,
                      log->warnings > 0 ? log->warning[0].text : "");
    }
    for (size_t i = 0; i < log->warnings; i++) {
        const ns_log_warning *warning = &log->warning[i];
        bool expected = strncmp(warning->text, "states no ", 10) == 0;
        for (const log_note *note = row->note; note->words != NULL; note++)
            expected = expected || is_note(warning, note);
        ck_assert_msg(expected, "%s: not expected: %ld: \"%s\"", row->about, warning->line, warning->text);
    }
}

static void check_refusal(const log_row *row, ns_status status, const ns_error *err)
{
    ck_assert_msg(status != NS_OK, "%s: read, wanted a refusal", row->about);
    ck_assert_msg(strstr(err->text, row->refusal) != NULL, "%s: \"%s\" lacks \"%s\"", row->about, err->text,
                  row->refusal);
    ck_assert_msg(strchr(err->text, '\n') == NULL, "%s: more than a line", row->about);
    ck_assert_msg(err->line == row->refusal_line, "%s: line %d, wanted %ld", row->about, (int)err->line,
                  row->refusal_line);
}

START_TEST(row_holds)
{
    const log_row *row = &all_rows[_i];
    const ns_log_options options = log_options(&row->said);
    const char *path = scratch_file("made.log", row->text, strlen(row->text));
    ns_log *log = NULL;
    ns_error err = {.code = NS_OK};
    ns_status status = ns_log_read(&path, 1, &options, &log, &err);
    if (row->refusal != NULL) {
        check_refusal(row, status, &err);
        return;
    }
    ck_assert_msg(status == NS_OK, "%s: %s", row->about, err.text);
    if (tested != NULL)
        ck_assert_str_eq(log->tool[0], tested);
    check_samples(row, log);
    check_notes(row, log);
    ns_log_free(log);
}
END_TEST

void log_rows(const char *tool, const log_row *rows, size_t count)
{
    tested = tool;
    all_rows = rows;
    test_add(row_holds, (int)count);
    test_within(300);
}
