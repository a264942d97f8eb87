/* test_logs_real.c -- every file of the data folder is read or refused exactly as tests/data/real_logs.tsv says */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "logs/samples.h"
#include "support/shared.h"
#include "support/test.h"

enum { FIELDS = 6, FILES_MAX = 4096 };

typedef struct real_log {
    char *line, *field[FIELDS]; /* path, tool or "-", samples or words, up to three samples */
    bool seen;
} real_log;

static real_log table[FILES_MAX];
static int files, wrong, unknown;
static size_t prefix;

static int by_path(const void *a, const void *b)
{
    return strcmp(((const real_log *)a)->field[0], ((const real_log *)b)->field[0]);
}

static void load_table(void)
{
    char line[2048];
    FILE *file = fopen("tests/data/real_logs.tsv", "r");
    ck_assert_msg(file != NULL, "no table");
    while (fgets(line, sizeof line, file) != NULL) {
        if (*line == '#')
            continue;
        ck_assert_int_lt(files, FILES_MAX);
        real_log *log = &table[files++];
        line[strcspn(line, "\n")] = '\0';
        char *at = log->line = strdup(line);
        for (int i = 0; i < FIELDS && at != NULL; i++) {
            char *tab = strchr(at, '\t');
            log->field[i] = at;
            if (tab != NULL)
                *tab = '\0';
            at = tab == NULL ? NULL : tab + 1;
        }
        ck_assert_msg(log->field[2] != NULL, "%s: fewer than three fields", log->line);
    }
    fclose(file);
    qsort(table, (size_t)files, sizeof *table, by_path);
}

/* Each difference is printed; the test fails once, at the end. */
static void differs(const char *path, const char *what, const char *found)
{
    printf("%s: %s, found %s\n", path, what, found);
    fflush(stdout); /* the test process ends without it when it fails */
    wrong++;
}

static bool has_sample(const ns_log *log, const char *words)
{
    long line;
    char kind[32], locality[32], memory[32];
    int pairs, messages;
    double bytes, seconds;
    if (sscanf(words, "%ld %31s %31s %31s %d %d %lf %lf", &line, kind, locality, memory, &pairs, &messages, &bytes,
               &seconds) != 8)
        return false;
    for (size_t i = 0; i < log->samples; i++) {
        const ns_sample *s = &log->sample[i];
        if (s->line == line && strcmp(kind, ns_sample_kind_words[s->kind]) == 0 &&
            strcmp(locality, ns_locality_words[s->locality]) == 0 && strcmp(memory, ns_memory_words[s->memory]) == 0 &&
            s->pairs == pairs && s->messages == messages && fabs(s->bytes - bytes) <= 1e-8 * bytes &&
            fabs(s->seconds - seconds) <= 1e-8 * seconds)
            return true;
    }
    return false;
}

static void compare(const real_log *want, const ns_log *log)
{
    char found[64];
    snprintf(found, sizeof found, "%s %zu", log->tool[0], log->samples);
    if (strcmp(want->field[1], log->tool[0]) != 0 || strtoul(want->field[2], NULL, 10) != log->samples)
        differs(want->field[0], "not the tool and the number of samples of the table", found);
    for (int i = 3; i < FIELDS && want->field[i] != NULL; i++)
        if (!has_sample(log, want->field[i]))
            differs(want->field[0], want->field[i], "no such sample");
}

static void check_file(const char *path)
{
    const char *name = path + prefix;
    const size_t length = strlen(name);
    real_log key = {.field = {(char *)(uintptr_t)name}};
    if (length > 3 && strcmp(name + length - 3, ".md") == 0)
        return;
    real_log *want = bsearch(&key, table, (size_t)files, sizeof *table, by_path);
    if (want == NULL) {
        unknown++;
        differs(name, "not in the table", "in the folder");
        return;
    }
    ns_log *log = NULL;
    ns_error err = {.code = NS_OK};
    const bool good = ns_log_read(&path, 1, NULL, &log, &err) == NS_OK, refused = strcmp(want->field[1], "-") == 0;
    want->seen = true;
    if (good && refused)
        differs(name, "refused in the table", "read");
    else if (good)
        compare(want, log);
    else if (!refused || strncmp(err.text, want->field[2], strlen(want->field[2])) != 0)
        differs(name, want->field[2], err.text);
    ns_log_free(log);
}

TEST(test_every_file)
{
    char folder[512];
    if (!shared_path("test_logs_real", "data/pingpong", folder, sizeof folder))
        return;
    prefix = strlen(folder) + 1;
    load_table();
    shared_walk(folder, check_file);
    for (int i = 0; i < files; i++) {
        if (!table[i].seen)
            differs(table[i].field[0], "in the table", "no such file");
        free(table[i].line);
    }
    ck_assert_msg(wrong == 0, "%d files or samples differ from the table, %d files are not in it", wrong, unknown);
    ck_assert_int_gt(files, 1300);
}

TEST_TIMEOUT(300)
